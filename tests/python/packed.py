"""Passes that give functions the signatures of their callers."""
import unittest

import tap
import tvm
from tvm import tir
from tvm.script import ir as I, tir as T


def module_of(func, target="llvm"):
    with_target = func.with_attr("target", tvm.target.Target(target, host="llvm"))
    return tvm.IRModule({"main": with_target.with_attr("global_symbol", "main")})


def find(func, kind):
    found = []
    tir.stmt_functor.post_order_visit(func.body, lambda node: found.append(node) if isinstance(node, kind) else None)
    return found


class Packed(unittest.TestCase):
    def messages(self, func, target="llvm"):
        after = tir.transform.MakePackedAPI()(module_of(func, target))["main"]
        self.assertEqual([p.name for p in after.params], ["args", "arg_type_ids", "num_args", "out_ret_value", "out_ret_tcode", "resource_handle"])
        self.assertEqual((len(after.buffer_map), int(after.attrs["calling_conv"])), (0, 1))
        return after, [node.message.value for node in reversed(find(after, tir.AssertStmt))]

    def test_arguments_are_checked_before_they_are_read(self):
        @T.prim_func
        def func(a: T.handle, n: T.int32, x: T.float32, yes: T.bool):
            A = T.match_buffer(a, (n, 4), "float16")
            A[0, 0] = T.float16(1)

        messages = self.messages(func)[1]
        self.assertEqual(messages[:7], ["main: num_args should be 4", "main: TVMValue* arg pointer was NULL", "main: int* type_codes was NULL",
                                        "main: Expect arg[0] to be pointer", "main: Expect arg[1] to be int", "main: Expect arg[2] to be float",
                                        "main: Expect arg[3] to be boolean"])
        self.assertEqual(messages[7:9], ["main.a is expected to have non-NULL DLTensor* pointer", "main.a.ndim is expected to equal 2"])
        self.assertIn("main.a.dtype is expected to be float16", messages)
        self.assertIn("main.a.strides: expected to be compact array", messages)
        self.assertTrue(any(m.startswith("Argument main.a.shape[0] has an unsatisfied constraint") for m in messages))

    def test_variables_of_a_shape_are_bound_by_it(self):
        @T.prim_func
        def func(a: T.handle):
            n = T.int64()
            A = T.match_buffer(a, (n, n), "int8")
            A[0, 0] = T.int8(1)

        after, messages = self.messages(func)
        self.assertEqual(sum(node.var.name == "n" for node in find(after, tir.LetStmt)), 1)
        self.assertTrue(any("shape[1]" in m for m in messages))

    def test_a_tensor_without_data_has_no_elements(self):
        """65536 * 65536 is zero in int32; a null pointer is right for an extent of zero only, and strides are compared as they are."""
        @T.prim_func
        def func(a: T.handle, b: T.handle):
            n, m, k = T.int32(), T.int32(), T.int32()
            A = T.match_buffer(a, (n, m, k), "int8")
            B = T.match_buffer(b, (4, 65536, 65536), "int8")
            A[0, 0, 0] = B[0, 0, 0]

        after = self.messages(func)[0]
        claims = {node.message.value: str(node.condition) for node in find(after, tir.AssertStmt)}
        self.assertRegex(claims["main.a is expected to have non-NULL data pointer"], r"^n == 0 or m == 0 or k == 0 or not T\.isnullptr\(\w+\)$")
        self.assertRegex(claims["main.b is expected to have non-NULL data pointer"], r"^not T\.isnullptr\(\w+\)$")
        for name, step in (("a", r'T\.Cast\("int64", k\) \* T\.Cast\("int64", m\)'), ("b", r"T\.int64\(4294967296\)")):
            self.assertRegex(claims[f"main.{name}.strides: expected to be compact array"], step + r" == \S+\[0\]")

    def test_other_devices_are_set(self):
        @T.prim_func
        def func(A: T.Buffer((4,), "float32")):
            A[0] = T.float32(1)

        self.assertIn("__tvm_set_device", str(self.messages(func, "cuda")[0]))
        self.assertNotIn("__tvm_set_device", str(self.messages(func)[0]))

    def test_results_go_where_the_caller_wants_them(self):
        @T.prim_func
        def func(n: T.int32) -> T.float32:
            T.ret(T.float32(2))

        text = str(self.messages(func)[0])
        self.assertIn('T.Cast("float64", T.float32(2.0))', text)
        self.assertIn("out_ret_tcode_1[0] = 2", text)

    def test_what_is_lowered_stays(self):
        @T.prim_func
        def func(A: T.Buffer((4,), "float32")):
            A[0] = T.float32(1)

        once = tir.transform.MakePackedAPI()(module_of(func))
        tvm.ir.assert_structural_equal(tir.transform.MakePackedAPI()(once), once)


