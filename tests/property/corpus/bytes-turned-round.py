# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((7,), "uint8"), B: T.Buffer((8,), "int8"), C: T.Buffer((8,), "int8")):
        for i0 in range(6):
            A[i0] = A[i0] * T.truncmod(A[6 - i0], T.uint8(3))
        C[0:4] = T.truncdiv(B[T.Ramp(3, -1, 4)], T.Broadcast(T.int8(3), 4)) * B[4:8]
