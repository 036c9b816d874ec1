//! Nanoseconds for one path with and without surfaces: length, then length with the gradient over all speeds of a small model.
//!
//! `cargo run --release -p wolff-muscle --example path_cost`

use std::hint::black_box;
use std::time::Instant as Clock;
use wolff_multibody::spec::*;
use wolff_multibody::{Model, System};
use wolff_muscle::path::*;
use wolff_spatial::{MassProperties, Pose, Vec3};

/// A thigh and a shank with pins.
fn knee() -> Result<Model, String> {
    let mass = MassProperties::point(1.0, Vec3::new(0.0, -0.2, 0.0)).map_err(|e| e.to_string())?;
    let pin = |name: &str, parent: &str, child: &str, y: f64| JointSpec {
        name: name.into(),
        kind: JointKind::Pin { axis: Vec3::z() },
        parent: FrameSpec::at(parent, Vec3::new(0.0, y, 0.0)),
        child: FrameSpec::at(child, Vec3::zeros()),
        coordinates: vec![],
        q0: vec![-0.3],
        v0: vec![0.0],
    };
    let spec = ModelSpec {
        name: "knee".into(),
        gravity: Vec3::zeros(),
        bodies: vec![BodySpec::rigid("thigh", mass), BodySpec::rigid("shank", mass)],
        joints: vec![pin("hip", "ground", "thigh", 1.0), pin("knee", "thigh", "shank", -0.4)],
        constraints: vec![],
    };
    Model::build(&spec).map_err(|mistakes| mistakes.to_string())
}

fn spec(surface: Option<WrapSurface>, construction: Construction) -> PathSpec {
    let wrap = |surface| WrapSpec {
        name: "condyle".into(),
        body: "thigh".into(),
        pose: Pose::translation(Vec3::new(0.005, -0.4, 0.002)),
        surface,
        quadrant: None,
        method: EllipsoidMethod::Hybrid,
        first: None,
        last: None,
    };
    PathSpec {
        name: "quadriceps".into(),
        points: vec![
            PointSpec::fixed("thigh", Vec3::new(0.03, -0.1, 0.0)),
            PointSpec::fixed("thigh", Vec3::new(0.035, -0.3, 0.003)),
            PointSpec::fixed("shank", Vec3::new(0.03, -0.08, 0.0)),
        ],
        wraps: surface.map(wrap).into_iter().collect(),
        construction,
    }
}

/// Best of some batches, so that other work on the machine counts little.
fn nanoseconds(mut work: impl FnMut() -> f64) -> f64 {
    let (batches, rounds) = (50, 200);
    let mut best = f64::INFINITY;
    for _ in 0..batches {
        let start = Clock::now();
        let sum: f64 = (0..rounds).map(|_| work()).sum();
        black_box(sum);
        best = best.min(start.elapsed().as_secs_f64() * 1e9 / f64::from(rounds));
    }
    best
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = knee()?;
    let mut system = System::new(&model);
    system.update_kinematics(&model.q0, &model.v0);
    let at = system.instant(0.0, &model.q0, &model.v0, None);
    let radii = Vec3::new(0.035, 0.03, 0.04);
    println!("{:<28} {:>12} {:>16} {:>8}", "surface", "length [ns]", "+ gradient [ns]", "touches");
    for (name, surface, construction) in [
        ("none", None, Construction::Shortest),
        ("sphere", Some(WrapSurface::Sphere { radius: 0.035 }), Construction::Shortest),
        ("cylinder, helix", Some(WrapSurface::Cylinder { radius: 0.035, length: 0.1 }), Construction::Shortest),
        (
            "cylinder, OpenSim's plane",
            Some(WrapSurface::Cylinder { radius: 0.035, length: 0.1 }),
            Construction::OpenSim,
        ),
        ("ellipsoid, geodesic", Some(WrapSurface::Ellipsoid { radii }), Construction::Shortest),
        ("ellipsoid, OpenSim's plane", Some(WrapSurface::Ellipsoid { radii }), Construction::OpenSim),
        ("torus", Some(WrapSurface::Torus { ring_radius: 0.04, tube_radius: 0.01 }), Construction::Shortest),
    ] {
        let path = Path::new(&spec(surface, construction), &model)?;
        let mut gradient = vec![0.0; model.nv()];
        let length = nanoseconds(|| black_box(&path).solve(&at, None).length);
        let with_gradient = nanoseconds(|| {
            let geometry = black_box(&path).solve(&at, None);
            path.length_gradient(&geometry, &at, &mut gradient);
            geometry.length + gradient[0]
        });
        let touches = path.solve(&at, None).touches(0);
        println!("{name:<28} {length:>12.0} {with_gradient:>16.0} {touches:>8}");
    }
    Ok(())
}
