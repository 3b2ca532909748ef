//! All vector files through C.

use crate::programs::compile;
use crate::tool::{ffi, run, tool};

#[test]
fn all_vectors_at_random_chunkings() {
    let sanitized = "-std=c++17 -O1 -fsanitize=address,undefined -fno-sanitize-recover=all";
    let program = compile("vectors.cpp", sanitized, "vectors");
    for seed in 1..=3 {
        let printed = run(tool(&program, "../tests/vectors").arg(seed.to_string()).current_dir(ffi()));
        assert!(printed.ends_with("ok\n"), "{printed}");
    }
}
