//! States of the muscles with which computed muscle control begins.

use crate::cmc::Controller;
use wolff_motion::MotionError;

/// Excitation with which fibres first come to equilibrium (OpenSim).
const FIRST_EXCITATION: f64 = 0.01;

/// The state at `t + settling` \[s\], and that time: pose and speeds are those of the motion.
///
/// As in OpenSim: fibres come to equilibrium under little excitation, controls of a first window are found, fibres come
/// to equilibrium under these, and the window is repeated from there; the muscles' states are those at its end. Where
/// OpenSim integrates 0.2 s at a fixed pose, the equilibrium itself is computed here.
pub(crate) fn initial_states(
    controller: &mut Controller<'_, '_>,
    t: f64,
    settling: f64,
) -> Result<(Vec<f64>, f64), MotionError> {
    let mut y = vec![0.0; controller.plant.dim()];
    place(controller, t, &mut y)?;
    rest(controller, t, &mut y, |_| FIRST_EXCITATION);
    controller.find([t, t + settling], &y)?;
    let found = controller.controls.clone();
    rest(controller, t, &mut y, |k| found[k]);
    controller.find([t, t + settling], &y)?;
    controller.settle(&mut y);
    place(controller, t + settling, &mut y)?;
    Ok((y, t + settling))
}

/// Pose and speeds of the motion at a time, on the constraints.
fn place(controller: &mut Controller<'_, '_>, t: f64, y: &mut [f64]) -> Result<(), MotionError> {
    controller.tracking.at(t);
    let (nq, nv) = (controller.tracking.q.len(), controller.tracking.v.len());
    y[..nq].copy_from_slice(&controller.tracking.q);
    y[nq..nq + nv].copy_from_slice(&controller.tracking.v);
    controller.plant.project(t, y).map_err(MotionError::instant(t))?;
    Ok(())
}

/// Fibres in equilibrium at the pose of `y`, each under its excitation.
fn rest(controller: &mut Controller<'_, '_>, t: f64, y: &mut [f64], excitation: impl Fn(usize) -> f64) {
    let plant = &mut controller.plant;
    let nm = plant.fibres.len();
    let first = y.len() - 2 * nm;
    let mut lengths = vec![0.0; nm];
    let [q, v, _, _] = plant.split(y);
    plant.lengths(t, q, v, |k, length, _| lengths[k] = length);
    for (k, fibre) in plant.fibres.iter().enumerate() {
        [y[first + k], y[first + nm + k]] = fibre.at_rest(excitation(k), lengths[k]);
    }
}
