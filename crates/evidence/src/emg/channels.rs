//! Names of electromyograms: muscle and side.

use wolff_anatomy::Side;

/// A muscle that signals are named after.
pub(super) struct Channel {
    /// Its name.
    pub muscle: &'static str,
    /// Beginnings of the names of signals.
    signals: &'static [&'static str],
    /// Beginnings of the names of its parts, whose forces are added, in this program and in imported models.
    parts: &'static [&'static str],
}

const fn channel(muscle: &'static str, signals: &'static [&'static str], parts: &'static [&'static str]) -> Channel {
    Channel { muscle, signals, parts }
}

/// The muscles; the first entry that matches is used.
const CHANNELS: [Channel; 12] = [
    channel("soleus", &["soleus", "sol"], &["soleus"]),
    channel(
        "gastrocnemius lateralis",
        &["gastrocnemius_l", "gaslat", "lat_gas", "gas_lat", "lg"],
        &["lat_gas", "gaslat"],
    ),
    channel(
        "gastrocnemius medialis",
        &["gastrocnemius_m", "gasmed", "med_gas", "gas_med", "mg"],
        &["med_gas", "gasmed"],
    ),
    channel("gastrocnemius", &["gastrocnemius", "gas"], &["lat_gas", "med_gas", "gaslat", "gasmed"]),
    channel("tibialis anterior", &["tibialis_anterior", "tib_ant", "tibant", "ta"], &["tib_ant", "tibant"]),
    channel("medial hamstrings", &["medial_hamstrings", "semi", "mh"], &["semimem", "semiten"]),
    channel(
        "biceps femoris",
        &["biceps_femoris", "bicfem", "bifem", "bf", "lateral_hamstrings"],
        &["bifem", "bflh", "bfsh"],
    ),
    channel("vastus lateralis", &["vastus_lateralis", "vaslat", "vas_lat", "vl"], &["vas_lat", "vaslat"]),
    channel("vastus medialis", &["vastus_med", "vasmed", "vas_med", "vm"], &["vas_med", "vasmed"]),
    channel("rectus femoris", &["rectus_femoris", "recfem", "rect_fem", "rf"], &["rect_fem", "recfem"]),
    channel("gluteus maximus", &["gluteus_max", "glmax", "glut_max", "glumax", "gmax"], &["glut_max", "glmax"]),
    channel("gluteus medius", &["gluteus_med", "glmed", "glut_med", "glumed", "gmed"], &["glut_med", "glmed"]),
];

/// Words of a name that tell neither muscle nor side.
const OTHER_WORDS: [&str; 5] = ["emg", "voltage", "raw", "ch", "sensor"];

/// The parts of a name that count: muscle in lower case with `_` between its words, and side; right if it names none.
struct Name {
    muscle: String,
    side: Side,
}

impl Name {
    fn read(signal: &str) -> Self {
        let lower = signal.to_lowercase();
        let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let mut words: Vec<&str> = words.filter(|word| !OTHER_WORDS.contains(word)).collect();
        let side = |word: &&str| match *word {
            "r" | "right" => Some(Side::Right),
            "l" | "left" => Some(Side::Left),
            _ => None,
        };
        // the side is the first or the last word; `gastrocnemius_l` is the lateral head
        let first = words.first().and_then(side);
        let lateral = words.len() == 2 && words[0] == "gastrocnemius";
        let last = words.last().and_then(side).filter(|_| words.len() > 1 && first.is_none() && !lateral);
        if first.is_some() {
            words.remove(0);
        }
        if last.is_some() {
            words.pop();
        }
        Name { muscle: words.join("_"), side: first.or(last).unwrap_or(Side::Right) }
    }

    fn channel(&self) -> Option<&'static Channel> {
        // abbreviations of two letters are whole words
        let begins = |stem: &&str| match self.muscle.strip_prefix(*stem) {
            Some(rest) => stem.len() > 2 || !rest.starts_with(char::is_alphabetic),
            None => false,
        };
        CHANNELS.iter().find(|channel| channel.signals.iter().any(&begins))
    }
}

/// The muscle and the side that a signal represents, and the indices of its parts among the muscles of a model; `None`
/// where the model has no such muscle.
pub(super) fn muscles_of(signal: &str, muscles: &[String]) -> Option<(&'static str, Side, Vec<usize>)> {
    let name = Name::read(signal);
    let channel = name.channel()?;
    let belongs = |m: &String| Side::of(m) == Some(name.side) && channel.parts.iter().any(|part| m.starts_with(part));
    let parts: Vec<usize> = muscles.iter().enumerate().filter(|(_, m)| belongs(m)).map(|(i, _)| i).collect();
    (!parts.is_empty()).then_some((channel.muscle, name.side, parts))
}

/// Whether a name is that of a muscle.
pub(super) fn names_a_muscle(signal: &str) -> bool {
    Name::read(signal).channel().is_some()
}

/// Whether a name contains the word for electromyography.
pub(super) fn says_emg(signal: &str) -> bool {
    signal.to_lowercase().contains("emg")
}
