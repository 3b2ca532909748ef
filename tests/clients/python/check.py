"""The official Python client gets of each transcript what its NAME.json says.

    check.py API HEALTH TRANSCRIPTS

API is what the client is told (http://HOST:PORT/v1), HEALTH the /health of the server that plays the transcripts: the
same server, or the one behind a gateway.
"""

import json
import sys
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import openai

API, HEALTH, FOLDER = sys.argv[1], sys.argv[2], Path(sys.argv[3])
MESSAGES = [{"role": "user", "content": "Go on."}]

# No second tries: what fails shall be seen.
client = openai.OpenAI(base_url=API, api_key="none", timeout=60, max_retries=0)


def ask(name, stream, piece, pace=0):
    extra = {"piece_bytes": piece, "pace_ms": pace}
    return client.chat.completions.create(model=name, messages=MESSAGES, stream=stream, extra_body=extra)


def reasoning_of(part):
    """A field that the client does not know, but hands on."""
    return getattr(part, "reasoning_content", None) or ""


def streamed(name, piece):
    """The answer, put together from its deltas."""
    content, reasoning, calls, ids, reason = "", "", [], set(), None
    for chunk in ask(name, True, piece):
        delta, reason = chunk.choices[0].delta, chunk.choices[0].finish_reason
        content += delta.content or ""
        reasoning += reasoning_of(delta)
        for call in delta.tool_calls or []:
            if call.index == len(calls):
                assert call.type == "function", call
                ids.add(call.id)
                calls.append([call.function.name, ""])
            calls[call.index][1] += call.function.arguments or ""
    assert len(ids - {None, ""}) == len(calls), ids
    return content, reasoning, calls, reason


def whole(name, piece):
    """The answer in one piece."""
    choice = ask(name, False, piece).choices[0]
    message = choice.message
    calls = [[call.function.name, call.function.arguments] for call in message.tool_calls or []]
    return message.content or "", reasoning_of(message), calls, choice.finish_reason


def expected(name):
    row = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    row = row.get("lenient", row)
    calls = [[call["name"], call["arguments"]] for call in row["tool_calls"]]
    statuses = {call["status"] for call in row["tool_calls"]}
    # Only complete calls may be run; the one transcript with an incomplete one was cut by a limit.
    reason = "length" if "incomplete" in statuses else "tool_calls" if "complete" in statuses else "stop"
    return row["content"], row["reasoning"], calls, reason


def transcript(how, name, piece):
    got, want = how(name, piece), expected(name)
    for field, has, should in zip(("content", "reasoning", "calls", "finish_reason"), got, want):
        assert has == should, f"{field} is {str(has)[:300]!r}, should be {str(should)[:300]!r}"


def health():
    with urllib.request.urlopen(HEALTH, timeout=60) as response:
        return json.load(response)


def until_idle():
    """Until no turn and no parser is left."""
    for _ in range(600):
        if health()["turns"] == 0 and health()["parsers"] == 0:
            return
        time.sleep(0.1)
    raise AssertionError(f"a turn goes on without its client: {health()}")


def live_and_hang_up():
    """Text comes while the turn goes on, and the turn ends with its client. By itself it would last for minutes."""
    until_idle()
    with ask("long-answer", True, 64, pace=1000) as stream:
        deltas = (chunk.choices[0].delta for chunk in stream)
        first = next(delta for delta in deltas if delta.content or reasoning_of(delta))
        assert reasoning_of(first), first
        assert health()["turns"] == 1, health()
    until_idle()


def unknown_model():
    try:
        ask("no-such-model", True, 4)
    except openai.NotFoundError as error:
        assert error.code == "model_not_found", error
    else:
        raise AssertionError("no error")


def bad_request():
    try:
        ask("weather-call", False, 0)
    except openai.BadRequestError as error:
        assert "piece_bytes" in error.message, error
    else:
        raise AssertionError("no error")


def usage():
    options = {"include_usage": True}
    stream = client.chat.completions.create(
        model="weather-call", messages=MESSAGES, stream=True, stream_options=options, extra_body={"piece_bytes": 64}
    )
    last = list(stream)[-1]
    size = len((FOLDER / "weather-call.txt").read_bytes())
    assert last.choices == [] and last.usage.completion_tokens == -(-size // 64), last


def models():
    assert {model.id for model in client.models.list()} == set(NAMES)


def limit():
    """A turn that the limit cut, with nothing in it that shows the cut."""
    extra = {"piece_bytes": 64}
    answer = client.chat.completions.create(
        model="plain-text", messages=MESSAGES, max_completion_tokens=3, extra_body=extra
    )
    text = (FOLDER / "plain-text.txt").read_text(encoding="utf-8")
    assert answer.choices[0].finish_reason == "length", answer
    assert text.startswith(answer.choices[0].message.content), answer


def attempt(check):
    what, function, *arguments = check
    try:
        function(*arguments)
        return None
    except Exception as error:  # Whatever it is, it is a failure of this check alone.
        return f"{what}: {type(error).__name__}: {str(error)[:1000]}"


NAMES = sorted(path.stem for path in FOLDER.glob("*.txt"))


def main():
    together = [
        (f"{name}, {how.__name__}, pieces of {piece}", transcript, how, name, piece)
        for piece in (1, 4, 64)
        for name in NAMES
        for how in (streamed, whole)
    ]
    # Alone: some of them look at all that the server does.
    alone = [
        (function.__name__, function)
        for function in (live_and_hang_up, unknown_model, bad_request, usage, models, limit)
    ]
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(attempt, together))
    results += [attempt(check) for check in alone]
    failures = [result for result in results if result]
    for failure in failures:
        print(failure)
    print(f"{len(results) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


sys.exit(main())
