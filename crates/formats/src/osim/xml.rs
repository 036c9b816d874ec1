//! From bytes to XML objects, with a record of the parts that were not read.

use super::Unsupported;
use crate::FormatError;
use crate::number::{self, excerpt};
use crate::xml::{Lines, check_attributes};
use std::borrow::Cow;
use std::collections::HashMap;

pub(super) const FORMAT: &str = ".osim";

/// Maximum nesting depth, far above that of real models; it bounds every recursion below.
const DEEPEST: usize = 64;

/// Display data, and names of groups of objects: not read and not listed.
const PICTURES: [&str; 14] = [
    "VisibleObject",
    "Appearance",
    "FrameGeometry",
    "display_preference",
    "default_color",
    "color",
    "groups",
    "moment_visual_scale",
    "force_visual_scale",
    "visual_aspect_ratio",
    "show_path",
    "keys",
    "publications",
    "credits",
];

pub(super) type Node<'a> = roxmltree::Node<'a, 'a>;

/// Bytes as text that an XML reader accepts, with remarks on its faults.
///
/// As OpenSim's own reader, it accepts text that is not UTF-8, a bare `&`, and element names with `::`.
pub(super) fn tolerant_text(bytes: &[u8], remarks: &mut Vec<String>) -> String {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => {
            remarks.push("the file is not UTF-8; its bytes were read as Latin-1".into());
            Cow::Owned(bytes.iter().map(|&b| char::from(b)).collect())
        }
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let mut out = String::with_capacity(text.len());
    let mut bare = 0;
    let mut rest = text;
    while let Some(at) = rest.find(['&', '<']) {
        let (before, special) = rest.split_at(at);
        out.push_str(before);
        rest = if special.starts_with('&') {
            out.push_str(if is_reference(special) { "&" } else { "&amp;" });
            bare += usize::from(!is_reference(special));
            special.get(1..).unwrap_or_default()
        } else {
            let end = special.find(|c: char| c.is_whitespace() || c == '>').unwrap_or(special.len());
            let (tag, after) = special.split_at(end);
            out.push_str(&if tag.starts_with("<!") { tag.into() } else { tag.replace("::", "..") });
            after
        };
    }
    out.push_str(rest);
    if bare > 0 {
        remarks.push(format!("{bare} times `&` stands instead of `&amp;`; it is read as the sign itself"));
    }
    out
}

/// Whether a text beginning with `&` is a reference such as `&lt;`.
fn is_reference(text: &str) -> bool {
    let name = text.get(1..).and_then(|t| t.split_once(';')).map_or("", |(name, _)| name);
    let known = ["amp", "lt", "gt", "quot", "apos"].contains(&name);
    known || name.strip_prefix('#').is_some_and(|n| !n.is_empty() && n.len() < 8)
}

/// Parses; text that is nested too deeply is an error.
pub(super) fn parse(text: &str) -> Result<roxmltree::Document<'_>, FormatError> {
    check_attributes(text).map_err(|(line, reason)| FormatError::syntax(FORMAT, line, reason))?;
    let document = roxmltree::Document::parse(text).map_err(|e| {
        let line = usize::try_from(e.pos().row).unwrap_or(1);
        FormatError::syntax(
            FORMAT,
            line,
            format!("not well-formed XML ({e}); correct the file or save it again in OpenSim"),
        )
    })?;
    let mut open = vec![(document.root(), 0)];
    while let Some((node, depth)) = open.pop() {
        if depth > DEEPEST {
            return Err(error_at(&node, format!("elements are nested deeper than {DEEPEST}; this is not a model")));
        }
        open.extend(node.children().filter(|n| n.is_element()).map(|n| (n, depth + 1)));
    }
    Ok(document)
}

/// An error at the line of a node.
pub(super) fn error_at(node: &Node<'_>, message: impl Into<String>) -> FormatError {
    FormatError::syntax(FORMAT, line_of(node), message)
}

fn line_of(node: &Node<'_>) -> usize {
    usize::try_from(node.document().text_pos_at(node.range().start).row).unwrap_or(1)
}

/// Element children.
pub(super) fn elements<'a>(node: Node<'a>) -> impl Iterator<Item = Node<'a>> {
    node.children().filter(|n| n.is_element())
}

