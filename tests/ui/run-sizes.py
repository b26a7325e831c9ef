"""Symbolic sizes: each window of the debugger asks for them, and begins with what is said; in another language the worker's sentences are in it too."""
import os
import sys
import tempfile

import driver
from driver import Atspi, check, close_by, find, focus, insist, name_of, run, top_level, wait, walk, window

HEAD = "from tvm.script import ir as I\nfrom tvm.script import relax as R\nfrom tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n"
PRIM = HEAD + """    @T.prim_func
    def main(a: T.handle, c: T.handle):
        n, m = T.int32(), T.int32()
        A = T.match_buffer(a, (n, m))
        C = T.match_buffer(c, (n, m))
        for i, j in T.grid(n, m):
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = A[vi, vj] * T.float32(2)
"""
GRAPH = HEAD + """    @R.function
    def main(x: R.Tensor(("n", 6), "float32")) -> R.Tensor(("n", 6), "float32"):
        with R.dataflow():
            r = R.exp(x)
            R.output(r)
        return r
"""
WORDS = {"": ("The program has symbolic sizes: give {} above, and press Enter.", "Symbolic sizes", "Run", "Graph, binding by binding",
               "Virtual machine, instruction by instruction", "is too large for the debugger"),
         "zh_CN": ("程序里有符号大小：请在上方写出 {} 的值，然后按 Enter。", "符号大小", "运行", None, None, "对调试器来说太大"),
         "ko": ("프로그램에 기호 크기가 있습니다. 위에 {}의 값을 적고 Enter를 누르세요.", "기호 크기", "실행", None, None, "디버거에 너무 큽니다")}
READY = {"": "Loop nest", "zh_CN": "循环嵌套", "ko": "루프 중첩"}
ASKED, ENTRY, RUN, BINDINGS, MACHINE, TOO_LARGE = WORDS[""]


def texts(app, title):
    top = top_level(app, title)
    return [name_of(node) for node in walk(top) if name_of(node)] if top else []


def says(app, title, words):
    return any(words in text for text in texts(app, title))


def entry(app, title):
    return next((node for node in walk(top_level(app, title) or app) if name_of(node) == ENTRY and "text" in node.get_role_name()), None)


def opened(app, key, title):
    def hit():
        focus("program")
        driver.strokes(key)
    return insist(hit, lambda: window(title))


def say(app, title, words):
    Atspi.EditableText.set_text_contents(entry(app, title), words)
    focus(title)
    driver.strokes("Return")


def asks(app, key, title, names, words, done):
    check(f"{title}: the window opens", opened(app, key, title))
    check(f"{title}: it asks for {names}", wait(lambda: says(app, title, ASKED.format(names)) and entry(app, title)), texts(app, title))
    check(f"{title}: with what is said it begins", insist(lambda: say(app, title, words), lambda: says(app, title, done)), texts(app, title))
    check(f"{title}: it closes", close_by("Escape", title))


def prim(app):
    asks(app, "ctrl+shift+d", RUN, "n, m", "n=4 m=3", "Before statement 0")


def graph(app):
    asks(app, "ctrl+shift+n", BINDINGS, "n", "n=4", "x: parameter")
    asks(app, "ctrl+shift+j", MACHINE, "n", "n=4", "Before the first of 4 instructions")


def in_language(app):
    """What the worker says is a sentence of the engine: it is told in the window's language."""
    check(f"{RUN}: the window opens", opened(app, "ctrl+shift+d", RUN))
    check(f"{RUN}: it asks", wait(lambda: says(app, RUN, ASKED.format("n, m")) and entry(app, RUN)), texts(app, RUN))
    check(f"{RUN}: the worker's sentence is in the language", insist(lambda: say(app, RUN, "n=400000 m=400000"), lambda: says(app, RUN, TOO_LARGE)), texts(app, RUN))


def main():
    global ASKED, ENTRY, RUN, BINDINGS, MACHINE, TOO_LARGE
    path = os.path.join(FOLDER.name, "program.py")
    status = 0
    for language, text, drive in (("", PRIM, prim), ("", GRAPH, graph), ("zh_CN", PRIM, in_language), ("ko", PRIM, in_language)):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        ASKED, ENTRY, RUN, BINDINGS, MACHINE, TOO_LARGE = WORDS[language]
        os.environ["LANGUAGE"] = language
        status = run(PROGRAM, [path], drive, READY[language]) or status
    print(f"1..{driver.COUNT}")
    return status


PROGRAM = os.path.abspath(sys.argv[1])
FOLDER = tempfile.TemporaryDirectory()
driver.print = lambda line, **more: None if line.startswith("1..") else print(line, **more)    # one plan for all
sys.exit(main())
