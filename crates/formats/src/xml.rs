//! Checks of XML text before it is parsed.
//!
//! The parser compares every attribute of an element with the ones before it: its time grows with the square of their
//! number. The number is bounded here, in one pass over the text, so that reading stays linear in the size of a file.

/// Maximum number of attributes of one element; elements of OpenSim and VTK have fewer than 20.
pub const MOST_ATTRIBUTES: usize = 256;

/// Refuses elements with more than [`MOST_ATTRIBUTES`] attributes, with the line (from 1) and the reason.
///
/// Text that is not well-formed passes; the parser reports it.
pub fn check_attributes(text: &str) -> Result<(), (usize, String)> {
    let mut at = 0;
    while let Some(start) = find(text, "<", at) {
        let skipped = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")];
        let tag = text.get(start..).unwrap_or_default();
        if let Some((open, close)) = skipped.into_iter().find(|(open, _)| tag.starts_with(open)) {
            let Some(end) = find(text, close, start + open.len()) else { return Ok(()) };
            at = end + close.len();
            continue;
        }
        let (count, length) = attributes(tag);
        if count > MOST_ATTRIBUTES {
            let line = 1 + text.as_bytes()[..start].iter().filter(|b| **b == b'\n').count();
            let name: String = tag.chars().skip(1).take_while(|c| c.is_alphanumeric() || "_:.-".contains(*c)).collect();
            let name = crate::number::excerpt(&name);
            let reason = format!(
                "element <{name}> has {count} attributes, but at most {MOST_ATTRIBUTES} are accepted; \
                 this is not a file of the program that it claims to be from"
            );
            return Err((line, reason));
        }
        at = start + length;
    }
    Ok(())
}

/// Where a text occurs at or after a byte.
fn find(text: &str, what: &str, from: usize) -> Option<usize> {
    text.get(from..)?.find(what).map(|i| from + i)
}

/// Number of `=` outside quotes in the tag that begins here, and the length of the tag in bytes.
fn attributes(tag: &str) -> (usize, usize) {
    let (mut quote, mut count) = (None, 0);
    for (i, byte) in tag.bytes().enumerate() {
        match (quote, byte) {
            (Some(open), byte) if open == byte => quote = None,
            (Some(_), _) => (),
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'=') => count += 1,
            (None, b'>') => return (count, i + 1),
            (None, _) => (),
        }
    }
    (count, tag.len())
}

/// Line numbers of positions in a text, found without another pass over the text.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    /// Bytes at which lines after the first one start.
    starts: Vec<usize>,
}

impl Lines {
    /// The lines of a text.
    pub fn new(text: &str) -> Self {
        Self { starts: text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1).collect() }
    }

    /// The line of a byte, from 1.
    pub fn of(&self, byte: usize) -> usize {
        1 + self.starts.partition_point(|start| *start <= byte)
    }
}
