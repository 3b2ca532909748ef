// A small chat server in the shape of llama.cpp's: what stands between a model that writes harmony and its clients.
//
//   c++ -std=c++17 server.cpp $(pkg-config --cflags --libs harmony_stream cpp-httplib) -pthread -o server
//   ./server [--port N] [--piece BYTES] [--pace MS] [--raw] FOLDER
//   curl -N localhost:8080/v1/chat/completions -d '{"model": "NAME", "stream": true,
//     "messages": [{"role": "user", "content": "Hello"}]}'
//
// Debian: libcpp-httplib-dev, nlohmann-json3-dev. Needs exceptions, for nlohmann-json.
//
// The model is a stand-in: it plays FOLDER/NAME.txt, a token every MS milliseconds, each token being BYTES of the text
// (a request may say `piece_bytes` and `pace_ms` itself). All the rest is what a server does: one harmony::stream a
// request, deltas as they become certain, a finish reason that fits, and an end to it when the client goes away.
//
// --raw leaves the model's text as it is: a server that lacks the parser.
#include <harmony_stream.hpp>

#include <httplib.h>
#include <nlohmann/json.hpp>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace {

// Ordered: fields leave in the order in which OpenAI's documentation has them.
using json = nlohmann::ordered_json;
using harmony::call_status;
using harmony::event_kind;

constexpr std::size_t most_tokens = 1 << 20;
// Every connection holds one, even while it is idle.
constexpr std::size_t threads = 64;

// JSON must be UTF-8, and a model may write bytes that are not.
std::string text_of(const json & value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

// Ends a request with this status.
struct refusal : std::runtime_error {
  refusal(int status, const char * code, const std::string & message)
      : std::runtime_error(message), status(status), code(code) {}
  int status;
  const char * code;
};

// Unguessable enough for an id, and never the same twice.
std::string new_id(const char * prefix) {
  thread_local std::mt19937_64 random{std::random_device{}()};
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(random()));
  return std::string(prefix) + digits;
}

// ---- What was asked for -------------------------------------------------------------------------------------------

struct settings {
  std::string folder;
  std::size_t port = 8080, piece = 4, pace = 0;
  bool raw = false;
};

struct request {
  std::string model;
  bool stream, include_usage;
  std::size_t prompt_bytes, max_tokens, piece;
  std::chrono::milliseconds pace;
};

std::size_t number(const json & body, const char * name, std::size_t otherwise, std::size_t least, std::size_t most) {
  const auto found = body.find(name);
  if (found == body.end() || found->is_null()) return otherwise;
  const bool right = found->is_number_unsigned() && *found >= least && *found <= most;
  if (!right) {
    throw refusal(400, "invalid_value", std::string(name) + " must be a whole number from " + std::to_string(least) +
                                            " to " + std::to_string(most));
  }
  return *found;
}

bool flag(const json & body, const char * name) {
  const auto found = body.find(name);
  if (found == body.end() || found->is_null()) return false;
  if (!found->is_boolean()) throw refusal(400, "invalid_value", std::string(name) + " must be true or false");
  return *found;
}

request read_request(const std::string & text, const settings & settings) {
  const json body = json::parse(text, nullptr, false);
  if (!body.is_object()) throw refusal(400, "invalid_json", "the body must be a JSON object");
  const json model = body.value("model", json());
  if (!model.is_string()) throw refusal(400, "missing_value", "model must be a string");
  const json messages = body.value("messages", json());
  if (!messages.is_array() || messages.empty()) throw refusal(400, "missing_value", "messages must hold one at least");
  number(body, "n", 1, 1, 1);

  const json stream_options = body.value("stream_options", json());
  const std::size_t max_tokens = number(body, "max_tokens", most_tokens, 1, most_tokens);
  return {model,
          flag(body, "stream"),
          stream_options.is_object() && flag(stream_options, "include_usage"),
          text_of(messages).size(),
          number(body, "max_completion_tokens", max_tokens, 1, most_tokens),
          number(body, "piece_bytes", settings.piece, 1, 65536),
          std::chrono::milliseconds(number(body, "pace_ms", settings.pace, 0, 10000))};
}

