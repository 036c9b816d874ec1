//! Study files: a TOML text becomes a [`StudyDocument`], which becomes a [`Study`] of plain numbers.
//!
//! The format is described in `docs/study-file.md`. Reading is one pass over the tree, in which formulas are evaluated
//! immediately. Each error is recorded and reading continues, so that all errors are reported together.
#![allow(non_snake_case)]

mod bone;
mod builtin;
mod column;
mod compare;
mod constraint;
mod contact;
mod contact_measure;
mod contact_shape;
mod contact_solid;
mod custom;
mod data_file;
mod drawing;
pub mod error;
mod field;
mod fields;
mod flexible_body;
mod force;
mod foundation;
mod function;
mod given_files;
mod ligament;
mod measure;
mod measure_kind;
mod model;
mod named_file;
mod names;
mod node;
mod overrides;
mod pair_file;
mod parameters;
mod published;
mod reader;
mod record;
mod reference;
mod results;
mod sections;
mod settings;
mod surface_file;
mod unused;
mod value_list;

pub use builtin::{BUILTIN, builtin};
pub use compare::{CompareSpec, ComparedValues, MOST_RUNS};
pub use contact::{ContactSpec, Surface};
pub use contact_measure::{ContactQuantity, LigamentQuantity, StretchQuantity};
pub use contact_shape::SurfaceShape;
pub use contact_solid::Solid;
pub use drawing::DrawingSpec;
pub use field::FieldSpec;
pub use flexible_body::{frequency_name, mass_name, parse_flexible_body};

pub use force::{ForceKind, ForceSpec, Slack};
pub use foundation::{FoundationQuantity, FoundationSpec};
pub use measure_kind::{Component, EnergyPart, Measure, MeasureKind, StrainComponent};
pub use pair_file::read_pairs;
pub use parameters::{Domain, FileKind, Limits, Parameter, ParameterValue};
pub use published::PublishedSpec;
pub use record::{Record, evaluate_result};
pub use reference::Reference;
pub use results::{IMPACT_FIELDS, PlotPart, PlotSpec, ResultSpec, SensitivitySpec};
pub use settings::{ConstraintTreatment, IntegratorSettings, MethodName};
pub use wolff_formula::{Dimension, Quantity, parse_quantity, parse_unit};
pub use wolff_formula::{Expression, ExpressionError, Lookup, Scope, Term, TermKind};

use crate::error::{Diagnostic, StudyError};
use given_files::GivenFiles;
use node::Node;
use reader::{Kind, Reader};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use wolff_bone::flexible::FlexibleBody;
use wolff_multibody::spec::ModelSpec;
use wolff_report::outcome::InputFile;

/// Maximum length of a study text \[bytes\].
const LONGEST_TEXT: usize = 16 << 20;

/// A study as written, with the current values of its parameters.
#[derive(Clone, Debug)]
pub struct StudyDocument {
    /// Short name.
    pub name: String,
    /// One line.
    pub title: String,
    /// Subject and source.
    pub about: String,
    /// All quantities that can be changed without editing the file.
    pub parameters: Vec<Parameter>,
    /// Comparisons that the study defines.
    pub comparisons: Vec<CompareSpec>,
    pub(crate) file: String,
    pub(crate) text: String,
    pub(crate) root: Node,
    /// Parameters that could not be read; empty once parsing has succeeded.
    broken: BTreeSet<String>,
    /// Files that parameters name.
    given: GivenFiles,
    /// Folder in which meshes are looked up.
    base_dir: PathBuf,
    /// The study as evaluated when it was read, so that surfaces are not fitted again while the parameters are
    /// unchanged.
    checked: Option<Arc<Study>>,
}

/// Type of a study.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StudyKind {
    /// The model that the file describes.
    #[default]
    Model,
    /// A walking person; the file has parameters, results, references and plots.
    Walk,
}

/// A study with all formulas evaluated.
#[derive(Clone, Debug)]
pub struct Study {
    /// Type of the study.
    pub kind: StudyKind,
    /// Short name.
    pub name: String,
    /// One line.
    pub title: String,
    /// Subject and source.
    pub about: String,
    /// Parameters with their current values.
    pub parameters: Vec<Parameter>,
    /// SI values of all parameters and derived names.
    pub numbers: BTreeMap<String, f64>,
    /// Rigid bodies, joints and constraints, with initial conditions.
    pub model: ModelSpec,
    /// Flexible bodies; they are reduced when the model is built.
    pub flexible: Vec<FlexibleBody>,
    /// Force elements.
    pub forces: Vec<ForceSpec>,
    /// Contacts.
    pub contacts: Vec<ContactSpec>,
    /// Elastic foundations.
    pub foundations: Vec<FoundationSpec>,
    /// Time integration.
    pub integrator: IntegratorSettings,
    /// Time between rows of the series \[s\].
    pub interval: f64,
    /// Columns of the series.
    pub measures: Vec<Measure>,
    /// Results of the run in their order of display; each may use those before it.
    pub results: Vec<ResultSpec>,
    /// Results of each impact.
    pub impact_results: Vec<ResultSpec>,
    /// Reference values that apply to the current parameters.
    pub references: Vec<Reference>,
    /// Number of `[[reference]]` entries, also of those that do not apply to the values of the parameters.
    pub reference_blocks: usize,
    /// Published values beside results.
    pub published: Vec<PublishedSpec>,
    /// Plots.
    pub plots: Vec<PlotSpec>,
    /// Fields of flexible bodies that are written.
    pub fields: Vec<FieldSpec>,
    /// Drawings of the mechanism.
    pub drawings: Vec<DrawingSpec>,
    /// The result whose sensitivity to parameters is computed.
    pub sensitivity: Option<SensitivitySpec>,
    /// Files from which it was read.
    pub inputs: Vec<InputFile>,
    /// Paths of the models and recordings that parameters name; empty parameters are omitted.
    pub named_files: BTreeMap<String, PathBuf>,
    file: String,
    text: String,
    places: BTreeMap<(Kind, String), Range<usize>>,
}

