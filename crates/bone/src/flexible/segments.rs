//! Lumped masses: a solid as a chain of rigid segments joined by six-component springs.
//!
//! The bone of length `L` is divided into `N - 1` cells of length `h = L/(N - 1)`. A spring in the middle of each
//! stands for the elasticity of the whole cell, the rigid segments between the springs for its mass; the first and
//! last segment are half as long. About its middle the flexibility of a straight cell under the forces and moments at
//! its ends is exactly
//!
//! ```text
//! stretch   h / EA           turn   h / EI           twist   h / GJ           slip   h / κGA + h³ / 12 EI
//! ```
//!
//! (Timoshenko's beam; the last term is the bending by the shear force within the cell), so loads at the ends of a
//! straight bone bend the chain as they bend the beam. The error of a chain of `N` segments is the inertia within a
//! segment: `O(h²)`.
//!
//! Limits: the sections stay plane (no warping; `GJ` with the polar moment is right for round sections and too stiff
//! for others), the line of centroids is taken to go straight along the axis, and the shear centre to be the
//! centroid. Rotations of a spring are exact, see [`wolff_multibody::force::Bushing`], and its law linear.

use nalgebra::{DMatrix, Matrix2, Matrix6, Vector6};
use wolff_fem::FemError;
use wolff_fem::gauge::GaugeSite;
use wolff_flexbody::Gauge;
use wolff_spatial::{MassProperties, Mat3, Vec3};

use super::placed::{Moments, Placed, gauge};
use super::section::{SectionStiffness, axes_across};

/// First root of `cos x cosh x = 1`, squared: `ω₁ = 22.37 √(EI/μ)/L²` of a free uniform beam.
const FREE_BEAM: f64 = 22.373_285_448;

/// A solid as segments and springs, all in the axes of the mesh.
#[derive(Clone, Debug)]
pub struct Chain {
    /// Mass, centre and inertia of each segment, in the frame that the mesh has at rest.
    pub segments: Vec<MassProperties>,
    /// The springs: number k joins segments k and k + 1.
    pub springs: Vec<ChainSpring>,
    /// Interfaces and points: name, segment, position \[m\].
    pub nodes: Vec<(String, usize, Vec3)>,
    /// Gauges.
    pub gauges: Vec<ChainGauge>,
}

/// A spring of a chain.
#[derive(Clone, Debug)]
pub struct ChainSpring {
    /// Where it is: the centroid of the section in the middle of its cell \[m\].
    pub at: Vec3,
    /// Stiffness against displacement and rotation, axes of the mesh.
    pub stiffness: Matrix6<f64>,
    /// Damping.
    pub damping: Matrix6<f64>,
}

/// A gauge on a chain: its strain is linear in the deformations of one or two springs.
#[derive(Clone, Debug)]
pub struct ChainGauge {
    /// The gauge, with six columns per spring.
    pub gauge: Gauge,
    /// Numbers of the springs.
    pub springs: Vec<usize>,
}

/// Where the cells are along the axis.
struct Cells {
    axes: Mat3,
    start: f64,
    length: f64,
    count: usize,
}

impl Cells {
    fn new(solid: &Placed, axis: &Vec3, segments: usize) -> Result<Self, FemError> {
        if segments < 2 {
            return Err(FemError::Mesh(format!("{segments} segments: a chain needs at least 2")));
        }
        let along = solid.mesh.nodes().iter().map(|x| axis.dot(x));
        let (low, high) = along.fold((f64::MAX, f64::MIN), |(l, h), s| (l.min(s), h.max(s)));
        Ok(Cells {
            axes: axes_across(axis),
            start: low,
            length: (high - low) / (segments - 1) as f64,
            count: segments - 1,
        })
    }

    fn station(&self, x: &Vec3) -> f64 {
        self.axes.column(2).dot(x)
    }

    /// The segment to which a point belongs.
    fn segment(&self, x: &Vec3) -> usize {
        (((self.station(x) - self.start) / self.length + 0.5).floor().max(0.0) as usize).min(self.count)
    }

