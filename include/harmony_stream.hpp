// harmony_stream.hpp - C++17 over harmony_stream.h, header only; builds with -fno-exceptions -fno-rtti.
//
// SPDX-License-Identifier: MIT OR Apache-2.0
//
//   harmony::stream stream(harmony::options::lenient());
//   for (std::string_view piece : pieces) {
//     for (const harmony::event & event : stream.push(piece)) {
//       switch (event.kind) {
//         case harmony::event_kind::content: answer += event.text; break;
//         case harmony::event_kind::reasoning: thoughts += event.text; break;
//         case harmony::event_kind::tool_call_end: call(event.index, event.text, event.call()); break;
//         default: break;  // and kinds that you don't know
//       }
//     }
//   }
//   for (const harmony::event & event : stream.finish()) { ... }
//
// Nothing here throws (std::bad_alloc from std::vector and std::string aside). An operation that fails has a status
// below 0 and an empty result. What the numbers and rules are is said in harmony_stream.h, once.
#ifndef HARMONY_STREAM_HPP
#define HARMONY_STREAM_HPP

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harmony_stream.h"

namespace harmony {

enum class event_kind : std::uint32_t {
  message_start = HARMONY_EVENT_MESSAGE_START,
  content = HARMONY_EVENT_CONTENT,
  reasoning = HARMONY_EVENT_REASONING,
  tool_call_start = HARMONY_EVENT_TOOL_CALL_START,
  tool_call_arguments = HARMONY_EVENT_TOOL_CALL_ARGUMENTS,
  tool_call_end = HARMONY_EVENT_TOOL_CALL_END,
  message_end = HARMONY_EVENT_MESSAGE_END,
  deviation = HARMONY_EVENT_DEVIATION,
  rollback = HARMONY_EVENT_ROLLBACK,
  finish = HARMONY_EVENT_FINISH,
};

enum class channel : std::uint32_t {
  none = HARMONY_CHANNEL_NONE,
  analysis = HARMONY_CHANNEL_ANALYSIS,
  commentary = HARMONY_CHANNEL_COMMENTARY,
  final = HARMONY_CHANNEL_FINAL,
  other = HARMONY_CHANNEL_OTHER,
};

// How complete a tool call is; `none` where there is no call. Run only complete ones.
enum class call_status : std::uint32_t {
  none = 0,
  complete = HARMONY_CALL_COMPLETE,
  malformed = HARMONY_CALL_MALFORMED,
  incomplete = HARMONY_CALL_INCOMPLETE,
};

// What ended a message; `none` where none ended.
enum class message_end : std::uint32_t {
  none = 0,
  end = HARMONY_END_END,
  return_ = HARMONY_END_RETURN,
  call = HARMONY_END_CALL,
  next_header = HARMONY_END_NEXT_HEADER,
  end_of_stream = HARMONY_END_OF_STREAM,
};

enum class control : std::uint32_t {
  start = HARMONY_CONTROL_START,
  end = HARMONY_CONTROL_END,
  return_ = HARMONY_CONTROL_RETURN,
  call = HARMONY_CONTROL_CALL,
  channel = HARMONY_CONTROL_CHANNEL,
  message = HARMONY_CONTROL_MESSAGE,
  constrain = HARMONY_CONTROL_CONSTRAIN,
};

// One of HARMONY_DEVIATION_; 0 is none.
using deviation = std::uint32_t;

inline const char * name(event_kind kind) noexcept { return harmony_event_name(static_cast<std::uint32_t>(kind)); }
inline const char * name(channel channel) noexcept { return harmony_channel_name(static_cast<std::uint32_t>(channel)); }
inline const char * name(call_status status) noexcept {
  return harmony_call_status_name(static_cast<std::uint32_t>(status));
}
inline const char * name(message_end end) noexcept {
  return harmony_message_end_name(static_cast<std::uint32_t>(end));
}

// The control token with this id in the o200k_harmony vocabulary.
inline std::optional<control> control_from_token_id(std::uint32_t id) noexcept {
  const std::uint32_t number = harmony_control_from_token_id(id);
  if (number == 0) return std::nullopt;
  return static_cast<control>(number);
}

// A cheap look whether a text may hold a harmony message.
inline bool is_harmony(std::string_view text) noexcept { return harmony_is_harmony(text.data(), text.size()) != 0; }

// How to parse. The defaults are those of harmony_options.
struct options {
  std::uint32_t policy = HARMONY_POLICY_VERBATIM;
  std::uint32_t routing = HARMONY_ROUTING_COMMENTARY_FUNCTIONS;
  std::uint32_t start = HARMONY_START_DETECT;
  std::uint32_t input = HARMONY_INPUT_TEXT;
  // 0: no limit.
  std::uint64_t max_bytes = 0;

