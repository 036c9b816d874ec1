//! The linear tetrahedron: `N_i = L_i`, constant strain. It locks in bending; prefer ten nodes for bones.

/// Shape functions at the volume coordinates (L₂, L₃, L₄).
pub fn shape([l2, l3, l4]: [f64; 3]) -> [f64; 4] {
    [1.0 - l2 - l3 - l4, l2, l3, l4]
}

/// Their derivatives by (L₂, L₃, L₄).
pub fn gradient() -> [[f64; 3]; 4] {
    [[-1.0, -1.0, -1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
}
