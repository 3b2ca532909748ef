// Every row of the vector files through the C ABI, texts cut at random places.
//
//   vectors FOLDER [SEED]
#include <harmony_stream.h>

// A row without a member that is asked for is a wrong row, and says so.
#define JSON_ASSERT(condition) expect(condition, #condition)
static void expect(bool right, const char * what);

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

// Keeps the order of members, which the text of a tool call depends on.
using json = nlohmann::ordered_json;

static std::string current_row;

static void expect(bool right, const char * what) {
  if (right) return;
  std::fprintf(stderr, "row %s: wrong %s\n", current_row.c_str(), what);
  std::exit(1);
}

// Small, and the same everywhere.
struct random_numbers {
  std::uint64_t state;
  std::size_t below(std::size_t limit) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return static_cast<std::size_t>(state % limit);
  }
};
static random_numbers dice{0};

// Calls `take` for pieces of the text, some of them empty.
template <typename Take>
static void in_pieces(const std::string & text, Take take) {
  const std::size_t most = 1 + dice.below(1 + dice.below(40));
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t length = std::min(dice.below(most + 1), text.size() - at);
    take(text.data() + at, length);
    at += length;
  }
}

static std::string taken(harmony_texts * texts, std::size_t index) {
  std::size_t length = 0;
  const char * text = harmony_texts_get(texts, index, &length);
  expect(text != nullptr && text[length] == '\0', "text");
  return std::string(text, length);
}

// What the events of a stream come to.
struct folded {
  struct call {
    std::string name, arguments, whole;
    std::uint32_t status;
  };
  std::string content, reasoning;
  std::vector<call> calls;
  bool failed = false, finished = false;

  void add(const harmony_event & event, const char * base) {
    expect(!finished, "end: an event behind it");
    const std::string text(base + event.offset, static_cast<std::size_t>(event.length));
    switch (event.kind) {
      case HARMONY_EVENT_CONTENT: content += text; break;
      case HARMONY_EVENT_REASONING: reasoning += text; break;
      case HARMONY_EVENT_TOOL_CALL_START: calls.push_back({text, "", "", 0}); break;
      case HARMONY_EVENT_TOOL_CALL_ARGUMENTS: calls.at(event.index).arguments += text; break;
      case HARMONY_EVENT_TOOL_CALL_END:
        calls.at(event.index).status = event.code;
        expect(text == calls.at(event.index).arguments, "arguments: pieces and whole");
        break;
      case HARMONY_EVENT_ROLLBACK: *this = folded(); break;
      case HARMONY_EVENT_FINISH:
        finished = true;
        failed = event.code != 0;
        break;
      default: break;
    }
  }
};

struct reader {
  harmony_stream * stream = nullptr;
  folded result;

  explicit reader(const harmony_options & options) {
    expect(harmony_stream_new(&options, &stream) == HARMONY_OK, "options");
  }
  ~reader() { harmony_stream_free(stream); }
  reader(const reader &) = delete;

  // Runs a call with an array of random size, and drains it.
  template <typename Call>
  void take(Call call) {
    harmony_event room[5];
    const std::size_t capacity = dice.below(6);
    std::size_t count = 99;
    harmony_status status = call(capacity > 0 ? room : nullptr, capacity, &count);
    for (;;) {
      expect(status >= 0, "status");
      const char * base = harmony_stream_text(stream, nullptr);
      for (std::size_t i = 0; i < count; ++i) result.add(room[i], base);
      // Events that wait may as well come with the next call.
      if (status != HARMONY_MORE || (dice.below(4) == 0 && !ending)) return;
      status = harmony_stream_drain(stream, room, 1 + dice.below(5), &count);
    }
  }
  void push(const std::string & text) {
    in_pieces(text, [&](const char * data, std::size_t length) {
      take([&](harmony_event * room, std::size_t capacity, std::size_t * count) {
        return harmony_stream_push(stream, data, length, room, capacity, count);
      });
    });
  }
  void push_control(std::uint32_t control) {
    take([&](harmony_event * room, std::size_t capacity, std::size_t * count) {
      return harmony_stream_push_control(stream, control, room, capacity, count);
    });
  }
  void finish() {
    ending = true;
    take([&](harmony_event * room, std::size_t capacity, std::size_t * count) {
      return harmony_stream_finish(stream, room, capacity, count);
    });
    expect(result.finished && harmony_stream_held(stream) == 0, "end");
  }
  std::string text() const {
    std::size_t length = 0;
    const char * text = harmony_stream_text(stream, &length);
    return std::string(text, length);
  }

