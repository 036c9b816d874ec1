use wolff_fem::{ElementKind, TetMesh, element::tet10::EDGES};
use wolff_meshes::solid::vtk::legacy::read_vtk;

use super::assert_close;
use super::{Bytes, assert_straight_ten_nodes, ten_nodes};

const OLD: &str = "\
# vtk DataFile Version 2.0

ASCII
DATASET UNSTRUCTURED_GRID
FIELD FieldData 1
TIME 1 1 double
0.5
POINTS 5 float
0 0 0 1 0 0 0 1 0
0 0 1
1 1 1

CELLS 3 14
3 0 1 2
4 0 1 2 3
4 1 2 3 4
CELL_TYPES 3
5
10
10
CELL_DATA 3
SCALARS what int 1
LOOKUP_TABLE default
1 2 3
";

fn assert_two(mesh: &TetMesh) {
    assert_eq!((mesh.kind(), mesh.nodes().len(), mesh.element_count()), (ElementKind::Tet4, 5, 2));
    assert_eq!(mesh.element(1).unwrap(), [1, 2, 3, 4]);
    assert_close(mesh.volume(), 1.0 / 6.0 + 1.0 / 3.0, 1e-15);
}

const POINTS: [f64; 15] = [0., 0., 0., 1., 0., 0., 0., 1., 0., 0., 0., 1., 1., 1., 1.];

pub fn binary_old() -> Vec<u8> {
    let mut file = Bytes::new(true);
    file.text("# vtk DataFile Version 3.0\na title\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 float\n");
    file.floats(&POINTS.map(|c| c as f32)).text("\nCELLS 3 14\n");
    file.ints(&[3, 0, 1, 2, 4, 0, 1, 2, 3, 4, 1, 2, 3, 4]).text("\nCELL_TYPES 3\n").ints(&[5, 10, 10]).text("\n");
    file.out
}

pub fn binary_new() -> Vec<u8> {
    let mut file = Bytes::new(true);
    file.text("# vtk DataFile Version 5.1\nvtk output\nBINARY\nDATASET UNSTRUCTURED_GRID\nFIELD FieldData 1\n");
    file.text("TIME 1 1 double\n").doubles(&[0.5]).text("\nMETADATA\nINFORMATION 0\n\nPOINTS 5 double\n");
    file.doubles(&POINTS).text("\nMETADATA\nINFORMATION 0\n\nCELLS 4 11\nOFFSETS vtktypeint64\n");
    file.longs(&[0, 3, 7, 11]).text("\nCONNECTIVITY vtktypeint64\n");
    file.longs(&[0, 1, 2, 0, 1, 2, 3, 1, 2, 3, 4]).text("\nCELL_TYPES 3\n").ints(&[5, 10, 10]);
    file.text("\n\nPOINT_DATA 5\n");
    file.out
}

#[test]
fn old_and_new_layout_in_text_and_binary() {
    assert_two(&read_vtk(OLD.as_bytes()).unwrap());
    assert_two(&read_vtk(&binary_old()).unwrap());
    assert_two(&read_vtk(&binary_new()).unwrap());
    let new = OLD.replace("Version 2.0", "Version 5.1").replace(
        "CELLS 3 14\n3 0 1 2\n4 0 1 2 3\n4 1 2 3 4\n",
        "CELLS 4 11\nOFFSETS vtktypeint64\n0 3 7 11\nCONNECTIVITY vtktypeint64\n0 1 2 0 1 2 3 1 2 3 4\n",
    );
    assert_two(&read_vtk(new.as_bytes()).unwrap());
}

#[test]
fn ten_node_cells_keep_their_order() {
    let mut text = "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 10 double\n".to_owned();
    for [x, y, z] in ten_nodes(EDGES) {
        text += &format!("{x} {y} {z}\n");
    }
    text += "CELLS 1 11\n10 0 1 2 3 4 5 6 7 8 9\nCELL_TYPES 1\n24\n";
    assert_straight_ten_nodes(&read_vtk(text.as_bytes()).unwrap());
}

#[test]
fn other_content_is_refused() {
    let refuse = |from: &str, to: &str, words: &[&str]| {
        let message = read_vtk(OLD.replace(from, to).as_bytes()).unwrap_err().to_string();
        assert!(words.iter().all(|word| message.contains(word)), "{message}");
    };
    refuse("UNSTRUCTURED_GRID", "POLYDATA", &["line 4", "POLYDATA", "save an UNSTRUCTURED_GRID"]);
    refuse("ASCII", "EBCDIC", &["line 3", "EBCDIC"]);
    refuse("POINTS 5 float", "POINTS 5 half", &["line 8", "`half`"]);
    refuse("POINTS 5", "POINTS 888888888888", &["line 8", "2666666666664 coordinates"]);
    refuse("0 0 1\n1 1 1", "0 0 1\n1 inf 1", &["line 11", "not finite"]);
    refuse("4 1 2 3 4", "4 1 2 3 5", &["cell 2", "point 5"]);
    refuse("4 1 2 3 4", "4 1 2 3 -1", &["-1 is negative"]);
    refuse("\n10\n10\n", "\n10\n12\n", &["cell 2", "type 12"]);
    refuse("\n10\n10\n", "\n10\n24\n", &["convert one kind"]);
    refuse("\n10\n10\n", "\n9\n3\n", &["no tetrahedra", "1 triangles", "1 lines"]);
    refuse("CELL_TYPES 3\n5\n10\n10", "CELL_TYPES 2\n10\n10", &["3 cell offsets and 2 cell types"]);
    refuse("CELL_DATA", "CELL_SALAD", &["`CELL_SALAD`"]);
}
