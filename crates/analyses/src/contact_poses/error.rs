//! Errors of the computation of pressures for given poses.

use std::path::PathBuf;
use thiserror::Error;
use wolff_contact::ContactError;
use wolff_formats::FormatError;
use wolff_geometry::GeometryError;
use wolff_verdict::Finding;

/// Errors in a model, its meshes or its poses.
#[derive(Debug, Error)]
pub enum ContactPosesError {
    /// A file cannot be read.
    #[error("cannot read `{}`: {cause}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The message of the operating system.
        cause: std::io::Error,
    },
    /// A file is invalid.
    #[error("`{}`: {cause}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// The error, and its place.
        cause: FormatError,
    },
    /// The model cannot be built.
    #[error("the model cannot be built: {}", .0.join("; "))]
    Model(Vec<String>),
    /// No folder has the file of a mesh.
    #[error(
        "mesh `{mesh}`: there is no `{file}` in {folders}; {}",
        match similar {
            Some(similar) => format!("if `{}` is meant, add --mesh \"{mesh}={}\"", similar.display(), similar.display()),
            None => format!("give its folder with --geometry DIR, or another file with --mesh {mesh}=FILE"),
        }
    )]
    MissingMesh {
        /// Contact geometry of the model.
        mesh: String,
        /// Its file.
        file: String,
        /// Folders that were searched.
        folders: String,
        /// A file there whose name differs in spaces, hyphens, underscores and capital letters only.
        similar: Option<PathBuf>,
    },
    /// A replacement for a mesh that the model does not have.
    #[error("{option} {given}: the model has no contact mesh of this name; it has {known}")]
    UnknownMesh {
        /// The option that named it.
        option: &'static str,
        /// The name given.
        given: String,
        /// All names.
        known: String,
    },
    /// An invalid mesh.
    #[error("mesh `{mesh}` (`{}`): {cause}", path.display())]
    Mesh {
        /// Contact geometry of the model.
        mesh: String,
        /// Its file.
        path: PathBuf,
        /// The rule that is violated, and the remedy.
        cause: GeometryError,
    },
    /// A mesh whose size is that of no part of a body.
    #[error("{}; with --mesh NAME=OUT the new file is used, or correct the scale of the mesh in the model", .0.text())]
    Size(Finding),
    /// There is nothing to evaluate, or nothing of the given name.
    #[error("{0}")]
    NoContact(String),
    /// An invalid contact.
    #[error("contact `{contact}`: {rule}")]
    Contact {
        /// The contact.
        contact: String,
        /// The rule that is violated, and the remedy.
        rule: String,
    },
    /// Poses that are missing or not finite.
    #[error("`{}`: {rule}", path.display())]
    Poses {
        /// The file with the poses.
        path: PathBuf,
        /// The rule that is violated, and the remedy.
        rule: String,
    },
}

impl ContactPosesError {
    pub(super) fn contact(contact: &str, cause: &ContactError) -> Self {
        ContactPosesError::Contact { contact: contact.into(), rule: cause.to_string() }
    }

    pub(super) fn too_deep(contact: &str, row: usize, cause: &ContactError) -> Self {
        let rule = format!(
            "row {row} (from 0), {cause}; if the surfaces are apart there, the normals of one of them point away from \
             the other; or omit the row with --rows"
        );
        ContactPosesError::Contact { contact: contact.into(), rule }
    }
}
