//! Pictures of modes: the deformed surface from two sides, coloured by strain, as SVG; one page that shows them all.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use nalgebra::Vector6;
use wolff_fem::strain::von_mises;
use wolff_files::atomic::{File, check_replaceable, write_folder};
use wolff_flexbody::Surface;
use wolff_formats::FormatError;
use wolff_plots::{Triangle, TrianglePlot, View, escape};
use wolff_spatial::Vec3;

/// Largest displacement in a picture, as a part of the longest side of the body.
const EXAGGERATION: f64 = 0.1;

/// More triangles than this are merged.
const MOST_TRIANGLES: usize = 4000;

/// The page of a folder of pictures, and how it begins.
const PAGE: &str = "index.html";
const PAGE_START: &str = "<!doctype html>\n<!-- pictures of modes by wolff -->\n";

/// The picture of a mode (from 0): the surface displaced so that the farthest point moves by a tenth of the longest
/// side, seen across the longest side from two directions, coloured by the equivalent (von Mises) strain relative to
/// its maximum.
///
/// Surfaces of more than 4000 triangles are drawn coarser. A mode that does not exist is drawn undeformed.
pub fn mode_svg(surface: &Surface, mode: usize, title: &str) -> String {
    let (low, high) = extent(&surface.positions);
    let long = (high - low).imax();
    let coarse = Coarse::of(&surface.positions, &surface.triangles, MOST_TRIANGLES);
    let state = DeformedMode::new(surface, mode, &coarse.nodes);
    let views = [(long + 1) % 3, (long + 2) % 3].map(|up| (view_label(long, up), up));
    let plot = TrianglePlot {
        title,
        colour_label: "equivalent strain: 0 to the largest of the mode",
        views: views
            .iter()
            .map(|(label, up)| View { label, triangles: state.seen(&coarse.triangles, long, *up) })
            .collect(),
    };
    plot.to_svg()
}

/// Titles of the pictures of modes with these frequencies \[Hz\].
pub fn mode_titles(name: &str, frequencies: &[f64]) -> Vec<String> {
    frequencies.iter().enumerate().map(|(mode, hertz)| format!("{name}, mode {}: {hertz:.2} Hz", mode + 1)).collect()
}

/// The pictures of all modes and a self-contained page, `index.html`, with all of them; one title per mode.
pub fn mode_pictures(surface: &Surface, name: &str, titles: &[String]) -> Vec<File> {
    let mut files = Vec::new();
    let mut page = format!(
        "{PAGE_START}<html lang=\"en\"><meta charset=\"utf-8\"><title>Modes of \
         {0}</title>\n<style>body{{font-family:Helvetica,\
         Arial,sans-serif;margin:1em auto;max-width:800px}}svg{{max-width:100%;height:auto}}</style>\n<h1>Modes of \
         {0}</h1>\n",
        escape(name)
    );
    for (mode, title) in titles.iter().enumerate() {
        let svg = mode_svg(surface, mode, title);
        page.push_str(&svg);
        files.push(File { name: format!("mode-{:02}.svg", mode + 1), bytes: svg.into_bytes() });
    }
    page.push_str("</html>\n");
    files.push(File { name: PAGE.into(), bytes: page.into_bytes() });
    files
}

/// Writes [`mode_pictures`] and the files `beside` them into a folder: all or nothing. A folder of earlier pictures is
/// replaced, any other that is not empty is refused.
///
/// # Errors
/// When the folder holds something else, or cannot be written.
pub fn write_mode_pictures(
    folder: &Path,
    surface: &Surface,
    name: &str,
    titles: &[String],
    beside: Vec<File>,
) -> Result<(), FormatError> {
    let names: Vec<String> = beside.iter().map(|file| file.name.clone()).collect();
    let mut files = mode_pictures(surface, name, titles);
    files.extend(beside);
    Ok(write_folder(folder, &files, &|folder: &Path| earlier_pictures(folder, &names))?)
}

/// Whether [`write_mode_pictures`] would accept this folder with files of these names beside the pictures; asked before
/// a long computation.
///
/// # Errors
/// When it would not.
pub fn check_picture_folder(folder: &Path, beside: &[String]) -> Result<(), FormatError> {
    Ok(check_replaceable(folder, &|folder: &Path| earlier_pictures(folder, beside))?)
}

/// The names that an earlier call wrote into a folder; none when its page is not ours and it holds more than the files
/// beside the pictures.
fn earlier_pictures(folder: &Path, beside: &[String]) -> Option<Vec<String>> {
    let page = std::fs::read(folder.join(PAGE)).is_ok_and(|page| page.starts_with(PAGE_START.as_bytes()));
    let entries = std::fs::read_dir(folder).ok()?;
    let names: Vec<String> = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    if !page && !names.iter().all(|name| beside.contains(name)) {
        return None;
    }
    let ours =
        |name: &String| name == PAGE || (name.starts_with("mode-") && name.ends_with(".svg")) || beside.contains(name);
    Some(names.into_iter().filter(ours).collect())
}

