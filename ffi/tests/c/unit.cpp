// The C++ header by hand, case by case. Built with -fno-exceptions -fno-rtti, as C++17 and C++20.
#include <harmony_stream.hpp>

#include <string>
#include <thread>
#include <type_traits>

#include "check.h"

using harmony::event_kind;

static_assert(!std::is_copy_constructible_v<harmony::stream> && std::is_nothrow_move_constructible_v<harmony::stream>);
static_assert(!std::is_copy_assignable_v<harmony::stream> && std::is_nothrow_move_assignable_v<harmony::stream>);
static_assert(!std::is_copy_constructible_v<harmony::detector> && !std::is_copy_constructible_v<harmony::message>);

// push and finish want an lvalue.
template <typename Stream, typename = void>
struct pushable : std::false_type {};
template <typename Stream>
struct pushable<Stream, std::void_t<decltype(std::declval<Stream>().push(std::string_view()))>> : std::true_type {};
static_assert(pushable<harmony::stream &>::value && !pushable<harmony::stream>::value);

static const std::string_view call =
    "<|channel|>analysis<|message|>Need it.<|end|><|start|>assistant<|channel|>commentary to=functions.weather "
    "<|constrain|>json<|message|> {\"city\":\"Oslo\"} <|call|>";

struct reading {
  std::string content, reasoning, name, recipient, arguments;
  harmony::call_status status = harmony::call_status::none;
  bool finished = false;

  void add(const harmony::event & event) {
    switch (event.kind) {
      case event_kind::content: content += event.text; break;
      case event_kind::reasoning: reasoning += event.text; break;
      case event_kind::tool_call_start:
        name = event.text;
        recipient = event.recipient();
        break;
      case event_kind::tool_call_end:
        arguments = event.text;
        status = event.call();
        break;
      case event_kind::finish: finished = true; break;
      default: break;
    }
  }
};

static void a_call_in_pieces() {
  for (std::size_t chunk : {1u, 3u, 1000u}) {
    harmony::stream stream;
    CHECK(stream && stream.status() == HARMONY_OK);
    reading reading;
    for (std::size_t at = 0; at < call.size(); at += chunk) {
      for (const auto & event : stream.push(call.substr(at, chunk))) reading.add(event);
    }
    for (const auto & event : stream.finish()) reading.add(event);
    CHECK(reading.reasoning == "Need it." && reading.content.empty() && reading.finished);
    CHECK(reading.name == "weather" && reading.recipient == "functions.weather");
    CHECK(reading.arguments == "{\"city\":\"Oslo\"}" && reading.status == harmony::call_status::complete);
    CHECK(stream.text() == call && stream.held() == 0);
    CHECK(stream.summary().last_end() == harmony::message_end::call && !stream.summary().failure());
  }
}

static void a_range_is_whole_even_if_a_loop_breaks() {
  harmony::stream stream;
  for (const auto & event : stream.push("<|channel|>final<|message|>One")) {
    CHECK(event.kind == event_kind::message_start && event.channel == harmony::channel::final);
    break;
  }
  const harmony::events events = stream.push("Two");
  CHECK(events.size() == 1 && events[0].text == "Two" && events.status() == HARMONY_OK);
  const auto again = stream.push("");
  CHECK(again && again.empty() && again.begin() == again.end());
}

// More events in one push than the first array has room for.
static void many_events() {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "<|start|>assistant<|channel|>final<|message|>x<|end|>";
  harmony::stream stream;
  const auto events = stream.push(text);
  std::size_t content = 0;
  for (const auto & event : events) content += event.kind == event_kind::content;
  CHECK(content == 100);
}

static void moving() {
  harmony::stream one;
  CHECK(one.push("<|channel|>final<|message|>A").size() == 2);
  harmony::stream two = std::move(one);
  CHECK(!one && two);
  CHECK(one.push("x").status() == HARMONY_E_NULL && one.push("x").empty() && one.text().empty());
  CHECK(one.finish().status() == HARMONY_E_NULL && one.reset() == HARMONY_E_NULL && !one.clone());
  CHECK(two.push("B")[0].text == "B");
  one = std::move(two);
  CHECK(one.push("C")[0].text == "C");
}

