"""A printed script with marks: places that are underlined or told about, numbers of lines, the lines around the marks only.

A place is a path from the root, or an object that is printed; where no text stands for a path, the text of its longest
prefix is meant."""
import re

import _loopscope as _core

from ...runtime.object import get_style
from ...runtime.object_path import ObjectPath
from .doc_printer import _decorated, _underlined


def _of_text(ranges, text):
    """Ranges of bytes as ranges of characters."""
    if text.isascii():
        return ranges
    data = text.encode("utf-8")
    at = {}

    def place(byte):
        if byte not in at:
            at[byte] = len(data[:byte].decode("utf-8"))
        return at[byte]

    return [(place(start), place(end), *rest) for start, end, *rest in ranges]


def _of_objects(ranges, objects):
    """The places that show these objects; where a variable is made is no use of it."""
    return [(start, end) for start, end, _, node, defines in ranges if not defines and any(node.same_as(obj) for obj in objects)]


def _of_paths(ranges, paths):
    """The places of the longest prefixes of these paths.  Most ranges of a text begin none of them and are not taken apart."""
    texts = tuple(str(path) for path in paths)
    places = [(ObjectPath.parse(path), start, end) for start, end, path, _, _ in ranges if any(text.startswith(path) for text in texts)]
    return _underlined(places, paths)


def _several(value):
    return [] if value is None else list(value) if isinstance(value, (list, tuple)) else [value]


def _annotated(text, notes, spans):
    """The text with comments at places: behind a statement of one line, above a longer one; and the spans moved along."""
    for (start, end), note in sorted(notes, key=lambda item: -item[0][0]):
        while end > start and text[end - 1] == "\n":
            end -= 1
        if "\n" in text[start:end]:
            first = text.rfind("\n", 0, start) + 1
            at, extra = first, " " * (start - first) + f"# {note}\n"
        else:
            stop = text.find("\n", end)
            at, extra = len(text) if stop < 0 else stop, f"  # {note}"
        text = text[:at] + extra + text[at:]
        spans = [(a + len(extra) * (a >= at), b + len(extra) * (b > at)) for a, b in spans]
    return text, spans


_LET = re.compile(r"(?P<name>\w+): [^=]+? = (?P<value>.*)")


def _scoped(text, notes, ranges):
    """A binding that something is told of shows what it holds for: `with T.LetStmt` instead of the line that goes on to the end of its scope."""
    lets = {(start, end) for start, end, _, node, _ in ranges if _core.kind(node) == "LetStmt"}
    kept = []
    for (start, end), note in sorted(notes, key=lambda item: -item[0][0]):
        head, _, body = text[start:end].partition("\n")
        match = _LET.fullmatch(head) if (start, end) in lets else None
        if match is None:
            kept.append(((start, end), note))
            continue
        level = " " * (start - text.rfind("\n", 0, start) - 1)
        body = "\n".join("    " + line if line.strip() else line for line in body.split("\n"))
        text = f"{text[:start]}# {note}\n{level}with T.LetStmt({match['value']}) as {match['name']}:\n{body}{text[end:]}"
    return text, kept


def marked(text, ranges, path_to_underline, obj_to_underline, path_to_annotate, obj_to_annotate, numbers, context):
    """The text with its marks."""
    ranges = _of_text(ranges, text)
    spans = _of_paths(ranges, _several(path_to_underline)) + _of_objects(ranges, _several(obj_to_underline))
    notes = [(span, note) for path, note in dict(path_to_annotate or {}).items() for span in _of_paths(ranges, [path])[:1]]
    notes += [(span, note) for obj, note in dict(obj_to_annotate or {}).items() for span in _of_objects(ranges, [obj])[:1]]
    if not spans:
        text, notes = _scoped(text, notes, ranges)
    text, spans = _annotated(text, notes, spans)
    return _decorated(text, spans, numbers, context)


def with_addresses(text, node, name, sugar, indent):
    """A script whose variables and buffers have the addresses of their objects behind their names."""
    ranges = []
    if _core.print(node, get_style(), True, not sugar, indent, name, False, ranges) != text:
        raise ValueError("a script with its metadata has no addresses")
    found = {}
    for start, end, _, part, _ in _of_text(ranges, text):
        if _core.kind(part) in ("Var", "SizeVar", "Buffer", "RelaxVar", "DataflowVar") and text[start:end].isidentifier():
            found[start] = end, f"_{_core.address(part):#x}"
    for start in sorted(found, reverse=True):
        end, address = found[start]
        text = text[:end] + address + text[end:]
    return text


_WORDS = re.compile(r'"(?:[^"\\\n]|\\.)*"|(?P<head># from tvm\.script import \w+ as )(?P<name>\w+)|(?<![\w.])(?P<prefix>I|T|R|cls)(?=[.](?!\d))|(?<![\w.])cls(?= =)')


def renamed(text, prefixes):
    """A script with other names for its dialects and for the module inside itself; texts in quotes stay."""
    def change(match):
        if match["head"]:
            return match["head"] + prefixes.get(match["name"], match["name"])
        if match["prefix"]:
            return prefixes[match["prefix"]]
        return prefixes["cls"] if match[0] == "cls" else match[0]

    return _WORDS.sub(change, text)
