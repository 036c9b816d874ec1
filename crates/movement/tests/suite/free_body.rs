//! The free body of a walk: equations of motion, joint reactions, loads on bones and sections.

use crate::simulate::plan;
use std::sync::OnceLock;
use wolff_movement::bones::BoneName;
use wolff_movement::loads::{FreeBody, Group};
use wolff_movement::simulate::{MovementResult, simulate_movement};
use wolff_multibody::Kinematics;
use wolff_spatial::Vec3;

/// What rounding leaves of forces of some thousand newton [N, N m].
const CLOSED: f64 = 1e-6;

fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, |most, x| most.max(x.abs()))
}

fn walked(bones: &[BoneName], prescribed: bool) -> MovementResult {
    let mut plan = plan(1);
    plan.step = 1e-3;
    plan.bones.bones = bones.to_vec();
    plan.prescribed = prescribed;
    simulate_movement(&plan, &mut |_, _| true).unwrap()
}

/// A driven stride with a tibia that bends.
fn bending() -> &'static MovementResult {
    static WALK: OnceLock<MovementResult> = OnceLock::new();
    WALK.get_or_init(|| walked(&[BoneName::TibiaRight], false))
}

/// The forces of the record, put on the model again, are those of the equations that the drive solved.
#[test]
fn the_equations_of_a_driven_walk_close() {
    for done in [&walked(&[], false), bending()] {
        assert_eq!(done.loads.residual.len(), done.record.times.len());
        let joints = largest(done.loads.residual.iter().copied());
        let modes = largest(done.loads.modal_residual.iter().copied());
        println!("{} bones: {joints:.1e} N or N m, modes {modes:.1e}", done.bones.len());
        assert!(joints < CLOSED && modes < 1e-9, "{joints} {modes}");
    }
}

/// The foot on its own, by Newton's law in ground axes: ankle, toes and muscles carry what floor, weight and acceleration leave. A rigid person, whose
/// foot and toes move as their coordinates tell.
#[test]
fn the_ankle_carries_the_free_body_of_the_foot() {
    let done = walked(&[], false);
    let model = &done.muscled.model;
    let bodies = ["foot_r", "toes_r"].map(|name| model.body_index(name).unwrap());
    let ankle = done.loads.joint("ankle_r").unwrap();
    let mut kin = Kinematics::new(model);
    let mut momentum = |q: &[f64], v: &[f64]| {
        kin.update(model, q, v);
        let body = |b: usize| {
            let com = kin.bodies[b].X_GB.point(&model.bodies()[b].mass.com);
            kin.point_velocity(b, &com) * model.bodies()[b].mass.mass
        };
        bodies.into_iter().map(body).sum::<Vec3>()
    };
    let mass: f64 = bodies.iter().map(|b| model.bodies()[*b].mass.mass).sum();
    let mut worst = 0.0_f64;
    for i in (0..done.record.times.len()).step_by(7) {
        let r = &done.record;
        // along the acceleration of the step for a moment short enough: q* + s v, v + s a
        let s = 1e-6;
        let ahead = |sign: f64| {
            let q: Vec<f64> = (0..model.nv())
                .map(|k| r.predicted[i][model.position_of_speed(k).unwrap()] + sign * s * r.start[i][k])
                .collect();
            let v: Vec<f64> = (0..model.nv()).map(|k| r.start[i][k] + sign * s * r.a[i][k]).collect();
            (q, v)
        };
        let [(q1, v1), (q0, v0)] = [ahead(1.0), ahead(-1.0)];
        let rate = (momentum(&q1, &v1) - momentum(&q0, &v0)) / (2.0 * s);
        let mut force = r.ground[i][0].force + model.gravity * mass + ankle.samples[i].force_G - rate;
        let mut kin = Kinematics::new(model);
        kin.update(model, &r.predicted[i], &r.start[i]);
        let at = wolff_multibody::Instant {
            t: r.times[i],
            model,
            kin: &kin,
            q: &r.predicted[i],
            v: &r.start[i],
            approach_speed: None,
        };
        for (path, tension) in done.muscled.paths.iter().zip(&r.tensions[i]) {
            for (a, b, u) in path.solve(&at, None).straight_parts() {
                force += u * (*tension * f64::from(i8::from(bodies.contains(&a.body))));
                force -= u * (*tension * f64::from(i8::from(bodies.contains(&b.body))));
            }
        }
        worst = worst.max(force.norm());
    }
    println!("free body of the foot: {worst:.1e} N");
    assert!(worst < 1e-2, "{worst} N");
}

