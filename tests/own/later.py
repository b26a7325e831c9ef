"""What comes by itself later: each idle, tick and timeout of the programs stands with its reason in app/README.md, and nothing else does."""
import os
import re
import sys

TOP = os.environ.get("LS_SOURCE_ROOT") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
CALLS = re.compile(r"\b(g_idle_add\w*|g_timeout_add\w*|gtk_widget_add_tick_callback|g_idle_source_new|g_timeout_source_new\w*|g_main_context_invoke\w*) ?\(")
HEADING = "## What comes by itself later"


def in_code():
    """FILE: how many."""
    found = {}
    for room in ("app", "views"):
        for folder, _, files in os.walk(os.path.join(TOP, room)):
            for name in files:
                path = os.path.join(folder, name)
                if name.endswith(".c"):
                    with open(path, encoding="utf-8") as file:
                        n = len(CALLS.findall(file.read()))
                    if n:
                        found[os.path.relpath(path, TOP)] = n
    return found


def in_readme():
    """FILE: how many, over all reasons."""
    with open(os.path.join(TOP, "app", "README.md"), encoding="utf-8") as file:
        section = file.read().split(HEADING + "\n", 1)[1].split("\n## ", 1)[0]
    said = {}
    for line in section.splitlines():
        if line.startswith("|"):
            for path, n in re.findall(r"`([\w/.-]+\.c)`(?: \((\d+)\))?", line):
                said[path] = said.get(path, 0) + int(n or 1)
    return said


def main():
    code, said = in_code(), in_readme()
    wrong = [f"{path}: {code.get(path, 0)} in the code, {said.get(path, 0)} with a reason" for path in sorted(set(code) | set(said))
             if code.get(path, 0) != said.get(path, 0)]
    for line in wrong:
        print("# " + line)
    print(f"{'not ok' if wrong else 'ok'} 1 - each of {sum(code.values())} idles, ticks and timeouts has its reason")
    many = sum(code.values()) > 20
    print(f"{'ok' if many else 'not ok'} 2 - they were found")
    print("1..2")
    return 1 if wrong or not many else 0


sys.exit(main())
