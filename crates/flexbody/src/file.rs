//! The file of a flexible body.
//!
//! ```text
//! bytes    content
//! 8        magic "WOLFFLEX"
//! 4        version, little-endian
//! 8        length of the payload, little-endian
//! …        payload: body, mesh reference, surface, solid (postcard, postcard.jamesmunns.com; little-endian f64)
//! 32       SHA-256 of everything before
//! ```
//!
//! Numbers come back bit by bit. The same body gives the same bytes. A file is written whole or not at all. The version
//! changes with the meaning of the payload; there are no readers of older versions, as a body can always be reduced
//! again.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::path::Path;
use wolff_files::input;

use crate::body::FlexBody;
use crate::error::FlexBodyError;
use crate::solid::SolidMesh;
use crate::surface::Surface;

const MAGIC: [u8; 8] = *b"WOLFFLEX";
const VERSION: u32 = 3;
const HEADER: usize = 20;
const CHECKSUM: usize = 32;

/// The mesh a body was reduced from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeshReference {
    /// Path as the user gave it.
    pub path: String,
    /// SHA-256 of the mesh file.
    pub sha256: [u8; 32],
}

/// What a file holds: the body, what pictures need, and what another reduction needs.
#[derive(Clone, Debug, PartialEq)]
pub struct FlexBodyFile {
    /// The body.
    pub body: FlexBody,
    /// Where it came from.
    pub mesh: Option<MeshReference>,
    /// Its surface.
    pub surface: Option<Surface>,
    /// The solid that it was reduced from.
    pub solid: Option<SolidMesh>,
}

impl MeshReference {
    /// A reference to a mesh file with this content.
    pub fn new(path: &str, content: &[u8]) -> Self {
        MeshReference { path: path.into(), sha256: Sha256::digest(content).into() }
    }
}

impl FlexBody {
    /// Writes the body alone; [`FlexBodyFile::save`] adds mesh, surface and solid.
    ///
    /// # Errors
    /// When the parts of the body do not fit together, or the file cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), FlexBodyError> {
        FlexBodyFile::of(self.clone()).save(path)
    }

    /// Reads the body of a file alone.
    ///
    /// # Errors
    /// As [`FlexBodyFile::load`].
    pub fn load(path: impl AsRef<Path>) -> Result<Self, FlexBodyError> {
        let path = path.as_ref();
        let bytes = read(path)?;
        body_and_rest(payload(path, &bytes)?, path).map(|(body, _)| body)
    }
}

impl FlexBodyFile {
    /// A body alone.
    pub fn of(body: FlexBody) -> Self {
        FlexBodyFile { body, mesh: None, surface: None, solid: None }
    }

    /// The content with these modes only.
    ///
    /// # Errors
    /// When a mode does not exist or is named twice.
    pub fn select(&self, kept: &[usize]) -> Result<Self, FlexBodyError> {
        let surface = self.surface.as_ref().map(|surface| surface.select(kept)).transpose()?;
        Ok(FlexBodyFile { body: self.body.select(kept)?, surface, ..self.clone() })
    }

