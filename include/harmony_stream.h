/* harmony_stream.h - splits the harmony text of gpt-oss models into reasoning, tool calls and answer while it streams
 *
 * Generated from ffi/src and ffi/header: do not edit. SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A gpt-oss model writes its whole turn as one text:
 *
 *   <|channel|>analysis<|message|>Need the weather.<|end|><|start|>assistant<|channel|>commentary
 *   to=functions.weather <|constrain|>json<|message|>{"city":"Oslo"}<|call|>
 *
 * Push it in, cut wherever you like, and take events out. A complete program:
 *
 *   #include <harmony_stream.h>
 *   #include <stdio.h>
 *
 *   int main(void) {
 *     harmony_options options = HARMONY_OPTIONS_LENIENT_INIT;
 *     harmony_stream *stream = NULL;
 *     harmony_event events[16];
 *     char piece[4096];
 *     size_t length, count, i;
 *     harmony_status status;
 *
 *     if (harmony_stream_new(&options, &stream) < 0) return 1;
 *     do {
 *       length = fread(piece, 1, sizeof piece, stdin);
 *       status = length > 0 ? harmony_stream_push(stream, piece, length, events, 16, &count)
 *                           : harmony_stream_finish(stream, events, 16, &count);
 *       for (;;) {
 *         for (i = 0; i < count; i++)
 *           if (events[i].kind == HARMONY_EVENT_CONTENT)
 *             fwrite(harmony_event_text(stream, &events[i]), 1, (size_t)events[i].length, stdout);
 *         if (status != HARMONY_MORE) break;
 *         status = harmony_stream_drain(stream, events, 16, &count);
 *       }
 *     } while (status == HARMONY_OK && length > 0);
 *     harmony_stream_free(stream);
 *     return status == HARMONY_OK ? 0 : 1;
 *   }
 *
 * Order of events. In a message: MESSAGE_START, pieces of text, MESSAGE_END; in a tool call: MESSAGE_START,
 *   TOOL_CALL_START, TOOL_CALL_ARGUMENTS..., TOOL_CALL_END, MESSAGE_END. FINISH is always last. The events come to the
 *   same whatever the chunks, and each leaves with the first byte after which it cannot change.
 * Policies. Under HARMONY_POLICY_VERBATIM, the default, everything before FINISH is provisional: a text that leaves the
 *   grammar comes back unchanged, as content, behind a ROLLBACK that says to forget what came before. Under
 *   HARMONY_POLICY_RECOVER it is repaired, a DEVIATION tells of each repair, and nothing is ever taken back; a live
 *   server wants HARMONY_OPTIONS_LENIENT_INIT.
 * Texts. UTF-8, given as pointer and length in bytes; not terminated by NUL unless said so. NULL with length 0 is an
 *   empty text. Input that is not UTF-8 is passed on as it is. Offsets and lengths are bytes everywhere.
 * Memory. The library keeps no pointer that it is given longer than the call. What a function makes, the caller frees
 *   with the function named there. Where memory runs out the process ends, as in every Rust library.
 * Outputs. Every output is written on every path: after an error a count is 0, a handle NULL.
 * Errors. Numbers below 0. An error of use (all but HARMONY_E_PANIC) changes nothing; correct the call and go on.
 * Panics. None crosses this boundary. A bug in the library comes back as HARMONY_E_PANIC, or as the value that a
 *   function gives for NULL; a line about it is on stderr, and the handle refuses all further calls but its free.
 * Threads. No globals, no thread-locals. A handle may move between threads but must not be used by two at once, except
 *   in functions that take it as const: these may run side by side.
 * Growth. Numbers are never given another meaning. Skip kinds of events that you do not know.
 */
#ifndef HARMONY_STREAM_H
#define HARMONY_STREAM_H

#include <stddef.h>
#include <stdint.h>

#define HARMONY_VERSION_MAJOR 0
#define HARMONY_VERSION_MINOR 1
#define HARMONY_VERSION_PATCH 0
#define HARMONY_VERSION "0.1.0"
/* 8 bits each for minor and patch: comparable. */
#define HARMONY_VERSION_NUMBER \
  ((HARMONY_VERSION_MAJOR << 16) | (HARMONY_VERSION_MINOR << 8) | HARMONY_VERSION_PATCH)

#if defined(HARMONY_STREAM_DLL) && defined(_WIN32)
#  define HARMONY_API __declspec(dllimport)
#else
#  define HARMONY_API
#endif

/* On results that must be looked at. */
#if defined(__cplusplus) && __cplusplus >= 201703L
#  define HARMONY_NODISCARD [[nodiscard]]
#elif defined(__GNUC__)
#  define HARMONY_NODISCARD __attribute__((warn_unused_result))
#else
#  define HARMONY_NODISCARD
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Status ------------------------------------------------------------------------------------------------------ */

/* What a call came to: 0 and up is progress, below 0 an error. After an error nothing has changed, and outputs hold
 * 0 or NULL. */
typedef int32_t harmony_status;

/* Done. */
#define HARMONY_OK 0
/* Done, but not all events (or signals) found room in the array. harmony_stream_drain gives the rest. */
#define HARMONY_MORE 1
/* Done, and there is no such value: no object in the answer, no recovery for the call. */
#define HARMONY_NONE 2
/* There is no such value although a grammar was applied: the answer was cut. Only from pickers. */
#define HARMONY_CUT 3
/* A pointer that must not be NULL is NULL. */
#define HARMONY_E_NULL (-1)
/* A number that means nothing here, or a `size` that this library can't serve. */
#define HARMONY_E_ARGUMENT (-2)
/* The stream is finished; only harmony_stream_reset makes it usable again. */
#define HARMONY_E_FINISHED (-3)
/* Not with this `input` option: a control token was pushed though they are read from the text, or a whole text was
 * to be parsed though they come as tokens. */
#define HARMONY_E_INPUT (-4)
/* The text would pass `max_bytes`. */
#define HARMONY_E_LIMIT (-5)
/* The text is not UTF-8. Only where a function says so. */
#define HARMONY_E_UTF8 (-6)
/* A bug in this library. The handle is of no use any more, except to be freed. */
#define HARMONY_E_PANIC (-100)

/* ---- Options ----------------------------------------------------------------------------------------------------- */

