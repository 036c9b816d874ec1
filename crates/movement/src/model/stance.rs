//! Thresholds of stance: when a foot stands, when its centre of pressure can be trusted, when it is flat. All are own
//! choices.

/// Vertical force of a foot, in body weights, above which it stands: above the noise of force plates and of a simulated
/// floor, far below the load of any stance. It separates the stances of a force curve.
pub(crate) const STANDS_BW: f64 = 0.03;

/// Vertical force of a foot, in body weights, below which its centre of pressure is not used: the centre is a moment
/// divided by the force, and its error grows as the force falls.
pub(crate) const TRUSTED_PRESSURE_BW: f64 = 0.1;

/// Least weight, as vertical force in body weights, with which a centre of pressure counts in a least-squares fit: the
/// ends of a stance must not be lost although they are uncertain.
pub(crate) const LEAST_PRESSURE_WEIGHT_BW: f64 = 0.2;

/// Shares of a stance between which the foot is flat, for means over time: place, direction and velocity of the foot.
pub(crate) const FLAT_FOOT: [f64; 2] = [0.25, 0.5];

/// Shares of a stance between which the whole sole rests, for the height of single points: narrower than [`FLAT_FOOT`],
/// so that neither a forefoot that still comes down nor a heel that already rises is taken for one at rest.
pub(crate) const FLAT_SOLE: [f64; 2] = [0.3, 0.45];
