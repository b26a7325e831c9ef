"""Targets as they are asked: features of RISC-V and of microcontrollers, functions by target, devices by name."""
import unittest

import tap
import tvm
from tvm.error import InternalError
from tvm.script import tir as T
from tvm.target import Target, _ffi_api, codegen
from tvm.topi.arm_cpu.conv2d_int8 import is_int8_hw_support


def riscv(cpu, *features):
    return Target(f"llvm -device=riscv_cpu -mtriple=riscv{cpu[-2:] if cpu.startswith('generic') else 64}-linux-gnu -mcpu={cpu}"
                  + (f" -mattr={','.join(features)}" if features else ""))


class Features(unittest.TestCase):
    def test_width_of_riscv_registers(self):
        widths = {("generic-rv64", "+m"): 128, ("generic-rv64", "+v"): 128, ("generic-rv32", "+v", "+zvl64b"): 128,
                  ("generic-rv64", "+v", "+zvl1024b"): 1024, ("sifive-x280",): 512, ("sifive-p670",): 128, ("spacemit-x60",): 256}
        for words, width in widths.items():
            with self.subTest(target=words):
                self.assertEqual(codegen.llvm_get_vector_width(riscv(*words)), width)

    def test_what_riscv_features_bring(self):
        self.assertTrue(codegen.target_has_features(["zve32x", "zvl128b", "f", "64bit"], riscv("generic-rv64", "+v")))
        self.assertFalse(codegen.target_has_features("64bit", riscv("generic-rv32", "+v")))
        self.assertTrue(codegen.target_has_features("zvl256b", riscv("sifive-x280")))
        self.assertFalse(codegen.target_has_features("zve64d", riscv("sifive-x280", "-zve32f")), "what is taken away takes all that needs it")
        self.assertIn("veyron-v1", codegen.llvm_get_cpu_archlist(riscv("generic-rv64")))

    def test_microcontrollers(self):
        known = {"cortex-m55": (True, True), "cortex-m33": (True, False), "cortex-m0": (False, False)}
        for kind in ("c", "llvm"):
            for cpu, (dsp, mve) in known.items():
                target = Target(f"{kind} -mcpu={cpu}")
                self.assertEqual((target.keys, bool(target.features.has_dsp), bool(target.features.has_mve)), (["arm_cpu", "cpu"], dsp, mve))
        bare = Target("llvm -mcpu=cortex-m85 -mattr=+nomve").features
        self.assertEqual((bare.has_dsp, bare.has_mve), (True, False))

    def test_products_of_bytes(self):
        with Target("llvm -mtriple=aarch64-linux-gnu"):
            self.assertTrue(is_int8_hw_support("int8", "int8"))
            self.assertFalse(is_int8_hw_support("int8", "int16"))
        with Target("llvm -mtriple=arm-linux-gnueabi"):
            self.assertFalse(is_int8_hw_support("uint8", "uint8"))
        with Target("llvm -mtriple=arm-linux-gnueabi -mattr=+neon"):
            self.assertTrue(is_int8_hw_support("uint8", "uint8"))
        with Target("c -mcpu=cortex-m55"):
            self.assertFalse(is_int8_hw_support("int8", "int8"))

    def test_no_target_is_said(self):
        for ask in (codegen.target_has_features, _ffi_api.target_has_feature):
            with self.assertRaisesRegex(InternalError, "InternalError: Check failed: .*Target context required"):
                ask("avx2")


class Attributes(unittest.TestCase):
    """The target that a script says is the one that a Target gives to a function."""

    def test_of_each_kind(self):
        for kind in ("llvm", "c", "cuda", "nvptx", "rocm", "opencl", "metal", "vulkan", "webgpu"):
            @T.prim_func(private=True)
            def said():
                T.func_attr({"target": T.target(kind)})
                T.evaluate(0)

            @T.prim_func(private=True)
            def bound():
                T.evaluate(0)

            with self.subTest(kind=kind):
                after = tvm.tir.transform.BindTarget(Target(kind))(tvm.IRModule({"main": bound}))["main"]
                tvm.ir.assert_structural_equal(after, said)
                self.assertEqual(str(said.attrs["target"]), str(Target(kind)), "read back, it is said as briefly as it was made")

    def test_with_a_host_that_is_a_target(self):
        host = Target("llvm -opt-level=2")

        @T.prim_func
        def said():
            T.func_attr({"global_symbol": "said", "target": T.target("cuda", host=host)})
            T.evaluate(0)

        @T.prim_func
        def bound():
            T.func_attr({"global_symbol": "said", "target": T.target("cuda -max_num_threads=512")})
            T.evaluate(0)

        self.assertEqual(str(said.attrs["target"].host), str(host))
        after = tvm.tir.transform.BindTarget(Target("metal", host=host))(tvm.IRModule({"said": bound}))["said"].attrs["target"]
        self.assertEqual((str(after), str(after.host)), ("cuda -keys=cuda,gpu -max_num_threads=512", str(host)))
        packed = tvm.tir.transform.MakePackedAPI()(tvm.IRModule({"said": said}))["said"]
        self.assertEqual(str(packed.attrs["target"]), str(host))


class Functions(unittest.TestCase):
    def test_the_one_of_the_current_target(self):
        @tvm.target.generic_func
        def where(offset):
            return "anywhere", offset

        where.register("gpu", lambda offset: ("on a GPU", offset))
        where.register(["cpu"], lambda offset: ("on a CPU", offset))
        self.assertEqual(where(1), ("anywhere", 1))
        for target, answer in (("metal", "on a GPU"), ("llvm", "on a CPU")):
            with Target(target):
                self.assertEqual(where(offset=2), (answer, 2))
                self.assertEqual(where.get_packed_func()(3), (answer, 3))

    def test_named_ones_are_one_function(self):
        @tvm.target.override_native_generic_func("loopscope.test.where")
        def where():
            return "anywhere"

        named = tvm.target.get_native_generic_func("loopscope.test.where")
        named.register(lambda: "there", "cuda")
        with Target("cuda"):
            self.assertEqual((where(), named()), ("there", "there"))
            with self.assertRaises(ValueError):
                named.register(lambda: "elsewhere", "cuda")
            named.register(lambda: "elsewhere", "cuda", allow_override=True)
            self.assertEqual(where(), "elsewhere")


class Devices(unittest.TestCase):
    def test_names_and_numbers(self):
        self.assertEqual(tvm.device(dev_type="cuda:3"), tvm.cuda(3))
        self.assertEqual(tvm.device("metal", dev_id=2), tvm.metal(2))
        self.assertEqual(tvm.device(tvm.runtime.Device.kDLCUDA, 1), tvm.cuda(1))

    def test_what_is_no_number(self):
        for kind, number in (("cpu:", None), ("cpu:x", None), ("cpu:0:0", None), (2, "x"), ("abacus", 0)):
            with self.assertRaises(ValueError):
                tvm.device(kind, number)

    def test_tags_of_hexagons(self):
        self.assertEqual(Target("qcom/hexagon-v68").mattr, ["+hvxv68", "+hvx-length128b"])


if __name__ == "__main__":
    tap.main()
