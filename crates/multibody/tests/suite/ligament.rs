//! Ligaments: the three parts of the law join, energy is what the tension does, points on the way are pulled, nonsense is refused.

use crate::fixtures::*;
use wolff_multibody::force::{Ligament, LigamentLaw};
use wolff_multibody::{Baumgarte, ForceElement, Frame, Model, System};
use wolff_spatial::{Pose, Vec3};

const LAW: LigamentLaw = LigamentLaw { stiffness: 2000.0, transition_strain: 0.06, damping: 0.0 };

fn frame(body: usize, p: Vec3) -> Frame {
    Frame { body, X_BF: Pose::translation(p) }
}

/// Origin in one tree, a point on the way, insertion in the other tree.
fn path() -> Vec<Frame> {
    vec![frame(3, Vec3::new(0.1, 0.2, 0.0)), frame(6, Vec3::new(0.3, -0.1, 0.2)), frame(9, Vec3::new(-0.2, 0.0, 0.3))]
}

/// The ligament at a strain that it has in the state used throughout.
fn strained(model: &Model, law: LigamentLaw, strain: f64) -> Ligament {
    let mut system = System::new(model);
    let (q, v) = state(model, 0.4);
    system.update_kinematics(&q, &v);
    Ligament::from_reference_strain("ligament", path(), law, strain, &system.instant(0.0, &q, &v, None)).unwrap()
}

/// Values by hand, one in each part.
#[test]
fn slack_toe_and_straight() {
    assert_eq!(LAW.spring_force(-0.1), 0.0);
    assert!((LAW.spring_force(0.03) - 2000.0 * 0.0009 / 0.12).abs() < 1e-12);
    assert!((LAW.spring_force(0.1) - 2000.0 * 0.07).abs() < 1e-12);
    // value and slope join at both ends of the toe
    for strain in [0.0, 0.06] {
        let h = 1e-7;
        let (low, mid, high) = (LAW.spring_force(strain - h), LAW.spring_force(strain), LAW.spring_force(strain + h));
        let bend = (high - 2.0 * mid + low) / h;
        assert!(bend.abs() < 2.0 * LAW.stiffness * h / LAW.transition_strain + 1e-5, "{strain}: {bend}");
    }
    let without_toe = LigamentLaw { transition_strain: 0.0, ..LAW };
    assert_eq!(without_toe.spring_force(0.02), 40.0);
}

/// Damping comes in over the first percent of strain: 0.0, 0.1035..., 0.5, 1 at 0, 0.25, 0.5, 1 percent.
#[test]
fn damping_only_while_taut_and_lengthening() {
    let law = LigamentLaw { damping: 3.0, ..LAW };
    assert_eq!(law.damping_force(-0.01, 2.0), 0.0);
    assert_eq!(law.damping_force(0.02, -2.0), 0.0);
    assert_eq!(law.damping_force(0.02, 2.0), 6.0);
    assert!((law.damping_force(0.005, 2.0) - 3.0).abs() < 1e-12, "half way in at half a percent");
    assert!((law.damping_force(0.0025, 2.0) - 6.0 * 0.103515625).abs() < 1e-12);
}

/// The rate of the whole energy is what the damper takes, in every part of the law.
#[test]
fn energy_changes_by_what_damping_takes() {
    for (strain, damping) in [(-0.05, 40.0), (0.004, 40.0), (0.03, 0.0), (0.03, 40.0), (0.4, 0.0), (0.4, 40.0)] {
        let mut model = zoo();
        let ligament = strained(&model, LigamentLaw { damping, ..LAW }, strain);
        model.add_force(Box::new(ligament.clone())).unwrap();
        let mut system = System::new(&model);
        // run the motion the other way where the ligament would shorten, so that damping is at work
        let (q, mut v) = state(&model, 0.4);
        system.update_kinematics(&q, &v);
        if ligament.lengthening_speed(&system.instant(0.0, &q, &v, None)) < 0.0 {
            v.iter_mut().for_each(|v| *v = -*v);
        }
        let mut acceleration = vec![0.0; model.nv()];
        system.accelerations(0.0, &q, &v, Baumgarte::NONE, &mut acceleration).unwrap();
        let at = system.instant(0.0, &q, &v, None);
        let law = ligament.law();
        let taken = law.damping_force(strain, ligament.strain_rate(&at)) * ligament.lengthening_speed(&at);
        assert_eq!(taken > 0.0, damping > 0.0 && strain > 0.0);
        let h = 1e-6;
        let mut energy = |h: f64| {
            let v: Vec<f64> = v.iter().zip(&acceleration).map(|(v, a)| v + h * a).collect();
            let q = moved(&model, &q, &v, h);
            system.update_kinematics(&q, &v);
            let (kinetic, potential) = system.energy(0.0, &q, &v);
            kinetic + potential
        };
        let change = (energy(h) - energy(-h)) / (2.0 * h);
        // central differences of an energy of some 100 J in steps of 1e-6 s
        assert!((change + taken).abs() < 1e-4 * (1.0 + taken), "{strain} {damping}: {change} {taken}");
    }
}

