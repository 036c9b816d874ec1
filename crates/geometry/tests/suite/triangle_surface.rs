use super::mesh::pose;
use parry3d_f64::math::Vector;
use parry3d_f64::query::PointQuery;
use parry3d_f64::shape::TriMesh;
use wolff_geometry::triangles::{thickness, thickness_at};
use wolff_geometry::{Normals, Place, Sphere, Surface, TriangleMesh, TriangleSurface};
use wolff_spatial::{Mat3, Vec3};

/// Uniform numbers from 0 to 1, the same in every run.
pub struct Random(pub u64);

impl Random {
    pub fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// In a cube of this half side.
    pub fn vector(&mut self, half: f64) -> Vec3 {
        Vec3::new(self.unit() - 0.5, self.unit() - 0.5, self.unit() - 0.5) * (2.0 * half)
    }
}

/// A condyle-like ellipsoid in a general pose; open: without its triangles on one side.
fn condyle(open: bool) -> TriangleMesh {
    let stretch = Mat3::from_diagonal(&Vec3::new(1.0, 0.8, 1.3));
    let ball = TriangleMesh::icosphere(0.03, 3).unwrap().stretched(&stretch).unwrap();
    let kept = |t: &usize| !open || ball.corners(*t)[0].y < 0.01;
    let triangles = (0..ball.triangles().len()).filter(kept).map(|t| ball.triangles()[t]).collect();
    let mesh = TriangleMesh::cleaned(ball.vertices().to_vec(), triangles, false).unwrap().mesh;
    mesh.transformed(&pose()).unwrap()
}

fn surface(open: bool, normals: Normals) -> TriangleSurface {
    TriangleSurface::new(condyle(open), normals).unwrap()
}

fn parry(mesh: &TriangleMesh) -> TriMesh {
    let vertices = mesh.vertices().iter().map(|x| Vector::new(x.x, x.y, x.z)).collect();
    TriMesh::new(vertices, mesh.triangles().to_vec()).unwrap()
}

#[test]
fn closest_points_are_those_of_an_independent_library() {
    for open in [false, true] {
        let surface = surface(open, Normals::Facets);
        let reference = parry(surface.mesh());
        let mut random = Random(7);
        for i in 0..4000 {
            let p = pose().p + random.vector(if i % 2 == 0 { 0.05 } else { 0.5 });
            let found = surface.closest(&p).unwrap();
            let expected = reference.project_local_point(Vector::new(p.x, p.y, p.z), false).point;
            let expected = Vec3::new(expected.x, expected.y, expected.z);
            // rounding of coordinates of half a metre
            let error = (found.position - p).norm() - (expected - p).norm();
            assert!(error.abs() < 1e-15, "{error:e} at {p:?}");
            // at(place) evaluates the same expressions
            assert_eq!(surface.at(&found.place), Some(found));
        }
    }
}

#[test]
fn a_walk_from_anywhere_ends_at_the_global_minimum() {
    for open in [false, true] {
        let surface = surface(open, Normals::Smooth);
        let mut random = Random(3);
        let count = surface.mesh().triangles().len() as f64;
        for _ in 0..4000 {
            let p = pose().p + random.vector(0.05);
            let patch = (random.unit() * count) as u32;
            let cold = surface.closest(&p).unwrap();
            let warm = surface.closest_from(&p, &Place { patch, u: 0.2, v: 0.3 }).unwrap();
            // equal where both end in the same triangle; a shared edge rounds differently in its two triangles
            assert!(((cold.position - p).norm() - (warm.position - p).norm()).abs() < 1e-16);
        }
        let nowhere = Place { patch: u32::MAX, u: 0.0, v: 0.0 };
        let p = pose().p + Vec3::new(0.05, 0.02, 0.0);
        assert_eq!(surface.closest_from(&p, &nowhere), surface.closest(&p));
    }
}

