// Package split takes the harmony text of a model's response apart, in the formats that inference servers answer in:
// chat completions of OpenAI-compatible servers (server-sent events or one JSON body) and Ollama's /api/chat (lines of
// JSON or one body). It knows nothing of HTTP.
//
// What means itself stays as it is, byte for byte: responses without harmony, choices that the upstream has split
// itself, comments, [DONE], unknown events, data that is no JSON, and whatever exceeds a limit. So that this is so, an
// event whose text may be the beginning of harmony waits for the next one, and later events wait behind it. A byte order
// mark at the very beginning of a stream passes, and what is behind it is read.
package split
