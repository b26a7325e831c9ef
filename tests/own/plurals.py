#!/usr/bin/env python3
"""No sentence outside the command line pastes an "s" onto a word: other languages count otherwise, so each number has its whole sentence
(ls_translate_plural, ngettext).

    plurals.py SOURCE_ROOT
"""
import os
import re
import sys

PASTED = re.compile(r'"" : "e?s"|"e?s" : ""|"[^"]*%ss[ .,;:"]')
ENGLISH = os.path.join("app", "cli")     # speaks English only


def main():
    root = sys.argv[1]
    wrong, n = [], 0
    for room in ("engine", "views", "app"):
        for folder, _, names in os.walk(os.path.join(root, room)):
            for path in (os.path.join(folder, name) for name in names if name.endswith((".c", ".h"))):
                place = os.path.relpath(path, root)
                if place.startswith(ENGLISH + os.sep):
                    continue
                n += 1
                with open(path, encoding="utf-8") as file:
                    wrong += [f"{place}:{number}: {line.strip()}" for number, line in enumerate(file, 1) if PASTED.search(line)]
    print("1..1")
    for line in wrong:
        print("#", line)
    print("ok" if n and not wrong else "not ok", f"1 sentences of {n} files")
    return 1 if wrong or not n else 0


if __name__ == "__main__":
    sys.exit(main())
