//! Loads at one time on the mesh, and the strains of the gauges.

use super::Export;
use super::mesh::Coupled;
use nalgebra::DVector;
use std::fmt::Write as _;
use wolff_bone::BoneError;
use wolff_fem::relief::RigidMotions;
use wolff_fem::solve::Loads;
use wolff_flexbody::measures;
use wolff_movement::MovementError;
use wolff_movement::loads::NodeLoad;
use wolff_spatial::Vec3;

impl Export<'_> {
    /// A static step: each load of a sample, distributed over the nodes as in the reduction, and the inertia of the
    /// mass of the bone in equilibrium with them. Weight and inertia of soft tissue are distributed like the mass of
    /// the bone, as in the reduced body.
    pub(super) fn step_inp(
        &self,
        row: usize,
        mesh: &Coupled<'_>,
        balance: &RigidMotions,
    ) -> Result<Vec<u8>, MovementError> {
        let mut loads = Loads { nodal: vec![0.0; 3 * mesh.nodes()], interface: vec![[0.0; 6]; 2] };
        for load in &self.loads.samples[row].loads {
            let six = self.at_node(load, &self.loads.samples[row].eta)?;
            match mesh.joints.iter().position(|joint| *joint == load.node) {
                Some(joint) => loads.interface[joint].iter_mut().zip(six).for_each(|(sum, part)| *sum += part),
                None => {
                    let patch = mesh.patches.iter().find(|patch| patch.name == load.node);
                    patch.into_iter().for_each(|patch| patch.add_load(&six, &mut loads.nodal));
                }
            }
        }
        let loads = balance.balanced(&loads, &mesh.references);
        let mut out = format!(
            "** loads at {} s on mesh.inp; the reaction of the support is zero, because the loads are in equilibrium\n\
             *INCLUDE, INPUT=mesh.inp\n*STEP\n*STATIC\n*BOUNDARY\n{held}, 1, 3\n{turning}, 1, 3\n*CLOAD\n",
            self.result.record.times[row],
            held = mesh.reference_node(0, 0),
            turning = mesh.reference_node(0, 1),
        );
        for (joint, load) in loads.interface.iter().enumerate() {
            for (k, force) in load.iter().enumerate() {
                let _ = writeln!(out, "{}, {}, {force:e}", mesh.reference_node(joint, k / 3), k % 3 + 1);
            }
        }
        for (dof, force) in loads.nodal.iter().enumerate().filter(|(_, force)| **force != 0.0) {
            let _ = writeln!(out, "{}, {}, {force:e}", dof / 3 + 1, dof % 3 + 1);
        }
        out += "*NODE PRINT, NSET=surface\nU\n*END STEP\n";
        Ok(out.into_bytes())
    }

    /// Force, and moment about the node that carries the load at its position on the deformed bone, such that the small
    /// rotations of linear statics do the same work: for a node that is rotated by θ, the increment of rotation is `(1
    /// + θ̃/2) θ'`, so its moment is `M - θ × M / 2`, to first order in θ.
    fn at_node(&self, load: &NodeLoad, eta: &[f64]) -> Result<[f64; 6], MovementError> {
        let node = self.bone.body.node(&load.node).map_err(BoneError::from)?;
        let eta = DVector::from_column_slice(eta);
        let [shift, turn] = [&node.translation, &node.rotation].map(|shape| {
            let moved = shape * &eta;
            Vec3::new(moved[0], moved[1], moved[2])
        });
        let force = load.load.force;
        let moment = load.load.moment + (load.load.point - node.position - shift).cross(&force);
        let moment = moment - turn.cross(&moment) * 0.5;
        Ok([force.x, force.y, force.z, moment.x, moment.y, moment.z])
    }

    /// Strain of every gauge in its own axes, and its principal strains in the surface.
    pub(super) fn gauges_csv(&self, row: usize) -> Vec<u8> {
        let mut text = String::from("gauge,xx,yy,zz,xy,yz,zx,max_principal,min_principal\n");
        for gauge in &self.bone.body.gauges {
            let strain = gauge.strain(&self.loads.samples[row].eta_end);
            let plane = measures::in_plane(strain[0], strain[1], strain[3]);
            text += &gauge.name;
            strain.iter().for_each(|e| _ = write!(text, ",{e:e}"));
            let _ = writeln!(text, ",{:e},{:e}", plane.first, plane.second);
        }
        text.into_bytes()
    }
}
