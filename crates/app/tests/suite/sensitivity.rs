//! Tables of sensitivities.

use wolff_app::sensitivity::sensitivity;
use wolff_study::document::StudyDocument;
use wolff_study::{Budget, builtin, run_study};

/// A pendulum does not feel its mass, feels gravity, and a change beyond a limit leaves a row without a result.
#[test]
fn each_parameter_has_its_row() {
    let limited = builtin("pendulum").unwrap().replace("length = { value = 1,", "length = { value = 1, max = 1,");
    let table = "[sensitivity]\nof = \"theta_rad\"\nparameters = [\"mass\", \"gravity\", \"length\"]\n";
    let document = StudyDocument::parse("pendulum.toml", &format!("{limited}\n{table}")).unwrap();
    let outcome = run_study(&document.evaluate().unwrap(), Budget::default(), &mut |_, _| {}).unwrap();
    let rows = sensitivity(&document, &outcome, Budget::default()).unwrap().unwrap();
    let percent = |row: usize| rows[row]["change_percent"].as_f64();
    assert!(percent(0).unwrap().abs() < 1e-6, "{rows}");
    assert!(percent(1).unwrap().abs() > 1.0, "{rows}");
    assert!(rows[2]["parameter"] == "length" && percent(2).is_none(), "{rows}");
}

#[test]
fn unknown_names_are_refused() {
    let text = builtin("pendulum").unwrap();
    for table in ["of = \"thata_rad\"\nparameters = [\"mass\"]", "of = \"theta_rad\"\nparameters = [\"maas\"]"] {
        let error = StudyDocument::parse("pendulum.toml", &format!("{text}\n[sensitivity]\n{table}\n")).unwrap_err();
        assert!(error.to_string().contains("there is no"), "{error}");
    }
}
