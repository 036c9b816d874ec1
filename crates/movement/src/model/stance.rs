//! Thresholds of stance: when a foot stands, when its centre of pressure is reliable, when it is flat. All are chosen
//! here.

/// Vertical force of a foot, in body weights, above which it stands: above the noise of force plates and of a simulated
/// floor, far below the load of any stance. It separates the stances of a force curve.
pub(crate) const STANDS_BW: f64 = 0.03;

/// Vertical force of a foot, in body weights, below which its centre of pressure is not used: the centre is a moment
/// divided by the force, and its error grows as the force falls.
pub(crate) const TRUSTED_PRESSURE_BW: f64 = 0.1;

/// Minimum weight of a centre of pressure in a least-squares fit, as vertical force in body weights: the ends of a
/// stance must contribute although they are uncertain.
pub(crate) const LEAST_PRESSURE_WEIGHT_BW: f64 = 0.2;

/// Fractions of a stance between which the foot is flat, for means over time of position, direction and velocity of the
/// foot.
pub(crate) const FLAT_FOOT: [f64; 2] = [0.25, 0.5];

/// Fractions of a stance between which the whole sole is at rest, for the height of single points: narrower than
/// [`FLAT_FOOT`], so that neither a forefoot that is still coming down nor a heel that is already rising counts as at
/// rest.
pub(crate) const FLAT_SOLE: [f64; 2] = [0.3, 0.45];
