//! The mesh of a bone with its attachments and joints.

use nalgebra::Matrix6;
use std::collections::HashMap;
use std::fmt::Write as _;
use wolff_bone::BoneError;
use wolff_bone::person::Solid;
use wolff_bone::segment::WalkingBone;
use wolff_fem::assembly::assemble;
use wolff_fem::attachment::Attachment;
use wolff_fem::locate::Locator;
use wolff_fem::recovery::Recovery;
use wolff_fem::relief::RigidMotions;
use wolff_meshes::solid::inp::write_inp;
use wolff_meshes::solid::vtk::write::{Fields, write_vtu};
use wolff_spatial::Vec3;

/// Node sets of the rigid joint faces, proximal first.
const FACES: [&str; 2] = ["proximal", "distal"];

/// Entries of an elasticity matrix (order xx, yy, zz, xy, yz, zx) in the order of `*ELASTIC, TYPE=ANISO`.
const ANISOTROPIC: [(usize, usize); 21] = [
    (0, 0),
    (0, 1),
    (1, 1),
    (0, 2),
    (1, 2),
    (2, 2),
    (0, 3),
    (1, 3),
    (2, 3),
    (3, 3),
    (0, 5),
    (1, 5),
    (2, 5),
    (3, 5),
    (5, 5),
    (0, 4),
    (1, 4),
    (2, 4),
    (3, 4),
    (5, 4),
    (4, 4),
];

/// A mesh, the patches of its attachments, and its joints.
pub(super) struct Coupled<'a> {
    solid: &'a Solid,
    /// Attachments that are held by patches.
    pub patches: Vec<Attachment>,
    /// Names of both joints.
    pub joints: &'a [String; 2],
    /// Their reference points \[m\].
    pub references: [Vec3; 2],
}

impl<'a> Coupled<'a> {
    pub fn new(bone: &'a WalkingBone) -> Result<Self, BoneError> {
        let solid: &Solid = &bone.solid;
        let (recovery, locator) = (Recovery::new(&solid.mesh), Locator::new(&solid.mesh)?);
        let mut patches = Vec::new();
        for attachment in &bone.attachments {
            if let Some(spec) = attachment.patch_spec(solid)? {
                patches.push(Attachment::new(&spec, &recovery, &locator)?);
            }
        }
        let reference = |joint: &String| bone.body.node(joint).map(|node| node.position);
        let [proximal, distal] = &bone.joints;
        let references = [reference(proximal)?, reference(distal)?];
        Ok(Coupled { solid, patches, joints: &bone.joints, references })
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.solid.mesh.nodes().len()
    }

    /// Number in the file of the node that displaces (0) or turns (1) the rigid face of a joint.
    pub fn reference_node(&self, joint: usize, turning: usize) -> usize {
        self.nodes() + 1 + 2 * joint + turning
    }

    /// The inertia of the mass of the bone, without soft tissue.
    pub fn balance(&self) -> Result<RigidMotions, BoneError> {
        let Solid { mesh, materials, .. } = self.solid;
        Ok(RigidMotions::new(mesh, &assemble(mesh, materials)?)?)
    }

    /// The mesh for ParaView.
    pub fn vtu(&self) -> Result<Vec<u8>, BoneError> {
        let mut bytes = Vec::new();
        write_vtu(&mut bytes, &self.solid.mesh, &Fields::default())?;
        Ok(bytes)
    }

    /// Nodes, elements, sets, materials in the axes of the segment, and rigid joint faces.
    pub fn inp(&self) -> Result<Vec<u8>, BoneError> {
        let mut mesh = self.solid.mesh.clone();
        for patch in &self.patches {
            mesh.set_nodes(&format!("patch_{}", patch.name), patch.nodes.clone())?;
        }
        let groups = self.materials();
        for (k, group) in groups.iter().enumerate() {
            mesh.set_elements(&material_name(k), group.elements.clone())?;
        }
        let mut bytes = Vec::new();
        write_inp(&mut bytes, &mesh)?;
        let text = String::from_utf8_lossy(&bytes);
        // reference nodes are written in the same block as the others: some readers accept only one block
        let (nodes, rest) = text.split_once("*ELEMENT").unwrap_or((&text, ""));
        let mut out = String::with_capacity(text.len() + 4096);
        out += "** units m, kg, s, N, Pa; axes of the segment; see README.md\n";
        out += nodes;
        for (joint, x) in self.references.iter().enumerate() {
            for turning in 0..2 {
                let _ = writeln!(out, "{}, {:e}, {:e}, {:e}", self.reference_node(joint, turning), x.x, x.y, x.z);
            }
        }
        out += "*ELEMENT";
        out += rest;
        groups.iter().enumerate().for_each(|(k, group)| group.write(k, &mut out));
        for (joint, face) in FACES.into_iter().enumerate() {
            let [moving, turning] = [0, 1].map(|turning| self.reference_node(joint, turning));
            let _ = writeln!(out, "*RIGID BODY, NSET={face}, REF NODE={moving}, ROT NODE={turning}");
        }
        Ok(out.into_bytes())
    }

    /// Elements of equal stiffness and density, in the order of their first occurrence.
    fn materials(&self) -> Vec<MaterialGroup> {
        let Solid { mesh, materials, .. } = self.solid;
        let mut groups: Vec<MaterialGroup> = Vec::new();
        let mut known: HashMap<Vec<u64>, usize> = HashMap::new();
        for element in 0..mesh.element_count() {
            let (stiffness, density) = (materials.stiffness(element), materials.density(element));
            let key = stiffness.iter().chain([&density]).map(|x| x.to_bits()).collect();
            let group = *known.entry(key).or_insert(groups.len());
            if group == groups.len() {
                groups.push(MaterialGroup { stiffness: *stiffness, density, elements: Vec::new() });
            }
            groups[group].elements.push(element);
        }
        groups
    }
}

/// Elements of one material and orientation.
struct MaterialGroup {
    /// In the axes of the segment \[Pa\].
    stiffness: Matrix6<f64>,
    density: f64,
    elements: Vec<usize>,
}

impl MaterialGroup {
    fn write(&self, k: usize, out: &mut String) {
        let name = material_name(k);
        let _ = writeln!(out, "*MATERIAL, NAME={name}\n*ELASTIC, TYPE=ANISO");
        for line in ANISOTROPIC.chunks(8) {
            let numbers: Vec<String> = line.iter().map(|at| format!("{:e}", self.stiffness[*at])).collect();
            let _ = writeln!(out, "{}", numbers.join(", "));
        }
        let _ = writeln!(out, "*DENSITY\n{:e}\n*SOLID SECTION, ELSET={name}, MATERIAL={name}", self.density);
    }
}

fn material_name(k: usize) -> String {
    format!("material_{}", k + 1)
}
