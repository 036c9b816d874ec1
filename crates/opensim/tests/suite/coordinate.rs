//! What coordinates measure, as OpenSim 4.6 says.

use crate::data::model;
use wolff_motion::MotionType::{Coupled, Rotational, Translational};

#[test]
fn turns_lengths_and_coupled_ones() {
    let Some((converted, _)) = model("rajagopal-walk/subject_walk_scaled.osim") else { return };
    let of = |name: &str| converted.coordinates.iter().find(|c| c.name == name).unwrap().motion;
    assert_eq!(converted.coordinates.len(), 33);
    for c in &converted.coordinates {
        let expected = match c.name.as_str() {
            name if name.ends_with("_beta") => Coupled,
            "pelvis_tx" | "pelvis_ty" | "pelvis_tz" => Translational,
            _ => Rotational,
        };
        assert_eq!(of(&c.name), expected, "{}", c.name);
    }
}
