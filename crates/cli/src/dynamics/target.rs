//! Where results are written: a run folder, or the results folder of a set-up.

use crate::failure::Failure;
use std::path::{Path, PathBuf};
use wolff_analyses::dynamics::{Analysis, Loaded};
use wolff_files::atomic;
use wolff_report::folder::{Provenance, check_run_folder, complete_run_folder};
use wolff_report::json::Timing;
use wolff_report::outcome::Status;

/// Location of the results.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// A run folder with everything.
    Folder(PathBuf),
    /// The results folder of a set-up for tables with the names that OpenSim gives them, and a run folder in it for the
    /// page.
    Setup {
        /// The results folder.
        results: PathBuf,
        /// The run folder.
        page: PathBuf,
        /// First part of the names of files.
        name: String,
        /// File of the generalised forces or of the model, where the set-up names one.
        named: Option<PathBuf>,
    },
    /// Nothing is written.
    Nowhere,
}

impl Target {
    /// The given folder; nothing with JSON; the results folder of a set-up; or a folder in `runs`.
    pub fn choose(out: Option<&PathBuf>, json: bool, setup: Option<&PathBuf>, command: &str, loaded: &Loaded) -> Self {
        let safe = |c: char| if c.is_alphanumeric() || c == '-' || c == '_' { c } else { '_' };
        let title: String = loaded.title.chars().map(safe).collect();
        match (out, setup) {
            (Some(out), _) => Target::Folder(out.clone()),
            (None, _) if json => Target::Nowhere,
            (None, Some(setup)) => {
                let of_setup = setup.parent().map(Path::to_path_buf).unwrap_or_default();
                let results = loaded.from_setup.results_directory().unwrap_or(of_setup);
                let inverse = loaded.from_setup.inverse.as_ref().and_then(|t| t.output_gen_force_file.clone());
                let reduction = loaded.from_setup.reduction.as_ref().and_then(|t| t.output_model_file.clone());
                let name: String = loaded.from_setup.name().map_or(title, |name| name.chars().map(safe).collect());
                let page = results.join(format!("{name}_wolff_{command}"));
                Target::Setup { results, page, name, named: inverse.or(reduction) }
            }
            (None, None) => Target::Folder(Path::new("runs").join(format!("{command}-{title}"))),
        }
    }

    /// The run folder.
    pub fn page(&self) -> Option<&Path> {
        match self {
            Target::Folder(folder) => Some(folder),
            Target::Setup { page, .. } => Some(page),
            Target::Nowhere => None,
        }
    }

    /// Refuses, before the computation, a folder with other content, and files that an earlier run did not write.
    pub fn check(&self, command: &str, files: &[&str], force: bool) -> Result<(), Failure> {
        let Some(page) = self.page() else { return Ok(()) };
        check_run_folder(page)?;
        let first = !page.exists();
        for file in files.iter().filter(|_| first && !force) {
            if let Some(path) = self.place(command, file).filter(|path| path.exists()) {
                let message = format!("`{}` exists and was not written by an earlier run", path.display());
                let help = "give another folder with --out, or replace the file with --force";
                return Err(Failure::usage(message, help));
            }
        }
        Ok(())
    }

    /// Path of a table in the results folder of a set-up; `None` where it stays in the run folder.
    fn place(&self, command: &str, file: &str) -> Option<PathBuf> {
        let Target::Setup { results, name, named, .. } = self else { return None };
        let (file, failed) = match file.strip_suffix(".failed") {
            Some(stem) => (stem, ".failed"),
            None => (file, ""),
        };
        let of_named = || named.as_ref().and_then(|path| path.file_name()).map(|n| n.to_string_lossy().into_owned());
        let opensim = match (command, file) {
            ("id", _) => of_named().unwrap_or_else(|| file.into()),
            ("so", file) => format!("{name}_{}", file.replace("static_optimization", "StaticOptimization")),
            ("reactions", _) => format!("{name}_JointReaction_ReactionLoads.sto"),
            ("muscle", file) => format!("{name}_MuscleAnalysis_{}", file.strip_prefix("muscle_").unwrap_or(file)),
            ("rra", file) if file.ends_with(".osim") => of_named().unwrap_or_else(|| file.into()),
            ("rra", _) => format!("{name}_Kinematics_q.sto"),
            ("cmc" | "forward", file) => format!("{name}_{file}"),
            (_, file) => file.into(),
        };
        Some(results.join(format!("{opensim}{failed}")))
    }

    /// Writes everything; returns the paths of tables that are outside of the run folder.
    pub fn write(
        &self,
        command: &str,
        analysis: &mut Analysis,
        tables: (Option<atomic::Staging>, Vec<String>),
        provenance: &Provenance,
        timing: &Timing,
    ) -> Result<Vec<PathBuf>, Failure> {
        let (Some(staging), mut streamed) = tables else { return Ok(Vec::new()) };
        let Some(page) = self.page() else { return Ok(Vec::new()) };
        let mut placed = Vec::new();
        if matches!(self, Target::Setup { .. }) {
            for file in std::mem::take(&mut streamed) {
                let Some(path) = self.place(command, &file) else { continue };
                staging.place(&file, &path)?;
                placed.push(path);
            }
            let models = |f: &wolff_report::outcome::File| f.name.ends_with(".osim");
            for file in analysis.outcome.files.extract_if(.., |f| models(f)).collect::<Vec<_>>() {
                let Some(path) = self.place(command, &file.name) else { continue };
                atomic::write_file(&path, &file.bytes)?;
                placed.push(path);
            }
        }
        complete_run_folder(staging, &streamed, page, &analysis.outcome, provenance, timing)?;
        Ok(placed)
    }
}

/// Whether the tables of an outcome must not have the names of results.
pub fn is_failed(analysis: &Analysis) -> bool {
    analysis.outcome.status == Status::Failed
}
