//! Feet on the floor: pads with normal force and friction on a plane.

use crate::error::MovementError;
use wolff_anatomy::Side;
use wolff_anatomy::skeleton::{FootPoint, SolePart};
use wolff_contact::Friction;
use wolff_contact::law::ImpactFunction;
use wolff_multibody::spec::FrameSpec;
use wolff_multibody::stiff::{Push, Rows};
use wolff_multibody::{Frame, Instant, Model};
use wolff_spatial::Vec3;

/// Combined contact law of floor, shoe and foot, for one pad.
///
/// ```text
/// F = max(0, k δ (δ/δ₀)^(e-1) + c STEP(δ, d) δ')
/// ```
/// δ depth of the pad's lowest point below the floor \[m\]; friction is that of [`Friction`]; names and presets as in
/// Al Nazer, thesis, Lappeenranta 2008, Table 4.3.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FloorParameters {
    /// Secant stiffness k of a pad under the forefoot at the reference depth \[N/m\].
    pub stiffness: f64,
    /// Stiffness of the heel pad divided by that of a forefoot pad.
    pub heel_factor: f64,
    /// Full damping c \[N s/m\].
    pub damping: f64,
    /// Exponent e.
    pub exponent: f64,
    /// Reference depth δ₀ \[m\].
    pub reference_depth: f64,
    /// Unloaded thickness of heel pad and shoe below the heel point \[m\].
    pub heel_give: f64,
    /// Unloaded thickness under the forefoot and the toes \[m\].
    pub sole_give: f64,
    /// Depth d at which damping is full \[m\].
    pub full_damping_depth: f64,
    /// Static friction coefficient.
    pub static_friction: f64,
    /// Dynamic friction coefficient.
    pub dynamic_friction: f64,
    /// Stiction transition velocity \[m/s\].
    pub stiction_velocity: f64,
    /// Friction transition velocity \[m/s\].
    pub friction_velocity: f64,
}

impl Default for FloorParameters {
    /// A shod foot on a hard floor (chosen here): heel pad and shoe are 12 mm thick and compress by that under about 60
    /// % of body weight, as the heels of recorded walks do between strike and flat foot; the forefoot compresses by 5
    /// mm; both become stiffer under load.
    fn default() -> Self {
        FloorParameters {
            stiffness: 60e3,
            heel_factor: 0.6,
            damping: 500.0,
            exponent: 1.5,
            reference_depth: 0.01,
            heel_give: 0.012,
            sole_give: 0.005,
            full_damping_depth: 0.02,
            static_friction: 1.0,
            dynamic_friction: 0.8,
            stiction_velocity: 0.01,
            friction_velocity: 0.01,
        }
    }
}

impl FloorParameters {
    /// Table 4.3 of Al Nazer 2008: `first` or `second` model; `klodowski`: Kłodowski et al. 2011, who print neither
    /// exponent (here 1) nor the depth of full damping (here 10 mm).
    ///
    /// With 20 N s/mm, five pads under a forefoot answer an error of its velocity of 7 mm/s with the body weight of
    /// 70 kg: the reference motion must be fitted to such a floor in more steps than to others (40 instead of 12),
    /// and the force stays less like its reference.
    pub fn published(model: &str) -> Option<Self> {
        let (stiffness, damping, full_damping_depth, friction_velocity) = match model {
            "first" => (200e3, 2e3, 1e-3, 1e-3),
            "second" => (150e3, 20e3, 1e-3, 1e-3),
            "klodowski" => (200e3, 20e3, 1e-2, 1e-2),
            _ => return None,
        };
        Some(FloorParameters {
            stiffness,
            damping,
            heel_factor: 1.0,
            exponent: 1.0,
            heel_give: 0.0,
            sole_give: 0.0,
            full_damping_depth,
            stiction_velocity: 1e-3,
            friction_velocity,
            ..FloorParameters::default()
        })
    }
}

/// An ellipsoid under a foot.
#[derive(Clone, Debug)]
pub struct Pad {
    /// Name.
    pub name: String,
    /// Which foot.
    pub foot: Side,
    /// Centre and axes on a body.
    pub frame: Frame,
    /// Half axes \[m\].
    pub radii: Vec3,
    law: ImpactFunction,
    friction: Friction,
    /// Point of contact at the last call.
    touch: Vec3,
}

impl Pad {
    /// A pad; the heel pad is recognised by its name.
    pub fn new(name: &str, foot: Side, frame: Frame, radii: Vec3, p: &FloorParameters) -> Result<Self, MovementError> {
        if !radii.iter().all(|r| *r > 0.0 && r.is_finite()) {
            let rule = format!("half axes {radii:?} of the pad must be finite and above zero");
            return Err(MovementError::rule(name, rule));
        }
        let factor = if SolePart::of(name) == Some(SolePart::Heel) { p.heel_factor } else { 1.0 };
        let stiffness = factor * p.stiffness * p.reference_depth.powf(1.0 - p.exponent);
        let law = ImpactFunction::new(stiffness, p.exponent, p.damping, p.full_damping_depth)?;
        let friction = Friction::new(p.static_friction, p.dynamic_friction, p.stiction_velocity, p.friction_velocity)?;
        Ok(Pad { name: name.into(), foot, frame, radii, law, friction, touch: Vec3::zeros() })
    }

