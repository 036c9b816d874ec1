//! An OpenSim model as the person, with the bodies, joints and muscles of the model.
//!
//! ```text
//! file --constraints removed--> tree --frames of a person--> segments --names of a person--> Skeleton, MuscleSet
//! ```
//! The result is a [`Skeleton`] like any other: the segments of the legs have their origin at the proximal joint and
//! the axes of the world in standing, and they and their angles have the names of this program, so that controllers,
//! bones and gauges do not depend on its source. Joints stay those of the file (knees that roll, oblique ankles), and
//! so do masses and muscle paths.
//!
//! The changes are listed in [`ImportedPerson::findings`]: locked coordinates are removed; a body that is coupled to
//! another coordinate (a patella) is merged into its parent, and paths over it run over points that move with the
//! independent coordinate; toes that are fixed or locked are freed, because the foot must roll over them; forces of the
//! file other than muscles are omitted.

pub(crate) mod bodies;
mod draft;
pub(crate) mod frames;
mod roles;

use crate::error::MovementError;
use bodies::{Bodies, LegBodies};
use draft::Draft;
use wolff_anatomy::muscles::Fibre;
use wolff_anatomy::skeleton::{FootPoint, Segment, foot_length, foot_points};
use wolff_anatomy::{CoordinateRole, Joint, Motion, SegmentName, Side, without_side};
use wolff_anatomy::{HumanMuscle, MuscleSet, Skeleton};
use wolff_motion::MuscleSpec;
use wolff_multibody::spec::{ConstraintKind, ConstraintSpec, GROUND, JointKind, ModelSpec};
use wolff_multibody::{Kinematics, Model};
use wolff_muscle::servo::MAX_MUSCLE_STRESS;
use wolff_opensim::OpensimSubject;
use wolff_spatial::{Pose, Vec3};
use wolff_verdict::{Finding, grouped};

/// A person that a model describes.
#[derive(Clone, Debug)]
pub struct ImportedPerson {
    /// Segments and joints.
    pub skeleton: Skeleton,
    /// The muscles of the model.
    pub muscles: MuscleSet,
    /// Findings about the model and its changes.
    pub findings: Vec<Finding>,
    /// Names of the coordinates in this program and in the file, without those of the first body.
    pub names: Vec<(String, String)>,
    /// Pose of the pelvis frame in the pelvis frame of the file.
    pub(crate) pelvis: Pose,
    /// Whether the toes turn up when their angle increases, right and left.
    pub(crate) toes_rise: [bool; 2],
}

impl ImportedPerson {
    /// Converts a model with OpenSim's body names to a person.
    pub fn new(subject: &OpensimSubject) -> Result<Self, MovementError> {
        let bodies = Bodies::find(&subject.subject)?;
        let name = |body: usize| subject.subject.model.bodies()[body].name.clone();
        let legs = bodies.legs.each_ref().map(|leg| LegNames::new(leg, &name));
        let mut draft = Draft::new(subject);
        for (leg, side) in legs.iter().zip(Side::BOTH) {
            free_toes(&mut draft, &leg.toes, side);
        }
        without_constraints(&mut draft)?;
        let pelvis = frames::of_a_person(&mut draft, &name(bodies.pelvis), &legs)?;
        let known = roles::rename(&mut draft, &name(bodies.pelvis), &legs, &upper(&bodies, &name))?;
        let standing = Standing::new(&draft)?;
        let toes_rise = Side::BOTH.map(|side| standing.axis(&toe_flexion(side)).is_none_or(|axis| axis.z > 0.0));
        draft.findings.extend(renamed_angles(&known));
        let inversion = Some((Joint::Ankle, Motion::Inversion));
        if !known.iter().any(|(here, _)| CoordinateRole::of(here).and_then(CoordinateRole::joint_motion) == inversion) {
            let message = "the feet of the model have no inversion: its ankles carry moments that muscles would carry, \
                and these bend the tibia sideways";
            draft.findings.push(Finding::warning(message, "strains of `skeleton=walking` are more reliable"));
        }
        let skeleton = skeleton(&draft, &standing, subject)?;
        let muscles = MuscleSet { muscles: muscles(&draft, &subject.converted.muscles) };
        Ok(ImportedPerson { skeleton, muscles, findings: draft.findings, names: known, pelvis, toes_rise })
    }

    /// The same person with another mass \[kg\]: every segment is heavier by the same factor.
    pub fn with_mass(mut self, mass: f64) -> Result<Self, MovementError> {
        let factor = mass / self.skeleton.mass();
        if !(factor > 0.0 && factor.is_finite()) {
            return Err(MovementError::rule("mass", format!("{mass} kg must be finite and above zero")));
        }
        let Some(mut spec) = self.skeleton.given.as_deref().cloned() else { return Ok(self) };
        let masses = spec.bodies.iter_mut().map(|b| &mut b.mass);
        for m in masses.chain(self.skeleton.segments.iter_mut().map(|s| &mut s.mass)) {
            m.mass *= factor;
            m.inertia *= factor;
        }
        self.skeleton.given = Some(spec.into());
        Ok(self)
    }
}

