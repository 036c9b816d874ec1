//! Chains of segments: mass, stiffness and gauges of a tube against closed forms; invalid input is rejected.
#![allow(non_snake_case)]

use nalgebra::{DMatrix, DVector};
use std::f64::consts::PI;
use wolff_bone::flexible::segments::Chain;
use wolff_bone::flexible::{FlexibleSource, SHEAR_COEFFICIENT};
use wolff_multibody::spec::FrameSpec;
use wolff_multibody::{Instant, System};
use wolff_spatial::{Mat3, Vec3};
use wolff_study::build::{Built, build};
use wolff_study::document::{ForceKind, StudyDocument};

const LENGTH: f64 = 0.421;
const RADII: [f64; 2] = [0.027, 0.037];
const YOUNG: f64 = 17e9;
const SHEAR: f64 = YOUNG / 2.6;

/// The section of the mesh: quadratic sides leave out a few 1e-5 of a circle's area.
const SECTION: f64 = 1e-3;

/// A tube welded to ground at one end, a load at the other.
fn cantilever(way: &str, [held, loaded]: [&str; 2], load: &str) -> String {
    format!(
        r#"
study = "tube"
title = "A tube"
about = "welded at one end"
[[body]]
name = "tube"
[body.flexible]
kind = "bone"
bone = "tube"
length = {LENGTH}
material = "isotropic"
young = {YOUNG}
poisson = 0.3
mass = 3
{way}
gauges = {{ front = {{ landmark = "anterior", fraction = 0.5 }}, above = {{ landmark = "anterior", fraction = 0.3 }} }}
[[joint]]
name = "weld"
kind = "weld"
parent = "ground"
child = "tube.{held}"
[[force]]
name = "load"
kind = "point-force"
on = "tube.{loaded}"
{load}
[integrator]
method = "rk4"
step = 1e-3
duration = 1e-3
[[measure]]
name = "tip_m"
kind = "point"
body = "tube.{loaded}"
axis = "x"
[results]
tip = "final(tip_m)"
"#
    )
}

fn built(text: &str) -> Built {
    let study = StudyDocument::parse("tube", text).and_then(|d| d.evaluate()).unwrap_or_else(|e| panic!("{e}"));
    build(&study).unwrap_or_else(|e| panic!("{e}"))
}

fn error(text: &str) -> String {
    let study = StudyDocument::parse("tube", text).and_then(|d| d.evaluate());
    study.and_then(|study| build(&study).map(|_| ())).expect_err("an error").to_string()
}

/// Newton's method with central differences: springs of 1e9 N/m together with springs of 1e4 N m/rad and loads of 100
/// N.
fn relax(system: &mut System<'_>, q: &mut Vec<f64>) {
    let (model, nv) = (system.model, system.model.nv());
    let rest = vec![0.0; nv];
    let mut residual = |q: &[f64]| {
        let mut r = DVector::zeros(nv);
        system.residual(0.0, q, &rest, &rest, &[], r.as_mut_slice());
        r
    };
    let moved = |q: &[f64], d: &[f64]| {
        let mut out = q.to_vec();
        model.retract(q, d, &mut out);
        out
    };
    for _ in 0..6 {
        let r = residual(q);
        let mut stiffness = DMatrix::zeros(nv, nv);
        for j in 0..nv {
            let h = 1e-6;
            let step = |h: f64| moved(q, DVector::from_fn(nv, |i, _| if i == j { h } else { 0.0 }).as_slice());
            stiffness.set_column(j, &((residual(&step(h)) - residual(&step(-h))) / (2.0 * h)));
        }
        let d = stiffness.lu().solve(&-r).expect("held and stiff");
        *q = moved(q, d.as_slice());
    }
    assert!(residual(q).amax() < 1e-3, "at rest to 1e-5 of the load: {}", residual(q).amax());
}

