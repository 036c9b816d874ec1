//! Mistakes in ground forces that explain the residual: the wrench that the motion needs, against the measured one with
//! the mistake undone.
//!
//! ```text
//! f = m (a_c - g) - Σ F          horizontal part
//! n = dL_c/dt - Σ ((p - c) × F + M)
//! ```
//! c mass centre, L_c angular momentum about it; F, p, M force, point and moment of each load.

use super::samples::{LoadAt, LoadSamples, Sample};
use wolff_spatial::Vec3;
use wolff_verdict::Finding;

/// A mistake is reported where undoing it reduces the residual to less than this part, and by more than this part of
/// body weight and of body weight times one metre (chosen here).
const REDUCED: f64 = 0.6;
const NOTICEABLE: f64 = 0.01;
/// Smallest common shift of the centres of pressure that is told \[m\] (chosen here: mass centres of models are
/// uncertain by up to three centimetres, which has the same effect).
const SHIFT: f64 = 0.04;
/// Smallest number of instants.
const LEAST: usize = 10;
/// Part of the needed vertical force below which a foot is beside the plates (chosen here).
const CARRIED: f64 = 0.7;

/// A mistake: what is wrong, how it is undone, and the remedy.
type Mistake = (&'static str, fn(LoadAt) -> LoadAt, &'static str);

const MISTAKES: [Mistake; 5] = [
    ("along x has the wrong sign", |l| with_force(l, [-1.0, 0.0, 0.0, 1.0]), "change the sign of the force along x"),
    ("along z has the wrong sign", |l| with_force(l, [1.0, 0.0, 0.0, -1.0]), "change the sign of the force along z"),
    (
        "along x and along z has the wrong sign",
        |l| with_force(l, [-1.0, 0.0, 0.0, -1.0]),
        "change the sign of the forces along x and z",
    ),
    ("along x and along z is exchanged", |l| with_force(l, [0.0, 1.0, 1.0, 0.0]), "exchange the forces along x and z"),
    (
        "along x and along z is turned by a quarter",
        |l| with_force(l, [0.0, -1.0, 1.0, 0.0]),
        "export forces, points and motion in the same axes",
    ),
];

/// The load with another horizontal force: rows of a matrix of two by two for x and z.
fn with_force(load: LoadAt, [xx, xz, zx, zz]: [f64; 4]) -> LoadAt {
    let f = load.force;
    LoadAt { force: Vec3::new(xx * f.x + xz * f.z, f.y, zx * f.x + zz * f.z), ..load }
}

/// Signs and axes of the horizontal forces, and the place of the plates.
pub(super) fn causes(samples: &LoadSamples) -> Vec<Finding> {
    let used = used(samples);
    if used.len() < LEAST || samples.feet.is_empty() {
        return Vec::new();
    }
    let now = residual(samples, &used, |l| l);
    let all = MISTAKES.iter().map(|mistake| (mistake, residual(samples, &used, mistake.1)));
    let best = all.min_by(|a, b| a.1.total_cmp(&b.1));
    match best.filter(|(_, then)| *then < REDUCED * now && now - then > NOTICEABLE) {
        Some(((what, _, remedy), then)) => {
            let message = format!(
                "the ground force {what}: forces and moments differ from those of the motion by {:.1} % of body weight \
                 (and metre), corrected by {:.1} %",
                100.0 * now,
                100.0 * then
            );
            vec![Finding::error(message, *remedy)]
        }
        None => shifted(samples, &used).into_iter().collect(),
    }
}

/// Samples in which the plates carry the body.
fn used(samples: &LoadSamples) -> Vec<&Sample> {
    let carried = |s: &&Sample| {
        let needed = samples.mass * s.needed.dot(&samples.up);
        needed > 0.3 * samples.mass * samples.gravity && samples.vertical(s) > CARRIED * needed
    };
    samples.samples.iter().filter(carried).collect()
}

/// Force and moment that remain \[N, N m\].
fn remaining(samples: &LoadSamples, sample: &Sample, change: impl Fn(LoadAt) -> LoadAt) -> [Vec3; 2] {
    let mut rest = [samples.level(sample.needed * samples.mass), sample.turning];
    for load in sample.loads.iter().flatten().map(|l| change(*l)) {
        rest[0] -= samples.level(load.force);
        rest[1] -= (load.point - sample.centre).cross(&load.force) + load.moment;
    }
    rest
}

/// Root mean square of force over weight and moment over weight times one metre.
fn residual(samples: &LoadSamples, used: &[&Sample], change: impl Fn(LoadAt) -> LoadAt) -> f64 {
    let square = |s: &&Sample| remaining(samples, s, &change).iter().map(Vec3::norm_squared).sum::<f64>();
    let weight = samples.mass * samples.gravity;
    (used.iter().map(square).sum::<f64>() / used.len() as f64).sqrt() / weight
}

/// One shift d of all centres of pressure, along the floor, that explains the moments: `n = d × ΣF` in the sense of
/// least squares.
fn shifted(samples: &LoadSamples, used: &[&Sample]) -> Option<Finding> {
    let [e1, e2] = [samples.level(Vec3::x()), samples.level(Vec3::z())];
    let (mut a, mut b, mut before) = ([[0.0; 2]; 2], [0.0; 2], 0.0);
    for sample in used {
        let [_, n] = remaining(samples, sample, |l| l);
        let force: Vec3 = sample.loads.iter().flatten().map(|l| l.force).sum();
        let columns = [e1.cross(&force), e2.cross(&force)];
        for i in 0..2 {
            (0..2).for_each(|j| a[i][j] += columns[i].dot(&columns[j]));
            b[i] += columns[i].dot(&n);
        }
        before += n.norm_squared();
    }
    let det = a[0][0] * a[1][1] - a[0][1] * a[1][0];
    let d = [(a[1][1] * b[0] - a[0][1] * b[1]) / det, (a[0][0] * b[1] - a[1][0] * b[0]) / det];
    let after = before - d[0] * b[0] - d[1] * b[1];
    let reduced = (after.max(0.0) / before).sqrt();
    (d[0].hypot(d[1]) > SHIFT && reduced < REDUCED).then(|| {
        let message = format!(
            "the moments fit the motion with all centres of pressure moved by {:+.3} m along x and {:+.3} m along z: \
             residual moments fall to {:.0} %",
            d[0],
            d[1],
            100.0 * reduced
        );
        let remedy = "check origin and axes of the plates against the markers; mass centres of the model that are off by \
                      as much have the same effect";
        Finding::warning(message, remedy)
    })
}
