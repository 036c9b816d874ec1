//! Damaged copies of files for tests of readers: the same seed gives the same damage.

/// What stands in for a number.
const NUMBERS: [&str; 20] = [
    "nan",
    "-NaN",
    "inf",
    "-Infinity",
    "1e308",
    "-1e308",
    "1e-320",
    "0",
    "-0.0",
    "-1",
    "2147483647",
    "4294967296",
    "9223372036854775807",
    "99999999999999999999",
    "",
    "abc",
    "1 2",
    "1,5",
    "0x10",
    "1e",
];

/// What stands in for some bytes: ends of numbers, byte orders, text of other encodings, control sequences.
const BYTES: [&[u8]; 8] = [
    &[0; 8],
    &[0xff; 8],
    &[0x7f, 0xf8, 0, 0, 0, 0, 0, 0],
    &[0, 0, 0xc0, 0x7f],
    b"\xef\xbb\xbf",
    b"\x1b[2J",
    b"\r\n",
    b"<",
];

/// A source of damage: Steele, Lea and Flood's SplitMix64.
#[derive(Clone, Debug)]
pub struct Mutator(u64);

impl Mutator {
    /// A source that gives the same damage for the same seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, or 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    /// A copy with one to four kinds of damage; `other` is a second file of which pieces are put in.
    pub fn damaged(&mut self, original: &[u8], other: &[u8]) -> Vec<u8> {
        let mut bytes = original.to_vec();
        for _ in 0..=self.below(4) {
            match self.below(10) {
                0 | 1 => self.flip(&mut bytes),
                2 => {
                    let length = self.below(bytes.len() + 1);
                    bytes.truncate(length);
                }
                3 => self.move_lines(&mut bytes, false),
                4 => self.move_lines(&mut bytes, true),
                5 => self.cut_out(&mut bytes),
                6 => self.put_in(&mut bytes, other),
                7 => self.overwrite(&mut bytes),
                _ => self.replace_number(&mut bytes),
            }
        }
        bytes
    }

    /// A place in the bytes; half of the time near the front, where headers are.
    fn place(&mut self, bytes: &[u8]) -> usize {
        let reach = if self.below(2) == 0 { bytes.len() } else { bytes.len().min(1024) };
        self.below(reach)
    }

    /// Changes some bits.
    fn flip(&mut self, bytes: &mut [u8]) {
        for _ in 0..=self.below(8) {
            let at = self.place(bytes);
            let bit = self.below(8);
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << bit;
            }
        }
    }

    /// Takes a few lines away, or repeats them somewhere.
    fn move_lines(&mut self, bytes: &mut Vec<u8>, keep: bool) {
        let mut lines: Vec<&[u8]> = bytes.split_inclusive(|b| *b == b'\n').collect();
        let first = self.below(lines.len());
        let last = (first + 1 + self.below(4)).min(lines.len());
        let some: Vec<&[u8]> = lines.get(first..last).unwrap_or_default().to_vec();
        if keep {
            let at = self.below(lines.len() + 1);
            lines.splice(at..at, some);
        } else {
            lines.drain(first.min(last)..last);
        }
        *bytes = lines.concat();
    }

    fn cut_out(&mut self, bytes: &mut Vec<u8>) {
        let first = self.place(bytes);
        let last = (first + self.below(64)).min(bytes.len());
        bytes.drain(first..last);
    }

    /// Puts a piece of another file somewhere.
    fn put_in(&mut self, bytes: &mut Vec<u8>, other: &[u8]) {
        let first = self.below(other.len());
        let last = (first + self.below(256)).min(other.len());
        let at = self.below(bytes.len() + 1);
        bytes.splice(at..at, other.get(first..last).unwrap_or_default().iter().copied());
    }

    /// Puts other bytes over some.
    fn overwrite(&mut self, bytes: &mut [u8]) {
        let word = BYTES[self.below(BYTES.len())];
        let at = self.place(bytes);
        bytes.iter_mut().skip(at).zip(word).for_each(|(byte, new)| *byte = *new);
    }

    /// Puts another word where a number is: counts in headers as well as values.
    fn replace_number(&mut self, bytes: &mut Vec<u8>) {
        let part_of = |b: &u8| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'+' | b'e' | b'E');
        let from = self.place(bytes);
        let Some(start) = bytes.iter().skip(from).position(u8::is_ascii_digit).map(|n| n + from) else { return };
        let start = bytes[..start].iter().rposition(|b| !part_of(b)).map_or(0, |n| n + 1);
        let end = bytes[start..].iter().position(|b| !part_of(b)).map_or(bytes.len(), |n| n + start);
        let word = NUMBERS[self.below(NUMBERS.len())];
        bytes.splice(start..end, word.bytes());
    }
}
