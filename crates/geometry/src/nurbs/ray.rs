//! Rays: where a line meets the patches.

use super::bernstein::restrict;
use super::box_tree::least_reach;
use super::cell::Cell;
use super::closest::inside_unit;
use super::descend::{Step, Walker, exit};
use super::jet::{Homogeneous, Jet};
use super::knots::MAX_DEGREE;
use super::set::NurbsPatchSet;
use crate::surface::{Hit, Place};
use wolff_spatial::Vec3;

/// Newton steps before a start is given up.
const MAX_STEPS: usize = 24;
/// A step shorter than this fraction of the patch is the last.
const LAST_STEP: f64 = 2e-7;
/// The same where the line grazes the surface and Newton's method converges by halves only.
const LAST_GRAZING_STEP: f64 = 1e-11;
/// Sine of the angle between line and tangent plane below which the line grazes.
const GRAZING: f64 = 0.05;
/// Largest distance from the line, relative to the patch, of a point that counts as on it.
const ON_LINE: f64 = 1e-10;
/// How often a cell that the line grazes is halved.
const MAX_HALVINGS: u32 = 7;
/// A hit this far outside its cell, in the parameters of the patch, still belongs to it.
const EDGE: f64 = 1e-10;

/// A line `origin + t direction` as the meeting of two planes through it.
struct Line {
    origin: Vec3,
    direction: Vec3,
    /// Two unit vectors perpendicular to it and to each other.
    across: [Vec3; 2],
}

impl Line {
    fn new(origin: &Vec3, direction: &Vec3) -> Option<Line> {
        let unit = direction.try_normalize(0.0)?;
        let first = unit.cross(&Vec3::ith(unit.iamin(), 1.0)).try_normalize(0.0)?;
        let finite = origin.iter().chain(first.iter()).all(|x| x.is_finite());
        let across = [first, unit.cross(&first)];
        finite.then_some(Line { origin: *origin, direction: *direction, across })
    }

    fn parameter(&self, x: &Vec3) -> f64 {
        self.direction.dot(&(x - self.origin)) / self.direction.norm_squared()
    }

    /// Newton step of `across · (S(u, v) - origin) = 0` and the sine of the angle between line and tangent plane.
    #[inline]
    fn step(&self, jet: &Jet) -> (f64, f64, f64) {
        let r = jet.s - self.origin;
        let [f, g] = self.across.map(|e| e.dot(&r));
        let [(a, b), (c, d)] = self.across.map(|e| (e.dot(&jet.su), e.dot(&jet.sv)));
        let det = a * d - b * c;
        let area = (jet.su.norm_squared() * jet.sv.norm_squared()).sqrt();
        if det.abs() > 1e-9 * area {
            return ((b * g - d * f) / det, (c * f - a * g) / det, det.abs() / area);
        }
        // on a tangent: the least step that does what can be done
        let (along_u, along_v) = (a * f + c * g, b * f + d * g);
        let size = (a * a + b * b + c * c + d * d).max(f64::MIN_POSITIVE);
        (-along_u / size, -along_v / size, 0.0)
    }
}

impl NurbsPatchSet {
    /// All points where the line meets the surfaces, in ascending t; a hit on the border of two patches is given once.
    pub fn all_hits(&self, origin: &Vec3, direction: &Vec3, range: (f64, f64)) -> Vec<Hit> {
        let mut hits: Vec<Hit> = Vec::new();
        self.search_line(origin, direction, range, |hit, limit| {
            let tolerance = 1e-8 * self.patches[hit.point.place.patch as usize].size;
            if !hits.iter().any(|known| (known.point.position - hit.point.position).norm() <= tolerance) {
                hits.push(hit);
            }
            limit
        });
        hits.sort_by(|a, b| a.t.total_cmp(&b.t));
        hits
    }

    /// The hit with the least |t|.
    pub(crate) fn first_hit(&self, origin: &Vec3, direction: &Vec3, range: (f64, f64)) -> Option<Hit> {
        let mut best: Option<Hit> = None;
        self.search_line(origin, direction, range, |hit, _| {
            if best.as_ref().is_none_or(|best| hit.t.abs() < best.t.abs()) {
                best = Some(hit);
            }
            best.as_ref().map_or(f64::INFINITY, |best| best.t.abs())
        });
        best
    }

