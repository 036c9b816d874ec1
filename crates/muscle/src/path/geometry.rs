//! Where a path runs just now, and what follows: length, speed, moment arms, forces.

use super::{MAX_STATIONS, Path, Scene, WrapSurface};
use wolff_multibody::{Instant, Loads};
use wolff_spatial::{Force, Vec3};

/// What a station of a path is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StationKind {
    /// Point of the path with this number.
    Point(usize),
    /// Where the path meets the surface with this number.
    Arrives(usize),
    /// Where it leaves it.
    Leaves(usize),
}

/// A place that the path passes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Station {
    /// What it is.
    pub kind: StationKind,
    /// The body it is on.
    pub body: usize,
    /// Where on the body \[m\].
    pub p_B: Vec3,
    /// Where in ground \[m\].
    pub p_G: Vec3,
    /// Length of the bent part before it \[m\]; zero unless the path leaves a surface here.
    pub arc: f64,
}

impl Station {
    pub(crate) const EMPTY: Station = Station {
        kind: StationKind::Point(0),
        body: 0,
        p_B: Vec3::new(0.0, 0.0, 0.0),
        p_G: Vec3::new(0.0, 0.0, 0.0),
        arc: 0.0,
    };
}

/// Where a path runs at one instant. Fixed size: nothing is allocated.
#[derive(Clone, Debug)]
pub struct PathGeometry {
    pub(crate) stations: [Station; MAX_STATIONS],
    pub(crate) count: usize,
    /// Length \[m\].
    pub length: f64,
    /// Sweeps over the surfaces that were needed; one where there is a single surface.
    pub sweeps: usize,
    /// Whether the sweeps over several surfaces have settled.
    pub converged: bool,
}

/// Why a path is not the continuation of an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jump {
    /// A conditional point came or went.
    Point(usize),
    /// The path took to a surface or left it. The length is continuous where it does so by touching.
    Surface(usize),
    /// The path is on another side of a surface.
    Side(usize),
}

impl Default for PathGeometry {
    /// Of no path yet.
    fn default() -> Self {
        PathGeometry { stations: [Station::EMPTY; MAX_STATIONS], count: 0, length: 0.0, sweeps: 0, converged: true }
    }
}

impl PathGeometry {
    /// Stations from origin to insertion.
    pub fn stations(&self) -> &[Station] {
        &self.stations[..self.count]
    }

    /// Straight parts as pairs of stations with the unit vector from the first to the second.
    pub fn straight_parts(&self) -> impl Iterator<Item = (&Station, &Station, Vec3)> {
        self.stations().windows(2).filter_map(|pair| match pair {
            [a, b] if !matches!(b.kind, StationKind::Leaves(_)) => {
                let d = b.p_G - a.p_G;
                let length = d.norm();
                // points that coincide have no direction, and so no force
                (length > 0.0).then(|| (a, b, d / length))
            }
            _ => None,
        })
    }

    /// Whether the path touches surface `wrap`.
    pub fn touches(&self, wrap: usize) -> bool {
        self.stations().iter().any(|s| s.kind == StationKind::Arrives(wrap))
    }

    pub(crate) fn insert(&mut self, at: usize, station: Station) {
        self.stations.copy_within(at..self.count, at + 1);
        self.stations[at] = station;
        self.count += 1;
    }

    /// Removes both touching points of a surface.
    pub(crate) fn remove_wrap(&mut self, wrap: usize) {
        let is_of = |s: &Station| s.kind == StationKind::Arrives(wrap) || s.kind == StationKind::Leaves(wrap);
        let mut kept = 0;
        for i in 0..self.count {
            if !is_of(&self.stations[i]) {
                self.stations[kept] = self.stations[i];
                kept += 1;
            }
        }
        self.count = kept;
    }

    /// Length \[m\] of the stations as they are.
    pub(crate) fn measure(&self) -> f64 {
        let straight = |a: &Station, b: &Station| (b.p_G - a.p_G).norm();
        self.stations()
            .windows(2)
            .map(|w| if matches!(w[1].kind, StationKind::Leaves(_)) { w[1].arc } else { straight(&w[0], &w[1]) })
            .sum()
    }
}

impl Path {
    /// Lengthening speed \[m/s\].
    ///
    /// ```text
    /// L' = Σ u · (v_b - v_a)     over the straight parts from a to b with direction u
    /// ```
    /// Bent parts do not contribute: a shortest path is stationary in its touching points, and a surface moves as a
    /// rigid body.
    pub fn speed(&self, geometry: &PathGeometry, at: &Instant<'_>) -> f64 {
        geometry.straight_parts().map(|(a, b, u)| u.dot(&(self.velocity(b, at) - self.velocity(a, at)))).sum()
    }