/// The objects of a set: `<XSet><objects>...</objects></XSet>`.
pub(super) fn set_objects<'a>(set: Option<Node<'a>>) -> impl Iterator<Item = Node<'a>> {
    let lists = set.into_iter().flat_map(|s| s.children().filter(|n| n.has_tag_name("objects")));
    lists.flat_map(elements)
}

/// The name of an object, without blanks around it.
pub(super) fn name_of(node: &Node<'_>) -> String {
    node.attribute("name").unwrap_or_default().trim().into()
}

/// State while a file is read.
#[derive(Default)]
pub(super) struct Context<'a> {
    /// Objects of the `<defaults>` part, by class.
    pub defaults: HashMap<&'a str, Node<'a>>,
    /// Unsupported elements.
    pub unsupported: Vec<Unsupported>,
    /// Number of objects without a name, by class.
    unnamed: HashMap<&'a str, usize>,
    /// Lines of the text.
    lines: Lines,
}

impl<'a> Context<'a> {
    /// The state before a text is read.
    pub fn new(text: &str) -> Self {
        Context { lines: Lines::new(text), ..Context::default() }
    }

    /// Lists an unsupported element.
    pub fn list(&mut self, node: &Node<'_>, object: &str) {
        let element = node.tag_name().name().replace("..", "::");
        self.unsupported.push(Unsupported { element, object: object.into(), line: self.lines.of(node.range().start) });
    }

    /// The name of an object; as in OpenSim an object without one is called like its class, in small letters and
    /// counted.
    pub fn name(&mut self, o: &Object<'a>) -> String {
        let name = o.name();
        if !name.is_empty() {
            return name;
        }
        let count = self.unnamed.entry(o.class()).or_default();
        *count += 1;
        let class = o.class().to_ascii_lowercase();
        if *count == 1 { class } else { format!("{class}_{}", *count - 1) }
    }

    /// An object whose properties are to be read.
    pub fn object(&self, node: Node<'a>) -> Object<'a> {
        let default = self.defaults.get(node.tag_name().name()).copied().filter(|d| *d != node);
        Object { node, default, used: Vec::new() }
    }
}

/// An XML object and which of its properties were read.
pub(super) struct Object<'a> {
    pub node: Node<'a>,
    default: Option<Node<'a>>,
    used: Vec<roxmltree::NodeId>,
}

