//! The system's allocator, counting for each thread: what other tests and the harness allocate beside it is not counted.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static LIVE: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

/// Bytes that this thread has allocated and not freed.
pub(crate) fn live() -> isize {
    LIVE.get()
}

/// The most that was live since [`restart_peak`].
pub(crate) fn peak() -> isize {
    PEAK.get()
}

pub(crate) fn restart_peak() {
    PEAK.set(LIVE.get());
}

/// How often this thread has allocated.
pub(crate) fn calls() -> usize {
    CALLS.get()
}

struct Counting;

// SAFETY: everything is passed on to the system's allocator; `realloc` is the trait's own, by these two.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LIVE.set(LIVE.get() + layout.size() as isize);
        PEAK.set(PEAK.get().max(LIVE.get()));
        CALLS.set(CALLS.get() + 1);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.set(LIVE.get() - layout.size() as isize);
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;
