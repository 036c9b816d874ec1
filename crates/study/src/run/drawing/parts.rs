//! What is drawn of a model: bodies between the places where something attaches to them, joints, forces, surfaces.

use crate::build::{Built, each_frame};
use std::f64::consts::{PI, TAU};
use wolff_bone::flexible::FlexibleSource;
use wolff_contact::Shape;
use wolff_document::{ForceKind, Study, SurfaceShape};
use wolff_flexbody::FlexBody;
use wolff_multibody::spec::{BodySpec, ConstraintKind, FrameSpec, GROUND, JointKind};
use wolff_multibody::{Frame, System};
use wolff_report::outcome::MechanismClass;
use wolff_spatial::{Pose, Vec3};

/// Points along a beam that is drawn, and along a profile.
const ALONG_BEAM: usize = 17;
const ALONG_PROFILE: usize = 48;
/// Largest number of points of a surface whose outline is drawn.
const MOST_POINTS: usize = 300;
/// Points closer than this are one \[m\].
const SAME: f64 = 1e-9;

/// A line or outline of the drawing.
pub(super) struct Drawn {
    pub name: String,
    pub class: MechanismClass,
    of: Source,
}

/// Where its points come from.
enum Source {
    /// Points of frames, joined in their order.
    Path(Vec<Frame>),
    /// The outline of points of frames.
    Hull(Vec<Frame>),
    /// The outline of points on a frame.
    Cloud(Frame, Vec<Vec3>),
    /// A curve on a frame, and whether it is closed.
    Curve(Frame, Vec<Vec3>, bool),
    Sphere(Frame, f64),
    Plane(Frame),
    /// A beam: the body with that number, with nodes along the beam.
    Beam(usize, Box<FlexBody>),
}

/// A line or outline in ground axes \[m\].
pub(super) enum Shape3 {
    /// Points joined by lines, and whether the last is joined to the first.
    Curve(Vec<Vec3>, bool),
    /// The outline of points.
    Hull(Vec<Vec3>),
    Sphere(Vec3, f64),
    /// A point and the normal.
    Plane(Vec3, Vec3),
}

impl Drawn {
    /// Where it is; kinematics must be those of `q`.
    pub fn shape(&self, system: &System<'_>, q: &[f64]) -> Shape3 {
        let pose = |frame: &Frame| system.kin.pose(frame);
        let origins = |frames: &[Frame]| frames.iter().map(|f| pose(f).p).collect();
        let placed = |frame: &Frame, points: &[Vec3]| {
            let at = pose(frame);
            points.iter().map(|p| at.point(p)).collect()
        };
        match &self.of {
            Source::Path(frames) => Shape3::Curve(origins(frames), false),
            Source::Hull(frames) => Shape3::Hull(origins(frames)),
            Source::Cloud(frame, points) => Shape3::Hull(placed(frame, points)),
            Source::Curve(frame, points, closed) => Shape3::Curve(placed(frame, points), *closed),
            Source::Sphere(frame, radius) => Shape3::Sphere(pose(frame).p, *radius),
            Source::Plane(frame) => {
                let at = pose(frame);
                Shape3::Plane(at.p, at.R * Vec3::y())
            }
            Source::Beam(body, beam) => {
                let base = system.kin.bodies[*body].X_GB;
                let eta = &q[system.model.bodies()[*body].modal_q()];
                Shape3::Curve(beam_points(beam, eta).iter().map(|p| base.point(p)).collect(), false)
            }
        }
    }
}

/// Points along a deformed beam in its floating frame: `p₀ + Φ η + ½ g(η, η)`.
fn beam_points(beam: &FlexBody, eta: &[f64]) -> Vec<Vec3> {
    let n = eta.len();
    let place = |node: &wolff_flexbody::Node| {
        let linear: Vec3 = (0..n).map(|i| node.translation.fixed_view::<3, 1>(0, i) * eta[i]).sum();
        let pairs = node.second.iter().enumerate();
        let second: Vec3 = pairs.map(|(k, g)| g * (0.5 * eta[k / n] * eta[k % n])).sum();
        node.position + linear + second
    };
    // the first node is the floating frame itself
    beam.nodes.iter().skip(1).map(place).collect()
}

/// Everything that is drawn, from back to front; only of `bodies` if there are any.
pub(super) fn drawn_parts(study: &Study, built: &Built, bodies: &[String]) -> Vec<Drawn> {
    let mut held = built.study.clone();
    held.measures.clear();
    let attached = frames_of(&mut held);
    // a flexible body is drawn between its joints and contacts, not to muscles on its surface
    held.forces.clear();
    let scene = Scene { study, built, bodies, attached, held: frames_of(&mut held) };
    let mut parts = scene.surfaces();
    parts.extend(scene.bodies());
    parts.extend(scene.constraints());
    parts.extend(scene.forces());
    parts.extend(scene.joints());
    parts
}

