# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((8,), "float32"), i: T.int32):
        T.evaluate(A[0] < A[1] and A[2] <= A[3])
        T.evaluate(T.nearbyint(A[0]) + T.round(A[0]) + T.trunc(A[0]))
