"""What compiled modules are: machine code for other machines, symbols, truth values, intrinsics of LLVM, refusals."""
import contextlib
import ctypes
import io
import os
import re
import subprocess
import tempfile
import unittest
import warnings

import numpy as np
import tap
import tvm
from tvm import te, tir, topi
from tvm.script import tir as T
from tvm.target import _ffi_api, codegen


def doubled(n, dtype="float32"):
    a = te.placeholder((n,), dtype=dtype, name="A")
    return te.create_prim_func([a, te.compute((n,), lambda i: a[i] + a[i], name="B")])


class Host(unittest.TestCase):
    """The target c: text that a C compiler makes a library of, whose entries take packed arguments."""

    def library(self, module):
        """The text of a module and the library that the compiler of the system makes of it."""
        text = tvm.build(module, target="c").get_source()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        source, library = os.path.join(folder.name, "a.c"), os.path.join(folder.name, "a.so")
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        done = subprocess.run(["cc", "-std=c11", "-Wall", "-Werror", "-Wno-main", "-shared", "-fPIC", "-o", library, source, "-lm"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return text, ctypes.CDLL(library)

    @staticmethod
    def call(function, *args):
        """What an entry returns for arrays and numbers."""
        values = (ctypes.c_int64 * max(1, len(args)))()
        handles = [getattr(arg, "handle", None) for arg in args]
        for i, (arg, handle) in enumerate(zip(args, handles)):
            if handle is not None:
                values[i] = ctypes.addressof(handle.contents)
            elif isinstance(arg, float):
                values[i] = ctypes.c_int64.from_buffer_copy(ctypes.c_double(arg)).value
            else:
                values[i] = arg
        return function(values, None, len(args), None, None, None)

    def test_a_function_called_through_its_entry(self):
        @T.prim_func
        def scaled(a: T.handle, factor: T.float32, shift: T.int32, b: T.handle):
            n = T.int32()
            A = T.match_buffer(a, (n, 4))
            B = T.match_buffer(b, (n, 4))
            for i, j in T.grid(n, 4):
                B[i, j] = A[i, j] * factor + T.Cast("float32", shift + n)

        text, library = self.library(tvm.IRModule({"scaled": scaled}))
        a, b = tvm.nd.array(np.arange(12, dtype="float32").reshape(3, 4)), tvm.nd.empty((3, 4))
        self.assertEqual(self.call(library.scaled, a, 0.5, -2, b), 0)
        np.testing.assert_array_equal(b.numpy(), a.numpy() * 0.5 + 1)
        for wrong in ((a, 0.5, -2), (a, 0.5, -2, tvm.nd.empty((2, 4))), (a, 0.5, -2, tvm.nd.empty((3, 5))), (a, 0.5, -2, tvm.nd.empty((3, 4), "int32")),
                      (a, 0.5, -2, tvm.nd.empty((12,)))):
            self.assertEqual(self.call(library.scaled, *wrong), -1)
        self.assertEqual(text.count("int32_t scaled(void* args"), 2)

    def test_a_function_for_others_and_one_for_itself(self):
        module = tvm.script.from_source("""
from tvm.script import ir as I
from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((2,), "float32")):
        T.func_attr({"global_symbol": "main"})
        Module.inner(A.data)

    @T.prim_func(private=True)
    def inner(data: T.handle("float32")):
        A = T.decl_buffer((2,), "float32", data=data)
        A[1] = T.float32(42)
""")
        text, library = self.library(module)
        self.assertEqual([text.count(part) for part in ("main(void* args", "inner(float* data", "inner(")], [2, 2, 3])
        a = tvm.nd.array(np.zeros(2, "float32"))
        self.assertEqual(self.call(library["main"], a), 0)
        np.testing.assert_array_equal(a.numpy(), [0, 42])


class Prefetching(unittest.TestCase):
    def test_a_hint_becomes_an_instruction(self):
        func = tvm.script.from_source("""
from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(64):
        T.call_intrin("int32", "tir.prefetch", T.address_of(A[T.min(i + 16, 63)]), 0, 3, 1)
        B[i] = A[i] + T.float32(1)
""")
        built = tvm.tir.build(func, target="llvm")
        self.assertIn("@llvm.prefetch", built.get_source())
        a, b = tvm.nd.array(np.arange(64, dtype="float32")), tvm.nd.empty((64,))
        built(a, b)
        np.testing.assert_array_equal(b.numpy(), a.numpy() + 1)

    def test_a_hint_that_is_none(self):
        for wrong in ("2, 3, 1", "0, 4, 1", "0, 3, 2", "0, i, 1"):
            func = tvm.script.from_source(f"""
from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32")):
    for i in range(64):
        T.call_intrin("int32", "tir.prefetch", T.address_of(A[i]), {wrong})
""")
            with self.assertRaisesRegex(tvm.TVMError, "tir.prefetch is a constant of 0 to"):
                tvm.tir.build(func, target="llvm")


class Machines(unittest.TestCase):
    def test_code_for_another_machine_is_read_not_called(self):
        built = tvm.tir.build(doubled(64), target="llvm -mtriple=aarch64-linux-gnu -mattr=+sve")
        self.assertRegex(built.get_source("asm"), r"fadd\tz\d+\.s")
        with self.assertRaisesRegex(tvm.TVMError, "does not run on this machine"):
            built(tvm.nd.empty((64,), "float32"), tvm.nd.empty((64,), "float32"))

    def test_an_abi(self):
        text = tvm.tir.build(doubled(8), target="llvm -mtriple=riscv64-unknown-linux-gnu -mcpu=generic-rv64 -mattr=+64bit,+m,+f,+d -mabi=lp64d").get_source("asm")
        self.assertIn("fadd.s", text)

    def test_wide_registers_of_a_processor_without_them(self):
        sch = tir.Schedule(doubled(te.var("n")))
        outer, _ = sch.split(sch.get_loops("B")[0], [2, None])
        sch.parallel(outer)
        text = tvm.tir.build(sch.mod, target="llvm -mtriple=x86_64-linux-gnu -mcpu=skylake -mattr=+avx512f").get_source()
        self.assertRegex(text, r'"target-cpu"="skylake" "target-features"="[^"]*\+avx512f')
        self.assertIn("@__tvm_parallel_lambda", text)


class Handles(unittest.TestCase):
    def test_a_word_that_stays_over_calls(self):
        seen = []

        @tvm.register_func("loopscope.test.handle", override=True)
        def look(handle, number):
            seen.append((type(handle), handle.value, number))
            return handle

        @T.prim_func
        def func(n: T.int32):
            T.evaluate(T.call_packed("loopscope.test.handle", T.call_intrin("handle", "tir.tvm_static_handle"), n))
            T.evaluate(T.call_packed("loopscope.test.handle", T.call_intrin("handle", "tir.tvm_static_handle"), n))

        built = tvm.build(func, target="llvm")
        built(1)
        built(2)
        (one, first, _), (_, other, _), (_, again, number), _ = seen
        self.assertEqual((one, first, number), (ctypes.c_void_p, again, 2))
        self.assertNotEqual(first, other, "each place has its own")


class Masks(unittest.TestCase):
    def test_c_has_none(self):
        @T.prim_func
        def store(B: T.Buffer((8,), "float32")):
            B.vstore([T.Ramp(0, 2, 4)], T.Broadcast(1.0, 4), predicate=T.Broadcast(T.bool(True), 4))

        @T.prim_func
        def load(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
            B[0:4] = A.vload([T.Ramp(0, 1, 4)], predicate=T.Broadcast(T.bool(True), 4))

        for func, kind in ((store, "store"), (load, "load")):
            with tvm.target.Target("c"), self.assertRaisesRegex(tvm.TVMError, f"Predicated buffer {kind} is not supported."):
                tvm.build(func)


class RiscV(unittest.TestCase):
    TARGET = "llvm -mtriple=riscv64-linux-gnu -mcpu=generic-rv64 -mattr=+64bit,+a,+c,+d,+f,+m"

    def test_vectors_where_there_are_registers(self):
        @T.prim_func
        def fill(A: T.Buffer((64,), "int8")):
            for i in T.vectorized(64):
                A[i] = T.int8(1)

        for more, has in (("", False), (",+v", True)):
            self.assertEqual("vsetvli" in tvm.tir.build(fill, self.TARGET + more).get_source("asm"), has)

    def test_an_intrinsic_of_vectors_of_any_length(self):
        @T.prim_func
        def load(A: T.Buffer((8,), "float32"), B: T.Buffer((64,), "float32")):
            B[T.Ramp(0, 1, T.vscale() * 4)] = T.call_llvm_intrin("float32xvscalex4", "llvm.riscv.vle", T.uint32(3), T.broadcast(T.float32(0), T.vscale() * 4),
                                                                 A.data, T.int64(8))

        with tvm.target.Target(self.TARGET + ",+v"):
            self.assertIn("@llvm.riscv.vle.nxv4f32", tvm.tir.build(load).get_source("ll"))


class Numbers(unittest.TestCase):
    def test_an_intrinsic_by_its_number_is_the_one_by_its_name(self):
        number = codegen.llvm_lookup_intrinsic_id("llvm.fabs")

        @T.prim_func(private=True)
        def by_number(A: T.Buffer((4,), "float32")):
            A[0] = T.call_llvm_pure_intrin(T.uint32(number), T.uint32(1), A[0], dtype="float32")

        @T.prim_func(private=True)
        def by_name(A: T.Buffer((4,), "float32")):
            A[0] = T.call_llvm_pure_intrin("float32", "llvm.fabs", T.uint32(1), A[0])

        tvm.ir.assert_structural_equal(by_number, by_name)
        array = tvm.nd.array(np.array([-2, 1, 1, 1], "float32"))
        tvm.build(by_number.with_attr("global_symbol", "main"), target="llvm")(array)
        self.assertEqual(array.numpy()[0], 2)


class Symbols(unittest.TestCase):
    def test_functions_stand_in_the_order_of_their_names(self):
        mod = tvm.IRModule({name: doubled(4).with_attr("global_symbol", name) for name in ("zeta", "alpha", "mid")})
        names = re.findall(r"^define[^@]*@([a-z_]+)", tvm.tir.build(mod, target="llvm").get_source("ll"), re.MULTILINE)
        self.assertEqual(names, ["alpha", "alpha_compute_", "mid", "mid_compute_", "zeta", "zeta_compute_"])

    def test_the_symbol_is_the_function_s_own(self):
        text = tvm.tir.build(doubled(4).with_attr("global_symbol", "twice"), target="llvm").get_source()
        self.assertRegex(text, r"@twice_compute_\(ptr noalias align 4 ")

    def test_a_name_like_that_of_a_body(self):
        mod = tvm.IRModule({name: doubled(4).with_attr("global_symbol", name) for name in ("f", "f_compute_")})
        built = tvm.compile(mod, target="llvm")
        for name in ("f", "f_compute_"):
            b = tvm.nd.empty((4,), "float32")
            built[name](tvm.nd.array(np.ones(4, "float32")), b)
            self.assertEqual(b.numpy().tolist(), [2.0] * 4)

    def test_an_unknown_function_is_missed_at_the_call(self):
        v = te.var("v", dtype="float32")
        func = tir.PrimFunc([v], tir.Evaluate(tir.call_extern("float32", "nobody_knows_this", v))).with_attr("global_symbol", "f")
        built = tvm.compile(func, target="llvm")
        with self.assertRaisesRegex(tvm.TVMError, "nobody_knows_this"):
            built(1.0)


class Values(unittest.TestCase):
    def test_truth_values(self):
        @T.prim_func
        def less(x: T.int32, y: T.bool) -> T.bool:
            return x < 3 and y

        built = tvm.compile(less)
        self.assertIs(built(1, True), True)
        self.assertIs(built(1, 0), False)
        self.assertIs(built(2, 7), True)
        self.assertIs(built(5, 1), False)

    def test_bits_of_bfloat16(self):
        bits = np.array([0x3F80, 0x4000, 0xC040], "uint16")
        array = tvm.nd.empty((3,), "bfloat16").copyfrom(bits)
        np.testing.assert_array_equal(array.numpy(), bits)
        out = tvm.nd.empty((3,), "bfloat16")
        tvm.compile(doubled(3, "bfloat16"))(array, out)
        self.assertEqual((out.numpy().astype("uint32") << 16).view("float32").tolist(), [2.0, 4.0, -6.0])


class Intrinsics(unittest.TestCase):
    def test_numbers(self):
        for name in ("llvm.fabs", "llvm.x86.sse2.pmadd.wd", "llvm.aarch64.neon.sdot"):
            self.assertEqual(codegen.llvm_get_intrinsic_name(codegen.llvm_lookup_intrinsic_id(name)), name)
        self.assertEqual(codegen.llvm_lookup_intrinsic_id("llvm.there.is.none"), 0)
        self.assertEqual((codegen.llvm_get_intrinsic_name(0), codegen.llvm_get_intrinsic_name(10**6)), ("", ""))

    def test_udot_is_an_instruction_of_arm(self):
        """The sums of bytes without a sign compile to the one instruction that they are."""
        from tvm.tir.tensor_intrin.arm_cpu import ARM_DOT_4x4_u8_HDOT_INTRIN as hdot, ARM_DOT_4x4_u8_UDOT_INTRIN as udot

        for name, total in ((udot, "uint32"), (hdot, "int32")):
            @T.prim_func
            def dot(a: T.Buffer((4,), "uint8"), b: T.Buffer((4, 4), "uint8"), c: T.Buffer((4,), total)):
                for i, k in T.grid(4, 4):
                    with T.block("c"):
                        vi, vk = T.axis.remap("SR", [i, k])
                        c[vi] = c[vi] + T.Cast(total, a[vk]) * T.Cast(total, b[vi, vk])

            sch = tvm.tir.Schedule(dot)
            sch.tensorize(sch.get_loops(sch.get_block("c"))[0], name)
            lib = tvm.build(sch.mod, target="llvm -mtriple=aarch64-linux-gnu -mattr=+v8.2a,+dotprod")
            with self.subTest(name=name):
                self.assertEqual(lib.get_source("asm").count("udot"), 1)

    def test_overloads_are_as_many_as_llvm_has(self):
        @T.prim_func
        def zeros(a: T.Buffer((4,), "int32"), b: T.Buffer((4,), "int32")):
            for i in range(4):
                b[i] = T.call_llvm_pure_intrin("int32", "llvm.ctlz", T.uint32(2), a[i], T.bool(False))

        out = tvm.nd.empty((4,), "int32")
        tvm.compile(zeros)(tvm.nd.array(np.array([1, 2, 255, 2**30], "int32")), out)
        self.assertEqual(out.numpy().tolist(), [31, 30, 24, 1])

    def test_an_operator_as_an_object(self):
        op = tvm.ir.Op.get("tir.exp")

        @T.prim_func
        def func(a: T.Buffer((1,), "float32")):
            a[0] = T.Call("float32", op, [a[0]])

        self.assertIn("T.exp(a[0])", func.script())


class Refusals(unittest.TestCase):
    def test_parallel_in_parallel(self):
        @T.prim_func
        def func(a: T.Buffer((4, 4), "float32")):
            for i in T.parallel(4):
                for j in T.parallel(4):
                    a[i, j] = 1.0

        with self.assertRaisesRegex(tvm.TVMError, "Nested parallel loop is not supported"):
            tvm.compile(func)

    def test_masks_of_volatile_memory(self):
        @T.prim_func
        def func():
            data = T.allocate([4], "float32", scope="global")
            T.attr(data, "volatile_scope", 1)
            a = T.Buffer([4], data=data)
            a.vstore([T.Ramp(0, 1, 4)], T.Broadcast(0.0, 4), predicate=T.Broadcast(T.bool(True), 4))

        with self.assertRaisesRegex(tvm.TVMError, "masked store intrinsic does not support declaring store as volatile"):
            tvm.compile(func)

    def test_attributes_of_a_function_that_a_file_leaves_out(self):
        func = tir.PrimFunc([te.var("x")], tir.Evaluate(0))
        read = tvm.ir.load_json(tvm.ir.save_json(func))
        self.assertEqual(read.script(), func.script())
        self.assertIn("note", read.with_attr("note", 1).script())


class Reaching(unittest.TestCase):
    """What plainly leaves its memory ends with a sentence, not with the process; what stays inside is not compared."""

    def refused(self, func, *shapes, what):
        built = tvm.build(func, target="llvm")
        with self.assertRaisesRegex(tvm.TVMError, what):
            built(*[tvm.nd.array(np.zeros(shape, "float32")) for shape in shapes])

    def plain(self, func):
        self.assertNotIn("ls_abi_bounds", tvm.build(func, target="llvm").get_source("ll"))

    def test_rows_set_apart(self):
        """The memory of rows that storage_align sets apart is larger than what is seen of it."""
        @T.prim_func
        def rows(A: T.Buffer((8, 24), "float32"), C: T.Buffer((4, 24), "float32")):
            B = T.alloc_buffer((4, 24))
            for i, j in T.grid(8, 24):
                with T.block("B"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    B[vi, vj] = A[vi, vj]
            for i, j in T.grid(4, 24):
                with T.block("C"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    C[vi, vj] = B[vi, vj]

        sch = tir.Schedule(rows)
        sch.storage_align("B", 0, 0, 16, 1)
        with self.assertRaisesRegex(tvm.TVMError, "Index 0 of B is 132; it goes from 0 to 131"):
            tvm.build(sch.mod, target="llvm")(*[tvm.nd.array(np.zeros(shape, "float32")) for shape in ((8, 24), (4, 24))])

    def test_a_store_far_outside(self):
        @T.prim_func
        def func(a: T.Buffer((16,), "float32")):
            b = T.alloc_buffer((16,), "float32")
            for i in range(16):
                b[i * 1000000 - 8000000] = a[i]
            for i in range(16):
                a[i] = b[i]

        self.refused(func, (16,), what="Index 0 of b is -8000000; it goes from 0 to 15")

    def test_a_load_from_the_callers_array(self):
        @T.prim_func
        def func(a: T.Buffer((4, 4), "float32"), b: T.Buffer((4, 4), "float32")):
            for i, j in T.grid(4, 4):
                with T.block("b"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    b[vi, vj] = a[vi * 500000, vj]

        self.refused(func, (4, 4), (4, 4), what="it goes from 0 to 15")

    def test_a_condition_of_other_variables_guards_nothing(self):
        @T.prim_func
        def func(a: T.Buffer((16,), "float32")):
            for i, j in T.grid(16, 16):
                if j > 3:
                    a[i * 1000000] = T.float32(1)

        self.refused(func, (16,), what="Index 0 of a is 1000000")

    def test_vectors(self):
        @T.prim_func
        def func(a: T.Buffer((16,), "float32")):
            for i in range(4):
                a[i * 4 - 4000000:i * 4 - 3999996] = T.Broadcast(T.float32(1), 4)

        self.refused(func, (16,), what="Index 0 of a is -4000000")

    def test_a_copy_that_reaches_outside(self):
        x, w = te.placeholder((1, 3, 10, 10), name="x"), te.placeholder((4, 3, 3, 3), name="w")
        sch = tir.Schedule(te.create_prim_func([x, w, topi.nn.conv2d_nchw(x, w, 1, 1, 1)]))
        sch.compute_inline("pad_temp")
        block = sch.get_block("conv2d_nchw")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            sch.read_at(sch.get_loops(block)[3], block, 0, "local")
        self.refused(sch.mod["main"], (1, 3, 10, 10), (4, 3, 3, 3), (1, 4, 10, 10), what="Index 0 of x is -11")

    def test_borders_are_not_compared(self):
        x, w = te.placeholder((1, 3, 10, 10), name="x"), te.placeholder((4, 3, 3, 3), name="w")
        func = te.create_prim_func([x, w, topi.nn.conv2d_nchw(x, w, 1, 1, 1)])
        self.plain(func)
        sch = tir.Schedule(func)
        sch.compute_inline("pad_temp")
        block = sch.get_block("conv2d_nchw")
        sch.split(sch.get_loops(block)[3], [None, 4])
        sch.fuse(*sch.get_loops(block)[1:3])
        self.plain(sch.mod["main"])
        self.plain(te.create_prim_func([x, topi.nn.pool2d(x, (3, 3), (2, 2), (1, 1), (1, 1, 1, 1), "avg")]))
        self.plain(te.create_prim_func([x, topi.concatenate([x, x], 1)]))

    def test_a_part_seen_through_a_smaller_buffer(self):
        @T.prim_func
        def func(a: T.Buffer((16,), "float32")):
            head = T.Buffer((1,), "float32", data=a.data)
            for i in range(16):
                head[i] = T.float32(3)

        out = tvm.nd.array(np.zeros(16, "float32"))
        tvm.build(func, target="llvm")(out)
        self.assertEqual(out.numpy().tolist(), [3.0] * 16)


class Processors(unittest.TestCase):
    def test_architectures_of_llvm(self):
        found = codegen.llvm_get_targets()
        self.assertLessEqual({"x86_64", "aarch64", "arm"}, set(found))
        self.assertEqual(found, _ffi_api.llvm_get_targets())
        self.assertTrue(codegen.llvm_get_system_cpu() and codegen.llvm_get_system_triple())
        self.assertIn(codegen.llvm_get_system_x86_vendor(), ("intel", "amd", "unknown"))

    def test_processors_of_arm(self):
        for machine, cpu, features, has in (("aarch64", "cortex-a55", ["neon", "dotprod"], True), ("aarch64", "cortex-a55", "dsp", False),
                                            ("arm", "cortex-a55", ["neon", "dotprod", "dsp"], True), ("aarch64", "cortex-a53", "dotprod", False),
                                            ("aarch64", "neoverse-v1", ["sve", "bf16"], True), ("aarch64", "neoverse-n1", "sve", False),
                                            ("arm", "cortex-m4", "neon", False), ("x86_64", "ivybridge", ["sse4.1", "avx512bw"], False)):
            target = tvm.target.Target(f"llvm -mtriple={machine}-- -mcpu={cpu}")
            with self.subTest(cpu=cpu, machine=machine), target:
                self.assertIn(cpu, codegen.llvm_get_cpu_archlist())
                self.assertIs(codegen.llvm_cpu_has_features(features), has)
                self.assertIs(codegen.target_has_features(features, target), has)

    def test_one_that_is_none_is_said(self):
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            codegen.llvm_get_cpu_features(tvm.target.Target("llvm -mtriple=aarch64-linux-gnu -mcpu=nobody"))
        self.assertIn("with `-mcpu=nobody` is not valid in `-mtriple=aarch64-linux-gnu`, using default `-mcpu=generic`", said.getvalue())


if __name__ == "__main__":
    tap.main()
