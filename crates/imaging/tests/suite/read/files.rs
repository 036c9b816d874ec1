//! Files on the disk: data files beside headers, and real images.

use std::path::Path;

use wolff_files::input::Recorder;
use wolff_imaging::{Choice, LabelVolume, Volume, read};
use wolff_spatial::Vec3;

use crate::phantom::{meta, nrrd, small};

fn load(path: &Path) -> Volume {
    read(path, &Choice::only()).unwrap_or_else(|e| panic!("{e}")).volume
}

#[test]
fn data_files_beside_headers_are_read_and_recorded() {
    let folder = std::env::temp_dir().join(format!("wolff-imaging-detached-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let volume = small();
    let (header, body) = nrrd(&volume, "raw");
    std::fs::write(folder.join("a.nhdr"), format!("{header}data file: a.raw\n\n")).unwrap();
    let (header, _) = meta(&volume, "a.raw", false);
    std::fs::write(folder.join("a.mhd"), header).unwrap();
    std::fs::write(folder.join("a.raw"), body).unwrap();
    let recorder = Recorder::start();
    assert_eq!(load(&folder.join("a.nhdr")), load(&folder.join("a.mhd")));
    assert_eq!(recorder.finish().len(), 3);
    std::fs::write(folder.join("b.mhd"), meta(&volume, "../a.raw", false).0).unwrap();
    let message = read(&folder.join("b.mhd"), &Choice::only()).unwrap_err().to_string();
    assert!(message.contains("in the folder of the header"), "{message}");
    std::fs::write(folder.join("c.mhd"), meta(&volume, "gone.raw", false).0).unwrap();
    assert!(read(&folder.join("c.mhd"), &Choice::only()).unwrap_err().to_string().contains("cannot read"));
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(read(&folder, &Choice::only()).is_err());
}

#[test]
fn three_formats_of_one_scan_agree() {
    let Some(folder) = wolff_testdata::shared("data/images/hrpqct-tiny") else { return };
    let images = ["test_nii.nii", "test_nrrd.nrrd", "test_mha.mha"].map(|name| load(&folder.join(name)));
    for image in &images {
        let found = image.statistics();
        println!("{:?} {:?} {:?} {found:?}", image.size(), image.frame().spacing(), image.frame().origin());
    }
}

#[test]
fn the_knee_has_the_labels_of_its_readme() {
    let path = "data/images/knee-mri-labels/SAG_3D_DESS_RIGHT_bones_cart_men_fib-label.nrrd";
    let Some(path) = wolff_testdata::shared(path) else { return };
    let labels: LabelVolume = load(&path).to_labels().unwrap();
    assert_eq!(labels.size(), [384, 384, 160]);
    assert_eq!(labels.regions().len(), 10);
    let tibia = labels.region(6).unwrap();
    assert!((1e9 * tibia.volume() / 101_392.0 - 1.0).abs() < 1e-4, "{}", 1e9 * tibia.volume());
    // the fibula is lateral of the tibia: in a right knee to the right, so x in LPS is smaller
    let centre = |label: u16| {
        let [nx, ny, _] = labels.size();
        let of_label = labels.labels().iter().enumerate().filter(|(_, other)| **other == label);
        let index = |n: usize| Vec3::new((n % nx) as f64, (n / nx % ny) as f64, (n / nx / ny) as f64);
        let (sum, count) = of_label.fold((Vec3::zeros(), 0.0), |(sum, count), (n, _)| (sum + index(n), count + 1.0));
        labels.frame().position(&(sum / count))
    };
    assert!(centre(8).x < centre(6).x, "{} {}", centre(8), centre(6));
    assert!(centre(5).z > centre(6).z);
}
