#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| harmony_stream_fuzz::filter::check(data));
