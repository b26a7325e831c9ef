from tvm.script import ir as I, tir as T


@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((65536,), "float32"), B: T.Buffer((65536,), "float32"), C: T.Buffer((65536,), "float32")):
        T.func_attr({"global_symbol": "main", "tir.noalias": True})
        for i in range(65536):
            with T.block("C"):
                vi = T.axis.spatial(65536, i)
                C[vi] = A[vi] + B[vi]
