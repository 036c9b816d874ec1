//! Whether a long bone ends in a flat face: cut by the end of a scan, or by a saw.

use wolff_spatial::Vec3;
use wolff_verdict::Finding;

use crate::seen::{Seen, UP};

/// Part of the length that is looked at from each end.
const ZONE: f64 = 0.08;
/// A face belongs to a flat end within this angle of its normal \[°\], and this part of the length of its plane.
const FLAT: [f64; 2] = [4.0, 0.004];
/// Largest angle between the normal of a flat end and the bone \[°\].
const OBLIQUE: f64 = 40.0;
/// Part of the end, seen along the bone, that is flat on a cut bone; joint surfaces are curved.
const SHARE: f64 = 0.6;

/// What is to be told about flat ends.
pub(crate) fn flat_ends(seen: &Seen, faces: usize) -> Vec<Finding> {
    let told = |(name, outward): (&str, Vec3)| {
        let share = flat_share(seen, faces, &outward);
        (share > SHARE).then(|| {
            Finding::warning(
                format!("{:.0} % of the {name} end of the bone is one flat face: it is cut there", 100.0 * share),
                "give the whole bone, or check its frame, joints and landmarks in the picture of the report",
            )
        })
    };
    [("upper", UP), ("lower", -UP)].into_iter().filter_map(told).collect()
}

/// The largest part of an end that lies in one plane.
fn flat_share(seen: &Seen, faces: usize, outward: &Vec3) -> f64 {
    let end = seen.points.iter().map(|x| x.dot(outward)).fold(f64::NEG_INFINITY, f64::max);
    let all = (0..faces).map(|t| seen.facet(t));
    let zone: Vec<(Vec3, Vec3, f64)> = all
        .filter(|(x, n, area)| *area > 0.0 && n.dot(outward) > 0.0 && end - x.dot(outward) < ZONE * seen.length)
        .collect();
    let seen_area = |some: &[&(Vec3, Vec3, f64)]| some.iter().map(|(_, n, area)| area * n.dot(outward)).sum::<f64>();
    let total = seen_area(&zone.iter().collect::<Vec<_>>());
    // from the mean normal of what looks outwards to that of the plane
    let (mut normal, mut middle) = (*outward, None);
    let mut within = OBLIQUE;
    let mut flat: Vec<&(Vec3, Vec3, f64)> = Vec::new();
    for _ in 0..6 {
        let belongs = |(x, n, _): &&(Vec3, Vec3, f64)| {
            let beside = middle.map_or(0.0, |m: Vec3| (x - m).dot(&normal).abs());
            n.angle(&normal).to_degrees() < within && beside < FLAT[1].max(0.01 * within / OBLIQUE) * seen.length
        };
        flat = zone.iter().filter(belongs).collect();
        let area: f64 = flat.iter().map(|f| f.2).sum();
        let mean: Vec3 = flat.iter().map(|f| f.1 * f.2).sum();
        let Some(next) = mean.try_normalize(0.0).filter(|_| area > 0.0) else { return 0.0 };
        (normal, middle) = (next, Some(flat.iter().map(|f| f.0 * f.2).sum::<Vec3>() / area));
        within = (0.5 * within).max(FLAT[0]);
    }
    if normal.angle(outward).to_degrees() > OBLIQUE { 0.0 } else { seen_area(&flat) / total.max(f64::MIN_POSITIVE) }
}
