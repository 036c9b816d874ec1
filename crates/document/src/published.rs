//! `[[published]]`: published values that stand beside the results without a tolerance, because they belong to another
//! specimen or model.

use super::fields::Fields;
use super::node::Node;
use super::parameters::{Parameter, entries_of};
use super::reader::{Expected, Reader};
use super::reference::read_when;
use super::results::ResultSpec;
use wolff_formula::suggest::suggest;

/// Published values of results.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedSpec {
    /// What they belong to, in some words.
    pub label: String,
    /// Whether they were measured; otherwise a model computed them.
    pub measured: bool,
    /// Publication.
    pub source: String,
    /// Names of results with the published values.
    pub values: Vec<(String, f64)>,
}

/// Reads one `[[published]]`; it gives nothing if the parameters differ from those that it applies to.
pub(crate) fn read_published(
    reader: &mut Reader<'_>,
    node: &Node,
    parameters: &[Parameter],
    results: &[ResultSpec],
) -> Option<Option<PublishedSpec>> {
    let mut fields = Fields::new(reader, node, "published")?;
    let label = fields.text(reader, "label").map(String::from);
    let kind = fields.choice_or(reader, "kind", &["measured", "model"], "measured");
    let source = fields.text(reader, "source").map(String::from);
    let applies = read_when(reader, fields.maybe("when"), parameters);
    let given = fields.must(reader, "values");
    let mut values = Vec::new();
    for entry in entries_of(reader, given, "values") {
        if !results.iter().any(|r| r.name == entry.key) {
            let help = suggest(&entry.key, results.iter().map(|r| r.name.as_str()));
            return reader.wrong(&entry.key_span, format!("there is no result `{}`", entry.key), help);
        }
        let label = format!("published `{}`", entry.key);
        values.extend(reader.number(&entry.node, &label, Expected::ANY).map(|x| (entry.key.clone(), x)));
    }
    fields.finish(reader);
    let spec = PublishedSpec { label: label?, measured: kind? == "measured", source: source?, values };
    Some(applies?.then_some(spec))
}
