from tvm.script import tir as T, ir as I

@I.ir_module
class Module:
    I.module_attrs({"version": 1})

    @T.prim_func(private=True)
    def callee(x: T.int32) -> T.int32:
        return x * 2

    @T.prim_func
    def lets(A: T.Buffer((64,), "int32"), n: T.int32, p: T.handle("float32", "shared")):
        T.func_attr({"target": T.target({"kind": "llvm", "keys": ["cpu"], "mtriple": "x86_64-pc-linux-gnu", "num-cores": 4}), "tir.is_entry_func": T.bool(True)})
        k: T.int32 = n * 2
        with T.LetStmt(k + 1) as m:
            A[m] = m
        with T.LetStmt(T.Cast("int64", k), var=T.int64()) as w:
            A[0] = T.Cast("int32", w)
        P = T.Buffer((16,), "float32", data=p, scope="shared")
        if n < 3:
            P[0] = T.float32(1)
        elif n < 5 or n == 7:
            P[1] = T.if_then_else(n < 4, P[0], T.float32(2.5))
        else:
            P[2] = T.Let(P[3] + T.float32(1), where={T.float32(): P[4]}) if False else P[4]
        while A[0] < 10:
            A[0] = A[0] + 1
        assert n >= 0, "negative"
        T.evaluate(Module.callee(n))
        for i in T.vectorized(4):
            A[i] = A[i] + T.shift_left(n, 2)
        A[T.Ramp(0, 2, 4)] = T.Broadcast(n, 4)
        A[0:8:2] = A[8:12] * T.broadcast(2, 4)
        buf = T.allocate([16], "float32", "local")
        L = T.decl_buffer((16,), data=buf, scope="local")
        L[0] = T.sqrt(P[0]) + T.pow(P[1], 2.0) + T.abs(P[2]) + T.floor(P[3])
        C = T.allocate_const([1, 2, 3], "int32", [3])
        Cb = T.Buffer((3,), "int32", data=C)
        A[3] = Cb[1]

    @T.prim_func
    def threads(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
        bx = T.env_thread("blockIdx.x")
        T.launch_thread(bx, 8)
        tx = T.launch_thread("threadIdx.x", 8)
        with T.attr(T.comm_reducer(lambda x, y: x + y, [T.float32(0)]), "reduce_scope", T.reinterpret("handle", T.uint64(0))):
            A[bx * 8 + tx] = B[bx * 8 + tx] / T.float32(3)
        T.tvm_storage_sync("shared")

    @T.prim_func
    def binding(A: T.Buffer((64,), "float32")):
        for i in T.thread_binding(8, thread="blockIdx.x"):
            for j in T.thread_binding(0, 8, "threadIdx.x", annotations={"k": 1}):
                for u in T.unroll(1):
                    A[i * 8 + j + u] = -A[i * 8 + j]
