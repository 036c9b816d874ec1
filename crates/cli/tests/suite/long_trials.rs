//! Memory of long trials: a recorded walk to and fro for minutes, through inverse kinematics and dynamics.

use crate::Scratch;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Frames of a minute and of four: memory is said to grow in proportion, and tests shall be quick.
const FRAMES: [usize; 2] = [3600, 14_400];
/// Frames of four and a half minutes, when pictures have all they need, and of nine: from there on memory is said to
/// stay.
const LONG: [usize; 2] = [16_500, 33_000];
/// Bytes a frame that memory may grow by all the same: 8 of its time, three times while their list moves, and as much
/// again for chance.
const FLAT: f64 = 64.0;
/// Frames a second.
const RATE: f64 = 60.0;
/// Bytes that may be held at once for each byte of text read and written: of a coordinate quintic splines hold 48 bytes
/// beside its samples, filtered and not, for some 25 characters of angle and moment.
const COPIES_OF_COORDINATES: f64 = 5.0;

/// The recorded walk, or a line that says that the test does nothing.
fn walk() -> Option<PathBuf> {
    let folder = wolff_testdata::shared("data/gait1992-pipeline")?;
    wolff_testdata::needs("Linux", cfg!(target_os = "linux")).then_some(folder)
}

/// The rows to and fro; the first `leading` fields are written anew.
fn repeated(rows: &[&str], frames: usize, leading: impl Fn(usize) -> String, skipped: usize) -> String {
    let period = 2 * rows.len() - 2;
    let mut text = String::new();
    for k in 0..frames {
        let at = k % period;
        let row = rows[at.min(period - at)];
        let rest: Vec<&str> = row.split('\t').skip(skipped).collect();
        let _ = writeln!(text, "{}\t{}", leading(k), rest.join("\t"));
    }
    text
}

fn markers(folder: &Path, frames: usize) -> String {
    let text = fs::read_to_string(folder.join("experimental_data/task.trc")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let rows: Vec<&str> = lines[5..].iter().copied().filter(|l| !l.trim().is_empty()).collect();
    let header = lines[..5].join("\n").replace("\t       151\t", &format!("\t{frames}\t"));
    let leading = |k: usize| format!("{}\t{:.5}", k + 1, k as f64 / RATE);
    format!("{header}\n{}", repeated(&rows, frames, leading, 2))
}

fn motion(folder: &Path, frames: usize) -> String {
    let text = fs::read_to_string(folder.join("inverse_kinematics/task_InverseKinematics.mot")).unwrap();
    let (header, body) = text.split_at(text.find("endheader").unwrap());
    let mut lines = body.lines();
    let head: Vec<&str> = lines.by_ref().take(2).collect();
    let rows: Vec<&str> = lines.filter(|l| !l.trim().is_empty()).collect();
    let header = header.replace("nRows=151", &format!("nRows={frames}"));
    let leading = |k: usize| format!("{:.8}", k as f64 / RATE);
    format!("{header}{}\n{}", head.join("\n"), repeated(&rows, frames, leading, 1))
}

/// Largest resident memory of a run of the program [bytes], as the system counts it until the run ends.
fn peak(scratch: &Scratch, arguments: &[&str]) -> f64 {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wolff"));
    command.args(arguments).current_dir(&scratch.0).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut largest = 0.0_f64;
    loop {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|l| l.strip_prefix("VmHWM:")).unwrap_or_default();
        let kilobytes: f64 = line.trim().trim_end_matches("kB").trim().parse().unwrap_or(0.0);
        largest = largest.max(1024.0 * kilobytes);
        if let Some(ended) = child.try_wait().unwrap() {
            // the result is judged (moments without ground forces have failed), but it is complete
            let complete = matches!(ended.code(), Some(0 | 1 | 3)) && scratch.0.join("out").is_dir();
            assert!(complete, "wolff {arguments:?}");
            return largest;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn size(path: &Path) -> f64 {
    let files = fs::read_dir(path).map(|entries| entries.flatten().map(|e| e.path()).collect());
    let files: Vec<PathBuf> = files.unwrap_or_else(|_| vec![path.into()]);
    files.iter().map(|f| fs::metadata(f).unwrap().len() as f64).sum()
}

/// How much peak memory, and bytes of text read and written, grow from a short to a long trial, a frame.
fn growth(
    name: &str,
    input: &str,
    write: impl Fn(usize) -> String,
    arguments: &[&str],
    lengths: [usize; 2],
) -> [f64; 2] {
    let [mut memory, mut text] = [[0.0; 2]; 2];
    for (i, frames) in lengths.into_iter().enumerate() {
        let scratch = Scratch::new(&format!("{name}-{frames}"));
        fs::write(scratch.0.join(input), write(frames)).unwrap();
        memory[i] = peak(&scratch, arguments);
        text[i] = size(&scratch.0.join(input)) + size(&scratch.0.join("out"));
    }
    let frames = (lengths[1] - lengths[0]) as f64;
    let [grown, more] = [memory, text].map(|x| (x[1] - x[0]) / frames);
    println!("{name}: {grown:.0} bytes of memory a frame for {more:.0} bytes read and written");
    [grown, more]
}

#[test]
fn memory_of_inverse_kinematics_does_not_grow() {
    let Some(walk) = walk() else { return };
    let model = walk.join("scale/model_scaled.osim").display().to_string();
    let tasks = walk.join("inverse_kinematics/setup_ik.xml").display().to_string();
    let arguments = ["ik", "--model", &model, "--markers", "long.trc", "--tasks", &tasks, "--out", "out"];
    let [grown, _] = growth("long-ik", "long.trc", |frames| markers(&walk, frames), &arguments, LONG);
    assert!(grown <= FLAT, "memory grew by {grown} bytes a frame");
}

#[test]
fn memory_of_inverse_dynamics_grows_no_faster_than_its_files() {
    let Some(walk) = walk() else { return };
    let model = walk.join("scale/model_scaled.osim").display().to_string();
    let arguments = ["id", "--model", &model, "--motion", "long.mot", "--cutoff", "6", "--force", "--out", "out"];
    let [grown, more] = growth("long-id", "long.mot", |frames| motion(&walk, frames), &arguments, FRAMES);
    assert!(grown <= COPIES_OF_COORDINATES * more, "memory grew by {grown} bytes a frame, text by {more}");
}
