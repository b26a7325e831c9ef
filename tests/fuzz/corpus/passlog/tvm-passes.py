After Running Pass: The meta data of the pass - pass name: tir.Simplify, opt_level: 0, required passes: []
# from tvm.script import ir as I
@I.ir_module
class Module:
    @T.prim_func
    def f(a: T.handle):
        A = T.match_buffer(a, (8,))
        for i in range(8):
            A[i] = A[i] + 0.0
After Running Pass: The meta data of the pass - pass name: tir.RemoveNoOp, opt_level: 0, required passes: []
# from tvm.script import ir as I
@I.ir_module
class Module:
    @T.prim_func
    def f(a: T.handle):
        for i in range(8):
            T.evaluate(0)
