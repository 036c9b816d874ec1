//! Pressures over the elements as `.vtu` files and pictures.

use super::articular::PosedContact;
use super::evaluate::{Evaluation, PressureMap};
use wolff_formats::FormatError;
use wolff_formats::atomic::File;
use wolff_formats::plot::{MapPlot, Triangle, View};
use wolff_formats::vtk::{DataArray, Fields, SurfaceCells, pvd, surface_vtu};
use wolff_spatial::Vec3;

/// Panels of a picture in a row.
const COLUMNS: usize = 2;

/// A `.vtu` of the elements of a contact, in the frame of the casting mesh, with their pressures.
pub fn pressure_vtu(contact: &PosedContact, map: &PressureMap) -> Result<String, FormatError> {
    let (mut points, mut cells): (Vec<[f64; 3]>, Vec<Vec<u32>>) = (Vec::new(), Vec::new());
    for element in &contact.pair.elements().elements {
        let first = points.len() as u32;
        points.extend(element.corners().iter().map(|p| [p.x, p.y, p.z]));
        cells.push((first..points.len() as u32).collect());
    }
    let pressure = DataArray { name: "pressure [Pa]", components: 1, values: &map.pressures };
    let fields = Fields { point: Vec::new(), cell: vec![pressure] };
    surface_vtu(points, SurfaceCells::Polygons(&cells), &fields)
}

/// A picture of the pressures of the last maps of every contact, each seen along the mean normal of its elements; elements without
/// contact are grey.
pub fn pressure_svg(contacts: &[PosedContact], maps: &[PressureMap], title: &str) -> String {
    let last = |index: usize| maps.iter().rev().find(|map| map.contact == index);
    let shown: Vec<_> = contacts.iter().enumerate().filter_map(|(k, c)| Some((c, last(k)?))).collect();
    let label = |(c, map): &(&PosedContact, &PressureMap)| format!("{}, t = {:.3} s", c.name, map.time);
    let labels: Vec<String> = shown.iter().map(label).collect();
    let panel = |((c, map), label)| View { label, triangles: seen(c, map) };
    let plot = MapPlot {
        title,
        colour_label: "contact pressure [Pa]",
        range: None,
        columns: COLUMNS.min(shown.len().max(1)),
        panels: shown.into_iter().zip(labels.iter().map(String::as_str)).map(panel).collect(),
    };
    plot.to_svg()
}

/// The elements as seen along their mean normal: z of the frame to the right, or y where that is the line of sight.
fn seen(contact: &PosedContact, map: &PressureMap) -> Vec<Triangle> {
    let elements = &contact.pair.elements().elements;
    let mean: Vec3 = elements.iter().map(|e| e.normal * e.area).sum();
    let towards = mean.try_normalize(0.0).unwrap_or_else(Vec3::y);
    let right = if towards.z.abs() < 0.9 { Vec3::z() } else { Vec3::x() };
    let right = (right - towards * towards.dot(&right)).normalize();
    let up = towards.cross(&right);
    let place = |p: &Vec3| [right.dot(p), up.dot(p), towards.dot(p)];
    let mut triangles = Vec::with_capacity(elements.len());
    for (element, &pressure) in elements.iter().zip(&map.pressures) {
        let value = if pressure > 0.0 { pressure } else { f64::NAN };
        let points: Vec<_> = element.corners().iter().map(place).collect();
        if let [first, rest @ ..] = &points[..] {
            triangles.extend(
                rest.windows(2)
                    .filter_map(|w| Some((w.first()?, w.get(1)?)))
                    .map(|(b, c)| Triangle { corners: [*first, *b, *c], value }),
            );
        }
    }
    triangles
}

/// `NAME_ROW.vtu` for every map, `NAME.pvd` for every contact, and `pressure.svg`.
pub fn map_files(contacts: &[PosedContact], found: &Evaluation, title: &str) -> Result<Vec<File>, FormatError> {
    let mut files = Vec::new();
    for (index, contact) in contacts.iter().enumerate() {
        let mut series = Vec::new();
        let stem = file_stem(&contact.name);
        for map in found.maps.iter().filter(|map| map.contact == index) {
            let name = format!("{stem}_{:05}.vtu", map.row);
            files.push(File { name: name.clone(), bytes: pressure_vtu(contact, map)?.into_bytes() });
            series.push((map.time, name));
        }
        if !series.is_empty() {
            files.push(File { name: format!("{stem}.pvd"), bytes: pvd(&series)?.into_bytes() });
        }
    }
    if !found.maps.is_empty() {
        let svg = pressure_svg(contacts, &found.maps, title);
        files.push(File { name: "pressure.svg".into(), bytes: svg.into_bytes() });
    }
    Ok(files)
}

/// A name as a file may have it.
fn file_stem(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect()
}
