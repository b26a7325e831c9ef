"""Lessons as PDF (`loopscope-cli lesson export --to pdf`): what can be read of the sheets, with and without answers, in three languages; names and
strings that mean harm are text; a lesson of many pictures; what cannot be written says so.

    paper.py CLI LESSONS
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

CLI, LESSONS = sys.argv[1:3]
COUNT = FAILED = 0

LESSON = '''---
title: "Sheets <b>&amp; </script>"
id: sheets
needs: numpy
---

Words with <i>HTML</i> and `code`, [a link](https://example.org/a?b='c'&d=(e)), [a longer one that has to be broken because it does not fit into what is left of its line](http://example.net/), [none](javascript:alert(1)), and a list:

- one
- two

| first | second |
|---|---|
| left | right |

```python {view=accesses}
import tvm, numpy as np
from tvm import te
A = te.placeholder((4, 6), name="A")
B = te.compute((4, 6), lambda i, j: A[i, j] * 2.0, name="Doubled")
te.create_prim_func([A, B])
```

```python {view=graph}
C = te.compute((4, 6), lambda i, j: B[i, j] + 1.0, name="Last")
C
```

```python {view=history}
sch = tvm.tir.Schedule(te.create_prim_func([A, B]))
i, j = sch.get_loops(sch.get_block("Doubled"))
sch.vectorize(sch.split(j, [None, 2])[1])
sch
```

```python {view=table}
np.arange(6).reshape(2, 3)
```

```python {expect=ValueError}
raise ValueError("it <stops> here")
```

```predict {id=q}
Which?

- ( ) This & that
- (x) The right one
---
Because of the reason.
```

```exercise {id=double}
Write `double(n)`.
--- start
def double(n):
    return n
--- cases
# case: three
assert double(3) == 6
--- solution
def double(n):
    return 2 * n
```
''' + "".join(f"\n## Page {n}\n\n" + "Many words follow each other here. " * 60 for n in range(8))


def check(name, good, more=""):
    """One line of TAP."""
    global COUNT, FAILED
    COUNT += 1
    FAILED += not good
    print(f"{'ok' if good else 'not ok'} {COUNT} - {name}{' # ' + str(more) if not good and more != '' else ''}", flush=True)


def export(path, out, *more):
    """Status and errors of the command."""
    done = subprocess.run([CLI, "lesson", "export", path, "--to", "pdf", "-o", out, *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    return done.returncode, done.stderr


def read(path):
    """What stands on the sheets, and how many there are."""
    text = subprocess.run(["pdftotext", "-layout", path, "-"], check=True, stdout=subprocess.PIPE, text=True).stdout
    return " ".join(text.split()), text.count("\f")


def ours(folder):
    """A lesson of ours with everything in it."""
    path, out = os.path.join(folder, "sheets.en.md"), os.path.join(folder, "sheets.pdf")
    with open(path, "w", encoding="utf-8") as file:
        file.write(LESSON)
    status, errors = export(path, out)
    text, pages = read(out)
    check("it is written", status == 0 and pages > 3, errors)
    check("its title and words are text as they are", "Sheets <b>&amp; </script>" in text and "HTML" in text and "a link" in text, text[:200])
    links = subprocess.run(["pdfinfo", "-url", out], check=True, stdout=subprocess.PIPE, text=True).stdout
    check("links can be followed, on each line that they take", links.count("https://example.org/a?b='c'&d=(e)") == 1 and links.count("http://example.net/") == 2, links)
    check("and lead to the web or nowhere", "javascript" not in links, links)
    check("lists and tables", "one" in text and "• " in text and "first second" in text and "left right" in text)
    check("code, and what it showed: a program, shades, a graph", 'T.block("Doubled")' in text and "touched first is light" in text and "Last" in text)
    check("steps with what each changed", "1 split(j, [None, 2])" in text and "+ for" in text and "T.vectorized" in text)
    check("an array", "0 1 2" in text)
    check("a question has its choices, an exercise its start", "This & that" in text and "The right one" in text and "def double(n): return n" in text)
    check("no answer stands there", "Because of the reason" not in text and "2 * n" not in text)
    check("headings and numbers of pages", "Page 7" in text and f"</script> {pages}" in text)
    check("the last words are there", text.count("Many") == text.count("other") == 8 * 60, text.count("Many"))
    export(path, out, "--solutions")
    text, _ = read(out)
    check("the answers at the end, for teachers", "Answers" in text and "Because of the reason" in text and "2 * n" in text.rsplit("Answers", 1)[1])
    status, errors = export(path, os.path.join(folder, "nowhere", "x.pdf"))
    check("a folder that is not there is said", status == 1 and "nowhere" in errors, errors)
    status, errors = export(os.path.join(folder, "none.md"), out)
    check("a lesson that is not there is said", status == 1 and "none.md" in errors, errors)


LONG = '''---
title: Long
id: long
---

```python {view=graph}
from tvm import te
A = te.placeholder((8,), name="A")
S = [A]
for n in range(24):
    S.append((lambda P: te.compute((8,), lambda i: P[i] + 1.0, name=f"S{n}"))(S[-1]))
te.compute((8,), lambda i: S[24][i] + S[1][i], name="Z")
```
'''


def long_graph(folder):
    """A graph over several sheets: each edge that is cut names its other end, on both sheets."""
    path, out = os.path.join(folder, "long.en.md"), os.path.join(folder, "long.pdf")
    with open(path, "w", encoding="utf-8") as file:
        file.write(LONG)
    status, errors = export(path, out)
    sheets = subprocess.run(["pdftotext", "-layout", out, "-"], check=True, stdout=subprocess.PIPE, text=True).stdout.split("\f")[:-1]
    check("a long graph is written on several sheets, from the first on", status == 0 and len(sheets) == 2 and "S3[" in sheets[0], errors or len(sheets))
    ends = [(sorted(part.split()[0] for part in sheet.replace("↓", "\n↓ ").replace("↑", "\n↑ ").split("\n↓")[1:]),
             sorted(part.split()[0] for part in sheet.replace("↑", "\n↑ ").split("\n↑")[1:])) for sheet in sheets]
    after = next(name for name in ends[0][0] if name != "Z")
    before = f"S{int(after[1:]) - 1}"
    check("what goes on names where", ends[0] == (sorted(["Z", after]), []), ends)
    check("and what came from where", ends[1] == ([], sorted(["S0", before])), ends)


NOTEBOOK = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
    {"cell_type": "markdown", "metadata": {}, "source": ["# Somebody's notebook\n", "\n", "Words."]},
    {"cell_type": "code", "metadata": {}, "execution_count": 1, "source": ["print(6 * 7)"],
     "outputs": [{"output_type": "stream", "name": "stdout", "text": ["41\n"]}]},
    {"cell_type": "code", "metadata": {}, "execution_count": 2, "source": ["x = 1"], "outputs": []}]}


def notebook(folder):
    """What a notebook recorded is told from what its cells give here; its title stands once."""
    path = os.path.join(folder, "strange.ipynb")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(NOTEBOOK, file)
    out = os.path.join(folder, "strange.pdf")
    status, errors = export(path, out)
    text, _ = read(out)
    check("a notebook on paper: what it recorded is said to be that", status == 0 and "42 As recorded in the file: 41" in text, errors or text)
    check("once", text.count("As recorded") == 1, text)
    check("its title stands once, and at the foot of the sheet", text.count("Somebody's notebook") == 2, text)
    page = os.path.join(folder, "strange.html")
    subprocess.run([CLI, "lesson", "export", path, "-o", page], check=True, stdout=subprocess.DEVNULL)
    with open(page, encoding="utf-8") as file:
        text = file.read()
    check("the same on a page", text.count("As recorded in the file:</p>") == 1 and text.index(">42") < text.index("As recorded in the file:</p>") < text.index(">41"), text[:4000])
    check("with one heading", text.count("<h1>") == 1 and len(re.findall("<h[1-6][^>]*>Somebody", text)) == 1,
          re.findall("<h[1-6][^>]*>Somebody", text))


def main():
    """The lesson above and some of those that come with Loopscope."""
    if shutil.which("pdftotext") is None:
        print("1..0 # SKIP pdftotext is not installed")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        ours(folder)
        long_graph(folder)
        notebook(folder)
        for name, words in (("02-te.zh_CN", "张量"), ("07-relax.ko", "그래프")):
            out = os.path.join(folder, name + ".pdf")
            status, errors = export(os.path.join(LESSONS, name + ".md"), out)
            text, pages = read(out)
            check(f"{name}: it is readable in its language", status == 0 and words in text and pages > 2, errors)
            check(f"{name}: under 2 MB", os.path.getsize(out) < 2 << 20, os.path.getsize(out))
        draw = os.path.join(os.path.dirname(CLI), "..", "draw", "loopscope-draw")
        for harm in ("", "[", "[]", "{}", '{"items": [1, null]}'):
            done = subprocess.run([draw, "--paper", os.path.join(folder, "harm.pdf")], input=harm, text=True, stderr=subprocess.PIPE, check=False)
            check(f"{harm!r} instead of a lesson ends with a sentence", done.returncode == 1 and done.stderr.strip() != "", (done.returncode, done.stderr))
    print(f"1..{COUNT}")
    return 1 if FAILED else 0


if __name__ == "__main__":
    sys.exit(main())
