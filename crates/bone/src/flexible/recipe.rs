//! How a solid becomes a flexible body: shape, material, interfaces, modes, gauges.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::parametric::{Bone, Landmark};
use nalgebra::Vector3;
use wolff_fem::attachment::{Patch, PointSpec};
use wolff_fem::dofs::Constraints;
use wolff_fem::gauge::{GaugePlace, GaugeSpec};
use wolff_fem::material::{Material, MaterialField, axes_along};
use wolff_fem::quality::{QualityReport, quality};
use wolff_fem::reduce::{Reduced, Reduction, Selection};
use wolff_fem::{FemError, TetMesh};
use wolff_flexbody::node::BASE;
use wolff_flexbody::{FlexBodyError, FlexBodyFile};
use wolff_meshes::size;
use wolff_meshes::solid::read_mesh_part_scaled;
use wolff_spatial::Vec3;
use wolff_verdict::{Finding, Severity};

use super::material::MaterialChoice;
use super::selector::NodeSelector;
use crate::{BoneError, cache};

/// A solid and how to reduce it to a flexible body.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// Its shape.
    pub solid: SolidSource,
    /// Material of the wall, or of everything.
    pub material: MaterialChoice,
    /// Mass to which the densities are scaled \[kg\]; `None` keeps the densities of the material.
    pub mass: Option<f64>,
    /// Joint interfaces.
    pub interfaces: Vec<Interface>,
    /// Whether interfaces are rigid or follow the mean motion of their nodes.
    pub interface_kind: InterfaceKind,
    /// Further nodes: name, position, radius of the patch \[m\] (zero: the nearest node).
    pub points: Vec<(String, Vec3, f64)>,
    /// Gauges.
    pub gauges: Vec<(String, GaugeRequest)>,
    /// How it is reduced.
    pub solver: Solver,
}

/// Numbers of the reduction.
#[derive(Clone, Debug, PartialEq)]
pub struct Solver {
    /// Fixed-interface modes to compute.
    pub fixed_modes: usize,
    /// Which of the orthonormal modes to keep.
    pub selection: Selection,
    /// Attachment modes for the inertia of rigid accelerations: the strain of unbalanced loads is exact, too.
    pub relief: bool,
    /// Second-order displacements: a bent body shortens, tension stiffens it.
    pub stiffening: bool,
    /// Keep the surface with its strain modes.
    pub surface: bool,
    /// Compare the gauges with the whole mesh.
    pub check: bool,
}

/// The shape of a solid.
#[derive(Clone, Debug)]
pub enum SolidSource {
    /// A parametric bone.
    Bone(Bone),
    /// A mesh file.
    Mesh {
        /// Path.
        path: PathBuf,
        /// The part of an Abaqus file with several.
        part: Option<String>,
        /// Unit of length of the file \[m\].
        scale: f64,
        /// Direction of the bone: axis 3 of the material, x axis of gauges.
        axis: Vec3,
    },
}

/// A joint interface.
#[derive(Clone, Debug)]
pub struct Interface {
    /// Name of the node.
    pub name: String,
    /// Node set of the mesh, or a place as [`NodeSelector`] reads it.
    pub set: String,
    /// Position of the node \[m\]; `None` takes the mean of the set's nodes.
    pub at: Option<Vec3>,
}

/// What ties an interface to its nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InterfaceKind {
    /// A rigid patch (RBE2).
    Rigid,
    /// The mean motion of the nodes (RBE3).
    Average,
    /// No interfaces: the modes are those of the free solid.
    Free,
}

/// Where a gauge is requested. Once placed on the mesh it is a [`wolff_fem::gauge::GaugeSite`].
#[derive(Clone, Debug)]
pub enum GaugeRequest {
    /// On a named line of a bone, at a fraction of its length.
    Landmark(Landmark, f64),
    /// At a fraction along a bone and an angle around it from anterior towards lateral \[rad\].
    Around(f64, f64),
    /// At the point of the surface nearest to this one, at most 5 mm away.
    Point(Vec3),
}

