//! The blurred levels of a wall, their derivatives, and the fit of one profile.

use nalgebra::{Matrix2, Matrix4, Vector2, Vector4};

use super::profile::Profile;

/// Rounds of the fit at most.
const MOST_ROUNDS: usize = 40;
/// A step below this part of σ ends the fit.
const SETTLED: f64 = 1e-4;
/// Starting thicknesses, in σ.
const STARTS: [f64; 9] = [0.5, 1.0, 1.5, 2.2, 3.2, 4.6, 6.5, 9.0, 12.0];
/// The inner side of a wall is seen if the profile reaches this many σ beyond it.
const SEEN: f64 = 1.0;
/// The step at the inner side is at least this part of the step at the outer side; a smaller one is noise.
const LEAST_STEP: f64 = 0.25;
/// Starting depths of the outer surface, in σ.
const DEPTHS: [f64; 6] = [-1.0, -0.3, 0.3, 0.8, 1.4, 2.2];

/// What all profiles of a bone share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shared {
    /// Standard deviation of the blur without what the grid adds \[m\].
    pub blur: f64,
    /// Level of cortical bone.
    pub cortical: f64,
}

impl Shared {
    /// The standard deviation of the blur along a profile \[m\].
    pub fn deviation(&self, profile: &Profile) -> f64 {
        (self.blur * self.blur + profile.grid_variance).sqrt()
    }
}

/// The wall at one place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    /// Depth of the outer surface below the starting point \[m\].
    pub depth: f64,
    /// Thickness \[m\].
    pub thickness: f64,
    /// Level outside.
    pub outside: f64,
    /// Level inside.
    pub inside: f64,
    /// Root of the mean square of what the fit leaves.
    pub residual: f64,
    /// Whether the inner side is seen: at a crest the profile may end before it, or see no step.
    pub is_seen: bool,
}

/// The normal distribution function and its derivative.
#[inline]
pub fn normal(z: f64) -> (f64, f64) {
    let density = (-0.5 * z * z).exp() * 0.398_942_280_401_432_7;
    // Abramowitz and Stegun, Handbook of Mathematical Functions, 26.2.17: error below 7.5e-8
    let k = 1.0 / (1.0 + 0.231_641_9 * z.abs());
    let tail = density
        * k
        * (0.319_381_530 + k * (-0.356_563_782 + k * (1.781_477_937 + k * (-1.821_255_978 + k * 1.330_274_429))));
    (if z >= 0.0 { 1.0 - tail } else { tail }, density)
}

/// Derivatives of the grey value by depth, thickness, outside and inside, and by cortical level and σ.
pub struct Gradient {
    /// By depth, thickness, level outside, level inside.
    pub own: Vector4<f64>,
    /// By cortical level and by σ.
    pub shared: Vector2<f64>,
}

/// The grey value at a depth and its derivatives.
#[inline]
pub fn value(wall: &Wall, cortical: f64, sigma: f64, s: f64) -> (f64, Gradient) {
    let (y0, y1, y2) = (wall.outside, cortical, wall.inside);
    let (z1, z2) = ((s - wall.depth) / sigma, (s - wall.depth - wall.thickness) / sigma);
    let ((p1, d1), (p2, d2)) = (normal(z1), normal(z2));
    let (outer, inner) = ((y1 - y0) * d1 / sigma, (y2 - y1) * d2 / sigma);
    let g = y0 + (y1 - y0) * p1 + (y2 - y1) * p2;
    let own = Vector4::new(-outer - inner, -inner, 1.0 - p1, p2);
    (g, Gradient { own, shared: Vector2::new(p1 - p2, -outer * z1 - inner * z2) })
}

/// The sum of squares of what the fit leaves.
pub fn misfit(wall: &Wall, cortical: f64, sigma: f64, profile: &Profile) -> f64 {
    let rest = |(s, v): (&f64, &f64)| (v - value(wall, cortical, sigma, *s).0).powi(2);
    profile.depths.iter().zip(&profile.values).map(rest).sum()
}

