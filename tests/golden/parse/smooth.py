@tvm.script.ir_module
class Smooth:
    @T.prim_func
    def smooth(S: T.Buffer((100, 72), "float32"),
               W: T.Buffer((5,), "float32"),
               D: T.Buffer((100, 68), "float32")):
        T.func_attr({"global_symbol": "smooth", "tir.noalias": True})
        # 每一行上五个相邻元素的加权和
        M = T.alloc_buffer((100, 68), dtype="float32")
        for y, x, t in T.grid(100, 68, 5):
            # 先清零，再逐个累加
            with T.block("M"):
                vy = T.axis.spatial(100, y)
                vx = T.axis.spatial(68, x)
                vt = T.axis.reduce(5, t)
                with T.init():
                    M[vy, vx] = T.float32(0)
                M[vy, vx] = M[vy, vx] + S[vy, vx + vt] * W[vt]
        # 正数不变，负数缩小到四分之一
        for y in T.parallel(100):
            for x in T.serial(68):
                with T.block("D"):
                    vy = T.axis.spatial(100, y)
                    vx = T.axis.spatial(68, x)
                    D[vy, vx] = T.if_then_else(M[vy, vx] < T.float32(0), M[vy, vx] * T.float32(0.25), M[vy, vx])
