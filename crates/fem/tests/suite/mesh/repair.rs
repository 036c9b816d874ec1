use nalgebra::Vector3;
use wolff_fem::generate::bar;
use wolff_fem::quality::quality;
use wolff_fem::repair::{RepairOptions, RepairReport, repair};
use wolff_fem::{ElementKind, TetMesh};

use crate::{assert_close, distort, unit_corners};

/// A bar of which every element has nodes of its own, every fourth is mirrored, one is doubled, one is flat, and a
/// node lies about: with the sets of the bar.
fn broken(kind: ElementKind) -> (TetMesh, TetMesh) {
    let mut whole = bar(kind, 0.3, 0.7, 1, 2).unwrap().mapped(distort).unwrap();
    whole.set_elements("first", vec![0, 1, 2]).unwrap();
    let n = kind.node_count();
    let (mut nodes, mut connectivity) = (Vec::new(), Vec::new());
    let mut start = Vec::new();
    for (index, element) in whole.elements().enumerate() {
        let base = nodes.len();
        nodes.extend(element.iter().map(|&node| whole.nodes()[node]));
        let held = |&at: &usize| whole.node_set("start").unwrap().contains(&element[at]);
        start.extend((0..n).filter(held).map(|at| base + at));
        // Mirrored: the first two corners exchanged, with the edges 23 and 31, and 14 and 24.
        let order = if index % 4 == 0 { [1, 0, 2, 3, 4, 6, 5, 8, 7, 9] } else { [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] };
        connectivity.extend(order[..n].iter().map(|at| base + at));
    }
    connectivity.extend_from_within(n..2 * n);
    // Flat: the last corner is a copy of the first, the edges between them follow.
    let flat: Vec<usize> = [0, 1, 2, 0, 4, 5, 6, 0, 4, 6][..n].iter().map(|&at| connectivity[n + at]).collect();
    connectivity.extend(flat);
    nodes.push(Vector3::new(9.0, 9.0, 9.0));
    let mut mesh = TetMesh::new(kind, nodes, connectivity).unwrap();
    mesh.set_nodes("start", start).unwrap();
    mesh.set_elements("first", vec![0, 1, 2]).unwrap();
    (whole, mesh)
}

#[test]
fn everything_that_can_be_repaired_is_and_sets_follow() {
    for kind in [ElementKind::Tet4, ElementKind::Tet10] {
        let (whole, broken) = broken(kind);
        let faults: Vec<_> = quality(&broken).faults().iter().map(|fault| fault.name).collect();
        for name in [
            "inverted elements",
            "degenerate elements",
            "duplicate elements",
            "unused nodes",
            "duplicate node pairs",
            "disconnected parts",
        ] {
            assert!(faults.contains(&name), "{name}: {faults:?}");
        }
        let (mesh, report) = repair(&broken, &RepairOptions::default()).unwrap();
        quality(&mesh).require_sound().unwrap();
        assert_eq!((mesh.nodes().len(), mesh.element_count()), (whole.nodes().len(), whole.element_count()));
        assert_close(mesh.volume(), whole.volume(), 1e-15);
        let expected = RepairReport {
            merged_nodes: broken.nodes().len() - 1 - whole.nodes().len(),
            flipped_elements: 3,
            dropped_elements: 2,
            dropped_with_parts: 0,
            dropped_nodes: 1,
            ..RepairReport::default()
        };
        assert_eq!(report, expected);
        assert_eq!(mesh.element_set("first").unwrap(), [0, 1, 2]);
        let places = |mesh: &TetMesh| {
            let mut places: Vec<_> = mesh.node_set("start").unwrap().iter().map(|&n| mesh.nodes()[n]).collect();
            places.sort_by(|a, b| a.as_slice().partial_cmp(b.as_slice()).unwrap());
            places
        };
        assert_eq!(places(&mesh), places(&whole));
    }
}

#[test]
fn a_sound_mesh_is_returned_unchanged() {
    let mesh = bar(ElementKind::Tet10, 0.3, 0.7, 1, 2).unwrap();
    let (same, report) = repair(&mesh, &RepairOptions { largest_part_only: true, ..Default::default() }).unwrap();
    assert_eq!((same, report), (mesh, RepairReport::default()));
}

