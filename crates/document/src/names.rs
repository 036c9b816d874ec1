//! What readers look for: requirements on numbers, kinds of named objects, names for formulas.

use std::collections::BTreeMap;
use wolff_formula::expression::Scope;
use wolff_formula::quantity::{Dimension, Quantity};

/// Requirement on a number.
#[derive(Clone, Copy)]
pub(crate) struct Expected {
    pub dimension: Option<Dimension>,
    pub low: Low,
}

/// Lower limit of a number.
#[derive(Clone, Copy)]
pub(crate) enum Low {
    Free,
    NotNegative,
    Positive,
}

impl Expected {
    /// Any number of this dimension.
    pub const fn of(dimension: Dimension) -> Self {
        Expected { dimension: Some(dimension), low: Low::Free }
    }

    /// Any number of any dimension.
    pub const ANY: Expected = Expected { dimension: None, low: Low::Free };

    /// Greater than zero.
    pub const fn positive(self) -> Self {
        Expected { low: Low::Positive, ..self }
    }

    /// Zero or more.
    pub const fn not_negative(self) -> Self {
        Expected { low: Low::NotNegative, ..self }
    }
}

/// Kinds of objects that have names and are referred to elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Body,
    Joint,
    Coordinate,
    Constraint,
    Force,
    Contact,
    Foundation,
    Measure,
    Plot,
    Drawing,
    Gauge,
}

impl Kind {
    pub const ALL: [Kind; 11] = [
        Kind::Body,
        Kind::Joint,
        Kind::Coordinate,
        Kind::Constraint,
        Kind::Force,
        Kind::Contact,
        Kind::Foundation,
        Kind::Measure,
        Kind::Plot,
        Kind::Drawing,
        Kind::Gauge,
    ];

    /// Whether tables of this name define such objects.
    pub fn made_by(self, table: &str) -> bool {
        let from_body = matches!(self, Kind::Gauge | Kind::Coordinate) && table == Kind::Body.word();
        self.word() == table || from_body || (self == Kind::Coordinate && table == Kind::Joint.word())
    }

    /// Usual name of the kind.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Body => "body",
            Kind::Joint => "joint",
            Kind::Coordinate => "coordinate",
            Kind::Constraint => "constraint",
            Kind::Force => "force",
            Kind::Contact => "contact",
            Kind::Foundation => "foundation",
            Kind::Measure => "measure",
            Kind::Plot => "plot",
            Kind::Drawing => "drawing",
            Kind::Gauge => "gauge",
        }
    }
}

/// The numbers that formulas may use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    pub numbers: BTreeMap<String, Quantity>,
    /// Index of the copy in a `repeat`.
    pub index: Option<usize>,
}

impl Scope for Names {
    fn get(&self, name: &str) -> Option<Quantity> {
        match (name, self.index) {
            ("i", Some(index)) => Some(Quantity { value: index as f64, dimension: None }),
            _ => self.numbers.get(name).copied(),
        }
    }
}
