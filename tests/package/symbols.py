"""What libloopscope shows: only loopscope_*, all of it declared in the public headers and told of there."""
import glob
import os
import re
import shutil
import subprocess
import sys
import unittest
import xml.etree.ElementTree as ElementTree

TOP = os.environ["LS_SOURCE_ROOT"]
BUILD = os.environ["LS_BUILD_ROOT"]
sys.path.insert(0, os.path.join(TOP, "tests", "python"))
import tap  # noqa: E402

FOLDER = os.path.join(BUILD, "app", "library")
GIR = os.path.join(FOLDER, "Loopscope-0.gir")
CORE = "{http://www.gtk.org/introspection/core/1.0}"


def version():
    with open(os.path.join(TOP, "meson.build"), encoding="utf-8") as file:
        return re.search(r"version: '([^']+)'", file.read()).group(1)


def symbols():
    library = os.path.join(FOLDER, "libloopscope.so." + version())
    out = subprocess.run(["nm", "-D", "--defined-only", library], check=True, stdout=subprocess.PIPE, text=True).stdout
    return {line.split()[-1].split("@")[0] for line in out.splitlines()} - {"LOOPSCOPE_0"}


def headers():
    text = ""
    for path in sorted(glob.glob(os.path.join(TOP, "app/library/loopscope/*.h")) + glob.glob(os.path.join(FOLDER, "loopscope/*.h"))):
        with open(path, encoding="utf-8") as file:
            text += file.read()
    return text


class Symbols(unittest.TestCase):
    @unittest.skipUnless(shutil.which("nm"), "nm is not installed")
    def test_only_public_ones(self):
        declared = set(re.findall(r"\b(loopscope_\w+) \(", re.sub(r"/\*.*?\*/", "", headers(), flags=re.S)))
        types = {name for name in re.findall(r"G_DECLARE_FINAL_TYPE \(\w+, (loopscope_\w+),", headers())}
        declared |= {name + "_get_type" for name in types}
        self.assertEqual({name for name in symbols() if not name.startswith("loopscope_")}, set())
        self.assertEqual(symbols(), declared)

    def test_soname(self):
        out = subprocess.run(["readelf", "-d", os.path.join(FOLDER, "libloopscope.so." + version())], check=True, stdout=subprocess.PIPE, text=True).stdout
        self.assertIn(f"[libloopscope.so.{version().split('.')[0]}]", out)
        self.assertNotIn("LLVM", out)

    @unittest.skipUnless(os.path.exists(GIR), "built without introspection")
    def test_everything_is_told_of(self):
        namespace = ElementTree.parse(GIR).getroot().find(CORE + "namespace")
        self.assertGreater(len(namespace.findall(CORE + "class")), 3)
        for kind in ("class", "enumeration", "function", "constant"):
            for node in namespace.findall(CORE + kind):
                self.assertIsNotNone(node.find(CORE + "doc"), node.get("name"))
        for klass in namespace.findall(CORE + "class"):
            for kind in ("method", "constructor", "property", CORE + "signal"):
                for node in klass.findall(kind if kind.startswith("{") else CORE + kind):
                    self.assertIsNotNone(node.find(CORE + "doc"), f"{klass.get('name')}.{node.get('name')}")
                    for parameter in node.findall(f"{CORE}parameters/{CORE}parameter"):
                        self.assertIsNotNone(parameter.find(CORE + "doc"), f"{klass.get('name')}.{node.get('name')}: {parameter.get('name')}")


tap.main()
