# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def f05(A: T.Buffer((8,), "int32"), n: T.int32):
        while A[0] < n:
            A[0] = A[0] + 1
        if n > 3:
            A[1] = 2
        else:
            A[1] = 3
        if n > 4 and n < 6 or n == 9:
            A[2] = 2

    @T.prim_func
    def f06(A: T.Buffer((8,), "float32")):
        with T.allocate([8], "float32", "global") as B:
            B_1 = T.Buffer((8,), data=B)
            B_1[0] = A[0]
        A[1] = A[0]

    @T.prim_func
    def f07(A: T.Buffer((8,), "int32"), n: T.int32):
        with T.LetStmt(n + 1) as k:
            A[0] = k
        A[1] = n

    @T.prim_func
    def f08(A: T.Buffer((8,), "float32"), n: T.int32):
        with T.Assert(n > 0, "bad"):
            A[0] = T.float32(0.0)
        A[1] = T.float32(0.0)

    @T.prim_func
    def f09(A: T.Buffer((8,), "float32"), n: T.int32):
        T.attr(A.data, "storage_alignment", 128)
        T.attr(0, "pragma_x", "v")
        A[0] = T.float32(0.0)

    @T.prim_func
    def f20(A: T.Buffer((64,), "float32")) -> T.int32:
        return 3

    @T.prim_func(private=True)
    def f21(A: T.Buffer((64,), "float32")):
        T.func_attr({"a": 1, "b": T.int64(2), "c": "d", "e": [1, "x"], "target": T.target({"keys": ["cpu"], "kind": "llvm", "mtriple": "x86_64-pc-linux-gnu", "tag": ""}), "tir.noalias": T.bool(True)})
        T.evaluate(0)

    @T.prim_func
    def f23(A: T.Buffer((64,), "float32")):
        T.func_attr({"global_symbol": "other"})
        p: T.handle("float32", "global") = T.address_of(A[0])
        with T.LetStmt(T.address_of(A[1]), T.handle("float32", "global")) as q:
            T.call_extern("int32", "f", q)
        T.call_extern("int32", "f", p)
