//! Residuals that are known: of a block under a known force.

use wolff_formats::trial::{ForcePlate, GroundWrench};
use wolff_motion::residual_reduction::Correction;
use wolff_motion::{
    Accelerations, CoordinateHistory, ExternalLoad, ReductionOptions, ReductionScales, ResidualReduction, Subject,
    reduce_residuals,
};
use wolff_multibody::Model;
use wolff_multibody::spec::{BodySpec, FrameSpec, GROUND, JointKind, JointSpec, ModelSpec};
use wolff_spatial::{MassProperties, Mat3, Vec3};

/// A block of 50 kg that moves in a plane, its centre of mass 0.1 m beside its origin.
fn block() -> Model {
    let inertia = Mat3::from_diagonal(&Vec3::new(2.0, 3.0, 4.0));
    let mass = MassProperties::new(50.0, Vec3::new(0.1, 0.0, 0.0), inertia).unwrap();
    let floor = JointSpec {
        name: "floor".into(),
        parent: FrameSpec::at(GROUND, Vec3::zeros()),
        child: FrameSpec::at("block", Vec3::zeros()),
        kind: JointKind::Planar,
        coordinates: ["x", "y", "turn"].map(String::from).to_vec(),
        q0: vec![],
        v0: vec![],
    };
    let spec = ModelSpec {
        name: "block".into(),
        gravity: Vec3::new(0.0, -10.0, 0.0),
        bodies: vec![BodySpec::rigid("block", mass)],
        joints: vec![floor],
        constraints: vec![],
    };
    Model::build(&spec).unwrap()
}

/// Instants [s].
fn times() -> Vec<f64> {
    (0..=200).map(|i| 0.01 * f64::from(i)).collect()
}

/// A block of `mass` kg with its centre where the file says, held by a force that lets its origin go up and down by
/// `0.02 sin(2π t)` without turning; `lever` [m] is where the force passes.
fn held_block(mass: f64, lever: f64) -> Subject {
    let mut model = block();
    let w = 2.0 * std::f64::consts::PI;
    let sample = |t: f64| {
        let force = [0.0, mass * (10.0 - 0.02 * w * w * (w * t).sin()), 0.0];
        Some(GroundWrench { force, point: Some([lever, 0.0, 0.0]), moment: [0.0; 3] })
    };
    let plate = ForcePlate { name: "plate".into(), corners: None, samples: times().into_iter().map(sample).collect() };
    let load = ExternalLoad::from_plate("push", "block", &times(), &plate, &model).unwrap();
    model.add_force(Box::new(load)).unwrap();
    Subject::new(model).unwrap()
}

/// The block's motion with an error of its height [m].
fn motion(subject: &Subject, error: impl Fn(f64) -> f64) -> CoordinateHistory {
    let w = 2.0 * std::f64::consts::PI;
    let height = times().iter().map(|t| 0.02 * (w * t).sin() + error(*t)).collect();
    CoordinateHistory::from_samples(&times(), &[("y".into(), height)], &subject.model, Accelerations::default())
        .unwrap()
}

fn reduced(subject: &Subject, error: f64, options: &ReductionOptions) -> ResidualReduction {
    let history = motion(subject, |t| error * (9.0 * t).sin());
    reduce_residuals(subject, &history, [0.0, 2.0], options, &mut |_| ()).unwrap()
}

#[test]
fn splines_add_up_to_one_and_have_their_derivatives() {
    let splines = Correction::new([0.3, 1.7], 0.11).unwrap();
    for t in [0.3, 0.41, 0.7777, 1.2, 1.7] {
        let weights = splines.weights(t);
        let sums = weights.orders.map(|order| order.iter().sum::<f64>());
        assert!((sums[0] - 1.0).abs() < 1e-14 && sums[1].abs() < 1e-12 && sums[2].abs() < 1e-10, "{sums:?} at {t} s");
        assert!(weights.first + 4 <= splines.count());
    }
    let coefficients: Vec<f64> = (0..splines.count()).map(|k| (1.3 * k as f64).sin()).collect();
    let h = 1e-5;
    let at = |t: f64| splines.weights(t).apply(&coefficients);
    let (behind, here, ahead) = (at(0.9 - h), at(0.9), at(0.9 + h));
    assert!((here[1] - (ahead[0] - behind[0]) / (2.0 * h)).abs() < 1e-6);
    assert!((here[2] - (ahead[1] - behind[1]) / (2.0 * h)).abs() < 1e-5);
}

#[test]
fn splines_without_length_are_refused() {
    for (range, spacing) in
        [([0.0, 0.0], 0.1), ([1.0, 0.0], 0.1), ([0.0, 1.0], 0.0), ([0.0, 1.0], f64::NAN), ([0.0, 1e9], 1e-3)]
    {
        assert!(Correction::new(range, spacing).is_err(), "{range:?} {spacing}");
    }
}

