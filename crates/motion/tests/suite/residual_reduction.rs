//! Residuals that are known: of a block under a known force, and of a recorded walk beside OpenSim's own reduction.

use crate::data::records;
use wolff_formats::osim;
use wolff_formats::sto::Storage;
use wolff_formats::trial::{ForcePlate, GroundWrench};
use wolff_motion::recording::read_storage;
use wolff_motion::residual_reduction::Correction;
use wolff_motion::{
    Accelerations, CoordinateHistory, ExternalLoad, ReductionOptions, ReductionScales, ResidualReduction,
    external_loads, inverse_dynamics, reduce_residuals,
};
use wolff_opensim::{OpensimModel, convert};

const BLOCK: &str = r#"<OpenSimDocument Version="40000"><Model name="block"><gravity>0 -10 0</gravity>
<BodySet><objects><Body name="block"><mass>50</mass><mass_center>0.1 0 0</mass_center><inertia>2 3 4 0 0 0</inertia></Body></objects></BodySet>
<JointSet><objects><PlanarJoint name="floor"><socket_parent_frame>/ground</socket_parent_frame><socket_child_frame>/bodyset/block</socket_child_frame>
<coordinates><Coordinate name="turn"/><Coordinate name="x"/><Coordinate name="y"/></coordinates></PlanarJoint></objects></JointSet></Model></OpenSimDocument>"#;

/// Instants [s].
fn times() -> Vec<f64> {
    (0..=200).map(|i| 0.01 * f64::from(i)).collect()
}

/// A block of `mass` kg with its centre where the file says, held by a force that lets its origin go up and down by
/// `0.02 sin(2π t)` without turning; `lever` [m] is where the force passes.
fn held_block(mass: f64, lever: f64) -> (OpensimModel, Vec<ExternalLoad>) {
    let opensim = convert(&osim::read(BLOCK.as_bytes()).unwrap()).unwrap();
    let model = opensim.build().unwrap();
    let w = 2.0 * std::f64::consts::PI;
    let sample = |t: f64| {
        let force = [0.0, mass * (10.0 - 0.02 * w * w * (w * t).sin()), 0.0];
        Some(GroundWrench { force, point: Some([lever, 0.0, 0.0]), moment: [0.0; 3] })
    };
    let plate = ForcePlate { name: "plate".into(), corners: None, samples: times().into_iter().map(sample).collect() };
    let load = ExternalLoad::from_plate("push", "block", &times(), &plate, &model).unwrap();
    (opensim, vec![load])
}

/// The block's motion with an error of its height [m].
fn motion(opensim: &OpensimModel, error: impl Fn(f64) -> f64) -> CoordinateHistory {
    let w = 2.0 * std::f64::consts::PI;
    let height = times().iter().map(|t| 0.02 * (w * t).sin() + error(*t)).collect();
    let model = opensim.build().unwrap();
    CoordinateHistory::from_samples(&times(), &[("y".into(), height)], &model, Accelerations::default()).unwrap()
}

fn reduced(
    loads: &[ExternalLoad],
    opensim: &OpensimModel,
    error: f64,
    options: &ReductionOptions,
) -> ResidualReduction {
    let history = motion(opensim, |t| error * (9.0 * t).sin());
    reduce_residuals(opensim, loads, &history, [0.0, 2.0], options, &mut |_| ()).unwrap()
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
    let (opensim, loads) = held_block(50.0, 0.1);
    let found = reduced(&loads, &opensim, 5e-3, &ReductionOptions::default());
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
    let (opensim, loads) = held_block(50.0, 0.13);
    let scales = ReductionScales { centre: 1.0, rotation: 1e-4, translation: 1e-4, ..ReductionScales::default() };
    let options = ReductionOptions { body: Some("block".into()), scales, ..ReductionOptions::default() };
    let found = reduced(&loads, &opensim, 0.0, &options);
    // scales of a metre and of a tenth of a millimetre: the shift explains all but a thousandth
    assert!((found.centre_shift[0] - 0.03).abs() < 1e-4, "{:?}", found.centre_shift);
    let turn = found.residuals.iter().find(|r| r.coordinate == "turn").unwrap();
    assert!(turn.rms[0] > 14.0 && turn.rms[1] < 0.05, "{turn:?}");
}

#[test]
fn a_wrong_mass_is_recommended_or_changed() {
    let (opensim, loads) = held_block(51.0, 0.1);
    let stiff = ReductionScales { rotation: 1e-6, translation: 1e-6, mass: 1.0, ..ReductionScales::default() };
    let recommend = ReductionOptions { scales: stiff, ..ReductionOptions::default() };
    let found = reduced(&loads, &opensim, 0.0, &recommend);
    assert!((found.recommended_mass_change - 1.0).abs() < 1e-3, "{}", found.recommended_mass_change);
    assert_eq!(found.mass, [50.0, 50.0]);
    let found = reduced(&loads, &opensim, 0.0, &ReductionOptions { masses: true, ..recommend });
    assert!((found.mass[1] - 51.0).abs() < 1e-3 && found.recommended_mass_change.abs() < 1e-3, "{:?}", found.mass);
}

