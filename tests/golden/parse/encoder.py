@tvm.script.ir_module
class Encoder:
    @T.prim_func
    def widen0(
        P: T.Buffer[(3, 24), "float32"],
        Q: T.Buffer[(24, 96), "float32"],
        O: T.Buffer[(3, 96), "float32"],
    ):
        # how it is called from outside
        T.func_attr({"global_symbol": "widen0", "tir.noalias": True})
        for a, b, c in T.grid(3, 96, 24):
            with T.block("O"):
                va, vb, vc = T.axis.remap("SSR", [a, b, c])
                with T.init():
                    O[va, vb] = T.float32(0)
                O[va, vb] = O[va, vb] + P[va, vc] * Q[vc, vb]

    @T.prim_func
    def cube0(P: T.Buffer[(3, 96), "float32"], O: T.Buffer[(3, 96), "float32"]):
        T.func_attr({"global_symbol": "cube0", "tir.noalias": True})
        U = T.alloc_buffer((3, 96), "float32")
        for a, b in T.grid(3, 96):
            with T.block("U"):
                va, vb = T.axis.remap("SS", [a, b])
                U[va, vb] = P[va, vb] * P[va, vb]

        for b, a in T.grid(96, 3):
            with T.block("O"):
                vb, va = T.axis.remap("SS", [b, a])
                O[va, vb] = U[va, vb] * P[va, vb]

    @T.prim_func
    def narrow0(
        P: T.Buffer[(3, 96), "float32"],
        O: T.Buffer[(3,), "float32"],
    ):
        T.func_attr({"global_symbol": "narrow0", "tir.noalias": True})
        for a, c in T.grid(3, 96):
            with T.block("O"):
                va, vc = T.axis.remap("SR", [a, c])
                with T.init():
                    O[va] = T.float32(-1000)
                O[va] = T.max(O[va], P[va, vc])

    @R.function
    def main(
        x: Tensor((3, 24), "float32"),
        w: Tensor((24, 96), "float32"),
    ):
        with R.dataflow():
            wide = R.call_tir(widen0, (x, w), (3, 96), dtype="float32")
            cubes = R.call_tir(cube0, (wide,), (3, 96), dtype="float32")
            out = R.call_tir(narrow0, (cubes,), (3,), dtype="float32")
            R.output(out)
        return out
