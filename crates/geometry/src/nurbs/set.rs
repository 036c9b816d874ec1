//! Surfaces prepared for queries: Bézier patches in one block of memory, joined at their sides, in a tree of boxes.

use super::box_tree::BoxTree;
use super::cell::{Cell, divide};
use super::connect;
use super::jet::{Homogeneous, Jet};
use super::mask::Mask;
use super::patch::{Beyond, Patch, Side};
use super::power::{centred_powers, power_jet};
use super::surface::{NurbsSurface, clamp};
use crate::error::GeometryError;
use crate::surface::{Place, SurfacePoint};
use wolff_spatial::Vec3;

/// What is kept of each surface of a set.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    /// Borders of its patches in u and v.
    pub breaks: [Vec<f64>; 2],
    /// Its first patch; patch (i, j) is `first + i * (number of columns) + j`.
    pub first: usize,
    pub mask: Option<Mask>,
}

/// One or several NURBS surfaces as one [`Surface`](crate::Surface): closest points and rays.
///
/// A [`Place`] is a Bézier patch and the parameters on its unit square; [`NurbsPatchSet::parameters`] and
/// [`NurbsPatchSet::place`] translate to the parameters of the surface. Sides that agree within the tolerance of
/// [`NurbsPatchSet::new`] are joined, so that searches run on across seams and from surface to surface.
#[derive(Clone, Debug)]
pub struct NurbsPatchSet {
    pub(crate) members: Vec<Member>,
    pub(crate) patches: Vec<Patch>,
    pub(crate) net: Vec<Homogeneous>,
    /// The patches as powers, in the order of the net.
    powers: Vec<Homogeneous>,
    pub(crate) cells: Vec<Cell>,
    pub(crate) tree: BoxTree,
}

impl NurbsPatchSet {
    /// Prepares the surfaces; edges closer than `tolerance` \[m\] count as the same edge.
    pub fn new(surfaces: &[NurbsSurface], tolerance: f64) -> Result<Self, GeometryError> {
        if surfaces.is_empty() {
            let (what, rule) = ("number of surfaces", "give at least one");
            return Err(GeometryError::Count { object: "NURBS patch set".into(), what, found: 0, rule });
        }
        GeometryError::positive("NURBS patch set", "tolerance of shared edges [m]", tolerance)?;
        if let Some(value) = surfaces.iter().flat_map(|s| s.net().iter().flatten()).copied().find(|x| !x.is_finite()) {
            let (object, quantity) = ("NURBS patch set".into(), "coordinate of a control point");
            let rule = "it must be finite: check the pose that moved the surface";
            return Err(GeometryError::Parameter { object, quantity, value, rule });
        }
        let (mut set, edges) = NurbsPatchSet::local(surfaces);
        connect::join_edges(&mut set, &edges, tolerance);
        connect::mark_creases(&mut set);
        set.plant_tree();
        Ok(set)
    }

    /// For searches from a known place only: no tree, surfaces not joined to each other. Also returns their edges.
    pub(crate) fn local(surfaces: &[NurbsSurface]) -> (Self, Vec<(usize, Side)>) {
        let (tree, _) = BoxTree::new(&[]);
        let (net, powers) = (Vec::new(), Vec::new());
        let mut set = NurbsPatchSet { members: Vec::new(), patches: Vec::new(), net, powers, cells: Vec::new(), tree };
        surfaces.iter().for_each(|surface| set.add(surface));
        let edges = connect::join_inside(&mut set);
        (set, edges)
    }

    /// Marks parts of a surface as absent: their points are reported as on the rim, and rays pass through.
    pub fn with_mask(mut self, surface: usize, mask: Mask) -> Result<Self, GeometryError> {
        let count = self.members.len();
        let Some(member) = self.members.get_mut(surface) else {
            let (object, what, rule) =
                ("mask".into(), "index of the surface", "it must be below the number of surfaces");
            return Err(GeometryError::Count { object, what, found: surface.max(count), rule });
        };
        member.mask = Some(mask);
        Ok(self)
    }

    /// Cuts one surface into patches that know their neighbours inside it.
    fn add(&mut self, surface: &NurbsSurface) {
        let index = self.members.len() as u32;
        let breaks = [surface.knots_u().breaks(), surface.knots_v().breaks()];
        let degrees = (surface.knots_u().degree(), surface.knots_v().degree());
        let outward = if surface.is_reversed() { -1.0 } else { 1.0 };
        self.members.push(Member { breaks, first: self.patches.len(), mask: None });
        for piece in surface.bezier_pieces() {
            let rational = piece.net.iter().any(|h| h[3] != 1.0);
            let (beyond, first) = ([Beyond::Rim; 4], self.net.len());
            let size = diagonal(&piece.net);
            let patch =
                Patch { first, degrees, rational, outward, surface: index, u: piece.u, v: piece.v, beyond, size };
            self.patches.push(patch);
            self.powers.extend(centred_powers(&piece.net, degrees));
            self.net.extend(piece.net);
        }
    }