#[test]
fn an_error_of_the_motion_is_found() {
    let subject = held_block(50.0, 0.1);
    let found = reduced(&subject, 5e-3, &ReductionOptions::default());
    let height = found.residuals.iter().find(|r| r.coordinate == "y").unwrap();
    // an error of 5 mm at 9 rad/s asks for 50 kg · 5 mm · (9 rad/s)² = 20 N at most
    assert!((height.peak[0] - 20.25).abs() < 0.5, "{height:?}");
    assert!(height.rms[1] < 0.1 * height.rms[0], "{height:?}");
    let change = found.changes.iter().find(|c| c.coordinate == "y").unwrap();
    assert!(change.max > 3e-3 && change.max < 8e-3, "{change:?}");
}

#[test]
fn a_wrong_mass_centre_is_found() {
    // the force passes 3 cm beside the file's centre of mass, and the block does not turn
    let subject = held_block(50.0, 0.13);
    let scales = ReductionScales { centre: 1.0, rotation: 1e-4, translation: 1e-4, ..ReductionScales::default() };
    let options = ReductionOptions { body: Some("block".into()), scales, ..ReductionOptions::default() };
    let found = reduced(&subject, 0.0, &options);
    // scales of a metre and of a tenth of a millimetre: the shift explains all but a thousandth
    assert!((found.centre_shift[0] - 0.03).abs() < 1e-4, "{:?}", found.centre_shift);
    let turn = found.residuals.iter().find(|r| r.coordinate == "turn").unwrap();
    assert!(turn.rms[0] > 14.0 && turn.rms[1] < 0.05, "{turn:?}");
}

#[test]
fn a_wrong_mass_is_recommended_or_changed() {
    let subject = held_block(51.0, 0.1);
    let stiff = ReductionScales { rotation: 1e-6, translation: 1e-6, mass: 1.0, ..ReductionScales::default() };
    let recommend = ReductionOptions { scales: stiff, ..ReductionOptions::default() };
    let found = reduced(&subject, 0.0, &recommend);
    assert!((found.recommended_mass_change - 1.0).abs() < 1e-3, "{}", found.recommended_mass_change);
    assert_eq!(found.mass, [50.0, 50.0]);
    let found = reduced(&subject, 0.0, &ReductionOptions { masses: true, ..recommend });
    assert!((found.mass[1] - 51.0).abs() < 1e-3 && found.recommended_mass_change.abs() < 1e-3, "{:?}", found.mass);
}

/// Whoever waits sees the work go on: from nothing to all, never back, and never far at once.
#[test]
fn progress_is_told_from_beginning_to_end() {
    let subject = held_block(50.0, 0.1);
    let history = motion(&subject, |t| 0.01 * (9.0 * t).sin());
    let mut told = Vec::new();
    let options = ReductionOptions::default();
    reduce_residuals(&subject, &history, [0.0, 2.0], &options, &mut |share| told.push(share)).unwrap();
    assert_eq!((told[0], told[told.len() - 1]), (0.0, 1.0));
    assert!(told.is_sorted());
    // two steps at least; the first fills half of the bar, an instant at a time, and the last leaves a quarter or less
    assert!(told.windows(2).all(|w| w[1] - w[0] <= 0.25), "{told:?}");
}

#[test]
fn unknown_names_are_refused() {
    let subject = held_block(50.0, 0.1);
    let history = motion(&subject, |_| 0.0);
    let refused = |options: ReductionOptions| {
        reduce_residuals(&subject, &history, [0.0, 2.0], &options, &mut |_| ()).unwrap_err().to_string()
    };
    let body = ReductionOptions { body: Some("torso".into()), ..ReductionOptions::default() };
    assert!(refused(body).contains("torso"));
    let coordinate = ReductionOptions { coordinates: vec!["knee".into()], ..ReductionOptions::default() };
    assert!(refused(coordinate).contains("knee"));
    let outside = reduce_residuals(&subject, &history, [5.0, 6.0], &ReductionOptions::default(), &mut |_| ());
    assert!(outside.is_err());
}

/// A zero scale would divide by zero, and a long range with close knots would fill the memory.
#[test]
fn impossible_options_are_refused() {
    let subject = held_block(50.0, 0.1);
    let history = motion(&subject, |_| 0.0);
    let refused = |options: &ReductionOptions| {
        reduce_residuals(&subject, &history, [0.0, 2.0], options, &mut |_| ()).unwrap_err().to_string()
    };
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let scales = ReductionScales { rotation: bad, ..ReductionScales::default() };
        let message = refused(&ReductionOptions { scales, ..ReductionOptions::default() });
        assert!(message.contains("`rotation`"), "{message}");
    }
    let message = refused(&ReductionOptions { knots: 5e-4, ..ReductionOptions::default() });
    assert!(message.contains("12013 unknowns"), "{message}");
}