/* `policy`: what a text that leaves the grammar does. */

/* A text that leaves the grammar comes back unchanged, as content, and the finish event says why. The default. */
#define HARMONY_POLICY_VERBATIM 0
/* It is repaired and reported; nothing that was emitted is ever taken back. */
#define HARMONY_POLICY_RECOVER 1

/* `routing`: what makes a message a tool call. */

/* `to=functions.NAME` on the commentary channel. The default. */
#define HARMONY_ROUTING_COMMENTARY_FUNCTIONS 0
/* Any recipient (`to=python` too) on any channel but final. */
#define HARMONY_ROUTING_ANY_RECIPIENT 1

/* `start`: where the stream begins, which the prompt decides. */

/* Before the first message, whatever it is. The default. */
#define HARMONY_START_DETECT 0
/* Behind `<|start|>assistant`, which the prompt ended with. */
#define HARMONY_START_ASSISTANT_HEADER 1
/* In the body of a reasoning message. */
#define HARMONY_START_ANALYSIS_BODY 2
/* In the body of an answer. */
#define HARMONY_START_FINAL_BODY 3

/* `input`: how control tokens come in. */

/* Spelled out in the text. The default. */
#define HARMONY_INPUT_TEXT 0
/* Through harmony_stream_push_control; text is never searched for them. */
#define HARMONY_INPUT_TOKENS 1

/* How to parse. Initialise it with HARMONY_OPTIONS_INIT or HARMONY_OPTIONS_LENIENT_INIT, then set what you want.
 * Fields are only ever added at the end; `size` tells the library which ones there are. */
typedef struct harmony_options {
  /* sizeof(harmony_options). */
  size_t size;
  /* HARMONY_POLICY_. */
  uint32_t policy;
  /* HARMONY_ROUTING_. */
  uint32_t routing;
  /* HARMONY_START_. */
  uint32_t start;
  /* HARMONY_INPUT_. */
  uint32_t input;
  /* A push that would make the text longer than this many bytes is refused; 0: no limit. */
  uint64_t max_bytes;
} harmony_options;

/* The defaults: what a strict reader of the format does. */
#define HARMONY_OPTIONS_INIT { sizeof(harmony_options), 0, 0, 0, 0, 0 }
/* What a live server wants: HARMONY_POLICY_RECOVER and HARMONY_ROUTING_ANY_RECIPIENT. */
#define HARMONY_OPTIONS_LENIENT_INIT \
  { sizeof(harmony_options), HARMONY_POLICY_RECOVER, HARMONY_ROUTING_ANY_RECIPIENT, 0, 0, 0 }

/* ---- Events ------------------------------------------------------------------------------------------------------ */

/* An event. 40 bytes everywhere and no pointers, so an array of them may live on any language's heap.
 *
 * Its text is `length` bytes at `harmony_stream_text(stream, NULL) + offset`, or harmony_event_text. Texts are whole
 * UTF-8 sequences as long as the input is UTF-8, they are not terminated by NUL, and they may hold NULs. */
typedef struct harmony_event {
  /* HARMONY_EVENT_; skip kinds that you don't know. */
  uint32_t kind;
  /* HARMONY_CHANNEL_: of the message that the event belongs to. */
  uint32_t channel;
  /* Which tool call, from 0. In HARMONY_EVENT_FINISH: HARMONY_END_. */
  uint32_t index;
  /* Depends on the kind, 0 in most. */
  uint32_t code;
  /* Where the text begins, in bytes from the beginning of the stream. */
  uint64_t offset;
  /* Length of the text in bytes, 0 if there is none. */
  uint64_t length;
  /* How many bytes of the stream had come before the event became certain. */
  uint64_t position;
} harmony_event;

/* Kinds of events. */

/* A header is complete: `channel`; the text is the recipient (`functions.NAME`, `python`), empty if
 * there is none. */
#define HARMONY_EVENT_MESSAGE_START 1
/* The text is the next piece of the answer. */
#define HARMONY_EVENT_CONTENT 2
/* The text is the next piece of the chain of thought. */
#define HARMONY_EVENT_REASONING 3
/* Tool call number `index` begins, arguments follow. The text is the tool's name without `functions.`; the recipient
 * as it was written begins `code` bytes before it. */
#define HARMONY_EVENT_TOOL_CALL_START 4
/* The text is the next piece of the arguments of tool call `index`; white space around them is not part of it. */
#define HARMONY_EVENT_TOOL_CALL_ARGUMENTS 5
/* The text is all of the arguments of tool call `index`; `code` says whether they are complete (HARMONY_CALL_). */
#define HARMONY_EVENT_TOOL_CALL_END 6
/* A message ended; `code` says by what (HARMONY_END_). */
#define HARMONY_EVENT_MESSAGE_END 7
/* Something was repaired or dropped at `offset`; `code` says what (HARMONY_DEVIATION_). The text, often empty, is in
 * no other event. HARMONY_POLICY_RECOVER only. */
#define HARMONY_EVENT_DEVIATION 8
/* Forget every event so far: the whole text follows as content. HARMONY_POLICY_VERBATIM only. */
#define HARMONY_EVENT_ROLLBACK 9
/* The end, always last, exactly once. `code` says why the whole text came back as content (HARMONY_DEVIATION_), 0 if
 * it did not; `offset` is the byte that proved it; `index` is how the last message ended (HARMONY_END_), 0 if there
 * was none. There is no text. harmony_stream_summary knows more. */
#define HARMONY_EVENT_FINISH 10

/* Channels. */

/* The header names no channel, or the event stands outside of messages. */
#define HARMONY_CHANNEL_NONE 0
/* Chain of thought. */
#define HARMONY_CHANNEL_ANALYSIS 1
/* Tool calls, and content that accompanies them. */
#define HARMONY_CHANNEL_COMMENTARY 2
/* The answer. */
#define HARMONY_CHANNEL_FINAL 3
/* A name that is none of these (HARMONY_POLICY_RECOVER only); the body is content. */
#define HARMONY_CHANNEL_OTHER 4

/* How complete a tool call is. */

/* The arguments are one JSON object: only such a call may be run. */
#define HARMONY_CALL_COMPLETE 1
/* The call was closed, but its arguments are no JSON object. */
#define HARMONY_CALL_MALFORMED 2
/* The stream ended first. */
#define HARMONY_CALL_INCOMPLETE 3

