use crate::{Scratch, code, json, stderr, stdout};
use wolff_study::BUILTIN;

const COMMANDS: [&str; 10] = ["list", "run", "new", "verify", "mesh", "ik", "scale", "check", "convert", "completions"];

#[test]
fn every_command_has_help_with_an_example() {
    let scratch = Scratch::new("help");
    let top = stdout(&scratch.wolff(&["--help"]));
    for command in COMMANDS {
        assert!(top.contains(command), "{top}");
        let output = scratch.wolff(&[command, "--help"]);
        assert_eq!(code(&output), 0);
        let help = stdout(&output);
        assert!(help.contains("Example"), "{help}");
        assert!(help.contains(&format!("wolff {command}")), "{help}");
    }
}

#[test]
fn the_studies_in_the_examples_exist() {
    let scratch = Scratch::new("help-studies");
    let known: Vec<&str> = BUILTIN.iter().map(|(name, _)| *name).collect();
    for command in COMMANDS {
        let help = stdout(&scratch.wolff(&[command, "--help"]));
        let (_, examples) = help.split_once("Example").unwrap();
        for line in examples.lines().filter(|l| l.starts_with("  wolff ")) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [_, "run" | "new" | "list", study, ..] = words.as_slice() else { continue };
            let is_name = !study.starts_with('-') && !study.ends_with(".toml");
            assert!(!is_name || known.contains(study), "{line}");
        }
    }
}

#[test]
fn a_setting_without_a_value_is_a_usage_error() {
    let scratch = Scratch::new("set");
    let output = scratch.wolff(&["run", "pendulum", "--set", "nonsense"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("KEY=VALUE"), "{}", stderr(&output));
    assert!(scratch.files().is_empty());
}

#[test]
fn unknown_commands_and_options_are_usage_errors() {
    let scratch = Scratch::new("unknown");
    assert_eq!(code(&scratch.wolff(&["rum"])), 2);
    assert_eq!(code(&scratch.wolff(&["run", "pendulum", "--jsn"])), 2);
    assert_eq!(code(&scratch.wolff(&[])), 2);
}

#[test]
fn completions_are_printed_for_every_shell() {
    let scratch = Scratch::new("completions");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = scratch.wolff(&["completions", shell]);
        assert_eq!(code(&output), 0);
        assert!(stdout(&output).contains("verify"), "{shell}");
    }
}

#[test]
fn json_of_a_failure_is_one_object_too() {
    let scratch = Scratch::new("json-failure");
    let output = scratch.wolff(&["run", "no-such-study-anywhere", "--json"]);
    assert_eq!(code(&output), 2);
    assert_eq!(json(&output)["status"], "failed");
}
