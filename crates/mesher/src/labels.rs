//! Bodies given as labels of the points of a regular grid.

use wolff_spatial::Vec3;

use crate::error::MesherError;
use crate::fields::{Field, Frame, deviation, shortest_runs};
use crate::interface::{faces_where, surface_area};
use crate::pipeline::{self, Plan};
use crate::settings::{Meshed, Progress, Settings};
use crate::shape::{Freedom, Materials, Shape};
use crate::store::Store;

/// A cell is halved where a label in it is thinner than this many cells.
const CELLS_PER_THICKNESS: f64 = 1.5;
/// Newton steps towards an interface, at most.
const STEPS: usize = 12;
/// A difference of indicators below this is zero: a thousandth of the width of the transition.
const ON_INTERFACE: f64 = 1e-3;
/// The indicators of materials that meet are at least this: one half where two meet, a quarter where four do, less by
/// what is added for the volumes.
const LEAST_INDICATOR: f64 = 0.12;

/// Labels of one grid, at most.
const MOST_LABELS: usize = 255;
/// Points in the boxes around all labels, at most: 4 bytes each.
const MOST_VALUES: f64 = 1e9;

/// Labels of the points of a regular grid; 0 is the outside.
///
/// The point (i, j, k) lies at `origin + (i sx, j sy, k sz)`, and its label is `labels[i + nx (j + ny k)]`.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelGrid {
    size: [usize; 3],
    spacing: [f64; 3],
    origin: Vec3,
    labels: Vec<u16>,
}

impl LabelGrid {
    /// A grid of labels.
    ///
    /// # Errors
    /// When the number of labels is not the product of the sizes, there are fewer than two points along an axis, or a
    /// length is not finite or not positive.
    pub fn new(size: [usize; 3], spacing: [f64; 3], origin: Vec3, labels: Vec<u16>) -> Result<Self, MesherError> {
        let count = size.iter().try_fold(1_usize, |product, &n| product.checked_mul(n));
        let [nx, ny, nz] = size;
        if count != Some(labels.len()) || size.iter().any(|&n| n < 2) {
            return Err(MesherError::Grid(format!(
                "{} labels do not fill {nx} x {ny} x {nz} points, two at least along each axis; give one per point",
                labels.len()
            )));
        }
        if !spacing.iter().all(|&s| s > 0.0 && s.is_finite()) || !origin.iter().all(|c| c.is_finite()) {
            return Err(MesherError::Grid(format!(
                "the spacing {spacing:?} m and the origin {:?} m must be finite and the spacing positive",
                origin.as_slice()
            )));
        }
        Ok(LabelGrid { size, spacing, origin, labels })
    }

    /// Number of points along the axes.
    pub fn size(&self) -> [usize; 3] {
        self.size
    }

    /// The labels, the first axis the fastest.
    pub fn labels(&self) -> &[u16] {
        &self.labels
    }
}

/// Meshes all labels of a grid above 0 with conforming interfaces. A label without a name is called `label-` and its
/// number.
///
/// Interfaces are those between smoothed indicators of the labels, of which the largest wins, shifted so that a label
/// keeps its volume.
///
/// # Errors
/// When a setting breaks a rule, there is no label above 0, the size gives too many elements or leaves nothing of the
/// body, or `progress` returns `false`.
pub fn mesh_labels(
    grid: &LabelGrid,
    names: &[(u16, &str)],
    settings: &Settings,
    progress: &mut Progress,
) -> Result<Meshed, MesherError> {
    settings.check()?;
    let mut body = Labels::new(grid, settings)?;
    let name = |number: &u16| {
        let known = names.iter().find(|(label, _)| label == number);
        known.map_or_else(|| format!("label-{number}"), |(_, name)| (*name).to_owned())
    };
    let plan = Plan {
        names: body.numbers.iter().map(name).collect(),
        input_volumes: body.volumes.clone(),
        bounds: body.bounds,
        what: "the grid of labels".into(),
    };
    let store = pipeline::run(&mut body, &plan, settings, progress)?;
    pipeline::finish(&store, &body, &plan, settings, None, progress)
}

/// What is known of a label before it is smoothed.
struct Extent {
    count: usize,
    low: [usize; 3],
    high: [usize; 3],
}

/// Labels as smoothed indicators; material m is the m-th label above 0.
struct Labels<'a> {
    grid: &'a LabelGrid,
    frame: Frame,
    numbers: Vec<u16>,
    fields: Vec<Field>,
    /// What is added to the indicators so that the labels keep their volumes; the outside first.
    biases: Vec<f64>,
    volumes: Vec<f64>,
    /// The shortest run of its label through each point of the grid \[m\].
    runs: Vec<f32>,
    least_side: f64,
    bounds: [Vec3; 2],
}

