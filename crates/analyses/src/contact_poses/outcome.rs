//! The outcome of evaluated poses: largest values of every contact with their verdicts, series, figures and maps.
//!
//! | file in the folder | content |
//! |---|---|
//! | `report.html`, `summary.json`, `provenance.json` | as of every run, see [`wolff_report::folder`] |
//! | `contact.sto` or `contact.csv` | all quantities of all poses |
//! | `NAME_ROW.vtu`, `NAME.pvd` | pressures on the elements, for ParaView |
//! | `pressure.svg` | the last pressure map as a picture |

use super::evaluate::Evaluation;
use serde_json::{Map, Value, json};
use wolff_formats::FormatError;
use wolff_report::outcome::{Finding, Headline, Judgement, Limit, Outcome, Picture, Plot, RunKind, Series, Verdict};
use wolff_report::plausibility::{Seen, contact_findings, judge_ligaments, jump_finding};
use wolff_report::pressure::{PosedContact, map_files, pressure_limit, pressure_svg};

/// Number of contacts with numbers on the first screen.
const SHOWN: usize = 3;
/// Number of ligaments in the figure.
const LIGAMENTS: usize = 8;

/// The largest values of one contact over all poses.
#[derive(Clone, Debug, PartialEq)]
pub struct Extremes {
    /// The contact.
    pub name: String,
    /// Largest force \[N\].
    pub force: f64,
    /// Largest pressure \[Pa\].
    pub peak_pressure: f64,
    /// Largest mean pressure \[Pa\].
    pub mean_pressure: f64,
    /// Largest area in contact \[m²\].
    pub area: f64,
    /// Deepest overlap over the thickness of the layers.
    pub deepest: f64,
    /// Number of poses with contact.
    pub touching: usize,
}

/// The patch with all parts of a contact.
const WHOLE: &str = "total";

impl Extremes {
    /// The largest values of a part of a contact; the deepest overlap is known of whole contacts only and zero here.
    pub fn of_patch(found: &Evaluation, contact: &str, patch: &str) -> Self {
        let largest = |values: &[f64]| values.iter().copied().fold(0.0, larger);
        let column = |what: &str| column(found, contact, patch, what);
        let area = column("contact_area");
        Self {
            name: contact.into(),
            force: largest(&forces(found, contact, patch)),
            peak_pressure: largest(&column("max_pressure")),
            mean_pressure: largest(&column("mean_pressure")),
            area: largest(&area),
            deepest: 0.0,
            touching: area.iter().filter(|a| **a > 0.0).count(),
        }
    }
}

/// The largest values of every contact.
pub fn extremes(contacts: &[PosedContact], found: &Evaluation) -> Vec<Extremes> {
    let of = |(contact, &deepest): (&PosedContact, &f64)| Extremes {
        deepest,
        ..Extremes::of_patch(found, &contact.name, WHOLE)
    };
    contacts.iter().zip(&found.deepest).map(of).collect()
}

/// The larger of two numbers; not a number if one is not.
fn larger(a: f64, b: f64) -> f64 {
    if b > a || b.is_nan() { b } else { a }
}

fn column(found: &Evaluation, contact: &str, patch: &str, what: &str) -> Vec<f64> {
    found.table.column(&format!("{contact}.casting.{patch}.{what}")).unwrap_or_default()
}

/// Magnitude of the force of a part of a contact in each pose \[N\].
fn forces(found: &Evaluation, contact: &str, patch: &str) -> Vec<f64> {
    let [x, y, z] = ["x", "y", "z"].map(|axis| column(found, contact, patch, &format!("contact_force_{axis}")));
    x.iter().zip(&y).zip(&z).map(|((x, y), z)| x.hypot(*y).hypot(*z)).collect()
}

/// The whole outcome of `wolff contact`; `title` is that of the picture.
///
/// # Errors
/// Where a pressure map cannot be written.
pub fn outcome(contacts: &[PosedContact], found: &Evaluation, title: &str) -> Result<Outcome, FormatError> {
    let extremes = extremes(contacts, found);
    let mut judgement = judged(contacts, &extremes);
    for ((contact, &deepest), &rim) in contacts.iter().zip(&found.deepest).zip(&found.rim) {
        judgement.found(contact_findings(contact, Seen { deepest, rim }));
        judgement.found(jump_finding(&contact.name, &forces(found, &contact.name, WHOLE)));
        let note = |remark: &String| Finding::note(format!("contact `{}`: {remark}", contact.name), "");
        judgement.found(contact.remarks.iter().map(note));
    }
    judge_ligaments(&found.table, &mut judgement);
    let svg = pressure_svg(contacts, &found.maps, title);
    let pictures = match found.maps.last() {
        Some(map) => vec![Picture { name: "pressure".into(), title: format!("Pressure {}", map.state), svg }],
        None => Vec::new(),
    };
    let table = &found.table;
    let series = Series { name: "contact".into(), columns: table.labels().to_vec(), rows: table.rows().to_vec() };
    Ok(Outcome {
        kind: RunKind::Command,
        study: "contact".into(),
        results: results(contacts, found, &extremes),
        headline: headline(&extremes, &judgement),
        judgement,
        warnings: found.remarks.clone(),
        method: method(contacts, found),
        series: vec![series],
        plots: plots(contacts, found),
        pictures,
        files: map_files(contacts, &found.maps)?,
        ..Outcome::default()
    })
}

