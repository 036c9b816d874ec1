//! Files of electromyograms: tables and analogue channels of `.c3d`.

use super::channels::{names_a_muscle, says_emg};
use super::envelope::{self, Kind};
use std::path::Path;
use wolff_formats::{FormatError, c3d, csv};
use wolff_motion::MotionError;
use wolff_motion::recording::{ending, read_bytes, read_storage};
use wolff_movement::MovementError;

/// An electromyogram as an envelope: rectified and smoothed.
#[derive(Clone, Debug, PartialEq)]
pub struct Signal {
    /// Name of its column or channel.
    pub name: String,
    /// Times \[s\] and values.
    pub samples: Vec<(f64, f64)>,
    /// What the file has; a raw one was made an envelope.
    pub kind: Kind,
}

/// Columns with one time for all.
struct Columns {
    times: Vec<f64>,
    columns: Vec<(String, Vec<f64>)>,
}

/// Reads the columns of a `.sto`, `.mot` or `.csv` file with times in the first one, or the analogue channels of a
/// `.c3d` file that name a muscle or electromyography. Raw signals are demeaned, rectified and smoothed
/// ([`envelope::of_raw`]).
pub fn read_emg(path: &Path) -> Result<Vec<Signal>, MovementError> {
    let place = path.display().to_string();
    let Columns { times, columns } = match ending(path).as_str() {
        "c3d" => of_c3d(path)?,
        _ => of_table(path)?,
    };
    let mut signals = Vec::with_capacity(columns.len());
    for (name, values) in columns {
        if let Some((time, value)) = times.iter().zip(&values).find(|(_, value)| !value.is_finite()) {
            let rule = format!(
                "column `{name}` is {value} at {time} s; an electromyogram must be a finite number at every time: fill \
                 the gap, or leave the column out"
            );
            return Err(MovementError::rule(place, rule));
        }
        // other columns, such as forces, are not electromyograms
        let (kind, values) = match names_a_muscle(&name) {
            true => envelope::of(&times, values)
                .map_err(|why| MovementError::rule(&place, format!("column `{name}`: {why}")))?,
            false => (Kind::Envelope, values),
        };
        signals.push(Signal { name, samples: times.iter().copied().zip(values).collect(), kind });
    }
    Ok(signals)
}

fn of_table(path: &Path) -> Result<Columns, MovementError> {
    let wrong = |cause: FormatError| MotionError::File { path: path.into(), cause };
    let table = match ending(path).as_str() {
        "csv" => csv::read(&read_bytes(path)?).map_err(wrong)?,
        _ => read_storage(path)?.table,
    };
    let column = |i: usize| table.rows().iter().filter_map(|row| row.get(i).copied()).collect();
    let named = table.labels().iter().enumerate().skip(1).map(|(i, name)| (name.clone(), column(i)));
    Ok(Columns { times: column(0), columns: named.collect() })
}

fn of_c3d(path: &Path) -> Result<Columns, MovementError> {
    let wrong = |cause: FormatError| MotionError::File { path: path.into(), cause };
    let file = c3d::read(&read_bytes(path)?).map_err(wrong)?;
    let (rate, start) = (file.analog_rate(), file.start());
    let shown: Vec<String> = file.analogs.iter().take(12).map(|channel| channel.label.clone()).collect();
    let wanted = file.analogs.into_iter().filter(|c| names_a_muscle(&c.label) || says_emg(&c.label));
    let columns: Vec<(String, Vec<f64>)> = wanted.map(|channel| (channel.label, channel.samples)).collect();
    if columns.is_empty() {
        let rule = format!(
            "has no analogue channel that names a muscle or electromyography (`emg`); its channels begin with {}; rename \
             the channels, such as `EMG_R_SOLEUS`",
            shown.join(", ")
        );
        return Err(MovementError::rule(path.display().to_string(), rule));
    }
    let count = columns.iter().map(|(_, values)| values.len()).max().unwrap_or(0);
    Ok(Columns { times: (0..count).map(|i| start + i as f64 / rate).collect(), columns })
}
