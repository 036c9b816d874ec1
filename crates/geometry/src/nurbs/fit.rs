//! Surfaces from points: as few knots as a tolerance allows.

use super::knots::KnotVector;
use super::least_squares::fit_control_points;
use super::parametrize::{Base, check};
use super::refine::Direction;
use super::set::NurbsPatchSet;
use super::surface::NurbsSurface;
use crate::error::GeometryError;
use wolff_spatial::Vec3;

/// Better parameters are not worth the effort while the error is this many times the tolerance: knots are missing.
const HOPELESS: f64 = 20.0;

/// How a surface is fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitOptions {
    /// Largest distance of a point from the surface \[m\].
    pub tolerance: f64,
    /// Degree in both directions.
    pub degree: usize,
    /// Weight of the penalty on bends of the control net relative to the data: 1e-9 only bridges holes, 1e-3 smooths.
    pub smoothing: f64,
    /// How often the parameters are replaced by those of the nearest points in each fit.
    pub corrections: usize,
    /// Largest number of spans in either direction.
    pub max_spans: usize,
    /// Whether knots that the tolerance does not need are taken out at the end.
    pub reduce: bool,
}

impl FitOptions {
    /// Cubic, hardly smoothed, reduced.
    pub fn to_tolerance(tolerance: f64) -> Self {
        FitOptions { tolerance, degree: 3, smoothing: 1e-9, corrections: 2, max_spans: 64, reduce: true }
    }
}

/// Distances of the points from the fitted surface \[m\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitErrors {
    /// Largest.
    pub max: f64,
    /// Mean.
    pub mean: f64,
    /// Standard deviation about the mean.
    pub deviation: f64,
}

impl FitErrors {
    /// Of distances \[m\].
    pub fn of(distances: &[f64]) -> FitErrors {
        let n = distances.len().max(1) as f64;
        let mean = distances.iter().sum::<f64>() / n;
        let variance = distances.iter().map(|d| (d - mean) * (d - mean)).sum::<f64>() / n;
        FitErrors { max: distances.iter().copied().fold(0.0, f64::max), mean, deviation: variance.sqrt() }
    }
}

/// A fitted surface.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The surface, on the unit square.
    pub surface: NurbsSurface,
    /// Distance of each point from it \[m\].
    pub distances: Vec<f64>,
    /// How well it fits.
    pub errors: FitErrors,
    /// Whether the largest error is within the tolerance; if not, `max_spans` or the points were not enough.
    pub within_tolerance: bool,
}

/// Points with their parameters, and the distance of each from the last surface.
#[derive(Clone)]
struct Data<'a> {
    points: &'a [Vec3],
    parameters: Vec<(f64, f64)>,
    distances: Vec<f64>,
}

/// The point of a surface nearest to a data point.
struct Nearest {
    parameters: (f64, f64),
    distance: f64,
}

/// Fits points on a grid, (i, j) at `i * columns + j`, i along u.
pub fn fit_grid(points: &[Vec3], columns: usize, options: &FitOptions) -> Result<Fit, GeometryError> {
    check(points)?;
    let rows = points.len() / columns.max(1);
    if columns < 2 || rows < 2 || rows * columns != points.len() {
        let (what, rule) = ("number of columns", "the points must form at least 2 full rows of at least 2 columns");
        return Err(GeometryError::Count { object: "grid to fit".into(), what, found: columns, rule });
    }
    let u = mean_chords(rows, columns, |i, k| points[i * columns + k])?;
    let v = mean_chords(columns, rows, |j, k| points[k * columns + j])?;
    let parameters: Vec<(f64, f64)> = (0..points.len()).map(|k| (u[k / columns], v[k % columns])).collect();
    fit_points(points, &parameters, options)
}

/// Chord lengths along one direction of a grid, averaged over its lines, 0 to 1.
fn mean_chords(count: usize, lines: usize, at: impl Fn(usize, usize) -> Vec3) -> Result<Vec<f64>, GeometryError> {
    let mut sums = vec![0.0; count];
    for i in 1..count {
        let step = (0..lines).map(|k| (at(i, k) - at(i - 1, k)).norm()).sum::<f64>() / lines as f64;
        sums[i] =
            sums[i - 1] + GeometryError::positive("grid to fit", "mean distance of neighbouring lines [m]", step)?;
    }
    let total = sums[count - 1];
    Ok(sums.into_iter().map(|s| s / total).collect())
}

/// Fits scattered points with parameters from a base surface.
pub fn fit_scattered(points: &[Vec3], base: &Base, options: &FitOptions) -> Result<Fit, GeometryError> {
    fit_points(points, &base.parameters(points)?, options)
}

