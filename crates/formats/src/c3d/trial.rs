//! Markers of a C3D file, and C3D files of markers.

use super::parameters::Parameters;
use super::{C3d, PointChannel, Processor};
use crate::FormatError;
use crate::trial::{LengthUnit, Marker, MarkerTrial, without_subjects};
use std::collections::BTreeSet;

/// Parameters of the group `POINT` that list computed points.
const COMPUTED: [&str; 6] = ["ANGLES", "FORCES", "MOMENTS", "POWERS", "SCALARS", "REACTIONS"];

impl C3d {
    /// The markers \[m\], in laboratory axes.
    ///
    /// Points that `POINT:ANGLES`, `FORCES`, `MOMENTS`, `POWERS` or `SCALARS` list are computed values and are omitted.
    /// A prefix such as `Subject:` is removed where names stay unique. Zeros for a marker that was not seen are gaps.
    pub fn markers(&self) -> Result<MarkerTrial, FormatError> {
        let mut remarks = self.remarks.clone();
        let computed: BTreeSet<&str> = COMPUTED.iter().flat_map(|name| self.parameters.texts("POINT", name)).collect();
        let markers: Vec<&PointChannel> = self.points.iter().filter(|p| !computed.contains(p.label.as_str())).collect();
        let left_out = self.points.len() - markers.len();
        if left_out > 0 {
            remarks.push(format!("{left_out} points are angles, forces or other computed values, not markers"));
        }
        let unit = self.length_unit()?;
        if self.unit.is_empty() {
            remarks.push("the file has no unit of length; millimetres are assumed".into());
        }
        let scale = |p: &Option<[f64; 3]>| p.map(|p| p.map(|x| x * unit.metres()));
        let (names, shortened) = marker_names(&markers);
        remarks.extend(shortened);
        let markers = markers
            .iter()
            .zip(names)
            .map(|(p, name)| Marker { name, points: p.positions.iter().map(scale).collect() })
            .collect();
        let times = (0..self.frames).map(|i| self.start() + i as f64 / self.point_rate).collect();
        let trial = MarkerTrial::new("", self.point_rate, times, markers)?;
        Ok(trial.read_from(unit, remarks, self.warnings.clone()).without_zeros())
    }

    /// A file of these markers in that unit, without analog channels, as [`super::write`] stores it.
    pub fn from_markers(trial: &MarkerTrial, unit: LengthUnit) -> Self {
        let metres = unit.metres();
        let frames = trial.times().len();
        let points = trial.markers().iter().map(|m| PointChannel {
            label: m.name.clone(),
            positions: m.points.iter().map(|p| p.map(|p| p.map(|x| x / metres))).collect(),
            residuals: vec![0.0; frames],
            cameras: vec![0; frames],
        });
        let start = trial.times().first().map_or(0.0, |t| t * trial.rate());
        Self {
            processor: Processor::Intel,
            real: true,
            first_frame: 1 + start.round().clamp(0.0, 65534.0) as usize,
            frames,
            point_rate: trial.rate(),
            unit: unit.to_string(),
            points: points.collect(),
            analog_per_frame: 1,
            analogs: Vec::new(),
            events: Vec::new(),
            parameters: Parameters::default(),
            remarks: Vec::new(),
            warnings: Vec::new(),
        }
    }
}

/// Labels without their subject where that leaves them unique, with a remark; a label used twice is numbered.
fn marker_names(points: &[&PointChannel]) -> (Vec<String>, Option<String>) {
    let (short, remark) = without_subjects(points.iter().map(|p| p.label.clone()).collect());
    let mut seen = BTreeSet::new();
    let mut number = |label: &String| {
        let mut name = label.clone();
        let mut n = 2;
        while !seen.insert(name.clone()) {
            name = format!("{label}#{n}");
            n += 1;
        }
        name
    };
    (short.iter().map(&mut number).collect(), remark)
}
