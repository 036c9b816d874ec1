//! A measured walk in place of the embedded one: its parameters, results and tables.

use super::values::Values;
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use wolff_anatomy::anthropometry::Subject;
use wolff_movement::MovementError;
use wolff_movement::compare::literature::SIGNAL_CORRELATIONS;
use wolff_movement::compare::{EmgMatch, GroundMatch, Signal, emg_matches, ground_match, read_emg};
use wolff_movement::imported::ImportedPerson;
use wolff_movement::measured::{Person, SkeletonChoice, Symmetry, Trial, TrialFiles, read_trial, walk_on_model};
use wolff_movement::reference::ReferenceWalk;
use wolff_movement::reference::rescale::{RescaleSettings, Rescaled};
use wolff_movement::simulate::MovementResult;
use wolff_opensim::OpensimSubject;
use wolff_report::outcome::Plot;
use wolff_report::published::{Cell, RowKind, Table, TableRow};

/// A trial with its electromyograms.
#[derive(Debug)]
pub(super) struct Measured {
    pub trial: Trial,
    signals: Vec<Signal>,
}

/// What a study requests other than the embedded walk of the built-in skeleton.
pub(super) enum Request {
    /// A measured walk.
    Trial(TrialRequest),
    /// The embedded walk of a model.
    Model(ModelRequest),
}

/// A measured walk, and the skeleton for its simulation.
pub(super) struct TrialRequest {
    files: TrialFiles,
    person: Person,
    skeleton: SkeletonChoice,
    symmetry: Symmetry,
    emg: Option<PathBuf>,
}

/// A model for which the embedded walk is simulated.
pub(super) struct ModelRequest {
    model: PathBuf,
    person: Person,
}

/// The embedded walk on a model.
pub(super) struct OnModel {
    pub subject: Subject,
    pub rescaled: Rescaled,
    pub person: ImportedPerson,
}

impl Request {
    /// The files named by parameters; `None` where none is named. An incomplete trial is an input error.
    pub fn read(values: &mut Values<'_>) -> Option<Self> {
        let file = |name: &str| values.study.named_files.get(name).cloned();
        let (model, markers, forces) = (file("model"), file("markers"), file("forces"));
        let (tasks, emg) = (file("tasks"), file("emg"));
        let given = |name: &str| match values.study.parameter(name) {
            Some(p) if !p.is_default() => values.study.numbers.get(name).copied(),
            _ => None,
        };
        let (mass, stature) = (given("mass"), given("stature"));
        let sex = values.sex();
        let person = Person { mass, stature, sex, ankle: super::plan::ankle_axes(values) };
        let itself = values.word("skeleton") == "model";
        let symmetry =
            values.choice("symmetric", [("auto", Symmetry::Auto), ("true", Symmetry::Yes), ("false", Symmetry::No)]);
        let skeleton = if itself { SkeletonChoice::Model } else { SkeletonChoice::Person };
        match (model, markers, forces) {
            (Some(model), Some(markers), Some(forces)) => {
                let files = TrialFiles { model, markers, forces, tasks };
                return Some(Request::Trial(TrialRequest { files, person, skeleton, symmetry, emg }));
            }
            (Some(model), None, None) if itself && tasks.is_none() && emg.is_none() => {
                return Some(Request::Model(ModelRequest { model, person }));
            }
            (None, None, None) if itself => {
                let rule = "the skeleton `model` requires an OpenSim model; give its file (.osim)";
                values.mistakes.push(("model".into(), rule.into()));
            }
            (None, None, None) if tasks.is_none() && emg.is_none() => (),
            (model, markers, forces) => {
                let all = [("model", model), ("markers", markers), ("forces", forces)];
                for (name, _) in all.into_iter().filter(|(_, file)| file.is_none()) {
                    let rule = "a measured walk requires `model` (.osim), `markers` (.trc, .c3d or a motion) and \
                                `forces`; give this file too, or set `skeleton=model` with `model` alone to simulate \
                                the embedded walk with the model";
                    values.mistakes.push((name.into(), rule.into()));
                }
            }
        }
        None
    }
}