/// Displacement and rotation of the loaded frame at rest, and the other values at that instant.
fn settled<T>(built: &Built, read: impl Fn(&Instant<'_>) -> T) -> (Vec3, Mat3, T) {
    let ForceKind::PointForce { on, .. } = &built.study.forces[0].kind else { panic!("a point force") };
    let frame = built.model.frame(on).expect("a frame");
    let mut system = System::new(&built.model);
    let (mut q, rest) = (built.model.q0.clone(), vec![0.0; built.model.nv()]);
    system.update_kinematics(&q, &rest);
    let start = system.kin.pose(&frame);
    relax(&mut system, &mut q);
    system.update_kinematics(&q, &rest);
    let end = system.kin.pose(&frame);
    (end.p - start.p, end.R * start.R.transpose(), read(&system.instant(0.0, &q, &rest, None)))
}

fn section() -> (f64, f64) {
    let [r, R] = RADII;
    (PI * (R * R - r * r), PI / 4.0 * (R.powi(4) - r.powi(4)))
}

fn assert_near(value: f64, expected: f64, relative: f64) {
    assert!((value - expected).abs() < relative * expected.abs(), "{value} instead of {expected}");
}

/// All segments together are the body without modes, whatever their number.
#[test]
fn segments_have_the_mass_of_the_solid() {
    for segments in [2, 7, 12] {
        let text = cantilever(&format!("way = \"segments\"\nsegments = {segments}"), ["proximal", "distal"], "");
        let study = StudyDocument::parse("tube", &text).unwrap().evaluate().unwrap();
        let FlexibleSource::Solid(recipe) = &study.flexible[0].source else { panic!("a solid") };
        let (body, solid) = study.flexible[0].without_modes(false).unwrap();
        let chain = Chain::new(&solid.unwrap(), &recipe.axis(), segments, 0.0).unwrap();
        assert_eq!((chain.segments.len(), chain.springs.len()), (segments, segments - 1));
        let whole = body.mass_properties();
        let com = chain.segments.iter().map(|s| s.com * s.mass).sum::<Vec3>() / chain.mass();
        let about = |s: &wolff_spatial::MassProperties| {
            let d = s.com - com;
            s.inertia + (Mat3::identity() * d.norm_squared() - d * d.transpose()) * s.mass
        };
        let inertia: Mat3 = chain.segments.iter().map(about).sum();
        assert_near(chain.mass(), 3.0, 1e-12);
        assert!((com - whole.com).norm() < 1e-12 * LENGTH);
        assert!((inertia - whole.inertia).amax() < 1e-12 * whole.inertia.amax());
    }
}

/// A force across the end of a cantilever: `F L³/3EI + F L/κGA`, exact with any number of segments; strain `F (L - s)
/// r/EI`. Held at either end, so that the chain is hung up by its first or its last segment.
#[test]
fn bending_is_that_of_timoshenkos_beam() {
    let (A, I) = section();
    let force = 100.0;
    let expected = force * LENGTH.powi(3) / (3.0 * YOUNG * I) + force * LENGTH / (SHEAR_COEFFICIENT * SHEAR * A);
    for (ends, segments, gauge) in
        [(["proximal", "distal"], 2, 0.5), (["proximal", "distal"], 9, 0.5), (["distal", "proximal"], 8, 0.5)]
    {
        let way = format!("way = \"segments\"\nsegments = {segments}");
        let built = built(&cantilever(&way, ends, &format!("force = [{force}, 0, 0]")));
        let (p, _, strains) = settled(&built, |at| {
            built.segment_gauges.iter().map(|g| g.gauge.strain(&g.deformation(at))[0]).collect::<Vec<_>>()
        });
        assert_near(p.x, expected, SECTION);
        assert!(p.y.abs() + p.z.abs() < 1e-3 * p.x);
        // compressed in front, where the force points
        let arm = if ends[0] == "proximal" { 1.0 - gauge } else { gauge };
        assert_near(strains[0], -force * arm * LENGTH * RADII[1] / (YOUNG * I), 2.0 * SECTION);
        let other = if ends[0] == "proximal" { 0.7 } else { 0.3 };
        if segments > 2 {
            assert_near(strains[1], -force * other * LENGTH * RADII[1] / (YOUNG * I), 2.0 * SECTION);
        }
    }
}

/// Pull and torque along the tube: `F L/EA` and `T L/GJ`, but for the half cells, which count too.
#[test]
fn stretch_and_twist_are_those_of_the_tube() {
    let (A, I) = section();
    let load = "force = [0, -1000, 0]\ntorque = [0, 50, 0]";
    let built = built(&cantilever("way = \"segments\"\nsegments = 6", ["proximal", "distal"], load));
    let (p, R, strain) =
        settled(&built, |at| built.segment_gauges[0].gauge.strain(&built.segment_gauges[0].deformation(at)));
    assert_near(p.y, -1000.0 * LENGTH / (YOUNG * A), SECTION);
    let twist = 50.0 / (SHEAR * 2.0 * I);
    assert_near(R[(0, 2)].asin(), twist * LENGTH, SECTION);
    // pulled: across the surface it shrinks with Poisson's ratio; engineering shear of the surface `r φ'`
    assert_near(strain[0], 1000.0 / (YOUNG * A), SECTION);
    assert_near(strain[1], -0.3 * strain[0], 0.02);
    assert_near(strain[3].abs(), twist * RADII[1], 2.0 * SECTION);
}

/// The signs of all strains are those of the reduced mesh.
#[test]
fn gauges_agree_with_the_floating_frame_in_sign() {
    let load = "force = [100, -1000, 50]\ntorque = [0, 50, 0]";
    let text = |way: &str| cantilever(way, ["proximal", "distal"], load);
    let chain = built(&text("way = \"segments\"\nsegments = 8"));
    let (_, _, by_beam) =
        settled(&chain, |at| chain.segment_gauges[0].gauge.strain(&chain.segment_gauges[0].deformation(at)));
    let modes = built(&text("fixed_modes = 8"));
    let body = modes.model.body_index("tube").expect("the tube");
    let (_, _, by_mesh) = settled(&modes, |at| {
        let gauge = &modes.model.flexible(body).expect("flexible").data.gauges[0];
        gauge.strain(&at.q[modes.model.bodies()[body].modal_q()])
    });
    // axial and shear: the mesh one element thick is within a few per cent of the beam
    assert_near(by_beam[0], by_mesh[0], 0.05);
    assert_near(by_beam[3], by_mesh[3], 0.15);
}

/// Frames move to the segment that holds them, at the place they had.
#[test]
fn frames_move_to_their_segments() {
    let built = built(&cantilever("way = \"segments\"\nsegments = 5", ["proximal", "distal"], ""));
    assert_eq!(built.study.model.joints[0].child.body, "tube#1");
    let ForceKind::PointForce { on, .. } = &built.study.forces[0].kind else { panic!("a point force") };
    assert_eq!((on.body.as_str(), on.pose.p), ("tube#5", Vec3::new(0.0, -LENGTH, 0.0)));
    assert_eq!(built.model.body_count(), 5);
    assert!(built.model.frame(&FrameSpec::at("tube#3", Vec3::zeros())).is_some());
}

#[test]
fn what_does_not_fit_is_refused() {
    let ends = ["proximal", "distal"];
    let many = error(&cantilever("way = \"segments\"\nsegments = 150", ends, ""));
    assert!(many.contains("holds no element"), "{many}");
    let few = error(&cantilever("way = \"segments\"\nsegments = 1", ends, ""));
    assert!(few.contains("from 2 to 200"), "{few}");
    let modes = error(&cantilever("way = \"segments\"\neta = [1]", ends, ""));
    assert!(modes.contains("only for the way `floating-frame`"), "{modes}");
    let unknown = error(&cantilever("way = \"beads\"", ends, ""));
    assert!(unknown.contains("way"), "{unknown}");
    let average = error(&cantilever("way = \"quasi-static\"\ninterface = \"average\"", ends, ""));
    assert!(average.contains("make them rigid"), "{average}");
    let bare = cantilever("way = \"segments\"", ends, "").replace("on = \"tube.distal\"", "on = \"tube\"");
    assert!(error(&bare).contains("attach to one of its nodes"));
    let beam =
        cantilever("way = \"segments\"", ends, "").replace("kind = \"bone\"\nbone = \"tube\"", "kind = \"beam\"");
    assert!(error(&beam).contains("way"), "{}", error(&beam));
}