#[test]
fn the_sign_is_right_also_at_edges_and_corners() {
    let sides = [0.2, 0.1, 0.06];
    let mesh = TriangleMesh::cuboid(sides).unwrap().transformed(&pose()).unwrap();
    let surface = TriangleSurface::new(mesh, Normals::Facets).unwrap();
    let mut random = Random(11);
    for _ in 0..3000 {
        let x = random.vector(0.15);
        // the exact distance of a box: to its faces inside, to the clamped point outside
        let q = x.abs() - Vec3::from(sides) * 0.5;
        let exact = q.sup(&Vec3::zeros()).norm() + q.max().min(0.0);
        let p = pose().point(&x);
        assert!((surface.signed_distance(&p).unwrap() - exact).abs() < 1e-15, "{x:?}");
        let side = surface.closest(&p).unwrap().signed_distance(&p);
        assert!(side.signum() == exact.signum(), "{side:e} for {exact:e}");
    }
}

#[test]
fn rays_give_the_hit_with_the_least_t_of_either_sign() {
    let radius = 0.03;
    let ball = TriangleSurface::new(TriangleMesh::icosphere(radius, 5).unwrap(), Normals::Smooth).unwrap();
    let exact = Sphere::new(Vec3::zeros(), radius).unwrap();
    let mut random = Random(5);
    for _ in 0..2000 {
        let (origin, direction) = (random.vector(0.011), random.vector(1.0).normalize());
        let range = (-0.1, 0.1);
        let (found, expected) =
            (ball.ray(&origin, &direction, range).unwrap(), exact.ray(&origin, &direction, range).unwrap());
        // facets lie up to (edge/√3)²/2R = 9e-6 m inside; rays from within 19 mm meet them at up to 40 degrees
        assert!((found.t - expected.t).abs() < 2e-5 || (found.t + expected.t).abs() < 2e-5, "{found:?} {expected:?}");
        assert!((found.point.position - origin - direction * found.t).norm() < 1e-16);
        // only the far hit is left behind the near one
        let (low, high) = if found.t > 0.0 { (-0.1, 0.0) } else { (0.0, 0.1) };
        let far = ball.ray(&origin, &direction, (low, high)).unwrap();
        assert!(far.t.abs() >= found.t.abs() && far.t * found.t < 0.0);
        assert_eq!(ball.ray(&origin, &direction, (0.09, 0.1)), None);
    }
    assert_eq!(ball.ray(&Vec3::new(0.0, 0.0, 0.031), &Vec3::x(), (f64::NEG_INFINITY, f64::INFINITY)), None);
}

#[test]
fn a_warm_ray_finds_what_a_cold_one_finds() {
    let surface = surface(true, Normals::Smooth);
    let count = surface.mesh().triangles().len() as f64;
    let mut random = Random(9);
    let mut hits = 0;
    for _ in 0..4000 {
        let origin = pose().p + random.vector(0.05);
        let direction = random.vector(1.0).normalize();
        let range = (-0.03, 0.1);
        let cold = surface.ray(&origin, &direction, range);
        let from = match (random.unit() < 0.5, cold) {
            (true, Some(hit)) => hit.point.place,
            _ => Place { patch: (random.unit() * count) as u32, u: 0.1, v: 0.1 },
        };
        let warm = surface.ray_from(&origin, &direction, range, &from);
        hits += usize::from(cold.is_some());
        assert_eq!(cold.map(|hit| hit.t), warm.map(|hit| hit.t));
    }
    assert!(hits > 1000, "{hits} hits");
}

#[test]
fn no_ray_slips_through_a_seam() {
    // rays along an axis through vertices, edges and the faces of boxes
    let plane = TriangleSurface::new(TriangleMesh::rectangle([0.08, 0.06], [8, 6]).unwrap(), Normals::Facets).unwrap();
    for i in -8i32..=8 {
        for j in -6i32..=6 {
            let origin = Vec3::new(0.005 * f64::from(i), 0.005 * f64::from(j), -0.01);
            let hit = plane.ray(&origin, &Vec3::z(), (-1.0, 1.0)).expect("a hit");
            assert!((hit.t - 0.01).abs() < 1e-17 && hit.point.normal == Vec3::z());
            assert_eq!(hit.point.on_rim, i.abs() == 8 || j.abs() == 6, "{i} {j}");
        }
    }
    // rays through the vertices and the middles of the edges of a tilted surface
    let surface = surface(false, Normals::Facets);
    let centre = pose().p;
    for t in 0..surface.mesh().triangles().len() {
        let [a, b, _] = surface.mesh().corners(t);
        for target in [a, 0.5 * (a + b), 0.3 * a + 0.7 * b] {
            let d = (target - centre).norm();
            let hit = surface.ray(&centre, &((target - centre) / d), (0.0, 1.0)).expect("a closed surface is hit");
            assert!((hit.t - d).abs() < 1e-14);
        }
    }
}

