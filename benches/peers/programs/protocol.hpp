// The contestant's side of the protocol (see the README), for C and C++.
#ifndef PROTOCOL_HPP
#define PROTOCOL_HPP

#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

struct Input {
  std::string text;
  std::vector<std::string_view> pieces;
  std::vector<std::string> tools;
};

struct Outcome {
  std::string content, reasoning, error;
  std::vector<std::pair<std::string, std::string>> calls;
};

namespace protocol {

inline std::string read(const std::string & path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::string all(static_cast<size_t>(file.tellg()), '\0');
  file.seekg(0).read(all.data(), static_cast<std::streamsize>(all.size()));
  return all;
}

inline void load(const std::string & stem, const std::string & cut, Input & input) {
  input.text = read(stem + ".text");
  input.pieces.clear();
  const std::string lengths = read(stem + "." + cut);
  size_t from = 0;
  for (size_t i = 0; i + 4 <= lengths.size(); i += 4) {
    const auto byte = [&](size_t k) { return std::uint32_t(static_cast<unsigned char>(lengths[i + k])); };
    const size_t length = byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24;
    input.pieces.push_back(std::string_view(input.text).substr(from, length));
    from += length;
  }
  input.tools.clear();
  std::istringstream names(read(stem + ".tools"));
  for (std::string name; std::getline(names, name);) input.tools.push_back(name);
}

inline std::uint64_t now() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return std::uint64_t(time.tv_sec) * 1000000000u + std::uint64_t(time.tv_nsec);
}

inline void field(const char * name, const std::string & text) {
  std::printf("%s %zu\n", name, text.size());
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::printf("\n");
}

// Answers requests until the other side hangs up. `count` parses and gives the number of bytes that came out; `parse`
// keeps them.
template <typename Load, typename Count, typename Parse>
int serve(Load prepare, Count count, Parse parse) {
  Input input;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string request, stem, cut;
    std::getline(words, request, '\t');
    if (request == "load") {
      std::getline(words, stem, '\t');
      std::getline(words, cut, '\t');
      load(stem, cut, input);
      prepare(input);
      std::printf("ok\n");
    } else if (request == "time") {
      size_t times = 0, bytes = 0;
      words >> times;
      const std::uint64_t from = now();
      for (size_t i = 0; i < times; i++) bytes += count(input);
      std::printf("%llu %zu\n", static_cast<unsigned long long>(now() - from), bytes);
    } else {
      const Outcome outcome = parse(input);
      field("content", outcome.content);
      field("reasoning", outcome.reasoning);
      for (const auto & call : outcome.calls) {
        field("name", call.first);
        field("arguments", call.second);
      }
      field("error", outcome.error);
      field("end", "");
    }
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace protocol

#endif
