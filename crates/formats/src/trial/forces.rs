//! Ground forces.

use super::{Axes, mean_rate};
use crate::sto::Storage;
use crate::{FormatError, Table};

/// Ground reaction on the foot at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundWrench {
    /// Force of the ground on the subject \[N\].
    pub force: [f64; 3],
    /// Centre of pressure \[m\]; `None` where the force is too small to define it.
    pub point: Option<[f64; 3]>,
    /// Moment about the centre of pressure \[N m\]; the free moment, along the vertical for a flat plate.
    pub moment: [f64; 3],
}

impl GroundWrench {
    /// Nothing on the plate.
    pub const UNLOADED: Self = Self { force: [0.0; 3], point: None, moment: [0.0; 3] };

    fn is_finite(&self) -> bool {
        let point = self.point.unwrap_or_default();
        self.force.iter().chain(&self.moment).chain(&point).all(|x| x.is_finite())
    }
}

/// One force plate, or one foot in files that sum plates by foot.
#[derive(Clone, Debug, PartialEq)]
pub struct ForcePlate {
    /// Name: the prefix of its columns in a storage file, `plate 1` and so on of a C3D file.
    pub name: String,
    /// Corners of the surface \[m\], where the file contains them.
    pub corners: Option<[[f64; 3]; 4]>,
    /// Wrench at each instant; `None` where it was not recorded.
    pub samples: Vec<Option<GroundWrench>>,
}

/// Force plates over time.
#[derive(Clone, Debug, PartialEq)]
pub struct ForcePlateTrial {
    rate: f64,
    times: Vec<f64>,
    plates: Vec<ForcePlate>,
    axes: Axes,
    remarks: Vec<String>,
    warnings: Vec<String>,
}

/// A label of a force that belongs to several columns.
fn repeated(labels: &[String]) -> Option<&String> {
    let is_twice = |(i, label): &(usize, &String)| {
        label.ends_with("vx") && labels.get(i + 1..).is_some_and(|rest| rest.contains(label))
    };
    labels.iter().enumerate().find(is_twice).map(|(_, label)| label)
}

/// A column of a force whose vertical partner is missing, and that partner. Planar records lack `vz` rightly.
fn incomplete(labels: &[String]) -> Option<(&String, String)> {
    labels.iter().find_map(|label| {
        let missing = format!("{}vy", label.strip_suffix("vx")?);
        (label.contains("force") && !labels.contains(&missing)).then_some((label, missing))
    })
}

/// Columns of one plate in a table: the prefixes of three labels each.
///
/// `ground_force_v` stands for `ground_force_vx`, `ground_force_vy`, `ground_force_vz`. These are the
/// `force_identifier`, `point_identifier` and `torque_identifier` of an OpenSim `ExternalForce`.
#[derive(Clone, Debug, PartialEq)]
pub struct PlateColumns {
    /// Name of the plate.
    pub name: String,
    /// Force on the subject \[N\].
    pub force: String,
    /// Point of application \[m\].
    pub point: Option<String>,
    /// Moment about the point \[N m\].
    pub moment: Option<String>,
}

impl ForcePlateTrial {
    /// Plates from their samples at `rate` \[Hz\] and `times` \[s\].
    ///
    /// Refuses a rate that is not positive, values that are not finite, and a plate without as many samples as
    /// there are times.
    pub fn new(rate: f64, times: Vec<f64>, plates: Vec<ForcePlate>, remarks: Vec<String>) -> Result<Self, FormatError> {
        let refuse = |message: String| Err(FormatError::Trial(message));
        if !(rate > 0.0 && rate.is_finite()) {
            return refuse(format!("the force rate is {rate} Hz; it must be positive"));
        }
        if let Some(i) = times.iter().position(|t| !t.is_finite()) {
            return refuse(format!("the time of force sample {} is not finite", i + 1));
        }
        for ForcePlate { name, samples, .. } in &plates {
            if samples.len() != times.len() {
                return refuse(format!("force plate `{name}` has {} samples for {} times", samples.len(), times.len()));
            }
            if let Some(i) = samples.iter().position(|s| s.is_some_and(|s| !s.is_finite())) {
                return refuse(format!("force plate `{name}` is not finite in sample {}; a gap is `None`", i + 1));
            }
        }
        Ok(Self { rate, times, plates, axes: Axes::ISB, remarks, warnings: Vec::new() })
    }

    /// Samples a second \[Hz\].
    pub fn rate(&self) -> f64 {
        self.rate
    }

    /// Time of each sample \[s\].
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The plates, in the order of the file.
    pub fn plates(&self) -> &[ForcePlate] {
        &self.plates
    }

    /// Remarks for the user.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// Warnings of content that the file has lost, such as that of a file that was cut off.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The same trial with such warnings.
    pub(crate) fn with_warnings(self, warnings: Vec<String>) -> Self {
        Self { warnings, ..self }
    }

    /// Axes of the laboratory from which forces and points were turned.
    pub fn axes(&self) -> &Axes {
        &self.axes
    }

    /// The trial in other axes.
    pub fn rotated(mut self, axes: &Axes) -> Self {
        self.axes = axes.after(&self.axes);
        for plate in &mut self.plates {
            plate.corners = plate.corners.map(|corners| corners.map(|c| axes.apply(c)));
            for sample in plate.samples.iter_mut().flatten() {
                sample.force = axes.apply(sample.force);
                sample.point = sample.point.map(|p| axes.apply(p));
                sample.moment = axes.apply(sample.moment);
            }
        }
        self
    }

