# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(a: T.handle):
        A = T.match_buffer(a, (16,), strides=("A_s0",), buffer_type="auto")
        T.evaluate(A[0])
