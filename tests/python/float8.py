"""float8 (e4m3fn, e5m2) and bfloat16 on devices: numbers against their definition and against NVIDIA's own header where there is a compiler, kernels on
simulated threads, and as text that nvcc takes."""
import ctypes
import functools
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import _loopscope as core
import numpy as np
import tap
import tvm
from tvm import tir

KINDS = {"float8_e4m3fn": (3, 7, 448.0), "float8_e5m2": (2, 15, 57344.0)}
TARGET = "cuda -arch=sm_90"


def value(bits, kind):
    """The number of a pattern, by the definition."""
    p, bias, _ = KINDS[kind]
    exponent, fraction, sign = bits >> p & (2 ** (7 - p) - 1), bits & (2 ** p - 1), -1 if bits & 0x80 else 1
    if kind == "float8_e4m3fn" and bits & 0x7F == 0x7F:
        return np.nan
    if kind == "float8_e5m2" and exponent == 31:
        return sign * np.inf if fraction == 0 else np.nan
    return sign * (fraction * 2.0 ** (1 - bias - p) if exponent == 0 else (2 ** p + fraction) * 2.0 ** (exponent - bias - p))


@functools.cache
def finite_numbers(kind):
    """The finite numbers of 0 or more, by their patterns."""
    return [value(bits, kind) for bits in range(128) if np.isfinite(value(bits, kind))]


def nearest(x, kind):
    """The pattern of the nearest number, by looking at them all; of two the one that ends with 0; what is too large becomes the largest."""
    if np.isnan(x):
        return 0x7F
    size = min(abs(float(x)), KINDS[kind][2])
    best = min(enumerate(finite_numbers(kind)), key=lambda one: (abs(one[1] - size), one[0] & 1))[0]
    return best | (0x80 if np.signbit(x) else 0)


def function(text):
    func = tvm.script.from_source("from tvm.script import tir as T\n\n@T.prim_func\n" + text)
    return func if isinstance(func, tir.PrimFunc) else func["main"]


def kernel(body, **buffers):
    args = ", ".join(f"{name}: T.Buffer(({n},), '{dtype}')" for name, (n, dtype) in buffers.items())
    n = max(n for n, _ in buffers.values())
    return function(f"""def main({args}):
    T.func_attr({{"global_symbol": "main", "tir.noalias": True}})
    for b in T.thread_binding({n // 32}, thread="blockIdx.x"):
        for t in T.thread_binding(32, thread="threadIdx.x"):
            with T.block("C"):
                v = T.axis.spatial({n}, b * 32 + t)
                {body}
""")


def simulate(func, *arrays, target=TARGET):
    device = tvm.device("simt", 0)
    given = [array if isinstance(array, tvm.nd.NDArray) else tvm.nd.array(array, device) for array in arrays]
    found = core.simt_run(core.lower_device(func, target), target, tuple(given))
    assert [kind for kind, _ in found if kind != "same-value"] == [], found
    return given[-1].numpy()


def interesting(kind):
    """All numbers, the middles between neighbours and what lies beside them, and some at random."""
    rng = np.random.default_rng(8)
    whole = np.array([value(bits, kind) for bits in range(256) if np.isfinite(value(bits, kind))], "float32")
    line = np.unique(whole)
    middle = (line[1:] + line[:-1]) / 2
    beside = np.concatenate([np.nextafter(middle, np.float32(np.inf)), np.nextafter(middle, np.float32(-np.inf))])
    rest = (rng.standard_normal(2000) * 10.0 ** rng.integers(-9, 7, 2000)).astype("float32")
    every = np.concatenate([whole, middle, beside, rest, np.float32([0.0, -0.0, np.inf, -np.inf, np.nan, 3e38, 1e-45])]).astype("float32")
    return np.concatenate([every, np.zeros(-len(every) % 32, "float32")])


