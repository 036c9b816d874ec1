//! Recorded trials: where their files are, and models with their motion and loads.

use std::path::{Path, PathBuf};
use wolff_formats::Table;
use wolff_formats::sto::Storage;
use wolff_formats::trial::MarkerTrial;
use wolff_motion::recording::{read_markers, read_storage};
use wolff_motion::{Accelerations, ActuatorKind, ActuatorSpec, Coordinate, CoordinateHistory, MotionError, Subject};
use wolff_multibody::Model;
use wolff_opensim::setup::{self, Setup};
use wolff_opensim::{OpensimSubject, actuators, external_loads};

/// A folder of recorded trials.
#[derive(Clone, Debug)]
pub struct Records {
    folder: PathBuf,
}

impl Records {
    /// The records of a folder.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Records { folder: folder.into() }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The place of a file.
    pub fn path(&self, file: &str) -> PathBuf {
        self.folder.join(file)
    }

    /// A table with its header.
    pub fn storage(&self, file: &str) -> Result<Storage, MotionError> {
        read_storage(&self.path(file))
    }

    /// A motion whose header says only in words that its angles are degrees.
    pub fn degrees(&self, file: &str) -> Result<Storage, MotionError> {
        Ok(Storage { in_degrees: true, ..self.storage(file)? })
    }

    /// Markers.
    pub fn markers(&self, file: &str) -> Result<MarkerTrial, MotionError> {
        read_markers(&self.path(file), None)
    }

    /// A model.
    pub fn subject(&self, file: &str) -> Result<OpensimSubject, MotionError> {
        OpensimSubject::read(&self.path(file))
    }

    /// A set-up file, of which `choose` takes the kind that it should be.
    pub fn setup<T>(&self, file: &str, choose: impl FnOnce(Setup) -> Option<T>) -> Result<T, MotionError> {
        let path = self.path(file);
        let read = setup::read_file(&path).map_err(|cause| MotionError::File { path: path.clone(), cause })?;
        choose(read.setup).ok_or_else(|| MotionError::input(file, "sets up something else than what is compared"))
    }
}

/// A model, its motion and what acts on it.
#[derive(Debug)]
pub struct Walk {
    /// The subject; the measured loads are forces of its model.
    pub subject: Subject,
    /// Its motion.
    pub history: CoordinateHistory,
}

impl Walk {
    /// A model that moves like a motion, filtered at `cutoff` \[Hz\] where there is one, under the loads of a set-up.
    pub fn new(
        records: &Records,
        osim: &str,
        motion: &Storage,
        loads: Option<&str>,
        cutoff: Option<f64>,
        accelerations: Accelerations,
    ) -> Result<Walk, MotionError> {
        let read = records.subject(osim)?;
        let history = read.history(motion, cutoff, accelerations)?;
        let mut subject = read.subject;
        if let Some(loads) = loads {
            add_loads(records, loads, &mut subject.model)?;
        }
        Ok(Walk { subject, history })
    }

    /// The walk of 92 muscles, as OpenSim's inverse dynamics tool or its analyses see it.
    pub fn gait1992(records: &Records, accelerations: Accelerations) -> Result<Walk, MotionError> {
        let folder = "gait1992-pipeline";
        let motion = records.storage(&format!("{folder}/residual_reduction_algorithm/task_Kinematics_q.sto"))?;
        let model = format!("{folder}/residual_reduction_algorithm/model_adjusted.osim");
        let loads = format!("{folder}/experimental_data/setup_grf_after_rra.xml");
        Walk::new(records, &model, &motion, Some(&loads), None, accelerations)
    }

    /// The same with its reserves, for static optimisation and what follows it.
    pub fn gait1992_with_reserves(records: &Records) -> Result<Walk, MotionError> {
        let mut walk = Walk::gait1992(records, Accelerations::OfSpeeds)?;
        let choose = |setup| if let Setup::Actuators(set) = setup { Some(set) } else { None };
        let set = records.setup("gait1992-pipeline/model/reserve_actuators.xml", choose)?;
        walk.subject.actuators.extend(actuators(&set));
        Ok(walk)
    }

    /// A walk of a model with arms and patellae. Its file has the coordinates of the patellae in degrees although it
    /// says radians; they follow the knees.
    pub fn rajagopal(records: &Records, accelerations: Accelerations) -> Result<Walk, MotionError> {
        let motion = records.storage("rajagopal-walk/coordinates.sto")?;
        let (model, loads) = ("rajagopal-walk/subject_walk_scaled.osim", "rajagopal-walk/grf_walk.xml");
        Walk::new(records, model, &motion, Some(loads), Some(6.0), accelerations)
    }

    /// With a reserve on every coordinate, so that every moment can be shared.
    pub fn with_reserves(mut self) -> Self {
        self.subject.actuators.extend(reserves(&self.subject));
        self
    }
}

/// Ideal actuators on all coordinates, of 1 N m or N at a control of one (own choice), and 100 on those of the joint to
/// ground, which no muscle moves.
fn reserves(subject: &Subject) -> Vec<ActuatorSpec> {
    let roots: Vec<&str> =
        subject.model.bodies().iter().skip(1).filter(|b| b.parent == 0).map(|b| b.joint_name.as_str()).collect();
    let reserve = |c: &Coordinate| ActuatorSpec {
        name: format!("{}_reserve", c.name),
        kind: ActuatorKind::Coordinate(c.name.clone()),
        optimal_force: if roots.contains(&c.joint.as_str()) { 100.0 } else { 1.0 },
        control: [f64::NEG_INFINITY, f64::INFINITY],
    };
    subject.coordinates.iter().map(reserve).collect()
}

/// Adds the forces of an external loads file to a model.
pub fn add_loads(records: &Records, file: &str, model: &mut Model) -> Result<(), MotionError> {
    let loads = records.setup(file, |s| if let Setup::ExternalLoads(loads) = s { Some(loads) } else { None })?;
    let data = loads.data_file.as_ref().ok_or_else(|| MotionError::input(file, "has no datafile; name one"))?;
    for load in external_loads(&loads, &read_storage(data)?, model)? {
        model.add_force(Box::new(load)).map_err(MotionError::from)?;
    }
    Ok(())
}

/// First column of a table.
pub fn times(table: &Table) -> Vec<f64> {
    table.rows().iter().filter_map(|row| row.first().copied()).collect()
}

/// The rows of a table within a closed range of times \[s\], a microsecond wider.
pub fn rows_within(table: &Table, [start, end]: [f64; 2]) -> Result<Table, MotionError> {
    const MARGIN: f64 = 1e-6;
    let inside = |row: &&Vec<f64>| row.first().is_some_and(|t| *t >= start - MARGIN && *t <= end + MARGIN);
    Ok(Table::new(table.labels().to_vec(), table.rows().iter().filter(inside).cloned().collect())?)
}
