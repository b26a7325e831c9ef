# from tvm.script import ir as I
# from tvm.script import tir as T

# Simplify with known values wrote T.address_of(3).
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((2,), "int32"), B: T.Buffer((2,), "int32")):
        A[0] = 3
        T.evaluate(T.call_extern("int32", "atomicAdd", T.address_of(A[0]), A[1]))
        B[0] = A[0]
        if A[1] < 5:
            T.evaluate(T.call_extern("int32", "atomicExch", T.address_of(A[1]), 7))
            B[1] = T.max(A[1], 5)
