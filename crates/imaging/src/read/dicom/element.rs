//! The data elements of a DICOM file.
//!
//! Source: DICOM PS3.5, sections 7 (encoding) and A (transfer syntaxes), PS3.10 (file format). Elements inside of
//! sequences are passed over.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::read::unpack::{Packing, unpacked};

/// Group and element.
pub type Tag = (u16, u16);

const PIXELS: Tag = (0x7fe0, 0x0010);
const TRANSFER_SYNTAX: Tag = (0x0002, 0x0010);
const ITEM: Tag = (0xfffe, 0xe000);
const ITEM_END: Tag = (0xfffe, 0xe00d);
const SEQUENCE_END: Tag = (0xfffe, 0xe0dd);

const UNDEFINED: u32 = 0xffff_ffff;
const DEEPEST: usize = 32;
const PREAMBLE: usize = 128;
/// Values longer than this are not kept: headers of slices need short ones.
const LONGEST_VALUE: usize = 4096;
/// A deflated slice is not longer than this.
const LONGEST_FILE: u64 = 1 << 30;

/// How the pixels of a file are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PixelPacking {
    /// As they are.
    Native,
    /// Run lengths of byte planes.
    Rle,
    /// Lossless JPEG (process 14).
    JpegLossless,
}

/// The elements of a file outside of sequences, and its pixels.
pub struct Elements {
    values: BTreeMap<Tag, Vec<u8>>,
    /// The pixels, or the fragments of the packed pixels one after another.
    pub pixels: Option<Vec<u8>>,
    /// How they are packed.
    pub packing: PixelPacking,
}

impl Elements {
    /// The text of an element without spaces and zeros at its ends.
    pub fn text(&self, tag: Tag) -> Option<Cow<'_, str>> {
        let value = self.values.get(&tag)?;
        let text = String::from_utf8_lossy(value);
        let trimmed = text.trim_matches(|c: char| c == '\0' || c.is_whitespace());
        (!trimmed.is_empty()).then(|| Cow::Owned(trimmed.to_string()))
    }

    /// The decimal numbers of an element; nothing where one is no number.
    pub fn numbers(&self, tag: Tag) -> Option<Vec<f64>> {
        self.text(tag)?.split('\\').map(|word| word.trim().parse().ok()).collect()
    }

    /// A whole number of two bytes.
    pub fn short(&self, tag: Tag) -> Option<u16> {
        match self.values.get(&tag)?[..] {
            [low, high, ..] => Some(u16::from_le_bytes([low, high])),
            _ => None,
        }
    }
}

/// Whether bytes begin as a DICOM file.
pub fn is_dicom(bytes: &[u8]) -> bool {
    bytes.get(PREAMBLE..PREAMBLE + 4) == Some(b"DICM")
}

/// The transfer syntaxes that are read: whether values name their type, whether all is deflated, how pixels are packed.
fn syntax(uid: &str) -> Result<(bool, bool, PixelPacking), String> {
    Ok(match uid {
        "1.2.840.10008.1.2" => (false, false, PixelPacking::Native),
        "1.2.840.10008.1.2.1" => (true, false, PixelPacking::Native),
        "1.2.840.10008.1.2.1.99" => (true, true, PixelPacking::Native),
        "1.2.840.10008.1.2.5" => (true, false, PixelPacking::Rle),
        "1.2.840.10008.1.2.4.57" | "1.2.840.10008.1.2.4.70" => (true, false, PixelPacking::JpegLossless),
        other => {
            let kind = match other {
                "1.2.840.10008.1.2.2" => "most significant byte first",
                "1.2.840.10008.1.2.4.90" | "1.2.840.10008.1.2.4.91" => "JPEG 2000",
                "1.2.840.10008.1.2.4.80" | "1.2.840.10008.1.2.4.81" => "JPEG-LS",
                "1.2.840.10008.1.2.4.50" | "1.2.840.10008.1.2.4.51" => "JPEG with losses",
                _ => "not known",
            };
            return Err(format!(
                "its transfer syntax {} ({kind}) is not read; export the series uncompressed (Explicit VR Little \
                 Endian)",
                wolff_files::text::on_one_line(&other.chars().take(64).collect::<String>())
            ));
        }
    })
}

