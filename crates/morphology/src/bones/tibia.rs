//! Tibia: plateau, plafond, tuberosity, malleolus.

use wolff_spatial::Vec3;
use wolff_verdict::{Finding, Limit};

use super::{Details, axes_from};
use crate::found::JointCentre;
use crate::seen::{ANTERIOR, LATERAL, Seen, UP};

/// Landmark in front of the upper end, where the tendon of the patella ends.
const TUBEROSITY: &str = "tibial_tuberosity";

/// The frame is near that of the International Society of Biomechanics (Wu et al. 2002, J. Biomech. 35, 543-548), which
/// needs the fibula: origin in the middle of the plateau, y from the middle of the plafond to it, z along the line of
/// the medial and lateral plateau, to the right.
pub(super) fn details(seen: &Seen) -> Details {
    let mut found = Details::default();
    let plateau = plateau(seen);
    let malleolus = malleolus(seen);
    let plafond = malleolus.map(|tip| plafond(seen, &tip)).unwrap_or_default();
    found.mark("medial_malleolus", malleolus);
    found.mark(TUBEROSITY, seen.farthest(&ANTERIOR, [0.80, 0.91]));
    found.mark("gerdy_tubercle", seen.farthest(&(ANTERIOR + LATERAL), [0.90, 0.97]));
    found.mark("fibular_facet", seen.farthest(&(LATERAL - ANTERIOR - 0.5 * UP), [0.88, 0.96]));
    found.mark("anterior_crest_mid_shaft", seen.farthest_at(&(ANTERIOR + 0.3 * LATERAL), 0.5));
    found.mark("medial_face_mid_shaft", seen.farthest_at(&(ANTERIOR - 1.5 * LATERAL), 0.5));
    found.mark("posterior_mid_shaft", seen.farthest_at(&-ANTERIOR, 0.5));
    found.mark("medial_face_distal_third", seen.farthest_at(&(ANTERIOR - 1.5 * LATERAL), 1.0 / 3.0));
    let knee = halves(seen, &plateau);
    if let Some([medial, lateral]) = knee {
        found.mark("medial_plateau", Some(medial));
        found.mark("lateral_plateau", Some(lateral));
        let axis = (lateral - medial).try_normalize(0.0);
        found.joints.push(JointCentre { name: "knee", position: 0.5 * (medial + lateral), radius: None, axis });
    }
    found.origin = knee.map_or(UP * seen.length, |[medial, lateral]| 0.5 * (medial + lateral));
    let ankle = seen.centre(&plafond);
    found.joints.extend(ankle.map(|position| JointCentre { name: "ankle", position, radius: None, axis: None }));
    if let (Some([medial, lateral]), Some(ankle)) = (knee, ankle) {
        found.axes = axes_from(found.origin - ankle, lateral - medial);
        judge(&mut found, seen, malleolus, &ankle);
    } else {
        found.judgement.found([Finding::warning(
            "no plateau or no plafond was found on the tibia: its frame follows from its sections alone",
            "give the whole bone, with triangles of a few mm at its ends",
        )]);
    }
    found.patch("knee", plateau);
    found.patch("ankle", plafond);
    found
}

/// The lowest point, or on a blunt end the lowest one of its medial half.
fn malleolus(seen: &Seen) -> Option<Vec3> {
    /// Height over the lowest point up to which an end is blunt, over the length.
    const BLUNT: f64 = 0.01;
    let tip = seen.farthest(&-UP, [0.0, 0.1])?;
    let across = || seen.points.iter().filter(|x| x.y < 0.05 * seen.length).map(|x| x.z);
    let middle = 0.5 * (across().fold(f64::INFINITY, f64::min) + across().fold(f64::NEG_INFINITY, f64::max));
    let medial = seen.farthest_where(&-(UP + 0.3 * LATERAL), |x| x.z < middle)?;
    Some(if tip.z > middle && medial.y - tip.y < BLUNT * seen.length { medial } else { tip })
}

/// Triangles of the plateau: the faces upwards near the top, connected.
fn plateau(seen: &Seen) -> Vec<u32> {
    let upward = seen.triangles(|x, n| x.y > 0.93 * seen.length && n.y > 0.75);
    let top = seen.centre(&upward).unwrap_or(UP * seen.length);
    seen.connected(&upward, &top)
}

/// Centres of the medial and the lateral plateau, without the eminence between.
fn halves(seen: &Seen, plateau: &[u32]) -> Option<[Vec3; 2]> {
    let across = || plateau.iter().map(|&t| seen.facet(t as usize).0.z);
    let low = across().fold(f64::INFINITY, f64::min);
    let high = across().fold(f64::NEG_INFINITY, f64::max);
    let (middle, apart) = (0.5 * (low + high), 0.12 * (high - low));
    let half = |outward: f64| {
        let belongs = |t: &&u32| (seen.facet(**t as usize).0.z - middle) * outward > apart;
        seen.centre(&plateau.iter().filter(belongs).copied().collect::<Vec<_>>())
    };
    Some([half(-1.0)?, half(1.0)?])
}

/// Triangles of the plafond: the faces downwards beside the malleolus, connected.
fn plafond(seen: &Seen, malleolus: &Vec3) -> Vec<u32> {
    let downward = |[steep, beside]: [f64; 2]| {
        let beside = malleolus.z + beside * seen.length;
        seen.triangles(|x, n| x.y < 0.08 * seen.length && n.y < -steep && x.z > beside)
    };
    // large triangles of a coarse surface are steeper than the plafond itself
    let tries = [[0.75, 0.03], [0.5, 0.01]].map(downward);
    let faces = tries.into_iter().find(|faces| !faces.is_empty()).unwrap_or_default();
    let middle = seen.centre(&faces).unwrap_or(*malleolus);
    seen.connected(&faces, &middle)
}

fn judge(found: &mut Details, seen: &Seen, malleolus: Option<Vec3>, ankle: &Vec3) {
    // the malleolus lies on the medial side and lower than the plafond
    let tip = malleolus.unwrap_or(*ankle) - ankle;
    let limit =
        Limit::at_least(0.03, 0.0).because("the malleolus lies 20 to 30 mm medial of the middle of the plafond");
    let remedy = "check the side of the bone, and that its distal end is whole";
    found.judgement.judge("malleolus medial of the plafond", "of the length", -tip.z / seen.length, &limit, remedy);
    let tuberosity = found.landmarks.iter().find(|l| l.name == TUBEROSITY).map_or(*ankle, |l| l.position);
    let ahead = (tuberosity - found.origin).x / seen.length;
    let limit =
        Limit::at_least(0.03, 0.0).because("the tuberosity lies 25 to 45 mm in front of the middle of the plateau");
    let remedy = "check the direction of anterior";
    found.judgement.judge("tuberosity in front of the plateau", "of the length", ahead, &limit, remedy);
}
