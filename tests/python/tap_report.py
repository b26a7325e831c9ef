"""What tap.py says of cases: one line each, also where only parts of a case fail."""
import os
import subprocess
import sys
import tempfile
import unittest

import tap

PROGRAM = '''
import unittest
import tap

class Parts(unittest.TestCase):
    def test_good(self):
        for i in range(3):
            with self.subTest(i=i):
                self.assertLess(i, 3)

    def test_some(self):
        for i in range(4):
            with self.subTest(i=i):
                self.assertNotEqual(i % 2, 1)

    def test_some_and_the_rest(self):
        with self.subTest(i="first"):
            self.fail("first part")
        self.fail("behind the parts")

    def test_skipped(self):
        self.skipTest("not here")

tap.main()
'''


class Report(unittest.TestCase):
    def test_parts(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "program.py")
            with open(path, "w") as f:
                f.write(PROGRAM)
            done = subprocess.run([sys.executable, path], env={**os.environ, "PYTHONPATH": os.path.dirname(os.path.abspath(tap.__file__))},
                                  capture_output=True, text=True, timeout=60)
        lines = done.stdout.splitlines()
        said = [line for line in lines if not line.startswith("#")]
        self.assertEqual(done.returncode, 1)
        self.assertEqual(said, ["1..4", "ok 1 - Parts.test_good", "ok 2 - Parts.test_skipped # SKIP not here", "not ok 3 - Parts.test_some: (i=1), (i=3)",
                                "not ok 4 - Parts.test_some_and_the_rest"])
        for part in ("# not ok - Parts.test_some (i=1)", "# not ok - Parts.test_some (i=3)", "# not ok - Parts.test_some_and_the_rest (i='first')"):
            self.assertIn(part, lines)
        self.assertTrue(any("AssertionError: 1 == 1" in line for line in lines))


if __name__ == "__main__":
    tap.main()