// ---- The model ----------------------------------------------------------------------------------------------------

using transcripts = std::map<std::string, std::string>;

// Read once, by name: no request can then reach for another file.
transcripts read_transcripts(const std::string & folder) {
  transcripts texts;
  for (const auto & entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".txt") continue;
    std::ostringstream text;
    text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    texts.emplace(entry.path().stem().string(), text.str());
  }
  return texts;
}

// Plays a transcript.
class model {
 public:
  model(std::string_view text, std::size_t piece, std::size_t limit) : text_(text), piece_(piece), limit_(limit) {}

  // What the next token says; nothing at the end of the turn.
  std::optional<std::string_view> next() {
    if (at_ == text_.size() || tokens_ == limit_) return std::nullopt;
    const std::string_view token = text_.substr(at_, piece_);
    at_ += token.size();
    ++tokens_;
    return token;
  }
  std::size_t tokens() const { return tokens_; }
  // Whether the limit ended the turn, not the model. Of a transcript too: it then lacks the token that ends a turn.
  bool cut() const {
    return at_ < text_.size() || (harmony::is_harmony(text_) && !ends_with("<|return|>") && !ends_with("<|call|>"));
  }

 private:
  bool ends_with(std::string_view token) const {
    return text_.size() >= token.size() && text_.substr(text_.size() - token.size()) == token;
  }

  std::string_view text_;
  std::size_t piece_, limit_;
  std::size_t at_ = 0, tokens_ = 0;
};

// ---- From tokens to deltas ----------------------------------------------------------------------------------------

// How much of a text is whole characters: a token may end within one, and no JSON can hold a part of it.
std::size_t whole_characters(std::string_view text) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if ((byte & 0xC0) == 0x80) continue;
    const std::size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
    return length > back ? text.size() - back : text.size();
  }
  return text.size();
}

// One tool call's part of a delta.
json call_delta(std::uint32_t index, json fields) {
  json call{{"index", index}};
  call.update(fields);
  return {{"tool_calls", json::array({call})}};
}

// Nothing for events that clients are not told of.
std::optional<json> delta_of(const harmony::event & event) {
  switch (event.kind) {
    case event_kind::content: return json{{"content", event.text}};
    case event_kind::reasoning: return json{{"reasoning_content", event.text}};
    case event_kind::tool_call_start:
      return call_delta(event.index, {{"id", new_id("call_")},
                                      {"type", "function"},
                                      {"function", {{"name", event.text}, {"arguments", ""}}}});
    case event_kind::tool_call_arguments:
      return call_delta(event.index, {{"function", {{"arguments", event.text}}}});
    default: return std::nullopt;
  }
}

// Appends a delta to a message, as clients do.
void append(json & message, const json & delta) {
  for (const char * name : {"content", "reasoning_content"}) {
    if (!delta.contains(name)) continue;
    json & text = message[name];
    if (text.is_null()) text = "";
    text.get_ref<std::string &>() += delta[name].get_ref<const std::string &>();
  }
  if (!delta.contains("tool_calls")) return;
  json call = delta["tool_calls"][0];
  const std::size_t index = call["index"];
  json & calls = message["tool_calls"];
  if (index < calls.size()) {
    const json & more = call["function"]["arguments"];
    calls[index]["function"]["arguments"].get_ref<std::string &>() += more.get_ref<const std::string &>();
  } else {
    // Only deltas need it.
    call.erase("index");
    calls.push_back(std::move(call));
  }
}

// ---- One turn -----------------------------------------------------------------------------------------------------

// How many there are, for /health.
class counted {
 public:
  explicit counted(std::atomic<int> & count) : count_(count) { ++count_; }
  counted(const counted &) = delete;
  counted & operator=(const counted &) = delete;
  ~counted() { --count_; }

