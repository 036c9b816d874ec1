//! Muscles by their anatomical group.

/// An anatomical muscle group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Soleus.
    Soleus,
    /// Both heads of gastrocnemius.
    Gastrocnemius,
    /// Rectus femoris and the vasti.
    Quadriceps,
    /// Semimembranosus, semitendinosus, both heads of biceps femoris.
    Hamstrings,
    /// Gluteus maximus, medius and minimus.
    Gluteus,
    /// Iliacus and psoas.
    Iliopsoas,
    /// Tibialis anterior.
    TibialisAnterior,
}

impl Group {
    /// All of them.
    pub const ALL: [Group; 7] = [
        Group::Soleus,
        Group::Gastrocnemius,
        Group::Quadriceps,
        Group::Hamstrings,
        Group::Gluteus,
        Group::Iliopsoas,
        Group::TibialisAnterior,
    ];

    /// Its name in results.
    pub fn name(self) -> &'static str {
        match self {
            Group::Soleus => "soleus",
            Group::Gastrocnemius => "gastrocnemius",
            Group::Quadriceps => "quadriceps",
            Group::Hamstrings => "hamstrings",
            Group::Gluteus => "gluteus",
            Group::Iliopsoas => "iliopsoas",
            Group::TibialisAnterior => "tibialis_anterior",
        }
    }

    /// Prefixes of the names of its muscles without underscores: of this program, of gait2392 and gait10dof18musc, and
    /// of Rajagopal's model.
    fn beginnings(self) -> &'static [&'static str] {
        match self {
            Group::Soleus => &["soleus"],
            Group::Gastrocnemius => &["medgas", "latgas", "gasmed", "gaslat", "gastroc"],
            Group::Quadriceps => &["rectfem", "recfem", "vasmed", "vasint", "vaslat", "vasti", "quadriceps"],
            Group::Hamstrings => &["semimem", "semiten", "bifemlh", "bifemsh", "bflh", "bfsh", "hamstrings"],
            Group::Gluteus => &["glutmax", "glutmed", "glutmin", "glmax", "glmed", "glmin"],
            Group::Iliopsoas => &["iliacus", "psoas", "iliopsoas"],
            Group::TibialisAnterior => &["tibant"],
        }
    }

    /// Whether a muscle belongs to the group on a side, `r` or `l`, by its name.
    pub fn has(self, muscle: &str, side: &str) -> bool {
        let lower = muscle.to_ascii_lowercase();
        let Some(stem) = lower.strip_suffix(side).and_then(|stem| stem.strip_suffix('_')) else { return false };
        let plain = stem.replace('_', "");
        self.beginnings().iter().any(|beginning| plain.starts_with(beginning))
    }
}
