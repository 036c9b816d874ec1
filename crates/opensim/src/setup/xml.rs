//! Reading properties of an XML element, with a record of those that were read.

use super::{FORMAT, Unknown, find};
use roxmltree::Node;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use wolff_formats::FormatError;
use wolff_formats::number::{self, excerpt};
use wolff_formats::xml::Lines;
use wolff_verdict::Finding;

/// What is told about a file in addition to its content.
#[derive(Default)]
pub(super) struct Told {
    /// Lines of the text.
    pub lines: Lines,
    /// Elements whose files are given otherwise.
    pub given: Vec<String>,
    /// Unsupported elements.
    pub unknown: RefCell<Vec<Unknown>>,
    /// Files that were not where the set-up says.
    pub findings: RefCell<Vec<Finding>>,
    /// Files of which there are several: line and message.
    pub ambiguous: RefCell<Vec<(usize, String)>>,
}

/// An element whose properties are child elements with text.
pub(super) struct Reader<'a, 'input> {
    node: Node<'a, 'input>,
    folder: &'a Path,
    told: &'a Told,
    read: RefCell<BTreeSet<String>>,
}

impl<'a, 'input> Reader<'a, 'input> {
    pub(super) fn new(node: Node<'a, 'input>, folder: &'a Path, told: &'a Told) -> Self {
        // internal and display data of OpenSim
        let read = ["groups", "defaults", "components", "VisibleObject"].map(String::from).into();
        Self { node, folder, told, read: RefCell::new(read) }
    }

