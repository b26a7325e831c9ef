"""Libraries and devices that are not here: what is handed to them, what is said where they are asked for, and calls for devices by the names of their arguments."""
import unittest

import numpy as np
import tap
import tvm
import tvm.contrib.dlpack
from tvm import relax, rpc, te, tir
from tvm.contrib import cudnn, coreml_runtime, dnnl, emcc, miopen, mps, nnpack, spirv, tflite_runtime, xcode
from tvm.relax.backend.cuda import flashinfer
from tvm.relax.backend.cuda.cudnn import partition_for_cudnn
from tvm.relax.backend.metal.coreml import partition_for_coreml
from tvm.relax.backend.rocm.hipblas import partition_for_hipblas
from tvm.script import ir as I, relax as R, tir as T
from tvm.target import Target


def composites(mod):
    found = []
    for _, func in mod.functions.items():
        if func.attrs is not None and "Codegen" in func.attrs:
            relax.analysis.post_order_visit(func, lambda node: found.append(str(node.attrs["Composite"])) if isinstance(node, relax.Function)
                                            and node.attrs is not None and "Composite" in node.attrs else None)
    return found


class Partitions(unittest.TestCase):
    def convolution(self, layout, dtype="float16"):
        @I.ir_module
        class Plain:
            @R.function
            def main(x: R.Tensor((2, 9, 9, 6), "float16"), w: R.Tensor((12, 3, 3, 6), "float16"), b: R.Tensor((12,), "float16")):
                with R.dataflow():
                    y = R.nn.conv2d(x, w, data_layout="NHWC", kernel_layout="OHWI")
                    z = R.nn.relu(R.add(y, b))
                    R.output(z)
                return z

        text = Plain.script()
        if layout != "OHWI":
            text = text.replace('kernel_layout="OHWI"', f'kernel_layout="{layout}"').replace("w: R.Tensor((12, 3, 3, 6)", "w: R.Tensor((3, 3, 6, 12)")
        return tvm.script.from_source(text.replace("float16", dtype))

    def test_convolutions(self):
        self.assertEqual(composites(partition_for_cudnn(self.convolution("OHWI"))), ["cudnn.conv2d.nhwc_ohwi_bias_relu"])
        self.assertEqual(composites(partition_for_cudnn(self.convolution("OHWI", "float32"))), ["cudnn.conv2d.nhwc_ohwi_bias_relu"])
        self.assertEqual(composites(partition_for_cudnn(self.convolution("HWIO"))), [])

    def test_products(self):
        @I.ir_module
        class Product:
            @R.function
            def main(x: R.Tensor((5, 8), "float16"), w: R.Tensor((8, 12), "float16"), b: R.Tensor((12,), "float16")):
                with R.dataflow():
                    z = R.nn.gelu(R.add(R.matmul(x, w), b))
                    R.output(z)
                return z

        self.assertEqual(composites(partition_for_hipblas(Product)), ["hipblas.matmul_bias_gelu"])
        wide = tvm.script.from_source(Product.script().replace("float16", "float64"))
        self.assertEqual(composites(partition_for_hipblas(wide)), [])


    def test_core_ml(self):
        @I.ir_module
        class Layers:
            @R.function
            def main(x: R.Tensor((1, 3, 8, 8), "float32"), w: R.Tensor((4, 3, 3, 3), "float32"), y: R.Tensor((4, 6, 6), "float32")):
                with R.dataflow():
                    a = R.nn.relu(R.nn.conv2d(x, w))
                    z = R.clip(R.multiply(a, R.expand_dims(y, 0)), 0, 6)
                    s = R.exp(z)
                    R.output(s)
                return s

        mod = partition_for_coreml(Layers)
        self.assertEqual(composites(mod), ["coreml.nn.conv2d", "coreml.nn.relu", "coreml.expand_dims", "coreml.multiply", "coreml.clip"])
        self.assertEqual(mod["main"].script().count("R.exp("), 1)
        with self.assertRaisesRegex(Exception, "are made by coremltools and Apple's Xcode"):
            relax.transform.RunCodegen()(mod)

    def test_flashinfer(self):
        with self.assertRaisesRegex(ValueError, "heads of one size"):
            flashinfer.gen_flashinfer_prefill_module("float16", "float16", "float16", 64, 32, Target("cuda"))
        for make, words in ((lambda: flashinfer.gen_flashinfer_prefill_module("float16", "float16", "float16", 64, 64, Target("cuda")), "prefill"),
                            (lambda: flashinfer.gen_flashinfer_decode_module("float16", "float16", "float16", 64, 64, Target("cuda")), "decode"),
                            (lambda: flashinfer.gen_flashinfer_mla_module("float16", "float16", "float16", 512, 64, Target("cuda")), "latent attention"),
                            (lambda: flashinfer.gen_sampling_module(Target("cuda")), "sampling"), (lambda: flashinfer.gen_grouped_gemm_module(Target("cuda")), "grouped products")):
            with self.assertRaisesRegex(ImportError, "FlashInfer is not installed, which writes kernels of " + words):
                make()


