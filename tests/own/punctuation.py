"""Chinese has the marks of its own width, Korean those of Latin letters; code has its own."""
import ast
import glob
import os
import re
import sys

TOP = os.environ.get("LS_SOURCE_ROOT") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
HAN = r"[\u4e00-\u9fff]"
VALUE = r"%(?:\d+\$)?[-+0#']*[\d.*]*(?:<PRI\w+>|l*[a-zA-Z])"
NARROW = re.compile(f"{HAN}[,;:!?()]|[,;!?()]{HAN}|(?:{VALUE})[,;:]{HAN}|(?<=[a-z]);{HAN}|{VALUE}[,;]{VALUE}")
WIDE = re.compile("[（），。；：、？！]")
# Code, Python's tuples and the letters of mnemonics.
CODE = re.compile(r"```.*?^```|`[^`\n]*`|\(_[A-Z]\)|\([^()（）]*, [^()（）]*\)", re.M | re.S)


def catalogue(language):
    """Each translated text."""
    with open(os.path.join(TOP, "data", "po", f"{language}.po"), encoding="utf-8") as file:
        for found in re.findall(r'^msgstr(?:\[\d\])? ((?:".*"\n?)+)', file.read(), re.M):
            yield "".join(ast.literal_eval(part) for part in re.findall(r'".*"', found))


def paragraphs(language):
    for path in sorted(glob.glob(os.path.join(TOP, "data", "help", language, "*.md")) + glob.glob(os.path.join(TOP, "lessons", f"*.{language}.md"))):
        with open(path, encoding="utf-8") as file:
            yield from CODE.sub("", file.read()).split("\n\n")


def wrong(marks, text):
    return marks.search(CODE.sub("", text))


def report(number, what, found):
    print("".join(f"# {line}\n" for line in found) + f"{'not ok' if found else 'ok'} {number} - {what}")
    return bool(found)


def main():
    texts = {language: list(catalogue(language)) + list(paragraphs(language)) for language in ("zh_CN", "ko")}
    seen = [bool(wrong(NARROW, text)) for text in ("范围(%s)", "没有,", "%s;块", "%s,%s", "（_C）(_C)，`f(a, 块)`", "按 (名称, 模式)")]
    bad = [report(1, "Chinese", [repr(text[:100]) for text in texts["zh_CN"] if wrong(NARROW, text)]),
           report(2, "Korean", [repr(text[:100]) for text in texts["ko"] if wrong(WIDE, text)]),
           report(3, "wrong ones are found", [] if seen == [True] * 4 + [False] * 2 and wrong(WIDE, "루프。") and not wrong(WIDE, "루프.") else [str(seen)]),
           report(4, "there is something to read", [] if min(map(len, texts.values())) > 1000 else ["little"])]
    print("1..4")
    return any(bad)


sys.exit(main())
