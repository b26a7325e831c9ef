@I.ir_module
class Module:
    @T.prim_func
    def smooth(S: T.Buffer((100, 72), "float32"), W: T.Buffer((5,), "float32"), D: T.Buffer((100, 68), "float32")):
        T.func_attr({"global_symbol": "smooth", "tir.noalias": True})
        # with T.block("root"):
        # 中间结果
        M = T.alloc_buffer((100, 68))
        for y, x, t in T.grid(100, 68, 5):
            with T.block("M"):
                vy, vx, vt = T.axis.remap("SSR", [y, x, t])
                T.reads(S[vy, vx + vt], W[vt])
                T.writes(M[vy, vx])
                with T.init():
                    M[vy, vx] = T.float32(0)
                M[vy, vx] = M[vy, vx] + S[vy, vx + vt] * W[vt]
        for y in T.parallel(100):
            for x in range(68):
                with T.block("D"):
                    vy, vx = T.axis.remap("SS", [y, x])
                    T.reads(M[vy, vx])
                    T.writes(D[vy, vx])
                    D[vy, vx] = T.if_then_else(M[vy, vx] < T.float32(0), M[vy, vx] * T.float32(0.25), M[vy, vx])

# steps
b = sch.get_block("M", func_name="smooth")
y, x, t = sch.get_loops(b)
x0, x1 = sch.split(x, factors=[None, 4])
sch.reorder(x0, y, t, x1)
d = sch.get_block("D", func_name="smooth")
sch.reverse_compute_at(d, y)
sch.decompose_reduction(b, t)
