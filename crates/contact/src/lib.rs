//! Contact of simple shapes: how deep they overlap, how hard they press, how they rub.
//!
//! | file | subject |
//! |---|---|
//! | [`law`] | normal force laws `F(δ, δ')`: elastic, Kelvin-Voigt, the Hunt-Crossley family, ADAMS IMPACT |
//! | [`restitution`] | damping factor and true restitution of the Hunt-Crossley family, in both directions |
//! | [`hertz`] | Hertzian stiffness from radii and materials |
//! | [`impact`] | exact solution of a collision of one degree of freedom, for every law |
//! | [`friction`] | regularised Coulomb friction |
//! | [`shape`], [`proximity`] | spheres, cavities, planes, ellipsoids; overlap depth, normal and contact points of a pair |
//! | [`profile`] | plane curves through points, and where two of them touch |
//! | [`lookup`] | surfaces as tables of points, of which only a window around the contact is in memory |
//! | [`foundation`] | elastic foundation: layers under smooth or triangulated surfaces, with pressure maps |
//! | [`element`] | the force element that joins all of it in a multibody model |
//!
//! Symbols: `δ` indentation (depth of the overlap, positive while the shapes press), `δ'` its rate, `v0` the rate at
//! first touch (approach speed), `m` effective mass `m1 m2 / (m1 + m2)`, `c_r` coefficient of restitution. SI units
//! throughout.
//!
//! Two steel balls of 20 mm meet at 0.3 m/s. Does the law with exact restitution give back the 0.7 that was asked for?
//!
//! ```
//! use wolff_contact::{Collision, LawParameters, NormalLaw, hertz};
//!
//! let steel = hertz::Material::new(207e9, 0.3)?;
//! let stiffness = hertz::sphere_sphere_stiffness((0.02, &steel), (0.02, &steel))?;
//! let parameters = LawParameters { stiffness, restitution: 0.7, ..LawParameters::default() };
//! let law = NormalLaw::from_name("exact-restitution", &parameters)?;
//! let collision = Collision::solve(&law, 0.131, 0.3)?;
//! assert!((collision.restitution - 0.7).abs() < 1e-12);
//! # Ok::<(), wolff_contact::ContactError>(())
//! ```
#![allow(non_snake_case)]

pub mod element;
pub mod error;
pub mod foundation;
pub mod friction;
pub mod hertz;
pub mod impact;
pub mod law;
pub mod lookup;
pub mod profile;
pub mod proximity;
mod quadrature;
pub mod restitution;
pub mod shape;

pub use element::{ContactForce, Subsurface, Touch};
pub use error::ContactError;
pub use foundation::{FoundationForce, FoundationPair, FoundationSettings};
pub use friction::Friction;
pub use impact::Collision;
pub use law::{KelvinVoigtEnd, LawKind, LawParameters, NormalLaw};
pub use lookup::{SurfaceTable, TablePair};
pub use profile::{Interpolation, Profile, ProfilePair};
pub use proximity::{ContactPair, Proximity, ShapePair};
pub use shape::Shape;
