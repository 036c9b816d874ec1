//! A measured walk in place of the embedded one: its parameters, results and tables.

use super::electromyograms;
use super::values::Values;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use wolff_anatomy::Side;
use wolff_anatomy::anthropometry::Subject;
use wolff_evidence::literature::SIGNAL_CORRELATIONS;
use wolff_evidence::{EmgMatch, GroundMatch, Signal, emg_matches, ground_match, read_emg};
use wolff_formats::FormatError;
use wolff_formats::trial::{Axes, LengthUnit};
use wolff_motion::marker_map::read_marker_map;
use wolff_motion::recording::Reading;
use wolff_motion::signal::Preparation;
use wolff_movement::MovementError;
use wolff_movement::imported::ImportedPerson;
use wolff_movement::measured::{Person, SkeletonChoice, Symmetry, Trial, TrialFiles, read_judged_trial, walk_on_model};
use wolff_movement::reference::ReferenceWalk;
use wolff_movement::reference::rescale::{RescaleSettings, Rescaled};
use wolff_movement::simulate::MovementResult;
use wolff_opensim::OpensimSubject;
use wolff_report::outcome::{Finding, Plot};
use wolff_report::published::{Cell, RowKind, Table, TableRow};
use wolff_verdict::grouped;

/// A trial with its electromyograms.
#[derive(Debug)]
pub(super) struct Measured {
    pub trial: Trial,
    signals: Vec<Signal>,
}

