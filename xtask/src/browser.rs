//! Pages of runs in a real browser, without a screen.
//!
//! Chromium loads a page and prints the document as its script left it, and on standard error what the console got. The
//! page itself forbids every request (content security policy), so that a request is a line on the console, as is a
//! mistake in the script.

use crate::layout;
use crate::runner::Tally;
use crate::{root, scan, target_dir, tested_wolff};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Studies whose pages are looked at: one with comparisons, one with impacts and pictures of several curves, one with
/// pressures at rest, one with pressures of a movement, one with published tables and stick figures.
const STUDIES: [&str; 5] = ["pendulum", "slider-crank", "knee-natural", "knee-artificial", "walk"];
/// Commands whose pages are looked at where their data are present, and the file that they need; `DATA` stands for the
/// folder of the data.
const COMMANDS: [(&str, &str); 3] = [
    (
        "ik --model DATA/rajagopal-walk/subject_walk_scaled.osim --markers DATA/rajagopal-walk/markers_walk.trc \
         --time 0.8:1.0",
        "rajagopal-walk/markers_walk.trc",
    ),
    (
        "id --model DATA/rajagopal-walk/subject_walk_scaled.osim --motion DATA/rajagopal-walk/coordinates.sto \
         --loads DATA/rajagopal-walk/grf_walk.xml --time 0.8:1.0",
        "rajagopal-walk/coordinates.sto",
    ),
    (
        "contact DATA/knee-lenhart/model/lenhart2015.osim --states \
         DATA/knee-lenhart/examples/passive_flexion/results/forsim/passive_flexion_states.sto --geometry \
         DATA/knee-lenhart/mesh --mesh femur_cartilage=femur-cartilage-full.obj --every 50",
        "knee-lenhart/model/lenhart2015.osim",
    ),
];
/// The command that makes a bone; `SCAN` stands for a small scan that is made for it.
const BONE: &str = "bone SCAN --bone patella --side right --up 0,0,1 --anterior 0,-1,0 --calibration 0.05,0.00125 \
    --size 5 --order 1";
/// Exit code of a doubtful result, whose page is looked at too.
const DOUBTFUL: i32 = 3;
/// Names under which Chromium is installed.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/// Longest time for a page.
const PATIENCE: Duration = Duration::from_secs(300);
/// Longest time for installing the browser \[s\].
const INSTALL_S: &str = "120";

/// Looks at the pages; without a browser says so, and how to get one.
pub fn pages(tally: &mut Tally) {
    match find().or_else(install).and_then(usable) {
        Ok(browser) => {
            for study in STUDIES {
                let command = ["run", study, "--quiet", "--no-sensitivity", "--out"].map(String::from);
                tally.check(&format!("page of {study} in {browser}"), || page(browser, study, &command));
            }
            let data = root().join("../shared/data");
            for (command, needed) in COMMANDS {
                let name = command.split(' ').next().unwrap_or_default();
                let words = words(command, "DATA", &data, "--out");
                let title = format!("page of wolff {name} in {browser}");
                match data.join(needed).is_file() {
                    true => tally.check(&title, || page(browser, name, &words)),
                    false => tally.skip(&title, &format!("there is no shared/data/{needed}")),
                }
            }
            let scan = target_dir().join("browser").join("scan.mha");
            let words = words(BONE, "SCAN", &scan, "--report");
            tally.check(&format!("page of wolff bone in {browser}"), || {
                scan::write(&scan)?;
                page(browser, "bone", &words)
            });
        }
        Err(why) => tally.skip("pages in a browser", &why),
    }
}

/// The words of a command with a path in place of its name, and last the option for the folder.
fn words(command: &str, name: &str, path: &Path, option: &str) -> Vec<String> {
    let words = command.split_whitespace().map(|word| word.replace(name, &path.display().to_string()));
    words.chain([option.into()]).collect()
}

/// A browser that starts.
fn find() -> Result<&'static str, String> {
    let starts = |name: &&&str| {
        Command::new(name).arg("--version").stderr(Stdio::null()).output().is_ok_and(|output| output.status.success())
    };
    let found = BROWSERS.iter().find(starts).copied();
    found.ok_or_else(|| "no Chromium is installed; `apt-get install chromium` or your system's way gets it".into())
}

/// Installs Chromium where tests run unattended; elsewhere nobody's system is changed.
fn install(missing: String) -> Result<&'static str, String> {
    if std::env::var("CI").as_deref() != Ok("true") {
        return Err(missing);
    }
    println!("{missing}; CI=true, so it is being installed, at most {INSTALL_S} s");
    let mut command = Command::new("timeout");
    command.args([INSTALL_S, "apt-get", "install", "-y", "chromium"]).env("DEBIAN_FRONTEND", "noninteractive");
    match command.stdin(Stdio::null()).stdout(Stdio::null()).status() {
        Ok(status) if status.success() => find(),
        Ok(status) => Err(format!("{missing}; apt-get did not: {status}")),
        Err(e) => Err(format!("{missing}; apt-get could not be started: {e}")),
    }
}

