//! A ball of 30 mm radius is pressed 0.2 mm into a layer of 8 mm. What is the force, and what the maximum pressure?
//!
//! Springs side by side: `F = π k δ² (3R - δ) / (3h) = 1006.484 N` and `p = k δ / h` with the confined modulus k.

use std::error::Error;
use std::path::Path;
use wolff::analyses::contact_poses::{Chosen, evaluate_poses, pair_contacts};
use wolff::formats::sto;
use wolff::study::document::read_pairs;

/// The two surfaces and the layer between them.
const PAIR: &str = r#"
[[foundation]]
name = "ball"
fixed = "plate"
moving = "ball"
surface = { kind = "sphere", radius = "30 mm" }
young = "463 MPa"
poisson = 0.46
distance = "ray"
along = "fixed-normal"
compartments = [
  { name = "plate", surface = { kind = "plane" }, grid = [10, 10], x = ["-6 mm", "6 mm"], z = ["-6 mm", "6 mm"], thickness = "8 mm" },
]
"#;

/// The centre of the ball at 29.8 mm above the plate.
const POSES: &[u8] = b"poses\nendheader\ntime ty\n0 0.0298\n";

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let contacts = pair_contacts(read_pairs("pair.toml", PAIR, Path::new(""))?, None)?;
    let poses = sto::read(POSES)?;
    let found = evaluate_poses(&contacts, &poses, Path::new("poses.sto"), &Chosen { rows: vec![0], maps: vec![0] })?;

    let column = |name: &str| found.table.column(name).and_then(|c| c.first().copied()).ok_or("no such column");
    let force = -column("ball.casting.total.contact_force_y")?;
    let pressure = found.maps[0].pressures.iter().copied().fold(0.0, f64::max);
    println!("force {force:.3} N, maximum pressure {:.3} MPa", 1e-6 * pressure);

    assert!((force - 1006.484).abs() < 0.03);
    Ok(())
}
