// harmony-stream through its C interface. The protocol is C++, what is timed (c.c) is C.
#include "protocol.hpp"

extern "C" {
#include "c.h"
}

static void append(void * to, int what, const char * text, size_t length) {
  Outcome & outcome = *static_cast<Outcome *>(to);
  switch (what) {
    case CONTENT: outcome.content.append(text, length); break;
    case REASONING: outcome.reasoning.append(text, length); break;
    case CALL: outcome.calls.emplace_back(std::string(text, length), ""); break;
    case ARGUMENTS: outcome.calls.back().second.append(text, length); break;
    default: outcome = Outcome(); break;
  }
}

int main(int argc, char ** argv) {
  const bool whole = argc > 1 && std::string(argv[1]) == "whole";
  std::vector<piece> pieces;
  const auto prepare = [&](const Input & input) {
    pieces.clear();
    for (const auto & text : input.pieces) pieces.push_back(piece{text.data(), text.size()});
  };
  const auto count = [&](const Input & input) {
    return whole ? parse_whole(input.text.data(), input.text.size(), nullptr, nullptr)
                 : parse_pieces(pieces.data(), pieces.size(), nullptr, nullptr);
  };
  const auto parse = [&](const Input & input) {
    Outcome outcome;
    if (whole) parse_whole(input.text.data(), input.text.size(), append, &outcome);
    else parse_pieces(pieces.data(), pieces.size(), append, &outcome);
    return outcome;
  };
  return protocol::serve(prepare, count, parse);
}
