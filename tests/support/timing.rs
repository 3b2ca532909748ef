//! Whether work is linear, by the clock of a machine that may be busy.

use std::time::{Duration, Instant};

/// How many times as long as the small text the large one is.
pub(crate) const FACTOR: usize = 16;

/// How much longer than so many small texts the large one may take. Quadratic work takes `FACTOR` times as long.
const SLACK: u32 = 6;

/// Runs as many small texts as make a large one against that: both last equally long, so whatever else runs here slows
/// both alike. Within the bound once is enough, since quadratic work never is. `Err`: the times.
pub(crate) fn linear<T: ?Sized>(small: &T, large: &T, run: impl Fn(&T)) -> Result<(), String> {
    let start = Instant::now();
    linear_by(|| start.elapsed(), small, large, run)
}

/// The same by any clock, such as one that counts.
pub(crate) fn linear_by<T: ?Sized>(
    clock: impl Fn() -> Duration,
    small: &T,
    large: &T,
    run: impl Fn(&T),
) -> Result<(), String> {
    let mut times = Vec::new();
    let found = (0..20).any(|_| {
        let many = shorter(&clock, || (0..FACTOR).for_each(|_| run(small)));
        let one = shorter(&clock, || run(large));
        times.push((many, one));
        one <= many * SLACK
    });
    if found { Ok(()) } else { Err(format!("{times:?}")) }
}

/// The shorter of two runs, which was disturbed less.
fn shorter(clock: impl Fn() -> Duration, run: impl Fn()) -> Duration {
    let time = |_| {
        let start = clock();
        run();
        clock() - start
    };
    (0..2).map(time).min().unwrap_or_default()
}
