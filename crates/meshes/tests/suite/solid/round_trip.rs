use wolff_fem::ElementKind;
use wolff_meshes::solid::{gmsh, inp, read_mesh, read_mesh_scaled, write_mesh};

use super::{Scratch, sample};

#[test]
fn every_written_file_is_read_back_equal_with_its_sets() {
    let scratch = Scratch::new("round-trip");
    for kind in [ElementKind::Tet4, ElementKind::Tet10] {
        let mesh = sample(kind);
        for name in ["a.msh", "a.inp", "a.vtu", "a.MSH.gz", "a.inp.gz", "a.vtu.gz"] {
            let path = scratch.0.join(name);
            write_mesh(&path, &mesh).unwrap();
            // Both sides have all digits, so nothing may differ.
            assert_eq!(read_mesh(&path).unwrap(), mesh, "{name} {kind:?}");
        }
    }
    let packed = std::fs::read(scratch.0.join("a.inp.gz")).unwrap();
    assert_eq!(packed[..2], [0x1f, 0x8b]);
    let names: Vec<_> = std::fs::read_dir(&scratch.0).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 6, "temporary files are left: {names:?}");
}

#[test]
fn sizes_of_curved_elements_survive() {
    let scratch = Scratch::new("curved");
    let mesh = wolff_fem::generate::tube(ElementKind::Tet10, 0.4, 0.02, 0.03, [1, 6, 4]).unwrap();
    for name in ["a.msh", "a.inp", "a.vtu"] {
        let path = scratch.0.join(name);
        write_mesh(&path, &mesh).unwrap();
        assert_eq!(read_mesh(&path).unwrap().volume(), mesh.volume());
        let scaled = read_mesh_scaled(&path, 1e-3).unwrap();
        assert!((scaled.volume() / mesh.volume() - 1e-9).abs() < 1e-9 * 1e-12);
        assert_eq!(scaled.node_set("start").unwrap(), mesh.node_set("start").unwrap());
    }
    for scale in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let message = read_mesh_scaled(scratch.0.join("a.msh"), scale).unwrap_err().to_string();
        assert!(message.contains("1e-3 for a mesh in mm"), "{message}");
    }
}

#[test]
fn names_that_a_format_cannot_hold_are_refused() {
    let mut mesh = sample(ElementKind::Tet4);
    mesh.set_nodes("a,b", vec![0]).unwrap();
    let message = inp::write_inp(&mut Vec::new(), &mesh).unwrap_err().to_string();
    assert!(message.contains("`a,b`") && message.contains("rename"), "{message}");
    gmsh::write_msh(&mut Vec::new(), &mesh).unwrap();
    mesh.set_elements("in \"quotes\"", vec![0]).unwrap();
    let message = gmsh::write_msh(&mut Vec::new(), &mesh).unwrap_err().to_string();
    assert!(message.contains("quote"), "{message}");
    let mut mesh = sample(ElementKind::Tet4);
    mesh.set_nodes("Start", vec![0]).unwrap();
    let message = inp::write_inp(&mut Vec::new(), &mesh).unwrap_err().to_string();
    assert!(message.contains("`Start` and `start`"), "{message}");
}
