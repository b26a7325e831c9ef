#!/usr/bin/env python3
"""completion.py SHELL PROGRAM OUTPUT: the completion of a program for bash, zsh or fish, out of what `PROGRAM --describe` says.

The commands, the options, the values that an option takes, and files and folders where one is expected.
"""
import json
import os
import re
import subprocess
import sys

# What the libraries of a sanitized program leave behind is no reason not to build.
ENV = dict(os.environ, ASAN_OPTIONS="detect_leaks=0")
PATHS = {"FILE", "DIR", "A", "B", "BEFORE", "AFTER"}


class Option:
    def __init__(self, entry):
        self.names = entry["names"]
        self.meaning = entry["meaning"]
        self.value = entry["value"]
        self.optional = entry["optional"]
        self.repeated = entry["repeated"]
        words = self.value.split("|")
        self.choices = [] if entry["file"] or not all(re.fullmatch(r"[a-z0-9][a-z0-9.-]*", word) for word in words) else words
        self.folder = self.value == "DIR"
        self.file = entry["file"] and not self.folder


class Command:
    """A command, or a program that has none."""

    def __init__(self, name, arguments, summary, options, primitives=()):
        self.name = name
        self.summary = summary
        self.options = [Option(entry) for entry in options if entry["names"] != ["--"]]     # that one ends the options
        words = self.words(arguments)
        self.choices = [word for word in words if re.fullmatch(r"[a-z]+", word)]
        if "PRIMITIVE" in words:
            self.choices += primitives
        self.files = any(word in PATHS or "." in word.strip(".") for word in words)

    def words(self, arguments):
        """What stands on the line beside options and their values."""
        for option in self.options:
            for name in option.names:
                arguments = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])\s*\[?'?{re.escape(option.value)}", " ", arguments)
        return re.findall(r"[^\s\[\]()|']+", arguments)


class Program:
    def __init__(self, path):
        about = json.loads(self.ask(path, "--describe"))
        self.name = about["program"]
        primitives = []
        if about.get("commands"):
            primitives = [entry["name"] for entry in json.loads(self.ask(path, "explain", "--json"))]
        self.commands = [Command(c["name"], c["arguments"], c["summary"], c["options"], primitives) for c in about.get("commands", ())]
        self.whole = Command("", "" if self.commands else about["usage"], about["summary"], about["options"])

    @staticmethod
    def ask(path, *arguments):
        return subprocess.run([path, *arguments], check=True, stdout=subprocess.PIPE, text=True, env=ENV).stdout


# ---- bash -----------------------------------------------------------------------


BASH_HELPERS = """\
  # $1 is -W, -f or -d as compgen has them; $2 the words
  _loopscope_offer()
  {
    local line
    [ "$1" = -W ] || compopt -o filenames 2>/dev/null
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$@" -- "$cur")
  }"""


def bash_command(pattern, command):
    lines = []
    for option in command.options:
        if option.value:
            names = "|".join(f"'{pattern}{name}'" for name in option.names)
            action = f"_loopscope_offer -W '{' '.join(option.choices)}'" if option.choices else "_loopscope_offer -d" if option.folder else "_loopscope_offer -f" if option.file else ":"
            end = "[ ${#COMPREPLY[@]} -gt 0 ] && return" if option.optional else "return"
            lines.append(f"    {names}) {action}; {end} ;;")
    return lines


def bash_words(command):
    options = " ".join(name for option in command.options for name in option.names)
    return f"words='{' '.join(command.choices)}' options='{options}' files={'-f' if command.files else ''}"


def bash(program):
    function = "_" + program.name.replace("-", "_")
    out = [
        f"# bash completion for {program.name}; made from its own tables.",
        f"{function}()", "{",
        "  local IFS=$' \\t\\n' cur=${COMP_WORDS[COMP_CWORD]} option= command= words= options= files=",
        "  [ \"$COMP_CWORD\" -lt 1 ] || option=${COMP_WORDS[COMP_CWORD-1]}",
        "  # bash takes --name=value apart",
        "  if [ \"$cur\" = = ]; then cur=; elif [ \"$option\" = = ]; then option=${COMP_WORDS[COMP_CWORD-2]}; fi",
        BASH_HELPERS,
        "  COMPREPLY=()"]
    if program.commands:
        names = " ".join(c.name for c in program.commands)
        options = " ".join(name for option in program.whole.options for name in option.names)
        out += [
            "  if [ \"$COMP_CWORD\" -le 1 ]; then",
            f"    _loopscope_offer -W '{names} {options}'",
            "    return", "  fi", "  command=${COMP_WORDS[1]}"]
    out += ["  case \"$command $option\" in"]
    for command in program.commands or [program.whole]:
        out += bash_command(command.name + " ", command)
    out += ["  esac", "  case $command in"]
    for command in program.commands or [program.whole]:
        out += [f"    '{command.name}') {bash_words(command)} ;;"]
    out += [
        "  esac",
        "  if [[ $cur == -* ]]; then",
        "    _loopscope_offer -W \"$options\"",
        "  else",
        "    _loopscope_offer -W \"$words\"",
        "    [ -z \"$files\" ] || _loopscope_offer -f",
        "  fi", "}",
        f"complete -F {function} {program.name}"]
    return out


# ---- zsh ------------------------------------------------------------------------


def zsh_text(text, special):
    for c in special:
        text = text.replace(c, "\\" + c)
    return text.replace("'", "'\\''")


def zsh_option(option):
    action = "_files" if option.file else "_files -/" if option.folder else f"({' '.join(option.choices)})" if option.choices else " "
    meaning = zsh_text(option.meaning, "\\[]:")
    lines = []
    for name in option.names:
        more = "\\*" if option.repeated else ""
        if option.value:
            form = "=" if name.startswith("--") else "+"
            colons = "::" if option.optional else ":"
            message = zsh_text(option.value, "\\:")
            lines.append(f"'{more[-1:]}{name}{form}[{meaning}]{colons}{message}:{action}'")
        else:
            lines.append(f"'{more[-1:]}{name}[{meaning}]'")
    return lines


def zsh_arguments(command):
    lines = [line for option in command.options for line in zsh_option(option)]
    if command.choices:
        lines.append(f"'1:word:({' '.join(command.choices)})'")
    if command.files:
        lines.append("'*:file:_files'")
    return " \\\n        ".join(["_arguments", *lines])


def zsh(program):
    out = [f"#compdef {program.name}", "# made from the program's own tables"]
    if not program.commands:
        return out + [zsh_arguments(program.whole)]
    out += [
        "local context state state_descr line", "typeset -A opt_args",
        "_arguments -C " + " ".join(line for option in program.whole.options for line in zsh_option(option))
        + " '1:command:->command' '*::argument:->argument'",
        "case $state in", "  command)", "    local -a names", "    names=("]
    out += [f"      '{zsh_text(c.name + ':' + c.summary.replace(':', chr(92) + ':'), '')}'" for c in program.commands]
    out += ["    )", "    _describe command names", "    ;;", "  argument)", "    case $words[1] in"]
    out += [f"      {c.name})\n        {zsh_arguments(c)} ;;" for c in program.commands]
    return out + ["    esac", "    ;;", "esac"]


# ---- fish -----------------------------------------------------------------------


def fish_quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish_option(program, condition, option):
    line = f"complete -c {program}{condition}"
    for name in option.names:
        line += f" -l {name[2:]}" if name.startswith("--") else f" -s {name[1:]}"
    if option.value and not option.optional:
        line += " -r"
    if option.choices:
        line += f" -a {fish_quoted(' '.join(option.choices))}"
    elif option.folder:
        line += " -a '(__fish_complete_directories)'"
    elif option.file:
        line += " -F"
    return line + f" -d {fish_quoted(option.meaning)}"


def fish(program):
    name = program.name
    out = [f"# fish completion for {name}; made from its own tables."]
    if not program.commands:
        return out + [fish_option(name, "", option) for option in program.whole.options]
    out += [f"complete -c {name} -f"]
    out += [fish_option(name, " -n __fish_use_subcommand", option) for option in program.whole.options]
    out += [f"complete -c {name} -n __fish_use_subcommand -a {c.name} -d {fish_quoted(c.summary)}" for c in program.commands]
    for command in program.commands:
        condition = f" -n '__fish_seen_subcommand_from {command.name}'"
        if command.files:
            out.append(f"complete -c {name}{condition} -F")
        if command.choices:
            out.append(f"complete -c {name}{condition} -a {fish_quoted(' '.join(command.choices))}")
        out += [fish_option(name, condition, option) for option in command.options]
    return out


def main():
    shell, path, output = sys.argv[1:]
    with open(output, "w", encoding="utf-8") as file:
        file.write("\n".join({"bash": bash, "zsh": zsh, "fish": fish}[shell](Program(path))) + "\n")


main()
