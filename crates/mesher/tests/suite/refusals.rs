//! Input that cannot be meshed is refused with a remedy, and the work can be stopped.

use wolff_files::ErrorKind;
use wolff_geometry::TriangleMesh;
use wolff_mesher::{LabelGrid, MesherError, Settings, mesh_labels, mesh_regions, mesh_surface};
use wolff_spatial::Vec3;

use crate::{assert_sound, off, size_mm};

fn error(surface: &TriangleMesh, settings: &Settings) -> MesherError {
    mesh_surface(surface, settings, &mut |_, _| true).unwrap_err()
}

/// A ball without the triangles around its top, below which `part` of its height is left.
fn cup(part: f64) -> TriangleMesh {
    let ball = TriangleMesh::icosphere(0.02, 4).unwrap();
    let top = 0.02 * (2.0 * part - 1.0);
    let is_kept = |t: &usize| ball.corners(*t).iter().any(|x| x.z < top);
    let triangles = (0..ball.triangles().len()).filter(is_kept).map(|t| ball.triangles()[t]).collect();
    TriangleMesh::new(ball.vertices().to_vec(), triangles).unwrap()
}

#[test]
fn settings_without_sense_are_refused() {
    let ball = TriangleMesh::icosphere(0.02, 2).unwrap();
    for size in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(error(&ball, &Settings { size, ..Settings::default() }), MesherError::Setting { .. }));
    }
    assert!(matches!(error(&ball, &Settings { halvings: 4, ..size_mm(3.0) }), MesherError::Setting { .. }));
    assert!(matches!(error(&ball, &Settings { most_elements: 0, ..size_mm(3.0) }), MesherError::Setting { .. }));
}

#[test]
fn a_size_that_is_too_small_names_one_that_would_do() {
    let ball = TriangleMesh::icosphere(0.02, 2).unwrap();
    let settings = Settings { most_elements: 5000, ..size_mm(0.2) };
    let MesherError::TooMany { enough, .. } = error(&ball, &settings) else { panic!() };
    let found = mesh_surface(&ball, &Settings { size: 1.1 * enough, ..settings }, &mut |_, _| true).unwrap();
    assert!(found.report.tets < 2 * 5000, "{:?}", found.report);
    // a size far below the coordinates neither hangs nor fills the memory
    assert!(matches!(error(&ball, &size_mm(1e-9)), MesherError::TooMany { .. }));
}

#[test]
fn a_small_hole_is_closed_and_a_large_one_refused() {
    let found = mesh_surface(&cup(0.995), &size_mm(4.0), &mut |_, _| true).unwrap();
    assert_sound(&found);
    assert!(off(found.report.volume, found.report.input_volume) < 0.01);
    let large = error(&cup(0.7), &size_mm(4.0));
    assert!(matches!(large, MesherError::Open { .. }), "{large}");
    assert_eq!(large.kind(), ErrorKind::Input);
}

#[test]
fn nothing_gives_no_mesh() {
    let flat = TriangleMesh::rectangle([0.02, 0.02], [4, 4]).unwrap();
    assert!(matches!(error(&flat, &size_mm(4.0)), MesherError::NoVolume { .. }));
    assert!(matches!(mesh_regions(&[], &size_mm(4.0), &mut |_, _| true), Err(MesherError::NoVolume { .. })));
    let grid = LabelGrid::new([4, 4, 4], [1e-3; 3], Vec3::zeros(), vec![0; 64]).unwrap();
    assert!(matches!(mesh_labels(&grid, &[], &size_mm(4.0), &mut |_, _| true), Err(MesherError::NoVolume { .. })));
    let speck = TriangleMesh::icosphere(2e-4, 2).unwrap();
    let settings = Settings { halvings: 0, ..size_mm(30.0) };
    let vanished = error(&speck, &settings);
    assert!(matches!(vanished, MesherError::Vanished { .. }), "{vanished}");
}

#[test]
fn grids_that_are_none_are_refused() {
    let new = |size, spacing, count| LabelGrid::new(size, spacing, Vec3::zeros(), vec![1; count]);
    assert!(new([2, 2, 2], [1e-3; 3], 7).is_err());
    assert!(new([1, 2, 4], [1e-3; 3], 8).is_err());
    assert!(new([2, 2, 2], [1e-3, 0.0, 1e-3], 8).is_err());
    assert!(new([usize::MAX, 2, 2], [1e-3; 3], 8).is_err());
}

#[test]
fn the_work_can_be_stopped() {
    let ball = TriangleMesh::icosphere(0.02, 3).unwrap();
    for stop_at in [1, 3, 5] {
        let mut told = 0;
        let stopped = mesh_surface(&ball, &size_mm(4.0), &mut |_, part| {
            assert!((0.0..=1.0).contains(&part));
            told += 1;
            told < stop_at
        });
        assert_eq!(stopped.unwrap_err().kind(), ErrorKind::Stopped);
        assert_eq!(told, stop_at);
    }
}
