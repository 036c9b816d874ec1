//! Contact geometry and contact forces of the file as force elements.

use crate::contact_force::{
    ContactLaw, ContactMaterial, ContactPairs, ContactShape, ContactSurface, SmoothContact, SpringMesh,
};
use crate::frame::offset;
use crate::{Frames, OpensimError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use wolff_files::input;
use wolff_formats::osim::{OsimContactForce, OsimContactGeometry, OsimContactPairs, OsimContactShape, OsimModel};
use wolff_meshes::surface;
use wolff_multibody::spec::FrameSpec;
use wolff_multibody::{ForceElement, Model, SpecError};

/// A contact force by names of bodies.
#[derive(Clone, Debug)]
pub struct ContactSpec {
    law: SpecLaw,
    /// Frames, shapes and materials.
    surfaces: Vec<(FrameSpec, ContactShape, ContactMaterial)>,
    transition: f64,
}

#[derive(Clone, Debug)]
enum SpecLaw {
    Pairs(ContactLaw),
    /// The constant and the two smoothings.
    Smooth([f64; 3]),
}

impl ContactSpec {
    /// The force element for a model with these bodies.
    pub(crate) fn element(&self, name: &str, model: &Model) -> Result<Box<dyn ForceElement>, SpecError> {
        let surface = |(frame, shape, material): &(FrameSpec, ContactShape, ContactMaterial)| {
            let missing = || SpecError::new(name, format!("body `{}` does not exist in the model", frame.body));
            let frame = model.frame(frame).ok_or_else(missing)?;
            Ok(ContactSurface { frame, shape: shape.clone(), material: *material })
        };
        let surfaces = self.surfaces.iter().map(surface).collect::<Result<Vec<_>, SpecError>>()?;
        let (name, transition) = (name.to_string(), self.transition);
        match (&self.law, &surfaces[..]) {
            (SpecLaw::Smooth([constant, depth, speed]), [sphere, half_space]) => {
                let ContactShape::Sphere(radius) = sphere.shape else {
                    return Err(SpecError::new(&name, "the first surface must be a sphere"));
                };
                Ok(Box::new(SmoothContact {
                    name,
                    sphere: sphere.frame,
                    radius,
                    half_space: half_space.frame,
                    material: sphere.material,
                    transition,
                    constant: *constant,
                    smoothing: [*depth, *speed],
                }))
            }
            (SpecLaw::Pairs(law), _) => Ok(Box::new(ContactPairs { name, law: *law, surfaces, transition })),
            (SpecLaw::Smooth(_), _) => Err(SpecError::new(&name, "needs a sphere and a half space")),
        }
    }
}

/// What is needed to place contact geometry: the model, its frames, and the folder of its file.
pub(crate) struct Places<'a> {
    pub model: &'a OsimModel,
    pub frames: &'a Frames<'a>,
    pub folder: Option<&'a Path>,
}

/// A contact force, or the reason why it is not converted.
pub(crate) fn convert(
    places: &Places<'_>,
    name: &str,
    force: &OsimContactForce,
) -> Result<Result<ContactSpec, String>, OpensimError> {
    match force {
        OsimContactForce::HuntCrossley(pairs) => places.pairs(name, pairs, ContactLaw::HuntCrossley),
        OsimContactForce::ElasticFoundation(pairs) => places.pairs(name, pairs, ContactLaw::Foundation),
        OsimContactForce::SmoothSphereHalfSpace { sphere, half_space, parameters } => {
            places.smooth(sphere, half_space, parameters)
        }
        OsimContactForce::Smith2018 { .. } => {
            Ok(Err("acts in `wolff contact` only, which computes pressures of given poses".into()))
        }
    }
}

