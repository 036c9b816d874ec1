//! Recorded data of a run: rows of measures, impacts, results.

use super::budget::Clock;
use super::drawing::DrawingRecord;
use super::elastic::ElasticRecord;
use super::judge::EnergyRecord;
use super::modal::ModalRecord;
use super::pressure::PressureRecord;
use super::probe::Probe;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use wolff_document::{ExpressionError, IMPACT_FIELDS, Record, ResultSpec, Study, evaluate_result};
use wolff_multibody::simulation::{Impact, Interrupt, Recorder, SLOWEST_APPROACH, State};
use wolff_multibody::{Model, System};

/// Rows at the times of the grid, of references and during contacts, and single numbers by name.
pub(super) struct RunRecord {
    times: Vec<f64>,
    /// One column per measure.
    columns: Vec<Vec<f64>>,
    /// Whether a row belongs to the regular grid.
    on_grid: Vec<bool>,
    /// Whether a row was taken because a contact was closed.
    in_contact: Vec<bool>,
    names: HashMap<String, usize>,
    values: HashMap<String, f64>,
    interval: f64,
    impacts: usize,
    /// Time from which on rows of contacts are left out \[s\].
    pub full_since: Option<f64>,
}

impl RunRecord {
    /// An empty record with the parameters and derived names.
    pub fn new(study: &Study) -> Self {
        RunRecord {
            times: Vec::new(),
            columns: vec![Vec::new(); study.measures.len()],
            on_grid: Vec::new(),
            in_contact: Vec::new(),
            names: study.measures.iter().enumerate().map(|(i, m)| (m.name.clone(), i)).collect(),
            values: study.numbers.iter().map(|(name, value)| (name.clone(), *value)).collect(),
            interval: study.interval,
            impacts: 0,
            full_since: None,
        }
    }

    /// The regular grid, the end, and the times of references, fields and drawings between them.
    pub fn sample_times(&self, study: &Study) -> Vec<f64> {
        let duration = study.integrator.duration;
        let count = (duration / self.interval * (1.0 + 1e-12)).floor() as usize;
        let mut times: Vec<f64> = (0..=count).map(|i| (i as f64 * self.interval).min(duration)).collect();
        times.push(duration);
        times.extend(study.references.iter().filter_map(|r| r.at).filter(|t| *t <= duration));
        times.extend(study.fields.iter().flat_map(|field| &field.times));
        times.extend(study.drawings.iter().flat_map(|drawing| &drawing.times));
        times.sort_by(f64::total_cmp);
        times.dedup_by(|b, a| *b - *a <= 1e-12 * duration);
        times
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.times.len()
    }

    /// Time of the last row \[s\].
    pub fn last_time(&self) -> f64 {
        self.times.last().copied().unwrap_or(0.0)
    }

    /// Adds a result that later formulas may use.
    pub fn add_result(&mut self, name: &str, value: f64) {
        self.values.insert(name.into(), value);
    }

    /// Rows of the regular grid and the last row; each begins with its time.
    pub fn grid_rows(&self) -> Vec<Vec<f64>> {
        let last = self.rows().saturating_sub(1);
        (0..self.rows()).filter(|&i| self.on_grid[i] || i == last).map(|i| self.row(i)).collect()
    }

    /// Rows taken while a contact was closed.
    pub fn contact_rows(&self) -> Vec<Vec<f64>> {
        (0..self.rows()).filter(|&i| self.in_contact[i]).map(|i| self.row(i)).collect()
    }

    fn row(&self, i: usize) -> Vec<f64> {
        std::iter::once(self.times[i]).chain(self.columns.iter().map(|c| c[i])).collect()
    }

    /// All rows of a measure or of the time.
    pub fn plot_column(&self, name: &str) -> &[f64] {
        if name == "time" { &self.times } else { self.column(name).unwrap_or_default() }
    }

    fn push(&mut self, t: f64, row: Vec<f64>, in_contact: bool) {
        let steps = t / self.interval;
        self.times.push(t);
        self.on_grid.push(!in_contact && (steps - steps.round()).abs() < 1e-6);
        self.in_contact.push(in_contact);
        for (column, value) in self.columns.iter_mut().zip(row) {
            column.push(value);
        }
    }

