//! Fibula and patella, whose frames follow from their sections alone.

use wolff_spatial::{Mat3, Vec3};

use super::{Details, axes_from};
use crate::seen::{ANTERIOR, LATERAL, Seen, UP};

/// Origin in the centre of volume, y from the tip of the malleolus to the apex of the head, forward by the sections.
pub(super) fn fibula(seen: &Seen, centre: &Vec3) -> Details {
    let mut found = Details { origin: *centre, ..Details::default() };
    let apex = seen.farthest(&UP, [0.9, 1.0]);
    let tip = seen.farthest(&-UP, [0.0, 0.1]);
    found.mark("head_apex", apex);
    found.mark("lateral_malleolus", tip);
    found.mark("head_lateral", seen.farthest(&LATERAL, [0.92, 1.0]));
    found.mark("malleolus_lateral", seen.farthest(&LATERAL, [0.0, 0.1]));
    found.axes = apex.zip(tip).and_then(|(apex, tip)| axes_from(apex - tip, LATERAL));
    found.patch("ankle", seen.triangles(|x, n| x.y < 0.10 * seen.length && n.z < -0.7));
    found
}

/// Origin in the centre of volume, axes by the sections.
pub(super) fn patella(seen: &Seen, centre: &Vec3) -> Details {
    let mut found = Details { origin: *centre, axes: Some(Mat3::identity()), ..Details::default() };
    found.mark("apex", seen.farthest(&-UP, [0.0, 1.0]));
    found.mark("base", seen.farthest(&UP, [0.0, 1.0]));
    found.mark("medial_margin", seen.farthest(&-LATERAL, [0.0, 1.0]));
    found.mark("lateral_margin", seen.farthest(&LATERAL, [0.0, 1.0]));
    found.mark("anterior", seen.farthest(&ANTERIOR, [0.2, 0.8]));
    found.mark("posterior_ridge", seen.farthest(&-ANTERIOR, [0.2, 0.9]));
    found.patch("patellofemoral", seen.triangles(|x, n| n.x < -0.5 && x.y > 0.25 * seen.length));
    found
}
