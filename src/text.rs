//! The two kinds of text a parser takes: `str`, and bytes that should be UTF-8 but may not be.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Debug;

use crate::Span;

/// `str` or `[u8]`.
pub trait Text: ToOwned<Owned: Clone + Debug + Default + Eq> + Debug + Eq + sealed::Sealed + 'static {
    /// Known to be UTF-8, in every piece.
    #[doc(hidden)]
    const UTF8: bool;
    #[doc(hidden)]
    fn bytes(&self) -> &[u8];
    #[doc(hidden)]
    fn piece(&self, span: Span) -> &Self;
    #[doc(hidden)]
    fn append(buffer: &mut Self::Owned, text: &Self);
    #[doc(hidden)]
    fn append_ascii(buffer: &mut Self::Owned, literal: &'static str);
    #[doc(hidden)]
    fn clear(buffer: &mut Self::Owned);
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for str {}
    impl Sealed for [u8] {}
}

impl Text for str {
    const UTF8: bool = true;

    #[inline]
    fn bytes(&self) -> &[u8] {
        self.as_bytes()
    }

    #[inline]
    fn piece(&self, span: Span) -> &str {
        &self[span.start..span.end]
    }

    #[inline]
    fn append(buffer: &mut String, text: &str) {
        buffer.push_str(text);
    }

    fn append_ascii(buffer: &mut String, literal: &'static str) {
        buffer.push_str(literal);
    }

    fn clear(buffer: &mut String) {
        buffer.clear();
    }
}

impl Text for [u8] {
    const UTF8: bool = false;

    #[inline]
    fn bytes(&self) -> &[u8] {
        self
    }

    #[inline]
    fn piece(&self, span: Span) -> &[u8] {
        &self[span.start..span.end]
    }

    #[inline]
    fn append(buffer: &mut Vec<u8>, text: &[u8]) {
        buffer.extend_from_slice(text);
    }

    fn append_ascii(buffer: &mut Vec<u8>, literal: &'static str) {
        buffer.extend_from_slice(literal.as_bytes());
    }

    fn clear(buffer: &mut Vec<u8>) {
        buffer.clear();
    }
}
