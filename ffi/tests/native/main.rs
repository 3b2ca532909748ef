//! The C and C++ side, built and run as users build and run it.
//!
//! Needs gcc, g++, binutils, valgrind, cmake, pkg-config, nlohmann-json and cpp-httplib (Debian: `apt-get install g++
//! valgrind cmake pkg-config nlohmann-json3-dev libcpp-httplib-dev`). What is missing fails a test and says so.

mod archive;
mod examples;
mod headers;
mod install;
mod library;
mod programs;
mod source;
mod symbols;
mod tool;
mod vectors;
