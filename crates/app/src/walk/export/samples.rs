//! Everything that changes with time, as tables with all digits.

use super::Export;
use std::fmt::Write as _;
use wolff_formats::{Table, csv};
use wolff_movement::MovementError;
use wolff_movement::loads::BoneSample;
use wolff_spatial::Vec3;

impl Export<'_> {
    /// All loads on the bone: one line per load and sample.
    pub(super) fn loads_csv(&self) -> Vec<u8> {
        let mut text = String::from("time,load,node,px_m,py_m,pz_m,fx_n,fy_n,fz_n,mx_nm,my_nm,mz_nm\n");
        for (t, sample) in self.result.record.times.iter().zip(&self.loads.samples) {
            for l in &sample.loads {
                let _ = write!(text, "{t},{},{}", l.load.name, l.node);
                add(&mut text, [l.load.point, l.load.force, l.load.moment].iter().flat_map(numbers));
            }
        }
        text.into_bytes()
    }

    /// Motion of the floating frame.
    pub(super) fn motion_csv(&self) -> Result<Vec<u8>, MovementError> {
        let parts = [("felt", "m_s2"), ("omega", "rad_s"), ("alpha", "rad_s2")];
        let labels = parts.iter().flat_map(|(name, unit)| ["x", "y", "z"].map(|axis| format!("{name}_{axis}_{unit}")));
        self.table(labels, |s| {
            let m = &s.motion;
            [m.felt, m.angular_velocity, m.angular_acceleration].iter().flat_map(numbers).collect()
        })
    }

    /// Modal coordinates, speeds and accelerations.
    pub(super) fn modes_csv(&self) -> Result<Vec<u8>, MovementError> {
        let modes = self.bone.body.modes();
        let labels = ["eta", "speed", "acceleration"].into_iter();
        let labels = labels.flat_map(|what| (1..=modes).map(move |k| format!("{what}_{k}")));
        let eta = |s: &BoneSample| if self.step > 0.0 { s.eta.clone() } else { s.eta_end.clone() };
        self.table(labels, |s| [&eta(s)[..], &s.speed, &s.acceleration].concat())
    }

    /// A table with one line per sample.
    fn table(
        &self,
        labels: impl Iterator<Item = String>,
        row: impl Fn(&BoneSample) -> Vec<f64>,
    ) -> Result<Vec<u8>, MovementError> {
        let labels: Vec<String> = std::iter::once("time".into()).chain(labels).collect();
        let samples = self.result.record.times.iter().zip(&self.loads.samples);
        let rows = samples.map(|(t, sample)| [&[*t], &row(sample)[..]].concat()).collect();
        let table = Table::new(labels, rows).map_err(|e| MovementError::rule(&self.loads.segment, e.to_string()))?;
        Ok(csv::write(&table).into_bytes())
    }
}

fn numbers(v: &Vec3) -> [f64; 3] {
    [v.x, v.y, v.z]
}

/// Ends a line with numbers.
fn add(text: &mut String, numbers: impl Iterator<Item = f64>) {
    // writing to a string in memory cannot fail
    numbers.for_each(|x| _ = write!(text, ",{x:e}"));
    text.push('\n');
}