    /// Velocity of a station, as a point of its body plus its own motion on it.
    fn velocity(&self, station: &Station, at: &Instant<'_>) -> Vec3 {
        let mut v = at.point_velocity(station.body, &station.p_G);
        self.drift(station, at, |i, d_G| v += d_G * at.speed(i));
        v
    }

    /// Hands `(coordinate, ∂p/∂q in ground axes)` of a moving point to `visit`.
    fn drift(&self, station: &Station, scene: &impl Scene, mut visit: impl FnMut(usize, Vec3)) {
        if let StationKind::Point(k) = station.kind {
            let R_GB = scene.pose(station.body).R;
            self.points[k].drift(scene, |i, d_B| visit(i, R_GB * d_B));
        }
    }

    /// Pulls with a tension \[N\] along the path: on the bodies of its points, on the bodies that carry the surfaces
    /// (where the path meets and leaves them, which is the resultant of the pressure between), and on the coordinates
    /// that move its points.
    pub fn pull(&self, geometry: &PathGeometry, tension: f64, at: &Instant<'_>, out: &mut Loads<'_>) {
        for (a, b, u) in geometry.straight_parts() {
            for (station, f) in [(a, u * tension), (b, u * -tension)] {
                out.force_at(station.body, &station.p_G, f);
                self.drift(station, at, |i, d_G| out.generalized(i, d_G.dot(&f)));
            }
        }
    }

    /// Derivative of the length \[m/rad or 1\] with respect to a displacement of each speed, written to `gradient` (one
    /// entry a speed).
    ///
    /// By virtual work: a unit tension's generalised forces with the sign turned. Speeds that constraints couple are
    /// taken as independent. The moment arm about a coordinate is minus its entry.
    pub fn length_gradient(&self, geometry: &PathGeometry, at: &Instant<'_>, gradient: &mut [f64]) {
        gradient.fill(0.0);
        for (a, b, u) in geometry.straight_parts() {
            for (station, f) in [(a, -u), (b, u)] {
                let r = station.p_G - at.kin.bodies[station.body].origin;
                let force = Force::through(&r, f);
                at.kin.powers(at.model, station.body, &force, |k, power| gradient[k] += power);
                self.drift(station, at, |k, d_G| gradient[k] += d_G.dot(&f));
            }
        }
    }

    /// Moment arm \[m\] about the coordinate of speed `i`: minus the derivative of the length.
    pub fn moment_arm(&self, geometry: &PathGeometry, at: &Instant<'_>, i: usize) -> f64 {
        let mut arm = 0.0;
        for (a, b, u) in geometry.straight_parts() {
            for (station, f) in [(a, u), (b, -u)] {
                let r = station.p_G - at.kin.bodies[station.body].origin;
                let force = Force::through(&r, f);
                at.kin.powers(at.model, station.body, &force, |k, power| arm += if k == i { power } else { 0.0 });
                self.drift(station, at, |k, d_G| arm += if k == i { d_G.dot(&f) } else { 0.0 });
            }
        }
        arm
    }

    /// The first reason why `now` is no continuation of `before`, a solution at a nearby pose; none if it is.
    ///
    /// A touching point that moved on its surface by more than half the smallest radius means another side (own choice:
    /// it is right for poses closer than that).
    pub fn jump(&self, before: &PathGeometry, now: &PathGeometry) -> Option<Jump> {
        let place = |g: &PathGeometry, kind: StationKind| g.stations().iter().find(|s| s.kind == kind).map(|s| s.p_B);
        let changed = |kind| place(before, kind).is_some() != place(now, kind).is_some();
        if let Some(k) = (0..self.points.len()).find(|k| changed(StationKind::Point(*k))) {
            return Some(Jump::Point(k));
        }
        for (w, wrap) in self.wraps.iter().enumerate() {
            if changed(StationKind::Arrives(w)) {
                return Some(Jump::Surface(w));
            }
            let moved = |kind| match (place(before, kind), place(now, kind)) {
                (Some(a), Some(b)) => (b - a).norm() > 0.5 * smallest_radius(&wrap.surface),
                _ => false,
            };
            if moved(StationKind::Arrives(w)) || moved(StationKind::Leaves(w)) {
                return Some(Jump::Side(w));
            }
        }
        None
    }
}

/// Smallest radius of a surface \[m\].
fn smallest_radius(surface: &WrapSurface) -> f64 {
    match *surface {
        WrapSurface::Sphere { radius } | WrapSurface::Cylinder { radius, .. } => radius,
        WrapSurface::Ellipsoid { radii } => radii.min(),
        WrapSurface::Torus { tube_radius, .. } => tube_radius,
    }
}
