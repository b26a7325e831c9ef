# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((8,), "float32"), i: T.int32):
        T.evaluate(T.float32(9.9999999999999995e-08))
        T.evaluate(T.float32(123456792.0))