/* What ended a message. */

/* `<|end|>`. */
#define HARMONY_END_END 1
/* `<|return|>`. */
#define HARMONY_END_RETURN 2
/* `<|call|>`. */
#define HARMONY_END_CALL 3
/* The header of the next message. */
#define HARMONY_END_NEXT_HEADER 4
/* The stream ended, without a token that closes the message. */
#define HARMONY_END_OF_STREAM 5

/* What is wrong with a text, and what HARMONY_POLICY_RECOVER makes of it. */

/* The stream ended without a message; its text is content. */
#define HARMONY_DEVIATION_NO_MESSAGE 1
/* Text where a message should begin; it is content. */
#define HARMONY_DEVIATION_STRAY_TEXT 2
/* A terminator where nothing is open; it is dropped. */
#define HARMONY_DEVIATION_STRAY_TERMINATOR 3
/* `<|constrain|>` outside a header; it is dropped, with its format word. */
#define HARMONY_DEVIATION_STRAY_CONSTRAIN 4
/* `<|message|>` without a header; its body is content. */
#define HARMONY_DEVIATION_MISSING_HEADER 5
/* `<|start|>` is missing before a header; the header is taken. */
#define HARMONY_DEVIATION_MISSING_START 6
/* `<|start|>` twice; once is enough. */
#define HARMONY_DEVIATION_REPEATED_START 7
/* Header fields in another order, or doubled; the last channel decides. */
#define HARMONY_DEVIATION_HEADER_ORDER 8
/* The header names no known channel; the one that its word begins with decides, else the body is content. */
#define HARMONY_DEVIATION_UNKNOWN_CHANNEL 9
/* A header that never reaches `<|message|>`; its text is routed by its channel. */
#define HARMONY_DEVIATION_STRANDED_HEADER 10
/* More than 1,024 bytes of header text; the body begins there. */
#define HARMONY_DEVIATION_LONG_HEADER 11
/* Header text that belongs nowhere; it is dropped. */
#define HARMONY_DEVIATION_DROPPED_TEXT 12
/* `<|channel|>` in a body; it begins the next message. */
#define HARMONY_DEVIATION_CHANNEL_IN_BODY 13
/* A control token in a body that quotes nothing; it is dropped. */
#define HARMONY_DEVIATION_DROPPED_MARKER 14
/* A control token that may not be quoted, before text; it stays in the body. */
#define HARMONY_DEVIATION_QUOTED_MARKER 15
/* `<|message|>` at the very start of a body; it is dropped. */
#define HARMONY_DEVIATION_REPEATED_MESSAGE 16
/* The stream ended in a body that needs a terminator; its text stays. */
#define HARMONY_DEVIATION_UNTERMINATED 17
/* Arguments that are no JSON object; they are passed on, and the call is malformed. */
#define HARMONY_DEVIATION_MALFORMED_ARGUMENTS 18
/* The stream ended in the arguments; the call is incomplete. */
#define HARMONY_DEVIATION_INCOMPLETE_ARGUMENTS 19
/* A complete call that something other than `<|call|>` closed; it is complete. */
#define HARMONY_DEVIATION_WRONG_TERMINATOR 20

/* ---- How it ended ------------------------------------------------------------------------------------------------ */

/* How a stream ended, or how it stands before the end. Initialise it with HARMONY_SUMMARY_INIT. Fields are only ever
 * added at the end; `size` tells the library which ones there are. */
typedef struct harmony_summary {
  /* sizeof(harmony_summary). */
  size_t size;
  /* Why the whole text came back as content (HARMONY_DEVIATION_); 0 if it did not. */
  uint32_t failure;
  /* How the last message ended (HARMONY_END_); 0 if there was none. */
  uint32_t last_end;
  /* The byte that proved the failure. */
  uint64_t failure_offset;
  /* How many deviations were repaired. */
  uint64_t deviations;
  /* Bytes of body text (content, reasoning and arguments together) on the analysis channel. */
  uint64_t bytes_analysis;
  /* On commentary. */
  uint64_t bytes_commentary;
  /* On final. */
  uint64_t bytes_final;
  /* On no channel, on an unknown one, and outside of messages. */
  uint64_t bytes_other;
} harmony_summary;

#define HARMONY_SUMMARY_INIT { sizeof(harmony_summary), 0, 0, 0, 0, 0, 0, 0, 0 }

/* ---- Streams ----------------------------------------------------------------------------------------------------- */

/* Splits one stream while it comes in. Made by harmony_stream_new or harmony_stream_clone, freed by
 * harmony_stream_free. It holds the text that was pushed, and little else. */
typedef struct harmony_stream harmony_stream;

/* Makes a parser for one stream. `options` may be NULL: the defaults. On success `*out` is a handle that the caller
 * frees, else NULL.
 *
 * Errors: HARMONY_E_NULL (`out`), HARMONY_E_ARGUMENT (an option's number or `size`), HARMONY_E_PANIC. */
HARMONY_NODISCARD HARMONY_API
harmony_status harmony_stream_new(const harmony_options *options,
                                  harmony_stream **out);

/* Takes the next `length` bytes of the stream, cut wherever you like, and writes the events that became certain with
 * them: at most `capacity` to `events`, and how many to `*count`. The bytes are copied; `data` may be NULL if `length`
 * is 0, `events` if `capacity` is 0.
 *
 * HARMONY_MORE says that not all events found room. Fetch them with harmony_stream_drain, or leave them: they come
 * first the next time. Nothing is lost and no push is refused because of them.
 *
 * Errors: HARMONY_E_NULL, HARMONY_E_ARGUMENT (`length`), HARMONY_E_FINISHED, HARMONY_E_LIMIT (`max_bytes`: nothing of
 * the chunk was taken), HARMONY_E_PANIC. */
HARMONY_NODISCARD HARMONY_API
harmony_status harmony_stream_push(harmony_stream *stream,
                                   const char *data,
                                   size_t length,
                                   harmony_event *events,
                                   size_t capacity,
                                   size_t *count);

/* Takes a control token (HARMONY_CONTROL_) that the sampler knows by its id. Only with HARMONY_INPUT_TOKENS; else as
 * harmony_stream_push. The text of the stream holds its literal.
 *
 * Errors: also HARMONY_E_ARGUMENT (`control`), HARMONY_E_INPUT (control tokens are read from the text). */
