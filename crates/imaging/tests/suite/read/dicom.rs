//! DICOM series: order, choice, what is missing, packed pixels.

use wolff_imaging::{Choice, ImagingError, ReadVolume, Volume, read, read_bytes};
use wolff_spatial::Vec3;

use crate::phantom::dicom::{Packing, Slices, slices, zip};
use crate::phantom::small;

fn read_all(files: &[(String, Vec<u8>)]) -> Result<ReadVolume, ImagingError> {
    read_bytes("a.zip", &zip(files), &Choice::only())
}

fn message(files: &[(String, Vec<u8>)]) -> String {
    read_all(files).unwrap_err().to_string()
}

fn same(found: &Volume, expected: &Volume) {
    assert_eq!(found.samples(), expected.samples());
    for index in [Vec3::zeros(), Vec3::new(4.0, 3.0, 2.0)] {
        assert!((found.frame().position(&index) - expected.frame().position(&index)).norm() < 2e-6);
    }
}

#[test]
fn slices_are_sorted_by_position_not_by_name() {
    let volume = small();
    let mut files = slices(&volume, &Slices::default());
    same(&read_all(&files).unwrap().volume, &volume);
    // names in the opposite order, and a file that is none
    files.reverse();
    for (n, file) in files.iter_mut().enumerate() {
        file.0 = format!("IM{n}");
    }
    files.push(("README.txt".into(), b"text".to_vec()));
    let found = read_all(&files).unwrap();
    same(&found.volume, &volume);
    assert!(found.remarks[0].message.contains("1 files"), "{:?}", found.remarks);
}

#[test]
fn every_packing_gives_the_same_pixels() {
    let volume = small();
    for packing in [Packing::Implicit, Packing::Deflated, Packing::Rle, Packing::Jpeg] {
        for signed in [false, true] {
            let files = slices(&volume, &Slices { packing, signed, ..Slices::default() });
            let found = read_all(&files).unwrap_or_else(|e| panic!("{packing:?}: {e}"));
            same(&found.volume, &volume);
        }
    }
}

#[test]
fn a_folder_is_a_series() {
    let folder = std::env::temp_dir().join(format!("wolff-imaging-series-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let volume = small();
    for (name, bytes) in slices(&volume, &Slices::default()) {
        std::fs::write(folder.join(name), bytes).unwrap();
    }
    let recorder = wolff_files::input::Recorder::start();
    same(&read(&folder, &Choice::only()).unwrap().volume, &volume);
    assert_eq!(recorder.finish().len(), 3);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn two_series_are_listed_and_chosen() {
    let volume = small();
    let mut files = slices(&volume, &Slices::default());
    let other = Slices { series: "1.2.99", number: 7, ..Slices::default() };
    files.extend(slices(&volume, &other).into_iter().map(|(name, bytes)| (format!("b{name}"), bytes)));
    let text = message(&files);
    for word in ["2 series", "series 7 (", "1.2.99", "3 slices"] {
        assert!(text.contains(word), "{text}");
    }
    for choice in ["7", "1.2.99"] {
        let found = read_bytes("a.zip", &zip(&files), &Choice::series(choice)).unwrap();
        same(&found.volume, &volume);
    }
    let text = read_bytes("a.zip", &zip(&files), &Choice::series("8")).unwrap_err().to_string();
    assert!(text.contains("no slice belongs"), "{text}");
}

#[test]
fn what_is_missing_or_wrong_is_told() {
    let tall = Volume::from_fn([4, 3, 6], small().frame().clone(), |x| (1e5 * x.x).round()).unwrap();
    let files = slices(&tall, &Slices::default());
    let without = |gone: &[usize]| {
        let kept = files.iter().enumerate().filter(|(n, _)| !gone.contains(n));
        kept.map(|(_, file)| file.clone()).collect::<Vec<_>>()
    };
    let text = message(&without(&[2]));
    assert!(text.contains("1 slices are missing (between"), "{text}");
    let text = message(&without(&[1, 2, 4]));
    assert!(text.contains("slices are missing") || text.contains("evenly"), "{text}");
    let mut doubled = files.clone();
    doubled.push(("again.dcm".into(), files[3].1.clone()));
    assert!(message(&doubled).contains("same place"));
    let shifted = |slices: Slices| {
        let mut mixed = files.clone();
        mixed[4] = self::slices(&tall, &slices).swap_remove(4);
        message(&mixed)
    };
    let moved = |mm: f64| shifted(Slices { along_normal: mm, ..Slices::default() });
    assert!(moved(0.25).contains("not evenly spaced"), "{}", moved(0.25));
    assert!(shifted(Slices { turned: 0.02, ..Slices::default() }).contains("different orientations"));
    assert!(shifted(Slices { wider: true, ..Slices::default() }).contains("different distances"));
    let text = message(&without(&[1, 2, 3, 4, 5]));
    assert!(text.contains("one slice"), "{text}");
    assert!(message(&[("a.txt".into(), b"nothing".to_vec())]).contains("no DICOM slice"));
}

#[test]
fn truncated_slices_and_archives_are_refused() {
    let files = slices(&small(), &Slices::default());
    let mut cut = files.clone();
    let length = cut[1].1.len();
    cut[1].1.truncate(length - 3);
    let text = message(&cut);
    assert!(text.contains("cut off") && text.contains(&cut[1].0), "{text}");
    let archive = zip(&files);
    for length in [10, 100, archive.len() - 30] {
        assert!(read_bytes("a.zip", &archive[..length], &Choice::only()).is_err(), "{length}");
    }
    let text = read_bytes("a.dcm", &files[0].1, &Choice::only()).unwrap_err().to_string();
    assert!(text.contains("one slice of a DICOM series"), "{text}");
    let unknown = slices(&small(), &Slices { syntax: Some("1.2.840.10008.1.2.4.90"), ..Slices::default() });
    assert!(message(&unknown).contains("JPEG 2000"));
}

#[test]
fn the_real_slices_have_no_position_in_the_patient_or_are_a_volume() {
    let Some(folder) = wolff_testdata::shared("data/images/hrpqct-tiny/test_dicom") else { return };
    match read(&folder, &Choice::only()) {
        Ok(found) => assert_eq!(found.volume.size()[2], 25),
        Err(error) => assert!(error.to_string().contains("slice"), "{error}"),
    }
}
