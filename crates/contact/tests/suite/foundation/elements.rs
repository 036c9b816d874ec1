//! Contact elements from grids and triangles.

use super::*;
use crate::support::{close, general_pose};
use wolff_contact::ContactError;
use wolff_contact::foundation::exact::SphereOnLayer;

/// A flat square as triangles, two per cell, alternating diagonals.
fn triangles(n: usize, half: f64) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let at = |k: usize| -half + 2.0 * half * k as f64 / n as f64;
    let vertices = (0..=n).flat_map(|i| (0..=n).map(move |j| Vec3::new(at(i), at(j), 0.0))).collect();
    let mut faces = Vec::new();
    for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
        let number = |i: usize, j: usize| (i * (n + 1) + j) as u32;
        let [a, b, c, d] = [number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)];
        if (i + j) % 2 == 0 { faces.extend([[a, b, c], [a, c, d]]) } else { faces.extend([[b, c, d], [b, d, a]]) }
    }
    (vertices, faces)
}

#[test]
fn triangles_converge_to_the_exact_sphere() {
    let law = polyethylene(Strain::Small);
    let exact = SphereOnLayer::new(30.0 * MM, 8.0 * MM, law).unwrap().state(0.2 * MM);
    let error = |n: usize| {
        let (vertices, faces) = triangles(n, 6.0 * MM);
        let set = ElementSet::from_triangles("mesh", &vertices, &faces, 8.0 * MM).unwrap();
        close(set.area(), (12.0 * MM).powi(2), 1e-13, "area of the mesh");
        let pair = pair(set, ball(30.0 * MM), law, vertical(Rule::Adaptive));
        let result = at(&pair, &pressed(0.2 * MM, 1.3 * MM, -0.7 * MM)).total;
        let centre = result.centre_of_pressure().unwrap();
        let off = (centre - Vec3::new(1.3, -0.7, 0.0) * MM).norm() / MM;
        println!(
            "n = {n}: force {:.1e}, area {:.1e}, centre {off:.1e} mm",
            result.on_moving.f.z / exact.force - 1.0,
            result.area / exact.area - 1.0
        );
        (result.on_moving.f.z / exact.force - 1.0).abs()
    };
    let errors = [10, 20, 40].map(error);
    assert!(errors[0] < 1e-4 && errors[2] < errors[0] / 60.0, "{errors:?}");
}

/// Grid, layer and ball moved together: the forces turn with them.
#[test]
fn moved_and_turned_geometry() {
    let X = general_pose(0.7);
    let normal = X.R * Vec3::z();
    let plane = Plane::new(X.p, normal).unwrap();
    let surface = ElementSurface::Plane { origin: X.p - normal * 8.0 * MM, normal, along: X.R * Vec3::x() };
    let half = 6.0 * MM;
    let grid = Grid { surface, first: (-half, half), second: (-half, half), counts: (17, 13) };
    let moved = grid.project("moved", &plane, (0.0, 20.0 * MM), &LayerThickness::ToElementSurface).unwrap();
    let surface = ElementSurface::Plane { origin: Vec3::zeros(), normal: Vec3::z(), along: Vec3::x() };
    let level = Plane::new(Vec3::zeros(), Vec3::z()).unwrap();
    let still =
        Grid { surface, ..grid }.project("still", &level, (-1.0, 1.0), &LayerThickness::Constant(8.0 * MM)).unwrap();
    let law = nonlinear(Reading::Tangent, Strain::Large);
    let pose = pressed(0.3 * MM, 1.1 * MM, -0.4 * MM);
    for distance in [Distance::Minimum, Distance::Ray] {
        let s = settings(distance, Along::Midsurface, Rule::Adaptive);
        let a = at(&pair(still.clone(), ball(30.0 * MM), law, s.clone()), &pose).total;
        let b = at(&pair(moved.clone(), ball(30.0 * MM), law, s), &(X * pose)).total;
        close(b.area, a.area, 1e-9, "area");
        assert!((b.on_moving.f - X.R * a.on_moving.f).norm() < 1e-9 * a.on_moving.f.norm());
        let n = X.R * a.on_moving.n + X.p.cross(&b.on_moving.f);
        assert!((b.on_moving.n - n).norm() < 1e-9 * n.norm());
    }
}

