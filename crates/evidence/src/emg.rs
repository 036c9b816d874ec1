//! Muscle forces compared with electromyograms.

use std::path::Path;
use wolff_anatomy::Side;
use wolff_motion::recording::read_storage;
use wolff_movement::MovementError;
use wolff_movement::measured::Gait;
use wolff_movement::model::MovementRecord;
use wolff_numerics::correlation::{normalised, pearson};

/// A processed electromyogram (rectified, smoothed).
#[derive(Clone, Debug, PartialEq)]
pub struct Signal {
    /// Name of its column.
    pub name: String,
    /// Times \[s\] and values.
    pub samples: Vec<(f64, f64)>,
}

/// A signal compared with the force of the muscles that it represents.
#[derive(Clone, Debug, PartialEq)]
pub struct EmgMatch {
    /// Name of the signal.
    pub signal: String,
    /// Name of the muscle that it represents.
    pub muscle: &'static str,
    /// Its parts, whose forces are added.
    pub muscles: Vec<String>,
    /// Pearson's coefficient over one cycle.
    pub correlation: f64,
    /// `Σ x y / √(Σ x² Σ y²)` over one cycle, means not removed.
    pub normalised: f64,
    /// Maximum Pearson's coefficient with the signal delayed by up to [`GREATEST_DELAY`], and that delay \[s\]: force
    /// follows excitation.
    pub delayed: [f64; 2],
    /// Both over one cycle, each divided by its maximum: signal, force.
    pub curves: [Vec<f64>; 2],
}

/// Longest delay from electromyogram to force that is tried \[s\]; chosen here.
pub const GREATEST_DELAY: f64 = 0.1;
/// Number of instants per cycle.
const POINTS: usize = 200;

/// Names of muscles, the prefixes of the signal names that represent them, and the prefixes of the names of the parts
/// whose forces are added, in this program and in imported models. The first entry that matches is used.
const CHANNELS: [(&str, &[&str], &[&str]); 12] = [
    ("soleus", &["soleus", "sol"], &["soleus"]),
    ("gastrocnemius lateralis", &["gastrocnemius_l", "gaslat", "lat_gas", "lg"], &["lat_gas", "gaslat"]),
    ("gastrocnemius medialis", &["gastrocnemius_m", "gasmed", "med_gas", "mg"], &["med_gas", "gasmed"]),
    ("gastrocnemius", &["gastrocnemius", "gas"], &["lat_gas", "med_gas", "gaslat", "gasmed"]),
    ("tibialis anterior", &["tibialis_anterior", "tib_ant", "tibant", "ta"], &["tib_ant", "tibant"]),
    ("medial hamstrings", &["medial_hamstrings", "semi", "mh"], &["semimem", "semiten"]),
    ("biceps femoris", &["biceps_femoris", "bicfem", "bifem", "bf", "lateral_hamstrings"], &["bifem", "bflh", "bfsh"]),
    ("vastus lateralis", &["vastus_lateralis", "vaslat", "vas_lat", "vl"], &["vas_lat", "vaslat"]),
    ("vastus medialis", &["vastus_med", "vasmed", "vas_med", "vm"], &["vas_med", "vasmed"]),
    ("rectus femoris", &["rectus_femoris", "recfem", "rect_fem", "rf"], &["rect_fem", "recfem"]),
    ("gluteus maximus", &["gluteus_max", "glmax", "glut_max", "gmax"], &["glut_max", "glmax"]),
    ("gluteus medius", &["gluteus_med", "glmed", "glut_med", "gmed"], &["glut_med", "glmed"]),
];

/// Reads the columns of a storage file.
pub fn read_emg(path: &Path) -> Result<Vec<Signal>, MovementError> {
    let storage = read_storage(path)?;
    let labels = storage.table.labels();
    for row in storage.table.rows() {
        if let Some((label, value)) = labels.iter().zip(row).find(|(_, value)| !value.is_finite()) {
            let time = row.first().copied().unwrap_or(f64::NAN);
            let rule = format!(
                "column `{label}` is {value} at {time} s; an electromyogram must be a finite number at every time: fill \
                 the gap, or leave the column out"
            );
            return Err(MovementError::rule(path.display().to_string(), rule));
        }
    }
    let signal = |(i, name): (usize, &String)| {
        let sample = |row: &Vec<f64>| Some((*row.first()?, *row.get(i)?));
        Signal { name: name.clone(), samples: storage.table.rows().iter().filter_map(sample).collect() }
    };
    Ok(labels.iter().enumerate().skip(1).map(signal).collect())
}

