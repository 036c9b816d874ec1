//! Files of several parts (`*PART`, `*INSTANCE`, `*ASSEMBLY`): the lines of each part, and where its instances are.

use std::ops::Range;
use std::path::Path;

use nalgebra::{Rotation3, Unit, Vector3};

use super::include::Lines;
use super::read::read_lines;
use wolff_fem::FemError;
use wolff_fem::TetMesh;

/// The name that stands for all parts together.
pub const ALL: &str = "all";

/// Parts that are named in a message.
const LISTED: usize = 12;

/// A part: its name and its lines.
struct Part {
    name: String,
    lines: Range<usize>,
}

/// An instance of a part in the assembly.
struct Instance {
    name: String,
    part: String,
    /// Its lines; some programs write the mesh of a part here.
    lines: Range<usize>,
    /// Its data lines: translation, then rotation.
    data: Vec<String>,
}

/// The parts of a file, and a block of lines for each set that the assembly defines of an instance.
#[derive(Default)]
struct Outline {
    parts: Vec<Part>,
    instances: Vec<Instance>,
    sets: Vec<(String, Range<usize>)>,
}

/// A part at the place of one of its instances, or where it is defined if it has none.
#[derive(Clone, Copy)]
struct Piece<'o> {
    part: &'o Part,
    instance: Option<&'o Instance>,
}

/// Reads one part of an input file at the place of its instance, or with the name `all` every part at the places of its
/// instances. Without a name the file must have one part with tetrahedra only, and one instance of it. A name is that
/// of a part or of an instance. Files that it includes are read from `folder`.
///
/// # Errors
/// As [`super::read_inp`]; when there is no such part, or several and no name: with a list of all parts.
pub fn read_inp_part(text: &str, part: Option<&str>, folder: Option<&Path>) -> Result<TetMesh, FemError> {
    let whole = Lines::read(text, folder)?;
    let lines: Vec<&str> = whole.text.iter().map(String::as_str).collect();
    let outline = outline(&lines);
    chosen(&lines, &outline, part).map_err(|error| whole.located(error))
}

fn chosen(lines: &[&str], outline: &Outline, name: Option<&str>) -> Result<TetMesh, FemError> {
    let pieces = outline.pieces();
    let no_such = |name: &str| format!("there is no part `{name}`; {}", listed(lines, outline, &pieces));
    match name {
        None | Some(ALL) if outline.parts.is_empty() => read_lines(lines),
        Some(ALL) => all(lines, outline, &pieces),
        Some(name) => match pieces.iter().filter(|piece| piece.is_called(name)).collect::<Vec<_>>()[..] {
            [piece] => piece.read(lines, outline),
            [] => Err(FemError::Mesh(no_such(name))),
            _ => Err(ambiguous(lines, outline, &pieces)),
        },
        None => match &pieces[..] {
            [piece] => piece.read(lines, outline),
            _ => {
                let mut solid = pieces.iter().filter_map(|piece| piece.read(lines, outline).ok());
                match (solid.next(), solid.next()) {
                    (Some(mesh), None) => Ok(mesh),
                    _ => Err(ambiguous(lines, outline, &pieces)),
                }
            }
        },
    }
}

fn ambiguous(lines: &[&str], outline: &Outline, pieces: &[Piece<'_>]) -> FemError {
    FemError::Mesh(format!(
        "{}; choose one with --part NAME, or all with --part {ALL}; `wolff mesh convert FILE OUT --part NAME` saves \
         one part for other commands",
        listed(lines, outline, pieces)
    ))
}

/// `the file has 2 parts: ...`, or of instances where a part has several.
fn listed(lines: &[&str], outline: &Outline, pieces: &[Piece<'_>]) -> String {
    let several = pieces.len() > outline.parts.len();
    let (what, count) = if several { ("instance", pieces.len()) } else { ("part", outline.parts.len()) };
    let one = |piece: &Piece<'_>| {
        let size = piece.read(lines, outline);
        let size = size.map_or("no tetrahedra".to_string(), |mesh| format!("{} elements", mesh.element_count()));
        let of = if several { format!("of part `{}`, ", piece.part.name) } else { String::new() };
        format!("`{}` ({of}{size})", if several { piece.name() } else { &piece.part.name })
    };
    let names: Vec<String> = pieces.iter().take(LISTED).map(one).collect();
    let more = if count > LISTED { format!(" and {} more", count - LISTED) } else { String::new() };
    match count {
        0 => "the file has no *PART; omit the name of the part".into(),
        _ => format!("the file has {count} {what}{}: {}{more}", if count == 1 { "" } else { "s" }, names.join(", ")),
    }
}

impl Outline {
    fn pieces(&self) -> Vec<Piece<'_>> {
        let mut pieces = Vec::new();
        for part in &self.parts {
            let before = pieces.len();
            let own = self.instances.iter().filter(|instance| instance.part.eq_ignore_ascii_case(&part.name));
            pieces.extend(own.map(|instance| Piece { part, instance: Some(instance) }));
            if pieces.len() == before {
                pieces.push(Piece { part, instance: None });
            }
        }
        pieces
    }
}

