//! Strain gauges on the surface of a mesh.

use faer::MatRef;
use nalgebra::{Matrix3, Matrix6, Rotation3, Vector3, Vector6};
use wolff_flexbody::Gauge;

use crate::error::FemError;
use crate::mesh::locate::{Locator, MeshPoint};
use crate::recovery::{Recovery, StrainOperator};
use crate::system::material::{MaterialField, rotated_stiffness};

/// Where a gauge is glued.
#[derive(Debug, Clone, PartialEq)]
pub enum GaugePlace {
    /// On a node of the surface.
    Node(usize),
    /// On the node of the surface nearest to a point, m.
    NearestNode(Vector3<f64>),
    /// On the point of the surface nearest to a point.
    Point {
        /// The point, m.
        point: Vector3<f64>,
        /// The farthest it may be from the surface, m.
        tolerance: f64,
    },
}

/// A gauge to be placed.
#[derive(Debug, Clone, PartialEq)]
pub struct GaugeSpec {
    /// Name.
    pub name: String,
    /// Where.
    pub place: GaugePlace,
    /// Direction of the bone; its projection on the surface is the gauge's x axis.
    pub along: Vector3<f64>,
}

/// A placed gauge: the strain of any displacement of the mesh, in the gauge's axes.
///
/// x lies in the surface along the bone, z is the outward normal, y = z × x. Between nodes the recovered strains of the
/// face's nodes (see [`crate::recovery`]) are interpolated with its shape functions.
#[derive(Debug, Clone, PartialEq)]
pub struct GaugeSite {
    /// Name.
    pub name: String,
    /// Position on the surface, m.
    pub position: Vector3<f64>,
    /// Columns along, across, outward normal.
    pub axes: Matrix3<f64>,
    /// From mesh displacements to the strain in these axes.
    pub operator: StrainOperator,
    /// Stress from strain in these axes, Pa.
    pub elasticity: Matrix6<f64>,
}

impl GaugeSite {
    /// Places a gauge.
    ///
    /// # Errors
    /// When the node does not exist or lies inside, the point is too far from the surface (the message says how far),
    /// or the bone's direction is along the normal.
    pub fn place(
        spec: &GaugeSpec,
        recovery: &Recovery<'_>,
        locator: &Locator<'_>,
        materials: &MaterialField,
    ) -> Result<Self, FemError> {
        let point = surface_point(spec, recovery, locator)?;
        let normal = locator.normal(&point).ok_or_else(|| {
            FemError::Boundary(format!(
                "gauge `{}` is not on the surface of the bone; choose a surface node",
                spec.name
            ))
        })?;
        let axes = surface_axes(&spec.name, &normal, &spec.along)?;
        let nodes = || point.weights.iter().filter(|(_, w)| *w != 0.0);
        let parts: Result<Vec<_>, FemError> = nodes().map(|&(node, w)| Ok((w, recovery.operator(node)?))).collect();
        let mut elasticity = Matrix6::zeros();
        for &(node, w) in nodes() {
            elasticity += recovery.elasticity(materials, node)? * w;
        }
        Ok(Self {
            name: spec.name.clone(),
            position: point.position,
            axes,
            operator: StrainOperator::weighted(&parts?).rotated(&axes),
            elasticity: rotated_stiffness(&elasticity, &Rotation3::from_matrix_unchecked(axes.transpose())),
        })
    }

    /// Strain in the gauge's axes for mesh displacements, m.
    pub fn strain(&self, displacement: &[f64]) -> Vector6<f64> {
        self.operator.apply(displacement)
    }

    /// The gauge of a body with the modes in the columns of `shapes` (mesh dof by n).
    pub fn gauge(&self, shapes: MatRef<'_, f64>) -> Gauge {
        Gauge {
            name: self.name.clone(),
            position: self.position,
            axes: std::array::from_fn(|i| std::array::from_fn(|j| self.axes[(i, j)])),
            strain: self.operator.apply_all(shapes),
            elasticity: self.elasticity,
        }
    }
}

fn surface_point(spec: &GaugeSpec, recovery: &Recovery<'_>, locator: &Locator<'_>) -> Result<MeshPoint, FemError> {
    let at_node = |node: usize, distance: f64| {
        let position = recovery.mesh().nodes().get(node).copied().ok_or_else(|| {
            let count = recovery.mesh().nodes().len();
            FemError::Boundary(format!("gauge `{}`: there is no node {node}; the mesh has {count}", spec.name))
        })?;
        Ok(MeshPoint { element: 0, weights: vec![(node, 1.0)], position, distance, face_normal: None })
    };
    match &spec.place {
        GaugePlace::Node(node) => at_node(*node, 0.0),
        GaugePlace::NearestNode(point) => match locator.nearest_node(point) {
            Some((node, distance)) if distance.is_finite() => at_node(node, distance),
            _ => Err(FemError::NonFinite(format!("the position of gauge `{}`", spec.name))),
        },
        GaugePlace::Point { point, tolerance } => {
            let found = locator.on_surface(point)?;
            if found.distance <= *tolerance {
                return Ok(found);
            }
            Err(FemError::Boundary(format!(
                "gauge `{}` is {:.3e} m from the surface of the bone, allowed are {tolerance:.3e} m; move it towards \
                 ({:.4}, {:.4}, {:.4}) m or allow more",
                spec.name, found.distance, found.position.x, found.position.y, found.position.z
            )))
        }
    }
}

/// x along the bone in the surface, y across, z the normal.
fn surface_axes(name: &str, normal: &Vector3<f64>, along: &Vector3<f64>) -> Result<Matrix3<f64>, FemError> {
    /// Smallest sine of the angle between the bone and the normal: about 3 degrees.
    const FLATTEST: f64 = 0.05;
    let x = along.try_normalize(0.0).map(|a| a - normal * a.dot(normal)).filter(|x| x.norm() > FLATTEST);
    let x = x.ok_or_else(|| {
        FemError::Boundary(format!(
            "gauge `{name}`: the direction of the bone ({}, {}, {}) is along the normal of the surface or no direction; \
             give another",
            along.x, along.y, along.z
        ))
    })?;
    let x = x.normalize();
    Ok(Matrix3::from_columns(&[x, normal.cross(&x), *normal]))
}