 private:
  std::atomic<int> & count_;
};

std::atomic<int> live_turns{0}, live_parsers{0};
std::atomic<bool> stopping{false};

// The parser of a turn.
class splitter {
 public:
  // False if a call on the parser failed.
  template <typename Emit>
  bool push(std::string_view token, Emit emit) {
    return pass(stream_.push(token), emit);
  }
  template <typename Emit>
  bool finish(Emit emit) {
    return pass(stream_.finish(), emit);
  }
  // To the client `tool_calls` says: run them. So one must be complete, and none may have been cut.
  bool calls_tools() const { return complete_ > 0 && incomplete_ == 0; }

 private:
  template <typename Emit>
  bool pass(const harmony::events & events, Emit emit) {
    for (const harmony::event & event : events) {
      complete_ += event.call() == call_status::complete;
      incomplete_ += event.call() == call_status::incomplete;
      if (const auto delta = delta_of(event)) emit(*delta);
    }
    return static_cast<bool>(events);
  }

  counted counted_{live_parsers};
  harmony::stream stream_{harmony::options::lenient()};
  std::size_t complete_ = 0, incomplete_ = 0;
};

// Lives until its response is sent, or its client is gone; its parser with it.
class turn {
 public:
  turn(request asked, std::string_view text, bool raw)
      : asked_(std::move(asked)), model_(text, asked_.piece, asked_.max_tokens) {
    if (!raw) splitter_.emplace();
  }

  const request & asked() const { return asked_; }

  enum class step { more, end, failed };

  // The next token.
  template <typename Emit>
  step next(Emit emit) {
    const auto token = model_.next();
    if (!token) return finish(emit) ? step::end : step::failed;
    pending_ += *token;
    const std::size_t whole = whole_characters(pending_);
    const bool pushed = push(std::string_view(pending_).substr(0, whole), emit);
    pending_.erase(0, whole);
    return pushed ? step::more : step::failed;
  }

  // The choice's parts are `delta` or `message`.
  json response(const char * object, json choices) const {
    return {{"id", id_}, {"object", object}, {"created", created_}, {"model", asked_.model}, {"choices", choices}};
  }

  const char * finish_reason() const {
    if (model_.cut()) return "length";
    return splitter_ && splitter_->calls_tools() ? "tool_calls" : "stop";
  }

  json usage() const {
    // This model has no tokenizer; a real one counts.
    const std::size_t prompt = (asked_.prompt_bytes + asked_.piece - 1) / asked_.piece;
    return {{"prompt_tokens", prompt},
            {"completion_tokens", model_.tokens()},
            {"total_tokens", prompt + model_.tokens()}};
  }

 private:
  template <typename Emit>
  bool push(std::string_view text, Emit emit) {
    if (text.empty()) return true;
    if (splitter_) return splitter_->push(text, emit);
    emit(json{{"content", text}});
    return true;
  }
  template <typename Emit>
  bool finish(Emit emit) {
    return push(pending_, emit) && (!splitter_ || splitter_->finish(emit));
  }

  counted counted_{live_turns};
  request asked_;
  model model_;
  std::optional<splitter> splitter_;
  // The beginning of a character.
  std::string pending_;
  std::string id_ = new_id("chatcmpl-");
  std::int64_t created_ = std::time(nullptr);
};

// ---- Responses ----------------------------------------------------------------------------------------------------

// Waits for the model's next token. False if nobody wants it any more.
bool wait(std::chrono::milliseconds pace, const httplib::DataSink & sink) {
  const auto until = std::chrono::steady_clock::now() + pace;
  for (;;) {
    if (stopping || !sink.is_writable()) return false;
    const auto left = until - std::chrono::steady_clock::now();
    if (left <= left.zero()) return true;
    std::this_thread::sleep_for(std::min<decltype(left)>(left, std::chrono::milliseconds(20)));
  }
}

void send_event(const httplib::DataSink & sink, const json & value) {
  const std::string event = "data: " + text_of(value) + "\n\n";
  sink.write(event.data(), event.size());
}

