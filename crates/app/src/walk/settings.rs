//! Parameters of controllers, floor and bones as settings of the simulation.

use super::plan::{BODIES, Body};
use super::values::Values;
use wolff_bone::Side;
use wolff_bone::person::{Forward, GivenBone};
use wolff_fem::material::Material;
use wolff_movement::bones::{BoneName, BoneSettings};
use wolff_movement::model::ground::FloorParameters;
use wolff_movement::tracking::{AgentSettings, ControllerSettings, PassiveRest, ServoSettings};
use wolff_movement::tracking::{MotionAgents, ReflexGains};
use wolff_spatial::Vec3;

/// How the muscles are controlled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Servo {
    FeedForward,
    Pd,
    Pid,
    Hill,
    Prescribed,
}

pub(super) const SERVOS: [(&str, Servo); 5] = [
    ("feed-forward", Servo::FeedForward),
    ("pd", Servo::Pd),
    ("pid", Servo::Pid),
    ("hill", Servo::Hill),
    ("prescribed", Servo::Prescribed),
];

pub(super) fn controllers(values: &mut Values<'_>) -> ControllerSettings {
    let servo = values.choice("servo", SERVOS);
    let radii = Vec3::new(values.number("pad_length"), values.number("pad_height"), values.number("pad_width"));
    ControllerSettings {
        floor: floor(values),
        pad_radii: radii,
        servo: ServoSettings {
            feed_forward: matches!(servo, Servo::FeedForward | Servo::Hill),
            error: values.number("servo_error"),
            derivative_time: values.number("servo_time"),
            integral_time: (servo == Servo::Pid).then(|| values.number("integral_time")),
        },
        hill: Some(reflex(values)).filter(|_| servo == Servo::Hill),
        fibres: values.choice("sharing", [("strength", false), ("fibres", true)]),
        agent: AgentSettings {
            turn_stiffness: values.number("agent_turn_stiffness"),
            turn_damping: values.number("agent_turn_damping"),
            stiffness: values.number("agent_stiffness"),
            damping: values.number("agent_damping"),
            side_stiffness: values.number("agent_side_stiffness"),
            side_damping: values.number("agent_side_damping"),
        },
        passive: values.choice(
            "passive",
            [("reference", PassiveRest::Reference), ("standing", PassiveRest::Standing), ("none", PassiveRest::None)],
        ),
        inversion_stiffness: values.number("inversion_stiffness"),
        motion_agents: motion_agents(values),
        upper_muscles: values.choice("upper_muscles", [("thesis", true), ("none", false)])
            && values.choice("skeleton", BODIES) == Body::Full,
        samples: values.whole("samples"),
        reserve: values.number("reserve"),
    }
}

/// Gains of the stretch reflex.
fn reflex(values: &mut Values<'_>) -> ReflexGains {
    let length = values.number("reflex_gain");
    ReflexGains { length, speed: length * values.number("reflex_time") }
}

/// Motion agents, where the reference lengths come from an inverse simulation with them.
fn motion_agents(values: &mut Values<'_>) -> Option<MotionAgents> {
    let agents = MotionAgents {
        stiffness: values.number("motion_agent_stiffness"),
        turn_stiffness: values.number("motion_agent_turn_stiffness"),
        damping_time: values.number("motion_agent_damping_time"),
    };
    values.choice("reference_source", [("motion", false), ("agents", true)]).then_some(agents)
}

fn floor(values: &mut Values<'_>) -> FloorParameters {
    let given = FloorParameters {
        stiffness: values.number("floor_stiffness"),
        heel_factor: values.number("heel_factor"),
        damping: values.number("floor_damping"),
        exponent: values.number("floor_exponent"),
        reference_depth: values.number("floor_depth"),
        heel_give: values.number("heel_give"),
        sole_give: values.number("sole_give"),
        full_damping_depth: values.number("full_damping_depth"),
        static_friction: values.number("static_friction"),
        dynamic_friction: values.number("dynamic_friction"),
        stiction_velocity: values.number("stiction_velocity"),
        friction_velocity: values.number("friction_velocity"),
    };
    match values.choice("floor", [("given", None), ("first", Some("first")), ("second", Some("second"))]) {
        Some(name) => FloorParameters::published(name).unwrap_or(given),
        None => given,
    }
}

/// Directions of a mesh by name; `None`: determined from the shape.
const FORWARD: [(&str, Option<[f64; 3]>); 7] = [
    ("auto", None),
    ("+x", Some([1.0, 0.0, 0.0])),
    ("-x", Some([-1.0, 0.0, 0.0])),
    ("+y", Some([0.0, 1.0, 0.0])),
    ("-y", Some([0.0, -1.0, 0.0])),
    ("+z", Some([0.0, 0.0, 1.0])),
    ("-z", Some([0.0, 0.0, -1.0])),
];

/// The mesh of the right tibia, if a file is given. The distance of its joint faces must be that of a tibia in one of
/// the units, and its forward direction must be given or determined.
fn given_tibia(values: &mut Values<'_>) -> Option<GivenBone> {
    let forward = values.choice("tibia_forward", FORWARD);
    let scale = ["tibia_scale_along", "tibia_scale_anterior", "tibia_scale_lateral"].map(|name| values.number(name));
    let mesh = values.study.meshes.get("tibia_mesh")?.clone();
    let forward = forward.map_or(Forward::Auto, |direction| Forward::Given(direction.into()));
    let bone = GivenBone { mesh, forward, scale };
    let wrong = |name: &str, error: wolff_bone::BoneError| (name.to_string(), error.to_string());
    let found = bone.unit().map_err(|e| wrong("tibia_mesh", e));
    match found.and_then(|_| bone.found_forward(Side::Right).map_err(|e| wrong("tibia_forward", e))) {
        Ok(_) => Some(bone),
        Err(mistake) => {
            values.mistakes.push(mistake);
            None
        }
    }
}

pub(super) fn bones(values: &mut Values<'_>) -> BoneSettings {
    const LEGS: [BoneName; 4] = [BoneName::TibiaRight, BoneName::TibiaLeft, BoneName::FemurRight, BoneName::FemurLeft];
    let bones =
        values.choice("bones", [("tibia_r", &LEGS[..1]), ("tibias", &LEGS[..2]), ("legs", &LEGS[..]), ("none", &[])]);
    let cortical: fn() -> Material = values.choice(
        "cortical",
        [
            ("cortical", Material::cortical_bone as fn() -> Material),
            ("cortical-printed", Material::cortical_bone_as_printed),
            ("reilly-burstein", Material::cortical_reilly_burstein),
            ("ashman", Material::cortical_ashman),
            ("rho", Material::cortical_rho),
        ],
    );
    let shaft = [values.number("shaft_anterior"), values.number("shaft_lateral")];
    BoneSettings {
        bones: bones.to_vec(),
        stature: values.number("stature"),
        sex: values.sex(),
        breadth: values.number("bone_breadth"),
        refinement: values.whole("refinement"),
        cortical: cortical(),
        damping_ratio: values.number("damping_ratio"),
        vibrations: values.whole("vibrations"),
        gauge_error: values.number("gauge_error"),
        shaft_offset: values.choice("shaft", [("built-in", false), ("given", true)]).then_some(shaft),
        tibia: given_tibia(values),
        fibula: values.choice("fibula", [("no", false), ("yes", true)]),
        cache: None,
    }
}
