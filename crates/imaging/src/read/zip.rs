//! Files of a `.zip` archive, stored or deflated.
//!
//! Source: PKWARE, .ZIP File Format Specification. Not read: encryption, archives of several parts, zip64.

use super::unpack::{Packing, unpacked};

const END: &[u8] = b"PK\x05\x06";
const ENTRY: &[u8] = b"PK\x01\x02";
const LOCAL: &[u8] = b"PK\x03\x04";

/// A file of an archive.
pub struct Entry<'a> {
    /// Its path in the archive.
    pub name: String,
    packed: &'a [u8],
    method: u64,
    length: u64,
}

impl Entry<'_> {
    /// Its content.
    pub fn content(&self) -> Result<Vec<u8>, String> {
        let content = match self.method {
            0 => self.packed.to_vec(),
            8 => unpacked(self.packed, Packing::Deflate, self.length)?,
            other => {
                return Err(format!(
                    "it is packed by method {other}, only stored and deflated files are read; unpack the archive"
                ));
            }
        };
        match content.len() as u64 == self.length {
            true => Ok(content),
            false => Err("its length is not what the archive says; the archive is damaged".into()),
        }
    }
}

/// Whether bytes begin as an archive.
pub fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(LOCAL) || bytes.starts_with(END)
}

fn number(bytes: &[u8], at: usize, width: usize) -> Result<u64, String> {
    let found = bytes.get(at..at.saturating_add(width)).ok_or("the archive is cut off")?;
    Ok(found.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte)))
}

/// The files of an archive, in its order; folders are left out.
pub fn entries(bytes: &[u8]) -> Result<Vec<Entry<'_>>, String> {
    let from = bytes.len().saturating_sub(65_557);
    let tail = bytes.get(from..).unwrap_or_default();
    let end =
        tail.windows(4).rposition(|window| window == END).ok_or("the archive has no list of files; it is cut off")?;
    let end = from + end;
    let count = number(bytes, end + 10, 2)?;
    let mut at = number(bytes, end + 16, 4)? as usize;
    if at == 0xffff_ffff || count == 0xffff {
        return Err(
            "the archive is larger than 4 GB or has more than 65534 files (zip64); unpack it and give the folder"
                .into(),
        );
    }
    let mut entries = Vec::new();
    let mut total = 0u64;
    for _ in 0..count {
        if bytes.get(at..at + 4) != Some(ENTRY) {
            return Err(format!("the list of files is damaged at byte {at}"));
        }
        let field = |offset: usize, width: usize| number(bytes, at + offset, width);
        let (flags, method, packed, length) = (field(8, 2)?, field(10, 2)?, field(20, 4)?, field(24, 4)?);
        let lengths = [field(28, 2)?, field(30, 2)?, field(32, 2)?].map(|n| n as usize);
        let name = bytes.get(at + 46..at + 46 + lengths[0]).ok_or("the archive is cut off")?;
        let name = String::from_utf8_lossy(name).into_owned();
        if flags & 1 == 1 {
            return Err(format!("`{name}` is encrypted; unpack the archive and give the folder"));
        }
        // files that share their packed bytes would unpack to more than the archive can hold
        total += packed;
        if total > bytes.len() as u64 {
            return Err("the files are longer than the archive; it is damaged".into());
        }
        if !name.ends_with('/') {
            let packed = packed_bytes(bytes, field(42, 4)? as usize, packed as usize)?;
            entries.push(Entry { name, packed, method, length });
        }
        at += 46 + lengths.iter().sum::<usize>();
    }
    Ok(entries)
}

fn packed_bytes(bytes: &[u8], at: usize, length: usize) -> Result<&[u8], String> {
    if bytes.get(at..at + 4) != Some(LOCAL) {
        return Err(format!("there is no file at byte {at}; the archive is damaged"));
    }
    let start = at + 30 + number(bytes, at + 26, 2)? as usize + number(bytes, at + 28, 2)? as usize;
    bytes.get(start..start + length).ok_or_else(|| "the archive is cut off".into())
}