class Float8(unittest.TestCase):
    def narrowed(self, x, kind):
        n = len(x)
        out = tvm.nd.empty((n,), kind, tvm.device("simt", 0))
        return simulate(kernel(f"C[v] = T.Cast('{kind}', A[v])", A=(n, "float32"), C=(n, kind)), x, out).view("uint8")

    def test_every_pattern(self):
        for kind in KINDS:
            got = np.array(range(256), "uint8")
            held = tvm.nd.empty((256,), kind, tvm.device("simt", 0))
            simulate(kernel(f"C[v] = T.reinterpret('{kind}', A[v])", A=(256, "uint8"), C=(256, kind)), got, held)
            wide = simulate(kernel("C[v] = T.Cast('float32', A[v])", A=(256, kind), C=(256, "float32")), held, np.zeros(256, "float32"))
            np.testing.assert_array_equal(wide, np.array([value(bits, kind) for bits in range(256)], "float32"))

    def test_rounding(self):
        for kind in KINDS:
            x = interesting(kind)
            np.testing.assert_array_equal(self.narrowed(x, kind), np.array([nearest(one, kind) for one in x], "uint8"))

    @unittest.skipUnless(shutil.which("nvcc"), "no nvcc")
    def test_rounding_is_that_of_nvidias_header(self):
        program = """#include <cuda_fp8.h>
#include <cstdio>
int main(int n, char **) { float x; while (fread(&x, 4, 1, stdin) == 1) putchar(n > 1 ? __nv_fp8_e5m2(x).__x : __nv_fp8_e4m3(x).__x); }
"""
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "a.cu").write_text(program)
            subprocess.run(["nvcc", "-o", f"{folder}/a", f"{folder}/a.cu"], check=True, capture_output=True)
            for kind, words in (("float8_e4m3fn", []), ("float8_e5m2", ["e5m2"])):
                x = interesting(kind)
                theirs = np.frombuffer(subprocess.run([f"{folder}/a", *words], input=x.tobytes(), capture_output=True, check=True).stdout, "uint8")
                np.testing.assert_array_equal(self.narrowed(x, kind), theirs)

    def test_sums_and_products_are_rounded_each(self):
        rng = np.random.default_rng(3)
        for kind in KINDS:
            bits = rng.integers(0, 0x60, 512).astype("uint8")
            a, b = bits[:256], bits[256:]
            wide = [np.array([value(one, kind) for one in side]) for side in (a, b)]
            product = [value(nearest(x * y, kind), kind) for x, y in zip(*wide)]
            wanted = np.array([nearest(x + y, kind) for x, y in zip(product, wide[0])], "uint8")
            out = tvm.nd.empty((256,), "uint8", tvm.device("simt", 0))
            body = f"C[v] = T.reinterpret('uint8', T.reinterpret('{kind}', A[v]) * T.reinterpret('{kind}', B[v]) + T.reinterpret('{kind}', A[v]))"
            got = simulate(kernel(body, A=(256, "uint8"), B=(256, "uint8"), C=(256, "uint8")), a, b, out)
            np.testing.assert_array_equal(got, wanted)