HARMONY_NODISCARD HARMONY_API
harmony_status harmony_stream_push_control(harmony_stream *stream,
                                           uint32_t control,
                                           harmony_event *events,
                                           size_t capacity,
                                           size_t *count);

/* Ends the stream. The last event is HARMONY_EVENT_FINISH; for the array as in harmony_stream_push.
 *
 * Errors: HARMONY_E_NULL, HARMONY_E_FINISHED (the second time), HARMONY_E_PANIC. */
HARMONY_NODISCARD HARMONY_API
harmony_status harmony_stream_finish(harmony_stream *stream,
                                     harmony_event *events,
                                     size_t capacity,
                                     size_t *count);

/* Writes events that found no room before, after a finish too; for the array as in harmony_stream_push. HARMONY_OK:
 * none is left.
 *
 * Errors: HARMONY_E_NULL, HARMONY_E_PANIC. */
HARMONY_NODISCARD HARMONY_API
harmony_status harmony_stream_drain(harmony_stream *stream,
                                    harmony_event *events,
                                    size_t capacity,
                                    size_t *count);

/* All that was pushed, control tokens as their literals; `*length` (`length` may be NULL) is its length in bytes.
 * The pointer is valid until the next call on this stream that is not const; offsets in events are valid until a
 * reset. NULL, and length 0, if `stream` is NULL or a call on it panicked. */
HARMONY_NODISCARD HARMONY_API
const char *harmony_stream_text(const harmony_stream *stream,
                                size_t *length);

/* How many bytes at the end of the text wait for what follows: they are in no event yet. 0 after a finish. */
HARMONY_NODISCARD HARMONY_API
size_t harmony_stream_held(const harmony_stream *stream);

/* Writes how the stream ended, or how it stands before the end.
 *
 * Errors: HARMONY_E_NULL, HARMONY_E_ARGUMENT (`size`), HARMONY_E_PANIC. */
HARMONY_API
harmony_status harmony_stream_summary(const harmony_stream *stream,
                                      harmony_summary *out);

/* Makes the stream as new, with the same options. Its memory is kept for the next one.
 *
 * Errors: HARMONY_E_NULL, HARMONY_E_PANIC. */
HARMONY_API harmony_status harmony_stream_reset(harmony_stream *stream);

/* Copies a stream with all it holds, events that wait included; both go on on their own. On success `*out` is a
 * handle that the caller frees, else NULL.
 *
 * Errors: HARMONY_E_NULL, HARMONY_E_PANIC. */
HARMONY_NODISCARD HARMONY_API
harmony_status harmony_stream_clone(const harmony_stream *stream,
                                    harmony_stream **out);

/* Frees a stream, in any state. NULL is nothing. */
HARMONY_API void harmony_stream_free(harmony_stream *stream);

/* ---- Whole texts ------------------------------------------------------------------------------------------------- */

/* A whole text, split. Made by harmony_parse, freed by harmony_message_free; it keeps nothing of the caller's. All
 * functions on it are const: they may run side by side, and pointers they return are valid until it is freed. */
typedef struct harmony_message harmony_message;

/* Splits a whole text of `length` bytes at once. `options` may be NULL: the defaults; `max_bytes` has no effect. Every
 * text has a result. On success `*out` is a handle that the caller frees, else NULL.
 *
 * Errors: HARMONY_E_NULL, HARMONY_E_ARGUMENT (an option's number or `size`, `length`), HARMONY_E_INPUT
 * (HARMONY_INPUT_TOKENS), HARMONY_E_PANIC. */
HARMONY_NODISCARD HARMONY_API
harmony_status harmony_parse(const harmony_options *options,
                             const char *data,
                             size_t length,
                             harmony_message **out);

/* The answer, after a failure the whole text; `*length` (`length` may be NULL) is its length in bytes. NULL, and
 * length 0, if `message` is NULL. */
HARMONY_NODISCARD HARMONY_API
const char *harmony_message_content(const harmony_message *message,
                                    size_t *length);

/* The chain of thought; else as harmony_message_content. */
HARMONY_NODISCARD HARMONY_API
const char *harmony_message_reasoning(const harmony_message *message,
                                      size_t *length);

/* How many tool calls there are; 0 if `message` is NULL. */
HARMONY_NODISCARD HARMONY_API
size_t harmony_message_call_count(const harmony_message *message);

/* The name of tool call `index`, without `functions.`; NULL, and length 0, if there is no such call. Else as
 * harmony_message_content. */
HARMONY_NODISCARD HARMONY_API
const char *harmony_message_call_name(const harmony_message *message,
                                      size_t index,
                                      size_t *length);

/* The recipient of tool call `index` as it was written; else as harmony_message_call_name. */
HARMONY_NODISCARD HARMONY_API
const char *harmony_message_call_recipient(const harmony_message *message,
                                           size_t index,
                                           size_t *length);

/* The arguments of tool call `index`, without white space around them; else as harmony_message_call_name. */
HARMONY_NODISCARD HARMONY_API
const char *harmony_message_call_arguments(const harmony_message *message,
                                           size_t index,
                                           size_t *length);

/* How complete tool call `index` is (HARMONY_CALL_); 0 if there is no such call. */
HARMONY_NODISCARD HARMONY_API
uint32_t harmony_message_call_status(const harmony_message *message,
                                     size_t index);

/* Writes how the text ended; `failure` says whether it left the grammar.
 *
 * Errors: HARMONY_E_NULL, HARMONY_E_ARGUMENT (`size`), HARMONY_E_PANIC. */
HARMONY_API
harmony_status harmony_message_summary(const harmony_message *message,
                                       harmony_summary *out);

/* Frees a message. NULL is nothing. */
HARMONY_API void harmony_message_free(harmony_message *message);

/* ---- Control tokens ---------------------------------------------------------------------------------------------- */

/* The seven control tokens. */

