#!/usr/bin/python3
"""tests/tools/tvm-tests on a checkout of our own making: what passes, fails, is skipped, crashes, hangs or cannot be read is counted as that.

    tvm_tests.py SOURCE_ROOT
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = sys.argv.pop(1)
sys.path.insert(0, os.path.join(ROOT, "tests", "python"))
import tap  # noqa: E402

TOOL = os.path.join(ROOT, "tests", "tools", "tvm-tests")
FILES = {
    "tests/python/arith/test_good.py": """
import pytest, tvm

@pytest.mark.parametrize("n", range(3))
def test_many(n):
    assert tvm.ANSWER == 42

def test_wrong():
    assert tvm.ANSWER == 43

@pytest.mark.skip(reason="no device")
def test_skipped():
    assert False

@pytest.mark.xfail(reason="known")
def test_expected():
    assert False

class TestClass:
    def test_raises(self):
        raise ValueError("shape (3, 4) at 0x7f0011223344")

    def test_raises_again(self):
        raise ValueError("shape (5, 6) at 0x7f0011223355")
""",
    "tests/python/arith/test_stops.py": """
import os, time, pytest

def test_first():
    pass

def test_crashes():
    os.abort()

def test_between():
    pass

def test_hangs():
    time.sleep(600)

@pytest.fixture
def leaves():
    yield 1
    raise RuntimeError("not cleaned up")

def test_torn_down(leaves):
    pass

def test_last():
    pass
""",
    "tests/python/relax/test_unreadable.py": "import tvm.no_such_part\n\ndef test_one():\n    pass\n",
    "tests/python/relax/helper.py": "raise SystemError('no test')\n",
    "tests/python/tir/conftest.py": "import pytest\n\n@pytest.fixture\ndef four():\n    return 4\n",
    "tests/python/tir/test_fixture.py": "def test_four(four):\n    assert four == 4\n",
    "module/tvm/__init__.py": "ANSWER = 42\n",
    "better/tvm/__init__.py": "ANSWER = 43\n",
    "better/tvm/no_such_part.py": "",
}


def has_pytest():
    return subprocess.run(["/usr/bin/python3", "-c", "import pytest"], check=False, stderr=subprocess.DEVNULL).returncode == 0


@unittest.skipUnless(has_pytest(), "python3-pytest is not installed")
class Shares(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="tvm-tests-own-")
        for name, text in FILES.items():
            path = os.path.join(cls.folder.name, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        cls.record = os.path.join(cls.folder.name, "record.json")
        cls.all = cls.tool("--record", cls.record, "--seconds", "6")
        with open(cls.record, encoding="utf-8") as file:
            cls.results = json.load(file)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def tool(cls, *more, module="module"):
        """What it printed, and its status."""
        done = subprocess.run([TOOL, cls.folder.name, "--module", os.path.join(cls.folder.name, module), *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, check=False, timeout=300)
        return done.stdout + done.stderr, done.returncode

    @staticmethod
    def row(text, folder):
        return next((line.split()[1:] for line in text.splitlines() if line.split()[:1] == [folder]), None)

    def test_shares(self):
        text, status = self.all
        self.assertEqual(status, 1)
        self.assertEqual(self.row(text, "arith"), ["6", "6", "1", "1", "0.5000"], text)
        self.assertEqual(self.row(text, "relax"), ["0", "1", "0", "0", "0.0000"], text)
        self.assertEqual(self.row(text, "tir"), ["1", "0", "0", "0", "1.0000"], text)
        self.assertEqual(self.row(text, "all"), ["7", "7", "1", "1", "0.5000"], text)

    def test_causes(self):
        text, _ = self.all
        self.assertRegex(text, r"\n +2 x ValueError: shape \(3, 4\) at 0x…\n")
        self.assertIn("No module named 'tvm.no_such_part'", text)

    def test_a_crash_and_a_hang_lose_nobody_else(self):
        results = {name.split("::", 1)[1]: one for name, one in self.results.items() if name.startswith("arith/test_stops.py::")}
        self.assertEqual({name: one["outcome"] for name, one in results.items()},
                         {"test_first": "passed", "test_crashes": "failed", "test_between": "passed", "test_hangs": "failed", "test_torn_down": "failed", "test_last": "passed"})
        self.assertEqual(results["test_crashes"]["why"], "ended by SIGABRT")
        self.assertEqual(results["test_hangs"]["why"], "not through after 6 s")
        self.assertIn("not cleaned up", results["test_torn_down"]["why"])

    def test_among_what_passes_elsewhere(self):
        record = os.path.join(self.folder.name, "better.json")
        text, _ = self.tool("arith/test_good.py", "relax", "--record", record, module="better")
        self.assertEqual(self.row(text, "all"), ["2", "5", "1", "1", "0.2857"], text)
        text, status = self.tool("--among", record, "arith/test_good.py", "relax")
        self.assertEqual(status, 1)
        self.assertEqual(self.row(text, "arith"), ["0", "1", "0", "0", "0.0000"], text)
        self.assertEqual(self.row(text, "relax"), ["0", "1", "0", "0", "0.0000"], text)

    def test_all_good(self):
        text, status = self.tool("tir")
        self.assertEqual((self.row(text, "all"), status), (["1", "0", "0", "0", "1.0000"], 0), text)

    def test_what_it_cannot_do_is_said(self):
        for words, said in ((["nowhere"], "no such file or folder"), (["relax/helper.py", "--module", self.folder.name], "no module tvm"), (["--python", "/bin/false"], "no pytest")):
            text, status = self.tool(*words)
            self.assertEqual(status, 1)
            self.assertIn(said, text)


if __name__ == "__main__":
    tap.main()