impl TrialRequest {
    /// Reads the files and derives the walk.
    pub fn make(&self) -> Result<Measured, MovementError> {
        let signals = self.emg.as_deref().map(read_emg).transpose()?.unwrap_or_default();
        Ok(Measured { trial: read_trial(&self.files, &self.person, self.skeleton, self.symmetry)?, signals })
    }
}

impl ModelRequest {
    /// Reads the model and transfers the walk to it, at a speed \[m/s\] if one is given.
    pub fn make(&self, speed: Option<f64>) -> Result<OnModel, MovementError> {
        let mut person = ImportedPerson::new(&OpensimSubject::read(&self.model)?)?;
        if let Some(mass) = self.person.mass {
            person = person.with_mass(mass)?;
        }
        let settings = RescaleSettings { speed, ..RescaleSettings::default() };
        let Person { sex, stature, .. } = self.person;
        let (subject, rescaled) = walk_on_model(&ReferenceWalk::embedded()?, &person, sex, stature, &settings)?;
        Ok(OnModel { subject, rescaled, person })
    }
}

/// A result compared with measurements.
#[derive(Debug)]
pub(super) struct Compared<'a> {
    trial: &'a Trial,
    ground: GroundMatch,
    emg: Vec<EmgMatch>,
    unused_signals: Vec<String>,
}

impl<'a> Compared<'a> {
    pub fn new(measured: &'a Measured, result: &MovementResult) -> Result<Self, MovementError> {
        let trial = &measured.trial;
        let weight = result.walk.constants.weight();
        let names: Vec<String> = result.muscles.muscles.iter().map(|m| m.name.clone()).collect();
        let (emg, unused_signals) = emg_matches(&trial.gait, &measured.signals, &names, &result.record)?;
        let ground = ground_match(&trial.gait, &trial.stances, &result.record, weight)?;
        Ok(Compared { trial, ground, emg, unused_signals })
    }

    pub fn results(&self) -> Map<String, Value> {
        let mut out = Map::new();
        let mut put = |name: &str, value: Value| _ = out.insert(name.into(), value);
        let (t, g) = (self.trial, &self.ground);
        put("measured_ground_force_correlation", json!(g.correlation[1]));
        put("measured_ground_force_correlation_forward", json!(g.correlation[0]));
        put("measured_ground_force_correlation_sideways", json!(g.correlation[2]));
        put("measured_ground_force_normalised", json!(g.normalised));
        put("measured_first_peak_bw", json!(g.peaks[0]));
        put("measured_second_peak_bw", json!(g.peaks[1]));
        put("measured_stances", json!(g.stances));
        put("symmetric", json!(t.gait.symmetric));
        put("duty", json!(t.gait.duty));
        put("duty_right", json!(t.gait.duties[0]));
        put("duty_left", json!(t.gait.duties[1]));
        put("left_strike", json!(t.gait.strikes[1]));
        put("belt_speed_m_per_s", json!(t.gait.belt));
        put("marker_error_rms_mm", json!(t.marker_error.map(|e| 1e3 * e)));
        put("retarget_error_rms_mm", json!(1e3 * t.retarget_error));
        put("angle_change_rms_deg", json!(t.angle_change.1.to_degrees()));
        put("angle_change_at", json!(t.angle_change.0));
        put("asymmetry_rms_deg", json!(t.asymmetry.1.to_degrees()));
        put("asymmetry_at", json!(t.asymmetry.0));
        put("measured_residual_force_bw", json!(t.before.force));
        put("measured_residual_moment_bw_height", json!(t.before.moment));
        if !self.emg.is_empty() {
            let emg = |m: &EmgMatch| (m.signal.clone(), json!(m.correlation));
            put("emg_correlation", Value::Object(self.emg.iter().map(emg).collect()));
        }
        out
    }

