# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(X: T.Buffer((32, 32), "float32"), Y: T.Buffer((32, 32), "float32")):
        P = T.alloc_buffer((32, 32))
        for i, j in T.grid(32, 32):
            with T.block("P"):
                vi, vj = T.axis.remap("SS", [i, j])
                P[vi, vj] = X[vi, vj] * T.float32(0.5)
        for io, jo, ii, ji, di, dj in T.grid(4, 4, 8, 8, 3, 3):
            with T.block("Y"):
                vi = T.axis.spatial(32, io * 8 + ii)
                vj = T.axis.spatial(32, jo * 8 + ji)
                ri, rj = T.axis.remap("RR", [di, dj])
                with T.init():
                    Y[vi, vj] = T.float32(0)
                Y[vi, vj] = T.max(Y[vi, vj], T.if_then_else(1 <= vi + ri and vi + ri < 33 and 1 <= vj + rj and vj + rj < 33, P[vi + ri - 1, vj + rj - 1], T.float32(0)))
# steps
b = sch.get_block("P")
l = sch.get_loops(sch.get_block("Y"))
sch.compute_at(b, l[3], preserve_unit_loops=True)