/// Note on the angles of the right side whose names in the model differ from those of this program.
fn renamed_angles(names: &[(String, String)]) -> Option<Finding> {
    let other = names.iter().filter(|(here, there)| here != there && Side::of(here) == Some(Side::Right));
    let pairs: Vec<String> = other.map(|(here, there)| format!("`{here}` is `{there}`")).collect();
    let message = || format!("names of angles in this program and in the model: {}", pairs.join(", "));
    (!pairs.is_empty()).then(|| Finding::note(message(), ""))
}

/// Names of trunk and arms in the file and in this program.
fn upper(bodies: &Bodies, name: &dyn Fn(usize) -> String) -> Vec<(String, &'static str)> {
    let mut names: Vec<(String, &'static str)> =
        bodies.torso.map(|torso| (name(torso), SegmentName::Thorax.name())).into_iter().collect();
    for (arm, side) in bodies.arms.iter().flatten().zip(Side::BOTH) {
        names.push((name(arm.humerus), SegmentName::UpperArm(side).name()));
        names.push((name(arm.forearm), SegmentName::Forearm(side).name()));
    }
    names
}

/// Names of a leg's bodies in the file.
struct LegNames {
    femur: String,
    tibia: String,
    talus: String,
    calcaneus: String,
    toes: String,
}

impl LegNames {
    fn new(leg: &LegBodies, name: &dyn Fn(usize) -> String) -> Self {
        LegNames {
            femur: name(leg.femur),
            tibia: name(leg.tibia),
            talus: name(leg.talus),
            calcaneus: name(leg.calcaneus),
            toes: name(leg.toes),
        }
    }
}

impl Draft {
    fn new(subject: &OpensimSubject) -> Self {
        let converted = &subject.converted;
        let mut findings = subject.findings();
        if !converted.forces.is_empty() {
            let names: Vec<&str> = converted.forces.iter().map(|f| f.name.as_str()).collect();
            let message = format!("forces of the model other than muscles are omitted: {}", grouped(&names));
            findings.push(Finding::note(message, "results do not include them"));
        }
        Draft {
            spec: converted.spec.clone(),
            paths: converted.muscles.iter().map(|m| m.path.clone()).collect(),
            ranges: converted.coordinates.iter().map(|c| (c.name.clone(), c.range)).collect(),
            findings,
        }
    }
}

/// Name of the angle of the toes.
pub(crate) fn toe_flexion(side: Side) -> String {
    CoordinateRole::angle(Joint::Toe, Motion::Flexion, Some(side)).name().unwrap_or_default()
}

/// Frees toes that are fixed or locked: they turn about the lateral axis of the foot.
fn free_toes(draft: &mut Draft, toes: &str, side: Side) {
    let Some(joint) = draft.spec.joints.iter_mut().find(|j| j.child.body == toes) else { return };
    let locks = |c: &ConstraintSpec| match &c.kind {
        ConstraintKind::Driver { terms, .. } => terms.iter().any(|(name, _)| joint.coordinates.contains(name)),
        _ => false,
    };
    let fixed = joint.coordinates.is_empty();
    if draft.spec.constraints.iter().filter(|c| locks(c)).count() < joint.coordinates.len() {
        return;
    }
    draft.spec.constraints.retain(|c| !locks(c));
    let axis = joint.parent.pose.R.transpose() * Vec3::z();
    joint.kind = JointKind::Pin { axis };
    joint.coordinates = vec![toe_flexion(side)];
    (joint.q0, joint.v0) = (vec![], vec![]);
    let how = if fixed { "fixed" } else { "locked" };
    let message = format!("`{toes}` is {how} in the model; here it is free, because the foot rolls over it");
    draft.findings.push(Finding::note(message, ""));
}

/// Removes every constraint: locked coordinates are removed, bodies of coupled coordinates are merged into their
/// parents.
fn without_constraints(draft: &mut Draft) -> Result<(), MovementError> {
    let constraints = std::mem::take(&mut draft.spec.constraints);
    let mut locked = Vec::new();
    for c in &constraints {
        match &c.kind {
            ConstraintKind::Driver { terms, function } if terms.len() == 1 => {
                let (name, factor) = &terms[0];
                locked.push((name.clone(), function.value(0.0) / factor));
            }
            ConstraintKind::Coupler { .. } => (),
            _ => {
                let rule = "closes a kinematic loop, which the forward simulation does not support; \
                     remove it from the model, or choose another `skeleton`";
                return Err(MovementError::rule(&c.name, rule));
            }
        }
    }
    let mut merged = Vec::new();
    for c in &constraints {
        let ConstraintKind::Coupler { dependent, independent, function } = &c.kind else { continue };
        match locked.iter().find(|(name, _)| name == independent) {
            Some((_, value)) => locked.push((dependent.clone(), function.value(*value))),
            None => {
                draft.absorb(dependent, independent, function)?;
                merged.push(format!("`{dependent}` to `{independent}`"));
            }
        }
    }
    for (name, value) in &locked {
        draft.hold(name, *value)?;
    }
    if !merged.is_empty() {
        let message = format!("bodies of coupled coordinates are merged into their parents: {}", merged.join(", "));
        draft.findings.push(Finding::note(message, ""));
    }
    if !locked.is_empty() {
        let names: Vec<&str> = locked.iter().map(|(name, _)| name.as_str()).collect();
        let message = format!("coordinates locked in the model and removed here: {}", grouped(&names));
        draft.findings.push(Finding::note(message, ""));
    }
    Ok(())
}

/// The model with all angles zero.
pub(crate) struct Standing {
    pub model: Model,
    pub kin: Kinematics,
}

impl Standing {
    fn new(draft: &Draft) -> Result<Self, MovementError> {
        Standing::of(draft.spec.clone())
    }

    pub fn of(spec: ModelSpec) -> Result<Self, MovementError> {
        let model = Model::build(&spec)?;
        let mut kin = Kinematics::new(&model);
        kin.update(&model, &vec![0.0; model.nq()], &vec![0.0; model.nv()]);
        Ok(Standing { model, kin })
    }

    fn body(&self, name: &str) -> Result<usize, MovementError> {
        let missing =
            || MovementError::Missing { what: "body", name: name.into(), purpose: "the skeleton of a person" };
        self.model.body_index(name).ok_or_else(missing)
    }

    fn pose(&self, name: &str) -> Result<Pose, MovementError> {
        Ok(self.kin.bodies[self.body(name)?].X_GB)
    }

    /// Axis in ground about which a coordinate turns; zero where it is a translation.
    pub fn axis(&self, coordinate: &str) -> Option<Vec3> {
        self.model.coordinate_index(coordinate).map(|k| self.kin.S[k].w)
    }
}

/// Segments of the draft, and points under its feet.
fn skeleton(draft: &Draft, standing: &Standing, subject: &OpensimSubject) -> Result<Skeleton, MovementError> {
    let bodies = standing.model.bodies();
    let mut segments = Vec::new();
    for (i, body) in bodies.iter().enumerate().skip(1) {
        let root = body.parent == 0;
        let parent = if root { GROUND.to_string() } else { bodies[body.parent].name.clone() };
        let place = |b: usize| standing.kin.bodies[b].X_GB;
        let joint = if root { Vec3::zeros() } else { place(body.parent).inverse_point(&place(i).p) };
        segments.push(Segment { name: body.name.clone(), parent, joint, turns: vec![], mass: body.mass });
    }
    let mut contacts: Vec<FootPoint> = Vec::new();
    for side in Side::BOTH {
        let (foot, toes) =
            (standing.pose(SegmentName::Foot(side).name())?, standing.pose(SegmentName::Toes(side).name())?);
        let joint = foot.inverse_point(&toes.p);
        let right = foot_points(foot_length(joint.x), Some(Vec3::new(joint.x, joint.y, side.outward() * joint.z)));
        contacts.extend(right.iter().map(|p| if side == Side::Left { p.mirrored() } else { p.clone() }));
    }
    Ok(Skeleton {
        name: subject.file.name.clone(),
        gravity: draft.spec.gravity.norm(),
        segments,
        contacts,
        given: Some(draft.spec.clone().into()),
    })
}

fn muscles(draft: &Draft, specs: &[MuscleSpec]) -> Vec<HumanMuscle> {
    let muscle = |(path, spec): (&wolff_muscle::PathSpec, &MuscleSpec)| {
        let p = &spec.parameters;
        HumanMuscle {
            name: spec.name.clone(),
            group: without_side(&spec.name).to_string(),
            side: Side::of(&spec.name),
            path: path.clone(),
            max_force: p.max_isometric_force,
            pcsa: p.max_isometric_force / MAX_MUSCLE_STRESS,
            fibre: Some(Fibre {
                optimal_length: p.optimal_fibre_length,
                slack_length: p.tendon_slack_length,
                pennation: p.pennation_angle,
                rigid_length: 0.0,
            }),
        }
    };
    draft.paths.iter().zip(specs).map(muscle).collect()
}
