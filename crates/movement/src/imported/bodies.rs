//! Bodies of an OpenSim model that correspond to segments of a person, and where they are over time.

use crate::error::MovementError;
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

/// Which body of the model is what; right before left.
#[derive(Clone, Debug)]
pub(crate) struct Bodies {
    pub pelvis: usize,
    pub legs: [LegBodies; 2],
    pub torso: Option<usize>,
    pub arms: Option<[ArmBodies; 2]>,
}

impl Bodies {
    /// Finds them by the names of OpenSim's models; legs and pelvis must be there, trunk and arms may be missing.
    pub fn find(subject: &Subject) -> Result<Self, MovementError> {
        let find = |names: &[String]| names.iter().find_map(|name| subject.model.body_index(name));
        let body = |stem: &str, others: &[&str], end: &str| {
            let names: Vec<String> = [stem].iter().chain(others).map(|name| format!("{name}{end}")).collect();
            find(&names).ok_or_else(|| MovementError::Missing {
                what: "body",
                name: format!("{stem}{end}"),
                purpose: "carrying a measured walk over to a person (names as in OpenSim's gait models)",
            })
        };
        let leg = |end: &str| {
            Ok::<_, MovementError>(LegBodies {
                femur: body("femur", &["thigh"], end)?,
                tibia: body("tibia", &["shank"], end)?,
                talus: body("talus", &[], end)?,
                calcaneus: body("calcn", &["foot"], end)?,
                toes: body("toes", &[], end)?,
            })
        };
        let arm = |end: &str| {
            let humerus = body("humerus", &["upper_arm"], end).ok()?;
            let forearm = body("ulna", &["radius", "forearm"], end).ok()?;
            Some(ArmBodies { humerus, forearm, hand: body("hand", &[], end).ok()? })
        };
        Ok(Bodies {
            pelvis: body("pelvis", &[], "")?,
            legs: [leg("_r")?, leg("_l")?],
            torso: body("torso", &["thorax"], "").ok(),
            arms: arm("_r").zip(arm("_l")).map(|(right, left)| [right, left]),
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
    /// The middle between the hips [m].
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
