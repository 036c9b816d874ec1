//! Lossless JPEG of one grey component (process 14), as CT scanners and archives pack slices.
//!
//! Each pixel is a prediction from its neighbours plus a difference in Huffman code. Source: ITU-T T.81, annex H.

/// Codes of one Huffman table.
struct Table {
    /// For each length from 1: the first code, the number of codes, and where their values begin.
    lengths: [(u32, u32, usize); 16],
    values: Vec<u8>,
}

struct Scan<'a> {
    precision: u32,
    size: [usize; 2],
    table: Table,
    predictor: u8,
    shift: u32,
    restart: usize,
    data: &'a [u8],
}

const CUT_OFF: &str = "the packed pixels are cut off";

/// The pixels of an image of that many columns and rows.
pub fn decoded(bytes: &[u8], size: [usize; 2]) -> Result<Vec<u16>, String> {
    let scan = scan(bytes)?;
    if scan.size != size {
        let [a, b] = scan.size;
        return Err(format!(
            "the packed image has {a} x {b} pixels, the slice {} x {}; the file is damaged",
            size[0], size[1]
        ));
    }
    // a pixel takes one bit at least
    if size[0] * size[1] > 8 * scan.data.len() {
        return Err(CUT_OFF.into());
    }
    pixels(&scan)
}

fn scan(bytes: &[u8]) -> Result<Scan<'_>, String> {
    let byte = |at: usize| bytes.get(at).copied().ok_or(CUT_OFF);
    let word = |at: usize| Ok::<usize, &str>(usize::from(byte(at)?) << 8 | usize::from(byte(at + 1)?));
    let mut tables: [Option<Table>; 4] = [const { None }; 4];
    let (mut frame, mut restart) = (None, 0);
    let mut at = 2;
    loop {
        if byte(at)? != 0xff {
            return Err("a marker is missing in the packed pixels; the file is damaged".into());
        }
        let marker = byte(at + 1)?;
        if marker == 0xff {
            at += 1;
            continue;
        }
        let length = word(at + 2)?.max(2);
        let segment = bytes.get(at + 4..at + 2 + length).ok_or(CUT_OFF)?;
        match marker {
            0xc3 => frame = Some(frame_of(segment)?),
            0xc4 => read_tables(segment, &mut tables)?,
            0xdd => restart = word(at + 4)?,
            0xda => {
                let (precision, size) = frame.ok_or("the packed pixels have no frame header")?;
                let [_, _, selector, predictor, _, shift, ..] = *segment else { return Err(CUT_OFF.into()) };
                let table = tables.get_mut(usize::from(selector >> 4)).and_then(Option::take);
                let table = table.ok_or("the packed pixels name a table that is not there")?;
                let data = bytes.get(at + 2 + length..).unwrap_or_default();
                return Ok(Scan { precision, size, table, predictor, shift: u32::from(shift & 15), restart, data });
            }
            0xc0..=0xcf => return Err("the pixels are packed by another process of JPEG than the lossless one".into()),
            _ => {}
        }
        at += 2 + length;
    }
}

fn frame_of(segment: &[u8]) -> Result<(u32, [usize; 2]), String> {
    match *segment {
        [precision @ 2..=16, r1, r0, c1, c0, 1, ..] => {
            let join = |high: u8, low: u8| usize::from(high) << 8 | usize::from(low);
            Ok((u32::from(precision), [join(c1, c0), join(r1, r0)]))
        }
        _ => Err("the packed image has not one component of 2 to 16 bits".into()),
    }
}

fn read_tables(mut segment: &[u8], tables: &mut [Option<Table>; 4]) -> Result<(), String> {
    while let Some((&id, rest)) = segment.split_first() {
        let counts = rest.get(..16).ok_or(CUT_OFF)?;
        let total: usize = counts.iter().map(|&n| usize::from(n)).sum();
        let values = rest.get(16..16 + total).ok_or(CUT_OFF)?.to_vec();
        let mut lengths = [(0, 0, 0); 16];
        let (mut code, mut start) = (0u32, 0);
        for (length, &count) in lengths.iter_mut().zip(counts) {
            *length = (code, u32::from(count), start);
            start += usize::from(count);
            code = (code + u32::from(count)) << 1;
        }
        if let Some(table) = tables.get_mut(usize::from(id & 15)) {
            *table = Some(Table { lengths, values });
        }
        segment = rest.get(16 + total..).unwrap_or_default();
    }
    Ok(())
}

