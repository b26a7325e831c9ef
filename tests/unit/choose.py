"""What ./check --quick chooses, and that what takes long starts first: choose.py [BUILD]."""
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import choose  # noqa: E402

TESTS = {"base/span": 0.1, "schedule/moves": 0.2, "golden/schedule": 4.0, "golden/parse": 0.3, "ui/lowering": 20.0, "ui/moves": 12.0, "python/te": 0.5}
COUNT = 0
FAILED = 0


def check(name, found, expected):
    global COUNT, FAILED
    COUNT += 1
    FAILED += found != expected
    print(f"{'ok' if found == expected else 'not ok'} {COUNT} - {name}")
    if found != expected:
        print(f"# {found}, not {expected}")


def about(changed, budget=100.0, words=()):
    return {name: score for name, score in choose.choose(TESTS, changed, {choose.stem(word) for word in words}, budget).items() if score}


check("a test that was changed itself", about(["tests/unit/base/span.c"]), {"base/span": 2})
check("a file of a test's folder", about(["tests/golden/parse/seed.tir"]), {"golden/parse": 2})
check("a source by the words of its path", about(["engine/schedule/primitive/split.c"]), {"schedule/moves": 1, "golden/schedule": 1})
check("a word of its name", about(["app/lowering/window.c"]), {"ui/lowering": 1})
check("words that say nothing", about(["engine/python/tvm/test.py", "data/ui/app.ui"]), {})
check("words of the command line", about([], words=["move"]), {"schedule/moves": 1, "ui/moves": 1})
check("what was changed itself runs, however long it takes", about(["tests/ui/lowering.py"], 5.0)["ui/lowering"], 2)
check("what is only about it has to have room", about(["app/lowering/window.c", "engine/schedule/moves.c"], 5.0), {"schedule/moves": 1, "golden/schedule": 1})
check("the room that is left goes to every part in turn", list(choose.choose(TESTS, [], set(), 1.0)), ["base/span", "golden/parse", "python/te"])
check("and all run where there is room for all", set(choose.choose(TESTS, [], set(), 100.0)), set(TESTS))


def late(build):
    """Programs of the table of seconds (tests/meson.build) that do not start by it; those that this build has not are left out."""
    with open(os.path.join(os.path.dirname(choose.__file__), "meson.build"), encoding="utf-8") as file:
        table = re.search(r"^ls_test_seconds = {\n(.*?)^}", file.read(), re.DOTALL | re.MULTILINE).group(1)
    with open(os.path.join(build, "meson-info", "intro-tests.json"), encoding="utf-8") as file:
        starts = {test["name"]: test["priority"] for test in json.load(file)}
    return [name for name, seconds in re.findall(r"'([^']+)': (\d+)", table) if starts.get(name, int(seconds)) != int(seconds)]


if len(sys.argv) > 1:
    check("what takes long starts first", late(sys.argv[1]), [])
print(f"1..{COUNT}")
sys.exit(1 if FAILED else 0)