impl<'a> Labels<'a> {
    fn new(grid: &'a LabelGrid, settings: &Settings) -> Result<Self, MesherError> {
        let frame = Frame { size: grid.size, spacing: grid.spacing, origin: grid.origin };
        let extents = extents(grid);
        let voxel: f64 = grid.spacing.iter().product();
        let numbers: Vec<u16> = extents.iter().map(|(number, _)| *number).collect();
        if numbers.is_empty() {
            return Err(MesherError::NoVolume { what: "the grid of labels".into(), volume: 0.0 });
        }
        require_few(&frame, &extents)?;
        let volumes: Vec<f64> = extents.iter().map(|(_, extent)| extent.count as f64 * voxel).collect();
        let base = pipeline::SIDE_PER_SIZE * settings.size;
        let least_side = base / f64::from(1 << settings.halvings);
        let runs = shortest_runs(&grid.labels, &frame);
        let fields =
            extents.iter().map(|(number, e)| Field::new(&grid.labels, &frame, *number, e.low, e.high)).collect();
        let place = |at: [usize; 3]| {
            grid.origin + Vec3::new(at[0] as f64, at[1] as f64, at[2] as f64).component_mul(&Vec3::from(grid.spacing))
        };
        let low = extents.iter().map(|(_, e)| place(e.low)).reduce(|a, b| a.inf(&b)).unwrap_or_default();
        let high = extents.iter().map(|(_, e)| place(e.high)).reduce(|a, b| a.sup(&b)).unwrap_or_default();
        let biases = vec![0.0; numbers.len() + 1];
        Ok(Labels { grid, frame, numbers, fields, biases, volumes, runs, least_side, bounds: [low, high] })
    }

    /// The indicator of a material, biased; that of the outside is what the others leave.
    fn indicator(&self, material: u16, steps: &[f64; 3]) -> f64 {
        let material = usize::from(material);
        let value = match material.checked_sub(1) {
            Some(field) => self.fields[field].at(steps),
            None => 1.0 - self.fields.iter().map(|field| field.at(steps)).sum::<f64>(),
        };
        value + self.biases[material]
    }

    /// Difference of the indicators of two materials.
    fn difference(&self, [a, b]: [u16; 2], x: &Vec3) -> f64 {
        let steps = self.frame.steps(x);
        self.indicator(a, &steps) - self.indicator(b, &steps)
    }

    /// The difference and its gradient, by differences over half a step of the grid.
    fn slope(&self, pair: [u16; 2], x: &Vec3) -> (f64, Vec3) {
        let along = |i: usize| {
            let mut h = Vec3::zeros();
            h[i] = 0.5 * self.frame.spacing[i];
            (self.difference(pair, &(x + h)) - self.difference(pair, &(x - h))) / (2.0 * h[i])
        };
        (self.difference(pair, x), Vec3::new(along(0), along(1), along(2)))
    }

    /// The slope of a difference across a flat interface \[1/m\].
    fn steepness(&self) -> f64 {
        let spread = self.frame.spacing.iter().map(|s| s * s).sum::<f64>() / 18.0;
        2.0 / ((deviation(&self.frame).powi(2) + spread) * 2.0 * std::f64::consts::PI).sqrt()
    }

    /// The points of the grid within a cube, as rows of their numbers.
    fn rows_within(&self, centre: &Vec3, half_side: f64) -> impl Iterator<Item = std::ops::Range<usize>> {
        let low = self.frame.steps(&centre.add_scalar(-half_side));
        let high = self.frame.steps(&centre.add_scalar(half_side));
        let size = self.frame.size;
        let range = move |i: usize| {
            let first = low[i].ceil().clamp(0.0, size[i] as f64) as usize;
            let end = (high[i].floor() + 1.0).clamp(first as f64, size[i] as f64) as usize;
            first..end
        };
        let columns = range(0);
        range(2).flat_map(move |k| {
            let columns = columns.clone();
            range(1).map(move |j| {
                let row = size[0] * (j + size[1] * k);
                row + columns.start..row + columns.end
            })
        })
    }
}

/// Refuses more labels than memory and time allow.
fn require_few(frame: &Frame, extents: &[(u16, Extent)]) -> Result<(), MesherError> {
    let values: f64 = extents.iter().map(|(_, extent)| Field::count(frame, extent.low, extent.high)).sum();
    if extents.len() > MOST_LABELS || values > MOST_VALUES {
        return Err(MesherError::Grid(format!(
            "it has {} labels whose boxes hold {values:.1e} points, at most {MOST_LABELS} and {MOST_VALUES:.0e} are \
             allowed; crop the grid, or join or leave out labels",
            extents.len()
        )));
    }
    Ok(())
}

/// Count and box of every label above 0, in the order of the labels.
fn extents(grid: &LabelGrid) -> Vec<(u16, Extent)> {
    let mut found: Vec<Option<Extent>> = Vec::new();
    let [nx, ny, _] = grid.size;
    for (at, &label) in grid.labels.iter().enumerate() {
        if label == 0 {
            continue;
        }
        let place = [at % nx, at / nx % ny, at / (nx * ny)];
        let index = usize::from(label);
        if found.len() <= index {
            found.resize_with(index + 1, || None);
        }
        let extent = found[index].get_or_insert(Extent { count: 0, low: place, high: place });
        extent.count += 1;
        for i in 0..3 {
            extent.low[i] = extent.low[i].min(place[i]);
            extent.high[i] = extent.high[i].max(place[i]);
        }
    }
    found.into_iter().zip(0..).filter_map(|(extent, label)| extent.map(|extent| (label, extent))).collect()
}

