//! Constraint handling that replaces the equations of motion or their state.

use super::ConstraintHandling;
use crate::augmented::AugmentedLagrangian;
use crate::error::DynamicsError;
use crate::model::Model;
use crate::partition::Partition;
use crate::system::{Baumgarte, System};

/// The memory of the handling.
pub(super) enum Treatment {
    /// The multipliers' equation; what else is done is done to the state.
    Direct,
    /// Multipliers by iteration.
    Augmented(AugmentedLagrangian),
    /// Dependent coordinates follow from the independent ones.
    Partitioned {
        partition: Partition,
        /// Whether a choice was made.
        chosen: bool,
        renew_below: f64,
    },
}

impl Treatment {
    pub fn new(model: &Model, handling: ConstraintHandling) -> Self {
        match handling {
            _ if model.nc() == 0 => Treatment::Direct,
            ConstraintHandling::AugmentedLagrangian(constants) => {
                Treatment::Augmented(AugmentedLagrangian::new(model, constants))
            }
            ConstraintHandling::CoordinatePartitioning { renew_below } => {
                Treatment::Partitioned { partition: Partition::new(model), chosen: false, renew_below }
            }
            _ => Treatment::Direct,
        }
    }

    /// Copies the state and moves its dependent part onto the constraints; whether it does so.
    pub fn make_consistent(
        &mut self,
        system: &mut System<'_>,
        t: f64,
        y: &[f64],
        consistent: &mut [f64],
    ) -> Result<bool, DynamicsError> {
        let Treatment::Partitioned { partition, chosen, .. } = self else { return Ok(false) };
        consistent.copy_from_slice(y);
        let (q, v) = consistent.split_at_mut(system.model.nq());
        if !*chosen {
            partition.choose(system, t, q);
            *chosen = true;
        }
        partition.positions(system, t, q)?;
        partition.speeds(system, t, q, v)?;
        Ok(true)
    }

    /// Accelerations of a state.
    pub fn accelerations(
        &mut self,
        system: &mut System<'_>,
        (t, q, v): (f64, &[f64], &[f64]),
        stabilisation: Baumgarte,
        a: &mut [f64],
    ) -> Result<(), DynamicsError> {
        match self {
            Treatment::Augmented(formulation) => formulation.accelerations(system, t, q, v, a).map(|_| ()),
            _ => system.accelerations(t, q, v, stabilisation, a),
        }
    }

    /// Moves the dependent part of an accepted state onto the constraints and looks at the choice; whether it did.
    pub fn project(
        &mut self,
        system: &mut System<'_>,
        t: f64,
        q: &mut [f64],
        v: &mut [f64],
    ) -> Result<bool, DynamicsError> {
        let Treatment::Partitioned { partition, renew_below, .. } = self else { return Ok(false) };
        partition.positions(system, t, q)?;
        partition.speeds(system, t, q, v)?;
        partition.renew(system, *renew_below);
        Ok(true)
    }

    /// Takes the dependent coordinates out of an error estimate.
    pub fn project_error(&self, model: &Model, error: &mut [f64]) {
        let Treatment::Partitioned { partition, .. } = self else { return };
        for k in (0..model.nv()).filter(|&k| partition.is_dependent(k)) {
            error[model.nq() + k] = 0.0;
            if let Some(i) = model.position_of_speed(k) {
                error[i] = 0.0;
            }
        }
    }
}
