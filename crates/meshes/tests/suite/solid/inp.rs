use nalgebra::Vector3;
use wolff_fem::ElementKind;
use wolff_meshes::solid::inp::{materials, read_inp, read_inp_part};
use wolff_meshes::solid::read_mesh;

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
    let message = read_inp("*NODE\n1,0,0,0\n2,1,0,0\n*ELEMENT,TYPE=T3D2\n1,1,2\n").unwrap_err().to_string();
    assert!(["no tetrahedra", "2 nodes", "1 T3D2"].iter().all(|word| message.contains(word)), "{message}");
    let mixed = read_inp("*ELEMENT,TYPE=C3D4\n*ELEMENT,TYPE=C3D10M\n").unwrap_err().to_string();
    assert!(mixed.contains("line 2") && mixed.contains("convert"), "{mixed}");
}

#[test]
fn a_range_without_end_is_refused_before_it_fills_the_memory() {
    let message = read_inp("*NSET, NSET=A, GENERATE\n1, 1000000000000000000\n").unwrap_err().to_string();
    assert!(message.contains("line 2") && message.contains("more than this file can define"), "{message}");
}

/// One tetrahedron with the corner of the given axes at the origin.
const NODES: &str = "1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n";
const ELEMENT: &str = "*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 4\n";

/// A folder of its own with these files; the first is the input file.
fn folder(name: &str, files: &[(&str, &str)]) -> std::path::PathBuf {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    files.iter().for_each(|(name, text)| std::fs::write(folder.join(name), text).unwrap());
    folder.join(files[0].0)
}

#[test]
fn included_files_are_read_from_beside_the_file() {
    let whole = format!("*INCLUDE, INPUT=nodes.inc\n{ELEMENT}");
    let path = folder("include", &[("a.inp", &whole), ("nodes.inc", &format!("*NODE\n{NODES}"))]);
    assert_eq!(read_mesh(&path).unwrap().nodes().len(), 4);
    let data = format!("*NODE, INPUT=\"data.inc\"\n{ELEMENT}");
    let path = folder("include-data", &[("a.inp", &data), ("data.inc", NODES)]);
    assert_eq!(read_mesh(&path).unwrap().nodes().len(), 4);
    let wrong = folder("include-wrong", &[("a.inp", &data), ("data.inc", "1, 0, 0\n")]);
    let message = read_mesh(&wrong).unwrap_err().to_string();
    assert!(message.contains("data.inc") && message.contains("line 1"), "{message}");
    // without a folder, and where files include each other
    assert!(read_inp(&whole).unwrap_err().to_string().contains("line 1"));
    let path = folder("include-self", &[("a.inp", "*INCLUDE, INPUT=a.inp\n*INCLUDE, INPUT=a.inp\n")]);
    assert!(read_mesh(&path).unwrap_err().to_string().contains("include each other"));
}

#[test]
fn systems_of_coordinates_are_applied() {
    let text = format!("*SYSTEM\n1, 0, 0, 1, 1, 0\n0, 0, 0\n*NODE\n{NODES}{ELEMENT}");
    let mesh = read_inp(&text).unwrap();
    // the x axis points along y, and the y axis along -x
    assert_close((mesh.nodes()[1] - Vector3::new(1.0, 1.0, 0.0)).norm(), 0.0, 1e-15);
    assert_close((mesh.nodes()[2] - Vector3::new(0.0, 0.0, 0.0)).norm(), 0.0, 1e-15);
    let text = format!("*NODE, SYSTEM=C\n1, 0, 0, 0\n2, 1, 0, 0\n3, 1, 90, 0\n4, 0, 0, 1\n{ELEMENT}");
    assert_close((read_inp(&text).unwrap().nodes()[2] - Vector3::y()).norm(), 0.0, 1e-15);
    for text in [text.replace("SYSTEM=C", "SYSTEM=S"), format!("*NODE\n{NODES}{ELEMENT}*ELGEN\n1, 2, 1, 1\n")] {
        assert!(read_inp(&text).unwrap_err().to_string().contains("not supported"));
    }
}

#[test]
fn a_part_is_at_the_place_of_its_instance() {
    let one = "*INSTANCE, NAME=I1, PART=P\n0, 0, 2\n0, 0, 0, 1, 0, 0, 90\n*END INSTANCE\n";
    let text = |instances: &str| {
        format!("*PART, NAME=P\n*NODE\n{NODES}{ELEMENT}*END PART\n*ASSEMBLY, NAME=A\n{instances}*END ASSEMBLY\n")
    };
    // moved to (0, 0, 2), then turned about x: (0, -2, 0)
    let mesh = read_inp(&text(one)).unwrap();
    assert_close((mesh.nodes()[0] - Vector3::new(0.0, -2.0, 0.0)).norm(), 0.0, 1e-15);
    let two = text(&format!("{one}*INSTANCE, NAME=I2, PART=P\n*END INSTANCE\n"));
    let message = read_inp(&two).unwrap_err().to_string();
    assert!(["2 instances", "`I1`", "`I2`", "--part"].iter().all(|word| message.contains(word)), "{message}");
    assert_eq!(read_inp_part(&two, Some("I2"), None).unwrap().nodes()[0], Vector3::zeros());
    assert_eq!(read_inp_part(&two, Some("all"), None).unwrap().element_count(), 2);
}

#[test]
fn materials_of_a_file_are_known() {
    let text = "*MATERIAL, NAME=BONE\n*ELASTIC\n17000, 0.3\n*DENSITY\n1.9e-9\n";
    let found = materials(text, None).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].name.as_str(), found[0].young, found[0].density), ("BONE", Some(17000.0), Some(1.9e-9)));
}
