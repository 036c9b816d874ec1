use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use wolff_fem::ElementKind;
use wolff_fem::mesh::TetMesh;
use wolff_fem::quality::quality;
use wolff_meshes::solid::{MeshFormat, read_mesh, read_mesh_bytes, write_mesh};

use super::assert_relative;
use super::{Scratch, sample, vtu};

#[test]
fn content_decides_and_the_name_helps() {
    let scratch = Scratch::new("detect");
    let path = scratch.0.join("really-vtu.msh");
    std::fs::write(&path, vtu::TEXT).unwrap();
    assert_eq!(read_mesh(&path).unwrap().element_count(), 1);
    assert_eq!(MeshFormat::of_content(b"\xef\xbb\xbf\n** comment\n*NODE"), Some(MeshFormat::Inp));
    assert_eq!(MeshFormat::of_content(b"# vtk DataFile Version 3.0"), Some(MeshFormat::LegacyVtk));
    assert_eq!(MeshFormat::of_content(b"solid name"), None);
    assert_eq!(MeshFormat::of_name(Path::new("x/a.VTU.GZ")), Some(MeshFormat::Vtu));
    assert_eq!(MeshFormat::of_name(Path::new("x/gz")), None);
}

#[test]
fn unknown_missing_and_damaged_files_are_named() {
    let scratch = Scratch::new("unknown");
    let path = scratch.0.join("a.stl");
    let message = read_mesh(&path).unwrap_err().to_string();
    assert!(message.starts_with("cannot read") && message.contains("a.stl"), "{message}");
    std::fs::write(&path, "solid a").unwrap();
    let message = read_mesh(&path).unwrap_err().to_string();
    assert!(message.contains("a.stl") && message.contains("Gmsh .msh"), "{message}");
    std::fs::write(&path, [0x1f, 0x8b, 8, 0, 1, 2, 3]).unwrap();
    assert!(read_mesh(&path).unwrap_err().to_string().contains("gzip"));
    let message = write_mesh(&path, &sample(ElementKind::Tet4)).unwrap_err().to_string();
    assert!(message.contains("should end in .msh, .inp or .vtu"), "{message}");
    let nowhere = scratch.0.join("no-folder").join("a.msh");
    assert!(write_mesh(nowhere, &sample(ElementKind::Tet4)).unwrap_err().to_string().starts_with("cannot write"));
}

#[test]
fn packed_bytes_are_read_whatever_the_format() {
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    packer.write_all(&super::legacy::binary_new()).unwrap();
    assert_eq!(read_mesh_bytes(&packer.finish().unwrap(), MeshFormat::LegacyVtk).unwrap().element_count(), 2);
}

/// A tube of 421 mm between radii of 27 and 37 mm, meshed by an independent program.
#[test]
fn shank_meshes_of_another_program_are_read() {
    let exact = std::f64::consts::PI * (0.037f64.powi(2) - 0.027f64.powi(2)) * 0.421;
    // Counts from the lines of the files; the volume misses what chords cut off: (2π/n)²/6 of straight edges.
    for (name, kind, nodes, off) in
        [("shank_tet4.inp.gz", ElementKind::Tet4, 5790, 1e-2), ("shank_tet10.inp.gz", ElementKind::Tet10, 7641, 1e-3)]
    {
        let Some(path) = wolff_testdata::shared(&format!("reference/meshes/{name}")) else { continue };
        let mesh: TetMesh = read_mesh(&path).unwrap();
        assert_eq!((mesh.kind(), mesh.nodes().len()), (kind, nodes));
        assert_eq!(mesh.node_set("NALL").unwrap().len(), nodes);
        assert_eq!(mesh.element_set("EALL").unwrap().len(), mesh.element_count());
        assert_relative(&[mesh.volume()], &[exact], off);
        quality(&mesh).require_sound().unwrap();
    }
}
