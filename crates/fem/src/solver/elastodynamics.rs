//! Strain of a whole mesh along a known motion: two ways to flexibility that need no modes, to compare a reduced body
//! with.
//!
//! The rigid motion of the body and the forces on it are given; the deformation is small and does not act back on them.
//! In the body's axes, with `a` the acceleration of the mesh's origin minus gravity and `ω, α` the angular velocity and
//! acceleration,
//!
//! ```text
//! M ü + C u̇ + K u = f - M (a + α × X + ω × (ω × X))        dynamic        (ω × u, α × u and 2 ω × u̇ are left out)
//!             K u = f - M (a + α × X + ω × (ω × X))          quasi-static
//! ```
//!
//! The loads are combinations of a few constant fields (three for `a`, three for `α`, six for `ω ω`, six for each
//! interface and point), so the mesh is solved once for each field and not for each frame. The body is free, with the
//! rest of the balance given to a rigid acceleration ([`crate::solver::relief`]), or held at an interface. When it is
//! free, `a` and `α` have no effect on the strain: they follow from the forces; what the given ones leave unbalanced is
//! reported.

use faer::Mat;
use nalgebra::{Matrix3, Vector3, Vector6};

use crate::error::FemError;
use crate::mesh::TetMesh;
use crate::recovery::attachment::Attachment;
use crate::recovery::gauge::GaugeSite;
use crate::solver::newmark::{Newmark, Stepper};
use crate::solver::relief::{InertiaRelief, resultant};
use crate::solver::solve::{Loads, StaticSolution, Statics};
use crate::system::assembly::Assembled;
use crate::system::dofs::{Constraints, DofMap};

/// Load fields of the rigid motion: `a`, `α`, and `ω ωᵀ - ω² 1` with six independent entries.
const MOTION_FIELDS: usize = 12;

/// Rows and columns of the six independent entries of a symmetric matrix.
const PAIRS: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)];

/// An instant of a motion, in the body's axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// Acceleration of the mesh's origin minus gravity, m/s².
    pub acceleration: Vector3<f64>,
    /// Angular velocity, rad/s.
    pub angular_velocity: Vector3<f64>,
    /// Angular acceleration, rad/s².
    pub angular_acceleration: Vector3<f64>,
    /// Force, N, and moment, N m, on each interface of the model; not used on a held one.
    pub interface: Vec<[f64; 6]>,
    /// Force, N, and moment, N m, on each point.
    pub point: Vec<[f64; 6]>,
}

/// How the body is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// Not at all: inertia relief.
    Free,
    /// At a rigid interface, by its number.
    Interface(usize),
}

/// The mesh with its gauges, ready for motions.
#[derive(Debug)]
pub struct ElasticModel<'a> {
    system: &'a Assembled,
    mesh: &'a TetMesh,
    /// The constraints in force; a held interface is clamped, not tied.
    map: DofMap,
    statics: Solver<'a>,
    sites: &'a [GaugeSite],
    /// One a load field.
    fields: Vec<Loads>,
    /// Force and moment about the mesh's origin of each field.
    resultants: Vec<Vector6<f64>>,
    held: Option<usize>,
    interfaces: usize,
    points: usize,
}

#[derive(Debug)]
enum Solver<'a> {
    Free(Box<InertiaRelief<'a>>),
    Held(Box<Statics<'a>>),
}

/// Strains of the gauges along a motion.
#[derive(Debug, Clone, PartialEq)]
pub struct StrainHistory {
    /// By frame, then by gauge, in the gauge's axes.
    pub strain: Vec<Vec<Vector6<f64>>>,
    /// By frame: force, N, and moment about the mesh's origin, N m, by which forces and inertia do not balance. Carried
    /// by a rigid acceleration (free) or by the held interface.
    pub unbalanced: Vec<Vector6<f64>>,
}

impl Solver<'_> {
    fn solve(&self, loads: &Loads) -> Result<StaticSolution, FemError> {
        match self {
            Self::Free(relief) => relief.solve(loads),
            Self::Held(statics) => statics.solve(loads),
        }
    }

    fn balanced(&self, loads: &Loads) -> Loads {
        match self {
            Self::Free(relief) => relief.balanced(loads),
            Self::Held(_) => loads.clone(),
        }
    }
}

