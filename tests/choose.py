"""Chooses what ./check --quick runs in about a minute: choose.py BUILD [WORD..]

First the programs about what was changed: their own file or folder was, or a word of their name is in the path of a changed file
(engine/schedule/moves.c: schedule/moves, golden/schedule, ui/moves, ..) or is one of the words given.  Changed is what git says differs
from the last commit, or what that commit changed when nothing does.  Then short programs of every part in turn, until the minute is
full.  What a program takes is known from the last run in this build, or from its priority in meson.build.

Prints "build TARGET" for each file that ninja has to make and "run NAME" for each program; to stderr what was chosen.
"""
import collections
import glob
import json
import os
import re
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SECONDS = 60.0
USED = 0.7                      # of the cores: the last programs do not end together
UNKNOWN = 0.7                   # seconds of a program that never ran and has no priority
SUITES = ("quick", "ui")
# Folders and endings, which say nothing of what a file is about.
PLAIN = {"app", "engine", "views", "tests", "unit", "data", "python", "tvm", "c", "h", "py", "md", "en", "ko", "zh", "cn", "build", "meson", "txt", "ui", "golden", "property",
         "exec", "fuzz", "session", "test"}


def split(text):
    return [word for word in re.split(r"[^a-z0-9]+", text.lower()) if word]


def stem(word):
    """lessons and lesson are one word."""
    return word[:-1] if len(word) > 3 and word.endswith("s") else word


def words_of(path):
    return {stem(word) for word in split(path)} - {stem(word) for word in PLAIN}


def own(test, path):
    """Is this a file of the test itself?  tests/ui/links.py, tests/unit/base/span.c, tests/golden/pass/.. are."""
    path = re.sub(r"^tests/(unit/)?", "", path)
    return path.startswith((test + ".", test + "/"))


def relevance(test, changed, words):
    """2: it was changed itself; 1: it is about what was changed; 0."""
    if any(own(test, path) for path in changed):
        return 2
    named = {stem(word) for word in split(test)}
    return int(any(named & words_of(path) for path in changed) or bool(named & words))


def choose(tests, changed, words, budget):
    """{name: relevance} of those to run, of tests {name: seconds}."""
    scores = {name: relevance(name, changed, words) for name in tests}
    chosen, left = {}, budget
    for name in sorted((name for name in tests if scores[name]), key=lambda name: (-scores[name], tests[name])):
        if scores[name] == 2 or tests[name] <= left:
            chosen[name] = scores[name]
            left -= tests[name]
    parts = collections.defaultdict(list)
    for name in sorted(set(tests) - set(chosen), key=lambda name: tests[name]):
        parts[name.split("/")[0]].append(name)
    for nth in range(max(map(len, parts.values()), default=0)):
        for part in sorted(parts):
            if nth < len(parts[part]) and tests[parts[part][nth]] <= left:
                chosen[parts[part][nth]] = 0
                left -= tests[parts[part][nth]]
    return chosen


def git(*arguments):
    done = subprocess.run(["git", "-C", TOP, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    return done.stdout.splitlines() if done.returncode == 0 else []


def changed_files():
    status = [line[3:].split(" -> ")[-1] for line in git("status", "--porcelain", "--untracked-files=all")]
    return status or git("diff", "--name-only", "HEAD~1", "HEAD")


def introspect(build, what):
    return json.loads(subprocess.run(["meson", "introspect", build, "--" + what], stdout=subprocess.PIPE, check=True).stdout)


def durations(build):
    """What each program took when it ran last."""
    found = {}
    for log in sorted(glob.glob(os.path.join(build, "meson-logs", "check*.json")), key=os.path.getmtime):
        with open(log, encoding="utf-8", errors="replace") as file:
            for record in map(json.loads, filter(str.strip, file)):
                found[record["name"].split(" / ")[-1]] = record.get("duration", 0.0)
    return found


def main():
    build, words = sys.argv[1], {stem(word) for text in sys.argv[2:] for word in split(text)}
    known = durations(build)
    records = {test["name"]: test for test in introspect(build, "tests") if any(suite.split(":")[-1] in SUITES for suite in test["suite"])}
    tests = {name: known.get(name) or test["priority"] or UNKNOWN for name, test in records.items()}
    changed = [] if words else changed_files()
    chosen = choose(tests, changed, words, SECONDS * USED * (os.cpu_count() or 1))
    targets = introspect(build, "targets")
    files = {target["id"]: target["filename"] for target in targets}
    needed = {file for name in chosen for target in records[name]["depends"] for file in files.get(target, ())}
    # What a program reads without naming it: settings, translations, the installed files.
    needed |= {file for target in targets if target["build_by_default"] and (target["installed"] or target["type"] == "custom")
               for file in target["filename"]}
    for file in sorted(needed):
        print("build", os.path.relpath(file, build))
    for name in chosen:
        print("run", name)
    about = [name for name in chosen if chosen[name]]
    left = sum(1 for name in tests if name not in chosen and relevance(name, changed, words))
    print(f"{len(chosen)} of {len(tests)} programs; about what was changed: {', '.join(about) or 'none'}"
          + (f"; {left} more have no room in the minute" if left else ""), file=sys.stderr)


if __name__ == "__main__":
    main()