/// Every frame of a study.
fn frames_of(study: &mut Study) -> Vec<FrameSpec> {
    let mut frames = Vec::new();
    each_frame(study, &mut |frame| frames.push(frame.clone()));
    frames
}

/// The body of a frame: the name before that of a node or segment.
fn body_of(name: &str) -> &str {
    name.split(['.', '#']).next().unwrap_or(name)
}

struct Scene<'a> {
    study: &'a Study,
    built: &'a Built,
    bodies: &'a [String],
    /// Frames of joints, constraints, forces and contacts.
    attached: Vec<FrameSpec>,
    /// The same without those of forces.
    held: Vec<FrameSpec>,
}

impl Scene<'_> {
    fn is_drawn(&self, body: &str) -> bool {
        body == GROUND || self.bodies.is_empty() || self.bodies.iter().any(|name| name == body_of(body))
    }

    /// The frame in the model, of a body that is drawn.
    fn frame(&self, spec: &FrameSpec) -> Option<Frame> {
        self.is_drawn(&spec.body).then(|| self.built.model.frame(spec)).flatten()
    }

    fn part(name: &str, class: MechanismClass, of: Source) -> Drawn {
        Drawn { name: name.into(), class, of }
    }

    fn bodies(&self) -> Vec<Drawn> {
        let mut names: Vec<&str> = Vec::new();
        let mut parts = Vec::new();
        for body in &self.built.study.model.bodies {
            let name = body_of(&body.name);
            let number = names.iter().position(|n| *n == name).unwrap_or(names.len());
            if number == names.len() {
                names.push(name);
            }
            if self.is_drawn(&body.name) {
                parts.extend(self.body(body).map(|(of, flexible)| {
                    let class = if flexible { MechanismClass::Flexible } else { MechanismClass::Body };
                    Self::part(name, class(number), of)
                }));
            }
        }
        parts
    }

    /// What is drawn of a body, and whether it is flexible.
    fn body(&self, body: &BodySpec) -> Option<(Source, bool)> {
        let flexible = self.study.flexible.iter().find(|f| f.name == body_of(&body.name));
        if let Some(FlexibleSource::Beam { beam, .. }) = flexible.map(|f| &f.source) {
            let at = |k: usize| beam.length * k as f64 / (ALONG_BEAM - 1) as f64;
            let names: Vec<String> = (0..ALONG_BEAM).map(|k| k.to_string()).collect();
            let nodes: Vec<(&str, f64)> = names.iter().enumerate().map(|(k, name)| (name.as_str(), at(k))).collect();
            let number = self.built.model.body_index(&body.name)?;
            let same_modes = self.built.model.bodies()[number].modal_q().len() == beam.shapes.len();
            if let (true, Ok(beam)) = (same_modes, beam.body(&body.name, &nodes, &[])) {
                return Some((Source::Beam(number, Box::new(beam)), true));
            }
        }
        let own = |spec: &&FrameSpec| match flexible {
            Some(_) => spec.body == body.name || spec.body.strip_prefix(&body.name).is_some_and(|r| r.starts_with('.')),
            None => spec.body == body.name,
        };
        let mut frames: Vec<(Frame, Vec3)> = Vec::new();
        let specs = if flexible.is_some() { &self.held } else { &self.attached };
        for spec in specs.iter().filter(own) {
            let Some(frame) = self.frame(spec) else { continue };
            let at = spec.pose.p;
            if !frames.iter().any(|(f, p)| f.body == frame.body && (p - at).norm() < SAME) {
                frames.push((frame, at));
            }
        }
        let mut frames: Vec<Frame> = frames.into_iter().map(|(frame, _)| frame).collect();
        if let ([only], None) = (&frames[..], &body.flexible) {
            let com = Frame { body: only.body, X_BF: Pose::translation(body.mass.com) };
            if (only.X_BF.p - body.mass.com).norm() > SAME {
                frames.push(com);
            } else if self.turns(body) {
                return Some((Source::Cloud(com, gyration(body)), false));
            }
        }
        (!frames.is_empty()).then(|| (Source::Hull(frames), flexible.is_some()))
    }

    /// Whether a body has inertia and no surface, so that only a figure of its own shows how it turns.
    fn turns(&self, body: &BodySpec) -> bool {
        let carried = self.built.study.model.joints.iter().find(|j| j.child.body == body.name);
        let slides = carried.is_some_and(|j| matches!(j.kind, JointKind::Slider { .. } | JointKind::Weld));
        let surfaces = |a: &FrameSpec| a.body == body.name;
        let touches = self.study.contacts.iter().any(|c| surfaces(&c.a.frame) || surfaces(&c.b.frame))
            || self.study.foundations.iter().any(|f| surfaces(&f.fixed) || surfaces(&f.moving));
        !(slides || touches) && body.mass.mass > 0.0
    }

    fn joints(&self) -> Vec<Drawn> {
        let joints = self.built.study.model.joints.iter();
        let turning = joints.filter(|j| {
            !matches!(j.kind, JointKind::Free | JointKind::Weld | JointKind::Slider { .. } | JointKind::Planar)
                && !j.name.contains('#')
        });
        let of_joints = turning.filter_map(|j| Some((&j.name, self.frame(&j.child)?)));
        let constraints = self.built.study.model.constraints.iter();
        let of_constraints = constraints.filter_map(|c| match &c.kind {
            ConstraintKind::Point { a, .. }
            | ConstraintKind::Spherical { a, .. }
            | ConstraintKind::Revolute { a, .. }
            | ConstraintKind::Universal { a, .. } => Some((&c.name, self.frame(a)?)),
            _ => None,
        });
        let all = of_joints.chain(of_constraints);
        all.map(|(name, frame)| Self::part(name, MechanismClass::Joint, Source::Path(vec![frame]))).collect()
    }

    fn constraints(&self) -> Vec<Drawn> {
        let rod = |c: &wolff_multibody::spec::ConstraintSpec| {
            let ConstraintKind::Distance { a, b, .. } = &c.kind else { return None };
            let ends = vec![self.frame(a)?, self.frame(b)?];
            Some(Self::part(&c.name, MechanismClass::Rod, Source::Path(ends)))
        };
        self.built.study.model.constraints.iter().filter_map(rod).collect()
    }

    fn forces(&self) -> Vec<Drawn> {
        let line = |force: &wolff_document::ForceSpec| {
            let (class, path) = match &force.kind {
                ForceKind::Spring { a, b, .. } => (MechanismClass::Spring, vec![a, b]),
                ForceKind::LineForce { a, b, .. } => (MechanismClass::Pull, vec![a, b]),
                ForceKind::Ligament { path, .. } => (MechanismClass::Pull, path.iter().collect()),
                _ => return None,
            };
            let path = path.into_iter().map(|f| self.frame(f)).collect::<Option<Vec<Frame>>>()?;
            Some(Self::part(&force.name, class, Source::Path(path)))
        };
        self.built.study.forces.iter().filter_map(line).collect()
    }

    fn surfaces(&self) -> Vec<Drawn> {
        let mut parts = Vec::new();
        for contact in &self.built.study.contacts {
            for side in [&contact.a, &contact.b] {
                let Some(frame) = self.frame(&side.frame) else { continue };
                let of = surface(&side.shape, frame);
                parts.extend(of.map(|of| Self::part(&contact.name, MechanismClass::Surface, of)));
            }
        }
        for foundation in &self.built.study.foundations {
            let Some(frame) = self.frame(&foundation.fixed) else { continue };
            let elements = &foundation.pair.elements().elements;
            let step = elements.len().div_ceil(MOST_POINTS).max(1);
            let points = elements.iter().step_by(step).map(|e| e.centre).collect();
            let of = Source::Cloud(frame, points);
            parts.push(Self::part(&foundation.name, MechanismClass::Surface, of));
        }
        parts
    }
}

