@tvm.script.ir_module
class Gated:
    @T.prim_func
    def mix(rows: T.handle,
            table: T.handle,
            mixed: T.handle):
        b, m, n, q = T.int64(), T.int64(), T.int64(), T.int64()
        Rows = T.match_buffer(rows, (b, m), "float32")
        Table = T.match_buffer(table, (m, n, ), "float32")
        Mixed = T.match_buffer(mixed, (b, n), "float32")
        for r, c, q in T.grid(b, n, m):
            with T.block("Mixed"):
                vr, vc, vq = T.axis.remap("SSR", [r, c, q])
                with T.init():
                    Mixed[vr, vc] = T.float32(0)
                Mixed[vr, vc] += Rows[vr, vq] * Table[vq, vc]

    @T.prim_func
    def gate(left: T.handle, right: T.handle, gated: T.handle):
        b, n = T.int64(), T.int64()
        Left = T.match_buffer(left, (b, n), "float32")
        Right = T.match_buffer(right, (b, n), "float32")
        Gated = T.match_buffer(gated, (b, n), "float32")
        door = T.alloc_buffer((b, n), "float32")
        for r, c in T.grid(b, n):
            with T.block("door"):
                vr, vc = T.axis.remap("SS", [r, c])
                door[vr, vc] = Right[vr, vc] * T.float32(0.5) + T.float32(0.5)
        for r in range(b):
            for c in range(n):
                with T.block("Gated"):
                    vr, vc = T.axis.remap("SS", [r, c])
                    Gated[vr, vc] = Left[vr, vc] * T.min(T.max(door[vr, vc], T.float32(0)), T.float32(1))

    @R.function
    def main(x: R.Tensor(("b", "m"), "float32"),
             u: R.Tensor(("m", "n"), "float32"),
             v: R.Tensor(("m", "n"), "float32")):
        b, m, n = T.int64(), T.int64(), T.int64()
        with R.dataflow():
            value = R.call_dps_packed("mix", (x, u), R.Tensor((b, n), "float32"))
            door = R.call_dps_packed("mix", (x, v, ), R.Tensor((b, n), "float32"))
            out = R.call_dps_packed("gate", (value, door), R.Tensor((b, n), "float32"))
            R.output(out)
        return out