/// Fits points with given parameters in the unit square.
///
/// Knots are added in the middle of spans that hold points beyond the tolerance, in the direction in which the
/// offending piece is longer, until all points are within it; then every knot whose loss the tolerance bears is taken
/// out again. This is the reduction of u-v curves of Bei and Fregly, Med Eng Phys, 2004 (own algorithm).
pub fn fit_points(points: &[Vec3], parameters: &[(f64, f64)], options: &FitOptions) -> Result<Fit, GeometryError> {
    check(points)?;
    GeometryError::positive("fit", "tolerance [m]", options.tolerance)?;
    let inside = |t: f64| (0.0..=1.0).contains(&t);
    if parameters.len() != points.len() || !parameters.iter().all(|(u, v)| inside(*u) && inside(*v)) {
        let (what, rule) = ("number of parameters", "give each point parameters between 0 and 1");
        return Err(GeometryError::Count { object: "fit".into(), what, found: parameters.len(), rule });
    }
    let mut data = Data { points, parameters: parameters.to_vec(), distances: Vec::new() };
    let mut knots = [KnotVector::uniform("fit", options.degree, 1)?, KnotVector::uniform("fit", options.degree, 1)?];
    let mut surface = fit_once(&knots, &mut data, options)?;
    while FitErrors::of(&data.distances).max > options.tolerance {
        let finer = [Direction::U, Direction::V].map(|d| with_needed_knots(&surface, &data, d, options));
        if finer == knots {
            break;
        }
        knots = finer;
        surface = fit_once(&knots, &mut data, options)?;
    }
    let reached = FitErrors::of(&data.distances).max <= options.tolerance;
    if options.reduce && reached {
        (surface, data) = reduced(surface, data, options)?;
    }
    let errors = FitErrors::of(&data.distances);
    Ok(Fit { surface, distances: data.distances, errors, within_tolerance: errors.max <= options.tolerance })
}

/// A surface with fewer knots within `tolerance` \[m\] of the given one, on the unit square. Seams of closed surfaces
/// come out closed only within the tolerance.
pub fn refit(surface: &NurbsSurface, tolerance: f64) -> Result<Fit, GeometryError> {
    let stations = |knots: &KnotVector| -> Vec<f64> {
        let breaks = knots.breaks();
        let steps = 4;
        let inner = breaks
            .windows(2)
            .flat_map(|pair| (0..steps).map(move |k| pair[0] + (pair[1] - pair[0]) * k as f64 / steps as f64));
        inner.chain(breaks.last().copied()).collect()
    };
    let (us, vs) = (stations(surface.knots_u()), stations(surface.knots_v()));
    let scaled = |t: f64, (low, high): (f64, f64)| ((t - low) / (high - low)).clamp(0.0, 1.0);
    let (mut points, mut parameters) = (Vec::new(), Vec::new());
    for u in &us {
        for v in &vs {
            points.extend(surface.point(*u, *v));
            parameters.push((scaled(*u, surface.knots_u().domain()), scaled(*v, surface.knots_v().domain())));
        }
    }
    let degree = surface.knots_u().degree().max(surface.knots_v().degree()).max(3);
    let mut fit = fit_points(&points, &parameters, &FitOptions { degree, ..FitOptions::to_tolerance(tolerance) })?;
    if surface.is_reversed() {
        fit.surface = fit.surface.reversed();
    }
    Ok(fit)
}

/// Control points for the present parameters, then better parameters, a few times.
fn fit_once(knots: &[KnotVector; 2], data: &mut Data, options: &FitOptions) -> Result<NurbsSurface, GeometryError> {
    let mut surface = fit_control_points((&knots[0], &knots[1]), data.points, &data.parameters, options.smoothing)?;
    for round in 0..=options.corrections {
        let nearest = nearest_points(&surface, data);
        data.distances = nearest.iter().map(|near| near.distance).collect();
        let max = FitErrors::of(&data.distances).max;
        if round == options.corrections || max <= options.tolerance || max > HOPELESS * options.tolerance {
            break;
        }
        data.parameters = nearest.into_iter().map(|near| near.parameters).collect();
        surface = fit_control_points((&knots[0], &knots[1]), data.points, &data.parameters, options.smoothing)?;
    }
    Ok(surface)
}

