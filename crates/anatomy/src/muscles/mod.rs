//! Muscles: their paths on a person's skeleton and their maximum forces.
//!
//! Paths of the legs are those of gait2392's generic bones (Delp et al. 1990), transferred bone by bone: each bone is
//! scaled by the distance between its joints. The skeleton's knee is a hinge, so the knee extensors, whose ends move
//! with the knee angle in gait2392, run over a cylinder of 38 mm radius about the knee to the tuberosity of the tibia.
//! Paths of the upper body come from several sources and assumptions, which the tables list muscle by muscle.

mod fibre;
mod place;
mod reach;
mod table;
mod upper;

pub use fibre::{Fibre, GenericFibre, generic_fibres};
pub use table::{
    Bone, GenericMuscle, GenericPoint, generic_leg_muscles, generic_thesis_upper_muscles, generic_upper_muscles,
};

use crate::error::AnatomyError;
use crate::names::Side;
use crate::skeleton::Skeleton;
use place::{GenericLeg, Placement, place};
use upper::{GenericUpperBody, WholeUpperBody};
use wolff_muscle::PathSpec;

/// A muscle of a person.
#[derive(Clone, Debug)]
pub struct HumanMuscle {
    /// Name, with `_r` or `_l` at the end.
    pub name: String,
    /// The anatomical muscle that it is a part of.
    pub group: String,
    /// Side of the body; `None` where the name of a model's muscle does not contain it.
    pub side: Option<Side>,
    /// Its path on the segments of the skeleton.
    pub path: PathSpec,
    /// Maximum force \[N\]: cross-section times [`wolff_muscle::servo::MAX_MUSCLE_STRESS`].
    pub max_force: f64,
    /// Physiological cross-section \[m²\].
    pub pcsa: f64,
    /// Its fibre and tendon, where they are known.
    pub fibre: Option<Fibre>,
}

/// Muscles of both sides.
#[derive(Clone, Debug)]
pub struct MuscleSet {
    /// Right side first, legs before the upper body.
    pub muscles: Vec<HumanMuscle>,
}

/// Muscle sets of a leg.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LegMuscles {
    /// All of gait2392 but the four long muscles of the toes: 39.
    All,
    /// Sufficient for walking: 27 (chosen here; without the small rotators, gluteus minimus, pectineus, ...).
    Walking,
    /// The 12 groups of Al Nazer, thesis, Lappeenranta 2008, section 4.3, in 17 parts.
    ///
    /// The thesis does not say which groups have several parts. Here (chosen) biceps femoris and gastrocnemius have
    /// both heads; of gluteus medius, gluteus maximus and adductor magnus the strength of the second part of gait2392
    /// is divided between the first and the third.
    Thesis,
}

/// Parts of [`LegMuscles::Walking`].
const WALKING: [&str; 27] = [
    "glut_med1",
    "glut_med2",
    "glut_med3",
    "glut_max1",
    "glut_max2",
    "glut_max3",
    "semimem",
    "semiten",
    "bifemlh",
    "bifemsh",
    "add_long",
    "add_mag2",
    "tfl",
    "grac",
    "iliacus",
    "psoas",
    "rect_fem",
    "vas_med",
    "vas_int",
    "vas_lat",
    "med_gas",
    "lat_gas",
    "soleus",
    "tib_post",
    "tib_ant",
    "per_brev",
    "per_long",
];

/// Parts of [`LegMuscles::Thesis`]; a second name is a part whose strength is distributed to the first.
const THESIS: [(&str, Option<&str>); 17] = [
    ("soleus", None),
    ("med_gas", None),
    ("lat_gas", None),
    ("tib_ant", None),
    ("bifemlh", None),
    ("bifemsh", None),
    ("vas_lat", None),
    ("rect_fem", None),
    ("iliacus", None),
    ("glut_med1", Some("glut_med2")),
    ("glut_med3", Some("glut_med2")),
    ("glut_max1", Some("glut_max2")),
    ("glut_max3", Some("glut_max2")),
    ("add_mag1", Some("add_mag2")),
    ("add_mag3", Some("add_mag2")),
    ("vas_med", None),
    ("semiten", None),
];

impl LegMuscles {
    /// Muscles of the right leg on the generic bones.
    fn choose(self) -> Result<Vec<GenericMuscle>, AnatomyError> {
        let all = generic_leg_muscles()?;
        let find = |name: &str| find(&all, name);
        match self {
            LegMuscles::All => Ok(all.clone()),
            LegMuscles::Walking => WALKING.into_iter().map(find).collect(),
            LegMuscles::Thesis => {
                let chosen = THESIS.into_iter().map(|(name, shared)| {
                    let mut muscle = find(name)?;
                    if let Some(shared) = shared {
                        muscle.force += 0.5 * find(shared)?.force;
                    }
                    Ok(muscle)
                });
                chosen.collect()
            }
        }
    }
}

/// Muscle sets of the upper body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpperMuscles {
    /// Trunk, shoulders and elbows, for any skeleton with arms: 15 per side, of seven groups.
    Basic,
    /// The 27 upper-body groups of Al Nazer, thesis, Lappeenranta 2008, section 4.3, in 43 parts per side, for a
    /// skeleton with neck and wrists.
    ///
    /// The thesis says neither whether it counts 43 muscles per side or in total, nor which groups have several parts.
    /// Here (chosen) they are 43 per side, like the 17 of the leg, and groups that have several heads or parts in
    /// textbooks have them here: obliquus externus, sternocleidomastoideus, biceps brachii and flexor carpi ulnaris
    /// two, erector spinae, pectoralis major, trapezius, latissimus dorsi, deltoideus and triceps brachii three.
    /// Muscles with both ends on the same rigid part of the skeleton are included but can do no work there:
    /// [`MuscleSet::idle`] lists them.
    Thesis,
}

