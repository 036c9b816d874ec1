//! Files of several parts (`*PART`, `*INSTANCE`, `*ASSEMBLY`): the lines of each part, and where its instances are.

use std::ops::Range;

use nalgebra::{Rotation3, Unit, Vector3};

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

/// Reads one part of an input file, or with the name `all` every part at the place of its instances. Without a name the
/// file must have one part with tetrahedra only.
///
/// # Errors
/// As [`super::read_inp`]; when there is no such part, or several and no name: with a list of all parts.
pub fn read_inp_part(text: &str, part: Option<&str>) -> Result<TetMesh, FemError> {
    let text = text.trim_start_matches('\u{feff}');
    let lines: Vec<&str> = text.lines().collect();
    let outline = outline(&lines);
    match (part, outline.parts.len()) {
        (None, 0 | 1) => read_lines(&lines),
        (Some(ALL), 0) => read_lines(&lines),
        (Some(ALL), _) => all(&lines, &outline),
        (Some(name), _) => match outline.parts.iter().find(|p| p.name.eq_ignore_ascii_case(name)) {
            Some(part) => read_lines(&only(&lines, &outline, part)),
            None => Err(FemError::Mesh(format!("there is no part `{name}`; {}", listed(&lines, &outline)))),
        },
        (None, _) => {
            let mut solid = outline.parts.iter().filter_map(|p| read_lines(&only(&lines, &outline, p)).ok());
            match (solid.next(), solid.next()) {
                (Some(mesh), None) => Ok(mesh),
                _ => Err(FemError::Mesh(format!(
                    "{}; choose one with --part NAME, or all with --part {ALL}; `wolff mesh convert FILE OUT --part \
                     NAME` saves one part for other commands",
                    listed(&lines, &outline)
                ))),
            }
        }
    }
}

/// `the file has 2 parts: ...`.
fn listed(lines: &[&str], outline: &Outline) -> String {
    let count = outline.parts.len();
    let one = |part: &Part| {
        let size = read_lines(&only(lines, outline, part));
        let size = size.map_or("no tetrahedra".to_string(), |mesh| format!("{} elements", mesh.element_count()));
        format!("`{}` ({size})", part.name)
    };
    let names: Vec<String> = outline.parts.iter().take(LISTED).map(one).collect();
    let more = if count > LISTED { format!(" and {} more", count - LISTED) } else { String::new() };
    match count {
        0 => "the file has no *PART; omit the name of the part".into(),
        _ => format!("the file has {count} part{}: {}{more}", if count == 1 { "" } else { "s" }, names.join(", ")),
    }
}

/// The lines with those of other parts left empty, so that numbers of lines remain; sets of the assembly are kept if
/// they belong to an instance of the part.
fn only<'t>(lines: &[&'t str], outline: &Outline, part: &Part) -> Vec<&'t str> {
    let of_part = |instance: &str| {
        outline
            .instances
            .iter()
            .any(|i| i.name.eq_ignore_ascii_case(instance) && i.part.eq_ignore_ascii_case(&part.name))
    };
    let sets: Vec<&Range<usize>> =
        outline.sets.iter().filter(|(instance, _)| of_part(instance)).map(|(_, lines)| lines).collect();
    let kept = |line: usize| part.lines.contains(&line) || sets.iter().any(|lines| lines.contains(&line));
    lines.iter().enumerate().map(|(number, line)| if kept(number) { *line } else { "" }).collect()
}

fn all(lines: &[&str], outline: &Outline) -> Result<TetMesh, FemError> {
    let placed: Vec<(&str, &Part, Vec<String>)> = match outline.instances.is_empty() {
        true => outline.parts.iter().map(|part| (part.name.as_str(), part, Vec::new())).collect(),
        false => {
            let found = |i: &Instance| outline.parts.iter().find(|p| p.name.eq_ignore_ascii_case(&i.part));
            let place = |i| Some((Instance::name(i), found(i)?, i.data.clone()));
            outline.instances.iter().filter_map(place).collect()
        }
    };
    let (mut kind, mut nodes, mut connectivity) = (None, Vec::new(), Vec::new());
    let (mut node_sets, mut element_sets) = (Vec::new(), Vec::new());
    for (name, part, data) in placed {
        // parts of shells and rigid surfaces are no solids
        let Ok(mesh) = read_lines(&only(lines, outline, part)) else { continue };
        if *kind.get_or_insert(mesh.kind()) != mesh.kind() {
            let message = "the parts have four-node and ten-node tetrahedra; choose one part with --part NAME";
            return Err(FemError::Mesh(message.into()));
        }
        let (first_node, first_element) = (nodes.len(), connectivity.len() / mesh.kind().node_count());
        let place = placement(&data).map_err(|message| FemError::Mesh(format!("instance `{name}`: {message}")))?;
        nodes.extend(mesh.nodes().iter().map(place));
        connectivity.extend(mesh.elements().flatten().map(|node| first_node + node));
        element_sets.push((name.to_string(), (0..mesh.element_count()).map(|e| first_element + e).collect()));
        let of = |set: &Vec<usize>, first: usize| set.iter().map(|member| first + member).collect::<Vec<_>>();
        node_sets.extend(mesh.node_sets().iter().map(|(set, m)| (format!("{name}.{set}"), of(m, first_node))));
        element_sets.extend(mesh.element_sets().iter().map(|(set, m)| (format!("{name}.{set}"), of(m, first_element))));
    }
    let kind = kind.ok_or_else(|| FemError::Mesh(format!("no part has tetrahedra; {}", listed(lines, outline))))?;
    let mut mesh = TetMesh::new(kind, nodes, connectivity)?;
    for (name, set) in node_sets {
        mesh.set_nodes(&name, set)?;
    }
    for (name, set) in element_sets {
        mesh.set_elements(&name, set)?;
    }
    Ok(mesh)
}

impl Instance {
    fn name(&self) -> &str {
        &self.name
    }
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
            ["INSTANCE"] => {
                let (name, part) = (option("name").unwrap_or_default(), option("part").unwrap_or_default());
                outline.instances.push(Instance { name, part, data: Vec::new() });
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