/// The nearest points, searched from the present parameters; where a search does not settle the parameters stay.
fn nearest_points(surface: &NurbsSurface, data: &Data) -> Vec<Nearest> {
    let (set, _) = NurbsPatchSet::local(std::slice::from_ref(surface));
    let search = |p: &Vec3, (u, v): (f64, f64)| {
        let foot = set.descend(p, &set.place(0, u, v)?, true)?;
        let (_, u, v) = set.parameters(&foot.place)?;
        Some(Nearest { parameters: (u.clamp(0.0, 1.0), v.clamp(0.0, 1.0)), distance: foot.squared.sqrt() })
    };
    let stay = |p: &Vec3, (u, v): (f64, f64)| {
        let distance = surface.point(u, v).map_or(f64::INFINITY, |x| (x - p).norm());
        Nearest { parameters: (u, v), distance }
    };
    data.points.iter().zip(&data.parameters).map(|(p, at)| search(p, *at).unwrap_or_else(|| stay(p, *at))).collect()
}

/// The knots of one direction with a knot more in each span that needs one.
fn with_needed_knots(surface: &NurbsSurface, data: &Data, direction: Direction, options: &FitOptions) -> KnotVector {
    let knots = surface.knots_along(direction);
    let breaks = knots.breaks();
    let mut needed = vec![false; breaks.len() - 1];
    for ((u, v), distance) in data.parameters.iter().zip(&data.distances) {
        if *distance > options.tolerance && longer_direction(surface, *u, *v) == direction {
            let t = if direction == Direction::U { *u } else { *v };
            needed[span_of(&breaks, t)] = true;
        }
    }
    let mut finer = knots.knots().to_vec();
    let room = options.max_spans.saturating_sub(needed.len());
    let middles = (0..needed.len()).filter(|k| needed[*k]).map(|k| 0.5 * (breaks[k] + breaks[k + 1]));
    finer.extend(middles.take(room));
    finer.sort_by(f64::total_cmp);
    knots.with_knots(finer)
}

/// The direction in which the polynomial piece at (u, v) is longer in metres.
fn longer_direction(surface: &NurbsSurface, u: f64, v: f64) -> Direction {
    let width = |knots: &KnotVector, t: f64| {
        let k = knots.span(t);
        knots.knots()[k + 1] - knots.knots()[k]
    };
    let Some(jet) = surface.jet(u, v) else { return Direction::U };
    let along_u = jet.su.norm() * width(surface.knots_u(), u);
    if along_u >= jet.sv.norm() * width(surface.knots_v(), v) { Direction::U } else { Direction::V }
}

fn span_of(breaks: &[f64], t: f64) -> usize {
    (breaks.partition_point(|b| *b <= t).max(1) - 1).min(breaks.len() - 2)
}

/// Takes out knots, one after the other, or puts one in the place of two, as long as the tolerance holds; stops when no
/// knot can be saved any more.
fn reduced<'a>(
    mut surface: NurbsSurface,
    mut data: Data<'a>,
    options: &FitOptions,
) -> Result<(NurbsSurface, Data<'a>), GeometryError> {
    loop {
        let before = surface.net().len();
        for direction in [Direction::U, Direction::V] {
            let mut k = options.degree + 1;
            while k < surface.knots_along(direction).control_count() {
                match with_fewer_knots(&surface, &data, direction, k, options)? {
                    Some(better) => (surface, data) = better,
                    None => k += 1,
                }
            }
        }
        if surface.net().len() == before {
            return Ok((surface, data));
        }
    }
}

/// The fit without knot `k` of a direction, or with one knot between `k` and `k + 1` for both; `None` if the tolerance
/// forbids.
fn with_fewer_knots<'a>(
    surface: &NurbsSurface,
    data: &Data<'a>,
    direction: Direction,
    k: usize,
    options: &FitOptions,
) -> Result<Option<(NurbsSurface, Data<'a>)>, GeometryError> {
    let knots = surface.knots_along(direction);
    let mut without = knots.knots().to_vec();
    let removed = without.remove(k);
    let mut merged = without.clone();
    merged[k] = 0.5 * (removed + without[k]);
    let can_merge = k + 1 < knots.control_count();
    for fewer in [Some(without), can_merge.then_some(merged)].into_iter().flatten() {
        let fewer = knots.with_knots(fewer);
        let pair = match direction {
            Direction::U => [fewer, surface.knots_v().clone()],
            Direction::V => [surface.knots_u().clone(), fewer],
        };
        let mut trial = data.clone();
        let candidate = fit_once(&pair, &mut trial, options)?;
        if FitErrors::of(&trial.distances).max <= options.tolerance {
            return Ok(Some((candidate, trial)));
        }
    }
    Ok(None)
}