/* `<|start|>` begins a message header. */
#define HARMONY_CONTROL_START 1
/* `<|end|>` ends a message; the turn goes on. */
#define HARMONY_CONTROL_END 2
/* `<|return|>` ends the turn. */
#define HARMONY_CONTROL_RETURN 3
/* `<|call|>` ends a tool call. */
#define HARMONY_CONTROL_CALL 4
/* `<|channel|>` comes before the channel's name. */
#define HARMONY_CONTROL_CHANNEL 5
/* `<|message|>` ends the header; the body follows. */
#define HARMONY_CONTROL_MESSAGE 6
/* `<|constrain|>` comes before the body's format. */
#define HARMONY_CONTROL_CONSTRAIN 7

/* The control token (HARMONY_CONTROL_) with this id in the `o200k_harmony` vocabulary of gpt-oss, or 0 if the token
 * is none. */
HARMONY_NODISCARD HARMONY_API
uint32_t harmony_control_from_token_id(uint32_t token_id);

/* The id of a control token in the `o200k_harmony` vocabulary, or 0 if `control` is none of HARMONY_CONTROL_. */
HARMONY_NODISCARD HARMONY_API
uint32_t harmony_control_token_id(uint32_t control);

/* How a control token is spelled in text: a static string, empty if `control` is none of HARMONY_CONTROL_. */
HARMONY_NODISCARD HARMONY_API
const char *harmony_control_literal(uint32_t control);

/* 1 if the text may hold a harmony message (`<|message|>` behind `<|channel|>` or `<|start|>`), else 0. A cheap look,
 * O(length): only parsing knows whether it does. NULL is an empty text. */
HARMONY_NODISCARD HARMONY_API
int32_t harmony_is_harmony(const char *data,
                           size_t length);

/* ---- Texts that the library makes -------------------------------------------------------------------------------- */

/* One text or several that a function made, freed by harmony_texts_free. All functions on it are const, and pointers
 * they return are valid until it is freed. */
typedef struct harmony_texts harmony_texts;

/* How many texts there are; 0 if `texts` is NULL. */
HARMONY_NODISCARD HARMONY_API size_t harmony_texts_count(const harmony_texts *texts);

/* Text number `index`, terminated by NUL, which does not count into `*length` (`length` may be NULL). NULL, and
 * length 0, if there is no such text. */
HARMONY_NODISCARD HARMONY_API
const char *harmony_texts_get(const harmony_texts *texts,
                              size_t index,
                              size_t *length);

/* Frees the texts. NULL is nothing. */
HARMONY_API void harmony_texts_free(harmony_texts *texts);

/* ---- Leaks of protocol text -------------------------------------------------------------------------------------- */

/* Hosted GPT-5 models sometimes write the shadow of a routing header, `to=functions.NAME` without its brackets, into
 * what the user sees or a tool runs. That marker alone proves nothing, for documentation quotes it: it counts only in
 * company, which the classes say. Nothing inside a code fence counts. */

/* No end of a tool's arguments is known. */
#define HARMONY_NO_END UINT64_MAX

/* What kind of text it is. */

/* The visible answer. */
#define HARMONY_SURFACE_TEXT 0
/* The chain of thought. */
#define HARMONY_SURFACE_THINKING 1
/* The arguments of a tool call. Any file may stand in them, so only what lies behind the end of the arguments counts,
 * and without that end nothing does. */
#define HARMONY_SURFACE_TOOL_ARG 2

/* What shows a leak. */

/* H: a literal control token; a signal by itself. */
#define HARMONY_CLASS_CONTROL 1
/* M: `to=functions.NAME`; only in company of one of the following. */
#define HARMONY_CLASS_MARKER 2
/* C: a channel or role word directly before a marker. */
#define HARMONY_CLASS_CHANNEL 4
/* G: a glitch word next to a marker. */
#define HARMONY_CLASS_GLITCH 8
/* S: a run of a foreign script in text that is otherwise ASCII. */
#define HARMONY_CLASS_SCRIPT 16
/* B: a marker, `code`, and another marker. */
#define HARMONY_CLASS_CASCADE 32
/* R: a made-up tool result. */
#define HARMONY_CLASS_RESULT 64
/* T: behind the end of the arguments. */
#define HARMONY_CLASS_TRAILING 128

/* A place in a text where something leaked: a control token, or a marker in company. 24 bytes, no pointers. */
typedef struct harmony_signal {
  /* What shows it: HARMONY_CLASS_, as a sum. */
  uint64_t classes;
  /* Byte offset of its first byte in the text. */
  uint64_t start;
  /* Byte offset behind its last byte. */
  uint64_t end;
} harmony_signal;

/* Searches a finished text for protocol that leaked into it. Writes the signals by their start: at most `capacity` to
 * `signals`, and to `*count` how many there are in all, 0 if the text is clean. HARMONY_MORE: not all found room.
 *
 * `surface` is HARMONY_SURFACE_. `parsed_end` is the byte offset at which a valid parse of a tool's arguments ends,
 * HARMONY_NO_END if none is known. Bytes that are no UTF-8 count as ordinary text. O(length).
 *
 * Errors: HARMONY_E_NULL, HARMONY_E_ARGUMENT (`surface`, `length`), HARMONY_E_PANIC. */
HARMONY_NODISCARD HARMONY_API
harmony_status harmony_leak_detect(const char *data,
                                   size_t length,
                                   uint32_t surface,
                                   uint64_t parsed_end,
                                   harmony_signal *signals,
                                   size_t capacity,
                                   size_t *count);

/* The signals as one short text for logs and metrics: letters of classes joined with `+`, distinct signals with `,`,
 * first seen first; "none" for none. On success `*out` is one text that the caller frees, else NULL.
 *
 * Errors: HARMONY_E_NULL, HARMONY_E_ARGUMENT (a count, classes that don't exist), HARMONY_E_PANIC. */
HARMONY_NODISCARD HARMONY_API
harmony_status harmony_leak_label(const harmony_signal *signals,
                                  size_t count,
                                  harmony_texts **out);

/* ---- Leaks in text that streams ---------------------------------------------------------------------------------- */

/* Searches one text while it streams, with a window of less than 64 KB, and 24 bytes for each signal
 * that waits: to be drained, or on tool arguments for the first one with T. Made by harmony_detector_new or
 * harmony_detector_clone, freed by harmony_detector_free. */
typedef struct harmony_detector harmony_detector;

/* Makes a detector for one text; `surface` and `parsed_end` as in harmony_leak_detect, but the end may be told later.
 * On success `*out` is a handle that the caller frees, else NULL.
 *
 * Errors: HARMONY_E_NULL, HARMONY_E_ARGUMENT (`surface`), HARMONY_E_PANIC. */
