//! Lines of a text that need not be in memory.

use std::io::{self, BufRead};

/// How a text is written, which only all of it can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Writing {
    /// What ends lines: `\n`, or `\r` (old Macintosh) where there is no `\n`.
    end: u8,
    /// The line, from 1, of the first byte that is not UTF-8; bytes are then read as Latin-1, which older Windows
    /// programs used.
    pub(super) foreign: Option<usize>,
}

impl Writing {
    /// Looks through a text.
    pub(super) fn of(source: &mut impl BufRead) -> io::Result<Self> {
        let (mut newlines, mut foreign) = (0, None);
        // a character cut by the end of a block waits for its rest
        let mut held: Vec<u8> = Vec::new();
        loop {
            let block = source.fill_buf()?;
            let (length, last) = (block.len(), block.is_empty());
            let counted = newlines;
            newlines += count(block);
            if foreign.is_none() {
                let before = held.len();
                held.extend_from_slice(block);
                match std::str::from_utf8(&held) {
                    Ok(_) => held.clear(),
                    Err(e) if e.error_len().is_none() && !last => drop(held.drain(..e.valid_up_to())),
                    // what was held from the block before has no line end
                    Err(e) => foreign = Some(1 + counted + count(&block[..e.valid_up_to().saturating_sub(before)])),
                }
            }
            if last {
                return Ok(Writing { end: if newlines > 0 { b'\n' } else { b'\r' }, foreign });
            }
            source.consume(length);
        }
    }

    fn decode(self, bytes: Vec<u8>) -> String {
        match self.foreign {
            Some(_) => bytes.into_iter().map(char::from).collect(),
            None => String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned()),
        }
    }
}

fn count(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&b| b == b'\n').count()
}

/// Lines with their numbers from 1, one in memory at a time. Ends where reading fails; [`Lines::failure`] is the
/// reason.
pub(super) struct Lines<R> {
    source: R,
    writing: Writing,
    number: usize,
    peeked: Option<(usize, String)>,
    failure: Option<io::Error>,
    /// Whether the last line that was read had a line end.
    ended: bool,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(source: R, writing: Writing) -> Self {
        Lines { source, writing, number: 0, peeked: None, failure: None, ended: true }
    }

    /// The next line, which stays the next.
    pub(super) fn peek(&mut self) -> Option<&str> {
        if self.peeked.is_none() {
            self.peeked = self.next();
        }
        self.peeked.as_ref().map(|(_, line)| line.as_str())
    }

    /// Whether the last line that was read had a line end.
    pub(super) fn ended(&self) -> bool {
        self.ended
    }

    /// Reason why reading failed, if it did.
    pub(super) fn failure(&mut self) -> Option<io::Error> {
        self.failure.take()
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = (usize, String);

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(line) = self.peeked.take() {
            return Some(line);
        }
        let mut bytes = Vec::new();
        match self.source.read_until(self.writing.end, &mut bytes) {
            Ok(0) => return None,
            Ok(_) => {}
            Err(e) => {
                self.failure = Some(e);
                return None;
            }
        }
        self.ended = bytes.last() == Some(&self.writing.end);
        for end in [self.writing.end, b'\r'] {
            if bytes.last() == Some(&end) {
                bytes.pop();
            }
        }
        self.number += 1;
        let line = self.writing.decode(bytes);
        let bare = line.strip_prefix('\u{feff}').filter(|_| self.number == 1).map(String::from);
        Some((self.number, bare.unwrap_or(line)))
    }
}
