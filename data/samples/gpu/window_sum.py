from tvm.script import ir as I, tir as T


@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((1026,), "float32"), B: T.Buffer((1024,), "float32")):
        T.func_attr({"global_symbol": "main", "tir.noalias": True})
        for i in range(1024):
            with T.block("B"):
                vi = T.axis.spatial(1024, i)
                B[vi] = A[vi] + A[vi + 1] + A[vi + 2]
