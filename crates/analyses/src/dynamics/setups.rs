//! Set-up files of OpenSim's tools as inputs of the commands.

use super::inputs::shown;
use std::path::{Path, PathBuf};
use wolff_motion::MotionError;
use wolff_opensim::setup::{
    self, AnalyzeTool, ForwardTool, InverseDynamicsTool, MuscleControlTool, ResidualReductionTool, Setup,
};
use wolff_verdict::{Finding, Judgement, grouped};

/// The content of a set-up file of any of the tools.
#[derive(Clone, Debug, Default)]
pub struct FromSetup {
    /// An AnalyzeTool.
    pub analyze: Option<AnalyzeTool>,
    /// An InverseDynamicsTool.
    pub inverse: Option<InverseDynamicsTool>,
    /// An RRATool.
    pub reduction: Option<ResidualReductionTool>,
    /// A CMCTool.
    pub control: Option<Box<MuscleControlTool>>,
    /// A ForwardTool.
    pub forward: Option<Box<ForwardTool>>,
}

impl FromSetup {
    /// A setting that the tools have in common.
    fn one<T>(
        &self,
        analyze: fn(&AnalyzeTool) -> Option<T>,
        inverse: fn(&InverseDynamicsTool) -> Option<T>,
        reduction: fn(&ResidualReductionTool) -> Option<T>,
        control: fn(&MuscleControlTool) -> Option<T>,
    ) -> Option<T> {
        let (a, i, r) = (self.analyze.as_ref(), self.inverse.as_ref(), self.reduction.as_ref());
        let others = a.and_then(analyze).or(i.and_then(inverse)).or(r.and_then(reduction));
        others.or(self.control.as_deref().and_then(control))
    }

    pub(super) fn model_file(&self) -> Option<PathBuf> {
        self.one(|t| t.model_file.clone(), |t| t.model_file.clone(), |t| t.model_file.clone(), |t| t.model_file.clone())
    }

    pub(super) fn motion_file(&self) -> Option<PathBuf> {
        self.one(
            |t| t.coordinates_file.clone().or(t.states_file.clone()),
            |t| t.coordinates_file.clone(),
            |t| t.kinematics_file.clone(),
            |t| t.kinematics_file.clone(),
        )
    }

    pub(super) fn loads_file(&self) -> Option<PathBuf> {
        self.one(
            |t| t.external_loads_file.clone(),
            |t| t.external_loads_file.clone(),
            |t| t.external_loads_file.clone(),
            |t| t.external_loads_file.clone(),
        )
    }

    pub(super) fn cutoff(&self) -> Option<f64> {
        self.one(|t| t.cutoff, |t| t.cutoff, |t| t.cutoff, |t| t.cutoff)
    }

    pub(super) fn time_range(&self) -> Option<[f64; 2]> {
        self.one(|t| Some(t.time_range), |t| t.time_range, |t| Some(t.time_range), |t| Some(t.time_range))
    }

    /// Folder of the results.
    pub fn results_directory(&self) -> Option<PathBuf> {
        let of_others = self.one(
            |t| t.results_directory.clone(),
            |t| t.results_directory.clone(),
            |t| t.results_directory.clone(),
            |t| t.results_directory.clone(),
        );
        of_others.or(self.forward.as_ref().and_then(|t| t.results_directory.clone()))
    }

    /// Name of the tool, for names of files.
    pub fn name(&self) -> Option<String> {
        let name = self.one(
            |t| Some(t.name.clone()),
            |t| Some(t.name.clone()),
            |t| Some(t.name.clone()),
            |t| Some(t.name.clone()),
        );
        name.or(self.forward.as_ref().map(|t| t.name.clone())).filter(|n| !n.is_empty())
    }

    /// Force sets with further actuators.
    pub(super) fn force_set_files(&self) -> Vec<PathBuf> {
        let analyze = self.analyze.as_ref().map(|t| t.force_set_files.clone());
        analyze.or(self.control.as_ref().map(|t| t.force_set_files.clone())).unwrap_or_default()
    }

    /// An analysis of the set-up.
    pub fn analysis<T>(&self, take: impl Fn(&setup::AnalysisKind) -> Option<T>) -> Option<T> {
        self.analyze.as_ref()?.analyses.iter().find_map(|a| take(&a.kind))
    }
}

/// The content of a set-up; elements that options replace are left out.
pub(super) fn read_setup(path: &Path, given: &[&str], judgement: &mut Judgement) -> Result<FromSetup, MotionError> {
    let file = setup::read_file_without(path, given).map_err(|cause| MotionError::File { path: path.into(), cause })?;
    judgement.found(file.findings);
    if !file.unknown.is_empty() {
        let names: Vec<&str> = file.unknown.iter().map(|u| u.element.as_str()).collect();
        let message = format!("settings of `{}` that are not used: {}", shown(path), grouped(&names));
        judgement.found([Finding::note(message, "")]);
    }
    match file.setup {
        Setup::Analyze(tool) => Ok(FromSetup { analyze: Some(tool), ..FromSetup::default() }),
        Setup::InverseDynamics(tool) => Ok(FromSetup { inverse: Some(tool), ..FromSetup::default() }),
        Setup::ResidualReduction(tool) => Ok(FromSetup { reduction: Some(tool), ..FromSetup::default() }),
        Setup::MuscleControl(tool) => Ok(FromSetup { control: Some(tool), ..FromSetup::default() }),
        _ => {
            let reason = "is the set-up of another tool; give that of an InverseDynamicsTool, an RRATool, a CMCTool or \
                 an AnalyzeTool";
            Err(MotionError::input(shown(path), reason))
        }
    }
}

/// The content of a set-up file; files that were found elsewhere than it says are told.
pub(super) fn setup_of(path: &Path, judgement: &mut Judgement) -> Result<Setup, MotionError> {
    let file = setup::read_file(path).map_err(|cause| MotionError::File { path: path.into(), cause })?;
    judgement.found(file.findings);
    Ok(file.setup)
}
