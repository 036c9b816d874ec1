//! From a mesh to a flexible body, with a report on what was lost.
//!
//! Assembly, Craig-Bampton reduction to the interfaces, orthonormal modes, inertia integrals, frames at interfaces and
//! attachment points, gauges; then the modes that are wanted. The body is in the axes of the mesh, its floating frame
//! at the mesh's origin; stiffness `diag(ω²)`, damping `diag(2 ζ ω)`. See [`crate::reduction::craig_bampton`] for what
//! the modes are, [`crate::reduction::fidelity`] for the check of the gauges.

use std::time::Instant;

use faer::Mat;
use nalgebra::{DMatrix, DVector, Vector3};
use wolff_flexbody::{FlexBody, FlexBodyFile, MeshReference, Node, Surface};

use crate::error::FemError;
use crate::mesh::TetMesh;
use crate::mesh::locate::Locator;
use crate::recovery::Recovery;
use crate::recovery::attachment::{Attachment, PointSpec};
use crate::recovery::gauge::{GaugeSite, GaugeSpec};
use crate::reduction::craig_bampton::{FlexibleModes, craig_bampton_with_loads};
use crate::reduction::fidelity::{self, GaugeError, LoadCase, unit_loads};
use crate::reduction::integrals::inertia_integrals;
pub use crate::reduction::report::Report;
use crate::reduction::report::{compliance_shares, largest_momentum};
use crate::reduction::second_order::SecondOrder;
use crate::reduction::surface::surface;
use crate::solver::modes::{ModeOptions, vibration_modes};
use crate::solver::relief::{InertiaRelief, rigid_motions};
use crate::system::assembly::{Assembled, assemble};
use crate::system::dofs::Constraints;
use crate::system::material::MaterialField;

/// What to reduce, and how.
#[derive(Debug, Clone)]
pub struct Reduction<'a> {
    /// Name of the body.
    pub name: String,
    /// Mesh.
    pub mesh: &'a TetMesh,
    /// Materials.
    pub materials: &'a MaterialField,
    /// Interfaces, each a node of the body at its reference point; no supports. Without any the modes are those of the
    /// free solid.
    pub interfaces: Constraints,
    /// Further nodes, which follow a patch without stiffening it.
    pub points: Vec<PointSpec>,
    /// Whether forces at the points get attachment modes (three a point), which make the static response to them exact.
    pub attach: bool,
    /// Whether the inertia of rigid accelerations gets attachment modes (six): loads out of balance are then exact too.
    pub relief: bool,
    /// Whether the body gets second-order displacements ([`crate::reduction::second_order`]): a bent bone shortens, a
    /// pulled one stiffens.
    pub stiffening: bool,
    /// Strain gauges.
    pub gauges: Vec<GaugeSpec>,
    /// Fixed-interface modes to compute.
    pub fixed_modes: usize,
    /// Which of the orthonormal modes to keep.
    pub selection: Selection,
    /// Critical damping ratio `ζ` of every mode.
    pub damping_ratio: f64,
    /// Whether to keep the surface for pictures.
    pub surface: bool,
    /// Whether to compare the gauges with the whole mesh under unit loads: costs another factorisation.
    pub check: bool,
    /// How modes are sought.
    pub options: ModeOptions,
}

/// Which orthonormal modes to keep.
#[derive(Debug, Clone, PartialEq)]
pub enum Selection {
    /// All: the static response to interface loads in equilibrium is exact, that to others as good as the
    /// fixed-interface modes describe the body's own inertia.
    All,
    /// The lowest ones.
    Count(usize),
    /// Those up to a frequency, Hz.
    UpTo(f64),
    /// The lowest ones until the static strain at the gauges has converged.
    GaugeConvergence {
        /// Allowed change, relative to the largest strain at any gauge under the same load.
        tolerance: f64,
        /// The loads; none means unit loads at all interfaces and points.
        loads: Vec<LoadCase>,
    },
    /// The fewest modes that hold a share of the strain energy of the static answer to each of some loads.
    StrainEnergy {
        /// Share, from 0 to 1.
        share: f64,
        /// The loads; none means unit loads at all interfaces and points.
        loads: Vec<LoadCase>,
    },
}

