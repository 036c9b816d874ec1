//! Norms of joint moments.

use wolff_evidence::norms::SAGITTAL_MOMENTS;
use wolff_movement::reference::ReferenceWalk;
use wolff_movement::reference::walk::InverseWalk;
use wolff_multibody::Model;

/// Facts of the published table: plantar flexors 1.226 N m/kg at 48 %, extension of hip and knee positive in early stance.
#[test]
fn peaks_of_the_norms() {
    let [hip, knee, ankle] = SAGITTAL_MOMENTS;
    assert!((ankle.mean[24] - 1.226).abs() < 1e-3);
    assert!(hip.mean[3] > 0.2 && knee.mean[7] > 0.1);
    assert!(SAGITTAL_MOMENTS.iter().all(|norm| norm.sd.iter().all(|sd| *sd > 0.0)));
    // a moment in the direction of flexion is negative in the norm
    assert!(ankle.holds(0.48, -1.226) && !ankle.holds(0.48, 1.226));
    assert!(ankle.holds(0.49, -0.5 * (ankle.mean[24] + ankle.mean[25])));
}

/// The embedded walk keeps to them for more than nine tenths of the cycle, as its own report says (0.98, 1.0, 0.92).
#[test]
fn the_embedded_walk_has_moments_of_walking_people() {
    let walk = ReferenceWalk::embedded().unwrap();
    let model = Model::build(&walk.skeleton.spec().unwrap()).unwrap();
    let mut inverse = InverseWalk::new(&walk, &model).unwrap();
    for (norm, share) in SAGITTAL_MOMENTS.iter().zip([0.98, 1.0, 0.92]) {
        let k = model.coordinate_index(&format!("{}_r", norm.coordinate)).unwrap();
        let inside = (0..=50).filter(|i| {
            let phase = f64::from(*i) / 50.0;
            norm.holds(phase, inverse.at(phase * walk.constants.cycle_time)[k] / walk.constants.mass)
        });
        let found = inside.count() as f64 / 51.0;
        assert!((found - share).abs() < 0.03, "{}: {found}", norm.coordinate);
    }
}
