//! The page about study files shows a study that works.

use wolff_study::build::build_model;
use wolff_study::document::StudyDocument;

#[test]
fn the_example_of_the_documentation_runs() {
    let page = include_str!("../../../../docs/study-file.md");
    let example = page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    let document = StudyDocument::parse("example", example).unwrap_or_else(|e| panic!("{e}"));
    build_model(&document.evaluate().expect("checked")).unwrap_or_else(|e| panic!("{e}"));
    let outcome = wolff_study::run("example", example, std::path::Path::new("."), &[], &mut |_| {}).expect("runs");
    assert!(outcome.comparisons.iter().all(|c| c.pass()), "{:?}", outcome.comparisons);
    let impacts = outcome.results["impacts"].as_array().expect("impacts");
    assert!(impacts.len() >= 2, "the rod comes back");
}
