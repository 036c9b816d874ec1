//! Recorded walks that are not part of the project: tests that need them skip aloud where they are absent.

use std::path::PathBuf;
use wolff_formats::setup::{self, Setup};
use wolff_formats::sto::{self, Storage};
use wolff_formats::{Table, osim};
use wolff_motion::{Accelerations, CoordinateHistory, external_loads};
use wolff_multibody::Model;
use wolff_opensim::{OpensimModel, convert};

/// A file of the shared data, or a line that says that the test does nothing.
pub fn shared(path: &str) -> Option<PathBuf> {
    let full = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(path);
    let found = Some(full).filter(|p| p.exists());
    if found.is_none() {
        println!("skipped: shared/data/{path} is not here");
    }
    found
}

/// A table with its header.
pub fn storage(path: &str) -> Option<Storage> {
    Some(sto::read(&std::fs::read(shared(path)?).unwrap()).unwrap())
}

/// A model, its motion and what acts on it.
pub struct Walk {
    pub opensim: OpensimModel,
    pub model: Model,
    pub history: CoordinateHistory,
}

impl Walk {
    pub fn read(
        osim: &str,
        motion: &str,
        loads: Option<&str>,
        cutoff: Option<f64>,
        accelerations: Accelerations,
    ) -> Option<Walk> {
        Walk::with_motion(osim, &storage(motion)?, loads, cutoff, accelerations)
    }

    pub fn with_motion(
        osim: &str,
        motion: &Storage,
        loads: Option<&str>,
        cutoff: Option<f64>,
        accelerations: Accelerations,
    ) -> Option<Walk> {
        let opensim = convert(&osim::read(&std::fs::read(shared(osim)?).unwrap()).unwrap()).unwrap();
        let mut model = opensim.build().unwrap();
        let history = CoordinateHistory::from_storage(motion, &opensim, &model, cutoff, accelerations).unwrap();
        if let Some(loads) = loads {
            add_loads(loads, &mut model)?;
        }
        Some(Walk { opensim, model, history })
    }

    /// The walk of 92 muscles, as OpenSim's inverse dynamics tool or its analyses see it.
    pub fn gait1992(accelerations: Accelerations) -> Option<Walk> {
        let folder = "gait1992-pipeline";
        Walk::read(
            &format!("{folder}/residual_reduction_algorithm/model_adjusted.osim"),
            &format!("{folder}/residual_reduction_algorithm/task_Kinematics_q.sto"),
            Some(&format!("{folder}/experimental_data/setup_grf_after_rra.xml")),
            None,
            accelerations,
        )
    }
}

/// Adds the forces of an external loads file to a model.
pub fn add_loads(loads: &str, model: &mut Model) -> Option<()> {
    let Setup::ExternalLoads(loads) = setup::read_file(&shared(loads)?).unwrap().setup else { panic!("loads") };
    let data = sto::read(&std::fs::read(loads.data_file.as_ref().unwrap()).unwrap()).unwrap();
    for load in external_loads(&loads, &data, model).unwrap() {
        model.add_force(Box::new(load)).unwrap();
    }
    Some(())
}

/// Root mean square difference of a column from a recorded one, at the record's instants.
pub fn rms(found: &[f64], recorded: &[f64]) -> f64 {
    assert_eq!(found.len(), recorded.len());
    let sum: f64 = found.iter().zip(recorded).map(|(a, b)| (a - b) * (a - b)).sum();
    (sum / found.len() as f64).sqrt()
}

/// First column of a table.
pub fn times(table: &Table) -> Vec<f64> {
    table.rows().iter().map(|row| row[0]).collect()
}
