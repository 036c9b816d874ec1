//! Can the mesh and the material of a solid be right?

use super::{MaterialChoice, Recipe, SolidSource};
use wolff_fem::material::MaterialField;
use wolff_fem::quality::QualityReport;
use wolff_fem::summary::{MeshSummary, summarise};
use wolff_fem::{ElementKind, TetMesh};
use wolff_meshes::solid::file_materials;
use wolff_spatial::Vec3;
use wolff_verdict::constant::{DENSITY, POISSON, YOUNG};
use wolff_verdict::{Finding, Judgement, Limit};

/// A solid is long in one direction if it is this many times as long as broad.
const LONG: f64 = 2.0;

/// Largest angle between the given direction of a bone and its longest one \[deg\]: shafts are bent and bones have
/// heads that stand aside, but by less.
const ASKEW: f64 = 30.0;

/// Four-node tetrahedra across the shortest side for which bending frequencies are at most about 5 % too high.
const LINEAR_ACROSS: f64 = 6.0;

/// Ten-node tetrahedra across the shortest side.
const QUADRATIC_ACROSS: f64 = 1.0;

/// A point without a radius may be this far from the nearest node of the mesh \[m\], as a gauge from the surface.
const FAR: f64 = 5e-3;

impl MaterialChoice {
    /// Findings on the constants that a user has given.
    pub fn findings(&self) -> Vec<Finding> {
        let t = &self.transverse;
        let moduli = match self.name.as_str() {
            "isotropic" => vec![("the solid", self.young)],
            "transversely-isotropic" => {
                vec![("the solid along the bone", t.young_axial), ("the solid across the bone", t.young_transverse)]
            }
            _ => Vec::new(),
        };
        let mut found: Vec<Finding> = moduli.into_iter().filter_map(|(of, value)| YOUNG.finding(of, value)).collect();
        if self.name == "isotropic" {
            found.extend(POISSON.finding("the solid", self.poisson));
        }
        found
    }
}

impl Recipe {
    /// Findings on the size, the axis and the material of the solid that [`Recipe::solid`] gave.
    pub fn findings(&self, mesh: &TetMesh, materials: &MaterialField) -> Vec<Finding> {
        let mut found: Vec<Finding> = self.size_finding(mesh).into_iter().collect();
        let summary = summarise(mesh);
        found.extend(self.material.findings());
        let of = if self.mass.is_some() { "the solid with the given mass" } else { "the solid" };
        found.extend(DENSITY.finding(of, materials.mass(mesh) / summary.volume));
        found.extend(self.place_findings(mesh, &summary));
        if let SolidSource::Mesh { path, axis, .. } = &self.solid {
            found.extend(self.axis_finding(&summary, axis));
            found.extend(self.unused_material(path));
        }
        found
    }

    /// The direction of an anisotropic material should be that in which the solid is longest.
    fn axis_finding(&self, summary: &MeshSummary, axis: &Vec3) -> Option<Finding> {
        let [long, broad, _] = summary.extents;
        let angle = axis.normalize().dot(&summary.longest).abs().min(1.0).acos().to_degrees();
        if self.material.name == "isotropic" || long < LONG * broad || angle <= ASKEW {
            return None;
        }
        // of the two directions along the axis, the one whose largest component is positive
        let [x, y, z] = (summary.longest * summary.longest[summary.longest.iamax()].signum()).map(|c| c + 0.0).into();
        let message = format!(
            "the direction of the bone, which is that of the grain of the material, is {angle:.0}° off the direction \
             in which the mesh is longest, ({x:.2}, {y:.2}, {z:.2})"
        );
        Some(Finding::warning(message, format!("if that one is meant, give --axis {x:.3},{y:.3},{z:.3}")))
    }

    /// Points and interface nodes that are far from the solid, and patches larger than it.
    fn place_findings(&self, mesh: &TetMesh, summary: &MeshSummary) -> Vec<Finding> {
        let mut found = Vec::new();
        let nearest = |at: &Vec3| mesh.nodes().iter().map(|x| (x - at).norm()).fold(f64::INFINITY, f64::min);
        let [length, ..] = summary.extents;
        for (name, at, radius) in &self.points {
            let distance = nearest(at);
            if distance > FAR.max(*radius).max(2.0 * summary.mean_edge) {
                let message = format!("point `{name}` is {:.0} mm off the mesh", 1e3 * distance);
                found.push(Finding::error(message, "give its position in m, on the surface"));
            }
            if *radius > 0.5 * length {
                let message = format!("the radius of point `{name}` is {radius} m, and the mesh is {length:.3} m long");
                found.push(Finding::error(message, "give the radius in m, of the size of the attachment"));
            }
        }
        for interface in &self.interfaces {
            let distance = interface.at.map(|at| (nearest(&at), at));
            if let Some((distance, _)) = distance.filter(|(distance, _)| *distance > length) {
                let message = format!(
                    "the node of interface `{}` is {distance:.2} m off the mesh, which is {length:.2} m long",
                    interface.name
                );
                found.push(Finding::error(message, "give its position in m"));
            }
        }
        found
    }

    /// Materials of the file, which are not read.
    fn unused_material(&self, path: &std::path::Path) -> Option<Finding> {
        let materials = file_materials(path);
        let first = materials.first()?;
        let value = |name: &str, value: Option<f64>| value.map(|value| format!("{name} {value}"));
        let constants: Vec<String> =
            [value("elastic constant", first.young), value("density", first.density)].into_iter().flatten().collect();
        let message = format!(
            "the file defines a material, `{}` ({}, in the units of the file), which is not used: the material is `{}`",
            first.name,
            constants.join(", "),
            self.material.name
        );
        Some(Finding::warning(message, "give its constants with --young, --poisson and --density, in SI units"))
    }
}

/// Judges whether a mesh from a file is fine enough for bending, and adds findings on its mid nodes.
pub fn judge_resolution(judgement: &mut Judgement, summary: &MeshSummary, quality: &QualityReport) {
    judgement.found(mid_node_finding(quality));
    let across = summary.elements_across();
    let (limit, source) = match summary.kind {
        ElementKind::Tet4 => (
            LINEAR_ACROSS,
            "four-node tetrahedra are too stiff in bending: about 30 % too high frequencies with 2 across, 10 % with 4",
        ),
        ElementKind::Tet10 => (QUADRATIC_ACROSS, "own choice: at least one ten-node tetrahedron across"),
    };
    let limit = Limit::at_least(limit, f64::NEG_INFINITY).because(source);
    let remedy = match summary.kind {
        ElementKind::Tet4 => "use ten-node tetrahedra: `wolff mesh convert FILE OUT --tet10`; or a finer mesh",
        ElementKind::Tet10 => "use a finer mesh",
    };
    judgement.judge("elements across the shortest side of the mesh", "", across, &limit, remedy);
}

/// Mid nodes that are not in the middle of their edges.
pub fn mid_node_finding(quality: &QualityReport) -> Option<Finding> {
    let middles = &quality.mid_nodes;
    let count = middles.off_middle.len();
    // a wrong order of the nodes is reported as such
    (count > 0 && !middles.is_gmsh_order).then(|| {
        let message = format!(
            "{count} elements have mid nodes off the middle of their edge, by up to {:.0} % of its length, which \
             spoils their stiffness",
            100.0 * middles.largest
        );
        Finding::warning(message, "put them in the middle with the program that made the mesh, or remesh")
    })
}
