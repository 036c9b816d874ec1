//! Flexible bodies of studies: where their modes come from, as plain values, and how they are made.
//!
//! A beam is made from shape functions; a bone is built and meshed; a mesh is read. Meshes are reduced to interfaces,
//! fixed-interface modes and gauges by [`wolff_fem::reduce`]. Modes in a floating frame can be compared with other
//! methods ([`Way`]).

pub mod elastic;
mod material;
pub mod picture;
mod placed;
mod plausibility;
pub mod raw;
mod recipe;
mod section;
pub mod segments;
mod selector;
mod shares;
pub mod strain_field;
mod way;

pub use material::{MATERIALS, MaterialChoice, Transverse};
pub use placed::{Moments, Placed, direct_gauge};
pub use plausibility::{judge_resolution, mid_node_finding};
pub use recipe::{GaugeRequest, Interface, InterfaceKind, Recipe, SolidSource, Solver};
pub use section::{SHEAR_COEFFICIENT, SectionStiffness};
pub use selector::{NodeSelector, parse_direction, parse_gauge, parse_point};
pub use shares::{Share, carried};
pub use way::Way;

use crate::BoneError;
use std::path::PathBuf;
use wolff_flexbody::beam::{Beam, BeamGauge};
use wolff_flexbody::{FlexBody, FlexBodyError, FlexBodyFile};

/// A flexible body.
#[derive(Clone, Debug)]
pub struct FlexibleBody {
    /// Name.
    pub name: String,
    /// Where its modes come from.
    pub source: FlexibleSource,
    /// How its deformation is computed.
    pub way: Way,
    /// Critical damping ratio of every mode.
    pub damping_ratio: f64,
    /// Share of the strain energy of the run that the kept modes must hold; `None` keeps all modes.
    pub strain_energy: Option<f64>,
    /// Numbers of modes that are switched off, from 0; those that do not exist are refused.
    pub disabled: Vec<usize>,
    /// Initial modal coordinates; those not given are zero.
    pub eta: Vec<f64>,
    /// Initial modal speeds; those not given are zero.
    pub eta_dot: Vec<f64>,
    /// Folder that keeps reductions, which take most of the time; `None` keeps nothing.
    pub cache: Option<PathBuf>,
}

/// Where modes come from.
#[derive(Clone, Debug)]
pub enum FlexibleSource {
    /// A straight beam and its shape functions.
    Beam {
        /// The beam.
        beam: Beam,
        /// Names and distances of its nodes from the start.
        nodes: Vec<(String, f64)>,
        /// Gauges.
        gauges: Vec<BeamGauge>,
    },
    /// A solid, reduced.
    Solid(Box<Recipe>),
    /// A body reduced earlier, read from its file.
    File(Box<FlexBodyFile>),
}

impl FlexibleBody {
    /// Makes the reduced body, as the floating frame needs it.
    ///
    /// # Errors
    /// When its parts are out of bounds or do not fit together.
    pub fn make(&self) -> Result<FlexBody, BoneError> {
        self.make_with_surface(false).map(|file| file.body)
    }

    /// Makes the reduced body, with its surface if requested and available.
    ///
    /// # Errors
    /// As [`FlexibleBody::make`].
    pub fn make_with_surface(&self, surface: bool) -> Result<FlexBodyFile, BoneError> {
        let mut file = match &self.source {
            FlexibleSource::Beam { beam, nodes, gauges } => {
                let nodes: Vec<(&str, f64)> = nodes.iter().map(|(name, x)| (name.as_str(), *x)).collect();
                FlexBodyFile::of(beam.body(&self.name, &nodes, gauges)?)
            }
            FlexibleSource::Solid(recipe) => {
                let mut recipe = recipe.clone();
                recipe.solver.surface = surface;
                recipe.reduce_with_cache(&self.name, self.cache.as_deref())?
            }
            FlexibleSource::File(file) => (**file).clone(),
        };
        let ratios = vec![self.damping_ratio; file.body.modes()];
        file.body = file.body.with_damping_ratios(&ratios)?;
        if self.disabled.is_empty() {
            Ok(file)
        } else {
            Ok(file.select(&enabled(&self.name, &file.body, &self.disabled)?)?)
        }
    }

    /// The body without modes, and its solid if it has one; with `gauges` it has its gauges, which read zero.
    ///
    /// # Errors
    /// As [`FlexibleBody::make`].
    pub fn without_modes(&self, gauges: bool) -> Result<(FlexBody, Option<Placed>), BoneError> {
        match &self.source {
            FlexibleSource::Solid(recipe) => {
                let solid = Placed::new(recipe)?;
                Ok((solid.rigid_body(&self.name, gauges)?, Some(solid)))
            }
            FlexibleSource::Beam { .. } | FlexibleSource::File(_) => Ok((self.make()?.select(&[])?, None)),
        }
    }

    /// Its solid; `None` for beams and files.
    ///
    /// # Errors
    /// As [`FlexibleBody::make`].
    pub fn solid(&self) -> Result<Option<(Placed, &Recipe)>, BoneError> {
        match &self.source {
            FlexibleSource::Solid(recipe) => Ok(Some((Placed::new(recipe)?, recipe))),
            FlexibleSource::Beam { .. } | FlexibleSource::File(_) => Ok(None),
        }
    }
}

/// The modes that are left of a body when some (numbered from 0) are switched off.
///
/// # Errors
/// When one does not exist, or none is left.
pub fn enabled(name: &str, body: &FlexBody, disabled: &[usize]) -> Result<Vec<usize>, BoneError> {
    let modes = body.modes();
    if let Some(missing) = disabled.iter().find(|mode| **mode >= modes) {
        let rule = format!("mode {} cannot be switched off: there are {modes}, numbered from 1", missing + 1);
        return Err(FlexBodyError::invalid(name, rule).into());
    }
    let kept: Vec<usize> = (0..modes).filter(|mode| !disabled.contains(mode)).collect();
    if kept.is_empty() {
        let rule = "all modes are switched off; leave one, or make the body rigid (`way = \"rigid\"`)";
        return Err(FlexBodyError::invalid(name, rule).into());
    }
    Ok(kept)
}
