//! Numbers of voxels out of bytes.

use crate::volume::Samples;

/// The type of the numbers of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// Unsigned, of 1 byte.
    U8,
    /// Signed, of 1 byte.
    I8,
    /// Unsigned, of 2 bytes.
    U16,
    /// Signed, of 2 bytes.
    I16,
    /// Unsigned, of 4 bytes.
    U32,
    /// Signed, of 4 bytes.
    I32,
    /// Unsigned, of 8 bytes.
    U64,
    /// Signed, of 8 bytes.
    I64,
    /// Single precision.
    F32,
    /// Double precision.
    F64,
}

impl Number {
    /// Bytes of one number.
    pub fn width(self) -> usize {
        match self {
            Number::U8 | Number::I8 => 1,
            Number::U16 | Number::I16 => 2,
            Number::U32 | Number::I32 | Number::F32 => 4,
            Number::U64 | Number::I64 | Number::F64 => 8,
        }
    }

    /// The number in the first bytes of `bytes`; zero where they are too few.
    fn value(self, bytes: &[u8], big: bool) -> f64 {
        let join = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
        let bits = if big { bytes.iter().fold(0, join) } else { bytes.iter().rev().fold(0, join) };
        match self {
            Number::U8 | Number::U16 | Number::U32 | Number::U64 => bits as f64,
            Number::I8 => f64::from(bits as u8 as i8),
            Number::I16 => f64::from(bits as u16 as i16),
            Number::I32 => f64::from(bits as u32 as i32),
            Number::I64 => bits as i64 as f64,
            Number::F32 => f64::from(f32::from_bits(bits as u32)),
            Number::F64 => f64::from_bits(bits),
        }
    }
}

/// The stored numbers of an image and the line that turns them into its values.
pub struct Raw<'a> {
    /// Their bytes.
    pub bytes: &'a [u8],
    /// Their type.
    pub number: Number,
    /// Whether the most significant byte is first.
    pub big: bool,
    /// value = slope · number + intercept
    pub slope: f64,
    /// See `slope`.
    pub intercept: f64,
}

/// The values of voxels, and how many were no finite numbers.
pub struct Values {
    /// The values; where there was no finite number the least of the others.
    pub samples: Samples,
    /// How many were no finite numbers.
    pub not_finite: usize,
}

impl Raw<'_> {
    /// The value of all bytes as one number.
    pub fn single(&self) -> f64 {
        self.slope * self.number.value(self.bytes, self.big) + self.intercept
    }

    /// The values of `count` voxels: whole numbers where all are and fit, single precision otherwise.
    pub fn values(&self, count: usize) -> Result<Values, String> {
        let needed = count.checked_mul(self.number.width()).ok_or("too many voxels")?;
        let Some(bytes) = self.bytes.get(..needed) else {
            return Err(format!(
                "{count} voxels take {needed} bytes, but there are {}; the file is cut off, or its header is wrong",
                self.bytes.len()
            ));
        };
        if !(self.slope.is_finite() && self.slope != 0.0 && self.intercept.is_finite()) {
            return Err(format!(
                "values are {} x number + {}; the slope must be finite and not zero, the intercept finite: the header \
                 is damaged",
                self.slope, self.intercept
            ));
        }
        let values = || {
            let numbers = bytes.chunks_exact(self.number.width()).map(|b| self.number.value(b, self.big));
            numbers.map(|number| self.slope * number + self.intercept)
        };
        let fits = |x: f64| x.fract() == 0.0 && x >= f64::from(i16::MIN) && x <= f64::from(i16::MAX);
        if values().all(fits) {
            return Ok(Values { samples: Samples::I16(values().map(|x| x as i16).collect()), not_finite: 0 });
        }
        let finite = |x: &f64| x.abs() <= f64::from(f32::MAX);
        let least = values().filter(finite).fold(f64::INFINITY, f64::min);
        if least == f64::INFINITY {
            return Err("no value is a finite number; the file is damaged, or its type or byte order is wrong".into());
        }
        let not_finite = values().filter(|x| !finite(x)).count();
        let samples = values().map(|x| if finite(&x) { x as f32 } else { least as f32 }).collect();
        Ok(Values { samples: Samples::F32(samples), not_finite })
    }
}
