//! Bodies of an OpenSim model that correspond to segments of a person, and their poses over time.

use crate::error::MovementError;
use wolff_anatomy::Side;
use wolff_anatomy::names::opensim::ModelBody;
use wolff_motion::Subject;
use wolff_multibody::Kinematics;
use wolff_spatial::{Pose, Vec3};

/// Body numbers of a leg in the model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LegBodies {
    pub femur: usize,
    pub tibia: usize,
    pub talus: usize,
    pub calcaneus: usize,
    pub toes: usize,
}

/// Body numbers of an arm in the model: upper arm, forearm, hand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ArmBodies {
    pub humerus: usize,
    pub forearm: usize,
    pub hand: usize,
}

/// Indices of the bodies of the model by their anatomical role; right before left.
#[derive(Clone, Debug)]
pub(crate) struct Bodies {
    pub pelvis: usize,
    pub legs: [LegBodies; 2],
    pub torso: Option<usize>,
    pub arms: Option<[ArmBodies; 2]>,
}

impl Bodies {
    /// Finds the bodies by their names in OpenSim's models; legs and pelvis are required, trunk and arms are optional.
    pub fn find(subject: &Subject) -> Result<Self, MovementError> {
        let body = |which: ModelBody, side: Option<Side>| {
            let named = |stem: &&str| side.map_or_else(|| stem.to_string(), |side| side.name(stem));
            let names: Vec<String> = which.names().iter().map(named).collect();
            let found = names.iter().find_map(|name| subject.model.body_index(name));
            found.ok_or_else(|| MovementError::Missing {
                what: "body",
                name: names.first().cloned().unwrap_or_default(),
                purpose: "retargeting a measured walk to a person (names as in OpenSim's gait models)",
            })
        };
        let leg = |side: Side| {
            Ok::<_, MovementError>(LegBodies {
                femur: body(ModelBody::Femur, Some(side))?,
                tibia: body(ModelBody::Tibia, Some(side))?,
                talus: body(ModelBody::Talus, Some(side))?,
                calcaneus: body(ModelBody::Calcaneus, Some(side))?,
                toes: body(ModelBody::Toes, Some(side))?,
            })
        };
        let arm = |side: Side| {
            let [humerus, forearm, hand] = [ModelBody::Humerus, ModelBody::Forearm, ModelBody::Hand];
            let humerus = body(humerus, Some(side)).ok()?;
            let forearm = body(forearm, Some(side)).ok()?;
            Some(ArmBodies { humerus, forearm, hand: body(hand, Some(side)).ok()? })
        };
        Ok(Bodies {
            pelvis: body(ModelBody::Pelvis, None)?,
            legs: [leg(Side::Right)?, leg(Side::Left)?],
            torso: body(ModelBody::Torso, None).ok(),
            arms: arm(Side::Right).zip(arm(Side::Left)).map(|(right, left)| [right, left]),
        })
    }
}

/// Poses of all bodies of the model at an instant.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    pub time: f64,
    pub poses: Vec<Pose>,
}

impl Snapshot {
    /// The middle between the hips \[m\].
    pub fn mid_hips(&self, bodies: &Bodies) -> Vec3 {
        0.5 * (self.poses[bodies.legs[0].femur].p + self.poses[bodies.legs[1].femur].p)
    }
}

/// Places the model in every row of a motion: times with positions of the solver's model.
pub(crate) fn snapshots(subject: &Subject, rows: &[(f64, Vec<f64>)]) -> Vec<Snapshot> {
    let mut kin = Kinematics::new(&subject.model);
    let still = vec![0.0; subject.model.nv()];
    let mut take = |(time, q): &(f64, Vec<f64>)| {
        kin.update(&subject.model, q, &still);
        Snapshot { time: *time, poses: kin.bodies.iter().map(|b| b.X_GB).collect() }
    };
    rows.iter().map(&mut take).collect()
}
