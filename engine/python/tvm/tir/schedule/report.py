"""The program of a refused step with the statements at fault, as TVM shows it in front of the reason."""
import json
import re

import _loopscope as _core

from ...runtime.object_path import ObjectPath

_FUNCTION = re.compile(r'^\.functions\["([^"]*)"\]')
_STEP = re.compile(r"\.(\w+)|\[(\d+)\]")


def _statement(mod, path):
    """(place in a printed module, statement) of a path as the schedule's state writes it; None where it leads nowhere."""
    match = _FUNCTION.match(path)
    if match is None:
        return None
    node, rest = mod[match[1]], path[match.end():]
    try:
        for attr, index in _STEP.findall(rest):
            node = getattr(node, attr) if attr else node[int(index)]
    except (AttributeError, IndexError, TypeError):
        return None
    return ObjectPath.parse(f'<root>.functions[I.GlobalVar("{match[1]}")]{rest}'), node


def shown(mod, error):
    """The script with the statements at fault underlined and numbered by their kinds; nothing where none is known."""
    findings = json.loads(getattr(error, "findings", "[]"))
    found = [_statement(mod, path) for finding in findings for path in finding.get("culprits") or ()]
    found = [x for x in found if x is not None]
    if not found:
        return ""
    notes = {path: f"tir.{_core.kind(node)}#{i}" for i, (path, node) in enumerate(found)}
    text = mod.script(syntax_sugar=False, path_to_underline=list(notes), path_to_annotate=notes)
    return f"\nThe IR with diagnostic is:\n{text}\n\nError message: "
