//! Can contacts and ligaments be right? Layers, surfaces and strains that do not exist are told.

use crate::pressure::PosedContact;
use wolff_contact::FoundationPair;
use wolff_formats::Table;
use wolff_verdict::constant::{LAYER_MODULUS, LAYER_THICKNESS};
use wolff_verdict::{Finding, Judgement, Limit, grouped};

/// Gap between flat triangles and the curved surface over the deepest overlap \[-\]: forces grow with the square of the
/// overlap, so that they are too small by twice this part.
const FACETS: f64 = 0.05;

/// Pressure at the rim of a surface over the largest pressure \[-\]; at the edge of a contact the pressure is zero.
const RIM: f64 = 0.5;

/// Strain of a ligament \[-\] above which it is torn, with a margin: single fibres of models reach 0.6 in poses that a
/// knee does not take, as when the anterior cruciate is cut or before a model has settled.
const LIGAMENT_STRAIN: f64 = 0.8;

/// A ligament that is shorter than its slack length by this part or more in all poses never carries load.
const LIGAMENT_SLACK: f64 = 0.8;

/// A force in one pose over the second largest one \[-\].
const JUMP: f64 = 15.0;

/// Poses from which on the largest force should not stand alone.
const ENOUGH_POSES: usize = 20;

/// The largest values of a contact that tell about its surfaces.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    /// Deepest overlap over the thickness of the layers.
    pub deepest: f64,
    /// Largest pressure on an element of the rim over the largest pressure of the same pose.
    pub rim: f64,
}

/// Findings on the layers of a contact; `of` names it.
pub fn layer_findings(of: &str, pair: &FoundationPair) -> Vec<Finding> {
    let modulus = LAYER_MODULUS.finding(of, pair.material().modulus_at_rest());
    modulus.into_iter().chain(LAYER_THICKNESS.finding(of, thickest(pair))).collect()
}

/// The largest thickness of the layers of an element \[m\].
fn thickest(pair: &FoundationPair) -> f64 {
    pair.elements().elements.iter().map(|element| element.thickness).fold(0.0, f64::max)
}

/// Findings on layers and surfaces of a contact.
pub fn contact_findings(contact: &PosedContact, seen: Seen) -> Vec<Finding> {
    let of = format!("contact `{}`", contact.name);
    let pair = &contact.pair;
    let mut found = layer_findings(&of, pair);
    if let Some(mesh) = pair.surface().triangles() {
        let (gap, overlap, holes) = (mesh.facet_gap(), seen.deepest * thickest(pair), mesh.holes());
        if overlap > 0.0 && gap > FACETS * overlap {
            let message = format!(
                "{of}: the moving surface of {} triangles is too coarse: its flat triangles are {:.3} mm off the \
                 curved surface, and the deepest overlap is {:.3} mm; forces are too small by about {:.0} %",
                mesh.triangles().len(),
                1e3 * gap,
                1e3 * overlap,
                100.0 * (1.0 - (overlap / (overlap + gap)).powi(2))
            );
            found.push(Finding::warning(message, "use a finer mesh"));
        }
        if holes > 0 {
            let message = format!("{of}: the moving surface has {holes} holes, in which nothing touches");
            found.push(Finding::warning(message, "close them with the program that made the mesh"));
        }
    }
    if seen.rim > RIM {
        let message = format!(
            "{of}: the contact reaches the rim of the fixed surface, with {:.0} % of the largest pressure there; \
             beyond the rim nothing carries load",
            100.0 * seen.rim
        );
        found.push(Finding::warning(message, "if the surface goes on there, extend it; else check the poses"));
    }
    found
}

/// Judges strains of ligaments, columns `NAME.strain`.
pub fn judge_ligaments(table: &Table, judgement: &mut Judgement) {
    let mut slack = Vec::new();
    let mut worst: Option<(&str, f64)> = None;
    for label in table.labels() {
        let (Some(name), Some(values)) = (label.strip_suffix(".strain"), table.column(label)) else { continue };
        let largest = values.iter().copied().filter(|x| x.is_finite()).fold(f64::NEG_INFINITY, f64::max);
        if largest <= -LIGAMENT_SLACK {
            slack.push(name);
        }
        if largest.is_finite() && worst.is_none_or(|(_, most)| largest > most) {
            worst = Some((name, largest));
        }
    }
    if let Some((name, strain)) = worst {
        let limit = Limit::at_most(100.0 * LIGAMENT_STRAIN, f64::INFINITY)
            .because("own choice, with a margin: ligaments of the knee tear at 15 to 30 %");
        let remedy = "check its slack length and its attachments, and their units";
        judgement.judge(
            &format!("largest strain of a ligament, `{name}`"),
            "%",
            100.0 * strain.max(0.0),
            &limit,
            remedy,
        );
    }
    if !slack.is_empty() {
        let message = format!("in all poses less than a fifth as long as their slack length: {}", grouped(&slack));
        judgement.found([Finding::warning(message, "check their slack lengths, and their unit, m")]);
    }
}

/// Tells of a force that is much larger in one pose than in all others.
pub fn jump_finding(name: &str, forces: &[f64]) -> Option<Finding> {
    let most = |except: Option<usize>| {
        let others = forces.iter().enumerate().filter(|(row, _)| Some(*row) != except);
        others.max_by(|a, b| a.1.total_cmp(b.1)).map(|(row, force)| (row, *force))
    };
    let (row, largest) = most(None).filter(|_| forces.len() >= ENOUGH_POSES)?;
    let (_, second) = most(Some(row))?;
    (second > 0.0 && largest > JUMP * second).then(|| {
        let message =
            format!("contact `{name}`: {largest:.0} N in the {}. pose, at most {second:.0} N in all others", row + 1);
        Finding::warning(message, "the bodies overlap more in this pose: check it, or omit it with --rows")
    })
}