/// Loads on the bone: every muscle pulls with its tension, and no load is missing on any of its nodes.
#[test]
fn loads_on_the_bone_are_complete() {
    let done = bending();
    let bone = done.loads.bone("shank_r").unwrap();
    let muscle = |name: &str| done.muscles.muscles.iter().position(|m| m.name == name).unwrap();
    let (soleus, ends) = (muscle("soleus_r"), |sample: &wolff_movement::loads::BoneSample| {
        let points = sample.loads.iter().filter(|l| l.load.name.starts_with("soleus_r_"));
        points.map(|l| l.load.force.norm()).sum::<f64>()
    });
    let joints = ["shank_r_joint", "foot_r_joint"];
    for (i, sample) in bone.samples.iter().enumerate() {
        assert!(joints.iter().zip(&sample.loads).all(|(name, load)| load.load.name == *name));
        // soleus begins on the shank and leaves it at once
        let tension = done.record.tensions[i][soleus];
        assert!((ends(sample) - tension).abs() < 1e-9 * (1.0 + tension), "{} {tension}", ends(sample));
        let sum = sample.loads.iter().map(|l| l.load.force).sum::<Vec3>();
        // modes carry no momentum: mass times acceleration of the mass centre is what a rigid segment takes, to second order
        let (m, i) = (&sample.motion, &done.bones[0].bone.body.inertia);
        let (w, s) = (m.angular_velocity, i.first);
        let needed = m.felt * i.mass + m.angular_acceleration.cross(&s) + w.cross(&w.cross(&s));
        assert!((sum - needed).norm() < 1e-6, "{} N", (sum - needed).norm());
    }
}

/// Both sides of a cut tell the same: what is left out is of second order in the bending.
#[test]
fn section_loads_from_both_sides() {
    let done = bending();
    let bone = done.loads.bone("shank_r").unwrap();
    let knee = done.loads.joint("knee_r").unwrap();
    for section in &bone.sections {
        let [force, moment] = [0, 1].map(|k| largest(section.two_ways.iter().map(|apart| apart[k])));
        let size = largest(section.distal.iter().map(|load| load.force.norm()));
        println!("{}: {force:.1e} N, {moment:.1e} N m of {size:.0} N", section.fraction);
        assert!(force < 1e-8 * size && moment < 0.02, "{force} N, {moment} N m");
    }
    // compression in stance, of the size of the knee's force and soleus, which begins above
    let middle = &bone.sections[1];
    let compression = middle.distal.iter().map(|load| -load.force.y).fold(0.0, f64::max);
    let contact = largest(knee.samples.iter().map(|load| load.force.norm()));
    assert!(compression > 0.5 * contact && compression < 1.8 * contact, "{compression} {contact}");
}

/// A prescribed walk has the joint forces of inverse dynamics: what is left over at a joint is what the reserves of static optimisation carry, and what
/// tracks of the reference lose between their samples.
#[test]
fn a_prescribed_walk_closes_but_for_reserves() {
    const BETWEEN_SAMPLES: f64 = 0.05;
    let done = walked(&[], true);
    let names = done.muscled.model.coordinate_names();
    let mut body = FreeBody::new(&done.muscled, &done.controllers, &done.record).unwrap();
    let mut left_over = 0.0_f64;
    for i in 0..done.record.times.len() {
        body.at(i);
        let joints = body.missing().iter().zip(names).filter(|(_, name)| !name.starts_with("pelvis"));
        left_over = left_over.max(largest(joints.map(|(r, _)| *r)));
    }
    let reserve = done.reference.report.reserve_peak;
    println!("prescribed: {left_over:.2e} N m left over, reserves {reserve:.2e} N m");
    assert!(left_over < reserve + BETWEEN_SAMPLES, "{left_over} {reserve}");
    let driven = walked(&[], false);
    let peak =
        |walk: &MovementResult| largest(walk.loads.joint("hip_r").unwrap().samples.iter().map(|l| l.force.norm()));
    let ratio = peak(&driven) / peak(&done);
    assert!((0.7..1.4).contains(&ratio), "hip {} N driven, {} N prescribed", peak(&driven), peak(&done));
}

#[test]
fn muscles_are_found_by_any_models_names() {
    for name in ["soleus_r", "med_gas_r", "gaslat_r", "recfem_r", "vas_int_r", "vaslat_r", "bifemlh_r", "glmax2_r"] {
        let groups = Group::ALL.iter().filter(|group| group.has(name, "r")).count();
        assert_eq!(groups, 1, "{name}");
    }
    assert!(Group::TibialisAnterior.has("tib_ant_l", "l") && Group::TibialisAnterior.has("tibant_l", "l"));
    for (name, side) in [("soleus_l", "r"), ("tib_post_r", "r"), ("addmagIsch_r", "r"), ("soleus", "r")] {
        assert!(!Group::ALL.iter().any(|group| group.has(name, side)), "{name}");
    }
}
