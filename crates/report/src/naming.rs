//! Names of results and columns in words, with their units: `medial_force_n` is "medial force \[N\]".
//!
//! The unit is the end of a name. One table of units serves the page, its figures and the terminal.

/// Endings of names and their units, longer endings first where one ends in another.
const UNITS: [(&str, &str); 45] = [
    ("microstrain_rate_per_s", "µε/s"),
    ("microstrain_s", "µε/s"),
    ("microstrain", "µε"),
    ("n_or_nm", "N or N m"),
    ("bw_height", "BW × height"),
    ("percent", "%"),
    ("rad_s2", "rad/s²"),
    ("deg_s2", "°/s²"),
    ("rad_s", "rad/s"),
    ("deg_s", "°/s"),
    ("m_s2", "m/s²"),
    ("mm_s", "mm/s"),
    ("m_s", "m/s"),
    ("kg_m2", "kg m²"),
    ("n_mm", "N mm"),
    ("n_m", "N m"),
    ("mm4", "mm⁴"),
    ("mm3", "mm³"),
    ("mm2", "mm²"),
    ("cm2", "cm²"),
    ("m4", "m⁴"),
    ("m3", "m³"),
    ("m2", "m²"),
    ("gpa", "GPa"),
    ("mpa", "MPa"),
    ("kpa", "kPa"),
    ("deg", "°"),
    ("rad", "rad"),
    ("nm", "N m"),
    ("mm", "mm"),
    ("cm", "cm"),
    ("um", "µm"),
    ("kg", "kg"),
    ("pa", "Pa"),
    ("hz", "Hz"),
    ("ms", "ms"),
    ("kn", "kN"),
    ("bw", "BW"),
    ("mj", "mJ"),
    ("kj", "kJ"),
    ("m", "m"),
    ("s", "s"),
    ("n", "N"),
    ("j", "J"),
    ("w", "W"),
];

/// Words after a unit that are not part of it: `joint_angle_rms_deg_max` is an angle.
const AFTER_UNITS: [&str; 4] = ["max", "min", "mean", "rms"];

/// The quantity of a name in words, and its unit; the unit is empty if the name does not end in one. A text that has
/// spaces is not a name and stays as it is.
pub fn parts(name: &str) -> (String, String) {
    if name.contains(char::is_whitespace) {
        return (name.into(), String::new());
    }
    if let Some((rest, last)) = name.rsplit_once('_')
        && AFTER_UNITS.contains(&last)
        && let Some((stem, unit)) = split_unit(rest)
    {
        return (format!("{} {last}", words(stem)), unit);
    }
    match split_unit(name) {
        Some((stem, unit)) => (words(stem), unit),
        None => (words(name), String::new()),
    }
}

/// The unit of a name; empty if it does not end in one.
pub fn unit(name: &str) -> String {
    parts(name).1
}

/// A name as a label: words and, in brackets, the unit.
pub fn label(name: &str) -> String {
    match parts(name) {
        (words, unit) if unit.is_empty() => words,
        (words, unit) => format!("{words} [{unit}]"),
    }
}

/// A name as a label in a figure whose axis has the unit already.
pub fn label_beside(name: &str, axis: &str) -> String {
    match parts(name) {
        (words, unit) if unit.is_empty() || axis.contains(&format!("[{unit}]")) => words,
        _ => label(name),
    }
}

/// A heading with the usual symbols of its units: `max shear [microstrain/s]` is `max shear [µε/s]`. A name such as
/// `medial_force_n` becomes a label.
pub fn heading(text: &str) -> String {
    if text.contains('_') && !text.contains(char::is_whitespace) {
        return label(text);
    }
    text.replace("[microstrain", "[µε").replace("[deg]", "[°]").replace("[deg/s", "[°/s")
}

/// The rest of a name and its unit.
fn split_unit(name: &str) -> Option<(&str, String)> {
    let by_table = |name| -> Option<(&str, &'static str)> {
        UNITS.iter().find_map(|(end, unit)| Some((ending(name, end)?, *unit)))
    };
    let plain = by_table(name).map(|(stem, unit)| (stem, unit.to_string()));
    // `stiffness_n_per_m` and `loading_rate_bw_per_s`
    let ratio = name.rsplit_once("_per_").and_then(|(over, under)| {
        let (_, under) = UNITS.iter().find(|(end, _)| *end == under)?;
        let (stem, over) = by_table(over)?;
        Some((stem, format!("{over}/{under}")))
    });
    match plain {
        Some((_, ref unit)) if unit.contains('/') => plain,
        _ => ratio.or(plain),
    }
}

/// What stands before an ending that begins a new word.
fn ending<'a>(name: &'a str, end: &str) -> Option<&'a str> {
    name.strip_suffix(end)?.strip_suffix('_').filter(|stem| !stem.is_empty())
}

/// Parts of a name that are abbreviations, and how they are written.
const WRITTEN: [(&str, &str); 5] =
    [("rms", "RMS"), ("emg", "EMG"), ("cop", "centre of pressure"), ("sd", "SD"), ("bw", "BW")];

fn words(name: &str) -> String {
    if name == "t" {
        return "time".into();
    }
    let shown = |part: &str| WRITTEN.iter().find(|(key, _)| *key == part).map_or(part, |(_, text)| text).to_string();
    name.split(['_', '.']).filter(|part| !part.is_empty()).map(shown).collect::<Vec<_>>().join(" ")
}
