//! `--format events`: one JSON object a line, and nothing else.
//!
//! The form is that of the library's `Serialize` for `Event<&str>`: the member `event` first, then the fields in the
//! order of the declaration, no spaces, non-ASCII text raw, and `"`, `\` and control characters escaped as serde_json
//! does (`\"`, `\\`, `\b`, `\t`, `\n`, `\f`, `\r`, others `\u001f` in lower case; `/` and U+007F stay raw). Every line
//! ends with `\n`. The examples in C, C++ and Go print the same:
//!
//! ```text
//! {"event":"message_start","channel":"analysis","recipient":null}
//! {"event":"reasoning","text":"..."}
//! {"event":"content","text":"..."}
//! {"event":"tool_call_start","index":0,"name":"weather","recipient":"functions.weather"}
//! {"event":"tool_call_arguments","index":0,"text":"{\"city\":"}
//! {"event":"tool_call_end","index":0,"arguments":"{\"city\":\"Oslo\"}","status":"complete"}
//! {"event":"message_end","end":"call"}
//! {"event":"deviation","kind":"stray_text","offset":12,"dropped":""}
//! {"event":"rollback"}
//! {"event":"finish","failure":null,"last_end":"call","deviations":0,"bytes":{"analysis":0,"commentary":15,"final":0,"other":0}}
//! {"event":"finish","failure":{"kind":"no_message","offset":5},"last_end":null,"deviations":0,"bytes":{...}}
//! ```
//!
//! `channel` is `none`, `analysis`, `commentary`, `final` or `other`; `end` and `last_end` are `end`, `return`, `call`,
//! `next_header` or `end_of_stream`; `status` is `complete`, `malformed` or `incomplete`. Each maximal part of a broken
//! UTF-8 sequence is one U+FFFD, as in `String::from_utf8_lossy`.

use std::io::{self, Write};

use harmony_stream::Event;

use super::Render;

pub(crate) struct Lines<W> {
    out: W,
}

impl<W: Write> Lines<W> {
    pub(crate) fn new(out: W) -> Lines<W> {
        Lines { out }
    }
}

impl<W: Write> Render for Lines<W> {
    fn event(&mut self, event: &Event<&[u8]>) -> io::Result<()> {
        let event = event.map(String::from_utf8_lossy);
        serde_json::to_writer(&mut self.out, &event)?;
        self.out.write_all(b"\n")
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
