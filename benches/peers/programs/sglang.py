"""SGLang's harmony parser and the tool detector built on it: `sglang.py FOLDER`, the folder with the two files of its
wheel. What else of SGLang they import is stood in for, so that nothing of it need be installed."""

import importlib.util
import struct
import sys
import time
import types


def stand_in(name, **members):
    module = types.ModuleType(name)
    module.__dict__.update(members)
    sys.modules[name] = module


class Base:
    def __init__(self):
        self._buffer = ""


class Item:
    def __init__(self, tool_index, name, parameters):
        self.name = name
        self.parameters = parameters


class Unknown:
    """Tools that were not declared are dropped, as is its default."""

    @staticmethod
    def get():
        return False


def parsers(folder):
    for package in ("sglang", "sglang.srt", "sglang.srt.parser", "sglang.srt.function_call"):
        stand_in(package)
    stand_in("sglang.srt.entrypoints.openai.protocol", Tool=object)
    stand_in("sglang.srt.environ", envs=types.SimpleNamespace(SGLANG_FORWARD_UNKNOWN_TOOLS=Unknown))
    stand_in("sglang.srt.function_call.base_format_detector", BaseFormatDetector=Base)
    stand_in("sglang.srt.function_call.core_types", StreamingParseResult=object, ToolCallItem=Item, _GetInfoFunc=object)
    load("sglang.srt.parser.harmony_parser", f"{folder}/harmony_parser.py")
    load("sglang.srt.function_call.gpt_oss_detector", f"{folder}/gpt_oss_detector.py")


def load(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)


def run(pieces, tools, content, reasoning, call):
    parser = HarmonyParser()
    detector = GptOssDetector()
    # The empty piece at the end is how its one-shot functions flush.
    for piece in (*pieces, ""):
        for event in parser.parse(piece):
            if event.event_type == "reasoning":
                reasoning(event.content)
            elif event.event_type == "normal":
                content(event.content)
            else:
                item = detector._extract_tool_call_from_event(event.raw_text or event.content, tools, 0)
                if item:
                    call((item.name, item.parameters))


def parse(pieces, tools):
    content, reasoning, calls, error = [], [], [], ""
    try:
        run(pieces, tools, content.append, reasoning.append, calls.append)
    except Exception as problem:
        error = repr(problem)
    field("content", "".join(content))
    field("reasoning", "".join(reasoning))
    for name, arguments in calls:
        field("name", name)
        field("arguments", arguments)
    field("error", error)
    field("end", "")


def field(name, text):
    text = text.encode()
    out.write(b"%s %d\n%s\n" % (name.encode(), len(text), text))


def read(path):
    with open(path, "rb") as file:
        return file.read()


def cut(stem, name):
    text = read(f"{stem}.text")
    lengths = read(f"{stem}.{name}")
    at = 0
    for (length,) in struct.iter_unpack("<I", lengths):
        yield text[at : at + length].decode()
        at += length


def nothing(_):
    pass


def serve():
    pieces, tools = [], {}
    for line in sys.stdin:
        match line.rstrip("\n").split("\t"):
            case ["load", stem, name]:
                pieces = list(cut(stem, name))
                tools = {tool: 0 for tool in read(f"{stem}.tools").decode().split()}
                out.write(b"ok\n")
            case ["time", times]:
                begin = time.process_time_ns()
                for _ in range(int(times)):
                    try:
                        run(pieces, tools, nothing, nothing, nothing)
                    except Exception:
                        pass  # `parse` has reported it.
                out.write(b"%d 0\n" % (time.process_time_ns() - begin))
            case ["parse"]:
                parse(pieces, tools)
        out.flush()


parsers(sys.argv[1])
from sglang.srt.function_call.gpt_oss_detector import GptOssDetector  # noqa: E402
from sglang.srt.parser.harmony_parser import HarmonyParser  # noqa: E402

out = sys.stdout.buffer
serve()
