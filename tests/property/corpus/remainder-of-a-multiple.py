# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), C: T.Buffer((64,), "int32"), D: T.Buffer((8,), "int32")):
        for i in range(32):
            C[i] = A[i * 5 % 32] - T.truncmod(B[i], 7)
        for i in range(16):
            C[i + 32] = A[T.bitwise_and(i * 3, 15)] + T.truncmod(B[i + 32], 7)
        for i in T.parallel(16):
            C[i + 48] = A[T.Cast("int32", T.Cast("uint8", i * 20)) // 8] * T.truncmod(B[i + 48], 5)
        for i in range(8):
            D[i] = A[(7 - i * 3 + 24) % 8] - T.truncmod(B[i], 7)
