//! Parts of a body in one line of text: the nodes of an interface, the place of a point or a gauge.
//!
//! | text | nodes |
//! |---|---|
//! | `PROXIMAL` | a node set of the mesh |
//! | `z<0.001`, `x>=0.02` | on one side of a plane \[m\] |
//! | `sphere(x,y,z,r)` | no farther than r from a point \[m\] |
//! | `box(x0,y0,z0,x1,y1,z1)` | between two corners \[m\] |
//!
//! Conditions joined by `&` must all hold. A text that is the name of a set always means the set.

use std::str::FromStr;

use crate::parametric::Landmark;
use wolff_fem::summary::summarise;
use wolff_fem::{FemError, TetMesh};
use wolff_spatial::Vec3;

use super::{GaugeRequest, Interface};
use crate::BoneError;

/// Which nodes of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeSelector {
    /// The text as written.
    text: String,
    /// All of them must hold.
    conditions: Vec<Condition>,
}

#[derive(Clone, Debug, PartialEq)]
enum Condition {
    Set(String),
    /// Sign times coordinate at most sign times bound \[m\]; equality counts where `closed`.
    Side {
        axis: usize,
        sign: f64,
        bound: f64,
        closed: bool,
    },
    Sphere {
        centre: Vec3,
        radius: f64,
    },
    Box {
        low: Vec3,
        high: Vec3,
    },
}

impl FromStr for NodeSelector {
    type Err = BoneError;

    fn from_str(text: &str) -> Result<Self, BoneError> {
        let conditions = text.split('&').map(|part| condition(part.trim())).collect::<Result<_, _>>()?;
        Ok(NodeSelector { text: text.trim().into(), conditions })
    }
}

impl NodeSelector {
    /// The nodes in ascending order, at least one.
    ///
    /// # Errors
    /// When the mesh has no such set, or no node satisfies the conditions; the message says how far the mesh extends.
    pub fn nodes(&self, mesh: &TetMesh) -> Result<Vec<usize>, FemError> {
        if let Some(set) = mesh.node_sets().get(&self.text).filter(|set| !set.is_empty()) {
            return Ok(set.clone());
        }
        let mut nodes: Vec<usize> = (0..mesh.nodes().len()).collect();
        for condition in &self.conditions {
            match condition {
                Condition::Set(name) => {
                    let set = mesh.node_set(name)?;
                    nodes.retain(|node| set.binary_search(node).is_ok());
                }
                place => nodes.retain(|&node| place.holds(&mesh.nodes()[node])),
            }
        }
        if nodes.is_empty() { Err(self.nothing(mesh)) } else { Ok(nodes) }
    }

    fn nothing(&self, mesh: &TetMesh) -> FemError {
        let extent = summarise(mesh);
        let range = |axis: usize| format!("{:.5} to {:.5} m", extent.low[axis], extent.high[axis]);
        FemError::Boundary(format!(
            "`{}` holds no node; the mesh extends over x {}, y {}, z {} (give --scale or `scale` if the file is not \
             in m)",
            self.text,
            range(0),
            range(1),
            range(2)
        ))
    }
}

impl Condition {
    fn holds(&self, x: &Vec3) -> bool {
        match self {
            Condition::Set(_) => false,
            Condition::Side { axis, sign, bound, closed } => {
                let beyond = sign * (x[*axis] - bound);
                beyond < 0.0 || (*closed && beyond == 0.0)
            }
            Condition::Sphere { centre, radius } => (x - centre).norm() <= *radius,
            Condition::Box { low, high } => (0..3).all(|d| low[d] <= x[d] && x[d] <= high[d]),
        }
    }
}

fn condition(text: &str) -> Result<Condition, BoneError> {
    let inside = |shape: &str| text.strip_prefix(shape)?.trim_start().strip_prefix('(')?.strip_suffix(')');
    if let Some(values) = inside("sphere") {
        return match numbers(values)?[..] {
            [x, y, z, radius] if radius > 0.0 => Ok(Condition::Sphere { centre: Vec3::new(x, y, z), radius }),
            _ => Err(BoneError::text(text, "is not a sphere; write sphere(x,y,z,r) in m, the radius positive")),
        };
    }
    if let Some(values) = inside("box") {
        return match numbers(values)?[..] {
            [a, b, c, d, e, f] => {
                let (one, other) = (Vec3::new(a, b, c), Vec3::new(d, e, f));
                Ok(Condition::Box { low: one.inf(&other), high: one.sup(&other) })
            }
            _ => Err(BoneError::text(text, "is not a box; write box(x0,y0,z0,x1,y1,z1) in m")),
        };
    }
    match text.find(['<', '>']) {
        Some(at) => side(text, at),
        None if text.is_empty() => {
            Err(BoneError::text(text, "names no nodes; write a node set or for example z<0.001"))
        }
        None => Ok(Condition::Set(text.into())),
    }
}

