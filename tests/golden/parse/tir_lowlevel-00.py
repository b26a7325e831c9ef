# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
        C_1 = T.allocate([16], "float32", "global")
        C_1_1 = T.Buffer((16,), data=C_1)
        for i in range(16):
            C_1_1[i] = A[i] * T.float32(2.0)
        for i in range(16):
            B[i] = C_1_1[i] + T.float32(1.0)
