//! Bodies bounded by closed surfaces of triangles, one inside the other.

use wolff_geometry::TriangleMesh;
use wolff_spatial::Vec3;

use crate::error::MesherError;
use crate::interface::{faces_between, surface_area};
use crate::pipeline::{self, Plan};
use crate::report::{Fidelity, surface_distance};
use crate::settings::{Meshed, Progress, Settings};
use crate::shape::{Freedom, Materials, Shape};
use crate::store::Store;
use crate::tree::Tree;

/// A cell is halved where the distance differs from its linear course by more than this part of the size.
const BEND: f64 = 0.3;
/// Points beside the surface that are asked whether they are inside, at most.
const ASKED: usize = 4000;
/// A winding number farther than this from a whole number does not tell inside from outside.
const UNCLEAR: f64 = 0.15;
/// This part of unclear points makes a surface open.
const LARGEST_UNCLEAR_PART: f64 = 0.03;

/// Meshes the inside of a closed surface; the material is called `body`.
///
/// The surface may intersect itself and have small holes: inside is where the winding number is above one half.
///
/// # Errors
/// When a setting breaks a rule, the surface encloses nothing or has a large hole, the size gives too many elements or
/// leaves nothing of the body, or `progress` returns `false`.
pub fn mesh_surface(
    surface: &TriangleMesh,
    settings: &Settings,
    progress: &mut Progress,
) -> Result<Meshed, MesherError> {
    mesh_regions(&[("body", surface)], settings, progress)
}

/// Meshes nested closed surfaces, the outermost first, with conforming interfaces.
///
/// Each name is the material directly inside its surface. What lies outside the first surface is left out; elsewhere
/// the last surface that contains a point gives its material.
///
/// # Errors
/// As [`mesh_surface`].
pub fn mesh_regions(
    surfaces: &[(&str, &TriangleMesh)],
    settings: &Settings,
    progress: &mut Progress,
) -> Result<Meshed, MesherError> {
    settings.check()?;
    if surfaces.is_empty() {
        return Err(MesherError::NoVolume { what: "an empty list of surfaces".into(), volume: 0.0 });
    }
    let mut trees = Vec::new();
    for (name, surface) in surfaces {
        let tree = Tree::new(surface);
        require_inside(name, &tree, settings.size)?;
        trees.push(tree);
    }
    let side = pipeline::SIDE_PER_SIZE * settings.size;
    let least_side = 0.75 * side / f64::from(1 << settings.halvings);
    let offsets = vec![0.0; trees.len()];
    let bounds = trees[0].bounds();
    let volumes: Vec<f64> = trees.iter().map(Tree::volume).collect();
    let landmarks = surfaces[0].1.vertices().to_vec();
    let mut bodies = Surfaces { trees, landmarks, fine: Vec::new(), offsets, size: settings.size, least_side };
    let plan = Plan {
        names: surfaces.iter().map(|(name, _)| (*name).to_owned()).collect(),
        input_volumes: (0..volumes.len()).map(|k| volumes[k] - volumes.get(k + 1).unwrap_or(&0.0)).collect(),
        bounds,
        what: format!("surface `{}`", surfaces[0].0),
    };
    let store = pipeline::run(&mut bodies, &plan, settings, progress)?;
    pipeline::finish(&store, &bodies, &plan, settings, Some(bodies.fidelity(&store)), progress)
}

/// Refuses a surface without volume or with a large hole.
fn require_inside(name: &str, tree: &Tree, size: f64) -> Result<(), MesherError> {
    let [low, high] = tree.bounds();
    let what = || format!("surface `{name}`");
    if !(tree.volume() > 1e-9 * (high - low).norm().powi(3)) {
        return Err(MesherError::NoVolume { what: what(), volume: tree.volume() });
    }
    let step = (tree.corners().len() / ASKED).max(1);
    let (mut points, mut unclear) = (0, 0);
    for t in (0..tree.corners().len()).step_by(step) {
        let centre: Vec3 = tree.corners()[t].iter().sum::<Vec3>() / 3.0;
        for side in [-1.0, 1.0] {
            let x = centre + tree.normal(t as u32) * (side * 0.2 * size);
            if tree.closest(&x).distance > 0.1 * size {
                let winding = tree.winding(&x);
                points += 1;
                unclear += usize::from((winding - winding.round()).abs() > UNCLEAR);
            }
        }
    }
    let part = unclear as f64 / f64::from(points.max(1));
    if part > LARGEST_UNCLEAR_PART {
        return Err(MesherError::Open { what: what(), part, points: points as usize });
    }
    Ok(())
}

/// Nested surfaces, each shifted outward by its offset.
struct Surfaces {
    trees: Vec<Tree>,
    landmarks: Vec<Vec3>,
    /// Places that need cells of at most a given side, sorted along x.
    fine: Vec<(Vec3, f64)>,
    offsets: Vec<f64>,
    size: f64,
    least_side: f64,
}

