//! Headers of NIfTI, NRRD and MetaImage, and their voxels.

use wolff_imaging::{Choice, Handedness, Samples, Volume, read_bytes};
use wolff_spatial::Vec3;

use crate::phantom::{gzip, meta, nifti, nifti2, nrrd, small};

fn same(found: &Volume, expected: &Volume) {
    assert_eq!(found.size(), expected.size());
    assert_eq!(found.samples(), expected.samples());
    for index in [Vec3::zeros(), Vec3::new(4.0, 3.0, 2.0)] {
        let apart = (found.frame().position(&index) - expected.frame().position(&index)).norm();
        // readers round to 1 µm
        assert!(apart < 2e-6, "{apart}");
    }
}

fn read(name: &str, bytes: &[u8]) -> Volume {
    let found = read_bytes(name, bytes, &Choice::only()).unwrap_or_else(|e| panic!("{e}"));
    assert!(found.remarks.is_empty(), "{:?}", found.remarks);
    found.volume
}

#[test]
fn every_format_gives_the_same_volume() {
    let volume = small();
    let first = read("a.nii", &nifti(&volume));
    same(&first, &volume);
    // the content tells the format, not the name
    assert_eq!(read("a.mha", &gzip(&nifti(&volume))), first);
    for encoding in ["raw", "gzip", "ascii"] {
        let (header, body) = nrrd(&volume, encoding);
        let file = [format!("{header}\n").as_bytes(), &body].concat();
        assert_eq!(read("a.nrrd", &file), first, "{encoding}");
    }
    for packed in [false, true] {
        let (header, body) = meta(&volume, "LOCAL", packed);
        assert_eq!(read("a.mha", &[header.as_bytes(), &body].concat()), first, "{packed}");
    }
}

#[test]
fn version_2_has_a_quaternion_a_scale_and_the_other_byte_order() {
    // even values, so that half of them minus 100 is whole
    let values = (0..60).map(|n| 2 * n - 40).collect();
    let volume = Volume::new([5, 4, 3], small().frame().clone(), Samples::I16(values)).unwrap();
    let found = read_bytes("a.nii", &nifti2(&volume, false), &Choice::only()).unwrap();
    same(&found.volume, &volume);
    assert!(found.remarks.is_empty());
}

#[test]
fn a_mirrored_affine_keeps_positions_and_is_told() {
    let volume = small();
    let frame = volume.frame();
    let columns = frame.directions() * nalgebra::Matrix3::from_diagonal(&Vec3::new(0.5e-3, 0.7e-3, -0.9e-3));
    let mirrored = wolff_imaging::Frame::new(frame.origin(), columns).unwrap();
    let volume = Volume::new([5, 4, 3], mirrored, volume.samples().clone()).unwrap();
    let found = read_bytes("a.nii", &nifti(&volume), &Choice::only()).unwrap();
    assert_eq!(found.volume.frame().handedness(), Handedness::Left);
    assert!(found.remarks[0].message.contains("left hand"));
    same(&found.volume, &volume);
    let even = (0..60).map(|n| 2 * n).collect();
    let volume = Volume::new([5, 4, 3], volume.frame().clone(), Samples::I16(even)).unwrap();
    same(&read_bytes("a.nii", &nifti2(&volume, true), &Choice::only()).unwrap().volume, &volume);
}

#[test]
fn an_unknown_orientation_is_told() {
    let mut bytes = nifti(&small());
    bytes[254] = 0;
    bytes[80..92].copy_from_slice(&[0.5f32, 0.7, 0.9].map(f32::to_le_bytes).concat());
    let found = read_bytes("a.nii", &bytes, &Choice::only()).unwrap();
    assert!(found.remarks[0].text().contains("left and right cannot be told"), "{:?}", found.remarks);
}

fn refused(bytes: &[u8], word: &str) {
    let message = read_bytes("a.nii", bytes, &Choice::only()).unwrap_err().to_string();
    assert!(message.contains(word), "{message}");
}

#[test]
fn lying_nifti_headers_are_refused() {
    let good = nifti(&small());
    let changed = |at: usize, bytes: &[u8]| {
        let mut file = good.clone();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        file
    };
    refused(&good[..good.len() - 1], "cut off");
    refused(&good[..100], "damaged or cut off");
    refused(&changed(42, &i16::MAX.to_le_bytes()), "take");
    refused(&changed(42, &(-3i16).to_le_bytes()), "there must be one at least");
    refused(&changed(42, &[0xff, 0x7f, 0xff, 0x7f, 0xff, 0x7f]), "2147483648 at most");
    refused(&changed(280, &f32::NAN.to_le_bytes()), "distance between voxels");
    refused(&changed(292, &f32::INFINITY.to_le_bytes()), "first voxel");
    refused(&changed(280, &[0; 48]), "distance between voxels");
    refused(&changed(70, &128i16.to_le_bytes()), "type 128");
    refused(&changed(344, b"ni1\0"), "another file");
    refused(&changed(108, &(-5f32).to_le_bytes()), "cannot be");
    refused(&changed(112, &f32::INFINITY.to_le_bytes()), "slope");
    refused(b"nothing", "damaged or cut off");
    refused(&gzip(&good)[..60], "cut off");
}

#[test]
fn lying_text_headers_are_refused() {
    let (header, body) = nrrd(&small(), "raw");
    let nrrd = |from: &str, to: &str, word: &str| {
        assert!(header.contains(from), "{from}");
        refused(&[format!("{}\n", header.replace(from, to)).as_bytes(), &body].concat(), word);
    };
    nrrd("sizes: 5 4 3", "sizes: 5 4", "dimension");
    nrrd("sizes: 5 4 3", "sizes: 5 4 0", "no voxels");
    nrrd("sizes: 5 4 3", "sizes: 50000 40000 30000", "2147483648 at most");
    nrrd("sizes: 5 4 3", "sizes: 500 400 300", "cut off");
    nrrd("encoding: raw", "encoding: bzip2", "raw or gzip");
    nrrd("space: right-anterior-superior", "space: inside-out", "not known");
    nrrd("space origin: (", "space origin: (x", "no list of vectors");
    nrrd("type: short", "type: block", "not read");
    nrrd("encoding: raw\n", "encoding: raw\ndata file: ../b.raw\n", "not at hand");
    let (header, body) = meta(&small(), "LOCAL", false);
    let meta = |from: &str, to: &str, word: &str| {
        assert!(header.contains(from), "{from}");
        refused(&[header.replace(from, to).as_bytes(), &body].concat(), word);
    };
    meta("DimSize = 5 4 3", "DimSize = 5 4 -3", "whole numbers");
    meta("DimSize = 5 4 3", "DimSize = 5 4 30", "cut off");
    meta("NDims = 3", "NDims = 4", "must be 3");
    meta("MET_SHORT", "MET_OTHER", "not read");
    meta("TransformMatrix = ", "TransformMatrix = x ", "nine numbers");
    meta("ElementSpacing = 0.5", "ElementSpacing = 0.0", "distance between voxels");
    meta("ElementDataFile = LOCAL", "ElementDataFile = LIST", "list of files");
    meta("CompressedData = False", "CompressedData = True", "damaged");
}
