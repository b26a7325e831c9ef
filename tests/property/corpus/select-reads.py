# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(B: T.Buffer((2,), "float64"), C: T.Buffer((2,), "float32")):
        for i in range(3):
            B[0] = T.Select(i > 0, T.float64(0.0), B[i % 2])
        for i in range(3):
            if C[i % 2] != T.float32(0.0) or 0 < i:
                B[1] = B[1] + T.float64(1)
