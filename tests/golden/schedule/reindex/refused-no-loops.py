# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((1,), "float32"), B: T.Buffer((1,), "float32"), C: T.Buffer((1,), "float32")):
        with T.block("B"):
            B[0] = A[0]
        with T.block("C"):
            C[0] = B[0]

# steps
sch.reindex("C", ("read", 0))
