//! From the channels of a force platform to the ground's force, its centre of pressure and free moment.

use super::platform::{Platform, PlatformType, cross};
use super::{AnalogChannel, C3d};
use crate::FormatError;
use crate::trial::{ForcePlate, ForcePlateTrial, GroundWrench, LengthUnit};

/// Zero offset of the platforms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Baseline {
    /// Channels are used as stored.
    #[default]
    AsStored,
    /// The mean of each channel over the frames of `FORCE_PLATFORM:ZERO` is subtracted, where the file has any.
    ZeroFrames,
}

/// Settings for reading platforms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlateOptions {
    /// Normal force below which a platform counts as unloaded \[N\]: force and moment are zero then and there is no
    /// centre of pressure.
    pub threshold: f64,
    /// Offset that is subtracted from the channels first.
    pub baseline: Baseline,
}

impl Default for PlateOptions {
    /// 10 N (chosen here: above the noise of usual platforms, below the force of any foot).
    fn default() -> Self {
        Self { threshold: 10.0, baseline: Baseline::AsStored }
    }
}

/// Force and moment in the platform's axes, N and N m, the moment about the middle of the surface.
struct Load {
    force: [f64; 3],
    moment: [f64; 3],
}

impl C3d {
    /// The ground forces on the subject, in SI units and laboratory axes, one sample per analog sample.
    ///
    /// With F and M of the platform's axes (z into the ground) about the middle of the surface:
    ///
    /// ```text
    /// M = M_o + F × r,   p = (-My/Fz, Mx/Fz, 0),   T = Mz - (px Fy - py Fx)
    /// ```
    ///
    /// F force \[N\], M_o moment about the sensor's origin \[N m\], r `ORIGIN` \[m\], p centre of pressure from the
    /// middle \[m\], T free moment \[N m\]. C3D files hold the force of the ground on the subject. Source: The C3D File
    /// Format User Guide, "Force platforms". Limits: the centre of pressure is on the surface of the platform; nothing
    /// but the sole touches it.
    pub fn force_plates(&self, options: &PlateOptions) -> Result<ForcePlateTrial, FormatError> {
        let (platforms, remarks) = self.platforms()?;
        let plates = platforms
            .iter()
            .enumerate()
            .map(|(i, platform)| self.force_plate(platform, &format!("plate {}", i + 1), options))
            .collect::<Result<_, _>>()?;
        let rate = self.analog_rate();
        let times = (0..self.frames * self.analog_per_frame).map(|i| self.start() + i as f64 / rate).collect();
        Ok(ForcePlateTrial::new(rate, times, plates, remarks)?.with_warnings(self.warnings.clone()))
    }

    fn force_plate(&self, platform: &Platform, name: &str, options: &PlateOptions) -> Result<ForcePlate, FormatError> {
        let channels: Vec<&AnalogChannel> = platform.channels.iter().filter_map(|&c| self.analogs.get(c)).collect();
        let zero: Vec<f64> = channels.iter().map(|c| self.baseline(c, options.baseline)).collect();
        let length = self.length_unit()?;
        let arms: Vec<f64> = channels.iter().map(|c| arm(&c.unit, length)).collect();
        let axes = platform.axes().unwrap_or_default();
        let mut values = vec![0.0; channels.len()];
        let samples = (0..self.frames * self.analog_per_frame)
            .map(|i| {
                for ((value, channel), zero) in values.iter_mut().zip(&channels).zip(&zero) {
                    *value = channel.samples.get(i).copied().unwrap_or(f64::NAN) - zero;
                }
                let load = load(platform, &values, &arms)?;
                Some(ground_wrench(platform, &axes, &load, options.threshold))
            })
            .collect();
        Ok(ForcePlate { name: name.into(), corners: Some(platform.corners), samples })
    }

