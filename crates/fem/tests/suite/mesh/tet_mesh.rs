use std::f64::consts::PI;

use nalgebra::{Rotation3, Vector3};
use wolff_fem::generate::{bar, tube};
use wolff_fem::quality::quality;
use wolff_fem::{ElementKind, FemError, TetMesh};

use crate::{assert_close, unit_corners};

#[test]
fn volume_and_surface_of_a_bar_close() {
    for kind in [ElementKind::Tet4, ElementKind::Tet10] {
        let mesh = bar(kind, 0.02, 0.12, 2, 8).unwrap();
        assert_close(mesh.volume(), 0.02 * 0.02 * 0.12, 1e-18);
        let faces = mesh.boundary().unwrap();
        assert_eq!(faces.len(), 2 * (4 * 2 * 8 + 2 * 4));
        // The divergence theorem: ∮ x·n dA = 3 V, and ∮ n dA = 0.
        let (mut flux, mut area) = (0.0, Vector3::zeros());
        for face in &faces {
            let [a, b, c] = [0, 1, 2].map(|i| mesh.nodes()[face.nodes[i]]);
            let normal = 0.5 * (b - a).cross(&(c - a));
            flux += normal.dot(&((a + b + c) / 3.0));
            area += normal;
        }
        assert_close(flux, 3.0 * mesh.volume(), 1e-17);
        assert!(area.norm() < 1e-17);
        assert!(quality(&mesh).is_sound());
    }
}

#[test]
fn edge_nodes_of_surface_faces_lie_between_their_corners() {
    let mesh = bar(ElementKind::Tet10, 1.0, 2.0, 1, 2).unwrap();
    for face in mesh.boundary().unwrap() {
        for i in 0..3 {
            let ends = mesh.nodes()[face.nodes[i]] + mesh.nodes()[face.nodes[(i + 1) % 3]];
            assert!((mesh.nodes()[face.nodes[3 + i]] - 0.5 * ends).norm() < 1e-15);
        }
    }
}

#[test]
fn volume_of_a_curved_tube_converges_with_order_four() {
    let exact = PI * (0.037f64.powi(2) - 0.027f64.powi(2)) * 0.421;
    let error = |around| {
        let mesh = tube(ElementKind::Tet10, 0.421, 0.027, 0.037, [1, around, 2]).unwrap();
        assert!(quality(&mesh).is_sound());
        (mesh.volume() - exact).abs() / exact
    };
    let (coarse, fine) = (error(8), error(16));
    let order = (coarse / fine).log2();
    assert!((3.8..4.2).contains(&order), "order {order} of errors {coarse:e}, {fine:e}");
}

#[test]
fn quadratic_copy_keeps_sets_and_volume() {
    let linear = bar(ElementKind::Tet4, 0.02, 0.12, 1, 5).unwrap();
    let quadratic = linear.to_quadratic();
    let direct = bar(ElementKind::Tet10, 0.02, 0.12, 1, 5).unwrap();
    assert_eq!(quadratic.nodes().len(), 99);
    assert_eq!(quadratic.node_set("end").unwrap().len(), direct.node_set("end").unwrap().len());
    assert_close(quadratic.volume(), linear.volume(), 1e-18);
}

#[test]
fn report_names_every_fault() {
    // A good element, an inverted copy elsewhere, a flat one, a stray node and a doubled one.
    let mut nodes = unit_corners();
    nodes.extend(unit_corners().iter().map(|x| x + Vector3::new(5.0, 0.0, 0.0)));
    nodes.extend([Vector3::new(1.0, 1.0, 0.0), Vector3::new(9.0, 9.0, 9.0), Vector3::new(0.0, 0.0, 1.0 + 1e-12)]);
    let mesh = TetMesh::new(ElementKind::Tet4, nodes, vec![0, 1, 2, 3, 4, 6, 5, 7, 0, 1, 8, 2]).unwrap();
    let report = quality(&mesh);
    assert_eq!(report.inverted, [1]);
    assert_eq!(report.degenerate, [2]);
    assert_eq!(report.unused_nodes, [9, 10]);
    assert_eq!(report.duplicate_nodes, [(3, 10)]);
    assert_eq!(report.parts, 2);
    let message = report.require_sound().unwrap_err().to_string();
    for word in ["1 inverted elements (first: 1", "1 degenerate", "2 unused", "3 and 10", "2 disconnected"] {
        assert!(message.contains(word), "`{word}` is missing in: {message}");
    }
}

#[test]
fn folded_curved_element_is_inverted_though_its_corners_are_fine() {
    let mesh = TetMesh::new(ElementKind::Tet4, unit_corners(), vec![0, 1, 2, 3]).unwrap().to_quadratic();
    // The middle of the edge 12 is pulled beyond a quarter of the edge: the map folds near the corner.
    let folded = mesh.mapped(|x| if (x - Vector3::new(0.5, 0.0, 0.0)).norm() < 1e-12 { 0.4 * x } else { *x });
    assert_eq!(quality(&folded.unwrap()).inverted, [0]);
}

#[test]
fn shape_measure_is_one_for_a_regular_element_in_any_pose() {
    let corners = [(1.0, 1.0, 1.0), (-1.0, 1.0, -1.0), (1.0, -1.0, -1.0), (-1.0, -1.0, 1.0)];
    let turn = Rotation3::from_euler_angles(0.3, -1.1, 2.0);
    let nodes = corners.map(|(x, y, z)| turn * Vector3::new(x, y, z) * 1e-3).to_vec();
    let mesh = TetMesh::new(ElementKind::Tet4, nodes, vec![0, 1, 2, 3]).unwrap();
    let report = quality(&mesh);
    assert_close(report.worst_shape.abs(), 1.0, 1e-14);
}

#[test]
fn bad_input_is_refused_with_the_object_named() {
    let new = |connectivity| TetMesh::new(ElementKind::Tet4, unit_corners(), connectivity);
    assert!(new(vec![0, 1, 2]).unwrap_err().to_string().contains("3 node numbers"));
    assert!(new(vec![0, 1, 2, 4]).unwrap_err().to_string().contains("names node 4"));
    let mut nodes = unit_corners();
    nodes[2].y = f64::NAN;
    let nan = TetMesh::new(ElementKind::Tet4, nodes, vec![0, 1, 2, 3]).unwrap_err();
    assert!(nan.to_string().contains("node 2"));
    let mesh = bar(ElementKind::Tet4, 1.0, 1.0, 1, 1).unwrap();
    let unknown = mesh.node_set("top").unwrap_err();
    assert!(matches!(&unknown, FemError::UnknownSet { known, .. } if known == "end, start"), "{unknown}");
    assert!(tube(ElementKind::Tet4, 1.0, 0.2, 0.1, [1, 8, 1]).is_err());
}

#[test]
fn face_of_three_elements_is_refused() {
    let mut nodes = unit_corners();
    nodes.extend([Vector3::new(0.0, 0.0, 2.0), Vector3::new(0.0, 0.0, 3.0)]);
    let mesh = TetMesh::new(ElementKind::Tet4, nodes, vec![0, 1, 2, 3, 0, 1, 2, 4, 0, 1, 2, 5]).unwrap();
    assert!(mesh.boundary().unwrap_err().to_string().contains("more than two"));
}
