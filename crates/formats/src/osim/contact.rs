//! Contact geometry and contact forces.

use super::xml::{Context, Node, Object, set_objects};
use crate::FormatError;

/// A surface that can touch others.
#[derive(Clone, Debug, PartialEq)]
pub struct OsimContactGeometry {
    /// Name.
    pub name: String,
    /// Frame it is fixed on.
    pub frame: String,
    /// Position in the frame \[m\].
    pub location: [f64; 3],
    /// Body-fixed x, y, z angles \[rad\].
    pub orientation: [f64; 3],
    /// Its shape.
    pub shape: OsimContactShape,
}

/// Shapes of contact geometry.
#[derive(Clone, Debug, PartialEq)]
pub enum OsimContactShape {
    /// A sphere.
    Sphere {
        /// Radius \[m\].
        radius: f64,
    },
    /// All points with x > 0 in its axes.
    HalfSpace,
    /// A surface from a file.
    Mesh {
        /// File name.
        file: String,
    },
    /// A surface covered with a thin elastic layer.
    Smith2018Mesh(Box<OsimSmithMesh>),
    /// An unsupported class; it is in the list of unsupported elements.
    Unsupported(String),
}

/// OpenSim's `Smith2018ContactMesh`.
#[derive(Clone, Debug, PartialEq)]
pub struct OsimSmithMesh {
    /// File name of the surface.
    pub file: String,
    /// File name of the surface behind the layer, for variable thickness.
    pub back_file: String,
    /// Young's modulus of the layer \[Pa\].
    pub elastic_modulus: f64,
    /// Poisson's ratio.
    pub poissons_ratio: f64,
    /// Thickness of the layer \[m\].
    pub thickness: f64,
    /// Whether the thickness is the distance to the surface behind.
    pub use_variable_thickness: bool,
    /// Minimum and maximum variable thickness \[m\].
    pub thickness_range: [f64; 2],
    /// Scale of the file's coordinates.
    pub scale: [f64; 3],
    /// Frame whose scaling scales it.
    pub scale_frame: String,
}

/// A contact force.
#[derive(Clone, Debug, PartialEq)]
pub enum OsimContactForce {
    /// Hunt-Crossley contact between sets of geometry.
    HuntCrossley(OsimContactPairs),
    /// Elastic foundation between sets of geometry.
    ElasticFoundation(OsimContactPairs),
    /// A smooth form of Hunt-Crossley between a sphere and a half space, by the names of the file.
    SmoothSphereHalfSpace {
        /// The sphere.
        sphere: String,
        /// The half space.
        half_space: String,
        /// Numbers by their names in the file.
        parameters: Vec<(String, f64)>,
    },
    /// Cartilage contact between two `Smith2018ContactMesh`.
    Smith2018 {
        /// Mesh whose facets are searched.
        target: String,
        /// Mesh that casts the rays.
        casting: String,
        /// Minimum and maximum proximity searched \[m\].
        proximity: [f64; 2],
        /// `linear` or `nonlinear`.
        formulation: String,
        /// Whether both layers are treated as one.
        lumped: bool,
    },
}

/// Contact between every two of the sets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OsimContactPairs {
    /// Materials with the geometry that has them.
    pub materials: Vec<OsimContactMaterial>,
    /// Speed below which friction is smoothed \[m/s\].
    pub transition_velocity: f64,
}

/// Material of some geometry, in the units of the file (SI).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OsimContactMaterial {
    /// Names of the geometry.
    pub geometry: Vec<String>,
    /// Stiffness \[Pa\] or, for an elastic foundation, \[Pa/m\].
    pub stiffness: f64,
    /// Dissipation \[s/m\].
    pub dissipation: f64,
    /// Friction coefficients: static, dynamic \[-\], viscous \[s/m\].
    pub friction: [f64; 3],
}

