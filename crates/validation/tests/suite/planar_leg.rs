//! A leg in a plane: against a record and against rigid bodies.

use crate::data::records;
use wolff_formats::trial::{ForcePlate, GroundWrench};
use wolff_motion::planar_leg::{PlanarLoad, TRUNK, planar_inverse_dynamics, winter_leg};
use wolff_motion::{Accelerations, CoordinateHistory, ExternalLoad, inverse_dynamics};
use wolff_numerics::Derivatives;
use wolff_validation::planar_leg::{LegTrial, leg_differences, recorded_leg, rigid_leg, rows};
use wolff_validation::table::table;

/// Digits of the record: ten, of numbers up to 12.
const LAST_DIGIT: f64 = 1e-8;

#[test]
fn a_recorded_leg_comes_out_to_its_last_digit() {
    let Some(records) = records("gait2d-invdyn") else { return };
    let found = LegTrial::read(&records).unwrap().solve(&recorded_leg(), 4.0).unwrap();
    let off = leg_differences(&records, &found).unwrap();
    assert_eq!((found.len(), off.len()), (301, 15));
    for d in off {
        assert!(d.worst < LAST_DIGIT, "{d:?}");
    }
}

#[test]
fn other_filters_and_rigid_bodies_stay_near_the_record() {
    let Some(records) = records("gait2d-invdyn") else { return };
    let rows = rows(&records);
    println!("{}", table(&rows));
    assert_eq!(rows.len(), 16);
    assert!(rows.iter().all(|r| !r.is_step_back()), "{rows:#?}");
}

/// Value and derivatives of `a + b t + c sin(w t + d)`.
fn wave(t: f64, [a, b, c, w, d]: [f64; 5]) -> Derivatives {
    let (sin, cos) = (w * t + d).sin_cos();
    Derivatives { value: a + b * t + c * sin, d1: b + c * w * cos, d2: -c * w * w * sin }
}

/// A point at `length` along a turning line from another point.
fn beyond(from: [Derivatives; 2], angle: Derivatives, length: f64) -> [Derivatives; 2] {
    let (sin, cos) = angle.value.sin_cos();
    let part = |along: f64, across: f64| Derivatives {
        value: length * along,
        d1: length * across * angle.d1,
        d2: length * (across * angle.d2 - along * angle.d1 * angle.d1),
    };
    let sum =
        |a: Derivatives, b: Derivatives| Derivatives { value: a.value + b.value, d1: a.d1 + b.d1, d2: a.d2 + b.d2 };
    [sum(from[0], part(cos, -sin)), sum(from[1], part(sin, cos))]
}

/// Free bodies between markers of a rigid leg have the moments of that leg as a multibody model; quintic splines
/// through samples every 2 ms are the only difference.
#[test]
fn a_rigid_leg_has_the_moments_of_a_multibody_model() {
    let (lengths, heel) = ([0.42, 0.40, 0.2], [-0.05, -0.04_f64]);
    let times: Vec<f64> = (0..=500).map(|i| 0.002 * f64::from(i)).collect();
    let hip = [[0.1, 1.2, 0.05, 6.0, 0.3], [0.9, 0.0, 0.03, 12.0, 1.0]];
    let bends = [[-1.5, 0.0, 0.5, 6.0, 0.0], [-0.4, 0.0, 0.3, 7.0, 0.5], [1.6, 0.0, 0.4, 5.0, 2.0]];
    let ground = |t: f64| PlanarLoad { force: [1.5 * (5.0 * t).sin(), 8.0 * (3.0 * t).cos()], moment: 4.0 * t };
    let mut markers = vec![Vec::new(); 6];
    for &t in &times {
        let add =
            |a: Derivatives, b: Derivatives| Derivatives { value: a.value + b.value, d1: a.d1 + b.d1, d2: a.d2 + b.d2 };
        let trochanter = hip.map(|p| wave(t, p));
        let thigh = wave(t, bends[0]);
        let shank = add(thigh, wave(t, bends[1]));
        let foot = add(shank, wave(t, bends[2]));
        let knee = beyond(trochanter, thigh, lengths[0]);
        let malleolus = beyond(knee, shank, lengths[1]);
        let to_heel = Derivatives { value: foot.value + heel[1].atan2(heel[0]), ..foot };
        let back = beyond(malleolus, to_heel, heel[0].hypot(heel[1]));
        let shoulder = [trochanter[0], Derivatives { value: trochanter[1].value + 0.5, ..trochanter[1] }];
        let points = [shoulder, trochanter, knee, malleolus, back, beyond(back, foot, lengths[2])];
        markers.iter_mut().zip(points).for_each(|(path, point)| path.push(point));
    }
    let loads: Vec<PlanarLoad> = times.iter().map(|t| ground(*t)).collect();
    let segments = winter_leg();
    let found = planar_inverse_dynamics(TRUNK, &segments, &markers, &loads, 9.81).unwrap();

    let mut model = rigid_leg(&segments, lengths, heel, 9.81).unwrap();
    let course = |p: [f64; 5]| times.iter().map(|t| wave(*t, p).value).collect::<Vec<f64>>();
    let named = ["thigh.x", "thigh.y", "thigh.angle", "shank", "foot"].map(String::from);
    let samples: Vec<_> = named.into_iter().zip(hip.into_iter().chain(bends).map(course)).collect();
    let history = CoordinateHistory::from_samples(&times, &samples, &model, Accelerations::SecondDerivative).unwrap();
    let wrench = |l: &PlanarLoad| {
        let [x, y] = l.force;
        Some(GroundWrench { force: [x, y, 0.0], point: Some([0.0; 3]), moment: [0.0, 0.0, l.moment] })
    };
    let plate = ForcePlate { name: "plate".into(), corners: None, samples: loads.iter().map(wrench).collect() };
    model.add_force(Box::new(ExternalLoad::from_plate("plate", "foot", &times, &plate, &model).unwrap())).unwrap();
    let general = inverse_dynamics(&model, &history, &times, |_| {}).unwrap();
    // natural splines are off at their ends
    for (i, row) in found.iter().enumerate().skip(50).take(400) {
        let wanted = [row[0].force[0], row[0].force[1], row[0].moment, -row[1].moment, -row[2].moment];
        for (wanted, got) in wanted.iter().zip(&general.rows[i]) {
            assert!((wanted - got).abs() < 1e-6, "{i}: {wanted} {got}");
        }
        let turn = wave(times[i], bends[0]);
        assert!((row[0].angle - (turn.value + std::f64::consts::FRAC_PI_2)).abs() < 1e-12);
        assert!((row[2].velocity + wave(times[i], bends[2]).d1).abs() < 1e-12);
    }
}
