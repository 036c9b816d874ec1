//! Packed bytes: gzip, zlib and deflate, up to a stated length.

use std::borrow::Cow;
use std::io::Read;

use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};

/// Deflate makes at most this many bytes of one.
const LARGEST_RATIO: u64 = 1032;

/// How bytes are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// A gzip file.
    Gzip,
    /// Zlib.
    Zlib,
    /// Deflate without a header.
    Deflate,
}

/// Whether bytes begin as a gzip file.
pub fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b])
}

/// The unpacked bytes, at most `most` of them.
pub fn unpacked(bytes: &[u8], packing: Packing, most: u64) -> Result<Vec<u8>, String> {
    let most = most.min(LARGEST_RATIO.saturating_mul(bytes.len() as u64 + 1));
    let mut out = Vec::new();
    let read = match packing {
        Packing::Gzip => MultiGzDecoder::new(bytes).take(most).read_to_end(&mut out),
        Packing::Zlib => ZlibDecoder::new(bytes).take(most).read_to_end(&mut out),
        Packing::Deflate => DeflateDecoder::new(bytes).take(most).read_to_end(&mut out),
    };
    read.map_err(|e| format!("the packed data are damaged ({e}); copy or download the file again"))?;
    Ok(out)
}

/// The first bytes of what may be a gzip file, at most `most` of them.
pub fn beginning(bytes: &[u8], most: usize) -> Cow<'_, [u8]> {
    match is_gzip(bytes) {
        false => Cow::Borrowed(bytes.get(..most).unwrap_or(bytes)),
        true => {
            let mut out = vec![0; most];
            let mut decoder = MultiGzDecoder::new(bytes);
            let mut length = 0;
            // the header of a damaged file may still be read
            while let Some(n) = out.get_mut(length..).and_then(|rest| decoder.read(rest).ok()).filter(|n| *n > 0) {
                length += n;
            }
            out.truncate(length);
            Cow::Owned(out)
        }
    }
}

/// The bytes of a file that may be packed with gzip, at most `most` of them.
pub fn plain(bytes: &[u8], most: u64) -> Result<Cow<'_, [u8]>, String> {
    match is_gzip(bytes) {
        true => unpacked(bytes, Packing::Gzip, most).map(Cow::Owned),
        false => Ok(Cow::Borrowed(bytes)),
    }
}
