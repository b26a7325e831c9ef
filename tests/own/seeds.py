#!/usr/bin/env python3
"""No program of the seeds stands in the tree: no RUN lines of code in a row are those of a seed.

    seeds.py SOURCE_ROOT [SEEDS]

SEEDS is the folder of the seeds' texts: else $LS_SEEDS, else ../shared/seeds from the source root.  Where it is not there, nothing is compared and
that is said (exit status 77: skipped).  Blank lines, spaces and comments do not count; a name that is another one everywhere in a file does not
either: names are numbered in the order in which a run has them.  Lines that any program has (decorators, imports, `with T.init():`) count only
beside others.
"""
import functools
import os
import re
import sys

RUN = 8                         # lines
TELLING = 5                     # of them that not any program has
ENDINGS = (".py", ".ref", ".expected", ".md", ".txt", ".c", ".h", ".json", ".errors", ".ui", ".xml", ".in", ".loopscope")
LEFT_OUT = {".git", "build", "po", "node_modules", "__pycache__"}
USUAL = re.compile(r"^(@[\w.]+|(import|from)\b.*|with T\.init\(\):|with R\.dataflow\(\):|class \w+:|# .*|\W*|```.*|else:|return \w+|T\.func_attr\(.*\)|cls = \w+)$")
NAME = re.compile(r"(?<![\w.\"'])[A-Za-z_]\w*")
KEPT = set("T R I te tir tvm relax np torch topi in for if else with as def class return lambda and or not is None True False import from range print "
           "self int float str len zip list dict tuple".split())


def lines_of(text):
    """(number, line) of what counts."""
    for number, line in enumerate(text.splitlines(), 1):
        line = re.sub(r"\s+", " ", line.split("  # ")[0]).strip().strip('"').removesuffix("\\n").strip()
        line = re.sub(r"^static const char \w+\[\] = ", "", line)
        if line and not line.startswith(("# ", "//", "/*", "* ")):
            yield number, line


def shape_of(run):
    """A run of lines with its names numbered."""
    names = {}

    def number(found):
        name = found.group()
        return name if name in KEPT else names.setdefault(name, f"n{len(names)}")

    return "\n".join(NAME.sub(number, line) for line in run)


@functools.lru_cache(maxsize=None)
def shape_of_line(line):
    return shape_of([line])


def runs_of(text, among=None):
    """(first line, shape) of every run that is telling; with `among`, shapes of single lines, only runs that are made of them."""
    lines = list(lines_of(text))
    inside = 0                  # so many lines in a row, up to here, are among them
    for end, (_, line) in enumerate(lines, 1):
        inside = inside + 1 if among is None or shape_of_line(line) in among else 0
        if min(inside, end) < RUN:
            continue
        run = lines[end - RUN:end]
        if sum(not USUAL.match(line) for _, line in run) >= TELLING:
            yield run[0][0], shape_of([line for _, line in run])


def files_under(root):
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in LEFT_OUT and not name.startswith("build"))
        for name in sorted(names):
            if name.endswith(ENDINGS):
                yield os.path.join(folder, name)


def main(root, seeds=None):
    seeds = seeds or os.environ.get("LS_SEEDS") or os.path.join(root, "..", "shared", "seeds")
    if not os.path.isdir(seeds):
        print(f"SKIP: the seeds are not at {seeds}; LS_SEEDS says where they are")
        return 77
    theirs, single = {}, set()
    for name in sorted(os.listdir(seeds)):
        with open(os.path.join(seeds, name), encoding="utf-8") as file:
            text = file.read()
        single.update(shape_of_line(line) for _, line in lines_of(text))
        for number, shape in runs_of(text):
            theirs.setdefault(shape, f"{name}:{number}")
    found = 0
    for path in files_under(root):
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        until = 0
        for number, shape in runs_of(text, single):
            if shape in theirs:
                if number > until:
                    print(f"{os.path.relpath(path, root)}:{number}: these lines are those of {theirs[shape]}")
                    found += 1
                until = number + RUN
    print(f"{len(theirs)} runs of {RUN} lines in the seeds, {found} places in the tree")
    return 1 if found or not theirs else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
