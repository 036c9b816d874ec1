//! Parameters of controllers, floor and bones as settings of the simulation.

use super::plan::{BODIES, Body};
use super::values::Values;
use wolff_bone::Side;
use wolff_bone::person::GivenBone;
use wolff_fem::material::Material;
use wolff_movement::bones::{BoneName, BoneSettings, ModeChoice};
use wolff_movement::model::ground::FloorParameters;
use wolff_movement::tracking::{AgentSettings, ControllerSettings, LimitSettings, PassiveRest};
use wolff_movement::tracking::{MotionAgents, ReflexGains, published_inversion};
use wolff_movement::tracking::{SeriesSettings, ServoSettings};
use wolff_scan::ScanError;
use wolff_scan::given::{GivenFile, given_bone};
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
    let passive = values.choice(
        "passive",
        [("reference", PassiveRest::Reference), ("standing", PassiveRest::Standing), ("none", PassiveRest::None)],
    );
    ControllerSettings {
        floor: floor(values),
        pad_radii: radii,
        servo: servo_settings(values, servo),
        hill: Some(reflex(values)).filter(|_| servo == Servo::Hill),
        fibres: values.choice("sharing", [("strength", false), ("fibres", true)]),
        agent: agent(values, servo),
        passive,
        inversion_stiffness: inversion_stiffness(values, passive),
        limits: joint_limits(values),
        motion_agents: motion_agents(values, servo),
        upper_muscles: values.choice("upper_muscles", [("thesis", true), ("none", false)])
            && values.choice("skeleton", BODIES) == Body::Full,
        samples: values.whole("samples"),
        reserve: values.number("reserve"),
    }
}

/// Servos of the muscles.
fn servo_settings(values: &mut Values<'_>, servo: Servo) -> ServoSettings {
    let integral_time = (servo == Servo::Pid).then(|| values.number("integral_time"));
    let usual = if is_on_lengths_alone(servo) {
        ServoSettings::without_feed_forward(integral_time)
    } else {
        ServoSettings::default()
    };
    ServoSettings {
        feed_forward: matches!(servo, Servo::FeedForward | Servo::Hill),
        error: values.unless_set("servo_error", ServoSettings::default().error, usual.error),
        derivative_time: values.unless_set(
            "servo_time",
            ServoSettings::default().derivative_time,
            usual.derivative_time,
        ),
        integral_time,
        series: series_element(values),
    }
}

/// The element in series with the contractile one; `None`: rigid.
fn series_element(values: &mut Values<'_>) -> Option<SeriesSettings> {
    let (stretch, damping_time) = (values.number("series_stretch"), values.number("series_time"));
    (stretch > 0.0).then_some(SeriesSettings { stretch, damping_time })
}

/// Exponential passive moments at the limits of the joints; `None`: none.
fn joint_limits(values: &mut Values<'_>) -> Option<LimitSettings> {
    let limits = LimitSettings { moment: values.number("limit_moment"), width: values.number("limit_width") };
    values.choice("joint_limits", [("none", false), ("clinical", true)]).then_some(limits)
}

fn is_on_lengths_alone(servo: Servo) -> bool {
    matches!(servo, Servo::Pd | Servo::Pid)
}

/// The tracking agent.
fn agent(values: &mut Values<'_>, servo: Servo) -> AgentSettings {
    let own = AgentSettings::default();
    let usual = if is_on_lengths_alone(servo) { AgentSettings::WITHOUT_FEED_FORWARD } else { own };
    let mut value = |name: &str, own: f64, usual: f64| values.unless_set(name, own, usual);
    AgentSettings {
        turn_stiffness: value("agent_turn_stiffness", own.turn_stiffness, usual.turn_stiffness),
        turn_damping: value("agent_turn_damping", own.turn_damping, usual.turn_damping),
        stiffness: value("agent_stiffness", own.stiffness, usual.stiffness),
        damping: value("agent_damping", own.damping, usual.damping),
        side_stiffness: value("agent_side_stiffness", own.side_stiffness, usual.side_stiffness),
        side_damping: value("agent_side_damping", own.side_damping, usual.side_damping),
    }
}

/// Passive stiffness of ankle inversion [N m/rad].
fn inversion_stiffness(values: &mut Values<'_>, passive: PassiveRest) -> f64 {
    let own = ControllerSettings::default().inversion_stiffness;
    let is_published = values.word("muscles") == "thesis" && passive == PassiveRest::Reference;
    values.unless_set("inversion_stiffness", own, if is_published { published_inversion() } else { own })
}

/// Gains of the stretch reflex.
fn reflex(values: &mut Values<'_>) -> ReflexGains {
    let length = values.number("reflex_gain");
    ReflexGains { length, speed: length * values.number("reflex_time") }
}

