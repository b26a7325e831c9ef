# pass: VMShapeLower()
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def fused_matmul1_add1(c: T.Buffer((T.int64(4), T.int64(32)), "float32"), w2: T.Buffer((T.int64(32), T.int64(8)), "float32"), b2: T.Buffer((T.int64(8),), "float32"), T_add_intermediate: T.Buffer((T.int64(4), T.int64(8)), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        matmul_intermediate = T.alloc_buffer((T.int64(4), T.int64(8)))
        for i0, i1, k in T.grid(T.int64(4), T.int64(8), T.int64(32)):
            with T.block("matmul"):
                v_i0, v_i1, v_k = T.axis.remap("SSR", [i0, i1, k])
                T.reads(c[v_i0, v_k], w2[v_k, v_i1])
                T.writes(matmul_intermediate[v_i0, v_i1])
                with T.init():
                    matmul_intermediate[v_i0, v_i1] = T.float32(0.0)
                matmul_intermediate[v_i0, v_i1] = matmul_intermediate[v_i0, v_i1] + c[v_i0, v_k] * w2[v_k, v_i1]
        for ax0, ax1 in T.grid(T.int64(4), T.int64(8)):
            with T.block("T_add"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(matmul_intermediate[v_ax0, v_ax1], b2[v_ax1])
                T.writes(T_add_intermediate[v_ax0, v_ax1])
                T_add_intermediate[v_ax0, v_ax1] = matmul_intermediate[v_ax0, v_ax1] + b2[v_ax1]

    @T.prim_func(private=True)
    def fused_matmul_add_relu(x: T.Buffer((T.int64(4), T.int64(16)), "float32"), w1: T.Buffer((T.int64(16), T.int64(32)), "float32"), b1: T.Buffer((T.int64(32),), "float32"), compute_intermediate: T.Buffer((T.int64(4), T.int64(32)), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        matmul_intermediate = T.alloc_buffer((T.int64(4), T.int64(32)))
        T_add_intermediate = T.alloc_buffer((T.int64(4), T.int64(32)))
        for i0, i1, k in T.grid(T.int64(4), T.int64(32), T.int64(16)):
            with T.block("matmul"):
                v_i0, v_i1, v_k = T.axis.remap("SSR", [i0, i1, k])
                T.reads(x[v_i0, v_k], w1[v_k, v_i1])
                T.writes(matmul_intermediate[v_i0, v_i1])
                with T.init():
                    matmul_intermediate[v_i0, v_i1] = T.float32(0.0)
                matmul_intermediate[v_i0, v_i1] = matmul_intermediate[v_i0, v_i1] + x[v_i0, v_k] * w1[v_k, v_i1]
        for ax0, ax1 in T.grid(T.int64(4), T.int64(32)):
            with T.block("T_add"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(matmul_intermediate[v_ax0, v_ax1], b1[v_ax1])
                T.writes(T_add_intermediate[v_ax0, v_ax1])
                T_add_intermediate[v_ax0, v_ax1] = matmul_intermediate[v_ax0, v_ax1] + b1[v_ax1]
        for i0, i1 in T.grid(T.int64(4), T.int64(32)):
            with T.block("compute"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(T_add_intermediate[v_i0, v_i1])
                T.writes(compute_intermediate[v_i0, v_i1])
                compute_intermediate[v_i0, v_i1] = T.max(T_add_intermediate[v_i0, v_i1], T.float32(0.0))

    @R.function
    def main(x: R.Tensor((4, 16), dtype="float32"), w1: R.Tensor((16, 32), dtype="float32"), b1: R.Tensor((32,), dtype="float32"), w2: R.Tensor((32, 8), dtype="float32"), b2: R.Tensor((8,), dtype="float32")) -> R.Tensor((4, 8), dtype="float32"):
        R.func_attr({"relax.force_pure": True})
        cls = Module
        storage: R.Object = R.vm.alloc_storage(R.shape([512]), R.prim_value(0), R.dtype("uint8"), R.str("global"))
        alloc: R.Tensor((4, 32), dtype="float32") = R.vm.alloc_tensor(storage, R.prim_value(0), R.shape([4, 32]), R.dtype("float32"))
        R.vm.kill_object(storage)
        cls.fused_matmul_add_relu(x, w1, b1, alloc)
        storage_1: R.Object = R.vm.alloc_storage(R.shape([128]), R.prim_value(0), R.dtype("uint8"), R.str("global"))
        alloc1: R.Tensor((4, 8), dtype="float32") = R.vm.alloc_tensor(storage_1, R.prim_value(0), R.shape([4, 8]), R.dtype("float32"))
        R.vm.kill_object(storage_1)
        cls.fused_matmul1_add1(alloc, w2, b2, alloc1)
        R.vm.kill_object(alloc)
        return alloc1