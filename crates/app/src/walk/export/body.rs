//! The reduced body of a bone, for other programs.

use super::Export;
use nalgebra::DMatrix;
use serde_json::{Value, json};
use wolff_bone::BoneError;
use wolff_fem::locate::Locator;
use wolff_flexbody::Gauge;
use wolff_movement::MovementError;
use wolff_spatial::{Mat3, Vec3};

impl Export<'_> {
    /// Inertia integrals, stiffness, damping, nodes and gauges.
    pub(super) fn body_json(&self) -> Result<Vec<u8>, MovementError> {
        let (body, report) = (&self.bone.body, &self.bone.report);
        let i = &body.inertia;
        let locator = Locator::new(&self.bone.solid.mesh).map_err(BoneError::from)?;
        let gauges: Vec<Value> = body.gauges.iter().map(|g| gauge(g, &locator)).collect::<Result<_, _>>()?;
        let node = |n: &wolff_flexbody::Node| {
            json!({ "name": n.name, "position_m": n.position.as_slice(),
                    "translation": rows(&n.translation), "rotation": rows(&n.rotation) })
        };
        let gravity = self.result.muscled.model.gravity;
        let value = json!({
            "segment": self.loads.segment,
            "joints": self.bone.joints,
            "step_s": self.step,
            "gravity_m_s2": gravity.as_slice(),
            "bone_mass_kg": report.bone_mass,
            "fibula_stiffness_n_per_m": report.fibula_stiffness,
            "frequencies_hz": report.frequencies,
            "inertia": {
                "mass_kg": i.mass,
                "first_kg_m": i.first.as_slice(),
                "second_kg_m2": square(&i.second),
                "S": i.S.iter().map(Vec3::as_slice).collect::<Vec<_>>(),
                "B": i.B.iter().map(square).collect::<Vec<_>>(),
                "C": i.C.iter().map(square).collect::<Vec<_>>(),
            },
            "stiffness": rows(&body.stiffness),
            "damping": rows(&body.damping),
            "nodes": body.nodes.iter().map(node).collect::<Vec<_>>(),
            "gauges": gauges,
        });
        Ok(format!("{value}\n").into_bytes())
    }
}

/// A gauge with the mesh nodes between which its strain is interpolated, numbered as in `mesh.inp`.
fn gauge(g: &Gauge, locator: &Locator<'_>) -> Result<Value, MovementError> {
    let found = locator.on_surface(&g.position).map_err(BoneError::from)?;
    let weights = || found.weights.iter().filter(|(_, w)| *w != 0.0);
    Ok(json!({
        "name": g.name,
        "position_m": g.position.as_slice(),
        "axes": g.axes,
        "strain": rows(&g.strain),
        "mesh_nodes": weights().map(|(node, _)| node + 1).collect::<Vec<_>>(),
        "weights": weights().map(|(_, w)| *w).collect::<Vec<_>>(),
    }))
}

fn rows(m: &DMatrix<f64>) -> Vec<Vec<f64>> {
    m.row_iter().map(|row| row.iter().copied().collect()).collect()
}

fn square(m: &Mat3) -> [[f64; 3]; 3] {
    std::array::from_fn(|i| std::array::from_fn(|j| m[(i, j)]))
}
