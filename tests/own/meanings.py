"""What options mean stands in app/cli/meanings.c once for each option, and for options that a command has: the second of two is never shown."""
import os
import re
import sys

TOP = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def read(name):
    with open(os.path.join(TOP, "app", "cli", name), encoding="utf-8") as file:
        return file.read()


def main():
    names = re.findall(r'^  \{ "([^"]+)",', read("meanings.c"), re.M)
    commands = dict(re.findall(r'^  \{ "([a-z-]+)", "((?:[^"\\]|\\.)*)"', read("main.c"), re.M))
    twice = sorted({name for name in names if names.count(name) > 1})
    idle = []
    for name in names:
        words = name.split()
        own = words[0] in commands
        option, where = words[own], [commands[words[0]]] if own else commands.values()
        if not any(option in arguments for arguments in where):
            idle.append(name)
    results = (("each option has one meaning", twice), ("and is an option of a command", idle),
               ("there is something to read", [] if len(names) > 100 and len(commands) > 20 else ["nothing"]))
    for number, (what, wrong) in enumerate(results, 1):
        print(f"{'not ok' if wrong else 'ok'} {number} - {what}" + "".join(f"\n# {one}" for one in wrong))
    print(f"1..{len(results)}")
    return any(wrong for _, wrong in results)


sys.exit(main())
