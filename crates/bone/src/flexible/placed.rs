//! A solid with its interfaces, points and gauges placed on the mesh, before or without any reduction.

use nalgebra::{DMatrix, Matrix6, Vector3};
use wolff_fem::assembly::{Assembled, assemble};
use wolff_fem::attachment::{Attachment, PointSpec};
use wolff_fem::dofs::Constraints;
use wolff_fem::element::add_mass;
use wolff_fem::gauge::{GaugeSite, GaugeSpec};
use wolff_fem::locate::Locator;
use wolff_fem::material::MaterialField;
use wolff_fem::recovery::Recovery;
use wolff_fem::{FemError, TetMesh};
use wolff_flexbody::{FlexBody, FlexBodyError, Gauge, InertiaIntegrals, Node};
use wolff_spatial::{Mat3, Vec3};

use super::recipe::Recipe;
use crate::BoneError;

/// A solid with its interfaces, points and gauges.
#[derive(Debug)]
pub struct Placed {
    /// Mesh.
    pub mesh: TetMesh,
    /// Material of each element.
    pub materials: MaterialField,
    /// Stiffness and mass matrices.
    pub system: Assembled,
    /// Joint interfaces.
    pub interfaces: Constraints,
    /// Further nodes.
    pub points: Vec<Attachment>,
    /// Gauges.
    pub sites: Vec<GaugeSite>,
}

/// Mass and its moments about the mesh's origin.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    /// Mass \[kg\].
    pub mass: f64,
    /// `∫ x dm` \[kg m\].
    pub first: Vec3,
    /// `∫ x xᵀ dm` \[kg m²\].
    pub second: Mat3,
}

impl Placed {
    /// Builds or reads the solid of a recipe and places its interfaces, points and gauges.
    ///
    /// # Errors
    /// When a part is out of bounds or does not fit the solid.
    pub fn new(recipe: &Recipe) -> Result<Self, BoneError> {
        let (mesh, materials) = recipe.solid()?;
        let system = assemble(&mesh, &materials)?;
        let interfaces = recipe.constraints(&mesh)?;
        let (recovery, locator) = (Recovery::new(&mesh), Locator::new(&mesh)?);
        let attach = |spec: &PointSpec| Attachment::new(spec, &recovery, &locator);
        let points = recipe.point_specs().iter().map(attach).collect::<Result<_, FemError>>()?;
        let place = |spec: &GaugeSpec| GaugeSite::place(spec, &recovery, &locator, &materials);
        let sites = recipe.gauge_specs()?.iter().map(place).collect::<Result<_, FemError>>()?;
        Ok(Placed { mesh, materials, system, interfaces, points, sites })
    }

    /// Names and positions of interfaces and points, in this order.
    pub fn nodes(&self) -> Vec<(String, Vec3)> {
        let interfaces = self.interfaces.references().map(|(name, at)| (name.to_string(), at));
        interfaces.chain(self.points.iter().map(|p| (p.name.clone(), p.position))).collect()
    }

    /// The whole solid as a body without modes; its gauges, if requested, read zero.
    ///
    /// # Errors
    /// When two nodes have the same name.
    pub fn rigid_body(&self, name: &str, gauges: bool) -> Result<FlexBody, FlexBodyError> {
        let Moments { mass, first, second } = self.moments(0..self.mesh.element_count());
        let still = || DMatrix::zeros(3, 0);
        let nodes = self.nodes().into_iter().map(|(name, at)| Node::new(&name, at, still(), still())).collect();
        let sites = self.sites.iter().filter(|_| gauges);
        let gauges = sites.map(|site| gauge(site, DMatrix::zeros(6, 0))).collect();
        FlexBody::new(name, InertiaIntegrals::rigid(mass, first, second, 0), DMatrix::zeros(0, 0), nodes, gauges)
    }

    /// Mass of some elements and its moments, with their consistent mass matrices `m_ab = ∫ ρ N_a N_b dV`:
    /// `∫ dm = Σ m_ab`, `∫ x dm = Σ m_ab x_b`, `∫ x xᵀ dm = Σ m_ab x_a x_bᵀ`. Parts add up to the whole but for
    /// rounding.
    pub fn moments(&self, elements: impl IntoIterator<Item = usize>) -> Moments {
        let mut sum = Moments::default();
        for element in elements {
            let x = self.corners(element);
            let mut masses = [0.0; 55];
            add_mass(self.mesh.kind(), &x, self.materials.density(element), &mut masses);
            for (a, x_a) in x.iter().enumerate() {
                for (b, x_b) in x.iter().enumerate() {
                    let (high, low) = (a.max(b), a.min(b));
                    let m = masses[high * (high + 1) / 2 + low];
                    sum.mass += m;
                    sum.first += x_b * m;
                    sum.second += x_a * x_b.transpose() * m;
                }
            }
        }
        sum
    }

    /// Positions of the nodes of an element.
    pub fn corners(&self, element: usize) -> Vec<Vector3<f64>> {
        let nodes = self.mesh.element(element).unwrap_or_default();
        nodes.iter().map(|&node| self.mesh.nodes()[node]).collect()
    }
}

/// A gauge at a site whose strain is `strain` times some coordinates.
pub(crate) fn gauge(site: &GaugeSite, strain: DMatrix<f64>) -> Gauge {
    Gauge {
        name: site.name.clone(),
        position: site.position,
        axes: std::array::from_fn(|i| std::array::from_fn(|j| site.axes[(i, j)])),
        strain,
        elasticity: site.elasticity,
    }
}

/// A gauge whose coordinates are its own six strains.
pub fn direct_gauge(site: &GaugeSite) -> Gauge {
    let identity = Matrix6::<f64>::identity();
    gauge(site, DMatrix::from_fn(6, 6, |i, j| identity[(i, j)]))
}
