//! Lists of values, and the runs that follow from them.

use wolff_document::{BUILTIN, CompareSpec, MOST_RUNS, StudyDocument, builtin};

fn asked(study: &str, options: &[&str]) -> Result<CompareSpec, String> {
    let document = StudyDocument::parse(study, builtin(study).unwrap()).unwrap();
    let options: Vec<String> = options.iter().map(ToString::to_string).collect();
    document.comparison(&options).map_err(|error| error.to_string())
}

fn values(study: &str, option: &str) -> Vec<String> {
    asked(study, &[option]).unwrap().varied[0].values.clone()
}

#[test]
fn lists_ranges_and_all_are_expanded() {
    assert_eq!(values("spheres", "law=hertz, flores"), ["hertz", "flores"]);
    assert_eq!(values("spheres", "speed=0.1..0.3:3"), ["0.1", "0.2", "0.3"]);
    assert_eq!(values("spheres", "speed=50 mm/s..0.2:2"), ["50 mm/s", "0.2 mm/s"]);
    assert_eq!(values("knee-2d", "amplitude=50 N,-150 N"), ["50 N", "-150 N"]);
    assert_eq!(values("spheres", "mass_1=min(0.1, 0.2),0.3"), ["min(0.1, 0.2)", "0.3"]);
    let laws = values("spheres", "law=all");
    assert!(laws.len() > 10 && laws.contains(&"gonthier".to_string()), "{laws:?}");
    assert!(values("human-sagittal", "integrator.method=rk4,dop853").len() == 2);
}

/// All combinations, the last parameter fastest.
#[test]
fn several_options_are_a_grid() {
    let spec = asked("spheres", &["law=hertz,flores", "speed=1,2,3"]).unwrap();
    let runs = spec.runs();
    assert_eq!(runs.len(), 6);
    let pair = |i: usize| (runs[i][0].1.as_str(), runs[i][1].1.as_str());
    assert_eq!((pair(0), pair(1), pair(5)), (("hertz", "1"), ("hertz", "2"), ("flores", "3")));
}

#[test]
fn invalid_comparisons_are_refused_with_a_remedy() {
    for (study, options, part) in [
        ("spheres", &["lw=hertz,flores"][..], "there is no parameter `lw` (did you mean `law`?)"),
        ("spheres", &["law=hertz,florez"], "law is `florez`"),
        ("spheres", &["speed=0.1,-3"], "speed is -3"),
        ("spheres", &["speed=0.1..1"], "write FROM..TO:NUMBER"),
        ("spheres", &["speed=0.1 m..1 s:3"], "different units"),
        ("spheres", &["speed=0.1..1:1"], "must have 2 to 1000"),
        ("spheres", &["speed=all"], "has no list of words"),
        ("spheres", &["law=hertz,hertz"], "twice"),
        ("spheres", &["law=hertz,"], "empty value"),
        ("spheres", &["law=hertz"], "compares nothing"),
        ("spheres", &["law=hertz,flores", "law=gonthier"], "`law` is varied twice"),
        ("spheres", &["nothing"], "one of the comparisons of the study: laws"),
        ("pendulum", &["nothing"], "write KEY=VALUES"),
        ("spheres", &["speed=1..2:50", "mass_1=1..2:50"], "50 x 50 = 2500 runs"),
        ("human-sagittal", &["integrator.methd=rk4,dop853"], "methd"),
    ] {
        let error = asked(study, options).unwrap_err();
        assert!(error.contains(part), "{options:?}: {error}");
    }
}

/// Errors of several values are told at once.
#[test]
fn all_invalid_values_are_told() {
    let error = asked("spheres", &["speed=-1,-2,1"]).unwrap_err();
    assert!(error.contains("speed is -1") && error.contains("speed is -2"), "{error}");
}

#[test]
fn comparisons_of_the_built_in_studies_are_valid() {
    let mut count = 0;
    for (name, text) in BUILTIN {
        let document = StudyDocument::parse(name, text).unwrap();
        for spec in &document.comparisons {
            let found = document.comparison(std::slice::from_ref(&spec.name)).unwrap();
            assert!((2..=MOST_RUNS).contains(&found.runs().len()), "{name}: {}", spec.name);
            for values in found.runs() {
                let mut document = document.clone();
                document.apply_overrides(&values).unwrap();
                document.evaluate().unwrap();
            }
            count += 1;
        }
    }
    assert!(count >= 10, "{count}");
}

#[test]
fn errors_of_a_comparison_are_shown_in_the_study() {
    let text = builtin("pendulum").unwrap();
    for (table, part) in [
        ("name = \"a\"\nvalues = { maas = [1, 2] }", "did you mean `mass`"),
        ("name = \"a\"\nvalues = { mass = 3 }", "an array of values"),
        ("name = \"a=b\"\nvalues = { mass = [1, 2] }", "not a valid name"),
        ("name = \"a\"\nvalues = { mass = [1] }", "compares nothing"),
        ("name = \"a\"", "values"),
    ] {
        let error = StudyDocument::parse("pendulum.toml", &format!("{text}\n[[compare]]\n{table}\n")).unwrap_err();
        assert!(error.to_string().contains(part), "{table}: {error}");
    }
    let twice = "[[compare]]\nname = \"a\"\nvalues = { mass = [1, 2] }\n".repeat(2);
    let error = StudyDocument::parse("pendulum.toml", &format!("{text}\n{twice}")).unwrap_err();
    assert!(error.to_string().contains("already a comparison called `a`"), "{error}");
}