 private:
  bool ending = false;
};

static std::uint32_t control_named(const std::string & name) {
  for (std::uint32_t control = HARMONY_CONTROL_START; control <= HARMONY_CONTROL_CONSTRAIN; ++control) {
    if (harmony_control_literal(control) == "<|" + name + "|>") return control;
  }
  expect(false, "control token");
  return 0;
}

static harmony_options options_of(const json & row) {
  harmony_options options = HARMONY_OPTIONS_INIT;
  if (row.contains("shape")) {
    options.policy = HARMONY_POLICY_RECOVER;
    options.routing = HARMONY_ROUTING_ANY_RECIPIENT;
  }
  if (row.value("policy", "") == "recover") options.policy = HARMONY_POLICY_RECOVER;
  if (row.value("routing", "") == "any_recipient") options.routing = HARMONY_ROUTING_ANY_RECIPIENT;
  const std::string start = row.value("start", "detect");
  if (start == "assistant_header") options.start = HARMONY_START_ASSISTANT_HEADER;
  if (start == "analysis_body") options.start = HARMONY_START_ANALYSIS_BODY;
  if (start == "final_body") options.start = HARMONY_START_FINAL_BODY;
  if (row.contains("items") && row["items"].is_array()) options.input = HARMONY_INPUT_TOKENS;
  return options;
}

static void compare(const json & row, const folded & result, const std::string & whole) {
  const bool failed = row.value("failed", false);
  expect(result.failed == failed, "failed");
  expect(result.content == (failed ? whole : row["content"].get<std::string>()), "content");
  expect(result.reasoning == row["reasoning"], "reasoning");
  expect(result.calls.size() == row["tool_calls"].size(), "number of calls");
  for (std::size_t i = 0; i < result.calls.size(); ++i) {
    const json & call = row["tool_calls"][i];
    expect(result.calls[i].name == call["name"], "name");
    expect(result.calls[i].arguments == call["arguments"], "arguments");
    expect(harmony_call_status_name(result.calls[i].status) == call.value("status", "complete"), "status of a call");
  }
}

static std::string text_of(const char * text, std::size_t length) { return std::string(text, length); }

// The one-shot function, as the same kind of result.
static folded parsed_whole(const std::string & text, const harmony_options & options) {
  harmony_message * message = nullptr;
  harmony_summary summary = HARMONY_SUMMARY_INIT;
  folded result;
  std::size_t length = 0;
  expect(harmony_parse(&options, text.data(), text.size(), &message) == HARMONY_OK, "status of a parse");
  const char * part = harmony_message_content(message, &length);
  result.content = text_of(part, length);
  part = harmony_message_reasoning(message, &length);
  result.reasoning = text_of(part, length);
  for (std::size_t i = 0; i < harmony_message_call_count(message); ++i) {
    folded::call call;
    part = harmony_message_call_name(message, i, &length);
    call.name = text_of(part, length);
    part = harmony_message_call_arguments(message, i, &length);
    call.arguments = text_of(part, length);
    call.status = harmony_message_call_status(message, i);
    result.calls.push_back(call);
  }
  expect(harmony_message_summary(message, &summary) == HARMONY_OK, "summary");
  result.failed = summary.failure != 0;
  harmony_message_free(message);
  return result;
}

static void parse_row(const json & row) {
  const harmony_options options = options_of(row);
  reader reader(options);
  if (options.input == HARMONY_INPUT_TOKENS) {
    for (const json & item : row["items"]) {
      if (item.contains("text")) reader.push(item["text"]);
      else reader.push_control(control_named(item["control"]));
    }
  } else {
    reader.push(row["input"]);
    compare(row, parsed_whole(row["input"], options), row["input"]);
  }
  reader.finish();
  compare(row, reader.result, reader.text());
  if (row.contains("is_harmony")) {
    const std::string text = row["input"];
    expect((harmony_is_harmony(text.data(), text.size()) != 0) == row["is_harmony"].get<bool>(), "is_harmony");
  }
}

