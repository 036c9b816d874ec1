//! `[[force]]`: springs, torques, forces and wrenches.

use super::fields::Fields;
use super::function::read_function;
use super::ligament::ligament;
use super::model::frame_of;
use super::node::{Node, Value};
use super::reader::{Expected, Kind, Reader};
use nalgebra::Matrix6;
use wolff_formula::quantity::Dimension;
use wolff_multibody::force::{LigamentLaw, PassiveParameters, WrenchRow};
use wolff_multibody::spec::{FrameSpec, GROUND};
use wolff_numerics::TimeFunction;
use wolff_spatial::Vec3;

/// The kinds of forces.
const KINDS: [&str; 10] = [
    "spring",
    "torsion-spring",
    "bushing",
    "passive-torque",
    "point-force",
    "line-force",
    "coordinate-force",
    "wrench-table",
    "ground-force",
    "ligament",
];

/// A force element by names.
#[derive(Clone, Debug)]
pub struct ForceSpec {
    /// Unique name.
    pub name: String,
    /// What it does.
    pub kind: ForceKind,
}

/// The standard force elements, SI units.
#[derive(Clone, Debug)]
pub enum ForceKind {
    /// Spring and damper between two points.
    Spring {
        /// First point.
        a: FrameSpec,
        /// Second point.
        b: FrameSpec,
        /// Stiffness \[N/m\].
        stiffness: f64,
        /// Damping \[N s/m\].
        damping: f64,
        /// Length without force \[m\].
        rest_length: f64,
    },
    /// Spring and damper on a coordinate.
    TorsionSpring {
        /// Coordinate.
        coordinate: String,
        /// Stiffness \[N m/rad\].
        stiffness: f64,
        /// Damping \[N m s/rad\].
        damping: f64,
        /// Angle without torque \[rad\].
        free_angle: f64,
    },
    /// Six-component spring and damper between two frames.
    Bushing {
        /// First frame, in whose axes it acts.
        a: FrameSpec,
        /// Second frame.
        b: FrameSpec,
        /// Stiffness against displacement and rotation \[N/m, N, N m/rad\].
        stiffness: Box<Matrix6<f64>>,
        /// Damping against their rates.
        damping: Box<Matrix6<f64>>,
    },
    /// Passive torque of the tissues around a joint.
    PassiveTorque {
        /// Coordinate.
        coordinate: String,
        /// Parameters of the law.
        parameters: PassiveParameters,
    },
    /// Force and moment at a frame.
    PointForce {
        /// The frame at which it acts.
        on: FrameSpec,
        /// Components of the force \[N\].
        force: [TimeFunction; 3],
        /// Components of the moment \[N m\].
        torque: [TimeFunction; 3],
        /// Components are along the axes of the frame instead of those of the ground.
        in_frame_axes: bool,
    },
    /// Pull along the line between two points.
    LineForce {
        /// First point.
        a: FrameSpec,
        /// Second point.
        b: FrameSpec,
        /// Tension \[N\]: the sum of these functions.
        tension: Vec<TimeFunction>,
    },
    /// Force or torque on a coordinate.
    CoordinateForce {
        /// Coordinate.
        coordinate: String,
        /// Torque \[N m\] or force \[N\].
        function: TimeFunction,
    },
    /// Ligament along a path.
    Ligament {
        /// Origin, via points, insertion.
        path: Vec<FrameSpec>,
        /// Stiffness, toe region and damping.
        law: LigamentLaw,
        /// Stiffness of a quadratic spring \[N/m²\], which replaces the stiffness and the toe of `law`.
        quadratic: Option<f64>,
        /// Length at which the tension begins.
        slack: Slack,
    },
    /// Force of the ground at a point that moves, both functions of time.
    GroundForce {
        /// Body it acts on.
        body: String,
        /// Components of the force \[N\], in ground axes.
        force: [TimeFunction; 3],
        /// Point of application \[m\], in ground axes.
        point: [TimeFunction; 3],
    },
    /// Wrench from a table, for example of a force plate.
    WrenchTable {
        /// Body it acts on.
        body: String,
        /// Times \[s\].
        times: Vec<f64>,
        /// Wrenches.
        rows: Vec<WrenchRow>,
    },
}

/// Length at which the tension of a ligament begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Slack {
    /// This length \[m\].
    Length(f64),
    /// The length that gives this strain in the reference position, where all coordinates are zero.
    ReferenceStrain(f64),
}

