"""The texts of the window in the language that LS_UI_LANGUAGE names, from its catalogue in data/po: what a walk waits for is looked up there."""
import os
import re

LANGUAGE = os.environ.get("LS_UI_LANGUAGE", "en")


def catalogue():
    """{English: translation}, of texts of one line."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "data", "po", LANGUAGE + ".po")
    if LANGUAGE == "en":
        return {}
    with open(path, encoding="utf-8") as file:
        entries = re.findall(r'^msgid "(.*)"\n(?:msgid_plural "(.*)"\n)?msgstr(?:\[0\])? "(.*)"$', file.read(), re.M)
    return {text.replace('\\"', '"'): told.replace('\\"', '"') for one, many, told in entries for text in (one, many) if text}


TEXTS = catalogue()


def fill(text, put):
    """The translation with put (number of the mark, from 0) in place of each mark, and the rest through put (text)."""
    parts = re.split(r"(%(?:\d+\$)?(?:<\w+>|[usd]))", TEXTS.get(text, text))
    running = 0
    for i, part in enumerate(parts):
        mark = re.match(r"%(?:(\d+)\$)?(?:<\w+>|[usd])$", part)
        if mark is None:
            parts[i] = put(part)
            continue
        parts[i] = put(int(mark.group(1)) - 1 if mark.group(1) else running)
        running += 1
    return "".join(parts)


def t(text, *values):
    """The text in the language of the tour, with the values in place of its marks, in the order of the English text."""
    return fill(text, lambda part: part if isinstance(part, str) else str(values[part]))


def pattern(text, *values):
    """The same as a pattern; marks that have no value stand for anything, a0, a1, .. in the answer."""
    def put(part):
        if isinstance(part, str):
            return re.escape(part)
        return re.escape(str(values[part])) if part < len(values) and values[part] is not None else f"(?P<a{part}>.*?)"
    return re.compile(fill(text, put))
