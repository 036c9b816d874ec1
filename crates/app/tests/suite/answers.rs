//! `[results]`, `[[reference]]` and `[[plot]]` of a study of walking.

use std::path::Path;
use wolff_app::run::run;
use wolff_report::outcome::Outcome;
use wolff_study::RunError;
use wolff_study::document::builtin;

/// The built-in walk with more at its end, prescribed and without bones, to be quick.
fn walk(more: &str) -> Result<Outcome, RunError> {
    let text = format!(
        "{}\n{more}",
        builtin("walk").unwrap().replace("[results]", "[results]\nsteps_per_minute = \"120 / cycle_time_s\"")
    );
    let set = [("servo", "prescribed"), ("bones", "none"), ("cycles", "1")];
    let set: Vec<(String, String)> = set.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect();
    run("mine.toml", &text, Path::new(""), &set, &mut |_| {})
}

#[test]
fn a_walk_has_results_references_and_plots_of_its_own() {
    let more = r#"
[[reference]]
when = "always"
source = "the cadence of the embedded walk"
tolerance = 0.01
values = { steps_per_minute = 111.11 }

[[plot]]
name = "soleus"
title = "Soleus"
y = ["soleus_r_n"]
"#;
    let outcome = walk(more).unwrap();
    let cadence = outcome.results["steps_per_minute"].as_f64().unwrap();
    assert!((cadence - 111.11).abs() < 0.01, "{cadence}");
    let carried = outcome.results["mean_vertical_ground_force_bw"].as_f64().unwrap();
    assert!((carried - 1.0).abs() < 0.01, "{carried}");
    assert!(outcome.comparisons.iter().any(|c| c.quantity == "steps_per_minute" && c.pass()));
    let plot = outcome.plots.iter().find(|plot| plot.name == "soleus").expect("a plot of the file");
    assert!(plot.curves[0].1.len() > 100 && plot.curves[0].1.iter().any(|(_, force)| *force > 500.0));
}

/// A reference that is not met is a warning, not only a line of a table.
#[test]
fn a_reference_that_is_not_met_warns() {
    let more = "[[reference]]\nwhen = \"always\"\nsource = \"wrong on purpose\"\ntolerance = 1\n\
                values = { steps_per_minute = 100 }\n";
    let outcome = walk(more).unwrap();
    assert!(outcome.comparisons.iter().any(|c| !c.pass()));
    assert!(outcome.warnings.iter().any(|w| w.contains("outside their tolerance")), "{:?}", outcome.warnings);
}

#[test]
fn unknown_names_are_input_errors_at_their_place() {
    let more = "[[plot]]\nname = \"soleus\"\ntitle = \"Soleus\"\ny = [\"soleus_n\"]\n";
    let Err(RunError::Input(error)) = walk(more) else { panic!("accepted") };
    let text = error.to_string();
    assert!(text.contains("mine.toml") && text.contains("soleus_n"), "{text}");
    assert_eq!(error.diagnostics.len(), 1, "{text}");
    assert!(error.diagnostics[0].help.as_deref().is_some_and(|help| help.contains("soleus_")), "{text}");
}

/// Names of parameters in earlier versions are still accepted.
#[test]
fn former_names_set_the_parameter() {
    let mut document = wolff_study::document::StudyDocument::parse("walk", builtin("walk").unwrap()).unwrap();
    document.apply_overrides(&[("lesson".into(), "rigid".into())]).unwrap();
    assert_eq!(document.parameter("reference_bones").unwrap().value.to_string(), "rigid");
}
