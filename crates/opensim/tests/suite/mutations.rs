//! Damaged copies of real files: readers, and models built from what they read, answer with a value or an error,
//! whatever the damage.

use crate::data::shared;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use wolff_doctor::{Patient, examine};
use wolff_formats::c3d::{self, PlateOptions};
use wolff_formats::trial::ForcePlateTrial;
use wolff_formats::{osim, sto, trc};
use wolff_multibody::{Baumgarte, System};
use wolff_opensim::{OpensimSubject, setup};

/// What stands in for a number.
const NUMBERS: [&str; 14] = [
    "nan",
    "-nan",
    "inf",
    "-inf",
    "1e308",
    "-1e308",
    "1e-308",
    "0",
    "-1",
    "99999999999999999999",
    "",
    "abc",
    "1 2",
    "-0.0",
];

/// Steele, Lea and Flood's SplitMix64: the same damage in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

/// One to three kinds of damage.
fn damaged(original: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = original.to_vec();
    for _ in 0..=random.below(3) {
        match random.below(6) {
            0 => flip(&mut bytes, random),
            1 => bytes.truncate(random.below(bytes.len() + 1)),
            2 => move_lines(&mut bytes, random, false),
            3 => move_lines(&mut bytes, random, true),
            4 => cut_out(&mut bytes, random),
            _ => replace_number(&mut bytes, random),
        }
    }
    bytes
}

/// Some bits; half of the time near the front, where headers are.
fn flip(bytes: &mut [u8], random: &mut Random) {
    for _ in 0..=random.below(8) {
        let reach = if random.below(2) == 0 { bytes.len() } else { bytes.len().min(1024) };
        let at = random.below(reach);
        if let Some(byte) = bytes.get_mut(at) {
            *byte ^= 1 << random.below(8);
        }
    }
}

/// Takes a few lines away, or repeats them somewhere.
fn move_lines(bytes: &mut Vec<u8>, random: &mut Random, keep: bool) {
    let mut lines: Vec<&[u8]> = bytes.split_inclusive(|b| *b == b'\n').collect();
    let first = random.below(lines.len());
    let last = (first + 1 + random.below(4)).min(lines.len());
    let some: Vec<&[u8]> = lines[first..last].to_vec();
    if keep {
        let at = random.below(lines.len() + 1);
        lines.splice(at..at, some);
    } else {
        lines.drain(first..last);
    }
    *bytes = lines.concat();
}

fn cut_out(bytes: &mut Vec<u8>, random: &mut Random) {
    let first = random.below(bytes.len());
    let last = (first + random.below(64)).min(bytes.len());
    bytes.drain(first..last);
}

/// Puts another word where a number is.
fn replace_number(bytes: &mut Vec<u8>, random: &mut Random) {
    let part_of = |b: &u8| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'+' | b'e' | b'E');
    let from = random.below(bytes.len());
    let Some(start) = bytes.iter().skip(from).position(u8::is_ascii_digit).map(|n| n + from) else { return };
    let start = bytes[..start].iter().rposition(|b| !part_of(b)).map_or(0, |n| n + 1);
    let end = bytes[start..].iter().position(|b| !part_of(b)).map_or(bytes.len(), |n| n + start);
    let word = NUMBERS[random.below(NUMBERS.len())];
    bytes.splice(start..end, word.bytes());
}

