//! The framing of `text/event-stream`: where an event ends, what its data is, and how it looks with other data.
//!
//! Event stream crates hand out fields and forget the bytes. A filter has to pass on what it does not understand as
//! it came, so here an event *is* its bytes.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use memchr::{memchr, memchr2};

/// Looks for the end of an event, from where it stopped last time.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Scan {
    /// Bytes of the event that were looked at.
    read: usize,
    /// The line at hand is not empty.
    text: bool,
    /// The last byte is a CR; a LF behind it belongs to it.
    cr: bool,
    /// A line of this event ended with a CR alone.
    bare: bool,
}

impl Scan {
    /// Where the event at the start of `bytes` ends, blank line included; `None`: further on.
    ///
    /// A CR may have its LF still to come. Where lines end with CR alone it ends a blank one at once, and a LF that comes
    /// all the same is a blank line of its own, so that events never depend on how bytes arrive.
    pub(crate) fn end(&mut self, bytes: &[u8]) -> Option<usize> {
        while let Some(&next) = bytes.get(self.read) {
            if self.cr {
                self.bare |= next != b'\n';
                self.read += usize::from(next == b'\n');
                if self.end_line() {
                    return Some(self.read);
                }
                continue;
            }
            let rest = &bytes[self.read..];
            let Some(at) = memchr2(b'\r', b'\n', rest) else {
                self.text = true;
                self.read = bytes.len();
                return None;
            };
            self.text |= at > 0;
            self.read += at + 1;
            self.cr = rest[at] == b'\r';
            let ends = !self.cr || (self.bare && !self.text);
            if ends && self.end_line() {
                return Some(self.read);
            }
        }
        None
    }

    /// What was looked at is gone; the event goes on.
    pub(crate) fn forget(&mut self) {
        self.read = 0;
    }

    /// Whether the line that ends here is the blank one.
    fn end_line(&mut self) -> bool {
        self.cr = false;
        !core::mem::take(&mut self.text)
    }
}

/// A line and what ends it.
struct Line<'a> {
    text: &'a [u8],
    end: &'a [u8],
}

impl<'a> Line<'a> {
    /// The value, if the line is this field.
    fn field(&self, name: &str) -> Option<&'a [u8]> {
        match self.text.strip_prefix(name.as_bytes())? {
            [] => Some(&[]),
            [b':', b' ', value @ ..] | [b':', value @ ..] => Some(value),
            _ => None,
        }
    }
}

fn lines(mut bytes: &[u8]) -> impl Iterator<Item = Line<'_>> {
    core::iter::from_fn(move || {
        if bytes.is_empty() {
            return None;
        }
        let at = memchr2(b'\r', b'\n', bytes).unwrap_or(bytes.len());
        let (text, rest) = bytes.split_at(at);
        let length = if rest.starts_with(b"\r\n") { 2 } else { rest.len().min(1) };
        let (end, rest) = rest.split_at(length);
        bytes = rest;
        Some(Line { text, end })
    })
}

/// The data of an event, its lines joined by LF; `None` if it has no data line.
pub(crate) fn data(event: &[u8]) -> Option<Cow<'_, [u8]>> {
    let mut data: Option<Cow<'_, [u8]>> = None;
    for value in lines(event).filter_map(|line| line.field("data")) {
        match &mut data {
            None => data = Some(Cow::Borrowed(value)),
            Some(data) => {
                let data = data.to_mut();
                data.push(b'\n');
                data.extend_from_slice(value);
            }
        }
    }
    data
}

/// The event with other data; every other line stays.
pub(crate) fn replace(event: &[u8], data: &str, out: &mut Vec<u8>) {
    let mut written = false;
    for line in lines(event) {
        if line.field("data").is_none() {
            out.extend_from_slice(line.text);
            out.extend_from_slice(line.end);
        } else if !core::mem::replace(&mut written, true) {
            write_data(data, line.end, out);
        }
    }
}

/// What further events have of the one that they were in: its kind and its line ends, but no id and no comment.
pub(crate) struct Like<'a> {
    kind: Option<&'a [u8]>,
    end: &'a [u8],
}

