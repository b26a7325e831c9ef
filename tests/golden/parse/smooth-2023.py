# from tvm.script import ir as I
# from tvm.script import tir as T

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
