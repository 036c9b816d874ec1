//! Fidelity: vertices at ridges of the surface, and faces that leave as much of it outside as inside.

use rayon::prelude::*;
use wolff_spatial::Vec3;

use crate::interface::faces_where;
use crate::shape::{Materials, Shape};
use crate::smooth::FAIR_SINE;
use crate::store::{FACES, Store};
use crate::tree::Tree;

/// Moves the nearest vertex of the outer surface to points of the surface farther than `far` from the mesh, the
/// farthest first, where no sine falls below that of a fair angle.
pub(crate) fn catch_ridges(store: &mut Store, shape: &dyn Shape, far: f64) {
    let faces = faces_where(store, |material| material > 0);
    if faces.is_empty() {
        return;
    }
    let tree = Tree::of(faces.iter().map(|face| face.map(|v| store.x[v as usize])));
    let missed = |x: &Vec3| {
        let foot = tree.closest(x);
        let face = faces[tree.given(foot.triangle)];
        let nearest = face.into_iter().min_by(|&v, &w| {
            let gap = |v: u32| (store.x[v as usize] - x).norm_squared();
            gap(v).total_cmp(&gap(w))
        });
        nearest.filter(|_| foot.distance > far).map(|v| (foot.distance, v, *x))
    };
    let mut missed: Vec<(f64, u32, Vec3)> = shape.landmarks().par_iter().with_min_len(128).filter_map(missed).collect();
    missed.sort_by(|s, t| t.0.total_cmp(&s.0).then(s.1.cmp(&t.1)));
    let mut is_used = vec![false; store.x.len()];
    for (_, v, x) in missed {
        if !is_used[v as usize] && store.meets[v as usize].list().len() == 2 {
            let least = FAIR_SINE.min(store.star_sine(v) - 1e-9);
            is_used[v as usize] = store.try_move(v, x, least);
            store.pinned[v as usize] |= is_used[v as usize];
        }
    }
}

/// Places where the outer surface and the mesh are farther apart than `far`, each with half the edge of the mesh there.
pub(crate) fn misses(store: &Store, shape: &dyn Shape, far: f64) -> Vec<(Vec3, f64)> {
    let faces = faces_where(store, |material| material > 0);
    if shape.landmarks().is_empty() || faces.is_empty() {
        return Vec::new();
    }
    let corners = |face: &[u32; 3]| face.map(|v| store.x[v as usize]);
    let half = |face: &[u32; 3]| {
        let [a, b, c] = corners(face);
        ((b - a).norm() + (c - b).norm() + (a - c).norm()) / 6.0
    };
    let tree = Tree::of(faces.iter().map(corners));
    let from_landmark = |x: &Vec3| {
        let foot = tree.closest(x);
        (foot.distance > far).then(|| (*x, half(&faces[tree.given(foot.triangle)])))
    };
    let from_face = |face: &[u32; 3]| {
        let centre = corners(face).iter().sum::<Vec3>() / 3.0;
        let (foot, _) = shape.project(&store.meets[face[0] as usize], &centre)?;
        ((foot - centre).norm() > far).then(|| (centre, half(face)))
    };
    let mut places: Vec<(Vec3, f64)> =
        shape.landmarks().par_iter().with_min_len(128).filter_map(from_landmark).collect();
    places.extend(faces.par_iter().with_min_len(128).filter_map(from_face).collect::<Vec<_>>());
    places
}

/// A face of an interface with its materials.
struct Face {
    corners: [u32; 3],
    materials: Materials,
}

/// Shifts interface vertices along their normals so that the mean gap between the faces around each and the interface
/// vanishes; no sine falls below `least` by it.
///
/// The mean gap of a face is 3/4 of that at its centroid and 1/12 of that at each corner, exact for a quadratic gap:
/// the chord of a curved surface.
pub(crate) fn follow(store: &mut Store, shape: &dyn Shape, least: f64) {
    let faces = interface_faces(store);
    let gap = |materials: &Materials, x: &Vec3, normal: &Vec3| {
        shape.project(materials, x).map_or(0.0, |(foot, _)| normal.dot(&(foot - x)))
    };
    let measured: Vec<(Vec3, f64)> = faces
        .par_iter()
        .with_min_len(128)
        .map(|Face { corners, materials }| {
            let [a, b, c] = corners.map(|v| store.x[v as usize]);
            let area = 0.5 * (b - a).cross(&(c - a));
            let normal = area.normalize();
            let at_corners: f64 = [a, b, c].iter().map(|x| gap(materials, x, &normal)).sum();
            (area, 0.75 * gap(materials, &((a + b + c) / 3.0), &normal) + at_corners / 12.0)
        })
        .collect();
    let mut sums: Vec<(Vec3, f64, f64)> = vec![(Vec3::zeros(), 0.0, 0.0); store.x.len()];
    for (Face { corners, .. }, (area, gap)) in faces.iter().zip(&measured) {
        for &v in corners {
            let sum = &mut sums[v as usize];
            *sum = (sum.0 + area, sum.1 + area.norm() * gap, sum.2 + area.norm());
        }
    }
    for v in 0..store.x.len() as u32 {
        let (area, gaps, whole) = sums[v as usize];
        let meets = &store.meets[v as usize];
        if whole == 0.0 || meets.list().len() != 2 || meets.is_fixed() {
            continue;
        }
        let shift = area.normalize() * (gaps / whole);
        let bound = least.min(store.star_sine(v) - 1e-9);
        let from = store.x[v as usize];
        let _ = [1.0, 0.5, 0.25].iter().any(|part| store.try_move(v, from + shift * *part, bound));
    }
}

/// All faces between two materials, outward from the one with the larger number.
fn interface_faces(store: &Store) -> Vec<Face> {
    let mut faces = Vec::new();
    for t in store.all() {
        let corners = store.tets[t as usize];
        let material = store.material[t as usize];
        for corners in FACES.map(|face| face.map(|i| corners[i])) {
            if corners.iter().any(|&v| store.meets[v as usize].is_free()) {
                continue;
            }
            let beside = store.beside(t, corners).map_or(0, |other| store.material[other as usize]);
            if beside < material {
                let mut materials = Materials::default();
                materials.insert(beside);
                materials.insert(material);
                faces.push(Face { corners, materials });
            }
        }
    }
    faces
}
