//! Faces between materials.

use crate::store::{FACES, Store};

/// The outward faces of the union of all materials above `material`.
pub(crate) fn faces_between(store: &Store, material: u16) -> Vec<[u32; 3]> {
    faces_where(store, |inner| inner > material)
}

/// The outward faces of the union of the materials for which `inside` holds; the outside is 0.
pub(crate) fn faces_where(store: &Store, inside: impl Fn(u16) -> bool) -> Vec<[u32; 3]> {
    let mut faces = Vec::new();
    for t in store.all().filter(|&t| inside(store.material[t as usize])) {
        let corners = store.tets[t as usize];
        for face in FACES.map(|face| face.map(|i| corners[i])) {
            // only faces whose corners all lie on an interface can be on one
            if face.iter().any(|&v| store.meets[v as usize].is_free()) {
                continue;
            }
            let other = store.beside(t, face);
            if !other.is_some_and(|other| inside(store.material[other as usize])) {
                faces.push(face);
            }
        }
    }
    faces
}

/// The area of faces \[m²\].
pub(crate) fn surface_area(store: &Store, faces: &[[u32; 3]]) -> f64 {
    let area = |face: &[u32; 3]| {
        let [a, b, c] = face.map(|v| store.x[v as usize]);
        0.5 * (b - a).cross(&(c - a)).norm()
    };
    faces.iter().map(area).sum()
}