impl Piece<'_> {
    /// The name of the instance, or that of the part without one.
    fn name(&self) -> &str {
        self.instance.map_or(&self.part.name, |instance| &instance.name)
    }

    fn is_called(&self, name: &str) -> bool {
        self.name().eq_ignore_ascii_case(name) || self.part.name.eq_ignore_ascii_case(name)
    }

    /// The mesh at its place.
    fn read(&self, lines: &[&str], outline: &Outline) -> Result<TetMesh, FemError> {
        let mesh = read_lines(&self.only(lines, outline))?;
        match self.instance.filter(|instance| !instance.data.is_empty()) {
            Some(instance) => {
                let wrong = |message| FemError::Mesh(format!("instance `{}`: {message}", instance.name));
                mesh.mapped(placement(&instance.data).map_err(wrong)?)
            }
            None => Ok(mesh),
        }
    }

    /// The lines with those of other parts left empty, so that numbers of lines remain; sets of the assembly are kept
    /// if they belong to the instance.
    fn only<'t>(&self, lines: &[&'t str], outline: &Outline) -> Vec<&'t str> {
        let of_instance = |name: &str| self.instance.is_some_and(|instance| instance.name.eq_ignore_ascii_case(name));
        let sets = outline.sets.iter().filter(|(instance, _)| of_instance(instance)).map(|(_, lines)| lines);
        let own = self.instance.map(|instance| &instance.lines);
        let kept: Vec<&Range<usize>> = sets.chain(own).chain([&self.part.lines]).collect();
        let is_kept = |line: usize| kept.iter().any(|lines| lines.contains(&line));
        lines.iter().enumerate().map(|(number, line)| if is_kept(number) { *line } else { "" }).collect()
    }
}