impl<'a> ElasticModel<'a> {
    /// Factorises the mesh and makes the load fields.
    ///
    /// # Errors
    /// When the parts belong to different meshes, supports are given, or the held interface does not exist.
    pub fn new(
        mesh: &'a TetMesh,
        system: &'a Assembled,
        interfaces: &Constraints,
        points: &[Attachment],
        sites: &'a [GaugeSite],
        support: Support,
    ) -> Result<Self, FemError> {
        let (constraints, held) = supported(interfaces, support)?;
        let map = DofMap::new(mesh, &constraints)?;
        let statics = match support {
            Support::Free => Solver::Free(Box::new(InertiaRelief::new(mesh, system, &constraints)?)),
            Support::Interface(_) => Solver::Held(Box::new(Statics::new(mesh, system, &constraints)?)),
        };
        let references: Vec<_> = constraints.rigid.iter().map(|interface| interface.reference).collect();
        let fields = load_fields(mesh, system, references.len(), points);
        let total = |field: &Loads| resultant(field, mesh.nodes(), &references, &Vector3::zeros());
        Ok(Self {
            system,
            mesh,
            map,
            statics,
            sites,
            resultants: fields.iter().map(total).collect(),
            fields,
            held,
            interfaces: interfaces.rigid.len(),
            points: points.len(),
        })
    }

    /// How much of each load field a frame has.
    fn amounts(&self, frame: &Frame, index: usize) -> Result<Vec<f64>, FemError> {
        if frame.interface.len() != self.interfaces || frame.point.len() != self.points {
            return Err(FemError::Boundary(format!(
                "frame {index} has loads for {} interfaces and {} points, the model {} and {}",
                frame.interface.len(),
                frame.point.len(),
                self.interfaces,
                self.points
            )));
        }
        let w = frame.angular_velocity;
        let square = w * w.transpose() - Matrix3::identity() * w.norm_squared();
        let mut amounts: Vec<f64> =
            frame.acceleration.iter().chain(frame.angular_acceleration.iter()).copied().collect();
        amounts.extend(PAIRS.map(|at| square[at]));
        let free = frame.interface.iter().enumerate().filter(|(k, _)| Some(*k) != self.held).map(|(_, load)| load);
        amounts.extend(free.chain(&frame.point).flatten());
        match amounts.iter().all(|a| a.is_finite()) {
            true => Ok(amounts),
            false => Err(FemError::NonFinite(format!("a motion or force of frame {index}"))),
        }
    }

    fn all_amounts(&self, frames: &[Frame]) -> Result<Vec<Vec<f64>>, FemError> {
        frames.iter().enumerate().map(|(index, frame)| self.amounts(frame, index)).collect()
    }

    fn strains(&self, displacement: &[f64]) -> Vec<Vector6<f64>> {
        self.sites.iter().map(|site| site.strain(displacement)).collect()
    }

    fn unbalanced(&self, amounts: &[Vec<f64>]) -> Vec<Vector6<f64>> {
        let sum = |amounts: &Vec<f64>| self.resultants.iter().zip(amounts).map(|(r, a)| r * *a).sum();
        amounts.iter().map(sum).collect()
    }

    /// Quasi-static strains: one solution for each load field, then sums.
    ///
    /// # Errors
    /// When a frame does not fit the model or is not finite.
    pub fn quasi_static(&self, frames: &[Frame]) -> Result<StrainHistory, FemError> {
        let amounts = self.all_amounts(frames)?;
        let unit: Vec<Vec<Vector6<f64>>> = self
            .fields
            .iter()
            .map(|field| Ok(self.strains(&self.statics.solve(field)?.displacement)))
            .collect::<Result<_, FemError>>()?;
        let strain_of =
            |gauge: usize, amounts: &[f64]| unit.iter().zip(amounts).map(|(unit, a)| unit[gauge] * *a).sum();
        let strain = amounts.iter().map(|a| (0..self.sites.len()).map(|g| strain_of(g, a)).collect()).collect();
        Ok(StrainHistory { strain, unbalanced: self.unbalanced(&amounts) })
    }