/// Parts of [`UpperMuscles::Thesis`], groups in the order of the thesis.
const THESIS_UPPER: [&str; 43] = [
    "rect_abd",
    "extobl_ant",
    "extobl_lat",
    "iliocost",
    "longiss",
    "spinalis",
    "scal_ant",
    "scal_med",
    "scal_post",
    "splen_cerv",
    "splen_cap",
    "scm_stern",
    "scm_clav",
    "pec_maj_clav",
    "pec_maj_stern",
    "pec_maj_ribs",
    "pec_min",
    "trap_desc",
    "trap_trans",
    "trap_asc",
    "lat_dorsi_up",
    "lat_dorsi_low",
    "lat_dorsi_iliac",
    "delt_clav",
    "delt_acr",
    "delt_spine",
    "bic_long",
    "bic_short",
    "brachiorad",
    "tri_long",
    "tri_lat",
    "tri_med",
    "pron_teres",
    "fcu_hum",
    "fcu_uln",
    "fcr",
    "fpl",
    "psoas",
    "fdp",
    "ecrl",
    "edm",
    "apl",
    "subclav",
];

impl UpperMuscles {
    /// Muscles of the right side on the generic bones.
    fn choose(self) -> Result<Vec<GenericMuscle>, AnatomyError> {
        let basic = generic_upper_muscles()?;
        if self == UpperMuscles::Basic {
            return Ok(basic);
        }
        let all = [basic, generic_thesis_upper_muscles()?].concat();
        THESIS_UPPER.iter().map(|name| find(&all, name)).collect()
    }
}

fn find(all: &[GenericMuscle], name: &str) -> Result<GenericMuscle, AnatomyError> {
    let found = all.iter().find(|m| m.name == name).cloned();
    found.ok_or_else(|| AnatomyError::rule(name, "unknown muscle: the muscle tables have no muscle of this name"))
}

impl MuscleSet {
    /// The muscles of both legs on a skeleton with the segments `pelvis`, `thigh_r`, `shank_r`, `foot_r` and their
    /// twins, each leg in its own size.
    ///
    /// Strengths do not depend on the skeleton; scale them for a person who is known to be stronger.
    pub fn new(skeleton: &Skeleton, which: LegMuscles) -> Result<Self, AnatomyError> {
        let legs = [GenericLeg::on(skeleton, Side::Right)?, GenericLeg::on(skeleton, Side::Left)?];
        MuscleSet::place(legs.each_ref(), &which.choose()?)?.with_fibres(skeleton)
    }

    /// The muscles of the upper body, both sides.
    ///
    /// [`UpperMuscles::Basic`] needs the segments `abdomen`, `thorax`, `upper_arm_r`, `forearm_r` and their mirror
    /// images; [`UpperMuscles::Thesis`] also `neck`, `head`, `hand_r` and the legs, as [`Skeleton::full_body`] has
    /// them. Scapula and clavicle are fixed on the thorax.
    pub fn upper_body(skeleton: &Skeleton, which: UpperMuscles) -> Result<Self, AnatomyError> {
        let generic = which.choose()?;
        let placed = match which {
            UpperMuscles::Basic => MuscleSet::place([&GenericUpperBody::on(skeleton)?; 2], &generic),
            UpperMuscles::Thesis => {
                let [right, left] = Side::BOTH.map(|side| WholeUpperBody::on(skeleton, side));
                MuscleSet::place([&right?, &left?], &generic)
            }
        };
        placed?.with_fibres(skeleton)
    }

    /// Both sets as one; where both have a muscle of the same name (psoas, which begins above the lumbar joint in the
    /// upper body set), that of `other` is used.
    pub fn joined(mut self, other: MuscleSet) -> Self {
        self.muscles.retain(|m| other.find(&m.name).is_none());
        self.muscles.extend(other.muscles);
        self
    }

    /// All muscles on both sides, right and left.
    fn place(on: [&impl Placement; 2], generic: &[GenericMuscle]) -> Result<Self, AnatomyError> {
        let both = Side::BOTH.into_iter().zip(on);
        let muscles = both.flat_map(|(side, on)| generic.iter().map(move |m| place(on, m, side)));
        Ok(MuscleSet { muscles: muscles.collect::<Result<_, _>>()? })
    }

    fn with_fibres(mut self, skeleton: &Skeleton) -> Result<Self, AnatomyError> {
        fibre::give_fibres(&mut self.muscles, skeleton)?;
        Ok(self)
    }

    /// A muscle by name.
    pub fn find(&self, name: &str) -> Option<&HumanMuscle> {
        self.muscles.iter().find(|m| m.name == name)
    }

    /// Names of the groups in the order of their first muscle.
    pub fn groups(&self) -> Vec<&str> {
        let mut groups: Vec<&str> = Vec::new();
        for muscle in &self.muscles {
            if !groups.contains(&muscle.group.as_str()) {
                groups.push(&muscle.group);
            }
        }
        groups
    }
}
