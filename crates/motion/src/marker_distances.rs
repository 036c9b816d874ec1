//! Distances of markers on one body, in a recording and on the model: names that are exchanged, and models of other
//! subjects.
//!
//! A body is rigid, so that distances of its markers do not depend on the pose; the skin moves by some millimetres.

use crate::Subject;
use wolff_doctor::{distance, median};
use wolff_formats::trial::{Marker, MarkerTrial};
use wolff_verdict::Finding;

/// Frames that are looked at.
const LOOKS: usize = 20;
/// Pairs that must be compared for a statement about the model.
const PAIRS: usize = 6;
/// Mean difference of recorded and modelled distances from which the model is not that of the subject \[m\]. Chosen
/// here: seven subjects on their own models have 0.0034 to 0.0077 m, on models of others mostly 0.016 to 0.026 m.
const OTHER_SUBJECT: f64 = 0.012;
/// Mean difference from which two markers may be exchanged, the largest that may remain when they are exchanged back
/// \[m\], and by which factor it must become smaller. Chosen here: in thirteen sound trials no exchange makes a
/// difference above 0.008 m smaller, even by a tenth.
const EXCHANGED: f64 = 0.01;
const REMAINS: f64 = 0.016;
const SMALLER: f64 = 0.4;
/// Distances to other markers that must be compared for an exchange: two for each of both.
const COMPANIONS: usize = 4;

/// Markers of the model that were recorded.
struct Matched<'a> {
    name: &'a str,
    body: &'a str,
    /// Position on its body \[m\].
    place: [f64; 3],
    recorded: &'a Marker,
}

/// Pairs of names that seem to be exchanged, or else a model whose markers are not where those of the subject are.
/// Generic models that are still to be scaled are of no use here.
pub fn compare_distances(subject: &Subject, trial: &MarkerTrial) -> Vec<Finding> {
    let all: Vec<Matched<'_>> = (subject.markers.iter())
        .filter_map(|(name, on)| {
            Some(Matched { name, body: &on.body, place: on.pose.p.into(), recorded: trial.marker(name)? })
        })
        .collect();
    let exchanges = exchanges(&all);
    if exchanges.is_empty() { other_subject(&all).into_iter().collect() } else { exchanges }
}

/// Median difference between the distance of two recorded markers and that of two places on a body \[m\].
fn difference(recorded: [&Marker; 2], places: [[f64; 3]; 2]) -> Option<f64> {
    let [a, b] = recorded;
    let modelled = distance(places[0], places[1]);
    let step = (a.points.len() / LOOKS).max(1);
    let both = a.points.iter().zip(&b.points).step_by(step);
    median(both.filter_map(|(a, b)| Some((distance((*a)?, (*b)?) - modelled).abs())).collect())
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

fn other_subject(all: &[Matched<'_>]) -> Option<Finding> {
    let mut differences = Vec::new();
    for (i, a) in all.iter().enumerate() {
        for b in all.iter().skip(i + 1).filter(|b| b.body == a.body) {
            differences.extend(difference([a.recorded, b.recorded], [a.place, b.place]));
        }
    }
    let away = mean(&differences);
    (differences.len() >= PAIRS && away > OTHER_SUBJECT).then(|| {
        let message = format!(
            "distances of markers on the same body differ from those of the model by {:.0} mm (mean of {} pairs), \
             expected at most {:.0} mm",
            1e3 * away,
            differences.len(),
            1e3 * OTHER_SUBJECT
        );
        let remedy = "check that the model is that of this subject, that it is scaled and its markers are placed \
                      (`wolff scale`), and that names of markers are not exchanged or shifted";
        Finding::warning(message, remedy)
    })
}

fn exchanges(all: &[Matched<'_>]) -> Vec<Finding> {
    let mut found: Vec<(usize, usize, [f64; 2])> = Vec::new();
    for i in 0..all.len() {
        for j in i + 1..all.len() {
            found.extend(exchange(all, i, j).map(|differences| (i, j, differences)));
        }
    }
    // of several partners of one marker, the best
    found.sort_by(|a, b| a.2[1].total_cmp(&b.2[1]));
    let mut told: Vec<(usize, usize, [f64; 2])> = Vec::new();
    for pair in found {
        if !told.iter().any(|(i, j, _)| [*i, *j].iter().any(|k| *k == pair.0 || *k == pair.1)) {
            told.push(pair);
        }
    }
    let finding = |(i, j, [now, then]): &(usize, usize, [f64; 2])| {
        let [a, b] = [all.get(*i)?.name, all.get(*j)?.name];
        let message = format!(
            "markers `{a}` and `{b}` seem to be exchanged: distances to other markers of their bodies differ from the \
             model by {:.0} mm, with exchanged names by {:.0} mm",
            1e3 * now,
            1e3 * then
        );
        let remedy = format!("exchange their names (--rename {a}={b} --rename {b}={a}), or correct the model");
        Some(Finding::warning(message, remedy))
    };
    told.iter().filter_map(finding).collect()
}

/// Mean differences of two markers as they are named, and with exchanged names \[m\], where the latter fit better.
fn exchange(all: &[Matched<'_>], i: usize, j: usize) -> Option<[f64; 2]> {
    let (a, b) = (all.get(i)?, all.get(j)?);
    let others = |of: &Matched<'_>| {
        let body = of.body.to_string();
        all.iter().enumerate().filter(move |(k, m)| *k != i && *k != j && m.body == body).map(|(_, m)| m)
    };
    let differences = |taken: [&Marker; 2]| -> Vec<f64> {
        let of = |m: &Matched<'_>, taken: &Marker| -> Vec<f64> {
            others(m).filter_map(|c| difference([taken, c.recorded], [m.place, c.place])).collect()
        };
        [of(a, taken[0]), of(b, taken[1])].concat()
    };
    let now = differences([a.recorded, b.recorded]);
    // most pairs fit as they are
    if now.len() < COMPANIONS || mean(&now) < EXCHANGED {
        return None;
    }
    let (now, then) = (mean(&now), mean(&differences([b.recorded, a.recorded])));
    (then < REMAINS && then < SMALLER * now).then_some([now, then])
}
