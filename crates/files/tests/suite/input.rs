use std::fs;
use std::io::Read;
use wolff_files::input::{self, Recorder, Recording};

fn file(name: &str, content: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("wolff-input-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, content).unwrap();
    path
}

#[test]
fn what_is_read_is_recorded_once() {
    let (a, b) = (file("a.txt", "abc"), file("b.txt", "b"));
    input::read(&a).unwrap();
    let recorder = Recorder::start();
    input::read(&a).unwrap();
    let mut text = String::new();
    input::open(&a).unwrap().read_to_string(&mut text).unwrap();
    input::read_to_string(&b).unwrap();
    let found = recorder.finish();
    assert_eq!(found.iter().map(|r| &r.path).collect::<Vec<_>>(), [&a, &b]);
    // the well-known hash of "abc"
    assert_eq!(found[0].sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

#[test]
fn nested_recorders_both_know() {
    let (a, b) = (file("c.txt", "c"), file("d.txt", "d"));
    let outer = Recorder::start();
    input::read(&a).unwrap();
    let inner = Recorder::start();
    input::read(&b).unwrap();
    assert_eq!(inner.finish().len(), 1);
    assert_eq!(outer.finish().len(), 2);
    let after = Recorder::start();
    assert!(after.finish().is_empty());
}

#[test]
fn other_threads_record_for_the_one_that_started_them() {
    let (a, b) = (file("e.txt", "e"), file("f.txt", "f"));
    let recorder = Recorder::start();
    let recording = Recording::current();
    std::thread::scope(|scope| {
        scope.spawn(|| recording.during(|| input::read(&a).unwrap()));
        scope.spawn(|| input::read(&b).unwrap());
    });
    assert_eq!(recorder.finish().iter().map(|r| &r.path).collect::<Vec<_>>(), [&a]);
}

#[test]
fn a_cache_is_no_input() {
    let (a, b) = (file("g.txt", "g"), file("h.txt", "h"));
    let recorder = Recorder::start();
    input::unrecorded(|| input::read(&a)).unwrap();
    input::read(&b).unwrap();
    assert_eq!(recorder.so_far().iter().map(|r| &r.path).collect::<Vec<_>>(), [&b]);
    assert_eq!(recorder.finish().len(), 1);
}

#[cfg(unix)]
#[test]
fn devices_and_pipes_are_no_files() {
    let refusal = wolff_files::input::read(std::path::Path::new("/dev/zero")).unwrap_err().to_string();
    assert!(refusal.contains("not a file"), "{refusal}");
    assert!(wolff_files::input::open(std::path::Path::new("/dev/zero")).is_err());
}
