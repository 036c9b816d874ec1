//! `wolff surface table`.

use super::args::TableArgs;
use super::{Answer, fitted, refuse_ending};
use crate::failure::Failure;
use wolff_contact::lookup::{TableSource, write_table};
use wolff_report::outcome::Finding;
use wolff_scan::prepare::{self, NurbsTable, PointGrid, Shape};

/// Writes the table.
pub(super) fn table(args: &TableArgs) -> Result<Answer, Failure> {
    let common = &args.common;
    refuse_ending(&common.out, "tab", "a table")?;
    let (shape, found) = prepare::read(&common.input, common.unit, args.columns.is_some())?;
    let mut answer = Answer::new(found, common)?;
    let source = source(args, shape, &mut answer)?;
    let [rows, columns] = source.size();
    answer.row("rows", "points along u", rows as f64, "");
    answer.row("columns", "points along v", columns as f64, "");
    write_table(&common.out, &*source).map_err(|e| Failure::usage(e.to_string(), "check the folder and the input"))?;
    Ok(answer.finished(&common.out))
}

fn source(args: &TableArgs, shape: Shape, answer: &mut Answer) -> Result<Box<dyn TableSource>, Failure> {
    let part = &args.part;
    let fits = part.picture.is_some() || part.towards.is_some() || part.axis.is_some() || part.fewest || args.whole;
    if fits && (args.columns.is_some() || matches!(shape, Shape::Nurbs(_))) {
        let message = "--picture, --towards, --axis, --fewest and --whole apply to inputs that are fitted only";
        return Err(Failure::usage(message, "omit them for a NURBS surface and with --columns"));
    }
    let size = [args.points as usize; 2];
    if let Some(columns) = args.columns {
        let Shape::Points(points) = shape else {
            return Err(Failure::usage("--columns is for a grid of points", "omit it for a mesh or a NURBS surface"));
        };
        let grid = PointGrid::new(points, columns as usize)?;
        return Ok(Box::new(if args.flip { grid.reversed() } else { grid }));
    }
    let turned = |surface: wolff_geometry::NurbsSurface| if args.flip { surface.reversed() } else { surface };
    if let Shape::Nurbs(surface) = shape {
        return Ok(Box::new(NurbsTable::new(turned(surface), size)));
    }
    let fitted = fitted(&shape, &args.part, &args.common, answer)?;
    let surface = turned(fitted.surface);
    let Some(mask) = fitted.mask.filter(|_| !args.whole) else {
        return Ok(Box::new(NurbsTable::new(surface, size)));
    };
    let (table, share) = NurbsTable::within(surface, &mask, size)?;
    answer.row("share", "part of the fitted rectangle in the table", 100.0 * share, "%");
    if share < 0.25 {
        let message = "the table has less than a quarter of the fitted rectangle: the surface is ragged or oblique";
        answer.judgement.found([Finding::warning(message, "cut the input to the part in contact, or use --whole")]);
    }
    Ok(Box::new(table))
}
