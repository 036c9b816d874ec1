//! The one error type of the crate.

use thiserror::Error;
use wolff_files::ErrorKind;

/// What can go wrong between a mesh and its reduced body.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum FemError {
    /// The mesh cannot be a mesh: wrong indices, counts or coordinates.
    #[error("invalid mesh: {0}")]
    Mesh(String),
    /// The mesh is well-formed but unfit for elasticity.
    #[error("unsound mesh: {0}")]
    Quality(String),
    /// A mesh file that cannot be understood.
    #[error("line {line}: {message}")]
    Parse {
        /// Line number from 1.
        line: usize,
        /// What is wrong, and the remedy.
        message: String,
    },
    /// A binary mesh file that cannot be understood.
    #[error("byte {offset}: {message}")]
    ParseBinary {
        /// Bytes from the start of the (unpacked) file.
        offset: usize,
        /// What is wrong, and the remedy.
        message: String,
    },
    /// What is wrong in a named mesh file.
    #[error("mesh file `{path}`: {cause}")]
    InFile {
        /// The file.
        path: String,
        /// What is wrong in it.
        cause: Box<FemError>,
    },
    /// The system refuses to read or write a file.
    #[error("cannot {action} `{path}`: {cause}")]
    Io {
        /// `read` or `write`.
        action: &'static str,
        /// The file.
        path: String,
        /// The system's own words.
        cause: String,
    },
    /// A mesh or a field that a file format cannot hold.
    #[error("cannot write {format}: {message}")]
    Unwritable {
        /// The format.
        format: &'static str,
        /// What it cannot hold, and the remedy.
        message: String,
    },
    /// A node or element set that the mesh does not have.
    #[error("there is no {kind} set `{name}`; the mesh has: {known}")]
    UnknownSet {
        /// `node` or `element`.
        kind: &'static str,
        /// The name asked for.
        name: String,
        /// The names that exist.
        known: String,
    },
    /// An elastic constant or density outside its admissible range.
    #[error("material: {constant} = {value} breaks {bound}")]
    Material {
        /// The constant.
        constant: &'static str,
        /// Its value, SI.
        value: f64,
        /// The rule, with the bound in numbers.
        bound: String,
    },
    /// Supports, loads or interfaces that contradict each other or the mesh.
    #[error("boundary conditions: {0}")]
    Boundary(String),
    /// A factorisation met a non-positive pivot.
    #[error(
        "the {matrix} is not positive definite at row {row}: the body can move freely or is torn there; add supports, \
         or remove disconnected parts of the mesh"
    )]
    NotPositiveDefinite {
        /// Which matrix.
        matrix: &'static str,
        /// Row of the failing pivot in the reduced numbering.
        row: usize,
    },
    /// More modes asked for than the model has, or none.
    #[error("{asked} modes asked for, but the model has {available}; ask for 1 to {available}")]
    ModeCount {
        /// Wanted modes.
        asked: usize,
        /// Independent modes of the model.
        available: usize,
    },
    /// The eigensolver stopped before its tolerance.
    #[error(
        "mode {mode} ({frequency:.6e} Hz) has residual {residual:.2e} after {vectors} vectors, above {tolerance:.1e}; \
         allow more vectors, or look for parts of the mesh that are much stiffer or softer than the rest"
    )]
    NotConverged {
        /// Index of the worst mode.
        mode: usize,
        /// Its frequency, Hz.
        frequency: f64,
        /// Its relative residual.
        residual: f64,
        /// Size of the Krylov basis.
        vectors: usize,
        /// The tolerance.
        tolerance: f64,
    },
    /// The eigensolver overlooked a mode.
    #[error(
        "{exist} modes lie below {frequency:.6e} Hz, but {found} were found; raise the block size of the mode search to \
         the multiplicity of the modes"
    )]
    MissedModes {
        /// Modes below the frequency by the sign count, rigid motions included.
        exist: usize,
        /// Modes found below it, rigid motions included.
        found: usize,
        /// The frequency of the count, Hz.
        frequency: f64,
    },
    /// NaN or infinity in an input or a result.
    #[error("{0} is not finite; check materials, loads and coordinates")]
    NonFinite(String),
    /// The dense linear algebra below gave up, or memory ran out.
    #[error("linear algebra failed: {0}")]
    LinearAlgebra(String),
    /// The reduced body breaks a rule of its own.
    #[error(transparent)]
    FlexBody(#[from] wolff_flexbody::FlexBodyError),
}

impl FemError {
    /// What kind of failure this is.
    pub fn kind(&self) -> ErrorKind {
        match self {
            FemError::Mesh(_)
            | FemError::Quality(_)
            | FemError::Parse { .. }
            | FemError::ParseBinary { .. }
            | FemError::UnknownSet { .. }
            | FemError::Material { .. }
            | FemError::Boundary(_)
            | FemError::ModeCount { .. }
            | FemError::Unwritable { .. } => ErrorKind::Input,
            FemError::NotPositiveDefinite { .. }
            | FemError::NotConverged { .. }
            | FemError::MissedModes { .. }
            | FemError::NonFinite(_)
            | FemError::LinearAlgebra(_) => ErrorKind::Numerical,
            FemError::Io { action: "read", .. } => ErrorKind::Input,
            FemError::Io { .. } => ErrorKind::File,
            FemError::InFile { cause, .. } => cause.kind(),
            FemError::FlexBody(error) => error.kind(),
        }
    }
}