/// Verdicts on depth, pressure and load of every contact.
fn judged(contacts: &[PosedContact], extremes: &[Extremes]) -> Judgement {
    let mut judgement = Judgement::default();
    let pose = "check the poses, the units and the surfaces of the contact; omit poses with --rows";
    for (contact, e) in contacts.iter().zip(extremes) {
        let depth = Limit::at_most(50.0, 100.0)
            .because("own choice: in daily life cartilage is compressed by a quarter of its thickness at most");
        let name = &e.name;
        judgement.judge(&format!("deepest overlap over thickness, `{name}`"), "%", 100.0 * e.deepest, &depth, pose);
        if let Some(limit) = pressure_limit(contact.pair.material().modulus_at_rest()) {
            judgement.judge(&peak_name(name), "MPa", 1e-6 * e.peak_pressure, &limit, pose);
        }
        let load = Limit::at_most(10_000.0, f64::INFINITY)
            .because("own choice: about twelve times the body weight of an adult");
        judgement.judge(&force_name(name), "N", e.force, &load, pose);
        if e.touching == 0 {
            let message =
                format!("the surfaces of contact `{name}` do not touch in any pose, so that it carries no load");
            judgement.found([Finding::warning(message, pose)]);
        }
    }
    if extremes.iter().all(|e| e.touching == 0) {
        let limit = Limit::at_least(1.0, f64::NEG_INFINITY).because("a contact without load has no result");
        judgement.judge("contacts that touch in at least one pose", "", 0.0, &limit, pose);
    }
    judgement
}

fn peak_name(contact: &str) -> String {
    format!("largest pressure, `{contact}`")
}

fn force_name(contact: &str) -> String {
    format!("largest force, `{contact}`")
}

fn headline(extremes: &[Extremes], judgement: &Judgement) -> Vec<Headline> {
    let verdict =
        |quantity: &str| judgement.judged.iter().find(|j| j.quantity == quantity).map_or(Verdict::Ok, |j| j.verdict);
    let line = |quantity: String, value: f64, unit: &str| Headline {
        verdict: verdict(&quantity),
        quantity: quantity.replace('`', ""),
        value,
        unit: unit.into(),
        range: None,
        source: String::new(),
    };
    let both = |e: &Extremes| {
        [line(peak_name(&e.name), 1e-6 * e.peak_pressure, "MPa"), line(force_name(&e.name), e.force, "N")]
    };
    extremes.iter().take(SHOWN).flat_map(both).collect()
}

fn results(contacts: &[PosedContact], found: &Evaluation, extremes: &[Extremes]) -> Map<String, Value> {
    let of = |(e, c): (&Extremes, &PosedContact)| {
        json!({
            "name": e.name,
            "peak_pressure_mpa": 1e-6 * e.peak_pressure,
            "mean_pressure_mpa": 1e-6 * e.mean_pressure,
            "force_n": e.force,
            "area_mm2": 1e6 * e.area,
            "deepest_overlap_percent": 100.0 * e.deepest,
            "poses_with_contact": e.touching,
            "elements": c.pair.elements().elements.len(),
        })
    };
    let columns: Map<String, Value> =
        found.table.labels().iter().map(|label| (label.clone(), json!(found.table.column(label)))).collect();
    let mut results = Map::new();
    results.insert("poses".into(), found.table.rows().len().into());
    results.insert("contacts".into(), extremes.iter().zip(contacts).map(of).collect());
    results.insert("columns".into(), columns.into());
    results
}

/// What was done, from what ran.
fn method(contacts: &[PosedContact], found: &Evaluation) -> Vec<String> {
    let poses = found.table.rows().len();
    let mut text = vec![format!(
        "Pressures were evaluated in {poses} given poses; no motion was integrated. Each contact is an elastic \
         foundation: the pressure on an element depends on the overlap of the surfaces there, divided by the thickness \
         of the layers, and on the confined modulus of the layer."
    )];
    text.extend(contacts.iter().map(|c| {
        let modulus = 1e-6 * c.pair.material().modulus_at_rest();
        let count = c.pair.elements().elements.len();
        format!("Contact `{}`: {count} elements, confined modulus {modulus:.4} MPa.", c.name)
    }));
    text
}

fn plots(contacts: &[PosedContact], found: &Evaluation) -> Vec<Plot> {
    let times = found.table.column("time").unwrap_or_default();
    if times.len() < 2 {
        return Vec::new();
    }
    let curve = |label: &str, values: &[f64], factor: f64| {
        (label.to_string(), times.iter().copied().zip(values.iter().map(|x| factor * x)).collect::<Vec<_>>())
    };
    let plot = |name: &str, title: &str, y_label: &str, curves| Plot {
        name: name.into(),
        title: title.into(),
        x_label: "time [s]".into(),
        y_label: y_label.into(),
        curves,
        ..Plot::default()
    };
    let pressures =
        contacts.iter().map(|c| curve(&c.name, &column(found, &c.name, WHOLE, "max_pressure"), 1e-6)).collect();
    let loads = contacts.iter().map(|c| curve(&c.name, &forces(found, &c.name, WHOLE), 1.0)).collect();
    let mut tensions: Vec<(f64, _)> = Vec::new();
    for label in found.table.labels() {
        if let (Some(name), Some(values)) = (label.strip_suffix(".force_total"), found.table.column(label)) {
            tensions.push((values.iter().copied().fold(0.0, f64::max), curve(name, &values, 1.0)));
        }
    }
    tensions.sort_by(|a, b| b.0.total_cmp(&a.0));
    let tensions: Vec<_> =
        tensions.into_iter().take(LIGAMENTS).filter(|(most, _)| *most > 0.0).map(|(_, c)| c).collect();
    let mut plots = vec![
        plot("peak-pressure", "Largest pressure", "pressure [MPa]", pressures),
        plot("force", "Contact force", "force [N]", loads),
    ];
    if !tensions.is_empty() {
        plots.push(plot("ligaments", "Ligaments with the largest tension", "tension [N]", tensions));
    }
    plots
}
