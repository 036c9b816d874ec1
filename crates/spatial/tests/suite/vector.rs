use crate::{ROUNDING, vector};
use proptest::prelude::*;
use wolff_spatial::{Force, Motion};

/// Products of three numbers of order ten.
const PRODUCTS: f64 = 100.0 * ROUNDING;

proptest! {
    #[test]
    fn power_does_not_depend_on_the_point(w in vector(), v in vector(), n in vector(), f in vector(), r in vector()) {
        let (motion, force) = (Motion::new(w, v), Force::new(n, f));
        prop_assert!((motion.dot(&force) - motion.at(&r).dot(&force.at(&r))).abs() < PRODUCTS);
    }

    /// The two cross products are adjoint: (a × b) · F = -b · (a ×* F).
    #[test]
    fn cross_products_are_adjoint(a in [vector(), vector()], b in [vector(), vector()], f in [vector(), vector()]) {
        let (a, b) = (Motion::new(a[0], a[1]), Motion::new(b[0], b[1]));
        let force = Force::new(f[0], f[1]);
        prop_assert!((a.cross(&b).dot(&force) + b.dot(&a.cross_force(&force))).abs() < PRODUCTS);
    }

    #[test]
    fn a_force_has_no_moment_about_its_line(r in vector(), f in vector()) {
        prop_assert!(Force::through(&r, f).at(&r).n.norm() < PRODUCTS);
    }
}
