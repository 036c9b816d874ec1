//! Bending and torsion of one end against the other.

use crate::{coarse, recipe};
use nalgebra::DVector;
use wolff_bone::gauges::{Deflection, deflection};
use wolff_bone::parametric::Side;
use wolff_bone::person::Solid;
use wolff_bone::segment::Basis;
use wolff_spatial::Vec3;

fn bent(solid: &Solid, moment: Vec3) -> Deflection {
    let mut recipe = recipe(solid);
    if solid.side == Side::Left {
        recipe.attachments.clear();
    }
    recipe.basis = Basis::Gauges { vibrations: 3, error: 1e-4 };
    let bone = recipe.make().unwrap();
    let body = &bone.body;
    // what the part above puts on the part below is the moment everywhere
    let turn = &body.node("knee").unwrap().rotation - &body.node("ankle").unwrap().rotation;
    let force: DVector<f64> = turn.transpose() * moment;
    let eta = body.stiffness.clone().cholesky().unwrap().solve(&force);
    deflection(body, solid.side, eta.as_slice()).unwrap()
}

/// Signs of a moment that stretches the front, one that stretches the inner side, and torsion; sizes as
/// `∫ M / (E I) ds` over the middle 60 %.
#[test]
fn signs_and_sizes_of_pure_bending() {
    for (side, lateral) in [(Side::Right, 1.0), (Side::Left, -1.0)] {
        let solid = coarse(side);
        let forward = bent(&solid, Vec3::new(0.0, 0.0, 20.0));
        let steps = 60;
        let curvature = |k: usize| {
            let fraction = 0.2 + 0.6 * (k as f64 + 0.5) / f64::from(steps);
            // axes z, x: a free bar bends by the inverse of the matrix of moments
            let m = solid.section(fraction).unwrap().second_moments.try_inverse().unwrap();
            20.0 * m[(1, 1)] / 17e9
        };
        let expected: f64 =
            (0..steps as usize).map(curvature).sum::<f64>() * 0.6 * solid.ends.length() / f64::from(steps);
        println!("{:.4} deg, beam {:.4} deg", forward.posterior.to_degrees(), expected.to_degrees());
        // six elements around: 8 % too stiff or too soft; rings turn with the mean of their nodes
        assert!((forward.posterior / expected - 1.0).abs() < 0.08);
        // medial tension: the proximal end leans outward
        assert!(bent(&solid, Vec3::new(lateral * 20.0, 0.0, 0.0)).medial < 0.0);
        // seen from above, forward turns towards the left for a positive turn about y
        assert!(bent(&solid, Vec3::new(0.0, -lateral * 20.0, 0.0)).external > 0.0);
    }
}
