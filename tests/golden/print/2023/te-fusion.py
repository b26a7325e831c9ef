# golden: style=2023 one-way
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def te_share(counts: T.Buffer((T.int64(24), T.int64(40)), "float32"), lv: T.Buffer((T.int64(24),), "float32"), share: T.Buffer((T.int64(24), T.int64(40)), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for i0, i1 in T.grid(T.int64(24), T.int64(40)):
            with T.block("share"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(counts[v_i0, v_i1], lv[v_i0])
                T.writes(share[v_i0, v_i1])
                share[v_i0, v_i1] = counts[v_i0, v_i1] / T.max(lv[v_i0], T.float32(1.0))

    @T.prim_func(private=True)
    def te_total(counts: T.Buffer((T.int64(24), T.int64(40)), "float32"), total: T.Buffer((T.int64(24),), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for row, at in T.grid(T.int64(24), T.int64(40)):
            with T.block("total"):
                v_row, v_at = T.axis.remap("SR", [row, at])
                T.reads(counts[v_row, v_at])
                T.writes(total[v_row])
                with T.init():
                    total[v_row] = T.float32(0.0)
                total[v_row] = total[v_row] + counts[v_row, v_at]

    @R.function
    def main(counts: R.Tensor((24, 40), dtype="float32")) -> R.Tensor((24, 40), dtype="float32"):
        cls = Module
        with R.dataflow():
            lv = R.call_tir(cls.te_total, (counts,), out_sinfo=R.Tensor((24,), dtype="float32"))
            lv1 = R.call_tir(cls.te_share, (counts, lv), out_sinfo=R.Tensor((24, 40), dtype="float32"))
            gv: R.Tensor((24, 40), dtype="float32") = lv1
            R.output(gv)
        return gv
