use crate::{ROUNDING, pose, vector};
use proptest::prelude::*;
use wolff_spatial::Pose;

proptest! {
    #[test]
    fn neighbouring_letters_match(X_AB in pose(), X_BC in pose(), p_C in vector()) {
        let X_AC = X_AB * X_BC;
        prop_assert!((X_AC.point(&p_C) - X_AB.point(&X_BC.point(&p_C))).norm() < ROUNDING);
    }

    #[test]
    fn inverse_undoes(X_AB in pose(), p in vector()) {
        let back = X_AB.inverse() * X_AB;
        prop_assert!((back.R - Pose::IDENTITY.R).amax() < ROUNDING && back.p.norm() < ROUNDING);
        prop_assert!((X_AB.inverse_point(&X_AB.point(&p)) - p).norm() < ROUNDING);
    }
}