/// Areas of grids on curved surfaces, and the layer between two of them.
#[test]
fn curved_grids() {
    let (inner, outer) = (Sphere::cavity(Vec3::zeros(), 0.02).unwrap(), Sphere::cavity(Vec3::zeros(), 0.026).unwrap());
    let surface = ElementSurface::Sphere { centre: Vec3::zeros(), towards: Vec3::y(), along: Vec3::x(), radius: 0.01 };
    let area = |n: usize| {
        let grid = Grid { surface, first: (-0.5, 0.5), second: (-0.4, 0.4), counts: (n, n) };
        let back = LayerThickness::ToBack { back: &outer, reach: 0.1, least: 0.0 };
        let set = grid.project("cup", &inner, (0.0, 0.1), &back).unwrap();
        assert!(set.elements.iter().all(|e| (e.thickness - 0.006).abs() < 1e-12));
        set.area()
    };
    // solid angle of a pyramid with the half angles a, b: 4 asin(sin a sin b)
    let exact = 4.0 * (0.5_f64.sin() * 0.4_f64.sin()).asin() * 0.02 * 0.02;
    let errors = [4, 8, 16].map(|n| (area(n) / exact - 1.0).abs());
    println!("area of a spherical grid: {errors:?}");
    assert!(errors[0] < 2e-5 && errors[2] < errors[0] / 150.0, "fourth order: {errors:?}");

    // rays from a cylinder hit a plane within ±45 degrees
    let surface = ElementSurface::Cylinder { origin: Vec3::zeros(), axis: Vec3::x(), start: Vec3::z(), radius: 0.01 };
    let plane = Plane::new(Vec3::z() * 0.02, -Vec3::z()).unwrap();
    let quarter = std::f64::consts::FRAC_PI_4;
    let grid = Grid { surface, first: (-quarter, quarter), second: (0.0, 0.03), counts: (24, 3) };
    let set = grid.project("roof", &plane, (0.0, 1.0), &LayerThickness::Constant(0.001)).unwrap();
    close(set.area(), 0.04 * 0.03, 1e-6, "roof");
}

#[test]
fn open_grids_drop_what_misses() {
    let bowl = Sphere::new(Vec3::zeros(), 0.02).unwrap();
    let surface = ElementSurface::Plane { origin: Vec3::z() * 0.05, normal: -Vec3::z(), along: Vec3::x() };
    let grid = Grid { surface, first: (-0.03, 0.03), second: (-0.03, 0.03), counts: (30, 30) };
    let layer = LayerThickness::Constant(0.002);
    let set = grid.project("dome", &bowl, (0.0, 0.1), &layer).unwrap();
    assert_eq!(set.elements.len() + set.dropped, 900);
    assert!(set.dropped > 500 && set.elements.iter().all(|e| e.centre.z > 0.0 && e.normal.z > 0.0));
    let gone = Grid { first: (0.05, 0.06), ..grid }.project("dome", &bowl, (0.0, 0.1), &layer);
    assert_eq!(gone, Err(ContactError::NoElements { compartment: "dome".into(), dropped: 900 }));
    let backwards = Grid { second: (0.03, -0.03), ..grid }.project("dome", &bowl, (0.0, 0.1), &layer);
    assert!(backwards.unwrap_err().to_string().contains("ascending"));
    let empty = Grid { counts: (0, 3), ..grid }.project("dome", &bowl, (0.0, 0.1), &layer);
    assert!(empty.unwrap_err().to_string().contains("at least one"));
}

#[test]
fn bad_triangles() {
    let corners = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::x() * 2.0];
    let set = ElementSet::from_triangles("mesh", &corners, &[[0, 1, 2], [0, 1, 3]], 0.01).unwrap();
    assert_eq!((set.elements.len(), set.dropped), (1, 1));
    assert!(
        ElementSet::from_triangles("mesh", &corners, &[[0, 1, 9]], 0.01)
            .unwrap_err()
            .to_string()
            .contains("triangle 0")
    );
    assert!(ElementSet::from_triangles("mesh", &corners, &[[0, 1, 3]], 0.01).is_err());
    assert!(ElementSet::from_triangles("mesh", &corners, &[[0, 1, 2]], -1.0).is_err());
}
