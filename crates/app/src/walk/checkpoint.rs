//! Checkpoint of a walk: a file from which the simulation can be resumed.
//!
//! ```text
//! bytes    content
//! 8        magic "WOLFWALK"
//! 8        length of the description, little-endian
//! …        description (JSON): program version, study, values of all parameters, hash of the plan, overrides
//! …        state and record of the forward simulation
//! 32       SHA-256 of everything before
//! ```
//!
//! The simulation can be resumed only with the same plan and the same program version: then all results are identical
//! to those of an uninterrupted run.

use super::plan::Planned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::Path;
use wolff_files::{atomic, input};
use wolff_movement::MovementError;
use wolff_movement::forward::{Checkpoint, checkpoint};
use wolff_movement::model::{MovementRecord, MovementState};
use wolff_report::folder::sha256;
use wolff_study::RunError;
use wolff_study::document::Study;

const MAGIC: [u8; 8] = *b"WOLFWALK";
const CHECKSUM: usize = 32;

/// Everything that determines a walk.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Origin {
    version: String,
    study: String,
    parameters: BTreeMap<String, String>,
    plan_sha256: String,
    set: Vec<(String, String)>,
}

impl Origin {
    /// The origin of a planned walk with these overrides.
    pub fn new(study: &Study, planned: &Planned, set: &[(String, String)]) -> Self {
        let mut plan = planned.plan.clone();
        // the location of the cache does not change results
        plan.bones.cache = None;
        Origin {
            version: env!("CARGO_PKG_VERSION").into(),
            study: study.name.clone(),
            parameters: study.parameters.iter().map(|p| (p.name.clone(), p.value.to_string())).collect(),
            plan_sha256: sha256(format!("{plan:?}").as_bytes()),
            set: set.to_vec(),
        }
    }

    /// Why a walk of this origin cannot be resumed as `other`; `None` if it can.
    fn difference(&self, other: &Origin) -> Option<String> {
        if self.study != other.study {
            return Some(format!("it is a run of `{}`, not of `{}`", self.study, other.study));
        }
        if self.version != other.version {
            return Some(format!("it was written by version {}, this is version {}", self.version, other.version));
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

/// A walk that was saved to a checkpoint.
#[derive(Clone, Debug)]
pub struct SavedWalk {
    file: String,
    origin: Origin,
    checkpoint: Checkpoint,
}

impl SavedWalk {
    /// Reads a checkpoint file.
    pub fn load(path: &Path) -> Result<Self, RunError> {
        let file = path.display().to_string();
        // a checkpoint is no input: a resumed run has the provenance of an uninterrupted one
        let bytes = input::unrecorded(|| input::read(path))
            .map_err(|e| RunError::Resume(format!("the checkpoint `{file}` cannot be read: {e}")))?;
        let broken = || {
            let rule =
                "is truncated, was modified, or is not the checkpoint of a walk; start the walk again without --resume";
            RunError::Resume(format!("`{file}` {rule}"))
        };
        let content = checked(&bytes).ok_or_else(broken)?;
        let (length, content) = content.split_first_chunk::<8>().ok_or_else(broken)?;
        let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| broken())?;
        let (description, state) = content.split_at_checked(length).ok_or_else(broken)?;
        let origin = serde_json::from_slice(description).map_err(|_| broken())?;
        let checkpoint = checkpoint::from_bytes(state).ok_or_else(broken)?;
        Ok(SavedWalk { file, origin, checkpoint })
    }

    /// The overrides of the walk.
    pub fn set(&self) -> &[(String, String)] {
        &self.origin.set
    }

    /// Number of completed time steps.
    pub fn steps(&self) -> usize {
        self.checkpoint.state.step
    }

    /// The state from which to resume, if it belongs to the same walk.
    pub(super) fn state_for(&self, requested: &Origin) -> Result<Checkpoint, RunError> {
        match self.origin.difference(requested) {
            None => Ok(self.checkpoint.clone()),
            Some(why) => {
                let remedy = "give the same study and the same --set, or start the walk again without --resume";
                Err(RunError::Resume(format!("`{}` cannot be resumed: {why}; {remedy}", self.file)))
            }
        }
    }
}

/// The content between magic and checksum, if both are correct.
fn checked(bytes: &[u8]) -> Option<&[u8]> {
    let (content, checksum) = bytes.split_at_checked(bytes.len().checked_sub(CHECKSUM)?)?;
    (Sha256::digest(content).as_slice() == checksum).then_some(())?;
    content.strip_prefix(&MAGIC)
}

/// The content of a checkpoint file.
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

/// Writes a checkpoint file atomically; the error is the reason of a failure. A failure, such as a full disk, must not
/// end the walk, but is reported to the user.
pub(super) fn write(
    path: &Path,
    origin: &Origin,
    state: &MovementState,
    record: &MovementRecord,
) -> Result<(), String> {
    let bytes = to_bytes(origin, state, record).map_err(|e| e.to_string())?;
    atomic::write_file(path, &bytes).map_err(|e| e.to_string())
}
