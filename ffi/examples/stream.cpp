// Reads the text of a model from standard input in pieces and prints the events, one JSON object a line: the same as
// `harmony-stream --format events`.
//
//   c++ -std=c++17 stream.cpp $(pkg-config --cflags --libs harmony_stream) -o stream
//   ./stream [--lenient] [--chunk BYTES] < transcript.txt
#include <harmony_stream.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "json_text.h"

using harmony::event_kind;

static void field(const char * name, std::string_view text) {
  std::printf(",\"%s\":", name);
  json_text(stdout, text.data(), text.size());
}

static void field(const char * name, std::uint64_t value) {
  std::printf(",\"%s\":%llu", name, static_cast<unsigned long long>(value));
}

static void print_finish(const harmony::summary & end) {
  if (const auto failure = end.failure()) {
    std::printf(",\"failure\":{\"kind\":\"%s\"", failure->name());
    field("offset", failure->offset);
    std::printf("}");
  } else {
    std::printf(",\"failure\":null");
  }
  if (end.last_end() == harmony::message_end::none) std::printf(",\"last_end\":null");
  else field("last_end", harmony::name(end.last_end()));
  field("deviations", end.c.deviations);
  std::printf(",\"bytes\":{\"analysis\":%llu", static_cast<unsigned long long>(end.c.bytes_analysis));
  field("commentary", end.c.bytes_commentary);
  field("final", end.c.bytes_final);
  field("other", end.c.bytes_other);
  std::printf("}");
}

static void print(const harmony::stream & stream, const harmony::event & event) {
  std::printf("{\"event\":\"%s\"", harmony::name(event.kind));
  switch (event.kind) {
    case event_kind::message_start:
      field("channel", harmony::name(event.channel));
      if (event.recipient().empty()) std::printf(",\"recipient\":null");
      else field("recipient", event.recipient());
      break;
    case event_kind::content:
    case event_kind::reasoning:
      field("text", event.text);
      break;
    case event_kind::tool_call_start:
      field("index", std::uint64_t{event.index});
      field("name", event.text);
      field("recipient", event.recipient());
      break;
    case event_kind::tool_call_arguments:
      field("index", std::uint64_t{event.index});
      field("text", event.text);
      break;
    case event_kind::tool_call_end:
      field("index", std::uint64_t{event.index});
      field("arguments", event.text);
      field("status", harmony::name(event.call()));
      break;
    case event_kind::message_end:
      field("end", harmony::name(event.end()));
      break;
    case event_kind::deviation:
      field("kind", harmony_deviation_name(event.deviation()));
      field("offset", event.offset);
      field("dropped", event.text);
      break;
    case event_kind::finish:
      print_finish(stream.summary());
      break;
    default:
      break;
  }
  std::printf("}\n");
}

static harmony_status run(harmony::stream & stream, std::vector<char> & piece) {
  while (const std::size_t length = std::fread(piece.data(), 1, piece.size(), stdin)) {
    const harmony::events events = stream.push({piece.data(), length});
    if (!events) return events.status();
    for (const harmony::event & event : events) print(stream, event);
  }
  const harmony::events events = stream.finish();
  for (const harmony::event & event : events) print(stream, event);
  return events.status();
}

int main(int argc, char ** argv) {
  harmony::options options;
  std::size_t chunk = 65536;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--lenient") == 0) options = harmony::options::lenient();
    else if (std::strcmp(argv[i], "--chunk") == 0 && i + 1 < argc) chunk = std::strtoul(argv[++i], nullptr, 10);
    else chunk = 0;
  }
  if (chunk == 0) {
    std::fprintf(stderr, "usage: %s [--lenient] [--chunk BYTES] < transcript.txt\n", argv[0]);
    return 2;
  }
  std::vector<char> piece(chunk);
  harmony::stream stream(options);
  const harmony_status status = stream ? run(stream, piece) : stream.status();
  if (status < 0) std::fprintf(stderr, "%s: %s\n", argv[0], harmony_status_name(status));
  return status < 0 ? 2 : 0;
}