/// Compares every signal that represents a muscle of the right leg. The second result is the list of signals that
/// represent no muscle of the model.
///
/// The force is the mean over the cycles of the record, the signal the mean over the cycles that it covers completely
/// or partly.
pub fn emg_matches(
    gait: &Gait,
    signals: &[Signal],
    muscles: &[String],
    record: &MovementRecord,
) -> Result<(Vec<EmgMatch>, Vec<String>), MovementError> {
    let (mut found, mut others) = (Vec::new(), Vec::new());
    for signal in signals {
        let Some((muscle, stands_for)) = muscles_of(&signal.name, muscles) else {
            others.push(signal.name.clone());
            continue;
        };
        let force = |row: &Vec<f64>| stands_for.iter().map(|&m| row[m]).sum::<f64>();
        let forces = record.times.iter().copied().zip(record.tensions.iter().map(force));
        let force = over_cycle(forces, gait.cycle_time);
        let seen = over_cycle(signal.samples.iter().map(|(t, x)| (gait.time(*t), *x)), gait.cycle_time);
        let names = stands_for.iter().map(|&m| muscles[m].clone()).collect();
        found.push(compare((&signal.name, muscle), names, seen, force, gait.cycle_time)?);
    }
    Ok((found, others))
}

/// The muscle that a signal represents, and the indices of its parts in the right leg; `None` where the model has no
/// such muscle.
fn muscles_of(signal: &str, muscles: &[String]) -> Option<(&'static str, Vec<usize>)> {
    let name = signal.to_lowercase().replace([' ', '-', '.'], "_");
    let (muscle, _, stems) = CHANNELS.iter().find(|(_, signals, _)| signals.iter().any(|s| name.starts_with(s)))?;
    let right = |m: &String| Side::of(m) == Some(Side::Right) && stems.iter().any(|stem| m.starts_with(stem));
    let parts: Vec<usize> = muscles.iter().enumerate().filter(|(_, m)| right(m)).map(|(i, _)| i).collect();
    (!parts.is_empty()).then_some((*muscle, parts))
}

/// Mean over cycles at [`POINTS`] instants of the cycle; an instant without a sample takes the value of the previous
/// one.
fn over_cycle(samples: impl Iterator<Item = (f64, f64)>, cycle: f64) -> Vec<f64> {
    let mut bins = vec![(0.0, 0); POINTS];
    for (t, x) in samples {
        let share = (t / cycle).rem_euclid(1.0);
        let bin = &mut bins[((share * POINTS as f64) as usize).min(POINTS - 1)];
        *bin = (bin.0 + x, bin.1 + 1);
    }
    let mut last = bins.iter().rev().find(|b| b.1 > 0).map_or(0.0, |b| b.0 / f64::from(b.1));
    let mut mean = |(sum, count): (f64, i32)| {
        last = if count > 0 { sum / f64::from(count) } else { last };
        last
    };
    bins.into_iter().map(&mut mean).collect()
}

fn compare(
    (signal, muscle): (&str, &'static str),
    muscles: Vec<String>,
    seen: Vec<f64>,
    force: Vec<f64>,
    cycle: f64,
) -> Result<EmgMatch, MovementError> {
    let refuse = |e: wolff_numerics::NumericsError| MovementError::input(format!("signal `{signal}`"), e);
    let later = |bins: usize| -> Vec<f64> { (0..POINTS).map(|i| seen[(i + POINTS - bins) % POINTS]).collect() };
    let mut delayed = [f64::NEG_INFINITY, 0.0];
    for bins in 0..=(GREATEST_DELAY / cycle * POINTS as f64) as usize {
        let r = pearson(&later(bins), &force).map_err(refuse)?;
        if r > delayed[0] {
            delayed = [r, bins as f64 * cycle / POINTS as f64];
        }
    }
    Ok(EmgMatch {
        signal: signal.into(),
        muscle,
        muscles,
        correlation: pearson(&seen, &force).map_err(refuse)?,
        normalised: normalised(&seen, &force).map_err(refuse)?,
        delayed,
        curves: [seen, force].map(to_greatest),
    })
}

fn to_greatest(values: Vec<f64>) -> Vec<f64> {
    let greatest = values.iter().fold(f64::MIN_POSITIVE, |m: f64, x| m.max(*x));
    values.into_iter().map(|x| x / greatest).collect()
}
