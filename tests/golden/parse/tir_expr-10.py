# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((8,), "float32"), i: T.int32):
        T.evaluate(T.Div(i, 3) + T.truncmod(i, 3))
        T.bitwise_or(T.shift_left(i, 2), T.bitwise_xor(T.bitwise_and(i, 7), 1))
