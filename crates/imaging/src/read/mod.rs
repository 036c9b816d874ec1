//! Image files: the format is found by the content first, by the end of the name second.
//!
//! | format | read |
//! |---|---|
//! | NIfTI 1 and 2 | `.nii`, `.nii.gz` |
//! | NRRD | `.nrrd`, `.nhdr` with its data file; raw, gzip, text |
//! | MetaImage | `.mha`, `.mhd` with its data file; raw, zlib |
//! | DICOM series | a folder, or a `.zip`; native, deflated, RLE, lossless JPEG |

mod dicom;
mod meta;
mod nifti;
mod nrrd;
mod raw;
mod unpack;
mod zip;

use std::path::{Component, Path, PathBuf};

use wolff_files::input;
use wolff_verdict::Finding;

use crate::error::ImagingError;
use crate::frame::{Frame, Handedness};
use crate::volume::{Samples, Volume};

/// An image that was read, and what was remarkable about its file.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadVolume {
    /// The image.
    pub volume: Volume,
    /// Mirrored axes, an unknown orientation, files that were passed over and the like.
    pub remarks: Vec<Finding>,
    /// Modality of a DICOM series, such as `CT` or `MR`; other formats do not tell.
    pub modality: Option<String>,
}

/// Which series of a folder or archive is meant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    series: Option<String>,
}

impl Choice {
    /// The only series.
    pub fn only() -> Self {
        Choice::default()
    }

    /// The series with this number or identifier (SeriesNumber or SeriesInstanceUID).
    pub fn series(name: impl Into<String>) -> Self {
        Choice { series: Some(name.into()) }
    }

    fn is_all(&self) -> bool {
        self.series.is_none()
    }

    fn allows(&self, identifier: &str, number: &str) -> bool {
        self.series.as_deref().is_none_or(|chosen| chosen == identifier || chosen == number)
    }
}

/// What a reader found in a file.
pub(crate) struct Content {
    size: [usize; 3],
    frame: Frame,
    samples: Samples,
    remarks: Vec<Finding>,
    modality: Option<String>,
}

/// Reads the file beside the header whose name the header states.
type Companion<'a> = dyn Fn(&str) -> Result<Vec<u8>, String> + 'a;

/// Reads an image from a file, or a DICOM series from a folder or archive.
///
/// # Errors
/// When a file cannot be read or understood, or a series is incomplete; the message says what to do.
pub fn read(path: &Path, choice: &Choice) -> Result<ReadVolume, ImagingError> {
    if path.is_dir() {
        return read_folder(path, choice);
    }
    let bytes = input::read(path).map_err(|e| ImagingError::unreadable(path, &e))?;
    let companion = |name: &str| {
        let beside = beside(path, name)?;
        input::read(&beside).map_err(|e| format!("cannot read its data file `{}`: {e}", beside.display()))
    };
    read_bytes_with(&path.display().to_string(), &bytes, choice, &companion)
}

/// Reads an image from the content of a file; `name` is for messages.
///
/// # Errors
/// As [`read`]; a header whose voxels are in another file is refused.
pub fn read_bytes(name: &str, bytes: &[u8], choice: &Choice) -> Result<ReadVolume, ImagingError> {
    let companion = |other: &str| Err(format!("its voxels are in `{}`, which is not at hand", shortened(other)));
    read_bytes_with(name, bytes, choice, &companion)
}

fn read_bytes_with(
    name: &str,
    bytes: &[u8],
    choice: &Choice,
    companion: &Companion,
) -> Result<ReadVolume, ImagingError> {
    let start = unpack::beginning(bytes, 4096);
    let content = if zip::is_zip(bytes) {
        read_archive(bytes, choice)
    } else if element_is_dicom(bytes) {
        Err("it is one slice of a DICOM series; give the folder, or a .zip of it".into())
    } else if nifti::is_nifti(&start) {
        nifti::read(bytes)
    } else if nrrd::is_nrrd(bytes) {
        nrrd::read(bytes, companion)
    } else if meta::is_meta(bytes) {
        meta::read(bytes, companion)
    } else {
        Err(unknown(name))
    };
    finished(name, content)
}

