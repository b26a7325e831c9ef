# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(B: T.Buffer((1,), "int32")):
        D = T.alloc_buffer((4,), "int32")
        for i0 in T.unroll(2):
            D[3:1:-1] = T.Select(T.Broadcast(T.float32(0.0), 2) <= T.Broadcast(T.float32(0.0), 2), T.Ramp(0, -1, 2), T.Ramp(0, 0, 2))
        for i2 in range(3):
            B[0] = T.Cast("int32", T.Cast("uint8", D[i2]))
