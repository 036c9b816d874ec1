use wolff_verdict::{Limit, Verdict};

#[test]
fn both_directions_have_three_verdicts() {
    let small = Limit::at_most(20.0, 100.0);
    assert_eq!([20.0, 20.1, 100.1].map(|x| small.verdict(x)), [Verdict::Ok, Verdict::Doubtful, Verdict::Failed]);
    let large = Limit::at_least(0.95, 0.5);
    assert_eq!([0.95, 0.94, 0.49].map(|x| large.verdict(x)), [Verdict::Ok, Verdict::Doubtful, Verdict::Failed]);
}

#[test]
fn values_that_are_not_finite_fail_every_limit() {
    let only_doubtful = Limit::at_most(1.0, f64::INFINITY);
    assert_eq!(only_doubtful.verdict(1e300), Verdict::Doubtful);
    assert_eq!(only_doubtful.verdict(f64::INFINITY), Verdict::Failed);
    assert_eq!(Limit::at_least(0.0, 0.0).verdict(f64::NAN), Verdict::Failed);
}
