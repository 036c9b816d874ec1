//! Constants of materials and layers: values that they can have, for the detection of wrong units.

use crate::finding::Finding;
use crate::judgement::significant;
use std::ops::RangeInclusive;

/// A constant, and the values that it can have.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// Its name, such as `Young's modulus`.
    pub name: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Values outside belong to nothing that exists: an error.
    pub possible: RangeInclusive<f64>,
    /// Values outside are rare: a warning.
    pub usual: RangeInclusive<f64>,
    /// Where the ranges are from.
    pub source: &'static str,
    /// Units in which it is often given: name, size in the unit.
    pub others: &'static [(&'static str, f64)],
}

/// Young's modulus of a solid \[Pa\].
pub const YOUNG: Constant = Constant {
    name: "Young's modulus",
    unit: "Pa",
    possible: 1e5..=2e12,
    usual: 1e6..=6e11,
    source: "soft tissue has 0.1 MPa and more, trabecular bone 10 MPa, cortical bone 17 GPa, ceramics 400 GPa",
    others: &[("MPa", 1e6), ("GPa", 1e9)],
};

/// Confined modulus of a layer in contact \[Pa\].
pub const LAYER_MODULUS: Constant = Constant {
    name: "confined modulus (of Young's modulus and Poisson's ratio)",
    unit: "Pa",
    possible: 1e4..=1e13,
    usual: 1e5..=2e12,
    source: "cartilage has 0.3 to 300 MPa, polyethylene about 1 GPa, metal 300 GPa",
    others: &[],
};

/// Thickness of a layer in contact \[m\].
pub const LAYER_THICKNESS: Constant = Constant {
    name: "thickness",
    unit: "m",
    possible: 1e-6..=0.5,
    usual: 1e-4..=0.15,
    source: "cartilage has 1 to 7 mm, an insert of polyethylene 6 to 20 mm, a heel pad about 20 mm",
    others: &[("mm", 1e-3)],
};

/// Density of a solid \[kg/m³\]. Bones that carry the mass of their segment have the highest.
pub const DENSITY: Constant = Constant {
    name: "density",
    unit: "kg/m³",
    possible: 10.0..=1e5,
    usual: 50.0..=2.5e4,
    source: "trabecular bone has 100 and more, cortical bone 1900, metal up to 21500 kg/m³",
    others: &[("g/cm³", 1e3), ("t/mm³", 1e12), ("kg/mm³", 1e9)],
};

/// Poisson's ratio of an isotropic solid.
pub const POISSON: Constant = Constant {
    name: "Poisson's ratio",
    unit: "",
    possible: -1.0..=0.5,
    usual: 0.0..=0.5,
    source: "only artificial foams have a negative one",
    others: &[],
};

impl Constant {
    /// What is wrong with the value of something; `of` names it, such as `the bone`.
    pub fn finding(&self, of: &str, value: f64) -> Option<Finding> {
        if self.usual.contains(&value) {
            return None;
        }
        let unit = if self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) };
        let message = format!("the {} of {of} is {}{unit}; {}", self.name, significant(value, 3), self.source);
        let meant = self.others.iter().find(|(_, size)| self.usual.contains(&(size * value)));
        let remedy = match meant {
            Some((other, size)) => {
                format!("if it is in {other}, write {}, in {}", significant(size * value, 3), self.unit)
            }
            None if self.unit.is_empty() => "check it".into(),
            None => format!("give it in {}", self.unit),
        };
        Some(match self.possible.contains(&value) {
            true => Finding::warning(message, remedy),
            false => Finding::error(message, remedy),
        })
    }
}
