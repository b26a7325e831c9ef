@tvm.script.ir_module
class GatedMixture:
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

    @R.function
    def main(x: R.Tensor(("b", "m"), "float32"),
             u: R.Tensor(("m", "n"), "float32"),
             v: R.Tensor(("m", "n"), "float32")):
        b, m, n = T.int64(), T.int64(), T.int64()
        with R.dataflow():
            value = R.call_dps_packed("mix", (x, u), R.Tensor((b, n), "float32"))
            door = R.call_dps_packed("env.mix", (x, v, ), R.Tensor((b, n), "float32"))
            out = R.call_dps_packed("env.gate", (value, door), R.Tensor((b, n), "float32"))
            R.output(out)
        return out