#[test]
fn the_largest_part_is_kept_on_request() {
    let big = bar(ElementKind::Tet4, 1.0, 2.0, 1, 2).unwrap();
    let mut nodes: Vec<_> = unit_corners().iter().map(|x| x + Vector3::new(5.0, 0.0, 0.0)).collect();
    nodes.extend_from_slice(big.nodes());
    let mut connectivity = vec![0, 1, 2, 3];
    connectivity.extend(big.elements().flatten().map(|node| node + 4));
    let mut mesh = TetMesh::new(ElementKind::Tet4, nodes, connectivity).unwrap();
    mesh.set_elements("both", vec![0, 5]).unwrap();
    assert_eq!(quality(&mesh).part_sizes, [12, 1]);
    let (kept, _) = repair(&mesh, &RepairOptions::default()).unwrap();
    assert_eq!(kept.element_count(), 13, "parts are kept unless asked otherwise");
    let options = RepairOptions { largest_part_only: true, ..RepairOptions::default() };
    let (kept, report) = repair(&mesh, &options).unwrap();
    assert_eq!((report.dropped_with_parts, report.dropped_nodes), (1, 4));
    assert_eq!(kept.nodes(), big.nodes());
    assert_eq!(kept.element_set("both").unwrap(), [4]);
}

#[test]
fn merging_reaches_as_far_as_asked() {
    let mut nodes = unit_corners();
    nodes.extend([Vector3::new(1.0 + 1e-3, 0.0, 0.0), Vector3::new(0.0, 1.0, 0.0), Vector3::new(0.0, 0.0, 1.0)]);
    nodes.push(Vector3::new(1.0, 1.0, 1.0));
    let mesh = TetMesh::new(ElementKind::Tet4, nodes, vec![0, 1, 2, 3, 4, 5, 6, 7]).unwrap();
    let merged = |distance| {
        let options = RepairOptions { merge_distance: distance, ..RepairOptions::default() };
        repair(&mesh, &options).unwrap().1.merged_nodes
    };
    assert_eq!((merged(Some(0.0)), merged(None), merged(Some(2e-3))), (2, 2, 3));
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        let options = RepairOptions { merge_distance: Some(bad), ..RepairOptions::default() };
        assert!(repair(&mesh, &options).unwrap_err().to_string().contains("merge distance"));
    }
}

#[test]
fn a_mesh_of_flat_elements_leaves_nothing() {
    let nodes = unit_corners().iter().map(|x| Vector3::new(x.x, x.y, 0.0)).collect();
    let mesh = TetMesh::new(ElementKind::Tet4, nodes, vec![0, 1, 2, 3]).unwrap();
    assert!(repair(&mesh, &RepairOptions::default()).unwrap_err().to_string().contains("no element is left"));
}

#[test]
fn solids_that_touch_along_an_edge_or_overlap_are_named() {
    // Two tetrahedra on either side of the edge 0-1.
    let mut nodes = unit_corners();
    nodes.extend([Vector3::new(0.0, -1.0, 0.0), Vector3::new(0.0, 0.0, -1.0)]);
    let hinge = TetMesh::new(ElementKind::Tet4, nodes.clone(), vec![0, 1, 2, 3, 0, 1, 4, 5]).unwrap();
    let report = quality(&hinge);
    assert_eq!((report.crowded_edges.as_slice(), report.inverted.len()), ([[0, 1]].as_slice(), 0));
    assert!(
        report.require_sound().unwrap_err().to_string().contains("surface edges of more than two faces (first: 0-1")
    );
    nodes[5] = Vector3::new(0.0, 0.0, 2.0);
    nodes[4] = Vector3::new(0.0, 0.0, 3.0);
    let fan = TetMesh::new(ElementKind::Tet4, nodes, vec![0, 1, 2, 3, 0, 1, 2, 4, 0, 1, 2, 5]).unwrap();
    assert_eq!(quality(&fan).crowded_faces, [[0, 1, 2]]);
}

#[test]
fn dihedral_angles_of_the_corner_of_a_cube() {
    let mesh = TetMesh::new(ElementKind::Tet4, unit_corners(), vec![0, 1, 2, 3]).unwrap();
    let report = quality(&mesh);
    // Three right angles between the coordinate planes, three of arccos(1/√3) at the slanted face.
    assert_close(report.largest_dihedral, std::f64::consts::FRAC_PI_2, 1e-14);
    assert_close(report.smallest_dihedral, (1.0 / 3f64.sqrt()).acos(), 1e-14);
}

#[test]
fn coincident_nodes_cost_no_more_than_others() {
    // All pairs of a hundred thousand would fill the memory.
    let mut nodes = vec![Vector3::zeros(); 100_000];
    nodes.extend(unit_corners());
    let last = nodes.len() - 4;
    let mesh = TetMesh::new(ElementKind::Tet4, nodes, (last..last + 4).collect()).unwrap();
    assert_eq!(quality(&mesh).duplicate_nodes.len(), 100_000);
}

/// Sum of the volumes of the elements between the nodes of a set.
fn hull_of(mesh: &TetMesh) -> (f64, f64) {
    let summary = wolff_fem::summary::summarise(mesh);
    (summary.volume, summary.surface_area.unwrap())
}

