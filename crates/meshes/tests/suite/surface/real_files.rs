//! Surfaces of real knees and bones, where the shared data are at hand; numbers from the READMEs beside the files.

use wolff_geometry::nurbs::{Base, fit_mesh};
use wolff_geometry::triangles::thickness;
use wolff_geometry::{MeshReport, Normals, Surface, TriangleMesh, TriangleSurface};
use wolff_meshes::surface::read;
use wolff_spatial::Vec3;

/// The file, or a printed line where the data are not there.
fn load(path: &str) -> Option<TriangleMesh> {
    let bytes = std::fs::read(wolff_testdata::shared(&format!("data/{path}"))?).unwrap();
    let read = read(path, &bytes).unwrap_or_else(|e| panic!("{path}: {e}"));
    assert_eq!(read.triangles_removed, 0, "{path}");
    Some(read.mesh)
}

fn report(path: &str) -> Option<MeshReport> {
    load(path).map(|mesh| mesh.report().unwrap_or_else(|e| panic!("{path}: {e}")))
}

/// Numbers with three or four digits.
const PRINTED: f64 = 2e-3;

#[test]
fn closed_bones_have_the_volumes_of_their_readme() {
    let bones = [
        ("knee-lenhart/mesh/lenhart2015-R-tibia-bone.stl", 36890, 1.257e-4),
        ("knee-tka-dm/mesh/Femur.stl", 29590, 5.43e-4),
        ("knee-tka-dm/mesh/Tibia.stl", 56134, 3.19e-4),
        ("bones/bodyparts3d/femur_r_FMA24474.stl", 12990, 4.862e5),
        ("bones/bodyparts3d/tibia_r_FMA24477.stl", 6850, 2.880e5),
        ("bones/bodyparts3d/fibula_r_FMA24480.stl", 4622, 5.399e4),
        ("bones/bodyparts3d/patella_r_FMA24486.stl", 1334, 1.205e4),
    ];
    for (path, triangles, volume) in bones {
        let Some(found) = report(path) else { continue };
        assert_eq!((found.triangles, found.parts), (triangles, 1), "{path}");
        assert!((found.volume.unwrap() / volume - 1.0).abs() < PRINTED, "{path}: {:?}", found.volume);
    }
}

#[test]
fn cartilages_are_open_shells_at_four_densities() {
    let shells: [(&str, usize, usize); 12] = [
        ("femur-cartilage-medium.stl", 10507, 1),
        ("femur-cartilage-coarse.stl", 2170, 1),
        ("femur-cartilage-wicked-coarse.stl", 548, 1),
        ("femur-cartilage-full.obj", 29782, 1),
        ("tibia-cartilage-medium.stl", 3044, 2),
        ("tibia-cartilage-coarse.stl", 1199, 2),
        ("tibia-cartilage-wicked-coarse.stl", 397, 2),
        ("lenhart2015-R-tibia-cartilage.stl", 8602, 2),
        ("patella-cartilage-medium.stl", 2703, 1),
        ("patella-cartilage-coarse.stl", 1036, 1),
        ("patella-cartilage-wicked-coarse.stl", 389, 1),
        ("lenhart2015-R-patella-cartilage.stl", 6052, 1),
    ];
    for (name, triangles, parts) in shells {
        let Some(found) = report(&format!("knee-lenhart/mesh/{name}")) else { continue };
        assert_eq!((found.triangles, found.parts), (triangles, parts), "{name}");
        assert!(!found.is_closed() && found.rims.len() >= parts, "{name}");
    }
}

#[test]
fn implants_have_their_facets() {
    let parts = [("Femoral_Component", 24960), ("Tibial_Insert", 15042), ("Patellar_Button", 16791)];
    for (name, triangles) in parts {
        let Some(mesh) = load(&format!("knee-tka-dm/mesh/{name}_contact.stl")) else { continue };
        assert_eq!(mesh.triangles().len(), triangles, "{name}");
        let surface = TriangleSurface::new(mesh, Normals::Smooth).unwrap_or_else(|e| panic!("{name}: {e}"));
        let (centre, _) = surface.elements().next().unwrap();
        let above = centre.position + centre.normal * 1e-4;
        assert!((surface.closest(&above).unwrap().position - above).norm() <= 1e-4 + 1e-15);
    }
}

#[test]
fn tibial_cartilage_is_millimetres_thick() {
    let folder = "knee-lenhart/mesh/lenhart2015-R-tibia";
    let (Some(front), Some(back)) =
        (load(&format!("{folder}-cartilage.stl")), load(&format!("{folder}-subchondral-bone.stl")))
    else {
        return;
    };
    let front = TriangleSurface::new(front, Normals::Smooth).unwrap();
    let back = TriangleSurface::new(back, Normals::Smooth).unwrap();
    let asked = thickness(front.elements().map(|(point, _)| point), &back, 0.01);
    let mut found: Vec<f64> = asked.iter().copied().flatten().collect();
    found.sort_by(f64::total_cmp);
    let median = found[found.len() / 2];
    // the model uses layers of 3 mm; a median outside 1 to 5 mm would be another surface or another unit
    // the walls of the shell look past the bone
    assert!(
        4 * found.len() > 3 * asked.len() && (1e-3..5e-3).contains(&median),
        "{} hits, median {median}",
        found.len()
    );
}

/// The condyles of cartilage and of an implant become smooth to the tolerances of the studies.
#[test]
fn condyles_become_smooth() {
    for (path, tolerance) in [
        ("knee-lenhart/mesh/femur-cartilage-coarse.stl", 1e-4),
        ("knee-tka-dm/mesh/Femoral_Component_contact.stl", 2e-5),
    ] {
        let Some(mesh) = load(path) else { continue };
        let base = Base::cylinder_about(mesh.vertices(), Vec3::zeros(), Vec3::z()).unwrap();
        for side in [-1.0, 1.0] {
            let fit = fit_mesh(&mesh, &base, |x| side * x.z > 0.0, tolerance).unwrap();
            println!("{path}: {:?}, {} left out", fit.errors, fit.left_out);
            assert!(fit.errors.max <= tolerance, "{path}: {:?}", fit.errors);
            let kept = fit.mask.entries().iter().filter(|keep| **keep).count();
            // a condyle is no rectangle on its cylinder
            let cells = fit.mask.entries().len();
            assert!(3 * kept > cells, "{path}: {kept} of {cells} cells lie on the mesh");
        }
    }
}
