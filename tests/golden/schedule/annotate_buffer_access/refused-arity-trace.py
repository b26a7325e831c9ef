# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16, 24), "float32"), C: T.Buffer((16, 24), "float32")):
        B = T.alloc_buffer((16, 24))
        for i, j in T.grid(16, 24):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] * T.float32(2)
        for i, j in T.grid(16, 24):
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = B[vi, vj] + T.float32(1)

# steps
[[["GetBlock", [], ["B", "main"], ["b0"]], ["AnnotateBufferAccess", ["b0", 0, 0, "{\"root\": 1, \"nodes\": [{\"type_key\": \"\"}, {\"type_key\": \"tir.IndexMap\", \"attrs\": {\"final_indices\": \"9\", \"initial_indices\": \"2\", \"inverse_index_map\": \"0\"}}, {\"type_key\": \"Array\", \"data\": [3]}, {\"type_key\": \"tir.Var\", \"attrs\": {\"dtype\": \"int32\", \"name\": \"4\", \"span\": \"0\", \"type_annotation\": \"5\"}}, {\"type_key\": \"runtime.String\", \"repr_str\": \"vi\"}, {\"type_key\": \"PrimType\", \"attrs\": {\"dtype\": \"int32\"}}, {\"type_key\": \"tir.Var\", \"attrs\": {\"dtype\": \"int32\", \"name\": \"7\", \"span\": \"0\", \"type_annotation\": \"8\"}}, {\"type_key\": \"runtime.String\", \"repr_str\": \"vj\"}, {\"type_key\": \"PrimType\", \"attrs\": {\"dtype\": \"int32\"}}, {\"type_key\": \"Array\", \"data\": [3, 10, 12, 13]}, {\"type_key\": \"tir.Add\", \"attrs\": {\"a\": \"3\", \"b\": \"11\", \"dtype\": \"int32\", \"span\": \"0\"}}, {\"type_key\": \"IntImm\", \"attrs\": {\"dtype\": \"int32\", \"span\": \"0\", \"value\": \"1\"}}, {\"type_key\": \"IntImm\", \"attrs\": {\"dtype\": \"int32\", \"span\": \"0\", \"value\": \"0\"}}, {\"type_key\": \"IntImm\", \"attrs\": {\"dtype\": \"int32\", \"span\": \"0\", \"value\": \"24\"}}], \"b64ndarrays\": [], \"attrs\": {\"tvm_version\": \"0.20.0\"}}"], [], []]], []]