/// Motion agents, where the reference lengths come from an inverse simulation with them.
fn motion_agents(values: &mut Values<'_>, servo: Servo) -> Option<MotionAgents> {
    let own = MotionAgents::default();
    let usual = if is_on_lengths_alone(servo) { MotionAgents::FIRM } else { own };
    let agents = MotionAgents {
        stiffness: values.unless_set("motion_agent_stiffness", own.stiffness, usual.stiffness),
        turn_stiffness: values.unless_set("motion_agent_turn_stiffness", own.turn_stiffness, usual.turn_stiffness),
        damping_time: values.number("motion_agent_damping_time"),
    };
    values.choice("reference_source", [("motion", false), ("agents", true)]).then_some(agents)
}

/// Least-squares steps of the fit of the motion to the floor.
pub(super) fn floor_fit_steps(values: &mut Values<'_>) -> usize {
    let is_viscous = matches!(values.word("floor").as_str(), "second" | "klodowski");
    values.unless_set("floor_fit_steps", 12.0, if is_viscous { 40.0 } else { 12.0 }).max(0.0) as usize
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
    let published = ["first", "second", "klodowski"].map(|name| (name, Some(name)));
    match values.choice("floor", [("given", None), published[0], published[1], published[2]]) {
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

/// A bone that a parameter names.
#[derive(Clone, Debug)]
pub(super) struct GivenParameter {
    /// The parameter.
    pub name: &'static str,
    file: GivenFile,
    scale: [f64; 3],
}

impl GivenParameter {
    /// Makes the bone; `progress` receives the stage and its part of the whole.
    pub fn make(&self, progress: &mut dyn FnMut(&str, f64) -> bool) -> Result<GivenBone, ScanError> {
        Ok(GivenBone { scale: self.scale, ..given_bone(&self.file, progress)? })
    }
}

/// The bones that are given.
pub(super) fn given(values: &mut Values<'_>, force: bool) -> Vec<GivenParameter> {
    let parameters = [("tibia", false), ("femur", true)];
    parameters.into_iter().filter_map(|(name, is_femur)| given_parameter(values, name, is_femur, force)).collect()
}

fn given_parameter(values: &mut Values<'_>, name: &'static str, is_femur: bool, force: bool) -> Option<GivenParameter> {
    let named = |what: &str| format!("{name}_{what}");
    let sides = [("auto", None), ("right", Some(Side::Right)), ("left", Some(Side::Left))];
    let label = values.whole(&named("label"));
    let calibration = ["ct_density_offset", "ct_density_slope"].map(|what| values.number(what));
    let scale = ["scale_along", "scale_anterior", "scale_lateral"].map(|what| values.number(&named(what)));
    let file = GivenFile {
        path: values.study.named_files.get(name).cloned().unwrap_or_default(),
        sha256: values.study.inputs.iter().find(|i| i.parameter == name).map_or(String::new(), |i| i.sha256.clone()),
        is_femur,
        side: values.choice(&named("side"), sides),
        forward: values.choice(&named("forward"), FORWARD).map(Vec3::from),
        label: u16::try_from(label).ok().filter(|label| *label > 0),
        calibration: Some(calibration).filter(|[_, slope]| *slope > 0.0),
        relation: values.word("ct_relation"),
        wall: ["wall_shaft", "wall_ends"].map(|what| values.number(what)),
        size: values.number("scan_element_size"),
        force,
    };
    (!file.path.as_os_str().is_empty()).then_some(GivenParameter { name, file, scale })
}

/// Which modes flexible bones keep.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Modes {
    Gauges,
    Lowest,
    StrainEnergy,
}

pub(super) const MODES: [(&str, Modes); 3] =
    [("gauges", Modes::Gauges), ("lowest", Modes::Lowest), ("strain-energy", Modes::StrainEnergy)];

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
        stiffening: values.choice("stiffening", [("no", false), ("yes", true)]),
        modes: match values.choice("modes", MODES) {
            Modes::Gauges => ModeChoice::Gauges,
            Modes::Lowest => ModeChoice::Lowest(values.whole("mode_count").max(1)),
            // chosen once their strain energy is known
            Modes::StrainEnergy => ModeChoice::All,
        },
        surface: values.choice("mode_pictures", [("no", false), ("yes", true)]),
        vibrations: values.whole("vibrations"),
        gauge_error: values.number("gauge_error"),
        shaft_offset: values.choice("shaft", [("built-in", false), ("given", true)]).then_some(shaft),
        given: Vec::new(),
        carried_muscles: values.choice("muscles_on_given", [("carried", true), ("kept", false)]),
        fibula: values.choice("fibula", [("no", false), ("yes", true)]),
        cache: None,
    }
}
