//! Finding where a path runs: active points first, then surface after surface.

use super::wrap::{Problem, Touch, Wrapping, threads, touch};
use super::{Construction, Path, PathGeometry, PathWrap, Scene, Station, StationKind};
use wolff_spatial::{Pose, Vec3};

/// Sweeps over several surfaces, and the change of length \[m\] below which they end.
struct Sweeps {
    most: usize,
    tolerance: f64,
}

impl Sweeps {
    /// One surface is solved at once; OpenSim allows eight sweeps and stops at half a millimetre.
    fn of(path: &Path) -> Self {
        match (path.wraps.len(), path.construction) {
            (0 | 1, _) => Sweeps { most: 1, tolerance: f64::INFINITY },
            (_, Construction::OpenSim) => Sweeps { most: 8, tolerance: 5e-4 },
            (_, Construction::Shortest) => Sweeps { most: 100, tolerance: 1e-13 },
        }
    }
}

/// How a surface was met in a sweep; decides about the order of the first two.
#[derive(Clone, Copy, PartialEq)]
enum Met {
    Not,
    Inside,
    Touched,
}

/// A surface and where it is just now.
struct Placed<'a> {
    wrap: &'a PathWrap,
    X_GW: Pose,
    /// Middle of the bent part at a nearby pose, in its frame.
    hint: Option<Vec3>,
}

impl Path {
    /// Where the path runs just now.
    ///
    /// Each surface in turn: its touching points are removed, the segments of its range are tried, and the path bends
    /// over it where a segment passes through it, or (for a surface with a wanted half) where bending lengthens the
    /// path least. With several surfaces this repeats until the length settles. `previous`, a solution at a nearby
    /// pose, decides only where a segment passes through the very middle of a surface, so that the path keeps its side.
    ///
    /// Source of the procedure: OpenSim 4, class `GeometryPath` (Delp et al. 2007); ours sweeps until it settles.
    pub fn solve(&self, scene: &impl Scene, previous: Option<&PathGeometry>) -> PathGeometry {
        let mut geometry = PathGeometry::default();
        self.solve_into(scene, previous, &mut geometry);
        geometry
    }

    /// [`Path::solve`] into memory that is there: a geometry has room for the longest path, and a step loop need not
    /// make it anew.
    pub fn solve_into(&self, scene: &impl Scene, previous: Option<&PathGeometry>, geometry: &mut PathGeometry) {
        self.place_points(scene, geometry);
        let sweeps = Sweeps::of(self);
        let mut swap_first_two = false;
        let mut last = f64::INFINITY;
        for sweep in 1..=sweeps.most {
            let mut first_two = [Met::Not; 2];
            for position in 0..self.wraps.len() {
                let index = if swap_first_two && position < 2 { 1 - position } else { position };
                let met = self.bend_over(index, scene, previous, geometry);
                if position < 2 {
                    first_two[position] = met;
                }
            }
            geometry.length = geometry.measure();
            geometry.sweeps = sweep;
            geometry.converged = (geometry.length - last).abs() <= sweeps.tolerance;
            if geometry.converged {
                break;
            }
            last = geometry.length;
            // the second surface hides a point of the first: take it first from now on
            if sweep == 1 && first_two == [Met::Not, Met::Inside] {
                swap_first_two = true;
                geometry.remove_wrap(0);
            }
        }
    }

    /// Begins with the stations that are active points.
    fn place_points(&self, scene: &impl Scene, geometry: &mut PathGeometry) {
        geometry.count = 0;
        for (k, point) in self.points.iter().enumerate().filter(|(_, p)| p.is_active(scene)) {
            let p_B = point.place(scene);
            let p_G = scene.pose(point.body).point(&p_B);
            let kind = StationKind::Point(k);
            geometry.insert(geometry.count, Station { kind, body: point.body, p_B, p_G, arc: 0.0 });
        }
    }

    /// Renews the part of the path over one surface.
    fn bend_over(
        &self,
        index: usize,
        scene: &impl Scene,
        previous: Option<&PathGeometry>,
        geometry: &mut PathGeometry,
    ) -> Met {
        let wrap = &self.wraps[index];
        let hint = previous.and_then(|g| middle_of(g, index)).map(|p_B| wrap.X_BW.inverse_point(&p_B));
        let placed = Placed { wrap, X_GW: scene.pose(wrap.body) * wrap.X_BW, hint };
        geometry.remove_wrap(index);
        let (best, met) = self.best_wrapping(&placed, geometry);
        if let Some((at, wrapping)) = best {
            for (offset, kind, p_W, arc) in [
                (0, StationKind::Arrives(index), wrapping.r1, 0.0),
                (1, StationKind::Leaves(index), wrapping.r2, wrapping.arc),
            ] {
                let (p_B, p_G) = (wrap.X_BW.point(&p_W), placed.X_GW.point(&p_W));
                geometry.insert(at + offset, Station { kind, body: wrap.body, p_B, p_G, arc });
            }
        }
        met
    }

    /// The best segment to bend, as the position of its second station, with the bent part.
    fn best_wrapping(&self, placed: &Placed<'_>, geometry: &PathGeometry) -> (Option<(usize, Wrapping)>, Met) {
        let [first, last] = placed.wrap.points;
        let in_range = |s: &Station| matches!(s.kind, StationKind::Point(k) if (first..=last).contains(&k));
        let stations = geometry.stations();
        let (Some(start), Some(end)) = (stations.iter().position(in_range), stations.iter().rposition(in_range)) else {
            return (None, Met::Not);
        };
        let ends = |i: usize| [&stations[i], &stations[i + 1]].map(|s| placed.X_GW.inverse_point(&s.p_G));
        // what lies on another surface stays there
        let free = |i: &usize| !matches!(stations[*i + 1].kind, StationKind::Leaves(_));
        // a ring is threaded once; OpenSim lets every segment pass through it
        let threaded = (start..end).filter(free).find(|i| {
            let [p1, p2] = ends(*i);
            self.construction == Construction::Shortest && threads(&placed.wrap.surface, &p1, &p2)
        });
        let segments = threaded.map_or(start..end, |i| i..i + 1);
        let (mut best, mut least, mut met) = (None, f64::INFINITY, Met::Not);
        for i in segments.filter(free) {
            let [p1, p2] = ends(i);
            match touch(&self.problem(placed, p1, p2)) {
                Touch::Not => met = Met::Not,
                Touch::Inside => met = Met::Inside,
                Touch::Through(wrapping) => return (Some((i + 1, wrapping)), Met::Touched),
                Touch::Beside(wrapping) => {
                    met = Met::Touched;
                    let longer = wrapping.length(&p1, &p2) - (p2 - p1).norm();
                    if longer < least {
                        (best, least) = (Some((i + 1, wrapping)), longer);
                    }
                }
            }
        }
        (best, met)
    }

    fn problem(&self, placed: &Placed<'_>, p1: Vec3, p2: Vec3) -> Problem {
        Problem {
            surface: placed.wrap.surface,
            quadrant: placed.wrap.quadrant,
            method: placed.wrap.method,
            construction: self.construction,
            alone: self.wraps.len() == 1,
            hint: placed.hint,
            p1,
            p2,
        }
    }
}

/// Middle of the touching points of a surface in an earlier solution, on its body.
fn middle_of(geometry: &PathGeometry, wrap: usize) -> Option<Vec3> {
    let place = |kind| geometry.stations().iter().find(|s| s.kind == kind).map(|s| s.p_B);
    Some(0.5 * (place(StationKind::Arrives(wrap))? + place(StationKind::Leaves(wrap))?))
}
