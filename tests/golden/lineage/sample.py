# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((64, 32), "float32"), B: T.Buffer((32, 48), "float32"), C: T.Buffer((64, 48), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        Y = T.alloc_buffer((64, 48))
        X = T.alloc_buffer((64, 32))
        for i, j in T.grid(64, 32):
            with T.block("X"):
                v_i, v_j = T.axis.remap("SS", [i, j])
                X[v_i, v_j] = A[v_i, v_j] + T.float32(1.0)
        for i, j, k in T.grid(64, 48, 32):
            with T.block("Y"):
                v_i, v_j, v_k = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    Y[v_i, v_j] = T.float32(0.0)
                Y[v_i, v_j] = Y[v_i, v_j] + X[v_i, v_k] * B[v_k, v_j]
        for i, j in T.grid(64, 48):
            with T.block("C"):
                v_i, v_j = T.axis.remap("SS", [i, j])
                C[v_i, v_j] = T.max(Y[v_i, v_j], T.float32(0.0))
# steps
x = sch.get_block("X")
y = sch.get_block("Y")
c = sch.get_block("C")
l = sch.sample_compute_location(x, -2)
sch.compute_at(x, l)
m = sch.sample_compute_location(y, decision=-1)
sch.compute_at(y, m)
n = sch.sample_compute_location(c, decision=7)
sch.reverse_compute_at(c, n)
