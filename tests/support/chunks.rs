//! Ways to cut a text into chunks, for `str` (between characters) and bytes (anywhere).

/// Text that can be cut.
pub(crate) trait Cut {
    fn size(&self) -> usize;
    fn may_cut(&self, at: usize) -> bool;
    fn part(&self, from: usize, to: usize) -> &Self;
}

impl Cut for str {
    fn size(&self) -> usize {
        self.len()
    }

    fn may_cut(&self, at: usize) -> bool {
        self.is_char_boundary(at)
    }

    fn part(&self, from: usize, to: usize) -> &str {
        &self[from..to]
    }
}

impl Cut for [u8] {
    fn size(&self) -> usize {
        self.len()
    }

    fn may_cut(&self, _: usize) -> bool {
        true
    }

    fn part(&self, from: usize, to: usize) -> &[u8] {
        &self[from..to]
    }
}

/// Cuts at `points`, which ascend; each moves on to the next place where a cut may be.
pub(crate) fn at<T: Cut + ?Sized>(text: &T, points: impl IntoIterator<Item = usize>) -> Vec<&T> {
    let mut chunks = Vec::new();
    let mut from = 0;
    for point in points {
        let to = (point..text.size()).find(|&at| text.may_cut(at)).unwrap_or(text.size());
        if to >= from {
            chunks.push(text.part(from, to));
            from = to;
        }
    }
    chunks.push(text.part(from, text.size()));
    chunks
}

/// Chunks of `size` bytes, or one character where that is more.
pub(crate) fn fixed<T: Cut + ?Sized>(text: &T, size: usize) -> Vec<&T> {
    let mut chunks = Vec::new();
    let mut from = 0;
    while from < text.size() {
        let to = (from + size..text.size()).find(|&at| text.may_cut(at)).unwrap_or(text.size());
        chunks.push(text.part(from, to));
        from = to;
    }
    chunks
}

/// The text in two, at every place.
pub(crate) fn every_split<T: Cut + ?Sized>(text: &T) -> impl Iterator<Item = Vec<&T>> {
    (0..=text.size())
        .filter(|&at| text.may_cut(at))
        .map(|at| vec![text.part(0, at), text.part(at, text.size())])
}

/// Chunks of 0 to `longest` bytes, the same ones for the same seed.
pub(crate) fn random<T: Cut + ?Sized>(text: &T, longest: usize, seed: u64) -> Vec<&T> {
    let mut random = Random(seed);
    let mut point = 0;
    let points = std::iter::from_fn(|| {
        point += random.below(longest + 1);
        (point < text.size()).then_some(point)
    });
    at(text, points)
}

/// SplitMix64: plain, and the same everywhere.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}
