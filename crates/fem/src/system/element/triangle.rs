//! The faces of the elements: triangles of three or six nodes.

/// Shape functions of a three- or six-node triangle and their derivatives by L₂ and L₃.
pub(crate) fn triangle_shape(nodes: usize, l2: f64, l3: f64) -> ([f64; 6], [f64; 6], [f64; 6]) {
    let l1 = 1.0 - l2 - l3;
    if nodes == 3 {
        let pad = |a: f64, b: f64, c: f64| [a, b, c, 0.0, 0.0, 0.0];
        return (pad(l1, l2, l3), pad(-1.0, 1.0, 0.0), pad(-1.0, 0.0, 1.0));
    }
    let corner = |l: f64| l * (2.0 * l - 1.0);
    let shape = [corner(l1), corner(l2), corner(l3), 4.0 * l1 * l2, 4.0 * l2 * l3, 4.0 * l3 * l1];
    let slope = |l: f64| 4.0 * l - 1.0;
    let by_l2 = [-slope(l1), slope(l2), 0.0, 4.0 * (l1 - l2), 4.0 * l3, -4.0 * l3];
    let by_l3 = [-slope(l1), 0.0, slope(l3), -4.0 * l2, 4.0 * l2, 4.0 * (l1 - l3)];
    (shape, by_l2, by_l3)
}
