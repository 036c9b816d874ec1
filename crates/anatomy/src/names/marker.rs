//! Names of markers: their side and what remains without it.
//!
//! Laboratories write the same marker in many ways: `RASI`, `R.ASIS`, `r_asis`, `RightAsis`, `asis_r`,
//! `Subject:RASI`.

use super::Side;
use std::collections::BTreeMap;

/// The name of a marker, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkerName {
    /// The side; `None` in the median plane or where the name does not tell.
    pub side: Option<Side>,
    /// The rest in lower case, letters and digits only.
    pub stem: String,
}

/// A possible reading of a name.
struct Reading {
    side: Side,
    stem: String,
    /// The name of the marker on the other side.
    mirrored: String,
    /// Whether no other marker is needed to be sure: the side is a word of its own.
    is_sure: bool,
}

/// The letters and the words of sides, as they are written.
const WORDS: [(&str, &str); 10] = [
    ("R", "L"),
    ("r", "l"),
    ("Right", "Left"),
    ("right", "left"),
    ("RIGHT", "LEFT"),
    ("Rt", "Lt"),
    ("rechts", "links"),
    ("Rechts", "Links"),
    ("re", "li"),
    ("Re", "Li"),
];

/// Words for the same place: the usual one, abbreviations of Plug-in Gait, and German ones.
const PLACES: [(&str, &[&str]); 18] = [
    ("asis", &["asi", "spina", "beckenvorn"]),
    ("psis", &["psi", "beckenhinten"]),
    ("sacral", &["sacr", "sacrum", "vsacral", "kreuzbein", "s2"]),
    ("knee", &["kne", "knie"]),
    ("ankle", &["ank", "knoechel", "knöchel"]),
    ("heel", &["hee", "calc", "cal", "ferse"]),
    ("toe", &["zehe", "hallux"]),
    ("foot", &["fuss", "fuß"]),
    ("thigh", &["thi", "oberschenkel"]),
    ("shank", &["tib", "tibia", "unterschenkel"]),
    ("hip", &["huefte", "hüfte"]),
    ("acromium", &["sho", "shoulder", "acromion", "acr", "schulter"]),
    ("elbow", &["elb", "ellenbogen"]),
    ("wrist", &["wri", "wra", "wrb", "handgelenk"]),
    ("sternum", &["strn", "ster", "brustbein"]),
    ("clavicle", &["clav", "schluesselbein", "schlüsselbein"]),
    ("head", &["kopf"]),
    ("lateral", &["lat", "aussen", "außen"]),
];

/// The stem with the usual word for its place, where it begins with another one.
fn usual(stem: &str) -> String {
    let found = PLACES.iter().find_map(|(usual, others)| {
        let longest = others.iter().chain([usual]).filter(|word| stem.starts_with(**word)).max_by_key(|w| w.len())?;
        Some(format!("{usual}{}", stem.strip_prefix(*longest).unwrap_or_default()))
    });
    found.unwrap_or_else(|| stem.into())
}

/// The names of all markers of a trial or model, read. A first letter such as that of `RASI` is a side only where the
/// marker of the other side exists, too.
pub fn marker_names(names: &[&str]) -> Vec<MarkerName> {
    let plain = |name: &str| MarkerName { side: None, stem: bare(name) };
    let read = |name: &&str| {
        let all = readings(name);
        let found = all.iter().find(|r| names.contains(&r.mirrored.as_str())).or(all.iter().find(|r| r.is_sure));
        found.map_or_else(|| plain(name), |r| MarkerName { side: Some(r.side), stem: r.stem.clone() })
    };
    names.iter().map(read).collect()
}

/// The name of the marker on the other side, of those in the list; `None` for a marker without one.
pub fn mirrored_marker<'a>(name: &str, names: &[&'a str]) -> Option<&'a str> {
    let readings = readings(name);
    names.iter().copied().find(|n| readings.iter().any(|r| r.mirrored == *n))
}

