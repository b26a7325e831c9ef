from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def main(X: T.Buffer((256, 1024), "float32"), Y: T.Buffer((256, 1024), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        for i, j in T.grid(256, 1024):
            with T.block("Y"):
                vi = T.axis.spatial(256, i)
                vj = T.axis.opaque(1024, j)
                T.reads(X[vi, vj], Y[vi, 0:1024])
                T.writes(Y[vi, vj])
                Y[vi, vj] = X[vi, vj] + T.if_then_else(vj > 0, Y[vi, T.max(vj - 1, 0)], T.float32(0))
