// harmony-stream through its C++ header, pushed and at once.
#include <harmony_stream.hpp>

#include "protocol.hpp"

namespace {

struct Count {
  size_t bytes = 0;
  void content(std::string_view text) { bytes += text.size(); }
  void reasoning(std::string_view text) { bytes += text.size(); }
  void call(std::string_view name) { bytes += name.size(); }
  void arguments(std::string_view text) { bytes += text.size(); }
  void rollback() {}
};

struct Collect {
  Outcome outcome;
  void content(std::string_view text) { outcome.content += text; }
  void reasoning(std::string_view text) { outcome.reasoning += text; }
  void call(std::string_view name) { outcome.calls.emplace_back(name, ""); }
  void arguments(std::string_view text) { outcome.calls.back().second += text; }
  void rollback() { outcome = Outcome(); }
};

template <typename Sink>
void take(const harmony::events & events, Sink & sink) {
  using harmony::event_kind;
  for (const auto & event : events) {
    switch (event.kind) {
      case event_kind::content: sink.content(event.text); break;
      case event_kind::reasoning: sink.reasoning(event.text); break;
      case event_kind::tool_call_start: sink.call(event.text); break;
      case event_kind::tool_call_arguments: sink.arguments(event.text); break;
      case event_kind::rollback: sink.rollback(); break;
      default: break;
    }
  }
}

template <typename Sink>
void run(const Input & input, bool whole, Sink & sink) {
  if (whole) {
    const harmony::message message = harmony::parse(input.text);
    sink.content(message.content());
    sink.reasoning(message.reasoning());
    for (size_t i = 0; i < message.call_count(); i++) {
      sink.call(message.call(i).name);
      sink.arguments(message.call(i).arguments);
    }
    return;
  }
  harmony::stream stream;
  for (const auto & piece : input.pieces) take(stream.push(piece), sink);
  take(stream.finish(), sink);
}

}  // namespace

int main(int argc, char ** argv) {
  const bool whole = argc > 1 && std::string(argv[1]) == "whole";
  const auto count = [&](const Input & input) {
    Count sink;
    run(input, whole, sink);
    return sink.bytes;
  };
  const auto parse = [&](const Input & input) {
    Collect sink;
    run(input, whole, sink);
    return sink.outcome;
  };
  return protocol::serve([](const Input &) {}, count, parse);
}
