"""What the programs say of themselves: --version, and that manual pages and completions have all that --help has."""
import os
import re
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["LS_SOURCE_ROOT"], "tests", "python"))
import tap  # noqa: E402

BUILD = os.environ["LS_BUILD_ROOT"]
PROGRAMS = {
    "loopscope": ("app/loopscope", ["GTK", "GtkSourceView", "GLib"]),
    "loopscope-cli": ("app/cli/loopscope-cli", ["GLib"]),
    "loopscope-draw": ("app/draw/loopscope-draw", ["GTK", "cairo", "Pango", "GLib"]),
    "loopscope-device": ("app/device/loopscope-device", ["GLib"]),
    "loopscope-jail": ("app/jail/loopscope-jail", []),
    "loopscope-measure": ("app/measure/loopscope-measure", ["GLib"]),
    "loopscope-worker": ("app/worker/loopscope-worker", ["LLVM", "GLib"]),
}
ENV = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")} | {"LC_ALL": "C.UTF-8"}
CLI = os.path.join(BUILD, "app/cli/loopscope-cli")


def run(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=ENV, **options).stdout


def program(name):
    return os.path.join(BUILD, PROGRAMS[name][0])


def page(name):
    """The manual page as plain text, without what roff needs."""
    with open(os.path.join(BUILD, "data/man", name + ".1"), encoding="utf-8") as file:
        text = file.read()
    text = re.sub(r"\\f[BIR]", "", text)
    for code, c in (("\\-", "-"), ("\\(aq", "'"), ("\\(dq", '"'), ("\\(ha", "^"), ("\\(ti", "~"), ("\\(ga", "`"), ("\\&", ""), ("\\e", "\\")):
        text = text.replace(code, c)
    return text


def sections(text):
    """The manual page of loopscope-cli by commands."""
    return {part.split("\n", 1)[0]: part for part in text.split("\n.SS ")[1:]}


def commands():
    return re.findall(r"^  ([a-z-]+) +\S", run(CLI, "--help").split("Commands:")[1], re.M)


def options(text):
    """Of a help text: the options that stand at the beginning of a line."""
    return [name for line in text.splitlines() if re.match(r"  -", line) for name in re.findall(r"(?:^  |, )(--?[a-z][a-z-]*)", line)]


def flat(text):
    return re.sub(r"\s+", " ", text)


