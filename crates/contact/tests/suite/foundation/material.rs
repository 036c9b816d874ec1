//! Layer laws.

use super::{MPA, nonlinear, polyethylene};
use crate::support::close;
use wolff_contact::ContactError;
use wolff_contact::foundation::material::{LARGEST_STRAIN, confinement};
use wolff_contact::foundation::{LayerMaterial, Reading, Strain};

fn all() -> Vec<(&'static str, LayerMaterial)> {
    use {Reading::*, Strain::*};
    vec![
        ("linear small", polyethylene(Small)),
        ("linear large", polyethylene(Large)),
        ("tangent small", nonlinear(Tangent, Small)),
        ("tangent large", nonlinear(Tangent, Large)),
        ("secant small", nonlinear(Secant, Small)),
        ("secant large", nonlinear(Secant, Large)),
        ("uniaxial small", nonlinear(Uniaxial, Small)),
        ("uniaxial large", nonlinear(Uniaxial, Large)),
    ]
}

/// Reference 07, pressure_vs_strain: d/h and the seven pressures [MPa].
const PRESSURES: [(f64, [f64; 7]); 6] = [
    (
        0.001,
        [
            2.140582191780823,
            2.141653196939685,
            2.67941282431715,
            2.680610107442526,
            2.7859945570242215,
            2.7873286416773797,
            0.6157259224549324,
        ],
    ),
    (
        0.005,
        [
            10.702910958904114,
            10.729757763035462,
            8.60444855479049,
            8.61647950889178,
            10.665661276696175,
            10.683446424006716,
            3.002155500805611,
        ],
    ),
    (
        0.01,
        [
            21.40582191780823,
            21.513569949421505,
            12.241913824580305,
            12.270642810577574,
            16.121847066952604,
            16.165194589892423,
            5.6355093963030045,
        ],
    ),
    (
        0.02,
        [
            42.81164383561646,
            43.24555550964225,
            16.583675328718414,
            16.65293065296851,
            22.6546154044106,
            22.75835517847362,
            9.663158318864564,
        ],
    ),
    (
        0.05,
        [
            107.02910958904116,
            109.79751252376191,
            23.752266520089883,
            23.98059635588139,
            33.311576167965256,
            33.64870626559718,
            16.804420122018755,
        ],
    ),
    (
        0.1,
        [
            214.0582191780823,
            225.53284353398757,
            30.619070847046217,
            31.197812475088625,
            43.407520161231396,
            44.25508677632765,
            23.467549367569625,
        ],
    ),
];

#[test]
fn pressures_of_the_reference() {
    for (u, pressures) in PRESSURES {
        for ((name, law), want) in all().iter().zip(pressures) {
            let h = 0.0037;
            close(law.pressure(u * h, h) / MPA, want, 1e-12, &format!("{name} at {u}"));
        }
    }
    close(confinement(0.46).unwrap(), 4.623287671232879, 1e-14, "confinement");
    close(confinement(0.45).unwrap(), 3.7931034482758634, 1e-14, "confinement of cartilage");
}

/// Slope and energy against the pressure, on both sides of the tangent that continues the logarithm.
#[test]
fn slope_and_energy_follow_the_pressure() {
    let h = 0.004;
    for (name, law) in all() {
        assert_eq!((law.pressure(-1e-4, h), law.energy(0.0, h), law.response(0.0, h)), (0.0, 0.0, (0.0, 0.0)));
        for u in [1e-4, 0.013, 0.2, 0.61, 0.97, 0.99, 1.3] {
            let (d, step) = (u * h, 1e-6 * h);
            let (p, slope) = law.response(d, h);
            close(p, law.pressure(d, h), 1e-15, name);
            let difference = (law.pressure(d + step, h) - law.pressure(d - step, h)) / (2.0 * step);
            close(slope, difference, 1e-6, &format!("slope of {name} at {u}"));
            let work = (law.energy(d + step, h) - law.energy(d - step, h)) / (2.0 * step);
            close(work, p, 1e-6, &format!("energy of {name} at {u}"));
        }
        close(law.energy(0.3 * h, h) + 1.0, law.energy(0.3 * h - 1e-18, h) + 1.0, 1e-12, name);
    }
}

/// Small overlaps: the energy of every law tends to that of its modulus at rest.
#[test]
fn modulus_at_rest() {
    for (name, law) in all() {
        let (d, h) = (1e-9, 2e-3);
        close(law.pressure(d, h), law.modulus_at_rest() * d / h, 1e-5, name);
        close(law.energy(d, h), 0.5 * law.modulus_at_rest() * d * d / h, 1e-5, name);
    }
}

#[test]
fn used_up_layers_stay_finite_and_say_so() {
    let law = polyethylene(Strain::Large);
    let h = 0.002;
    for u in [LARGEST_STRAIN * 1.0001, 1.0, 7.0] {
        assert!(law.is_crushed(u * h, h) && law.pressure(u * h, h).is_finite());
        assert!(law.pressure(u * h, h) > law.pressure(0.97 * h, h));
    }
    assert!(!law.is_crushed(0.97 * h, h) && !polyethylene(Strain::Small).is_crushed(2.0 * h, h));
}

#[test]
fn a_general_exponent() {
    let law = LayerMaterial::nonlinear((0.04, 12.0 * MPA, 2.3), 0.4, Reading::Secant, Strain::Small).unwrap();
    let y: f64 = law.pressure(1e-4, 2e-3) / (12.0 * MPA);
    close(y + y.powf(2.3), 2.0 * confinement(0.4).unwrap() / 0.04 * 0.05, 1e-13, "root");
    let line = LayerMaterial::nonlinear((0.04, 12.0 * MPA, 1.0), 0.4, Reading::Tangent, Strain::Small).unwrap();
    close(line.pressure(1e-4, 2e-3), line.modulus_at_rest() * 0.05, 1e-13, "n = 1 is linear");
}

#[test]
fn nonsense_is_refused() {
    let refused = |law: Result<LayerMaterial, ContactError>, word: &str| {
        let message = law.unwrap_err().to_string();
        assert!(message.contains(word), "{message}");
    };
    refused(LayerMaterial::linear(4e6, 0.5, Strain::Small), "Poisson");
    refused(LayerMaterial::linear(f64::NAN, 0.4, Strain::Small), "Young");
    refused(LayerMaterial::nonlinear((0.06, 18e6, 0.5), 0.4, Reading::Tangent, Strain::Small), "exponent");
    refused(polyethylene(Strain::Small).with_damping(-1.0), "damping");
}
