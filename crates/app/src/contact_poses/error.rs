//! Why pressures of given poses could not be found.

use std::path::PathBuf;
use thiserror::Error;
use wolff_contact::ContactError;
use wolff_formats::FormatError;
use wolff_geometry::GeometryError;

/// What can be wrong with a model, its meshes or its poses.
#[derive(Debug, Error)]
pub enum ContactPosesError {
    /// A file cannot be read.
    #[error("cannot read `{}`: {cause}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's own words.
        cause: std::io::Error,
    },
    /// A file cannot be understood.
    #[error("`{}`: {cause}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        cause: FormatError,
    },
    /// The model cannot be placed.
    #[error("the model cannot be built: {}", .0.join("; "))]
    Model(Vec<String>),
    /// No folder has the file of a mesh.
    #[error(
        "mesh `{mesh}`: there is no `{file}` in {folders}; name its folder with --geometry DIR, or another file with --mesh {mesh}=FILE"
    )]
    MissingMesh {
        /// Contact geometry of the model.
        mesh: String,
        /// Its file.
        file: String,
        /// Folders that were searched.
        folders: String,
    },
    /// A replacement for a mesh that the model does not have.
    #[error("{option} {given}: the model has no such contact mesh; it has {known}")]
    UnknownMesh {
        /// The option that named it.
        option: &'static str,
        /// The name given.
        given: String,
        /// All names.
        known: String,
    },
    /// A mesh that cannot be used.
    #[error("mesh `{mesh}` (`{}`): {cause}", path.display())]
    Mesh {
        /// Contact geometry of the model.
        mesh: String,
        /// Its file.
        path: PathBuf,
        /// What is wrong with it, and the remedy.
        cause: GeometryError,
    },
    /// There is nothing to evaluate, or nothing of that name.
    #[error("{0}")]
    NoContact(String),
    /// A contact that cannot be evaluated.
    #[error("contact `{contact}`: {rule}")]
    Contact {
        /// The contact.
        contact: String,
        /// What is wrong with it, and the remedy.
        rule: String,
    },
    /// Poses that are missing or no numbers.
    #[error("`{}`: {rule}", path.display())]
    Poses {
        /// The file of poses.
        path: PathBuf,
        /// What is wrong with it, and the remedy.
        rule: String,
    },
}

impl ContactPosesError {
    pub(super) fn contact(contact: &str, cause: &ContactError) -> Self {
        ContactPosesError::Contact { contact: contact.into(), rule: cause.to_string() }
    }

    pub(super) fn too_deep(contact: &str, row: usize, cause: &ContactError) -> Self {
        let rule = format!("row {row} (from 0), {cause}; or leave the row out with --rows");
        ContactPosesError::Contact { contact: contact.into(), rule }
    }
}
