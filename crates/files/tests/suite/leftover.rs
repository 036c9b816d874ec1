//! What killed processes leave is recovered or removed at the next start.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use wolff_files::atomic::{File, Staging, check_replaceable, recover, write_file, write_folder};
use wolff_files::fault;

/// Environment variable with which this test program runs itself: the folder.
const FOLDER: &str = "WOLFF_TEST_FOLDER";
/// At which step the process dies.
const STEP: &str = "WOLFF_TEST_STEP";
/// Whether folders are replaced by two renames.
const RENAMES: &str = "WOLFF_TEST_TWO_RENAMES";

fn scratch(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("leftover-{test}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn listed(folder: &Path) -> Option<Vec<String>> {
    let list = fs::read_to_string(folder.join("list")).ok()?;
    Some(list.lines().map(String::from).collect())
}

/// All files below a folder with their content.
fn content(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        match entry.path().is_dir() {
            true => found.extend(content(&entry.path()).into_iter().map(|(n, c)| (format!("{name}/{n}"), c))),
            false => _ = found.insert(name, fs::read_to_string(entry.path()).unwrap()),
        }
    }
    found
}

fn results(word: &str) -> Vec<File> {
    let file = |name: &str, text: &str| File { name: name.into(), bytes: text.into() };
    vec![file("list", "list\na\nb/c"), file("a", word), file("b/c", word)]
}

fn expected(word: &str) -> BTreeMap<String, String> {
    results(word).into_iter().map(|f| (format!("out/{}", f.name), String::from_utf8(f.bytes).unwrap())).collect()
}

static LEFT: AtomicUsize = AtomicUsize::new(usize::MAX);

fn die_at_step(_: &'static str) {
    if LEFT.fetch_sub(1, Ordering::SeqCst) == 0 {
        std::process::abort();
    }
}

/// The process that is killed; does nothing unless the test below starts it.
#[test]
fn writes_until_it_dies() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else { return };
    let step = std::env::var(STEP).unwrap().parse().unwrap();
    LEFT.store(step, Ordering::SeqCst);
    fault::replace_by_two_renames(std::env::var_os(RENAMES).is_some());
    fault::set_hook(Some(die_at_step));
    write_folder(&folder.join("out"), &results("new"), &listed).unwrap();
}

#[test]
fn a_process_killed_at_any_step_loses_nothing() {
    for two_renames in [false, true] {
        let mut killed = 0;
        for step in 0.. {
            let folder = scratch("steps");
            write_folder(&folder.join("out"), &results("old"), &listed).unwrap();
            let mut child = Command::new(std::env::current_exe().unwrap());
            child.args(["--exact", "leftover::writes_until_it_dies"]).env(FOLDER, &folder);
            child.env(STEP, step.to_string());
            if two_renames {
                child.env(RENAMES, "1");
            }
            let finished = child.output().unwrap().status.success();
            check_replaceable(&folder.join("out"), &listed).unwrap();
            let found = content(&folder);
            assert!(found == expected("old") || found == expected("new"), "step {step}: {found:?}");
            if finished {
                assert_eq!(found, expected("new"));
                break;
            }
            killed += 1;
        }
        // three files created and written, and the steps of replacing
        assert!(killed >= 8, "{killed}");
    }
}

/// The number of a process that has ended.
fn ended_process() -> u32 {
    let mut child = Command::new(std::env::current_exe().unwrap()).arg("--list").output_into_nothing();
    let id = child.id();
    child.wait().unwrap();
    id
}

trait Quiet {
    fn output_into_nothing(&mut self) -> std::process::Child;
}

impl Quiet for Command {
    fn output_into_nothing(&mut self) -> std::process::Child {
        self.stdout(std::process::Stdio::null()).spawn().unwrap()
    }
}

/// The part of temporary names that stands for this machine.
fn machine(folder: &Path) -> String {
    let staging = Staging::beside(&folder.join("probe")).unwrap();
    let name = staging.path().file_name().unwrap().to_string_lossy().into_owned();
    name.split('-').nth(1).unwrap().to_string()
}

#[test]
fn leftovers_of_dead_processes_are_removed_and_others_kept() {
    let folder = scratch("sweep");
    let machine = machine(&folder);
    let (dead, own) = (ended_process(), std::process::id());
    let names = [
        format!("out.tmp-{machine}-{dead}-0"),
        // a process of this number existed before this one
        format!("out.tmp-{machine}-{own}-77"),
        // the first process of the machine is alive
        format!("out.tmp-{machine}-1-0"),
        // another machine, just now
        format!("out.tmp-ffffffff-{dead}-0"),
        // not names of this program, or of another target
        format!("out.tmp-{machine}-{dead}-0-backup"),
        format!("outer.tmp-{machine}-{dead}-0"),
        "out.tmp-notes".to_string(),
    ];
    for name in &names {
        fs::create_dir(folder.join(name)).unwrap();
        fs::write(folder.join(name).join("a"), "x").unwrap();
    }
    let alive = Staging::beside(&folder.join("out")).unwrap();
    recover(&folder.join("out")).unwrap();
    assert!(alive.path().exists());
    let kept: Vec<bool> = names.iter().map(|name| folder.join(name).exists()).collect();
    assert_eq!(kept, [false, false, true, true, true, true, true]);
}

#[test]
fn a_replaced_folder_comes_back_only_where_it_is_missing() {
    let folder = scratch("back");
    let machine = machine(&folder);
    let dead = ended_process();
    let old = folder.join(format!("out.old-{machine}-{dead}-0"));
    write_folder(&old, &results("old"), &listed).unwrap();
    recover(&folder.join("out")).unwrap();
    assert_eq!(content(&folder), expected("old"));

    write_folder(&old, &results("older"), &listed).unwrap();
    recover(&folder.join("out")).unwrap();
    assert_eq!(content(&folder), expected("old"));
}

#[test]
fn a_file_of_a_killed_process_is_removed_at_the_next_writing() {
    let folder = scratch("file");
    let left = folder.join(format!("a.txt.tmp-{}-{}-0", machine(&folder), ended_process()));
    fs::write(&left, "half").unwrap();
    write_file(&folder.join("a.txt"), b"whole").unwrap();
    assert_eq!(content(&folder), [("a.txt".to_string(), "whole".to_string())].into());
}

#[test]
fn the_current_folder_is_not_replaced() {
    for folder in [".", ".."] {
        let message = check_replaceable(Path::new(folder), &|_| Some(Vec::new())).unwrap_err().to_string();
        assert!(message.contains("current folder") && message.contains("such as `results`"), "{message}");
    }
}