    /// Lowest point of the ellipsoid in ground: `c - R A² Rᵀ e / |A Rᵀ e|` with A the half axes and e upwards.
    pub fn lowest(&self, at: &Instant<'_>) -> Vec3 {
        let X = at.pose(&self.frame);
        let down = self.radii.component_mul(&X.R.tr_mul(&Vec3::y()));
        X.p - X.R * self.radii.component_mul(&(down / down.norm()))
    }

    /// Normal force \[N\] and its slope \[N/m\] at a depth, at rest.
    pub fn pressure(&self, depth: f64) -> (f64, f64) {
        if depth <= 0.0 { (0.0, 0.0) } else { (self.law.force(depth, 0.0), self.law.derivatives(depth, 0.0).0) }
    }

    /// Normal force \[N\], and where it acts in ground \[m\].
    pub fn normal_force(&self, at: &Instant<'_>) -> (f64, Vec3) {
        let touch = self.lowest(at);
        let (depth, rate) = (-touch.y, -at.point_velocity(self.frame.body, &touch).y);
        if depth <= 0.0 { (0.0, touch) } else { (self.law.force(depth, rate).max(0.0), touch) }
    }

    /// Three rows: normal force, friction along X and along Z.
    fn rows(&mut self, at: &Instant<'_>, rows: &mut Rows) {
        self.touch = self.lowest(at);
        let velocity = at.point_velocity(self.frame.body, &self.touch);
        let (depth, rate) = (-self.touch.y, -velocity.y);
        if depth <= 0.0 {
            (0..3).for_each(|_| rows.along(Push::spring(0.0, 0.0, 0.0), |_| ()));
            return;
        }
        let normal = self.law.force(depth, rate);
        let (stiffness, damping) = self.law.derivatives(depth, rate);
        let press = Push::spring(normal, stiffness.max(0.0), damping).within(0.0, f64::INFINITY);
        rows.on_point(at, self.frame.body, &self.touch, &Vec3::y(), press);
        let drag = normal * self.friction.secant(velocity.x.hypot(velocity.z));
        for (axis, speed) in [(Vec3::x(), velocity.x), (Vec3::z(), velocity.z)] {
            rows.on_point(at, self.frame.body, &self.touch, &axis, Push::spring(-drag * speed, 0.0, drag));
        }
    }
}

/// Ground reaction on a foot, in ground axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reaction {
    /// Force \[N\].
    pub force: Vec3,
    /// Centre of pressure on the floor \[m\]; zero in swing.
    pub center: Vec3,
    /// Moment about the vertical through the centre of pressure \[N m\].
    pub free_moment: f64,
}

/// A plane floor at Y = 0 with all pads on it.
#[derive(Clone, Debug, Default)]
pub struct Floor {
    /// Pads.
    pub pads: Vec<Pad>,
}

impl Floor {
    /// Number of rows that it adds.
    pub fn row_count(&self) -> usize {
        3 * self.pads.len()
    }

    /// Adds the rows of all pads.
    pub fn rows(&mut self, at: &Instant<'_>, rows: &mut Rows) {
        self.pads.iter_mut().for_each(|pad| pad.rows(at, rows));
    }

    /// Reactions of both feet from the forces of the rows on the model.
    pub fn reactions(&self, applied: &[f64]) -> [Reaction; 2] {
        let mut feet = [Reaction::default(); 2];
        let force = |i: usize| Vec3::new(applied[3 * i + 1], applied[3 * i], applied[3 * i + 2]);
        for (i, pad) in self.pads.iter().enumerate() {
            feet[pad.foot.index()].force += force(i);
            feet[pad.foot.index()].center += pad.touch * force(i).y;
        }
        for foot in &mut feet {
            foot.center = if foot.force.y > 0.0 { foot.center / foot.force.y } else { Vec3::zeros() };
            foot.center.y = 0.0;
        }
        for (i, pad) in self.pads.iter().enumerate() {
            let arm = pad.touch - feet[pad.foot.index()].center;
            feet[pad.foot.index()].free_moment += arm.cross(&force(i)).y;
        }
        feet
    }
}

/// Pads whose lowest points in standing are the points under the feet.
pub fn floor_of(
    model: &Model,
    feet: &[FootPoint],
    floor: &FloorParameters,
    pad_radii: Vec3,
) -> Result<Floor, MovementError> {
    let pad = |point: &FootPoint| {
        let give = if point.part() == Some(SolePart::Heel) { floor.heel_give } else { floor.sole_give };
        let center = point.point + Vec3::new(0.0, pad_radii.y - give, 0.0);
        let missing =
            || MovementError::Missing { what: "body", name: point.segment.clone(), purpose: "a pad under a foot" };
        let frame = model.frame(&FrameSpec::at(&point.segment, center)).ok_or_else(missing)?;
        Pad::new(&point.name, Side::of(&point.name).unwrap_or(Side::Right), frame, pad_radii, floor)
    };
    Ok(Floor { pads: feet.iter().map(pad).collect::<Result<_, _>>()? })
}
