use nalgebra::Vector3;
use wolff_fem::generate::bar;
use wolff_fem::material::{Elasticity, Material, MaterialField};
use wolff_fem::quality::quality;
use wolff_fem::reduce::{Reduction, Selection};
use wolff_fem::repair::{RepairOptions, repair};
use wolff_fem::summary::summarise;
use wolff_fem::{ElementKind, TetMesh};

fn slender(kind: ElementKind, across: usize) -> TetMesh {
    bar(kind, 0.02, 0.2, across, 10 * across).unwrap()
}

#[test]
fn the_order_of_gmsh_is_recognised_and_repaired() {
    let mesh = slender(ElementKind::Tet10, 1);
    assert!(quality(&mesh).is_sound() && quality(&mesh).mid_nodes.largest < 1e-9);
    let exchanged = |element: &[usize]| {
        let mut element = element.to_vec();
        element.swap(8, 9);
        element
    };
    let connectivity = mesh.elements().flat_map(exchanged).collect();
    let wrong = TetMesh::new(ElementKind::Tet10, mesh.nodes().to_vec(), connectivity).unwrap();
    assert!(quality(&wrong).require_sound().unwrap_err().to_string().contains("order of Gmsh"));
    let (mended, report) = repair(&wrong, &RepairOptions::default()).unwrap();
    assert_eq!(report.reordered_elements, mesh.element_count());
    assert!(quality(&mended).is_sound());
}

#[test]
fn mid_nodes_off_the_middle_are_found() {
    let mesh = slender(ElementKind::Tet10, 1);
    let mut nodes = mesh.nodes().to_vec();
    let element = mesh.element(3).unwrap().to_vec();
    nodes[element[4]] = 0.7 * nodes[element[0]] + 0.3 * nodes[element[1]];
    let found = quality(&TetMesh::new(mesh.kind(), nodes, mesh.elements().flatten().copied().collect()).unwrap());
    assert!(found.mid_nodes.off_middle.contains(&3) && !found.mid_nodes.is_gmsh_order);
    assert!((found.mid_nodes.largest - 0.2).abs() < 1e-9);
}

#[test]
fn parts_that_share_one_node_are_a_fault() {
    let corner = |x: f64| [Vector3::x(), Vector3::y(), Vector3::z()].map(|e| x * e);
    let nodes = [vec![Vector3::zeros()], corner(1.0).to_vec(), corner(-1.0).to_vec()].concat();
    let mesh = TetMesh::new(ElementKind::Tet4, nodes, vec![0, 1, 2, 3, 0, 5, 4, 6]).unwrap();
    assert_eq!((quality(&mesh).parts, quality(&mesh).hinges), (1, 1));
    assert!(!quality(&mesh).is_sound());
}

/// Lowest bending frequency of the free bar.
fn frequency(mesh: &TetMesh) -> f64 {
    let material = Material { elasticity: Elasticity::Isotropic { young: 17e9, poisson: 0.3 }, density: 1900.0 };
    let field = MaterialField::uniform(mesh, &material).unwrap();
    let mut reduction = Reduction::new("bar", mesh, &field, wolff_fem::dofs::Constraints::default());
    (reduction.fixed_modes, reduction.selection) = (2, Selection::All);
    reduction.run().unwrap().report.frequencies[0]
}

/// The limits of `wolff modes` for the number of elements across say so.
#[test]
fn linear_tetrahedra_are_too_stiff_in_bending_by_about_one_over_the_square_of_their_number() {
    let exact = frequency(&slender(ElementKind::Tet10, 2));
    for (across, low, high) in [(2, 0.1, 0.5), (4, 0.03, 0.15), (6, 0.01, 0.08)] {
        let mesh = slender(ElementKind::Tet4, across);
        let found = summarise(&mesh).elements_across();
        assert!(found > 0.6 * across as f64 && found < 1.1 * across as f64, "{found} across");
        let excess = frequency(&mesh) / exact - 1.0;
        assert!(excess > low && excess < high, "{across} across: {excess}");
    }
}