/// The body, its surface, and the report.
#[derive(Debug, Clone, PartialEq)]
pub struct Reduced {
    /// The body.
    pub body: FlexBody,
    /// Its surface, if wanted.
    pub surface: Option<Surface>,
    /// What was done and lost.
    pub report: Report,
}

/// Everything found before modes are selected.
struct Parts {
    modes: FlexibleModes,
    points: Vec<Attachment>,
    sites: Vec<GaugeSite>,
    body: FlexBody,
    surface: Option<Surface>,
}

/// Times the phases.
struct Clock {
    last: Instant,
    seconds: Vec<(&'static str, f64)>,
}

impl Clock {
    fn phase<T>(&mut self, name: &'static str, result: T) -> T {
        let now = Instant::now();
        self.seconds.push((name, (now - self.last).as_secs_f64()));
        self.last = now;
        result
    }
}

impl Parts {
    fn report(&self, kept: &[usize], gauge_errors: Vec<GaugeError>, seconds: Vec<(&'static str, f64)>) -> Report {
        let available = self.modes.frequencies();
        let shares = compliance_shares(&self.body.nodes[1..], &self.modes.eigenvalues);
        Report {
            frequencies: kept.iter().map(|&i| available[i]).collect(),
            available,
            mass: self.body.inertia.mass,
            compliance_shares: shares.select_rows(kept.iter()),
            momentum: largest_momentum(&self.body),
            gauge_errors,
            seconds,
        }
    }
}

impl Reduced {
    /// The content of the body's file.
    pub fn file(&self, mesh: Option<MeshReference>) -> FlexBodyFile {
        FlexBodyFile { mesh, surface: self.surface.clone(), ..FlexBodyFile::of(self.body.clone()) }
    }
}

impl<'a> Reduction<'a> {
    /// A reduction with all modes, 1 % damping and the check of the gauges.
    pub fn new(name: &str, mesh: &'a TetMesh, materials: &'a MaterialField, interfaces: Constraints) -> Self {
        Self {
            name: name.to_owned(),
            mesh,
            materials,
            interfaces,
            points: Vec::new(),
            attach: true,
            relief: false,
            stiffening: false,
            gauges: Vec::new(),
            fixed_modes: 20,
            selection: Selection::All,
            damping_ratio: 0.01,
            surface: false,
            check: true,
            options: ModeOptions::default(),
        }
    }

    /// Reduces.
    ///
    /// # Errors
    /// When mesh, materials, interfaces, points or gauges do not fit together, the modes do not converge, or a
    /// selection leaves none.
    pub fn run(&self) -> Result<Reduced, FemError> {
        let mut clock = Clock { last: Instant::now(), seconds: Vec::new() };
        let recovery = Recovery::new(self.mesh);
        let locator = Locator::new(self.mesh)?;
        let attach = |spec: &PointSpec| Attachment::new(spec, &recovery, &locator);
        let points: Vec<Attachment> = self.points.iter().map(attach).collect::<Result<_, _>>()?;
        let place = |spec: &GaugeSpec| GaugeSite::place(spec, &recovery, &locator, self.materials);
        let sites: Vec<GaugeSite> = self.gauges.iter().map(place).collect::<Result<_, _>>()?;
        clock.phase("points and gauges", ());
        let system = clock.phase("assembly", assemble(self.mesh, self.materials))?;
        let modes = clock.phase("modes", self.modes(&system, &points))?;
        let parts = self.parts(&system, modes, (points, sites), (&recovery, &locator), &mut clock)?;
        let loads = self.loads(&parts)?;
        let kept = self.selected(&parts, &loads)?;
        let mut body = parts.body.select(&kept)?;
        let check = self.check && !parts.sites.is_empty();
        let relief = match check || self.stiffening {
            true => Some(InertiaRelief::new(self.mesh, &system, &self.interfaces)?),
            false => None,
        };
        if let Some(relief) = relief.as_ref().filter(|_| self.stiffening) {
            self.stiffen(&mut body, &parts, &kept, (&system, relief))?;
            clock.phase("second-order displacements", ());
        }
        let gauge_errors = match relief.as_ref().filter(|_| check) {
            Some(relief) => self.gauge_errors(&parts, relief, &kept, &loads)?,
            None => Vec::new(),
        };
        clock.phase("check of the gauges", ());
        let report = parts.report(&kept, gauge_errors, clock.seconds);
        let surface = parts.surface.map(|surface| surface.select(&kept)).transpose()?;
        Ok(Reduced { body, surface, report })
    }

