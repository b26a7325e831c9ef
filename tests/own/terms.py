"""data/scripts/po-terms sees what it is for: another word for one thing, a paragraph or a cell that a translation has not, a name that the window has not."""
import contextlib
import importlib.machinery
import importlib.util
import os
import pathlib
import sys
import tempfile

TOP = os.environ.get("LS_SOURCE_ROOT") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
LESSON = """---
title: {0}
---

{0}

```python {{id=one}}
x = 1       # {0}
print("{0}", x)
```
{1}
"""


def load():
    path = os.path.join(TOP, "data", "scripts", "po-terms")
    loader = importlib.machinery.SourceFileLoader("po_terms", path)
    sys.dont_write_bytecode = True
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("po_terms", loader))
    loader.exec_module(module)
    return module


def found(terms, english, own, is_help=False):
    """How many findings there are of a document and its translation."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [pathlib.Path(folder) / name for name in ("a.md", "b.md")]
        for path, text in zip(paths, (english, own)):
            path.write_text(text, encoding="utf-8")
        terms.TOP = pathlib.Path(folder)
        findings = terms.Findings("ko", [("ko", "strides?", "간격", "보폭")], {"fast mathematics": {"빠른 수학"}})
        with contextlib.redirect_stdout(sys.stderr):
            findings.document(paths[0], paths[1], is_help)
        return findings.n


def main():
    terms = load()
    plain = LESSON.format("a stride", ""), LESSON.format("보폭", "")
    cases = (
        ("a good translation has no findings, whatever its comments and texts say", 0, (*plain, False)),
        ("another word for one thing is found", 1, ("a stride", "간격", False)),
        ("a word that the English does not have is none", 0, ("a distance", "간격", False)),
        ("a paragraph that is missing is found", 1, (LESSON.format("a stride", "\nMore."), plain[1], False)),
        ("a cell that does something else is found", 1, (plain[0], plain[1].replace("x = 1", "x = 2"), False)),
        ("a name that the window has not is found", 1, ("*Fast mathematics* is off.", "*빠른 계산*은 꺼져 있습니다.", True)),
        ("the window's own name is good", 0, ("*Fast mathematics…* is off.", "*빠른 수학*은 꺼져 있습니다.", True)),
        ("keys are no names", 0, ("**Left** and **P**", "왼쪽과 **P**", True)),
    )
    bad = 0
    for number, (what, wanted, given) in enumerate(cases, 1):
        got = found(terms, *given)
        print(f"{'ok' if got == wanted else 'not ok'} {number} - {what}" + ("" if got == wanted else f" ({got} findings)"))
        bad += got != wanted
    print(f"1..{len(cases)}")
    return bad > 0


sys.exit(main())