    /// Times of all rows.
    pub fn row_times(&self) -> &[f64] {
        &self.times
    }

    /// Changes every row: `change(number, time, values)`.
    pub fn rewrite(&mut self, mut change: impl FnMut(usize, f64, &mut [f64])) {
        for (i, &t) in self.times.iter().enumerate() {
            let mut row: Vec<f64> = self.columns.iter().map(|c| c[i]).collect();
            change(i, t, &mut row);
            for (column, value) in self.columns.iter_mut().zip(row) {
                column[i] = value;
            }
        }
    }

    /// Adds every impact as `impact.<n>.<field>`, with all measures before and after it.
    pub fn add_impacts(&mut self, probe: &Probe<'_>, model: &Model, impacts: &[Impact]) {
        let mut system = System::new(model);
        self.impacts = impacts.len();
        self.values.insert("impacts".into(), impacts.len() as f64);
        for (n, impact) in impacts.iter().enumerate() {
            let mut fields = impact_fields(impact);
            let ends = [
                ("before", Some((impact.t_start, &impact.before))),
                ("after", impact.t_end.zip(impact.after.as_ref())),
            ];
            for (when, end) in ends {
                if let Some((t, state)) = end {
                    fields.extend(self.measures_at(probe, &mut system, when, t, state));
                }
            }
            let prefix = format!("impact.{}", n + 1);
            self.values.extend(fields.into_iter().map(|(name, value)| (format!("{prefix}.{name}"), value)));
        }
    }

    /// Why a field `impact.<n>.<field>` that a formula uses has no value; none for other errors.
    pub fn missing_of_impact(&self, error: &ExpressionError) -> Option<String> {
        let (n, field) = error.unknown.as_deref()?.strip_prefix("impact.")?.split_once('.')?;
        let (n, impacts) = (n.parse::<usize>().ok()?, self.impacts);
        let impact = OneImpact { record: self, prefix: format!("impact.{n}.") };
        Some(match () {
            () if n > impacts => format!("there is no impact {n}; the simulation had {impacts}"),
            () if impact.is_under_way() => {
                format!("impact {n} has no `{field}`, since it did not end in the simulation")
            }
            () if impact.value("separation_m_s").is_none() => {
                format!("impact {n} has no `{field}`, since the contact ended at the rim of a surface")
            }
            () => format!("impact {n} has no `{field}`, since it began without a speed of approach"),
        })
    }

    fn measures_at(
        &self,
        probe: &Probe<'_>,
        system: &mut System<'_>,
        when: &str,
        t: f64,
        state: &State,
    ) -> Vec<(String, f64)> {
        system.update_kinematics(&state.q, &state.v);
        let row = probe.read(system, t, &state.q, &state.v);
        self.names.iter().map(|(name, &i)| (format!("{when}.{name}"), row[i])).collect()
    }

    /// The list of impacts with their results; the standard fields where the study names none. Values that are not
    /// available for an impact that has not ended are omitted, with a warning.
    pub fn impact_table(&self, results: &[ResultSpec], warnings: &mut Vec<String>) -> Value {
        let mut rows = Vec::new();
        for n in 1..=self.impacts {
            let impact = OneImpact { record: self, prefix: format!("impact.{n}.") };
            let mut row = Map::new();
            for spec in results {
                match evaluate_result(&spec.formula, &impact) {
                    Ok(value) => drop(row.insert(spec.name.clone(), json!(value))),
                    Err(_) if impact.is_under_way() || impact.began_at_rest() => {}
                    Err(error) => {
                        warnings.push(format!("{} of impact {n} could not be computed: {}", spec.name, error.message));
                    }
                }
            }
            if results.is_empty() {
                let known =
                    IMPACT_FIELDS.iter().filter_map(|name| Some((name.to_string(), json!(impact.value(name)?))));
                row.extend(known);
            }
            if impact.is_under_way() {
                warnings.push(format!("impact {n} had not ended at the end of the simulation"));
            }
            rows.push(Value::Object(row));
        }
        Value::Array(rows)
    }
}