    fn middle(&self, cell: usize) -> f64 {
        self.start + (cell as f64 + 0.5) * self.length
    }

    /// The springs around a station and their weights; beyond the outermost ones linear extrapolation.
    fn around(&self, station: f64) -> Vec<(usize, f64)> {
        if self.count < 2 {
            return vec![(0, 1.0)];
        }
        let t = (station - self.middle(0)) / self.length;
        let first = (t.floor().max(0.0) as usize).min(self.count - 2);
        let weight = t - first as f64;
        vec![(first, 1.0 - weight), (first + 1, weight)]
    }
}

impl Chain {
    /// Divides a solid into `segments` segments along `axis`. Elements belong to the segment that holds their mean
    /// corner, so that mass and its moments are exact in each and in all. `damping_ratio` is the share of critical
    /// damping at the first bending frequency of the free bone, estimated as that of a uniform beam; damping is
    /// `2 ζ/ω₁` times the stiffness, so modes of higher frequency are damped in proportion to it.
    ///
    /// # Errors
    /// When a segment holds no element, or a plane through the middle of a cell misses the solid.
    pub fn new(solid: &Placed, axis: &Vec3, segments: usize, damping_ratio: f64) -> Result<Self, FemError> {
        let cells = Cells::new(solid, axis, segments)?;
        let segments = slices(solid, &cells)?;
        let sections = (0..cells.count).map(|cell| SectionStiffness::cut(solid, &cells.axes, cells.middle(cell)));
        let sections = sections.collect::<Result<Vec<_>, _>>()?;
        let mass: f64 = segments.iter().map(|s| s.mass).sum();
        let time = 2.0 * damping_ratio / first_bending(&sections, &cells, mass);
        let spring = |section: &SectionStiffness| {
            let stiffness = cell_stiffness(section, cells.length)?;
            Some(ChainSpring { at: section.centroid, stiffness, damping: stiffness * time })
        };
        let singular = || FemError::Mesh("a section of the solid has no bending stiffness in some direction".into());
        let springs = sections.iter().map(spring).collect::<Option<Vec<_>>>().ok_or_else(singular)?;
        let nodes = std::iter::once(("base".to_string(), Vec3::zeros())).chain(solid.nodes());
        let nodes = nodes.map(|(name, at)| (name, cells.segment(&at), at)).collect();
        let gauges = solid.sites.iter().map(|site| chain_gauge(solid, site, &cells, &springs));
        Ok(Chain { segments, gauges: gauges.collect::<Result<_, _>>()?, springs, nodes })
    }

    /// Mass of all segments \[kg\].
    pub fn mass(&self) -> f64 {
        self.segments.iter().map(|s| s.mass).sum()
    }
}

/// Mass properties of the elements of each segment.
fn slices(solid: &Placed, cells: &Cells) -> Result<Vec<MassProperties>, FemError> {
    let mut elements = vec![Vec::new(); cells.count + 1];
    for element in 0..solid.mesh.element_count() {
        let x = solid.corners(element);
        let centre = x.iter().take(4).sum::<Vec3>() / 4.0;
        elements[cells.segment(&centre)].push(element);
    }
    let slice = |(k, elements): (usize, Vec<usize>)| {
        if elements.is_empty() {
            let rule = "holds no element of the mesh; take fewer segments or refine the mesh";
            return Err(FemError::Mesh(format!("segment {} of {} {rule}", k + 1, cells.count + 1)));
        }
        let Moments { mass, first, second } = solid.moments(elements);
        let com = first / mass;
        let central = second - com * com.transpose() * mass;
        let inertia = Mat3::identity() * central.trace() - central;
        MassProperties::new(mass, com, inertia).map_err(|e| FemError::Mesh(format!("segment {}: {e}", k + 1)))
    };
    elements.into_iter().enumerate().map(slice).collect()
}