impl<'a> Object<'a> {
    /// Its class, the tag.
    pub fn class(&self) -> &'a str {
        self.node.tag_name().name()
    }

    /// Its name.
    pub fn name(&self) -> String {
        name_of(&self.node)
    }

    /// The property element of that tag: the object's own, else that of the file's defaults for the class.
    pub fn child(&mut self, tag: &str) -> Option<Node<'a>> {
        let find = |n: Node<'a>| elements(n).find(|c| c.tag_name().name() == tag);
        let own = find(self.node);
        if let Some(child) = own {
            self.used.push(child.id());
        }
        own.or_else(|| self.default.and_then(find))
    }

    /// The property whose value is an object, identified by its `name` attribute or by the tag of a wrapper around it.
    pub fn object_property(&mut self, name: &str) -> Option<Node<'a>> {
        if let Some(wrapper) = self.child(name) {
            return elements(wrapper).next();
        }
        let found = elements(self.node).find(|c| c.attribute("name") == Some(name) && c.has_children())?;
        self.used.push(found.id());
        Some(found)
    }

    /// Text of a property; `None` where it is empty.
    pub fn text(&mut self, tag: &str) -> Option<&'a str> {
        let text = self.child(tag)?.text().unwrap_or_default().trim();
        (!text.is_empty()).then_some(text)
    }

    /// Text of a property; empty where it is absent.
    pub fn string(&mut self, tag: &str) -> String {
        self.text(tag).unwrap_or_default().into()
    }

    /// The first of several properties that is present: versions use different names.
    pub fn either(&mut self, tags: &[&str]) -> String {
        let texts: Vec<_> = tags.iter().filter_map(|t| self.text(t)).collect();
        texts.first().copied().unwrap_or_default().into()
    }

    /// Words of a property.
    pub fn words(&mut self, tag: &str) -> Vec<String> {
        self.text(tag).unwrap_or_default().split_whitespace().map(String::from).collect()
    }

    /// Numbers of a property, infinite ones allowed; `None` where it is absent or empty.
    pub fn bounds(&mut self, tag: &str) -> Result<Option<Vec<f64>>, FormatError> {
        let Some(text) = self.text(tag) else { return Ok(None) };
        let text = text.trim_matches(['(', ')']);
        let all: Result<Vec<f64>, String> = text.split_whitespace().map(number::read).collect();
        match all {
            Ok(all) if all.iter().any(|x| x.is_nan()) => Err(self.wrong(tag, "is not a number; give one")),
            Ok(all) => Ok(Some(all)),
            Err(message) => Err(self.wrong(tag, &format!("{message}; give numbers with blanks between them"))),
        }
    }

    /// Finite numbers of a property.
    pub fn numbers(&mut self, tag: &str) -> Result<Option<Vec<f64>>, FormatError> {
        let numbers = self.bounds(tag)?;
        if numbers.iter().flatten().any(|x| x.is_infinite()) {
            return Err(self.wrong(tag, "is infinite; give a finite number"));
        }
        Ok(numbers)
    }

    /// A property of exactly `N` finite numbers.
    pub fn array<const N: usize>(&mut self, tag: &str, absent: [f64; N]) -> Result<[f64; N], FormatError> {
        let Some(numbers) = self.numbers(tag)? else { return Ok(absent) };
        let count = numbers.len();
        numbers.try_into().map_err(|_| self.wrong(tag, &format!("{count} numbers; give {N}")))
    }

    /// One finite number.
    pub fn number(&mut self, tag: &str, absent: f64) -> Result<f64, FormatError> {
        Ok(self.array::<1>(tag, [absent])?[0])
    }

    /// One number that may be infinite; `None` where it is absent.
    pub fn bound(&mut self, tag: &str) -> Result<Option<f64>, FormatError> {
        match self.bounds(tag)?.as_deref() {
            None => Ok(None),
            Some([one]) => Ok(Some(*one)),
            Some(many) => Err(self.wrong(tag, &format!("{} numbers; give one", many.len()))),
        }
    }

    /// `lower upper`, possibly infinite.
    pub fn range(&mut self, tag: &str) -> Result<Option<[f64; 2]>, FormatError> {
        match self.bounds(tag)?.as_deref() {
            None => Ok(None),
            Some([low, high]) => Ok(Some([*low, *high])),
            Some(many) => Err(self.wrong(tag, &format!("{} numbers; give the lower and the upper bound", many.len()))),
        }
    }

    /// `true` or `false`.
    pub fn flag(&mut self, tag: &str, absent: bool) -> Result<bool, FormatError> {
        match self.text(tag).map(str::to_ascii_lowercase).as_deref() {
            None => Ok(absent),
            Some("true" | "1") => Ok(true),
            Some("false" | "0") => Ok(false),
            Some(other) => Err(self.wrong(tag, &format!("`{}`; give true or false", excerpt(other)))),
        }
    }

    /// Whether it is enabled: `appliesForce`, `isEnforced`, or before version 4 not `isDisabled`.
    pub fn enabled(&mut self) -> Result<bool, FormatError> {
        Ok(self.flag("appliesForce", true)? && self.flag("isEnforced", true)? && !self.flag("isDisabled", false)?)
    }

    /// Children not read so far, pictures aside.
    pub fn unread(&self) -> Vec<Node<'a>> {
        let unread = |n: &Node<'a>| !self.used.contains(&n.id()) && !PICTURES.contains(&n.tag_name().name());
        // an empty element has no content
        elements(self.node).filter(unread).filter(says_something).collect()
    }

    /// Lists the elements that were not read.
    pub fn finish(self, context: &mut Context<'a>) {
        let name = self.name();
        let object = if name.is_empty() { self.class() } else { &name };
        for node in self.unread() {
            context.list(&node, object);
        }
    }

    fn wrong(&self, tag: &str, message: &str) -> FormatError {
        let at = elements(self.node).find(|c| c.has_tag_name(tag)).unwrap_or(self.node);
        error_at(&at, format!("{tag} of {} `{}`: {message}", self.class(), excerpt(&self.name())))
    }
}

/// Whether an element holds text that is not blank.
pub(super) fn says_something(node: &Node<'_>) -> bool {
    let visible = |n: Node<'_>| n.is_text() && n.text().is_some_and(|t| !t.trim().is_empty());
    node.descendants().any(visible)
}