#[test]
fn the_rim_of_an_open_surface_is_flagged() {
    let plane = TriangleSurface::new(TriangleMesh::rectangle([0.08, 0.06], [8, 6]).unwrap(), Normals::Facets).unwrap();
    let over = |x, y| plane.closest(&Vec3::new(x, y, 0.003)).unwrap();
    assert!(!over(0.011, 0.007).on_rim && !over(0.01, 0.01).on_rim, "inside, and at an inner vertex");
    assert!(over(0.05, 0.007).on_rim && over(0.011, 0.04).on_rim && over(0.05, -0.04).on_rim, "beside it");
    assert_eq!(plane.signed_distance(&Vec3::new(0.05, 0.0, 0.0)), None);
    assert!((plane.signed_distance(&Vec3::new(0.011, 0.007, -0.003)).unwrap() + 0.003).abs() < 1e-18);
}

/// Largest and root mean square errors of the smooth normals [-] and of the curvature (times the mean radius [-]) of a ball of 30 mm
/// stretched by `stretch`, at the centres of the triangles.
fn smooth_errors(stretch: Vec3, halvings: u32) -> [f64; 4] {
    let radius = 0.03;
    let ball = TriangleMesh::icosphere(radius, halvings).unwrap().stretched(&Mat3::from_diagonal(&stretch)).unwrap();
    let surface = TriangleSurface::new(ball.transformed(&pose()).unwrap(), Normals::Smooth).unwrap();
    let squares = (stretch * radius).map(|axis| axis.powi(-2));
    let (mut normals, mut curvatures) = (Vec::new(), Vec::new());
    for (point, _) in surface.elements() {
        let W = surface.shape_operator(&point.place);
        assert!((W - W.transpose()).norm() < 1e-13 * W.norm() && (W * point.normal).norm() < 1e-13 * W.norm());
        // F = x²/a² + y²/b² + z²/c²: n = ∇F/|∇F|, W = P ∇∇F P / |∇F|, at the point of the ellipsoid in this direction
        let x = pose().inverse_point(&point.position);
        let x = x / x.dot(&squares.component_mul(&x)).sqrt();
        let gradient = squares.component_mul(&x);
        let n = gradient.normalize();
        let P = Mat3::identity() - n * n.transpose();
        let exact = P * Mat3::from_diagonal(&squares) * P / gradient.norm();
        let R = pose().R;
        normals.push((R.transpose() * point.normal - n).norm());
        curvatures.push((R.transpose() * W * R - exact).norm() * radius);
    }
    let largest = |e: &[f64]| e.iter().copied().fold(0.0, f64::max);
    let mean = |e: &[f64]| (e.iter().map(|e| e * e).sum::<f64>() / e.len() as f64).sqrt();
    [largest(&normals), mean(&normals), largest(&curvatures), mean(&curvatures)]
}

#[test]
fn smooth_normals_and_curvature_converge() {
    let ball = Vec3::repeat(1.0);
    let (coarse, fine) = (smooth_errors(ball, 3), smooth_errors(ball, 4));
    assert!(fine[0] < 1e-13, "normals of a sphere are exact but for rounding: {fine:?}");
    assert!(coarse[2] / fine[2] > 3.8 && fine[2] < 1e-4, "its curvature is of second order: {coarse:?} {fine:?}");
    let condyle = Vec3::new(1.0, 0.8, 1.3);
    let (coarse, fine) = (smooth_errors(condyle, 3), smooth_errors(condyle, 4));
    assert!(coarse[1] / fine[1] > 3.5, "normals of an ellipsoid are of second order: {coarse:?} {fine:?}");
    // near irregular vertices the curvature keeps an error of an eighth, elsewhere it is of first order
    assert!(coarse[3] / fine[3] > 1.8 && fine[2] < 0.125, "curvature: {coarse:?} {fine:?}");
}

#[test]
fn facets_are_flat() {
    let surface = surface(false, Normals::Facets);
    for (point, area) in surface.elements() {
        assert_eq!(surface.shape_operator(&point.place), Mat3::zeros());
        let [a, b, c] = surface.mesh().corners(point.place.patch as usize);
        assert!((point.normal.dot(&(b - a).cross(&(c - a))) - 2.0 * area).abs() < 1e-18);
    }
}

