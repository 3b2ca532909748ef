#include <harmony_stream.hpp>

#include <cstdio>

int main() {
  harmony::stream stream;
  for (const auto & event : stream.push("<|channel|>final<|message|>Noon.")) {
    if (event.kind == harmony::event_kind::content) std::printf("%.*s\n", int(event.text.size()), event.text.data());
  }
  return stream.finish() && harmony_abi() == HARMONY_ABI ? 0 : 1;
}
