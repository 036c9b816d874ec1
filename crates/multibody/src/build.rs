//! From what a person wrote to what the solver runs, with all mistakes reported at once.

use crate::constraint;
use crate::error::{SpecError, SpecErrors};
use crate::flexible::Flexible;
use crate::model::{Body, FlexibleRef, Model, NodeRef};
use crate::spec::{BodySpec, FrameSpec, GROUND, JointKind, JointSpec, ModelSpec};
use std::collections::{HashMap, HashSet};
use wolff_spatial::{MassProperties, Pose, Quaternion, Vec3};

impl Model {
    /// Builds the model, or lists everything that is wrong with the specification.
    pub fn build(spec: &ModelSpec) -> Result<Model, SpecErrors> {
        let mut errors = Vec::new();
        check_names(spec, &mut errors);
        check_bodies(spec, &mut errors);
        check_joints(spec, &mut errors);
        let order = depth_first(spec, &mut errors);
        SpecErrors::check(std::mem::take(&mut errors))?;
        let mut model = lay_out(spec, &order, &mut errors);
        constraint::resolve(spec, &mut model, &mut errors);
        SpecErrors::check(errors)?;
        Ok(model)
    }
}

fn check_names(spec: &ModelSpec, errors: &mut Vec<SpecError>) {
    let mut unique = |kind: &str, names: &mut dyn Iterator<Item = &String>| {
        let mut seen = HashSet::new();
        for name in names {
            if name.is_empty() {
                errors.push(SpecError::new(kind, format!("a {kind} has no name; give each its own")));
            } else if !seen.insert(name.clone()) {
                errors.push(SpecError::new(name, format!("this {kind} name is used twice; give each its own")));
            }
        }
    };
    unique("body", &mut spec.bodies.iter().map(|b| &b.name));
    unique("joint", &mut spec.joints.iter().map(|j| &j.name));
    unique("constraint", &mut spec.constraints.iter().map(|c| &c.name));
}

fn check_bodies(spec: &ModelSpec, errors: &mut Vec<SpecError>) {
    if !spec.gravity.iter().all(|g| g.is_finite()) {
        errors.push(SpecError::new(&spec.name, "gravity must be three finite numbers"));
    }
    for body in &spec.bodies {
        if body.name == GROUND {
            errors.push(SpecError::new(GROUND, "`ground` is the immovable body; name this one otherwise"));
        }
        let m = &body.mass;
        if let Err(e) = MassProperties::new(m.mass, m.com, m.inertia) {
            errors.push(SpecError::new(&body.name, e.to_string()));
        }
        check_flexible(body, errors);
        let carries = spec.joints.iter().any(|j| owner(spec, &j.parent.body) == body.name);
        // a body that is welded to another one moves with it, whether it has mass or not
        let welded = spec.joints.iter().any(|j| j.child.body == body.name && matches!(j.kind, JointKind::Weld));
        if m.mass == 0.0 && !carries && !welded {
            errors.push(SpecError::new(&body.name, "mass is 0 and no other body hangs on it; give it a mass"));
        }
        let carried = spec.joints.iter().filter(|j| owner(spec, &j.child.body) == body.name).count();
        if carried == 0 {
            errors.push(SpecError::new(
                &body.name,
                "no joint has this body as its child; hang it on ground or on another body (a free joint leaves it \
                 loose)",
            ));
        }
        if carried > 1 {
            errors.push(SpecError::new(
                &body.name,
                format!("{carried} joints have this body as their child; keep one and write the others as constraints"),
            ));
        }
    }
}

/// The reduced body is sound, its initial values fit, and its mass is that of the specification.
fn check_flexible(body: &BodySpec, errors: &mut Vec<SpecError>) {
    let Some(flexible) = &body.flexible else { return };
    if let Err(e) = flexible.body.check() {
        errors.push(SpecError::new(&body.name, e.to_string()));
    }
    let modes = flexible.body.modes();
    for (what, given) in [("modal coordinates", &flexible.eta0), ("modal speeds", &flexible.eta_dot0)] {
        if !given.is_empty() && given.len() != modes {
            let rule = format!("{} initial {what} given, the body has {modes} modes", given.len());
            errors.push(SpecError::new(&body.name, rule));
        }
        if given.iter().any(|x| !x.is_finite()) {
            errors.push(SpecError::new(&body.name, format!("initial {what} must be finite numbers")));
        }
    }
}