/// Whoever waits sees the work go on: from nothing to all, never back, and never far at once.
#[test]
fn progress_is_told_from_beginning_to_end() {
    let (opensim, loads) = held_block(50.0, 0.1);
    let history = motion(&opensim, |t| 0.01 * (9.0 * t).sin());
    let mut told = Vec::new();
    let options = ReductionOptions::default();
    reduce_residuals(&opensim, &loads, &history, [0.0, 2.0], &options, &mut |share| told.push(share)).unwrap();
    assert_eq!((told[0], told[told.len() - 1]), (0.0, 1.0));
    assert!(told.is_sorted());
    // two steps at least; the first fills half of the bar, an instant at a time, and the last leaves a quarter or less
    assert!(told.windows(2).all(|w| w[1] - w[0] <= 0.25), "{told:?}");
}

#[test]
fn unknown_names_are_refused() {
    let (opensim, loads) = held_block(50.0, 0.1);
    let history = motion(&opensim, |_| 0.0);
    let refused = |options: ReductionOptions| {
        reduce_residuals(&opensim, &loads, &history, [0.0, 2.0], &options, &mut |_| ()).unwrap_err().to_string()
    };
    let body = ReductionOptions { body: Some("torso".into()), ..ReductionOptions::default() };
    assert!(refused(body).contains("torso"));
    let coordinate = ReductionOptions { coordinates: vec!["knee".into()], ..ReductionOptions::default() };
    assert!(refused(coordinate).contains("knee"));
    let outside = reduce_residuals(&opensim, &loads, &history, [5.0, 6.0], &ReductionOptions::default(), &mut |_| ());
    assert!(outside.is_err());
}

/// A zero scale would divide by zero, and a long range with close knots would fill the memory.
#[test]
fn impossible_options_are_refused() {
    let (opensim, loads) = held_block(50.0, 0.1);
    let history = motion(&opensim, |_| 0.0);
    let refused = |options: &ReductionOptions| {
        reduce_residuals(&opensim, &loads, &history, [0.0, 2.0], options, &mut |_| ()).unwrap_err().to_string()
    };
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let scales = ReductionScales { rotation: bad, ..ReductionScales::default() };
        let message = refused(&ReductionOptions { scales, ..ReductionOptions::default() });
        assert!(message.contains("`rotation`"), "{message}");
    }
    let message = refused(&ReductionOptions { knots: 5e-4, ..ReductionOptions::default() });
    assert!(message.contains("12013 unknowns"), "{message}");
}

/// Root mean squares that OpenSim's residual reduction of the same walk leaves between 0.5 and 2 s, in the order of the file: moments of tilt,
/// list and rotation [N m], forces [N]. Computed here from its recorded motion and model.
fn left_by_opensim(root: &[String]) -> Vec<f64> {
    let walk = crate::walks::gait1992(Accelerations::SecondDerivative).unwrap().1;
    let times = walk.history.times_within([0.5, 2.0], 1);
    let forces = inverse_dynamics(&walk.model, &walk.history, &times, |_| {}).unwrap();
    let rms = |x: Vec<f64>| (x.iter().map(|x| x * x).sum::<f64>() / x.len() as f64).sqrt();
    root.iter().map(|name| rms(forces.column(name).unwrap())).collect()
}

#[test]
fn less_is_left_of_a_walk_than_by_opensim() {
    let Some(records) = records("gait1992-pipeline") else { return };
    let subject = records.subject("gait1992-pipeline/scale/model_scaled.osim").unwrap();
    let file = "gait1992-pipeline/inverse_kinematics/task_InverseKinematics.mot";
    let motion: Storage = records.storage(file).unwrap();
    let (opensim, model) = (&subject.converted, &subject.model);
    let history =
        CoordinateHistory::from_storage(&motion, opensim, model, Some(6.0), Accelerations::SecondDerivative).unwrap();
    let setup = records.setup("gait1992-pipeline/experimental_data/setup_grf.xml", |setup| match setup {
        wolff_formats::setup::Setup::ExternalLoads(loads) => Some(loads),
        _ => None,
    });
    let setup = setup.unwrap();
    let loads = external_loads(&setup, &read_storage(setup.data_file.as_ref().unwrap()).unwrap(), model).unwrap();
    let lumbar = ["lumbar_extension", "lumbar_bending", "lumbar_rotation"].map(String::from).to_vec();
    let options = ReductionOptions { coordinates: lumbar, body: Some("torso".into()), ..ReductionOptions::default() };
    let found = reduce_residuals(opensim, &loads, &history, [0.5, 2.0], &options, &mut |_| ()).unwrap();
    let names: Vec<String> = found.residuals.iter().map(|r| r.coordinate.clone()).collect();
    for (r, theirs) in found.residuals.iter().zip(left_by_opensim(&names)) {
        assert!(r.rms[1] <= theirs, "{}: {} where OpenSim leaves {theirs}", r.coordinate, r.rms[1]);
    }
    for change in &found.changes {
        // OpenSim moves the pelvis by 18 mm root mean square and turns the back by 1.1 degrees
        let most = if change.turns { 1.1_f64.to_radians() } else { 0.018 };
        assert!(change.rms <= most, "{change:?}");
    }
}
