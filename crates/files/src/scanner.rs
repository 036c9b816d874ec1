//! Numbers out of text or bytes: one reader for both, so that a format is described once.

/// How numbers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// Words between white space.
    Ascii,
    /// Bytes, least significant first.
    Little,
    /// Bytes, most significant first.
    Big,
}

/// The type of a number in a binary file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scalar {
    /// A whole number of 1, 2, 4 or 8 bytes.
    Signed(usize),
    /// A whole number of 1, 2, 4 or 8 bytes that is not negative.
    Unsigned(usize),
    /// A number of single precision.
    Float32,
    /// A number of double precision.
    Float64,
}

impl Scalar {
    /// Bytes of one number.
    pub fn width(self) -> usize {
        match self {
            Self::Signed(width) | Self::Unsigned(width) => width,
            Self::Float32 => 4,
            Self::Float64 => 8,
        }
    }
}

/// Where something is wrong in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A line of text, from 1.
    Line(usize),
    /// A byte, from 0.
    Byte(usize),
}

/// Reads a file from front to back. Methods fail with a message; [`Scanner::place`] tells where.
#[derive(Debug, Clone)]
pub struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    /// How the numbers that follow are written.
    pub encoding: Encoding,
}

impl<'a> Scanner<'a> {
    /// At the beginning of `bytes`.
    pub fn new(bytes: &'a [u8], encoding: Encoding) -> Self {
        Self { bytes, at: 0, encoding }
    }

    /// Where it is, for messages.
    pub fn place(&self) -> Place {
        let before = self.bytes.get(..self.at).unwrap_or_default();
        match self.encoding {
            // a word just read may end the line it stands on; its line is meant, not the next
            Encoding::Ascii => Place::Line(1 + before.trim_ascii_end().iter().filter(|&&b| b == b'\n').count()),
            Encoding::Little | Encoding::Big => Place::Byte(self.at),
        }
    }

    /// What has not been read yet.
    pub fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Refuses a count that the rest of the file cannot hold, each item taking `width` bytes at least.
    pub fn require_room(&self, count: u64, width: usize, what: &str) -> Result<usize, String> {
        // A number in text takes a digit and a space.
        let width = if self.encoding == Encoding::Ascii { 2 } else { width.max(1) };
        let room = (self.rest().len() + 1) / width;
        usize::try_from(count)
            .ok()
            .filter(|&count| count <= room)
            .ok_or_else(|| format!("{count} {what} are announced, but the file ends before; it is cut off or damaged"))
    }

    /// The next line without its end, trimmed; `None` at the end of the file. Passes over empty lines.
    pub fn line(&mut self) -> Option<String> {
        while !self.rest().is_empty() {
            let rest = self.rest();
            let end = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
            self.at += (end + 1).min(rest.len());
            let line = String::from_utf8_lossy(&rest[..end]).trim().to_owned();
            if !line.is_empty() {
                return Some(line);
            }
        }
        None
    }

    /// Goes on after the next occurrence of `text`.
    pub fn skip_past(&mut self, text: &str) -> Result<(), String> {
        let found = find(self.rest(), text.as_bytes()).ok_or_else(|| format!("`{text}` is missing"))?;
        self.at += found + text.len();
        Ok(())
    }

    /// The next word; fails at the end of the file.
    pub fn word(&mut self) -> Result<&'a str, String> {
        let rest = self.rest();
        let start = rest.iter().position(|b| !b.is_ascii_whitespace()).unwrap_or(rest.len());
        let length = rest[start..].iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len() - start);
        self.at += start + length;
        match std::str::from_utf8(&rest[start..start + length]) {
            Ok("") => Err("the file ends too early; it is cut off".into()),
            Ok(word) => Ok(word),
            Err(_) => Err("unreadable text where a number was expected".into()),
        }
    }

    /// The next `count` bytes.
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        let taken = self.rest().get(..count).ok_or("the file ends too early; it is cut off")?;
        self.at += count;
        Ok(taken)
    }

    /// The next number as a whole one.
    pub fn whole(&mut self, scalar: Scalar) -> Result<i64, String> {
        if self.encoding == Encoding::Ascii {
            let word = self.word()?;
            return word.parse().map_err(|_| format!("`{word}` is not a whole number"));
        }
        let bits = self.bits(scalar.width())?;
        match scalar {
            Scalar::Signed(width) => {
                let unused = 64 - 8 * width as u32;
                Ok(((bits << unused) as i64) >> unused)
            }
            Scalar::Unsigned(_) => i64::try_from(bits).map_err(|_| format!("{bits} is too large a number")),
            Scalar::Float32 | Scalar::Float64 => Err("a floating point number where a whole one belongs".into()),
        }
    }

    /// The next number as a count, a number or an index: whole and not negative.
    pub fn count(&mut self, scalar: Scalar) -> Result<u64, String> {
        let value = self.whole(scalar)?;
        u64::try_from(value).map_err(|_| format!("{value} is negative where a number or count belongs"))
    }

    /// The next number as a finite one.
    pub fn float(&mut self, scalar: Scalar) -> Result<f64, String> {
        let value = match (self.encoding, scalar) {
            (Encoding::Ascii, _) => {
                let word = self.word()?;
                word.parse().map_err(|_| format!("`{word}` is not a number"))?
            }
            (_, Scalar::Float32) => f32::from_bits(self.bits(4)? as u32).into(),
            (_, Scalar::Float64) => f64::from_bits(self.bits(8)?),
            _ => self.whole(scalar)? as f64,
        };
        if value.is_finite() { Ok(value) } else { Err(format!("the coordinate or value {value} is not finite")) }
    }

    fn bits(&mut self, width: usize) -> Result<u64, String> {
        let encoding = self.encoding;
        let bytes = self.take(width)?;
        let join = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
        Ok(match encoding {
            Encoding::Big => bytes.iter().fold(0, join),
            _ => bytes.iter().rev().fold(0, join),
        })
    }
}

/// Where `needle` begins in `bytes`.
pub fn find(bytes: &[u8], needle: &[u8]) -> Option<usize> {
    bytes.windows(needle.len()).position(|window| window == needle)
}