  // What a live server wants.
  static options lenient() noexcept {
    options options;
    options.policy = HARMONY_POLICY_RECOVER;
    options.routing = HARMONY_ROUTING_ANY_RECIPIENT;
    return options;
  }

  harmony_options c() const noexcept {
    return harmony_options{sizeof(harmony_options), policy, routing, start, input, max_bytes};
  }
};

// Why a text came back as content, and the byte that proved it.
struct failure {
  deviation kind;
  std::uint64_t offset;

  const char * name() const noexcept { return harmony_deviation_name(kind); }
  // Completes "at byte N: ...".
  const char * message() const noexcept { return harmony_deviation_message(kind); }
};

// How a stream ended, or how it stands before the end.
struct summary {
  harmony_summary c = HARMONY_SUMMARY_INIT;

  std::optional<harmony::failure> failure() const noexcept {
    if (c.failure == 0) return std::nullopt;
    return harmony::failure{c.failure, c.failure_offset};
  }
  message_end last_end() const noexcept { return static_cast<message_end>(c.last_end); }
};

// An event. `text` lives as long as the range it came from.
struct event {
  event_kind kind;
  harmony::channel channel;
  // Of a tool call, from 0.
  std::uint32_t index;
  // What it means depends on the kind: see the functions below.
  std::uint32_t code;
  std::string_view text;
  // Where the text begins, in bytes of the stream.
  std::uint64_t offset;
  // How many bytes of the stream had come before the event became certain.
  std::uint64_t position;

  // In message_start: whom it is for, empty if it does not say. In tool_call_start: as it was written, `text` being
  // the end of it.
  std::string_view recipient() const noexcept {
    switch (kind) {
      case event_kind::message_start: return text;
      case event_kind::tool_call_start: return {text.data() - code, text.size() + code};
      default: return {};
    }
  }
  // In tool_call_end.
  call_status call() const noexcept {
    return kind == event_kind::tool_call_end ? static_cast<call_status>(code) : call_status::none;
  }
  // In message_end, and in finish for the last message.
  message_end end() const noexcept {
    switch (kind) {
      case event_kind::message_end: return static_cast<message_end>(code);
      case event_kind::finish: return static_cast<message_end>(index);
      default: return message_end::none;
    }
  }
  // In deviation: HARMONY_DEVIATION_.
  harmony::deviation deviation() const noexcept { return kind == event_kind::deviation ? code : 0; }
  // In finish.
  std::optional<harmony::failure> failure() const noexcept {
    if (kind != event_kind::finish || code == 0) return std::nullopt;
    return harmony::failure{code, offset};
  }
};

// The events of a call, all of them: whether or not you look at each, nothing is lost. Valid until the next call on
// the stream that is not const.
class events {
 public:
  class iterator {
   public:
    using value_type = event;
    using difference_type = std::ptrdiff_t;
    using reference = event;
    using pointer = void;
    using iterator_category = std::input_iterator_tag;

    iterator() noexcept = default;
    iterator(const harmony_event * at, const char * base) noexcept : at_(at), base_(base) {}

