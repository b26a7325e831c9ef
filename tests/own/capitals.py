"""One capitalisation: buttons, entries of menus, titles and headings have a capital where a sentence has one (the first word, and names).

Keys, pages of the window and what others have named are names.  A page or a window is named in the midst of a sentence only by a word of NAMES."""
import ast
import glob
import os
import re
import sys
import xml.etree.ElementTree as ElementTree

TOP = os.environ.get("LS_SOURCE_ROOT") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
CALL = re.compile(r'(?<![\w])(?:_|N_|C_|ngettext|LS_TEXT) ?\(((?:"(?:[^"\\]|\\.)*"|[\s,])+)')
PARTS = re.compile(r'"(?:[^"\\]|\\.)*"')
MARK = re.compile(r"%(?:\d+\$)?[-+0#' ]*[\d.*]*(?:<PRI\w+>|l*[a-zA-Z%])")
WORD = re.compile(r"[^\W\d_][\w’'-]*")
# After one of these a sentence begins, or the second part of a heading; § is a value, which may be a sentence.
BEGIN = re.compile(r"[.?!:“”\"(\n·✗✓→§]\s*$")
NAMES = set("""
    TVMScript TVM's TensorIR Relax Python Python's NumPy PyTorch Torch Triton Loopscope Loopscope's Debian Chinese Korean English Markdown Git Linux Chromium Redis
    PrimFunc PrimFuncs DataflowBlock LegalizeOps FuseOps FuseTIR MetaSchedule Schedule XGBoost OpenBLAS Vulkan NVIDIA NVIDIA's Valgrind
    NaN None True False Mflop Gflop IRModule MiB GiB KiB ModelLibrary Perfetto Slurm
    Pause Reveal Cancel Open Target Tools
    Explore Compare Graph Why Tune Debug Passes Readings Threads Moves Run Lessons Memory Preferences Help Export History Machines
    Space Enter Return Escape Esc Tab Home End Left Right Up Down Page Ctrl Shift Alt Delete Menu Backspace
""".split())


def ui_texts(path):
    for node in ElementTree.parse(path).iter():
        if node.get("translatable") in ("yes", "true", "1") and node.text:
            yield node.text


def c_texts(path):
    with open(path, encoding="utf-8") as file:
        for found in CALL.finditer(file.read()):
            for one in re.split(r",", re.sub(PARTS, lambda part: part[0].replace(",", "\0"), found[1])):
                text = "".join(ast.literal_eval(part.replace("\0", ",")) for part in PARTS.findall(one))
                if text:
                    yield text


def headings(path):
    """Of a page of help or a lesson, without those in its cells."""
    with open(path, encoding="utf-8") as file:
        prose = re.sub(r"^```.*?^```", "", file.read(), flags=re.M | re.S)
    return re.findall(r"^#+ +(.+)", prose, re.M)


def capital(text):
    """A word that has a capital within a sentence and is no name, or None.  One letter, and a word with a second capital, is a name."""
    text = re.sub(r"`[^`]*`|“[^”]*”", "x", MARK.sub("§", text.replace("_", "")))
    for found in WORD.finditer(text):
        word, before = found[0], text[:found.start()]
        if not before.strip(" ([“‘") or BEGIN.search(before) or not word[0].isupper() or len(word) == 1 or re.search("[A-Z0-9]", word[1:]):
            continue
        if word not in NAMES and not re.search(r"[\w.]\.$|[-+/+]$", before):
            return word
    return None


def report(number, what, found):
    print("".join(f"# {line}\n" for line in found) + f"{'not ok' if found else 'ok'} {number} - {what}")
    return bool(found)


def main():
    ui, c, pages = {}, {}, {}
    for folder in ("app", "views"):
        for path in sorted(glob.glob(os.path.join(TOP, folder, "**", "*.ui"), recursive=True)):
            ui[os.path.relpath(path, TOP)] = list(ui_texts(path))
        for path in sorted(glob.glob(os.path.join(TOP, folder, "**", "*.c"), recursive=True)):
            if os.path.relpath(path, TOP).split(os.sep)[1] != "cli":
                c[os.path.relpath(path, TOP)] = list(c_texts(path))
    for path in sorted(glob.glob(os.path.join(TOP, "data", "help", "en", "*.md")) + glob.glob(os.path.join(TOP, "lessons", "*.en.md"))):
        pages[os.path.relpath(path, TOP)] = headings(path)

    def wrong(files):
        return [f"{name}: {text[:100]!r} has {capital(text)!r}" for name, texts in files.items() for text in texts if capital(text)]

    found = [capital(text) is not None for text in ("Save As…", "Fold _All", "Two Programs in Step", "a graph Binding by binding", "Where it is. And Why not Here",
                                                    "Save as…", "Trace as Python…", "Moves. Nothing here", "%s It is so", "within L%u", "About Loopscope", "Next match (Ctrl+G)", "%s: No answer")]
    bad = [report(1, "in files of the window", wrong(ui)), report(2, "in texts of the window", wrong(c)),
           report(3, "in headings of the help and the lessons", wrong(pages)),
           report(4, "wrong ones are found, right ones are not", [] if found == [True] * 5 + [False] * 8 else [str(found)]),
           report(5, "there is something to read", [] if sum(map(len, ui.values())) > 150 and sum(map(len, c.values())) > 1500
                  and sum(map(len, pages.values())) > 100 else [f"{sum(map(len, texts.values()))} texts" for texts in (ui, c, pages)])]
    print("1..5")
    return any(bad)


sys.exit(main())
