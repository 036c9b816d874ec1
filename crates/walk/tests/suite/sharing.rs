//! Static optimisation against its conditions of optimality.

use proptest::prelude::*;
use wolff_walk::teach::LoadSharing;

/// Two equal muscles at arms 1 and 3: forces go as the arms, `F = a τ / Σ a²`.
#[test]
fn equal_muscles_share_as_their_arms() {
    let mut sharing = LoadSharing::new(&[1000.0, 1000.0], 1, 1e-3).unwrap();
    sharing.set_arm(0, 0, 0.01);
    sharing.set_arm(0, 1, 0.03);
    assert!(sharing.solve(&[10.0]).converged);
    let [a, b] = [sharing.tensions()[0], sharing.tensions()[1]];
    assert!((a - 100.0).abs() < 1e-3 && (b - 300.0).abs() < 1e-3, "{a} {b}");
}

/// A muscle that is used up stays at its greatest force and the other takes the rest; antagonists stay silent.
#[test]
fn limits_hold() {
    let mut sharing = LoadSharing::new(&[400.0, 500.0, 500.0], 1, 1e-3).unwrap();
    for (m, arm) in [0.05, 0.01, -0.04].into_iter().enumerate() {
        sharing.set_arm(0, m, arm);
    }
    assert!(sharing.solve(&[23.0]).converged);
    let f = sharing.tensions();
    assert!(f[0] == 400.0 && (f[1] - 300.0).abs() < 1e-3 && f[2] == 0.0, "{f:?}");
}

/// More than all muscles can carry falls to the reserve, and is told.
#[test]
fn reserves_take_what_is_left() {
    let mut sharing = LoadSharing::new(&[100.0], 1, 1.0).unwrap();
    sharing.set_arm(0, 0, 0.05);
    assert!(sharing.solve(&[8.0]).converged);
    assert!((sharing.reserves().next().unwrap() - 3.0).abs() < 1e-9);
}

#[test]
fn what_is_no_muscle_is_refused() {
    assert!(LoadSharing::new(&[0.0], 1, 1.0).is_err());
    assert!(LoadSharing::new(&[f64::NAN], 1, 1.0).is_err());
    assert!(LoadSharing::new(&[1.0], 1, 0.0).is_err());
    let mut sharing = LoadSharing::new(&[1.0], 1, 1.0).unwrap();
    assert!(!sharing.solve(&[f64::NAN]).converged);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    /// Moments are met, and every muscle is where its gradient says: free ones at zero gradient, held ones pressed against their limit.
    #[test]
    fn conditions_of_optimality(
        arms in proptest::collection::vec(-0.08..0.08_f64, 4 * 15),
        strengths in proptest::collection::vec(50.0..3000.0_f64, 15),
        moments in proptest::collection::vec(-80.0..80.0_f64, 4),
    ) {
        let mut sharing = LoadSharing::new(&strengths, 4, 5.0).unwrap();
        for (k, arm) in arms.iter().enumerate() {
            sharing.set_arm(k / 15, k % 15, *arm);
        }
        prop_assert!(sharing.solve(&moments).converged);
        let reserves: Vec<f64> = sharing.reserves().collect();
        for j in 0..4 {
            let carried: f64 = (0..15).map(|m| arms[15 * j + m] * sharing.tensions()[m]).sum();
            prop_assert!((carried + reserves[j] - moments[j]).abs() < 1e-6);
        }
        for m in 0..15 {
            let (f, max) = (sharing.tensions()[m], strengths[m]);
            let price: f64 = (0..4).map(|j| arms[15 * j + m] * reserves[j] / 25.0).sum();
            let gradient = f / (max * max) - price;
            prop_assert!(f > 0.0 || gradient >= -1e-12);
            prop_assert!(f < max || gradient <= 1e-12);
            prop_assert!(f <= 0.0 || f >= max || gradient.abs() < 1e-9 / max);
        }
    }
}
