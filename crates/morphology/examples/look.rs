#![allow(missing_docs)]
use wolff_morphology::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let bytes = std::fs::read(&a[1]).unwrap();
    let mesh = if a[1].ends_with("msh") {
        let m = wolff_meshes::solid::read_mesh_scaled(&a[1], 1.0).unwrap();
        let b = m.boundary().unwrap();
        let t: Vec<[u32; 3]> = b.iter().map(|f| [f.nodes[0] as u32, f.nodes[1] as u32, f.nodes[2] as u32]).collect();
        wolff_geometry::TriangleMesh::cleaned(m.nodes().to_vec(), t, false).unwrap().mesh
    } else {
        wolff_meshes::surface::read(&a[1], &bytes).unwrap().mesh
    };
    let given = Given { kind: a.get(3).and_then(|k| BoneKind::of(k)), lps: a.get(4).is_some(), ..Default::default() };
    let m = find(&mesh, &given).unwrap();
    println!("{} {:?} {:?}", a[1], m.remarks, m.confidence);
    for j in &m.joints {
        println!("  joint {} {:.4?} r {:?}", j.name, j.position.as_slice(), j.radius);
    }
    for w in m.judgement.warnings() {
        println!("  ! {w}");
    }
    for p in &m.patches {
        println!("  patch {} {}", p.name, p.triangles.len());
    }
    std::fs::write(&a[2], picture::picture(&mesh, &m, &a[1])).unwrap();
}