/// Six points at the distance of the radius of gyration from the centre of mass.
fn gyration(body: &BodySpec) -> Vec<Vec3> {
    let radius = (body.mass.inertia.trace() / 2.0 / body.mass.mass).sqrt();
    [Vec3::x(), Vec3::y(), Vec3::z()].iter().flat_map(|e| [e * radius, e * -radius]).collect()
}

/// A surface of a contact; none of tables, which are only in part in memory.
fn surface(shape: &SurfaceShape, frame: Frame) -> Option<Source> {
    Some(match shape {
        SurfaceShape::Simple(Shape::Sphere { radius }) => Source::Sphere(frame, *radius),
        SurfaceShape::Simple(Shape::Plane) => Source::Plane(frame),
        SurfaceShape::Simple(Shape::Ellipsoid { semi_axes }) => Source::Cloud(frame, ellipsoid(semi_axes)),
        SurfaceShape::Profile(profile) => {
            let at = |k: usize| profile.point(profile.length() * k as f64 / ALONG_PROFILE as f64).position;
            let points = (0..=ALONG_PROFILE).map(|k| Vec3::new(at(k).x, at(k).y, 0.0)).collect();
            Source::Curve(frame, points, profile.is_closed())
        }
        SurfaceShape::Table(_) => return None,
    })
}

fn ellipsoid(semi_axes: &Vec3) -> Vec<Vec3> {
    const ROUND: usize = 24;
    const RINGS: usize = 12;
    let point = |ring: usize, k: usize| {
        let (latitude, longitude) = (PI * ring as f64 / RINGS as f64, TAU * k as f64 / ROUND as f64);
        let unit = Vec3::new(latitude.sin() * longitude.cos(), latitude.cos(), latitude.sin() * longitude.sin());
        unit.component_mul(semi_axes)
    };
    (0..=RINGS).flat_map(|ring| (0..ROUND).map(move |k| point(ring, k))).collect()
}
