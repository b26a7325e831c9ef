"""Korean particles: behind a value that is not known the form that fits both endings, behind a Korean word the one that fits its end."""
import ast
import glob
import os
import re
import sys

TOP = os.environ.get("LS_SOURCE_ROOT") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
VALUE = r"%(?:\d+\$)?[-+0#']*[\d.*]*(?:<PRI\w+>|l*[a-zA-Z])"
END = r"(?=[\s.,:;)]|$)"
# Those that have two forms.  "이며" and "이나" may stand behind a vowel too, "%.0s" shows nothing.
OPEN = re.compile(r"(" + VALUE + r") ?(은|는|이|가|을|를|과|와|으로|로|라|라는|며|나)" + END)
CLOSED = re.compile(r"([가-힣]*[가-힣])(은|을|를|와|과|으로|로)" + END)
NO_FINAL, RIEUL = 0, 8
# Verbs and nouns that only look like a word and its particle.
WORDS = ("짝지은", "이은", "이을", "지은", "지을", "효과", "초과", "마을", "가을", "나은", "나을", "부은")
DETERMINER = re.compile(r"이 [가-힣]")         # "%s 이 단계": this step


def texts(path):
    """Each translated text of a catalogue."""
    with open(path, encoding="utf-8") as file:
        for found in re.findall(r'^msgstr(?:\[\d\])? ((?:".*"\n?)+)', file.read(), re.M):
            yield "".join(ast.literal_eval(part) for part in re.findall(r'".*"', found))


def fits(word, particle):
    """Whether it may stand behind this word, by the last letter of that."""
    final = (ord(word[-1]) - 0xAC00) % 28
    return {"은": final != NO_FINAL, "을": final != NO_FINAL, "과": final != NO_FINAL, "를": final == NO_FINAL, "와": final == NO_FINAL,
            "으로": final not in (NO_FINAL, RIEUL), "로": final in (NO_FINAL, RIEUL) or word.endswith("으")}[particle]


def wrong_values(text):
    for one in OPEN.finditer(text):
        if ".0s" in one[1] or (" " in one[0] and DETERMINER.match(text, one.start(2))):
            continue
        yield one[0]


def wrong_words(text):
    for one in CLOSED.finditer(text):
        if not fits(one[1], one[2]) and not one[0].endswith(WORDS):
            yield one[0]


def report(number, what, found):
    print("".join(f"# {line}\n" for line in found) + f"{'not ok' if found else 'ok'} {number} - {what}")
    return bool(found)


def main():
    catalogue = list(texts(os.path.join(TOP, "data", "po", "ko.po")))
    pages = {}
    for path in sorted(glob.glob(os.path.join(TOP, "data", "help", "ko", "*")) + glob.glob(os.path.join(TOP, "lessons", "*.ko.md"))):
        with open(path, encoding="utf-8") as file:
            pages[os.path.basename(path)] = file.read()
    bad = [report(1, "a value of any ending has both forms", [f"{one}: {text[:100]!r}" for text in catalogue for one in wrong_values(text)]),
           report(2, "a word has the form of its ending", [f"{one}: {text[:100]!r}" for text in catalogue for one in wrong_words(text)]),
           report(3, "in the help and in lessons too", [f"{name}: {one}" for name, text in pages.items() for one in wrong_words(text)]),
           report(4, "wrong ones are found", [] if list(wrong_values("%s를 %2$s 는")) == ["%s를", "%2$s 는"] and list(wrong_words("루프을 블록로")) == ["루프을", "블록로"]
                  and not list(wrong_words("루프를 블록으로 단계로")) and not list(wrong_values("%s을(를) %s 이 단계")) else ["the test does not see what it is for"]),
           report(5, "there is something to read", [] if len(catalogue) > 1000 and pages else ["nothing"])]
    print("1..5")
    return any(bad)


sys.exit(main())
