//! Where a bone begins and ends between the joint centres of its segment.

/// How far the knee centre lies above the plateau \[m\]: the lateral epicondyle, through which the axis of flexion
/// passes, above the joint line (24.4 ± 2.8 mm, magnetic resonance images of 130 knees, J. Exp. Orthop. 2023, 10,
/// s40634-023-00621-z).
pub const KNEE_ABOVE_PLATEAU: f64 = 0.0244;

/// How far the ankle centre lies below the plafond \[m\]. Own choice: the centre of the trochlea of the talus lies 12
/// to 17 mm below its dome.
pub const ANKLE_BELOW_PLAFOND: f64 = 0.015;

/// The two ends of a bone on the line of joint centres. Fractions of a bone run from its proximal end (0) to its
/// distal end (1), not from joint centre to joint centre.
///
/// A tibia ends at plateau and plafond: the middles of its joint faces. The built-in femur begins and ends at its
/// joint centres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ends {
    /// Distance of the proximal end below the proximal joint centre \[m\].
    pub proximal: f64,
    /// Distance of the distal end below the proximal joint centre \[m\].
    pub distal: f64,
}

impl Ends {
    /// A bone of this length \[m\] whose ends are the joint centres.
    pub fn whole(length: f64) -> Self {
        Ends { proximal: 0.0, distal: length }
    }

    /// A tibia of length `bone` in a shank of length `segment`, knee to ankle centre \[m\].
    ///
    /// ```text
    /// g_knee + g_ankle = L - L_b,    g_knee : g_ankle = 24.4 : 15
    /// ```
    /// The difference between shank and bone is divided as [`KNEE_ABOVE_PLATEAU`] to [`ANKLE_BELOW_PLAFOND`]; gaps
    /// are negative where the bone is longer. Limits: skeletons place their joint centres by rules of their own (de
    /// Leva's shank is 58 mm longer than the tibia of a man of 1.77 m, anatomy gives 39 mm), so the gaps are as
    /// accurate as these rules.
    ///
    /// ```
    /// use wolff_bone::person::Ends;
    ///
    /// let ends = Ends::of_tibia(0.39, 0.4476);
    /// let [knee, ankle] = ends.gaps(0.4476);
    /// assert!((knee + ankle - 0.0576).abs() < 1e-12 && (knee / ankle - 24.4 / 15.0).abs() < 1e-9);
    /// assert!((ends.length() - 0.39).abs() < 1e-12);
    /// ```
    pub fn of_tibia(bone: f64, segment: f64) -> Self {
        let proximal = (segment - bone) * KNEE_ABOVE_PLATEAU / (KNEE_ABOVE_PLATEAU + ANKLE_BELOW_PLAFOND);
        Ends { proximal, distal: proximal + bone }
    }

    /// Length of the bone \[m\].
    pub fn length(&self) -> f64 {
        self.distal - self.proximal
    }

    /// y of the segment at a fraction of the bone \[m\].
    pub fn height(&self, fraction: f64) -> f64 {
        -(self.proximal + fraction * self.length())
    }

    /// The fraction of the bone at y of the segment \[m\]; below 0 and above 1 beyond its ends.
    pub fn fraction(&self, y: f64) -> f64 {
        (-y - self.proximal) / self.length()
    }

    /// Gaps between joint centres and ends in a segment of this length \[m\]: proximal, distal.
    pub fn gaps(&self, segment: f64) -> [f64; 2] {
        [self.proximal, segment - self.distal]
    }
}