    event operator*() const noexcept {
      const std::string_view text(base_ + at_->offset, static_cast<std::size_t>(at_->length));
      return {static_cast<event_kind>(at_->kind), static_cast<harmony::channel>(at_->channel),
              at_->index, at_->code, text, at_->offset, at_->position};
    }
    iterator & operator++() noexcept { ++at_; return *this; }
    iterator operator++(int) noexcept { iterator old = *this; ++at_; return old; }
    bool operator==(const iterator & other) const noexcept { return at_ == other.at_; }
    bool operator!=(const iterator & other) const noexcept { return at_ != other.at_; }

   private:
    const harmony_event * at_ = nullptr;
    const char * base_ = nullptr;
  };

  events(harmony_status status, const harmony_event * first, std::size_t count, const char * base) noexcept
      : status_(status), first_(first), count_(count), base_(base) {}

  iterator begin() const noexcept { return {first_, base_}; }
  iterator end() const noexcept { return {first_ + count_, base_}; }
  std::size_t size() const noexcept { return count_; }
  bool empty() const noexcept { return count_ == 0; }
  event operator[](std::size_t at) const noexcept { return *iterator(first_ + at, base_); }

  // Below 0: the call was refused, and there are no events.
  harmony_status status() const noexcept { return status_; }
  explicit operator bool() const noexcept { return status_ >= 0; }

 private:
  harmony_status status_;
  const harmony_event * first_;
  std::size_t count_;
  const char * base_;
};

namespace detail {

struct deleter {
  void operator()(harmony_stream * stream) const noexcept { harmony_stream_free(stream); }
  void operator()(harmony_message * message) const noexcept { harmony_message_free(message); }
  void operator()(harmony_texts * texts) const noexcept { harmony_texts_free(texts); }
  void operator()(harmony_detector * detector) const noexcept { harmony_detector_free(detector); }
  void operator()(harmony_registry * registry) const noexcept { harmony_registry_free(registry); }
};

// Texts that a function of C made.
class texts {
 public:
  // Runs `call`, which makes them; there are none unless it gives HARMONY_OK.
  template <typename Call>
  explicit texts(Call call) noexcept {
    harmony_texts * made = nullptr;
    made_ = call(&made) == HARMONY_OK;
    handle_.reset(made);
  }

  explicit operator bool() const noexcept { return made_; }

  std::string operator[](std::size_t index) const {
    std::size_t length = 0;
    const char * text = harmony_texts_get(handle_.get(), index, &length);
    return text == nullptr ? std::string() : std::string(text, length);
  }
  std::optional<std::string> first() const {
    if (!made_) return std::nullopt;
    return (*this)[0];
  }
  std::optional<std::vector<std::string>> all() const {
    if (!made_) return std::nullopt;
    std::vector<std::string> all;
    for (std::size_t i = 0; i < harmony_texts_count(handle_.get()); ++i) all.push_back((*this)[i]);
    return all;
  }

 private:
  std::unique_ptr<harmony_texts, deleter> handle_;
  bool made_ = false;
};

}  // namespace detail

// Splits one stream while it comes in. Move-only; clone() copies. One that could not be made, or was moved from, is
// false and refuses every call with HARMONY_E_NULL.
class stream {
 public:
  explicit stream(const options & options = {}) noexcept {
    const harmony_options c = options.c();
    harmony_stream * made = nullptr;
    status_ = harmony_stream_new(&c, &made);
    handle_.reset(made);
  }

  stream(stream && other) noexcept = default;
  stream & operator=(stream && other) noexcept = default;

  explicit operator bool() const noexcept { return handle_ != nullptr; }
  // Why it could not be made.
  harmony_status status() const noexcept { return status_; }

