use std::fs;
use std::path::{Path, PathBuf};
use wolff_files::atomic::{File, Staging, check_replaceable, write_file, write_folder};

/// An empty folder of this test's own, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(test: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("atomic-{test}"));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Names of everything directly inside.
    fn names(&self) -> Vec<String> {
        names(&self.0)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn file(name: &str, text: &str) -> File {
    File { name: name.into(), bytes: text.into() }
}

/// A folder is known when it holds `list`, whose lines are the files written.
fn listed(folder: &Path) -> Option<Vec<String>> {
    let list = fs::read_to_string(folder.join("list")).ok()?;
    Some(list.lines().map(String::from).collect())
}

#[test]
fn what_is_under_construction_is_gone_unless_it_is_finished() {
    let scratch = Scratch::new("staging");
    let target = scratch.0.join("results");
    let staging = Staging::beside(&target).unwrap();
    staging.write("list", b"list").unwrap();
    assert!(!target.exists());
    drop(staging);
    assert_eq!(scratch.names(), [""; 0]);

    let staging = Staging::beside(&target).unwrap();
    staging.write("list", b"list").unwrap();
    staging.replace(&target, &listed).unwrap();
    assert_eq!((scratch.names(), names(&target)), (vec!["results".into()], vec!["list".into()]));

    let staging = Staging::beside(&target).unwrap();
    staging.write("a", b"new").unwrap();
    staging.place("a", &scratch.0.join("deep/b")).unwrap();
    assert_eq!(fs::read(scratch.0.join("deep/b")).unwrap(), b"new");
    fs::write(target.join("foreign"), "").unwrap();
    assert!(staging.replace(&target, &listed).is_err());
    assert_eq!(scratch.names(), ["deep", "results"]);
}

#[test]
fn a_file_is_replaced_and_nothing_else_is_left() {
    let scratch = Scratch::new("file");
    let path = scratch.0.join("deep/down/a.txt");
    write_file(&path, b"one").unwrap();
    write_file(&path, b"two").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"two");
    assert_eq!(names(path.parent().unwrap()), ["a.txt"]);
}

#[test]
fn a_file_that_cannot_be_written_leaves_nothing() {
    let scratch = Scratch::new("file-fails");
    let folder = scratch.0.join("taken");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("inside"), "x").unwrap();
    assert!(write_file(&folder, b"text").is_err());
    assert_eq!(scratch.names(), ["taken"]);
}

#[test]
fn a_folder_is_written_whole_and_replaced_when_it_is_ours() {
    let scratch = Scratch::new("folder");
    let run = scratch.0.join("runs/a");
    write_folder(&run, &[file("list", "list\nold"), file("old", "1")], &listed).unwrap();
    write_folder(&run, &[file("list", "list\nnew"), file("new", "2")], &listed).unwrap();
    assert_eq!(names(&run), ["list", "new"]);
    assert_eq!(names(&scratch.0.join("runs")), ["a"]);
}

#[test]
fn an_empty_folder_is_filled() {
    let scratch = Scratch::new("empty");
    let run = scratch.0.join("a");
    fs::create_dir(&run).unwrap();
    write_folder(&run, &[file("x", "1")], &listed).unwrap();
    assert_eq!(names(&run), ["x"]);
}

#[test]
fn a_stranger_s_folder_is_refused_and_untouched() {
    let scratch = Scratch::new("stranger");
    fs::write(scratch.0.join("thesis.tex"), "years").unwrap();
    let error = write_folder(&scratch.0, &[file("x", "1")], &listed).unwrap_err();
    assert!(error.to_string().contains("not empty"), "{error}");
    assert_eq!(scratch.names(), ["thesis.tex"]);
}

#[test]
fn a_file_added_by_hand_saves_the_folder() {
    let scratch = Scratch::new("added");
    let run = scratch.0.join("a");
    write_folder(&run, &[file("list", "list")], &listed).unwrap();
    fs::write(run.join("notes.md"), "mine").unwrap();
    let error = check_replaceable(&run, &listed).unwrap_err();
    assert!(error.to_string().contains("`notes.md`"), "{error}");
    assert!(write_folder(&run, &[file("list", "list")], &listed).is_err());
    assert_eq!(names(&run), ["list", "notes.md"]);
    assert_eq!(scratch.names(), ["a"]);
}

#[test]
fn a_file_in_the_place_of_the_folder_is_refused() {
    let scratch = Scratch::new("in-the-way");
    let path = scratch.0.join("a");
    fs::write(&path, "x").unwrap();
    let error = write_folder(&path, &[], &listed).unwrap_err();
    assert!(error.to_string().contains("a file of that name exists"), "{error}");
}

#[test]
fn names_that_leave_the_folder_or_clash_are_refused_before_anything_is_made() {
    let scratch = Scratch::new("names");
    let run = scratch.0.join("a");
    for bad in ["../x", "", ".", "a//b", "a/../b", "a/", "a\\b", "/x"] {
        assert!(write_folder(&run, &[file(bad, "1")], &listed).is_err(), "{bad:?}");
    }
    assert!(write_folder(&run, &[file("x", "1"), file("X", "2")], &listed).is_err());
    assert!(scratch.names().is_empty());
}

#[test]
fn folders_within_are_written_and_what_was_put_there_later_is_kept() {
    let scratch = Scratch::new("within");
    let run = scratch.0.join("a");
    let files = [file("list", "list\nin/x\nin/deep/y"), file("in/x", "1"), file("in/deep/y", "2")];
    write_folder(&run, &files, &listed).unwrap();
    write_folder(&run, &files, &listed).unwrap();
    assert_eq!(fs::read(run.join("in/deep/y")).unwrap(), b"2");
    fs::write(run.join("in/deep/z"), "3").unwrap();
    let error = write_folder(&run, &files, &listed).unwrap_err();
    assert!(error.to_string().contains("in/deep/z"), "{error}");
    fs::remove_file(run.join("in/deep/z")).unwrap();
    fs::create_dir(run.join("empty")).unwrap();
    assert!(check_replaceable(&run, &listed).unwrap_err().to_string().contains("empty"));
}

/// A message names the file that the user asked for, not the temporary one.
#[test]
fn errors_name_the_target() {
    let scratch = Scratch::new("named");
    let staging = Staging::beside(&scratch.0.join("out")).unwrap();
    staging.write("a.txt", b"x").unwrap();
    let message = staging.write("a.txt", b"x").unwrap_err().to_string();
    assert!(message.contains("out/a.txt`") && !message.contains("tmp-"), "{message}");
}
