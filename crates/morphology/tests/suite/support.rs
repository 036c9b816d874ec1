//! Bones of the validation data, and what may happen to them.

use std::collections::HashMap;

use wolff_anatomy::Side;
use wolff_geometry::TriangleMesh;
use wolff_morphology::BoneKind;
use wolff_spatial::{Mat3, Quaternion, Vec3};

/// A bone of the validation data with what is known about it: anterior and up in its file.
pub struct Known {
    pub path: &'static str,
    pub kind: BoneKind,
    pub side: Side,
    pub anterior: Vec3,
    pub up: Vec3,
}

const fn known(path: &'static str, kind: BoneKind, side: Side, anterior: [f64; 3], up: [f64; 3]) -> Known {
    Known {
        path,
        kind,
        side,
        anterior: Vec3::new(anterior[0], anterior[1], anterior[2]),
        up: Vec3::new(up[0], up[1], up[2]),
    }
}

const BACKWARD_Y: [f64; 3] = [0.0, -1.0, 0.0];
const Z: [f64; 3] = [0.0, 0.0, 1.0];

/// Whole bones: BodyParts3D and the scan lie in the axes of the patient, those of subject DM in the axes of OpenSim.
pub const WHOLE: [Known; 8] = [
    known("data/bones/bodyparts3d/femur_r_FMA24474.stl", BoneKind::Femur, Side::Right, BACKWARD_Y, Z),
    known("data/bones/bodyparts3d/tibia_r_FMA24477.stl", BoneKind::Tibia, Side::Right, BACKWARD_Y, Z),
    known("data/bones/bodyparts3d/fibula_r_FMA24480.stl", BoneKind::Fibula, Side::Right, BACKWARD_Y, Z),
    known("data/bones/bodyparts3d/patella_r_FMA24486.stl", BoneKind::Patella, Side::Right, BACKWARD_Y, Z),
    known("data/knee-tka-dm/mesh/Femur.stl", BoneKind::Femur, Side::Right, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]),
    known("data/knee-tka-dm/mesh/Tibia.stl", BoneKind::Tibia, Side::Right, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]),
    known("data/synthetic-ct/bone_lps.stl", BoneKind::Tibia, Side::Right, BACKWARD_Y, Z),
    known("data/bones/femur-tet/femur.msh", BoneKind::Femur, Side::Left, BACKWARD_Y, Z),
];

/// The surface of a file of the validation data, in its own unit; `None`, recorded, if it is absent.
pub fn load(path: &str) -> Option<TriangleMesh> {
    let file = wolff_testdata::shared(path)?;
    if path.ends_with(".msh") {
        let mesh = wolff_meshes::solid::read_mesh(&file).unwrap();
        let corner = |nodes: &[usize]| [nodes[0] as u32, nodes[1] as u32, nodes[2] as u32];
        let triangles = mesh.boundary().unwrap().iter().map(|face| corner(&face.nodes)).collect();
        return Some(TriangleMesh::cleaned(mesh.nodes().to_vec(), triangles, false).unwrap().mesh);
    }
    Some(wolff_meshes::surface::read(path, &std::fs::read(file).unwrap()).unwrap().mesh)
}

/// Numbers between -1 and 1 that look random and are the same every time.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }

    pub fn rotation(&mut self) -> Mat3 {
        let quaternion = Quaternion { w: self.next(), v: self.vector() };
        quaternion.normalized().unwrap().matrix()
    }
}

/// The mesh mapped by `x -> A x + b`; a mirror turns the triangles.
pub fn moved(mesh: &TriangleMesh, map: &Mat3, shift: &Vec3) -> TriangleMesh {
    let vertices = mesh.vertices().iter().map(|x| map * x + shift).collect();
    let mesh = TriangleMesh::new(vertices, mesh.triangles().to_vec()).unwrap();
    if map.determinant() < 0.0 { mesh.flipped() } else { mesh }
}

/// A coarser and noisier mesh: vertices in cells of this size become one, which is shifted by up to `noise`.
pub fn coarser(mesh: &TriangleMesh, cell: f64, noise: f64) -> TriangleMesh {
    let mut random = Random::new(5);
    let mut of_cell: HashMap<[i64; 3], u32> = HashMap::new();
    let mut vertices = Vec::new();
    let place: Vec<u32> = mesh
        .vertices()
        .iter()
        .map(|x| {
            *of_cell.entry([0, 1, 2].map(|d| (x[d] / cell).floor() as i64)).or_insert_with(|| {
                vertices.push(x + random.vector() * noise);
                vertices.len() as u32 - 1
            })
        })
        .collect();
    let triangles = mesh.triangles().iter().map(|t| t.map(|v| place[v as usize]));
    let solid = triangles.filter(|[a, b, c]| a != b && b != c && c != a).collect();
    TriangleMesh::cleaned(vertices, solid, false).unwrap().mesh
}
