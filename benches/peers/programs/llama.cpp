// llama.cpp's chat parser, used as its server does: all that has come so far is parsed anew at every piece, and the
// difference to the last result is passed on. Stop tokens never reach it; each ends a turn.
#include "chat.h"

#include "protocol.hpp"

namespace {

common_chat_parser_params params;

// The tools are part of the grammar.
void prepare(const Input & input) {
  // Any template that mentions the channels is taken for that of gpt-oss.
  const std::string source =
      "{% for message in messages %}<|start|>{{ message.role }}<|channel|>final<|message|>{{ message.content }}<|end|>"
      "{% endfor %}{% if add_generation_prompt %}<|start|>assistant{% endif %}";
  const auto templates = common_chat_templates_init(nullptr, source);
  common_chat_templates_inputs inputs;
  common_chat_msg message;
  message.role = "user";
  message.content = "?";
  inputs.messages.push_back(message);
  inputs.reasoning_format = COMMON_REASONING_FORMAT_AUTO;
  for (const auto & name : input.tools) inputs.tools.push_back({name, "", "{\"type\":\"object\"}"});
  const auto applied = common_chat_templates_apply(templates.get(), inputs);
  params = common_chat_parser_params(applied);
  params.reasoning_format = COMMON_REASONING_FORMAT_AUTO;
  params.parser.load(applied.parser);
}

struct Turn {
  std::string text;
  common_chat_msg message;
};

template <typename Sink>
void update(Turn & turn, bool partial, Sink & sink) {
  common_chat_msg message = common_chat_parse(turn.text, partial, params);
  if (message.empty()) return;
  for (const auto & diff : common_chat_msg_diff::compute_diffs(turn.message, message)) {
    sink.content(diff.content_delta);
    sink.reasoning(diff.reasoning_content_delta);
    if (diff.tool_call_index == std::string::npos) continue;
    if (!diff.tool_call_delta.name.empty()) sink.call(diff.tool_call_delta.name);
    sink.arguments(diff.tool_call_delta.arguments);
  }
  turn.message = message;
}

std::string_view without_stop(std::string_view piece, bool last) {
  for (const std::string_view stop : {"<|return|>", "<|call|>"}) {
    if (last && piece.size() >= stop.size() && piece.substr(piece.size() - stop.size()) == stop)
      return piece.substr(0, piece.size() - stop.size());
  }
  return piece;
}

template <typename Sink>
void run(const Input & input, Sink & sink) {
  // The prompt of every later turn ends with it.
  constexpr std::string_view opening = "<|start|>assistant";
  Turn turn;
  std::string_view skip;
  for (size_t i = 0; i < input.pieces.size(); i++) {
    std::string_view piece = input.pieces[i];
    const bool last = i + 1 == input.pieces.size();
    if (piece == "<|call|>" && !last) {
      update(turn, false, sink);
      turn = Turn();
      skip = opening;
      continue;
    }
    for (; !skip.empty() && !piece.empty() && piece[0] == skip[0]; piece.remove_prefix(1)) skip.remove_prefix(1);
    if (piece.empty()) continue;
    skip = {};
    turn.text += without_stop(piece, last);
    update(turn, !last, sink);
  }
}

struct Count {
  size_t bytes = 0;
  void content(const std::string & text) { bytes += text.size(); }
  void reasoning(const std::string & text) { bytes += text.size(); }
  void call(const std::string & name) { bytes += name.size(); }
  void arguments(const std::string & text) { bytes += text.size(); }
};

struct Collect {
  Outcome outcome;
  void content(const std::string & text) { outcome.content += text; }
  void reasoning(const std::string & text) { outcome.reasoning += text; }
  void call(const std::string & name) { outcome.calls.emplace_back(name, ""); }
  void arguments(const std::string & text) {
    if (!text.empty() && !outcome.calls.empty()) outcome.calls.back().second += text;
  }
};

}  // namespace

int main() {
  const auto count = [](const Input & input) {
    Count sink;
    try {
      run(input, sink);
    } catch (const std::exception &) {
      // `parse` has reported it.
    }
    return sink.bytes;
  };
  const auto parse = [](const Input & input) {
    Collect sink;
    try {
      run(input, sink);
    } catch (const std::exception & error) {
      sink.outcome.error = error.what();
    }
    return sink.outcome;
  };
  return protocol::serve(prepare, count, parse);
}
