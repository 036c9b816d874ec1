//! Two muscles flex an elbow, a third extends it. Which forces carry a moment of 20 N m with the least effort?
//!
//! Static optimisation minimises `Σ a²` with `Σ r F a = M` and `0 ≤ a ≤ 1`. Without active bounds the flexors share the moment by
//! `a = M r F / Σ (r F)²`, and the extensor rests.

use std::error::Error;
use wolff::motion::{Sharing, SharingProblem};

/// Name, moment arm [m], maximum isometric force [N].
const MUSCLES: [(&str, f64, f64); 3] =
    [("biceps", 0.035, 850.0), ("brachialis", 0.022, 990.0), ("triceps", -0.024, 1900.0)];

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let moment = 20.0;
    let problem = SharingProblem {
        A: nalgebra::DMatrix::from_fn(1, 3, |_, i| MUSCLES[i].1 * MUSCLES[i].2),
        b: vec![moment],
        lower: vec![0.0; 3],
        upper: vec![1.0; 3],
    };
    let mut sharing = Sharing::new(1, 3, 2.0)?;
    let report = sharing.solve(&problem);
    if !report.solved {
        return Err("static optimisation did not converge".into());
    }
    for ((name, _, strength), activation) in MUSCLES.iter().zip(sharing.controls()) {
        println!("{name:10} {:6.1} N, activation {activation:.3}", strength * activation);
    }

    let strengths = MUSCLES.map(|(_, arm, force)| arm * force);
    let biceps = moment * strengths[0] / (strengths[0].powi(2) + strengths[1].powi(2));
    assert!((sharing.controls()[0] - biceps).abs() < 1e-9 && sharing.controls()[2].abs() < 1e-9);
    Ok(())
}
