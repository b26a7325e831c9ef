"""What a notebook shows: programs and schedules as HTML that is text and nothing else."""
import html
import re
import unittest

import tvm
from tvm import te
import tap


def plain(text):
    """The HTML without its tags, as a reader sees it."""
    return html.unescape(re.sub(r"<[^>]*>", "", text))


class Rich(unittest.TestCase):
    """IRModule, PrimFunc, Schedule."""

    def setUp(self):
        a = te.placeholder((8, 8), name="A")
        self.func = te.create_prim_func([a, te.compute((8, 8), lambda i, j: a[i, j] * 2.0, name="B")])
        self.sch = tvm.tir.Schedule(self.func)
        i, j = self.sch.get_loops(self.sch.get_block("B"))
        self.sch.split(j, [2, 4])
        self.sch.parallel(i)

    def test_module(self):
        """Whole, escaped, with looks."""
        for shown in (self.func, self.sch.mod):
            self.assertEqual(plain(shown._repr_html_()), shown.script())
            self.assertIn("font-weight:bold", shown._repr_html_())

    def test_schedule(self):
        """A step for each change, with its lines."""
        text = self.sch._repr_html_()
        self.assertEqual(text.count("<details>"), 2)
        self.assertIn("sch.split", plain(text))
        self.assertIn("+         for i, j_0, j_1 in T.grid(8, 2, 4):", plain(text))

    def test_hostile(self):
        """Strings of a program stay text."""
        self.sch.annotate(self.sch.get_block("B"), "x", "</pre><script>alert(1)</script>")
        self.assertNotIn("<script", self.sch._repr_html_())
        self.assertIn("<script>alert(1)", plain(self.sch._repr_html_()))


if __name__ == "__main__":
    tap.main()
