#!/usr/bin/env python3
"""What the lessons import is installed by ./run: each module that a cell imports is of a Debian package that ./run asks for, or ours.

    packages.py SOURCE_ROOT

The packages that bring a module are asked of dpkg; where there is none, that is said (exit status 77: skipped).
"""
import importlib.util
import os
import re
import shutil
import subprocess
import sys

OURS = {"tvm", "loopscope"}
CELL = re.compile(r"^```[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
IMPORT = re.compile(r"^\s*(?:import|from)\s+([A-Za-z_]\w*)", re.MULTILINE)


def sections_of(program):
    """The sections of data/packages that a script installs."""
    found = re.search(r"^house_install ([a-z ]+)$", program, re.MULTILINE)
    return found.group(1).split() if found else []


def packages_of(text, sections):
    packages, here = set(), False
    for line in text.splitlines():
        if line.startswith("["):
            here = line.strip("[]") in sections
        elif here and line and not line.startswith("#"):
            packages.add(line.strip())
    return packages


def imports_of(lesson):
    return {name for cell in CELL.findall(lesson) for name in IMPORT.findall(cell)} - OURS - set(sys.stdlib_module_names)


def owner_of(module):
    """The package that brings a module, or None."""
    found = importlib.util.find_spec(module)
    if found is None or found.origin is None:
        return None
    told = subprocess.run(["dpkg-query", "-S", os.path.realpath(found.origin)], capture_output=True, text=True, check=False).stdout
    return told.split(":")[0] or None


def main():
    root = sys.argv[1]
    if shutil.which("dpkg-query") is None:
        print("1..0 # SKIP dpkg is not here: no package can be asked for")
        return 77

    def read(*path):
        with open(os.path.join(root, *path), encoding="utf-8") as file:
            return file.read()

    asked = packages_of(read("data", "packages"), sections_of(read("run")))
    wanted = {}
    for name in sorted(os.listdir(os.path.join(root, "lessons"))):
        if name.endswith(".md"):
            for module in imports_of(read("lessons", name)):
                wanted.setdefault(module, name)
    missing = [f"{module} ({lesson}) is of {owner_of(module) or 'no package'}" for module, lesson in sorted(wanted.items())
               if owner_of(module) not in asked]
    print(f"1..2\n{'ok' if 'numpy' in wanted else 'not ok'} 1 - the lessons' imports are found: {' '.join(sorted(wanted))}")
    print(f"{'not ok' if missing else 'ok'} 2 - ./run installs what the lessons import")
    for line in missing:
        print(f"# {line}, which ./run does not ask for")
    return 1 if missing or "numpy" not in wanted else 0


sys.exit(main())
