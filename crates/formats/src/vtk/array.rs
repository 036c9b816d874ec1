//! The content of a `DataArray`: text, base64 or raw bytes, packed with zlib or not.

use std::io::Read;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::ZlibDecoder;

use wolff_files::scanner::{Encoding, Scalar, Scanner};

/// How the binary arrays of a file are written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Packing {
    /// Byte order.
    pub order: Encoding,
    /// Type of the lengths before the data.
    pub header: Scalar,
    /// Whether the data are packed with zlib in blocks.
    pub zlib: bool,
}

/// Undoes base64. Parts that were encoded on their own, such as the header of packed data, end in padding.
pub(super) fn from_base64(text: &[u8]) -> Result<Vec<u8>, String> {
    let text: Vec<u8> = text.iter().copied().filter(|b| !b.is_ascii_whitespace()).collect();
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let mut rest = &text[..];
    while !rest.is_empty() {
        let padding = rest.iter().position(|&b| b == b'=').unwrap_or(rest.len());
        let end = (padding + 1).next_multiple_of(4).min(rest.len());
        STANDARD.decode_vec(&rest[..end], &mut bytes).map_err(|e| format!("damaged base64 data: {e}"))?;
        rest = &rest[end..];
    }
    Ok(bytes)
}

impl Packing {
    /// The data behind their header.
    pub fn unpack(&self, bytes: &[u8]) -> Result<Vec<u8>, String> {
        let mut scanner = Scanner::new(bytes, self.order);
        let first = scanner.count(self.header)?;
        if !self.zlib {
            let length = scanner.require_room(first, 1, "bytes")?;
            return Ok(scanner.take(length)?.to_vec());
        }
        // Packed: number of blocks, size of a full block, size of the last (zero: full), packed sizes.
        let full = scanner.count(self.header)?;
        let last = scanner.count(self.header)?;
        let blocks = scanner.require_room(first, self.header.width(), "blocks")?;
        let sizes = (0..blocks).map(|_| scanner.count(self.header)).collect::<Result<Vec<_>, _>>()?;
        let mut data = Vec::new();
        for (block, size) in sizes.into_iter().enumerate() {
            let wanted = if block + 1 == blocks && last > 0 { last } else { full };
            let packed = scanner.take(scanner.require_room(size, 1, "bytes")?)?;
            let before = data.len();
            let read = ZlibDecoder::new(packed).take(wanted).read_to_end(&mut data);
            read.map_err(|e| format!("damaged zlib data: {e}"))?;
            if (data.len() - before) as u64 != wanted {
                return Err(format!("block {block} unpacks to {} bytes, not {wanted}", data.len() - before));
            }
        }
        Ok(data)
    }
}

/// The type of a `DataArray`.
pub(super) fn xml_scalar(name: &str) -> Result<Scalar, String> {
    Ok(match name {
        "Int8" => Scalar::Signed(1),
        "UInt8" => Scalar::Unsigned(1),
        "Int16" => Scalar::Signed(2),
        "UInt16" => Scalar::Unsigned(2),
        "Int32" => Scalar::Signed(4),
        "UInt32" => Scalar::Unsigned(4),
        "Int64" => Scalar::Signed(8),
        "UInt64" => Scalar::Unsigned(8),
        "Float32" => Scalar::Float32,
        "Float64" => Scalar::Float64,
        _ => return Err(format!("the data type `{name}` is not known")),
    })
}

/// The rest of `data` as finite numbers.
pub(super) fn floats(data: &[u8], encoding: Encoding, scalar: Scalar) -> Result<Vec<f64>, String> {
    all(data, encoding, |scanner| scanner.float(scalar))
}

/// The rest of `data` as indices or counts.
pub(super) fn counts(data: &[u8], encoding: Encoding, scalar: Scalar) -> Result<Vec<u64>, String> {
    all(data, encoding, |scanner| scanner.count(scalar))
}

fn all<T>(data: &[u8], encoding: Encoding, next: impl Fn(&mut Scanner) -> Result<T, String>) -> Result<Vec<T>, String> {
    let data = if encoding == Encoding::Ascii { data.trim_ascii_end() } else { data };
    let mut scanner = Scanner::new(data, encoding);
    let mut values = Vec::new();
    while !scanner.rest().is_empty() {
        values.push(next(&mut scanner)?);
    }
    Ok(values)
}
