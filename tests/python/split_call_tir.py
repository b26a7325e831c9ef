"""SplitCallTIRByPattern: which stages fit a pattern, what becomes of the calls, and that the split module still computes the same."""
import unittest

import tap

if tap.has_numpy():
    import numpy as np

import tvm
from tvm import relax
from tvm.relax.transform import SplitCallTIRByPattern
from tvm.script import ir as I, relax as R, tir as T


@T.prim_func(private=True)
def matmul(a: T.handle, b: T.handle, c: T.handle, M: T.int64, N: T.int64, K: T.int64):
    A = T.match_buffer(a, (M, K), "float32")
    B = T.match_buffer(b, (K, N), "float32")
    C = T.match_buffer(c, (M, N), "float32")
    for i, j, k in T.grid(M, N, K):
        with T.block("matmul"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            T.reads(A[vi, vk], B[vk, vj])
            T.writes(C[vi, vj])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]


@T.prim_func(private=True)
def bias(a: T.handle, b: T.handle, c: T.handle, M: T.int64, N: T.int64):
    A = T.match_buffer(a, (M, N), "float32")
    B = T.match_buffer(b, (N,), "float32")
    C = T.match_buffer(c, (M, N), "float32")
    for i, j in T.grid(M, N):
        with T.block("bias"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(A[vi, vj], B[vj])
            T.writes(C[vi, vj])
            C[vi, vj] = B[vj] + A[vi, vj]           # the other way round than the operator


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 8), "float32"), w: R.Tensor((8, 6), "float32"), b: R.Tensor((6,), "float32")) -> R.Tensor((4, 6), "float32"):
        with R.dataflow():
            y = R.matmul(x, w)
            z = R.add(y, b)
            out = R.nn.relu(z)
            R.output(out)
        return out


def fused(mod=Module):
    return tvm.transform.Sequential([relax.transform.LegalizeOps(), relax.transform.AnnotateTIROpPattern(), relax.transform.FuseOps(), relax.transform.FuseTIR()])(mod)


def calls(mod):
    found = []
    relax.analysis.post_order_visit(mod["main"], lambda node: found.append(node) if isinstance(node, relax.Call) else None)
    return found


class Code:
    """The function for code, which keeps what it was told."""

    def __init__(self, count=None, source="void {global_symbol}();"):
        self.count, self.source, self.seen = count, source, []

    def __call__(self, results):
        self.seen.append(results)
        n = len(results) if self.count is None else self.count
        made = [r.matched_buffers[-1] for r in results[:n]]
        args = [x for r in results[:n] for x in r.matched_buffers[:-1] if not any(x.same_as(y) for y in made)]
        return [self.source, n, args]


