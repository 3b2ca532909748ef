//! Somebody else's Rust library in the same program: it allocates, uses threads and catches a panic of its own.

use std::collections::HashMap;
use std::panic::catch_unwind;

/// Counts words in another thread. 3.
#[unsafe(no_mangle)]
pub extern "C" fn neighbour_works() -> u32 {
    let count = || {
        let mut words = HashMap::new();
        "one two three two".split(' ').for_each(|word| *words.entry(word.to_owned()).or_insert(0) += 1);
        words.len() as u32
    };
    std::thread::spawn(count).join().unwrap_or(0)
}

/// 1 if a panic was caught.
#[unsafe(no_mangle)]
pub extern "C" fn neighbour_catches_a_panic() -> u32 {
    u32::from(catch_unwind(|| panic!("the neighbour's panic")).is_err())
}

/// 1 if llguidance parses a grammar, or is not there.
#[unsafe(no_mangle)]
pub extern "C" fn neighbour_knows_grammars() -> u32 {
    #[cfg(feature = "llguidance")]
    return u32::from(grammar_is_taken());
    #[cfg(not(feature = "llguidance"))]
    1
}

#[cfg(feature = "llguidance")]
fn grammar_is_taken() -> bool {
    use llguidance::api::TopLevelGrammar;
    let grammar = TopLevelGrammar::from_lark("start: \"yes\" | \"no\"".to_owned());
    let env = toktrie::ApproximateTokEnv::single_byte_env();
    let factory = llguidance::ParserFactory::new_simple(&env);
    factory.and_then(|factory| factory.create_parser(grammar)).is_ok()
}
