//! The verbatim machine holds what DESIGN's list allows, after every character and every token.

use harmony_stream::{Policy, Start};

use crate::input;
use crate::support::drive::Feed;
use crate::support::prompt;

/// The list is walked anew behind each character.
const LONGEST: usize = 512;

/// Held bytes against the list.
pub fn check(data: &[u8]) {
    let Some((byte, rest)) = input::split(data) else { return };
    if rest.len() > LONGEST {
        return;
    }
    let options = input::options(byte).policy(Policy::Verbatim).start(Start::Detect);
    let checked = if input::tokens(byte) {
        let Some(feed) = as_text(&input::feed(rest, true)) else { return };
        prompt::check_tokens(&feed, options)
    } else {
        let Ok(text) = std::str::from_utf8(rest) else { return };
        prompt::check(text, options)
    };
    assert_eq!(checked, Ok(()));
}

/// `None` if a piece is no UTF-8.
fn as_text<'a>(feed: &[Feed<'a, [u8]>]) -> Option<Vec<Feed<'a, str>>> {
    let piece = |piece: &Feed<'a, [u8]>| match *piece {
        Feed::Text(text) => std::str::from_utf8(text).ok().map(Feed::Text),
        Feed::Control(control) => Some(Feed::Control(control)),
    };
    feed.iter().map(piece).collect()
}
