//! Pressures for given poses (inverse analysis): contacts and ligaments are evaluated at the given positions of the
//! bodies; no motion is integrated.
//!
//! | file | subject |
//! |---|---|
//! | [`meshes`] | search and reading of the surfaces of a model |
//! | [`articular`] | contacts of OpenSim JAM models as elastic foundations |
//! | `side` | side of a closed mesh that is in contact |
//! | [`states`] | coordinates from the columns of a states file |
//! | [`evaluate`] | contacts and ligaments of a model for each pose |
//! | [`pair_poses`] | pairs of surfaces with poses in six columns |
//! | `variable` | variable thickness of the layers of JAM models |
//! | `quantity` | names and values of the written quantities |
//! | [`mod@compare`] | differences from a record |
//! | [`mod@outcome`] | largest values with verdicts, series, figures, pressure maps |
//!
//! A ball of 30 mm pressed 0.2 mm into a layer of 8 mm on a plate:
//!
//! ```
//! use std::path::Path;
//! use wolff_analyses::contact_poses::{Chosen, evaluate_poses, pair_contacts};
//!
//! let pair = r#"[[foundation]]
//! name = "ball"
//! fixed = "plate"
//! moving = "ball"
//! surface = { kind = "sphere", radius = "30 mm" }
//! compartments = [
//!   { name = "plate", surface = { kind = "plane" }, grid = [10, 10], x = ["-6 mm", "6 mm"], z = ["-6 mm", "6 mm"],
//!     thickness = "8 mm" },
//! ]
//! young = "463 MPa"
//! poisson = 0.46
//! distance = "ray"
//! along = "fixed-normal"
//! "#;
//! let contacts = pair_contacts(wolff_study::document::read_pairs("pair.toml", pair, Path::new(""))?, None)?;
//! let poses = wolff_formats::sto::read(b"poses\nendheader\ntime ty\n0 0.031\n1 0.0298\n")?;
//! let found = evaluate_poses(&contacts, &poses, Path::new("poses.sto"), &Chosen { rows: vec![0, 1], maps: vec![] })?;
//! let force = found.table.column("ball.casting.total.contact_force_y").expect("a column of every contact");
//! // π k δ² (3R - δ)/(3h) = 1006.484 N
//! assert!(force[0] == 0.0 && (force[1] + 1006.484).abs() < 0.03, "{force:?}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod articular;
pub mod compare;
pub mod error;
pub mod evaluate;
pub mod meshes;
pub mod outcome;
pub mod pair_poses;
mod quantity;
mod side;
pub mod states;
mod variable;

pub use articular::{Method, articular_contacts};
pub use compare::{Difference, compare};
pub use error::ContactPosesError;
pub use evaluate::{Chosen, Evaluation, PosedModel};
pub use meshes::{ArticularSide, MeshFiles};
pub use outcome::{Extremes, extremes, outcome};
pub use pair_poses::{POSE_COLUMNS, evaluate_poses, pair_contacts};
pub use quantity::PosedLigament;
pub use states::StateColumns;
pub use wolff_contact::foundation::{Along, Distance, Rule};
pub use wolff_geometry::Normals;
pub use wolff_report::pressure::{PosedContact, PressureMap};
