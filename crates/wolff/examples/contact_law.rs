//! Two steel balls of 20 mm radius meet at 0.3 m/s. How hard do they press, and how fast do they separate?
//!
//! The law `exact-restitution` dissipates what the coefficient of restitution says: 0.7 of the speed remains.

use wolff::contact::{Collision, ContactError, LawParameters, NormalLaw, hertz};

pub(crate) fn main() -> Result<(), ContactError> {
    let steel = hertz::Material::new(207e9, 0.3)?;
    let stiffness = hertz::sphere_sphere_stiffness((0.02, &steel), (0.02, &steel))?;
    let parameters = LawParameters { stiffness, restitution: 0.7, ..LawParameters::default() };
    let law = NormalLaw::from_name("exact-restitution", &parameters)?;

    // two balls of 0.262 kg have the effective mass of 0.131 kg
    let collision = Collision::solve(&law, 0.131, 0.3)?;
    println!("separation at {:.4} of the approach speed", collision.restitution);

    assert!((collision.restitution - 0.7).abs() < 1e-12);
    Ok(())
}
