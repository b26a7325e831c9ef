#!/usr/bin/env python3
"""man-page.py PROGRAM METAINFO OUTPUT [SEE-ALSO...]: the manual page of a program, out of what `PROGRAM --describe` says of itself.

(loopscope-jail, which links nothing, has only its --help.)  The texts are those of --help (app/about/about.h); METAINFO gives the date of the release.
"""
import json
import os
import re
import subprocess
import sys
import textwrap

# What the libraries of a sanitized program leave behind is no reason not to build.
ENV = dict(os.environ, ASAN_OPTIONS="detect_leaks=0")
SPECIAL = {"\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti", '"': "\\(dq"}


def quoted(text):
    text = "".join(SPECIAL.get(c, c) for c in text)
    return "\\&" + text if text.startswith(".") else text


def paragraph(text):
    """Each sentence begins a line; long ones are wrapped between words."""
    lines = []
    for sentence in re.split(r"(?<=[.:;!?])\s+", text.strip()):
        lines += textwrap.wrap(sentence, 110, break_long_words=False, break_on_hyphens=False)
    return [quoted(line) for line in lines]


def sentence(text):
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else text + "."


def option(entry):
    value = entry["value"]
    names = []
    for name in entry["names"]:
        word = f"\\fB{quoted(name)}\\fR"
        if value:
            word += f" [\\fI{quoted(value)}\\fR]" if entry["optional"] else f" \\fI{quoted(value)}\\fR"
        names.append(word)
    more = " ..." if entry["repeated"] else ""
    return [".TP", ", ".join(names) + more] + paragraph(sentence(entry["meaning"]))


def usage(program, words):
    """The name bold; options stay as they are."""
    return [f".B {quoted(program)}"] + textwrap.wrap(quoted(words), 110, break_long_words=False, break_on_hyphens=False)


def page(about, date, others):
    program = about["program"]
    brief = re.split(r"[.:;]\s", about["summary"])[0].rstrip(".")
    out = [
        f'.TH {quoted(program.upper())} 1 "{date}" "Loopscope {about["version"]}" "User Commands"',
        ".SH NAME", f"{quoted(program)} \\- {quoted(brief[:1].lower() + brief[1:])}",
        ".SH SYNOPSIS"]
    out += usage(program, ("" if about.get("commands") else "[OPTION...] ") + about["usage"])
    out += [".SH DESCRIPTION"] + paragraph(about["summary"])
    out += [".SH OPTIONS"]
    for entry in about["options"]:
        out += option(entry)
    if about.get("commands"):
        out += [".SH COMMANDS"]
        for command in about["commands"]:
            out += [f".SS {quoted(command['name'])}"] + usage(f"{program} {command['name']}", command["arguments"])
            out += [".PP"] + paragraph(sentence(command["summary"]))
            for entry in command["options"]:
                out += option(entry)
    if about["exits"]:
        out += [".SH EXIT STATUS"]
        for status in about["exits"]:
            out += [".TP", f"\\fB{status['status']}\\fR"] + paragraph(sentence(status["meaning"]))
    out += [".SH SEE ALSO"]
    out += [f".BR {quoted(name)} (1)" + ("," if name != others[-1] else "") for name in others]
    return "\n".join(line for line in out if line) + "\n"


def ask(program, option):
    return subprocess.run([program, option], check=True, stdout=subprocess.PIPE, text=True, env=ENV).stdout


def from_help(program):
    """The same of a program that has only its --help: the usage, a sentence, and a line for each option."""
    usage_line, summary, *lines = ask(program, "--help").splitlines()
    name, rest = re.match(r"Usage: (\S+) (?:\[OPTION\.\.\.\] )?(.*)", usage_line).groups()
    options = [{"names": [option], "value": value or "", "optional": False, "repeated": False, "file": False, "meaning": meaning}
               for option, value, meaning in (re.match(r"  (--[a-z-]+)(?: ([A-Z]+))?  +(.*)", line).groups() for line in lines if line.startswith("  --"))]
    return {"program": name, "version": ask(program, "--version").split()[1], "usage": rest, "summary": summary, "options": options, "exits": []}


def main():
    program, metainfo, output, *others = sys.argv[1:]
    about = from_help(program) if program.endswith("loopscope-jail") else json.loads(ask(program, "--describe"))
    with open(metainfo, encoding="utf-8") as file:
        date = re.search(r'<release [^>]*date="([^"]+)"', file.read()).group(1)
    with open(output, "w", encoding="utf-8") as file:
        file.write(page(about, date, others))


main()