fn all(lines: &[&str], outline: &Outline, pieces: &[Piece<'_>]) -> Result<TetMesh, FemError> {
    let (mut kind, mut nodes, mut connectivity) = (None, Vec::new(), Vec::new());
    let (mut node_sets, mut element_sets) = (Vec::new(), Vec::new());
    // without instances every part is where it is defined; otherwise a part without an instance is not in the assembly
    let in_assembly = |piece: &&Piece<'_>| outline.instances.is_empty() || piece.instance.is_some();
    for piece in pieces.iter().filter(in_assembly) {
        // parts of shells and rigid surfaces are no solids
        if read_lines(&piece.only(lines, outline)).is_err() {
            continue;
        }
        let (name, mesh) = (piece.name(), piece.read(lines, outline)?);
        if *kind.get_or_insert(mesh.kind()) != mesh.kind() {
            let message = "the parts have four-node and ten-node tetrahedra; choose one part with --part NAME";
            return Err(FemError::Mesh(message.into()));
        }
        let (first_node, first_element) = (nodes.len(), connectivity.len() / mesh.kind().node_count());
        nodes.extend_from_slice(mesh.nodes());
        connectivity.extend(mesh.elements().flatten().map(|node| first_node + node));
        element_sets.push((name.to_string(), (0..mesh.element_count()).map(|e| first_element + e).collect()));
        let of = |set: &Vec<usize>, first: usize| set.iter().map(|member| first + member).collect::<Vec<_>>();
        node_sets.extend(mesh.node_sets().iter().map(|(set, m)| (format!("{name}.{set}"), of(m, first_node))));
        element_sets.extend(mesh.element_sets().iter().map(|(set, m)| (format!("{name}.{set}"), of(m, first_element))));
    }
    let none = || FemError::Mesh(format!("no part has tetrahedra; {}", listed(lines, outline, pieces)));
    let mut mesh = TetMesh::new(kind.ok_or_else(none)?, nodes, connectivity)?;
    for (name, set) in node_sets {
        mesh.set_nodes(&name, set)?;
    }
    for (name, set) in element_sets {
        mesh.set_elements(&name, set)?;
    }
    Ok(mesh)
}

/// Translation (first line) and then rotation about an axis through two points by an angle in degrees (second line).
fn placement(data: &[String]) -> Result<impl Fn(&Vector3<f64>) -> Vector3<f64> + use<>, String> {
    let numbers = |line: &String| -> Result<Vec<f64>, String> {
        let words = line.split(',').map(str::trim).filter(|word| !word.is_empty());
        let number = |word: &str| match word.parse::<f64>() {
            Ok(x) if x.is_finite() => Ok(x),
            _ => Err(format!("`{word}` is not a number of a translation or rotation")),
        };
        words.map(number).collect()
    };
    let shift = match data.first().map(numbers).transpose()?.as_deref() {
        Some([x, y, z]) => Vector3::new(*x, *y, *z),
        None | Some([]) => Vector3::zeros(),
        Some(_) => return Err("a translation has three numbers".into()),
    };
    let turn = match data.get(1).map(numbers).transpose()?.as_deref() {
        Some([ax, ay, az, bx, by, bz, degrees]) => {
            let (a, b) = (Vector3::new(*ax, *ay, *az), Vector3::new(*bx, *by, *bz));
            let axis = Unit::try_new(b - a, 0.0).ok_or("the axis of the rotation has no length")?;
            Some((a, Rotation3::from_axis_angle(&axis, degrees.to_radians())))
        }
        None => None,
        Some(_) => return Err("a rotation has two points and an angle: seven numbers".into()),
    };
    Ok(move |x: &Vector3<f64>| {
        let moved = x + shift;
        turn.map_or(moved, |(a, rotation)| a + rotation * (moved - a))
    })
}

/// Finds parts, instances and the sets of instances.
fn outline(lines: &[&str]) -> Outline {
    let mut outline = Outline::default();
    let (mut in_part, mut in_instance, mut set): (bool, bool, Option<(String, usize)>) = (false, false, None);
    for (number, line) in lines.iter().map(|line| line.trim()).enumerate() {
        if line.starts_with("**") || line.is_empty() {
            continue;
        }
        if !line.starts_with('*') {
            if in_instance && let Some(instance) = outline.instances.last_mut() {
                instance.data.push(line.into());
            }
            continue;
        }
        outline.sets.extend(set.take().map(|(instance, first)| (instance, first..number)));
        let option = |name: &str| {
            line.split(',').skip(1).find_map(|part| {
                let (key, value) = part.split_once('=')?;
                key.trim().eq_ignore_ascii_case(name).then(|| value.trim().trim_matches('"').to_string())
            })
        };
        let keyword: String = line.trim_start_matches('*').split(',').next().unwrap_or_default().to_ascii_uppercase();
        match keyword.split_whitespace().collect::<Vec<_>>()[..] {
            ["PART"] => {
                let name = option("name").unwrap_or_else(|| format!("part {}", outline.parts.len() + 1));
                outline.parts.push(Part { name, lines: number..lines.len() });
                in_part = true;
            }
            ["END", "PART"] | ["ENDPART"] => {
                if let Some(part) = outline.parts.last_mut() {
                    part.lines.end = number;
                }
                in_part = false;
            }
            ["END", "INSTANCE"] | ["ENDINSTANCE"] => {
                if let Some(instance) = outline.instances.last_mut() {
                    instance.lines.end = number;
                }
            }
            ["INSTANCE"] => {
                let (name, part) = (option("name").unwrap_or_default(), option("part").unwrap_or_default());
                outline.instances.push(Instance { name, part, lines: number..lines.len(), data: Vec::new() });
                in_instance = true;
                continue;
            }
            ["NSET" | "ELSET"] if !in_part => set = option("instance").map(|instance| (instance, number)),
            _ => {}
        }
        in_instance = false;
    }
    outline.sets.extend(set.take().map(|(instance, first)| (instance, first..lines.len())));
    outline
}