  // Takes the next bytes, cut wherever you like. Not on a temporary: the range would outlive it.
  events push(std::string_view piece) & {
    return gather([&](harmony_event * room, std::size_t capacity, std::size_t * count) {
      return harmony_stream_push(handle_.get(), piece.data(), piece.size(), room, capacity, count);
    });
  }
  // Takes a control token (HARMONY_INPUT_TOKENS only).
  events push(control token) & {
    return gather([&](harmony_event * room, std::size_t capacity, std::size_t * count) {
      return harmony_stream_push_control(handle_.get(), static_cast<std::uint32_t>(token), room, capacity, count);
    });
  }
  // Ends the stream.
  events finish() & {
    return gather([&](harmony_event * room, std::size_t capacity, std::size_t * count) {
      return harmony_stream_finish(handle_.get(), room, capacity, count);
    });
  }
  events push(std::string_view) && = delete;
  events push(control) && = delete;
  events finish() && = delete;

  // Makes it as new, with the same options.
  harmony_status reset() noexcept { return harmony_stream_reset(handle_.get()); }

  // A copy that goes on on its own; false if that failed.
  stream clone() const noexcept {
    stream copy{nullptr};
    harmony_stream * made = nullptr;
    copy.status_ = harmony_stream_clone(handle_.get(), &made);
    copy.handle_.reset(made);
    return copy;
  }

  // All that was pushed. Valid until the next call that is not const.
  std::string_view text() const noexcept {
    std::size_t length = 0;
    const char * text = harmony_stream_text(handle_.get(), &length);
    return {text, length};
  }
  // Bytes at the end of the text that are in no event yet.
  std::size_t held() const noexcept { return harmony_stream_held(handle_.get()); }

  harmony::summary summary() const noexcept {
    harmony::summary summary;
    harmony_stream_summary(handle_.get(), &summary.c);
    return summary;
  }

  // For calls to the C functions.
  harmony_stream * c() noexcept { return handle_.get(); }
  const harmony_stream * c() const noexcept { return handle_.get(); }

 private:
  explicit stream(std::nullptr_t) noexcept {}

  // Takes all events at once: a lazy range would lose the rest of the chunk where a loop breaks.
  template <typename Call>
  events gather(Call call) {
    if (events_.empty()) events_.resize(16);
    std::size_t count = 0;
    harmony_status status = call(events_.data(), events_.size(), &count);
    while (status == HARMONY_MORE) {
      events_.resize(events_.size() * 2);
      std::size_t more = 0;
      status = harmony_stream_drain(handle_.get(), events_.data() + count, events_.size() - count, &more);
      count += more;
    }
    return {status, events_.data(), count, harmony_stream_text(handle_.get(), nullptr)};
  }

  std::unique_ptr<harmony_stream, detail::deleter> handle_;
  std::vector<harmony_event> events_;
  harmony_status status_ = HARMONY_OK;
};

// A tool call of a message; its texts live as long as the message.
struct tool_call {
  std::string_view name;
  std::string_view recipient;
  std::string_view arguments;
  call_status status;
};

// A whole text, split. Move-only. False if it could not be made; then it is empty.
class message {
 public:
  explicit message(std::string_view text, const options & options = {}) noexcept {
    const harmony_options c = options.c();
    harmony_message * made = nullptr;
    status_ = harmony_parse(&c, text.data(), text.size(), &made);
    handle_.reset(made);
  }

  explicit operator bool() const noexcept { return handle_ != nullptr; }
  harmony_status status() const noexcept { return status_; }

  // The answer; after a failure the whole text.
  std::string_view content() const noexcept { return text(harmony_message_content); }
  std::string_view reasoning() const noexcept { return text(harmony_message_reasoning); }

  std::size_t call_count() const noexcept { return harmony_message_call_count(handle_.get()); }
  // Empty, its status none, if there is no such call.
  tool_call call(std::size_t index) const noexcept {
    return {text(harmony_message_call_name, index), text(harmony_message_call_recipient, index),
            text(harmony_message_call_arguments, index),
            static_cast<call_status>(harmony_message_call_status(handle_.get(), index))};
  }
  std::vector<tool_call> calls() const {
    std::vector<tool_call> calls;
    const std::size_t count = call_count();
    calls.reserve(count);
    for (std::size_t index = 0; index < count; ++index) calls.push_back(call(index));
    return calls;
  }

