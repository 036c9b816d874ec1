//! Force platforms as the parameter group `FORCE_PLATFORM` describes them.

use super::{C3d, FORMAT};
use crate::FormatError;
use crate::trial::LengthUnit;

/// Relation of the channels of a platform to force and moment.
#[derive(Clone, Debug, PartialEq)]
pub enum PlatformType {
    /// Type 1: Fx, Fy, Fz, centre of pressure x and y, free moment.
    Pressure,
    /// Type 2: Fx, Fy, Fz, Mx, My, Mz about the sensor's origin.
    Wrench,
    /// Type 3: four sensors: Fx12, Fx34, Fy14, Fy23, Fz1, Fz2, Fz3, Fz4.
    FourSensors,
    /// Type 4: as type 2 after multiplication with this matrix; row i gives component i [N per unit of a channel, and
    /// N times the file's moment arm].
    Calibrated(Box<[[f64; 6]; 6]>),
}

/// A force platform; lengths in metres, laboratory axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Platform {
    /// Its type.
    pub kind: PlatformType,
    /// Corners of the surface: quadrants (+x +y), (-x +y), (-x -y), (+x -y) of the platform's axes.
    pub corners: [[f64; 3]; 4],
    /// From the sensor's origin to the middle of the surface, in the platform's axes, whose z points down: its z is
    /// negative. For type 3 its x and y are the distances of the sensors from the middle.
    pub origin: [f64; 3],
    /// Analog channels, numbered from 0.
    pub channels: Vec<usize>,
}

impl Platform {
    /// Middle of the surface \[m\].
    pub fn middle(&self) -> [f64; 3] {
        let [a, b, c, d] = &self.corners;
        [0, 1, 2].map(|i| (a[i] + b[i] + c[i] + d[i]) / 4.0)
    }

    /// Unit vectors x, y, z of the platform in laboratory axes: x from the middle of the side of corners 2 and 3 to
    /// that of 1 and 4, y from that of 3 and 4 to that of 1 and 2 made orthogonal to x, z = x × y, into the ground.
    pub fn axes(&self) -> Option<[[f64; 3]; 3]> {
        let [a, b, c, d] = &self.corners;
        let x = unit([0, 1, 2].map(|i| a[i] + d[i] - b[i] - c[i]))?;
        let across = [0, 1, 2].map(|i| a[i] + b[i] - c[i] - d[i]);
        let z = unit(cross(x, across))?;
        Some([x, cross(z, x), z])
    }
}

pub(super) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn unit(v: [f64; 3]) -> Option<[f64; 3]> {
    let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    (length > 0.0 && length.is_finite()).then(|| v.map(|x| x / length))
}

fn three(values: &[f64], scale: f64) -> Option<[f64; 3]> {
    match values {
        &[x, y, z] if values.iter().all(|v| v.is_finite()) => Some([x * scale, y * scale, z * scale]),
        _ => None,
    }
}

impl C3d {
    /// Unit of lengths; default millimetres, as usual in laboratories.
    pub fn length_unit(&self) -> Result<LengthUnit, FormatError> {
        if self.unit.is_empty() {
            return Ok(LengthUnit::Millimetre);
        }
        LengthUnit::from_name(&self.unit).ok_or_else(|| {
            FormatError::unsupported(FORMAT, format!("POINT:UNITS is `{}`; lengths must be in mm, cm or m", self.unit))
        })
    }

    /// The force platforms, with remarks on corrections.
    ///
    /// Types 1 to 4 are supported; others are an error. The vendors disagree on the sign of `ORIGIN`: the User Guide
    /// defines the vector from the sensor to the surface, whose z is negative as z points down, but many files contain
    /// the opposite vector. A positive z is therefore reversed, with a remark.
    pub fn platforms(&self) -> Result<(Vec<Platform>, Vec<String>), FormatError> {
        let p = &self.parameters;
        let used = p.counts("FORCE_PLATFORM", "USED").first().copied().unwrap_or(0);
        let types = p.counts("FORCE_PLATFORM", "TYPE");
        let mut remarks = Vec::new();
        let platforms = (0..used)
            .map(|i| self.platform(i, types.get(i).copied().unwrap_or(0), &mut remarks))
            .collect::<Result<_, _>>()?;
        Ok((platforms, remarks))
    }

