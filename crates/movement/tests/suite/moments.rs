//! Net joint moments of a driven walk.

use crate::simulate::plan;
use wolff_anatomy::Side;
use wolff_movement::compare::moments::flexion_moments;
use wolff_movement::simulate::simulate_movement;

/// Muscles and tissues of the driven walk make the moments that inverse dynamics finds for the wanted motion, with the same sign: rms of the difference
/// below 6 N m of up to 120.
#[test]
fn driven_moments_are_those_of_inverse_dynamics() {
    let done = simulate_movement(&plan(2), &mut |_, _| true).unwrap();
    let samples = done.record.times.len();
    let rows = samples / 2..samples;
    let moments = flexion_moments(&done.muscled, &done.controllers, &done.record, rows.clone(), Side::Right);
    let names: Vec<&str> = moments.iter().map(|m| m.coordinate.as_str()).collect();
    assert_eq!(names, ["hip_flexion_r", "knee_flexion_r", "ankle_flexion_r"]);
    for moment in &moments {
        let k = done.reference.coordinates.iter().position(|(name, _)| *name == moment.coordinate).unwrap();
        let wanted: Vec<f64> = rows.clone().map(|i| done.reference.forces[k].value(done.record.times[i])).collect();
        let square =
            |values: &mut dyn Iterator<Item = f64>| (values.map(|x| x * x).sum::<f64>() / wanted.len() as f64).sqrt();
        let off = square(&mut moment.flexion.iter().zip(&wanted).map(|(a, b)| a - b));
        let size = square(&mut wanted.iter().copied());
        println!("{}: {off:.2} of {size:.2} N m", moment.coordinate);
        assert!(off < 6.0 && off < 0.3 * size, "{}: {off} of {size} N m", moment.coordinate);
    }
    // plantar flexors at push-off
    let ankle = &moments[2].flexion;
    assert!(ankle.iter().copied().fold(f64::INFINITY, f64::min) < -90.0);
}