    /// Ground forces of a storage file, found by the names in use: `ground_force_vx` and the like, `…_px` for the
    /// point, and the moment as `ground_torque_x`, `ground_moment_x` or `ground_force_mx`, each with a prefix or an
    /// infix that distinguishes plates or feet.
    pub fn from_storage(storage: &Storage) -> Result<Self, FormatError> {
        let labels = storage.table.labels();
        let has = |stem: &str| three_columns(labels, stem).is_some();
        let mut plates: Vec<PlateColumns> = Vec::new();
        for label in labels {
            let Some(stem) = label.strip_suffix("vx") else { continue };
            let force = format!("{stem}v");
            // of labels that stand twice the first is the one found
            if !has(&force) || plates.iter().any(|p| p.force == force) {
                continue;
            }
            let moments = [
                stem.replace("force", "torque"),
                stem.replace("force", "moment"),
                format!("{stem}m"),
                format!("{stem}t"),
            ];
            plates.push(PlateColumns {
                name: stem.trim_end_matches('_').into(),
                force,
                point: Some(format!("{stem}p")).filter(|s| has(s)),
                moment: moments.into_iter().find(|s| s != stem && has(s)),
            });
        }
        if let Some(twice) = repeated(labels) {
            return Err(FormatError::Trial(format!(
                "the label `{twice}` of a force belongs to two columns, of which only one would be used; give the plates \
                 different names"
            )));
        }
        if let Some((found, missing)) = incomplete(labels) {
            return Err(FormatError::Trial(format!(
                "column `{found}` of a force has no `{missing}` beside it; a plate needs three columns of force, \
                 ending in vx, vy and vz"
            )));
        }
        if plates.is_empty() {
            return Err(FormatError::Trial(
                "no ground forces: no columns named like `ground_force_vx`, `…vy`, `…vz`; name the columns explicitly"
                    .into(),
            ));
        }
        Self::from_columns(storage, &plates)
    }

    /// Ground forces of a storage file from the columns named. A sample with `NaN` in its force or moment is a
    /// gap; `NaN` in its point means that it has none.
    pub fn from_columns(storage: &Storage, columns: &[PlateColumns]) -> Result<Self, FormatError> {
        let table = &storage.table;
        let times: Vec<f64> = table.rows().iter().filter_map(|row| row.first().copied()).collect();
        let rate = mean_rate(&times)
            .ok_or_else(|| FormatError::Trial("the force file has no two increasing times, so no rate".into()))?;
        let plates = columns.iter().map(|c| plate_from_columns(table, c)).collect::<Result<_, _>>()?;
        Self::new(rate, times, plates, storage.remarks.clone())
    }

    /// The storage file that OpenSim's `ExternalLoads` reads: `<name>_vx`, `<name>_px` and the moment, each three
    /// columns, with zeros where nothing was measured or no centre of pressure exists.
    pub fn to_storage(&self, name: &str) -> Result<Storage, FormatError> {
        let mut labels = vec!["time".to_string()];
        for plate in &self.plates {
            let name = plate.name.replace(' ', "_");
            let stem = if name.contains("force") { name } else { format!("ground_force_{name}") };
            let torque = stem.replace("force", "torque");
            for (kind, stem) in [("v", &stem), ("p", &stem), ("", &torque)] {
                labels.extend(["x", "y", "z"].map(|axis| format!("{stem}_{kind}{axis}")));
            }
        }
        let row = |(i, &t): (usize, &f64)| {
            let mut row = vec![t];
            for plate in &self.plates {
                let w = plate.samples.get(i).copied().flatten().unwrap_or(GroundWrench::UNLOADED);
                row.extend(w.force.into_iter().chain(w.point.unwrap_or_default()).chain(w.moment));
            }
            row
        };
        let table = Table::new(labels, self.times.iter().enumerate().map(row).collect())?;
        Ok(Storage { name: name.into(), in_degrees: false, table, remarks: Vec::new() })
    }
}

fn plate_from_columns(table: &Table, columns: &PlateColumns) -> Result<ForcePlate, FormatError> {
    let find = |stem: &str| {
        three_columns(table.labels(), stem).ok_or_else(|| {
            FormatError::Trial(format!("no three columns `{stem}x`, `{stem}y`, `{stem}z` in the force file"))
        })
    };
    let force = find(&columns.force)?;
    let point = columns.point.as_deref().map(find).transpose()?;
    let moment = columns.moment.as_deref().map(find).transpose()?;
    let read = |row: &[f64], at: [usize; 3]| {
        let v = at.map(|i| row.get(i).copied().unwrap_or(f64::NAN));
        v.iter().all(|x| x.is_finite()).then_some(v)
    };
    let sample = |row: &Vec<f64>| {
        let moment = match moment {
            Some(at) => read(row, at)?,
            None => [0.0; 3],
        };
        Some(GroundWrench { force: read(row, force)?, point: point.and_then(|at| read(row, at)), moment })
    };
    Ok(ForcePlate { name: columns.name.clone(), corners: None, samples: table.rows().iter().map(sample).collect() })
}

/// Indices of the three columns that are `stem` and an axis.
fn three_columns(labels: &[String], stem: &str) -> Option<[usize; 3]> {
    let find = |axes: [&str; 3]| {
        let [x, y, z] =
            axes.map(|axis| labels.iter().position(|l| l.strip_prefix(stem).is_some_and(|rest| rest == axis)));
        Some([x?, y?, z?])
    };
    [["x", "y", "z"], ["X", "Y", "Z"], ["_x", "_y", "_z"], ["1", "2", "3"]].into_iter().find_map(find)
}
