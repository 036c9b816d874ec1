//! Bones, cartilages and a meniscus that intersects itself, against the bars set for them.

use wolff_geometry::TriangleMesh;
use wolff_mesher::{Meshed, mesh_surface};
use wolff_testdata::shared;

use crate::{assert_sound, off, size_mm};

/// A surface of the validation data in m.
fn surface(path: &str, scale: f64) -> Option<TriangleMesh> {
    let file = shared(path)?;
    let bytes = wolff_files::input::read(&file).unwrap();
    Some(wolff_meshes::surface::read(path, &bytes).unwrap().mesh.scaled(scale).unwrap())
}

fn meshed(surface: &TriangleMesh, size: f64) -> Meshed {
    let found = mesh_surface(surface, &size_mm(size), &mut |_, _| true).unwrap();
    assert_sound(&found);
    found
}

/// Angles and volume that every bone has to reach.
fn assert_bone(found: &Meshed) {
    let report = &found.report;
    assert!(report.min_dihedral.to_degrees() >= 15.0, "{report:?}");
    assert!(report.p1_dihedral.to_degrees() >= 25.0, "{report:?}");
    assert!(off(report.volume, report.input_volume) < 5e-3, "{report:?}");
}

#[test]
fn a_tibia_is_followed_closely() {
    let Some(tibia) = surface("data/bones/bodyparts3d/tibia_r_FMA24477.stl", 1e-3) else { return };
    for (size, mean, largest) in [(4.0, 0.07e-3, 0.6e-3), (2.0, 0.02e-3, 0.4e-3)] {
        let found = meshed(&tibia, size);
        assert_bone(&found);
        assert!((0.85..1.15).contains(&(1e3 * found.report.mean_edge / size)), "{:?}", found.report);
        assert!(found.report.mean_distance.unwrap() < mean, "{:?}", found.report);
        assert!(found.report.hausdorff.unwrap() < largest, "{:?}", found.report);
    }
}

#[test]
fn small_bones_keep_their_angles_and_volumes() {
    for path in ["data/bones/bodyparts3d/fibula_r_FMA24480.stl", "data/bones/bodyparts3d/patella_r_FMA24486.stl"] {
        let Some(bone) = surface(path, 1e-3) else { return };
        [4.0, 2.0].into_iter().for_each(|size| assert_bone(&meshed(&bone, size)));
    }
}

#[test]
fn thin_shells_survive() {
    let shells = [
        ("data/knee-lenhart/smith2019/smith2019-R-lateral-meniscus.stl", 1.0),
        ("data/images/knee-mri-labels/lat_tib_cart_mesh.vtk", 1e-3),
        ("data/images/knee-mri-labels/med_tib_cart_mesh.vtk", 1e-3),
    ];
    for (path, scale) in shells {
        let Some(shell) = surface(path, scale) else { return };
        let report = meshed(&shell, 2.0).report;
        assert!(off(report.volume, report.input_volume) < 0.02, "{path}: {report:?}");
        assert!(report.min_dihedral.to_degrees() > 12.0, "{path}: {report:?}");
        // at twice their thickness they are coarse but there
        let report = meshed(&shell, 4.0).report;
        assert!(off(report.volume, report.input_volume) < 0.02, "{path}: {report:?}");
    }
}
