# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((8, 8), "float32"), B: T.Buffer((), "float32")):
        # with T.block("root"):
        for i, j in T.grid(8, 8):
            with T.block("all"):
                vi, vj = T.axis.remap("RR", [i, j])
                T.reads(A[vi, vj])
                T.writes(B[()])
                with T.init():
                    B[()] = T.float32(0.0)
                B[()] = B[()] + A[vi, vj]