HARMONY_NODISCARD HARMONY_API
harmony_status harmony_detector_new(uint32_t surface,
                                    uint64_t parsed_end,
                                    harmony_detector **out);

/* Takes the next `length` bytes of the text and writes the signals that are certain now: at most `capacity` to
 * `signals`, and how many to `*count`. HARMONY_MORE: more wait; they come with harmony_detector_drain or first the next
 * time. A signal is certain as soon as 240 UTF-16 units from its start and 200 behind its end are there.
 * All together are those of harmony_leak_detect for the whole text.
 *
 * Errors: HARMONY_E_NULL, HARMONY_E_ARGUMENT (`length`), HARMONY_E_FINISHED, HARMONY_E_PANIC. */
HARMONY_NODISCARD HARMONY_API
harmony_status harmony_detector_push(harmony_detector *detector,
                                     const char *data,
                                     size_t length,
                                     harmony_signal *signals,
                                     size_t capacity,
                                     size_t *count);

/* Tells where a valid parse of the tool's arguments ends, in bytes from the start of the text. The first end that is
 * told counts. On HARMONY_SURFACE_TOOL_ARG it may come any time before the finish; else it counts for signals that were
 * not given yet. For the array as in harmony_detector_push.
 *
 * Errors: HARMONY_E_NULL, HARMONY_E_ARGUMENT (HARMONY_NO_END), HARMONY_E_FINISHED, HARMONY_E_PANIC. */
HARMONY_NODISCARD HARMONY_API
harmony_status harmony_detector_set_parsed_end(harmony_detector *detector,
                                               uint64_t parsed_end,
                                               harmony_signal *signals,
                                               size_t capacity,
                                               size_t *count);

/* Ends the text and writes the signals that waited for more of it; for the array as in harmony_detector_push.
 *
 * Errors: HARMONY_E_NULL, HARMONY_E_FINISHED (the second time), HARMONY_E_PANIC. */
HARMONY_NODISCARD HARMONY_API
harmony_status harmony_detector_finish(harmony_detector *detector,
                                       harmony_signal *signals,
                                       size_t capacity,
                                       size_t *count);

/* Writes signals that found no room before; for the array as in harmony_detector_push.
 *
 * Errors: HARMONY_E_NULL, HARMONY_E_PANIC. */
HARMONY_NODISCARD HARMONY_API
harmony_status harmony_detector_drain(harmony_detector *detector,
                                      harmony_signal *signals,
                                      size_t capacity,
                                      size_t *count);

/* 1 if there was a signal so far, given out or not: stop the model as soon as this is so. Else 0. */
HARMONY_NODISCARD HARMONY_API
int32_t harmony_detector_detected(const harmony_detector *detector);

/* Forgets the text and starts another one, with another surface and end if you like.
 *
 * Errors: HARMONY_E_NULL, HARMONY_E_ARGUMENT (`surface`), HARMONY_E_PANIC. */
HARMONY_API
harmony_status harmony_detector_reset(harmony_detector *detector,
                                      uint32_t surface,
                                      uint64_t parsed_end);

/* Copies a detector; both go on on their own. On success `*out` is a handle that the caller frees, else NULL.
 *
 * Errors: HARMONY_E_NULL, HARMONY_E_PANIC. */
HARMONY_NODISCARD HARMONY_API
harmony_status harmony_detector_clone(const harmony_detector *detector,
                                      harmony_detector **out);

/* Frees a detector, in any state. NULL is nothing. */
HARMONY_API void harmony_detector_free(harmony_detector *detector);

/* ---- What to do about a leak ------------------------------------------------------------------------------------- */

/* The tools whose input can be cut. Made by harmony_registry_new, freed by harmony_registry_free. */
typedef struct harmony_registry harmony_registry;

/* Makes a registry. With `defaults` other than 0 it has `edit` (input that begins with `@`) and `eval` (any), both with
 * the sentinel "\n*** Abort\n"; else it is empty. On success `*out` is a handle that the caller frees, else NULL.
 *
 * Errors: HARMONY_E_NULL, HARMONY_E_PANIC. */
HARMONY_NODISCARD HARMONY_API
harmony_status harmony_registry_new(int32_t defaults,
                                    harmony_registry **out);

/* Adds a tool, or changes the one with this name. Input that begins, after white space, with `prefix` can be cut (any,
 * if the prefix is empty); `sentinel` then ends it. The texts are copied and must be UTF-8.
 *
 * Errors: HARMONY_E_NULL, HARMONY_E_ARGUMENT (a length), HARMONY_E_UTF8, HARMONY_E_PANIC. */
HARMONY_NODISCARD HARMONY_API
harmony_status harmony_registry_add(harmony_registry *registry,
                                    const char *name,
                                    size_t name_length,
                                    const char *prefix,
                                    size_t prefix_length,
                                    const char *sentinel,
                                    size_t sentinel_length);

/* Frees a registry. NULL is nothing. */
HARMONY_API void harmony_registry_free(harmony_registry *registry);

/* Cuts the string that a call of `tool` is about, in which harmony_leak_detect found its first signal at
 * `signal_start` on HARMONY_SURFACE_TOOL_ARG, at the start of that signal's line. `registry` may be NULL: the defaults.
 *
 * HARMONY_OK: `*clean` is one text that the caller frees, what can be run. HARMONY_NONE: the registry does not have the
 * tool, the tool does not accept the input, or nothing would be left; `*clean` is NULL, throw the call away. Either
 * way `*removed` is the offset in `input` from which on text is lost, for the audit event.
 *
 * Errors: HARMONY_E_NULL, HARMONY_E_ARGUMENT (a length, a start that is no place in the input), HARMONY_E_UTF8,
 * HARMONY_E_PANIC. */
HARMONY_NODISCARD HARMONY_API
harmony_status harmony_leak_recover(const harmony_registry *registry,
                                    const char *tool,
                                    size_t tool_length,
                                    const char *input,
                                    size_t input_length,
                                    uint64_t signal_start,
                                    harmony_texts **clean,
                                    size_t *removed);

/* What to say to the model, as the next user message, after a recovered call has run: a static string, terminated by
 * NUL, that asks for what was lost. */
