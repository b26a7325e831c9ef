# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(B: T.Buffer((1,), "int8"), D: T.Buffer((12,), "float32")):
        for i in range(12):
            if not T.float32(0.0) / D[i] >= T.float32(0.0):
                B[0] = B[0] + T.int8(1)
