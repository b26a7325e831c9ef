# pass: FoldConstant()
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def add(A: T.Buffer((), "float32"), T_add: T.Buffer((), "float32")):
        T.func_attr({"op_pattern": 0, "tir.noalias": T.bool(True)})
        # with T.block("root"):
        with T.block("T_add"):
            vi = T.axis.spatial(1, T.int64(0))
            T.reads(A[()])
            T.writes(T_add[()])
            T_add[()] = A[()] + T.float32(3.0)

    @T.prim_func(private=True)
    def add1(b: T.Buffer((T.int64(4), T.int64(6)), "float32"), c: T.Buffer((T.int64(4), T.int64(6)), "float32"), T_add: T.Buffer((T.int64(4), T.int64(6)), "float32")):
        T.func_attr({"op_pattern": 0, "tir.noalias": T.bool(True)})
        # with T.block("root"):
        for ax0, ax1 in T.grid(T.int64(4), T.int64(6)):
            with T.block("T_add"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(b[v_ax0, v_ax1], c[v_ax0, v_ax1])
                T.writes(T_add[v_ax0, v_ax1])
                T_add[v_ax0, v_ax1] = b[v_ax0, v_ax1] + c[v_ax0, v_ax1]

    @T.prim_func(private=True)
    def add2(d: T.Buffer((T.int64(4), T.int64(6)), "float32"), f: T.Buffer((T.int64(6),), "float32"), T_add: T.Buffer((T.int64(4), T.int64(6)), "float32")):
        T.func_attr({"op_pattern": 0, "tir.noalias": T.bool(True)})
        # with T.block("root"):
        for ax0, ax1 in T.grid(T.int64(4), T.int64(6)):
            with T.block("T_add"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(d[v_ax0, v_ax1], f[v_ax1])
                T.writes(T_add[v_ax0, v_ax1])
                T_add[v_ax0, v_ax1] = d[v_ax0, v_ax1] + f[v_ax1]

    @T.prim_func(private=True)
    def multiply(x: T.Buffer((T.int64(4), T.int64(6)), "float32"), a: T.Buffer((), "float32"), T_multiply: T.Buffer((T.int64(4), T.int64(6)), "float32")):
        T.func_attr({"op_pattern": 0, "tir.noalias": T.bool(True)})
        # with T.block("root"):
        for ax0, ax1 in T.grid(T.int64(4), T.int64(6)):
            with T.block("T_multiply"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(x[v_ax0, v_ax1], a[()])
                T.writes(T_multiply[v_ax0, v_ax1])
                T_multiply[v_ax0, v_ax1] = x[v_ax0, v_ax1] * a[()]

    @T.prim_func(private=True)
    def ones(T_full: T.Buffer((T.int64(6),), "float32")):
        T.func_attr({"op_pattern": 0, "tir.noalias": T.bool(True)})
        # with T.block("root"):
        for ax0 in range(T.int64(6)):
            with T.block("T_full"):
                v_ax0 = T.axis.spatial(T.int64(6), ax0)
                T.reads()
                T.writes(T_full[v_ax0])
                T_full[v_ax0] = T.float32(1.0)

    @T.prim_func(private=True)
    def tir_exp(e: T.Buffer((T.int64(6),), "float32"), compute: T.Buffer((T.int64(6),), "float32")):
        T.func_attr({"op_pattern": 0, "tir.noalias": T.bool(True)})
        # with T.block("root"):
        for i0 in range(T.int64(6)):
            with T.block("compute"):
                v_i0 = T.axis.spatial(T.int64(6), i0)
                T.reads(e[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.exp(e[v_i0])

    @T.prim_func(private=True)
    def zeros(T_full: T.Buffer((T.int64(4), T.int64(6)), "float32")):
        T.func_attr({"op_pattern": 0, "tir.noalias": T.bool(True)})
        # with T.block("root"):
        for ax0, ax1 in T.grid(T.int64(4), T.int64(6)):
            with T.block("T_full"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads()
                T.writes(T_full[v_ax0, v_ax1])
                T_full[v_ax0, v_ax1] = T.float32(0.0)

    @R.function
    def main(x: R.Tensor((4, 6), dtype="float32")) -> R.Tensor((4, 6), dtype="float32"):
        cls = Module
        with R.dataflow():
            a = R.call_tir(cls.add, (R.const(2.0, "float32"),), out_sinfo=R.Tensor((), dtype="float32"))
            b = R.call_tir(cls.multiply, (x, a), out_sinfo=R.Tensor((4, 6), dtype="float32"))
            c = R.call_tir(cls.zeros, R.tuple(), out_sinfo=R.Tensor((4, 6), dtype="float32"))
            d = R.call_tir(cls.add1, (b, c), out_sinfo=R.Tensor((4, 6), dtype="float32"))
            e = R.call_tir(cls.ones, R.tuple(), out_sinfo=R.Tensor((6,), dtype="float32"))
            f = R.call_tir(cls.tir_exp, (e,), out_sinfo=R.Tensor((6,), dtype="float32"))
            g = R.call_tir(cls.add2, (d, f), out_sinfo=R.Tensor((4, 6), dtype="float32"))
            R.output(g)
        return g