//! Damaged files give an error or a volume, never a panic.

use wolff_imaging::{Choice, read_bytes};
use wolff_testdata::mutation::Mutator;

use crate::phantom::dicom::{Packing, Slices, slices, zip};
use crate::phantom::{gzip, meta, nifti, nifti2, nrrd, small};

const ROUNDS: usize = 1500;

fn files() -> Vec<Vec<u8>> {
    let volume = small();
    let mut files = vec![nifti(&volume), gzip(&nifti(&volume)), nifti2(&volume, false)];
    for encoding in ["raw", "gzip", "ascii"] {
        let (header, body) = nrrd(&volume, encoding);
        files.push([format!("{header}\n").as_bytes(), &body].concat());
    }
    for packed in [false, true] {
        let (header, body) = meta(&volume, "LOCAL", packed);
        files.push([header.as_bytes(), &body].concat());
    }
    files
}

#[test]
fn damaged_files_are_refused_or_read() {
    let files = files();
    let mut mutator = Mutator::new(71);
    let mut readable = 0;
    for round in 0..ROUNDS {
        for (n, file) in files.iter().enumerate() {
            let damaged = mutator.damaged(file, &files[(n + round) % files.len()]);
            if let Ok(found) = read_bytes("a.nii", &damaged, &Choice::only()) {
                readable += 1;
                assert!(found.volume.frame().voxel_volume() > 0.0);
            }
        }
    }
    assert!(readable > 0);
}

#[test]
fn damaged_slices_are_refused_or_read() {
    let volume = small();
    let mut mutator = Mutator::new(72);
    for packing in [Packing::Explicit, Packing::Implicit, Packing::Deflated, Packing::Rle, Packing::Jpeg] {
        let good = slices(&volume, &Slices { packing, ..Slices::default() });
        for round in 0..ROUNDS / 3 {
            let mut files = good.clone();
            let n = round % files.len();
            files[n].1 = mutator.damaged(&files[n].1, &good[(n + 1) % good.len()].1);
            let _ = read_bytes("a.zip", &zip(&files), &Choice::only());
        }
        let archive = zip(&good);
        for _ in 0..ROUNDS / 3 {
            let _ = read_bytes("a.zip", &mutator.damaged(&archive, &archive), &Choice::only());
        }
    }
}
