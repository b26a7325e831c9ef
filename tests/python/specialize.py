"""PrimFuncs with values put in place of variables: specialize, substitute; operators and offsets of buffers with constants."""
import unittest

import tap
import tvm
from tvm import te, tir
from tvm.ir import assert_structural_equal
from tvm.script import tir as T


@T.prim_func(private=True)
def scale(a: T.handle, b: T.handle, n: T.int32):
    m = T.int32()
    A = T.match_buffer(a, (m, n))
    B = T.match_buffer(b, (m * 4, n // 4))
    C = T.alloc_buffer((m, n))
    for i, j in T.grid(m, n - 1):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = A[vi, vj] * 2.0
            B[vi * 4 + vj % 4, vj // 4] = C[vi, vj]


@T.prim_func(private=True)
def scale_8(a: T.handle, b: T.handle):
    m = T.int32()
    A = T.match_buffer(a, (m, 8))
    B = T.match_buffer(b, (m * 4, 2))
    C = T.alloc_buffer((m, 8))
    for i, j in T.grid(m, 7):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = A[vi, vj] * 2.0
            B[vi * 4 + vj % 4, vj // 4] = C[vi, vj]


@T.prim_func(private=True)
def strided(a: T.handle, s: T.int32, e: T.int32) -> T.int32:
    A = T.match_buffer(a, (4, 4), strides=(s, 1), elem_offset=e)
    A[0, 0] = A[1, 1]


class Specialize(unittest.TestCase):
    def test_number(self):
        result = scale.specialize({scale.params[2]: 8})
        assert_structural_equal(result, scale_8)
        self.assertEqual(len(result.params), 2)
        self.assertEqual(len(scale.params), 3)

    def test_nothing(self):
        self.assertTrue(scale.specialize({}).same_as(scale))

    def test_buffer_gives_shape(self):
        result = scale.specialize({scale.params[0]: tir.decl_buffer((2, 8))})
        self.assertEqual([int(x) for x in result.buffer_map[result.params[1]].shape], [8, 2])
        self.assertEqual([int(x) for x in result.body.block.alloc_buffers[0].shape], [2, 8])

    def test_variable_for_variable(self):
        func = strided.specialize({strided.params[2]: strided.params[1] * 2})
        self.assertEqual(str(func.buffer_map[func.params[0]].elem_offset), "A_s0 * 2")
        self.assertEqual([p.name for p in func.params], ["a", "A_s0"])

    def test_strides_and_offset(self):
        func = strided.specialize({strided.params[0]: tir.decl_buffer((4, 4), strides=(8, 1), elem_offset=3)})
        buffer = func.buffer_map[func.params[0]]
        self.assertEqual((int(buffer.strides[0]), int(buffer.elem_offset), len(func.params)), (8, 3, 1))

    def test_memory_of_another_buffer(self):
        @T.prim_func(private=True)
        def copy(A: T.Buffer(4, "float32"), B: T.Buffer(4, "float32")):
            C = T.decl_buffer(4, data=B.data)
            C[0] = A[0]

        result = copy.specialize({copy.params[1]: copy.buffer_map[copy.params[0]]})
        self.assertTrue(result.body.buffer.data.same_as(copy.buffer_map[copy.params[0]].data))
        self.assertTrue(result.body.body.buffer.same_as(result.body.buffer))

    def test_address_gets_a_name(self):
        @T.prim_func(private=True)
        def copy(a: T.Ptr[T.float32], b: T.Ptr[T.float32]):
            A = T.decl_buffer(8, data=a)
            B = T.decl_buffer(4, data=b)
            B[0] = A[0]

        @T.prim_func(private=True)
        def expected(a: T.handle("float32")):
            A = T.decl_buffer(8, data=a)
            b: T.Ptr[T.float32] = T.address_of(A[4])
            B = T.decl_buffer(4, data=b)
            B[0] = A[0]

        assert_structural_equal(copy.specialize({copy.params[1]: tir.address_of(copy.body.buffer[4])}), expected)

    def test_type_of_relax_follows(self):
        @T.prim_func(private=True)
        def ten(n: T.int32) -> T.int32:
            T.ret(n * 10)

        result = ten.specialize({ten.params[0]: 5})
        self.assertEqual((len(ten.struct_info.params), len(result.struct_info.params)), (1, 0))
        self.assertEqual(int(result.body.value.args[0]), 50)

    def test_refused(self):
        a, _, n = scale.params
        for values, error in (({tir.Var("k", "int32"): 1}, ValueError), ({a: 1}, ValueError), ({n: tir.decl_buffer((2, 2))}, ValueError),
                              ({a: tir.decl_buffer((2,))}, ValueError), ({scale.params[1]: tir.decl_buffer((8, 2))}, TypeError),
                              ({n: 4, a: tir.decl_buffer((2, 8))}, ValueError), ({n: "4"}, TypeError),
                              ({a: tir.decl_buffer(list(scale.buffer_map[a].shape), "float16")}, ValueError), ([4], TypeError)):
            with self.assertRaises(error):
                scale.specialize(values)


class Substitute(unittest.TestCase):
    def test_shape_of_a_buffer(self):
        @T.prim_func(private=True)
        def func(n: T.int32):
            data = T.allocate([n], "float32")
            A = T.Buffer(n, "float32", data=data)
            for i in range(n):
                T.evaluate(A[i])

        @T.prim_func(private=True)
        def expected():
            data = T.allocate([16], "float32")
            A = T.Buffer(16, "float32", data=data)
            for i in range(16):
                T.evaluate(A[i])

        body = tir.stmt_functor.substitute(func.body, {func.params[0]: 16})
        assert_structural_equal(tir.PrimFunc([], body), expected)


class Constants(unittest.TestCase):
    def test_refused_when_folded(self):
        const = tir.const
        for f in (lambda: const(1.0, "float32") / 0.0, lambda: tir.Var("x", "float32") / const(0.0, "float32"), lambda: const(0, "uint8") - const(10, "uint8"),
                  lambda: tir.floormod(const(3), 0)):
            with self.assertRaises(tvm.TVMError):
                f()
        self.assertEqual(int(const(3, "uint8") - const(3, "uint8")), 0)
        self.assertEqual(str(tir.Div(const(1.0, "float32"), const(0.0, "float32"))), "T.float32(1.0) / T.float32(0.0)")

    def test_reduction_without_reducer(self):
        reduction = tir.Reduce(None, [1], [tir.IterVar((0, 4), "k", 2)], None, 0)
        self.assertIsNone(reduction.combiner)
        self.assertEqual((reduction.value_index, int(reduction.source[0])), (0, 1))
        reducer = tir.comm_reducer(lambda x, y: x + y, lambda t: tir.const(0, t))
        k = tvm.te.reduce_axis((0, 4), "k")
        self.assertEqual(len(reducer(tir.const(1.0, "float32"), axis=k).combiner.lhs), 1)

    def test_unknown_intrinsic_of_llvm(self):
        for call in (tir.call_llvm_intrin, tir.call_llvm_pure_intrin):
            with self.assertRaisesRegex(ValueError, "Unknown llvm intrinsic function llvm.dummy"):
                call("int32x4", "llvm.dummy")
            number = tvm.target.codegen.llvm_lookup_intrinsic_id("llvm.fabs")
            self.assertEqual(call("float32", number, 1.0).args[0].value, "llvm.fabs")

    def test_offset_with_like_remainders(self):
        buffer = tir.decl_buffer((4, 6, 8))
        i, j = tvm.te.size_var("i"), tvm.te.size_var("j")
        whole = i * 15 + j
        given = buffer.offset_of([0, whole // 6, (i * 3 + j) % 6])
        self.assertNotEqual(str(given[0]), str(buffer.offset_of([0, 0, whole])[0]))
        buffer = tir.decl_buffer((4, 6))
        assert_structural_equal(buffer.offset_of([whole // 6, (i * 3 + j) % 6]), buffer.offset_of([0, whole]))
        self.assertNotEqual(str(buffer.offset_of([whole // 6, (i * 2 + j) % 6])[0]), str(buffer.offset_of([0, whole])[0]))


class Values(unittest.TestCase):
    def test_type_of_a_binding(self):
        x = tir.Var("x", "int32")
        for value in (tir.const(1, "int64"), tir.const(1, "uint32"), tir.const(1.0, "float32")):
            with self.assertRaises(tvm.TVMError):
                tir.Let(x, value, x)
            with self.assertRaises(tvm.TVMError):
                tir.LetStmt(x, value, tir.Evaluate(x))
        self.assertEqual(str(tir.Let(x, 1, x + 1)), "T.Let(x + 1, where={x: 1})")
        self.assertEqual(int(tir.LetStmt(x, 1, tir.Evaluate(x)).value), 1)

    def test_constants_and_none(self):
        for compare in (lambda: tir.const(1) == None, lambda: tir.const(1) != None):  # noqa: E711
            with self.assertRaises(ValueError):
                compare()
        self.assertTrue(tir.StringImm("a") != None)  # noqa: E711
        from tvm.base import TVMError

        self.assertIs(TVMError, tvm.TVMError)


class ExternFunctions(unittest.TestCase):
    def stages(self, func, names):
        buffers = {b.name: b for b in func.buffer_map.values()}
        inputs = [te.placeholder(buffers[name].shape, name=name) for name in names]
        outputs = te.extern_primfunc(inputs, func)
        outputs = outputs if isinstance(outputs, list) else [outputs]
        op = outputs[0].op
        tensors = dict(zip([b.name for b in op.input_placeholders], op.input_tensors))
        tensors.update(zip([b.name for b in op.output_placeholders], outputs))
        return [b.name for b in op.output_placeholders], te.create_prim_func([tensors[func.buffer_map[p].name] for p in func.params])

    def test_outputs_are_what_is_only_written(self):
        @T.prim_func
        def copies(A: T.Buffer((4,), "float32"), X: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
            for i in range(4):
                with T.block("x"):
                    vi = T.axis.spatial(4, i)
                    X[vi] = A[vi] + B[vi]

        outputs, func = self.stages(copies, ["A", "B"])
        self.assertEqual(outputs, ["X"])
        assert_structural_equal(tvm.lower(copies), tvm.lower(func))

    def test_the_last_that_is_written(self):
        @T.prim_func
        def sums(C: T.Buffer((1,), "float32"), A: T.Buffer((4,), "float32"), D: T.Buffer((1,), "float32")):
            for i in range(4):
                with T.block("x"):
                    vi = T.axis.spatial(4, i)
                    C[0] = C[0] + A[vi] * D[0]
                    A[vi] = C[0]

        outputs, func = self.stages(sums, ["C", "D"])
        self.assertEqual(outputs, ["A"])
        assert_structural_equal(tvm.lower(sums), tvm.lower(func))


class Dependences(unittest.TestCase):
    def test_blocks_under_loops_of_their_own(self):
        @T.prim_func
        def two(A: T.Buffer((4,), "float32"), C: T.Buffer((4,), "float32")):
            B = T.alloc_buffer((4,), "float32")
            for i in range(4):
                with T.block("B"):
                    vi = T.axis.spatial(4, i)
                    B[vi] = A[vi]
            for i in range(4):
                with T.block("C"):
                    vi = T.axis.spatial(4, i)
                    C[vi] = B[vi]

        info, blocks = tir.BlockDependenceInfo(two), {}
        tir.stmt_functor.post_order_visit(two.body, lambda node: blocks.setdefault(node.name_hint, node) if isinstance(node, tir.Block) else None)
        source = info.get_sref(blocks["B"])
        (found,) = info.get_block_scope(source.parent).get_deps_by_src(source)
        self.assertEqual((found.dst == info.get_sref(blocks["C"]), found.kind.name), (True, "RAW"))


class HostFunctions(unittest.TestCase):
    def test_bind_target(self):
        mod = tvm.IRModule({"main": scale_8.with_attr({"global_symbol": "main", "tir.is_host_func": 1})})
        attrs = tir.transform.BindTarget(tvm.target.Target("cuda"))(mod)["main"].attrs
        self.assertNotIn("tir.is_host_func", attrs)
        target = tvm.target.Target.of_attribute(attrs["target"])
        self.assertEqual((target.kind.name, target.host.kind.name), ("llvm", "llvm"))
        mod = tvm.IRModule({"main": scale_8.with_attr({"global_symbol": "main", "tir.is_host_func": 0})})
        attrs = tir.transform.BindTarget(tvm.target.Target("cuda"))(mod)["main"].attrs
        self.assertEqual(tvm.target.Target.of_attribute(attrs["target"]).kind.name, "cuda")


if __name__ == "__main__":
    tap.main()
