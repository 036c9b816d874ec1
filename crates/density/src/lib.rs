//! Grey values of a scan to density and elastic modulus of every element of a mesh.
//!
//! ```text
//! grey value -> ρ_QCT -> ρ_ash -> ρ_app -> E        voxels -> element
//! ```
//!
//! | file | subject |
//! |---|---|
//! | [`field`] | values on a grid in space |
//! | [`calibration`] | grey value to density, one density to another |
//! | [`relation`] | density to modulus, by name |
//! | [`chain`] | the whole way from grey value to modulus |
//! | [`rule`] | from voxels to an element: Bonemat V1, V2, V3, and a converged mean |
//! | [`mapped`] | tissue of all elements |
//! | [`plausible`] | whether it can be true |
//! | [`materials`] | materials for finite elements, one per element or in classes |
//!
//! ```
//! use wolff_density::{Calibration, Chain, DensityKind, Relation};
//!
//! let calibration = Calibration::line(0.05, 0.00125, DensityKind::Apparent)?;
//! let chain = Chain::new(calibration, Relation::named("carter-hayes-1977")?)?;
//! let cortex = chain.tissue(1480.0);
//! assert!((cortex.apparent - 1.9).abs() < 1e-12);
//! assert!((cortex.modulus - 19719.7).abs() < 0.1);
//! # Ok::<(), wolff_density::DensityError>(())
//! ```

pub mod calibration;
pub mod chain;
mod error;
pub mod field;
pub mod mapped;
pub mod materials;
pub mod plausible;
pub mod relation;
pub mod rule;

pub use calibration::{CONVERSIONS, Calibration, Conversion, DensityKind, PhantomFit};
pub use chain::{Chain, Tissue};
pub use error::DensityError;
pub use field::{GridField, SampledField};
pub use mapped::{ElementTissue, Mapped, Options, map};
pub use materials::{MaterialOptions, Materials, Pores, Symmetry};
pub use plausible::{Expected, KnownBone};
pub use relation::{Checked, Piece, Published, RELATIONS, Relation};
pub use rule::Rule;
