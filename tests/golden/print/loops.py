# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def f13(A: T.Buffer((8,), "float32")):
        for i in T.thread_binding(8, thread="threadIdx.x"):
            A[i] = T.float32(0.0)
        for i in range(2, 8):
            A[i] = T.float32(0.0)
        for i in T.serial(2, 8, annotations={"k": 1}):
            A[i] = T.float32(0.0)
        for i in T.thread_binding(8, thread="threadIdx.x", annotations={"k": "v"}):
            A[i] = T.float32(0.0)
        for i, j in T.grid(2, 4):
            for k in range(j):
                A[i] = T.float32(0.0)
        for i in T.parallel(2):
            for j, k in T.grid(2, 2):
                A[i + j + k] = T.float32(0.0)