    /// Passes hits to `found`, which returns the largest |t| still of interest.
    fn search_line(&self, origin: &Vec3, direction: &Vec3, range: (f64, f64), mut found: impl FnMut(Hit, f64) -> f64) {
        let Some(line) = Line::new(origin, direction) else { return };
        let inverse = direction.map(|x| 1.0 / x);
        let mut limit = f64::INFINITY;
        self.tree.search(
            |bounds| least_reach(bounds, origin, &inverse, range),
            f64::INFINITY,
            |index| {
                let cell = &self.cells[index];
                let narrowed = (range.0.max(-limit), range.1.min(limit));
                if cell.meets(origin, direction, narrowed) {
                    self.search_cell_line(cell, &line, &mut |hit| {
                        if range.0 <= hit.t && hit.t <= range.1 && self.exists(&hit.point.place) {
                            limit = found(hit, limit);
                        }
                    });
                }
                limit
            },
        );
    }

    /// Hits in one cell. Where the line is steep to all normals of the cell it meets it at most once; where it grazes,
    /// the cell is halved until this holds or it is tiny.
    fn search_cell_line(&self, cell: &Cell, line: &Line, found: &mut impl FnMut(Hit)) {
        let steepness = line.direction.dot(&cell.axes[2]).abs() / line.direction.norm();
        if cell.cone < 1.0 && steepness > (1.5 * cell.cone + GRAZING).sin() {
            let patch = cell.patch as usize;
            let at = cell.axes[2].dot(&(cell.foot - line.origin)) / cell.axes[2].dot(&line.direction);
            let start = cell.guess(&(line.origin + line.direction * at));
            match self.meet(patch, start, line) {
                Some(end) => self.report(patch, end, line, (cell.middle, cell.half), found),
                None => self.search_grazed(cell, line, found),
            }
        } else {
            self.search_grazed(cell, line, found);
        }
    }

