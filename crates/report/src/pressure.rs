//! Pressures over the elements as `.vtu` files and images.

use std::ops::Range;
use std::sync::Arc;
use wolff_contact::foundation::FoundationPair;
use wolff_files::atomic::File;
use wolff_formats::FormatError;
use wolff_formats::vtk::{DataArray, Fields, SurfaceCells, pvd, surface_vtu};
use wolff_multibody::spec::FrameSpec;
use wolff_plots::{MapPlot, Panel, Triangle};
use wolff_spatial::Vec3;
use wolff_verdict::Limit;

/// A contact for which pressures are requested.
#[derive(Clone, Debug)]
pub struct PosedContact {
    /// Name.
    pub name: String,
    /// Frame of the elements (the casting mesh).
    pub fixed: FrameSpec,
    /// Frame of the moving surface (the target mesh).
    pub moving: FrameSpec,
    /// Elements, surface and material.
    pub pair: Arc<FoundationPair>,
    /// Remarks on its surfaces for the reader of the outcome.
    pub remarks: Vec<String>,
}

/// Pressures of one contact in one pose.
#[derive(Clone, Debug)]
pub struct PressureMap {
    /// Index of the contact.
    pub contact: usize,
    /// Index of the pose in its file, from 0.
    pub row: usize,
    /// Time of the pose \[s\].
    pub time: f64,
    /// The state that it shows, in words: `at the maximum load`.
    pub state: String,
    /// Mean pressure over every element \[Pa\].
    pub pressures: Vec<f64>,
}

/// Number of panels of an image per row.
const COLUMNS: usize = 2;

/// Layers with a confined modulus below this \[Pa\] are cartilage or menisci; polymers of implants are stiffer.
const SOFT: f64 = 200e6;
/// Layers with a higher confined modulus \[Pa\] are no polymers; their pressures are not judged.
const HARD: f64 = 10e9;

/// Pressures that the material of a layer bears; `None` of hard materials.
pub fn pressure_limit(modulus: f64) -> Option<Limit> {
    match modulus {
        k if k < SOFT => {
            Some(Limit::at_most(25.0, f64::INFINITY).because(
                "impacts of 25 MPa kill the cells of cartilage: Repo and Finlay, J Bone Joint Surg Am 59, 1977",
            ))
        }
        k if k < HARD => Some(
            Limit::at_most(60.0, f64::INFINITY)
                .because("three times the yield stress of polyethylene, about 20 MPa: the whole layer would yield"),
        ),
        _ => None,
    }
}

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

/// An image of the pressures of the last maps of every contact, one panel per compartment, seen along the mean normal
/// of the elements of the contact; elements without contact are grey.
pub fn pressure_svg(contacts: &[PosedContact], maps: &[PressureMap], title: &str) -> String {
    let last = |index: usize| maps.iter().rev().find(|map| map.contact == index);
    let shown: Vec<_> = contacts.iter().enumerate().filter_map(|(k, c)| Some((c, last(k)?))).collect();
    let mut parts = Vec::new();
    for (contact, map) in shown {
        let (eye, compartments) = (Eye::of(contact), &contact.pair.elements().compartments);
        for compartment in compartments {
            let side = if compartments.len() > 1 { format!(", {}", compartment.name) } else { String::new() };
            let label = format!("{}{side}, t = {:.3} s", contact.name, map.time);
            let [x_label, y_label] = [eye.right, eye.up].map(|axis| format!("{} (mm)", axis_name(&axis)));
            parts.push((label, x_label, y_label, eye.seen(contact, map, compartment.elements.clone())));
        }
    }
    let columns = COLUMNS.min(parts.len().max(1));
    let panels = parts
        .iter_mut()
        .map(|(label, x_label, y_label, triangles)| Panel {
            label,
            x_label,
            y_label,
            triangles: std::mem::take(triangles),
        })
        .collect();
    let plot = MapPlot { title, colour_label: "contact pressure (MPa)", range: None, columns, panels };
    plot.to_svg()
}

/// Viewing direction of elements: unit vectors to the right, upwards and towards the viewer.
struct Eye {
    right: Vec3,
    up: Vec3,
    towards: Vec3,
}

impl Eye {
    /// View along the mean normal of the elements: z of their frame to the right, or x where z is the viewing
    /// direction.
    fn of(contact: &PosedContact) -> Self {
        let mean: Vec3 = contact.pair.elements().elements.iter().map(|e| e.normal * e.area).sum();
        let towards = mean.try_normalize(0.0).unwrap_or_else(Vec3::y);
        let right = if towards.z.abs() < 0.9 { Vec3::z() } else { Vec3::x() };
        let right = (right - towards * towards.dot(&right)).normalize();
        Eye { right, up: towards.cross(&right), towards }
    }

    /// Some elements of a contact in the view \[mm\] with their pressures \[MPa\].
    fn seen(&self, contact: &PosedContact, map: &PressureMap, range: Range<usize>) -> Vec<Triangle> {
        let place = |p: &Vec3| [self.right, self.up, self.towards].map(|axis| 1e3 * axis.dot(p));
        let mut triangles = Vec::with_capacity(2 * range.len());
        for (element, &pressure) in
            contact.pair.elements().elements.iter().zip(&map.pressures).skip(range.start).take(range.len())
        {
            let value = if pressure > 0.0 { 1e-6 * pressure } else { f64::NAN };
            let points: Vec<_> = element.corners().iter().map(place).collect();
            if let [first, rest @ ..] = &points[..] {
                let fan = rest.windows(2).filter_map(|w| Some((w.first()?, w.get(1)?)));
                triangles.extend(fan.map(|(b, c)| Triangle { corners: [*first, *b, *c], value }));
            }
        }
        triangles
    }
}

/// The axis nearest to a direction: `x`, `−x`, `y` and so on.
fn axis_name(direction: &Vec3) -> String {
    let k = direction.iamax();
    let sign = if direction[k] < 0.0 { "−" } else { "" };
    format!("{sign}{}", ["x", "y", "z"][k])
}

/// `NAME_ROW.vtu` for every map and `NAME.pvd` for every contact.
pub fn map_files(contacts: &[PosedContact], maps: &[PressureMap]) -> Result<Vec<File>, FormatError> {
    let mut files = Vec::new();
    for (index, contact) in contacts.iter().enumerate() {
        let mut series = Vec::new();
        let stem = file_stem(&contact.name);
        for map in maps.iter().filter(|map| map.contact == index) {
            let name = format!("{stem}_{:05}.vtu", map.row);
            files.push(File { name: name.clone(), bytes: pressure_vtu(contact, map)?.into_bytes() });
            series.push((map.time, name));
        }
        if !series.is_empty() {
            files.push(File { name: format!("{stem}.pvd"), bytes: pvd(&series)?.into_bytes() });
        }
    }
    Ok(files)
}

/// A name with characters that are safe in file names only.
fn file_stem(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect()
}
