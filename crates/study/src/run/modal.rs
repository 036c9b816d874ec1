//! Modal coordinates during a run: they show which modes a motion requires and are the states for which fields are
//! drawn.

use crate::build::Built;
use serde_json::{Value, json};
use std::ops::Range;
use wolff_bone::BoneError;
use wolff_bone::flexible::{FlexibleBody, FlexibleSource, Way};
use wolff_document::Study;
use wolff_document::error::StudyError;
use wolff_flexbody::select::{keep_by_energy, strain_energy_shares};
use wolff_flexbody::{FlexBody, FlexBodyFile};
use wolff_multibody::Model;
use wolff_report::outcome::FieldSeries;

/// Modal coordinates of the bodies with modes, one row per instant.
pub(super) struct ModalRecord {
    times: Vec<f64>,
    bodies: Vec<Modal>,
}

struct Modal {
    name: String,
    /// Their indices among the coordinates of the model.
    places: Range<usize>,
    rows: Vec<Vec<f64>>,
}

impl ModalRecord {
    pub fn new(model: &Model) -> Self {
        let bodies = model.bodies().iter().enumerate().filter(|(i, _)| model.flexible(*i).is_some());
        let modal = |(_, b): (usize, &wolff_multibody::Body)| Modal {
            name: b.name.clone(),
            places: b.modal_q(),
            rows: Vec::new(),
        };
        ModalRecord { times: Vec::new(), bodies: bodies.map(modal).collect() }
    }

    /// Records the coordinates at an instant.
    pub fn record(&mut self, t: f64, q: &[f64]) {
        self.times.push(t);
        for body in &mut self.bodies {
            body.rows.push(q[body.places.clone()].to_vec());
        }
    }

    /// Modal coordinates of a body.
    pub fn rows(&self, body: &str) -> &[Vec<f64>] {
        self.bodies.iter().find(|b| b.name == body).map(|b| b.rows.as_slice()).unwrap_or_default()
    }

    /// The fields that the study requests.
    pub fn fields(&self, study: &Study, built: &Built) -> Vec<FieldSeries> {
        let series = |spec: &wolff_document::FieldSpec| {
            let (_, surface) = built.surfaces.iter().find(|(name, _)| *name == spec.body)?;
            let asked = |t: f64| spec.times.iter().any(|at| (at - t).abs() <= 1e-9 * study.integrator.duration);
            let rows = self.times.iter().zip(self.rows(&spec.body)).filter(|(t, _)| asked(**t));
            let states = rows.map(|(t, eta)| (*t, eta.clone())).collect();
            Some(FieldSeries { name: spec.body.clone(), surface: surface.clone(), states })
        };
        study.fields.iter().filter_map(series).collect()
    }
}

/// The modes of a body that contain the requested fraction of the strain energy of a run.
pub(super) struct Choice {
    body: String,
    frequencies: Vec<f64>,
    shares: Vec<f64>,
    kept: Vec<usize>,
}

/// Whether a run with all modes is required first.
pub(super) fn energy_fraction(body: &FlexibleBody) -> Option<f64> {
    body.strain_energy.filter(|_| body.way == Way::FloatingFrame)
}

/// Selects modes by the strain energy of a run with all of them, and puts the bodies with these modes into the study.
pub(super) fn choose(study: &Study, built: &Built, modal: &ModalRecord) -> Result<(Study, Vec<Choice>), StudyError> {
    let (mut chosen, mut choices, mut errors) = (study.clone(), Vec::new(), Vec::new());
    for flexible in &mut chosen.flexible {
        let (Some(threshold), Some(data)) = (energy_fraction(flexible), data(&built.model, &flexible.name)) else {
            continue;
        };
        match choice(data, modal.rows(&flexible.name), threshold)
            .and_then(|c| Ok((keep(flexible, built, data, &c)?, c)))
        {
            Ok(((), choice)) => choices.push(choice),
            Err(e) => errors.push((flexible.name.clone(), e.to_string())),
        }
    }
    if errors.is_empty() { Ok((chosen, choices)) } else { Err(study.error(errors)) }
}

fn data<'m>(model: &'m Model, body: &str) -> Option<&'m FlexBody> {
    model.flexible(model.body_index(body)?).map(|flexible| flexible.data.as_ref())
}

fn choice(data: &FlexBody, rows: &[Vec<f64>], threshold: f64) -> Result<Choice, BoneError> {
    let shares = strain_energy_shares(&data.stiffness, rows)?;
    let kept = keep_by_energy(&shares, threshold)?;
    if kept.is_empty() {
        let rule =
            "the body had no strain energy in the run, so that no modes can be selected by it; remove `strain_energy`";
        return Err(wolff_flexbody::FlexBodyError::invalid(&data.name, rule).into());
    }
    Ok(Choice { body: data.name.clone(), frequencies: data.frequencies(), shares, kept })
}

/// Leaves the body the modes of a choice.
fn keep(flexible: &mut FlexibleBody, built: &Built, data: &FlexBody, choice: &Choice) -> Result<(), BoneError> {
    let surface = built.surfaces.iter().find(|(name, _)| *name == flexible.name).map(|(_, surface)| surface.clone());
    let file = FlexBodyFile { surface, ..FlexBodyFile::of(data.clone()) }.select(&choice.kept)?;
    let of_kept = |all: &[f64]| choice.kept.iter().map(|&i| all.get(i).copied().unwrap_or(0.0)).collect();
    (flexible.eta, flexible.eta_dot) = (of_kept(&flexible.eta), of_kept(&flexible.eta_dot));
    flexible.source = FlexibleSource::File(Box::new(file));
    Ok(())
}

impl Choice {
    /// Name of the table in the results.
    pub fn name(&self) -> String {
        format!("{}.modes", self.body)
    }

    /// Frequency and fraction of every mode, and which modes are selected.
    pub fn table(&self) -> Value {
        let row = |(i, (hertz, share)): (usize, (&f64, &f64))| {
            let kept = if self.kept.contains(&i) { "yes" } else { "no" };
            json!({ "frequency_hz": hertz, "strain_energy_share": share, "kept": kept })
        };
        self.frequencies.iter().zip(&self.shares).enumerate().map(row).collect()
    }
}
