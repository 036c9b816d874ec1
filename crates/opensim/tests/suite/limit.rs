//! Limits of coordinates.

use wolff_opensim::LimitLaw;

const LAW: LimitLaw = LimitLaw { limits: [-0.2, 0.5], stiffness: [10.0, 20.0], damping: 0.3, transition: 0.1 };

/// Nothing inside, straight beyond the transition, half of it in the middle.
#[test]
fn three_parts() {
    assert_eq!(LAW.force(0.1, 2.0), 0.0);
    assert!((LAW.force(0.8, 0.0) + 20.0 * 0.3).abs() < 1e-14);
    assert!((LAW.force(-0.5, 2.0) - (10.0 * 0.3 - 0.3 * 2.0)).abs() < 1e-14);
    assert!((LAW.force(0.55, 0.0) + 0.5 * 20.0 * 0.05).abs() < 1e-14);
}

#[test]
fn energy_belongs_to_the_force() {
    for q in [-0.6, -0.25, 0.0, 0.53, 0.6, 0.9] {
        let h = 1e-6;
        let slope = (LAW.energy(q + h) - LAW.energy(q - h)) / (2.0 * h);
        assert!((slope + LAW.force(q, 0.0)).abs() < 1e-8, "{q}");
    }
}