impl Shape for Labels<'_> {
    fn materials(&self) -> u16 {
        self.numbers.len() as u16
    }

    fn value(&self, cut: u16, x: &Vec3) -> f64 {
        let steps = self.frame.steps(x);
        let later = (cut + 1..=self.materials()).map(|m| self.indicator(m, &steps));
        let value = self.indicator(cut, &steps) - later.fold(f64::NEG_INFINITY, f64::max);
        // zero is kept for vertices on the interface
        if value == 0.0 { -f64::MIN_POSITIVE } else { value }
    }

    fn crossing(&self, cut: u16, ends: [&Vec3; 2], values: [f64; 2]) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..10 {
            let middle = 0.5 * (low + high);
            let value = self.value(cut, &ends[0].lerp(ends[1], middle));
            if value * values[0] > 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        0.5 * (low + high)
    }

    fn project(&self, materials: &Materials, x: &Vec3) -> Option<(Vec3, Freedom)> {
        let mut x = *x;
        let longest = deviation(&self.frame);
        for _ in 0..STEPS {
            let (step, freedom, off) = match *materials.list() {
                [a, b] => {
                    let (value, slope) = self.slope([a, b], &x);
                    let step = slope * (-value / slope.norm_squared());
                    (step, Freedom::Surface(slope.try_normalize(1e-30)?), value.abs())
                }
                [a, b, c] => {
                    let ((f, p), (g, q)) = (self.slope([a, b], &x), self.slope([b, c], &x));
                    let (pp, pq, qq) = (p.norm_squared(), p.dot(&q), q.norm_squared());
                    let determinant = pp * qq - pq * pq;
                    let (s, t) = ((g * pq - f * qq) / determinant, (f * pq - g * pp) / determinant);
                    let tangent = p.cross(&q).try_normalize(1e-30)?;
                    (p * s + q * t, Freedom::Curve(tangent), f.abs().max(g.abs()))
                }
                _ => return None,
            };
            if off < ON_INTERFACE {
                // where other materials are, both indicators vanish, which makes no interface
                let is_real = self.indicator(materials.list()[0], &self.frame.steps(&x)) > LEAST_INDICATOR;
                return is_real.then_some((x, freedom));
            }
            let length = step.norm();
            if !length.is_finite() {
                return None;
            }
            x += step * (longest / length).min(1.0);
        }
        None
    }

    fn reaches(&self, centre: &Vec3, half_side: f64) -> bool {
        // one more step, as the interface may lie between two points
        let step = self.frame.spacing.into_iter().fold(0.0, f64::max);
        self.rows_within(centre, half_side + step).any(|row| self.grid.labels[row].iter().any(|&label| label > 0))
    }

    fn is_coarse(&self, centre: &Vec3, side: f64) -> bool {
        if side < 1.5 * self.least_side {
            return false;
        }
        // the thickness of a label is that of its thickest place around the cell; gaps of the outside count as well
        let place = |label: u16| match label {
            0 => Some(0),
            label => self.numbers.binary_search(&label).ok().map(|material| material + 1),
        };
        let mut thickness = vec![0.0_f32; self.numbers.len() + 1];
        for row in self.rows_within(centre, side) {
            for (&label, &run) in self.grid.labels[row.clone()].iter().zip(&self.runs[row]) {
                if let Some(thickest) = place(label).and_then(|place| thickness.get_mut(place)) {
                    *thickest = thickest.max(run);
                }
            }
        }
        let is_thin = |label: &u16| {
            let thickest = place(*label).and_then(|place| thickness.get(place));
            thickest.is_some_and(|thickest| f64::from(*thickest) < CELLS_PER_THICKNESS * side)
        };
        self.rows_within(centre, 0.5 * side).any(|row| self.grid.labels[row].iter().any(is_thin))
    }

    fn landmarks(&self) -> &[Vec3] {
        &[]
    }

    fn refine(&mut self, _places: Vec<(Vec3, f64)>) {}

    fn fit(&mut self, store: &Store) {
        let mut volumes = vec![0.0; self.numbers.len() + 1];
        for t in store.all() {
            volumes[usize::from(store.material[t as usize])] += store.volume(t);
        }
        for material in 1..volumes.len() {
            let area = surface_area(store, &faces_where(store, |m| usize::from(m) == material));
            if area > 0.0 {
                let shift = (self.volumes[material - 1] - volumes[material]) / area;
                self.biases[material] = (self.biases[material] + shift * self.steepness()).clamp(-0.4, 0.4);
            }
        }
    }
}