/// Maximum distance of a gauge's point from the surface \[m\].
const GAUGE_REACH: f64 = 5e-3;

impl Solver {
    /// A given number of fixed-interface modes, all modes kept, no further options.
    pub fn plain(fixed_modes: usize) -> Self {
        Solver {
            fixed_modes,
            selection: Selection::All,
            relief: false,
            stiffening: false,
            surface: false,
            check: false,
        }
    }
}

impl Recipe {
    /// Interfaces of a parametric bone: both ends, at the joint centres.
    pub fn bone_interfaces(bone: &Bone) -> Vec<Interface> {
        let end = |set: &str, y: f64| Interface { name: set.into(), set: set.into(), at: Some(Vec3::new(0.0, y, 0.0)) };
        vec![end("proximal", 0.0), end("distal", -bone.length)]
    }

    /// Builds or reads the solid and reduces it.
    ///
    /// # Errors
    /// When a part is out of bounds or does not fit the solid.
    pub fn reduce(&self, name: &str) -> Result<Reduced, BoneError> {
        let (mesh, materials) = self.solid()?;
        self.reduce_solid(name, &mesh, &materials)
    }

    /// Reduces the solid that [`Recipe::solid`] gave.
    ///
    /// # Errors
    /// As [`Recipe::reduce`].
    pub fn reduce_solid(&self, name: &str, mesh: &TetMesh, materials: &MaterialField) -> Result<Reduced, BoneError> {
        Ok(self.reduction(name, mesh, materials)?.run()?)
    }

    /// Reduces as [`Recipe::reduce`], or reads the body from the cache.
    pub(super) fn reduce_with_cache(&self, name: &str, folder: Option<&Path>) -> Result<FlexBodyFile, BoneError> {
        let (mesh, materials) = self.solid()?;
        self.check_size(&mesh)?;
        self.check_material()?;
        let reduced = cache::reduce(&self.reduction(name, &mesh, &materials)?, folder)?;
        Ok(FlexBodyFile { surface: reduced.surface, ..FlexBodyFile::of(reduced.body) })
    }

