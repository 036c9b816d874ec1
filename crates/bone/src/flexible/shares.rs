//! How much of the compliance at each load a mode represents.

use wolff_fem::reduce::Reduced;

/// Forces and moments in the order of a node's six directions.
const DIRECTIONS: [&str; 6] = ["Fx", "Fy", "Fz", "Tx", "Ty", "Tz"];

/// Share of a mode in the static compliance along one direction of a node.
#[derive(Clone, Debug, PartialEq)]
pub struct Share {
    /// The node: an interface or a point.
    pub node: String,
    /// `Fx` to `Tz`.
    pub direction: &'static str,
    /// From 0 to 1.
    pub share: f64,
}

/// The directions of interfaces and points in whose compliance a mode (from 0) has the largest shares, in descending
/// order, without those below `least`. [`wolff_fem::reduce::Report::compliance_shares`] defines the share.
pub fn carried(reduced: &Reduced, mode: usize, least: f64) -> Vec<Share> {
    let shares = &reduced.report.compliance_shares;
    if mode >= shares.nrows() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (place, node) in reduced.body.nodes.iter().skip(1).enumerate() {
        for (component, direction) in DIRECTIONS.into_iter().enumerate() {
            let share = shares[(mode, 6 * place + component)];
            if share >= least {
                found.push(Share { node: node.name.clone(), direction, share });
            }
        }
    }
    found.sort_by(|a, b| b.share.total_cmp(&a.share));
    found
}
