//! Lengths of a model multiplied in its XML.

use super::edit::{Edits, child, child_text, in_defaults, join, name_of, numbers, parse};
use super::factors::BodyFactors;
use super::inertia::{BodyInertia, scale_inertia};
use super::masses::write_inertia;
use crate::{Frames, xyz_rotation};
use roxmltree::Node;
use wolff_formats::osim::OsimModel;
use wolff_motion::MotionError;
use wolff_spatial::Vec3;

/// State of scaling a model.
struct Scaler<'a> {
    frames: Frames<'a>,
    factors: &'a BodyFactors,
    /// Mass and inertia of every body after scaling.
    inertia: Vec<(&'a str, BodyInertia)>,
    edits: Edits,
}

/// The text of a model with the factors applied to every body: geometry, mass and inertia, without muscle and ligament
/// lengths.
///
/// `model` is what [`wolff_formats::osim::read`] gives of the text. With `preserve_mass_distribution` bodies keep their
/// fractions of the mass, else masses are scaled with volumes; `mass` \[kg\], where given, is the total mass
/// afterwards.
pub fn scaled_text(
    text: &str,
    model: &OsimModel,
    factors: &BodyFactors,
    preserve_mass_distribution: bool,
    mass: Option<f64>,
) -> Result<String, MotionError> {
    let document = parse(text)?;
    let mut scaler = Scaler {
        frames: Frames::new(model),
        factors,
        inertia: scaled_inertia(model, factors, preserve_mass_distribution, mass),
        edits: Edits::default(),
    };
    for node in document.descendants().filter(Node::is_element) {
        if !in_defaults(node) {
            scaler.element(node)?;
        }
    }
    Ok(scaler.edits.apply(text))
}

/// Mass and inertia of all bodies, scaled to the total `mass`.
fn scaled_inertia<'a>(
    model: &'a OsimModel,
    factors: &BodyFactors,
    preserve: bool,
    mass: Option<f64>,
) -> Vec<(&'a str, BodyInertia)> {
    let one = |b: &'a wolff_formats::osim::OsimBody| {
        let s = factors.get(&b.name).copied().unwrap_or([1.0; 3]);
        (b.name.as_str(), scale_inertia(BodyInertia { mass: b.mass, inertia: b.inertia }, s, !preserve))
    };
    let mut all: Vec<_> = model.bodies.iter().map(one).collect();
    let total: f64 = all.iter().map(|(_, b)| b.mass).sum();
    if let Some(mass) = mass.filter(|m| *m > 0.0 && total > 0.0) {
        for (_, b) in &mut all {
            b.mass *= mass / total;
            b.inertia = b.inertia.map(|i| i * mass / total);
        }
    }
    all
}

