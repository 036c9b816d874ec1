//! Simulations interrupted and resumed from a checkpoint.

use crate::simulate::plan;
use wolff_movement::MovementError;
use wolff_movement::forward::{Checkpoint, checkpoint};
use wolff_movement::model::ground::Reaction;
use wolff_movement::model::{MovementRecord, MovementState};
use wolff_movement::simulate::{Monitor, MovementPlan, MovementResult, simulate_movement, simulate_movement_from};

/// Walks from a saved drive until the share of the way.
fn walk(plan: &MovementPlan, from: Option<Checkpoint>, until: f64) -> Result<MovementResult, MovementError> {
    let mut progress = |phase: &str, share: f64| phase != "walking" || share < until;
    simulate_movement_from(plan, from, &mut Monitor { progress: &mut progress, keep: &mut |_, _| () })
}

/// A plan whose servos have integrals: all that a drive remembers is at work.
fn with_integrals() -> MovementPlan {
    let mut plan = plan(1);
    plan.controllers.servo.integral_time = Some(0.1);
    plan
}

/// Stopped three times on the way and continued from bytes, a drive ends with the same bits as one that was not.
#[test]
fn a_drive_goes_on_to_the_same_bits() {
    let plan = with_integrals();
    let whole = simulate_movement(&plan, &mut |_, _| true).unwrap();
    assert!(whole.ended.is_none() && whole.state.memory.iter().any(|x| *x != 0.0));
    let mut from = None;
    for until in [0.1, 0.4, 0.9] {
        let part = walk(&plan, from, until).unwrap();
        assert!(matches!(part.ended, Some(MovementError::Stopped { .. })));
        assert!(part.state.step < whole.state.step);
        from = checkpoint::from_bytes(&checkpoint::to_bytes(&part.state, &part.record).unwrap());
        assert_eq!(from, Some(Checkpoint { state: part.state, record: part.record }));
    }
    let end = walk(&plan, from, 2.0).unwrap();
    assert!(end.ended.is_none());
    assert_eq!(end.state, whole.state);
    assert_eq!(end.record, whole.record);
    assert_eq!(end.fidelity, whole.fidelity);
}

/// What is kept while the drive goes on is as good as what is kept at its end; bytes that are cut or lengthened are none; a drive of
/// another plan is refused.
#[test]
fn what_was_kept_is_checked() {
    let plan = with_integrals();
    let mut kept = None;
    let mut keep = |state: &_, record: &_| kept = checkpoint::to_bytes(state, record).ok();
    let mut progress = |phase: &str, share: f64| phase != "walking" || share < 0.2;
    let part = simulate_movement_from(&plan, None, &mut Monitor { progress: &mut progress, keep: &mut keep }).unwrap();
    let bytes = kept.unwrap();
    assert_eq!(bytes, checkpoint::to_bytes(&part.state, &part.record).unwrap());
    for length in [0, 8, 95, 96, bytes.len() - 8, bytes.len() - 1] {
        assert!(checkpoint::from_bytes(&bytes[..length]).is_none(), "{length}");
    }
    assert!(checkpoint::from_bytes(&[bytes.as_slice(), &[0; 8]].concat()).is_none());
    let mut huge = bytes.clone();
    huge[24..32].fill(0xff);
    assert!(checkpoint::from_bytes(&huge).is_none());

    let from = checkpoint::from_bytes(&bytes);
    let mut other = plan.clone();
    other.sample *= 2.0;
    assert!(matches!(walk(&other, from, 2.0), Err(MovementError::Rule { .. })));
    assert!(matches!(simulate_movement(&plan, &mut |_, _| false), Err(MovementError::Stopped { .. })));
}

/// A state and three samples of two coordinates and as many of everything else.
fn short_drive() -> (MovementState, MovementRecord) {
    let rows = || vec![vec![0.1, 0.2]; 3];
    let record = MovementRecord {
        times: vec![0.002, 0.004, 0.006],
        q: rows(),
        v: rows(),
        a: rows(),
        ground: vec![[Reaction::default(); 2]; 3],
        pads: rows(),
        tensions: rows(),
        fibres: rows(),
        agent: rows(),
        joints: rows(),
        predicted: rows(),
        start: rows(),
        solutions: 9,
        steps: 6,
    };
    (MovementState { step: 6, q: vec![1.0, 2.0], v: vec![3.0, 4.0], memory: vec![5.0] }, record)
}

/// The file counts the numbers of a sample once: later samples with others are refused, also where the sum is the same.
#[test]
fn samples_of_other_widths_are_refused() {
    let (state, record) = short_drive();
    let bytes = checkpoint::to_bytes(&state, &record).unwrap();
    assert_eq!(checkpoint::from_bytes(&bytes).map(|s| s.record), Some(record.clone()));
    type Rows = fn(&mut MovementRecord) -> &mut Vec<Vec<f64>>;
    let parts: [(&str, Rows); 4] = [
        ("coordinates", |r| &mut r.q),
        ("accelerations", |r| &mut r.a),
        ("tensions", |r| &mut r.tensions),
        ("forces of the agent", |r| &mut r.agent),
    ];
    for (what, rows) in parts {
        let mut other = record.clone();
        // the third row gives one of its numbers to the second
        rows(&mut other)[1].push(0.3);
        rows(&mut other)[2].pop();
        let message = checkpoint::to_bytes(&state, &other).unwrap_err().to_string();
        assert!(message.contains(&format!("sample 1 has 3 {what}")), "{message}");
        rows(&mut other).pop();
        assert!(checkpoint::to_bytes(&state, &other).is_err());
    }
    // a file in which such a row was written all the same: what stands in the place of its later times does not grow
    let words = 12 + 5;
    let sample = (bytes.len() / 8 - words) / 3;
    let mut shifted = bytes.clone();
    shifted[8 * (words + sample)..].rotate_right(8);
    assert_eq!(checkpoint::from_bytes(&shifted), None);
}
