//! Muscles as force elements: what they pull with, and that a step does not allocate.

use crate::support::*;
use wolff_multibody::{Baumgarte, ForceElement, System};
use wolff_muscle::path::*;
use wolff_muscle::{Drive, MuscleForce};
use wolff_numerics::TimeFunction;

fn tension(drive: Drive, t: f64) -> f64 {
    let model = leg();
    let path = Path::new(&crate::geometry::spec(&model, None), &model).unwrap();
    let muscle = MuscleForce::new(path, drive).unwrap();
    assert_eq!(muscle.name(), muscle.path().name());
    let (q, v) = leg_state(&model, 0.7);
    let mut system = System::new(&model);
    system.update_kinematics(&q, &v);
    muscle.tension(&system.instant(t, &q, &v, None))
}

#[test]
fn known_tensions_and_activations_pull_as_told() {
    close(tension(Drive::Tension(polynomial(&[10.0, 20.0])), 2.0), 50.0, 1e-14, 1.0);
    assert_eq!(tension(Drive::Tension(TimeFunction::Constant(-5.0)), 0.0), 0.0);
    let drive = |a: f64| Drive::Activation { activation: TimeFunction::Constant(a), max_force: 600.0 };
    close(tension(drive(0.25), 0.0), 150.0, 1e-14, 1.0);
    close(tension(drive(3.0), 0.0), 600.0, 1e-14, 1.0);
    let model = leg();
    let path = Path::new(&crate::geometry::spec(&model, None), &model).unwrap();
    let bad = Drive::Activation { activation: TimeFunction::Constant(1.0), max_force: -1.0 };
    assert!(MuscleForce::new(path, bad).is_err());
}

/// A Hill drive pulls with the equilibrium of its muscle at the path's length.
#[test]
fn hill_drives_are_in_equilibrium() {
    for rigid in [false, true] {
        let muscle = Box::new(fact_muscle(millard(), rigid, 0.1));
        let pull = tension(Drive::Hill { activation: TimeFunction::Constant(0.5), muscle: muscle.clone() }, 0.0);
        assert!(pull >= 0.0 && pull.is_finite());
    }
}

/// Muscles over every surface in the loop of a simulation take no memory.
#[test]
fn steps_do_not_allocate() {
    let mut model = leg();
    for (k, shape) in [
        None,
        Some(WrapSurface::Sphere { radius: 0.05 }),
        Some(WrapSurface::Cylinder { radius: 0.05, length: 0.4 }),
        Some(WrapSurface::Ellipsoid { radii: wolff_spatial::Vec3::new(0.05, 0.04, 0.06) }),
        Some(WrapSurface::Torus { ring_radius: 0.05, tube_radius: 0.01 }),
    ]
    .into_iter()
    .enumerate()
    {
        let spec = PathSpec { name: format!("muscle {k}"), ..crate::geometry::spec(&model, shape) };
        let path = Path::new(&spec, &model).unwrap();
        let muscle = Box::new(fact_muscle(millard(), false, 0.1));
        let drive = Drive::Hill { activation: TimeFunction::Constant(0.5), muscle };
        model.add_force(Box::new(MuscleForce::new(path, drive).unwrap())).unwrap();
    }
    let (q, v) = leg_state(&model, 0.7);
    let mut system = System::new(&model);
    let mut a = vec![0.0; model.nv()];
    let count = allocation_counter::measure(|| system.accelerations(0.0, &q, &v, Baumgarte::NONE, &mut a).unwrap());
    assert_eq!(count.count_total, 0);
}
