#!/usr/bin/env python3
"""No class or function of a Python test is defined twice under one name: the first would never run, and nobody would be told.

    twice.py SOURCE_ROOT
"""
import ast
import collections
import glob
import os
import sys


def twice_in(path):
    """[(line, name)] of what an earlier definition of the same name in the same scope is lost by."""
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read(), path)
    found = []
    for scope in [tree] + [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]:
        names = collections.Counter()
        for node in scope.body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and not node.decorator_list:
                names[node.name] += 1
                if names[node.name] > 1:
                    found.append((node.lineno, node.name))
    return found


def main():
    root = sys.argv[1]
    paths = sorted(path for folder in ("python", "ui", "page", "device", "own", "package") for path in glob.glob(os.path.join(root, "tests", folder, "*.py")))
    wrong = [f"{os.path.relpath(path, root)}:{line}: {name} is defined before" for path in paths for line, name in twice_in(path)]
    print("1..1")
    for line in wrong:
        print("#", line)
    print("ok" if paths and not wrong else "not ok", f"1 names of {len(paths)} files")
    return 1 if wrong or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
