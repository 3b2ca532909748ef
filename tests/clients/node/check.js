// The official Node client gets of each transcript what its NAME.json says.
//
//   node check.js API HEALTH TRANSCRIPTS
//
// The arguments are those of ../python/check.py.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import OpenAI from "openai";

const [api, healthUrl, folder] = process.argv.slice(2);
const messages = [{ role: "user", content: "Go on." }];

// No second tries: what fails shall be seen.
const client = new OpenAI({ baseURL: api, apiKey: "none", timeout: 60_000, maxRetries: 0 });

const ask = (model, stream, piece, pace = 0, options = {}) =>
  client.chat.completions.create({ model, messages, stream, piece_bytes: piece, pace_ms: pace }, options);

// The answer, put together from its deltas.
async function streamed(name, piece) {
  const answer = { content: "", reasoning: "", calls: [], reason: null };
  const ids = new Set();
  for await (const chunk of await ask(name, true, piece)) {
    const { delta, finish_reason } = chunk.choices[0];
    answer.content += delta.content ?? "";
    answer.reasoning += delta.reasoning_content ?? "";
    answer.reason = finish_reason;
    for (const call of delta.tool_calls ?? []) {
      if (call.index === answer.calls.length) {
        assert.equal(call.type, "function");
        assert.ok(call.id);
        ids.add(call.id);
        answer.calls.push({ name: call.function.name, arguments: "" });
      }
      answer.calls[call.index].arguments += call.function.arguments ?? "";
    }
  }
  assert.equal(ids.size, answer.calls.length);
  return answer;
}

// The answer in one piece.
async function whole(name, piece) {
  const { message, finish_reason } = (await ask(name, false, piece)).choices[0];
  return {
    content: message.content ?? "",
    reasoning: message.reasoning_content ?? "",
    calls: (message.tool_calls ?? []).map((call) => ({ ...call.function })),
    reason: finish_reason,
  };
}

function expected(name) {
  const verbatim = JSON.parse(readFileSync(`${folder}/${name}.json`, "utf8"));
  const row = verbatim.lenient ?? verbatim;
  const has = (status) => row.tool_calls.some((call) => call.status === status);
  return {
    content: row.content,
    reasoning: row.reasoning,
    calls: row.tool_calls.map((call) => ({ name: call.name, arguments: call.arguments })),
    // Only complete calls may be run; the one transcript with an incomplete one was cut by a limit.
    reason: has("incomplete") ? "length" : has("complete") ? "tool_calls" : "stop",
  };
}

async function health() {
  return (await fetch(healthUrl, { signal: AbortSignal.timeout(60_000) })).json();
}

// Until this many turns go on. `parsers` are the server's own, and none is left without a turn.
async function untilTurns(count) {
  let now;
  for (let tries = 0; tries < 600; tries++) {
    now = await health();
    if (now.turns === count && (count > 0 || now.parsers === 0)) return;
    await sleep(100);
  }
  assert.fail(`not ${count} turns: ${JSON.stringify(now)}`);
}

// Text comes while the turn goes on, and the turn ends with its client. By itself it would last for minutes.
async function liveAndHangUp() {
  await untilTurns(0);
  for await (const chunk of await ask("long-answer", true, 64, 1000)) {
    const { content, reasoning_content } = chunk.choices[0].delta;
    if (!content && !reasoning_content) continue;
    assert.ok(reasoning_content, `content: ${content}`);
    assert.equal((await health()).turns, 1);
    break;
  }
  await untilTurns(0);
}

// The same for one who waits for the whole answer.
async function hangUpOnWhole() {
  await untilTurns(0);
  const abort = new AbortController();
  const answer = ask("long-answer", false, 64, 1000, { signal: abort.signal });
  const aborted = assert.rejects(answer);
  await untilTurns(1);
  abort.abort();
  await aborted;
  await untilTurns(0);
}

async function unknownModel() {
  await assert.rejects(ask("no-such-model", true, 4), { status: 404, code: "model_not_found" });
}

async function badRequest() {
  await assert.rejects(ask("weather-call", false, 0), { status: 400, message: /piece_bytes/ });
}

async function attempt([what, check]) {
  try {
    await check();
    return [];
  } catch (error) {
    return [`${what}: ${String(error.message ?? error).slice(0, 1000)}`];
  }
}

// Checks are taken by `width` at a time; what failed.
async function run(checks, width) {
  const rest = checks.values();
  const worker = async () => {
    const failures = [];
    for (const check of rest) failures.push(...(await attempt(check)));
    return failures;
  };
  return (await Promise.all(Array.from({ length: width }, worker))).flat();
}

const names = readdirSync(folder).filter((file) => file.endsWith(".txt")).map((file) => file.slice(0, -4)).sort();
const together = [1, 4, 64].flatMap((piece) =>
  names.flatMap((name) =>
    [streamed, whole].map((how) => [
      `${name}, ${how.name}, pieces of ${piece}`,
      async () => assert.deepEqual(await how(name, piece), expected(name)),
    ]),
  ),
);
// One at a time: some of them look at all that the server does.
const alone = [liveAndHangUp, hangUpOnWhole, unknownModel, badRequest].map((check) => [check.name, check]);

const failures = [...(await run(together, 8)), ...(await run(alone, 1))];
failures.forEach((failure) => console.log(failure));
console.log(`${together.length + alone.length - failures.length} passed, ${failures.length} failed`);
process.exit(failures.length > 0 ? 1 : 0);