    /// Tag of the element.
    pub(super) fn tag(&self) -> &'input str {
        self.node.tag_name().name()
    }

    /// Its attribute `name`.
    pub(super) fn name(&self) -> String {
        self.node.attribute("name").unwrap_or_default().trim().into()
    }

    fn line(&self, node: Node) -> usize {
        self.told.lines.of(node.range().start)
    }

    fn error(&self, node: Node, message: String) -> FormatError {
        FormatError::syntax(FORMAT, self.line(node), message)
    }

    fn child(&self, name: &str) -> Option<Node<'a, 'input>> {
        self.read.borrow_mut().insert(name.into());
        self.node.children().find(|n| n.is_element() && n.tag_name().name() == name)
    }

    /// Marks properties as known but not used.
    pub(super) fn skip(&self, names: &[&str]) {
        self.read.borrow_mut().extend(names.iter().map(|n| n.to_string()));
    }

    /// Text of a property; `None` where it is absent, empty or `Unassigned`.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        let text = self.child(name)?.text()?.trim();
        (!text.is_empty() && !text.eq_ignore_ascii_case("unassigned")).then(|| text.to_string())
    }

    /// Words of a property.
    pub(super) fn words(&self, name: &str) -> Vec<String> {
        self.text(name).map(|t| t.split_whitespace().map(String::from).collect()).unwrap_or_default()
    }

    /// A number.
    pub(super) fn number(&self, name: &str) -> Result<Option<f64>, FormatError> {
        match (self.text(name), self.child(name)) {
            (Some(text), Some(node)) => {
                number::read(&text).map(Some).map_err(|m| self.error(node, format!("<{name}>: {m}")))
            }
            _ => Ok(None),
        }
    }

    /// The first number of a property.
    pub(super) fn first(&self, name: &str) -> Result<Option<f64>, FormatError> {
        match (self.words(name).first(), self.child(name)) {
            (Some(word), Some(node)) => {
                number::read(word).map(Some).map_err(|m| self.error(node, format!("<{name}>: {m}")))
            }
            _ => Ok(None),
        }
    }

    /// The elements of this element that have a tag, also those within `<objects>`.
    pub(super) fn children<T>(
        &self,
        tag: &str,
        read: impl Fn(&Reader) -> Result<T, FormatError>,
    ) -> Result<Vec<T>, FormatError> {
        self.skip(&[tag]);
        let holder = self.child("objects").unwrap_or(self.node);
        holder.children().filter(|n| n.tag_name().name() == tag).map(|node| self.enter(node, &read)).collect()
    }

    /// `N` numbers.
    pub(super) fn numbers<const N: usize>(&self, name: &str) -> Result<Option<[f64; N]>, FormatError> {
        let (words, Some(node)) = (self.words(name), self.child(name)) else { return Ok(None) };
        if words.is_empty() {
            return Ok(None);
        }
        let numbers = words.iter().map(|w| number::read(w)).collect::<Result<Vec<f64>, _>>();
        match numbers.map(<[f64; N]>::try_from) {
            Ok(Ok(numbers)) => Ok(Some(numbers)),
            Ok(Err(found)) => Err(self.error(node, format!("<{name}> has {} numbers; it needs {N}", found.len()))),
            Err(m) => Err(self.error(node, format!("<{name}>: {m}"))),
        }
    }

    /// `true` or `false`.
    pub(super) fn flag(&self, name: &str, default: bool) -> Result<bool, FormatError> {
        let (Some(text), Some(node)) = (self.text(name), self.child(name)) else { return Ok(default) };
        match text.to_ascii_lowercase().as_str() {
            "true" | "1" | "yes" => Ok(true),
            "false" | "0" | "no" => Ok(false),
            _ => Err(self.error(node, format!("<{name}> is `{}`; it must be true or false", excerpt(&text)))),
        }
    }

    /// The path of an input file, from the folder of the set-up file or by its name; backslashes count as slashes.
    pub(super) fn path(&self, name: &str) -> Option<PathBuf> {
        let text = self.text(name).filter(|_| !self.is_given(name));
        text.map(|text| self.resolve(name, &text))
    }

    /// Several input files.
    pub(super) fn paths(&self, name: &str) -> Vec<PathBuf> {
        let words = self.words(name);
        words.iter().filter(|_| !self.is_given(name)).map(|word| self.resolve(name, word)).collect()
    }

    fn is_given(&self, name: &str) -> bool {
        self.told.given.iter().any(|given| given == name)
    }

    /// The path of an output file or folder, from the folder of the set-up file.
    pub(super) fn output(&self, name: &str) -> Option<PathBuf> {
        let (path, finding) = find::output(self.folder, &self.text(name)?);
        self.told.findings.borrow_mut().extend(finding);
        Some(path)
    }

    fn resolve(&self, name: &str, text: &str) -> PathBuf {
        match find::input(self.folder, text) {
            Ok((path, finding)) => {
                self.told.findings.borrow_mut().extend(finding.map(|f| Finding { message: in_element(name, &f), ..f }));
                path
            }
            Err(message) => {
                let line = self.child(name).map_or(1, |node| self.line(node));
                self.told.ambiguous.borrow_mut().push((line, format!("<{name}>: {message}")));
                self.folder.join(text)
            }
        }
    }

    /// The file that the attribute `file` of a property names instead of direct content.
    pub(super) fn file_of(&self, name: &str) -> Option<PathBuf> {
        let file = self.child(name)?.attribute("file")?.trim();
        (!file.is_empty()).then(|| self.resolve(name, file))
    }

    /// The content of a property.
    pub(super) fn within<T>(
        &self,
        name: &str,
        read: impl FnOnce(&Reader) -> Result<T, FormatError>,
    ) -> Result<Option<T>, FormatError> {
        self.child(name).map(|node| self.enter(node, read)).transpose()
    }

    /// The objects of a set; those for which `read` returns `None` are listed as unknown.
    pub(super) fn objects<T>(
        &self,
        set: &str,
        read: impl Fn(&Reader) -> Result<Option<T>, FormatError>,
    ) -> Result<Vec<T>, FormatError> {
        Ok(self.within(set, |set| set.own_objects(&read))?.unwrap_or_default())
    }

    /// The objects of this element, which is a set.
    pub(super) fn own_objects<T>(
        &self,
        read: impl Fn(&Reader) -> Result<Option<T>, FormatError>,
    ) -> Result<Vec<T>, FormatError> {
        let mut out = Vec::new();
        let Some(objects) = self.child("objects") else { return Ok(out) };
        for node in objects.children().filter(Node::is_element) {
            let reader = Reader::new(node, self.folder, self.told);
            match read(&reader)? {
                Some(object) => {
                    reader.finish();
                    out.push(object);
                }
                None => self.list(node),
            }
        }
        Ok(out)
    }

    fn enter<T>(&self, node: Node, read: impl FnOnce(&Reader) -> Result<T, FormatError>) -> Result<T, FormatError> {
        let reader = Reader::new(node, self.folder, self.told);
        let value = read(&reader)?;
        reader.finish();
        Ok(value)
    }

    /// Lists the elements that were not read.
    pub(super) fn finish(&self) {
        for node in self.node.children().filter(Node::is_element) {
            if !self.read.borrow().contains(node.tag_name().name()) {
                self.list(node);
            }
        }
    }

    fn list(&self, node: Node) {
        let owner = node.ancestors().skip(1).find(|n| n.is_element() && n.tag_name().name() != "objects");
        let owner = owner.map(|n| n.tag_name().name()).unwrap_or_default();
        let element = format!("{owner}/{}", node.tag_name().name());
        self.told.unknown.borrow_mut().push(Unknown { element, line: self.line(node) });
    }
}

/// The message of a finding with the element that names the file.
fn in_element(name: &str, finding: &Finding) -> String {
    format!("<{name}> of the set-up: {}", finding.message)
}
