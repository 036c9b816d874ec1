//! Flexible bones of a movement: which, how they are made, and what their gauges read.

use crate::error::MovementError;
use crate::loads::{BoneLoads, LoadHistory};
use crate::model::{MovementRecord, MuscledModel, attachments};
use std::path::PathBuf;
use std::sync::Arc;
use wolff_anatomy::{MuscleSet, SegmentName, Side, Skeleton};
use wolff_bone::BoneError;
use wolff_bone::gauges::{GaugeHistory, femur_gauges, gauge_history, tibia_gauges};
use wolff_bone::parametric::{Bone, BoneKind, Density, Sex};
use wolff_bone::person::carried::{CarriedPoints, SOLEAL_LINE, carry};
use wolff_bone::person::{GivenBone, Solid, in_person};
use wolff_bone::section::ElasticSection;
use wolff_bone::segment::{Basis, BoneRecipe, BoneReport, Fibula, WalkingBone};
use wolff_fem::material::Material;
use wolff_muscle::path::PlaceSpec;
use wolff_spatial::Vec3;

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

    /// The flexible bone that a given bone replaces.
    pub fn of(given: &GivenBone) -> Self {
        match (given.kind, given.side) {
            (BoneKind::Femur, Side::Right) => BoneName::FemurRight,
            (BoneKind::Femur, Side::Left) => BoneName::FemurLeft,
            (BoneKind::Tibia | BoneKind::Tube { .. }, Side::Right) => BoneName::TibiaRight,
            (BoneKind::Tibia | BoneKind::Tube { .. }, Side::Left) => BoneName::TibiaLeft,
        }
    }

    fn is_tibia(self) -> bool {
        matches!(self, BoneName::TibiaRight | BoneName::TibiaLeft)
    }
}

/// Which modes flexible bones keep.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum ModeChoice {
    /// The lowest vibrations, and the modes that make the static strain at the gauges exact.
    #[default]
    Gauges,
    /// A number of the lowest ones.
    Lowest(usize),
    /// All of the reduction.
    All,
    /// Those with these numbers, from 0, of all; a bone that is not listed keeps all.
    Of(Vec<(BoneName, Arc<[usize]>)>),
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
    /// Whether the bones have geometric stiffness.
    pub stiffening: bool,
    /// Which modes are kept.
    pub modes: ModeChoice,
    /// Whether the surface with its modes is kept, for pictures.
    pub surface: bool,
    /// Number of lowest vibration modes that are kept; of [`ModeChoice::Gauges`].
    pub vibrations: usize,
    /// Maximum strain error of the modal reduction at a gauge under nominal loads of walking.
    pub gauge_error: f64,
    /// Offset of the shaft at mid-length from the line of joint centres, anterior and lateral \[m\]; `None`: that of
    /// the built-in bone.
    pub shaft_offset: Option<[f64; 2]>,
    /// Bones that are given; all others are built-in.
    pub given: Vec<Arc<GivenBone>>,
    /// Whether places of muscles on a given bone are carried over from the built-in one; otherwise they stay.
    pub carried_muscles: bool,
    /// Whether a fibula carries part of the force.
    pub fibula: bool,
    /// Folder in which modal reductions are kept for later runs; `None`: they are computed in every run.
    pub cache: Option<PathBuf>,
}

impl BoneSettings {
    fn basis(&self, bone: BoneName) -> Basis {
        match &self.modes {
            ModeChoice::Gauges => Basis::Gauges { vibrations: self.vibrations, error: self.gauge_error },
            ModeChoice::Lowest(count) => Basis::Lowest(*count),
            ModeChoice::All => Basis::All,
            ModeChoice::Of(chosen) => {
                let found = chosen.iter().find(|(name, _)| *name == bone);
                found.map_or(Basis::All, |(_, numbers)| Basis::Of(numbers.clone()))
            }
        }
    }
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
    /// Strain along the shaft at every gauge at mid-shaft by beam theory, from the section loads and the stiffness of
    /// its own section, one value per sample.
    pub beam: Vec<(String, Vec<f64>)>,
}

impl BoneResult {
    /// How it was made.
    pub fn report(&self) -> &BoneReport {
        &self.bone.report
    }

    /// Strain of a gauge at mid-shaft by beam theory, one value per sample.
    pub fn beam(&self, gauge: &str) -> Option<&[f64]> {
        self.beam.iter().find(|(name, _)| name == gauge).map(|(_, strains)| strains.as_slice())
    }

    /// Readings of a gauge.
    pub fn gauge(&self, name: &str) -> Option<&GaugeHistory> {
        self.gauges.iter().find(|g| g.gauge == name)
    }
}

/// A bone of the person in its segment.
pub(crate) struct PlacedBone {
    name: BoneName,
    solid: Solid,
    remarks: Vec<String>,
}

/// Places every flexible bone in its segment, and carries muscles over to those that are given.
pub(crate) fn place_bones(
    skeleton: &Skeleton,
    muscles: &mut MuscleSet,
    settings: &BoneSettings,
) -> Result<Vec<PlacedBone>, MovementError> {
    let mut placed = Vec::new();
    for &name in &settings.bones {
        let length = skeleton.length(name.segment()).ok_or_else(|| missing(name))?;
        placed.push(place(name, length, muscles, settings)?);
    }
    Ok(placed)
}

fn missing(name: BoneName) -> MovementError {
    MovementError::Missing {
        what: "segment",
        name: name.segment().into(),
        purpose: "the flexible bone that replaces it",
    }
}

