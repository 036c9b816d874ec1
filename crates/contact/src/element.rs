//! Contact between two frames of a multibody model.

use crate::error::{ContactError, positive};
use crate::friction::Friction;
use crate::law::NormalLaw;
use crate::lookup::Work;
use crate::proximity::{ContactPair, Proximity, ShapePair};
use crate::shape::Shape;
use std::sync::Arc;
use wolff_multibody::{ContactElement, ForceElement, Frame, Indentation, Instant, Loads};
use wolff_spatial::Vec3;

/// Two shapes on two bodies that press and rub.
///
/// ```text
/// δ' = n · (v_A - v_B)        f_B = F(δ, δ', v0) n + f_friction(F, v_t) = -f_A      v_t = (1 - n nᵀ)(v_B - v_A)
/// ```
///
/// n common normal from A to B, v velocities of the material points of both bodies at the contact point, which is the
/// middle of the overlap. The forces are equal, opposite and on one point, so momentum and angular momentum are
/// conserved; the lever arms carry an error of half the indentation.
///
/// The contact acts while the simulation reports an approach speed, that is between the located instants of touch and
/// separation. So the motion before and after is smooth, however stiff the law, and no step sees a force it has not
/// announced.
#[derive(Clone, Debug)]
pub struct ContactForce {
    name: String,
    frame_a: Frame,
    frame_b: Frame,
    shapes: Arc<dyn ContactPair>,
    law: NormalLaw,
    subsurface: Option<Subsurface>,
    friction: Option<Friction>,
}

/// A harder layer under the surface: bone under cartilage.
///
/// ```text
/// F = F_surface(min(δ, h), δ') + F_subsurface(δ - h, δ')     saturated
/// F = F_surface(δ, δ')         + F_subsurface(δ - h, δ')     not saturated
/// ```
///
/// h thickness of the surface layer \[m\]: it carries alone until it is used up, then both carry. A saturated surface
/// layer adds the force of its total indentation, F1max + F2 of Machado, thesis, Universidade do Minho 2012, (5.32) and
/// (5.33); otherwise it keeps its own law beyond h. Limits: a layer on a stiff base is in truth stiffer than the half
/// space of Hertz.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Subsurface {
    thickness: f64,
    law: NormalLaw,
    saturated: bool,
}

impl Subsurface {
    /// Below a surface layer of `thickness` > 0 \[m\].
    pub fn new(thickness: f64, law: NormalLaw) -> Result<Self, ContactError> {
        let thickness = positive("subsurface", "thickness of the layer above it [m]", thickness)?;
        Ok(Subsurface { thickness, law, saturated: false })
    }

    /// The same below a surface layer whose force grows no more once it is used up.
    pub fn saturated(self) -> Self {
        Subsurface { saturated: true, ..self }
    }

    /// The indentation of the surface layer \[m\].
    fn of_surface(&self, depth: f64) -> f64 {
        if self.saturated { depth.min(self.thickness) } else { depth }
    }

    /// Energy stored by both layers \[J\].
    fn potential(&self, surface: &NormalLaw, depth: f64) -> f64 {
        let of_surface = self.of_surface(depth);
        // a saturated layer goes on with its largest elastic force
        let beyond =
            if depth > of_surface { surface.force(of_surface, 0.0, f64::INFINITY) * (depth - of_surface) } else { 0.0 };
        surface.potential(of_surface) + beyond + self.law.potential(depth - self.thickness)
    }

    fn force(&self, depth: f64, rate: f64, approach_speed: f64) -> f64 {
        // beyond first touch the layer above acts alone
        self.law.force(depth - self.thickness, rate, approach_speed)
    }
}

/// What the two shapes do to each other at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// Overlap, normal and points.
    pub proximity: Proximity,
    /// Rate of the depth \[m/s\].
    pub rate: f64,
    /// Where the forces act \[m\], in ground.
    pub point: Vec3,
    /// Normal force of all layers \[N\].
    pub normal_force: f64,
    /// The subsurface's share of it \[N\].
    pub subsurface_force: f64,
    /// Force on body B \[N\], ground axes; body A feels the opposite.
    pub force_on_b: Vec3,
}

impl ContactForce {
    /// Shape A on `frame_a` against shape B on `frame_b`.
    pub fn new(
        name: impl Into<String>,
        (frame_a, shape_a): (Frame, Shape),
        (frame_b, shape_b): (Frame, Shape),
        law: NormalLaw,
        friction: Option<Friction>,
    ) -> Result<Self, ContactError> {
        let shapes = Arc::new(ShapePair::new(shape_a, shape_b)?);
        Self::between(name, [frame_a, frame_b], shapes, law, friction)
    }

