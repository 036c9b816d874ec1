//! Other people's files with typical mistakes through every command that reads them: no wrong number without a word.
//!
//! Each kind of mistake is planted into a copy of real files. A command must refuse the input (exit code 2), fail (1),
//! call the result doubtful (3), or warn; and it must name the mistake. `cargo xtask spoiled` prints the table of
//! kinds, commands, exit codes and messages.

mod edit;
mod files;
mod forces;
mod markers;
mod models;

use crate::{Scratch, code, stderr, stdout};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A mistake: how it is planted, and what the commands must say about it.
pub struct Kind {
    pub name: &'static str,
    /// Changes the files in the folder.
    pub plant: fn(&Path),
    pub said: &'static [Said],
}

/// What a command must do about a mistake.
pub struct Said {
    pub command: &'static str,
    pub end: End,
    /// Words of the messages.
    pub words: &'static [&'static str],
}

/// The end of a command.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum End {
    /// The input is refused, and nothing is written.
    Refused,
    /// A result with the status doubtful or failed.
    Judged,
    /// A result, with a warning or a note.
    Told,
}

const fn refused(command: &'static str, words: &'static [&'static str]) -> Said {
    Said { command, end: End::Refused, words }
}

const fn judged(command: &'static str, words: &'static [&'static str]) -> Said {
    Said { command, end: End::Judged, words }
}

const fn told(command: &'static str, words: &'static [&'static str]) -> Said {
    Said { command, end: End::Told, words }
}

/// The words of a command by its name in the tables.
fn words(command: &str) -> Vec<&str> {
    let line = match command {
        "check" => "check model.osim walk.trc grf.mot --json",
        "ik" => "ik --model model.osim --markers walk.trc --out out --json",
        "scale" => "scale scale.xml --out-model out --json",
        "convert" => "convert walk.trc out.trc --json",
        "id" => "id --model model.osim --motion motion.sto --loads loads.xml --out out --json",
        "id of plates" => "id --model model.osim --motion motion.sto --loads grf.mot --out out --json",
        "so" => "so --model model.osim --motion motion.sto --loads loads.xml --time 0.9:1 --every 20 --out out --json",
        "rra" => "rra --model model.osim --motion motion.sto --loads loads.xml --out out --json",
        "muscle" => "muscle --model model.osim --motion motion.sto --time 0.9:1 --every 20 --out out --json",
        "walk" => {
            "run walk --set model=model.osim --set markers=walk.trc --set forces=grf.mot --set bones=none --set cycles=1 \
             --out out --json"
        }
        "walk by loads" => {
            "run walk --set model=model.osim --set markers=walk.trc --set forces=loads.xml --set bones=none --set \
             cycles=1 --out out --json"
        }
        other => other,
    };
    line.split_whitespace().collect()
}

/// All that a command says: messages of standard error and of the JSON object, on one line.
fn messages(run: &std::process::Output) -> String {
    fn collect(value: &Value, out: &mut Vec<String>) {
        match value {
            Value::String(text) => out.push(text.clone()),
            Value::Array(list) => list.iter().for_each(|v| collect(v, out)),
            Value::Object(map) => map.values().for_each(|v| collect(v, out)),
            _ => (),
        }
    }
    let mut all = vec![stderr(run)];
    if let Ok(object) = serde_json::from_slice::<Value>(&run.stdout) {
        for key in ["warnings", "notes", "findings", "errors", "error", "messages", "judged", "quality", "faults"] {
            collect(&object[key], &mut all);
            collect(&object["results"][key], &mut all);
        }
    }
    let marks = |c: char| c.is_whitespace() || "│╰─▶×".contains(c);
    all.join(" ").split(marks).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// One row of the table.
struct Row {
    kind: &'static str,
    command: &'static str,
    code: i32,
    status: String,
    message: String,
}

/// Runs one command on the spoiled files; the row, and what is wrong with it.
fn examine(kind: &'static Kind, said: &'static Said, base: fn(&Path)) -> (Row, Option<String>) {
    let scratch =
        Scratch::new(&format!("spoiled-{}-{}", kind.name, said.command).replace([' ', '/', '-', ':', '='], "_"));
    base(&scratch.0);
    (kind.plant)(&scratch.0);
    let before = scratch.files();
    let run = scratch.wolff(&words(said.command));
    let (code, message) = (code(&run), messages(&run));
    let object: Value = serde_json::from_slice(&run.stdout).unwrap_or(Value::Null);
    let status = object["status"].as_str().unwrap_or("none").to_string();
    let written = scratch.files().len() - before.len();
    let fits = match said.end {
        End::Refused => code == 2 && status == "failed" && written == 0,
        End::Judged => (code == 3 && status == "doubtful") || (code == 1 && ["failed", "partial"].contains(&&*status)),
        End::Told => [0, 3].contains(&code) && !message.is_empty(),
    };
    let missing: Vec<&&str> = said.words.iter().filter(|word| !message.contains(**word)).collect();
    let wrong = (!fits || !missing.is_empty()).then(|| {
        format!(
            "{}, {}: expected {:?} with {:?}, but exit code {code}, status {status}, {written} files: {}{}",
            kind.name,
            said.command,
            said.end,
            said.words,
            message.chars().take(1500).collect::<String>(),
            if object.is_null() { format!(" (no JSON object: {})", stdout(&run)) } else { String::new() }
        )
    });
    (Row { kind: kind.name, command: said.command, code, status, message }, wrong)
}

/// All kinds through all their commands.
fn table(title: &str, kinds: &'static [&'static [Kind]], base: fn(&Path)) {
    let (mut rows, mut wrong) = (Vec::new(), Vec::new());
    for (kind, said) in kinds.iter().flat_map(|k| k.iter()).flat_map(|k| k.said.iter().map(move |s| (k, s))) {
        let (row, complaint) = examine(kind, said, base);
        rows.push(row);
        wrong.extend(complaint);
    }
    let short = |text: &str| text.chars().take(300).collect::<String>().replace('|', "/");
    let line =
        |r: &Row| format!("| {} | {} | {} | {} | {} |\n", r.kind, r.command, r.code, r.status, short(&r.message));
    let head = "| mistake | command | exit code | status | message |\n|---|---|---|---|---|\n";
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("spoiled-{title}.md"));
    fs::write(file, head.to_string() + &rows.iter().map(line).collect::<String>()).unwrap();
    assert!(wrong.is_empty(), "{} of {} are wrong:\n{}", wrong.len(), rows.len(), wrong.join("\n\n"));
}

/// A recorded walk with its model, forces, motion and a set-up to scale it.
fn recorded_walk(folder: &Path) {
    let data = wolff_testdata::shared("data/rajagopal-walk").expect("asked before");
    for (from, to) in [
        ("subject_walk_scaled.osim", "model.osim"),
        ("markers_walk.trc", "walk.trc"),
        ("grf_walk.mot", "grf.mot"),
        ("coordinates.sto", "motion.sto"),
    ] {
        fs::copy(data.join(from), folder.join(to)).unwrap();
        let mut permissions = fs::metadata(folder.join(to)).unwrap().permissions();
        std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o644);
        fs::set_permissions(folder.join(to), permissions).unwrap();
    }
    let loads = fs::read_to_string(data.join("grf_walk.xml")).unwrap();
    fs::write(folder.join("loads.xml"), loads.replace("grf_walk.mot", "grf.mot")).unwrap();
    fs::write(folder.join("scale.xml"), files::SCALE).unwrap();
}

#[test]
fn mistakes_in_markers() {
    if wolff_testdata::shared("data/rajagopal-walk").is_some() {
        table("markers", &[markers::KINDS], recorded_walk);
    }
}

#[test]
fn mistakes_in_forces() {
    if wolff_testdata::shared("data/rajagopal-walk").is_some() {
        table("forces", &[forces::KINDS], recorded_walk);
    }
}

#[test]
fn mistakes_in_models_and_motions() {
    if wolff_testdata::shared("data/rajagopal-walk").is_some() {
        table("models", &[models::KINDS], recorded_walk);
    }
}

#[test]
fn mistakes_in_meshes_and_studies() {
    table("files", &[files::KINDS], |_| ());
}

/// The same files without a mistake are not refused by any command.
#[test]
fn sound_files_are_not_refused() {
    if wolff_testdata::shared("data/rajagopal-walk").is_none() {
        return;
    }
    for command in ["check", "ik", "scale", "convert", "id", "id of plates", "so", "rra", "muscle", "walk"] {
        let scratch = Scratch::new(&format!("spoiled-sound-{command}").replace(' ', "_"));
        recorded_walk(&scratch.0);
        let run = scratch.wolff(&words(command));
        assert!([0, 3].contains(&code(&run)), "{command}: exit code {}: {}", code(&run), messages(&run));
    }
}

/// At least forty kinds of mistakes, each named once.
#[test]
fn there_are_enough_kinds() {
    let all = [markers::KINDS, forces::KINDS, models::KINDS, files::KINDS];
    let mut names: Vec<&str> = all.iter().flat_map(|kinds| kinds.iter()).map(|kind| kind.name).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
    assert!(count >= 40, "{count}");
}
