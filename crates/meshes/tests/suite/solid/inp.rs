use nalgebra::Vector3;
use wolff_fem::ElementKind;
use wolff_meshes::solid::inp::read_inp;

use super::assert_close;

const TWO: &str = "\
*HEADING
two tetrahedra, numbered with gaps
** a comment
*Node, nset=ALL
10, 0, 0, 0
20, 1.0, 0, 0
30, 0, 1.e0, 0
40, 0, 0, 1
 50, 1, 1, 1
*ELEMENT, type=CPS3, elset=SKIN
1, 10, 20, 30
*Element, Type=C3D4, Elset=Bone
7, 10, 20, 30, 40
9, 20, 30, 40, 50
*NSET, NSET=BASE, GENERATE
10, 30, 10
*NSET, NSET=MORE
BASE, 50
*ELSET, ELSET=TOP
1, 9
*STEP
*STATIC
";

#[test]
fn sets_and_gaps_are_understood() {
    let mesh = read_inp(TWO).unwrap();
    assert_eq!((mesh.kind(), mesh.nodes().len(), mesh.element_count()), (ElementKind::Tet4, 5, 2));
    assert_eq!(mesh.nodes()[4], Vector3::new(1.0, 1.0, 1.0));
    assert_eq!(mesh.node_set("ALL").unwrap(), [0, 1, 2, 3, 4]);
    assert_eq!(mesh.node_set("BASE").unwrap(), [0, 1, 2]);
    assert_eq!(mesh.node_set("MORE").unwrap(), [0, 1, 2, 4]);
    assert_eq!(mesh.element_set("Bone").unwrap(), [0, 1]);
    assert_eq!(mesh.element_set("TOP").unwrap(), [1]);
    assert_close(mesh.volume(), 1.0 / 6.0 + 1.0 / 3.0, 1e-15);
}

#[test]
fn ten_node_elements_may_continue_on_the_next_line() {
    let mut text = "*NODE\n".to_owned();
    for (i, [x, y, z]) in wolff_fem::element::tet10::NODES.iter().enumerate() {
        text += &format!("{}, {x}, {y}, {z}\n", i + 1);
    }
    text += "*ELEMENT, TYPE=C3D10\n1, 1, 2, 3, 4, 5,\n6, 7, 8, 9, 10\n";
    assert_close(read_inp(&text).unwrap().volume(), 1.0 / 6.0, 1e-15);
}

#[test]
fn errors_name_the_line() {
    let refuse = |from: &str, to: &str, words: &[&str]| {
        let message = read_inp(&TWO.replace(from, to)).unwrap_err().to_string();
        assert!(words.iter().all(|word| message.contains(word)), "{message}");
    };
    refuse("20, 1.0, 0, 0", "20, 1.0, nan, 0", &["line 6", "`nan`", "node 20"]);
    refuse("20, 1.0, 0, 0", "20, 1.0, 0", &["line 6", "three coordinates"]);
    refuse(" 50, 1", " 40, 1", &["line 9", "node 40 is defined twice"]);
    refuse("9, 20, 30, 40, 50", "9, 20, 30, 40", &["element 9 ends after 3"]);
    refuse("9, 20, 30, 40, 50", "9, 20, 30, 40, 60", &["node 60"]);
    refuse("C3D4", "C3D8", &["line 12", "C3D8"]);
    refuse("10, 30, 10", "10, 30, 0", &["line 16", "GENERATE"]);
    refuse("BASE, 50", "BAES, 50", &["line 18", "`BAES`"]);
    assert!(read_inp("").unwrap_err().to_string().contains("no tetrahedra"));
}

#[test]
fn keywords_in_any_case_continued_lines_and_named_surfaces_are_understood() {
    let text = "\
*Node, Nset=\"All nodes\"
1, 0, 0, 0\r
2, 1, 0, 0\r
3, 0, 1, 0\r
4, 0, 0, 1\r
*element,
** a comment between
 type=c3d4, elset=Bone
1, 1, 2,
3, 4
*Element, type=CPS3, elset=Skin
5, 1, 2, 3
6, 1, 3, 4
*element, type=T3D2, elset=Line
7, 3, 4
*elset, elset=half skin
6
*elset, elset=mixed
BONE, 5
*nset, nset=from elements, elset=BONE
*nset, nset=nothing
*nset, nset=Line, generate
2, 2
";
    let mesh = read_inp(text).unwrap();
    assert_eq!(mesh.node_set("All nodes").unwrap(), [0, 1, 2, 3]);
    assert_eq!(mesh.node_set("from elements").unwrap(), [0, 1, 2, 3]);
    assert_eq!(mesh.node_set("Skin").unwrap(), [0, 1, 2, 3]);
    assert_eq!(mesh.node_set("half skin").unwrap(), [0, 2, 3]);
    assert_eq!(mesh.node_set("nothing").unwrap(), [0; 0]);
    assert_eq!(mesh.node_set("Line").unwrap(), [1], "a node set of the file wins over the nodes of an element set");
    assert_eq!(mesh.node_set("mixed").unwrap(), [0, 1, 2]);
    assert_eq!(mesh.element_set("mixed").unwrap(), [0]);
    assert_eq!(mesh.element_sets().keys().collect::<Vec<_>>(), ["Bone", "mixed"]);
}

#[test]
fn what_the_file_has_instead_of_tetrahedra_is_said() {
    let message =
        read_inp("*NODE\n1,0,0,0\n2,1,0,0\n*ELEMENT,TYPE=T3D2\n1,1,2\n*INCLUDE, INPUT=solid.inp\n").unwrap_err();
    let message = message.to_string();
    assert!(["no tetrahedra", "2 nodes", "1 T3D2", "solid.inp"].iter().all(|word| message.contains(word)), "{message}");
    let mixed = read_inp("*ELEMENT,TYPE=C3D4\n*ELEMENT,TYPE=C3D10M\n").unwrap_err().to_string();
    assert!(mixed.contains("line 2") && mixed.contains("convert"), "{mixed}");
}

#[test]
fn a_range_without_end_is_refused_before_it_fills_the_memory() {
    let message = read_inp("*NSET, NSET=A, GENERATE\n1, 1000000000000000000\n").unwrap_err().to_string();
    assert!(message.contains("line 2") && message.contains("more than this file can define"), "{message}");
}
