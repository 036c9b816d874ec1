//! A walk put aside, in a file from which it goes on.
//!
//! ```text
//! bytes    content
//! 8        magic "WOLFWALK"
//! 8        length of the description, little-endian
//! …        description (JSON): program version, study, values of all parameters, hash of the whole plan, what was set
//! …        state and record of the drive
//! 32       SHA-256 of everything before
//! ```
//!
//! The drive goes on only for the same plan in the same version: then every number comes out as if it had never been stopped.

use super::plan::Planned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::Path;
use wolff_files::atomic;
use wolff_movement::MovementError;
use wolff_movement::forward::{Checkpoint, checkpoint};
use wolff_movement::model::{MovementRecord, MovementState};
use wolff_report::folder::sha256;
use wolff_study::RunError;
use wolff_study::document::Study;

const MAGIC: [u8; 8] = *b"WOLFWALK";
const CHECKSUM: usize = 32;

/// What a walk follows from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Origin {
    version: String,
    study: String,
    parameters: BTreeMap<String, String>,
    plan_sha256: String,
    set: Vec<(String, String)>,
}

impl Origin {
    /// The origin of a planned walk for which these values were set.
    pub fn new(study: &Study, planned: &Planned, set: &[(String, String)]) -> Self {
        let mut plan = planned.plan.clone();
        // where reductions are kept changes nothing
        plan.bones.cache = None;
        Origin {
            version: env!("CARGO_PKG_VERSION").into(),
            study: study.name.clone(),
            parameters: study.parameters.iter().map(|p| (p.name.clone(), p.value.to_string())).collect(),
            plan_sha256: sha256(format!("{plan:?}").as_bytes()),
            set: set.to_vec(),
        }
    }

    /// Why a walk of this origin cannot go on as `other`; none where it can.
    fn difference(&self, other: &Origin) -> Option<String> {
        if self.study != other.study {
            return Some(format!("it is a run of `{}`, not of `{}`", self.study, other.study));
        }
        if self.version != other.version {
            return Some(format!("it was made by version {}, this is {}", self.version, other.version));
        }
        let absent = "absent".to_string();
        let names = self.parameters.keys().chain(other.parameters.keys());
        let pairs = names.map(|n| (n, [self, other].map(|o| o.parameters.get(n).unwrap_or(&absent))));
        if let Some((name, [was, is])) = pairs.into_iter().find(|(_, [was, is])| was != is) {
            return Some(format!("its `{name}` is {was}, not {is}"));
        }
        let same = self.plan_sha256 == other.plan_sha256;
        (!same).then(|| "the study or a file that it reads has changed since".into())
    }
}

/// A walk put aside.
#[derive(Clone, Debug)]
pub struct SavedWalk {
    file: String,
    origin: Origin,
    drive: Checkpoint,
}

impl SavedWalk {
    /// Reads the file of a walk that was put aside.
    pub fn load(path: &Path) -> Result<Self, RunError> {
        let file = path.display().to_string();
        let bytes = std::fs::read(path)
            .map_err(|e| RunError::Resume(format!("`{file}`, from which the walk would go on, cannot be read: {e}")))?;
        let broken = || {
            let rule = "is cut short, was changed, or is no walk that was put aside; start the walk anew";
            RunError::Resume(format!("`{file}` {rule}"))
        };
        let content = checked(&bytes).ok_or_else(broken)?;
        let (length, content) = content.split_first_chunk::<8>().ok_or_else(broken)?;
        let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| broken())?;
        let (description, drive) = content.split_at_checked(length).ok_or_else(broken)?;
        let origin = serde_json::from_slice(description).map_err(|_| broken())?;
        let drive = checkpoint::from_bytes(drive).ok_or_else(broken)?;
        Ok(SavedWalk { file, origin, drive })
    }

    /// What was set for the walk.
    pub fn set(&self) -> &[(String, String)] {
        &self.origin.set
    }

    /// Steps that were done.
    pub fn steps(&self) -> usize {
        self.drive.state.step
    }

    /// The drive, if it is that of the same walk.
    pub(super) fn drive_for(&self, wanted: &Origin) -> Result<Checkpoint, RunError> {
        match self.origin.difference(wanted) {
            None => Ok(self.drive.clone()),
            Some(why) => {
                let remedy = "give the same study and the same --set, or start the walk anew without --resume";
                Err(RunError::Resume(format!("`{}` cannot be continued: {why}; {remedy}", self.file)))
            }
        }
    }
}

/// The content between magic and checksum, if both are right.
fn checked(bytes: &[u8]) -> Option<&[u8]> {
    let (content, checksum) = bytes.split_at_checked(bytes.len().checked_sub(CHECKSUM)?)?;
    (Sha256::digest(content).as_slice() == checksum).then_some(())?;
    content.strip_prefix(&MAGIC)
}

/// The content of the file of a walk.
///
/// # Errors
/// As [`checkpoint::to_bytes`].
pub(super) fn to_bytes(
    origin: &Origin,
    state: &MovementState,
    record: &MovementRecord,
) -> Result<Vec<u8>, MovementError> {
    let description = serde_json::to_vec(origin).unwrap_or_default();
    let mut bytes = MAGIC.to_vec();
    bytes.extend((description.len() as u64).to_le_bytes());
    bytes.extend(description);
    bytes.extend(checkpoint::to_bytes(state, record)?);
    let checksum = Sha256::digest(&bytes);
    bytes.extend(checksum);
    Ok(bytes)
}

/// Writes the file, whole or not at all; why not, where that fails. A disk that is full must not end the walk, but whoever walks has to know.
pub(super) fn keep(path: &Path, origin: &Origin, state: &MovementState, record: &MovementRecord) -> Result<(), String> {
    let bytes = to_bytes(origin, state, record).map_err(|e| e.to_string())?;
    atomic::write_file(path, &bytes).map_err(|e| e.to_string())
}