void send_chunk(const httplib::DataSink & sink, const turn & turn, const json & delta, const json & reason = nullptr) {
  json choice{{"index", 0}, {"delta", delta}, {"finish_reason", reason}};
  send_event(sink, turn.response("chat.completion.chunk", json::array({choice})));
}

void send_end(const httplib::DataSink & sink, const turn & turn) {
  send_chunk(sink, turn, json::object(), turn.finish_reason());
  if (turn.asked().include_usage) {
    json last = turn.response("chat.completion.chunk", json::array());
    last["usage"] = turn.usage();
    send_event(sink, last);
  }
  static constexpr std::string_view done = "data: [DONE]\n\n";
  sink.write(done.data(), done.size());
  sink.done();
}

// httplib calls this again and again, and lets go of the turn once it is false or the response is done.
bool stream_on(turn & turn, const httplib::DataSink & sink) {
  if (!wait(turn.asked().pace, sink)) return false;
  switch (turn.next([&](const json & delta) { send_chunk(sink, turn, delta); })) {
    case turn::step::more: return true;
    case turn::step::end: send_end(sink, turn); return true;
    default: return false;
  }
}

void stream_response(const std::shared_ptr<turn> & turn, httplib::Response & response) {
  response.set_header("Cache-Control", "no-cache");
  response.set_chunked_content_provider(
      "text/event-stream", [turn, first = true](std::size_t, httplib::DataSink & sink) mutable {
        if (std::exchange(first, false)) send_chunk(sink, *turn, {{"role", "assistant"}, {"content", nullptr}});
        return stream_on(*turn, sink);
      });
}

bool send_whole(turn & turn, const httplib::DataSink & sink) {
  json message{{"role", "assistant"}, {"content", nullptr}};
  turn::step step;
  do {
    if (!wait(turn.asked().pace, sink)) return false;
    step = turn.next([&](const json & delta) { append(message, delta); });
  } while (step == turn::step::more);
  if (step == turn::step::failed) return false;

  json choice{{"index", 0}, {"message", message}, {"finish_reason", turn.finish_reason()}};
  json whole = turn.response("chat.completion", json::array({choice}));
  whole["usage"] = turn.usage();
  const std::string text = text_of(whole);
  sink.write(text.data(), text.size());
  sink.done();
  return true;
}

// Chunked as well: only so can httplib tell us that the client has gone, and then nobody needs the rest.
void whole_response(const std::shared_ptr<turn> & turn, httplib::Response & response) {
  response.set_chunked_content_provider(
      "application/json", [turn](std::size_t, httplib::DataSink & sink) { return send_whole(*turn, sink); });
}

void respond(httplib::Response & response, const json & value) {
  response.set_content(text_of(value), "application/json");
}

void respond_error(httplib::Response & response, int status, const char * code, const std::string & message) {
  response.status = status;
  const char * type = status < 500 ? "invalid_request_error" : "server_error";
  respond(response, {{"error", {{"message", message}, {"type", type}, {"param", nullptr}, {"code", code}}}});
}

// ---- The server ---------------------------------------------------------------------------------------------------

void chat(const httplib::Request & got, httplib::Response & response, const settings & settings,
          const transcripts & texts) {
  request asked = read_request(got.body, settings);
  const auto text = texts.find(asked.model);
  if (text == texts.end()) throw refusal(404, "model_not_found", "there is no model " + asked.model);
  const bool streams = asked.stream;
  const auto made = std::make_shared<turn>(std::move(asked), text->second, settings.raw);
  if (streams) stream_response(made, response);
  else whole_response(made, response);
}

void list_models(httplib::Response & response, const transcripts & texts) {
  json models = json::array();
  for (const auto & [name, text] : texts) {
    models.push_back({{"id", name}, {"object", "model"}, {"created", 0}, {"owned_by", "harmony-stream"}});
  }
  respond(response, {{"object", "list"}, {"data", models}});
}