/// The best levels outside and inside for a given depth and thickness, and the misfit.
fn with_levels(depth: f64, thickness: f64, cortical: f64, sigma: f64, profile: &Profile) -> (Wall, f64) {
    let (mut matrix, mut right, mut square) = (Matrix2::zeros(), Vector2::zeros(), 0.0);
    for (s, v) in profile.depths.iter().zip(&profile.values) {
        let (p1, p2) = (normal((s - depth) / sigma).0, normal((s - depth - thickness) / sigma).0);
        let row = Vector2::new(1.0 - p1, p2);
        let rest = v - cortical * (p1 - p2);
        matrix += row * row.transpose();
        right += row * rest;
        square += rest * rest;
    }
    matrix += Matrix2::identity() * 1e-9;
    let levels = matrix.cholesky().map_or(Vector2::zeros(), |factor| factor.solve(&right));
    let misfit = (square - levels.dot(&right)).max(0.0);
    (Wall { depth, thickness, outside: levels.x, inside: levels.y, residual: 0.0, is_seen: false }, misfit)
}

/// The best of several starting walls, in which nothing is denser than the cortex.
fn start(shared: &Shared, sigma: f64, profile: &Profile) -> Wall {
    let deepest = profile.depths.last().copied().unwrap_or(0.0);
    let mut best = (
        Wall { depth: 0.0, thickness: sigma, outside: 0.0, inside: 0.0, residual: 0.0, is_seen: false },
        f64::INFINITY,
    );
    for depth in DEPTHS.map(|x| x * sigma) {
        for thickness in STARTS.map(|x| x * sigma).into_iter().filter(|t| depth + t <= deepest || *t <= sigma) {
            let (wall, misfit) = with_levels(depth, thickness, shared.cortical, sigma, profile);
            let plausible = wall.inside < shared.cortical && wall.outside < shared.cortical;
            if plausible && misfit < best.1 {
                best = (wall, misfit);
            }
        }
    }
    best.0
}

/// Fits the wall of a profile by Levenberg and Marquardt's method; from `from` or from the best of several starts.
/// `None` where the profile is too short.
pub fn fit(shared: &Shared, profile: &Profile, from: Option<Wall>) -> Option<Wall> {
    if profile.depths.len() < 8 {
        return None;
    }
    let sigma = shared.deviation(profile);
    let mut wall = from.unwrap_or_else(|| start(shared, sigma, profile));
    let mut misfit_now = misfit(&wall, shared.cortical, sigma, profile);
    let mut damping = 1e-3;
    for _ in 0..MOST_ROUNDS {
        let (matrix, right) = normal_equations(&wall, shared.cortical, sigma, profile);
        let damped = matrix + Matrix4::from_diagonal(&(matrix.diagonal() * damping).add_scalar(1e-9));
        let step = damped.cholesky()?.solve(&right);
        let next = stepped(&wall, &step, sigma, profile);
        let misfit_next = misfit(&next, shared.cortical, sigma, profile);
        if misfit_next < misfit_now {
            let moved = (next.depth - wall.depth).abs().max((next.thickness - wall.thickness).abs());
            (wall, misfit_now, damping) = (next, misfit_next, (0.3 * damping).max(1e-9));
            if moved < SETTLED * sigma {
                break;
            }
        } else {
            damping *= 8.0;
            if damping > 1e6 {
                break;
            }
        }
    }
    let deepest = profile.depths.last().copied().unwrap_or(0.0);
    let step = (shared.cortical - wall.inside) / (shared.cortical - wall.outside);
    wall.is_seen = wall.depth + wall.thickness < deepest - SEEN * sigma && step > LEAST_STEP;
    wall.residual = (misfit_now / profile.depths.len() as f64).sqrt();
    Some(wall)
}

/// The step with depth and thickness in their bounds.
pub fn stepped(wall: &Wall, step: &Vector4<f64>, sigma: f64, profile: &Profile) -> Wall {
    let deepest = profile.depths.last().copied().unwrap_or(0.0);
    let depth = (wall.depth + step[0].clamp(-sigma, sigma)).clamp(-4.0 * sigma, 4.0 * sigma);
    let thickness = (wall.thickness + step[1].clamp(-sigma, sigma)).clamp(0.02 * sigma, (deepest - depth).max(sigma));
    Wall { depth, thickness, outside: wall.outside + step[2], inside: wall.inside + step[3], ..*wall }
}

fn normal_equations(wall: &Wall, cortical: f64, sigma: f64, profile: &Profile) -> (Matrix4<f64>, Vector4<f64>) {
    let (mut matrix, mut right) = (Matrix4::zeros(), Vector4::zeros());
    for (s, v) in profile.depths.iter().zip(&profile.values) {
        let (g, by) = value(wall, cortical, sigma, *s);
        matrix += by.own * by.own.transpose();
        right += by.own * (v - g);
    }
    (matrix, right)
}