/// What a study requests other than the embedded walk of the built-in skeleton.
pub(super) enum Request {
    /// A measured walk.
    Trial(Box<TrialRequest>),
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
        let (reading, force_axes) = how_recorded(values, file("marker_map").as_deref());
        match (model, markers, forces) {
            (Some(model), Some(markers), Some(forces)) => {
                let files = TrialFiles { model, markers, forces, tasks, reading, force_axes };
                return Some(Request::Trial(Box::new(TrialRequest { files, person, skeleton, symmetry, emg })));
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

/// Axes, unit and names of a recording, and the axes of its forces where they differ.
fn how_recorded(values: &mut Values<'_>, map: Option<&Path>) -> (Reading, Option<Axes>) {
    let mut axes = |name: &str, usual: &str| {
        let word = values.word(name);
        let wrong = |e: FormatError| (name.to_string(), e.to_string());
        (word != usual && !word.is_empty()).then(|| word.parse::<Axes>().map_err(wrong)).transpose()
    };
    let (both, forces) = (axes("axes", "x,y"), axes("force_axes", "as-markers"));
    let mut checked = |axes: Result<Option<Axes>, (String, String)>| {
        axes.unwrap_or_else(|mistake| {
            values.mistakes.push(mistake);
            None
        })
    };
    let (both, forces) = (checked(both), checked(forces));
    let names = map.map(read_marker_map).transpose().unwrap_or_else(|e| {
        values.mistakes.push(("marker_map".into(), e.to_string()));
        None
    });
    let unit = LengthUnit::from_name(&values.word("input_unit"));
    let prepare = preparation(values);
    (Reading { axes: both, unit, names: names.unwrap_or_default(), prepare }, forces)
}

/// What is done with the markers before inverse kinematics; zero means nothing.
fn preparation(values: &mut Values<'_>) -> Preparation {
    let mut given = |name: &str| Some(values.number(name)).filter(|value| *value != 0.0);
    Preparation { fill: given("fill_gaps"), cutoff: given("marker_cutoff"), rate: given("marker_rate") }
}

impl TrialRequest {
    /// Reads the files and derives the walk; with `force` a recording with errors is not refused.
    pub fn make(&self, force: bool) -> Result<Measured, MovementError> {
        let signals = self.emg.as_deref().map(read_emg).transpose()?.unwrap_or_default();
        Ok(Measured {
            trial: read_judged_trial(&self.files, &self.person, self.skeleton, self.symmetry, force)?,
            signals,
        })
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
pub(super) struct Compared {
    ground: GroundMatch,
    emg: Vec<EmgMatch>,
    unused_signals: Vec<String>,
    processed: Vec<Finding>,
}

impl Compared {
    pub fn new(measured: &Measured, result: &MovementResult) -> Result<Self, MovementError> {
        let trial = &measured.trial;
        let weight = result.walk.constants.weight();
        let names: Vec<String> = result.muscles.muscles.iter().map(|m| m.name.clone()).collect();
        let (emg, unused_signals) = emg_matches(&trial.gait, &measured.signals, &names, &result.record)?;
        let ground = ground_match(&trial.gait, &trial.stances, &result.record, weight)?;
        Ok(Compared { ground, emg, unused_signals, processed: electromyograms::processed(&measured.signals) })
    }

    /// The ground force beside that of the plates.
    pub fn ground(&self) -> &GroundMatch {
        &self.ground
    }

    pub fn results(&self) -> Map<String, Value> {
        let mut out = Map::new();
        let mut put = |name: &str, value: Value| _ = out.insert(name.into(), value);
        let g = &self.ground;
        put("measured_ground_force_correlation", json!(g.correlation[1]));
        put("measured_ground_force_correlation_forward", json!(g.correlation[0]));
        put("measured_ground_force_correlation_sideways", json!(g.correlation[2]));
        put("measured_ground_force_normalised", json!(g.normalised));
        put("measured_first_peak_bw", json!(g.peaks[0]));
        put("measured_second_peak_bw", json!(g.peaks[1]));
        put("measured_stances", json!(g.stances));
        put("measured_ground_force_correlation_resultant", json!(g.resultant));
        put("measured_ground_force_correlation_right", json!(g.feet[0]));
        put("measured_ground_force_correlation_left", json!(g.feet[1]));
        if !self.emg.is_empty() {
            let emg = |m: &EmgMatch| {
                json!({
                    "electromyogram": m.signal,
                    "muscle": m.muscle,
                    "side": m.side.word(),
                    "correlation": m.correlation,
                    "timing_agreement": m.timing.agreement,
                    "timing_kappa": m.timing.kappa,
                })
            };
            put("emg_correlation", self.emg.iter().map(emg).collect());
        }
        out
    }

    /// Table 4.5 of the thesis: ground force and muscles, one row each.
    pub fn table(&self) -> Table {
        let signals = Compare::ground(&self.ground).into_iter().chain(self.emg.iter().map(Compare::signal));
        let cell = |value: Option<f64>| value.map_or(Cell::Empty, Cell::Number);
        let row = |c: Compare<'_>| {
            let own = [Some(c.correlation), Some(c.normalised), c.delayed.map(|d| d[0]), c.delayed.map(|d| 1e3 * d[1])];
            let published = (0..3).map(|k| c.published.and_then(|p| p[k]));
            let cells = own.into_iter().chain(published).map(cell).collect();
            TableRow { label: c.name, kind: RowKind::Own, source: String::new(), cells }
        };
        let columns = ["r", "γ", "r at the best delay", "delay [ms]", "r, model 1", "r, model 2", "r, model 3"];
        Table {
            name: "measured".into(),
            title: "Computed and measured: ground force; muscle force and electromyogram. r: Pearson, one cycle; \
                    γ: means not removed; models 1 to 3: Al Nazer, thesis, Lappeenranta 2008, Table 4.5 and appendix A"
                .into(),
            columns: columns.map(String::from).to_vec(),
            rows: signals.map(row).collect(),
        }
    }

    /// When muscles are active, by electromyogram and by force.
    pub fn timing(&self) -> Option<Table> {
        electromyograms::timing(&self.emg)
    }

    /// The resultant ground force; muscle forces and electromyograms, each divided by its maximum.
    pub fn plots(&self) -> Vec<Plot> {
        let mut plots = vec![electromyograms::resultant_plot(&self.ground)];
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
            bands: Vec::new(),
        };
        plots.extend(self.emg.iter().map(plot));
        plots
    }

    /// What was done with electromyograms, and those that have no muscle.
    pub fn findings(&self) -> Vec<Finding> {
        let mut all = self.processed.clone();
        let names: Vec<&str> = self.unused_signals.iter().map(String::as_str).collect();
        if !names.is_empty() {
            let message = format!("electromyograms without a corresponding muscle in the model: {}", grouped(&names));
            all.push(Finding::warning(message, "rename their columns after muscles to compare them"));
        }
        all
    }
}

/// Results of the trial itself.
pub(super) fn results(t: &Trial) -> Map<String, Value> {
    let mut out = Map::new();
    let mut put = |name: &str, value: Value| _ = out.insert(name.into(), value);
    put("symmetric", json!(t.gait.symmetric));
    put("duty", json!(t.gait.duty));
    put("duty_right", json!(t.gait.duties[0]));
    put("duty_left", json!(t.gait.duties[1]));
    put("left_strike", json!(t.gait.strikes[1]));
    put("belt_speed_m_per_s", json!(t.gait.belt));
    if let Some(error) = t.marker_error {
        put("marker_error_rms_mm", json!(1e3 * error));
    }
    if let Some((name, error)) = &t.marker_error_max {
        put("marker_error_max_mm", json!(1e3 * error));
        put("marker_error_max_at", json!(name));
    }
    put("retarget_error_rms_mm", json!(1e3 * t.retarget_error));
    put("angle_change_rms_deg", json!(t.angle_change.1.to_degrees()));
    put("angle_change_at", json!(t.angle_change.0));
    put("asymmetry_rms_deg", json!(t.asymmetry.1.to_degrees()));
    put("asymmetry_at", json!(t.asymmetry.0));
    put("measured_residual_force_bw", json!(t.before.force));
    put("measured_residual_moment_bw_height", json!(t.before.moment));
    out
}

/// A row of the table.
struct Compare<'a> {
    name: String,
    correlation: f64,
    normalised: f64,
    delayed: Option<&'a [f64; 2]>,
    published: Option<&'static [Option<f64>; 3]>,
}

impl<'a> Compare<'a> {
    /// The vertical force and the resultant; of which the published coefficients are is not printed.
    fn ground(ground: &GroundMatch) -> [Self; 2] {
        let row = |name: &str, correlation: f64, normalised: f64| {
            let published = published("ground reaction force");
            Compare { name: name.into(), correlation, normalised, delayed: None, published }
        };
        [
            row("ground reaction force", ground.correlation[1], ground.normalised),
            row("resultant ground reaction force", ground.resultant, ground.resultant_normalised),
        ]
    }

    fn signal(m: &'a EmgMatch) -> Self {
        let name = match m.side {
            Side::Right => m.muscle.to_string(),
            Side::Left => format!("{}, left", m.muscle),
        };
        let published = published(m.muscle);
        Compare { name, correlation: m.correlation, normalised: m.normalised, delayed: Some(&m.delayed), published }
    }
}

/// Published coefficients of a muscle, or of the ground force.
fn published(name: &str) -> Option<&'static [Option<f64>; 3]> {
    SIGNAL_CORRELATIONS.iter().find(|(signal, _)| *signal == name).map(|(_, models)| models)
}
