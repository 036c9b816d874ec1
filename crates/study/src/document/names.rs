//! What readers look for: kinds of numbers, kinds of named things, names for formulas.

use super::expression::Scope;
use super::quantity::{Dimension, Quantity};
use std::collections::BTreeMap;

/// What a number has to be.
#[derive(Clone, Copy)]
pub(crate) struct Want {
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

impl Want {
    /// Any number of this dimension.
    pub const fn of(dimension: Dimension) -> Self {
        Want { dimension: Some(dimension), low: Low::Free }
    }

    /// Any number of any dimension.
    pub const ANY: Want = Want { dimension: None, low: Low::Free };

    /// Greater than zero.
    pub const fn positive(self) -> Self {
        Want { low: Low::Positive, ..self }
    }

    /// Zero or more.
    pub const fn not_negative(self) -> Self {
        Want { low: Low::NotNegative, ..self }
    }
}

/// Kinds of things that have names and are mentioned elsewhere.
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
    Gauge,
}

impl Kind {
    pub const ALL: [Kind; 10] = [
        Kind::Body,
        Kind::Joint,
        Kind::Coordinate,
        Kind::Constraint,
        Kind::Force,
        Kind::Contact,
        Kind::Foundation,
        Kind::Measure,
        Kind::Plot,
        Kind::Gauge,
    ];

    /// Whether tables of this name make such things.
    pub fn made_by(self, table: &str) -> bool {
        let from_body = matches!(self, Kind::Gauge | Kind::Coordinate) && table == Kind::Body.word();
        self.word() == table || from_body || (self == Kind::Coordinate && table == Kind::Joint.word())
    }

    /// What people call it.
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
            Kind::Gauge => "gauge",
        }
    }
}

/// The numbers formulas may use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    pub numbers: BTreeMap<String, Quantity>,
    /// Number of the copy in a `repeat`.
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
