//! Slices of the scan with the outlines of the wall; of a surface only the outlines.

use nalgebra::Complex;
use rayon::prelude::*;
use wolff_geometry::{Normals, Surface as _, TriangleSurface};
use wolff_morphology::section::segment;
use wolff_plots::{GreyImage, Slice, SlicePlot};
use wolff_spatial::Vec3;

use super::outside::UP;
use super::section::mid_shaft;
use crate::bone::tissue::wall;
use crate::bone::{BoneRequest, MadeBone};

/// Parts of the length at which slices lie across the bone.
const ACROSS: [(f64, &str); 3] =
    [(0.2, "20 % of the length"), (0.5, "50 % of the length"), (0.8, "80 % of the length")];
/// Distance between the places of a slice \[mm\], across and along the bone.
const STEPS: [f64; 2] = [0.6, 1.0];
/// What is shown around the bone \[mm\].
const AROUND: f64 = 5.0;
/// Part of the grey values that lies between black and white.
const WITHIN: [f64; 2] = [0.01, 0.995];
/// Least grey value of black: fat and air are not looked at \[HU\].
const BLACK: f64 = -200.0;

/// A plane in the frame of the bone \[mm\].
struct Plane {
    label: &'static str,
    labels: [&'static str; 2],
    /// To the right of the picture, upwards, and towards the eye.
    axes: [Vec3; 3],
    /// Where it lies along the last one.
    height: f64,
    step: f64,
}

/// The bone, ready for slices.
struct Sliced<'a> {
    made: &'a MadeBone,
    request: &'a BoneRequest,
    surface: TriangleSurface,
    /// Vertices of the surface in the frame of the bone \[mm\].
    points: Vec<Vec3>,
    /// Lowest and highest of them.
    ends: [f64; 2],
}

/// Slices across the bone.
pub(super) fn across(made: &MadeBone, request: &BoneRequest) -> Option<String> {
    let sliced = Sliced::new(made, request)?;
    let [low, high] = sliced.ends;
    let plane = |(part, label): (f64, &'static str)| Plane {
        label,
        labels: ["to the right (mm)", "forward (mm)"],
        axes: [Vec3::z(), Vec3::x(), Vec3::y()],
        height: low + part * (high - low),
        step: STEPS[0],
    };
    Some(sliced.plot("Slices across the bone, from above", &ACROSS.map(plane)))
}

/// Slices along the bone, through the middle of its shaft.
pub(super) fn along(made: &MadeBone, request: &BoneRequest) -> Option<String> {
    let sliced = Sliced::new(made, request)?;
    let middle = mid_shaft(&sliced.points);
    let plane = |label, right_label, right: Vec3| {
        let eye = right.cross(&Vec3::y());
        let axes = [right, Vec3::y(), eye];
        Plane { label, labels: [right_label, UP], axes, height: middle.dot(&eye), step: STEPS[1] }
    };
    let planes = [
        plane("coronal, from the front", "to the left (mm)", -Vec3::z()),
        plane("sagittal, from the right", "forward (mm)", Vec3::x()),
    ];
    Some(sliced.plot("Slices along the bone", &planes))
}

impl<'a> Sliced<'a> {
    fn new(made: &'a MadeBone, request: &'a BoneRequest) -> Option<Self> {
        let surface = TriangleSurface::new(made.shape.surface.clone(), Normals::Facets).ok()?;
        let points: Vec<Vec3> =
            made.shape.surface.vertices().iter().map(|x| 1e3 * made.morphology.in_bone(x)).collect();
        let heights = || points.iter().map(|x| x.y);
        let ends = [heights().fold(f64::INFINITY, f64::min), heights().fold(f64::NEG_INFINITY, f64::max)];
        Some(Self { made, request, surface, points, ends })
    }

    fn plot(&self, title: &str, planes: &[Plane]) -> String {
        let slices: Vec<Slice> = planes.iter().map(|plane| self.slice(plane)).collect();
        let grey = self.made.shape.grey.is_some().then(|| ("grey value of the scan (HU)", range(&slices)));
        let inner = match self.made.shape.density {
            Some(_) => "inner side of the cortex, fitted",
            None => "inner side of the wall, assumed",
        };
        let lines = vec!["outer surface", inner];
        SlicePlot { title, grey, lines, columns: slices.len(), slices }.to_svg()
    }

