//! A checkpoint of a forward simulation: state and record as bytes, every number with all its bits.
//!
//! ```text
//! 8 bytes each    steps done, solutions, steps recorded, samples,
//!                 then the number of values of q, v, pads, tensions, fibres, agent, joints and memory
//! 8 bytes each    q, v, memory of the state; then of every sample t, q, v, a, both reactions, pads, tensions,
//!                 fibres, agent, joints, q*, v at the start
//! ```
//! Little-endian. Nothing else is needed to resume: muscles and floor compute their other values anew in every step.

use crate::error::MovementError;
use crate::model::{MovementRecord, MovementState, Reaction};
use wolff_spatial::Vec3;

/// Numbers of a reaction: force, centre of pressure, free moment.
const REACTION: usize = 7;

/// State and record of a simulation that was interrupted.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// State.
    pub state: MovementState,
    /// Record up to this state.
    pub record: MovementRecord,
}

/// Number of values of each part of a sample.
#[derive(Clone, Copy)]
struct Widths {
    q: usize,
    v: usize,
    pads: usize,
    tensions: usize,
    fibres: usize,
    agent: usize,
    joints: usize,
}

/// State and record as bytes.
///
/// # Errors
/// When a sample has another number of values than the first one or than the state: the file stores these numbers only
/// once.
pub fn to_bytes(state: &MovementState, record: &MovementRecord) -> Result<Vec<u8>, MovementError> {
    let Widths { pads, tensions, fibres, agent, joints, .. } = widths(state, record)?;
    let counts = [state.step, record.solutions, record.steps, record.times.len()];
    let widths = [state.q.len(), state.v.len(), pads, tensions, fibres, agent, joints, state.memory.len()];
    let mut bytes = Vec::new();
    counts.iter().chain(&widths).for_each(|n| bytes.extend((*n as u64).to_le_bytes()));
    let mut put = |numbers: &[f64]| numbers.iter().for_each(|x| bytes.extend(x.to_le_bytes()));
    [&state.q, &state.v, &state.memory].into_iter().for_each(|part| put(part));
    for i in 0..record.times.len() {
        put(&[record.times[i]]);
        [&record.q[i], &record.v[i], &record.a[i]].into_iter().for_each(|part| put(part));
        for g in &record.ground[i] {
            put(&[g.force.x, g.force.y, g.force.z, g.center.x, g.center.y, g.center.z, g.free_moment]);
        }
        [&record.pads[i], &record.tensions[i], &record.fibres[i], &record.agent[i]]
            .into_iter()
            .for_each(|part| put(part));
        [&record.joints[i], &record.predicted[i], &record.start[i]].into_iter().for_each(|part| put(part));
    }
    Ok(bytes)
}

/// The number of values of each part of a sample; an error if they differ between samples.
fn widths(state: &MovementState, record: &MovementRecord) -> Result<Widths, MovementError> {
    let first = |rows: &[Vec<f64>]| rows.first().map_or(0, Vec::len);
    let widths = Widths {
        q: state.q.len(),
        v: state.v.len(),
        pads: first(&record.pads),
        tensions: first(&record.tensions),
        fibres: first(&record.fibres),
        agent: first(&record.agent),
        joints: first(&record.joints),
    };
    let parts = [
        ("coordinates", &record.q, widths.q),
        ("speeds", &record.v, widths.v),
        ("accelerations", &record.a, widths.v),
        ("forces of pads", &record.pads, widths.pads),
        ("tensions", &record.tensions, widths.tensions),
        ("fibres", &record.fibres, widths.fibres),
        ("forces of the agent", &record.agent, widths.agent),
        ("forces of the joints", &record.joints, widths.joints),
        ("predicted coordinates", &record.predicted, widths.q),
        ("speeds at the start", &record.start, widths.v),
    ];
    let refuse = |rule: String| Err(MovementError::rule("checkpoint", rule));
    let samples = record.times.len();
    for (what, rows, width) in parts {
        if rows.len() != samples {
            return refuse(format!("{} rows of {what} for {samples} samples; one per sample is needed", rows.len()));
        }
        if let Some(i) = rows.iter().position(|row| row.len() != width) {
            let (found, rule) = (rows[i].len(), "every sample must have the same number");
            return refuse(format!("sample {i} has {found} {what}, the others {width}; {rule}"));
        }
    }
    if record.ground.len() != samples {
        let found = record.ground.len();
        return refuse(format!("{found} ground reactions for {samples} samples; one per sample is needed"));
    }
    Ok(widths)
}

/// The checkpoint that is stored in these bytes; `None` if they are not exactly one checkpoint. Times that do not
/// increase from sample to sample are invalid: the rows then had other numbers of values than the header says.
pub fn from_bytes(bytes: &[u8]) -> Option<Checkpoint> {
    let mut reader = Reader { words: bytes.chunks_exact(8).map(|word| word.try_into().unwrap_or_default()) };
    let [step, solutions, steps, samples] = reader.counts()?;
    let [q, v, pads, tensions, fibres, agent, joints, memory] = reader.counts()?;
    let widths = Widths { q, v, pads, tensions, fibres, agent, joints };
    let parts = [1, q, v, v, 2 * REACTION, pads, tensions, fibres, agent, joints, q, v];
    let sample = parts.into_iter().try_fold(0_usize, usize::checked_add)?;
    let numbers = samples.checked_mul(sample)?.checked_add(q)?.checked_add(v)?.checked_add(memory)?;
    // twelve counts precede the values
    if bytes.len() != numbers.checked_add(12)?.checked_mul(8)? {
        return None;
    }
    let state = MovementState { step, q: reader.numbers(q)?, v: reader.numbers(v)?, memory: reader.numbers(memory)? };
    let mut record = MovementRecord { solutions, steps, ..MovementRecord::default() };
    for _ in 0..samples {
        reader.sample(widths, &mut record)?;
    }
    if !record.times.is_sorted_by(|a, b| a < b) || !record.times.iter().all(|t| t.is_finite()) {
        return None;
    }
    Some(Checkpoint { state, record })
}

struct Reader<I> {
    words: I,
}

impl<I: Iterator<Item = [u8; 8]>> Reader<I> {
    fn counts<const N: usize>(&mut self) -> Option<[usize; N]> {
        let mut counts = [0; N];
        for n in &mut counts {
            *n = usize::try_from(u64::from_le_bytes(self.words.next()?)).ok()?;
        }
        Some(counts)
    }

    fn numbers(&mut self, count: usize) -> Option<Vec<f64>> {
        (0..count).map(|_| self.words.next().map(f64::from_le_bytes)).collect()
    }

    fn sample(&mut self, widths: Widths, record: &mut MovementRecord) -> Option<()> {
        record.times.extend(self.numbers(1)?);
        record.q.push(self.numbers(widths.q)?);
        record.v.push(self.numbers(widths.v)?);
        record.a.push(self.numbers(widths.v)?);
        record.ground.push([self.reaction()?, self.reaction()?]);
        record.pads.push(self.numbers(widths.pads)?);
        record.tensions.push(self.numbers(widths.tensions)?);
        record.fibres.push(self.numbers(widths.fibres)?);
        record.agent.push(self.numbers(widths.agent)?);
        record.joints.push(self.numbers(widths.joints)?);
        record.predicted.push(self.numbers(widths.q)?);
        record.start.push(self.numbers(widths.v)?);
        Some(())
    }

    fn reaction(&mut self) -> Option<Reaction> {
        let n = self.numbers(REACTION)?;
        Some(Reaction { force: Vec3::new(n[0], n[1], n[2]), center: Vec3::new(n[3], n[4], n[5]), free_moment: n[6] })
    }
}
