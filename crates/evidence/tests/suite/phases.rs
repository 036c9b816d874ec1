//! Phases of the gait cycle.

use wolff_evidence::phases::Phases;

/// A periodic signal of 100 samples that is true from one sample to another, counted around the end.
fn contact(from: usize, count: usize) -> Vec<bool> {
    (0..100).map(|i| (i + 100 - from) % 100 < count).collect()
}

#[test]
fn double_support_of_a_walk() {
    // right foot 0 to 62 %, left foot 50 to 112 %
    let found = Phases::new([&contact(0, 62), &contact(50, 62)]).unwrap();
    assert_eq!(found.feet.map(|foot| (foot.strike, foot.stance)), [(0.0, 0.62), (0.5, 0.62)]);
    let [first, second] = found.double_support(0);
    assert!((first - 0.12).abs() < 1e-12 && (second - 0.12).abs() < 1e-12);
    // stances cover the cycle once, and double support twice
    assert!((found.feet.iter().map(|f| f.stance).sum::<f64>() - (1.0 + first + second)).abs() < 1e-12);
}

/// Sides that differ, with the stride counted from an instant within stance.
#[test]
fn a_limp() {
    let found = Phases::new([&contact(90, 70), &contact(37, 58)]).unwrap();
    // right on 90 to 160 (60), left on 37 to 95
    let [first, second] = found.double_support(0);
    assert!((first - 0.05).abs() < 1e-12, "{first}");
    assert!((second - 0.23).abs() < 1e-12, "{second}");
    assert_eq!(found.double_support(1), [second, first]);
    assert!((found.own(1, 0.36) - 0.99).abs() < 1e-12);
}

#[test]
fn in_running_there_is_none() {
    let found = Phases::new([&contact(0, 40), &contact(50, 40)]).unwrap();
    assert_eq!(found.double_support(0), [0.0, 0.0]);
}

#[test]
fn a_short_interruption_is_stance_and_a_touch_is_not() {
    let mut right = contact(10, 60);
    right[30] = false;
    right[85] = true;
    let found = Phases::new([&right, &contact(60, 60)]).unwrap();
    assert_eq!((found.feet[0].strike, found.feet[0].stance), (0.1, 0.6));
}

#[test]
fn no_contact_and_nothing_else_are_no_walk() {
    assert!(Phases::new([&contact(0, 0), &contact(50, 62)]).is_none());
    assert!(Phases::new([&contact(0, 100), &contact(50, 62)]).is_none());
    assert!(Phases::new([&[], &[]]).is_none());
}
