//! The one error type of the crate.

use std::path::{Path, PathBuf};
use thiserror::Error;
use wolff_bone::BoneError;
use wolff_density::DensityError;
use wolff_fem::FemError;
use wolff_files::{ErrorKind, FileError};
use wolff_flexbody::FlexBodyError;
use wolff_geometry::GeometryError;
use wolff_imaging::ImagingError;
use wolff_mesher::MesherError;
use wolff_morphology::MorphologyError;
use wolff_verdict::Finding;

/// Why there is no mesh or bone.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ScanError {
    /// The operating system refused to read a file.
    #[error("cannot read `{}`: {cause}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The message of the operating system.
        cause: std::io::Error,
    },
    /// The file of a surface cannot be understood, or its surface cannot be used.
    #[error("`{}`: {cause}", path.display())]
    Surface {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        cause: GeometryError,
    },
    /// An image cannot be read or used.
    #[error(transparent)]
    Image(#[from] ImagingError),
    /// There is no mesh.
    #[error(transparent)]
    Mesher(#[from] MesherError),
    /// A mesh cannot be written or used.
    #[error(transparent)]
    Mesh(#[from] FemError),
    /// A file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Grey values have no material.
    #[error(transparent)]
    Density(#[from] DensityError),
    /// The frame of a bone is not found.
    #[error(transparent)]
    Morphology(#[from] MorphologyError),
    /// A surface cannot be used.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
    /// The file of a flexible body cannot be used.
    #[error(transparent)]
    FlexibleBody(#[from] FlexBodyError),
    /// A bone cannot be placed.
    #[error(transparent)]
    Bone(#[from] BoneError),
    /// The input cannot be right.
    #[error("the input cannot be right: {}", .0.iter().map(Finding::text).collect::<Vec<_>>().join("; "))]
    Refused(Vec<Finding>),
    /// The caller asked to stop.
    #[error("stopped before there were results to save; nothing is written")]
    Stopped,
    /// What was asked for does not fit the input.
    #[error("{0}")]
    Request(String),
}

impl ScanError {
    pub(crate) fn surface(path: &Path) -> impl Fn(GeometryError) -> ScanError {
        move |cause| ScanError::Surface { path: path.into(), cause }
    }

    /// What kind of failure this is.
    pub fn kind(&self) -> ErrorKind {
        match self {
            ScanError::Mesher(error) => error.kind(),
            ScanError::Mesh(error) => error.kind(),
            ScanError::FlexibleBody(error) => error.kind(),
            ScanError::Bone(error) => error.kind(),
            ScanError::Density(error) => error.kind(),
            ScanError::Morphology(error) => error.kind(),
            ScanError::File(_) => ErrorKind::File,
            ScanError::Stopped => ErrorKind::Stopped,
            _ => ErrorKind::Input,
        }
    }
}