    /// The reduction of a solid; the body is undamped until [`super::FlexibleBody`] damps it.
    fn reduction<'a>(
        &self,
        name: &str,
        mesh: &'a TetMesh,
        materials: &'a MaterialField,
    ) -> Result<Reduction<'a>, BoneError> {
        self.check_names(name)?;
        let interfaces = self.constraints(mesh)?;
        let mut reduction = Reduction::new(name, mesh, materials, interfaces);
        reduction.damping_ratio = 0.0;
        reduction.points = self.point_specs();
        reduction.gauges = self.gauge_specs()?;
        reduction.fixed_modes = self.solver.fixed_modes;
        reduction.selection = self.solver.selection.clone();
        reduction.relief = self.solver.relief;
        reduction.stiffening = self.solver.stiffening;
        reduction.surface = self.solver.surface;
        reduction.check = self.solver.check;
        Ok(reduction)
    }

    /// Number of modes of the reduction; an upper bound where modes are selected by frequency, strain or energy.
    ///
    /// ```text
    /// n = 6 i + 3 p + 6 r + f - 6
    /// ```
    /// i interfaces, p points, r 1 with the inertia of rigid accelerations and else 0, f fixed-interface modes, less
    /// the six rigid motions. A solid without interfaces has its f free modes.
    pub fn mode_count(&self) -> usize {
        let all = match self.interfaces.len() {
            0 => self.solver.fixed_modes,
            interfaces => {
                let attached = 3 * self.points.len() + if self.solver.relief { 6 } else { 0 };
                6 * interfaces + self.solver.fixed_modes + attached - 6
            }
        };
        match self.solver.selection {
            Selection::Count(count) => count.min(all),
            Selection::All
            | Selection::UpTo(_)
            | Selection::GaugeConvergence { .. }
            | Selection::StrainEnergy { .. } => all,
        }
    }

    /// Refuses names that are used twice, before the reduction starts.
    fn check_names(&self, body: &str) -> Result<(), BoneError> {
        let interfaces = self.interfaces.iter().map(|interface| interface.name.as_str());
        let nodes = std::iter::once(BASE).chain(interfaces).chain(self.points.iter().map(|(name, ..)| name.as_str()));
        let twice =
            |names: Vec<&str>| (1..names.len()).find(|&i| names[..i].contains(&names[i])).map(|i| names[i].to_owned());
        let gauges = self.gauges.iter().map(|(name, _)| name.as_str()).collect();
        let repeated = [("nodes", twice(nodes.collect())), ("gauges", twice(gauges))];
        match repeated.into_iter().find_map(|(what, name)| Some((what, name?))) {
            Some((what, name)) => {
                let rule = format!("two {what} are called `{name}` (`{BASE}` is the floating frame); rename one");
                Err(FlexBodyError::invalid(body, rule).into())
            }
            None => Ok(()),
        }
    }

    /// Mesh and materials.
    ///
    /// # Errors
    /// As [`Recipe::reduce`].
    pub fn solid(&self) -> Result<(TetMesh, MaterialField), FemError> {
        let (mesh, field, quality) = self.examined()?;
        quality.map_or(Ok(()), |quality| quality.require_sound())?;
        Ok((mesh, field))
    }

    /// Mesh and materials, and the faults of a mesh from a file, which may have some.
    ///
    /// # Errors
    /// As [`Recipe::reduce`], but not for faults of the mesh.
    pub fn examined(&self) -> Result<(TetMesh, MaterialField, Option<QualityReport>), FemError> {
        let material = self.material.material()?;
        let (mesh, field, quality) = match &self.solid {
            SolidSource::Bone(bone) => {
                let solid = bone.build()?;
                let field = solid.material_field(&material, &Material::trabecular_bone())?;
                (solid.mesh, field, None)
            }
            SolidSource::Mesh { path, part, scale, axis } => {
                let mesh = read_mesh_part_scaled(path, *scale, part.as_deref())?;
                let field = MaterialField::uniform_along(&mesh, &material, &axes_along(axis)?)?;
                let quality = quality(&mesh);
                (mesh, field, Some(quality))
            }
        };
        match self.mass {
            Some(mass) => field.weighing(&mesh, mass).map(|field| (mesh, field, quality)),
            None => Ok((mesh, field, quality)),
        }
    }

    /// The finding on the size of a mesh from a file, if it is not that of a bone, or of an isotropic solid not that of
    /// any part of a body.
    pub fn size_finding(&self, mesh: &TetMesh) -> Option<Finding> {
        let SolidSource::Mesh { .. } = self.solid else { return None };
        let length = size::longest_side(mesh.nodes());
        let is_bone = self.material.name != "isotropic";
        match is_bone || !size::ANY.contains(&length) {
            true => size::finding("the mesh", length, size::Expected::Bone),
            false => None,
        }
    }

    /// Refuses a mesh of a study with a size that cannot be right.
    fn check_size(&self, mesh: &TetMesh) -> Result<(), FemError> {
        match (&self.solid, self.size_finding(mesh)) {
            (SolidSource::Mesh { path, .. }, Some(finding)) => Err(FemError::Mesh(format!(
                "`{}`: {}; give the unit of the file in m with `scale`, such as `scale = 1e-3` for mm",
                path.display(),
                finding.message
            ))),
            _ => Ok(()),
        }
    }

    /// Refuses a material of a study with constants that nothing has.
    fn check_material(&self) -> Result<(), FemError> {
        match self.material.findings().into_iter().find(|finding| finding.severity == Severity::Error) {
            Some(finding) => Err(FemError::Mesh(finding.text())),
            None => Ok(()),
        }
    }

    /// Direction of the bone: from the proximal to the distal end, or as given with a mesh.
    pub fn axis(&self) -> Vec3 {
        match &self.solid {
            SolidSource::Bone(_) => -Vec3::y(),
            SolidSource::Mesh { axis, .. } => *axis,
        }
    }

    pub(super) fn point_specs(&self) -> Vec<PointSpec> {
        self.points.iter().map(point).collect()
    }

    pub(super) fn gauge_specs(&self) -> Result<Vec<GaugeSpec>, FemError> {
        self.gauges.iter().map(|(name, site)| self.gauge(name, site)).collect()
    }

    pub(super) fn constraints(&self, mesh: &TetMesh) -> Result<Constraints, BoneError> {
        let mut constraints = Constraints::default();
        if self.interface_kind == InterfaceKind::Free {
            return Ok(constraints);
        }
        let mut owner: BTreeMap<usize, &str> = BTreeMap::new();
        for interface in &self.interfaces {
            let nodes = interface.nodes(mesh)?;
            interface.check(&nodes, mesh, &owner)?;
            owner.extend(nodes.iter().map(|&node| (node, interface.name.as_str())));
            let mean = || nodes.iter().map(|&n| mesh.nodes()[n]).sum::<Vector3<f64>>() / nodes.len().max(1) as f64;
            let at = interface.at.unwrap_or_else(mean);
            constraints = match self.interface_kind {
                InterfaceKind::Rigid => constraints.tie(&interface.name, at, &nodes),
                InterfaceKind::Average => constraints.average(&interface.name, at, &nodes, &vec![1.0; nodes.len()]),
                InterfaceKind::Free => constraints,
            };
        }
        Ok(constraints)
    }

    fn gauge(&self, name: &str, site: &GaugeRequest) -> Result<GaugeSpec, FemError> {
        let (point, along) = match (&self.solid, site) {
            (SolidSource::Bone(_), GaugeRequest::Point(at)) => (*at, Vec3::y()),
            (SolidSource::Mesh { axis, .. }, GaugeRequest::Point(at)) => (*at, *axis),
            (SolidSource::Bone(bone), GaugeRequest::Landmark(landmark, fraction)) => {
                let site = bone.landmark(*landmark, *fraction)?;
                (site.point, site.axis)
            }
            (SolidSource::Bone(bone), GaugeRequest::Around(fraction, angle)) => {
                let site = bone.surface_site(*fraction, *angle)?;
                (site.point, site.axis)
            }
            (SolidSource::Mesh { .. }, _) => {
                return Err(FemError::Mesh(format!("gauge `{name}`: a mesh file has no landmarks; give its point")));
            }
        };
        Ok(GaugeSpec { name: name.into(), place: GaugePlace::Point { point, tolerance: GAUGE_REACH }, along })
    }
}

