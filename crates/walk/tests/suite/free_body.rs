//! The free body of a walk: equations of motion, joint reactions, loads on bones and sections.

use crate::perform::plan;
use wolff_spatial::Vec3;
use wolff_walk::loads::Group;
use wolff_walk::perform::{BoneName, Performance, WalkPlan, perform};

/// What rounding leaves of forces of some thousand newton [N, N m].
const CLOSED: f64 = 1e-6;

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, x| most.max(x.abs()))
}

fn with_bones(bones: &[BoneName]) -> WalkPlan {
    let mut plan = plan(1);
    plan.step = 1e-3;
    plan.bones.bones = bones.to_vec();
    plan
}

fn walked(bones: &[BoneName]) -> Performance {
    perform(&with_bones(bones), &mut |_, _| true).unwrap()
}

/// The forces of the record, put on the model again, are those of the equations that the drive solved.
#[test]
fn the_equations_of_a_driven_walk_close() {
    for bones in [&[][..], &[BoneName::TibiaRight]] {
        let done = walked(bones);
        assert_eq!(done.loads.residual.len(), done.record.times.len());
        let (joints, modes) = (largest(&done.loads.residual), largest(&done.loads.modal_residual));
        println!("{} bones: {joints:.1e} N or N m, modes {modes:.1e}", bones.len());
        assert!(joints < CLOSED && modes < 1e-9, "{joints} {modes}");
    }
}
