//! Coefficients of the explicit Runge-Kutta methods.

pub(crate) use super::dop853::DOP853;

/// An explicit method with `s` stages:
///
/// ```text
/// k_i = f(t + c_i h, y + h Σ_j a_ij k_j),   y₁ = y + h Σ_i b_i k_i,   k_s = f(t + h, y₁)
/// ```
///
/// `k_s` is the first stage of the next step and serves error estimate and dense output.
pub(crate) struct Tableau {
    pub c: &'static [f64],
    pub a: &'static [&'static [f64]],
    pub b: &'static [f64],
    /// Step size control, absent for fixed-step methods.
    pub control: Option<ErrorControl>,
    /// Stages after `k_s` that only the dense output needs.
    pub extra_c: &'static [f64],
    pub extra_a: &'static [&'static [f64]],
    /// Rows beyond the cubic Hermite part of the dense output.
    pub dense: &'static [&'static [f64]],
}

/// Error estimate `h Σ e_i k_i` and the step size controller `h_new = 0.9 h err^-(1/k - 0.75 β) err_old^β`.
pub(crate) struct ErrorControl {
    pub e: &'static [f64],
    /// Second estimate of the 8(5,3) pair.
    pub e3: Option<&'static [f64]>,
    /// Order of the method, for the first step.
    pub order: usize,
    /// 1/k, k the order of the local error estimate.
    pub exponent: f64,
    /// Weight of the previous error in the proportional-integral controller.
    pub beta: f64,
}

/// Explicit Euler.
pub(crate) static EULER: Tableau = fixed(&[0.0], &[&[]], &[1.0]);

/// The classical method of order 4.
pub(crate) static RK4: Tableau = fixed(
    &[0.0, 0.5, 0.5, 1.0],
    &[&[], &[0.5], &[0.0, 0.5], &[0.0, 0.0, 1.0]],
    &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0],
);

const fn fixed(c: &'static [f64], a: &'static [&'static [f64]], b: &'static [f64]) -> Tableau {
    Tableau { c, a, b, control: None, extra_c: &[], extra_a: &[], dense: &[] }
}

/// Dormand-Prince 5(4) with Hairer's dense output of order 4.
///
/// Source: Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, 2nd ed., table II.5.2 and the code
/// DOPRI5; controller constants of section IV.2.
pub(crate) static DORMAND_PRINCE_5: Tableau = Tableau {
    c: &[0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0],
    a: &[
        &[],
        &[1.0 / 5.0],
        &[3.0 / 40.0, 9.0 / 40.0],
        &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
        &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
        &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
    ],
    b: &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
    control: Some(ErrorControl {
        e: &[71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0],
        e3: None,
        order: 5,
        exponent: 1.0 / 5.0,
        beta: 0.04,
    }),
    extra_c: &[],
    extra_a: &[],
    dense: &[&[
        -12715105075.0 / 11282082432.0,
        0.0,
        87487479700.0 / 32700410799.0,
        -10690763975.0 / 1880347072.0,
        701980252875.0 / 199316789632.0,
        -1453857185.0 / 822651844.0,
        69997945.0 / 29380423.0,
    ]],
};