/// Reads contact geometry.
pub(super) fn read_geometry<'a>(context: &mut Context<'a>, node: Node<'a>) -> Result<OsimContactGeometry, FormatError> {
    let mut o = context.object(node);
    let name = o.name();
    let shape = match o.class() {
        "ContactSphere" => OsimContactShape::Sphere { radius: o.number("radius", 0.0)? },
        "ContactHalfSpace" => OsimContactShape::HalfSpace,
        "ContactMesh" => OsimContactShape::Mesh { file: o.string("filename") },
        "Smith2018ContactMesh" => OsimContactShape::Smith2018Mesh(Box::new(read_smith(&mut o)?)),
        other => {
            context.list(&node, &name);
            OsimContactShape::Unsupported(other.into())
        }
    };
    let geometry = OsimContactGeometry {
        name,
        frame: o.either(&["socket_frame", "socket_mesh_frame", "body_name"]),
        location: o.array("location", [0.0; 3])?,
        orientation: o.array("orientation", [0.0; 3])?,
        shape,
    };
    if !matches!(geometry.shape, OsimContactShape::Unsupported(_)) {
        o.finish(context);
    }
    Ok(geometry)
}

fn read_smith(o: &mut Object<'_>) -> Result<OsimSmithMesh, FormatError> {
    Ok(OsimSmithMesh {
        file: o.string("mesh_file"),
        back_file: o.string("mesh_back_file"),
        elastic_modulus: o.number("elastic_modulus", 5e6)?,
        poissons_ratio: o.number("poissons_ratio", 0.45)?,
        thickness: o.number("thickness", 0.005)?,
        use_variable_thickness: o.flag("use_variable_thickness", false)?,
        thickness_range: [o.number("min_thickness", 0.001)?, o.number("max_thickness", 0.01)?],
        scale: o.array("scale_factors", [1.0; 3])?,
        scale_frame: o.string("socket_scale_frame"),
    })
}

/// Reads a contact force; `None` where the object is another force.
pub(super) fn read_force<'a>(
    context: &mut Context<'a>,
    o: &mut Object<'a>,
) -> Result<Option<OsimContactForce>, FormatError> {
    Ok(Some(match o.class() {
        "HuntCrossleyForce" => OsimContactForce::HuntCrossley(read_pairs(context, o)?),
        "ElasticFoundationForce" => OsimContactForce::ElasticFoundation(read_pairs(context, o)?),
        "SmoothSphereHalfSpaceForce" => {
            const NAMES: [&str; 10] = [
                "stiffness",
                "dissipation",
                "static_friction",
                "dynamic_friction",
                "viscous_friction",
                "transition_velocity",
                "constant_contact_force",
                "hertz_smoothing",
                "hunt_crossley_smoothing",
                "derivative_smoothing",
            ];
            let mut parameters = Vec::new();
            for name in NAMES {
                parameters.extend(o.bound(name)?.map(|x| (name.to_string(), x)));
            }
            let (sphere, half_space) = (o.string("socket_sphere"), o.string("socket_half_space"));
            OsimContactForce::SmoothSphereHalfSpace { sphere, half_space, parameters }
        }
        "Smith2018ArticularContactForce" => OsimContactForce::Smith2018 {
            target: o.string("socket_target_mesh"),
            casting: o.string("socket_casting_mesh"),
            proximity: [o.number("min_proximity", 0.0)?, o.number("max_proximity", 0.01)?],
            formulation: o.text("elastic_foundation_formulation").unwrap_or("linear").into(),
            lumped: o.flag("use_lumped_contact_model", true)?,
        },
        _ => return Ok(None),
    }))
}

fn read_pairs<'a>(context: &mut Context<'a>, o: &mut Object<'a>) -> Result<OsimContactPairs, FormatError> {
    let mut pairs =
        OsimContactPairs { materials: Vec::new(), transition_velocity: o.number("transition_velocity", 0.01)? };
    // `HuntCrossleyForce::ContactParametersSet`, its colons replaced
    let set = format!("{}..ContactParametersSet", o.class());
    let set = o.child(&set).or_else(|| o.child("contact_parameters"));
    for node in set_objects(set) {
        let mut m = context.object(node);
        pairs.materials.push(OsimContactMaterial {
            geometry: m.words("geometry"),
            stiffness: m.number("stiffness", 0.0)?,
            dissipation: m.number("dissipation", 0.0)?,
            friction: [
                m.number("static_friction", 0.0)?,
                m.number("dynamic_friction", 0.0)?,
                m.number("viscous_friction", 0.0)?,
            ],
        });
        m.finish(context);
    }
    Ok(pairs)
}
