# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def f17(A: T.Buffer((64,), "float32")):
        bx = T.env_thread("blockIdx.x")
        with T.launch_thread(bx, 8):
            A[bx] = T.float32(1.0)
        T.launch_thread(bx, 8)
        A[bx] = T.float32(1.0)

    @T.prim_func
    def f18(A: T.Buffer((64,), "float32")):
        with T.launch_thread("blockIdx.x", 8) as bx:
            A[bx] = T.float32(1.0)
        A[0] = T.float32(1.0)