/// Files of that ending and at most that size below a folder of the shared data.
fn files(folder: &str, ending: &str, largest: u64) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting: Vec<PathBuf> = shared(folder).into_iter().collect();
    while let Some(folder) = waiting.pop() {
        for entry in folder.read_dir().into_iter().flatten().flatten() {
            let path = entry.path();
            let fits = entry.metadata().is_ok_and(|m| m.len() <= largest);
            if path.is_dir() {
                waiting.push(path);
            } else if fits && path.extension().is_some_and(|e| e == ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Gives `times` damaged copies of the first `most` bytes of each file to a reader.
fn damage(files: &[PathBuf], most: usize, times: usize, read: impl Fn(&[u8], &Path)) {
    let mut random = Random(0x5eed);
    for file in files {
        let mut original = std::fs::read(file).unwrap();
        original.truncate(most);
        for round in 0..times {
            let bytes = damaged(&original, &mut random);
            let done = catch_unwind(AssertUnwindSafe(|| read(&bytes, file)));
            assert!(done.is_ok(), "panic at damaged copy {round} of {}", file.display());
        }
    }
}

/// Builds the model, and if that can be done, its muscles and accelerations.
fn use_model(bytes: &[u8]) {
    let Ok(subject) = osim::read(bytes).map(OpensimSubject::new) else { return };
    let Ok(subject) = subject else { return };
    let model = &subject.subject.model;
    let mut system = System::new(model);
    let mut a = vec![0.0; model.nv()];
    if system.accelerations(0.0, &model.q0, &model.v0, Baumgarte::NONE, &mut a).is_ok() {
        assert!(a.iter().all(|x| x.is_finite()), "an acceleration is no number and nobody says so");
    }
    let Ok(motors) = subject.subject.motors() else { return };
    let at = system.instant(0.0, &model.q0, &model.v0, None);
    for muscle in &motors.muscles {
        let geometry = muscle.path.solve(&at, None);
        muscle.hill.equilibrium(0.5, geometry.length, muscle.path.speed(&geometry, &at));
    }
}

#[test]
fn damaged_models_are_read_or_refused() {
    damage(&files("opensim-core", "osim", 35_000), usize::MAX, 80, |bytes, _| use_model(bytes));
}

#[test]
fn a_damaged_model_of_a_walk_is_read_or_refused() {
    let model = shared("opensim-models/gait10dof18musc.osim");
    damage(&model.into_iter().collect::<Vec<_>>(), usize::MAX, 150, |bytes, _| use_model(bytes));
}

#[test]
fn damaged_setups_are_read_or_refused() {
    let setups = [files("opensim-core", "xml", 40_000), files("gait1992-pipeline", "xml", 40_000)].concat();
    damage(&setups, usize::MAX, 20, |bytes, file| {
        let _ = setup::read(bytes, file.parent().unwrap_or(Path::new(".")));
    });
}

#[test]
fn damaged_markers_are_read_or_refused() {
    let trials = [files("opensim-core", "trc", 300_000), files("c3d", "trc", 300_000)].concat();
    damage(&trials, 20_000, 150, |bytes, _| {
        if let Ok(markers) = trc::read(bytes) {
            let _ = examine(&Patient { markers: Some(&markers), ..Patient::default() });
        }
    });
}

#[test]
fn damaged_tables_are_read_or_refused() {
    let tables = [files("opensim-core", "sto", 60_000), files("opensim-core", "mot", 60_000)].concat();
    damage(&tables, 10_000, 40, |bytes, _| {
        if let Ok(storage) = sto::read(bytes) {
            let _ = ForcePlateTrial::from_storage(&storage);
        }
    });
}

#[test]
fn a_damaged_motion_is_followed_or_refused() {
    let Some(subject) = shared("opensim-models/arm26.osim") else { return };
    let subject = OpensimSubject::read(&subject).unwrap();
    let motions = files("opensim-core/ID", "mot", 200_000);
    damage(&motions, 10_000, 100, |bytes, _| {
        let Ok(storage) = sto::read(bytes) else { return };
        for cutoff in [None, Some(6.0)] {
            let _ = subject.history(&storage, cutoff, Default::default());
        }
    });
}

#[test]
fn damaged_recordings_are_read_or_refused() {
    damage(&files("c3d", "c3d", 160_000), usize::MAX, 150, |bytes, _| {
        if let Ok(file) = c3d::read(bytes) {
            let (markers, forces) = (file.markers().ok(), file.force_plates(&PlateOptions::default()).ok());
            let (mass, height) = (Some(70.0), Some(1.8));
            let _ = examine(&Patient { markers: markers.as_ref(), forces: forces.as_ref(), mass, height });
        }
    });
}