/// The body that a frame is on: of `shank.ankle` the flexible body `shank`, of any other name itself.
fn owner<'a>(spec: &ModelSpec, name: &'a str) -> &'a str {
    match name.rsplit_once('.') {
        Some((body, _)) if spec.bodies.iter().any(|b| b.name == body && b.flexible.is_some()) => body,
        _ => name,
    }
}

/// Why a frame cannot be on the body or node of this name.
fn frame_mistake(spec: &ModelSpec, name: &str) -> Option<String> {
    if name == GROUND {
        return None;
    }
    let body = owner(spec, name);
    let Some(found) = spec.bodies.iter().find(|b| b.name == body) else {
        return Some(format!("body `{body}` does not exist"));
    };
    let flexible = &found.flexible.as_ref()?.body;
    let known = name.strip_prefix(body).and_then(|n| n.strip_prefix('.')).is_some_and(|n| flexible.node(n).is_ok());
    let nodes: Vec<&str> = flexible.nodes.iter().map(|n| n.name.as_str()).collect();
    let (list, first) = (nodes.join(", "), nodes.last().copied().unwrap_or("base"));
    (!known).then(|| format!("body `{body}` bends: attach to one of its nodes ({list}), as in `{body}.{first}`"))
}

fn check_joints(spec: &ModelSpec, errors: &mut Vec<SpecError>) {
    for joint in &spec.joints {
        for (side, frame) in [("parent", &joint.parent), ("child", &joint.child)] {
            check_frame(spec, &joint.name, side, frame, errors);
        }
        if joint.child.body == GROUND {
            errors.push(SpecError::new(&joint.name, "ground cannot be the child of a joint; swap parent and child"));
        }
        check_axes(joint, errors);
        check_initial(joint, errors);
        let names = joint.coordinates.len();
        if names != 0 && names != joint.kind.nv() {
            let wanted = joint.kind.nv();
            errors.push(SpecError::new(&joint.name, format!("{names} coordinate names given, the joint has {wanted}")));
        }
    }
}

/// A frame's body exists and its pose is a rotation and a finite point.
pub(crate) fn check_frame(spec: &ModelSpec, object: &str, side: &str, frame: &FrameSpec, errors: &mut Vec<SpecError>) {
    if let Some(mistake) = frame_mistake(spec, &frame.body) {
        errors.push(SpecError::new(object, format!("{side} {mistake}")));
    }
    let R = &frame.pose.R;
    let off = (R.transpose() * R - wolff_spatial::Mat3::identity()).amax();
    let finite = frame.pose.p.iter().all(|x| x.is_finite());
    if !(off < 1e-9 && finite && R.determinant() > 0.0) {
        errors.push(SpecError::new(object, format!("the {side} frame is not a rotation and a finite point")));
    }
}

fn check_axes(joint: &JointSpec, errors: &mut Vec<SpecError>) {
    let axes: &[Vec3] = match &joint.kind {
        JointKind::Pin { axis } | JointKind::Slider { axis } | JointKind::Cylindrical { axis } => {
            std::slice::from_ref(axis)
        }
        JointKind::Universal { axes } => axes,
        JointKind::Gimbal { axes } => axes,
        _ => &[],
    };
    if let Some(axis) = axes.iter().find(|a| !((a.norm() - 1.0).abs() < 1e-9)) {
        let [x, y, z] = (*axis).into();
        errors.push(SpecError::new(&joint.name, format!("axis ({x}, {y}, {z}) must have unit length")));
    }
}

