//! Rules of the crate's source that no compiler checks.

use std::collections::BTreeSet;
use std::fs;

use crate::symbols::declared;
use crate::tool::ffi;

/// All files of `src`, without comments and tests.
fn sources() -> Vec<(String, String)> {
    let files = fs::read_dir(ffi().join("src")).expect("the sources");
    files
        .map(|file| {
            let path = file.expect("a file").path();
            let text = fs::read_to_string(&path).expect("a source file");
            let code = text.split("#[cfg(test)]").next().unwrap_or("");
            let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
            (path.display().to_string(), lines.collect::<Vec<_>>().join("\n"))
        })
        .collect()
}

/// Name and body of every function for C.
fn functions(code: &str) -> Vec<(String, String)> {
    let mut functions = Vec::new();
    for text in code.split("extern \"C\" fn ").skip(1) {
        let name = text[..text.find('(').expect("parameters")].to_owned();
        let body = &text[text.find('{').expect("a body") + 1..text.find("\n}").expect("its end")];
        functions.push((name, body.trim().to_owned()));
    }
    functions
}

/// The body is one call of a guard, constants aside.
fn is_guarded(body: &str) -> bool {
    let guards = ["guard::guard(", "guard::status(", "guard(", "name("];
    let code = body.lines().skip_while(|line| line.trim_start().starts_with("const "));
    let code = code.collect::<Vec<_>>().join("\n");
    let Some(guard) = guards.into_iter().find(|guard| code.trim_start().starts_with(guard)) else {
        return false;
    };
    // Nothing comes behind the parenthesis that closes it.
    let mut depth = 0;
    let rest = &code.trim_start()[guard.len() - 1..];
    let end = rest.char_indices().find(|&(_, byte)| {
        depth += i32::from(byte == '(') - i32::from(byte == ')');
        depth == 0
    });
    end.is_some_and(|(at, _)| rest[at + 1..].trim().trim_end_matches(';').is_empty())
}

#[test]
fn every_function_for_c_is_guarded() {
    let mut seen = BTreeSet::new();
    for (file, code) in sources() {
        for (name, body) in functions(&code) {
            assert!(is_guarded(&body), "{name} in {file} does not begin with a guard, or goes on behind it");
            seen.insert(name);
        }
    }
    seen.remove("harmony_test_panic_next");
    assert_eq!(seen, declared());
}

#[test]
fn the_test_above_sees_what_is_not_guarded() {
    assert!(is_guarded("guard::status(|| Ok(f()))"));
    assert!(!is_guarded("f()"));
    assert!(!is_guarded("guard::status(|| Ok(f())) + g()"));
    assert!(!is_guarded("f();\n    guard::guard((), || ())"));
}

/// `unsafe` needs its reason directly before it.
#[test]
fn every_unsafe_block_says_why() {
    for file in fs::read_dir(ffi().join("src")).expect("the sources") {
        let path = file.expect("a file").path();
        let text = fs::read_to_string(&path).expect("a source file");
        let lines: Vec<&str> = text.lines().collect();
        for (number, line) in lines.iter().enumerate() {
            let opens = line.contains("unsafe {") && !line.trim_start().starts_with("//");
            let before = lines[..number].iter().rev().take(4);
            let said =
                before.take_while(|line| !line.trim().is_empty()).any(|line| line.contains("// SAFETY:"));
            assert!(!opens || said, "{}:{}: {line}", path.display(), number + 1);
        }
    }
}