/// Bits of the packed data, in which a byte 0xff is followed by a zero or begins a marker.
struct Bits<'a> {
    data: &'a [u8],
    at: usize,
    held: u32,
    count: u32,
}

impl Bits<'_> {
    fn bit(&mut self) -> Result<u32, String> {
        if self.count == 0 {
            let byte = *self.data.get(self.at).ok_or(CUT_OFF)?;
            self.at += 1;
            if byte == 0xff {
                match self.data.get(self.at) {
                    Some(0) => self.at += 1,
                    _ => return Err(CUT_OFF.into()),
                }
            }
            (self.held, self.count) = (u32::from(byte), 8);
        }
        self.count -= 1;
        Ok(self.held >> self.count & 1)
    }

    fn code(&mut self, table: &Table) -> Result<u8, String> {
        let mut code = 0;
        for &(first, count, start) in &table.lengths {
            code = code << 1 | self.bit()?;
            if code >= first && code - first < count {
                let value = table.values.get(start + (code - first) as usize);
                return value.copied().ok_or_else(|| CUT_OFF.into());
            }
        }
        Err("a code of the packed pixels is not in its table; the file is damaged".into())
    }

    /// A difference of `length` bits, modulo 65536.
    fn difference(&mut self, table: &Table) -> Result<i32, String> {
        let length = u32::from(self.code(table)?);
        match length {
            0 => Ok(0),
            1..=15 => {
                let mut bits = 0;
                for _ in 0..length {
                    bits = bits << 1 | self.bit()? as i32;
                }
                Ok(if bits < 1 << (length - 1) { bits - (1 << length) + 1 } else { bits })
            }
            16 => Ok(32768),
            _ => Err("a difference of more than 16 bits; the file is damaged".into()),
        }
    }

    /// Goes on behind the next restart marker.
    fn restart(&mut self) {
        self.count = 0;
        while let Some(pair) = self.data.get(self.at..self.at + 2) {
            if pair[0] == 0xff && (0xd0..=0xd7).contains(&pair[1]) {
                self.at += 2;
                return;
            }
            self.at += 1;
        }
    }
}

fn pixels(scan: &Scan) -> Result<Vec<u16>, String> {
    let [columns, rows] = scan.size;
    let start = 1i32 << scan.precision.saturating_sub(scan.shift + 1);
    let mut bits = Bits { data: scan.data, at: 0, held: 0, count: 0 };
    let mut out: Vec<u16> = vec![0; columns * rows];
    // the first row after a restart is predicted as the first row of the image
    let mut first_row = 0;
    for row in 0..rows {
        for column in 0..columns {
            let n = row * columns + column;
            if scan.restart > 0 && n > 0 && n.is_multiple_of(scan.restart) {
                bits.restart();
                first_row = row;
            }
            let is_start = n == 0 || scan.restart > 0 && n.is_multiple_of(scan.restart);
            let at = |n: usize| i32::from(out[n]);
            let prediction = match (row == first_row, column == 0) {
                _ if is_start => start,
                (true, _) => at(n - 1),
                (_, true) => at(n - columns),
                _ => predicted(scan.predictor, at(n - 1), at(n - columns), at(n - columns - 1))?,
            };
            out[n] = (prediction + bits.difference(&scan.table)?) as u16;
        }
    }
    out.iter_mut().for_each(|pixel| *pixel <<= scan.shift);
    Ok(out)
}

/// The prediction from the left, the upper and the upper left neighbour.
fn predicted(predictor: u8, a: i32, b: i32, c: i32) -> Result<i32, String> {
    Ok(match predictor {
        1 => a,
        2 => b,
        3 => c,
        4 => a + b - c,
        5 => a + ((b - c) >> 1),
        6 => b + ((a - c) >> 1),
        7 => (a + b) >> 1,
        other => return Err(format!("the predictor {other} is not that of a lossless image; the file is damaged")),
    })
}
