# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((1,), "uint16"), B: T.Buffer((3,), "uint16"), C: T.Buffer((1,), "uint64")):
        for i0 in T.unroll(2):
            B[1:3] = A[T.Broadcast(0, 2)]
            C[0] = T.Cast("uint64", T.shift_left(T.Cast("int64", B[1]), T.int64(52)) % T.max(T.Cast("int64", B[i0]), T.int64(1)))
