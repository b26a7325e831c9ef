"""The reference of libloopscope is made without a warning, and knows everything."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TOP = os.environ["LS_SOURCE_ROOT"]
sys.path.insert(0, os.path.join(TOP, "tests", "python"))
import tap  # noqa: E402

GIR = os.path.join(os.environ["LS_BUILD_ROOT"], "app", "library", "Loopscope-0.gir")


def version():
    with open(os.path.join(TOP, "meson.build"), encoding="utf-8") as file:
        return re.search(r"version: '([^']+)'", file.read()).group(1)


class Reference(unittest.TestCase):
    @unittest.skipUnless(os.path.exists(GIR) and shutil.which("gi-docgen"), "built without introspection, or gi-docgen is not installed")
    def test_reference_is_made_without_a_warning(self):
        with open(os.path.join(TOP, "app/library/reference.toml.in"), encoding="utf-8") as file:
            config = file.read().replace("@version@", version())
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "reference.toml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(config)
            done = subprocess.run(["gi-docgen", "generate", "--quiet", "--no-namespace-dir", "--config", path, "--output-dir", os.path.join(folder, "out"), GIR],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            self.assertEqual((done.returncode, done.stdout.strip()), (0, ""))
            self.assertTrue(os.path.exists(os.path.join(folder, "out", "class.Workbench.html")))
            done = subprocess.run(["gi-docgen", "check", "--quiet", "--config", path, GIR], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            self.assertEqual((done.returncode, done.stdout.strip()), (0, ""))


tap.main()
