"""What a notebook shows of programs and schedules: HTML that holds nothing but text, for plain Jupyter."""
import difflib
import html
import keyword
import re

_WORDS = re.compile(r"(?P<s>'[^'\n]*'|\"[^\"\n]*\")|(?P<c>#.*$)|(?P<k>\b(?:%s)\b)" % "|".join(keyword.kwlist), re.MULTILINE)
_STYLES = {"s": "color:#1b6e2e", "c": "color:#777;font-style:italic", "k": "font-weight:bold"}
_PRE = "line-height:1.4;overflow-x:auto;margin:0"
MOST_STEPS = 40


def code(text):
    """A program with its keywords, strings and comments."""
    out, at = [], 0
    for found in _WORDS.finditer(text):
        out.append(html.escape(text[at:found.start()]))
        out.append(f'<span style="{_STYLES[found.lastgroup]}">{html.escape(found.group())}</span>')
        at = found.end()
    out.append(html.escape(text[at:]))
    return f'<pre style="{_PRE}">{"".join(out)}</pre>'


def changes(before, after):
    """What differs between two programs, line by line."""
    out = []
    for line in difflib.ndiff(before.splitlines(), after.splitlines()):
        if line[0] != "?":
            style = {"+": "background:#dcebfb;color:#111", "-": "background:#fbeccb;color:#111"}.get(line[0], "")
            out.append(f'<span style="{style}">{html.escape(line)}</span>')
    return f'<pre style="{_PRE}">' + "\n".join(out) + "</pre>"


def schedule(value):
    """The program now, and each step with what it changed."""
    impl = value.trace._impl
    names = value.trace.as_python()
    parts, before = [], None
    for i in range(min(impl.n() + 1, 400)):
        version = value.copy()
        version._undo_to(i)
        text = version.mod.script()
        if before is not None and text != before and len(parts) < MOST_STEPS:
            call = names[i - 1] if i - 1 < len(names) else ""
            parts.append(f"<details><summary><code>{len(parts) + 1}&ensp;{html.escape(call)}</code></summary>{changes(before, text)}</details>")
        before = text
    return code(value.mod.script()) + "".join(parts)
