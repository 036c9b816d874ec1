//! Everything that changes with time, as tables with all digits.

use super::Export;
use std::fmt::Write as _;
use wolff_spatial::Vec3;

impl Export<'_> {
    /// Every load on the bone: a line a load and sample.
    pub(super) fn loads_csv(&self) -> Vec<u8> {
        let mut text = String::from("time,load,node,px_m,py_m,pz_m,fx_n,fy_n,fz_n,mx_nm,my_nm,mz_nm\n");
        for (t, sample) in self.performance.record.times.iter().zip(&self.loads.samples) {
            for l in &sample.loads {
                let _ = write!(text, "{t},{},{}", l.load.name, l.node);
                add(&mut text, [l.load.point, l.load.force, l.load.moment].iter().flat_map(numbers));
            }
        }
        text.into_bytes()
    }

    /// How the floating frame moves.
    pub(super) fn motion_csv(&self) -> Vec<u8> {
        let mut text = String::from("time");
        for (name, unit) in [("felt", "m_s2"), ("omega", "rad_s"), ("alpha", "rad_s2")] {
            ["x", "y", "z"].iter().for_each(|axis| _ = write!(text, ",{name}_{axis}_{unit}"));
        }
        text.push('\n');
        for (t, sample) in self.performance.record.times.iter().zip(&self.loads.samples) {
            let m = &sample.motion;
            let _ = write!(text, "{t}");
            add(&mut text, [m.felt, m.angular_velocity, m.angular_acceleration].iter().flat_map(numbers));
        }
        text.into_bytes()
    }

    /// Modal coordinates, speeds and accelerations.
    pub(super) fn modes_csv(&self) -> Vec<u8> {
        let mut text = String::from("time");
        for what in ["eta", "speed", "acceleration"] {
            (1..=self.bone.body.modes()).for_each(|k| _ = write!(text, ",{what}_{k}"));
        }
        text.push('\n');
        for (t, s) in self.performance.record.times.iter().zip(&self.loads.samples) {
            let _ = write!(text, "{t}");
            add(&mut text, s.eta.iter().chain(&s.speed).chain(&s.acceleration).copied());
        }
        text.into_bytes()
    }
}

fn numbers(v: &Vec3) -> [f64; 3] {
    [v.x, v.y, v.z]
}

/// Ends a line with numbers.
fn add(text: &mut String, numbers: impl Iterator<Item = f64>) {
    // a number as text is written to memory, which cannot fail
    numbers.for_each(|x| _ = write!(text, ",{x:e}"));
    text.push('\n');
}