impl Surfaces {
    /// The nearest point of a shifted surface, and the normal there.
    fn foot(&self, surface: usize, x: &Vec3) -> (Vec3, Vec3) {
        let tree = &self.trees[surface];
        let foot = tree.closest(x);
        let normal = tree.normal(foot.triangle);
        (foot.point + normal * self.offsets[surface], normal)
    }

    /// The surfaces on which a vertex lies where these materials meet.
    fn surfaces_of(materials: &Materials) -> impl Iterator<Item = usize> + '_ {
        let outer = materials.list().first().filter(|&&m| m == 0).map(|_| 0);
        outer.into_iter().chain(materials.list().iter().filter(|&&m| m > 0).skip(1).map(|&m| usize::from(m) - 1))
    }

    /// Whether the distance from a surface is far from linear in a cell that the surface crosses.
    fn bends(&self, surface: usize, centre: &Vec3, side: f64) -> bool {
        let tree = &self.trees[surface];
        if tree.closest(centre).distance > 0.5 * 3_f64.sqrt() * side {
            return false;
        }
        let at = |i: f64, j: f64, k: f64| tree.signed(&(centre + Vec3::new(i, j, k) * (0.5 * side)));
        let corners: [f64; 8] = std::array::from_fn(|n| {
            let sign = |bit: usize| if n >> bit & 1 == 1 { 1.0 } else { -1.0 };
            at(sign(0), sign(1), sign(2))
        });
        let bend = BEND * self.size;
        // the mean of the corners around a place is the linear course there
        let is_off = |value: f64, mean: f64| (value - mean).abs() > bend;
        is_off(at(0.0, 0.0, 0.0), corners.iter().sum::<f64>() / 8.0)
            || (0..6).any(|face| {
                let (axis, side) = (face / 2, face % 2);
                let on_face = (0..8).filter(|n| n >> axis & 1 == side).map(|n| corners[n]).sum::<f64>() / 4.0;
                let mut place = [0.0; 3];
                place[axis] = if side == 1 { 1.0 } else { -1.0 };
                is_off(at(place[0], place[1], place[2]), on_face)
            })
    }

    /// Whether a cell is larger than asked for at a place in or beside it.
    fn is_asked(&self, centre: &Vec3, side: f64) -> bool {
        let reach = 0.75 * side;
        let first = self.fine.partition_point(|(x, _)| x.x < centre.x - reach);
        let near = self.fine[first..].iter().take_while(|(x, _)| x.x <= centre.x + reach);
        near.into_iter().any(|(x, largest)| side > *largest && (x - centre).amax() <= reach)
    }

    fn fidelity(&self, store: &Store) -> Fidelity {
        let parts = (0..self.trees.len())
            .map(|k| surface_distance(store, &faces_between(store, k as u16), self.trees[k].corners(), &self.trees[k]));
        parts.reduce(Fidelity::joined).unwrap_or_default()
    }
}

impl Shape for Surfaces {
    fn materials(&self) -> u16 {
        self.trees.len() as u16
    }

    fn value(&self, cut: u16, x: &Vec3) -> f64 {
        self.trees[usize::from(cut)].signed(x)
    }

    fn project(&self, materials: &Materials, x: &Vec3) -> Option<(Vec3, Freedom)> {
        let mut surfaces = Surfaces::surfaces_of(materials);
        let (first, second) = (surfaces.next()?, surfaces.next());
        if surfaces.next().is_some() {
            return None;
        }
        let (mut point, normal) = self.foot(first, x);
        let Some(second) = second else { return Some((point, Freedom::Surface(normal))) };
        let mut normals = [normal; 2];
        for _ in 0..8 {
            (point, normals[1]) = self.foot(second, &point);
            (point, normals[0]) = self.foot(first, &point);
        }
        let tangent = normals[0].cross(&normals[1]).try_normalize(1e-3);
        Some((point, tangent.map_or(Freedom::Surface(normals[0]), Freedom::Curve)))
    }

    fn crossing(&self, _cut: u16, _ends: [&Vec3; 2], values: [f64; 2]) -> f64 {
        values[0] / (values[0] - values[1])
    }

    fn reaches(&self, centre: &Vec3, half_side: f64) -> bool {
        self.trees[0].signed(centre) <= 3_f64.sqrt() * half_side
    }

    fn is_coarse(&self, centre: &Vec3, side: f64) -> bool {
        side > 1.5 * self.least_side
            && (self.is_asked(centre, side) || (0..self.trees.len()).any(|surface| self.bends(surface, centre, side)))
    }

    fn landmarks(&self) -> &[Vec3] {
        &self.landmarks
    }

    fn refine(&mut self, places: Vec<(Vec3, f64)>) {
        self.fine.extend(places);
        self.fine.sort_by(|a, b| a.0.x.total_cmp(&b.0.x));
    }

    fn fit(&mut self, store: &Store) {
        for k in 0..self.trees.len() {
            let inside = store.all().filter(|&t| usize::from(store.material[t as usize]) > k);
            let volume: f64 = inside.map(|t| store.volume(t)).sum();
            let area = surface_area(store, &faces_between(store, k as u16));
            if area > 0.0 {
                self.offsets[k] += (self.trees[k].volume() - volume) / area;
            }
        }
    }
}
