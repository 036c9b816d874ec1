//! Search and reading of the surfaces of a model.

use super::error::ContactPosesError;
use std::path::{Path, PathBuf};
use wolff_files::input;
use wolff_formats::osim::OsimSmithMesh;
use wolff_geometry::TriangleMesh;
use wolff_meshes::{size, surface};
use wolff_spatial::{Mat3, Vec3};

/// Location of the surfaces of a model.
#[derive(Clone, Debug, Default)]
pub struct MeshFiles {
    /// Folders in the order in which they are searched.
    pub folders: Vec<PathBuf>,
    /// Replacement files for contact meshes: name of the mesh in the model, and a path that is used as given or
    /// searched in the folders.
    pub replaced: Vec<(String, PathBuf)>,
    /// Articular sides of closed contact meshes, where they are given and not determined from the other body.
    pub sides: Vec<(String, ArticularSide)>,
}

/// The side of a closed mesh that is in contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ArticularSide {
    /// The side that faces this direction, in the axes of the mesh.
    Towards(Vec3),
    /// The whole mesh.
    Whole,
}

impl MeshFiles {
    /// The given folders, then those that OpenSim searches (that of the model, and `Geometry` in it).
    pub fn beside(
        model: &Path,
        given: &[PathBuf],
        replaced: Vec<(String, PathBuf)>,
        sides: Vec<(String, ArticularSide)>,
    ) -> Self {
        let home = model.parent().map(Path::to_path_buf).unwrap_or_default();
        let folders = given.iter().cloned().chain([home.clone(), home.join("Geometry")]).collect();
        MeshFiles { folders, replaced, sides }
    }

    /// Checks that replacements and sides are for meshes in `names`.
    pub(super) fn check_names(&self, names: &[&str]) -> Result<(), ContactPosesError> {
        let replaced = self.replaced.iter().map(|(name, _)| ("--mesh", name));
        let mut given = replaced.chain(self.sides.iter().map(|(name, _)| ("--articular", name)));
        // the mesh behind a layer has the name of its mesh with this ending
        let known =
            |name: &str| names.contains(&name) || name.strip_suffix(".back").is_some_and(|n| names.contains(&n));
        match given.find(|(_, name)| !known(name)) {
            None => Ok(()),
            Some((option, name)) => {
                Err(ContactPosesError::UnknownMesh { option, given: name.clone(), known: names.join(", ") })
            }
        }
    }

    /// Whether a file is given for a mesh.
    pub(super) fn replaces(&self, name: &str) -> bool {
        self.replaced.iter().any(|(mesh, _)| mesh == name)
    }

    /// The given side of a mesh.
    pub(super) fn side(&self, name: &str) -> Option<ArticularSide> {
        self.sides.iter().find(|(mesh, _)| mesh == name).map(|(_, side)| *side)
    }

    /// The surface of a contact mesh, with the scale of the model.
    pub(super) fn read(&self, name: &str, mesh: &OsimSmithMesh) -> Result<TriangleMesh, ContactPosesError> {
        let path = self.find(name, &mesh.file)?;
        let bytes = input::read(&path).map_err(|cause| ContactPosesError::Unreadable { path: path.clone(), cause })?;
        let scale = Mat3::from_diagonal(&Vec3::from(mesh.scale));
        let read = surface::read(&path.to_string_lossy(), &bytes).and_then(|cleaned| match mesh.scale == [1.0; 3] {
            true => Ok(cleaned.mesh),
            false => cleaned.mesh.stretched(&scale),
        });
        let read = read.map_err(|cause| ContactPosesError::Mesh { mesh: name.into(), path: path.clone(), cause })?;
        match size::refusal(&format!("mesh `{name}` (`{}`)", path.display()), size::longest_side(read.vertices())) {
            Some(finding) => Err(ContactPosesError::Size(finding)),
            None => Ok(read),
        }
    }

    fn find(&self, name: &str, file: &str) -> Result<PathBuf, ContactPosesError> {
        let requested = self.replaced.iter().find(|(mesh, _)| mesh == name).map(|(_, path)| path.clone());
        let here = requested.clone().filter(|path| path.is_file());
        let requested = requested.unwrap_or_else(|| PathBuf::from(file));
        let mut candidates = here.into_iter().chain(self.folders.iter().map(|folder| folder.join(&requested)));
        candidates.find(|path| path.is_file()).ok_or_else(|| {
            let shown = |folder: &PathBuf| match folder.as_os_str().is_empty() {
                true => "`.`".to_string(),
                false => format!("`{}`", folder.display()),
            };
            let folders = self.folders.iter().map(shown).collect::<Vec<_>>().join(", ");
            let (file, similar) = (requested.display().to_string(), self.similar(&requested));
            ContactPosesError::MissingMesh { mesh: name.into(), file, folders, similar }
        })
    }

    /// A file of the folders whose name differs from the requested one only in spaces, hyphens, underscores and capital
    /// letters.
    fn similar(&self, requested: &Path) -> Option<PathBuf> {
        let plain = |path: &Path| -> Option<String> {
            let letters = path.file_name()?.to_str()?.chars().filter(|c| !" -_".contains(*c));
            Some(letters.flat_map(char::to_lowercase).collect())
        };
        let wanted = plain(requested)?;
        let is_alike = |path: &PathBuf| plain(path).is_some_and(|name| name == wanted);
        let in_folder = |folder: &PathBuf| {
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            let mut paths: Vec<PathBuf> = folder.read_dir().ok()?.flatten().map(|entry| entry.path()).collect();
            paths.sort();
            paths.into_iter().find(is_alike)
        };
        self.folders.iter().find_map(in_folder)
    }
}
