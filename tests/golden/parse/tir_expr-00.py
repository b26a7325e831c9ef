# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((8,), "float32"), i: T.int32):
        T.evaluate(A[0] + T.float32(1.0))
        T.evaluate(T.max(A[0], T.float32(0.0)))