  harmony::summary summary() const noexcept {
    harmony::summary summary;
    harmony_message_summary(handle_.get(), &summary.c);
    return summary;
  }
  std::optional<harmony::failure> failure() const noexcept { return summary().failure(); }

 private:
  template <typename Function, typename... Index>
  std::string_view text(Function function, Index... index) const noexcept {
    std::size_t length = 0;
    const char * text = function(handle_.get(), index..., &length);
    return {text, length};
  }

  std::unique_ptr<harmony_message, detail::deleter> handle_;
  harmony_status status_ = HARMONY_OK;
};

// Splits a whole text at once.
inline message parse(std::string_view text, const options & options = {}) noexcept { return message(text, options); }

// What kind of text is searched for leaks.
enum class surface : std::uint32_t {
  text = HARMONY_SURFACE_TEXT,
  thinking = HARMONY_SURFACE_THINKING,
  tool_arg = HARMONY_SURFACE_TOOL_ARG,
};

inline const char * name(surface surface) noexcept {
  return harmony_surface_name(static_cast<std::uint32_t>(surface));
}

// A place where something leaked: `classes` (HARMONY_CLASS_, as a sum), `start` and `end` in bytes.
using signal = harmony_signal;

// Searches a finished text for protocol that leaked into it; empty if it is clean. `parsed_end`: where a valid parse of
// a tool's arguments ends. Below 0 `*outcome` says why the text was not searched.
inline std::vector<signal> detect_leak(std::string_view text, surface surface = surface::text,
                                       std::uint64_t parsed_end = HARMONY_NO_END,
                                       harmony_status * outcome = nullptr) {
  std::vector<signal> signals(4);
  std::size_t count = 0;
  harmony_status status = HARMONY_MORE;
  // The first call tells how many there are, if they are more than a few.
  while (status == HARMONY_MORE) {
    if (count > signals.size()) signals.resize(count);
    status = harmony_leak_detect(text.data(), text.size(), static_cast<std::uint32_t>(surface), parsed_end,
                                 signals.data(), signals.size(), &count);
  }
  if (outcome != nullptr) *outcome = status;
  signals.resize(count);
  return signals;
}

// The signals as one short text for logs: "M+C,H".
inline std::string leak_label(const std::vector<signal> & signals) {
  return detail::texts([&](harmony_texts ** out) {
    return harmony_leak_label(signals.data(), signals.size(), out);
  })[0];
}

// Searches a text while it streams. Each call gives the signals that became certain with it. Move-only.
class detector {
 public:
  explicit detector(surface surface = surface::text, std::uint64_t parsed_end = HARMONY_NO_END) noexcept {
    harmony_detector * made = nullptr;
    status_ = harmony_detector_new(static_cast<std::uint32_t>(surface), parsed_end, &made);
    handle_.reset(made);
  }

  explicit operator bool() const noexcept { return handle_ != nullptr; }
  // Of the last call.
  harmony_status status() const noexcept { return status_; }

  std::vector<signal> push(std::string_view piece) {
    return gather([&](signal * room, std::size_t capacity, std::size_t * count) {
      return harmony_detector_push(handle_.get(), piece.data(), piece.size(), room, capacity, count);
    });
  }
  // The end of a tool's arguments, once it is known.
  std::vector<signal> set_parsed_end(std::uint64_t offset) {
    return gather([&](signal * room, std::size_t capacity, std::size_t * count) {
      return harmony_detector_set_parsed_end(handle_.get(), offset, room, capacity, count);
    });
  }
  std::vector<signal> finish() {
    return gather([&](signal * room, std::size_t capacity, std::size_t * count) {
      return harmony_detector_finish(handle_.get(), room, capacity, count);
    });
  }
  // Whether there was a signal so far: stop the model as soon as this is so.
  bool detected() const noexcept { return harmony_detector_detected(handle_.get()) != 0; }