class Text(unittest.TestCase):
    def text(self, func, target):
        return core.device_source("main", core.lower_device(func, target), target)

    def taken(self, text, arch):
        if shutil.which("nvcc") is None:
            return
        with tempfile.NamedTemporaryFile("w", suffix=".cu") as file:
            file.write(text)
            file.flush()
            done = subprocess.run(["nvcc", f"-arch={arch}", "-cubin", "-o", "/dev/null", file.name], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr + text)

    def test_cuda(self):
        bodies = ("C[v] = A[v] * B[v] + A[v]", "C[v] = T.max(A[v], B[v]) - T.exp(A[v])", "C[v] = T.if_then_else(A[v] < B[v], A[v], T.Cast('{}', 1.5))",
                  "C[v] = T.Cast('{}', v) + T.Cast('{}', T.Cast('float16', A[v]))", "C[v] = T.Cast('{}', T.Cast('int32', A[v]) + 1)")
        whole = ""
        for kind, name, header in (("float8_e4m3fn", "__nv_fp8_e4m3", "cuda_fp8.h"), ("float8_e5m2", "__nv_fp8_e5m2", "cuda_fp8.h"), ("bfloat16", "__nv_bfloat16", "cuda_bf16.h")):
            for number, body in enumerate(bodies):
                text = self.text(kernel(body.replace("{}", kind), A=(64, kind), B=(64, kind), C=(64, kind)), TARGET)
                self.assertIn(f"#include <{header}>", text)
                self.assertIn(f"const {name} *__restrict__ A", text)
                whole += f"namespace {kind}_{number} {{\n" + re.sub("#include.*\n", "", text) + "}\n"
        self.taken("#include <cuda_fp8.h>\n#include <cuda_bf16.h>\n" + re.sub('extern "C"', "", whole), "sm_90")

    def test_bfloat16_where_the_device_has_none(self):
        func = kernel("C[v] = A[v] * B[v] + A[v]", A=(64, "bfloat16"), B=(64, "bfloat16"), C=(64, "bfloat16"))
        old = self.text(func, "cuda -arch=sm_75")
        self.assertIn("__ushort_as_bfloat16(", old)
        self.assertNotIn("__float_as_int", old)                 # bits that are shifted have no sign
        self.taken(old, "sm_75")
        for target in ("opencl", "rocm"):
            self.assertIn("short *", self.text(func, target))

    def test_where_the_language_has_none(self):
        """OpenCL C and HIP C store bytes and compute with float."""
        for kind in KINDS:
            func = kernel(f"C[v] = A[v] * B[v] + T.Cast('{kind}', 1.5)", A=(64, kind), B=(64, kind), C=(64, kind))
            for target, word in (("opencl", "__global const uchar *"), ("rocm", "const unsigned char *")):
                text = self.text(func, target)
                self.assertIn(word, text)
                self.assertNotIn("float8", text)

    def test_the_type_that_does_not_say_how(self):
        from tvm import relax, te
        from tvm.script import relax as R

        self.assertEqual((tvm.DataType("float8").bits, str(tvm.DataType("float8x4"))), (8, "float8x4"))
        x = relax.Var("x", R.Tensor((64, 4), "float32"))
        seen = relax.BlockBuilder().normalize(relax.op.memory.view(x, [64, 16], "float8"))
        tvm.ir.assert_structural_equal(seen.struct_info, R.Tensor((64, 16), "float8"))
        a = te.placeholder((8,), "float8", name="A")
        func = te.create_prim_func([a, te.compute((8,), lambda i: a[i], name="B")])
        tvm.ir.assert_structural_equal(tvm.script.from_source(func.script()), func)
        with self.assertRaisesRegex(tvm.TVMError, "float8 is not a type that CPUs compute with"):
            tvm.build(func, target="llvm")

    def test_what_has_no_form_is_refused(self):
        func = kernel("C[v] = A[v]", A=(64, "float8_e4m3fnuz"), C=(64, "float8_e4m3fnuz"))
        for target in ("opencl", "rocm"):
            with self.assertRaisesRegex(tvm.TVMError, "The type float8_e4m3fnuz has no form"):
                self.text(func, target)

    def test_passes(self):
        """After both no float of 8 bits is left; what is loaded is widened, what is stored is bytes."""
        for kind in KINDS:
            func = kernel(f"C[v] = A[v] * B[v] + T.Cast('{kind}', 1.5)", A=(64, kind), B=(64, kind), C=(64, kind))
            mod = tir.transform.FP8ComputeLegalize()(tvm.IRModule({"main": func}))
            self.assertEqual({str(buffer.dtype) for buffer in mod["main"].buffer_map.values()}, {kind})
            text = tir.transform.FP8StorageLegalize()(mod)["main"].script()
            self.assertNotIn("float8", text)
            self.assertIn('A: T.Buffer((64,), "uint8")', text)
        with self.assertRaisesRegex(tvm.TVMError, "computed in float32, float16 or bfloat16, not in int8"):
            tir.transform.FP8ComputeLegalize("int8")(mod)
        plain = tvm.IRModule({"main": kernel("C[v] = A[v]", A=(64, "bfloat16"), C=(64, "bfloat16"))})
        tvm.ir.assert_structural_equal(tir.transform.FP8StorageLegalize()(tir.transform.FP8ComputeLegalize()(plain)), plain)

    def test_what_is_computed_in(self):
        """In float16 each operation is rounded to float16, which a sum of the largest numbers shows."""
        for kind, bits in (("float8_e4m3fn", 0x7E), ("float8_e5m2", 0x7A)):
            number = f"T.reinterpret('{kind}', A[v])"
            func = kernel(f"C[v] = ({number} * {number}) * T.reinterpret('{kind}', B[v])", A=(64, "uint8"), B=(64, "uint8"), C=(64, kind))
            most = value(bits, kind)
            for wide, limit in (("float32", np.float32), ("float16", np.float16)):
                made = tir.transform.FP8ComputeLegalize(wide)(tvm.IRModule({"main": func}))["main"]
                self.assertEqual("float16" in made.script(), wide == "float16")
                out = tvm.nd.empty((64,), kind, tvm.device("simt", 0))
                with np.errstate(over="ignore"):
                    exact = float(limit(limit(most) * limit(most)) * limit(value(1, kind)))
                got = simulate(made, np.full(64, bits, "uint8"), np.full(64, 1, "uint8"), out).view("uint8")
                expected = nearest(exact, kind) if np.isfinite(exact) else 0x7C if kind == "float8_e5m2" else 0x7E
                np.testing.assert_array_equal(got, np.full(64, expected, "uint8"), f"{kind} {wide}")

    def compiled(self, body, **arrays):
        """The function in C, made by the C compiler of the machine."""
        names = ", ".join(f"{name}: T.Buffer(({n},), '{kind}')" for name, (n, kind) in arrays.items())
        loop = f"    for i in range({next(iter(arrays.values()))[0]}):\n        with T.block('b'):\n            v = T.axis.spatial({next(iter(arrays.values()))[0]}, i)\n            {body}\n"
        func = tvm.script.from_source(f"# from tvm.script import tir as T\n@T.prim_func\ndef f({names}):\n    T.func_attr({{'global_symbol': 'f'}})\n{loop}")
        text = core.c_source(tvm.IRModule({"f": func}))
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        Path(folder, "f.c").write_text(text)
        done = subprocess.run(["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", f"{folder}/f.so", f"{folder}/f.c", "-lm"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr + text)
        return ctypes.CDLL(f"{folder}/f.so").f

    def called(self, function, *arrays):
        function(*[one.ctypes.data_as(ctypes.c_void_p) for one in arrays])
        return arrays[-1]

    @unittest.skipUnless(shutil.which("cc"), "no C compiler")
    def test_c(self):
        """What C computes is what the interpreter does: every pattern widened, every interesting number narrowed, sums and products."""
        bits = np.arange(256, dtype="uint8")
        for kind in KINDS:
            wide = self.called(self.compiled("B[v] = T.Cast('float32', A[v])", A=(256, kind), B=(256, "float32")), bits, np.zeros(256, "float32"))
            np.testing.assert_array_equal(wide, np.array([value(int(one), kind) for one in bits], "float32"))
            x = interesting(kind)
            small = self.called(self.compiled(f"B[v] = T.Cast('{kind}', A[v])", A=(len(x), "float32"), B=(len(x), kind)), x, np.zeros(len(x), "uint8"))
            np.testing.assert_array_equal(small, np.array([nearest(one, kind) for one in x], "uint8"))
            rng = np.random.default_rng(7)
            a, b = (rng.integers(0, 256, 512).astype("uint8") for _ in range(2))
            for sign, compute in (("+", np.add), ("*", np.multiply)):
                got = self.called(self.compiled(f"C[v] = A[v] {sign} B[v]", A=(512, kind), B=(512, kind), C=(512, kind)), a, b, np.zeros(512, "uint8"))
                out = tvm.nd.empty((512,), "uint8", tvm.device("simt", 0))
                own = simulate(kernel(f"C[v] = T.reinterpret('uint8', T.reinterpret('{kind}', A[v]) {sign} T.reinterpret('{kind}', B[v]))",
                                      A=(512, "uint8"), B=(512, "uint8"), C=(512, "uint8")), a, b, out)
                np.testing.assert_array_equal(got, own)
                with np.errstate(all="ignore"):
                    exact = [compute(value(int(p), kind), value(int(q), kind)) for p, q in zip(a, b)]
                finite = [i for i, one in enumerate(exact) if np.isfinite(one)]
                np.testing.assert_array_equal(got[finite], np.array([nearest(exact[i], kind) for i in finite], "uint8"))


class OnACPU(unittest.TestCase):
    """Functions with buffers of float8, built for a CPU."""

    def test_every_number_as_float32_and_back(self):
        for kind in KINDS:
            module = tvm.script.from_source(f"""
from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((256,), "{kind}"), B: T.Buffer((256,), "float32"), C: T.Buffer((256,), "{kind}")):
    for i in range(256):
        with T.block("one"):
            v = T.axis.spatial(256, i)
            B[v] = T.Cast("float32", A[v])
            C[v] = A[v] + A[v]
""")
            built = tvm.build(module, target="llvm")
            patterns = np.arange(256, dtype="uint8")
            a, b, c = (tvm.nd.empty((256,), one) for one in (kind, "float32", kind))
            ctypes.memmove(core_address(a), patterns.ctypes.data, 256)
            built(a, b, c)
            want = np.array([value(bits, kind) for bits in range(256)], "float32")
            np.testing.assert_array_equal(b.numpy(), want)
            got = np.frombuffer(ctypes.string_at(core_address(c), 256), "uint8")
            finite = [bits for bits in range(256) if np.isfinite(value(bits, kind))]
            np.testing.assert_array_equal(got[finite], np.array([nearest(2 * value(bits, kind), kind) for bits in finite], "uint8"))

    def test_another_type_is_refused(self):
        module = tvm.script.from_source("""
from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4,), "float8_e5m2")):
    for i in range(4):
        A[i] = T.float8_e5m2(1.5)
""")
        built = tvm.build(module, target="llvm")
        built(tvm.nd.empty((4,), "float8_e5m2"))
        for other in ("uint8", "float8_e4m3fn"):
            with self.assertRaisesRegex(tvm.TVMError, f"is of {other}; expected float8_e5m2"):
                built(tvm.nd.empty((4,), other))


def core_address(array):
    """Where the bytes of an array are."""
    return array.handle.contents.data


if __name__ == "__main__":
    tap.main()
