//! Ways to compute with a body that bends.

/// How the deformation of a body is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Way {
    /// Modes in a floating frame: deformation and motion act on each other.
    #[default]
    FloatingFrame,
    /// This many rigid segments joined by springs ([`super::segments`]): deformation and motion act on each other.
    Segments(usize),
    /// Not at all: gauges show nothing.
    Rigid,
    /// Rigid motion; its loads strain the whole mesh as if at rest, instant by instant ([`super::elastic`]).
    QuasiStatic,
    /// Rigid motion; its loads make the whole mesh vibrate ([`super::elastic`]).
    Elastodynamic,
}

impl Way {
    /// The words of study files.
    pub const WORDS: [&'static str; 5] = ["floating-frame", "segments", "rigid", "quasi-static", "elastodynamic"];

    /// The way that a word stands for; `segments` is how many there are to be.
    pub fn of(word: &str, segments: usize) -> Self {
        match word {
            "segments" => Way::Segments(segments),
            "rigid" => Way::Rigid,
            "quasi-static" => Way::QuasiStatic,
            "elastodynamic" => Way::Elastodynamic,
            _ => Way::FloatingFrame,
        }
    }

    /// Whether it needs a solid: a bone or a mesh.
    pub fn needs_solid(self) -> bool {
        !matches!(self, Way::FloatingFrame | Way::Rigid)
    }
}