class Split(unittest.TestCase):
    def test_the_first_stage_goes_to_the_library(self):
        code = Code()
        mod = relax.transform.DeadCodeElimination()(SplitCallTIRByPattern([matmul], code)(fused()))
        (result,), = code.seen
        self.assertTrue(result.pattern.same_as(matmul))
        self.assertEqual([int(x) for x in result.symbol_values], [4, 6, 8])
        self.assertEqual([tuple(int(d) for d in x.shape) for x in result.matched_buffers], [(4, 8), (8, 6), (4, 6)])
        first, second = calls(mod)
        self.assertEqual((first.op.name, second.op.name), ("relax.call_dps_packed", "relax.call_tir"))
        library = first.args[0]
        self.assertIsInstance(library, relax.ExternFunc)
        self.assertEqual(library.attrs["c_source"], f"void {library.global_symbol}();")
        self.assertEqual(library.attrs["c_source_fmt"], "cu")
        self.assertEqual([x.name_hint for x in first.args[1].fields], ["x", "w"])
        self.assertEqual(second.args[0].name_hint, "unfused_epilogue")
        self.assertEqual(second.args[1].fields[1].name_hint, "b")
        rest = mod["unfused_epilogue"]
        self.assertEqual([p.name for p in rest.params][0], "input")
        self.assertEqual(len(rest.body.block.body.seq), 2)
        self.assertEqual(len(rest.body.block.alloc_buffers), 1)
        self.assertTrue(relax.analysis.well_formed(mod))

    @tap.needs_numpy
    def test_it_computes_the_same(self):
        def product(a, b, c):
            c.copyfrom(a.numpy() @ b.numpy())

        mod = SplitCallTIRByPattern([matmul], Code())(fused())
        name = calls(mod)[0].args[0].global_symbol
        tvm.register_func(name, product, override=True)
        rand = np.random.RandomState(1)
        x, w, b = (rand.uniform(-1, 1, shape).astype("float32") for shape in ((4, 8), (8, 6), (6,)))
        mod = relax.transform.DeadCodeElimination()(mod)
        vm = relax.VirtualMachine(tvm.compile(mod, target="llvm"), tvm.cpu())
        np.testing.assert_allclose(vm["main"](*map(tvm.nd.array, (x, w, b))).numpy(), np.maximum(x @ w + b, 0), rtol=1e-5, atol=1e-6)

    def test_two_stages_one_of_which_adds_the_other_way_round(self):
        code = Code()
        mod = relax.transform.DeadCodeElimination()(SplitCallTIRByPattern([bias, matmul], code)(fused()))
        self.assertEqual([r.pattern.same_as(p) for r, p in zip(code.seen[0], (matmul, bias))], [True, True])
        self.assertEqual([x.name_hint for x in calls(mod)[0].args[1].fields], ["x", "w", "b"])
        self.assertIsInstance(mod["unfused_epilogue"].body.block.body, tvm.tir.For)
        self.assertEqual(len(calls(mod)[1].args[1].fields), 1)

    def test_a_whole_function(self):
        @I.ir_module
        class Product:
            @R.function
            def main(x: R.Tensor((4, 8), "float32"), w: R.Tensor((8, 6), "float32")) -> R.Tensor((4, 6), "float32"):
                with R.dataflow():
                    y = R.matmul(x, w)
                    R.output(y)
                return y

        mod = SplitCallTIRByPattern([matmul], Code())(fused(Product))
        call, = calls(mod)
        self.assertEqual(call.op.name, "relax.call_dps_packed")
        self.assertIsInstance(mod[call.args[0].global_symbol], relax.ExternFunc)

    def test_what_stays(self):
        before = fused()
        for patterns, code in (([bias], Code()), ([], Code()), ([matmul], Code(count=0))):
            tvm.ir.assert_structural_equal(SplitCallTIRByPattern(patterns, code)(before), before)
        for answer, words in ((["", 1], "2 values came"), (["", 1, [matmul.buffer_map[matmul.params[0]]]], "A is no operand")):
            with self.assertRaisesRegex(tvm.TVMError, words):
                SplitCallTIRByPattern([matmul], lambda found, answer=answer: answer)(before)

    def test_a_factor_that_is_not_there_is_one(self):
        @T.prim_func(private=True)
        def scaled(a: T.handle, c: T.handle, M: T.int64, s: T.float32, t: T.float32):
            A = T.match_buffer(a, (M,), "float32")
            C = T.match_buffer(c, (M,), "float32")
            for i in range(M):
                with T.block("scaled"):
                    vi = T.axis.spatial(M, i)
                    T.reads(A[vi])
                    T.writes(C[vi])
                    C[vi] = A[vi] * s + t

        def module(value):
            def main(x):
                builder = relax.BlockBuilder()
                with builder.function("main", [x]):
                    with builder.dataflow():
                        out = builder.emit_output(builder.emit_te(lambda a: tvm.te.compute((T.int64(5),), lambda i: value(a[i])), x))
                    builder.emit_func_output(out)
                return builder.finalize()

            return main(relax.Var("x", relax.TensorStructInfo((5,), "float32")))

        for value, numbers in ((lambda a: a * T.float32(3) + T.float32(2), [5, 3.0, 2.0]), (lambda a: a + T.float32(2), [5, 1.0, 2.0]),
                               (lambda a: a * T.float32(3), [5, 3.0, 0.0])):
            code = Code()
            SplitCallTIRByPattern([scaled], code)(module(value))
            self.assertEqual([x.value for x in code.seen[0][0].symbol_values], numbers)
        code = Code()
        SplitCallTIRByPattern([scaled], code)(module(lambda a: a - T.float32(2)))
        self.assertEqual(code.seen, [])


class Extern(unittest.TestCase):
    def test_attributes_are_saved_and_older_files_have_none(self):
        func = relax.ExternFunc("f").with_attr("c_source", "void f();")
        read = tvm.ir.load_json(tvm.ir.save_json(func))
        self.assertEqual(read.attrs["c_source"], "void f();")
        tvm.ir.assert_structural_equal(read, func)
        self.assertFalse(tvm.ir.structural_equal(relax.ExternFunc("f"), func))
        older = tvm.ir.load_json('{"format": "nodes", "form": "node", "nodes": [["ExternFunc", "", ["f", -1]]]}')
        tvm.ir.assert_structural_equal(older, relax.ExternFunc("f"))
        self.assertEqual(len(older.attrs), 0)


if __name__ == "__main__":
    tap.main()