  harmony_status reset(surface surface = surface::text, std::uint64_t parsed_end = HARMONY_NO_END) noexcept {
    return harmony_detector_reset(handle_.get(), static_cast<std::uint32_t>(surface), parsed_end);
  }
  // False if that failed.
  detector clone() const noexcept {
    detector copy{nullptr};
    harmony_detector * made = nullptr;
    copy.status_ = harmony_detector_clone(handle_.get(), &made);
    copy.handle_.reset(made);
    return copy;
  }

 private:
  explicit detector(std::nullptr_t) noexcept {}

  template <typename Call>
  std::vector<signal> gather(Call call) {
    std::vector<signal> signals;
    signal room[8];
    std::size_t count = 0;
    status_ = call(room, 8, &count);
    signals.insert(signals.end(), room, room + count);
    while (status_ == HARMONY_MORE) {
      status_ = harmony_detector_drain(handle_.get(), room, 8, &count);
      signals.insert(signals.end(), room, room + count);
    }
    return signals;
  }

  std::unique_ptr<harmony_detector, detail::deleter> handle_;
  harmony_status status_ = HARMONY_OK;
};

// The tools whose input can be cut: `edit` and `eval`, unless made empty. Move-only.
class registry {
 public:
  explicit registry(bool defaults = true) noexcept {
    harmony_registry * made = nullptr;
    const harmony_status status = harmony_registry_new(defaults ? 1 : 0, &made);
    if (status == HARMONY_OK) handle_.reset(made);
  }

  // Input that begins with `prefix` (any, if it is empty) can be cut; `sentinel` then ends it. False if a text is not
  // UTF-8.
  bool add(std::string_view tool, std::string_view prefix, std::string_view sentinel) noexcept {
    return harmony_registry_add(handle_.get(), tool.data(), tool.size(), prefix.data(), prefix.size(),
                                sentinel.data(), sentinel.size()) == HARMONY_OK;
  }

  const harmony_registry * c() const noexcept { return handle_.get(); }