    fn slice(&self, plane: &Plane) -> Slice<'static> {
        let outer = self.outline(plane);
        let limits = limits(&outer);
        let grid = Grid::new(limits, plane.step);
        let inner = grid.contour(&grid.values(|[x, y]| self.below_wall(&plane.point(x, y))));
        let image = self.made.shape.grey.as_ref().map(|volume| {
            let value = |[x, y]: [f64; 2]| volume.at(&self.in_input(&plane.point(x, y))).unwrap_or(f64::NAN);
            GreyImage { columns: grid.columns, values: grid.values(value) }
        });
        let [x_label, y_label] = plane.labels;
        Slice { label: plane.label, x_label, y_label, limits, image, outlines: vec![outer, inner] }
    }

    /// A point of the bone's frame \[mm\] in that of the input \[m\].
    fn in_input(&self, point: &Vec3) -> Vec3 {
        let bone = &self.made.morphology;
        bone.origin + bone.axes * point * 1e-3
    }

    /// Where the plane meets the outer surface.
    fn outline(&self, plane: &Plane) -> Vec<[[f64; 2]; 2]> {
        let [right, up, eye] = &plane.axes;
        let place = |v: u32| {
            let x = &self.points[v as usize];
            (x.dot(eye) - plane.height, Complex::new(x.dot(right), x.dot(up)))
        };
        let triangles = self.made.shape.surface.triangles().iter();
        triangles.filter_map(|t| segment(&t.map(place))).map(|s| s.map(|w| [w.re, w.im])).collect()
    }

    /// How far a point lies below the inner side of the wall \[mm\]; negative in the wall and outside of the bone.
    fn below_wall(&self, point: &Vec3) -> f64 {
        let x = self.in_input(point);
        let Some(nearest) = self.surface.closest(&x) else { return f64::NAN };
        let way = nearest.position - x;
        let depth = way.norm().copysign(way.dot(&nearest.normal));
        let thickness = match &self.made.shape.density {
            Some(density) => {
                let triangle = self.surface.mesh().triangles()[nearest.place.patch as usize];
                let (u, v) = (nearest.place.u, nearest.place.v);
                let at = |k: usize| density.cortex().thickness[triangle[k] as usize];
                (1.0 - u - v) * at(0) + u * at(1) + v * at(2)
            }
            None => wall((point.y - self.ends[0]) / (self.ends[1] - self.ends[0]), self.request.wall),
        };
        1e3 * (depth - thickness)
    }
}

impl Plane {
    fn point(&self, x: f64, y: f64) -> Vec3 {
        self.axes[0] * x + self.axes[1] * y + self.axes[2] * self.height
    }
}

/// Left, right, bottom and top of an outline and a little more.
fn limits(outline: &[[[f64; 2]; 2]]) -> [f64; 4] {
    let ends = |axis: usize| {
        let all = || outline.iter().flatten().map(|x| x[axis]);
        [all().fold(f64::INFINITY, f64::min) - AROUND, all().fold(f64::NEG_INFINITY, f64::max) + AROUND]
    };
    let ([left, right], [bottom, top]) = (ends(0), ends(1));
    if left < right && bottom < top { [left, right, bottom, top] } else { [0.0; 4] }
}

/// The grey values of black and white.
fn range(slices: &[Slice]) -> [f64; 2] {
    let images = slices.iter().filter_map(|slice| slice.image.as_ref());
    let mut all: Vec<f64> = images.flat_map(|image| image.values.iter().copied()).filter(|v| v.is_finite()).collect();
    all.sort_by(f64::total_cmp);
    let at = |part: f64| all.get((part * all.len() as f64) as usize).copied().unwrap_or(0.0);
    let [black, white] = WITHIN.map(at);
    [black.max(BLACK).min(white - 1.0), white]
}

/// Places of a slice in rows from the top.
struct Grid {
    columns: usize,
    rows: usize,
    corner: [f64; 2],
    step: [f64; 2],
}

impl Grid {
    /// Cells that fill the limits, near squares of about the given side.
    fn new([left, right, bottom, top]: [f64; 4], step: f64) -> Self {
        let count = |length: f64| ((length / step).round().max(1.0)) as usize;
        let (columns, rows) = (count(right - left), count(top - bottom));
        Self {
            columns,
            rows,
            corner: [left, top],
            step: [(right - left) / columns as f64, (top - bottom) / rows as f64],
        }
    }

    /// The middle of a cell.
    fn place(&self, column: usize, row: usize) -> [f64; 2] {
        [self.corner[0] + (column as f64 + 0.5) * self.step[0], self.corner[1] - (row as f64 + 0.5) * self.step[1]]
    }

    fn values(&self, value: impl Fn([f64; 2]) -> f64 + Sync) -> Vec<f64> {
        let at = |n: usize| value(self.place(n % self.columns, n / self.columns));
        (0..self.columns * self.rows).into_par_iter().map(at).collect()
    }

    /// Where values between the places pass zero, as segments: each square of four places is cut into two triangles.
    fn contour(&self, values: &[f64]) -> Vec<[[f64; 2]; 2]> {
        let corner = |column: usize, row: usize| {
            let [x, y] = self.place(column, row);
            (values[column + self.columns * row], Complex::new(x, y))
        };
        let mut found = Vec::new();
        for row in 1..self.rows {
            for column in 1..self.columns {
                let [a, b, c, d] = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(i, j)| corner(column - i, row - j));
                let pieces = [[a, b, c], [a, c, d]].into_iter().filter(|t| t.iter().all(|(h, _)| h.is_finite()));
                found.extend(pieces.filter_map(|t| segment(&t)).map(|s| s.map(|w| [w.re, w.im])));
            }
        }
        found
    }
}
