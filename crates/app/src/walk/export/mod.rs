//! The folder `loads` of a run: for each flexible bone, all data needed to reproduce its balance and its strains with
//! other programs.
//!
//! | file of a bone | made in | content |
//! |---|---|---|
//! | `README.md` | here | frames, signs, units, formulas |
//! | `mesh.inp`, `mesh.vtu` | `mesh` | elements, sets, materials, rigid joint faces |
//! | `body.json` | `body` | inertia integrals, modes at nodes, gauges |
//! | `loads.csv`, `motion.csv`, `modes.csv` | `samples` | everything that changes with time |
//! | `step-T.inp`, `gauges-T.csv` | `step` | loads at one time on the mesh, and the strains of the gauges |

mod body;
mod mesh;
mod samples;
mod step;

use super::cycle::last_stride;
use super::plan::Planned;
use wolff_anatomy::Side;
use wolff_bone::segment::WalkingBone;
use wolff_movement::MovementError;
use wolff_movement::loads::BoneLoads;
use wolff_movement::simulate::MovementResult;
use wolff_report::outcome::File;

/// The description that is written into the folder of each bone.
const README: &str = include_str!("README.md");

/// A bone of a run.
struct Export<'a> {
    result: &'a MovementResult,
    bone: &'a WalkingBone,
    loads: &'a BoneLoads,
    /// Step of the integrator \[s\]; zero for a prescribed walk, which has none.
    step: f64,
}

/// All files of all bones.
pub(super) fn files(planned: &Planned, result: &MovementResult) -> Result<Vec<File>, MovementError> {
    let step = if planned.plan.prescribed { 0.0 } else { planned.plan.step };
    let mut all = Vec::new();
    for flexible in &result.bones {
        let Some(loads) = result.loads.bone(flexible.name.segment()) else { continue };
        let export = Export { result, bone: &flexible.bone, loads, step };
        let files = export.files()?;
        let named = |(name, bytes)| File { name: format!("loads/{}/{name}", loads.segment), bytes };
        all.extend(files.into_iter().map(named));
    }
    Ok(all)
}

impl Export<'_> {
    fn files(&self) -> Result<Vec<(String, Vec<u8>)>, MovementError> {
        let coupled = mesh::Coupled::new(self.bone)?;
        let mut files = vec![
            ("README.md".to_string(), README.as_bytes().to_vec()),
            ("mesh.inp".to_string(), coupled.inp()?),
            ("mesh.vtu".to_string(), coupled.vtu()?),
            ("body.json".to_string(), self.body_json()?),
            ("loads.csv".to_string(), self.loads_csv()),
            ("motion.csv".to_string(), self.motion_csv()?),
            ("modes.csv".to_string(), self.modes_csv()?),
        ];
        // a fibula carries loads in parallel to the mesh
        if self.bone.report.fibula_stiffness.is_none() {
            let instants = self.instants();
            if !instants.is_empty() {
                let balance = coupled.balance()?;
                for row in instants {
                    files.push((self.named("step", row, "inp"), self.step_inp(row, &coupled, &balance)?));
                    files.push((self.named("gauges", row, "csv"), self.gauges_csv(row)));
                }
            }
        }
        Ok(files)
    }

    fn named(&self, what: &str, row: usize, end: &str) -> String {
        format!("{what}-{:.4}.{end}", self.result.record.times[row])
    }

    /// The samples of the last stride whose loads are written on the mesh: at mid-length the largest compression, the
    /// largest shear force, and the largest bending moment in the first third of stance.
    fn instants(&self) -> Vec<usize> {
        let Some(middle) = self.loads.sections.iter().find(|section| section.fraction == 0.5) else {
            return Vec::new();
        };
        let foot = Side::of(&self.loads.segment).map_or(0, Side::index);
        let record = &self.result.record;
        let rows: Vec<usize> = last_stride(self.result).collect();
        let stance: Vec<usize> = rows.iter().copied().filter(|i| record.ground[*i][foot].force.y > 0.0).collect();
        let most = |rows: &[usize], size: &dyn Fn(usize) -> f64| {
            rows.iter().copied().max_by(|a, b| size(*a).total_cmp(&size(*b)))
        };
        let found = [
            most(&rows, &|i| -middle.distal[i].force.y),
            most(&rows, &|i| middle.distal[i].force.x.hypot(middle.distal[i].force.z)),
            most(&stance[..stance.len() / 3], &|i| middle.distal[i].moment.x.hypot(middle.distal[i].moment.z)),
        ];
        let mut instants: Vec<usize> = found.into_iter().flatten().collect();
        instants.sort_unstable();
        instants.dedup();
        instants
    }
}
