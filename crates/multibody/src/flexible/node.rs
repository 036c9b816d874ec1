//! Motion of a node relative to its body: displacement `Φ η` and rotation `exp(Θ η)`, with second-order terms where
//! given.
//!
//! With `θ = Θ η + ½ γ(η, η)` and the left Jacobian of the rotation group, `J(θ) = 1 + a θ̃ + b θ̃²`,
//! `a = (1 - cos φ)/φ²`, `b = (φ - sin φ)/φ³`, `φ = |θ|`, the node turns at `J θ'` and its angular acceleration for
//! constant modal speeds is `J' θ' + J γ(η', η')`: the kinematics are exact for any rotation, only the shapes are
//! linear.

use wolff_flexbody::Node;
use wolff_spatial::{Mat3, Motion, Pose, Quaternion, Vec3};

/// A node in the axes of its body.
pub(crate) struct NodeMotion {
    /// Pose of the node on the body.
    pub X_BN: Pose,
    /// Velocity of the node at its origin.
    pub V: Motion,
    /// Spatial acceleration at its origin for constant modal speeds.
    pub bias: Motion,
}

/// Where a node is and how it moves relative to its body; fills its motion columns (body axes, at the node's origin).
pub(crate) fn node_motion(node: &Node, eta: &[f64], eta_dot: &[f64], columns: &mut [Motion]) -> NodeMotion {
    let (mut theta, mut p) = (Vec3::zeros(), node.position);
    for k in 0..eta.len() {
        let (turn, shift) = (node.rotation.fixed_view::<3, 1>(0, k), node.translation.fixed_view::<3, 1>(0, k));
        theta += turn * eta[k];
        p += shift * eta[k];
        columns[k] = Motion::new(turn.into_owned(), shift.into_owned());
    }
    let shifted = second_order(&node.second, eta, eta_dot, |i, rate| columns[i].v += rate);
    let turned = second_order(&node.second_rotation, eta, eta_dot, |i, rate| columns[i].w += rate);
    p += shifted.value;
    theta += turned.value;
    let theta_dot = columns.iter().zip(eta_dot).map(|(column, speed)| column.w * *speed).sum();
    let (turning, turning_rate) = left_jacobian(&theta, &theta_dot);
    let mut V = Motion::ZERO;
    for (column, speed) in columns.iter_mut().zip(eta_dot) {
        column.w = turning * column.w;
        V += *column * *speed;
    }
    let R = Quaternion::from_rotation_vector(&theta).matrix() * node.pose().R;
    let w_bias = turning_rate * theta_dot + turning * turned.convected;
    let bias = Motion::new(w_bias, shifted.convected - V.w.cross(&V.v));
    NodeMotion { X_BN: Pose::new(R, p), V, bias }
}

/// A quantity of second order in `η`.
struct SecondOrder {
    /// `½ g(η, η)`.
    value: Vec3,
    /// `g(η', η')`.
    convected: Vec3,
}

/// The quantity with coefficients `g_ij` (none: zero); `add` takes its derivatives `Σ_j g_ij η_j`, a piece at a time.
fn second_order(g: &[Vec3], eta: &[f64], eta_dot: &[f64], mut add: impl FnMut(usize, Vec3)) -> SecondOrder {
    let (mut value, mut convected) = (Vec3::zeros(), Vec3::zeros());
    for (k, g) in g.iter().enumerate() {
        let (i, j) = (k / eta.len(), k % eta.len());
        add(i, g * eta[j]);
        value += g * (0.5 * eta[i] * eta[j]);
        convected += g * (eta_dot[i] * eta_dot[j]);
    }
    SecondOrder { value, convected }
}

/// `J(θ)` and its rate.
fn left_jacobian(theta: &Vec3, rate: &Vec3) -> (Mat3, Mat3) {
    let x = theta.norm_squared();
    let [a, b, a1, b1] = coefficients(x);
    let x_rate = 2.0 * theta.dot(rate);
    let (T, T1) = (wolff_spatial::skew(theta), wolff_spatial::skew(rate));
    let T2 = T * T;
    let J = Mat3::identity() + T * a + T2 * b;
    let J1 = T * (a1 * x_rate) + T1 * a + T2 * (b1 * x_rate) + (T * T1 + T1 * T) * b;
    (J, J1)
}

/// `a`, `b` and their derivatives by `x = φ²`.
fn coefficients(x: f64) -> [f64; 4] {
    if x < 0.25 {
        let ((a, a1), (b, b1)) = (horner(&SERIES_A, x), horner(&SERIES_B, x));
        return [a, b, a1, b1];
    }
    let phi = x.sqrt();
    let (sin, cos) = phi.sin_cos();
    let (a, sinc) = ((1.0 - cos) / x, sin / phi);
    let b = (1.0 - sinc) / x;
    [a, b, (sinc / 2.0 - a) / x, ((sinc - cos) / (2.0 * x) - b) / x]
}

/// `1/2! - x/4! + x²/6! …`; what is left out is below rounding for `x < 0.25`.
const SERIES_A: [f64; 7] = [
    1.0 / 2.0,
    -1.0 / 24.0,
    1.0 / 720.0,
    -1.0 / 40_320.0,
    1.0 / 3_628_800.0,
    -1.0 / 479_001_600.0,
    1.0 / 87_178_291_200.0,
];

/// `1/3! - x/5! + x²/7! …`.
const SERIES_B: [f64; 7] = [
    1.0 / 6.0,
    -1.0 / 120.0,
    1.0 / 5_040.0,
    -1.0 / 362_880.0,
    1.0 / 39_916_800.0,
    -1.0 / 6_227_020_800.0,
    1.0 / 1_307_674_368_000.0,
];

/// Value and derivative of a polynomial.
fn horner(coefficients: &[f64], x: f64) -> (f64, f64) {
    let (mut value, mut slope) = (0.0, 0.0);
    for c in coefficients.iter().rev() {
        slope = slope * x + value;
        value = value * x + c;
    }
    (value, slope)
}