fn check_initial(joint: &JointSpec, errors: &mut Vec<SpecError>) {
    let wanted = [("coordinates", &joint.q0, joint.kind.nq()), ("speeds", &joint.v0, joint.kind.nv())];
    for (what, given, n) in wanted {
        if !given.is_empty() && given.len() != n {
            let len = given.len();
            errors.push(SpecError::new(&joint.name, format!("{len} initial {what} given, the joint has {n}")));
        }
        if given.iter().any(|x| !x.is_finite()) {
            errors.push(SpecError::new(&joint.name, format!("initial {what} must be finite numbers")));
        }
    }
    if joint.kind.has_quaternion() && joint.q0.len() == joint.kind.nq() {
        let norm = Quaternion::from_slice(&joint.q0).norm();
        if (norm - 1.0).abs() > 1e-6 {
            errors.push(SpecError::new(&joint.name, format!("the initial quaternion has norm {norm}, must be 1")));
        }
    }
}

/// Joint indices in depth-first order from ground; bodies that hang on each other in a circle are reported.
fn depth_first(spec: &ModelSpec, errors: &mut Vec<SpecError>) -> Vec<usize> {
    let mut children: HashMap<&str, Vec<usize>> = HashMap::new();
    for (i, joint) in spec.joints.iter().enumerate() {
        children.entry(owner(spec, &joint.parent.body)).or_default().push(i);
    }
    let mut order = Vec::with_capacity(spec.joints.len());
    let mut visited = vec![false; spec.joints.len()];
    let mut stack: Vec<usize> = children.get(GROUND).into_iter().flatten().rev().copied().collect();
    while let Some(i) = stack.pop() {
        if std::mem::replace(&mut visited[i], true) {
            continue;
        }
        order.push(i);
        stack.extend(children.get(owner(spec, &spec.joints[i].child.body)).into_iter().flatten().rev());
    }
    for (i, joint) in spec.joints.iter().enumerate() {
        let parent = owner(spec, &joint.parent.body);
        let known = parent == GROUND || spec.bodies.iter().any(|b| b.name == parent);
        if !visited[i] && known {
            errors.push(SpecError::new(
                &joint.name,
                "its bodies hang on each other in a circle and none on ground; open the circle and close it with a \
                 constraint",
            ));
        }
    }
    order
}

fn lay_out(spec: &ModelSpec, order: &[usize], errors: &mut Vec<SpecError>) -> Model {
    let mut model = Model {
        name: spec.name.clone(),
        gravity: spec.gravity,
        bodies: vec![Model::ground()],
        flexible: Vec::new(),
        coordinate_names: Vec::new(),
        position_of_speed: Vec::new(),
        speed_parent: Vec::new(),
        nq: 0,
        constraints: Vec::new(),
        row_count: 0,
        forces: Vec::new(),
        q0: Vec::new(),
        v0: Vec::new(),
    };
    for &i in order {
        append_body(&mut model, spec, &spec.joints[i]);
    }
    let mut seen = HashSet::new();
    for name in &model.coordinate_names {
        if !seen.insert(name) {
            errors.push(SpecError::new(name, "this coordinate name is used twice; give each its own"));
        }
    }
    model
}

fn append_body(model: &mut Model, spec: &ModelSpec, joint: &JointSpec) {
    // the checks have made sure that both exist
    let Some(parent) = model.body_index(&joint.parent.body) else { return };
    let Some(body) = spec.bodies.iter().find(|b| b.name == owner(spec, &joint.child.body)) else { return };
    let index = model.bodies.len();
    let modes = body.flexible.as_ref().map_or(0, |f| f.body.modes());
    let (nq, nv) = (joint.kind.nq() + modes, joint.kind.nv() + modes);
    let (q_start, v_start) = (model.nq, model.nv());
    append_coordinates(model, parent, body, joint);
    model.nq += nq;
    if let Some(node) = model.bodies[parent].node.as_mut() {
        node.carries = true;
    }
    let place = body.flexible.as_ref().map(|flexible| {
        model.flexible.push(Flexible::new(flexible.body.clone()));
        let nodes = &flexible.body.nodes;
        let on_joint = |n: &wolff_flexbody::Node| joint.child.body == format!("{}.{}", body.name, n.name);
        FlexibleRef {
            index: model.flexible.len() - 1,
            joint_node: nodes.iter().position(on_joint).unwrap_or(0),
            nodes: (index + 1, index + 1 + nodes.len()),
        }
    });
    model.bodies.push(Body {
        name: body.name.clone(),
        parent,
        root: if parent == 0 { index } else { model.bodies[parent].root },
        joint_name: joint.name.clone(),
        joint: joint.kind.clone(),
        X_PF: joint.parent.pose,
        X_MB: joint.child.pose.inverse(),
        parent_aligned: joint.parent.pose.R == Pose::IDENTITY.R,
        child_coincides: joint.child.pose == Pose::IDENTITY && modes == 0,
        mass: body.mass,
        q_start,
        nq,
        v_start,
        nv,
        modes,
        flexible: place,
        node: None,
    });
    if let Some(place) = place {
        append_nodes(model, index, &place);
    }
}

