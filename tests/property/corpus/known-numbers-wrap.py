# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(D: T.Buffer((4,), "int32"), E: T.Buffer((8,), "int32")):
        D[1] = 0
        D[0] = T.Cast("int32", T.min(D[1], -2) + -2147483647 > 0)
        D[2] = 2147483647
        D[3] = T.Cast("int32", D[2] + 1 > D[2])
        for i in range(8):
            E[i] = i + 46340
            E[i] = T.Cast("int32", E[i] * E[i] > 0) + T.floordiv(E[i] * 65536, 65536)
            E[i] = i + 1
            E[i] = T.Cast("int32", T.shift_left(E[i], 31) >= 0)
