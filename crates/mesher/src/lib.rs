//! Tetrahedral meshes from closed surfaces and label volumes.
//!
//! | file | subject |
//! |---|---|
//! | [`Settings`], [`Meshed`], [`MeshingReport`] | what is asked for and what comes back |
//! | [`mesh_surface`], [`mesh_regions`] | the inside of a closed surface, or of several one inside the other |
//! | [`LabelGrid`], [`mesh_labels`] | the labels of a volume, with conforming interfaces |
//! | [`set_distance`] | the distance between one material and a surface |
//!
//! How many elements of 6 mm has a ball of 20 mm radius, and is its volume kept?
//!
//! ```
//! use wolff_geometry::TriangleMesh;
//! use wolff_mesher::{Settings, mesh_surface};
//!
//! let ball = TriangleMesh::icosphere(0.02, 3)?;
//! let settings = Settings { size: 6e-3, ..Settings::default() };
//! let meshed = mesh_surface(&ball, &settings, &mut |_, _| true)?;
//! assert!(meshed.report.tets > 500);
//! assert!((meshed.report.volume / meshed.report.input_volume - 1.0).abs() < 5e-3);
//! assert!(meshed.report.min_dihedral.to_degrees() > 15.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod coarsen;
mod cut;
mod error;
mod fields;
mod follow;
mod improve;
mod interface;
mod labels;
mod lattice;
mod pinch;
mod pipeline;
mod quadratic;
mod quality;
mod report;
mod settings;
mod shape;
mod smooth;
mod store;
mod surfaces;
mod swap;
mod tree;

pub use error::MesherError;
pub use labels::{LabelGrid, mesh_labels};
pub use report::set_distance;
pub use settings::{MaterialReport, Meshed, MeshingReport, Progress, Settings, Stage, SurfaceDistance};
pub use surfaces::{mesh_regions, mesh_surface};