impl Scaler<'_> {
    /// Scales the properties of one element.
    fn element(&mut self, node: Node<'_, '_>) -> Result<(), MotionError> {
        match node.tag_name().name() {
            "Body" => self.body(node),
            "PhysicalOffsetFrame" => {
                let f = self.of_socket(node, &["socket_parent", "socket_parent_connectee_name"]);
                self.edits.scale_child(node, "translation", &f)
            }
            "PathPoint" | "ConditionalPathPoint" | "Marker" | "Station" => {
                let f = self.of_station(node);
                self.edits.scale_child(node, "location", &f)
            }
            "MovingPathPoint" => self.moving_point(node),
            "WrapCylinder" | "WrapEllipsoid" | "WrapSphere" | "WrapTorus" => self.wrap(node),
            "PointConstraint" | "ConstantDistanceConstraint" => self.constraint(node),
            "scale_factors" => self.looks(node),
            tag if tag.ends_with("Joint") => self.joint(node),
            _ => Ok(()),
        }
    }

    /// Factors of the body to which a frame is fixed; ones for ground.
    fn of_frame(&self, owner: &[&str], frame: &str) -> [f64; 3] {
        let body = self.frames.resolve(owner, frame).map(|f| f.body);
        body.ok().and_then(|b| self.factors.get(&b).copied()).unwrap_or([1.0; 3])
    }

    /// Factors of the body to which a socket of the element refers.
    fn of_socket(&self, node: Node<'_, '_>, sockets: &[&str]) -> [f64; 3] {
        let path = path_of(node);
        let owner: Vec<&str> = path.iter().map(String::as_str).collect();
        let frame = sockets.iter().find_map(|s| child_text(node, s));
        frame.map_or([1.0; 3], |f| self.of_frame(&owner, f))
    }

    fn of_station(&self, node: Node<'_, '_>) -> [f64; 3] {
        self.of_socket(node, &["socket_parent_frame", "socket_parent_frame_connectee_name", "body"])
    }

    fn body(&mut self, node: Node<'_, '_>) -> Result<(), MotionError> {
        let name = name_of(node);
        let Some(f) = self.factors.get(name).copied() else { return Ok(()) };
        self.edits.scale_child(node, "mass_center", &f)?;
        let Some((_, scaled)) = self.inertia.iter().find(|(n, _)| *n == name) else { return Ok(()) };
        write_inertia(&mut self.edits, node, scaled.mass, &scaled.inertia);
        Ok(())
    }

    /// Before version 4 the joint itself contains its locations; the translations of a custom joint are scaled with its
    /// parent.
    fn joint(&mut self, node: Node<'_, '_>) -> Result<(), MotionError> {
        let parent_sockets = ["socket_parent_frame", "socket_parent_frame_connectee_name", "parent_body"];
        let parent = self.of_socket(node, &parent_sockets);
        if child(node, "location_in_parent").is_some() {
            let body = node.ancestors().find(|a| a.has_tag_name("Body")).map(name_of).unwrap_or_default();
            let own = self.factors.get(body).copied().unwrap_or([1.0; 3]);
            self.edits.scale_child(node, "location_in_parent", &parent)?;
            self.edits.scale_child(node, "location", &own)?;
        }
        let Some(transform) = child(node, "SpatialTransform") else { return Ok(()) };
        for axis in transform.children().filter(|n| name_of(*n).starts_with("translation")) {
            let Some(function) = function_of(axis) else { continue };
            let direction = child(axis, "axis").map(numbers).transpose()?.unwrap_or_default();
            let factor: f64 = direction.iter().zip(parent).map(|(a, f)| a.abs() * f).sum();
            if !is_coordinate_itself(function)? {
                self.multiply(function, factor);
            }
        }
        Ok(())
    }

    fn moving_point(&mut self, node: Node<'_, '_>) -> Result<(), MotionError> {
        let f = self.of_station(node);
        self.edits.scale_child(node, "location", &f)?;
        for (tag, factor) in ["x_location", "y_location", "z_location"].iter().zip(f) {
            let held = child(node, tag).and_then(|n| n.first_element_child());
            let named = node.children().find(|n| n.is_element() && n.attribute("name") == Some(tag));
            if let Some(function) = held.or(named) {
                self.multiply(function, factor);
            }
        }
        Ok(())
    }

    /// Multiplies a function by `factor`.
    fn multiply(&mut self, function: Node<'_, '_>, factor: f64) {
        if let Some(scale) = child(function, "scale").filter(|_| function.has_tag_name("MultiplierFunction")) {
            let old: f64 = scale.text().and_then(|t| t.trim().parse().ok()).unwrap_or(1.0);
            self.edits.set_text(scale, &join(&[old * factor]));
            return;
        }
        let name = function.attribute("name").map_or(String::new(), |n| format!(" name=\"{n}\""));
        let before = format!("<MultiplierFunction{name}><function>");
        let behind = format!("</function><scale>{factor}</scale></MultiplierFunction>");
        self.edits.wrap(function, &before, &behind);
    }

    /// A wrap surface: its position, and its size along its own axes.
    fn wrap(&mut self, node: Node<'_, '_>) -> Result<(), MotionError> {
        let holds = |a: &Node<'_, '_>| a.has_tag_name("Body") || a.has_tag_name("PhysicalOffsetFrame");
        let f = match node.ancestors().find(holds) {
            Some(owner) if owner.has_tag_name("Body") => self.factors.get(name_of(owner)).copied().unwrap_or([1.0; 3]),
            Some(owner) => self.of_socket(owner, &["socket_parent", "socket_parent_connectee_name"]),
            None => [1.0; 3],
        };
        self.edits.scale_child(node, "translation", &f)?;
        let angles = child(node, "xyz_body_rotation").map(numbers).transpose()?.unwrap_or_default();
        let R = xyz_rotation(&<[f64; 3]>::try_from(angles).unwrap_or_default());
        let along = |axis: usize| Vec3::from(R.column(axis)).component_mul(&Vec3::from(f)).norm();
        let across = 0.5 * (along(0) + along(1));
        match node.tag_name().name() {
            "WrapCylinder" => {
                self.edits.scale_child(node, "radius", &[across])?;
                self.edits.scale_child(node, "length", &[along(2)])
            }
            "WrapEllipsoid" => self.edits.scale_child(node, "dimensions", &[along(0), along(1), along(2)]),
            "WrapSphere" => self.edits.scale_child(node, "radius", &[f.iter().sum::<f64>() / 3.0]),
            _ => {
                self.edits.scale_child(node, "inner_radius", &[across])?;
                self.edits.scale_child(node, "outer_radius", &[across])
            }
        }
    }

    fn constraint(&mut self, node: Node<'_, '_>) -> Result<(), MotionError> {
        for i in ["1", "2"] {
            let (socket, old) = (format!("socket_body_{i}"), format!("body_{i}"));
            let f = self.of_socket(node, &[&socket, &old]);
            self.edits.scale_child(node, &format!("location_body_{i}"), &f)?;
        }
        Ok(())
    }

    /// Factors of display geometry that is attached to a body.
    fn looks(&mut self, node: Node<'_, '_>) -> Result<(), MotionError> {
        let mut between = node.ancestors().skip(1).take_while(|a| !a.has_tag_name("Body"));
        let attached = between.any(|a| a.has_tag_name("attached_geometry") || a.has_tag_name("VisibleObject"));
        let foreign = node.ancestors().any(|a| {
            let tag = a.tag_name().name();
            tag.ends_with("Joint") || tag.starts_with("Wrap") || tag == "GeometrySet" || tag == "PhysicalOffsetFrame"
        });
        let body = node.ancestors().find(|a| a.has_tag_name("Body")).map(name_of);
        match body.and_then(|b| self.factors.get(b)).filter(|_| attached && !foreign) {
            Some(f) if node.text().is_some_and(|t| !t.trim().is_empty()) => self.edits.scale(node, &f.clone()),
            _ => Ok(()),
        }
    }
}

