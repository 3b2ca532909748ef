//! The one way in for every exported function: no panic leaves, and a handle in which one happened is closed for good.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::status::Outcome;
use crate::{HARMONY_E_PANIC, harmony_status};

/// Runs `body`; a panic in it gives `fallback`.
#[inline]
pub(crate) fn guard<R>(fallback: R, body: impl FnOnce() -> R) -> R {
    // Nothing of what a panic interrupts is seen again: outputs are written first, and handles are poisoned.
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(fallback)
}

/// The same for functions that return a status.
#[inline]
pub(crate) fn status(body: impl FnOnce() -> Outcome) -> harmony_status {
    guard(HARMONY_E_PANIC, || body().unwrap_or_else(|error| error))
}

/// What a handle of C points to.
pub(crate) struct Handle<T> {
    value: T,
    /// A panic interrupted a call; the value may be half changed. Atomic, because `const` calls may run side by side.
    poisoned: AtomicBool,
}

impl<T> Handle<T> {
    pub(crate) fn new(value: T) -> Handle<T> {
        Handle { value, poisoned: AtomicBool::new(false) }
    }

    /// Works on the value, unless an earlier call panicked.
    #[inline]
    pub(crate) fn change<R>(&mut self, body: impl FnOnce(&mut T) -> Outcome<R>) -> Outcome<R> {
        let Handle { value, poisoned } = self;
        interrupted(poisoned, || body(value))
    }

    /// Looks at the value, unless an earlier call panicked.
    #[inline]
    pub(crate) fn look<R>(&self, body: impl FnOnce(&T) -> Outcome<R>) -> Outcome<R> {
        interrupted(&self.poisoned, || body(&self.value))
    }
}

#[inline]
fn interrupted<R>(poisoned: &AtomicBool, body: impl FnOnce() -> Outcome<R>) -> Outcome<R> {
    if poisoned.load(Ordering::Relaxed) {
        return Err(HARMONY_E_PANIC);
    }
    let poison = Poison(poisoned);
    trip();
    let outcome = body();
    std::mem::forget(poison);
    outcome
}

/// Closes the handle when it is dropped, which only a panic does.
struct Poison<'a>(&'a AtomicBool);

impl Drop for Poison<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(feature = "panic-hook")]
static TRIP: AtomicBool = AtomicBool::new(false);

/// Panics if a test asked for it.
#[inline]
pub(crate) fn trip() {
    #[cfg(feature = "panic-hook")]
    if TRIP.swap(false, Ordering::Relaxed) {
        panic!("a test asked for this panic");
    }
}

/// Makes the next call panic that works on a handle, makes one, or searches a text. For tests only; no header declares it.
#[cfg(feature = "panic-hook")]
#[unsafe(no_mangle)]
pub extern "C" fn harmony_test_panic_next() {
    guard((), || TRIP.store(true, Ordering::Relaxed));
}