/// The name without the subject that some programs write in front of it, as in `Subject:RASI`.
pub fn without_subject(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, rest)| rest).trim()
}

/// Pairs of a recorded name and the name of the model that is most probably the same marker, of those that do not agree
/// already: equal apart from case, separators and the way of writing sides, or similar.
pub fn similar_markers(recorded: &[&str], model: &[&str]) -> Vec<(String, String)> {
    let (read, wanted) = (marker_names(recorded), marker_names(model));
    let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
    for (i, (name, r)) in recorded.iter().zip(&read).enumerate() {
        for (j, (target, w)) in model.iter().zip(&wanted).enumerate() {
            let settled = model.contains(name) || recorded.contains(target);
            if !settled && r.side == w.side {
                let same_place = SAME_PLACE * likeness(&usual(&r.stem), &usual(&w.stem));
                pairs.push((likeness(&r.stem, &w.stem).max(same_place), i, j));
            }
        }
    }
    pairs.retain(|(likeness, ..)| *likeness >= ENOUGH);
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
    let mut chosen: BTreeMap<usize, usize> = BTreeMap::new();
    for (_, i, j) in pairs {
        if !chosen.contains_key(&i) && !chosen.values().any(|taken| *taken == j) {
            chosen.insert(i, j);
        }
    }
    let name = |list: &[&str], i: usize| list.get(i).map(|n| n.to_string()).unwrap_or_default();
    chosen.into_iter().map(|(i, j)| (name(recorded, i), name(model, j))).collect()
}

/// Likeness from which names are proposed; chosen here: two of five letters may differ.
const ENOUGH: f64 = 0.6;
/// Likeness of a name and its beginning, such as `hee` and `heel`.
const ABBREVIATED: f64 = 0.95;
/// Likeness of two words for the same place.
const SAME_PLACE: f64 = 0.98;
/// Letters that an abbreviation must have.
const ABBREVIATION: usize = 3;

/// 1 for equal stems, less for similar ones.
fn likeness(a: &str, b: &str) -> f64 {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if a == b {
        1.0
    } else if short.len() >= ABBREVIATION && long.starts_with(short) {
        ABBREVIATED
    } else {
        let most = long.chars().count().max(1);
        1.0 - edits(a, b) as f64 / most as f64
    }
}

/// Number of letters to insert, delete or exchange (Levenshtein distance).
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row.last().copied().unwrap_or(0)
}

fn bare(name: &str) -> String {
    without_subject(name).chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase()
}

/// Readings of a name with a side in front or behind, words of their own first.
fn readings(name: &str) -> Vec<Reading> {
    let mut all = Vec::new();
    let own = without_subject(name);
    let subject = name.strip_suffix(own).unwrap_or_default();
    let separates = |c: Option<char>| c.is_some_and(|c| !c.is_alphanumeric());
    for (right, left) in WORDS {
        for (side, word, other) in [(Side::Right, right, left), (Side::Left, left, right)] {
            if let Some(rest) = own.strip_prefix(word).filter(|rest| !rest.is_empty()) {
                let capital = word.len() > 2 && rest.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
                let is_sure = separates(rest.chars().next()) || capital;
                let mirrored = format!("{subject}{other}{rest}");
                all.push(Reading { side, stem: bare(rest), mirrored, is_sure });
            }
            if let Some(rest) = own.strip_suffix(word).filter(|rest| !rest.is_empty()) {
                let capital = word.len() > 2 && word.starts_with(char::is_uppercase);
                let is_sure = separates(rest.chars().next_back()) || capital;
                let mirrored = format!("{subject}{rest}{other}");
                all.push(Reading { side, stem: bare(rest), mirrored, is_sure });
            }
        }
    }
    all.retain(|r| !r.stem.is_empty());
    // words before letters, sure ones before others
    all.sort_by_key(|r| (!r.is_sure, std::cmp::Reverse(bare(own).len() - r.stem.len().min(bare(own).len()))));
    all
}
