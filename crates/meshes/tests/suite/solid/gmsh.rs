use wolff_fem::{ElementKind, TetMesh};
use wolff_meshes::solid::gmsh::read_msh;

use super::assert_close;
use super::{Bytes, CORNERS, assert_straight_ten_nodes, ten_nodes};

/// The edges of Gmsh's ten-node tetrahedron, from its manual, "Node ordering".
const GMSH_EDGES: [(usize, usize); 6] = [(0, 1), (1, 2), (2, 0), (3, 0), (2, 3), (1, 3)];

const TEXT_2: &str = "\
$MeshFormat
2.2 0 8
$EndMeshFormat
$Comments
nothing to see
$EndComments
$PhysicalNames
3
2 7 \"base \"
3 8 \"bone\"
3 9 \"shell\"
$EndPhysicalNames
$Nodes
5
40 0 0 1
10 0 0 0
20 1.0 0 0
30 0 1.e0 0
50 1 1 1
$EndNodes
$Elements
6
1 15 2 0 1 10
2 1 2 6 1 10 20
3 2 2 -7 1 10 20 30
4 4 2 8 1 10 20 30 40
5 4 2 9 1 10 20 30 40
6 4 3 0 1 0 20 30 40 50
$EndElements
";

fn assert_two(mesh: &TetMesh) {
    assert_eq!((mesh.kind(), mesh.nodes().len(), mesh.element_count()), (ElementKind::Tet4, 5, 2));
    assert_eq!(mesh.element(0).unwrap(), [0, 1, 2, 3]);
    assert_eq!(mesh.element(1).unwrap(), [1, 2, 3, 4]);
    assert_close(mesh.volume(), 1.0 / 6.0 + 1.0 / 3.0, 1e-15);
    assert_eq!(mesh.node_set("base ").unwrap(), [0, 1, 2]);
    assert_eq!(mesh.node_set("curve_6").unwrap(), [0, 1]);
    assert_eq!(mesh.element_set("bone").unwrap(), [0]);
    assert_eq!(mesh.element_set("shell").unwrap(), [0]);
}

#[test]
fn version_2_text() {
    assert_two(&read_msh(TEXT_2.as_bytes()).unwrap());
    assert_two(&read_msh(TEXT_2.replace('\n', "\r\n").as_bytes()).unwrap());
}

pub fn binary_2(big: bool) -> Vec<u8> {
    let mut file = Bytes::new(big);
    file.text("$MeshFormat\n2.2 1 8\n").ints(&[1]).text("\n$EndMeshFormat\n");
    file.text("$PhysicalNames\n3\n2 7 \"base \"\n3 8 \"bone\"\n3 9 \"shell\"\n$EndPhysicalNames\n$Nodes\n5\n");
    let nodes = [(40, [0., 0., 1.]), (10, [0., 0., 0.]), (20, [1., 0., 0.]), (30, [0., 1., 0.]), (50, [1., 1., 1.])];
    for (number, x) in nodes {
        file.ints(&[number]).doubles(&x);
    }
    file.text("\n$EndNodes\n$Elements\n6\n").ints(&[15, 1, 2, 1, 0, 1, 10]).ints(&[1, 1, 2, 2, 6, 1, 10, 20]);
    file.ints(&[2, 1, 2, 3, -7, 1, 10, 20, 30]);
    file.ints(&[4, 2, 2, 4, 8, 1, 10, 20, 30, 40, 5, 9, 1, 10, 20, 30, 40]);
    file.ints(&[4, 1, 3, 6, 0, 1, 0, 20, 30, 40, 50]).text("\n$EndElements\n");
    file.out
}

#[test]
fn version_2_binary_of_both_byte_orders() {
    for big in [false, true] {
        assert_two(&read_msh(&binary_2(big)).unwrap());
    }
}

const TEXT_4: &str = "\
$MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
3
2 7 \"base \"
3 8 \"bone\"
3 9 \"shell\"
$EndPhysicalNames
$Entities
1 1 1 2
1 0 0 0 0
1 0 0 0 1 0 0 1 6 2 1 -1
1 0 0 0 1 1 0 1 -7 1 1
1 0 0 0 1 1 1 2 8 9 1 1
2 0 0 0 1 1 1 0 0
$EndEntities
$Nodes
3 5 10 50
0 1 0 1
10
0 0 0
2 1 1 2
30
20
0 1 0 0.25 0.75
1 0 0 0.5 0.5
3 1 0 2
40
50
0 0 1
1 1 1
$EndNodes
$Elements
5 5 1 6
0 1 15 1
1 10
1 1 1 1
2 10 20
2 1 2 1
3 10 20 30
3 2 4 1
6 20 30 40 50
3 1 4 1
4 10 20 30 40
$EndElements
";

#[test]
fn version_4_text_with_parametric_nodes() {
    assert_two(&read_msh(TEXT_4.as_bytes()).unwrap());
}

