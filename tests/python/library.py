"""Libraries of machine code: what export_library writes is opened by our loader and by a program in C that does what TVM's loader does."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import warnings

import numpy as np

import tap
import tvm
from tvm import relax
from tvm.contrib import cc, tar
from tvm.script import ir as I, relax as R, tir as T

CC = shutil.which("cc") or shutil.which("gcc")

# The convention of v0.20: values beside their type codes, pointers that the loader fills in, the name of the entry as a text.
LOADER = r"""
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
typedef union { int64_t i; double d; void *p; const char *s; } Value;
typedef struct { void *data; int32_t type, id, ndim; uint8_t code, bits; uint16_t lanes; int64_t *shape, *strides; uint64_t offset; } Tensor;
typedef int (*Func) (Value *, int *, int, Value *, int *, void *);
typedef int (*Lambda) (int, void *, void *);
typedef struct { void *sync; int32_t n; } Group;
static char last[500];
static int launched, allocated;
static void set_error (const char *text) { snprintf (last, sizeof last, "%s", text); }
static int launch (Lambda f, void *data, int n) { Group g = { 0, 3 }; launched = n; for (int i = 0; i < 3; i++) if (f (i, &g, data) != 0) return -1; return 0; }
static void *take (int type, int id, uint64_t n, int code, int bits) { allocated++; return aligned_alloc (64, (n + 63) / 64 * 64); }
static int give (int type, int id, void *p) { free (p); return 0; }
static int from_env (void *module, const char *name, void **out) { *out = strcmp (name, "host.twice") == 0 ? (void *) name : NULL; return *out == NULL ? (set_error ("no such function"), -1) : 0; }
static int call (void *f, Value *v, int *codes, int n, Value *r, int *rc) { r->i = 2 * v[0].i; *rc = 0; return n == 1 && codes[0] == 0 ? 0 : -1; }
static void put (void *lib, const char *name, void *value) { void **p = dlsym (lib, name); if (p != NULL) *p = value; }
int main (int n, char **args)
{
  void *lib = dlopen (args[1], RTLD_LAZY | RTLD_LOCAL);
  float a[8], b[8] = { 0 };
  int32_t out[1] = { 0 };
  int64_t shape[] = { 8 }, one[] = { 1 };
  Tensor ta = { a, 1, 0, 1, 2, 32, 1, shape, NULL, 0 }, tb = { b, 1, 0, 1, 2, 32, 1, shape, NULL, 0 }, tc = { out, 1, 0, 1, 0, 32, 1, one, NULL, 0 };
  Value values[] = { { .p = &ta }, { .p = &tb }, { .d = 0.5 } }, result = { 0 };
  int codes[] = { 7, 13, 2 }, code = 4;
  Func add;
  if (lib == NULL) return puts (dlerror ()), 1;
  put (lib, "__TVMAPISetLastError", set_error);
  put (lib, "__TVMBackendParallelLaunch", launch);
  put (lib, "__TVMBackendAllocWorkspace", take);
  put (lib, "__TVMBackendFreeWorkspace", give);
  put (lib, "__TVMBackendGetFuncFromEnv", from_env);
  put (lib, "__TVMFuncCall", call);
  for (int i = 0; i < 8; i++) a[i] = (float) i;
  printf ("entry %s\n", (const char *) dlsym (lib, "__tvm_main__"));
  add = (Func) dlsym (lib, "add");
  printf ("%d", add (values, codes, 3, &result, &code, NULL));
  for (int i = 0; i < 8; i++) printf (" %g", b[i]);
  printf (" launched %d\n", launched);
  codes[0] = 0;
  printf ("%d %s\n", add (values, codes, 3, &result, &code, NULL), last);
  printf ("%d %s\n", add (values, codes, 2, &result, &code, NULL), last);
  values[0].p = &tc; codes[0] = 7;
  printf ("%d", ((Func) dlsym (lib, "ask")) (values, codes, 1, &result, &code, NULL));
  printf (" %d\n", out[0]);
  values[0].p = &ta;
  printf ("%d", ((Func) dlsym (lib, "big")) (values, codes, 2, &result, &code, NULL));
  printf (" %g %d\n", b[7], allocated > 0);
  printf ("inner %d\n", dlsym (lib, "__ls_add") != NULL);
  return 0;
}
"""


@I.ir_module
class Functions:
    @T.prim_func
    def add(a: T.handle, b: T.handle, s: T.float32):
        n = T.int64()
        A = T.match_buffer(a, (n,), "float32")
        B = T.match_buffer(b, (n,), "float32")
        for i in T.parallel(n):
            B[i] = A[i] + s

    @T.prim_func
    def ask(C: T.Buffer((1,), "int32")):
        C[0] = T.call_packed("host.twice", 21, dtype="int32")

    @T.prim_func
    def big(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
        C = T.alloc_buffer((4096, 8), "float32")
        for i, j in T.grid(4096, 8):
            C[i, j] = T.exp(A[j]) + T.Cast("float32", i)
        for j in range(8):
            B[j] = C[4095, j]


def array(*values):
    return tvm.nd.array(np.array(values, "float32"))


@unittest.skipIf(CC is None, "there is no C compiler")
class Exported(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def head(self, name):
        with open(self.path(name), "rb") as file:
            return file.read(18)

    def sums(self, library):
        a, b = array(*range(8)), array(*[0] * 8)
        library["add"](a, b, 0.5)
        return b.numpy().tolist()

    def test_each_form_opens(self):
        built = tvm.build(Functions, "llvm")
        for name, kind in (("a.so", 3), ("a.o", 1)):
            built.export_library(self.path(name))
            self.assertEqual((self.head(name)[:4], self.head(name)[16]), (b"\x7fELF", kind))
            self.assertEqual(self.sums(tvm.runtime.load_module(self.path(name))), [i + 0.5 for i in range(8)])
        built.export_library(self.path("a.tar"))
        tar.untar(self.path("a.tar"), self.path("parts"))
        self.assertEqual(os.listdir(self.path("parts")), ["lib0.o"])
        self.assertEqual(self.sums(tvm.runtime.load_module(self.path("a.tar"))), [i + 0.5 for i in range(8)])

    def test_the_code_is_in_the_file(self):
        tvm.build(Functions, "llvm").export_library(self.path("a.so"))
        loaded = tvm.runtime.load_module(self.path("a.so"))
        self.assertEqual((loaded.type_key, loaded._ir_mod, loaded._names()), ("library", None, ["add", "ask", "big"]))
        tvm.register_func("host.twice", lambda x: 2 * x, override=True)
        out = tvm.nd.array(np.zeros(1, "int32"))
        loaded["ask"](out)
        self.assertEqual(out.numpy()[0], 42)
        self.assertGreater(loaded.time_evaluator("add", tvm.cpu(), number=2)(array(*range(8)), array(*range(8)), 1.0).mean, 0)
        for name in ("printf", "system", "subtract"):             # what the library's own libraries have is not its
            with self.assertRaises(AttributeError):
                loaded[name]
        for args, words in (((array(1), array(1)), "takes 3 arguments; got 2"), ((array(1), array(1, 2), 1.0), "has the extent 2 in dimension 0; expected 1"),
                            ((array(1), 3, 1.0), "is an integer; expected an array"),
                            ((array(1), tvm.nd.array(np.zeros(1, "int32")), 1.0), "expected 2 with 32")):
            with self.assertRaisesRegex(tvm.TVMError, words):
                loaded["add"](*args)

    def test_a_loader_in_c(self):
        tvm.build(Functions, "llvm").export_library(self.path("a.so"))
        with open(self.path("loader.c"), "w", encoding="utf-8") as file:
            file.write(LOADER)
        subprocess.run([CC, "-w", "-o", self.path("loader"), self.path("loader.c"), "-ldl"], check=True)
        said = subprocess.run([self.path("loader"), self.path("a.so")], check=True, capture_output=True, text=True,
                              env={k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}).stdout
        self.assertEqual(said.splitlines(), [
            "entry add", "0 0.5 1.5 2.5 3.5 4.5 5.5 6.5 7.5 launched 0", "-1 Argument A of add is an integer; expected an array.",
            "-1 add takes 3 arguments; got 2.", "0 42", "0 %g 1" % (np.exp(np.float32(7)) + np.float32(4095)), "inner 0"])

    def test_objects_of_two_modules_join(self):
        def one(name, by):
            @T.prim_func
            def scale(A: T.Buffer((4,), "float32")):
                for i in range(4):
                    A[i] = A[i] * T.float32(by)

            return tvm.tir.build(tvm.IRModule.from_expr(scale.with_attr("global_symbol", name)), "llvm")

        one("twice", 2).save(self.path("a.o"))
        one("thrice", 3).save(self.path("b.o"))
        cc.create_shared(self.path("both.so"), [self.path("a.o"), self.path("b.o")])
        both = tvm.runtime.load_module(self.path("both.so"))
        x = array(1, 2, 3, 4)
        both["twice"](x)
        both["thrice"](x)
        self.assertEqual(x.numpy().tolist(), [6, 12, 18, 24])
        first = one("twice", 2)
        first.import_module(tvm.runtime.load_static_library(self.path("b.o"), ["thrice"]))
        first.export_library(self.path("whole.so"))
        tvm.runtime.load_module(self.path("whole.so"))["thrice"](x)
        self.assertEqual(x.numpy().tolist(), [18, 36, 54, 72])

    def test_names_that_c_does_not_have(self):
        @T.prim_func
        def odd(A: T.Buffer((2,), "float16")):
            for i in range(2):
                A[i] = A[i] + T.float16(1.5)

        name = "a-b.c d?\u00e4"
        tvm.build(tvm.IRModule({name: odd.with_attr("global_symbol", name)}), "llvm -mcpu=x86-64").export_library(self.path("odd.so"))
        x = tvm.nd.array(np.array([0.25, 65504], "float16"))
        tvm.runtime.load_module(self.path("odd.so"))[name](x)
        self.assertEqual(x.numpy().tolist(), [1.75, 65504])
        with self.assertRaisesRegex(ValueError, "no symbol"):
            tvm.build(tvm.IRModule({'a"b': odd.with_attr("global_symbol", 'a"b')}), "llvm").export_library(self.path("bad.so"))

    def test_halves_round_as_numpy(self):
        @T.prim_func
        def halve(A: T.Buffer((4096,), "float64"), B: T.Buffer((4096,), "float16")):
            for i in range(4096):
                B[i] = T.Cast("float16", A[i])

        rand = np.random.default_rng(3)
        values = rand.standard_normal(4096) * 2.0 ** rand.integers(-30, 18, 4096)
        values[:8] = [np.inf, -np.inf, 65519.999, 65520.0, 2.0 ** -25, 2.0 ** -24, 1.5 * 2.0 ** -25, -0.0]
        tvm.build(halve, "llvm -mcpu=x86-64").export_library(self.path("h.so"))
        out = tvm.nd.array(np.zeros(4096, "float16"))
        tvm.runtime.load_module(self.path("h.so"))["halve"](tvm.nd.array(values), out)
        with np.errstate(over="ignore"):
            np.testing.assert_array_equal(out.numpy().view("uint16"), values.astype("float16").view("uint16"))

    def test_executables(self):
        @I.ir_module
        class Model:
            @R.function
            def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
                with R.dataflow():
                    y = R.add(x, R.exp(x))
                    R.output(y)
                return y

        built = relax.build(Model, "llvm")
        for name in ("m.so", "m.tar", "m.o", "m.bin"):
            built.export_library(self.path(name))
            vm = relax.VirtualMachine(tvm.runtime.load_module(self.path(name)), tvm.cpu())
            np.testing.assert_allclose(vm["main"](array(0, 1, 2, 3)).numpy(), np.arange(4) + np.exp(np.arange(4)), rtol=1e-6)
        self.assertEqual(self.head("m.so")[:4], b"\x7fELF")

    SOURCE = r"""
