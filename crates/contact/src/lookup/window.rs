//! The part of a table that is in memory, and the surface between its points.

use super::source::TableSource;
use std::sync::Arc;
use wolff_spatial::Vec3;

/// A square of points of a table. It moves when a query leaves it.
#[derive(Debug)]
pub struct Window {
    source: Arc<dyn TableSource>,
    width: usize,
    /// First point along both parameters; none before the first query.
    start: Option<[usize; 2]>,
    points: Vec<Vec3>,
    points_read: usize,
    moves: usize,
}

/// A point of a surface with derivatives by the parameters, which count the points of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jet {
    /// Position \[m\].
    pub r: Vec3,
    /// First derivatives \[m\].
    pub r_u: Vec3,
    /// By v.
    pub r_v: Vec3,
    /// Second derivatives \[m\].
    pub r_uu: Vec3,
    /// Mixed.
    pub r_uv: Vec3,
    /// By v twice.
    pub r_vv: Vec3,
}

impl Window {
    /// An empty window of `width` points along both parameters.
    pub(super) fn new(source: Arc<dyn TableSource>, width: usize) -> Self {
        Window { source, width, start: None, points: vec![Vec3::zeros(); width * width], points_read: 0, moves: 0 }
    }

    /// Points read so far.
    pub fn points_read(&self) -> usize {
        self.points_read
    }

    /// How often it was filled.
    pub fn moves(&self) -> usize {
        self.moves
    }

    /// Points in memory.
    pub fn held(&self) -> usize {
        self.points.len()
    }

    /// The surface at (u, v), which are held within the table: on each line of the grid two parabolas, each through a
    /// point and its neighbours, are blended over the cell between them (Overhauser's curve):
    ///
    /// ```text
    /// r(i + t) = (1 - t) q_i(t) + t q_{i+1}(t)
    /// ```
    ///
    /// The surface passes through all points with continuous tangents; its error is of third order in the spacing, its
    /// second derivatives jump from cell to cell by the first. At the rim the missing neighbour continues the parabola
    /// of the last three. Source: Overhauser, Analytic definition of curves and surfaces by parabolic blending, Ford
    /// Motor Company, 1968.
    pub fn jet(&mut self, [u, v]: [f64; 2]) -> Jet {
        let size = self.source.size();
        let (first_u, w_u) = stencil(u, size[0]);
        let (first_v, w_v) = stencil(v, size[1]);
        let corner = self.hold([first_u, first_v]);
        let mut jet = [Vec3::zeros(); 6];
        for i in 0..4 {
            let row = corner + i * self.width;
            let Some(points) = self.points.get(row..row + 4) else { continue };
            // value, first and second derivative along v
            let along = |k: usize| (0..4).map(|j| points[j] * w_v[k][j]).sum::<Vec3>();
            let (r, d, dd) = (along(0), along(1), along(2));
            for (sum, term) in jet.iter_mut().zip([
                r * w_u[0][i],
                r * w_u[1][i],
                d * w_u[0][i],
                r * w_u[2][i],
                d * w_u[1][i],
                dd * w_u[0][i],
            ]) {
                *sum += term;
            }
        }
        let [r, r_u, r_v, r_uu, r_uv, r_vv] = jet;
        Jet { r, r_u, r_v, r_uu, r_uv, r_vv }
    }

    /// Makes sure that 4 x 4 points from `first` on are here; gives the place of the first.
    fn hold(&mut self, first: [usize; 2]) -> usize {
        let inside = |start: [usize; 2]| (0..2).all(|k| start[k] <= first[k] && first[k] + 4 <= start[k] + self.width);
        let start = match self.start.filter(|start| inside(*start)) {
            Some(start) => start,
            None => self.move_to(first),
        };
        (first[0] - start[0]) * self.width + (first[1] - start[1])
    }

    /// Fills the window with `first` in its middle. What cannot be read is NaN and stops the integrator.
    fn move_to(&mut self, first: [usize; 2]) -> [usize; 2] {
        let size = self.source.size();
        let margin = (self.width - 4) / 2;
        let start = [0, 1].map(|k| first[k].saturating_sub(margin).min(size[k] - self.width));
        if self.source.read(start, [self.width; 2], &mut self.points).is_err() {
            self.points.fill(Vec3::repeat(f64::NAN));
        }
        self.start = Some(start);
        self.points_read += self.width * self.width;
        self.moves += 1;
        start
    }
}

/// First of the four points that matter at `u` of `count`, and their weights for value, first and second derivative.
fn stencil(u: f64, count: usize) -> (usize, [[f64; 4]; 3]) {
    // NaN falls into the first cell and stays NaN
    let cell = (u.max(0.0) as usize).min(count - 2);
    let t = if u.is_nan() { u } else { (u - cell as f64).clamp(0.0, 1.0) };
    let value = [
        t * (-0.5 + t * (1.0 - 0.5 * t)),
        1.0 + t * t * (1.5 * t - 2.5),
        t * (0.5 + t * (2.0 - 1.5 * t)),
        0.5 * t * t * (t - 1.0),
    ];
    let slope = [-0.5 + t * (2.0 - 1.5 * t), t * (4.5 * t - 5.0), 0.5 + t * (4.0 - 4.5 * t), t * (1.5 * t - 1.0)];
    let curvature = [2.0 - 3.0 * t, 9.0 * t - 5.0, 4.0 - 9.0 * t, 3.0 * t - 1.0];
    let weights = [value, slope, curvature];
    if cell == 0 {
        // p(-1) = 3 p(0) - 3 p(1) + p(2)
        return (0, weights.map(|[a, b, c, d]| [b + 3.0 * a, c - 3.0 * a, d + a, 0.0]));
    }
    if cell == count - 2 {
        return (count - 4, weights.map(|[a, b, c, d]| [0.0, a + d, b - 3.0 * d, c + 3.0 * d]));
    }
    (cell - 1, weights)
}
