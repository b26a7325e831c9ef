# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((32,), "float32")):
        # with T.block("root"):
        for i, j in T.grid(4, 8):
            with T.block("s"):
                v = T.axis.spatial(32, i * 8 + j)
                T.reads()
                T.writes(A[v])
                A[v] = T.float32(0.0)
        for i in range(32):
            with T.block("o"):
                v = T.axis.opaque(32, i)
                T.reads()
                T.writes(A[v])
                A[v] = T.float32(0.0)
        for i in range(32):
            with T.block("c"):
                v = T.axis.scan(32, i)
                T.reads()
                T.writes(A[v])
                A[v] = T.float32(1.0)
        for i in range(20):
            with T.block("r"):
                v = T.axis.spatial((4, 24), i + 4)
                T.reads()
                T.writes(A[v])
                A[v] = T.float32(1.0)