extern "C" {
typedef union { long i; double d; void *p; } Value;
typedef struct { void *data; int type, id, ndim; unsigned char code, bits; unsigned short lanes; long *shape, *strides; unsigned long offset; } Tensor;
__attribute__ ((visibility ("default"))) int NAME (Value *args, int *codes, int n, Value *result, int *code, void *)
{
  if (n != 3 || codes[0] != 7) return -1;
  for (long i = 0; i < ((Tensor *) args[0].p)->shape[0]; i++)
    ((float *) ((Tensor *) args[2].p)->data)[i] = ((float *) ((Tensor *) args[0].p)->data)[i] - 10 * ((float *) ((Tensor *) args[1].p)->data)[i];
  return 0;
}
}
"""

    def outside(self, name, kind):
        from tvm.relax.frontend import nn

        def infer(a, b):
            return nn.Tensor.placeholder(a.shape, a.dtype, "out")

        source = nn.SourceModule({name: infer}, self.SOURCE.replace("NAME", name), "cpp")
        if kind == "object":
            source.compile(self.path("outside.o"))
            return nn.ObjectModule({name: infer}, self.path("outside.o"))
        return source

    def test_modules_from_outside(self):
        from tvm.relax.frontend import nn

        for kind in ("source", "object"):
            name = f"test_minus_{kind}"
            outside = self.outside(name, kind)

            class Model(nn.Module):
                def __init__(self):
                    self.ext = outside

                def forward(self, a: nn.Tensor, b: nn.Tensor):
                    return self.ext[name](a, b)

            spec = {"forward": {"a": nn.spec.Tensor((3,), "float32"), "b": nn.spec.Tensor((3,), "float32")}}
            mod, _, externs = Model().export_tvm(spec, allow_extern=True)
            mod = relax.transform.AttachExternModules(externs)(mod)
            self.assertEqual(len(mod.attrs["external_mods"]), 1)
            self.assertEqual(externs[0].load().type_key, "static_library")
            built = relax.build(mod, "llvm")
            want = [-9.0, -18.0, -27.0]
            self.assertEqual(relax.VirtualMachine(built, tvm.cpu())["forward"](array(1, 2, 3), array(1, 2, 3)).numpy().tolist(), want)
            built.export_library(self.path(f"{kind}.so"))
            program = ("import sys, numpy, tvm; from tvm import relax; a = tvm.nd.array(numpy.array([1, 2, 3], 'float32')); "
                       "print(relax.VirtualMachine(tvm.runtime.load_module(sys.argv[1]), tvm.cpu())['forward'](a, a).numpy().tolist())")
            said = subprocess.run([sys.executable, "-c", program, self.path(f"{kind}.so")], capture_output=True, text=True, check=True).stdout
            self.assertEqual(said.strip(), str(want))
        with self.assertRaises(TypeError):
            relax.transform.AttachExternModules([3])
        with self.assertRaises(ValueError):
            nn.ObjectModule({}, self.path("none.o"))
        with self.assertRaises(RuntimeError):
            nn.SourceModule({"f": None}, "no C++", "cpp").load()

    def test_without_a_compiler_it_is_said(self):
        before = os.environ.pop("CC", None), os.environ["PATH"]
        os.environ["PATH"] = self.folder
        try:
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                tvm.build(Functions, "llvm").export_library(self.path("a.so"))
        finally:
            os.environ["PATH"] = before[1]
            if before[0] is not None:
                os.environ["CC"] = before[0]
        self.assertIn("only Loopscope opens it", str(said[-1].message))
        self.assertEqual(self.sums(tvm.runtime.load_module(self.path("a.so"))), [i + 0.5 for i in range(8)])

    def test_fcompile(self):
        seen = []

        def own(output, objects, options=None):
            seen.append((os.path.basename(output), [os.path.basename(name) for name in objects], options))
            cc.create_shared(output, objects, options)

        tvm.build(Functions, "llvm").export_library(self.path("own.so"), fcompile=own, options=["-s"])
        self.assertEqual(seen, [("own.so", ["lib0.o"], ["-s"])])
        self.assertEqual(self.sums(tvm.runtime.load_module(self.path("own.so")))[0], 0.5)
        with self.assertRaisesRegex(RuntimeError, "does not start"):
            tvm.build(Functions, "llvm").export_library(self.path("x.so"), cc="/no/such/compiler")


if __name__ == "__main__":
    tap.main()
