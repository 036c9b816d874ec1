//! From density to modulus: published relations by name.

mod table;

pub use table::RELATIONS;

use crate::DensityError;
use crate::calibration::DensityKind;

/// How the numbers of a published relation were checked for this program. None was compared with the paper itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Checked {
    /// Written down from memory; compare with the paper before relying on it.
    FromMemory,
    /// The same numbers stand in one other place that cites the paper.
    OneSource,
    /// The same numbers stand in two other places, independent of each other, that cite the paper.
    TwoSources,
}

impl Checked {
    /// As part of a sentence.
    pub fn words(self) -> &'static str {
        match self {
            Checked::FromMemory => "not confirmed: written from memory",
            Checked::OneSource => "not confirmed: found in one other source only",
            Checked::TwoSources => "found alike in two other sources",
        }
    }
}

/// `E = offset + coefficient ρ^exponent` up to a density; E in MPa, ρ in g/cm³.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Piece {
    /// The density up to which it holds; infinite for the last piece.
    pub up_to: f64,
    /// MPa.
    pub offset: f64,
    /// MPa / (g/cm³)^exponent.
    pub coefficient: f64,
    /// 1.
    pub exponent: f64,
}

/// A relation between density and Young's modulus.
#[derive(Debug, Clone, PartialEq)]
pub struct Relation {
    /// Its name.
    pub name: String,
    /// Bone and direction that were tested.
    pub site: String,
    /// The density it starts from.
    pub density: DensityKind,
    /// Densities that were tested, g/cm³, as far as known.
    pub range: [f64; 2],
    /// Its pieces by growing density.
    pub pieces: Vec<Piece>,
    /// The publication.
    pub citation: String,
    /// How the numbers were checked.
    pub checked: Checked,
}

/// A relation of the table, see [`Relation::named`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Published {
    /// See [`Relation`].
    pub name: &'static str,
    /// See [`Relation`].
    pub site: &'static str,
    /// See [`Relation`].
    pub density: DensityKind,
    /// See [`Relation`].
    pub range: [f64; 2],
    /// See [`Relation`].
    pub pieces: &'static [Piece],
    /// See [`Relation`].
    pub citation: &'static str,
    /// See [`Relation`].
    pub checked: Checked,
}

impl Relation {
    /// The published relation of a name.
    ///
    /// # Errors
    /// When there is none; the message lists the names.
    pub fn named(name: &str) -> Result<Self, DensityError> {
        let found = RELATIONS.iter().find(|r| r.name == name).ok_or_else(|| DensityError::Unknown {
            what: "density-modulus relation",
            name: name.into(),
            known: RELATIONS.iter().map(|r| r.name).collect::<Vec<_>>().join(", "),
        })?;
        Ok(Self {
            name: found.name.into(),
            site: found.site.into(),
            density: found.density,
            range: found.range,
            pieces: found.pieces.to_vec(),
            citation: found.citation.into(),
            checked: found.checked,
        })
    }

    /// A relation of the user's own: `E = offset + coefficient ρ^exponent`, E in MPa, ρ in g/cm³.
    ///
    /// # Errors
    /// When a number is not finite, or the modulus does not grow with density.
    pub fn own(density: DensityKind, offset: f64, coefficient: f64, exponent: f64) -> Result<Self, DensityError> {
        let grows = coefficient > 0.0 && exponent > 0.0;
        if !(grows && [offset, coefficient, exponent].iter().all(|x| x.is_finite())) {
            return Err(DensityError::invalid(
                "density-modulus relation",
                format!("E = {offset} + {coefficient} x rho^{exponent} must be finite and grow; correct its numbers"),
            ));
        }
        Ok(Self {
            name: "own".into(),
            site: "given by the user".into(),
            density,
            range: [0.0, f64::INFINITY],
            pieces: vec![Piece { up_to: f64::INFINITY, offset, coefficient, exponent }],
            citation: String::new(),
            checked: Checked::TwoSources,
        })
    }

    /// Young's modulus of a density in g/cm³, MPa; a negative density counts as zero, and so does a negative modulus.
    pub fn modulus(&self, density: f64) -> f64 {
        let rho = density.max(0.0);
        let piece = self.pieces.iter().find(|piece| rho <= piece.up_to).or(self.pieces.last());
        piece.map_or(0.0, |p| (p.offset + p.coefficient * rho.powf(p.exponent)).max(0.0))
    }

    /// The formula as text.
    pub fn formula(&self) -> String {
        let rho = self.density.symbol();
        let piece = |p: &Piece| {
            let mut text = format!("{} {rho}", p.coefficient);
            if p.exponent != 1.0 {
                text += &format!("^{}", p.exponent);
            }
            match p.offset {
                0.0 => {}
                o if o > 0.0 => text += &format!(" + {o}"),
                o => text += &format!(" - {}", -o),
            }
            if p.up_to.is_finite() {
                text += &format!(" up to {}", p.up_to);
            }
            text
        };
        let pieces: Vec<String> = self.pieces.iter().map(piece).collect();
        format!("E [MPa] = {} ({rho} in g/cm³)", pieces.join("; "))
    }

    /// Name, formula, site, source and how the numbers were checked, as a sentence.
    pub fn remark(&self) -> String {
        if self.citation.is_empty() {
            return format!("modulus by {}, {}", self.formula(), self.site);
        }
        format!(
            "modulus by `{}`: {}; {}; {}; coefficients {}",
            self.name,
            self.formula(),
            self.site,
            self.citation,
            self.checked.words()
        )
    }
}
