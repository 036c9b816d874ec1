//! A woman of 60 kg and 1.65 m walks. How much does her tibia strain?
//!
//! Momentum gives a number that every walk must meet: over whole strides the floor carries her weight. To be quick, this walk has no
//! forward simulation: the reference motion is prescribed, muscle forces come from static optimisation, and the bone follows
//! quasi-statically.

use std::error::Error;
use wolff::prelude::*;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let set = [("mass", "60 kg"), ("stature", "1.65 m"), ("sex", "female"), ("servo", "prescribed"), ("cycles", "1")];
    let outcome = run_builtin("walk", &set)?;

    let result = |name: &str| outcome.results.get(name).and_then(|x| x.as_f64()).ok_or("no such result");
    let (tension, compression) = (result("max_principal_microstrain")?, result("min_principal_microstrain")?);
    println!("strain of the tibia: {tension:.0} to {compression:.0} microstrain");

    let carried = result("mean_vertical_ground_force_bw")?;
    println!("mean vertical ground force: {carried:.4} body weights");
    assert!((carried - 1.0).abs() < 0.01);
    Ok(())
}