/// Coordinates and speeds of a body: those of its joint, then its modes.
fn append_coordinates(model: &mut Model, parent: usize, body: &BodySpec, joint: &JointSpec) {
    let (q_start, v_start) = (model.nq, model.nv());
    let (joint_nq, joint_nv) = (joint.kind.nq(), joint.kind.nv());
    let modes = body.flexible.as_ref().map_or(0, |f| f.body.modes());
    let inboard = last_speed(model, parent);
    for k in 0..joint_nv + modes {
        model.speed_parent.push(if k == 0 { inboard } else { Some(v_start + k - 1) });
        if k < joint_nv {
            model.position_of_speed.push(joint.kind.position_of_speed(k).map(|p| q_start + p));
            model.coordinate_names.push(coordinate_name(joint, k));
        } else {
            model.position_of_speed.push(Some(q_start + joint_nq + k - joint_nv));
            model.coordinate_names.push(format!("{}.mode{}", body.name, k - joint_nv + 1));
        }
    }
    let mut q0 = vec![0.0; joint_nq];
    joint.kind.reference_position(&mut q0);
    model.q0.extend(if joint.q0.is_empty() { &q0 } else { &joint.q0 });
    let rest = vec![0.0; joint_nv];
    model.v0.extend(if joint.v0.is_empty() { &rest } else { &joint.v0 });
    if let Some(flexible) = &body.flexible {
        let rest = vec![0.0; modes];
        model.q0.extend(if flexible.eta0.is_empty() { &rest } else { &flexible.eta0 });
        model.v0.extend(if flexible.eta_dot0.is_empty() { &rest } else { &flexible.eta_dot0 });
    }
}

/// The nodes of the flexible body `index`, as massless bodies that it carries.
fn append_nodes(model: &mut Model, index: usize, place: &FlexibleRef) {
    let data = model.flexible[place.index].data.clone();
    for (k, node) in data.nodes.iter().enumerate() {
        let owner = &model.bodies[index];
        let at = NodeRef {
            flexible: place.index,
            node: k,
            columns: model.node_columns(),
            q_modes: owner.modal_q().start,
            v_modes: owner.modal_v().start,
            carries: false,
        };
        let body = Body {
            name: format!("{}.{}", owner.name, node.name),
            parent: index,
            root: owner.root,
            joint_name: String::new(),
            node: Some(at),
            q_start: model.nq,
            v_start: model.nv(),
            ..Model::ground()
        };
        model.bodies.push(body);
    }
}

fn coordinate_name(joint: &JointSpec, k: usize) -> String {
    match joint.coordinates.get(k) {
        Some(name) => name.clone(),
        None if joint.kind.nv() == 1 => joint.name.clone(),
        None => format!("{}.{}", joint.name, joint.kind.coordinate_suffixes()[k]),
    }
}

/// The last speed on the way from `body` to ground.
fn last_speed(model: &Model, mut body: usize) -> Option<usize> {
    while body != 0 {
        let b = &model.bodies[body];
        if b.nv > 0 {
            return Some(b.v_start + b.nv - 1);
        }
        body = b.parent;
    }
    None
}
