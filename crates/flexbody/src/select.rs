//! Fewer modes: which of them a motion needs, and the body without the others.

use nalgebra::DMatrix;

use crate::body::FlexBody;
use crate::error::FlexBodyError;
use crate::inertia::InertiaIntegrals;

/// Share of every mode in the strain energy of a motion, summed over its frames (`etas`, each with a value a mode):
///
/// ```text
/// share_i = Σ_frames ½ η_i (K η)_i / Σ_frames ½ ηᵀ K η
/// ```
///
/// The shares sum to 1. For orthonormal modes (`K` diagonal) none is negative. A motion without strain gives zeros.
///
/// # Errors
/// When a frame does not have a value for every mode, or a value is not finite.
pub fn strain_energy_shares(stiffness: &DMatrix<f64>, etas: &[Vec<f64>]) -> Result<Vec<f64>, FlexBodyError> {
    let n = stiffness.nrows();
    let mut energy = vec![0.0; n];
    for (frame, eta) in etas.iter().enumerate() {
        if eta.len() != n || !eta.iter().all(|x| x.is_finite()) {
            return Err(FlexBodyError::invalid(
                format!("modal history, frame {frame}"),
                format!("{} values, must be {n} finite ones, one a mode", eta.len()),
            ));
        }
        for (i, share) in energy.iter_mut().enumerate() {
            let force: f64 = stiffness.row(i).iter().zip(eta).map(|(k, eta)| k * eta).sum();
            *share += 0.5 * eta[i] * force;
        }
    }
    let total: f64 = energy.iter().sum();
    Ok(energy.iter().map(|e| if total > 0.0 { e / total } else { 0.0 }).collect())
}

/// The fewest modes whose shares reach `threshold` of the whole (0.999 for instance), in ascending order.
///
/// # Errors
/// When the threshold is not within 0 to 1.
pub fn keep_by_energy(shares: &[f64], threshold: f64) -> Result<Vec<usize>, FlexBodyError> {
    if !(0.0..=1.0).contains(&threshold) {
        return Err(FlexBodyError::invalid("energy threshold", format!("is {threshold}, must be within 0 to 1")));
    }
    let mut order: Vec<usize> = (0..shares.len()).collect();
    order.sort_by(|&i, &j| shares[j].total_cmp(&shares[i]));
    let wanted = threshold * shares.iter().sum::<f64>();
    let mut reached = 0.0;
    let mut kept: Vec<usize> = order
        .into_iter()
        .take_while(|&i| {
            let short = reached < wanted;
            reached += shares[i];
            short
        })
        .collect();
    kept.sort_unstable();
    Ok(kept)
}

/// Refuses modes that do not exist or repeat.
pub(crate) fn check_modes(object: &str, kept: &[usize], modes: usize) -> Result<(), FlexBodyError> {
    let mut seen = vec![false; modes];
    for &mode in kept {
        match seen.get_mut(mode) {
            Some(seen) if !*seen => *seen = true,
            Some(_) => return Err(FlexBodyError::invalid(object, format!("mode {mode} is selected twice"))),
            None => {
                let rule = format!("there is no mode {mode}; there are {modes}, numbered from 0");
                return Err(FlexBodyError::invalid(object, rule));
            }
        }
    }
    Ok(())
}

impl FlexBody {
    /// The body with these modes only, in this order (numbered from 0).
    ///
    /// # Errors
    /// When a mode does not exist or is named twice.
    pub fn select(&self, kept: &[usize]) -> Result<Self, FlexBodyError> {
        check_modes(&self.name, kept, self.modes())?;
        let square = |a: &DMatrix<f64>| DMatrix::from_fn(kept.len(), kept.len(), |i, j| a[(kept[i], kept[j])]);
        let mut body = FlexBody {
            name: self.name.clone(),
            inertia: self.inertia.select(kept),
            stiffness: square(&self.stiffness),
            damping: square(&self.damping),
            nodes: self.nodes.clone(),
            gauges: self.gauges.clone(),
        };
        for node in &mut body.nodes {
            node.translation = node.translation.select_columns(kept);
            node.rotation = node.rotation.select_columns(kept);
            node.second = pairs(&node.second, kept, self.modes());
            node.second_rotation = pairs(&node.second_rotation, kept, self.modes());
        }
        for gauge in &mut body.gauges {
            gauge.strain = gauge.strain.select_columns(kept);
        }
        Ok(body)
    }
}

impl InertiaIntegrals {
    /// The integrals of existing modes.
    fn select(&self, kept: &[usize]) -> Self {
        let n = self.modes();
        InertiaIntegrals {
            mass: self.mass,
            first: self.first,
            second: self.second,
            S: kept.iter().map(|&i| self.S[i]).collect(),
            B: kept.iter().map(|&i| self.B[i]).collect(),
            C: pairs(&self.C, kept, n),
            S2: pairs(&self.S2, kept, n),
            B2: pairs(&self.B2, kept, n),
        }
    }
}

/// The entries `i n + j` of kept modes; empty stays empty.
fn pairs<T: Clone>(of: &[T], kept: &[usize], n: usize) -> Vec<T> {
    if of.is_empty() {
        return Vec::new();
    }
    kept.iter().flat_map(|&i| kept.iter().map(move |&j| of[i * n + j].clone())).collect()
}
