//! Mass and inertia of scaled bodies.

/// Mass \[kg\] and inertia about the centre of mass, xx, yy, zz, xy, xz, yz \[kg m²\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyInertia {
    /// Mass \[kg\].
    pub mass: f64,
    /// Inertia \[kg m²\].
    pub inertia: [f64; 6],
}

/// Mass and inertia of a body whose axes are scaled by `s`.
///
/// The mass becomes `m' = m |s_x s_y s_z|` with `with_mass` (constant density), else it is not changed. With equal
/// factors the inertia is multiplied by `s² m'/m`. With unequal factors the body is treated as a cylinder about the
/// axis of its smallest moment I_a,
///
/// ```text
/// r² = 2 I_a/m,  l² = 12 (I_b/m - r²/4)
/// r'² = r² s_b s_c,  l' = l s_a,  I_a' = m' r'²/2,  I_b' = I_c' = m' (l'²/12 + r'²/4)
/// ```
///
/// and products of inertia are multiplied by their two factors. Source: OpenSim, class `Body`, so that scaled models
/// agree. Limits: not every body is like a cylinder, for example the pelvis.
pub fn scale_inertia(body: BodyInertia, s: [f64; 3], with_mass: bool) -> BodyInertia {
    let volume = (s[0] * s[1] * s[2]).abs();
    let growth = if with_mass { volume } else { 1.0 };
    let mass = body.mass * growth;
    if mass <= f64::EPSILON {
        return BodyInertia { mass, inertia: [0.0; 6] };
    }
    let equal = (s[0] - s[1]).abs() <= 1e-14 * s[0].abs() && (s[1] - s[2]).abs() <= 1e-14 * s[1].abs();
    if equal {
        return BodyInertia { mass, inertia: body.inertia.map(|i| i * s[0] * s[0] * growth) };
    }
    let [xx, yy, zz, xy, xz, yz] = body.inertia;
    let moments = [xx, yy, zz];
    let axis = (0..3).min_by(|a, b| moments[*a].total_cmp(&moments[*b])).unwrap_or(0);
    let other = if axis == 0 { 1 } else { 0 };
    let (b, c) = ((axis + 1) % 3, (axis + 2) % 3);
    let radius2 = (2.0 * moments[axis] / body.mass).max(0.0);
    let length2 = (12.0 * (moments[other] / body.mass - 0.25 * radius2)).max(0.0) * s[axis] * s[axis];
    let radius2 = radius2 * s[b] * s[c];
    let mut scaled = [mass * (length2 / 12.0 + 0.25 * radius2); 3];
    scaled[axis] = 0.5 * mass * radius2;
    let products = [xy * s[0] * s[1] * growth, xz * s[0] * s[2] * growth, yz * s[1] * s[2] * growth];
    BodyInertia { mass, inertia: [scaled[0], scaled[1], scaled[2], products[0], products[1], products[2]] }
}