#[test]
fn the_thickness_of_a_shell_is_the_difference_of_its_radii() {
    let front = TriangleSurface::new(TriangleMesh::icosphere(0.033, 4).unwrap(), Normals::Smooth).unwrap();
    let back = Sphere::new(Vec3::zeros(), 0.03).unwrap();
    let points = || front.elements().map(|(point, _)| point);
    for (t, point) in thickness(points(), &back, 0.01).into_iter().zip(points()) {
        // along an almost radial normal; the facet lies inside its sphere
        assert!((t.unwrap() - (point.position.norm() - 0.03)).abs() < 1e-8, "{t:?}");
    }
    assert!(thickness(points(), &back, 0.002).iter().all(Option::is_none), "nothing within 2 mm");
    let mut last = None;
    let first = points().next().unwrap();
    let cold = thickness_at(&first, &front, 0.1, &mut last);
    assert!(cold.is_some() && last.is_some(), "the far side of the ball itself");
}

#[test]
fn numbers_that_are_none_find_nothing() {
    let surface = surface(false, Normals::Smooth);
    let nan = Vec3::new(0.0, f64::NAN, 0.0);
    let place = Place { patch: 3, u: 0.2, v: 0.2 };
    assert_eq!(surface.closest(&nan), None);
    assert_eq!(surface.closest_from(&nan, &place), None);
    for (origin, direction) in [(nan, Vec3::x()), (pose().p, nan)] {
        assert_eq!(surface.ray(&origin, &direction, (-1.0, 1.0)), None);
        assert_eq!(surface.ray_from(&origin, &direction, (-1.0, 1.0), &place), None);
    }
    assert_eq!(surface.at(&Place { patch: 3, u: 0.8, v: 0.3 }), None);
    assert_eq!(surface.at(&Place { patch: u32::MAX, u: 0.1, v: 0.1 }), None);
}

#[test]
fn queries_do_not_allocate() {
    let surface = surface(false, Normals::Smooth);
    let (p, place) = (pose().p + Vec3::new(0.01, 0.02, 0.01), Place { patch: 100, u: 0.3, v: 0.3 });
    let counted = allocation_counter::measure(|| {
        for i in 0..100 {
            let p = p * (1.0 + 1e-3 * f64::from(i));
            std::hint::black_box(surface.closest(&p));
            std::hint::black_box(surface.closest_from(&p, &place));
            std::hint::black_box(surface.ray(&p, &Vec3::z(), (-1.0, 1.0)));
            std::hint::black_box(surface.ray_from(&p, &Vec3::z(), (-1.0, 1.0), &place));
            std::hint::black_box(surface.shape_operator(&place));
        }
    });
    assert_eq!(counted.count_total, 0);
}

#[test]
fn a_walk_is_not_fooled_by_a_near_sheet_a_sharp_edge_or_a_crossing() {
    // a thin plate, a flat box, and two balls that cross each other
    let plate = TriangleMesh::cuboid([0.1, 0.1, 0.001]).unwrap();
    let ball = TriangleMesh::icosphere(0.03, 3).unwrap();
    let shifted = ball.clone().transformed(&wolff_spatial::Pose::translation(Vec3::new(0.02, 0.01, 0.0))).unwrap();
    let count = ball.vertices().len() as u32;
    let triangles = ball.triangles().iter().copied().chain(shifted.triangles().iter().map(|t| t.map(|v| v + count)));
    let crossing = TriangleMesh::new([ball.vertices(), shifted.vertices()].concat(), triangles.collect()).unwrap();
    for mesh in [plate, crossing] {
        let surface = TriangleSurface::new(mesh.transformed(&pose()).unwrap(), Normals::Facets).unwrap();
        let count = surface.mesh().triangles().len() as f64;
        let mut random = Random(21);
        for _ in 0..20_000 {
            let p = pose().point(&random.vector(0.06));
            let patch = (random.unit() * count) as u32;
            let (cold, warm) =
                (surface.closest(&p).unwrap(), surface.closest_from(&p, &Place { patch, u: 0.1, v: 0.1 }).unwrap());
            let distance = |position: Vec3| (position - p).norm();
            assert!((distance(cold.position) - distance(warm.position)).abs() < 1e-16);
        }
    }
}
