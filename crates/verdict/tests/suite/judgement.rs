use wolff_verdict::{Finding, Judgement, Limit, Verdict};

#[test]
fn the_worst_quantity_decides() {
    let mut judgement = Judgement::default();
    assert_eq!(judgement.verdict(), Verdict::Ok);
    let limit = Limit::at_most(20.0, 100.0).because("OpenSim's guide");
    judgement.judge("marker error RMS", "mm", 12.0, &limit, "check the markers");
    assert_eq!(judgement.verdict(), Verdict::Ok);
    assert!(judgement.warnings().is_empty());
    judgement.judge("marker error maximum", "mm", 1149.4, &limit, "check the markers");
    assert_eq!(judgement.verdict(), Verdict::Failed);
    let expected =
        "failed: marker error maximum is 1149 mm, expected at most 20 mm (OpenSim's guide); check the markers";
    assert_eq!(judgement.warnings(), [expected]);
}

/// A value slightly beyond its limit is not shown as equal to it.
#[test]
fn a_value_beyond_the_limit_differs_from_it() {
    let mut judgement = Judgement::default();
    judgement.judge("residual moment", "%", 1.0004, &Limit::at_most(1.0, 10.0), "filter");
    assert_eq!(judgement.warnings(), ["doubtful: residual moment is 1.0004 %, expected at most 1 %; filter"]);
}

#[test]
fn overridden_errors_of_the_input_make_a_result_doubtful() {
    let mut judgement = Judgement::default();
    judgement.found([Finding::note("2 gaps", ""), Finding::warning("a spike", "remove it")]);
    assert_eq!(judgement.verdict(), Verdict::Ok);
    judgement.found([Finding::error("the numbers are mm", "correct the header")]);
    assert_eq!(judgement.verdict(), Verdict::Doubtful);
    assert_eq!(judgement.warnings(), ["the numbers are mm; correct the header", "a spike; remove it"]);
    assert_eq!(judgement.notes(), ["2 gaps"]);
}
