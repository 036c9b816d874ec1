//! Files that the parameters of a study name, by parameter.

use super::data_file::DataFile;
use super::named_file::NamedFile;
use super::surface_file::SurfaceFile;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use wolff_report::outcome::InputFile;

/// Files by the parameter that names them; `None` for empty parameters.
#[derive(Clone, Debug, Default)]
pub(crate) struct GivenFiles {
    /// Tables.
    pub tables: BTreeMap<String, Option<Arc<DataFile>>>,
    /// Surfaces.
    pub surfaces: BTreeMap<String, Option<Arc<SurfaceFile>>>,
    /// Models, recordings and scans, which are read by the code that uses them.
    pub named: BTreeMap<String, Option<Arc<NamedFile>>>,
}

impl GivenFiles {
    /// Whether there is a file parameter of that name.
    pub fn contains(&self, parameter: &str) -> bool {
        self.tables.contains_key(parameter)
            || self.surfaces.contains_key(parameter)
            || self.named.contains_key(parameter)
    }

    /// Descriptions of all files for the outcome.
    pub fn inputs(&self) -> Vec<InputFile> {
        let tables = self.tables.values().flatten().map(|file| file.input.clone());
        let surfaces = self.surfaces.values().flatten().map(|file| file.input.clone());
        let named = self.named.values().flatten().map(|file| file.input.clone());
        tables.chain(surfaces).chain(named).collect()
    }

    /// Paths of the models, recordings and scans that were given.
    pub fn places(&self) -> BTreeMap<String, PathBuf> {
        self.named.iter().filter_map(|(name, file)| Some((name.clone(), file.as_ref()?.path.clone()))).collect()
    }
}
