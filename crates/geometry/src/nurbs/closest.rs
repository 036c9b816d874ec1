//! Closest points: branch and bound over the cells, or from an earlier answer.

use super::box_tree::squared_distance;
use super::descend::{Ending, Foot};
use super::set::NurbsPatchSet;
use crate::surface::{Place, SurfacePoint};
use wolff_spatial::Vec3;

impl NurbsPatchSet {
    /// The nearest point of all surfaces.
    ///
    /// Boxes of control points bound the distance of their cells from below; the best local minimum so far bounds it
    /// from above. What is left is searched with [`NurbsPatchSet::descend`], from several starts where the point lies
    /// near or beyond a centre of curvature of the cell.
    ///
    /// Limits: the boxes are rigorous, but that a cell holds one minimum is judged from curvatures at 5 x 5 samples; a
    /// ripple much finer than a cell and far from the point could hide a nearer place.
    pub(crate) fn nearest(&self, p: &Vec3) -> Option<Foot> {
        if !p.iter().all(|x| x.is_finite()) {
            return None;
        }
        let mut best: Option<Foot> = None;
        let limit = |best: &Option<Foot>| best.as_ref().map_or(f64::INFINITY, |foot| foot.squared);
        self.tree.search(
            |bounds| Some(squared_distance(bounds, p)),
            f64::INFINITY,
            |index| {
                self.search_cell(index, p, &mut best);
                limit(&best)
            },
        );
        best
    }

    fn search_cell(&self, index: usize, p: &Vec3, best: &mut Option<Foot>) {
        let cell = &self.cells[index];
        let bound = cell.squared_distance(p);
        let hopeless = |best: &Option<Foot>| best.as_ref().is_some_and(|foot| bound >= foot.squared);
        if hopeless(best) {
            return;
        }
        let (u, v) = cell.guess(p);
        self.try_start(p, &Place { patch: cell.patch, u, v }, best);
        if hopeless(best) || !cell.beyond_focus(p) {
            return;
        }
        for (a, b) in [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)] {
            let (u, v) = (cell.middle.0 + a * cell.half.0, cell.middle.1 + b * cell.half.1);
            self.try_start(p, &Place { patch: cell.patch, u, v }, best);
        }
    }

    fn try_start(&self, p: &Vec3, start: &Place, best: &mut Option<Foot>) {
        if let Some(foot) = self.descend(p, start, false)
            && best.as_ref().is_none_or(|best| foot.squared < best.squared)
        {
            *best = Some(foot);
        }
    }

    /// The nearest point from an earlier place, or from scratch where the local search ends without a clear minimum.
    #[inline]
    pub(crate) fn nearest_from(&self, p: &Vec3, from: &Place) -> Option<Foot> {
        let usable = (from.patch as usize) < self.patches.len() && inside_unit(from.u) && inside_unit(from.v);
        if !usable || !p.iter().all(|x| x.is_finite()) {
            return self.nearest(p);
        }
        match self.descend(p, from, true) {
            Some(foot) if matches!(foot.ending, Ending::Foot | Ending::Rim | Ending::Crease) => Some(foot),
            _ => self.nearest(p),
        }
    }

    #[inline]
    pub(crate) fn answer(&self, foot: &Foot) -> Option<SurfacePoint> {
        self.surface_point(foot.place, &foot.jet, foot.ending == Ending::Rim)
    }
}

#[inline]
pub(crate) fn inside_unit(t: f64) -> bool {
    (0.0..=1.0).contains(&t)
}
