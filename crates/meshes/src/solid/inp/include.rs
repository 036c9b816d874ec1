//! Lines of an input file together with those of the files that it includes.

use std::path::{Path, PathBuf};

use wolff_fem::FemError;
use wolff_files::input;

/// Files within files: Abaqus allows five levels.
const DEEPEST: usize = 5;

/// Files that one input file may include in all, so that files which include each other come to an end.
const MOST_FILES: usize = 200;

/// All lines in the order of reading, and where each is from.
#[derive(Default)]
pub(super) struct Lines {
    pub text: Vec<String>,
    /// Index of the file and number of the line from 1.
    origin: Vec<(usize, usize)>,
    /// Included files; the first is the file itself and has no path here.
    files: Vec<Option<PathBuf>>,
}

impl Lines {
    /// The lines of a file whose content is `text`, with included files read from `folder`.
    ///
    /// # Errors
    /// With the line, when an included file cannot be read, or the files include each other; for any included file
    /// where `folder` is not known.
    pub fn read(text: &str, folder: Option<&Path>) -> Result<Self, FemError> {
        let mut lines = Lines { files: vec![None], ..Lines::default() };
        lines.add(text, 0, folder, 0).map_err(|error| error.into_fem())?;
        Ok(lines)
    }

    fn add(&mut self, text: &str, file: usize, folder: Option<&Path>, depth: usize) -> Result<(), Misplaced> {
        for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            let included = included_file(line);
            if included.as_ref().is_none_or(|(is_include, _)| !is_include) {
                self.text.push(line.to_owned());
                self.origin.push((file, index + 1));
            }
            let Some((_, name)) = included else { continue };
            let place =
                |message: String| Misplaced { file: self.files.get(file).cloned().flatten(), line: index + 1, message };
            let (path, content) = content(&name, folder, depth, self.files.len()).map_err(place)?;
            self.files.push(Some(path));
            self.add(&content, self.files.len() - 1, folder, depth + 1)?;
        }
        Ok(())
    }

    /// The error with the file and the line that the user knows.
    pub fn located(&self, error: FemError) -> FemError {
        let FemError::Parse { line, message } = error else { return error };
        let (file, line) = self.origin.get(line.saturating_sub(1)).copied().unwrap_or((0, line));
        Misplaced { file: self.files.get(file).cloned().flatten(), line, message }.into_fem()
    }
}

/// An error at a line of the file itself (without a path) or of an included one.
struct Misplaced {
    file: Option<PathBuf>,
    line: usize,
    message: String,
}

impl Misplaced {
    fn into_fem(self) -> FemError {
        let Self { file, line, message } = self;
        let error = FemError::Parse { line, message };
        match file {
            Some(path) => FemError::InFile { path: path.display().to_string(), cause: Box::new(error) },
            None => error,
        }
    }
}

/// The file that a keyword line includes, and whether the line is `*INCLUDE` itself: `*NODE` and others take their
/// data from a file with `INPUT=`.
fn included_file(line: &str) -> Option<(bool, String)> {
    let line = line.trim();
    let rest = line.strip_prefix('*').filter(|rest| !rest.starts_with('*'))?;
    let mut parts = rest.split(',');
    let keyword = parts.next()?.trim().to_ascii_uppercase();
    if !["INCLUDE", "NODE", "ELEMENT", "NSET", "ELSET"].contains(&keyword.as_str()) {
        return None;
    }
    let file = parts.find_map(|part| {
        let (key, value) = part.split_once('=')?;
        key.trim().eq_ignore_ascii_case("input").then(|| value.trim().trim_matches(['"', '\'']).to_owned())
    })?;
    Some((keyword == "INCLUDE", file))
}

fn content(name: &str, folder: Option<&Path>, depth: usize, count: usize) -> Result<(PathBuf, String), String> {
    let Some(folder) = folder else {
        return Err(format!("the data is in another file, `{name}`, which cannot be read here; put it into this file"));
    };
    if depth >= DEEPEST || count > MOST_FILES {
        return Err(format!(
            "`{name}` is included more than {DEEPEST} levels deep, or more than {MOST_FILES} files are included; the \
             files include each other"
        ));
    }
    let path = folder.join(name);
    let bytes = input::read(&path).map_err(|cause| {
        format!("the included file `{}` cannot be read: {cause}; put it there, or correct the line", path.display())
    })?;
    Ok((path, String::from_utf8_lossy(&bytes).into_owned()))
}