impl<'a> Like<'a> {
    /// Reads the whole event.
    pub(crate) fn new(event: &'a [u8]) -> Like<'a> {
        let end = lines(event).map(|line| line.end).find(|end| !end.is_empty()).unwrap_or(b"\n");
        let kind = lines(event).find(|line| line.field("event").is_some()).map(|line| line.text);
        Like { kind, end }
    }

    /// One more event, with this data.
    pub(crate) fn write(&self, data: &str, out: &mut Vec<u8>) {
        if let Some(kind) = self.kind {
            out.extend_from_slice(kind);
            out.extend_from_slice(self.end);
        }
        write_data(data, self.end, out);
        out.extend_from_slice(self.end);
    }
}

/// JSON may have line ends between its values, so one text may need several lines.
fn write_data(data: &str, end: &[u8], out: &mut Vec<u8>) {
    let mut rest = data.as_bytes();
    while let Some(at) = memchr(b'\n', rest) {
        out.extend_from_slice(b"data: ");
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(end);
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(b"data: ");
    out.extend_from_slice(rest);
    out.extend_from_slice(end);
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    /// The events of a stream that arrives in pieces of `size` bytes, and what is left.
    fn events(stream: &[u8], size: usize) -> (Vec<Vec<u8>>, Vec<u8>) {
        let (mut events, mut buffer, mut scan) = (vec![], vec![], Scan::default());
        for piece in stream.chunks(size) {
            buffer.extend_from_slice(piece);
            while let Some(end) = scan.end(&buffer) {
                events.push(buffer.drain(..end).collect());
                scan = Scan::default();
            }
        }
        (events, buffer)
    }

    #[test]
    fn events_end_with_a_blank_line_of_any_kind() {
        for (stream, count) in [
            ("data: a\n\ndata: b\n\n", 2),
            ("data: a\r\n\r\ndata: b\r\n\r\n", 2),
            ("data: a\r\rdata: b\r\r", 2),
            (": c\n\nid: 1\ndata: a\ndata: b\n\n", 2),
            ("\n\ndata: a\r\n\ndata: b\n\r\n", 4),
        ] {
            for size in 1..=stream.len() {
                let (events, rest) = events(stream.as_bytes(), size);
                assert_eq!((events.len(), &*rest), (count, &b""[..]), "{stream:?} by {size}");
                assert_eq!(events.concat(), stream.as_bytes());
            }
        }
    }

    /// Any seven bytes of text and line ends.
    #[test]
    fn events_are_the_same_however_the_bytes_arrive() {
        for number in 0..3_usize.pow(7) {
            let stream: Vec<u8> = (0..7).map(|at| b"a\r\n"[number / 3_usize.pow(at) % 3]).collect();
            let whole = events(&stream, stream.len());
            for size in 1..stream.len() {
                assert_eq!(events(&stream, size), whole, "{:?} by {size}", str::from_utf8(&stream));
            }
        }
    }

    #[test]
    fn an_event_ends_with_the_byte_that_proves_it() {
        for (stream, rest) in [
            ("data: a\n\n", ""),
            ("data: a\r\n\r\n", ""),
            // Its LF is certain to come.
            ("data: a\r\n\r", "data: a\r\n\r"),
            ("data: a\r\r", ""),
        ] {
            assert_eq!(events(stream.as_bytes(), 1).1, rest.as_bytes(), "{stream:?}");
        }
    }

    #[test]
    fn an_event_without_its_blank_line_is_left() {
        assert_eq!(events(b"data: a\n\ndata: b\n", 3).1, b"data: b\n");
    }

    #[test]
    fn data_is_joined_and_replaced_in_place() {
        let event = b"event: x\r\ndata: {\r\n: c\r\ndata:}\r\nid: 7\r\n\r\n";
        assert_eq!(data(event).as_deref(), Some(&b"{\n}"[..]));
        assert_eq!(data(b": c\n\n"), None);
        assert_eq!(data(b"data\n\n").as_deref(), Some(&b""[..]));
        assert_eq!(data(b"datax: 1\n\n"), None);
        let mut out = Vec::new();
        replace(event, "1\n2", &mut out);
        assert_eq!(out, b"event: x\r\ndata: 1\r\ndata: 2\r\n: c\r\nid: 7\r\n\r\n");
        out.clear();
        Like::new(event).write("3", &mut out);
        assert_eq!(out, b"event: x\r\ndata: 3\r\n\r\n");
    }
}
