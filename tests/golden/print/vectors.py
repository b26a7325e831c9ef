# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def f12(A: T.Buffer((8,), "float32"), n: T.int32):
        T.evaluate(T.Shuffle([A[0:2], A[2:4]], [0, 1, 2, 3]))
        T.evaluate(A[n:n + 4])
        T.evaluate(A[n * 2:n * 2 + 8:2])
        A.vstore([T.Ramp(0, 1, 4)], T.Broadcast(T.float32(0.0), 4), predicate=T.Broadcast(T.bool(True), 4))
        T.evaluate(A.vload([T.Ramp(0, 1, 4)], predicate=T.Broadcast(T.bool(True), 4)))
