//! Closed forms of contact and ligaments: Hertz's stiffness from materials, quadratic ligaments, local splines.

use super::items::{Failure, Items};
use wolff_contact::hertz::{Material, curved_stiffness};
use wolff_multibody::force::LigamentLaw;
use wolff_numerics::{CubicSpline, LocalSlopes};

/// Relative tolerance of closed forms.
const CLOSED: f64 = 1e-13;

/// Tolerance of splines of the order of one to ten.
const SPLINE: f64 = 1e-12;

const KNOTS: [f64; 7] = [0.0, 0.1, 0.25, 0.4, 0.6, 0.7, 0.957];
const VALUES: [f64; 7] = [0.1, 0.35, 0.2, -0.15, -0.3, 0.05, 0.1];

/// Rows are t, value and first derivative.
type Rows = [[f64; 3]; 5];
const SHAPE_PRESERVING: Rows = [
    [0.05, 0.27374999999999994, 2.7749999999999995],
    [0.3, 0.09107690804260732, -2.7232483142773374],
    [0.5, -0.254089709762533, -0.8341029023746706],
    [0.65, -0.13030322236721892, 5.143935552655616],
    [0.9, 0.09788630024090379, 0.07589409311251727],
];
const AKIMA: Rows = [
    [0.05, 0.2785560344827586, 2.6961206896551726],
    [0.3, 0.08836101822399846, -2.4593698175787724],
    [0.5, -0.289541869151292, -0.792806751214413],
    [0.65, -0.1376776039215164, 4.683222478842334],
    [0.9, 0.16018925692884142, -0.6638961945534804],
];

/// Moduli, Poisson ratios and radii of both bodies, and the stiffness \[N/m^1.5\].
type Pressed = (&'static str, [f64; 2], [f64; 2], [f64; 2], f64);

/// Steel on steel, metal in polyethylene, cartilage on bone; an infinite radius is a plane.
const PRESSED: [Pressed; 3] = [
    ("steel_spheres", [207e9, 207e9], [0.3, 0.3], [0.02, 0.02], 15_164_835_164.834_835),
    ("sphere_in_cavity", [220e9, 1e9], [0.3, 0.46], [0.022, -0.024], 864_413_422.898_122_5),
    ("sphere_on_plane", [10e6, 500e6], [0.45, 0.3], [0.05, f64::INFINITY], 3_655_049.613_828_269_7),
];

/// Runs the problem.
pub(super) fn run(items: &mut Items) -> Result<(), Failure> {
    check_stiffness(items)?;
    check_ligament(items);
    check_splines(items)
}

fn check_stiffness(items: &mut Items) -> Result<(), Failure> {
    items.cite("Hertz's stiffness (Goldsmith 1960) in decimal arithmetic of 40 digits");
    for (name, young, poisson, radii, reference) in PRESSED {
        let [a, b] = [Material::new(young[0], poisson[0])?, Material::new(young[1], poisson[1])?];
        let ours = curved_stiffness(1.0 / radii[0] + 1.0 / radii[1], &a, &b)?;
        items.relative(&format!("stiffness.{name}"), ours, reference, CLOSED);
    }
    Ok(())
}

/// `F = k (L - L0)²`, with numbers that have no common factor.
fn check_ligament(items: &mut Items) {
    items.cite("Moeinzadeh et al. 1983: stiffness times the square of the elongation, by hand");
    let (stiffness, slack) = (3.5e7, 0.0325);
    let law = LigamentLaw::quadratic(stiffness, slack, 0.0);
    for (name, length, reference) in
        [("slack", 0.0320, 0.0), ("taut", 0.0341, 89.6), ("long", 0.0406, 2296.35), ("twice", 0.065, 36968.75)]
    {
        items.check(&format!("ligament.{name}_n"), law.spring_force(length / slack - 1.0), reference, 1e-8);
    }
}

fn check_splines(items: &mut Items) -> Result<(), Failure> {
    items.cite("SciPy 1: PchipInterpolator and Akima1DInterpolator");
    for (name, kind, rows) in
        [("shape_preserving", LocalSlopes::ShapePreserving, SHAPE_PRESERVING), ("akima", LocalSlopes::Akima, AKIMA)]
    {
        let spline = CubicSpline::local(&KNOTS, &VALUES, kind, false)?;
        for [t, value, slope] in rows {
            let ours = spline.evaluate(t);
            items.check(&format!("spline.{name}.value_{t}"), ours.value, value, SPLINE);
            items.check(&format!("spline.{name}.slope_{t}"), ours.d1, slope, SPLINE);
        }
    }
    Ok(())
}