impl Interface {
    /// The nodes of the mesh that belong to it.
    ///
    /// # Errors
    /// When the selector is invalid or selects no node.
    pub fn nodes(&self, mesh: &TetMesh) -> Result<Vec<usize>, BoneError> {
        let found = self.set.parse::<NodeSelector>()?.nodes(mesh);
        found.map_err(|error| match error {
            FemError::Boundary(rule) => FemError::Boundary(format!("interface `{}`: {rule}", self.name)).into(),
            other => other.into(),
        })
    }
}

impl Interface {
    /// Refuses an interface of the whole solid, which nothing could deform, and one that shares nodes with another.
    fn check(&self, nodes: &[usize], mesh: &TetMesh, owner: &BTreeMap<usize, &str>) -> Result<(), FemError> {
        let (name, all) = (&self.name, mesh.nodes().len());
        if nodes.len() >= all {
            let rule = format!("interface `{name}` holds all {all} nodes of the mesh, so that nothing can deform");
            return Err(FemError::Boundary(format!("{rule}; select the nodes of the joint only")));
        }
        let shared: Vec<(usize, &str)> = nodes.iter().filter_map(|node| Some((*node, *owner.get(node)?))).collect();
        match shared.first() {
            Some((node, other)) => Err(FemError::Boundary(format!(
                "interfaces `{other}` and `{name}` share {} nodes, the first is {node}; select different nodes",
                shared.len()
            ))),
            None => Ok(()),
        }
    }
}

fn point((name, position, radius): &(String, Vec3, f64)) -> PointSpec {
    let patch = if *radius > 0.0 { Patch::Within(*radius) } else { Patch::Nearest };
    PointSpec { name: name.clone(), position: *position, patch }
}
