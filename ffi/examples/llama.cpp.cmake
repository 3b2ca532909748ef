# For trees in the shape of llama.cpp, which builds llguidance the same way: copy this file and
#
#   include(llama.cpp.cmake)
#   target_link_libraries(common PRIVATE harmony_stream)
#
# Linux so far. The static library is localised, so that it links beside llguidance's whatever rustc and LTO that was built with.
include(ExternalProject)

set(HARMONY_STREAM_TAG v0.1.0 CACHE STRING "Release of harmony-stream to build")
set(HARMONY_STREAM_REPOSITORY "" CACHE STRING "Git repository of harmony-stream")
# A checkout at hand instead.
set(HARMONY_STREAM_SOURCE "" CACHE PATH "Folder of harmony-stream's source, if it is not to be fetched")
set(HARMONY_STREAM_CARGO_TARGET_DIR ${CMAKE_CURRENT_BINARY_DIR}/harmony_stream/cargo CACHE PATH "Where cargo builds")

if(HARMONY_STREAM_SOURCE)
  set(harmony_stream_source ${HARMONY_STREAM_SOURCE})
  set(harmony_stream_download DOWNLOAD_COMMAND "")
elseif(NOT HARMONY_STREAM_REPOSITORY)
  message(FATAL_ERROR "set HARMONY_STREAM_REPOSITORY or HARMONY_STREAM_SOURCE")
else()
  set(harmony_stream_source ${CMAKE_CURRENT_BINARY_DIR}/harmony_stream/source)
  set(harmony_stream_download GIT_REPOSITORY ${HARMONY_STREAM_REPOSITORY} GIT_TAG ${HARMONY_STREAM_TAG}
      GIT_SHALLOW ON UPDATE_COMMAND "")
endif()
set(harmony_stream_library ${CMAKE_CURRENT_BINARY_DIR}/harmony_stream/libharmony_stream.a)

ExternalProject_Add(harmony_stream_ext
  PREFIX ${CMAKE_CURRENT_BINARY_DIR}/harmony_stream
  SOURCE_DIR ${harmony_stream_source}
  ${harmony_stream_download}
  CONFIGURE_COMMAND ""
  BUILD_IN_SOURCE ON
  BUILD_COMMAND cargo build --release --locked --package harmony-stream-ffi --lib
                --target-dir ${HARMONY_STREAM_CARGO_TARGET_DIR}
  COMMAND ffi/localise.sh ${HARMONY_STREAM_CARGO_TARGET_DIR}/release/libharmony_stream_ffi.a ${harmony_stream_library}
  INSTALL_COMMAND ""
  BUILD_BYPRODUCTS ${harmony_stream_library})

add_library(harmony_stream STATIC IMPORTED GLOBAL)
set_target_properties(harmony_stream PROPERTIES
  IMPORTED_LOCATION ${harmony_stream_library}
  INTERFACE_LINK_LIBRARIES "gcc_s;util;rt;pthread;m;dl")
# Not as a property: CMake wants the folder to exist, which before the first build it may not.
target_include_directories(harmony_stream SYSTEM INTERFACE $<BUILD_INTERFACE:${harmony_stream_source}/include>)
add_dependencies(harmony_stream harmony_stream_ext)
