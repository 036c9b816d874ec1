//! The file of a body.

use std::path::{Path, PathBuf};
use wolff_flexbody::{FlexBody, FlexBodyFile, MeshReference};

use crate::{sample_body, sample_solid, sample_surface};

/// A file that goes when the test ends.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str) -> Self {
        Temporary(std::env::temp_dir().join(format!("wolff-{}-{name}.flexbody", std::process::id())))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn sample() -> FlexBodyFile {
    FlexBodyFile {
        body: sample_body(3),
        mesh: Some(MeshReference::new("bones/tibia.msh", b"mesh")),
        surface: Some(sample_surface(5, 3)),
        solid: Some(sample_solid()),
    }
}

fn message(path: &PathBuf) -> String {
    FlexBodyFile::load(path).unwrap_err().to_string()
}

#[test]
fn round_trip_is_exact_to_the_bit() {
    let file = Temporary::new("round");
    let mut content = sample();
    // Numbers that text would lose.
    content.body.gauges[0].strain[(0, 0)] = -0.0;
    content.body.gauges[0].strain[(1, 0)] = f64::MIN_POSITIVE / 8.0;
    content.body.gauges[0].strain[(2, 0)] = 0.1 + 0.2;
    content.save(&file.0).unwrap();
    let bytes = std::fs::read(&file.0).unwrap();
    let back = FlexBodyFile::load(&file.0).unwrap();
    assert_eq!(back, content);
    assert!(back.body.gauges[0].strain[(0, 0)].is_sign_negative());
    assert_eq!(FlexBody::load(&file.0).unwrap(), content.body);
    back.save(&file.0).unwrap();
    assert_eq!(std::fs::read(&file.0).unwrap(), bytes);
    content.body.save(&file.0).unwrap();
    let alone = FlexBodyFile::load(&file.0).unwrap();
    assert_eq!((alone.body, alone.mesh, alone.surface), (content.body, None, None));
}

#[test]
fn every_truncation_and_every_flipped_bit_is_found() {
    let path = Path::new("tibia.flexbody");
    let bytes = sample().select(&[2]).unwrap().to_bytes().unwrap();
    for length in 0..bytes.len() {
        let text = FlexBodyFile::from_bytes(path, &bytes[..length]).unwrap_err().to_string();
        assert!(text.contains(if length == 0 { "not a flexible body" } else { "cut short" }), "{length}: {text}");
    }
    for bit in 0..8 * bytes.len() {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert!(FlexBodyFile::from_bytes(path, &damaged).is_err(), "bit {bit}");
    }
}

/// Behind a right checksum any payload is an error or a sound body, never a panic or a huge allocation.
#[test]
fn forged_payloads_do_not_panic() {
    use sha2::{Digest, Sha256};
    let path = Path::new("forged.flexbody");
    let bytes = sample().select(&[2]).unwrap().to_bytes().unwrap();
    let end = bytes.len() - 32;
    for bit in (8 * 20..8 * end).step_by(5) {
        let mut forged = bytes.clone();
        forged[bit / 8] ^= 1 << (bit % 8);
        let checksum = Sha256::digest(&forged[..end]);
        forged[end..].copy_from_slice(&checksum);
        if let Ok(file) = FlexBodyFile::from_bytes(path, &forged) {
            file.body.check().unwrap();
        }
    }
}

#[test]
fn messages_say_what_is_wrong() {
    let file = Temporary::new("messages");
    assert!(message(&file.0).contains("cannot be read"));
    std::fs::write(&file.0, b"solid tibia").unwrap();
    assert!(message(&file.0).contains("not a flexible body"));
    sample().save(&file.0).unwrap();
    let bytes = std::fs::read(&file.0).unwrap();
    let changed = |at: usize, value: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = value;
        std::fs::write(&file.0, bytes).unwrap();
        message(&file.0)
    };
    assert!(changed(8, 9).contains("version 9, this program reads version 3"));
    assert!(changed(bytes.len() / 2, bytes[bytes.len() / 2] ^ 1).contains("checksum is wrong"));
    let longer: Vec<u8> = bytes.iter().copied().chain([0]).collect();
    std::fs::write(&file.0, longer).unwrap();
    assert!(message(&file.0).contains("must have"));
}

/// A body that breaks a rule is neither written nor leaves half a file.
#[test]
fn unsound_bodies_are_not_written() {
    let file = Temporary::new("unsound");
    let mut content = sample();
    content.body.stiffness[(0, 0)] = f64::NAN;
    assert!(content.save(&file.0).is_err() && !file.0.exists());
    let mut content = sample();
    content.surface = Some(sample_surface(5, 2));
    assert!(content.save(&file.0).unwrap_err().to_string().contains("surface of sample"));
    let mut content = sample();
    if let Some(surface) = &mut content.surface {
        surface.triangles[0][1] = 5;
    }
    assert!(content.save(&file.0).unwrap_err().to_string().contains("beyond its 5 nodes"));
    assert!(!file.0.exists());
}

/// A bone of 3000 surface nodes and 20 modes (5 MB) comes back whole, with and without its surface.
#[test]
fn large_files_come_back() {
    let file = Temporary::new("large");
    let written = FlexBodyFile { surface: Some(sample_surface(3000, 20)), ..FlexBodyFile::of(sample_body(20)) };
    written.save(&file.0).unwrap();
    assert_eq!(FlexBody::load(&file.0).unwrap(), written.body);
    assert_eq!(FlexBodyFile::load(&file.0).unwrap().surface, written.surface);
}
