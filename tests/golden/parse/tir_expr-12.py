# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((8,), "float32"), i: T.int32):
        T.likely(i < 3)
        T.evaluate(not i < 3 and (i == 2 or i != 5))
