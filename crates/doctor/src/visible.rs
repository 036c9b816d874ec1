//! When markers are seen, told for all markers together.

use crate::gaps::FILLABLE;
use wolff_formats::trial::{Marker, MarkerTrial};
use wolff_verdict::{Finding, grouped};

/// Maximum number of groups with the same start and end; more are told as one.
const GROUPS: usize = 3;
/// Fraction of all markers that must be missing outside of the same times for it to be the recorded volume.
const MOST: f64 = 0.8;

/// The frames of a marker.
struct Seen<'a> {
    name: &'a str,
    /// First and last frame in which it is seen.
    range: [usize; 2],
    /// Number of gaps between them, and length of the longest in frames.
    gaps: [usize; 2],
}

/// Markers that are missing always, at the start or end, or in between; at most a few findings for any trial.
pub(super) fn visibility(trial: &MarkerTrial) -> Vec<Finding> {
    let mut findings = Vec::new();
    let frames = trial.times().len();
    let never: Vec<&str> = trial.markers().iter().filter(|m| seen(m).is_none()).map(|m| m.name.as_str()).collect();
    if !never.is_empty() && frames > 0 {
        let message = format!("{} missing in all frames: {}", markers_are(never.len()), grouped(&never));
        findings.push(Finding::warning(message, "they are ignored; remove their tasks"));
    }
    let all: Vec<Seen<'_>> = trial.markers().iter().filter_map(seen).collect();
    findings.extend(edges(trial, &all));
    findings.extend(between(trial, &all));
    findings
}

fn seen(marker: &Marker) -> Option<Seen<'_>> {
    let first = marker.points.iter().position(Option::is_some)?;
    let last = marker.points.iter().rposition(Option::is_some)?;
    let inside = marker.points.get(first..=last)?;
    let runs = inside.chunk_by(|a, b| a.is_some() == b.is_some()).filter(|run| run.iter().all(Option::is_none));
    let lengths: Vec<usize> = runs.map(<[_]>::len).collect();
    let longest = lengths.iter().copied().max().unwrap_or(0);
    Some(Seen { name: &marker.name, range: [first, last], gaps: [lengths.len(), longest] })
}

/// Markers that are missing at the start or at the end.
fn edges(trial: &MarkerTrial, all: &[Seen<'_>]) -> Vec<Finding> {
    let last = trial.times().len().saturating_sub(1);
    // times that differ by less than a gap that can be filled are the same
    let near = (FILLABLE * trial.rate()).ceil() as usize;
    let cut: Vec<&Seen<'_>> = all.iter().filter(|s| s.range[0] > near || s.range[1] + near < last).collect();
    if let Some(volume) = volume(trial, &cut, all.len()) {
        return vec![volume];
    }
    let mut groups: Vec<Vec<&Seen<'_>>> = Vec::new();
    for s in cut {
        let fits = |g: &&mut Vec<&Seen<'_>>| {
            g.first().is_some_and(|f| f.range.iter().zip(&s.range).all(|(a, b)| a.abs_diff(*b) <= near))
        };
        match groups.iter_mut().find(fits) {
            Some(group) => group.push(s),
            None => groups.push(vec![s]),
        }
    }
    groups.sort_by_key(|g| std::cmp::Reverse(g.len()));
    if groups.len() > GROUPS {
        let rest: Vec<&Seen<'_>> = groups.drain(GROUPS - 1..).flatten().collect();
        groups.push(rest);
    }
    groups.iter().filter_map(|group| edge(trial, group)).collect()
}

/// The part of a trial in which the subject is in the recorded volume, where most markers are missing before and after
/// it.
fn volume(trial: &MarkerTrial, cut: &[&Seen<'_>], of: usize) -> Option<Finding> {
    let time = |frame: usize| trial.times().get(frame).copied();
    let start = time(cut.iter().map(|s| s.range[0]).max()?)?;
    let end = time(cut.iter().map(|s| s.range[1]).min()?)?;
    let names: Vec<&str> = cut.iter().map(|s| s.name).collect();
    let is_volume = names.len() as f64 >= MOST * of as f64 && start < end;
    is_volume.then(|| {
        let message =
            format!("{} missing outside {start:.2} to {end:.2} s: {}", markers_are(names.len()), grouped(&names));
        Finding::note(message, format!("only this part of the trial can be used (--time {start:.2}:{end:.2})"))
    })
}

/// A group of markers that are missing outside of a range of times.
fn edge(trial: &MarkerTrial, group: &[&Seen<'_>]) -> Option<Finding> {
    let time = |frame: usize| trial.times().get(frame).copied();
    // all of the group are seen in the last start to the first end
    let start = time(group.iter().map(|s| s.range[0]).max()?)?;
    let end = time(group.iter().map(|s| s.range[1]).min()?)?;
    let names: Vec<&str> = group.iter().map(|s| s.name).collect();
    let when = if start <= end {
        format!("outside {start:.2} to {end:.2} s")
    } else {
        "at the start or the end of the trial, at different times".into()
    };
    let message = format!("{} missing {when}: {}", markers_are(names.len()), grouped(&names));
    Some(Finding::warning(message, "these markers are ignored in the frames in which they are missing"))
}

/// Gaps between frames in which a marker is seen.
fn between(trial: &MarkerTrial, all: &[Seen<'_>]) -> Vec<Finding> {
    let seconds = |frames: usize| frames as f64 / trial.rate();
    let told = |list: Vec<&Seen<'_>>| {
        let names: Vec<&str> = list.iter().map(|s| s.name).collect();
        let gaps: usize = list.iter().map(|s| s.gaps[0]).sum();
        let longest = list.iter().max_by_key(|s| s.gaps[1])?;
        let kind = if names.len() == 1 { "marker has" } else { "markers have" };
        let plural = if gaps == 1 { "gap" } else { "gaps" };
        Some(format!(
            "{} {kind} {gaps} {plural}, the longest {:.3} s of `{}`: {}",
            names.len(),
            seconds(longest.gaps[1]),
            longest.name,
            grouped(&names)
        ))
    };
    let is_long = |s: &&Seen<'_>| seconds(s.gaps[1]) > FILLABLE;
    let long = told(all.iter().filter(is_long).collect());
    let short = told(all.iter().filter(|s| s.gaps[0] > 0 && !is_long(s)).collect());
    let ignored = "the markers are ignored in these frames";
    let too_long =
        format!("longer than {FILLABLE} s is too long to interpolate: {ignored}, or fill them from rigid neighbours");
    let long = long.map(|message| Finding::warning(message, too_long));
    let short =
        short.map(|message| Finding::note(message, format!("short enough to fill by a spline; otherwise {ignored}")));
    long.into_iter().chain(short).collect()
}

fn markers_are(count: usize) -> String {
    if count == 1 { "1 marker is".into() } else { format!("{count} markers are") }
}