    /// Writes the file: whole, or the old one stays.
    ///
    /// # Errors
    /// When the parts do not fit together, or the file cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), FlexBodyError> {
        let path = path.as_ref();
        let bytes = self.to_bytes()?;
        wolff_files::atomic::write_file(path, &bytes).map_err(|e| FlexBodyError::file(path, e.to_string()))
    }

    /// The content of the file.
    ///
    /// # Errors
    /// When the parts do not fit together.
    pub fn to_bytes(&self) -> Result<Vec<u8>, FlexBodyError> {
        self.check()?;
        let failed = |e: postcard::Error| FlexBodyError::invalid(&self.body.name, format!("cannot be encoded: {e}"));
        let mut content = postcard::to_stdvec(&self.body).map_err(failed)?;
        content.extend(postcard::to_stdvec(&(&self.mesh, &self.surface, &self.solid)).map_err(failed)?);
        let mut bytes = Vec::with_capacity(HEADER + content.len() + CHECKSUM);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((content.len() as u64).to_le_bytes());
        bytes.extend(content);
        let checksum = Sha256::digest(&bytes);
        bytes.extend(checksum);
        Ok(bytes)
    }

    /// Reads a file and checks it.
    ///
    /// # Errors
    /// When the file cannot be read, is none of a flexible body, has another version, is cut short, was changed, or
    /// holds a body that breaks a rule. Each says the remedy.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, FlexBodyError> {
        let path = path.as_ref();
        Self::from_bytes(path, &read(path)?)
    }

    /// Understands the content of a file; `path` is for messages.
    ///
    /// # Errors
    /// As [`FlexBodyFile::load`].
    pub fn from_bytes(path: &Path, bytes: &[u8]) -> Result<Self, FlexBodyError> {
        let (body, rest) = body_and_rest(payload(path, bytes)?, path)?;
        let ((mesh, surface, solid), rest) = postcard::take_from_bytes(rest).map_err(|e| not_understood(path, e))?;
        if !rest.is_empty() {
            return Err(FlexBodyError::file(path, "has more content than a body; write it again"));
        }
        let file = FlexBodyFile { body, mesh, surface, solid };
        file.check()?;
        Ok(file)
    }

    fn check(&self) -> Result<(), FlexBodyError> {
        self.body.check()?;
        self.surface.iter().try_for_each(|surface| surface.check(&self.body.name, self.body.modes()))?;
        self.solid.iter().try_for_each(SolidMesh::check)
    }
}

fn read(path: &Path) -> Result<Vec<u8>, FlexBodyError> {
    input::read(path).map_err(|e| FlexBodyError::file(path, format!("cannot be read: {e}")))
}

/// The payload of a file whose header and checksum are right.
fn payload<'a>(path: &Path, bytes: &'a [u8]) -> Result<&'a [u8], FlexBodyError> {
    let known = bytes.len().min(MAGIC.len());
    if bytes.is_empty() || bytes[..known] != MAGIC[..known] {
        return Err(FlexBodyError::file(
            path,
            "is not a flexible body; give a file that the reduction of a mesh wrote",
        ));
    }
    let truncated = |needed: u64| {
        let rule = format!("is cut short: {} bytes of {needed}; copy it again or reduce the mesh again", bytes.len());
        FlexBodyError::file(path, rule)
    };
    let Some((header, content)) = bytes.split_first_chunk::<HEADER>() else {
        return Err(truncated((HEADER + CHECKSUM) as u64));
    };
    let version = u32::from_le_bytes([header[8], header[9], header[10], header[11]]);
    if version != VERSION {
        let rule = format!("has version {version}, this program reads version {VERSION}; reduce the mesh again");
        return Err(FlexBodyError::file(path, rule));
    }
    let mut length = [0; 8];
    length.copy_from_slice(&header[12..HEADER]);
    let whole = u64::from_le_bytes(length).saturating_add((HEADER + CHECKSUM) as u64);
    if (bytes.len() as u64) < whole {
        return Err(truncated(whole));
    }
    if bytes.len() as u64 > whole {
        let rule = format!("has {} bytes, must have {whole}; copy it again or reduce the mesh again", bytes.len());
        return Err(FlexBodyError::file(path, rule));
    }
    let (payload, checksum) = content.split_at(content.len() - CHECKSUM);
    if Sha256::digest(&bytes[..bytes.len() - CHECKSUM])[..] != *checksum {
        return Err(FlexBodyError::file(
            path,
            "was damaged or changed: its checksum is wrong; copy it again or reduce the mesh again",
        ));
    }
    Ok(payload)
}

fn body_and_rest<'a>(payload: &'a [u8], path: &Path) -> Result<(FlexBody, &'a [u8]), FlexBodyError> {
    let (body, rest): (FlexBody, _) = postcard::take_from_bytes(payload).map_err(|e| not_understood(path, e))?;
    body.check()?;
    Ok((body, rest))
}

fn not_understood(path: &Path, error: postcard::Error) -> FlexBodyError {
    FlexBodyError::file(path, format!("cannot be understood ({error}); reduce the mesh again"))
}