static void structured_row(const json & row) {
  const std::string raw = row["raw"], picker = row["picker"];
  const auto pick = picker == "title"         ? harmony_pick_title
                    : picker == "suggestions" ? harmony_pick_suggestions
                                              : harmony_pick_queries;
  harmony_texts * texts = nullptr;
  const harmony_status status = pick(raw.data(), raw.size(), row["constrained"].get<bool>() ? 1 : 0, &texts);
  expect((status == HARMONY_OK) == row["ok"].get<bool>(), "outcome");
  if (status == HARMONY_OK) {
    json value = json::array();
    for (std::size_t i = 0; i < harmony_texts_count(texts); ++i) value.push_back(taken(texts, i));
    expect((picker == "title" ? value.at(0) : value) == row["value"], "value");
  } else {
    const char * reason = status == HARMONY_CUT ? "constrained-parse-failed" : "unconstrained";
    expect(texts == nullptr && row["reason"] == reason, "reason");
  }
  harmony_texts_free(texts);
}

static json signals_as_json(const std::vector<harmony_signal> & signals, const std::string & text) {
  static const char letters[] = "HMCGSBRT";
  json all = json::array();
  for (const harmony_signal & signal : signals) {
    json classes = json::array();
    for (int bit = 0; bit < 8; ++bit) {
      if (signal.classes >> bit & 1) classes.push_back(std::string(1, letters[bit]));
    }
    const std::string found = text.substr(signal.start, signal.end - signal.start);
    all.push_back({{"classes", classes}, {"start", signal.start}, {"end", signal.end}, {"text", found}});
  }
  return all;
}

static std::uint32_t surface_named(const std::string & name) {
  for (std::uint32_t surface = 0; surface < 3; ++surface) {
    if (harmony_surface_name(surface) == name) return surface;
  }
  expect(false, "surface");
  return 0;
}

static std::vector<harmony_signal> detected_whole(const std::string & text, std::uint32_t surface, std::uint64_t end) {
  std::vector<harmony_signal> signals(dice.below(3));
  std::size_t count = 0;
  harmony_status status =
      harmony_leak_detect(text.data(), text.size(), surface, end, signals.data(), signals.size(), &count);
  expect((status == HARMONY_MORE) == (count > signals.size()), "status of a detection");
  signals.resize(count);
  status = harmony_leak_detect(text.data(), text.size(), surface, end, signals.data(), count, &count);
  expect(status == HARMONY_OK && count == signals.size(), "count");
  return signals;
}

static std::vector<harmony_signal> detected_in_pieces(const std::string & text, std::uint32_t surface,
                                                      std::uint64_t end) {
  harmony_detector * detector = nullptr;
  std::vector<harmony_signal> signals;
  const auto take = [&](auto call) {
    harmony_signal room[3];
    std::size_t count = 0;
    harmony_status status = call(room, dice.below(4), &count);
    for (;;) {
      expect(status >= 0, "status of a detector");
      signals.insert(signals.end(), room, room + count);
      if (status != HARMONY_MORE) return;
      status = harmony_detector_drain(detector, room, 1 + dice.below(3), &count);
    }
  };
  expect(harmony_detector_new(surface, end, &detector) == HARMONY_OK, "detector");
  in_pieces(text, [&](const char * data, std::size_t length) {
    take([&](harmony_signal * room, std::size_t capacity, std::size_t * count) {
      return harmony_detector_push(detector, data, length, room, capacity, count);
    });
  });
  take([&](harmony_signal * room, std::size_t capacity, std::size_t * count) {
    return harmony_detector_finish(detector, room, capacity, count);
  });
  expect((harmony_detector_detected(detector) != 0) == !signals.empty(), "detected");
  harmony_detector_free(detector);
  return signals;
}

