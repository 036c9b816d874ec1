//! Files cut off or changed anywhere give an error or a mesh, never a panic.

use proptest::prelude::*;
use wolff_fem::ElementKind;
use wolff_meshes::solid::{MeshFormat, gmsh, inp, read_mesh_bytes, vtk};

use super::{gmsh as gmsh_tests, legacy, sample, vtu};

/// Small files of every variant.
fn files() -> Vec<(MeshFormat, Vec<u8>)> {
    let mesh = sample(ElementKind::Tet10);
    let (mut msh, mut text) = (Vec::new(), Vec::new());
    gmsh::write_msh(&mut msh, &mesh).unwrap();
    inp::write_inp(&mut text, &mesh).unwrap();
    let mut written = Vec::new();
    vtk::write::write_vtu(&mut written, &mesh, &Default::default()).unwrap();
    let mut files = vec![
        (MeshFormat::Gmsh, msh),
        (MeshFormat::Inp, text),
        (MeshFormat::Vtu, written),
        (MeshFormat::Vtu, vtu::TEXT.into()),
        (MeshFormat::LegacyVtk, legacy::binary_old()),
        (MeshFormat::LegacyVtk, legacy::binary_new()),
    ];
    for big in [false, true] {
        files.push((MeshFormat::Gmsh, gmsh_tests::binary_2(big)));
        files.push((MeshFormat::Gmsh, gmsh_tests::binary_4(big)));
    }
    files.extend(vtu::styles().iter().map(|style| (MeshFormat::Vtu, style.file())));
    files
}

#[test]
fn truncated_files_are_refused_or_read() {
    for (format, bytes) in files() {
        assert!(read_mesh_bytes(&bytes, format).is_ok());
        let step = (bytes.len() / 400).max(1);
        for length in (0..bytes.len()).step_by(step) {
            let _ = read_mesh_bytes(&bytes[..length], format);
        }
        assert!(read_mesh_bytes(&bytes[..bytes.len() / 2], format).is_err(), "half a {format} file");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn changed_files_are_refused_or_read(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4)) {
        for (format, mut bytes) in files() {
            for (index, value) in &changes {
                let at = index.index(bytes.len());
                bytes[at] = *value;
            }
            for other in [format, MeshFormat::Gmsh, MeshFormat::Inp, MeshFormat::Vtu, MeshFormat::LegacyVtk] {
                let _ = read_mesh_bytes(&bytes, other);
            }
        }
    }
}
