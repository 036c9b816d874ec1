//! The one error type of the crate.

use thiserror::Error;
use wolff_files::ErrorKind;

/// Why there is no mesh.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum MesherError {
    /// A setting breaks a rule.
    #[error("mesher: {quantity} is {value}, {rule}")]
    Setting {
        /// What the number means, with its unit.
        quantity: &'static str,
        /// The number.
        value: f64,
        /// The rule it breaks, and the remedy.
        rule: &'static str,
    },
    /// The input encloses nothing.
    #[error("{what} encloses no volume ({volume:.3e} m³); give a closed surface of a solid, or labels above 0")]
    NoVolume {
        /// The surface or the labels.
        what: String,
        /// The volume found \[m³\].
        volume: f64,
    },
    /// A surface with a hole so large that inside and outside cannot be told apart.
    #[error(
        "{what} has a large hole, or triangles that disagree on the outside: for {:.1} % of {points} points near it, \
         inside and outside cannot be told apart; close the surface, or orient its triangles", 100.0 * part
    )]
    Open {
        /// The surface.
        what: String,
        /// Part of the points for which the winding number is neither near a whole number.
        part: f64,
        /// Points that were asked.
        points: usize,
    },
    /// The size asked for gives more elements than allowed.
    #[error(
        "an element size of {:.4} mm gives about {estimate} elements, more than the {most} allowed; a size of \
         {:.4} mm would do, or allow more", 1e3 * size, 1e3 * enough
    )]
    TooMany {
        /// The size asked for \[m\].
        size: f64,
        /// Elements it would give.
        estimate: usize,
        /// Elements allowed.
        most: usize,
        /// The size that would do \[m\].
        enough: f64,
    },
    /// The size asked for leaves nothing of the body.
    #[error("nothing of {what} is left at an element size of {:.4} mm; give a smaller size", 1e3 * size)]
    Vanished {
        /// The surface or the labels.
        what: String,
        /// The size \[m\].
        size: f64,
    },
    /// A grid of labels that is no grid.
    #[error("label grid: {0}")]
    Grid(String),
    /// The caller asked to stop.
    #[error("meshing was stopped")]
    Stopped,
    /// The finished mesh was refused; a fault of the mesher.
    #[error(transparent)]
    Mesh(#[from] wolff_fem::FemError),
}

impl MesherError {
    /// What kind of failure this is.
    pub fn kind(&self) -> ErrorKind {
        match self {
            MesherError::Stopped => ErrorKind::Stopped,
            MesherError::Mesh(error) => error.kind(),
            _ => ErrorKind::Input,
        }
    }
}