static std::vector<harmony_signal> detected(const json & row, const std::string & text) {
  const std::uint32_t surface = surface_named(row["surface"]);
  const std::uint64_t end =
      row["parsed_end"].is_null() ? HARMONY_NO_END : row["parsed_end"].get<std::uint64_t>();
  const std::vector<harmony_signal> signals = detected_whole(text, surface, end);
  const json expected = row["detection"].is_null() ? json::array() : row["detection"]["signals"];
  expect(signals_as_json(signals, text) == expected, "signals");
  expect(signals_as_json(detected_in_pieces(text, surface, end), text) == expected, "signals in pieces");
  return signals;
}

static std::string label_of(const std::vector<harmony_signal> & signals) {
  harmony_texts * texts = nullptr;
  expect(harmony_leak_label(signals.data(), signals.size(), &texts) == HARMONY_OK, "status of a label");
  const std::string label = taken(texts, 0);
  harmony_texts_free(texts);
  return label;
}

static void leak_row(const json & row) { expect(label_of(detected(row, row["text"])) == row["label"], "label"); }

static void compare_audit(const json & row, const std::string & removed) {
  harmony_audit audit = HARMONY_AUDIT_INIT;
  expect(harmony_leak_audit(removed.data(), removed.size(), &audit) == HARMONY_OK, "status of an audit");
  expect(audit.removed_bytes == removed.size(), "removed_bytes");
  expect(row["removed_len"] == audit.removed_length, "removed_len");
  expect(row["removed_sha8"] == audit.removed_sha8, "removed_sha8");
  expect(row["removed_preview"] == audit.removed_preview, "removed_preview");
}

static void audit_row(const json & row) { compare_audit(row, row["removed"]); }

static void recovery_row(const json & row) {
  const std::string input = row["input"];
  const std::string tool = row["tool"].is_string() ? row["tool"].get<std::string>() : std::string();
  const std::vector<harmony_signal> signals = detected(row, input);
  expect(row["audit"].is_null() == signals.empty(), "audit");
  if (signals.empty()) return;
  harmony_texts * clean = nullptr;
  std::size_t removed = signals[0].start;
  harmony_status status = HARMONY_NONE;
  if (row["surface"] == "tool_arg") {
    status = harmony_leak_recover(nullptr, tool.data(), tool.size(), input.data(), input.size(), signals[0].start,
                                  &clean, &removed);
  }
  expect(status == (row["recovered"].is_null() ? HARMONY_NONE : HARMONY_OK), "recovery");
  const std::string rest = input.substr(removed);
  expect(rest == row["removed"], "removed");
  if (status == HARMONY_OK) {
    expect(taken(clean, 0) == row["recovered"]["clean"] && rest == row["recovered"]["removed"], "clean");
  }
  const std::uint32_t action = clean != nullptr ? HARMONY_ACTION_TRUNCATE_RESUME : HARMONY_ACTION_ABORT_RETRY;
  expect(row["audit"]["action"] == harmony_action_name(action), "action");
  expect(row["audit"]["signal"] == label_of(signals), "label");
  compare_audit(row["audit"], rest);
  harmony_texts_free(clean);
}

// Blocks with the texts they point to.
struct message_blocks {
  std::vector<std::string> texts;
  std::vector<harmony_block> blocks;

  explicit message_blocks(const json & row) {
    // The pointers must stay good.
    texts.reserve(2 * row["blocks"].size());
    for (const json & block : row["blocks"]) {
      const std::string index = std::to_string(blocks.size()), type = block["type"];
      harmony_block c = {HARMONY_BLOCK_OTHER, nullptr, 0, nullptr, 0, HARMONY_NO_END};
      if (row["parse_ends"].contains(index)) c.parsed_end = row["parse_ends"][index];
      if (type == "text") {
        c.kind = HARMONY_BLOCK_TEXT;
        lend(block["text"], c.text, c.text_length);
      } else if (type == "thinking") {
        c.kind = HARMONY_BLOCK_THINKING;
        lend(block["thinking"], c.text, c.text_length);
      } else if (type == "toolCall") {
        c.kind = HARMONY_BLOCK_TOOL_CALL;
        lend(block.contains("arguments") ? block["arguments"].dump() : "", c.text, c.text_length);
        lend(block["name"], c.tool, c.tool_length);
      }
      blocks.push_back(c);
    }
  }

