"""The kernel's display () outside of a kernel, as when a chapter's cells are run as a script: it prints, as IPython's does."""
import contextlib
import io
import os
import sys
import unittest

import tap

sys.path.insert(0, os.path.join(os.environ["LS_SOURCE_ROOT"], "app", "kernel"))
from loopscope_kernel import shows  # noqa: E402


class Shows(unittest.TestCase):
    def test_alone(self):
        with contextlib.redirect_stdout(io.StringIO()) as said:
            shows.display("a", 3)
            shows.put({"kind": "text", "text": "b"})
        self.assertEqual(said.getvalue(), "a\n3\n")

    def test_kernel(self):
        views = []
        shows.install(views.append)
        self.addCleanup(shows.install, None)
        shows.put({"kind": "text"})
        shows.display("a")
        self.assertEqual(views[0], {"kind": "text"})
        self.assertEqual(len(views), 2)
        self.assertIn("a", str(views[1]))


if __name__ == "__main__":
    tap.main()
