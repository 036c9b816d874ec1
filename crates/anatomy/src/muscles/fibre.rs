//! Fibres and tendons: the parameters of a Hill muscle in addition to path and strength.

use super::HumanMuscle;
use super::table::rows;
use crate::error::{AnatomyError, positive, require};
use crate::names::without_side;
use crate::skeleton::Skeleton;
use serde::Deserialize;
use wolff_muscle::path::{Path, Scene};
use wolff_spatial::Pose;

/// Fibre and tendon of a muscle of a person.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fibre {
    /// Optimal fibre length \[m\].
    pub optimal_length: f64,
    /// Slack length of the tendon \[m\].
    pub slack_length: f64,
    /// Pennation angle at the optimal fibre length \[rad\].
    pub pennation: f64,
    /// Part of the path that is neither fibre nor tendon \[m\]; negative where the path of the generic muscle is
    /// longer.
    pub rigid_length: f64,
}

/// Fibre and tendon of a generic muscle.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GenericFibre {
    /// Name of the muscle, without side.
    pub name: String,
    /// Optimal fibre length \[m\].
    pub optimal: f64,
    /// Slack length of the tendon \[m\].
    pub slack: f64,
    /// Pennation angle at the optimal fibre length \[rad\].
    pub pennation: f64,
    /// Length of the muscle in the model that these belong to, all angles zero \[m\].
    pub model_length: f64,
    /// Length of the corresponding path of this program, on bones of that model's size, in standing \[m\].
    pub path_length: f64,
}

/// Fibres of generic muscles, from `crates/anatomy/data/fibres.json`, which names their sources.
pub fn generic_fibres() -> Result<Vec<GenericFibre>, AnatomyError> {
    let fibres: Vec<GenericFibre> = rows("fibres", include_str!("../../data/fibres.json"))?;
    for f in &fibres {
        positive(&f.name, "optimal fibre length [m]", f.optimal)?;
        positive(&f.name, "slack length of the tendon [m]", f.slack)?;
        positive(&f.name, "length of the generic muscle [m]", f.model_length)?;
        positive(&f.name, "length of the generic path [m]", f.path_length)?;
        let flat = (0.0..std::f64::consts::FRAC_PI_2).contains(&f.pennation);
        require(flat, &f.name, "pennation angle [rad]", f.pennation, "must be zero or more and below a right angle")?;
    }
    Ok(fibres)
}

impl GenericFibre {
    /// The fibre of a person whose path is `length` \[m\] long in standing.
    ///
    /// ```text
    /// s = length/path_length,   l0 = s l0_generic,   l_Ts = s l_Ts_generic,    rigid = s (path_length - model_length)
    /// ```
    /// The ratio of tendon to fibre is kept, and in standing fibre and tendon together have the same fraction of the
    /// path as in the generic model. The part by which the path is longer than the model's is assumed to be
    /// inextensible: for the knee extensors, which end on the patella there, this is patella and ligament. Chosen here.
    pub fn scaled(&self, length: f64) -> Fibre {
        let scale = length / self.path_length;
        Fibre {
            optimal_length: scale * self.optimal,
            slack_length: scale * self.slack,
            pennation: self.pennation,
            rigid_length: scale * (self.path_length - self.model_length),
        }
    }
}

/// Adds the fibre to every muscle whose fibre is known.
pub(super) fn give_fibres(muscles: &mut [HumanMuscle], skeleton: &Skeleton) -> Result<(), AnatomyError> {
    let generic = generic_fibres()?;
    let standing = Standing { skeleton };
    for muscle in muscles {
        let stem = without_side(&muscle.name);
        if let Some(fibre) = generic.iter().find(|f| f.name == stem) {
            let length = positive(&muscle.name, "length in standing [m]", standing.length(muscle)?)?;
            muscle.fibre = Some(fibre.scaled(length));
        }
    }
    Ok(())
}

/// A skeleton with all angles zero.
struct Standing<'a> {
    skeleton: &'a Skeleton,
}

impl Standing<'_> {
    fn length(&self, muscle: &HumanMuscle) -> Result<f64, AnatomyError> {
        let body = |name: &str| self.skeleton.segments.iter().position(|s| s.name == name);
        let path = Path::resolve(&muscle.path, body, |_| None);
        let path = path.map_err(|e| AnatomyError::rule(&muscle.name, e.to_string()))?;
        Ok(path.solve(self, None).length)
    }
}

impl Scene for Standing<'_> {
    fn pose(&self, body: usize) -> Pose {
        Pose::translation(self.skeleton.standing_place(&self.skeleton.segments[body]))
    }

    fn coordinate(&self, _: usize) -> f64 {
        0.0
    }
}