  void lend(const std::string & text, const char *& data, std::size_t & length) {
    texts.push_back(text);
    data = texts.back().data();
    length = texts.back().size();
  }
};

static void message_row(const json & row) {
  const message_blocks message(row);
  std::size_t index = 99, count = 0;
  std::vector<harmony_signal> signals(64);
  expect(harmony_leak_detect_message(message.blocks.data(), message.blocks.size(), &index, signals.data(), 64,
                                     &count) == HARMONY_OK, "status of a message");
  signals.resize(count);
  if (row["detection"].is_null()) {
    expect(count == 0 && index == message.blocks.size(), "detection");
    return;
  }
  expect(row["detection"]["content_index"] == index, "content_index");
  const harmony_block & block = message.blocks[index];
  harmony_texts * texts = nullptr;
  expect(harmony_block_searched(&block, &texts) == HARMONY_OK, "status of a search");
  const std::string searched = taken(texts, 0);
  harmony_texts_free(texts);
  expect(signals_as_json(signals, searched) == row["detection"]["signals"], "signals");
  expect(row["label"] == label_of(signals), "label");
  expect(searched.substr(signals[0].start) == row["extracted"], "extracted");
  const harmony_status status = harmony_block_recover(nullptr, &block, signals[0].start, &texts);
  expect(status == (row["recovered"].is_null() ? HARMONY_NONE : HARMONY_OK), "recovery");
  if (status == HARMONY_OK) {
    expect(taken(texts, 0) == row["recovered"]["clean"] && taken(texts, 1) == row["recovered"]["removed"], "clean");
  }
  harmony_texts_free(texts);
}

static std::string read_file(const std::string & path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "cannot read %s\n", path.c_str());
    std::exit(1);
  }
  return std::string(std::istreambuf_iterator<char>(file), {});
}

static void schemas(const std::string & path) {
  // Byte for byte as the file writes them, not as a JSON library would.
  const std::string file = read_file(path);
  for (const char * schema : {harmony_schema_title(), harmony_schema_suggestions(), harmony_schema_queries()}) {
    current_row = schema;
    expect(file.find(std::string("_SCHEMA\": ") + schema) != std::string::npos, "schema");
  }
}

static void run_file(const std::string & path, void (*check)(const json &), std::size_t expected) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  std::size_t rows = 0;
  while (std::getline(file, line)) {
    const json row = json::parse(line);
    current_row = row["id"];
    check(row);
    ++rows;
  }
  current_row = path;
  expect(rows == expected, "number of rows");
  std::printf("%s: %zu rows\n", path.c_str(), rows);
}

int main(int argc, char ** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s FOLDER [SEED]\n", argv[0]);
    return 2;
  }
  const std::string folder = std::string(argv[1]) + "/";
  dice.state = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 88172645463325252u;
  run_file(folder + "harmony-cases.jsonl", parse_row, 489);
  run_file(folder + "harmony-random.jsonl", parse_row, 6000);
  run_file(folder + "recover-cases.jsonl", parse_row, 96);
  run_file(folder + "recover-more.jsonl", parse_row, 181);
  run_file(folder + "tokens-cases.jsonl", parse_row, 8);
  run_file(folder + "structured-cases.jsonl", structured_row, 137);
  run_file(folder + "structured-random.jsonl", structured_row, 1500);
  run_file(folder + "leak-cases.jsonl", leak_row, 248);
  run_file(folder + "leak-random.jsonl", leak_row, 3000);
  run_file(folder + "leak-surrogate-edges.jsonl", leak_row, 272);
  run_file(folder + "leak-recovery.jsonl", recovery_row, 329);
  run_file(folder + "leak-messages.jsonl", message_row, 171);
  run_file(folder + "leak-audit.jsonl", audit_row, 337);
  schemas(folder + "structured-schemas.json");
  std::puts("ok");
  return 0;
}