/// The slope of the energy over the length is the tension; the lengthening speed is the rate of the length.
#[test]
fn derivatives() {
    let model = zoo();
    let (q, v) = state(&model, 0.4);
    let mut system = System::new(&model);
    for strain in [0.03, 0.4] {
        let ligament = strained(&model, LAW, strain);
        let mut at = |h: f64| {
            let q = moved(&model, &q, &v, h);
            system.update_kinematics(&q, &v);
            let at = system.instant(0.0, &q, &v, None);
            (
                ligament.length(&at),
                ligament.potential_energy(&at),
                ligament.tension(&at),
                ligament.lengthening_speed(&at),
            )
        };
        let h = 1e-5;
        let ((l0, e0, ..), (_, _, tension, speed), (l1, e1, ..)) = (at(-h), at(0.0), at(h));
        assert!(speed.abs() > 0.1 && tension > 1.0);
        assert!(((l1 - l0) / (2.0 * h) - speed).abs() < 1e-8 * (1.0 + speed.abs()));
        assert!(((e1 - e0) / (l1 - l0) - tension).abs() < 1e-6 * tension, "{strain}");
    }
}

/// A point on the way on the line between the ends changes nothing; one beside it lengthens the path.
#[test]
fn points_on_the_way() {
    let model = zoo();
    let mut system = System::new(&model);
    let (q, v) = state(&model, 0.4);
    system.update_kinematics(&q, &v);
    let at = system.instant(0.0, &q, &v, None);
    let (a, b) = (frame(0, Vec3::zeros()), frame(0, Vec3::new(0.3, 0.0, 0.4)));
    let length = |points: Vec<Frame>| Ligament::new("l", points, LAW, 0.4).unwrap().length(&at);
    assert!((length(vec![a, b]) - 0.5).abs() < 1e-15);
    assert!((length(vec![a, frame(0, Vec3::new(0.15, 0.0, 0.2)), b]) - 0.5).abs() < 1e-15);
    assert!((length(vec![a, frame(0, Vec3::new(0.3, 0.0, 0.0)), b]) - 0.7).abs() < 1e-15);
    let taut = Ligament::new("l", vec![a, a, b], LAW, 0.4).unwrap();
    assert_eq!(taut.tension(&at), 2000.0 * (taut.strain(&at) - 0.03));
    assert_eq!(taut.lengthening_speed(&at), 0.0);
}

#[test]
fn nonsense_is_refused() {
    let refused = |points: Vec<Frame>, law: LigamentLaw, slack: f64| {
        Ligament::new("acl", points, law, slack).unwrap_err().to_string()
    };
    assert_eq!(refused(path()[..1].to_vec(), LAW, 0.1), "acl: 1 points, a ligament needs two or more");
    for slack in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(refused(path(), LAW, slack).contains("slack length"));
    }
    assert!(refused(path(), LigamentLaw { stiffness: f64::NAN, ..LAW }, 0.1).contains("stiffness"));
    assert!(refused(path(), LigamentLaw { transition_strain: -0.1, ..LAW }, 0.1).contains("transition strain"));
    assert!(refused(path(), LigamentLaw { damping: -1.0, ..LAW }, 0.1).contains("damping"));
    let model = zoo();
    let mut system = System::new(&model);
    system.update_kinematics(&model.q0, &model.v0);
    let at = system.instant(0.0, &model.q0, &model.v0, None);
    for strain in [-1.0, f64::NAN] {
        let error = Ligament::from_reference_strain("acl", path(), LAW, strain, &at).unwrap_err();
        assert!(error.to_string().contains("reference strain"));
    }
}
