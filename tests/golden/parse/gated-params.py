# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func
    def mix(rows: T.handle, table: T.handle, mixed: T.handle):
        b, m = T.int64(), T.int64()
        Rows = T.match_buffer(rows, (b, m))
        n = T.int64()
        Table = T.match_buffer(table, (m, n))
        Mixed = T.match_buffer(mixed, (b, n))
        # with T.block("root"):
        for r, c, q in T.grid(b, n, m):
            with T.block("Mixed"):
                vr, vc, vq = T.axis.remap("SSR", [r, c, q])
                T.reads(Rows[vr, vq], Table[vq, vc])
                T.writes(Mixed[vr, vc])
                with T.init():
                    Mixed[vr, vc] = T.float32(0)
                Mixed[vr, vc] = Mixed[vr, vc] + Rows[vr, vq] * Table[vq, vc]

    @R.function
    def main(x: R.Tensor(("b", 24), dtype="float32")) -> R.Tensor(("b", 32), dtype="float32"):
        b = T.int64()
        with R.dataflow():
            value = R.call_dps_packed("mix", (x, metadata["relax.expr.Constant"][0]), out_sinfo=R.Tensor((b, 32), dtype="float32"))
            door = R.call_dps_packed("env.mix", (x, metadata["relax.expr.Constant"][1]), out_sinfo=R.Tensor((b, 32), dtype="float32"))
            out = R.call_dps_packed("env.gate", (value, door), out_sinfo=R.Tensor((b, 32), dtype="float32"))
            R.output(out)
        return out

