//! The quadratic tetrahedron: corners `N_i = L_i (2 L_i - 1)`, edges `N_ij = 4 L_i L_j`; isoparametric, so edges may
//! be curved.

use super::tet4;

/// The corners at the ends of the edge of nodes 4 to 9.
pub const EDGES: [(usize, usize); 6] = [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)];

/// Volume coordinates (L₂, L₃, L₄) of the ten nodes.
pub const NODES: [[f64; 3]; 10] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [0.5, 0.0, 0.0],
    [0.5, 0.5, 0.0],
    [0.0, 0.5, 0.0],
    [0.0, 0.0, 0.5],
    [0.5, 0.0, 0.5],
    [0.0, 0.5, 0.5],
];

/// The edge (0 to 5) between two different corners.
pub(crate) fn edge_between(a: usize, b: usize) -> usize {
    match (a.min(b), a.max(b)) {
        (0, 1) => 0,
        (1, 2) => 1,
        (0, 2) => 2,
        (0, _) => 3,
        (1, _) => 4,
        _ => 5,
    }
}

/// Shape functions at the volume coordinates (L₂, L₃, L₄).
pub fn shape(at: [f64; 3]) -> [f64; 10] {
    let l = tet4::shape(at);
    let mut n = [0.0; 10];
    for i in 0..4 {
        n[i] = l[i] * (2.0 * l[i] - 1.0);
    }
    for (edge, (i, j)) in EDGES.into_iter().enumerate() {
        n[4 + edge] = 4.0 * l[i] * l[j];
    }
    n
}

/// Their derivatives by (L₂, L₃, L₄).
pub fn gradient(at: [f64; 3]) -> [[f64; 3]; 10] {
    let l = tet4::shape(at);
    let dl = tet4::gradient();
    let mut dn = [[0.0; 3]; 10];
    for d in 0..3 {
        for i in 0..4 {
            dn[i][d] = (4.0 * l[i] - 1.0) * dl[i][d];
        }
        for (edge, (i, j)) in EDGES.into_iter().enumerate() {
            dn[4 + edge][d] = 4.0 * (l[i] * dl[j][d] + l[j] * dl[i][d]);
        }
    }
    dn
}
