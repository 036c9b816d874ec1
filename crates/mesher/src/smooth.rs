//! Vertex moves that raise the smallest sine of the dihedral angles around the vertex.
//!
//! Source: Freitag and Ollivier-Gooch 1997, Tetrahedral mesh improvement using swapping and smoothing: ascent along the
//! shortest vector in the convex hull of the gradients of the worst tetrahedra.

use crate::quality::least_sine;
use crate::shape::{Freedom, Shape};
use crate::store::Store;
use wolff_spatial::Vec3;

/// Ascents from one place, at most.
const ASCENTS: usize = 3;
/// Halvings of a step, at most.
const HALVINGS: usize = 4;
/// Tetrahedra within this of the worst sine count as the worst too.
const ACTIVE: f64 = 0.03;

/// A vertex on a ridge stays while no sine around it is below this: 18°.
pub(crate) const FAIR_SINE: f64 = 0.31;

/// The tetrahedra around a vertex: their other corners, so that the vertex first gives a positive volume.
struct Star {
    others: Vec<[Vec3; 3]>,
}

impl Star {
    fn new(store: &Store, v: u32) -> Star {
        let other = |&t: &u32| {
            let c = store.tets[t as usize];
            let order = match c.iter().position(|&w| w == v) {
                Some(1) => [0, 3, 2],
                Some(2) => [3, 0, 1],
                Some(3) => [2, 1, 0],
                _ => [1, 2, 3],
            };
            order.map(|i| store.x[c[i] as usize])
        };
        Star { others: store.at(v).iter().map(other).collect() }
    }

    fn least(&self, x: &Vec3) -> f64 {
        self.others.iter().map(|[b, c, d]| least_sine(x, b, c, d)).fold(f64::INFINITY, f64::min)
    }

    /// Whether every sine is above a bound; stops at the first that is not.
    fn exceeds(&self, x: &Vec3, bound: f64) -> bool {
        self.others.iter().all(|[b, c, d]| least_sine(x, b, c, d) > bound)
    }

    /// The mean of the neighbours.
    fn middle(&self) -> Vec3 {
        self.others.iter().flatten().sum::<Vec3>() / (3 * self.others.len()) as f64
    }

    /// Mean distance of the neighbours \[m\].
    fn reach(&self, x: &Vec3) -> f64 {
        self.others.iter().flatten().map(|y| (y - x).norm()).sum::<f64>() / (3 * self.others.len()) as f64
    }

    /// Gradients of the sines of the worst tetrahedra, by differences over `step`.
    fn gradients(&self, x: &Vec3, step: f64) -> Vec<Vec3> {
        let sines: Vec<f64> = self.others.iter().map(|[b, c, d]| least_sine(x, b, c, d)).collect();
        let worst = sines.iter().copied().fold(f64::INFINITY, f64::min);
        let mut gradients = Vec::new();
        for ([b, c, d], sine) in self.others.iter().zip(&sines) {
            if *sine <= worst + ACTIVE {
                let along = |i: usize| {
                    let mut y = *x;
                    y[i] += step;
                    (least_sine(&y, b, c, d) - sine) / step
                };
                gradients.push(Vec3::new(along(0), along(1), along(2)));
            }
        }
        gradients
    }
}

/// The shortest vector of the convex hull of some vectors, by a few steps of Gilbert's algorithm.
fn shortest(vectors: &[Vec3]) -> Vec3 {
    let mut at = vectors.iter().sum::<Vec3>() / vectors.len().max(1) as f64;
    for _ in 0..12 {
        let Some(least) = vectors.iter().min_by(|p, q| p.dot(&at).total_cmp(&q.dot(&at))) else { break };
        let along = least - at;
        let square = along.norm_squared();
        if square <= 0.0 || at.dot(&along) >= -1e-9 * square {
            break;
        }
        at += along * (-at.dot(&along) / square).clamp(0.0, 1.0);
    }
    at
}