void on_exception(const httplib::Request &, httplib::Response & response, std::exception_ptr thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const refusal & refusal) {
    respond_error(response, refusal.status, refusal.code, refusal.what());
  } catch (const std::exception & error) {
    respond_error(response, 500, "internal_error", error.what());
  }
}

void configure(httplib::Server & server) {
  server.new_task_queue = [] { return new httplib::ThreadPool(threads); };
  // A delta is a small packet that must not wait for the next.
  server.set_tcp_nodelay(true);
  server.set_keep_alive_max_count(1 << 20);
  server.set_keep_alive_timeout(60);
  server.set_write_timeout(60);
  server.set_payload_max_length(16 << 20);
  server.set_exception_handler(on_exception);
  // What httplib refuses by itself: unknown paths, bodies that are too long.
  server.set_error_handler([](const httplib::Request &, httplib::Response & response) {
    if (!response.body.empty()) return;
    if (response.status == 404) respond_error(response, 404, "not_found", "there is no such path");
    else respond_error(response, response.status, "bad_request", "this server does not take such a request");
  });
}

void route(httplib::Server & server, const settings & settings, const transcripts & texts) {
  server.Post("/v1/chat/completions", [&](const httplib::Request & request, httplib::Response & response) {
    chat(request, response, settings, texts);
  });
  server.Get("/v1/models", [&](const httplib::Request &, httplib::Response & response) {
    list_models(response, texts);
  });
  server.Get("/health", [](const httplib::Request &, httplib::Response & response) {
    respond(response, {{"status", "ok"}, {"turns", live_turns.load()}, {"parsers", live_parsers.load()}});
  });
}

bool read_number(const char * text, std::size_t most, std::size_t & out) {
  char * end;
  out = std::strtoul(text, &end, 10);
  return end != text && *end == '\0' && out <= most;
}

// False if the command line is wrong.
bool read_arguments(int argc, char ** argv, settings & settings) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    const char * value = i + 1 < argc ? argv[i + 1] : "";
    bool right = true;
    if (name == "--raw") settings.raw = true;
    else if (name == "--port") right = read_number(value, 65535, settings.port), ++i;
    else if (name == "--piece") right = read_number(value, 65536, settings.piece) && settings.piece > 0, ++i;
    else if (name == "--pace") right = read_number(value, 10000, settings.pace), ++i;
    else if (name.substr(0, 1) != "-" && settings.folder.empty()) settings.folder = name;
    else right = false;
    if (!right) return false;
  }
  return std::filesystem::is_directory(settings.folder);
}

// Ends the server on SIGINT or SIGTERM. A thread waits for them: hardly anything is allowed in a signal handler.
void stop_on_signal(httplib::Server & server) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread([&server, signals] {
    int signal;
    sigwait(&signals, &signal);
    stopping = true;
    // Before it runs, stop() would do nothing.
    while (!server.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    server.stop();
  }).detach();
}

int serve(const settings & settings) {
  const transcripts texts = read_transcripts(settings.folder);
  httplib::Server server;
  configure(server);
  route(server, settings, texts);
  stop_on_signal(server);

  const int wanted = static_cast<int>(settings.port);
  const int port = wanted == 0                                ? server.bind_to_any_port("127.0.0.1")
                   : server.bind_to_port("127.0.0.1", wanted) ? wanted
                                                              : -1;
  if (port < 0) {
    std::fprintf(stderr, "port %d is taken\n", wanted);
    return 1;
  }
  std::printf("listening on http://127.0.0.1:%d\n", port);
  std::fflush(stdout);
  return server.listen_after_bind() ? 0 : 1;
}

}  // namespace

int main(int argc, char ** argv) {
  settings settings;
  if (read_arguments(argc, argv, settings)) return serve(settings);
  std::fprintf(stderr, "usage: %s [--port N] [--piece BYTES] [--pace MS] [--raw] FOLDER\n", argv[0]);
  return 2;
}