impl Places<'_> {
    /// The geometry of a name or path.
    fn geometry(&self, name: &str) -> Result<&OsimContactGeometry, String> {
        let bare = name.rsplit('/').next().unwrap_or(name);
        let found = self.model.contact_geometry.iter().find(|g| g.name == bare);
        found.ok_or_else(|| format!("names contact geometry `{bare}`, which the model does not have"))
    }

    fn frame(&self, geometry: &OsimContactGeometry) -> Result<FrameSpec, OpensimError> {
        let owner = ["contactgeometryset", geometry.name.as_str()];
        self.frames.place(&owner, &geometry.frame, offset(&geometry.location, &geometry.orientation))
    }

    fn pairs(
        &self,
        name: &str,
        pairs: &OsimContactPairs,
        law: ContactLaw,
    ) -> Result<Result<ContactSpec, String>, OpensimError> {
        let mut surfaces = Vec::new();
        for set in &pairs.materials {
            let material = match checked(name, set.stiffness, set.dissipation, set.friction) {
                Ok(material) => material,
                Err(reason) => return Ok(Err(reason)),
            };
            for name in &set.geometry {
                let shape = self.geometry(name).and_then(|g| Ok((g, self.shape(g, law)?)));
                match shape {
                    Ok((geometry, shape)) => surfaces.push((self.frame(geometry)?, shape, material)),
                    Err(reason) => return Ok(Err(reason)),
                }
            }
        }
        if !(pairs.transition_velocity > 0.0 && pairs.transition_velocity.is_finite()) {
            let reason = format!("transition velocity is {} m/s, must be above zero", pairs.transition_velocity);
            return Ok(Err(reason));
        }
        Ok(Ok(ContactSpec { law: SpecLaw::Pairs(law), surfaces, transition: pairs.transition_velocity }))
    }

    fn smooth(
        &self,
        sphere: &str,
        half_space: &str,
        parameters: &[(String, f64)],
    ) -> Result<Result<ContactSpec, String>, OpensimError> {
        let own = |name: &str, default: f64| parameters.iter().find(|(n, _)| n == name).map_or(default, |(_, x)| *x);
        let friction = [own("static_friction", 0.0), own("dynamic_friction", 0.0), own("viscous_friction", 0.0)];
        let material = match checked(sphere, own("stiffness", 1.0), own("dissipation", 0.0), friction) {
            Ok(material) => material,
            Err(reason) => return Ok(Err(reason)),
        };
        let (ball, floor) = match (self.geometry(sphere), self.geometry(half_space)) {
            (Ok(ball), Ok(floor)) => (ball, floor),
            (Err(reason), _) | (_, Err(reason)) => return Ok(Err(reason)),
        };
        let (OsimContactShape::Sphere { radius }, OsimContactShape::HalfSpace) = (&ball.shape, &floor.shape) else {
            return Ok(Err(format!("`{sphere}` is no sphere or `{half_space}` is no half space")));
        };
        let transition = own("transition_velocity", 0.01);
        if !(*radius > 0.0 && transition > 0.0) {
            return Ok(Err(format!("radius {radius} m and transition velocity {transition} m/s must be above zero")));
        }
        let constant = own("constant_contact_force", 1e-5);
        let smoothing = [own("hertz_smoothing", 300.0), own("hunt_crossley_smoothing", 50.0)];
        Ok(Ok(ContactSpec {
            law: SpecLaw::Smooth([constant, smoothing[0], smoothing[1]]),
            surfaces: vec![
                (self.frame(ball)?, ContactShape::Sphere(*radius), material),
                (self.frame(floor)?, ContactShape::HalfSpace, material),
            ],
            transition,
        }))
    }

    /// The shape of a geometry, or why it cannot be used.
    fn shape(&self, geometry: &OsimContactGeometry, law: ContactLaw) -> Result<ContactShape, String> {
        let name = &geometry.name;
        match &geometry.shape {
            OsimContactShape::Sphere { radius } if *radius > 0.0 && radius.is_finite() => {
                Ok(ContactShape::Sphere(*radius))
            }
            OsimContactShape::Sphere { radius } => Err(format!("radius of `{name}` is {radius} m, must be above zero")),
            OsimContactShape::HalfSpace => Ok(ContactShape::HalfSpace),
            OsimContactShape::Mesh { .. } if law == ContactLaw::HuntCrossley => Err(format!(
                "Hunt-Crossley contact of mesh `{name}` has no force, as in OpenSim; use an elastic foundation"
            )),
            OsimContactShape::Mesh { file } => self.mesh(name, file),
            OsimContactShape::Smith2018Mesh(_) => Err(format!("`{name}` is for Smith2018ArticularContactForce only")),
            OsimContactShape::Unsupported(class) => Err(format!("`{name}` is a {class}, which is not supported")),
        }
    }

    /// The mesh of a file beside the model, or in its folder `Geometry`.
    fn mesh(&self, name: &str, file: &str) -> Result<ContactShape, String> {
        let unknown = || format!("mesh `{name}`: the folder of the model is not known, so `{file}` cannot be read");
        let folder = self.folder.ok_or_else(unknown)?;
        let places: [PathBuf; 2] = [folder.join(file), folder.join("Geometry").join(file)];
        let missing = || format!("mesh `{name}`: `{file}` is neither beside the model nor in its folder `Geometry`");
        let path = places.iter().find(|p| p.is_file()).ok_or_else(missing)?;
        let bytes = input::read(path).map_err(|e| format!("mesh `{name}`: cannot read `{}`: {e}", path.display()))?;
        let read = surface::read(&path.to_string_lossy(), &bytes).and_then(|found| SpringMesh::new(found.mesh));
        read.map(|mesh| ContactShape::Mesh(Arc::new(mesh))).map_err(|e| format!("mesh `{name}`: {e}"))
    }
}

/// Refuses numbers that are negative or not finite.
fn checked(name: &str, stiffness: f64, dissipation: f64, friction: [f64; 3]) -> Result<ContactMaterial, String> {
    let [us, ud, uv] = friction;
    let all = [stiffness, dissipation, us, ud, uv];
    match all.iter().all(|x| x.is_finite() && *x >= 0.0) && stiffness > 0.0 {
        true => Ok(ContactMaterial { stiffness, dissipation, friction }),
        false => Err(format!(
            "stiffness, dissipation and friction of `{name}` are {all:?}; none may be negative, and the \
             stiffness must be above zero"
        )),
    }
}