    fn search_grazed(&self, cell: &Cell, line: &Line, found: &mut impl FnMut(Hit)) {
        let patch = cell.patch as usize;
        let mut stack = [((0.0, 0.0), (0.0, 0.0), 0); 4 * MAX_HALVINGS as usize];
        stack[0] = (cell.middle, cell.half, 0);
        let mut size = 1;
        while size > 0 {
            size -= 1;
            let (middle, half, depth) = stack[size];
            if !self.may_meet(patch, middle, half, line) {
                continue;
            }
            if depth + 1 == MAX_HALVINGS || self.is_steep(patch, middle, half, line) {
                if let Some(end) = self.meet(patch, middle, line) {
                    self.report(patch, end, line, (middle, half), found);
                }
                continue;
            }
            let half = (0.5 * half.0, 0.5 * half.1);
            for (a, b) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
                stack[size] = ((middle.0 + a * half.0, middle.1 + b * half.1), half, depth + 1);
                size += 1;
            }
        }
    }

    /// False if the control points of the rectangle all lie on one side of a plane through the line.
    fn may_meet(&self, patch: usize, middle: (f64, f64), half: (f64, f64), line: &Line) -> bool {
        let p = &self.patches[patch];
        let mut part: [Homogeneous; (MAX_DEGREE + 1) * (MAX_DEGREE + 1)] =
            [[0.0; 4]; (MAX_DEGREE + 1) * (MAX_DEGREE + 1)];
        let part = &mut part[..p.count()];
        part.copy_from_slice(&self.net[p.first..p.first + p.count()]);
        restrict(part, p.degrees, (middle.0 - half.0, middle.0 + half.0), (middle.1 - half.1, middle.1 + half.1));
        let slack = ON_LINE * p.size;
        line.across.iter().all(|e| {
            let offset = e.dot(&line.origin);
            let heights = || part.iter().map(|h| (e.x * h[0] + e.y * h[1] + e.z * h[2]) / h[3] - offset);
            heights().any(|x| x >= -slack) && heights().any(|x| x <= slack)
        })
    }

    /// Whether the line keeps well away from all tangent planes of the rectangle, judged at its middle and corners.
    fn is_steep(&self, patch: usize, middle: (f64, f64), half: (f64, f64), line: &Line) -> bool {
        let slope = |a: f64, b: f64| {
            let jet = self.jet(patch, middle.0 + a * half.0, middle.1 + b * half.1);
            jet.unit_normal((-a, -b)).map_or(f64::NAN, |n| n.dot(&line.direction))
        };
        let centre = slope(0.0, 0.0);
        let corners = [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)];
        corners.iter().all(|(a, b)| (slope(*a, *b) - centre).abs() < 0.4 * centre.abs())
    }

    /// Newton's method on one patch, whose polynomials continue a little beyond its sides.
    fn meet(&self, patch: usize, start: (f64, f64), line: &Line) -> Option<((f64, f64), Jet)> {
        let (mut u, mut v) = start;
        let size = self.patches[patch].size;
        for _ in 0..MAX_STEPS {
            let jet = self.jet(patch, u, v);
            let (du, dv, sine) = line.step(&jet);
            (u, v) = ((u + du).clamp(-0.5, 1.5), (v + dv).clamp(-0.5, 1.5));
            let last = if sine > GRAZING { LAST_STEP } else { LAST_GRAZING_STEP };
            if (jet.su * du + jet.sv * dv).norm() <= last * size {
                let jet = self.jet(patch, u, v);
                let r = jet.s - line.origin;
                return line.across.iter().all(|e| e.dot(&r).abs() <= ON_LINE * size).then_some(((u, v), jet));
            }
        }
        None
    }

    /// Passes a solution on if it lies in its rectangle.
    fn report(
        &self,
        patch: usize,
        ((u, v), jet): ((f64, f64), Jet),
        line: &Line,
        (middle, half): ((f64, f64), (f64, f64)),
        found: &mut impl FnMut(Hit),
    ) {
        if (u - middle.0).abs() > half.0 + EDGE || (v - middle.1).abs() > half.1 + EDGE {
            return;
        }
        let place = Place { patch: patch as u32, u: u.clamp(0.0, 1.0), v: v.clamp(0.0, 1.0) };
        if let Some(point) = self.surface_point(place, &jet, false) {
            found(Hit { t: line.parameter(&jet.s), point });
        }
    }

    /// The hit that continues an earlier one; from scratch where the line grazes, leaves the surface or the range.
    pub(crate) fn hit_from(&self, origin: &Vec3, direction: &Vec3, range: (f64, f64), from: &Place) -> Option<Hit> {
        let usable = (from.patch as usize) < self.patches.len() && inside_unit(from.u) && inside_unit(from.v);
        let line = Line::new(origin, direction)?;
        let walked = if usable { self.walk_to_line(&line, from) } else { None };
        match walked.filter(|hit| range.0 <= hit.t && hit.t <= range.1 && self.exists(&hit.point.place)) {
            Some(hit) => Some(hit),
            None => self.first_hit(origin, direction, range),
        }
    }

    /// Newton's method from patch to patch.
    fn walk_to_line(&self, line: &Line, from: &Place) -> Option<Hit> {
        let mut walker = Walker::new(from, true);
        for _ in 0..MAX_STEPS {
            let jet = self.jet(walker.patch, walker.u, walker.v);
            let (du, dv, sine) = line.step(&jet);
            if !(sine > GRAZING) {
                return None;
            }
            let step = Step::free(du, dv);
            if let Some((side, fraction)) = exit(&walker, &step) {
                let next = self.pass(&walker, &step, side, fraction);
                // no neighbour, or straight back where it came from
                let stuck = next.patch == walker.patch && next.entered == walker.entered;
                if stuck || (walker.entered == Some(side) && fraction == 0.0) {
                    return None;
                }
                walker = next;
                continue;
            }
            walker = Walker { u: walker.u + du, v: walker.v + dv, ..walker };
            if (jet.su * du + jet.sv * dv).norm() <= LAST_STEP * self.patches[walker.patch].size {
                let jet = jet.moved(du, dv);
                let place =
                    Place { patch: walker.patch as u32, u: walker.u.clamp(0.0, 1.0), v: walker.v.clamp(0.0, 1.0) };
                let point = self.surface_point(place, &jet, false)?;
                return Some(Hit { t: line.parameter(&jet.s), point });
            }
        }
        None
    }
}
