# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func
    def gate(left: T.handle, right: T.handle, gated: T.handle):
        b, n = T.int64(), T.int64()
        Left = T.match_buffer(left, (b, n))
        Right = T.match_buffer(right, (b, n))
        Gated = T.match_buffer(gated, (b, n))
        # with T.block("root"):
        door = T.alloc_buffer((b, n))
        for r, c in T.grid(b, n):
            with T.block("door"):
                vr, vc = T.axis.remap("SS", [r, c])
                T.reads(Right[vr, vc])
                T.writes(door[vr, vc])
                door[vr, vc] = Right[vr, vc] * T.float32(0.5) + T.float32(0.5)
        for r, c in T.grid(b, n):
            with T.block("Gated"):
                vr, vc = T.axis.remap("SS", [r, c])
                T.reads(Left[vr, vc], door[vr, vc])
                T.writes(Gated[vr, vc])
                Gated[vr, vc] = Left[vr, vc] * T.min(T.max(door[vr, vc], T.float32(0)), T.float32(1))

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
    def main(x: R.Tensor(("b", "m"), dtype="float32"), u: R.Tensor(("m", "n"), dtype="float32"), v: R.Tensor(("m", "n"), dtype="float32")) -> R.Tensor(("b", "n"), dtype="float32"):
        b = T.int64()
        n = T.int64()
        m = T.int64()
        with R.dataflow():
            value = R.call_dps_packed("mix", (x, u), out_sinfo=R.Tensor((b, n), dtype="float32"))
            door = R.call_dps_packed("mix", (x, v), out_sinfo=R.Tensor((b, n), dtype="float32"))
            out = R.call_dps_packed("gate", (value, door), out_sinfo=R.Tensor((b, n), dtype="float32"))
            R.output(out)
        return out
