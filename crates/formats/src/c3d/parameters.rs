//! The parameter section: named groups of named values.

use super::FORMAT;
use super::bytes::{Bytes, f32_from, u16_from};
use crate::FormatError;

/// The values of a parameter, first index running fastest.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Texts, without padding blanks.
    Text(Vec<String>),
    /// Bytes.
    Byte(Vec<u8>),
    /// 16-bit integers, as stored.
    Integer(Vec<i16>),
    /// Real numbers.
    Real(Vec<f32>),
}

/// A named value.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name, in capitals.
    pub name: String,
    /// Length of each dimension; of texts the first is their length in the file.
    pub dimensions: Vec<usize>,
    /// Its values.
    pub values: Values,
}

/// A named group.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Its name, in capitals.
    pub name: String,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
}

/// All parameters of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parameters {
    /// The groups.
    pub groups: Vec<Group>,
}

impl Parameter {
    /// The values as numbers; empty for texts.
    pub fn numbers(&self) -> Vec<f64> {
        match &self.values {
            Values::Text(_) => Vec::new(),
            Values::Byte(v) => v.iter().map(|&x| f64::from(x)).collect(),
            Values::Integer(v) => v.iter().map(|&x| f64::from(x)).collect(),
            Values::Real(v) => v.iter().map(|&x| f64::from(x)).collect(),
        }
    }

    /// The values as counts: integers without sign, for files that count beyond 32767.
    pub fn counts(&self) -> Vec<usize> {
        match &self.values {
            Values::Integer(v) => v.iter().map(|&x| usize::from(x as u16)).collect(),
            // a real number that is not a count becomes 0 by the saturating conversion
            _ => self.numbers().into_iter().map(|x| x as usize).collect(),
        }
    }
}

impl Parameters {
    /// The parameter of that group and name.
    pub fn get(&self, group: &str, name: &str) -> Option<&Parameter> {
        self.groups.iter().filter(|g| g.name == group).flat_map(|g| &g.parameters).find(|p| p.name == name)
    }

    /// Sets or replaces a parameter.
    pub fn set(&mut self, group: &str, name: &str, dimensions: &[usize], values: Values) {
        let parameter = Parameter { name: name.into(), dimensions: dimensions.to_vec(), values };
        let at = self.groups.iter().position(|g| g.name == group).unwrap_or(self.groups.len());
        if at == self.groups.len() {
            self.groups.push(Group { name: group.into(), parameters: Vec::new() });
        }
        if let Some(group) = self.groups.get_mut(at) {
            group.parameters.retain(|p| p.name != name);
            group.parameters.push(parameter);
        }
    }

    /// Numbers of a parameter; empty where it is absent.
    pub fn numbers(&self, group: &str, name: &str) -> Vec<f64> {
        self.get(group, name).map(Parameter::numbers).unwrap_or_default()
    }

    /// First number of a parameter.
    pub fn number(&self, group: &str, name: &str) -> Option<f64> {
        self.numbers(group, name).first().copied()
    }

    /// Counts of a parameter; empty where it is absent.
    pub fn counts(&self, group: &str, name: &str) -> Vec<usize> {
        self.get(group, name).map(Parameter::counts).unwrap_or_default()
    }

    /// Texts of a parameter and of its continuations `NAME2`, `NAME3`, …, which files with more than 255 use.
    pub fn texts(&self, group: &str, name: &str) -> Vec<&str> {
        let parts = (1..).map(|n| if n == 1 { name.to_string() } else { format!("{name}{n}") });
        let found = parts.map_while(|name| self.get(group, &name));
        found
            .flat_map(|p| match &p.values {
                Values::Text(texts) => texts.as_slice(),
                _ => &[],
            })
            .map(String::as_str)
            .collect()
    }

    /// Reads the section that starts at `base` and ends before `limit`, where the data start.
    ///
    /// The last record may point anywhere past the section: some writers leave invalid values there.
    pub(super) fn read(bytes: &Bytes, base: usize, limit: usize) -> Result<Self, FormatError> {
        let mut groups: Vec<(u8, Group)> = Vec::new();
        let mut members: Vec<(u8, Parameter)> = Vec::new();
        let mut at = base + 4;
        while let Some(record) = Record::read(bytes, at)? {
            if record.id < 0 {
                groups.push((record.id.unsigned_abs(), Group { name: record.name.clone(), parameters: Vec::new() }));
            } else {
                members.push((record.id.unsigned_abs(), read_parameter(bytes, &record, limit)?));
            }
            match record.next {
                Some(next) if next < limit => at = next,
                _ => break,
            }
        }
        for (id, parameter) in members {
            if let Some((_, group)) = groups.iter_mut().find(|(i, _)| *i == id) {
                group.parameters.push(parameter);
            }
        }
        Ok(Self { groups: groups.into_iter().map(|(_, g)| g).collect() })
    }
}