    fn plant_tree(&mut self) {
        let mut cells = Vec::new();
        for (k, patch) in self.patches.iter().enumerate() {
            divide(k as u32, patch, &self.net[patch.first..][..patch.count()], &mut cells);
        }
        let boxes: Vec<_> = cells.iter().map(|cell| cell.bounds).collect();
        let (tree, order) = BoxTree::new(&boxes);
        self.cells = order.iter().map(|k| cells[*k as usize].clone()).collect();
        self.tree = tree;
    }

    /// The patches.
    pub fn patches(&self) -> &[Patch] {
        &self.patches
    }

    /// Surface index and its parameters (u, v) at a place; `None` if there is no such patch.
    pub fn parameters(&self, place: &Place) -> Option<(usize, f64, f64)> {
        let patch = self.patches.get(place.patch as usize)?;
        let blend = |(low, high): (f64, f64), t: f64| low + t * (high - low);
        Some((patch.surface as usize, blend(patch.u, place.u), blend(patch.v, place.v)))
    }

    /// The place with parameters (u, v) of a surface, moved into its domain; `None` for a NaN or an unknown surface.
    pub fn place(&self, surface: usize, u: f64, v: f64) -> Option<Place> {
        let member = self.members.get(surface)?;
        let [(i, u), (j, v)] = [locate(&member.breaks[0], u)?, locate(&member.breaks[1], v)?];
        let patch = (member.first + i * (member.breaks[1].len() - 1) + j) as u32;
        Some(Place { patch, u, v })
    }

    /// Position and derivatives with respect to the parameters of the patch; `None` if there is no such patch or for a
    /// NaN.
    pub fn jet_at(&self, place: &Place) -> Option<Jet> {
        let known = (place.patch as usize) < self.patches.len() && place.u.is_finite() && place.v.is_finite();
        known.then(|| self.jet(place.patch as usize, place.u, place.v))
    }

    #[inline]
    pub(crate) fn jet(&self, patch: usize, u: f64, v: f64) -> Jet {
        let p = &self.patches[patch];
        power_jet(&self.powers[p.first..p.first + p.count()], p.degrees, p.rational, u, v)
    }

    /// Outward normal; where the patch is degenerate beyond a plain pole, that of a point a little inside.
    #[inline]
    pub(crate) fn outward_normal(&self, patch: usize, (u, v): (f64, f64), jet: &Jet) -> Option<Vec3> {
        let sign = |t: f64| if t <= 0.5 { 1.0 } else { -1.0 };
        let inside = |t: f64| clamp(t, (1e-5, 1.0 - 1e-5));
        let normal = jet
            .unit_normal((sign(u), sign(v)))
            .or_else(|| self.jet(patch, inside(u), inside(v)).unit_normal((1.0, 1.0)))?;
        Some(normal * self.patches[patch].outward)
    }

    /// Whether the surface exists at a place (see [`NurbsPatchSet::with_mask`]).
    pub fn exists(&self, place: &Place) -> bool {
        let Some((surface, u, v)) = self.parameters(place) else { return false };
        let member = &self.members[surface];
        let fraction = |breaks: &[f64], t: f64| (t - breaks[0]) / (breaks[breaks.len() - 1] - breaks[0]);
        member
            .mask
            .as_ref()
            .is_none_or(|mask| mask.keeps(fraction(&member.breaks[0], u), fraction(&member.breaks[1], v)))
    }

    /// The answer of a query at a known jet.
    #[inline]
    pub(crate) fn surface_point(&self, place: Place, jet: &Jet, on_rim: bool) -> Option<SurfacePoint> {
        let normal = self.outward_normal(place.patch as usize, (place.u, place.v), jet)?;
        let masked = self.members[self.patches[place.patch as usize].surface as usize].mask.is_some();
        let on_rim = on_rim || (masked && !self.exists(&place));
        Some(SurfacePoint { position: jet.s, normal, place, on_rim })
    }
}

/// Span and fraction in it of a parameter.
fn locate(breaks: &[f64], t: f64) -> Option<(usize, f64)> {
    let last = breaks.len() - 1;
    let t = (!t.is_nan()).then(|| clamp(t, (breaks[0], breaks[last])))?;
    let k = (breaks.partition_point(|b| *b <= t).max(1) - 1).min(last - 1);
    Some((k, (t - breaks[k]) / (breaks[k + 1] - breaks[k])))
}

fn diagonal(net: &[Homogeneous]) -> f64 {
    let points = || net.iter().map(|h| Vec3::new(h[0], h[1], h[2]) / h[3]);
    let (low, high) = points()
        .fold((Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY)), |(low, high), x| {
            (low.inf(&x), high.sup(&x))
        });
    (high - low).norm()
}
