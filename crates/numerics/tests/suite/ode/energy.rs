//! Energy of a conservative, chaotic system: the double pendulum of two unit point masses on unit rods.

use wolff_numerics::{Method, Options, integrate};

use super::models::{Function, GRAVITY};

fn rhs(_t: f64, y: &[f64], dy: &mut [f64]) {
    let (a, b, p, q) = (y[0], y[1], y[2], y[3]);
    let (s, c) = (a - b).sin_cos();
    // [2, c; c, 1] [a''; b''] = [-s q² - 2 g sin a; s p² - g sin b]
    let (f, g) = (-s * q * q - 2.0 * GRAVITY * a.sin(), s * p * p - GRAVITY * b.sin());
    let det = 2.0 - c * c;
    dy.copy_from_slice(&[p, q, (f - c * g) / det, (2.0 * g - c * f) / det]);
}

fn energy(y: &[f64]) -> f64 {
    let (a, b, p, q) = (y[0], y[1], y[2], y[3]);
    p * p + 0.5 * q * q + p * q * (a - b).cos() - GRAVITY * (2.0 * a.cos() + b.cos())
}

#[test]
fn double_pendulum_energy_drift() {
    // (method, tolerance or step, allowed drift relative to the initial 29.4 J after 10 s)
    let cases = [
        (Method::Rk4, Options::fixed_step(1e-3), 1e-8),
        (Method::AdamsBashforthMoulton4, Options::fixed_step(1e-3), 1e-8),
        (Method::Adams, Options::tolerances(1e-10, 1e-10), 1e-6),
        (Method::DormandPrince5, Options::tolerances(1e-9, 1e-9), 1e-6),
        (Method::Dop853, Options::tolerances(1e-11, 1e-11), 1e-9),
        (Method::Bdf, Options::tolerances(1e-8, 1e-8), 1e-4),
    ];
    for (method, options, allowed) in cases {
        let mut y = [1.5, 2.2, 0.3, -0.4];
        let before = energy(&y);
        integrate(&mut Function { dim: 4, f: rhs }, method, &options, 0.0, &mut y, 10.0, &mut ()).unwrap();
        let drift = (energy(&y) - before).abs() / GRAVITY;
        assert!(drift < allowed, "{method:?}: {drift:e}");
    }
}
