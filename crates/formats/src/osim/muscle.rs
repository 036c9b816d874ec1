//! Muscles as data: the properties of every class by name, the others as named numbers and curves.

use super::function::{self, OsimFunction};
use super::path::{self, OsimPath};
use super::xml::{Context, Node, Object, elements, name_of, says_something};
use crate::FormatError;
use crate::number;

/// A muscle of any class.
#[derive(Clone, Debug, PartialEq)]
pub struct OsimMuscle {
    /// Name.
    pub name: String,
    /// Class, such as `Thelen2003Muscle`.
    pub class: String,
    /// Whether it is enabled.
    pub enabled: bool,
    /// Its path.
    pub path: OsimPath,
    /// Maximum isometric force \[N\].
    pub max_isometric_force: f64,
    /// Optimal fibre length \[m\].
    pub optimal_fiber_length: f64,
    /// Slack length of the tendon \[m\].
    pub tendon_slack_length: f64,
    /// Pennation at the optimal fibre length \[rad\].
    pub pennation_angle: f64,
    /// Maximum contraction velocity \[optimal fibre lengths/s\].
    pub max_contraction_velocity: f64,
    /// Whether the tendon is rigid.
    pub ignore_tendon_compliance: bool,
    /// Whether activation is the control itself.
    pub ignore_activation_dynamics: bool,
    /// Minimum control; `None` where the file has no value.
    pub min_control: Option<f64>,
    /// Maximum control; `None` where the file has no value.
    pub max_control: Option<f64>,
    /// All other numbers that the class has, by their names in the file (flags are 0 or 1).
    pub parameters: Vec<(String, f64)>,
    /// Curves and activation models, by the names of the properties.
    pub curves: Vec<OsimCurve>,
}

/// A curve of a muscle.
#[derive(Clone, Debug, PartialEq)]
pub struct OsimCurve {
    /// The property it is the value of.
    pub name: String,
    /// Class, such as `ActiveForceLengthCurve`.
    pub class: String,
    /// Its numbers (flags are 0 or 1).
    pub parameters: Vec<(String, f64)>,
    /// The curve, where the class is a function.
    pub function: Option<OsimFunction>,
}

impl OsimMuscle {
    /// A number of the class by its name in the file.
    pub fn parameter(&self, name: &str) -> Option<f64> {
        self.parameters.iter().find(|(n, _)| n == name).map(|(_, x)| *x)
    }
}

/// Whether a tag is a muscle.
pub(super) fn is_muscle(tag: &str) -> bool {
    tag.ends_with("Muscle") || tag.ends_with("Muscle_Deprecated")
}

/// Reads a muscle. Numbers that are absent have the defaults of OpenSim's class `Muscle`.
pub(super) fn read<'a>(context: &mut Context<'a>, node: Node<'a>) -> Result<OsimMuscle, FormatError> {
    let mut o = context.object(node);
    let old_pennation = o.number("pennation_angle", 0.0)?;
    let old_speed = o.number("Vmax", 10.0)?;
    let mut muscle = OsimMuscle {
        name: o.name(),
        class: o.class().into(),
        enabled: o.enabled()?,
        path: path::read_of(context, &mut o)?,
        max_isometric_force: o.number("max_isometric_force", 1000.0)?,
        optimal_fiber_length: o.number("optimal_fiber_length", 0.1)?,
        tendon_slack_length: o.number("tendon_slack_length", 0.2)?,
        pennation_angle: o.number("pennation_angle_at_optimal", old_pennation)?,
        max_contraction_velocity: o.number("max_contraction_velocity", old_speed)?,
        ignore_tendon_compliance: o.flag("ignore_tendon_compliance", false)?,
        ignore_activation_dynamics: o.flag("ignore_activation_dynamics", false)?,
        min_control: o.bound("min_control")?,
        max_control: o.bound("max_control")?,
        parameters: Vec::new(),
        curves: Vec::new(),
    };
    read_rest(context, &mut o, &mut muscle)?;
    Ok(muscle)
}

/// Everything else that is a number or a curve; other elements are listed.
fn read_rest<'a>(context: &mut Context<'a>, o: &mut Object<'a>, muscle: &mut OsimMuscle) -> Result<(), FormatError> {
    let defaults = context.defaults.get(o.class()).map(|&d| context.object(d).unread()).unwrap_or_default();
    let own = o.unread();
    let is_own = |n: &Node<'a>| elements(o.node).any(|c| c.tag_name() == n.tag_name());
    let inherited = defaults.into_iter().filter(|n| !is_own(n) && !is_read_by_name(n.tag_name().name()));
    for node in own.iter().copied().chain(inherited) {
        if let Some(number) = leaf(&node) {
            muscle.parameters.push((node.tag_name().name().into(), number));
        } else if let Some(curve) = read_curve(context, node, &muscle.name)? {
            muscle.curves.push(curve);
        } else {
            context.list(&node, &muscle.name);
        }
    }
    Ok(())
}

/// Properties that [`read`] takes by name, also from the defaults.
fn is_read_by_name(tag: &str) -> bool {
    const NAMES: [&str; 16] = [
        "GeometryPath",
        "path",
        "MusclePointSet",
        "MuscleWrapSet",
        "appliesForce",
        "isDisabled",
        "max_isometric_force",
        "optimal_fiber_length",
        "tendon_slack_length",
        "pennation_angle_at_optimal",
        "max_contraction_velocity",
        "ignore_tendon_compliance",
        "ignore_activation_dynamics",
        "min_control",
        "max_control",
        "Vmax",
    ];
    NAMES.contains(&tag)
}

/// The number or flag of an element without children.
fn leaf(node: &Node<'_>) -> Option<f64> {
    if elements(*node).next().is_some() {
        return None;
    }
    match node.text().unwrap_or_default().trim() {
        "true" => Some(1.0),
        "false" => Some(0.0),
        text => number::read(text).ok().filter(|x| !x.is_nan()),
    }
}

/// A curve: an object with numbers, or a function, possibly in a wrapper that names it.
fn read_curve<'a>(context: &mut Context<'a>, node: Node<'a>, owner: &str) -> Result<Option<OsimCurve>, FormatError> {
    let tag = node.tag_name().name();
    let wrapped = tag.ends_with("_curve");
    let Some(object) = (if wrapped { elements(node).next() } else { Some(node) }) else { return Ok(None) };
    let name = if wrapped || name_of(&node).is_empty() { tag.to_string() } else { name_of(&node) };
    let class = object.tag_name().name().to_string();
    let children: Vec<_> = elements(object).filter(says_something).collect();
    let parameters: Vec<_> =
        children.iter().filter_map(|n| Some((n.tag_name().name().to_string(), leaf(n)?))).collect();
    if parameters.len() == children.len() {
        return Ok(Some(OsimCurve { name, class, parameters, function: None }));
    }
    if !class.ends_with("Spline") && !class.ends_with("Function") {
        return Ok(None);
    }
    let function = Some(function::read(context, object, owner)?);
    Ok(Some(OsimCurve { name, class, parameters: Vec::new(), function }))
}
