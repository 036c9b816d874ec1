//! Section loads of a walking tibia against an independent bookkeeping, and both ways of the cut against each other.

use crate::gait::{Gait, SHANK, numbers, reference};
use wolff_bone::section::{MassAlong, PointLoad, SectionLoad, SegmentMotion, Way, section_load};
use wolff_multibody::System;
use wolff_spatial::{MassProperties, Mat3, Vec3};

/// The shank of the recorded person.
pub fn shank() -> MassProperties {
    let inertia = Mat3::from_diagonal(&Vec3::new(0.04756937, 0.00481357, 0.04823005));
    MassProperties::new(3.5810008966987126, Vec3::new(0.0, -0.18455724, 0.0), inertia).unwrap()
}

fn components(load: &SectionLoad) -> [f64; 6] {
    let (f, m) = (load.force, load.moment);
    [f.x, f.y, f.z, m.x, m.y, m.z]
}

/// Reactions and accelerations are our own, muscle tensions those of the file. Allowed is what follows from another
/// interpolation of the recorded motion (0.07 N and 0.014 N m between two splines) and of the ground force between
/// its rows.
#[test]
fn sections_of_a_walk_agree_with_independent_bookkeeping() {
    const FORCE: f64 = 3.0;
    const MOMENT: f64 = 0.3;
    const TWO_WAYS: f64 = 1e-8;
    let (Some(gait), Some(data)) = (Gait::new(), reference("12_tibia_section_loads.json")) else { return };
    let mass = MassAlong::new(&gait.model.bodies()[gait.model.body_index("tibia_r").unwrap()].mass, SHANK).unwrap();
    let mut system = System::new(&gait.model);
    let (mut off_force, mut off_moment, mut apart) = (0.0_f64, 0.0_f64, 0.0_f64);
    for (row, t) in numbers(&data["time"]).into_iter().enumerate() {
        let state = gait.segment(&mut system, "tibia_r", t);
        for fraction in ["0.25", "0.50", "0.75"] {
            let point = Vec3::new(0.0, -fraction.parse::<f64>().unwrap() * SHANK, 0.0);
            let [distal, proximal] = [Way::Distal, Way::Proximal]
                .map(|way| components(&section_load(&point, &state.loads, &state.motion, &mass, way)));
            let expected = numbers(&data["sections"][fraction]["distal"][row]);
            for k in 0..6 {
                let off = if k < 3 { &mut off_force } else { &mut off_moment };
                *off = off.max((distal[k] - expected[k]).abs());
                apart = apart.max((distal[k] - proximal[k]).abs());
            }
        }
    }
    println!("section loads: {off_force:.3} N, {off_moment:.4} N m; two ways {apart:.1e}");
    assert!(off_force < FORCE && off_moment < MOMENT && apart < TWO_WAYS);
}

/// The density of the reference, from mass, mass centre and inertia alone; parts add up to the rigid body.
#[test]
fn mass_along_a_segment_adds_up_to_the_rigid_body() {
    let mass = MassAlong::new(&shank(), SHANK).unwrap();
    for (c, expected) in mass.density.iter().zip([9.55505848, 15.34867982, -72.93362038]) {
        assert!((c - expected).abs() < 1e-5 * expected.abs(), "{c} {expected}");
    }
    let leaning = MassProperties::new(
        3.2,
        Vec3::new(0.011, -0.19, -0.007),
        Mat3::new(0.048, 0.0021, 0.0003, 0.0021, 0.006, -0.0013, 0.0003, -0.0013, 0.050),
    )
    .unwrap();
    let mass = MassAlong::new(&leaning, 0.41).unwrap();
    let (a, b) = (mass.part(0.0, 0.13), mass.part(0.13, 0.41));
    let c = leaning.com;
    let second = Mat3::identity() * (0.5 * leaning.inertia.trace()) - leaning.inertia + c * c.transpose() * 3.2;
    assert!((a.mass + b.mass - 3.2).abs() < 1e-12);
    assert!((a.first + b.first - c * 3.2).amax() < 1e-12);
    assert!((a.second + b.second - second).amax() < 1e-12);
    assert!(MassAlong::new(&leaning, f64::NAN).is_err());
}

/// A segment that turns freely about a fixed point under a force: whatever the loads, a balanced segment gives the
/// same both ways.
#[test]
fn a_balanced_segment_has_one_section_load() {
    let body = shank();
    let mass = MassAlong::new(&body, SHANK).unwrap();
    let motion = SegmentMotion {
        felt: Vec3::new(3.0, 11.0, -1.5),
        angular_velocity: Vec3::new(0.4, -1.1, 5.0),
        angular_acceleration: Vec3::new(12.0, -7.0, 60.0),
    };
    let point = |x: f64, y: f64, z: f64| Vec3::new(x, y, z);
    let mut loads = vec![
        PointLoad {
            name: "ankle".into(),
            point: point(0.0, -SHANK, 0.0),
            force: point(-60.0, 3300.0, 40.0),
            moment: point(11.0, 4.0, 0.0),
        },
        PointLoad {
            name: "soleus".into(),
            point: point(-0.002, -0.15, 0.007),
            force: point(80.0, -1700.0, 20.0),
            moment: Vec3::zeros(),
        },
    ];
    // the knee holds the balance
    let inertia =
        body.inertia + (Mat3::identity() * body.com.norm_squared() - body.com * body.com.transpose()) * body.mass;
    let (w, alpha, s) = (motion.angular_velocity, motion.angular_acceleration, body.com * body.mass);
    let mut force = motion.felt * body.mass + alpha.cross(&s) + w.cross(&w.cross(&s));
    let mut moment = s.cross(&motion.felt) + inertia * alpha + w.cross(&(inertia * w));
    for load in &loads {
        force -= load.force;
        moment -= load.moment + load.point.cross(&load.force);
    }
    loads.push(PointLoad { name: "knee".into(), point: Vec3::zeros(), force, moment });
    for fraction in [0.1, 0.35, 0.5, 0.9] {
        let cut = point(0.004, -fraction * SHANK, -0.002);
        let [a, b] = [Way::Distal, Way::Proximal].map(|way| section_load(&cut, &loads, &motion, &mass, way));
        assert!((a.force - b.force).amax() < 1e-11 && (a.moment - b.moment).amax() < 1e-11);
        let moved = a.about(Vec3::zeros());
        assert!((moved.moment - (a.moment + cut.cross(&a.force))).amax() < 1e-12);
    }
}
