//! Curves of Millard's equilibrium muscle.

use super::curve::{Knot, Slope, SmoothCurve};
use crate::error::{MuscleError, positive, require};

/// Shape of Millard's curves; the defaults are those of the paper and of OpenSim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MillardShape {
    /// Active force over length.
    pub active: ActiveShape,
    /// Passive force over length.
    pub passive: PassiveShape,
    /// Tendon.
    pub tendon: TendonShape,
    /// Force over velocity.
    pub velocity: VelocityShape,
}

/// Active force-length curve; lengths over the optimal one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActiveShape {
    /// Where the steep ascending limb starts.
    pub shortest: f64,
    /// Where it becomes shallow.
    pub transition: f64,
    /// Where the descending limb ends.
    pub longest: f64,
    /// Slope of the shallow limb.
    pub shallow_slope: f64,
    /// Value outside; zero with damping.
    pub minimum: f64,
}

/// Passive force-length curve of the fibre; strains from the optimal length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PassiveShape {
    /// Strain where force sets in.
    pub strain_at_zero: f64,
    /// Strain at the maximum isometric force.
    pub strain_at_one: f64,
    /// Slope at the end of the low-force part.
    pub low_slope: f64,
    /// Slope at the maximum isometric force.
    pub slope_at_one: f64,
    /// From 0 (straight) to 1.
    pub curviness: f64,
}

/// Force-length curve of the tendon; strain from its slack length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TendonShape {
    /// Strain at the maximum isometric force.
    pub strain_at_one: f64,
    /// Slope there and beyond the toe.
    pub slope_at_one: f64,
    /// Force at the end of the toe.
    pub force_at_toe_end: f64,
    /// From 0 (straight) to 1.
    pub curviness: f64,
}

/// Force-velocity curve; velocity over the greatest shortening velocity, lengthening positive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VelocityShape {
    /// Slope at -1.
    pub shortening_slope_at_vmax: f64,
    /// Slope just before.
    pub shortening_slope_near_vmax: f64,
    /// Slope at 0.
    pub isometric_slope: f64,
    /// Slope at +1.
    pub lengthening_slope_at_vmax: f64,
    /// Slope just before.
    pub lengthening_slope_near_vmax: f64,
    /// Value at +1.
    pub lengthening_force: f64,
    /// Curviness while shortening.
    pub shortening_curviness: f64,
    /// Curviness while lengthening.
    pub lengthening_curviness: f64,
}

impl Default for MillardShape {
    fn default() -> Self {
        MillardShape {
            active: ActiveShape {
                shortest: 0.4441,
                transition: 0.73,
                longest: 1.8123,
                shallow_slope: 0.8616,
                minimum: 0.0,
            },
            passive: PassiveShape::with_strains(0.0, 0.7),
            tendon: TendonShape::with_strain(0.049),
            velocity: VelocityShape {
                shortening_slope_at_vmax: 0.0,
                shortening_slope_near_vmax: 0.25,
                isometric_slope: 5.0,
                lengthening_slope_at_vmax: 0.0,
                lengthening_slope_near_vmax: 0.15,
                lengthening_force: 1.4,
                shortening_curviness: 0.6,
                lengthening_curviness: 0.9,
            },
        }
    }
}

impl PassiveShape {
    /// OpenSim's choice of the other values where only the strains are given.
    pub fn with_strains(strain_at_zero: f64, strain_at_one: f64) -> Self {
        let slope_at_one = 2.0 / (strain_at_one - strain_at_zero);
        PassiveShape { strain_at_zero, strain_at_one, low_slope: 0.2, slope_at_one, curviness: 0.75 }
    }
}

impl TendonShape {
    /// OpenSim's choice of the other values where only the strain is given.
    pub fn with_strain(strain_at_one: f64) -> Self {
        TendonShape { strain_at_one, slope_at_one: 1.375 / strain_at_one, force_at_toe_end: 2.0 / 3.0, curviness: 0.5 }
    }
}

/// The four curves.
#[derive(Clone, Debug, PartialEq)]
pub struct MillardCurves {
    active: SmoothCurve,
    passive: SmoothCurve,
    tendon: SmoothCurve,
    velocity: SmoothCurve,
    shortest: f64,
}

impl MillardCurves {
    /// Builds the curves of a shape; `name` is for messages.
    pub fn new(name: &str, shape: &MillardShape) -> Result<Self, MuscleError> {
        Ok(MillardCurves {
            active: active_curve(name, &shape.active)?,
            passive: passive_curve(name, &shape.passive)?,
            tendon: tendon_curve(name, &shape.tendon)?,
            velocity: velocity_curve(name, &shape.velocity)?,
            shortest: shape.active.shortest,
        })
    }

