# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2, 2), I.Range(0, 4)), R.device_mesh((3,), [7, 8, 9])]})
    @T.prim_func
    def plus(x: T.Buffer((T.int64(8), T.int64(6)), "float32"), y: T.Buffer((T.int64(8), T.int64(6)), "float32")):
        # with T.block("root"):
        for i, j in T.grid(T.int64(8), T.int64(6)):
            with T.block("plus"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(x[vi, vj])
                T.writes(y[vi, vj])
                y[vi, vj] = x[vi, vj] + T.float32(1.0)

    @R.function
    def main(x: R.DTensor((8, 6), "float32", "mesh[0]", "S[0], R")) -> R.DTensor((8, 6), "float32", "mesh[0]", "S[0], R"):
        cls = Module
        y = R.dist.call_tir(cls.plus, (x,), out_sinfo=R.DTensor((8, 6), "float32", "mesh[0]", "S[0], R"))
        z: R.DTensor((8, 6), "float32", "mesh[0]", "S[0], R") = R.multiply(y, R.dist.const(2.0, R.DTensor((), "float32", "mesh[0]", "R, R")))
        return z
