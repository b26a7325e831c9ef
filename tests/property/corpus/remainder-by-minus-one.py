# from tvm.script import ir as I
# from tvm.script import tir as T

# RenormalizeSplitPattern divided the divisor of a remainder by -1: -128 of int8 stays what it is then.
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((4,), "int8"), C: T.Buffer((4,), "int8"), D: T.Buffer((4,), "int8")):
        for i in range(4):
            C[i] = A[i] % T.int8(-128) // T.int8(-1)
        for i in range(4):
            D[i] = (A[i] * T.int8(0) - T.int8(127) - T.int8(1)) % T.int8(-3) // T.int8(-1)
