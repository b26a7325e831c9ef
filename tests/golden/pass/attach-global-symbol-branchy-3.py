# pass: AttachGlobalSymbol()
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def fused_tir_exp_add_multiply_subtract_tir_tanh_add_sum(x: T.Buffer((T.int64(6), T.int64(10)), "float32"), y: T.Buffer((T.int64(6), T.int64(10)), "float32"), f_red_intermediate: T.Buffer((T.int64(6),), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        compute_intermediate = T.alloc_buffer((T.int64(6), T.int64(10)))
        T_add_intermediate = T.alloc_buffer((T.int64(6), T.int64(10)))
        T_multiply_intermediate = T.alloc_buffer((T.int64(6), T.int64(10)))
        T_subtract_intermediate = T.alloc_buffer((T.int64(6), T.int64(10)))
        compute_intermediate_1 = T.alloc_buffer((T.int64(6), T.int64(10)))
        T_add_intermediate_1 = T.alloc_buffer((T.int64(6), T.int64(10)))
        for i0, i1 in T.grid(T.int64(6), T.int64(10)):
            with T.block("compute"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(x[v_i0, v_i1])
                T.writes(compute_intermediate[v_i0, v_i1])
                compute_intermediate[v_i0, v_i1] = T.exp(x[v_i0, v_i1])
        for ax0, ax1 in T.grid(T.int64(6), T.int64(10)):
            with T.block("T_add"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(compute_intermediate[v_ax0, v_ax1], y[v_ax0, v_ax1])
                T.writes(T_add_intermediate[v_ax0, v_ax1])
                T_add_intermediate[v_ax0, v_ax1] = compute_intermediate[v_ax0, v_ax1] + y[v_ax0, v_ax1]
        for ax0, ax1 in T.grid(T.int64(6), T.int64(10)):
            with T.block("T_multiply"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(compute_intermediate[v_ax0, v_ax1], y[v_ax0, v_ax1])
                T.writes(T_multiply_intermediate[v_ax0, v_ax1])
                T_multiply_intermediate[v_ax0, v_ax1] = compute_intermediate[v_ax0, v_ax1] * y[v_ax0, v_ax1]
        for ax0, ax1 in T.grid(T.int64(6), T.int64(10)):
            with T.block("T_subtract"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(T_add_intermediate[v_ax0, v_ax1], T_multiply_intermediate[v_ax0, v_ax1])
                T.writes(T_subtract_intermediate[v_ax0, v_ax1])
                T_subtract_intermediate[v_ax0, v_ax1] = T_add_intermediate[v_ax0, v_ax1] - T_multiply_intermediate[v_ax0, v_ax1]
        for i0, i1 in T.grid(T.int64(6), T.int64(10)):
            with T.block("compute_1"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(T_add_intermediate[v_i0, v_i1])
                T.writes(compute_intermediate_1[v_i0, v_i1])
                compute_intermediate_1[v_i0, v_i1] = T.tanh(T_add_intermediate[v_i0, v_i1])
        for ax0, ax1 in T.grid(T.int64(6), T.int64(10)):
            with T.block("T_add_1"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(T_subtract_intermediate[v_ax0, v_ax1], compute_intermediate_1[v_ax0, v_ax1])
                T.writes(T_add_intermediate_1[v_ax0, v_ax1])
                T_add_intermediate_1[v_ax0, v_ax1] = T_subtract_intermediate[v_ax0, v_ax1] + compute_intermediate_1[v_ax0, v_ax1]
        for ax0, k1 in T.grid(T.int64(6), T.int64(10)):
            with T.block("f_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(T_add_intermediate_1[v_ax0, v_k1])
                T.writes(f_red_intermediate[v_ax0])
                with T.init():
                    f_red_intermediate[v_ax0] = T.float32(0.0)
                f_red_intermediate[v_ax0] = f_red_intermediate[v_ax0] + T_add_intermediate_1[v_ax0, v_k1]

    @R.function
    def main(x: R.Tensor((6, 10), dtype="float32"), y: R.Tensor((6, 10), dtype="float32")) -> R.Tensor((6,), dtype="float32"):
        R.func_attr({"relax.force_pure": True})
        cls = Module
        shape_heap: R.Object = R.null_value()
        R.call_packed("vm.builtin.check_tensor_info", x, R.prim_value(2), R.dtype("float32"), R.str("ErrorContext(fn=main, loc=param[0], param=x, annotation=R.Tensor((6, 10), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.check_tensor_info", y, R.prim_value(2), R.dtype("float32"), R.str("ErrorContext(fn=main, loc=param[1], param=y, annotation=R.Tensor((6, 10), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", x, shape_heap, R.prim_value(2), R.prim_value(0), R.prim_value(6), R.prim_value(0), R.prim_value(10), R.str("ErrorContext(fn=main, loc=param[0], param=x, annotation=R.Tensor((6, 10), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", y, shape_heap, R.prim_value(2), R.prim_value(0), R.prim_value(6), R.prim_value(0), R.prim_value(10), R.str("ErrorContext(fn=main, loc=param[1], param=y, annotation=R.Tensor((6, 10), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        storage: R.Object = R.vm.alloc_storage(R.shape([24]), R.prim_value(0), R.dtype("uint8"), R.str("global"))
        alloc: R.Tensor((6,), dtype="float32") = R.vm.alloc_tensor(storage, R.prim_value(0), R.shape([6]), R.dtype("float32"))
        R.vm.kill_object(storage)
        cls.fused_tir_exp_add_multiply_subtract_tir_tanh_add_sum(x, y, alloc)
        return alloc
