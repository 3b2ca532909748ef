//! Indents JSON while it arrives.

use std::io::{self, Write};

/// Deeper levels are indented no further: a million of them would fill a disk.
const DEEPEST: usize = 16;

/// Anything that does not begin as an object, and anything behind the object's end, passes through unchanged.
#[derive(Default)]
pub(crate) struct Indent {
    started: bool,
    raw: bool,
    depth: usize,
    in_string: bool,
    escaped: bool,
    /// Directly behind an opening bracket: an empty object stays on its line.
    just_opened: bool,
}

impl Indent {
    /// Whether the text was laid out anew.
    pub(crate) fn changes_layout(&self) -> bool {
        self.started
    }

    pub(crate) fn write(&mut self, text: &[u8], out: &mut impl Write) -> io::Result<()> {
        for (at, &byte) in text.iter().enumerate() {
            if self.raw {
                return out.write_all(&text[at..]);
            }
            if self.in_string { self.string(byte, out)? } else { self.structure(byte, out)? }
        }
        Ok(())
    }

    fn string(&mut self, byte: u8, out: &mut impl Write) -> io::Result<()> {
        match byte {
            _ if self.escaped => self.escaped = false,
            b'\\' => self.escaped = true,
            b'"' => self.in_string = false,
            _ => {}
        }
        out.write_all(&[byte])
    }

    fn structure(&mut self, byte: u8, out: &mut impl Write) -> io::Result<()> {
        match byte {
            b'{' | b'[' if self.started || byte == b'{' => self.open(byte, out),
            b'}' | b']' if self.started => self.close(byte, out),
            _ if !self.started => {
                self.raw = true;
                out.write_all(&[byte])
            }
            b' ' | b'\t' | b'\n' | b'\r' => Ok(()),
            b',' => {
                out.write_all(b",")?;
                self.new_line(out)
            }
            b':' => out.write_all(b": "),
            _ => self.scalar(byte, out),
        }
    }

    fn open(&mut self, byte: u8, out: &mut impl Write) -> io::Result<()> {
        self.member(out)?;
        self.started = true;
        self.depth += 1;
        self.just_opened = true;
        out.write_all(&[byte])
    }

    fn close(&mut self, byte: u8, out: &mut impl Write) -> io::Result<()> {
        self.depth -= 1;
        self.raw = self.depth == 0;
        if !self.just_opened {
            self.new_line(out)?;
        }
        self.just_opened = false;
        out.write_all(&[byte])
    }

    fn scalar(&mut self, byte: u8, out: &mut impl Write) -> io::Result<()> {
        self.member(out)?;
        self.in_string = byte == b'"';
        out.write_all(&[byte])
    }

    /// The first member gets a line of its own.
    fn member(&mut self, out: &mut impl Write) -> io::Result<()> {
        if std::mem::take(&mut self.just_opened) { self.new_line(out) } else { Ok(()) }
    }

    fn new_line(&self, out: &mut impl Write) -> io::Result<()> {
        write!(out, "\n{:width$}", "", width = 2 * self.depth.min(DEEPEST))
    }
}
