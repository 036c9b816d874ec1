//! What a foundation contact reports.

use crate::error::ContactError;
use wolff_spatial::{Force, Vec3};

/// Contact of one compartment, or of all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatchResult {
    /// Force \[N\] and moment about the fixed origin \[N m\] on the moving body, fixed axes.
    pub on_moving: Force,
    /// `∫ p dA` \[N\]: sum of the normal forces, without regard to their directions.
    pub normal_force: f64,
    /// Area in contact \[m²\].
    pub area: f64,
    /// Largest pressure \[Pa\].
    pub peak_pressure: f64,
    /// Deepest overlap over thickness \[-\].
    pub peak_strain: f64,
    /// Elements in contact.
    pub active: usize,
    /// Distance queries made.
    pub queries: usize,
    /// `∫ p y dA` \[N m\].
    pub(crate) moment: Vec3,
    /// Worst point that is deeper than what is described.
    pub(crate) crushed: Option<TooDeep>,
}

/// A point that is deeper than what is described.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TooDeep {
    /// Depth \[m\].
    pub depth: f64,
    /// Deepest overlap that is described there \[m\].
    pub limit: f64,
    /// Where, in the fixed frame \[m\].
    pub at: Vec3,
}

impl PatchResult {
    pub(crate) const ZERO: PatchResult = PatchResult {
        on_moving: Force::ZERO,
        normal_force: 0.0,
        area: 0.0,
        peak_pressure: 0.0,
        peak_strain: 0.0,
        active: 0,
        queries: 0,
        moment: Vec3::new(0.0, 0.0, 0.0),
        crushed: None,
    };

    /// Force \[N\] and moment about the fixed origin \[N m\] on the fixed body.
    pub fn on_fixed(&self) -> Force {
        -self.on_moving
    }

    /// Mean pressure \[Pa\] over the area in contact; zero without contact.
    pub fn mean_pressure(&self) -> f64 {
        if self.area > 0.0 { self.normal_force / self.area } else { 0.0 }
    }

    /// Centre of pressure \[m\] in the fixed frame; none without contact.
    pub fn centre_of_pressure(&self) -> Option<Vec3> {
        (self.normal_force > 0.0).then(|| self.moment / self.normal_force)
    }

    pub(crate) fn add(&mut self, other: &PatchResult) {
        self.on_moving += other.on_moving;
        self.normal_force += other.normal_force;
        self.area += other.area;
        self.peak_pressure = self.peak_pressure.max(other.peak_pressure);
        self.peak_strain = self.peak_strain.max(other.peak_strain);
        self.active += other.active;
        self.queries += other.queries;
        self.moment += other.moment;
        if let Some(other) = other.crushed {
            self.crush(other);
        }
    }

    /// Keeps the worst overlap.
    pub(crate) fn crush(&mut self, other: TooDeep) {
        if self.crushed.is_none_or(|worst| other.depth * worst.limit > worst.depth * other.limit) {
            self.crushed = Some(other);
        }
    }
}

/// An overlap that is deeper than what the layers describe, or than the material is thick.
#[derive(Clone, Debug, PartialEq)]
pub struct Overlap {
    /// Compartment.
    pub compartment: String,
    /// Depth \[m\].
    pub depth: f64,
    /// Deepest overlap that is described there \[m\].
    pub limit: f64,
    /// Where, in the fixed frame \[m\].
    pub at: Vec3,
}

impl Overlap {
    /// As an error with its place and remedy.
    pub fn error(&self) -> ContactError {
        let &Overlap { ref compartment, depth, limit, at } = self;
        ContactError::LayerUsedUp { compartment: compartment.clone(), depth, limit, at: at.into() }
    }
}

/// Contact at one pose.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundationResult {
    /// Sum of all compartments.
    pub total: PatchResult,
    /// One entry per compartment, in the order of the elements.
    pub compartments: Vec<PatchResult>,
    /// Mean pressure over every element \[Pa\]: its normal force over its whole area.
    pub pressures: Vec<f64>,
    /// Whether this is the result of the last, nearby pose.
    pub reused: bool,
    /// The worst overlap beyond what layers and material describe, if any. The forces then are those of the law carried
    /// on (the large strain law by its tangent), so that trial steps of an integrator stay finite, and no results.
    pub overlap: Option<Overlap>,
}

impl FoundationResult {
    /// Refuses a result in which a layer or the material behind a surface is used up.
    pub fn checked(&self) -> Result<&Self, ContactError> {
        match &self.overlap {
            None => Ok(self),
            Some(overlap) => Err(overlap.error()),
        }
    }
}
