//! Files without formats: writing them atomically, and reading numbers out of text or bytes.
//!
//! | module | subject |
//! |---|---|
//! | [`atomic`] | files and folders that are replaced as a whole or not at all |
//! | [`guard`] | single files that may be replaced |
//! | [`fault`] | places at which tests interrupt writing |
//! | [`text`] | text of files in messages |
//! | [`ErrorKind`] | the kind of an error: input, numerical, file, stopped |
//! | [`place`] | whether a place can be written to; claims of one process on it |
//! | [`input`] | reading of input files with a record of what was read |
//! | [`scanner`] | numbers in text or binary data, with the place of an error |
//!
//! Can the same reader take the numbers 1 and 2.5 from text and from bytes?
//!
//! ```
//! use wolff_files::scanner::{Encoding, Scalar, Scanner};
//!
//! let mut text = Scanner::new(b"1 2.5", Encoding::Ascii);
//! let mut binary = Scanner::new(&[1, 0, 0, 0, 0, 0, 32, 64], Encoding::Little);
//! for file in [&mut text, &mut binary] {
//!     assert_eq!(file.count(Scalar::Signed(4))?, 1);
//!     assert_eq!(file.float(Scalar::Float32)?, 2.5);
//! }
//! # Ok::<(), String>(())
//! ```

pub mod atomic;
mod error;
pub mod fault;
pub mod guard;
pub mod input;
mod kind;
mod leftover;
pub mod place;
pub mod scanner;
pub mod text;

pub use error::FileError;
pub use kind::ErrorKind;
