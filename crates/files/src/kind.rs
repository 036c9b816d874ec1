//! The kind of an error, from which programs decide what to do.

/// Why something failed, in the kinds that callers treat differently. Exit codes of the program follow from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// Files, names or numbers that the user gave cannot be used; another input helps.
    Input,
    /// A computation did not succeed although its input is valid, for example because it did not converge.
    Numerical,
    /// The operating system refused to read or write a file.
    File,
    /// The user asked to stop.
    Stopped,
}