static void cloning() {
  harmony::stream stream;
  CHECK(stream.push("<|channel|>final<|message|>A").size() == 2);
  harmony::stream copy = stream.clone();
  CHECK(copy && copy.text() == stream.text());
  CHECK(copy.push("B")[0].text == "B" && stream.text().size() + 1 == copy.text().size());
  CHECK(stream.reset() == HARMONY_OK && stream.text().empty() && !copy.text().empty());
}

static void another_thread() {
  harmony::stream stream;
  std::thread([&] { CHECK(stream.push("<|channel|>final<|message|>A").size() == 2); }).join();
  std::thread([moved = std::move(stream)]() mutable { CHECK(moved.push("B")[0].text == "B"); }).join();
}

static void options_and_errors() {
  harmony::options options = harmony::options::lenient();
  options.input = HARMONY_INPUT_TOKENS;
  options.max_bytes = 40;
  harmony::stream stream(options);
  CHECK(stream.push(harmony::control::channel));
  CHECK(stream.push("final"));
  CHECK(stream.push(*harmony::control_from_token_id(200008)));
  CHECK(stream.push("<|end|>")[0].text == "<|end|>");
  CHECK(stream.push("too much").status() == HARMONY_E_LIMIT);
  CHECK(stream.finish() && stream.finish().status() == HARMONY_E_FINISHED);
  CHECK(!harmony::control_from_token_id(1));
  options.policy = 9;
  const harmony::stream wrong(options);
  CHECK(!wrong && wrong.status() == HARMONY_E_ARGUMENT);
}

static void a_failure() {
  harmony::stream stream;
  const auto events = stream.finish();
  CHECK(events.size() == 1 && events[0].failure() && events[0].failure()->kind == HARMONY_DEVIATION_NO_MESSAGE);
  CHECK(std::string_view(events[0].failure()->name()) == "no_message");
  CHECK(events[0].end() == harmony::message_end::none);
}

static void a_whole_text() {
  const harmony::message message = harmony::parse(call);
  CHECK(message && message.reasoning() == "Need it." && message.content().empty() && !message.failure());
  CHECK(message.call_count() == 1 && message.calls().size() == 1);
  const harmony::tool_call only = message.call(0);
  CHECK(only.name == "weather" && only.recipient == "functions.weather" && only.arguments == "{\"city\":\"Oslo\"}");
  CHECK(only.status == harmony::call_status::complete && message.call(1).status == harmony::call_status::none);
  CHECK(harmony::parse("<|end|>").failure()->kind == HARMONY_DEVIATION_STRAY_TERMINATOR);
  CHECK(harmony::is_harmony(call) && !harmony::is_harmony("plain"));
}

static void leaks() {
  const std::string_view text = "done. <|end|> analysis to=functions.edit code";
  const std::vector<harmony::signal> signals = harmony::detect_leak(text);
  CHECK(signals.size() == 2 && signals[0].start == 6 && harmony::leak_label(signals) == "H,M+C");
  CHECK(harmony::detect_leak("clean").empty() && harmony::leak_label({}) == "none");
  std::string many;
  for (int i = 0; i < 50; ++i) many += "<|end|>";
  CHECK(harmony::detect_leak(many).size() == 50);

  harmony::detector detector;
  std::size_t found = 0;
  for (char byte : text) found += detector.push({&byte, 1}).size();
  harmony::detector copy = detector.clone();
  found += detector.finish().size();
  CHECK(found == 2 && detector.detected() && copy.finish().size() == 1);
  CHECK(detector.push("x").empty() && detector.status() == HARMONY_E_FINISHED);
  CHECK(detector.reset(harmony::surface::thinking) == HARMONY_OK && !detector.detected());
  CHECK(detector.push(many).size() + detector.finish().size() == 50);
}