pub fn binary_4(big: bool) -> Vec<u8> {
    let mut file = Bytes::new(big);
    file.text("$MeshFormat\n4.1 1 8\n").ints(&[1]).text("\n$EndMeshFormat\n");
    file.text("$PhysicalNames\n3\n2 7 \"base \"\n3 8 \"bone\"\n3 9 \"shell\"\n$EndPhysicalNames\n$Entities\n");
    let cube = [0., 0., 0., 1., 1., 1.];
    file.longs(&[1, 1, 1, 2]).ints(&[1]).doubles(&cube[..3]).longs(&[0]);
    file.ints(&[1]).doubles(&cube).longs(&[1]).ints(&[6]).longs(&[2]).ints(&[1, -1]);
    file.ints(&[1]).doubles(&cube).longs(&[1]).ints(&[-7]).longs(&[1]).ints(&[1]);
    file.ints(&[1]).doubles(&cube).longs(&[2]).ints(&[8, 9]).longs(&[1]).ints(&[1]);
    file.ints(&[2]).doubles(&cube).longs(&[0, 0]).text("\n$EndEntities\n$Nodes\n");
    file.longs(&[3, 5, 10, 50]).ints(&[0, 1, 0]).longs(&[1, 10]).doubles(&[0., 0., 0.]);
    file.ints(&[2, 1, 1]).longs(&[2, 30, 20]).doubles(&[0., 1., 0., 0.25, 0.75, 1., 0., 0., 0.5, 0.5]);
    file.ints(&[3, 1, 0]).longs(&[2, 40, 50]).doubles(&[0., 0., 1., 1., 1., 1.]).text("\n$EndNodes\n$Elements\n");
    file.longs(&[5, 5, 1, 6]).ints(&[0, 1, 15]).longs(&[1, 1, 10]).ints(&[1, 1, 1]).longs(&[1, 2, 10, 20]);
    file.ints(&[2, 1, 2]).longs(&[1, 3, 10, 20, 30]).ints(&[3, 2, 4]).longs(&[1, 6, 20, 30, 40, 50]);
    file.ints(&[3, 1, 4]).longs(&[1, 4, 10, 20, 30, 40]).text("\n$EndElements\n");
    file.out
}

#[test]
fn version_4_binary_of_both_byte_orders() {
    for big in [false, true] {
        assert_two(&read_msh(&binary_4(big)).unwrap());
    }
}

#[test]
fn ten_node_elements_get_their_last_edges_exchanged() {
    let mut text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n".to_owned();
    for (i, [x, y, z]) in ten_nodes(GMSH_EDGES).iter().enumerate() {
        text += &format!("{} {x} {y} {z}\n", i + 1);
    }
    text += "$EndNodes\n$Elements\n1\n1 11 2 3 1 1 2 3 4 5 6 7 8 9 10\n$EndElements\n";
    let mesh = read_msh(text.as_bytes()).unwrap();
    assert_straight_ten_nodes(&mesh);
    assert_eq!(mesh.element_set("volume_3").unwrap(), [0]);

    let mut file = Bytes::new(false);
    file.text("$MeshFormat\n4.1 1 8\n").ints(&[1]).text("\n$EndMeshFormat\n$Nodes\n");
    file.longs(&[1, 10, 1, 10]).ints(&[3, 1, 0]).longs(&[10]).longs(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    file.doubles(ten_nodes(GMSH_EDGES).as_flattened()).text("\n$EndNodes\n$Elements\n");
    file.longs(&[1, 1, 1, 1]).ints(&[3, 1, 11]).longs(&[1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]).text("\n$EndElements\n");
    assert_straight_ten_nodes(&read_msh(&file.out).unwrap());
}

#[test]
fn files_that_are_not_meshes_of_tetrahedra_are_refused_with_the_place() {
    let refuse = |from: &str, to: &str, words: &[&str]| {
        let message = read_msh(TEXT_2.replace(from, to).as_bytes()).unwrap_err().to_string();
        assert!(words.iter().all(|word| message.contains(word)), "{message}");
    };
    refuse("2.2 0", "4.0 0", &["line 2", "4.0", "save the mesh as version 4.1 or 2.2"]);
    refuse("2.2 0", "2.2 7", &["line 2", "file type 7"]);
    refuse("$Comments", "Comments", &["line 4", "`Comments`"]);
    refuse("2 7 \"base \"", "2 7 base", &["line 9", "dimension tag"]);
    refuse("20 1.0 0 0", "20 1.0 nan 0", &["line 17", "not finite"]);
    refuse("20 1.0 0 0", "20 1.0 x 0", &["line 17", "`x`"]);
    refuse("40 0 0 1", "10 0 0 1", &["line 16", "node 10 is defined twice"]);
    refuse("$Nodes\n5", "$Nodes\n99999999999", &["line 14", "99999999999 nodes"]);
    refuse("20 30 40 50", "20 30 40 60", &["element 6", "node 60"]);
    refuse("6 4 3 0 1 0", "6 5 3 0 1 0 1 2 3 4", &["line 28", "8-node hexahedra"]);
    refuse("6 4 3 0", "6 99 3 0", &["line 28", "element type 99"]);
    refuse("6 4 3 0 1 0 20 30 40 50", "6 11 3 0 1 0 20 30 40 50 1 2 3 4 5 6", &["line 28", "convert one kind"]);
    refuse("$EndElements", "", &["$EndElements", "missing"]);
    let surface = read_msh(
        TEXT_2
            .replace("4 4 2 8 1 10 20 30 40\n5 4 2 9 1 10 20 30 40\n6 4 3 0 1 0 20 30 40 50\n", "")
            .replace("\n6\n1 15", "\n3\n1 15")
            .as_bytes(),
    );
    let message = surface.unwrap_err().to_string();
    assert!(message.contains("no tetrahedra") && message.contains("1 3-node triangles"), "{message}");
    let partitioned = TEXT_4.replace("Entities", "PartitionedEntities");
    assert!(read_msh(partitioned.as_bytes()).unwrap_err().to_string().contains("without partitions"));
    assert!(read_msh(b"").unwrap_err().to_string().contains("$MeshFormat is missing"));
    let [x, y, z] = CORNERS[0];
    assert!(read_msh(format!("{x} {y} {z}").as_bytes()).is_err());
}