/// The function of a transform axis: a child with the name `function`, or the content of a child of that tag.
fn function_of<'a, 'b>(axis: Node<'a, 'b>) -> Option<Node<'a, 'b>> {
    let held = child(axis, "function").and_then(|n| n.first_element_child());
    held.or_else(|| axis.children().find(|n| n.is_element() && n.attribute("name") == Some("function")))
}

/// `f(q) = q`: a degree of freedom, which does not depend on the size of a body.
fn is_coordinate_itself(function: Node<'_, '_>) -> Result<bool, MotionError> {
    if !function.has_tag_name("LinearFunction") {
        return Ok(false);
    }
    let coefficients = child(function, "coefficients").map(numbers).transpose()?.unwrap_or_default();
    Ok(coefficients[..] == [1.0, 0.0])
}

/// The path of an object: the sets and names that contain it.
fn path_of(node: Node<'_, '_>) -> Vec<String> {
    let mut path: Vec<String> = Vec::new();
    for a in node.ancestors().filter(Node::is_element) {
        let tag = a.tag_name().name();
        let set = ["BodySet", "JointSet", "ConstraintSet", "ForceSet", "MarkerSet"].iter().find(|s| **s == tag);
        match (set, name_of(a)) {
            (Some(set), _) => path.push(set.to_lowercase()),
            (None, name) if !name.is_empty() && tag != "Model" => path.push(name.into()),
            _ => {}
        }
    }
    path.reverse();
    path
}
