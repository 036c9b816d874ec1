//! `$Entities`, `$Nodes` and `$Elements` of version 4.1: elements belong to entities, entities to physical groups.

use std::collections::HashMap;

use nalgebra::Vector3;

use super::groups::{Groups, element_type};
use super::read::INT;
use wolff_files::scanner::{Scalar, Scanner};

/// Physical groups by dimension and tag of an entity.
pub(super) type Entities = HashMap<(usize, i64), Vec<i64>>;

/// Points have a position, other entities a box and the entities that bound them.
pub(super) fn entities(scanner: &mut Scanner, size: Scalar) -> Result<Entities, String> {
    let mut counts = [0; 4];
    for count in &mut counts {
        *count = scanner.count(size)?;
    }
    let mut found = Entities::new();
    for (dimension, count) in counts.into_iter().enumerate() {
        for _ in 0..scanner.require_room(count, 36, "entities")? {
            let tag = scanner.whole(INT)?;
            for _ in 0..if dimension == 0 { 3 } else { 6 } {
                // Boxes of empty entities may be infinite; they are not used.
                skip_float(scanner)?;
            }
            // A negative group has its orientation reversed.
            let groups = tags(scanner, size)?.into_iter().map(i64::abs).collect();
            if dimension > 0 {
                tags(scanner, size)?;
            }
            found.insert((dimension, tag), groups);
        }
    }
    Ok(found)
}

fn skip_float(scanner: &mut Scanner) -> Result<(), String> {
    match scanner.encoding {
        wolff_files::scanner::Encoding::Ascii => scanner.word().map(|_| ()),
        _ => scanner.take(8).map(|_| ()),
    }
}

fn tags(scanner: &mut Scanner, size: Scalar) -> Result<Vec<i64>, String> {
    let count = scanner.count(size)?;
    (0..scanner.require_room(count, 4, "tags")?).map(|_| scanner.whole(INT)).collect()
}

/// Number of blocks; the counts and limits that follow are not needed.
fn blocks(scanner: &mut Scanner, size: Scalar) -> Result<usize, String> {
    let blocks = scanner.count(size)?;
    for _ in 0..3 {
        scanner.count(size)?;
    }
    scanner.require_room(blocks, 16, "blocks")
}

pub(super) fn nodes(scanner: &mut Scanner, size: Scalar, groups: &mut Groups) -> Result<(), String> {
    for _ in 0..blocks(scanner, size)? {
        let dimension = scanner.count(INT)?;
        scanner.whole(INT)?;
        // Parametric coordinates: as many as the entity has dimensions.
        let parameters = if scanner.count(INT)? == 0 { 0 } else { dimension.min(3) };
        let count = scanner.count(size)?;
        let count = scanner.require_room(count, 24 + size.width(), "nodes")?;
        let numbers = (0..count).map(|_| scanner.count(size)).collect::<Result<Vec<_>, _>>()?;
        for number in numbers {
            let mut x = Vector3::zeros();
            for c in x.iter_mut() {
                *c = scanner.float(Scalar::Float64)?;
            }
            for _ in 0..parameters {
                skip_float(scanner)?;
            }
            groups.mesh.node(number, x)?;
        }
    }
    Ok(())
}

pub(super) fn elements(
    scanner: &mut Scanner,
    size: Scalar,
    entities: &Entities,
    groups: &mut Groups,
) -> Result<(), String> {
    for _ in 0..blocks(scanner, size)? {
        let dimension = scanner.count(INT)? as usize;
        let entity = scanner.whole(INT)?;
        let of = element_type(scanner.whole(INT)?)?;
        let count = scanner.count(size)?;
        let count = scanner.require_room(count, size.width() * (1 + of.nodes), "elements")?;
        let physical = entities.get(&(dimension, entity)).map(Vec::as_slice).unwrap_or_default();
        for _ in 0..count {
            let number = scanner.count(size)?;
            let mut nodes = (0..of.nodes).map(|_| scanner.count(size)).collect::<Result<Vec<_>, _>>()?;
            groups.element(of, number, &mut nodes, physical)?;
        }
    }
    Ok(())
}