static void recovery() {
  const std::string_view input = "print(1)\nuser to=functions.eval code";
  const auto signals = harmony::detect_leak(input, harmony::surface::tool_arg, 9);
  CHECK(signals.size() == 1);
  const auto recovered = harmony::recover(harmony::registry(), "eval", input, signals[0]);
  CHECK(recovered && recovered->clean == "print(1)\n*** Abort\n" && recovered->removed == 9);
  harmony::registry own(false);
  CHECK(!harmony::recover(own, "eval", input, signals[0]));
  CHECK(own.add("eval", "", "!") && harmony::recover(own, "eval", input, signals[0])->clean == "print(1)!");
  CHECK(harmony::audit(input.substr(recovered->removed))->removed_bytes == 27 && !harmony::audit("\xFF"));
}

static void whole_messages() {
  const std::string arguments = R"({"input": "print(1)\nuser to=functions.eval code"})";
  std::vector<harmony_block> blocks = {harmony::other_block(), harmony::text_block("Running it."),
                                       harmony::thinking_block("Hm."), harmony::tool_call_block("eval", arguments)};
  CHECK(!harmony::detect_leak(blocks) && !harmony::detect_leak(std::vector<harmony_block>()));
  blocks[3] = harmony::tool_call_block("eval", arguments, 9);
  const auto leak = harmony::detect_leak(blocks);
  CHECK(leak && leak->block == 3 && leak->signals.size() == 1);
  CHECK(harmony::searched(blocks[3]) == "print(1)\nuser to=functions.eval code");
  const auto recovered = harmony::recover(harmony::registry(), blocks[3], leak->signals[0]);
  CHECK(recovered && recovered->clean == "print(1)\n*** Abort\n" && recovered->removed == "user to=functions.eval code");
  CHECK(!harmony::recover(harmony::registry(false), blocks[3], leak->signals[0]));
  CHECK(!harmony::searched(harmony::text_block("\xFF")) && !harmony::leak_continuation().empty());
  std::string many;
  for (int i = 0; i < 20; ++i) many += "<|end|>";
  CHECK(harmony::detect_leak({harmony::text_block(many)})->signals.size() == 20);
  harmony_status outcome = HARMONY_E_PANIC;
  CHECK(harmony::detect_leak(blocks, &outcome) && outcome == HARMONY_OK);
  const std::vector<harmony_block> broken{blocks[3], harmony::text_block("\xff")};
  CHECK(!harmony::detect_leak(broken, &outcome) && outcome == HARMONY_E_UTF8);
  CHECK(harmony::detect_leak("clean", harmony::surface::text, HARMONY_NO_END, &outcome).empty());
  CHECK(outcome == HARMONY_OK);
  harmony::registry tools;
  const harmony::registry taken(std::move(tools));
  CHECK(harmony::recover(taken, blocks[3], leak->signals[0]) && !harmony::recover(tools, blocks[3], leak->signals[0]));
  CHECK(!harmony::recover(tools, "eval", many, leak->signals[0]));
}

static void pickers() {
  const std::string_view answer = R"(So: {"title": " Rome ", "queries": ["a", "b"], "suggestions": []} Good?)";
  CHECK(harmony::pick_title(answer) == "Rome" && !harmony::pick_title("Rome"));
  CHECK(harmony::pick_queries(answer)->size() == 2 && !harmony::pick_suggestions(answer));
  CHECK(harmony::extract(answer)->front() == '{' && harmony::extract(answer)->back() == '}' && !harmony::extract("{"));
  CHECK(harmony::title_schema().find("title") != std::string_view::npos);
  CHECK(*harmony::unescape(*harmony::escape("<|end|>")) == "<|end|>" && *harmony::escape("<|end|>") != "<|end|>");
}

int main() {
  a_call_in_pieces();
  a_range_is_whole_even_if_a_loop_breaks();
  many_events();
  moving();
  cloning();
  another_thread();
  options_and_errors();
  a_failure();
  a_whole_text();
  leaks();
  recovery();
  whole_messages();
  pickers();
  std::puts("ok");
  return 0;
}
