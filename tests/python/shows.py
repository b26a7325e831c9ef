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

    def test_a_schedule_and_its_names(self):
        import tvm
        from tvm import te, tir
        from tvm.script import from_source

        def schedule(name):
            a = te.placeholder((8, 8), name=name)
            b = te.compute((8, 8), lambda i, j: a[i, j] + 1.0, name="B")
            sch = tir.Schedule(te.create_prim_func([a, b]))
            sch.cache_read(sch.get_block("B"), 0, "local")
            sch.fuse(*sch.get_loops(sch.get_block(name + "_local")))
            return sch

        self.assertNotIn("program", shows.describe(schedule("A")))
        sch = schedule("R")
        view = shows.describe(sch)
        self.assertNotIn("loopscope", view["base"])
        again = tir.Schedule(from_source(view["program"]))
        space = {"tir": tir}
        exec(view["trace"], space)
        space["apply_trace"](again)
        tvm.ir.assert_structural_equal(again.mod, sch.mod)

    def test_a_module_with_kernels_is_their_source(self):
        import tvm
        from tvm import te, tir

        a = te.placeholder((8,), name="A")
        sch = tir.Schedule(te.create_prim_func([a, te.compute((8,), lambda i: a[i] + 1.0, name="B")]))
        plain = tvm.build(sch.mod, target="llvm")
        sch.bind(sch.get_loops(sch.get_block("B"))[0], "threadIdx.x")
        for target, text in (("cuda", "__global__ void"), ("opencl", "__kernel void"), ("rocm", "__global__ void")):
            with contextlib.redirect_stderr(io.StringIO()) as said:
                built = tvm.build(sch.mod, target=target)
                view = shows.describe(built)
            self.assertNotIn("is shown as text", said.getvalue())
            self.assertEqual((view["kind"], view["title"], view["language"]), ("code", "Code", "c"))
            self.assertIn(text, view["text"])
        self.assertEqual(shows.describe(plain)["language"], "asm")


if __name__ == "__main__":
    tap.main()
