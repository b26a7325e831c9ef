# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(a: T.handle):
        A = T.match_buffer(a, (4, 4), strides=("A_s0", "A_s1"), offset_factor=1)
        A[1, 2] = T.float32(3.0)
