//! Passive stiffness and damping of a skeleton's joints.

use super::Skeleton;
use crate::names::CoordinateRole;
use wolff_muscle::passive_defaults::PassiveDefault;

/// Stiffness and damping of one coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct PassiveJoint {
    /// Name of the coordinate.
    pub coordinate: String,
    /// Stiffness \[N m/rad\].
    pub stiffness: f64,
    /// Damping \[N m s/rad\].
    pub damping: f64,
}

impl Skeleton {
    /// Stiffness and damping of every coordinate that Al Nazer, thesis, Lappeenranta 2008, Table 4.2 has a row for; the
    /// others are free.
    pub fn passive_joints(&self) -> Vec<PassiveJoint> {
        let row = |(coordinate, role): (String, CoordinateRole)| {
            let PassiveDefault { stiffness, damping, .. } = *role.passive()?;
            Some(PassiveJoint { coordinate, stiffness, damping })
        };
        self.coordinate_names().into_iter().zip(self.coordinate_roles()).filter_map(row).collect()
    }
}
