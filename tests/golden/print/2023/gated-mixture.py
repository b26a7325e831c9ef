# golden: style=2023
# from tvm.script import ir as I
# from tvm.script import tir as T

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
                    Mixed[vr, vc] = T.float32(0.0)
                Mixed[vr, vc] = Mixed[vr, vc] + Rows[vr, vq] * Table[vq, vc]
