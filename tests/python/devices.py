"""Virtual devices: their names in scripts, one in the place of another, and what follows from a few of them."""
import unittest

import tap
import tvm
from tvm import relax
from tvm.ir import VDevice
from tvm.script import ir as I, relax as R


def devices(mod, name="main"):
    """Variable -> index of its device in the module's list."""
    known = list(mod.global_infos["vdevice"])
    found = {}
    for var in [*mod[name].params, *(b.var for block in mod[name].body.blocks for b in block.bindings)]:
        device = var.struct_info.vdevice
        found[var.name_hint] = None if device is None else next(i for i, d in enumerate(known) if tvm.ir.structural_equal(d, device))
    return found


class Names(unittest.TestCase):
    def test_kinds_are_counted(self):
        @I.ir_module
        class Module:
            I.module_global_infos({"vdevice": [I.vdevice("llvm"), I.vdevice("cuda", 0), I.vdevice("metal", 0, "global"), I.vdevice("cuda -arch=sm_80", 0)]})

            @R.function
            def main(a: R.Tensor((4,), "float32", "cuda:1"), b: R.Tensor((4,), "float32", "vdevice:3"), c: R.Tensor((4,), "float32", "metal")):
                d = R.add(a, b)
                e = R.to_vdevice(c, "llvm")
                return (d, e)

        self.assertEqual(devices(Module), {"a": 3, "b": 3, "c": 2, "d": 3, "e": 0})
        text = Module.script()
        self.assertIn('b: R.Tensor((4,), dtype="float32", vdevice="cuda:1")', text)
        self.assertIn('I.vdevice("metal", 0, "global")', text)
        tvm.ir.assert_structural_equal(tvm.script.from_source(text), Module)

    def test_python_knows_the_same(self):
        @I.ir_module
        class Module:
            I.module_global_infos({"vdevice": [I.vdevice("cuda")]})

            @R.function
            def main(a: R.Tensor((4,), "float32", "cuda")):
                return a

        self.assertTrue(tvm.ir.structural_equal(Module["main"].params[0].struct_info.vdevice, VDevice("cuda", 0, "global")))


class Passes(unittest.TestCase):
    def test_another_device(self):
        @I.ir_module
        class Before:
            I.module_attrs({"attr": 10})
            I.module_global_infos({"vdevice": [I.vdevice("llvm"), I.vdevice("cuda")]})

            @R.function
            def main(a: R.Tensor((4,), "float32", "cuda"), b: R.Tensor((4,), "float32", "llvm")) -> R.Tensor((4,), "float32"):
                s = R.add(a, a)
                return s

        @I.ir_module
        class Expected:
            I.module_attrs({"attr": 10})
            I.module_global_infos({"vdevice": [I.vdevice("llvm"), I.vdevice("metal", 1)]})

            @R.function
            def main(a: R.Tensor((4,), "float32", "metal"), b: R.Tensor((4,), "float32", "llvm")) -> R.Tensor((4,), "float32", "metal"):
                s: R.Tensor((4,), "float32", "metal") = R.add(a, a)
                return s

        tvm.ir.assert_structural_equal(relax.transform.UpdateVDevice(VDevice("metal", 1), 1)(Before), Expected)
        with self.assertRaises(ValueError):
            relax.transform.UpdateVDevice(VDevice("metal"), 2)(Before)

    def test_devices_flow(self):
        @I.ir_module
        class Before:
            I.module_global_infos({"vdevice": [I.vdevice("llvm"), I.vdevice("cuda")]})

            @R.function
            def main(x: R.Tensor((2,), "float32"), y: R.Tensor((2,), "float32"), z: R.Tensor((2,), "float32"), w: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32", "cuda"):
                with R.dataflow():
                    x1 = x
                    a: R.Tensor((2,), "float32", "llvm") = R.add(x1, y)
                    b = R.to_vdevice(a, "cuda")
                    c = R.add(z, z)
                    d = R.exp(w)
                    gv = R.multiply(b, c)
                    R.output(gv)
                return gv

        copy = tvm.script.from_source(Before.script())
        after = relax.transform.RealizeVDevice()(Before)
        self.assertEqual(devices(after), {"x": 0, "y": 0, "z": 1, "w": None, "x1": 0, "a": 0, "b": 1, "c": 1, "d": None, "gv": 1})
        tvm.ir.assert_structural_equal(Before, copy)
        self.assertTrue(relax.analysis.well_formed(after))

    def test_hints(self):
        """A hint is the operand where that has no other device, and a copy where it has."""
        @I.ir_module
        class Before:
            I.module_global_infos({"vdevice": [I.vdevice("llvm"), I.vdevice("cuda", 0), I.vdevice("metal", 0, "global")]})

            @R.function
            def main(p: R.Tensor((2,), "float32"), q: R.Tensor((2,), "float32"), r: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
                with R.dataflow():
                    a = R.hint_on_device(p, tvm.cpu())
                    b = R.subtract(a, q)
                    c = R.hint_on_device(b, tvm.cuda())
                    d = R.hint_on_device(r, tvm.cuda())
                    e = R.multiply(c, d)
                    R.output(e)
                return e

        after = relax.transform.RealizeVDevice()(Before)
        self.assertEqual(devices(after), {"p": 0, "q": 0, "r": 1, "a": 0, "b": 0, "c": 1, "d": 1, "e": 1})
        values = {b.var.name_hint: b.value for b in after["main"].body.blocks[0].bindings}
        p, _, r = after["main"].params
        self.assertTrue(values["a"].same_as(p) and values["d"].same_as(r))
        self.assertEqual(values["c"].op.name, "relax.to_vdevice")
        tvm.ir.assert_structural_equal(after["main"].ret_struct_info.vdevice, after.global_infos["vdevice"][1])


class Kernels(unittest.TestCase):
    def test_each_device_has_its_own(self):
        """An operator becomes a kernel for each target that operands name, beside the one for the target at hand."""
        @I.ir_module
        class Before:
            I.module_global_infos({"vdevice": [I.vdevice("llvm"), I.vdevice("cuda", 0)]})

            @R.function
            def plain(a: R.Tensor((4,), "float32")):
                b = R.exp(R.add(a, a))
                return b

            @R.function
            def there(a: R.Tensor((4,), "float32", "llvm")):
                b = R.add(a, a)
                c = R.negative(b)
                return c

        with tvm.target.Target("cuda"):
            after = relax.transform.LegalizeOps()(Before)
        kernels = {var.name_hint: func.attrs.get("target") for var, func in after.functions.items() if isinstance(func, tvm.tir.PrimFunc)}
        self.assertEqual({name: None if target is None else target.kind.name for name, target in kernels.items()},
                         {"add": None, "tir_exp": None, "add_llvm": "llvm", "tir_negative_llvm": "llvm"})
        self.assertEqual([b.value.args[0].name_hint for b in after["there"].body.blocks[0].bindings], ["add_llvm", "tir_negative_llvm"])
        self.assertTrue(relax.analysis.well_formed(after))


if __name__ == "__main__":
    tap.main()