impl StudyDocument {
    /// Reads a study and checks all of it with the values in the file; tables that it names are looked up in the
    /// current folder.
    pub fn parse(file: &str, text: &str) -> Result<Self, StudyError> {
        Self::parse_in(file, text, Path::new(""))
    }

    /// Reads a study and checks all of it with the values in the file; tables that it names are looked up in
    /// `base_dir`.
    pub fn parse_in(file: &str, text: &str, base_dir: &Path) -> Result<Self, StudyError> {
        let mut diagnostics = Vec::new();
        if text.len() > LONGEST_TEXT {
            let message = format!("the study has {} bytes; at most {LONGEST_TEXT} are supported", text.len());
            diagnostics.push(Diagnostic { message, span: 0..0, help: None });
            return Err(StudyError::new(file, "", diagnostics));
        }
        let root = node::parse(text, &mut diagnostics);
        let mut reader = Reader::new(text);
        reader.base_dir = base_dir.into();
        let document = sections::read_header(&mut reader, file, text, root);
        diagnostics.append(&mut reader.diagnostics);
        match document {
            Some(document) if diagnostics.is_empty() => {
                let checked = Some(Arc::new(document.evaluate()?));
                Ok(StudyDocument { checked, ..document })
            }
            Some(document) => {
                let more = document.evaluate().err().map(|e| e.diagnostics);
                diagnostics.extend(more.into_iter().flatten());
                Err(StudyError::new(file, text, diagnostics))
            }
            None => Err(StudyError::new(file, text, diagnostics)),
        }
    }

    /// Sets parameters by name and settings by path (`integrator.rtol`), or reports all errors and changes nothing.
    /// Tables are looked up in the current folder.
    pub fn apply_overrides(&mut self, overrides: &[(String, String)]) -> Result<(), StudyError> {
        overrides::apply(self, overrides)
    }

    /// Evaluates all formulas with the current parameters.
    pub fn evaluate(&self) -> Result<Study, StudyError> {
        if let Some(study) = self.checked.as_ref().filter(|study| study.parameters == self.parameters) {
            return Ok((**study).clone());
        }
        let mut reader = Reader::new(&self.text);
        reader.broken = self.broken.clone();
        reader.given = self.given.clone();
        reader.base_dir = self.base_dir.clone();
        parameters::enter(&mut reader, &self.parameters);
        let study = sections::read_study(&mut reader, self);
        match study {
            Some(study) if reader.diagnostics.is_empty() => Ok(study),
            _ => Err(StudyError::new(&self.file, &self.text, reader.diagnostics)),
        }
    }

    /// Type of the study.
    pub fn kind(&self) -> StudyKind {
        match self.root.get("kind").map(|node| &node.value) {
            Some(node::Value::Text(word)) if word == "walk" => StudyKind::Walk,
            _ => StudyKind::Model,
        }
    }

    /// A parameter by name.
    pub fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|p| p.name == name)
    }
}

impl Study {
    /// Messages about parameters that were changed but have no effect, because another parameter has another word.
    pub fn without_effect(&self) -> Vec<String> {
        let of = |p: &Parameter| {
            let (other, word) = p.only_with.as_ref().filter(|_| !p.is_default())?;
            let now = self.parameters.iter().find(|q| q.name == *other)?;
            let ParameterValue::Word(present) = &now.value else { return None };
            (present != word).then(|| {
                let name = &p.name;
                format!(
                    "`{name}` has no effect: it applies with {other} = {word}, and {other} is {present}; add `--set \
                     {other}={word}`, or omit `{name}`"
                )
            })
        };
        self.parameters.iter().filter_map(of).collect()
    }

    /// A study with its parameters and files; everything else is added later.
    fn of_parameters(kind: StudyKind, document: &StudyDocument, reader: &mut Reader<'_>) -> Study {
        Study {
            kind,
            name: document.name.clone(),
            title: document.title.clone(),
            about: document.about.clone(),
            parameters: document.parameters.clone(),
            numbers: reader.names.numbers.iter().map(|(name, q)| (name.clone(), q.value)).collect(),
            model: ModelSpec::default(),
            flexible: vec![],
            forces: vec![],
            contacts: vec![],
            foundations: vec![],
            integrator: IntegratorSettings::default(),
            interval: 0.0,
            measures: vec![],
            results: vec![],
            impact_results: vec![],
            references: vec![],
            reference_blocks: 0,
            published: vec![],
            plots: vec![],
            fields: vec![],
            drawings: vec![],
            sensitivity: None,
            inputs: document.given.inputs(),
            named_files: document.given.places(),
            file: document.file.clone(),
            text: document.text.clone(),
            places: std::mem::take(&mut reader.defined),
        }
    }

    /// A parameter by name.
    pub fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|p| p.name == name)
    }

    /// Name of the file it was read from.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The text it was read from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Errors of named objects that are found later, at their places in the text.
    pub fn error(&self, errors: impl IntoIterator<Item = (String, String)>) -> StudyError {
        let diagnostic = |(object, rule): (String, String)| {
            let place = self.places.iter().find(|((_, name), _)| *name == object);
            let (what, span) = match place {
                Some(((kind, name), span)) => (format!("{} `{name}`", kind.word()), span.clone()),
                None => (object, 0..0),
            };
            Diagnostic { message: format!("{what}: {rule}"), span, help: None }
        };
        StudyError::new(&self.file, &self.text, errors.into_iter().map(diagnostic).collect())
    }
}