/// First bending frequency \[rad/s\] of a free uniform beam with the softest stiffness of the middle section.
fn first_bending(sections: &[SectionStiffness], cells: &Cells, mass: f64) -> f64 {
    let length = cells.length * cells.count as f64;
    let softest = sections.get(sections.len() / 2).map_or(0.0, |s| s.bending.symmetric_eigenvalues().min());
    FREE_BEAM * (softest.max(0.0) * length / mass).sqrt() / length.powi(2)
}

/// Stiffness of a cell of length `h` about its middle, in the axes of the mesh.
fn cell_stiffness(section: &SectionStiffness, h: f64) -> Option<Matrix6<f64>> {
    let slip = Matrix2::identity() * (h / section.shear) + section.bending.try_inverse()? * (h.powi(3) / 12.0);
    let (slip, turn) = (slip.try_inverse()?, section.moment_matrix() / h);
    let block = |across: &Matrix2<f64>, along: f64| {
        let mut local = Mat3::zeros();
        local.fixed_view_mut::<2, 2>(0, 0).copy_from(across);
        local[(2, 2)] = along;
        section.axes * local * section.axes.transpose()
    };
    let mut stiffness = Matrix6::zeros();
    stiffness.fixed_view_mut::<3, 3>(0, 0).copy_from(&block(&slip, section.axial / h));
    stiffness.fixed_view_mut::<3, 3>(3, 3).copy_from(&block(&turn, section.torsion / h));
    // the product with the axes rounds differently above and below the diagonal
    Some((stiffness + stiffness.transpose()) * 0.5)
}

/// Strain by beam theory from the forces and moments of the springs around the gauge, linear between them:
///
/// ```text
/// ε = N/EA + v κ_u - u κ_v        κ = (EI)⁻¹ M        γ = φ' (e × r) · y,   φ' = T/GJ
/// ```
///
/// with the section through the gauge and the gauge at `(u, v)` from its centroid. Across the bone the strain is that
/// of pure axial stress; the shear strain is that of torsion alone, that of the shear force (at most `2 V/A G` in a
/// tube) is left out.
fn chain_gauge(
    solid: &Placed,
    site: &GaugeSite,
    cells: &Cells,
    springs: &[ChainSpring],
) -> Result<ChainGauge, FemError> {
    let station = cells.station(&site.position);
    let section = SectionStiffness::cut(solid, &cells.axes, station)?;
    let no_inverse = || FemError::Mesh(format!("gauge `{}`: section or material without stiffness", site.name));
    let flexibility = section.moment_matrix().try_inverse().ok_or_else(no_inverse)?;
    let compliance = site.elasticity.try_inverse().ok_or_else(no_inverse)?;
    let [u, v, e] = [0, 1, 2].map(|k| section.axes.column(k).into_owned());
    let at = section.offset(&site.position);

    // axial strain per unit of force and moment, axes of the mesh
    let per_moment = flexibility * nalgebra::Vector2::new(at.y, -at.x);
    let axial = stacked(&(e / section.axial), &(u * per_moment.x + v * per_moment.y));
    // shear strain per unit of torque; the gauge's x may point in either direction along the axis
    let [x, y] = [0, 1].map(|k| site.axes.column(k).into_owned());
    let lever = e.cross(&(site.position - section.centroid)).dot(&y) * x.dot(&e).signum();
    let twist = stacked(&Vec3::zeros(), &(e * (lever / section.torsion)));

    let uniaxial = compliance.column(0) / compliance[(0, 0)];
    let shear = Vector6::ith(3, 1.0);
    let response = uniaxial * axial.transpose() + shear * twist.transpose();
    let around = cells.around(station);
    let mut strain = DMatrix::zeros(6, 6 * around.len());
    for (k, (spring, weight)) in around.iter().enumerate() {
        let part = response * springs[*spring].stiffness * *weight;
        strain.view_mut((0, 6 * k), (6, 6)).copy_from(&part);
    }
    Ok(ChainGauge { gauge: gauge(site, strain), springs: around.into_iter().map(|(spring, _)| spring).collect() })
}

fn stacked(force: &Vec3, moment: &Vec3) -> Vector6<f64> {
    Vector6::new(force.x, force.y, force.z, moment.x, moment.y, moment.z)
}
