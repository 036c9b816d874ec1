//! Files cut off or changed anywhere give an error or a mesh, never a panic.

use super::{OBJ, TEXT_STL, VTP, ball, vtp_file};
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, RngSeed};
use wolff_meshes::surface::{read, write};

fn files() -> Vec<(&'static str, Vec<u8>)> {
    let mesh = ball();
    let mut files = vec![
        ("a.stl", TEXT_STL.into()),
        ("a.obj", OBJ.into()),
        ("a.vtp", VTP.into()),
        ("a.stl", write("a.stl", &mesh).unwrap()),
        ("a.obj.gz", write("a.obj.gz", &mesh).unwrap()),
    ];
    for place in ["binary", "base64", "raw"] {
        files.extend([false, true].map(|zlib| ("a.vtp", vtp_file(&mesh, place, zlib))));
    }
    files
}

#[test]
fn truncated_files_are_refused_or_read() {
    for (name, bytes) in files() {
        assert!(read(name, &bytes).is_ok(), "{name}");
        for length in (0..bytes.len()).step_by((bytes.len() / 300).max(1)) {
            let _ = read(name, &bytes[..length]);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, rng_seed: RngSeed::Fixed(20), rng_algorithm: RngAlgorithm::ChaCha, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn changed_files_are_refused_or_read(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5)) {
        for (name, mut bytes) in files() {
            for (index, value) in &changes {
                let at = index.index(bytes.len());
                bytes[at] = *value;
            }
            for other in [name, "b.stl", "b.obj", "b.vtp"] {
                if let Ok(found) = read(other, &bytes) {
                    // whatever was read keeps the rules of a mesh
                    let (vertices, triangles) = (found.mesh.vertices().to_vec(), found.mesh.triangles().to_vec());
                    prop_assert!(wolff_geometry::TriangleMesh::new(vertices, triangles).is_ok());
                }
            }
        }
    }
}