fn impact_fields(impact: &Impact) -> Vec<(String, f64)> {
    let mut fields = vec![
        ("t_s".to_string(), impact.t_start),
        ("approach_m_s".to_string(), impact.approach),
        ("delta_max_m".to_string(), impact.depth_max),
        ("force_max_n".to_string(), impact.force_max),
    ];
    if let Some(t_end) = impact.t_end {
        fields.push(("t_end_s".into(), t_end));
        fields.push(("duration_s".into(), t_end - impact.t_start));
    }
    if let Some(separation) = impact.separation {
        fields.push(("separation_m_s".into(), separation));
        // a contact that began at rest has no speed of approach to compare with
        if impact.approach > SLOWEST_APPROACH {
            fields.push(("restitution".into(), separation / impact.approach));
        }
    }
    fields
}

impl Record for RunRecord {
    fn times(&self) -> &[f64] {
        &self.times
    }

    fn column(&self, name: &str) -> Option<&[f64]> {
        self.names.get(name).map(|&i| self.columns[i].as_slice())
    }

    fn value(&self, name: &str) -> Option<f64> {
        self.values.get(name).copied()
    }
}

/// The record as seen by the formulas of one impact: its fields without their prefix.
struct OneImpact<'a> {
    record: &'a RunRecord,
    prefix: String,
}

impl OneImpact<'_> {
    fn is_under_way(&self) -> bool {
        self.value("t_end_s").is_none()
    }

    fn began_at_rest(&self) -> bool {
        self.value("approach_m_s").is_some_and(|speed| speed <= SLOWEST_APPROACH)
    }
}

impl Record for OneImpact<'_> {
    fn times(&self) -> &[f64] {
        self.record.times()
    }

    fn column(&self, name: &str) -> Option<&[f64]> {
        self.record.column(name)
    }

    fn value(&self, name: &str) -> Option<f64> {
        let own = self.record.values.get(&format!("{}{name}", self.prefix)).copied();
        // a field that this impact does not have must not be taken for a parameter of the same name
        let is_field = IMPACT_FIELDS.contains(&name);
        if is_field { own } else { own.or_else(|| self.record.value(name)) }
    }
}

/// Number of rows beyond which none are added for contacts only.
const MOST_ROWS_IN_CONTACT: usize = 1_000_000;

/// Fills a record while the simulation runs.
pub(super) struct Watch<'a, 'b> {
    pub probe: &'a Probe<'a>,
    pub record: &'a mut RunRecord,
    pub elastic: &'a mut ElasticRecord<'b>,
    pub modal: &'a mut ModalRecord,
    pub pressure: &'a mut PressureRecord<'b>,
    pub energy: &'a mut EnergyRecord,
    pub drawing: &'a mut DrawingRecord,
    pub progress: &'a mut dyn FnMut(f64),
    pub duration: f64,
    pub clock: Clock,
}

impl Recorder for Watch<'_, '_> {
    fn sample(&mut self, system: &mut System<'_>, t: f64, q: &[f64], v: &[f64]) {
        self.record.push(t, self.probe.read(system, t, q, v), false);
        self.elastic.record(system);
        self.modal.record(t, q);
        self.pressure.record(system, t, q, v);
        self.energy.record(system, t, q, v);
        self.drawing.record(t, q);
    }

    fn kinematic_sample(&mut self, system: &mut System<'_>, t: f64, q: &[f64], v: &[f64], a: &[f64]) {
        self.record.push(t, self.probe.read_moving(system, t, q, v, a), false);
        self.elastic.record(system);
        self.modal.record(t, q);
        self.pressure.record(system, t, q, v);
        self.drawing.record(t, q);
    }

    fn contact_sample(&mut self, system: &mut System<'_>, t: f64, q: &[f64], v: &[f64]) {
        if self.record.rows() > MOST_ROWS_IN_CONTACT {
            self.record.full_since.get_or_insert(t);
            return;
        }
        self.record.push(t, self.probe.read(system, t, q, v), true);
        self.elastic.record(system);
    }

    fn progress(&mut self, t: f64) {
        self.clock.reached(t);
        (self.progress)(t / self.duration);
    }

    fn interrupt(&self) -> Interrupt {
        self.clock.interrupt()
    }
}
