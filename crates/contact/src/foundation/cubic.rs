//! The root of `z + z³ = ξ`, which every point of a layer of the usual exponent three asks for.

/// Intervals of the table per unit of ξ, and its end: at ξ = 16 polyethylene is strained by 6 %.
const PER_UNIT: usize = 64;
const END: usize = 16;

/// Taylor coefficients of z(ξ) about the middles of the intervals.
static TABLE: [[f64; 7]; PER_UNIT * END] = table();

const fn table() -> [[f64; 7]; PER_UNIT * END] {
    let mut table = [[0.0; 7]; PER_UNIT * END];
    let (mut k, mut z) = (0, 0.0);
    while k < table.len() {
        let xi = (k as f64 + 0.5) / PER_UNIT as f64;
        // Newton's method from the last entry; the function is convex, so that it converges from above after one step
        let mut steps = 0;
        while steps < 20 {
            z -= (z * (1.0 + z * z) - xi) / (1.0 + 3.0 * z * z);
            steps += 1;
        }
        table[k] = coefficients(z);
        k += 1;
    }
    table
}

/// Derivatives of z over the factorials: `z' = w = 1/(1 + 3z²)`, `w' = -6 z w³`, and so on.
const fn coefficients(z: f64) -> [f64; 7] {
    let (w, zz) = (1.0 / (1.0 + 3.0 * z * z), z * z);
    let (w3, w5) = (w * w * w, w * w * w * w * w);
    let third = (-1.0 + 18.0 * zz * w) * w3 * w;
    let fourth = (15.0 - 135.0 * zz * w) * z * w5 * w;
    let fifth = (3.0 - 189.0 * zz * w + 1134.0 * zz * zz * w * w) * w5 * w * w;
    let sixth = (-84.0 + 2268.0 * zz * w - 10206.0 * zz * zz * w * w) * z * w5 * w3 * w;
    [z, w, -3.0 * z * w3, third, fourth, fifth, sixth]
}

/// The root z ≥ 0 of `z + z³ = ξ`, ξ ≥ 0, by a series of sixth order from a table: error below 1e-13. `None` beyond the
/// table. Own choice.
#[inline(always)]
pub(super) fn cubic_root(xi: f64) -> Option<f64> {
    let k = (xi * PER_UNIT as f64) as usize;
    let [c0, c1, c2, c3, c4, c5, c6] = TABLE.get(k)?;
    let t = xi - (k as f64 + 0.5) * (1.0 / PER_UNIT as f64);
    Some(c0 + t * (c1 + t * (c2 + t * (c3 + t * (c4 + t * (c5 + t * c6))))))
}