    /// Table 4.5 of the thesis: ground force and muscles.
    pub fn table(&self) -> Table {
        let columns: Vec<Compare<'_>> =
            std::iter::once(Compare::ground(&self.ground)).chain(self.emg.iter().map(Compare::signal)).collect();
        let line = |label: &str, of: &dyn Fn(&Compare<'_>) -> Option<f64>| TableRow {
            label: label.into(),
            kind: RowKind::Own,
            source: "this run".into(),
            cells: columns.iter().map(|c| of(c).map_or(Cell::Empty, Cell::Number)).collect(),
        };
        let mut rows = vec![
            line("r (Pearson, one cycle)", &|c| Some(c.correlation)),
            line("γ (means not removed)", &|c| Some(c.normalised)),
            line("r at the best delay", &|c| c.delayed.map(|d| d[0])),
            line("that delay [ms]", &|c| c.delayed.map(|d| 1e3 * d[1])),
        ];
        for (k, name) in ["first model", "second model", "third model"].into_iter().enumerate() {
            let published = line(name, &|c| c.published.and_then(|p| p[k]));
            let source = "Al Nazer, thesis, Lappeenranta 2008, Table 4.5 and appendix A".into();
            rows.push(TableRow { kind: RowKind::Model, source, ..published });
        }
        Table {
            name: "measured".into(),
            title: "Computed and measured: vertical ground force; muscle force and electromyogram".into(),
            columns: columns.iter().map(|c| c.name.clone()).collect(),
            rows,
        }
    }

    /// Muscle forces and electromyograms, each divided by its maximum.
    pub fn plots(&self) -> Vec<Plot> {
        let curve = |values: &[f64]| -> Vec<(f64, f64)> {
            values.iter().enumerate().map(|(i, y)| (100.0 * i as f64 / values.len() as f64, *y)).collect()
        };
        let plot = |m: &EmgMatch| Plot {
            name: format!("emg-{}", m.signal),
            title: format!("{}: force and electromyogram", m.muscle),
            x_label: "gait cycle [%]".into(),
            y_label: "fraction of the maximum".into(),
            curves: vec![("electromyogram".into(), curve(&m.curves[0])), ("force".into(), curve(&m.curves[1]))],
            log_y: false,
        };
        self.emg.iter().map(plot).collect()
    }

    pub fn remarks(&self) -> Vec<String> {
        let t = self.trial;
        let mut remarks = t.remarks.clone();
        remarks.push(format!(
            "the measured cycle was made {}consistent: the sides differ by up to {:.1}° rms ({}), angles were \
             changed by up to {:.1}° rms ({})",
            if t.gait.symmetric { "symmetric and " } else { "" },
            t.asymmetry.1.to_degrees(),
            t.asymmetry.0,
            t.angle_change.1.to_degrees(),
            t.angle_change.0
        ));
        if !self.unused_signals.is_empty() {
            remarks.push(format!(
                "electromyograms without a corresponding muscle in the model: {}",
                self.unused_signals.join(", ")
            ));
        }
        remarks
    }
}

/// A column of the table.
struct Compare<'a> {
    name: String,
    correlation: f64,
    normalised: f64,
    delayed: Option<&'a [f64; 2]>,
    published: Option<&'static [Option<f64>; 3]>,
}

impl<'a> Compare<'a> {
    fn ground(ground: &GroundMatch) -> Self {
        let name = "ground reaction force".to_string();
        let published = published(&name);
        Compare { name, correlation: ground.correlation[1], normalised: ground.normalised, delayed: None, published }
    }

    fn signal(m: &'a EmgMatch) -> Self {
        let (name, published) = (m.muscle.to_string(), published(m.muscle));
        Compare { name, correlation: m.correlation, normalised: m.normalised, delayed: Some(&m.delayed), published }
    }
}

/// Published coefficients of a muscle, or of the ground force.
fn published(name: &str) -> Option<&'static [Option<f64>; 3]> {
    SIGNAL_CORRELATIONS.iter().find(|(signal, _)| *signal == name).map(|(_, models)| models)
}
