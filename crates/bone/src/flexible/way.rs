//! Methods to compute the deformation of a body.

/// How the deformation of a body is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Way {
    /// Modes in a floating frame: deformation and motion are coupled.
    #[default]
    FloatingFrame,
    /// This many rigid segments joined by springs ([`super::segments`]): deformation and motion are coupled.
    Segments(usize),
    /// The body is rigid: gauges read zero.
    Rigid,
    /// Rigid motion; its loads strain the whole mesh as if at rest, instant by instant ([`super::elastic`]).
    QuasiStatic,
    /// Rigid motion; its loads make the whole mesh vibrate ([`super::elastic`]).
    Elastodynamic,
}

impl Way {
    /// The words of study files.
    pub const WORDS: [&'static str; 5] = ["floating-frame", "segments", "rigid", "quasi-static", "elastodynamic"];

    /// The method of a word of study files, with this number of segments if it needs one; none for unknown words.
    pub fn from_word(word: &str, segments: usize) -> Option<Self> {
        match word {
            "floating-frame" => Some(Way::FloatingFrame),
            "segments" => Some(Way::Segments(segments)),
            "rigid" => Some(Way::Rigid),
            "quasi-static" => Some(Way::QuasiStatic),
            "elastodynamic" => Some(Way::Elastodynamic),
            _ => None,
        }
    }

    /// Whether it needs a solid: a bone or a mesh.
    pub fn needs_solid(self) -> bool {
        !matches!(self, Way::FloatingFrame | Way::Rigid)
    }
}
