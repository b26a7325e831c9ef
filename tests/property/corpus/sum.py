# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((4,), "int8"), B: T.Buffer((1,), "int32")):
        for i in range(-2, 2):
            if A[i + 2] < T.int8(3):
                A[i + 2] = A[i + 2] * T.int8(100)
            B[0] = B[0] + T.Cast("int32", A[i + 2])