    /// Strains at the gauges with the kept modes beside those of the whole mesh.
    fn gauge_errors(
        &self,
        parts: &Parts,
        relief: &InertiaRelief<'_>,
        kept: &[usize],
        loads: &[LoadCase],
    ) -> Result<Vec<GaugeError>, FemError> {
        let dof = 3 * self.mesh.nodes().len();
        let full = fidelity::full_strains(relief, dof, &parts.points, &parts.sites, loads)?;
        let (gauges, places) = (&parts.body.gauges, &parts.body.nodes[1..]);
        let few = fidelity::reduced_strains(gauges, places, &parts.modes.eigenvalues, kept, loads);
        Ok(fidelity::compare(gauges, loads, &few, &full))
    }

    /// Adds the second-order displacements of the kept modes, those of `body`.
    fn stiffen(
        &self,
        body: &mut FlexBody,
        parts: &Parts,
        kept: &[usize],
        (system, relief): (&Assembled, &InertiaRelief<'_>),
    ) -> Result<(), FemError> {
        let shapes = &parts.modes.shapes;
        let shapes = Mat::from_fn(shapes.nrows(), kept.len(), |i, j| shapes[(i, kept[j])]);
        let solid = (self.mesh, self.materials, system);
        let second = SecondOrder::new(solid, (&self.interfaces, &parts.points), relief, shapes.as_ref())?;
        second.add_to(&mut body.nodes[1..])?;
        body.inertia.B2 = second.moments(&body.nodes[1..])?;
        // mean axes: the second-order displacement has no momentum
        body.inertia.S2 = vec![Vector3::zeros(); body.inertia.B2.len()];
        Ok(body.check()?)
    }

    /// Orthonormal modes of the free body.
    fn modes(&self, system: &Assembled, points: &[Attachment]) -> Result<FlexibleModes, FemError> {
        if self.interfaces.references().next().is_none() && self.interfaces.retained.is_empty() {
            let modes = vibration_modes(self.mesh, system, &self.interfaces, self.fixed_modes, &self.options)?;
            let count = modes.eigenvalues.len();
            return Ok(FlexibleModes {
                eigenvalues: modes.eigenvalues,
                shapes: modes.shapes,
                interface_shapes: Mat::zeros(0, count),
                removed: Vec::new(),
            });
        }
        let loads = self.attachment_loads(system, points);
        craig_bampton_with_loads(self.mesh, system, &self.interfaces, loads.as_ref(), self.fixed_modes, &self.options)?
            .orthonormalise()
    }

    /// Nodal force patterns that the modes must bear exactly: unit forces at the points, inertia of unit rigid
    /// accelerations.
    fn attachment_loads(&self, system: &Assembled, points: &[Attachment]) -> Mat<f64> {
        let dof = 3 * self.mesh.nodes().len();
        let mut patterns: Vec<Vec<f64>> = Vec::new();
        for point in points.iter().filter(|_| self.attach) {
            for axis in 0..3 {
                let mut forces = vec![0.0; dof];
                point.add_load(&std::array::from_fn(|k| f64::from(u8::from(k == axis))), &mut forces);
                patterns.push(forces);
            }
        }
        let mut loads = Mat::from_fn(dof, patterns.len(), |i, j| patterns[j][i]);
        if self.relief {
            let rigid = rigid_motions(self.mesh, &Vector3::zeros());
            let inertia = system.mass.mul(rigid.as_ref());
            loads = Mat::from_fn(dof, patterns.len() + 6, |i, j| match j.checked_sub(patterns.len()) {
                None => patterns[j][i],
                Some(k) => inertia[(i, k)],
            });
        }
        loads
    }

    /// The body with all modes.
    fn parts(
        &self,
        system: &Assembled,
        modes: FlexibleModes,
        (points, sites): (Vec<Attachment>, Vec<GaugeSite>),
        (recovery, locator): (&Recovery<'_>, &Locator<'_>),
        clock: &mut Clock,
    ) -> Result<Parts, FemError> {
        let shapes = modes.shapes.as_ref();
        let inertia = clock.phase("inertia integrals", inertia_integrals(self.mesh, &system.mass, shapes))?;
        let mut nodes = self.interface_nodes(&modes);
        nodes.extend(points.iter().map(|point| point.node(shapes)));
        let gauges = sites.iter().map(|site| site.gauge(shapes)).collect();
        let surface = if self.surface { Some(surface(recovery, locator, shapes)?) } else { None };
        clock.phase("surface", ());
        let stiffness = DMatrix::from_diagonal(&DVector::from_column_slice(&modes.eigenvalues));
        let damping = vec![self.damping_ratio; modes.eigenvalues.len()];
        let body = FlexBody::new(&self.name, inertia, stiffness, nodes, gauges)?.with_damping_ratios(&damping)?;
        Ok(Parts { modes, points, sites, body, surface })
    }

    /// The interfaces as nodes of the body.
    fn interface_nodes(&self, modes: &FlexibleModes) -> Vec<Node> {
        let shapes = &modes.interface_shapes;
        let rows = |first: usize| DMatrix::from_fn(3, shapes.ncols(), |i, j| shapes[(first + i, j)]);
        let interfaces = self.interfaces.references().enumerate();
        interfaces.map(|(k, (name, at))| Node::new(name, at, rows(6 * k), rows(6 * k + 3))).collect()
    }

    /// The loads of the selection, or unit loads.
    fn loads(&self, parts: &Parts) -> Result<Vec<LoadCase>, FemError> {
        let given = match &self.selection {
            Selection::GaugeConvergence { loads, .. } | Selection::StrainEnergy { loads, .. } if !loads.is_empty() => {
                loads.clone()
            }
            _ => {
                let interfaces: Vec<&str> = self.interfaces.references().map(|(name, _)| name).collect();
                unit_loads(&interfaces, &parts.points.iter().map(|p| p.name.as_str()).collect::<Vec<_>>())
            }
        };
        given.iter().try_for_each(|load| load.check(self.interfaces.references().count(), parts.points.len()))?;
        Ok(given)
    }

    /// The modes to keep, ascending.
    fn selected(&self, parts: &Parts, loads: &[LoadCase]) -> Result<Vec<usize>, FemError> {
        let available = parts.modes.eigenvalues.len();
        let (gauges, nodes) = (&parts.body.gauges, &parts.body.nodes[1..]);
        let kept: Vec<usize> = match &self.selection {
            Selection::All => (0..available).collect(),
            Selection::Count(count) if *count > available => {
                return Err(FemError::ModeCount { asked: *count, available });
            }
            Selection::Count(count) => (0..*count).collect(),
            Selection::UpTo(hertz) => (0..parts.modes.frequencies().iter().filter(|f| *f <= hertz).count()).collect(),
            Selection::GaugeConvergence { .. } if parts.sites.is_empty() => {
                return Err(FemError::Boundary("convergence of the gauges needs a gauge".into()));
            }
            Selection::GaugeConvergence { tolerance, .. } => {
                (0..fidelity::converged_modes(gauges, nodes, &parts.modes.eigenvalues, loads, *tolerance)).collect()
            }
            Selection::StrainEnergy { share, .. } => {
                fidelity::energetic_modes(nodes, &parts.modes.eigenvalues, loads, *share)?
            }
        };
        if let (true, Selection::UpTo(hertz)) = (kept.is_empty(), &self.selection) {
            let lowest = parts.modes.frequencies().iter().copied().fold(f64::INFINITY, f64::min);
            return Err(FemError::Boundary(format!(
                "no mode is up to {hertz} Hz: the lowest has {lowest:.1} Hz; raise the frequency"
            )));
        }
        if kept.is_empty() {
            return Err(FemError::ModeCount { asked: 0, available });
        }
        Ok(kept)
    }
}
