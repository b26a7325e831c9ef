
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(B: T.Buffer((2,), "float64")):
        for i in T.unroll(2):
            B[i] = T.Cast("float64", T.bitwise_not(T.Cast("uint64", B[i] > T.float64(0.0))))