/// `z<0.001`; the sign is at byte `at`.
fn side(text: &str, at: usize) -> Result<Condition, BoneError> {
    let (axis, rest) = text.split_at(at);
    let sign = if rest.starts_with('<') { 1.0 } else { -1.0 };
    let (closed, bound) = match rest[1..].strip_prefix('=') {
        Some(bound) => (true, bound),
        None => (false, &rest[1..]),
    };
    let axis = ["x", "y", "z"].iter().position(|name| *name == axis.trim());
    match (axis, number(bound)) {
        (Some(axis), Ok(bound)) => Ok(Condition::Side { axis, sign, bound, closed }),
        _ => Err(BoneError::text(text, "is not a comparison; write for example z<0.001 or x>=0.02, in m")),
    }
}

impl FromStr for Interface {
    type Err = BoneError;

    /// `NAME=SELECTOR` or `NAME=SELECTOR@x,y,z`.
    fn from_str(text: &str) -> Result<Self, BoneError> {
        let (name, rest) = named(text, "knee=z<0.001 or knee=PROXIMAL@0,0,0")?;
        let (set, at) = match rest.rsplit_once('@') {
            Some((set, at)) => (set, Some(vector(at)?)),
            None => (rest, None),
        };
        set.parse::<NodeSelector>()?;
        Ok(Interface { name, set: set.trim().into(), at })
    }
}

/// A further node from `NAME=x,y,z` or `NAME=x,y,z,radius`: name, position, radius \[m\].
///
/// # Errors
/// When the text is not a point, or the radius is negative.
pub fn parse_point(text: &str) -> Result<(String, Vec3, f64), BoneError> {
    let (name, rest) = named(text, "soleus=0.03,0,0.2,0.01")?;
    match numbers(rest)?[..] {
        [x, y, z] => Ok((name, Vec3::new(x, y, z), 0.0)),
        [x, y, z, radius] if radius >= 0.0 => Ok((name, Vec3::new(x, y, z), radius)),
        _ => Err(BoneError::text(text, "is not a point; write NAME=x,y,z or NAME=x,y,z,radius, in m")),
    }
}

/// A gauge from `NAME=x,y,z`, or on a bone `NAME=LANDMARK` or `NAME=LANDMARK:FRACTION`.
///
/// # Errors
/// When the text is not a gauge.
pub fn parse_gauge(text: &str) -> Result<(String, GaugeRequest), BoneError> {
    let (name, rest) = named(text, "shin=0.037,0,0.2 or, on a bone, shin=anteromedial:0.5")?;
    if rest.contains(',') {
        return Ok((name, GaugeRequest::Point(vector(rest)?)));
    }
    let (landmark, fraction) = match rest.split_once(':') {
        Some((landmark, fraction)) => (landmark, number(fraction)?),
        None => (rest, 0.5),
    };
    Ok((name, GaugeRequest::Landmark(landmark.trim().parse::<Landmark>()?, fraction)))
}

/// A direction from `x`, `y`, `z` or three numbers; of length 1.
///
/// # Errors
/// When the text is not a direction, or its length is zero.
pub fn parse_direction(text: &str) -> Result<Vec3, BoneError> {
    match text.trim() {
        "x" => Ok(Vec3::x()),
        "y" => Ok(Vec3::y()),
        "z" => Ok(Vec3::z()),
        other => vector(other)?
            .try_normalize(0.0)
            .filter(|axis| axis.iter().all(|c| c.is_finite()))
            .ok_or_else(|| BoneError::text(text, "has no direction; write x, y, z or three numbers, not all zero")),
    }
}

fn named<'a>(text: &'a str, example: &str) -> Result<(String, &'a str), BoneError> {
    match text.split_once('=') {
        Some((name, rest)) if !name.trim().is_empty() && !name.contains(['<', '>']) => {
            Ok((name.trim().into(), rest.trim()))
        }
        _ => Err(BoneError::text(text, &format!("has no name; write for example {example}"))),
    }
}

fn vector(text: &str) -> Result<Vec3, BoneError> {
    match numbers(text)?[..] {
        [x, y, z] => Ok(Vec3::new(x, y, z)),
        _ => Err(BoneError::text(text, "is not a position; write x,y,z in m")),
    }
}

fn numbers(text: &str) -> Result<Vec<f64>, BoneError> {
    text.split(',').map(number).collect()
}

fn number(text: &str) -> Result<f64, BoneError> {
    match text.trim().parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(BoneError::text(text, "is not a finite number")),
    }
}
