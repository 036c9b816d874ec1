//! Numbers in the three byte orders of C3D files.

use super::FORMAT;
use crate::FormatError;

/// The processor a file was written for, which sets the order of its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Processor {
    /// Little-endian, IEEE numbers; byte 84 in a file.
    Intel,
    /// Little-endian, VAX real numbers; byte 85.
    Dec,
    /// Big-endian, IEEE numbers (SGI); byte 86.
    Mips,
}

/// Bytes and their order.
#[derive(Clone, Copy)]
pub(super) struct Bytes<'a> {
    pub(super) data: &'a [u8],
    pub(super) processor: Processor,
}

impl<'a> Bytes<'a> {
    /// `N` bytes from an offset on.
    pub(super) fn array<const N: usize>(&self, at: usize) -> Result<[u8; N], FormatError> {
        self.slice(at, N)?.try_into().map_err(|_| self.end(at, N))
    }

    /// `count` bytes from an offset on.
    pub(super) fn slice(&self, at: usize, count: usize) -> Result<&'a [u8], FormatError> {
        at.checked_add(count).and_then(|end| self.data.get(at..end)).ok_or_else(|| self.end(at, count))
    }

    fn end(&self, at: usize, count: usize) -> FormatError {
        let message = format!(
            "{count} bytes are needed, the file has {}; it is truncated or its header is wrong",
            self.data.len()
        );
        FormatError::damaged(FORMAT, at, message)
    }

    pub(super) fn u8(&self, at: usize) -> Result<u8, FormatError> {
        self.array::<1>(at).map(|[b]| b)
    }

    pub(super) fn u16(&self, at: usize) -> Result<u16, FormatError> {
        self.array(at).map(|b| u16_from(b, self.processor))
    }

    pub(super) fn f32(&self, at: usize) -> Result<f32, FormatError> {
        self.array(at).map(|b| f32_from(b, self.processor))
    }
}

/// A 16-bit word.
pub(super) fn u16_from(b: [u8; 2], processor: Processor) -> u16 {
    match processor {
        Processor::Intel | Processor::Dec => u16::from_le_bytes(b),
        Processor::Mips => u16::from_be_bytes(b),
    }
}

/// A 32-bit real number.
///
/// The VAX stores two words, each little-endian, the one with sign and exponent first; its exponent is two greater than
/// that of IEEE for the same value, and exponent zero is zero.
pub(super) fn f32_from([a, b, c, d]: [u8; 4], processor: Processor) -> f32 {
    match processor {
        Processor::Intel => f32::from_le_bytes([a, b, c, d]),
        Processor::Mips => f32::from_be_bytes([a, b, c, d]),
        Processor::Dec if b & 0x7f == 0 && a & 0x80 == 0 => 0.0,
        Processor::Dec => f32::from_le_bytes([c, d, a, b]) / 4.0,
    }
}