fn element_is_dicom(bytes: &[u8]) -> bool {
    dicom::element::is_dicom(bytes)
}

/// Why a file was not understood: what its name promised.
fn unknown(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    let promised = [
        ("nii", "NIfTI"),
        ("nii.gz", "NIfTI"),
        ("nrrd", "NRRD"),
        ("nhdr", "NRRD"),
        ("mha", "MetaImage"),
        ("mhd", "MetaImage"),
        ("dcm", "DICOM"),
        ("zip", "zip"),
    ];
    let kind = promised.iter().find(|(end, _)| name.ends_with(&format!(".{end}"))).map(|(_, kind)| kind);
    match kind {
        Some(kind) => format!("its content is not that of a {kind} file, as its name says; it is damaged or cut off"),
        None => {
            "it is no image: NIfTI (.nii, .nii.gz), NRRD, MetaImage (.mha, .mhd) and DICOM series (a folder or .zip) \
                 are read"
                .into()
        }
    }
}

fn read_archive(bytes: &[u8], choice: &Choice) -> Result<Content, String> {
    let entries = zip::entries(bytes)?;
    let files = entries.iter().filter(|entry| !entry.name.starts_with("__MACOSX/")).map(|entry| {
        let content = entry.content().map_err(|message| format!("`{}`: {message}", entry.name))?;
        Ok((entry.name.clone(), content))
    });
    dicom::read(files, choice)
}

fn read_folder(folder: &Path, choice: &Choice) -> Result<ReadVolume, ImagingError> {
    let unreadable = |e: std::io::Error| ImagingError::unreadable(folder, &e);
    let entries = folder.read_dir().map_err(unreadable)?;
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.map(|e| e.path())).collect::<Result<_, _>>().map_err(unreadable)?;
    paths.retain(|path| path.is_file());
    paths.sort();
    let files = paths.iter().map(|path| {
        let bytes = input::read(path).map_err(|e| format!("cannot read `{}`: {e}", path.display()))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok((name, bytes))
    });
    finished(&folder.display().to_string(), dicom::read(files, choice))
}

/// The volume of what was read, its frame rounded, with a remark about mirrored axes.
fn finished(name: &str, content: Result<Content, String>) -> Result<ReadVolume, ImagingError> {
    let in_file = |message: String| ImagingError::file(name, message);
    let Content { size, frame, samples, mut remarks, modality } = content.map_err(in_file)?;
    let frame = frame.rounded().map_err(|e| in_file(e.to_string()))?;
    if frame.handedness() == Handedness::Left {
        remarks.push(Finding::note(
            "the axes of the image are those of a left hand (mirrored storage); positions in the patient are right, \
             and left stays left",
            "",
        ));
    }
    let volume = Volume::new(size, frame, samples).map_err(|e| in_file(e.to_string()))?;
    Ok(ReadVolume { volume, remarks, modality })
}

/// The path of a data file that a header names: in the folder of the header or below it.
fn beside(header: &Path, name: &str) -> Result<PathBuf, String> {
    let named = Path::new(name);
    if !named.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
        return Err(format!("its data file `{}` must be in the folder of the header; move it there", shortened(name)));
    }
    Ok(header.parent().unwrap_or(Path::new("")).join(named))
}

fn not_finite_remark(count: usize) -> Option<Finding> {
    (count > 0).then(|| {
        Finding::warning(
            format!("{count} voxels have no finite value; they have the least value of the others"),
            "check the image if they lie in the bone",
        )
    })
}

fn unknown_orientation(why: &str) -> Finding {
    Finding::warning(
        format!("the file does not say how the image lies in the patient ({why}); its axes are taken as they are"),
        "left and right cannot be told from it: check the side of the result, or export the image with its orientation",
    )
}

/// The first characters of a text of a file, for messages.
fn shortened(text: &str) -> String {
    wolff_files::text::on_one_line(&text.chars().take(40).collect::<String>()).into_owned()
}
