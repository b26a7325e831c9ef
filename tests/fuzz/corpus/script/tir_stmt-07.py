# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16,), "float32")):
        T.call_packed("own.f", A.data, 3, "s")
        T.call_extern("int32", "own_c", A.data)
        T.call_extern("void", "own_v", T.tvm_access_ptr(T.type_annotation("float32"), A.data, 0, 16, 3), T.address_of(A[2]))
        T.tvm_storage_sync("shared")
