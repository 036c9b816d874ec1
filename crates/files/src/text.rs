//! Text of files in messages: characters that control a terminal are shown, not obeyed.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether a character changes what a terminal does or shows instead of being shown: control characters, and those that
/// change the direction of text (Unicode, bidirectional formatting) or separate lines.
pub fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text with control characters as `\u{1b}`; line ends and tabs stay.
pub fn printable(text: &str) -> Cow<'_, str> {
    escaped(text, |c| is_control(c) && c != '\n' && c != '\t')
}

/// The text on one line: as [`printable`], with line ends as `\n` and tabs as `\t`.
pub fn on_one_line(text: &str) -> Cow<'_, str> {
    escaped(text, is_control)
}

fn escaped(text: &str, is_hidden: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_hidden) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' if is_hidden(c) => out.extend(c.escape_default()),
            _ if is_hidden(c) => _ = write!(out, "\\u{{{:x}}}", u32::from(c)),
            _ => out.push(c),
        }
    }
    out.into()
}

/// The text with each control character replaced by question marks of the same number of bytes, so that positions in
/// it stay the same; line ends and tabs stay.
pub fn in_place(text: &str) -> Cow<'_, str> {
    let is_hidden = |c: char| is_control(c) && !matches!(c, '\n' | '\t' | '\r');
    if !text.contains(is_hidden) && !has_lone_return(text) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let lone = c == '\r' && rest.peek() != Some(&'\n');
        match lone || is_hidden(c) {
            true => out.extend(std::iter::repeat_n('?', c.len_utf8())),
            false => out.push(c),
        }
    }
    out.into()
}

/// Whether a carriage return is not part of a line end.
fn has_lone_return(text: &str) -> bool {
    text.split('\r').skip(1).any(|after| !after.starts_with('\n'))
}