HARMONY_NODISCARD HARMONY_API
const char *harmony_leak_continuation(void);

/* What was done, for an audit event. */

/* The clean part of a tool call was run, and the rest asked for. */
#define HARMONY_ACTION_TRUNCATE_RESUME 1
/* The message was thrown away, and asked for again. */
#define HARMONY_ACTION_ABORT_RETRY 2
/* The host gave up and told the user. */
#define HARMONY_ACTION_ESCALATED 3

/* What a log may know of a removed text without holding it. Initialise it with HARMONY_AUDIT_INIT. Fields are only ever
 * added at the end; `size` tells the library which ones there are. The rest of an audit event (HARMONY_ACTION_, the
 * surface, label, retry, model, provider, tool) is the host's. */
typedef struct harmony_audit {
  /* sizeof(harmony_audit). */
  size_t size;
  /* Length of the removed text in UTF-16 units. */
  uint64_t removed_length;
  /* Its length in bytes. */
  uint64_t removed_bytes;
  /* The first 8 hex digits of its SHA-512/256, terminated by NUL. */
  char removed_sha8[16];
  /* Its first 64 UTF-16 units, with U+00B7 for all that may be the user's; terminated by NUL. */
  char removed_preview[208];
} harmony_audit;

/* Fills in what a log may know of `length` bytes of removed text, which must be UTF-8.
 *
 * Errors: HARMONY_E_NULL, HARMONY_E_ARGUMENT (`size`, `length`), HARMONY_E_UTF8, HARMONY_E_PANIC. */
HARMONY_NODISCARD HARMONY_API
harmony_status harmony_leak_audit(const char *removed,
                                  size_t length,
                                  harmony_audit *out);

/* 1 if answers of this provider should be checked, whatever the model (today `openai-codex`), else 0. All else is the
 * host's decision. */
HARMONY_NODISCARD HARMONY_API
int32_t harmony_leak_is_target(const char *provider,
                               size_t length);

#define HARMONY_AUDIT_INIT { sizeof(harmony_audit), 0, 0, { 0 }, { 0 } }

/* ---- Leaks in whole messages ------------------------------------------------------------------------------------- */

/* Anything else; it is not searched, but counts as a block. */
#define HARMONY_BLOCK_OTHER 0
/* Visible text. */
#define HARMONY_BLOCK_TEXT 1
/* The chain of thought. */
#define HARMONY_BLOCK_THINKING 2
/* A tool call. */
#define HARMONY_BLOCK_TOOL_CALL 3

/* A block of a finished message, lent for a call. Its texts must be UTF-8. */
typedef struct harmony_block {
  /* HARMONY_BLOCK_. */
  uint64_t kind;
  /* The text; of a tool call its arguments as JSON. A string `input` in them is what is searched, else their text
   * without its white space. */
  const char *text;
  /* Its length in bytes. */
  size_t text_length;
  /* The tool. NULL in other blocks. */
  const char *tool;
  /* Its length in bytes. */
  size_t tool_length;
  /* Where a valid parse of what is searched in a tool call ends, so that 0 makes all of it lie behind that end.
   * HARMONY_NO_END, where nobody knows: it is not searched. */
  uint64_t parsed_end;
} harmony_block;

/* Searches the blocks of a message in order, up to the first one with a leak: `*index` is that block, and the signals
 * are written as in harmony_leak_detect. `*count` is 0 if all is clean; then `*index` is `block_count`.
 *
 * Errors: HARMONY_E_NULL, HARMONY_E_ARGUMENT (a count or length, a block's kind), HARMONY_E_UTF8, HARMONY_E_PANIC. */
HARMONY_NODISCARD HARMONY_API
harmony_status harmony_leak_detect_message(const harmony_block *blocks,
                                           size_t block_count,
                                           size_t *index,
                                           harmony_signal *signals,
                                           size_t capacity,
                                           size_t *count);

/* What is searched in a block, and what offsets count in. On success `*out` is one text that the caller frees, else
 * NULL. From the first signal on it is what is lost if the message is thrown away.
 *
 * Errors: HARMONY_E_NULL, HARMONY_E_ARGUMENT (its kind or a length), HARMONY_E_UTF8, HARMONY_E_PANIC. */
HARMONY_NODISCARD HARMONY_API
harmony_status harmony_block_searched(const harmony_block *block,
                                      harmony_texts **out);

/* As harmony_leak_recover, for a tool call whose arguments have a string `input`, in which the first signal starts at
 * `signal_start`. HARMONY_OK: `*out` holds two texts that the caller frees, the one that takes the place of `input`,
 * and what was removed. The call then stands alone in its message, which stops for tool use; drop all other blocks, and
 * opaque payloads of the provider too, since nobody can tell whether they are clean.
 *
 * HARMONY_NONE, and `*out` NULL: there is no recovery.
 *
 * Errors: HARMONY_E_NULL, HARMONY_E_ARGUMENT (a block's kind, a length, a start that is no place in the input),
 * HARMONY_E_UTF8, HARMONY_E_PANIC. */
HARMONY_NODISCARD HARMONY_API
harmony_status harmony_block_recover(const harmony_registry *registry,
                                     const harmony_block *block,
                                     uint64_t signal_start,
                                     harmony_texts **out);

/* ---- Values out of structured answers ---------------------------------------------------------------------------- */

/* For the small side calls of a chat application: a title, suggestion chips, retrieval queries. */

/* The schema of a chat title as JSON: an object with `title`, one string. Static, terminated by NUL. */
HARMONY_NODISCARD HARMONY_API const char *harmony_schema_title(void);

/* The schema of suggestion chips: an object with `suggestions`, three strings. */
HARMONY_NODISCARD HARMONY_API const char *harmony_schema_suggestions(void);

/* The schema of retrieval queries: an object with `queries`, one string or more. */
HARMONY_NODISCARD HARMONY_API const char *harmony_schema_queries(void);

/* The text from the first `{` to the last `}` of an answer, if that is one JSON object as JSON.parse takes it: `*start`
 * and `*object_length` are where. HARMONY_NONE, and both 0: it is not. At any depth, O(length).
 *
 * Errors: HARMONY_E_NULL, HARMONY_E_ARGUMENT (`length`), HARMONY_E_UTF8, HARMONY_E_PANIC. */