/// A bar in which flat elements were put between neighbours: on the surface, where they must vanish.
#[test]
fn flat_elements_of_the_surface_are_left_out() {
    let whole = bar(ElementKind::Tet4, 0.3, 0.7, 2, 4).unwrap();
    let faces = whole.boundary().unwrap();
    // two faces of a flat side that share an edge
    let normal = |nodes: &[usize]| {
        let [a, b, c] = [0, 1, 2].map(|k| whole.nodes()[nodes[k]]);
        (b - a).cross(&(c - a)).normalize()
    };
    let shared = |p: &[usize], q: &[usize]| p.iter().filter(|n| q.contains(n)).count() == 2;
    let pair = faces.iter().enumerate().find_map(|(k, first)| {
        let flat = |second: &&wolff_fem::mesh::SurfaceFace| {
            shared(&first.nodes, &second.nodes) && normal(&first.nodes).dot(&normal(&second.nodes)) > 1.0 - 1e-12
        };
        faces[k + 1..].iter().find(flat).map(|second| (first, second))
    });
    let (first, second) = pair.unwrap();
    let apex = *second.nodes.iter().find(|n| !first.nodes.contains(n)).unwrap();
    let mut connectivity: Vec<usize> = whole.elements().flatten().copied().collect();
    connectivity.extend([first.nodes[0], first.nodes[1], first.nodes[2], apex]);
    let broken = TetMesh::new(ElementKind::Tet4, whole.nodes().to_vec(), connectivity).unwrap();
    assert_eq!(quality(&broken).degenerate, [whole.element_count()]);
    let (mended, report) = repair(&broken, &RepairOptions::default()).unwrap();
    quality(&mended).require_sound().unwrap();
    assert_eq!((report.slivers.mended, report.slivers.left.len()), (1, 0));
    assert_close(mended.volume(), whole.volume(), 1e-12);
    assert!(report.slivers.largest_surface_move < 1e-12, "{report:?}");
}

/// Four elements around an edge with a flat one among them: another connection of the same nodes has none.
#[test]
fn flat_elements_inside_are_reconnected_without_a_change_of_shape() {
    // an octahedron around the edge from 0 to 1, whose ring is nearly pressed flat on one side
    let mut nodes = vec![Vector3::new(0.0, 0.0, -1.0), Vector3::new(0.0, 0.0, 1.0)];
    nodes.extend([
        Vector3::new(1.0, 0.0, 0.0),
        Vector3::new(0.0, 1.0, 0.0),
        Vector3::new(-1.0, 0.0, 0.0),
        Vector3::new(1e-6, -1e-6, 0.0),
    ]);
    let connectivity = vec![0, 1, 2, 3, 0, 1, 3, 4, 0, 1, 4, 5, 0, 1, 5, 2];
    let broken = TetMesh::new(ElementKind::Tet4, nodes, connectivity).unwrap();
    let flat = quality(&broken).degenerate.len();
    assert!(flat > 0);
    let (mended, report) = repair(&broken, &RepairOptions::default()).unwrap();
    quality(&mended).require_sound().unwrap();
    assert_eq!((report.slivers.mended, report.slivers.left.len()), (flat, 0));
    assert_close(mended.volume(), broken.volume(), 1e-4);
}

/// The femur of the shared data, in mm: 17 flat elements, which cannot simply be removed.
#[test]
fn a_real_femur_is_repaired_within_a_fraction_of_a_millimetre() {
    let Some(path) = wolff_testdata::shared("data/bones/femur-tet/femur.msh") else { return };
    let mut mesh = wolff_meshes::solid::read_mesh(path).unwrap();
    for kind in [ElementKind::Tet4, ElementKind::Tet10] {
        assert_eq!(quality(&mesh).degenerate.len(), 17);
        let before = hull_of(&mesh);
        let (mended, report) = repair(&mesh, &RepairOptions::default()).unwrap();
        println!("{kind:?} {report:?}");
        quality(&mended).require_sound().unwrap();
        assert_eq!((report.slivers.mended, report.slivers.left.len()), (17, 0), "{report:?}");
        // edges are up to 16 mm long where the elements are flat; the surface moves by at most 2 % of them
        assert!(report.slivers.largest_surface_move < 16.0 * wolff_fem::mesh::slivers::SURFACE_MOVE, "{report:?}");
        let after = hull_of(&mended);
        assert!((after.0 - before.0).abs() <= 1.001 * report.slivers.volume_change, "{report:?}");
        assert_close(after.0 / before.0, 1.0, 2e-4);
        assert_close(after.1 / before.1, 1.0, 1e-4);
        assert_eq!(mended.element_set("Femur").unwrap().len(), mended.element_count());
        assert_eq!(mended.kind(), kind);
        mesh = mesh.to_quadratic();
    }
}