 private:
  std::unique_ptr<harmony_registry, detail::deleter> handle_;
};

// A tool's input without the leak.
struct recovered {
  // What can be run.
  std::string clean;
  // From this offset on the input is lost.
  std::size_t removed;
};

// Cuts the input of a tool call at the line of its first signal; nothing if that can't be done.
inline std::optional<recovered> recover(const registry & registry, std::string_view tool, std::string_view input,
                                        const signal & first) {
  // One that was moved from has no tools; to C it would be the defaults.
  if (registry.c() == nullptr) return std::nullopt;
  std::size_t removed = 0;
  const detail::texts clean([&](harmony_texts ** out) {
    return harmony_leak_recover(registry.c(), tool.data(), tool.size(), input.data(), input.size(), first.start, out,
                                &removed);
  });
  if (!clean) return std::nullopt;
  return recovered{clean[0], removed};
}

// Blocks of a finished message; they point to texts of yours.
inline harmony_block text_block(std::string_view text) noexcept {
  return {HARMONY_BLOCK_TEXT, text.data(), text.size(), nullptr, 0, HARMONY_NO_END};
}
inline harmony_block thinking_block(std::string_view text) noexcept {
  return {HARMONY_BLOCK_THINKING, text.data(), text.size(), nullptr, 0, HARMONY_NO_END};
}
// Without a parsed end it is not searched.
inline harmony_block tool_call_block(std::string_view tool, std::string_view arguments,
                                     std::uint64_t parsed_end = HARMONY_NO_END) noexcept {
  return {HARMONY_BLOCK_TOOL_CALL, arguments.data(), arguments.size(), tool.data(), tool.size(), parsed_end};
}
// Anything else; it counts, but is not searched.
inline harmony_block other_block() noexcept {
  return {HARMONY_BLOCK_OTHER, nullptr, 0, nullptr, 0, HARMONY_NO_END};
}

// The text of a block that is searched, and that offsets count in; nothing if it is not UTF-8.
inline std::optional<std::string> searched(const harmony_block & block) {
  return detail::texts([&](harmony_texts ** out) { return harmony_block_searched(&block, out); }).first();
}

// The first block of a message with a leak.
struct message_leak {
  std::size_t block;
  std::vector<signal> signals;
};

// Searches blocks in order; nothing if all are clean. Below 0 `*outcome` says why none was searched: one whose text is
// not UTF-8 is enough.
inline std::optional<message_leak> detect_leak(const std::vector<harmony_block> & blocks,
                                               harmony_status * outcome = nullptr) {
  message_leak leak{0, std::vector<signal>(4)};
  std::size_t count = 0;
  harmony_status status = HARMONY_MORE;
  while (status == HARMONY_MORE) {
    if (count > leak.signals.size()) leak.signals.resize(count);
    status = harmony_leak_detect_message(blocks.data(), blocks.size(), &leak.block, leak.signals.data(),
                                         leak.signals.size(), &count);
  }
  if (outcome != nullptr) *outcome = status;
  if (count == 0) return std::nullopt;
  leak.signals.resize(count);
  return leak;
}

// A tool call without the leak: what takes the place of its argument `input`, and what was removed.
struct recovered_call {
  std::string clean;
  std::string removed;
};

// Recovers a tool call in which the first signal was found; nothing if that can't be done.
inline std::optional<recovered_call> recover(const registry & registry, const harmony_block & block,
                                             const signal & first) {
  if (registry.c() == nullptr) return std::nullopt;
  const detail::texts made([&](harmony_texts ** out) {
    return harmony_block_recover(registry.c(), &block, first.start, out);
  });
  if (!made) return std::nullopt;
  return recovered_call{made[0], made[1]};
}

// What to say to the model after a recovered call has run.
inline std::string_view leak_continuation() noexcept { return harmony_leak_continuation(); }

// What a log may know of a removed text; nothing if it is not UTF-8.
inline std::optional<harmony_audit> audit(std::string_view removed) noexcept {
  harmony_audit audit = HARMONY_AUDIT_INIT;
  if (harmony_leak_audit(removed.data(), removed.size(), &audit) != HARMONY_OK) return std::nullopt;
  return audit;
}

// The one JSON object in an answer.
inline std::optional<std::string_view> extract(std::string_view answer) noexcept {
  std::size_t start = 0, length = 0;
  if (harmony_extract(answer.data(), answer.size(), &start, &length) != HARMONY_OK) return std::nullopt;
  return answer.substr(start, length);
}

// Values of an answer. Nothing: if the decoder was bound to the schema, the answer was cut, so do without; if not, it
// may be prose, so use your own parser.
inline std::optional<std::string> pick_title(std::string_view answer) {
  return detail::texts([&](harmony_texts ** out) {
    return harmony_pick_title(answer.data(), answer.size(), 0, out);
  }).first();
}
inline std::optional<std::vector<std::string>> pick_suggestions(std::string_view answer) {
  return detail::texts([&](harmony_texts ** out) {
    return harmony_pick_suggestions(answer.data(), answer.size(), 0, out);
  }).all();
}
inline std::optional<std::vector<std::string>> pick_queries(std::string_view answer) {
  return detail::texts([&](harmony_texts ** out) {
    return harmony_pick_queries(answer.data(), answer.size(), 0, out);
  }).all();
}

// The schemas of these values, for the decoder.
inline std::string_view title_schema() noexcept { return harmony_schema_title(); }
inline std::string_view suggestions_schema() noexcept { return harmony_schema_suggestions(); }
inline std::string_view queries_schema() noexcept { return harmony_schema_queries(); }

// Untrusted text with its markers broken, for a prompt; nothing if it is not UTF-8.
inline std::optional<std::string> escape(std::string_view text) {
  return detail::texts([&](harmony_texts ** out) { return harmony_escape(text.data(), text.size(), out); }).first();
}
inline std::optional<std::string> unescape(std::string_view text) {
  return detail::texts([&](harmony_texts ** out) { return harmony_unescape(text.data(), text.size(), out); }).first();
}

}  // namespace harmony

#endif  // HARMONY_STREAM_HPP
