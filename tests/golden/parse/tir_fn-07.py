# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def callee(x: T.int32):
        T.evaluate(x)

    @T.prim_func
    def caller(x: T.int32):
        Module.callee(x + 1)
