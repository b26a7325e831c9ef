
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((8,), "int8"), B: T.Buffer((8,), "int8"), C: T.Buffer((8,), "int32"), D: T.Buffer((8,), "int32")):
        for i in range(8):
            A[i] = (B[i] * T.int8(6) + A[i]) // T.int8(4)
        for i in range(8):
            C[i] = (D[i] * 600 + C[i]) // 400