/// The browser, if it can load an empty page on this machine: one that cannot says nothing about ours.
fn usable(browser: &'static str) -> Result<&'static str, String> {
    let place = target_dir().join("browser");
    let empty = place.join("empty.html");
    fs::create_dir_all(&place).map_err(|e| format!("{}: {e}", place.display()))?;
    fs::write(&empty, "<html><h1>empty</h1></html>").map_err(|e| format!("{}: {e}", empty.display()))?;
    let (document, _) = load(browser, &empty, &place)?;
    let loads = document.contains("empty");
    if loads { Ok(browser) } else { Err(format!("{browser} does not load an empty page")) }
}

/// Runs a study or command, whose last word is the option for its folder, and loads its page.
fn page(browser: &str, name: &str, command: &[String]) -> Result<(), String> {
    let place = target_dir().join("browser");
    let folder = place.join(name);
    fs::create_dir_all(&place).map_err(|e| format!("{}: {e}", place.display()))?;
    let run = Command::new(tested_wolff()).args(command).arg(&folder).output();
    let run = run.map_err(|e| format!("wolff: {e}"))?;
    if !(run.status.success() || run.status.code() == Some(DOUBTFUL)) {
        return Err(String::from_utf8_lossy(&run.stderr).into_owned());
    }
    let file = folder.join("report.html");
    let written = fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let pictures = entries.flatten().filter(|e| e.path().extension().is_some_and(|x| x == "svg")).count();
    let (document, console) = load(browser, &file, &place)?;
    judge(&written, pictures, &document, &console)?;
    let (frames, _) = load(browser, &layout::write(&written, &place)?, &place)?;
    layout::judge(&frames)
}

/// The document after its script ran, and what was logged.
fn load(browser: &str, page: &Path, place: &Path) -> Result<(String, String), String> {
    let [document, log] = ["document.html", "log.txt"].map(|name| place.join(name));
    let create = |path: &PathBuf| File::create(path).map_err(|e| format!("{}: {e}", path.display()));
    let read = |path: &PathBuf| {
        let bytes = fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
        Ok::<_, String>(String::from_utf8_lossy(&bytes).into_owned())
    };
    let switches = "--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --enable-logging=stderr \
         --window-size=1500,3000 --virtual-time-budget=5000 --dump-dom";
    let mut command = Command::new(browser);
    command.args(switches.split(' ')).arg(format!("--user-data-dir={}", place.join("profile").display()));
    command.arg(format!("file://{}", page.display())).current_dir(root());
    command.stdin(Stdio::null()).stdout(create(&document)?).stderr(create(&log)?);
    let mut child = command.spawn().map_err(|e| format!("{browser}: {e}"))?;
    let start = Instant::now();
    loop {
        match child.try_wait().map_err(|e| format!("{browser}: {e}"))? {
            Some(status) if status.success() => return Ok((read(&document)?, read(&log)?)),
            Some(status) => return Err(format!("{}{browser}: {status}", read(&log)?)),
            None if start.elapsed() > PATIENCE => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("{browser} did not load {} within {} s", page.display(), PATIENCE.as_secs()));
            }
            None => sleep(Duration::from_millis(100)),
        }
    }
}

/// What is wrong with a page `written` beside so many pictures, as the browser sees it.
fn judge(written: &str, pictures: usize, document: &str, log: &str) -> Result<(), String> {
    let mut wrong: Vec<String> = Vec::new();
    if !document.contains("data-ready=\"true\"") {
        wrong.push("the script did not run to its end".into());
    }
    wrong.extend(log.lines().filter(|line| line.contains("CONSOLE")).map(|line| format!("on the console: {line}")));
    match (heading(written), heading(document)) {
        (Some(a), Some(b)) if a == b && !a.is_empty() => {}
        (written, seen) => wrong.push(format!("the heading is {seen:?}, written was {written:?}")),
    }
    let mut expect = |what: &str, seen: usize, wanted: usize| {
        if seen != wanted {
            wrong.push(format!("{seen} {what}, expected {wanted}"));
        }
    };
    // a mechanism in motion is a second picture of it, at whose first instant the script puts it
    let players = written.matches("class=\"player\"").count();
    expect("pictures", document.matches("<svg ").count(), pictures + players);
    expect("mechanisms in motion", document.matches("aria-valuetext=\"t = ").count(), players);
    expect("rows of tables", document.matches("<tr").count(), written.matches("<tr").count());
    expect("switches for curves", document.matches("role=\"button\"").count(), written.matches("<g data-key=").count());
    if !written.contains("<tr") {
        wrong.push("there are no tables".into());
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// The text of the first heading; browsers write an apostrophe as itself.
fn heading(page: &str) -> Option<String> {
    let (text, _) = page.split_once("<h1>")?.1.split_once("</h1>")?;
    Some(text.replace("&#39;", "'").replace("&quot;", "\""))
}

#[cfg(test)]
mod tests {
    use super::judge;

    const WRITTEN: &str =
        "<html><h1>Andrews&#39; squeezer</h1><table><tr></tr></table><svg ><g data-key=\"0\"></g></svg>";
    const SEEN: &str = "<html data-ready=\"true\"><h1>Andrews' squeezer</h1><table><tr></tr></table>\
        <svg ><g data-key=\"0\" role=\"button\"></g></svg>";

    #[test]
    fn a_page_as_written_passes() {
        assert_eq!(judge(WRITTEN, 1, SEEN, "[1:2:INFO:other.cc(1)] hello"), Ok(()));
    }

    #[test]
    fn everything_missing_is_named() {
        let log = "[1:2:INFO:CONSOLE:9] \"Uncaught TypeError\"";
        let wrong = judge(WRITTEN, 2, "<html><h1></h1></html>", log).unwrap_err();
        for part in ["script", "Uncaught", "heading", "0 pictures, expected 2", "0 rows", "0 switches"] {
            assert!(wrong.contains(part), "{part} is not named in {wrong}");
        }
    }
}