    fn platform(&self, i: usize, number: usize, remarks: &mut Vec<String>) -> Result<Platform, FormatError> {
        let lacks = |what: &str| {
            let message =
                format!("force platform {} has no valid FORCE_PLATFORM:{what}; its force cannot be located", i + 1);
            FormatError::unsupported(FORMAT, message)
        };
        let kind = match number {
            1 => PlatformType::Pressure,
            2 => PlatformType::Wrench,
            3 => PlatformType::FourSensors,
            4 => PlatformType::Calibrated(Box::new(self.calibration(i).ok_or_else(|| lacks("CAL_MATRIX"))?)),
            other => {
                let message = format!(
                    "force platform {} is of type {other}; supported are types 1 to 4: \
                     export its forces and moments as type 2",
                    i + 1
                );
                return Err(FormatError::unsupported(FORMAT, message));
            }
        };
        let scale = self.length_unit()?.metres();
        let all_corners = self.parameters.numbers("FORCE_PLATFORM", "CORNERS");
        let corner = |k: usize| three(all_corners.get(12 * i + 3 * k..12 * i + 3 * k + 3)?, scale);
        let corners = (|| Some([corner(0)?, corner(1)?, corner(2)?, corner(3)?]))().ok_or_else(|| lacks("CORNERS"))?;
        let origins = self.parameters.numbers("FORCE_PLATFORM", "ORIGIN");
        let mut origin = origins.get(3 * i..3 * i + 3).and_then(|o| three(o, scale)).ok_or_else(|| lacks("ORIGIN"))?;
        if origin[2] > 0.0 && number != 1 {
            // only the depth of a type 3 platform has a direction: its x and y are distances
            origin = if number == 3 { [origin[0], origin[1], -origin[2]] } else { origin.map(|x| -x) };
            let depth_mm = 1000.0 * origin[2].abs();
            remarks.push(format!(
                "force platform {}: ORIGIN points from the surface to the sensor ({depth_mm:.1} mm); \
                 it was reversed",
                i + 1
            ));
        }
        let channels = self.channels(i, if number == 3 { 8 } else { 6 }).ok_or_else(|| lacks("CHANNEL"))?;
        let platform = Platform { kind, corners, origin, channels };
        platform.axes().ok_or_else(|| lacks("CORNERS"))?;
        Ok(platform)
    }

    /// Channel numbers of platform `i`, from 0; each must be a channel of the file.
    fn channels(&self, i: usize, count: usize) -> Option<Vec<usize>> {
        let parameter = self.parameters.get("FORCE_PLATFORM", "CHANNEL")?;
        let rows = *parameter.dimensions.first()?;
        let all = parameter.counts();
        let own = all.get(rows * i..rows * i + count.min(rows))?;
        let channels: Vec<usize> = own.iter().filter_map(|c| c.checked_sub(1)).collect();
        let sound = channels.len() == count && channels.iter().all(|&c| c < self.analogs.len());
        sound.then_some(channels)
    }

    /// The calibration matrix of platform `i`, stored column by column.
    fn calibration(&self, i: usize) -> Option<[[f64; 6]; 6]> {
        let all = self.parameters.numbers("FORCE_PLATFORM", "CAL_MATRIX");
        let own: &[f64; 36] = all.get(36 * i..36 * i + 36)?.try_into().ok()?;
        own.iter()
            .all(|x| x.is_finite())
            .then(|| [0, 1, 2, 3, 4, 5].map(|row| [0, 1, 2, 3, 4, 5].map(|column| own[6 * column + row])))
    }
}