/// Reads the elements of a file.
pub fn read(bytes: &[u8]) -> Result<Elements, String> {
    let mut out = Elements { values: BTreeMap::new(), pixels: None, packing: PixelPacking::Native };
    if !is_dicom(bytes) {
        return Err("it is no DICOM file".into());
    }
    // the group 2 in front names its types, whatever follows
    let mut meta = Reader { bytes, at: PREAMBLE + 4, explicit: true };
    while meta.peek_group() == Some(2) {
        meta.element(&mut out)?;
    }
    let uid = out.text(TRANSFER_SYNTAX).ok_or("it does not state its transfer syntax; the file is damaged")?;
    let (explicit, deflated, packing) = syntax(&uid)?;
    out.packing = packing;
    let rest = bytes.get(meta.at..).unwrap_or_default();
    let rest = match deflated {
        true => Cow::Owned(unpacked(rest, Packing::Deflate, LONGEST_FILE)?),
        false => Cow::Borrowed(rest),
    };
    let mut reader = Reader { bytes: &rest, at: 0, explicit };
    while reader.at < rest.len() && out.pixels.is_none() {
        reader.element(&mut out)?;
    }
    Ok(out)
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    explicit: bool,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        let end = self.at.checked_add(count);
        let found = end.and_then(|end| self.bytes.get(self.at..end));
        let found =
            found.ok_or_else(|| format!("the file ends within an element at byte {}; it is cut off", self.at))?;
        self.at += count;
        Ok(found)
    }

    fn u16(&mut self) -> Result<u16, String> {
        self.take(2).map(|b| u16::from_le_bytes([b[0], b[1]]))
    }

    fn u32(&mut self) -> Result<u32, String> {
        self.take(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
    }

    fn peek_group(&self) -> Option<u16> {
        self.bytes.get(self.at..self.at + 2).map(|b| u16::from_le_bytes([b[0], b[1]]))
    }

    /// Tag and length of the next element, and whether it is a sequence.
    fn head(&mut self) -> Result<(Tag, u32, bool), String> {
        let tag = (self.u16()?, self.u16()?);
        if tag.0 == 0xfffe || !self.explicit {
            let length = self.u32()?;
            return Ok((tag, length, length == UNDEFINED));
        }
        let kind = self.take(2)?;
        let length = match kind {
            b"OB" | b"OW" | b"OF" | b"OD" | b"OL" | b"OV" | b"SQ" | b"UT" | b"UN" | b"UC" | b"UR" | b"SV" | b"UV" => {
                self.take(2)?;
                self.u32()?
            }
            _ if kind.iter().all(u8::is_ascii_uppercase) => u32::from(self.u16()?),
            _ => return Err(format!("the type of an element at byte {} is not known; the file is damaged", self.at)),
        };
        Ok((tag, length, kind == b"SQ" || length == UNDEFINED))
    }

    /// Reads one element into `out`, or passes over it.
    fn element(&mut self, out: &mut Elements) -> Result<(), String> {
        let (tag, length, sequence) = self.head()?;
        if tag == PIXELS {
            out.pixels = Some(match length {
                UNDEFINED => self.fragments()?,
                _ => self.take(length as usize)?.to_vec(),
            });
            return Ok(());
        }
        match (sequence, length) {
            (true, UNDEFINED) => self.pass_sequence(0),
            (_, length) => {
                let value = self.take(length as usize)?;
                if !sequence && value.len() <= LONGEST_VALUE {
                    out.values.insert(tag, value.to_vec());
                }
                Ok(())
            }
        }
    }

    /// The fragments of packed pixels, one after another; the first item is the table of offsets.
    fn fragments(&mut self) -> Result<Vec<u8>, String> {
        let mut out = Vec::new();
        let mut first = true;
        loop {
            let (tag, length, _) = self.head()?;
            match tag {
                SEQUENCE_END => return Ok(out),
                ITEM if length != UNDEFINED => {
                    let fragment = self.take(length as usize)?;
                    if !first {
                        out.extend_from_slice(fragment);
                    }
                    first = false;
                }
                _ => return Err(format!("the packed pixels are damaged at byte {}", self.at)),
            }
        }
    }

    /// Passes over the items of a sequence without a length.
    fn pass_sequence(&mut self, depth: usize) -> Result<(), String> {
        if depth > DEEPEST {
            return Err("its sequences are nested too deeply; the file is damaged".into());
        }
        loop {
            let (tag, length, _) = self.head()?;
            match (tag, length) {
                (SEQUENCE_END, _) => return Ok(()),
                (ITEM, UNDEFINED) => self.pass_item(depth + 1)?,
                (ITEM, length) => drop(self.take(length as usize)?),
                _ => return Err(format!("a sequence is damaged at byte {}", self.at)),
            }
        }
    }

    fn pass_item(&mut self, depth: usize) -> Result<(), String> {
        loop {
            let (tag, length, sequence) = self.head()?;
            match (tag, length) {
                (ITEM_END, _) => return Ok(()),
                (_, UNDEFINED) if sequence => self.pass_sequence(depth + 1)?,
                (_, length) => drop(self.take(length as usize)?),
            }
        }
    }
}