/// Reads one `[[force]]`.
pub(crate) fn read_force(reader: &mut Reader<'_>, node: &Node) -> Option<ForceSpec> {
    let (mut fields, name) = Fields::named(reader, node, Kind::Force)?;
    let kind = match fields.choice(reader, "kind", &KINDS)?.as_str() {
        "spring" => spring(reader, &mut fields),
        "torsion-spring" => torsion_spring(reader, &mut fields),
        "bushing" => bushing(reader, &mut fields),
        "passive-torque" => passive_torque(reader, &mut fields),
        "point-force" => point_force(reader, &mut fields),
        "line-force" => line_force(reader, &mut fields),
        "coordinate-force" => coordinate_force(reader, &mut fields),
        "ligament" => ligament(reader, &mut fields),
        "ground-force" => ground_force(reader, &mut fields),
        _ => wrench_table(reader, &mut fields),
    };
    fields.finish(reader);
    Some(ForceSpec { name, kind: kind? })
}

fn spring(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<ForceKind> {
    let a = frame_of(reader, fields, "a");
    let b = frame_of(reader, fields, "b");
    let stiffness = fields.number_or(reader, "stiffness", Expected::of(Dimension::STIFFNESS).not_negative(), 0.0);
    let damping = fields.number_or(reader, "damping", Expected::of(Dimension::DAMPING).not_negative(), 0.0);
    let rest_length = fields.number(reader, "rest_length", Expected::of(Dimension::LENGTH).not_negative());
    Some(ForceKind::Spring { a: a?, b: b?, stiffness: stiffness?, damping: damping?, rest_length: rest_length? })
}

/// `tension` is a function of time, or an array of functions that are added.
fn line_force(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<ForceKind> {
    let a = frame_of(reader, fields, "a");
    let b = frame_of(reader, fields, "b");
    let node = fields.must(reader, "tension")?;
    let what = format!("`tension` of {}", fields.what);
    let terms = match &node.value {
        Value::Array(terms) => terms.as_slice(),
        _ => std::slice::from_ref(node),
    };
    let tension: Option<Vec<_>> = terms.iter().map(|term| read_function(reader, term, &what)).collect();
    Some(ForceKind::LineForce { a: a?, b: b?, tension: tension? })
}

fn torsion_spring(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<ForceKind> {
    let coordinate = fields.mention(reader, "coordinate", Kind::Coordinate);
    let stiffness = fields.number_or(reader, "stiffness", Expected::ANY.not_negative(), 0.0);
    let damping = fields.number_or(reader, "damping", Expected::ANY.not_negative(), 0.0);
    let free_angle = fields.number_or(reader, "free_angle", Expected::ANY, 0.0);
    Some(ForceKind::TorsionSpring {
        coordinate: coordinate?,
        stiffness: stiffness?,
        damping: damping?,
        free_angle: free_angle?,
    })
}

/// `damping` is a matrix of its own; `damping_time` \[s\] adds this time multiplied by the stiffness.
fn bushing(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<ForceKind> {
    let a = frame_of(reader, fields, "a");
    let b = frame_of(reader, fields, "b");
    let stiffness = matrix(reader, fields, "stiffness");
    let damping = matrix(reader, fields, "damping");
    let time = fields.number_or(reader, "damping_time", Expected::of(Dimension::TIME).not_negative(), 0.0);
    let stiffness = stiffness?;
    let damping = damping? + stiffness * time?;
    Some(ForceKind::Bushing { a: a?, b: b?, stiffness: Box::new(stiffness), damping: Box::new(damping) })
}

/// Six numbers of a diagonal, or six rows of six numbers; zero where the key is omitted.
fn matrix(reader: &mut Reader<'_>, fields: &mut Fields<'_>, key: &'static str) -> Option<Matrix6<f64>> {
    let Some(node) = fields.maybe(key) else { return Some(Matrix6::zeros()) };
    let what = format!("`{key}` of {}", fields.what);
    let rows = match &node.value {
        Value::Array(items) if items.iter().any(|item| matches!(item.value, Value::Array(_))) => items,
        _ => {
            let diagonal = reader.numbers(node, &what, Expected::ANY.not_negative())?;
            return match <[f64; 6]>::try_from(diagonal) {
                Ok(diagonal) => Some(Matrix6::from_diagonal(&diagonal.into())),
                Err(other) => wrong_count(reader, node, &what, other.len()),
            };
        }
    };
    let entries: Vec<_> = rows.iter().map(|row| reader.numbers(row, &what, Expected::ANY)).collect();
    let entries = entries.into_iter().collect::<Option<Vec<_>>>()?;
    match entries.len() == 6 && entries.iter().all(|row| row.len() == 6) {
        true => Some(Matrix6::from_fn(|i, j| entries[i][j])),
        false => wrong_count(reader, node, &what, entries.iter().map(Vec::len).sum()),
    }
}

fn wrong_count<T>(reader: &mut Reader<'_>, node: &Node, what: &str, count: usize) -> Option<T> {
    let help = Some("the order is: along x, y, z [N/m], then about x, y, z [N m/rad]".into());
    reader.wrong(&node.span, format!("{what} has {count} numbers, must have 6, or 6 rows of 6"), help)
}

fn passive_torque(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<ForceKind> {
    let angle = Expected::of(Dimension::ANGLE);
    let coordinate = fields.mention(reader, "coordinate", Kind::Coordinate);
    let stiffness = fields.number_or(reader, "stiffness", Expected::ANY.not_negative(), 0.0);
    let damping = fields.number_or(reader, "damping", Expected::ANY.not_negative(), 0.0);
    let neutral = fields.number_or(reader, "neutral", angle, 0.0);
    let lower = fields.number(reader, "lower", angle);
    let upper = fields.number(reader, "upper", angle);
    let limit_torque = fields.number(reader, "limit_torque", Expected::of(Dimension::TORQUE).not_negative());
    let width = fields.number(reader, "width", angle.positive());
    let parameters = PassiveParameters {
        stiffness: stiffness?,
        damping: damping?,
        neutral: neutral?,
        limits: [lower?, upper?],
        limit_torque: limit_torque?,
        width: width?,
    };
    Some(ForceKind::PassiveTorque { coordinate: coordinate?, parameters })
}

fn point_force(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<ForceKind> {
    let on = frame_of(reader, fields, "on");
    let force = components(reader, fields, "force");
    let torque = components(reader, fields, "torque");
    let axes = fields.choice_or(reader, "axes", &["ground", "frame"], "ground");
    Some(ForceKind::PointForce { on: on?, force: force?, torque: torque?, in_frame_axes: axes? == "frame" })
}

/// Three functions of time; zero where the key is omitted.
fn components(reader: &mut Reader<'_>, fields: &mut Fields<'_>, key: &'static str) -> Option<[TimeFunction; 3]> {
    let zero = || TimeFunction::Constant(0.0);
    let Some(node) = fields.maybe(key) else { return Some([zero(), zero(), zero()]) };
    let what = format!("`{key}` of {}", fields.what);
    match &node.value {
        Value::Array(items) if items.len() == 3 => {
            let found: Vec<_> = items.iter().map(|item| read_function(reader, item, &what)).collect();
            found.into_iter().collect::<Option<Vec<_>>>()?.try_into().ok()
        }
        _ => reader.wrong_kind(node, &what, "an array of 3 numbers or functions of time"),
    }
}

fn coordinate_force(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<ForceKind> {
    let coordinate = fields.mention(reader, "coordinate", Kind::Coordinate);
    let what = format!("`function` of {}", fields.what);
    let function = fields.must(reader, "function").and_then(|node| read_function(reader, node, &what));
    Some(ForceKind::CoordinateForce { coordinate: coordinate?, function: function? })
}

/// The body on which a force of the ground acts.
fn loaded_body(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<String> {
    let body = fields.name(reader, "body")?;
    if body != GROUND {
        reader.mention(Kind::Body, &body, &fields.span_of("body"));
    }
    Some(body)
}

fn ground_force(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<ForceKind> {
    let body = loaded_body(reader, fields);
    let force = components(reader, fields, "force");
    let point = components(reader, fields, "point");
    Some(ForceKind::GroundForce { body: body?, force: force?, point: point? })
}

/// Rows `[t, fx, fy, fz, px, py, pz, tx, ty, tz]`.
fn wrench_table(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<ForceKind> {
    let body = loaded_body(reader, fields);
    let node = fields.must(reader, "rows")?;
    let body = body?;
    let what = format!("`rows` of {}", fields.what);
    let Value::Array(items) = &node.value else {
        return reader.wrong_kind(node, &what, "an array of rows");
    };
    let mut times = Vec::new();
    let mut rows = Vec::new();
    for item in items {
        let row = reader.numbers(item, &what, Expected::ANY)?;
        let [t, fx, fy, fz, px, py, pz, tx, ty, tz] = row[..] else {
            let help = Some("a row is t, force (3), point (3), torque (3)".into());
            return reader.wrong(&item.span, format!("{what}: a row has {} numbers, must have 10", row.len()), help);
        };
        times.push(t);
        rows.push(WrenchRow {
            force: Vec3::new(fx, fy, fz),
            point: Vec3::new(px, py, pz),
            torque: Vec3::new(tx, ty, tz),
        });
    }
    Some(ForceKind::WrenchTable { body, times, rows })
}
