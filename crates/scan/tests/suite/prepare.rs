//! Surfaces for contact from meshes and points of known shape.

use std::sync::Arc;
use wolff_contact::lookup::{FileSource, Form, FormSource, TableSource, write_table};
use wolff_contact::{ContactPair, Profile, SurfaceTable, TablePair};
use wolff_geometry::TriangleMesh;
use wolff_scan::prepare::{FitRequest, NurbsTable, PointGrid, Shape, Side, fit, fit_curve, section};
use wolff_spatial::{Pose, Vec3};

const RADIUS: f64 = 0.03;

/// Largest distance of a fit [m], a hundredth of a millimetre.
const TOLERANCE: f64 = 1e-5;

fn ball() -> TriangleMesh {
    TriangleMesh::icosphere(RADIUS, 4).unwrap()
}

fn downwards(fewest: bool) -> FitRequest {
    FitRequest { side: Side::Towards(Some(-Vec3::y())), tolerance: TOLERANCE, fewest }
}

/// The way a user goes: mesh, surface, table in a file, contact.
#[test]
fn a_ball_from_a_mesh_presses_a_floor_as_a_ball_does() {
    let fitted = fit(&Shape::Mesh(ball()), &downwards(false)).unwrap();
    assert!(fitted.within_tolerance && fitted.errors.max <= TOLERANCE, "{:?}", fitted.errors);
    let (table, share) = NurbsTable::within(fitted.surface, &fitted.mask.unwrap(), [200, 200]).unwrap();
    assert!(share > 0.25, "{share}");
    let path = std::env::temp_dir().join(format!("wolff-prepare-{}.tab", std::process::id()));
    write_table(&path, &table).unwrap();
    let ball: Arc<dyn TableSource> = Arc::new(FileSource::open(&path).unwrap());
    let floor = Form::Dish { curvatures: [0.0, 0.0], half_extent: [0.05, 0.05] };
    let floor: Arc<dyn TableSource> = Arc::new(FormSource::new(floor, [50, 50]).unwrap());
    let [floor, ball] = [floor, ball].map(|source| SurfaceTable::new(source, 16).unwrap());
    let pair = TablePair::new(floor, ball);
    for (height, x) in [(0.0295, 0.0), (0.0299, 0.01), (0.031, -0.02)] {
        let found = pair.proximity(&Pose::identity(), &Pose::translation(Vec3::new(x, height, 0.004)));
        // the mesh has its vertices on the ball, the surface is within the tolerance of them
        assert!((found.depth - (RADIUS - height)).abs() < 1.5 * TOLERANCE, "{height}: {}", found.depth);
    }
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn fewer_control_points_stay_within_the_tolerance() {
    let [all, few] = [false, true].map(|fewest| fit(&Shape::Mesh(ball()), &downwards(fewest)).unwrap());
    assert!(few.surface.net().len() < all.surface.net().len());
    assert!(few.within_tolerance);
}

/// Points of a saddle with alternating errors of 0.1 mm: the fit smooths them, and says how far they are.
#[test]
fn a_cloud_with_errors_is_smoothed_and_its_errors_are_told() {
    let error = |i: usize, j: usize| 1e-4 * if (i * 7 + j * 13).is_multiple_of(3) { 1.0 } else { -0.5 };
    let height = |x: f64, z: f64| 4.0 * x * x - 3.0 * z * z;
    let grid = (0..40).flat_map(|i| (0..30).map(move |j| (i, j)));
    let points: Vec<Vec3> = grid
        .map(|(i, j)| {
            let (x, z) = (0.001 * i as f64 - 0.02, 0.001 * j as f64 - 0.015);
            Vec3::new(x, height(x, z) + error(i, j), z)
        })
        .collect();
    let request = FitRequest { side: Side::Towards(Some(Vec3::y())), tolerance: 2e-4, fewest: false };
    let fitted = fit(&Shape::Points(points.clone()), &request).unwrap();
    assert!(fitted.within_tolerance);
    assert!((3e-5..1e-4).contains(&fitted.errors.mean), "of the order of the errors: {:?}", fitted.errors);
    let deviations = fitted.deviations(&points).unwrap();
    let mean = deviations.iter().filter(|d| d.is_finite()).sum::<f64>() / deviations.len() as f64;
    assert!(mean.abs() < 2e-5, "as far outside as inside: {mean}");
    assert!(fitted.surface.normal(0.5, 0.5).unwrap().y > 0.9, "seen from above");
}

#[test]
fn a_section_of_a_ball_is_a_circle_with_the_material_on_the_left() {
    let (curve, closed) = section(&ball(), 2, 0.01).unwrap();
    assert!(closed);
    let area: f64 = curve.iter().zip(curve.iter().cycle().skip(1)).map(|(p, q)| p[0] * q[1] - p[1] * q[0]).sum();
    assert!(area > 0.0, "counter-clockwise");
    let fitted = fit_curve(&curve, true, 1e-4, None).unwrap();
    assert!(fitted.errors.max <= 1e-4 && fitted.points.len() < curve.len() / 2, "{:?}", fitted.errors);
    let radius = (RADIUS * RADIUS - 1e-4).sqrt();
    let profile = Profile::closed(&fitted.points).unwrap();
    for k in 0..50 {
        let point = profile.point(profile.length() * k as f64 / 50.0);
        // facets of the mesh are within 0.1 mm of the ball
        assert!((point.position.norm() - radius).abs() < 3e-4, "{point:?}");
        assert!(point.normal().dot(&point.position) > 0.0, "outwards");
    }
    let message = section(&ball(), 1, 0.5).unwrap_err().to_string();
    assert!(message.contains("y = 500 mm does not meet"), "{message}");
}

/// An open sheet, seen from above: the section runs so that the sheet's underside is on the left.
#[test]
fn a_section_of_a_sheet_is_open() {
    let sheet = TriangleMesh::rectangle([0.06, 0.04], [12, 8]).unwrap();
    let across = (0..3).find(|k| {
        let range = sheet.vertices().iter().map(|p| p[*k]).fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(x), b.max(x)));
        range.1 - range.0 > 0.01
    });
    let (curve, closed) = section(&sheet, across.unwrap(), 0.0).unwrap();
    assert!(!closed && curve.len() > 4, "{curve:?}");
    let fitted = fit_curve(&curve, false, 1e-6, None).unwrap();
    assert_eq!(fitted.points.len(), 5, "a straight line needs no more than the fewest points");
}

#[test]
fn what_is_no_grid_and_no_curve_is_refused() {
    let points = vec![Vec3::zeros(); 30];
    let says = |columns: usize| PointGrid::new(points.clone(), columns).unwrap_err().to_string();
    assert!(says(7).contains("30 points are no full rows of 7"), "{}", says(7));
    assert!(says(10).contains("at least 4 rows"));
    let refused = fit_curve(&[[0.0, 0.0], [1.0, 0.0]], false, 1e-3, None).unwrap_err().to_string();
    assert!(refused.contains("at least 5"), "{refused}");
    let few = Shape::Points(vec![Vec3::zeros(); 3]);
    assert!(fit(&few, &downwards(false)).is_err());
}