class Calls(unittest.TestCase):
    def test_extern_calls_run_what_is_registered(self):
        seen = []

        @tvm.register_func("tvm.contrib.dnnl.conv2d", override=True)
        def conv2d(x, w, y, *rest):
            seen.append(rest)
            tvm.nd.array(np.full(y.shape, x.numpy().sum() + w.numpy().sum(), "float32")).copyto(y)

        x, w = te.placeholder((1, 3, 9, 9), name="x"), te.placeholder((4, 3, 3, 3), name="w")
        y = dnnl.dnnl_conv2d(x, w, (2, 1), 1, 1, 1)
        self.assertEqual([int(n) for n in y.shape], [1, 4, 5, 9])
        self.assertEqual([int(n) for n in dnnl.dnnl_conv2d(te.placeholder((1, 9, 9, 3)), te.placeholder((3, 3, 3, 4)), 1, 0, 2, 1, channel_last=True).shape], [1, 5, 5, 4])
        given = [tvm.nd.array(np.ones([int(n) for n in t.shape], "float32")) for t in (x, w, y)]
        tvm.build(te.create_prim_func([x, w, y]), target="llvm")["main"](*given)
        self.assertEqual(seen, [(1, 1, 1, 1, 2, 1, 1, False, True)])
        self.assertEqual(float(given[2].numpy()[0, 3, 4, 8]), 3 * 81 + 4 * 27)

    def test_shapes(self):
        self.assertEqual(cudnn.conv_output_shape(0, [1, 1], [2, 1], [1, 2], [2, 6, 9, 9], [8, 3, 3, 3], "float32", "float32", 2), [2, 8, 5, 7])
        self.assertEqual(cudnn.conv_output_shape(1, [0, 0], [1, 1], [1, 1], [2, 9, 9, 6], [8, 3, 3, 6], "float32", "float32"), [2, 7, 7, 8])
        with self.assertRaises(ValueError):
            cudnn.conv_output_shape(0, [0], [1], [1], [2, 6, 9], [8, 3, 3], "float32", "float32")
        a = te.placeholder((5, 7), name="a")
        for made in (cudnn.softmax(a), miopen.log_softmax(a), mps.matmul(a, te.placeholder((7, 5)))):
            self.assertEqual(int(made.shape[0]), 5)

    def test_what_is_missing_is_told_by_name(self):
        self.assertFalse(cudnn.exists() or nnpack.is_available())
        for act, kind, name in ((lambda: coreml_runtime.create("m", "p", tvm.cpu()), ValueError, "tvm.coreml_runtime.create"),
                                (lambda: tflite_runtime.create(b"", tvm.cpu()), ValueError, "tvm.tflite_runtime.create"),
                                (lambda: emcc.create_tvmjs_wasm("a.wasm", "b.o", cc="no-emcc"), RuntimeError, "no-emcc"),
                                (lambda: rpc.connect("far.away", 9190), ConnectionRefusedError, "far.away")):
            with self.assertRaisesRegex(kind, name):
                act()
        import shutil

        for act, program in ((lambda: xcode.xcrun(["-find", "metal"]), "xcrun"), (lambda: spirv.optimize(b"\0"), "spirv-opt")):
            if shutil.which(program) is None:
                self.assertRaisesRegex(RuntimeError, program, act)

    def test_tensors_of_others(self):
        class Foreign:
            def __init__(self, array):
                self.array = array

        @T.prim_func
        def twice(A: T.Buffer((4,), "float32")):
            for i in range(4):
                A[i] = A[i] * T.float32(2)

        array = np.arange(4, dtype="float32")
        tvm.contrib.dlpack.convert_func(tvm.build(twice, target="llvm"), Foreign, lambda one: one.array)(Foreign(array))
        np.testing.assert_array_equal(array, [0, 2, 4, 6])

    def test_names_of_servers(self):
        import tvm.exec.rpc_server
        import tvm.rpc.base
        import tvm.rpc.client

        self.assertIs(tvm.rpc.client.LocalSession, rpc.LocalSession)
        self.assertEqual((tvm.rpc.base.TrackerCode.SUMMARY, tvm.rpc.base.split_random_key("a:b:0.5")), (6, ["a:b", "0.5"]))
        with self.assertRaises(NotImplementedError):
            tvm.exec.rpc_server.main()


