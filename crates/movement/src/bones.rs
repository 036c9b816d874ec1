//! Flexible bones of a movement: which, how they are made, and what their gauges read.

use crate::error::MovementError;
use crate::model::{MovementRecord, MuscledModel, attachments};
use crate::reference::ReferenceWalk;
use std::path::PathBuf;
use wolff_anatomy::{MuscleSet, SegmentName, Side};
use wolff_bone::BoneError;
use wolff_bone::gauges::{GaugeHistory, gauge_history, tibia_gauges};
use wolff_bone::parametric::{Bone, BoneKind, Density, Sex};
use wolff_bone::person::{GivenBone, Solid, in_person};
use wolff_bone::segment::{Basis, BoneRecipe, BoneReport, Fibula, WalkingBone};
use wolff_fem::material::Material;

/// A bone that is modelled as flexible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoneName {
    /// Right tibia, for the segment `shank_r`.
    TibiaRight,
    /// Left tibia, for the segment `shank_l`.
    TibiaLeft,
    /// Right femur, for the segment `thigh_r`.
    FemurRight,
    /// Left femur, for the segment `thigh_l`.
    FemurLeft,
}

impl BoneName {
    /// The segment that the bone replaces.
    pub fn segment(self) -> &'static str {
        match self {
            BoneName::TibiaRight | BoneName::TibiaLeft => SegmentName::Shank(self.side()).name(),
            BoneName::FemurRight | BoneName::FemurLeft => SegmentName::Thigh(self.side()).name(),
        }
    }

    /// Its side of the body.
    pub fn side(self) -> Side {
        match self {
            BoneName::TibiaRight | BoneName::FemurRight => Side::Right,
            BoneName::TibiaLeft | BoneName::FemurLeft => Side::Left,
        }
    }

    fn is_tibia(self) -> bool {
        matches!(self, BoneName::TibiaRight | BoneName::TibiaLeft)
    }
}

/// How bones are made.
#[derive(Clone, Debug, PartialEq)]
pub struct BoneSettings {
    /// Which.
    pub bones: Vec<BoneName>,
    /// Stature of the person \[m\]: length and breadths of the bones follow it.
    pub stature: f64,
    /// Sex of the person: length and breadths of the bones follow it, too.
    pub sex: Sex,
    /// Factor on the breadths of built-in bones; 1: the breadths that belong to the stature.
    pub breadth: f64,
    /// Mesh refinement: every element edge is divided by this number.
    pub refinement: usize,
    /// Material of the cortex.
    pub cortical: Material,
    /// Critical damping ratio of every mode.
    pub damping_ratio: f64,
    /// Number of lowest vibration modes that are kept.
    pub vibrations: usize,
    /// Maximum strain error of the modal reduction at a gauge under nominal loads of walking.
    pub gauge_error: f64,
    /// Offset of the shaft at mid-length from the line of joint centres, anterior and lateral \[m\]; `None`: that of
    /// the built-in bone.
    pub shaft_offset: Option<[f64; 2]>,
    /// Mesh of the right tibia; `None`: the built-in one.
    pub tibia: Option<GivenBone>,
    /// Whether a fibula carries part of the force.
    pub fibula: bool,
    /// Folder in which modal reductions are kept for later runs; `None`: they are computed in every run.
    pub cache: Option<PathBuf>,
}

/// A bone and what its gauges read.
#[derive(Clone, Debug)]
pub struct BoneResult {
    /// Which.
    pub name: BoneName,
    /// The bone.
    pub bone: WalkingBone,
    /// Readings of every gauge.
    pub gauges: Vec<GaugeHistory>,
    /// Modal coordinates at every sample.
    pub modes: Vec<Vec<f64>>,
}

impl BoneResult {
    /// How it was made.
    pub fn report(&self) -> &BoneReport {
        &self.bone.report
    }

    /// Readings of a gauge.
    pub fn gauge(&self, name: &str) -> Option<&GaugeHistory> {
        self.gauges.iter().find(|g| g.gauge == name)
    }
}

/// Builds every flexible bone.
pub(crate) fn make_bones(
    walk: &ReferenceWalk,
    muscles: &MuscleSet,
    settings: &BoneSettings,
) -> Result<Vec<(BoneName, WalkingBone)>, MovementError> {
    let mut bones = Vec::new();
    for &name in &settings.bones {
        let segment = name.segment();
        let purpose = "the flexible bone that replaces it";
        let missing = || MovementError::Missing { what: "segment", name: segment.into(), purpose };
        let length = walk.skeleton.length(segment).ok_or_else(missing)?;
        let mass = walk.skeleton.segment(segment).ok_or_else(missing)?.mass;
        let (solid, remarks) = solid(name, length, settings)?;
        let mut recipe = BoneRecipe::new(segment, &solid);
        let has_line = name.is_tibia() && solid.mesh.node_set("soleal_line").is_ok();
        let sets: &[&str] = if has_line { &["soleal_line"] } else { &[] };
        recipe.attachments = attachments(muscles, segment, &solid.ends, sets);
        if name.is_tibia() {
            recipe.gauges = tibia_gauges(&solid)?;
        }
        recipe.segment = Some(mass);
        recipe.damping_ratio = settings.damping_ratio;
        recipe.basis = Basis::Gauges { vibrations: settings.vibrations, error: settings.gauge_error };
        recipe.fixed_modes = recipe.fixed_modes.max(settings.vibrations + 3);
        recipe.fibula = (settings.fibula && name.is_tibia()).then(|| Fibula::of_shank(&solid.ends, name.side()));
        recipe.cache = settings.cache.clone();
        let mut bone = recipe.make()?;
        bone.report.remarks = remarks;
        bones.push((name, bone));
    }
    Ok(bones)
}

/// A bone of the person in its segment, and the remarks on it.
fn solid(name: BoneName, length: f64, settings: &BoneSettings) -> Result<(Solid, Vec<String>), MovementError> {
    let kind = if name.is_tibia() { BoneKind::Tibia } else { BoneKind::Femur };
    let density = Density::default_for(kind).refined(settings.refinement.max(1));
    let mut of_person = Bone::of_person(kind, settings.sex, settings.stature).map_err(BoneError::from)?;
    of_person.breadth *= settings.breadth;
    let (solid, remarks) = match settings.tibia.as_ref().filter(|_| name == BoneName::TibiaRight) {
        Some(given) => given.solid(length, of_person.length, name.side(), &settings.cortical)?,
        None => in_person(&Bone { side: name.side(), density, ..of_person }, length, &settings.cortical)?,
    };
    let bowed = match settings.shaft_offset {
        Some([anterior, lateral]) => solid.with_shaft_offset(anterior, lateral)?,
        None => solid,
    };
    Ok((bowed, remarks))
}

pub(crate) fn read_gauges(
    name: BoneName,
    bone: WalkingBone,
    muscled: &MuscledModel,
    record: &MovementRecord,
) -> Result<BoneResult, MovementError> {
    let segment = name.segment();
    let purpose = "strains";
    let missing = || MovementError::Missing { what: "body", name: segment.into(), purpose };
    let body = &muscled.model.bodies()[muscled.model.body_index(segment).ok_or_else(missing)?];
    let modes: Vec<Vec<f64>> = record.q.iter().map(|q| q[body.modal_q()].to_vec()).collect();
    let read = |g: &wolff_flexbody::Gauge| gauge_history(&bone.body, &g.name, &modes);
    let gauges = bone.body.gauges.iter().map(read).collect::<Result<_, _>>().map_err(BoneError::from)?;
    Ok(BoneResult { name, bone, gauges, modes })
}