    /// Dynamic strains by Newmark's method with constant average acceleration (`β = 1/4`, `γ = 1/2`: unconditionally
    /// stable, no numerical damping, periods too long by `(ω h)²/12`). The body starts in static equilibrium with the
    /// first frame.
    ///
    /// # Errors
    /// When a frame does not fit the model, a value is not finite, or the steps are not positive.
    pub fn dynamic(&self, frames: &[Frame], newmark: &Newmark) -> Result<StrainHistory, FemError> {
        let amounts = self.all_amounts(frames)?;
        let Some(first) = amounts.first() else {
            return Ok(StrainHistory { strain: Vec::new(), unbalanced: Vec::new() });
        };
        let balanced: Vec<Loads> = self.fields.iter().map(|field| self.statics.balanced(field)).collect();
        let mut stepper = Stepper::new(self.mesh, &self.map, self.system, &balanced, newmark)?;
        stepper.start(&self.statics.solve(&self.combined(first))?);
        let mut strain = vec![self.strains(&stepper.displacement())];
        for pair in amounts.windows(2) {
            for step in 1..=newmark.steps {
                let t = step as f64 / newmark.steps as f64;
                let now: Vec<f64> = pair[0].iter().zip(&pair[1]).map(|(a, b)| a + t * (b - a)).collect();
                stepper.step(&now)?;
            }
            let displacement = stepper.displacement();
            if !displacement.iter().all(|u| u.is_finite()) {
                return Err(FemError::NonFinite(format!("the displacement of frame {}", strain.len())));
            }
            strain.push(self.strains(&displacement));
        }
        Ok(StrainHistory { strain, unbalanced: self.unbalanced(&amounts) })
    }

    fn combined(&self, amounts: &[f64]) -> Loads {
        let mut sum =
            Loads { nodal: vec![0.0; 3 * self.mesh.nodes().len()], interface: vec![[0.0; 6]; self.map.interfaces()] };
        for (field, amount) in self.fields.iter().zip(amounts) {
            sum.nodal.iter_mut().zip(&field.nodal).for_each(|(sum, f)| *sum += amount * f);
            let interface = sum.interface.iter_mut().flatten().zip(field.interface.iter().flatten());
            interface.for_each(|(sum, f)| *sum += amount * f);
        }
        sum
    }
}

/// The constraints with the held interface clamped, and its number.
fn supported(interfaces: &Constraints, support: Support) -> Result<(Constraints, Option<usize>), FemError> {
    if !interfaces.prescribed.is_empty() {
        return Err(FemError::Boundary("the supports of a moving body are its interfaces; remove others".into()));
    }
    let Support::Interface(held) = support else { return Ok((interfaces.clone(), None)) };
    if held >= interfaces.rigid.len() {
        return Err(FemError::Boundary(format!(
            "there is no interface {held} to hold the body; it has {}, numbered from 0",
            interfaces.rigid.len()
        )));
    }
    let mut constraints = interfaces.clone();
    let interface = constraints.rigid.remove(held);
    Ok((constraints.clamp(&interface.nodes), Some(held)))
}

/// Inertia of the rigid motion, interface loads, point loads; one unit each.
fn load_fields(mesh: &TetMesh, system: &Assembled, interfaces: usize, points: &[Attachment]) -> Vec<Loads> {
    let unit = |k: usize| Vector3::from_fn(|i, _| f64::from(u8::from(i == k)));
    let acceleration = |field: usize, x: &Vector3<f64>| match field {
        0..3 => unit(field),
        3..6 => unit(field - 3).cross(x),
        _ => {
            let (i, j) = PAIRS[field - 6];
            let mut entry = Matrix3::zeros();
            entry[(i, j)] = 1.0;
            entry[(j, i)] = 1.0;
            entry * x
        }
    };
    let motion = Mat::from_fn(3 * mesh.nodes().len(), MOTION_FIELDS, |dof, field| {
        -acceleration(field, &mesh.nodes()[dof / 3])[dof % 3]
    });
    let inertia = system.mass.mul(motion.as_ref());
    let none = Loads::none(mesh, interfaces);
    let mut fields: Vec<Loads> =
        (0..MOTION_FIELDS).map(|field| Loads { nodal: inertia.col_as_slice(field).to_vec(), ..none.clone() }).collect();
    for place in 0..interfaces + points.len() {
        for component in 0..6 {
            let mut field = none.clone();
            let mut load = [0.0; 6];
            load[component] = 1.0;
            match points.get(place.wrapping_sub(interfaces)) {
                Some(point) => point.add_load(&load, &mut field.nodal),
                None => field.interface[place] = load,
            }
            fields.push(field);
        }
    }
    fields
}