class Devices(unittest.TestCase):
    def test_arguments_have_names(self):
        x, buffer = tir.Var("x", "float16"), tir.decl_buffer((64,), "float16")
        call = tir.tvm_warp_shuffle(T.uint32(0xffffffff), x, warp_id=0, width=32, warp_size=32)
        self.assertEqual((call.dtype, len(call.args)), ("float16", 5))
        self.assertEqual(tir.tvm_thread_invariant(x).dtype, "float16")
        self.assertEqual([tir.tvm_struct_get(buffer.data, 0, 2, one).dtype for one in ("handle", "int64")], ["handle", "int64"])
        call = tir.simdgroup_load(buffer.data, 0, ptr=buffer.access_ptr("r"), stride=8, transpose_matrix=True)
        self.assertEqual([str(one) for one in call.args[-4:]], ["8", "8", "8", "T.bool(True)"])
        call = tir.ptx_mma("float32", "m8n8k4", "row", "col", "fp16", "fp16", "fp32", buffer.data, 0, buffer.data, 0, buffer.data, 0, False)
        self.assertEqual((call.dtype, len(call.args)), ("float32", 13))
        self.assertEqual(len(tir.ptx_mma("int32", "m8n8k32", "row", "col", "int4", "int4", "int32", x, 0, x, 0, x, 0, False, operator="xor").args), 14)
        for bad in (lambda: tir.tvm_warp_shuffle(0, x), lambda: tir.ptx_wait_group(1, 2), lambda: tir.mma_fill("float32", size=8)):
            self.assertRaises(TypeError, bad)

    def test_vectors_of_a_buffer_have_its_type(self):
        plain, vectors = tir.decl_buffer((8,), "float32"), tir.decl_buffer((8,), "float32x4")
        self.assertEqual([plain.vload([1], "float32x4").dtype, vectors.vload([1]).dtype, vectors.vload([1], "float32x8").dtype], ["float32x4", "float32x4", "float32x8"])
        self.assertEqual(str(plain.vload([1], "float32xvscalex4").indices[0].lanes), "T.vscale() * 4")
        for bad in (lambda: plain.vload([0], "int32"), lambda: vectors.vload([0], "float32"), lambda: plain.vstore([0], tir.const(1, "int32"))):
            self.assertRaises(tvm.TVMError, bad)

    def test_what_a_target_says(self):
        target = Target({"kind": "vulkan", "max_num_threads": 64, "supports_cooperative_matrix": True})
        self.assertEqual((target.max_block_size_y, target.supports_cooperative_matrix, Target("hexagon -vtcm-capacity=1024").vtcm_capacity), (64, True, 1024))
        self.assertIs(Target.target_or_current(target), target)
        with target:
            self.assertIs(Target.target_or_current(None), target)
        with self.assertRaises(ValueError):
            Target.target_or_current(None)

    def test_objects_for_other_processors(self):
        import os
        import tempfile

        @T.prim_func
        def main(A: T.Buffer((10,), "float32")):
            for i in range(10):
                A[i] = A[i] + T.float32(1)

        with tempfile.TemporaryDirectory() as folder:
            for triple, size, machine in (("i386-pc-linux-gnu", 1, 3), ("aarch64-linux-gnu", 2, 183), ("x86_64-linux-gnu", 2, 62)):
                path = os.path.join(folder, "code.o")
                tvm.build(main, target=f"llvm -mtriple={triple}").save(path)
                with open(path, "rb") as file:
                    head = file.read(20)
                self.assertEqual((head[:4], head[4], int.from_bytes(head[18:20], "little")), (b"\x7fELF", size, machine))

    def test_guarded_elements_by_one_instruction(self):
        @T.prim_func
        def main(A: T.Buffer((16,), "float32"), B: T.Buffer((32,), "float32")):
            t = T.launch_thread("threadIdx.x", 32)
            L = T.decl_buffer((1,), scope="local")
            L[0] = T.if_then_else(t % 2 == 0, A[t // 2], T.float32(3))
            B[t] = L[0] + T.if_then_else(t < 16, A[t % 16], T.float32(0))

        def calls(func):
            found = []
            tir.stmt_functor.post_order_visit(func.body, lambda n: found.append(n) if isinstance(n, tir.Call) and n.op.name == "tir.ptx_ldg32" else None)
            return found

        after = tir.transform.InjectPTXLDG32()(tvm.IRModule({"main": main}))["main"]
        self.assertEqual([str(call.args[2]) for call in calls(after)], ["A[addr[0]]"])
        self.assertIn("L[addr[1]] = T.float32(3.0)", after.script())
        self.assertEqual(tvm.script.from_source(after.script()).script(), after.script())
        for other in (main.with_attr("target", Target("llvm")), main.with_attr("target", Target("rocm"))):
            self.assertEqual(calls(tir.transform.InjectPTXLDG32()(tvm.IRModule({"main": other}))["main"]), [])
        self.assertTrue(tvm.ir.structural_equal(tir.transform.InjectPTXLDG32(False)(tvm.IRModule({"main": main}))["main"], main))

        @T.prim_func
        def writes(A: T.Buffer((16,), "float32")):
            for i in range(8):
                A[i] = T.if_then_else(i < 4, A[i + 8], T.float32(0))

        self.assertTrue(tvm.ir.structural_equal(tir.transform.InjectPTXLDG32()(tvm.IRModule({"main": writes}))["main"], writes))

    def test_each_thread_has_its_own_places(self):
        """The buffers stand inside of the threads, and the fetch, which writes, stays where what does nothing goes."""
        @T.prim_func
        def main(A: T.Buffer((64,), "float32"), C: T.Buffer((64,), "float32")):
            for i in T.thread_binding(64, thread="threadIdx.x"):
                C[i] = T.if_then_else(i < 60, A[i + 4], T.float32(0))

        after = tir.transform.RemoveNoOp()(tir.transform.InjectPTXLDG32()(tvm.IRModule({"main": main})))["main"]
        self.assertIsInstance(after.body, tir.For)
        self.assertIsInstance(after.body.body, tir.Allocate)
        self.assertIn('T.ptx_ldg32("float32", C.data, predicate[0], A[addr[0]], addr[1])', after.script())


class Inspected(unittest.TestCase):
    """What a tensor's struct info says of it is a number, not a question for the run."""

    def test_known_numbers(self):
        @R.function(private=True)
        def asked(A: R.Tensor((4, "n"), "float16"), B: R.Tensor(dtype="int8", ndim=3)):
            n = T.int64()
            return (A.dtype.bits, A.dtype.type_code, A.ndim, B.ndim, B.dtype.lanes, A.shape[0], A.shape[1])

        found = [field.value for field in asked.ret_struct_info.fields]
        self.assertEqual([int(value) for value in found[:-1]], [16, 2, 2, 3, 1, 4])
        self.assertEqual([value.dtype for value in found], ["uint8", "uint8", "int32", "int32", "uint16", "int64", "int64"])
        self.assertEqual(found[-1].name, "n")
        A = asked.params[0]
        for call, value in ((A.ndim, "R.prim_value(2)"), (A.shape[0], "R.prim_value(4)")):
            self.assertEqual(str(relax.BlockBuilder().normalize(call)), value)

    def test_unknown_numbers_have_types(self):
        for text, dtype in (("A.ndim", "int32"), ("A.dtype.bits", "uint8"), ("A.dtype.lanes", "uint16"), ("A.byte_offset", "uint64"), ("A.elem_offset", "uint64"),
                            ("A.strides[0]", "int64")):
            func = tvm.script.from_source(f"from tvm.script import relax as R\n@R.function\ndef main(A: R.Tensor):\n    return {text}\n")
            self.assertEqual(str(func.ret_struct_info.dtype), dtype, text)


if __name__ == "__main__":
    tap.main()