/// A bone of the person in its segment; muscles on a given bone are carried over to it.
fn place(
    name: BoneName,
    length: f64,
    muscles: &mut MuscleSet,
    settings: &BoneSettings,
) -> Result<PlacedBone, MovementError> {
    let kind = if name.is_tibia() { BoneKind::Tibia } else { BoneKind::Femur };
    let density = Density::default_for(kind).refined(settings.refinement.max(1));
    let mut of_person = Bone::of_person(kind, settings.sex, settings.stature).map_err(BoneError::from)?;
    of_person.breadth *= settings.breadth;
    let builtin = in_person(&Bone { side: name.side(), density, ..of_person }, length, &settings.cortical)?;
    let (mut solid, remarks) = match settings.given.iter().find(|given| BoneName::of(given) == name) {
        Some(given) => {
            let (mut solid, mut remarks) = given.solid(length, of_person.length, &settings.cortical)?;
            if settings.carried_muscles {
                remarks.push(carry_muscles(name, (&builtin.0, &mut solid), muscles)?);
            }
            (solid, remarks)
        }
        None => builtin,
    };
    if let Some([anterior, lateral]) = settings.shaft_offset {
        solid = solid.with_shaft_offset(anterior, lateral)?;
    }
    Ok(PlacedBone { name, solid, remarks })
}

/// Moves the places of muscles from the built-in bone to the given one; returns what was done.
fn carry_muscles(
    name: BoneName,
    (builtin, given): (&Solid, &mut Solid),
    muscles: &mut MuscleSet,
) -> Result<String, MovementError> {
    let kind = if name.is_tibia() { BoneKind::Tibia } else { BoneKind::Femur };
    let paths = muscles.muscles.iter_mut().flat_map(|muscle| &mut muscle.path.points);
    let mut places: Vec<&mut Vec3> = paths
        .filter(|point| point.body == name.segment())
        .filter_map(|point| match &mut point.place {
            PlaceSpec::Fixed(place) => Some(place),
            _ => None,
        })
        .collect();
    let points: Vec<Vec3> = places.iter().map(|place| **place).collect();
    let CarriedPoints { points, remark } = carry(kind, (builtin, given), &points)?;
    for (place, carried) in places.iter_mut().zip(points) {
        **place = carried;
    }
    Ok(remark)
}

/// Reduces every flexible bone.
pub(crate) fn make_bones(
    skeleton: &Skeleton,
    muscles: &MuscleSet,
    placed: &[PlacedBone],
    settings: &BoneSettings,
) -> Result<Vec<(BoneName, WalkingBone)>, MovementError> {
    let mut bones = Vec::new();
    for PlacedBone { name, solid, remarks } in placed {
        let segment = name.segment();
        let mass = skeleton.segment(segment).ok_or_else(|| missing(*name))?.mass;
        let mut recipe = BoneRecipe::new(segment, solid);
        let has_line = name.is_tibia() && solid.mesh.node_set(SOLEAL_LINE).is_ok();
        let sets: &[&str] = if has_line { &[SOLEAL_LINE] } else { &[] };
        recipe.attachments = attachments(muscles, segment, &solid.ends, sets);
        recipe.gauges = if name.is_tibia() { tibia_gauges(solid)? } else { femur_gauges(solid)? };
        recipe.segment = Some(mass);
        recipe.damping_ratio = settings.damping_ratio;
        recipe.stiffening = settings.stiffening;
        recipe.basis = settings.basis(*name);
        recipe.surface = settings.surface;
        recipe.fixed_modes = recipe.fixed_modes.max(settings.vibrations + 3);
        recipe.fibula = (settings.fibula && name.is_tibia()).then(|| Fibula::of_shank(&solid.ends, name.side()));
        recipe.cache = settings.cache.clone();
        let mut bone = recipe.make()?;
        bone.report.remarks = remarks.clone();
        bones.push((*name, bone));
    }
    Ok(bones)
}

pub(crate) fn read_gauges(
    name: BoneName,
    bone: WalkingBone,
    muscled: &MuscledModel,
    record: &MovementRecord,
    loads: &LoadHistory,
) -> Result<BoneResult, MovementError> {
    let segment = name.segment();
    let purpose = "strains";
    let missing = || MovementError::Missing { what: "body", name: segment.into(), purpose };
    let body = &muscled.model.bodies()[muscled.model.body_index(segment).ok_or_else(missing)?];
    let modes: Vec<Vec<f64>> = record.q.iter().map(|q| q[body.modal_q()].to_vec()).collect();
    let read = |g: &wolff_flexbody::Gauge| gauge_history(&bone.body, &g.name, &modes);
    let gauges = bone.body.gauges.iter().map(read).collect::<Result<_, _>>().map_err(BoneError::from)?;
    let beam = loads.bone(segment).map(|loads| beam_strains(&bone, loads)).transpose()?.unwrap_or_default();
    Ok(BoneResult { name, bone, gauges, modes, beam })
}

/// How far from half of the length a gauge may be to belong to that section, as a fraction of it.
const MID_SHAFT: f64 = 0.005;

fn beam_strains(bone: &WalkingBone, loads: &BoneLoads) -> Result<Vec<(String, Vec<f64>)>, BoneError> {
    let Some(section) = loads.sections.iter().find(|section| section.fraction == 0.5) else { return Ok(Vec::new()) };
    let stiffness = ElasticSection::cut(&bone.solid, section.fraction)?;
    let ends = bone.solid.ends;
    let near = bone.body.gauges.iter().filter(|g| (ends.fraction(g.position.y) - section.fraction).abs() < MID_SHAFT);
    let strains = |at: &Vec3| section.distal.iter().map(|load| stiffness.strain(load, at)).collect();
    Ok(near.map(|gauge| (gauge.name.clone(), strains(&gauge.position))).collect())
}
