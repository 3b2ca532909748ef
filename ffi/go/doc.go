// Package harmony splits the harmony text of gpt-oss models into reasoning, tool calls and answer while it streams.
//
// A gpt-oss model writes its whole turn as one text:
//
//	<|channel|>analysis<|message|>Need the weather.<|end|><|start|>assistant<|channel|>commentary
//	to=functions.weather <|constrain|>json<|message|>{"city":"Oslo"}<|call|>
//
// A [Parser] takes it in pieces, cut wherever you like, and gives events. Each leaves with the first byte after which
// it cannot change, and what the events come to does not depend on the pieces. [Parse] splits a whole text at once.
//
// Under [PolicyVerbatim], the default, everything before [EventFinish] is provisional: a text that leaves the grammar
// comes back unchanged, as content, behind an [EventRollback] that says to forget what came before. Under
// [PolicyRecover] it is repaired, an [EventDeviation] tells of each repair, and nothing is ever taken back. A live
// server wants [Lenient].
//
// The package also finds protocol text that leaked into visible output ([DetectLeak], [Detector]), says what can be
// saved ([Registry]), and picks values out of structured answers ([PickTitle], [Extract]).
//
// The work is done by a C library, with one call a chunk and no allocation. See the README for how it is linked.
package harmony
