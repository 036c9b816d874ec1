//! Reading the parts of a study in their order.

use super::fields::Fields;
use super::node::{Node, Value};
use super::reader::Reader;
use super::{
    DrawingSpec, FieldSpec, Measure, PlotSpec, PublishedSpec, Reference, ResultSpec, SensitivitySpec, Study,
    StudyDocument, StudyKind, column, compare, constraint, contact, drawing, field, force, foundation, measure, model,
    parameters, published, reference, results, settings,
};
use wolff_bone::flexible::FlexibleBody;
use wolff_multibody::spec::ModelSpec;

/// Name, title, about and parameters.
pub(super) fn read_header(reader: &mut Reader<'_>, file: &str, text: &str, root: Node) -> Option<StudyDocument> {
    let mut fields = Fields::new(reader, &root, "the study")?;
    let name = fields.name(reader, "study");
    let title = fields.text(reader, "title").map(String::from);
    let about = fields.text_or_empty(reader, "about").map(|t| t.trim().to_string());
    let parameters = parameters::read_parameters(reader, fields.maybe("parameters"));
    let comparisons = compare::read_comparisons(reader, fields.maybe("compare"), &parameters);
    Some(StudyDocument {
        name: name.unwrap_or_default(),
        title: title.unwrap_or_default(),
        about: about.unwrap_or_default(),
        parameters,
        comparisons,
        file: file.into(),
        text: text.into(),
        root,
        broken: std::mem::take(&mut reader.broken),
        given: std::mem::take(&mut reader.given),
        base_dir: std::mem::take(&mut reader.base_dir),
        checked: None,
    })
}

/// A walking study: results, references and plots; the names that they may use are known at the end of the walk.
fn read_walk(reader: &mut Reader<'_>, mut fields: Fields<'_>, document: &StudyDocument) -> Study {
    reader.names_come_later = true;
    let (results, _) = results::read_results(reader, fields.maybe("results"));
    let references = reader.each(fields.maybe("reference"), "reference", |reader, node| {
        reference::read_reference(reader, node, &document.parameters, &results, None)
    });
    let plots = reader.each(fields.maybe("plot"), "plot", results::read_plot);
    fields.finish(reader);
    let references = references.into_iter().flatten().collect();
    Study { results, references, plots, ..Study::of_parameters(StudyKind::Walk, document, reader) }
}

/// Everything after the header, in the order in which later parts depend on earlier ones.
pub(super) fn read_study(reader: &mut Reader<'_>, document: &StudyDocument) -> Option<Study> {
    let mut fields = Fields::new(reader, &document.root, "the study")?;
    for key in ["study", "title", "about", "parameters", "compare"] {
        fields.maybe(key);
    }
    if fields.choice_or(reader, "kind", &["model", "walk"], "model")? == "walk" {
        return Some(read_walk(reader, fields, document));
    }
    parameters::read_derived(reader, fields.maybe("derived"));
    let gravity = model::read_gravity(reader, fields.maybe("model"));
    let (bodies, flexible) = model::split_bodies(reader.each(fields.maybe("body"), "body", model::read_body));
    let joints = reader.each(fields.maybe("joint"), "joint", model::read_joint);
    let constraints = reader.each(fields.maybe("constraint"), "constraint", constraint::read_constraint);
    let forces = reader.each(fields.maybe("force"), "force", force::read_force);
    let contacts = reader.each(fields.maybe("contact"), "contact", contact::read_contact);
    let foundations = reader.each(fields.maybe("foundation"), "foundation", foundation::read_foundation);

    let integrator = fields.must(reader, "integrator").and_then(|node| settings::read_integrator(reader, node));
    let duration = integrator.as_ref().map(|i| i.duration);
    if let Some(duration) = duration {
        column::check_coverage(reader, duration);
    }
    let interval = settings::read_interval(reader, fields.maybe("output"), duration);
    let asked = read_asked(reader, &mut fields, document, &flexible, duration.zip(interval));
    fields.finish(reader);
    reader.resolve();

    let common = Study::of_parameters(StudyKind::Model, document, reader);
    Some(Study {
        model: ModelSpec { name: document.name.clone(), gravity: gravity?, bodies, joints, constraints },
        flexible,
        forces,
        contacts,
        foundations,
        integrator: integrator?,
        interval: interval?,
        measures: asked.measures,
        results: asked.results,
        impact_results: asked.impact_results,
        references: asked.references,
        reference_blocks: entries(&document.root, "reference"),
        published: asked.published,
        plots: asked.plots,
        fields: asked.fields,
        drawings: asked.drawings,
        sensitivity: asked.sensitivity,
        ..common
    })
}

/// Number of entries of a list.
fn entries(root: &Node, key: &str) -> usize {
    match root.get(key).map(|node| &node.value) {
        Some(Value::Array(items)) => items.len(),
        _ => 0,
    }
}

/// The outputs that a study of a model asks for.
struct Asked {
    measures: Vec<Measure>,
    results: Vec<ResultSpec>,
    impact_results: Vec<ResultSpec>,
    references: Vec<Reference>,
    published: Vec<PublishedSpec>,
    plots: Vec<PlotSpec>,
    fields: Vec<FieldSpec>,
    drawings: Vec<DrawingSpec>,
    sensitivity: Option<SensitivitySpec>,
}

/// Measures and the outputs derived from them; `times` are the duration and the interval between rows \[s\], where
/// these could be read.
fn read_asked(
    reader: &mut Reader<'_>,
    fields: &mut Fields<'_>,
    document: &StudyDocument,
    flexible: &[FlexibleBody],
    times: Option<(f64, f64)>,
) -> Asked {
    let measures = reader.each(fields.maybe("measure"), "measure", measure::read_measure);
    reader.check_formulas();
    measure::check_order(reader, &measures);
    let (results, impact_results) = results::read_results(reader, fields.maybe("results"));
    let duration = times.map(|(duration, _)| duration);
    let references = reader.each(fields.maybe("reference"), "reference", |reader, node| {
        reference::read_reference(reader, node, &document.parameters, &results, duration)
    });
    let published = reader.each(fields.maybe("published"), "published", |reader, node| {
        published::read_published(reader, node, &document.parameters, &results)
    });
    let plots = reader.each(fields.maybe("plot"), "plot", results::read_plot);
    let drawn = reader.each(fields.maybe("field"), "field", |reader, node| {
        let (duration, interval) = times?;
        field::read_field(reader, node, flexible, duration, interval)
    });
    let drawings =
        reader.each(fields.maybe("drawing"), "drawing", |reader, node| drawing::read_drawing(reader, node, duration?));
    let sensitivity = fields.maybe("sensitivity");
    let sensitivity =
        sensitivity.and_then(|node| results::read_sensitivity(reader, node, &results, &document.parameters));
    let references = references.into_iter().flatten().collect();
    let published = published.into_iter().flatten().collect();
    Asked { measures, results, impact_results, references, published, plots, fields: drawn, drawings, sensitivity }
}