    /// Mean of a channel over the frames of `FORCE_PLATFORM:ZERO`, which are numbered from 1.
    fn baseline(&self, channel: &AnalogChannel, baseline: Baseline) -> f64 {
        let frames = match self.parameters.counts("FORCE_PLATFORM", "ZERO").as_slice() {
            &[first, last] if baseline == Baseline::ZeroFrames && first > 0 && last >= first => first - 1..last,
            _ => return 0.0,
        };
        let samples = frames.start * self.analog_per_frame..frames.end * self.analog_per_frame;
        let quiet = channel.samples.get(samples).unwrap_or_default();
        if quiet.is_empty() { 0.0 } else { quiet.iter().sum::<f64>() / quiet.len() as f64 }
    }
}

/// Metres in the length of a channel's unit, `Nmm` or `N.m` or `mm`; that of the file where the channel has none.
fn arm(unit: &str, file: LengthUnit) -> f64 {
    let unit = unit.to_ascii_lowercase();
    if unit.contains("mm") {
        0.001
    } else if unit.contains("cm") {
        0.01
    } else if unit.ends_with('m') {
        1.0
    } else {
        file.metres()
    }
}

/// The load about the middle of the surface; `None` where a channel is not finite.
fn load(platform: &Platform, values: &[f64], arms: &[f64]) -> Option<Load> {
    if values.iter().any(|v| !v.is_finite()) {
        return None;
    }
    let (force, about_sensor) = match (&platform.kind, values) {
        (PlatformType::Pressure, &[fx, fy, fz, px, py, t]) => return pressure_load([fx, fy, fz], [px, py, t], arms),
        (PlatformType::Wrench, &[fx, fy, fz, mx, my, mz]) => ([fx, fy, fz], moments([mx, my, mz], arms)?),
        (PlatformType::Calibrated(matrix), values) => {
            let [fx, fy, fz, mx, my, mz] = matrix.map(|row| row.iter().zip(values).map(|(c, v)| c * v).sum());
            ([fx, fy, fz], moments([mx, my, mz], arms)?)
        }
        (PlatformType::FourSensors, &[fx12, fx34, fy14, fy23, fz1, fz2, fz3, fz4]) => {
            let [a, b, _] = platform.origin;
            let moment =
                [b * (fz1 + fz2 - fz3 - fz4), a * (-fz1 + fz2 + fz3 - fz4), b * (-fx12 + fx34) + a * (fy14 - fy23)];
            ([fx12 + fx34, fy14 + fy23, fz1 + fz2 + fz3 + fz4], moment)
        }
        _ => return None,
    };
    let r = match platform.kind {
        PlatformType::FourSensors => [0.0, 0.0, platform.origin[2]],
        _ => platform.origin,
    };
    let shift = cross(force, r);
    Some(Load { force, moment: [0, 1, 2].map(|i| about_sensor[i] + shift[i]) })
}

/// Moment channels, the last three of six, in N m.
fn moments(values: [f64; 3], arms: &[f64]) -> Option<[f64; 3]> {
    match arms {
        &[_, _, _, x, y, z] => Some([values[0] * x, values[1] * y, values[2] * z]),
        _ => None,
    }
}

/// The load of a platform that gives its centre of pressure and free moment.
fn pressure_load(force: [f64; 3], given: [f64; 3], arms: &[f64]) -> Option<Load> {
    let [px, py, t] = moments(given, arms)?;
    let about = cross([px, py, 0.0], force);
    Some(Load { force, moment: [about[0], about[1], about[2] + t] })
}

/// The wrench at the centre of pressure, in laboratory axes.
fn ground_wrench(platform: &Platform, axes: &[[f64; 3]; 3], load: &Load, threshold: f64) -> GroundWrench {
    let Load { force: [fx, fy, fz], moment: [mx, my, mz] } = *load;
    if !(fz.abs() >= threshold && fz != 0.0) {
        return GroundWrench::UNLOADED;
    }
    let to_lab = |v: [f64; 3]| [0, 1, 2].map(|i| axes[0][i] * v[0] + axes[1][i] * v[1] + axes[2][i] * v[2]);
    let (px, py) = (-my / fz, mx / fz);
    let (middle, offset) = (platform.middle(), to_lab([px, py, 0.0]));
    GroundWrench {
        force: to_lab([fx, fy, fz]),
        point: Some([0, 1, 2].map(|i| middle[i] + offset[i])),
        moment: to_lab([0.0, 0.0, mz - (px * fy - py * fx)]),
    }
}
