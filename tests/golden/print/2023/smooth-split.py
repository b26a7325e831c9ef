# golden: style=2023
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def smooth(S: T.Buffer((100, 72), "float32"), W: T.Buffer((5,), "float32"), D: T.Buffer((100, 68), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        M = T.alloc_buffer((100, 68))
        for x_0, y, t, x_1 in T.grid(17, 100, 5, 4):
            with T.block("M"):
                vy = T.axis.spatial(100, y)
                vx = T.axis.spatial(68, x_0 * 4 + x_1)
                vt = T.axis.reduce(5, t)
                T.reads(S[vy, vx + vt], W[vt])
                T.writes(M[vy, vx])
                with T.init():
                    M[vy, vx] = T.float32(0.0)
                M[vy, vx] = M[vy, vx] + S[vy, vx + vt] * W[vt]
        for y in T.parallel(100):
            for x in range(68):
                with T.block("D"):
                    vy, vx = T.axis.remap("SS", [y, x])
                    T.reads(M[vy, vx])
                    T.writes(D[vy, vx])
                    D[vy, vx] = T.if_then_else(M[vy, vx] < T.float32(0.0), M[vy, vx] * T.float32(0.25), M[vy, vx])
