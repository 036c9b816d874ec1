//! A multibody model with the muscle paths on it.

use crate::error::MovementError;
use wolff_anatomy::{MuscleSet, Skeleton};
use wolff_bone::person::Ends;
use wolff_bone::person::carried::SOLEAL_LINE;
use wolff_bone::segment::{Attachment, WalkingBone};
use wolff_multibody::Model;
use wolff_multibody::spec::ModelSpec;
use wolff_muscle::path::PlaceSpec;
use wolff_muscle::{Path, PathSpec};

/// A multibody model and the paths of its muscles.
#[derive(Debug)]
pub struct MuscledModel {
    /// The model.
    pub model: Model,
    /// Path of each muscle.
    pub paths: Vec<Path>,
}

impl MuscledModel {
    /// Builds a model and resolves paths on it.
    pub fn new(spec: &ModelSpec, paths: &[PathSpec]) -> Result<Self, MovementError> {
        let model = Model::build(spec)?;
        let paths = paths.iter().map(|p| Path::new(p, &model)).collect::<Result<_, _>>()?;
        Ok(MuscledModel { model, paths })
    }

    /// A person some of whose segments are bones that bend.
    pub fn with_bones(skeleton: &Skeleton, muscles: &MuscleSet, bones: &[&WalkingBone]) -> Result<Self, MovementError> {
        let mut paths: Vec<PathSpec> = muscles.muscles.iter().map(|m| m.path.clone()).collect();
        let mut spec = skeleton.spec()?;
        for bone in bones {
            bone.replace_in(&mut spec)?;
            paths = paths.iter().map(|path| bone.carry(path)).collect::<Result<_, _>>()?;
        }
        MuscledModel::new(&spec, &paths)
    }

    /// A rigid person.
    pub fn rigid(skeleton: &Skeleton, muscles: &MuscleSet) -> Result<Self, MovementError> {
        MuscledModel::with_bones(skeleton, muscles, &[])
    }
}

/// Points of muscle paths on a segment, as attachments of its bone: `<muscle>_<number>`.
///
/// Soleus is spread over the soleal line where `sets` has it, other points over patches or the nearest joint's spider.
pub fn attachments(muscles: &MuscleSet, segment: &str, ends: &Ends, sets: &[&str]) -> Vec<Attachment> {
    let mut all = Vec::new();
    for muscle in &muscles.muscles {
        for (k, point) in muscle.path.points.iter().enumerate() {
            let PlaceSpec::Fixed(p) = &point.place else { continue };
            if point.body != segment {
                continue;
            }
            let name = attachment_name(&muscle.path, k);
            let soleus = muscle.name.starts_with("soleus") && sets.contains(&SOLEAL_LINE);
            all.push(if soleus { Attachment::on_set(&name, *p, SOLEAL_LINE) } else { Attachment::at(&name, *p, ends) });
        }
    }
    all
}

fn attachment_name(path: &PathSpec, point: usize) -> String {
    format!("{}_{point}", path.name)
}
