# pass: Normalize()
from tvm.script import ir as I, relax as R, tir as T
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def f(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32"), c: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.block("b"):
                vi = T.axis.spatial(4, i)
                c[vi] = a[vi] + b[vi]
    @R.function
    def main(x: R.Tensor((4,), "float32"), p: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32"))) -> R.Tensor((4,), "float32"):
        cls = Module
        t = (x, x)
        u = t
        a = R.call_tir(cls.f, u, out_sinfo=R.Tensor((4,), "float32"))
        b = R.call_tir(cls.f, p, out_sinfo=R.Tensor((4,), "float32"))
        return b
