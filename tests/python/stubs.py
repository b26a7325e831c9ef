"""Type stubs say what the package has; everything public has a text for help()."""
import inspect
import os
import subprocess
import sys
import tempfile
import unittest

import tap
import tvm
from tvm import relax

SOURCE = os.environ["LS_SOURCE_ROOT"]
STUBS = ("tvm/tir/schedule/schedule.pyi", "tvm/relax/transform/__init__.pyi", "tvm/relax/op/__init__.pyi")


class Stubs(unittest.TestCase):
    def test_up_to_date(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in STUBS:
                os.makedirs(os.path.join(folder, os.path.dirname(name)), exist_ok=True)
            package = os.path.dirname(os.path.dirname(tvm.__file__))
            subprocess.run([sys.executable, os.path.join(SOURCE, "data/scripts/make-stubs"), package, folder], check=True)
            for name in STUBS:
                with open(os.path.join(folder, name), encoding="utf-8") as made, open(os.path.join(SOURCE, "engine/python", name), encoding="utf-8") as kept:
                    self.assertEqual(made.read(), kept.read(), f"{name} is old; run data/scripts/make-stubs")


class Names(unittest.TestCase):
    def test_later_versions(self):
        from tvm import s_tir, tirx
        from tvm.script import tirx as T

        self.assertIs(tirx, tvm.tir)
        self.assertIs(s_tir.Schedule, tvm.tir.Schedule)
        self.assertTrue(callable(T.prim_func))


class Help(unittest.TestCase):
    def test_operators_have_parameters(self):
        self.assertEqual(str(inspect.signature(relax.op.nn.softmax)).split(",")[0], "(data: 'Expr'")
        self.assertEqual(inspect.signature(relax.op.matmul).parameters["out_dtype"].default, "void")

    def test_texts(self):
        lacking = []
        for module in (tvm, tvm.tir, tvm.te, tvm.topi, tvm.arith, relax, relax.transform, relax.op):
            for name in dir(module):
                if name.startswith("_") or module is tvm and name in tvm._LAZY:
                    continue
                member = getattr(module, name)
                if not callable(member) or not getattr(member, "__module__", "").startswith("tvm"):
                    continue
                if not inspect.getdoc(member):
                    lacking.append(f"{module.__name__}.{name}")
        self.assertEqual(lacking, [])


if __name__ == "__main__":
    tap.main()