    /// Active force over the maximum isometric one at length `l` over the optimal one.
    pub fn active(&self, l: f64) -> Slope {
        self.active.evaluate(l)
    }

    /// Passive fibre force.
    pub fn passive(&self, l: f64) -> Slope {
        self.passive.evaluate(l)
    }

    /// Tendon force at length `l` over the slack length.
    pub fn tendon(&self, l: f64) -> Slope {
        self.tendon.evaluate(l)
    }

    /// Force multiplier at velocity `v` over the greatest one.
    pub fn velocity(&self, v: f64) -> Slope {
        self.velocity.evaluate(v)
    }

    /// Length over the optimal one below which no active force remains.
    pub fn shortest(&self) -> f64 {
        self.shortest
    }
}

fn active_curve(name: &str, s: &ActiveShape) -> Result<SmoothCurve, MuscleError> {
    let name = format!("{name}, active force-length curve");
    require(s.shortest >= 0.0, &name, "start of the ascending limb", s.shortest, "must be zero or more")?;
    let shoulder = 0.05;
    let steep_end = 1.0 - s.shallow_slope * (1.0 - shoulder - s.transition);
    let steep = 1.25 * steep_end / (s.transition - s.shortest);
    let descent_start = 1.0 + shoulder;
    let knots = [
        Knot::new(s.shortest, s.minimum, 0.0),
        Knot::new(0.5 * (s.shortest + s.transition), 0.5 * steep_end, steep),
        Knot::new(0.5 * (s.transition + 1.0 - shoulder), 0.5 * (1.0 + steep_end), s.shallow_slope),
        Knot::new(1.0, 1.0, 0.0),
        Knot::new(0.5 * (descent_start + s.longest), 0.5, -1.0 / (s.longest - shoulder - descent_start)),
        Knot::new(s.longest, s.minimum, 0.0),
    ];
    SmoothCurve::new(&name, &knots, &[1.0; 5])
}

fn passive_curve(name: &str, s: &PassiveShape) -> Result<SmoothCurve, MuscleError> {
    let name = format!("{name}, passive force-length curve");
    let range = positive(&name, "strain from zero to the maximum isometric force", s.strain_at_one - s.strain_at_zero)?;
    let start = 1.0 + s.strain_at_zero;
    let low = (0.1 / s.slope_at_one).min(0.1 * range);
    let knots = [
        Knot::new(start, 0.0, 0.0),
        Knot::new(start + low, 0.5 * low * s.low_slope, s.low_slope),
        Knot::new(1.0 + s.strain_at_one, 1.0, s.slope_at_one),
    ];
    SmoothCurve::new(&name, &knots, &[s.curviness; 2])
}

fn tendon_curve(name: &str, s: &TendonShape) -> Result<SmoothCurve, MuscleError> {
    let name = format!("{name}, tendon force-length curve");
    positive(&name, "strain at the maximum isometric force", s.strain_at_one)?;
    let at_force = |f: f64| 1.0 + s.strain_at_one + (f - 1.0) / s.slope_at_one;
    let (toe, middle) = (at_force(s.force_at_toe_end), at_force(0.5 * s.force_at_toe_end));
    let foot = 1.0 + 0.1 * (toe - 1.0);
    let toe_slope = 0.5 * s.force_at_toe_end / (middle - foot);
    let control = 0.5 * (foot + middle);
    let knots = [
        Knot::new(1.0, 0.0, 0.0),
        Knot::new(control, toe_slope * (control - foot), toe_slope),
        Knot::new(toe, s.force_at_toe_end, s.slope_at_one),
    ];
    SmoothCurve::new(&name, &knots, &[s.curviness; 2])
}

fn velocity_curve(name: &str, s: &VelocityShape) -> Result<SmoothCurve, MuscleError> {
    let name = format!("{name}, force-velocity curve");
    let near = 0.1;
    let mean = |a: f64, b: f64| 0.5 * (a + b);
    let rise = mean(s.shortening_slope_at_vmax, s.shortening_slope_near_vmax) * near;
    let fall = mean(s.lengthening_slope_at_vmax, s.lengthening_slope_near_vmax) * near;
    let knots = [
        Knot::new(-1.0, 0.0, s.shortening_slope_at_vmax),
        Knot::new(near - 1.0, rise, s.shortening_slope_near_vmax),
        Knot::new(0.0, 1.0, s.isometric_slope),
        Knot::new(1.0 - near, s.lengthening_force - fall, s.lengthening_slope_near_vmax),
        Knot::new(1.0, s.lengthening_force, s.lengthening_slope_at_vmax),
    ];
    let (c, e) = (s.shortening_curviness, s.lengthening_curviness);
    SmoothCurve::new(&name, &knots, &[c, c, e, e])
}