class Builtins(unittest.TestCase):
    def test_packed_calls_lie_on_stacks(self):
        @T.prim_func(private=True)
        def func(n: T.int32):
            T.func_attr({"target": T.target("llvm")})
            T.evaluate(T.call_packed("f", n, T.float32(1), "text"))
            for i in T.parallel(4):
                T.evaluate(T.call_packed("g", i))

        text = str(tir.transform.LowerTVMBuiltin()(tvm.IRModule({"main": func})))
        self.assertEqual((text.count('"arg_value", 4'), text.count('"arg_value", 2')), (1, 1))
        self.assertIn('T.call_packed_lowered("f"', text.replace("tvm_call_packed_lowered", "call_packed_lowered"))
        self.assertIn("stack_tcode_1[2] = 11", text)

    def test_large_memory_is_taken_from_the_device(self):
        @T.prim_func(private=True)
        def func():
            T.func_attr({"target": T.target("llvm")})
            with T.attr("default", "device_id", 0):
                small = T.allocate([16], "float32")
                large = T.allocate([4096], "float32")
                B = T.Buffer((4096,), data=large)
                C = T.Buffer((16,), data=small)
                B[0] = C[0]

        text = str(tir.transform.LowerTVMBuiltin()(tvm.IRModule({"main": func})))
        self.assertIn("T.TVMBackendAllocWorkspace(1, 0, T.uint64(16384), 2, 32)", text)
        self.assertIn("T.allocate([16]", text)

    def test_assertions_go(self):
        after = tir.transform.MakePackedAPI()(module_of(_one_store))
        self.assertNotIn("assert", str(tir.transform.SkipAssert()(after)))


@T.prim_func
def _one_store(A: T.Buffer((4,), "float32")):
    A[0] = T.float32(1)


class Unpacked(unittest.TestCase):
    def test_buffers_become_pointers(self):
        @T.prim_func
        def func(A: T.Buffer((4,), "float32"), n: T.int32):
            A[0] = T.float32(n)

        after = tir.transform.MakeUnpackedAPI()(module_of(func))["main"]
        self.assertEqual([str(p.dtype) for p in after.params], ["handle", "int32"])
        self.assertEqual([node.attr_key for node in reversed(find(after, tir.AttrStmt))], ["device_id", "device_type"])
        self.assertEqual(str(after.ret_type.dtype), "int32")

    def test_a_target_is_asked_for(self):
        @T.prim_func
        def func(A: T.Buffer((4,), "float32")):
            A[0] = T.float32(1)

        with self.assertRaisesRegex(tvm.TVMError, "target"):
            tir.transform.MakeUnpackedAPI()(tvm.IRModule({"main": func}))


class Bfloat16(unittest.TestCase):
    def test_it_is_computed_in_float32_and_stored_as_bits(self):
        import numpy

        @T.prim_func
        def func(A: T.Buffer((64,), "bfloat16"), C: T.Buffer((64,), "bfloat16")):
            B = T.decl_buffer((64,), "bfloat16")
            for i in range(64):
                B[i] = A[i] * A[i] + T.bfloat16(0.5)
            for i in range(64):
                C[i] = T.max(B[i], A[63 - i])

        after = tir.transform.BF16StorageLegalize()(tir.transform.BF16ComputeLegalize()(module_of(func)))
        self.assertNotIn("bfloat16", str(after))
        self.assertIn('"float32"', str(after))
        bits = (numpy.arange(64, dtype="float32") / 7 - 4).view("uint32") >> 16
        wide = (bits << 16).astype("uint32").view("float32")
        want = numpy.maximum(wide * wide + numpy.float32(0.5), wide[::-1]).view("uint32")
        want = (want + ((want >> 16) & 1) + 0x7FFF) >> 16
        out = tvm.nd.array(numpy.zeros(64, dtype="uint16"))
        tvm.build(after["main"].without_attr("target"), target="llvm")(tvm.nd.array(bits.astype("uint16")), out)
        numpy.testing.assert_array_equal(out.numpy(), want.astype("uint16"))

    def test_machines_that_know_it_keep_it(self):
        @T.prim_func(private=True)
        def func(A: T.Buffer((64,), "bfloat16")):
            for i in range(64):
                A[i] = A[i] + T.bfloat16(1)

        mod = tir.transform.BindTarget(tvm.target.Target("nvidia/nvidia-a100"))(tvm.IRModule({"main": func}))
        tvm.ir.assert_structural_equal(tir.transform.BF16ComputeLegalize()(mod), mod)



class Lowered(unittest.TestCase):
    def test_calls_behind_the_lowering(self):
        for call, name in ((tvm.tir.call_packed_lowered, "tir.tvm_call_packed_lowered"), (tvm.tir.call_cpacked_lowered, "tir.tvm_call_cpacked_lowered")):
            made = call("f", 1)
            self.assertEqual((made.op.name, made.args[0].value, made.dtype), (name, "f", "int32"))


if __name__ == "__main__":
    tap.main()