/// Moves a vertex so that the smallest sine around it grows, if it is below `target`; interface vertices stay on their
/// interface. Whether it moved.
pub(crate) fn smooth_vertex(store: &mut Store, shape: &dyn Shape, v: u32, target: f64) -> bool {
    let meets = store.meets[v as usize];
    if meets.is_fixed() || store.at(v).is_empty() {
        return false;
    }
    let star = Star::new(store, v);
    let start = store.x[v as usize];
    let (mut x, mut sine) = (start, star.least(&start));
    if sine >= target || (store.pinned[v as usize] && sine > FAIR_SINE) {
        return false;
    }
    let bind =
        |y: Vec3| if meets.is_free() { Some((y, None)) } else { shape.project(&meets, &y).map(|(p, f)| (p, Some(f))) };
    let reach = star.reach(&x);
    let mut freedom: Option<Freedom> = None;
    if !meets.is_free() {
        freedom = bind(x).and_then(|(_, freedom)| freedom);
    } else if star.exceeds(&star.middle(), sine) {
        x = star.middle();
        sine = star.least(&x);
    }
    let mut step = 0.3 * reach;
    for _ in 0..ASCENTS {
        let mut gradients = star.gradients(&x, 1e-5 * reach);
        if let Some(freedom) = &freedom {
            gradients.iter_mut().for_each(|g| *g = freedom.allowed(g));
        }
        let direction = shortest(&gradients);
        let length = direction.norm();
        if length * reach < 1e-3 {
            break;
        }
        let mut moved = false;
        for _ in 0..HALVINGS {
            if let Some((y, there)) = bind(x + direction * (step / length))
                && star.exceeds(&y, sine + 1e-6)
            {
                (x, sine, freedom, moved) = (y, star.least(&y), there, true);
                break;
            }
            step *= 0.5;
        }
        if !moved || sine >= target {
            break;
        }
    }
    store.x[v as usize] = x;
    x != start
}

/// Moves a vertex of any kind off its interface, by `leeway` of the distance of its neighbours at most, so that the
/// smallest sine around it grows, if it is below `target`. Whether it moved.
pub(crate) fn relax_vertex(store: &mut Store, v: u32, target: f64, leeway: f64) -> bool {
    if store.at(v).is_empty() {
        return false;
    }
    let star = Star::new(store, v);
    let start = store.x[v as usize];
    let (mut x, mut sine) = (start, star.least(&start));
    let reach = star.reach(&x);
    let mut step = leeway * reach;
    for _ in 0..ASCENTS {
        let direction = shortest(&star.gradients(&x, 1e-5 * reach));
        let length = direction.norm();
        if sine >= target || length * reach < 1e-3 {
            break;
        }
        for _ in 0..HALVINGS {
            let y = x + direction * (step / length);
            if (y - start).norm() <= leeway * reach && star.exceeds(&y, sine + 1e-6) {
                (x, sine) = (y, star.least(&y));
                break;
            }
            step *= 0.5;
        }
    }
    store.x[v as usize] = x;
    x != start
}

/// Moves an interface vertex onto its interface as far as the sines around it stay above `least` or do not fall.
/// Whether it arrived.
pub(crate) fn put_on_interface(store: &mut Store, shape: &dyn Shape, v: u32, least: f64) -> bool {
    let meets = store.meets[v as usize];
    if meets.is_free() || meets.is_fixed() || store.at(v).is_empty() {
        return true;
    }
    let start = store.x[v as usize];
    let Some((foot, _)) = shape.project(&meets, &start) else { return false };
    let star = Star::new(store, v);
    let bound = least.min(star.least(&start) - 1e-9);
    for part in [1.0, 0.7, 0.4, 0.2] {
        let x = start.lerp(&foot, part);
        if star.exceeds(&x, bound) {
            store.x[v as usize] = x;
            return part == 1.0;
        }
    }
    false
}
