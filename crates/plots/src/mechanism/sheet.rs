//! Where the pictures of a mechanism are on the sheet, and the paths of lines \[px\].

use crate::{LARGEST, WIDTH};
use std::fmt::Write as _;

pub(super) const MARGIN: f64 = 24.0;
/// Room between panels, and below each for its time \[px\].
const BETWEEN: f64 = 18.0;
const BELOW: f64 = 26.0;
/// Largest height of one panel, and of all together \[px\].
const TALLEST: f64 = 330.0;
const TALLEST_SHEET: f64 = 720.0;
/// Half width of a spring \[px\].
const COIL: f64 = 4.5;
/// Windings of a spring.
const WINDINGS: usize = 7;

/// Left, right, bottom and top \[m\].
pub(super) type Bounds = [f64; 4];

/// Panels of equal size.
pub(super) struct Grid {
    bounds: Bounds,
    columns: usize,
    rows: usize,
    /// \[px/m\]
    pub scale: f64,
}

impl Grid {
    /// The arrangement in which the picture is largest.
    pub fn new(bounds: Bounds, count: usize) -> Self {
        let (wide, high) = (bounds[1] - bounds[0], bounds[3] - bounds[2]);
        let arranged = |columns: usize| {
            let rows = count.div_ceil(columns);
            let across = (WIDTH - 2.0 * MARGIN - BETWEEN * (columns - 1) as f64) / columns as f64;
            let up = (TALLEST_SHEET / rows as f64 - BELOW).min(TALLEST);
            let scale = (across / wide).min(up / high);
            Grid { bounds, columns, rows, scale: if scale.is_finite() { scale } else { 1.0 } }
        };
        (1..=count).map(arranged).fold(arranged(1), |best, next| if next.scale >= best.scale { next } else { best })
    }

    pub fn height(&self) -> f64 {
        self.rows as f64 * self.pitch_down() + 8.0
    }

    fn pitch_down(&self) -> f64 {
        self.scale * (self.bounds[3] - self.bounds[2]) + BELOW
    }

    /// Panel with that number; all together are centred.
    pub fn panel(&self, number: usize, top: f64) -> Sheet {
        let across = self.scale * (self.bounds[1] - self.bounds[0]);
        let all = across * self.columns as f64 + BETWEEN * (self.columns - 1) as f64;
        let (column, row) = (number % self.columns, number / self.columns);
        Sheet {
            bounds: self.bounds,
            scale: self.scale,
            left: 0.5 * (WIDTH - all) + (across + BETWEEN) * column as f64,
            top: top + self.pitch_down() * row as f64,
        }
    }
}

/// Where one panel is.
pub(super) struct Sheet {
    bounds: Bounds,
    pub scale: f64,
    pub left: f64,
    pub top: f64,
}

impl Sheet {
    pub fn width(&self) -> f64 {
        self.scale * (self.bounds[1] - self.bounds[0])
    }

    pub fn height(&self) -> f64 {
        self.scale * (self.bounds[3] - self.bounds[2])
    }

    pub fn place(&self, [u, v]: [f64; 2]) -> [f64; 2] {
        [self.left + self.scale * (u - self.bounds[0]), self.top + self.scale * (self.bounds[3] - v)]
    }

    /// The part of a line without ends that is within the panel.
    pub fn clipped(&self, at: [f64; 2], along: [f64; 2]) -> Option<String> {
        let (mut from, mut to) = (-LARGEST, LARGEST);
        for i in 0..2 {
            let (low, high) = (self.bounds[2 * i], self.bounds[2 * i + 1]);
            if along[i].abs() < 1e-9 {
                if !(low..=high).contains(&at[i]) {
                    return None;
                }
                continue;
            }
            let ends = [(low - at[i]) / along[i], (high - at[i]) / along[i]];
            from = from.max(ends[0].min(ends[1]));
            to = to.min(ends[0].max(ends[1]));
        }
        let end = |s: f64| self.place([at[0] + s * along[0], at[1] + s * along[1]]);
        (to > from).then(|| polyline(&[end(from), end(to)], false))
    }
}

pub(super) fn union(a: Bounds, b: Bounds) -> Bounds {
    [a[0].min(b[0]), a[1].max(b[1]), a[2].min(b[2]), a[3].max(b[3])]
}

pub(super) fn drawable(point: &[f64; 2]) -> bool {
    point.iter().all(|x| x.abs() <= LARGEST)
}

pub(super) fn polyline(pixels: &[[f64; 2]], closed: bool) -> String {
    let mut path = String::new();
    for (k, [x, y]) in pixels.iter().enumerate() {
        let _ = write!(path, "{}{x:.1} {y:.1}", if k == 0 { 'M' } else { 'L' });
    }
    if closed {
        path.push('z');
    }
    path
}

pub(super) fn circle([x, y]: [f64; 2], r: f64) -> String {
    let (left, across) = (x - r, 2.0 * r);
    format!("M{left:.1} {y:.1}a{r:.1} {r:.1} 0 1 0 {across:.1} 0a{r:.1} {r:.1} 0 1 0 {:.1} 0z", -across)
}

/// The zigzag of a spring between two points \[px\].
pub(super) fn coil(a: [f64; 2], b: [f64; 2]) -> Vec<[f64; 2]> {
    let d = [b[0] - a[0], b[1] - a[1]];
    let length = d[0].hypot(d[1]);
    if length < 1.0 {
        return vec![a, b];
    }
    let across = [-d[1] / length, d[0] / length];
    let point = |k: usize| {
        let s = (k as f64 + 0.5) / WINDINGS as f64;
        let side = if k.is_multiple_of(2) { COIL } else { -COIL };
        [0, 1].map(|i| a[i] + s * d[i] + side * across[i])
    };
    std::iter::once(a).chain((0..WINDINGS).map(point)).chain([b]).collect()
}
