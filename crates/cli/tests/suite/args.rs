use crate::{Scratch, code, json, stderr, stdout};
use wolff_study::BUILTIN;

const COMMANDS: [&str; 19] = [
    "list",
    "run",
    "new",
    "verify",
    "mesh",
    "modes",
    "contact",
    "id",
    "rra",
    "cmc",
    "forward",
    "so",
    "reactions",
    "muscle",
    "ik",
    "scale",
    "check",
    "convert",
    "completions",
];

/// The help of a command at a width of the terminal.
fn help_at(columns: &str, arguments: &[&str]) -> String {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_wolff"));
    stdout(&command.args(arguments).arg("--help").env("COLUMNS", columns).output().unwrap())
}

/// Every line fits, and an example is broken between options only, where a shell continues it.
#[test]
fn help_is_not_torn_by_the_terminal() {
    let meshes: [&[&str]; 3] = [&["mesh", "info"], &["mesh", "check"], &["mesh", "convert"]];
    let commands: Vec<&[&str]> = COMMANDS.iter().map(std::slice::from_ref).chain(meshes).chain([&[][..]]).collect();
    for columns in [80, 100] {
        for command in &commands {
            let help = help_at(&columns.to_string(), command);
            let long: Vec<&str> = help.lines().filter(|line| line.chars().count() > columns).collect();
            assert!(long.is_empty(), "{command:?} at {columns}: {long:?}");
            let (_, examples) = help.split_once("Example").unwrap_or_else(|| panic!("{command:?} has no example"));
            let lines: Vec<&str> = examples.lines().collect();
            for pair in lines.windows(2).filter(|pair| pair[0].starts_with("  wolff ") || pair[0].ends_with('\\')) {
                let is_option = pair[1].trim_start().starts_with('-');
                assert_eq!(pair[0].ends_with('\\'), is_option, "{command:?} at {columns}: {pair:?}");
            }
        }
    }
}

#[test]
fn exit_codes_are_documented() {
    let top = help_at("80", &[]);
    for code in ["  0 ", "  1 ", "  2 ", "  3 ", "  130 "] {
        assert!(top.lines().any(|line| line.starts_with(code)), "{code} in {top}");
    }
}

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
    // errors of usage, too
    for arguments in
        [&["ik", "--json"][..], &["check", "--json"], &["convert", "--json", "a.trc"], &["ik", "--json", "--no"]]
    {
        let output = scratch.wolff(arguments);
        let found = json(&output);
        assert_eq!((code(&output), &found["status"], &found["command"]), (2, &"failed".into(), &arguments[0].into()));
        assert!(found["errors"][0]["message"].as_str().is_some_and(|m| !m.is_empty()), "{found}");
    }
}
