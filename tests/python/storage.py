"""Passes that lay memory out: allocations that share it, pointers to vectors."""
import unittest

import tap
import tvm
from tvm import tir
from tvm.script import ir as I, tir as T


def module_of(func):
    return tvm.IRModule({"main": func})


def same(transform, before, after):
    tvm.ir.assert_structural_equal(transform(module_of(before))["main"], after)


def allocations(func):
    found = []
    tir.stmt_functor.post_order_visit(func.body, lambda node: found.append(node) if isinstance(node, tir.Allocate) else None)
    return found


class Sharing(unittest.TestCase):
    def chain(self, scope, second="float32", size=64):
        @T.prim_func(private=True)
        def func(A: T.Buffer((64,), "float32"), D: T.Buffer((64,), "float32")):
            B_data = T.allocate([64], "float32", scope)
            B = T.Buffer((64,), data=B_data, scope=scope)
            for i in range(64):
                B[i] = A[i]
            for i in range(64):
                D[i] = B[63 - i]
            C_data = T.allocate([size], second, scope)
            C = T.Buffer((size,), second, data=C_data, scope=scope)
            for i in range(64):
                C[i] = T.Cast(second, D[i])
            for i in range(64):
                D[i] = T.Cast("float32", C[63 - i])

        return tir.transform.StorageRewrite()(module_of(func))["main"]

    def test_lives_that_do_not_overlap_share(self):
        self.assertEqual([int(a.extents[0]) for a in allocations(self.chain("global"))], [64])

    def test_the_largest_decides(self):
        for second, size, want in (("float32", 80, 80), ("int8", 200, 64)):
            found = allocations(self.chain("shared", second, size))
            self.assertEqual([(str(a.dtype), int(a.extents[0])) for a in found], [("float32", want)])

    def test_registers_are_not_shared(self):
        self.assertEqual(len(allocations(self.chain("local"))), 2)

    def test_what_is_only_declared_goes(self):
        @T.prim_func(private=True)
        def before(A: T.Buffer((8,), "float32")):
            idle = T.decl_buffer((8,), "float32")
            mark = T.allocate([8], "float32", "global")
            T.attr(mark, "storage_alignment", 64)
            seen = T.allocate([8], "float32", "global")
            for i in range(8):
                A[i] = T.call_extern("float32", "peek", seen)

        names = [a.buffer_var.name for a in allocations(tir.transform.StorageRewrite()(module_of(before))["main"])]
        self.assertEqual(sorted(names), ["mark", "seen"], "an attribute and an expression are uses, a declaration is none")

    def test_memory_with_a_tag_is_one_allocation(self):
        @T.prim_func(private=True)
        def func(A: T.Buffer((8,), "float32")):
            B_data = T.allocate([5], "int8", "local.X")
            B = T.Buffer((5,), "int8", data=B_data, scope="local.X")
            C_data = T.allocate([8], "float32", "local.X")
            C = T.Buffer((8,), data=C_data, scope="local.X")
            for i in range(5):
                B[i] = T.int8(1)
                C[i] = A[i]
            for i in range(5):
                A[i] = C[i] + T.Cast("float32", B[4 - i])

        after = tir.transform.StorageRewrite()(module_of(func))["main"]
        self.assertEqual([(str(a.dtype), int(a.extents[0])) for a in allocations(after)], [("int8", 40)])
        self.assertIn("[2 + i]", str(after))

    def test_reading_other_elements_is_not_in_place(self):
        @T.prim_func(private=True)
        def func(A: T.Buffer((64,), "float32")):
            B_data = T.allocate([64], "float32")
            B = T.Buffer((64,), data=B_data)
            C_data = T.allocate([64], "float32")
            C = T.Buffer((64,), data=C_data)
            for i in range(64):
                B[i] = A[i]
            for i in range(64):
                C[i] = B[63 - i]
            for i in range(64):
                A[i] = C[i]

        self.assertEqual(len(allocations(tir.transform.StorageRewrite()(module_of(func))["main"])), 2)

    def test_shared_memory_can_be_left_to_another_pass(self):
        with tvm.transform.PassContext(config={"tir.merge_static_smem": True}):
            self.assertEqual(len(allocations(self.chain("shared"))), 2)

    def test_allocations_stand_at_the_begin_of_their_threads(self):
        @T.prim_func(private=True)
        def before(A: T.Buffer((64,), "float32")):
            with T.launch_thread("threadIdx.x", 8) as t:
                for i in range(8):
                    B_data = T.allocate([8], "float32", "local")
                    B = T.Buffer((8,), data=B_data, scope="local")
                    B[i] = A[t * 8 + i]
                    A[t * 8 + i] = B[i] + T.float32(1)

        @T.prim_func(private=True)
        def after(A: T.Buffer((64,), "float32")):
            with T.launch_thread("threadIdx.x", 8) as t:
                B_data = T.allocate([8], "float32", "local")
                B = T.Buffer((8,), data=B_data, scope="local")
                for i in range(8):
                    B[i] = A[t * 8 + i]
                    A[t * 8 + i] = B[i] + T.float32(1)

        same(tir.transform.StorageRewrite(), before, after)


class Vectors(unittest.TestCase):
    def test_elements_are_taken_out_of_vectors(self):
        @T.prim_func(private=True)
        def before(A: T.Buffer((8,), "int32"), B: T.Buffer((2,), "int32")):
            L_data = T.allocate([8], "int32", "local")
            L = T.Buffer((8,), "int32", data=L_data, scope="local")
            for i in range(2):
                L[i * 4:i * 4 + 4] = A[i * 4:i * 4 + 4]
            for i in range(2):
                B[i] = L[i * 4 + 3]

        @T.prim_func(private=True)
        def after(A: T.Buffer((2,), "int32x4"), B: T.Buffer((2,), "int32")):
            L_data = T.allocate([2], "int32x4", "local")
            L = T.Buffer((2,), "int32x4", data=L_data, scope="local")
            for i in range(2):
                L[T.Div(i * 4, 4)] = A[T.Div(i * 4, 4)]
            for i in range(2):
                B[i] = T.Shuffle([L[T.Div(i * 4 + 3, 4)]], [3])

        same(tir.transform.PointerValueTypeRewrite(), before, after)

    def test_other_accesses_keep_the_type(self):
        @T.prim_func(private=True)
        def before(A: T.Buffer((8,), "int32"), B: T.Buffer((10,), "int32")):
            A[0:4] = T.Broadcast(1, 4)
            A[5] = 3
            B[0:4] = T.Broadcast(1, 4)

        same(tir.transform.PointerValueTypeRewrite(), before, before)


if __name__ == "__main__":
    tap.main()
