# pass: AttachGlobalSymbol()
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def fused_matmul_add_silu(n: T.Buffer((T.int64(3), T.int64(20)), "float32"), w: T.Buffer((T.int64(20), T.int64(10)), "float32"), b: T.Buffer((T.int64(10),), "float32"), T_multiply_intermediate: T.Buffer((T.int64(3), T.int64(10)), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        matmul_intermediate = T.alloc_buffer((T.int64(3), T.int64(10)))
        T_add_intermediate = T.alloc_buffer((T.int64(3), T.int64(10)))
        compute = T.alloc_buffer((T.int64(3), T.int64(10)))
        for i0, i1, k in T.grid(T.int64(3), T.int64(10), T.int64(20)):
            with T.block("matmul"):
                v_i0, v_i1, v_k = T.axis.remap("SSR", [i0, i1, k])
                T.reads(n[v_i0, v_k], w[v_k, v_i1])
                T.writes(matmul_intermediate[v_i0, v_i1])
                with T.init():
                    matmul_intermediate[v_i0, v_i1] = T.float32(0.0)
                matmul_intermediate[v_i0, v_i1] = matmul_intermediate[v_i0, v_i1] + n[v_i0, v_k] * w[v_k, v_i1]
        for ax0, ax1 in T.grid(T.int64(3), T.int64(10)):
            with T.block("T_add"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(matmul_intermediate[v_ax0, v_ax1], b[v_ax1])
                T.writes(T_add_intermediate[v_ax0, v_ax1])
                T_add_intermediate[v_ax0, v_ax1] = matmul_intermediate[v_ax0, v_ax1] + b[v_ax1]
        for i0, i1 in T.grid(T.int64(3), T.int64(10)):
            with T.block("compute"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(T_add_intermediate[v_i0, v_i1])
                T.writes(compute[v_i0, v_i1])
                compute[v_i0, v_i1] = T.sigmoid(T_add_intermediate[v_i0, v_i1])
        for ax0, ax1 in T.grid(T.int64(3), T.int64(10)):
            with T.block("T_multiply"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(T_add_intermediate[v_ax0, v_ax1], compute[v_ax0, v_ax1])
                T.writes(T_multiply_intermediate[v_ax0, v_ax1])
                T_multiply_intermediate[v_ax0, v_ax1] = T_add_intermediate[v_ax0, v_ax1] * compute[v_ax0, v_ax1]

    @T.prim_func(private=True)
    def layer_norm(x: T.Buffer((T.int64(3), T.int64(20)), "float32"), g: T.Buffer((T.int64(20),), "float32"), be: T.Buffer((T.int64(20),), "float32"), T_layer_norm: T.Buffer((T.int64(3), T.int64(20)), "float32")):
        T.func_attr({"op_pattern": 4, "tir.noalias": T.bool(True)})
        # with T.block("root"):
        x_red_temp_v0 = T.alloc_buffer((T.int64(3),))
        x_red_temp_v1 = T.alloc_buffer((T.int64(3),))
        for ax0, k1 in T.grid(T.int64(3), T.int64(20)):
            with T.block("x_red_temp"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red_temp_v0[v_ax0], x_red_temp_v1[v_ax0])
                with T.init():
                    x_red_temp_v0[v_ax0] = T.float32(0.0)
                    x_red_temp_v1[v_ax0] = T.float32(0.0)
                v_x_red_temp_v0: T.float32 = x_red_temp_v0[v_ax0] + x[v_ax0, v_k1]
                v_x_red_temp_v1: T.float32 = x_red_temp_v1[v_ax0] + x[v_ax0, v_k1] * x[v_ax0, v_k1]
                x_red_temp_v0[v_ax0] = v_x_red_temp_v0
                x_red_temp_v1[v_ax0] = v_x_red_temp_v1
        for ax0, ax1 in T.grid(T.int64(3), T.int64(20)):
            with T.block("T_layer_norm"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(x[v_ax0, v_ax1], x_red_temp_v0[v_ax0], x_red_temp_v1[v_ax0], g[v_ax1], be[v_ax1])
                T.writes(T_layer_norm[v_ax0, v_ax1])
                T_layer_norm[v_ax0, v_ax1] = (x[v_ax0, v_ax1] - x_red_temp_v0[v_ax0] * T.float32(0.050000000000000003)) * T.rsqrt(x_red_temp_v1[v_ax0] * T.float32(0.050000000000000003) - x_red_temp_v0[v_ax0] * T.float32(0.050000000000000003) * (x_red_temp_v0[v_ax0] * T.float32(0.050000000000000003)) + T.float32(1.0000000000000001e-05)) * g[v_ax1] + be[v_ax1]

    @T.prim_func(private=True)
    def mean(a: T.Buffer((T.int64(3), T.int64(10)), "float32"), T_divide: T.Buffer((T.int64(3), T.int64(1)), "float32")):
        T.func_attr({"op_pattern": 4, "tir.noalias": T.bool(True)})
        # with T.block("root"):
        a_red = T.alloc_buffer((T.int64(3), T.int64(1)))
        for ax0, ax1, k1 in T.grid(T.int64(3), T.int64(1), T.int64(10)):
            with T.block("a_red"):
                v_ax0, v_ax1, v_k1 = T.axis.remap("SSR", [ax0, ax1, k1])
                T.reads(a[v_ax0, v_k1])
                T.writes(a_red[v_ax0, v_ax1])
                with T.init():
                    a_red[v_ax0, v_ax1] = T.float32(0.0)
                a_red[v_ax0, v_ax1] = a_red[v_ax0, v_ax1] + a[v_ax0, v_k1]
        for ax0, ax1 in T.grid(T.int64(3), T.int64(1)):
            with T.block("T_divide"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(a_red[v_ax0, v_ax1])
                T.writes(T_divide[v_ax0, v_ax1])
                T_divide[v_ax0, v_ax1] = a_red[v_ax0, v_ax1] * T.float32(0.10000000000000001)

    @R.function
    def main(x: R.Tensor((3, 20), dtype="float32"), g: R.Tensor((20,), dtype="float32"), be: R.Tensor((20,), dtype="float32"), w: R.Tensor((20, 10), dtype="float32"), b: R.Tensor((10,), dtype="float32")) -> R.Tensor((3, 1), dtype="float32"):
        R.func_attr({"relax.force_pure": True})
        cls = Module
        shape_heap: R.Object = R.null_value()
        R.call_packed("vm.builtin.check_tensor_info", x, R.prim_value(2), R.dtype("float32"), R.str("ErrorContext(fn=main, loc=param[0], param=x, annotation=R.Tensor((3, 20), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.check_tensor_info", g, R.prim_value(1), R.dtype("float32"), R.str("ErrorContext(fn=main, loc=param[1], param=g, annotation=R.Tensor((20,), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.check_tensor_info", be, R.prim_value(1), R.dtype("float32"), R.str("ErrorContext(fn=main, loc=param[2], param=be, annotation=R.Tensor((20,), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.check_tensor_info", w, R.prim_value(2), R.dtype("float32"), R.str("ErrorContext(fn=main, loc=param[3], param=w, annotation=R.Tensor((20, 10), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.check_tensor_info", b, R.prim_value(1), R.dtype("float32"), R.str("ErrorContext(fn=main, loc=param[4], param=b, annotation=R.Tensor((10,), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", x, shape_heap, R.prim_value(2), R.prim_value(0), R.prim_value(3), R.prim_value(0), R.prim_value(20), R.str("ErrorContext(fn=main, loc=param[0], param=x, annotation=R.Tensor((3, 20), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", g, shape_heap, R.prim_value(1), R.prim_value(0), R.prim_value(20), R.str("ErrorContext(fn=main, loc=param[1], param=g, annotation=R.Tensor((20,), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", be, shape_heap, R.prim_value(1), R.prim_value(0), R.prim_value(20), R.str("ErrorContext(fn=main, loc=param[2], param=be, annotation=R.Tensor((20,), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", w, shape_heap, R.prim_value(2), R.prim_value(0), R.prim_value(20), R.prim_value(0), R.prim_value(10), R.str("ErrorContext(fn=main, loc=param[3], param=w, annotation=R.Tensor((20, 10), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", b, shape_heap, R.prim_value(1), R.prim_value(0), R.prim_value(10), R.str("ErrorContext(fn=main, loc=param[4], param=b, annotation=R.Tensor((10,), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        storage: R.Object = R.vm.alloc_storage(R.shape([240]), R.prim_value(0), R.dtype("uint8"), R.str("global"))
        alloc: R.Tensor((3, 20), dtype="float32") = R.vm.alloc_tensor(storage, R.prim_value(0), R.shape([3, 20]), R.dtype("float32"))
        R.vm.kill_object(storage)
        cls.layer_norm(x, g, be, alloc)
        storage1: R.Object = R.vm.alloc_storage(R.shape([120]), R.prim_value(0), R.dtype("uint8"), R.str("global"))
        alloc1: R.Tensor((3, 10), dtype="float32") = R.vm.alloc_tensor(storage1, R.prim_value(0), R.shape([3, 10]), R.dtype("float32"))
        R.vm.kill_object(storage1)
        cls.fused_matmul_add_silu(alloc, w, b, alloc1)
        R.vm.kill_object(alloc)
        storage_1: R.Object = R.vm.alloc_storage(R.shape([12]), R.prim_value(0), R.dtype("uint8"), R.str("global"))
        alloc2: R.Tensor((3, 1), dtype="float32") = R.vm.alloc_tensor(storage_1, R.prim_value(0), R.shape([3, 1]), R.dtype("float32"))
        R.vm.kill_object(storage_1)
        cls.mean(alloc1, alloc2)
        R.vm.kill_object(alloc1)
        return alloc2