class Version(unittest.TestCase):
    def test_all(self):
        version = re.search(r"version: '([^']+)'", open(os.path.join(os.environ["LS_SOURCE_ROOT"], "meson.build"), encoding="utf-8").read()).group(1)
        for name, (_, libraries) in PROGRAMS.items():
            lines = run(program(name), "--version").splitlines()
            self.assertRegex(lines[0], rf"^{name} {re.escape(version)}( \([\w.-]+\))?$")
            parts = lines[1].split(", ") if libraries else []
            self.assertEqual([part.split()[0] for part in parts], libraries)
            for part in parts:
                self.assertRegex(part, r" \d+\.\d+\.\d+$")

    def test_the_commit(self):
        git = subprocess.run(["git", "-C", os.environ["LS_SOURCE_ROOT"], "describe", "--tags", "--always"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False) if shutil.which("git") else None
        if git is None or git.returncode != 0 or not os.path.exists(os.path.join(os.environ["LS_SOURCE_ROOT"], ".git")):
            self.skipTest("there is no repository")
        said = {name: run(program(name), "--version").splitlines()[0].removeprefix(name) for name in PROGRAMS}
        self.assertRegex(said["loopscope-cli"], r" \([\w.-]+\)$")
        self.assertEqual(set(said.values()), {said["loopscope-cli"]}, said)


class Manual(unittest.TestCase):
    def test_commands(self):
        found = sections(page("loopscope-cli"))
        self.assertEqual(commands(), list(found))
        self.assertGreater(len(found), 20)

    def test_options_of_commands(self):
        found = sections(page("loopscope-cli"))
        for command in commands():
            text = run(CLI, command, "--help")
            usage, summary = text.splitlines()[:2]
            said = flat(found[command])
            self.assertIn(flat(usage.split(" ", 3)[3]), said, command)
            self.assertIn(flat(summary.split(".")[0]).lower(), said.lower(), command)
            self.assertEqual(options(text), re.findall(r"^\.TP\n(--?[a-z][a-z-]*)", found[command], re.M), command)
            # Nothing that the usage names is left out by the help.
            self.assertEqual(set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*(?![\w'])", usage.split(" ", 3)[3])), set(options(text)), command)

    def test_every_option_has_a_meaning(self):
        for command in commands():
            lines = run(CLI, command, "--help").splitlines()
            for at, line in enumerate(lines):
                if re.match(r"  -", line):
                    said = line[22:].strip() or (lines[at + 1].strip() if at + 1 < len(lines) and lines[at + 1].startswith(" " * 22) else "")
                    self.assertTrue(said, f"loopscope-cli {command}: {line}")

    def test_other_programs(self):
        for name in PROGRAMS:
            if name == "loopscope-cli":
                continue
            found = page(name)
            for text in (run(program(name), "--help"), run(program(name), "--help-all")) if name == "loopscope" else (run(program(name), "--help"),):
                wanted = options(text)
                self.assertTrue(wanted)
                for option in wanted:
                    self.assertRegex(found, rf"(?m)^(.*, )?{option}\b", name)

    @unittest.skipUnless(shutil.which("mandoc"), "mandoc is not installed")
    def test_lint(self):
        for name in PROGRAMS:
            done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", os.path.join(BUILD, "data/man", name + ".1")], stdout=subprocess.PIPE, text=True, check=False)
            self.assertEqual(done.stdout, "")


def bash(name, *words):
    """What bash offers at the last word."""
    script = f'''
source "{BUILD}/data/completions/{name}"
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
{"_" + name.replace("-", "_")}
[ ${{#COMPREPLY[@]}} = 0 ] || printf '%s\\n' "${{COMPREPLY[@]}}"'''
    return run("bash", "--norc", "-c", script, "bash", name, *words, cwd=os.path.join(os.environ["LS_SOURCE_ROOT"], "data", "samples")).split("\n")[:-1]


def fish(line):
    name = line.split()[0]
    out = run("fish", "--no-config", "-c", f'source "{BUILD}/data/completions/{name}.fish"; complete -C "{line}"', cwd=os.path.join(os.environ["LS_SOURCE_ROOT"], "data", "samples"))
    return [row.split("\t")[0] for row in out.splitlines()]


class Completions(unittest.TestCase):
    def test_bash(self):
        self.assertEqual([name for name in bash("loopscope-cli", "") if not name.startswith("-")], commands())
        self.assertEqual(bash("loopscope-cli", "roo"), ["roofline"])
        for command in commands():
            self.assertEqual(sorted(bash("loopscope-cli", command, "-")), sorted(options(run(CLI, command, "--help"))), command)
        self.assertEqual(bash("loopscope-cli", "print", "--style", ""), ["0.20", "2023", "2026"])
        self.assertEqual(bash("loopscope-cli", "print", "--style", "=", "202"), ["2023", "2026"])
        self.assertEqual(bash("loopscope-cli", "apply", "--steps", "mm_relu_s"), ["mm_relu_steps.py"])
        self.assertEqual(bash("loopscope-cli", "apply", "mm_relu."), ["mm_relu.py"])
        self.assertEqual(bash("loopscope-cli", "apply", "--upto", ""), [])
        self.assertEqual(bash("loopscope-cli", "apply", "--trace", "j"), ["json"])
        self.assertEqual(bash("loopscope-cli", "lesson", "")[:3], ["check", "run", "list"])
        self.assertIn("reverse_compute_at", bash("loopscope-cli", "explain", "rev"))
        self.assertEqual(bash("loopscope-cli", "simplify", ""), [])
        self.assertEqual(bash("loopscope-draw", "--sc"), ["--scale"])
        self.assertEqual(bash("loopscope-draw", "-s", "mm_relu_s"), ["mm_relu_steps.py"])
        self.assertIn("--version", bash("loopscope", "--v"))
        self.assertEqual(bash("loopscope", "mm_relu."), ["mm_relu.py"])

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_fish(self):
        self.assertEqual([name for name in fish("loopscope-cli ") if name in commands()], sorted(commands()))
        self.assertEqual(fish("loopscope-cli print --style 20"), ["2023", "2026"])
        for command in commands():
            wanted = {name for name in options(run(CLI, command, "--help")) if name.startswith("--")}
            self.assertLessEqual(wanted, set(fish(f"loopscope-cli {command} --")), command)
        self.assertIn("mm_relu_steps.py", fish("loopscope-cli apply --steps mm_relu_s"))

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh(self):
        for name in ("loopscope", "loopscope-cli", "loopscope-draw", "loopscope-measure"):
            path = os.path.join(BUILD, "data/completions", "_" + name)
            run("zsh", "-n", path)
            # The specifications are read by _arguments itself, outside of an editor line as far as it goes: a wrong one is said.
            specs = subprocess.run(["zsh", "-f", "-c", f'autoload -Uz compinit; compinit -D -u; _arguments() {{ print -rl -- "$@" }}; _describe() {{ print -rl -- ${{(P)2}} }}; words=(print x); state=command; source "{path}"'],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENV, check=False)
            self.assertEqual(specs.stderr, "")
            if name == "loopscope-cli":
                self.assertEqual(re.findall(r"^([a-z-]+):", specs.stdout, re.M), commands())


tap.main()
