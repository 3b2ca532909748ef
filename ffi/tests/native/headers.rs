//! The headers alone and twice, in every language they are for; and the program in the overview.

use std::fs;

use crate::library::{NATIVE, with_panic_hook};
use crate::tool::{ffi, output, report, run, scratch, tool};

const STRICT: &str = "-Wall -Wextra -pedantic -Werror -I ../include -c -o /dev/null";

fn compiles(compiler: &str, language: &str, header: &str) {
    let folder = scratch(&format!("{compiler}-{language}-{header}").replace([' ', '='], "-"));
    let suffix = if compiler == "gcc" { "c" } else { "cpp" };
    for (name, times) in [("once", 1), ("twice", 2)] {
        let file = folder.join(format!("{name}.{suffix}"));
        let text = format!("#include <{header}>\n").repeat(times) + "extern int not_empty;\n";
        fs::write(&file, text).expect("a source file");
        run(tool(compiler, &format!("{language} {STRICT}")).arg(file).current_dir(ffi()));
    }
}

#[test]
fn alone_and_twice() {
    for standard in ["-std=c99", "-std=c11", "-std=c17"] {
        compiles("gcc", standard, "harmony_stream.h");
    }
    for standard in ["-std=c++11", "-std=c++17", "-std=c++20"] {
        compiles("g++", &format!("{standard} -fno-exceptions -fno-rtti"), "harmony_stream.h");
    }
    for standard in ["-std=c++17", "-std=c++20", "-std=c++23"] {
        compiles("g++", &format!("{standard} -fno-exceptions -fno-rtti"), "harmony_stream.hpp");
        compiles("g++", standard, "harmony_stream.hpp");
    }
}

/// The program in the header's first comment is one.
#[test]
fn the_program_in_the_overview() {
    let header = fs::read_to_string(ffi().join("../include/harmony_stream.h")).expect("the header");
    let program: String = header
        .lines()
        .skip_while(|line| !line.contains("#include <harmony_stream.h>"))
        .take_while(|line| !line.starts_with(" * Order"))
        .map(|line| line.trim_start_matches(" *").to_owned() + "\n")
        .collect();
    let folder = scratch("overview");
    let (source, binary) = (folder.join("overview.c"), folder.join("overview"));
    fs::write(&source, program).expect("a source file");
    run(tool("gcc", "-std=c99 -Wall -Wextra -pedantic -Werror -I ../include")
        .current_dir(ffi())
        .arg(source)
        .arg(with_panic_hook())
        .args(NATIVE)
        .arg("-o")
        .arg(&binary));
    let mut command = tool(binary, "");
    let printed =
        output(&mut command, b"<|channel|>analysis<|message|>Hm.<|end|><|channel|>final<|message|>Noon.");
    assert!(printed.status.success() && printed.stdout == b"Noon.", "{}", report(&command, &printed));
}
