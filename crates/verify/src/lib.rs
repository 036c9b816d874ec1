//! Verification problems with independently computed references, built into the program.
//!
//! Each problem runs built-in studies or library calls and compares the numbers with references that were computed by
//! other means: closed forms, elliptic functions, high-order integration of minimal coordinates. The references are in
//! `references/*.json` with their origin; none of them was computed by this program.
//!
//! | file | problems |
//! |---|---|
//! | `items`, `table`, `trial` | comparison, reference tables, built-in studies as runnable models |
//! | `spheres`, `slider_crank`, `bouncing_ball` | collisions with every contact law |
//! | `human` | driven motion, multipliers and drift of constraints |
//! | `pendulums`, `loops`, `rotation` | rigid bodies: open chains, closed chains, rotation in space |
//! | `constraint_methods`, `kinematics` | augmented Lagrangian, coordinate partitioning; driven motion without masses |
//! | `flexible_beams`, `flexible_slider_crank`, `floating_frame` | flexible bodies |
//! | `elements`, `reduction`, `tube` | finite elements, reduction to modes, a tube of bone |
//! | `contact_functions`, `signals` | STEP and IMPACT, filters, correlation, splines |
//! | `imported` | contacts of imported models, computed muscle control |
//! | `local_forms` | stiffness from materials, quadratic ligaments, local splines |
//! | `foundation`, `nurbs` | layers under spheres and condyles, exact rational surfaces |

#![allow(non_snake_case)]

mod bouncing_ball;
mod constraint_methods;
mod contact_functions;
mod elements;
mod flexible_beams;
mod flexible_slider_crank;
mod floating_frame;
mod foundation;
mod human;
mod imported;
mod integrators;
mod items;
mod kinematics;
pub mod knee;
mod local_forms;
mod loops;
mod nurbs;
mod pendulums;
mod reduction;
mod rotation;
mod signals;
mod slider_crank;
mod spheres;
mod table;
mod trial;
mod tube;
mod tube_beam;
mod tube_chain;
mod tube_sector;

pub use items::VerifyItem;
use items::{Failure, Items};

/// A problem: the names of its items begin with its name.
struct Problem {
    name: &'static str,
    run: fn(&mut Items) -> Result<(), Failure>,
}

const PROBLEMS: [Problem; 29] = [
    Problem { name: "spheres", run: spheres::run },
    Problem { name: "slider-crank", run: slider_crank::run },
    Problem { name: "human-sagittal", run: human::run },
    Problem { name: "pendulum", run: pendulums::simple },
    Problem { name: "double-pendulum", run: pendulums::double },
    Problem { name: "four-bar", run: loops::four_bar },
    Problem { name: "andrews", run: loops::andrews },
    Problem { name: "bricard", run: loops::bricard },
    Problem { name: "flyball", run: loops::flyball },
    Problem { name: "constraint-methods", run: constraint_methods::run },
    Problem { name: "kinematics", run: kinematics::run },
    Problem { name: "heavy-top", run: rotation::heavy_top },
    Problem { name: "free-body", run: rotation::free_body },
    Problem { name: "spin-up", run: flexible_beams::spin_up },
    Problem { name: "flexible-pendulum", run: flexible_beams::pendulum },
    Problem { name: "flexible-slider-crank", run: flexible_slider_crank::run },
    Problem { name: "floating-frame", run: floating_frame::run },
    Problem { name: "elements", run: elements::run },
    Problem { name: "craig-bampton", run: reduction::run },
    Problem { name: "tube", run: tube::run },
    Problem { name: "integrators", run: integrators::run },
    Problem { name: "contact-functions", run: contact_functions::run },
    Problem { name: "signals", run: signals::run },
    Problem { name: "local-forms", run: local_forms::run },
    Problem { name: "bouncing-ball", run: bouncing_ball::run },
    Problem { name: "elastic-foundation", run: foundation::run },
    Problem { name: "nurbs", run: nurbs::run },
    Problem { name: "imported-contact", run: imported::contact },
    Problem { name: "muscle-control", run: imported::muscle_control },
];

/// Runs all problems, or those that `only` selects: a problem (`pendulum`, `double-pendulum`), items of one
/// (`spheres.flores`), or a part of the name of any item (`restitution`).
pub fn verify(only: Option<&str>, progress: &mut dyn FnMut(f64)) -> Vec<VerifyItem> {
    let chosen = chosen(only.unwrap_or_default());
    let mut found = Vec::new();
    for (done, problem) in chosen.iter().enumerate() {
        let mut items = Items::new(problem.name);
        if let Err(failure) = (problem.run)(&mut items) {
            items.failed("computed", &failure.to_string());
        }
        found.extend(items.into_iter().filter(|item| only.is_none_or(|part| item.id.contains(part))));
        progress((done + 1) as f64 / chosen.len() as f64);
    }
    found
}

/// The problems that can have items whose names contain `part`; if `part` names problems, the others are not run.
fn chosen(part: &str) -> Vec<&'static Problem> {
    let exact = PROBLEMS.iter().find(|p| part == p.name || part.starts_with(&format!("{}.", p.name)));
    if let Some(problem) = exact {
        return vec![problem];
    }
    let named: Vec<_> = PROBLEMS.iter().filter(|p| p.name.contains(part)).collect();
    if named.is_empty() { PROBLEMS.iter().collect() } else { named }
}
