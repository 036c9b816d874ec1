//! Is a mesh as large as what it stands for? Files do not tell their unit of length, and most are in mm.

use std::ops::RangeInclusive;
use wolff_spatial::Vec3;
use wolff_verdict::Finding;

/// What a mesh stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// A bone, or a part of one: another size is an error.
    Bone,
    /// Any part of a body or of an implant: another size is a warning.
    Any,
}

/// Longest sides of bones \[m\]: from a sesamoid bone or a piece of bone of 5 mm to the femur of a very tall man, about
/// 0.6 m, and some more.
pub const BONE: RangeInclusive<f64> = 5e-3..=0.7;

/// Longest sides of anything a person consists of or wears \[m\].
pub const ANY: RangeInclusive<f64> = 1e-3..=3.0;

/// Nothing larger is computed \[m\]: the cube of a length must keep its digits.
pub const LARGEST: f64 = 1e6;

/// Units of files, the likely ones first: name, size \[m\].
pub const UNITS: [(&str, f64); 5] = [("m", 1.0), ("mm", 1e-3), ("cm", 1e-2), ("um", 1e-6), ("in", 0.0254)];

/// The size of a unit \[m\] by its name.
///
/// # Errors
/// With the known names.
pub fn unit(name: &str) -> Result<f64, String> {
    let found = UNITS.iter().find(|(known, _)| *known == name).map(|(_, size)| *size);
    found.ok_or_else(|| format!("`{name}` is not a unit of length; write one of {}", UNITS.map(|(n, _)| n).join(", ")))
}

/// The longest side of the box around points \[m\]; zero without points.
pub fn longest_side<'a>(points: impl IntoIterator<Item = &'a Vec3>) -> f64 {
    let ends = points.into_iter().fold(None, |ends: Option<(Vec3, Vec3)>, x| {
        Some(ends.map_or((*x, *x), |(low, high)| (low.inf(x), high.sup(x))))
    });
    ends.map_or(0.0, |(low, high)| (high - low).max())
}

/// Judges the longest side of a mesh \[m\] after the scale given by the user was applied.
pub fn finding(what: &str, length: f64, expected: Expected) -> Option<Finding> {
    let message = wrong_size(what, length, expected)?;
    if !(length <= LARGEST) {
        return Some(Finding::error(message, DAMAGED));
    }
    let choices: Vec<String> = fitting_units(length)
        .enumerate()
        .map(|(position, (name, size))| {
            let what = if position == 0 { "the numbers" } else { "they" };
            let size = if name == "mm" { "1e-3".to_string() } else { size.to_string() };
            format!("if {what} are {name} use --scale {size} (or --unit {name})")
        })
        .collect();
    let remedy = match choices.is_empty() {
        false => choices.join("; "),
        true if length < *BONE.start() => {
            "the numbers may be in m already: omit --scale and --unit, or give the unit of the file".into()
        }
        true => "give the unit of the file with --unit, or check what was exported".into(),
    };
    Some(match expected {
        Expected::Bone => Finding::error(message, remedy),
        Expected::Any => Finding::warning(message, remedy),
    })
}

/// Judges the longest side \[m\] of a surface that is read in m, without a choice: an error whose remedy is the
/// conversion of the file.
pub fn refusal(what: &str, length: f64) -> Option<Finding> {
    let message = wrong_size(what, length, Expected::Any)?;
    let units: Vec<&str> = fitting_units(length).map(|(name, _)| name).collect();
    let remedy = match units.first() {
        _ if !(length <= LARGEST) => DAMAGED.into(),
        Some(unit) => format!(
            "it is read in m; if its numbers are {}, convert it: `wolff mesh convert FILE OUT --unit {unit}`",
            units.join(" or ")
        ),
        None if length < *ANY.start() => {
            "it is read in m, and may have been scaled to m twice: multiply its numbers by 1000, for example by `wolff \
             mesh convert FILE OUT --scale 1000`"
                .into()
        }
        None => "it is read in m; check what was exported".into(),
    };
    Some(Finding::error(message, remedy))
}

const DAMAGED: &str = "the file is damaged, or its numbers are no lengths: export it again";

/// What is wrong with the size; `None` of a size that can be right.
fn wrong_size(what: &str, length: f64, expected: Expected) -> Option<String> {
    if !(length <= LARGEST) {
        return Some(format!("{what} is {} m long; nothing larger than {LARGEST:e} m is computed", figure(length)));
    }
    let (range, kind) = match expected {
        Expected::Bone => (BONE, "a bone"),
        Expected::Any => (ANY, "a part of a body"),
    };
    let [low, high] = [1e3 * range.start(), *range.end()];
    (!range.contains(&length)).then(|| format!("{what} is {} m long; {kind} has {low} mm to {high} m", figure(length)))
}

/// Units in which a length would be that of a bone, in the order of [`UNITS`].
fn fitting_units(length: f64) -> impl Iterator<Item = (&'static str, f64)> {
    UNITS.into_iter().filter(move |(name, size)| *name != "m" && BONE.contains(&(size * length)))
}

/// Three digits; large and small numbers with an exponent.
fn figure(x: f64) -> String {
    match x.abs() {
        0.0 => "0".into(),
        size if (1e-3..1e5).contains(&size) => {
            let digits = (2 - size.log10().floor() as i32).max(0) as usize;
            format!("{x:.digits$}")
        }
        _ => format!("{x:.2e}"),
    }
}
