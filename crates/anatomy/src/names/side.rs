//! Right and left, as names end with them: `_r` and `_l`.

/// A side of the body; `Option<Side>` is `None` in the median plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// Names end with `_r`.
    Right,
    /// Names end with `_l`.
    Left,
}

impl Side {
    /// Right, then left: the order of every pair of sides.
    pub const BOTH: [Side; 2] = [Side::Right, Side::Left];

    /// The side by the suffix of a name; `None` for names in the median plane.
    pub fn of(name: &str) -> Option<Self> {
        Side::BOTH.into_iter().find(|side| name.ends_with(side.ending()))
    }

    /// The suffix of names on this side.
    pub fn ending(self) -> &'static str {
        match self {
            Side::Right => "_r",
            Side::Left => "_l",
        }
    }

    /// The word in messages.
    pub fn word(self) -> &'static str {
        match self {
            Side::Right => "right",
            Side::Left => "left",
        }
    }

    /// The name of something on this side.
    pub fn name(self, stem: &str) -> String {
        format!("{stem}{}", self.ending())
    }

    /// Its index in a pair of right and left.
    pub fn index(self) -> usize {
        match self {
            Side::Right => 0,
            Side::Left => 1,
        }
    }

    /// Sign of Z away from the median plane: 1 on the right, -1 on the left.
    pub fn outward(self) -> f64 {
        match self {
            Side::Right => 1.0,
            Side::Left => -1.0,
        }
    }

    /// The other side.
    pub fn opposite(self) -> Side {
        match self {
            Side::Right => Side::Left,
            Side::Left => Side::Right,
        }
    }
}

/// The name without the suffix of its side.
pub fn without_side(name: &str) -> &str {
    Side::of(name).and_then(|side| name.strip_suffix(side.ending())).unwrap_or(name)
}

/// The name on the other side; names in the median plane are not changed.
pub fn mirror_name(name: &str) -> String {
    match Side::of(name) {
        Some(side) => side.opposite().name(without_side(name)),
        None => name.into(),
    }
}