/// The head of a group or parameter.
struct Record {
    name: String,
    /// Negative for a group; its absolute value is the number that its parameters refer to.
    id: i8,
    /// Where its content starts.
    content: usize,
    /// Where the next record starts; `None` for the last.
    next: Option<usize>,
}

impl Record {
    /// The record at an offset; `None` at the end of the section.
    fn read(bytes: &Bytes, at: usize) -> Result<Option<Self>, FormatError> {
        // a locked record has a negative length
        let length = usize::from((bytes.u8(at)? as i8).unsigned_abs());
        if length == 0 {
            return Ok(None);
        }
        let id = bytes.u8(at + 1)? as i8;
        let raw = bytes.slice(at + 2, length)?;
        if raw.iter().any(|&b| b < b' ') {
            let message = "a record of the parameter section has no readable name; the section is damaged";
            return Err(FormatError::damaged(FORMAT, at, message));
        }
        let name = text(raw).to_uppercase();
        let pointer = at + 2 + length;
        let step = bytes.u16(pointer)? as i16;
        let next = match step {
            0 => None,
            3.. => Some(pointer + usize::from(step.unsigned_abs())),
            _ => {
                let message =
                    format!("the record `{name}` points {step} bytes ahead to the next one; the section is damaged");
                return Err(FormatError::damaged(FORMAT, pointer, message));
            }
        };
        Ok(Some(Self { name, id, content: pointer + 2, next }))
    }
}

fn read_parameter(bytes: &Bytes, record: &Record, limit: usize) -> Result<Parameter, FormatError> {
    let at = record.content;
    let kind = bytes.u8(at)? as i8;
    let size = match kind {
        -1 | 1 => 1,
        2 => 2,
        4 => 4,
        _ => {
            let message = format!("the parameter `{}` has type {kind}; types are -1, 1, 2 and 4", record.name);
            return Err(FormatError::damaged(FORMAT, at, message));
        }
    };
    let count = usize::from(bytes.u8(at + 1)?);
    let dimensions: Vec<usize> = bytes.slice(at + 2, count)?.iter().map(|&d| usize::from(d)).collect();
    let start = at + 2 + count;
    let room = record.next.unwrap_or(limit).min(limit).saturating_sub(start);
    let needed = dimensions.iter().fold(size, |n: usize, &d| n.saturating_mul(d));
    if needed > room {
        let message = format!(
            "the parameter `{}` claims {dimensions:?} values of {size} bytes, its record has room for {room} bytes; \
             the section is damaged",
            record.name
        );
        return Err(FormatError::damaged(FORMAT, at, message));
    }
    let raw = bytes.slice(start, needed)?;
    let values = match kind {
        -1 => Values::Text(split_texts(raw, &dimensions)),
        1 => Values::Byte(raw.to_vec()),
        2 => Values::Integer(raw.as_chunks().0.iter().map(|&b| u16_from(b, bytes.processor) as i16).collect()),
        _ => Values::Real(raw.as_chunks().0.iter().map(|&b| f32_from(b, bytes.processor)).collect()),
    };
    Ok(Parameter { name: record.name.clone(), dimensions, values })
}

/// Texts of equal length, the first dimension.
fn split_texts(raw: &[u8], dimensions: &[usize]) -> Vec<String> {
    match dimensions.first() {
        None => vec![text(raw)],
        Some(0) => Vec::new(),
        Some(&length) => raw.chunks(length).map(text).collect(),
    }
}

/// A text up to its first NUL, without outer blanks; UTF-8, else Latin-1.
pub(super) fn text(raw: &[u8]) -> String {
    let raw = raw.split(|&b| b == 0).next().unwrap_or_default();
    match std::str::from_utf8(raw) {
        Ok(text) => text.trim().into(),
        Err(_) => raw.iter().map(|&b| char::from(b)).collect::<String>().trim().into(),
    }
}
