# from tvm.script import ir as I
# from tvm.script import tir as T

# Simplify with known values wrote the name of a binding behind the loop that makes it.
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((4,), "float32"), B: T.Buffer((1,), "float32")):
        for i in range(4):
            rounded: T.float32 = T.Cast("float32", T.Cast("int8", A[i]))
            A[i] = rounded
        B[0] = A[3] + T.float32(1)
