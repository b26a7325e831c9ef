# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((8,), "float32")):
        A[0:4] = T.Broadcast(T.float32(0.0), 4)
        A[0:8:2] = A[0:4] * T.Broadcast(T.float32(2.0), 4)
        for i in T.vectorized(8):
            A[i] = T.float32(0.0)
