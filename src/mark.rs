//! An offset that may be missing, in the space of an offset: a parser has many, and should be small.

use core::fmt;

/// Some offset of a text, or none.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Mark(usize);

impl Mark {
    /// No text is so long: `usize::MAX` bytes do not fit into memory beside the program.
    pub(crate) const NONE: Mark = Mark(usize::MAX);

    pub(crate) const fn at(offset: usize) -> Mark {
        Mark(offset)
    }

    /// The offset if there is one.
    #[inline]
    pub(crate) const fn get(self) -> Option<usize> {
        if self.is_some() { Some(self.0) } else { None }
    }

    #[inline]
    pub(crate) const fn is_some(self) -> bool {
        self.0 != usize::MAX
    }

    #[inline]
    pub(crate) const fn is_none(self) -> bool {
        !self.is_some()
    }
}

/// Shown as the option it is.
impl fmt::Debug for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

impl Default for Mark {
    fn default() -> Mark {
        Mark::NONE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offset_or_none() {
        assert_eq!(Mark::at(0).get(), Some(0));
        assert_eq!(Mark::at(usize::MAX - 1).get(), Some(usize::MAX - 1));
        assert_eq!(Mark::NONE.get(), None);
        assert!(Mark::default().is_none() && Mark::at(0).is_some());
        assert_eq!(size_of::<Mark>(), size_of::<usize>());
    }
}