    /// Any two shapes on two frames.
    pub fn between(
        name: impl Into<String>,
        [frame_a, frame_b]: [Frame; 2],
        shapes: Arc<dyn ContactPair>,
        law: NormalLaw,
        friction: Option<Friction>,
    ) -> Result<Self, ContactError> {
        let name = name.into();
        if frame_a.body == frame_b.body {
            return Err(ContactError::SameBody { name });
        }
        Ok(ContactForce { name, frame_a, frame_b, shapes, law, subsurface: None, friction })
    }

    /// The same contact with a harder layer below.
    pub fn with_subsurface(self, subsurface: Subsurface) -> Self {
        ContactForce { subsurface: Some(subsurface), ..self }
    }

    /// The normal force law.
    pub fn law(&self) -> &NormalLaw {
        &self.law
    }

    /// Relative position of the shapes.
    pub fn proximity(&self, at: &Instant<'_>) -> Proximity {
        self.shapes.proximity(&at.pose(&self.frame_a), &at.pose(&self.frame_b))
    }

    /// What has been read so far of shapes that are tables.
    pub fn table_work(&self) -> Option<Work> {
        self.shapes.table_work()
    }

    /// In how many separate places the shapes overlap.
    pub fn place_count(&self, at: &Instant<'_>) -> usize {
        self.shapes.place_count(&at.pose(&self.frame_a), &at.pose(&self.frame_b))
    }

    /// The points of both shapes nearest to or deepest in the other one \[m\], each in its own frame.
    pub fn local_points(&self, at: &Instant<'_>) -> [Vec3; 2] {
        let proximity = self.proximity(at);
        let local = |frame: &Frame, p: &Vec3| at.pose(frame).inverse_point(p);
        [local(&self.frame_a, &proximity.point_a), local(&self.frame_b, &proximity.point_b)]
    }

    /// Geometry and forces at this instant; `None` while the contact does not act.
    pub fn touch(&self, at: &Instant<'_>) -> Option<Touch> {
        let approach_speed = at.approach_speed?;
        let proximity = self.proximity(at);
        let point = proximity.midpoint();
        let relative = self.relative_velocity(at, &point);
        let rate = -proximity.normal.dot(&relative);

        let below = |layer: &Subsurface| layer.force(proximity.depth, rate, approach_speed);
        let subsurface_force = self.subsurface.as_ref().map_or(0.0, below);
        let of_surface = self.subsurface.as_ref().map_or(proximity.depth, |layer| layer.of_surface(proximity.depth));
        let normal_force = self.law.continued_force(of_surface, rate, approach_speed) + subsurface_force;
        let mut force_on_b = proximity.normal * normal_force;
        if let Some(friction) = &self.friction {
            force_on_b += friction.force(normal_force, &(relative + proximity.normal * rate));
        }
        Some(Touch { proximity, rate, point, normal_force, subsurface_force, force_on_b })
    }

    /// Velocity of B's material point at `p_G` seen from A's \[m/s\].
    fn relative_velocity(&self, at: &Instant<'_>, p_G: &Vec3) -> Vec3 {
        at.point_velocity(self.frame_b.body, p_G) - at.point_velocity(self.frame_a.body, p_G)
    }
}

impl ForceElement for ContactForce {
    fn name(&self) -> &str {
        &self.name
    }

    fn apply(&self, at: &Instant<'_>, out: &mut Loads<'_>) {
        if let Some(touch) = self.touch(at) {
            out.force_at(self.frame_a.body, &touch.point, -touch.force_on_b);
            out.force_at(self.frame_b.body, &touch.point, touch.force_on_b);
        }
    }

    fn potential_energy(&self, at: &Instant<'_>) -> f64 {
        let Some(depth) = self.touch(at).map(|touch| touch.proximity.depth) else { return 0.0 };
        match &self.subsurface {
            Some(layer) => layer.potential(&self.law, depth),
            None => self.law.potential(depth),
        }
    }

    fn contact(&self) -> Option<&dyn ContactElement> {
        Some(self)
    }
}

impl ContactElement for ContactForce {
    fn indentation(&self, at: &Instant<'_>) -> Indentation {
        let proximity = self.proximity(at);
        let rate = -proximity.normal.dot(&self.relative_velocity(at, &proximity.midpoint()));
        Indentation { depth: proximity.depth, rate }
    }

    fn normal_force(&self, at: &Instant<'_>) -> f64 {
        self.touch(at).map_or(0.0, |touch| touch.normal_force)
    }

    fn reach(&self) -> f64 {
        self.shapes.reach()
    }
}