fn view_label(right: usize, up: usize) -> String {
    const AXES: [&str; 3] = ["x", "y", "z"];
    format!("{} to the right, {} up", AXES[right % 3], AXES[up % 3])
}

fn extent(positions: &[Vec3]) -> (Vec3, Vec3) {
    let first = positions.first().copied().unwrap_or_default();
    positions.iter().fold((first, first), |(low, high), x| (low.inf(x), high.sup(x)))
}

/// Nodes and triangles of a surface that are drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Coarse {
    /// Their numbers on the surface.
    pub nodes: Vec<usize>,
    /// Triangles of places in `nodes`.
    pub triangles: Vec<[usize; 3]>,
}

impl Coarse {
    /// Merges the nodes of a cell of a grid into one until at most `most` triangles are left.
    pub fn of(positions: &[Vec3], triangles: &[[u32; 3]], most: usize) -> Self {
        /// Cells along the longest side at first, and their factor from try to try.
        const FINEST: f64 = 200.0;
        const FACTOR: f64 = 0.8;
        let (low, high) = extent(positions);
        let size = (high - low).max();
        let mut cells = f64::INFINITY;
        loop {
            let coarse = Self::with_cells(positions, triangles, low, size / cells);
            if coarse.triangles.len() <= most || cells < 2.0 {
                return coarse;
            }
            cells = FINEST.min(cells * FACTOR);
        }
    }

    fn with_cells(positions: &[Vec3], triangles: &[[u32; 3]], low: Vec3, side: f64) -> Self {
        let mut nodes = Vec::new();
        let mut of_cell: HashMap<[i64; 3], usize> = HashMap::new();
        let mut place = Vec::with_capacity(positions.len());
        for (node, x) in positions.iter().enumerate() {
            // cells of no size are the nodes themselves
            let cell =
                if side > 0.0 { [0, 1, 2].map(|d| ((x[d] - low[d]) / side) as i64) } else { [node as i64, -1, -1] };
            place.push(*of_cell.entry(cell).or_insert_with(|| {
                nodes.push(node);
                nodes.len() - 1
            }));
        }
        let mut seen = HashSet::new();
        let merged = triangles.iter().map(|t| t.map(|node| place.get(node as usize).copied().unwrap_or(0)));
        let triangles = merged.filter(|&[a, b, c]| {
            let mut sorted = [a, b, c];
            sorted.sort_unstable();
            a != b && b != c && c != a && seen.insert(sorted)
        });
        let triangles = triangles.collect();
        Coarse { nodes, triangles }
    }
}

/// Positions and colours of the drawn nodes of a mode.
#[derive(Clone, Debug, PartialEq)]
pub struct DeformedMode {
    /// Displaced so that the farthest node moves by a tenth of the longest side of the body \[m\].
    pub positions: Vec<Vec3>,
    /// Equivalent (von Mises) strain over its maximum, from 0 to 1.
    pub colour: Vec<f64>,
}

impl DeformedMode {
    /// A mode (from 0) at some nodes of its surface; one that does not exist is not deformed.
    pub fn new(surface: &Surface, mode: usize, nodes: &[usize]) -> Self {
        let (low, high) = extent(&surface.positions);
        let size = (high - low).max();
        let there = mode < surface.displacement.ncols();
        let displacement = |node: usize| match there {
            true => Vec3::from_fn(|i, _| surface.displacement[(3 * node + i, mode)]),
            false => Vec3::zeros(),
        };
        let strain = |node: usize| match there {
            true => von_mises(&Vector6::from_fn(|i, _| surface.strain[(6 * node + i, mode)])),
            false => 0.0,
        };
        let farthest = (0..surface.positions.len()).map(|node| displacement(node).norm()).fold(0.0, f64::max);
        let factor = if farthest > 0.0 { EXAGGERATION * size / farthest } else { 0.0 };
        let strains: Vec<f64> = nodes.iter().map(|&node| strain(node)).collect();
        let largest = strains.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        DeformedMode {
            positions: nodes.iter().map(|&node| surface.positions[node] + displacement(node) * factor).collect(),
            colour: strains.iter().map(|e| e / largest).collect(),
        }
    }

    /// The triangles with one axis to the right and another up.
    fn seen(&self, triangles: &[[usize; 3]], right: usize, up: usize) -> Vec<Triangle> {
        let unit = |axis: usize| Vec3::from_fn(|i, _| f64::from(u8::from(i == axis)));
        let eye = unit(right).cross(&unit(up));
        let corner = |node: usize| {
            let x = &self.positions[node];
            [x[right], x[up], x.dot(&eye)]
        };
        let triangle = |t: &[usize; 3]| Triangle {
            corners: t.map(corner),
            value: t.iter().map(|&node| self.colour[node]).sum::<f64>() / 3.0,
        };
        triangles.iter().map(triangle).collect()
    }
}
