//! Events: foot strikes, foot offs and other instants.

use super::bytes::Bytes;
use super::parameters::{Parameters, text};
use crate::FormatError;

/// A named instant.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Label, such as `Foot Strike`.
    pub label: String,
    /// Context, such as `Left`, or empty.
    pub context: String,
    /// Time \[s\]; frame 1 is at zero.
    pub time: f64,
}

/// Events of the parameter group `EVENT`, else those of the header block, in order of time. An event whose time is not
/// finite is omitted.
pub(super) fn read(bytes: &Bytes, parameters: &Parameters) -> Result<Vec<Event>, FormatError> {
    let mut events = from_parameters(parameters);
    if events.is_empty() {
        events = from_header(bytes)?;
    }
    events.retain(|e| e.time.is_finite());
    events.sort_by(|a, b| a.time.total_cmp(&b.time));
    Ok(events)
}

/// `EVENT:TIMES` holds minutes and seconds.
fn from_parameters(parameters: &Parameters) -> Vec<Event> {
    let (labels, contexts) = (parameters.texts("EVENT", "LABELS"), parameters.texts("EVENT", "CONTEXTS"));
    let used = parameters.counts("EVENT", "USED").first().copied().unwrap_or(0);
    let text = |texts: &[&str], i: usize| texts.get(i).map(|t| t.to_string()).unwrap_or_default();
    let times = parameters.numbers("EVENT", "TIMES");
    let event = |(i, time): (usize, &[f64; 2])| Event {
        label: text(&labels, i),
        context: text(&contexts, i),
        time: 60.0 * time[0] + time[1],
    };
    times.as_chunks().0.iter().take(used).enumerate().map(event).collect()
}

/// Up to 18 events of the header: word 150 marks four-letter labels, word 151 counts, times from word 153, labels
/// from word 199.
fn from_header(bytes: &Bytes) -> Result<Vec<Event>, FormatError> {
    let word = |n: usize| 2 * (n - 1);
    let four_letters = bytes.u16(word(150))? == 12345;
    let count = if four_letters { usize::from(bytes.u16(word(151))?).min(18) } else { 0 };
    let event = |i: usize| {
        let label = text(bytes.slice(word(199) + 4 * i, 4)?);
        Ok(Event { label, context: String::new(), time: f64::from(bytes.f32(word(153) + 4 * i)?) })
    };
    (0..count).map(event).collect()
}