HARMONY_NODISCARD HARMONY_API
harmony_status harmony_extract(const char *answer,
                               size_t length,
                               size_t *start,
                               size_t *object_length);

/* The title in an answer: its `title`, trimmed. HARMONY_OK: `*out` is one text that the caller frees. Else it is NULL;
 * `constrained` says whether the decoder was really bound to a schema, and with it why there is no title: other than 0,
 * the answer was cut (HARMONY_CUT: do without the value); 0, it may be prose (HARMONY_NONE: use your own parser).
 *
 * Errors: HARMONY_E_NULL, HARMONY_E_ARGUMENT (`length`), HARMONY_E_UTF8, HARMONY_E_PANIC. */
HARMONY_NODISCARD HARMONY_API
harmony_status harmony_pick_title(const char *answer,
                                  size_t length,
                                  int32_t constrained,
                                  harmony_texts **out);

/* The suggestions in an answer, at most three texts; else as harmony_pick_title. */
HARMONY_NODISCARD HARMONY_API
harmony_status harmony_pick_suggestions(const char *answer,
                                        size_t length,
                                        int32_t constrained,
                                        harmony_texts **out);

/* The queries in an answer, best first; else as harmony_pick_title. */
HARMONY_NODISCARD HARMONY_API
harmony_status harmony_pick_queries(const char *answer,
                                    size_t length,
                                    int32_t constrained,
                                    harmony_texts **out);

/* ---- Untrusted text ---------------------------------------------------------------------------------------------- */

/* Breaks every marker in untrusted text (tool results, user text) with a U+2060 behind its `<`, so that neither this
 * parser nor a tokenizer that looks for special tokens finds one: in this text, or in it and what stands behind it.
 * What stands before it must not end in the beginning of a marker, such as `<`. On success
 * `*out` is one text that the caller frees, else NULL. O(length).
 *
 * Errors: HARMONY_E_NULL, HARMONY_E_ARGUMENT (`length`), HARMONY_E_UTF8, HARMONY_E_PANIC. */
HARMONY_NODISCARD HARMONY_API
harmony_status harmony_escape(const char *data,
                              size_t length,
                              harmony_texts **out);

/* Takes back exactly what harmony_escape did; else as there. */
HARMONY_NODISCARD HARMONY_API
harmony_status harmony_unescape(const char *data,
                                size_t length,
                                harmony_texts **out);

/* ---- Names, for logs and metrics --------------------------------------------------------------------------------- */

/* All are static strings, terminated by NUL; a number that means nothing is "unknown". */

/* The name of a status: "ok", "finished". */
HARMONY_NODISCARD HARMONY_API const char *harmony_status_name(harmony_status status);

/* The name of a kind of event (HARMONY_EVENT_): "tool_call_start". */
HARMONY_NODISCARD HARMONY_API const char *harmony_event_name(uint32_t kind);

/* The name of a channel (HARMONY_CHANNEL_): "analysis". */
HARMONY_NODISCARD HARMONY_API const char *harmony_channel_name(uint32_t channel);

/* The name of how complete a call is (HARMONY_CALL_): "malformed". */
HARMONY_NODISCARD HARMONY_API const char *harmony_call_status_name(uint32_t status);

/* The name of what ended a message (HARMONY_END_): "next_header". */
HARMONY_NODISCARD HARMONY_API const char *harmony_message_end_name(uint32_t end);

/* The name of a deviation (HARMONY_DEVIATION_): "stray_text". */
HARMONY_NODISCARD HARMONY_API const char *harmony_deviation_name(uint32_t deviation);

/* What is wrong, in words that complete "at byte N: ...". */
HARMONY_NODISCARD HARMONY_API const char *harmony_deviation_message(uint32_t deviation);

/* The name of a surface (HARMONY_SURFACE_): "tool_arg". */
HARMONY_NODISCARD HARMONY_API const char *harmony_surface_name(uint32_t surface);

/* The name of what was done about a leak (HARMONY_ACTION_): "abort_retry". */
HARMONY_NODISCARD HARMONY_API const char *harmony_action_name(uint32_t action);

/* ---- Version ----------------------------------------------------------------------------------------------------- */

/* The ABI that this header describes. It is raised only when an existing function or struct changes. */
#define HARMONY_ABI 1
/* The version of the library as a static string, "1.2.3". */
HARMONY_NODISCARD HARMONY_API const char *harmony_version(void);

/* The version of the library as a number, in the form of HARMONY_VERSION_NUMBER. */
HARMONY_NODISCARD HARMONY_API uint32_t harmony_version_number(void);

/* The ABI of the library. It should equal HARMONY_ABI; a binding checks that once, when it is loaded. */
HARMONY_NODISCARD HARMONY_API uint32_t harmony_abi(void);

/* Does nothing. Refer to it, and a library of another ABI fails to link instead of misbehaving. */
HARMONY_API void harmony_abi_1(void);

/* ---- Helpers without symbols ------------------------------------------------------------------------------------- */

/* Where the text of an event begins; event->length bytes. Valid as harmony_stream_text is. */
static inline const char *harmony_event_text(const harmony_stream *stream, const harmony_event *event) {
  return harmony_stream_text(stream, NULL) + (size_t)event->offset;
}

/* Gets an event and its text. Another value than 0 stops. */
typedef int (*harmony_event_fn)(void *user, const harmony_event *event, const char *text);

/* For those who like callbacks: hands `fn` the events that wait, one by one. Push or finish with an array of capacity
 * 0 first. It is compiled into your program, so `fn` may throw or jump; what was not handed out then still waits. */
static inline harmony_status harmony_stream_each(harmony_stream *stream, harmony_event_fn fn, void *user) {
  harmony_event event;
  size_t count = 0;
  harmony_status status;
  do {
    status = harmony_stream_drain(stream, &event, 1, &count);
    if (count > 0 && fn(user, &event, harmony_event_text(stream, &event)) != 0) break;
  } while (status == HARMONY_MORE);
  return status;
}

#if defined(__cplusplus)
}
static_assert(sizeof(harmony_event) == 40, "harmony_event is 40 bytes everywhere");
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
_Static_assert(sizeof(harmony_event) == 40, "harmony_event is 40 bytes everywhere");
#endif

#endif /* HARMONY_STREAM_H */
