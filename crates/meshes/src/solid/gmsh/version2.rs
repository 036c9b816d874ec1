//! `$Nodes` and `$Elements` of version 2: every element carries its tags, the physical group first.

use std::collections::HashMap;

use nalgebra::Vector3;

use super::groups::{ElementType, Groups, element_type};
use super::read::INT;
use wolff_files::scanner::{Encoding, Scalar, Scanner};

/// The count that opens a section, always as text on its own line.
fn announced(scanner: &mut Scanner, width: usize, what: &str) -> Result<usize, String> {
    let line = scanner.line().unwrap_or_default();
    let count = line.parse().map_err(|_| format!("`{line}` is not the number of {what}"))?;
    scanner.require_room(count, width, what)
}

pub(super) fn nodes(scanner: &mut Scanner, groups: &mut Groups) -> Result<(), String> {
    for _ in 0..announced(scanner, 28, "nodes")? {
        let number = scanner.count(INT)?;
        let mut x = Vector3::zeros();
        for c in x.iter_mut() {
            *c = scanner.float(Scalar::Float64)?;
        }
        groups.mesh.node(number, x)?;
    }
    Ok(())
}

/// The tetrahedra met so far: one that belongs to several physical groups is written once for each.
type Seen = HashMap<Vec<u64>, u64>;

pub(super) fn elements(scanner: &mut Scanner, groups: &mut Groups) -> Result<(), String> {
    let total = announced(scanner, 8, "elements")?;
    let mut seen = Seen::new();
    let mut read = 0;
    while read < total {
        if scanner.encoding == Encoding::Ascii {
            let number = scanner.count(INT)?;
            let of = element_type(scanner.whole(INT)?)?;
            let tags = scanner.count(INT)?;
            element(scanner, groups, &mut seen, of, number, tags)?;
            read += 1;
            continue;
        }
        // Binary elements come in blocks of one type.
        let of = element_type(scanner.whole(INT)?)?;
        let count = scanner.count(INT)?;
        let tags = scanner.count(INT)?;
        if count == 0 {
            return Err("a block of no elements; the file is damaged".into());
        }
        for _ in 0..count {
            let number = scanner.count(INT)?;
            element(scanner, groups, &mut seen, of, number, tags)?;
            read += 1;
        }
    }
    Ok(())
}

fn element(
    scanner: &mut Scanner,
    groups: &mut Groups,
    seen: &mut Seen,
    of: ElementType,
    number: u64,
    tags: u64,
) -> Result<(), String> {
    let mut physical = None;
    for tag in 0..scanner.require_room(tags, 4, "tags")? {
        let value = scanner.whole(INT)?;
        // A negative group has its orientation reversed; zero is none.
        if tag == 0 && value != 0 {
            physical = Some(value.abs());
        }
    }
    let mut nodes = (0..of.nodes).map(|_| scanner.count(INT)).collect::<Result<Vec<_>, _>>()?;
    if of.dimension == 3 {
        if let Some(&first) = seen.get(&nodes) {
            groups.join(first, physical.as_slice());
            return Ok(());
        }
        seen.insert(nodes.clone(), number);
    }
    groups.element(of, number, &mut nodes, physical.as_slice())
}
