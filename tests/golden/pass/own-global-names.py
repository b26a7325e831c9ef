# pass: NormalizeGlobalVar()
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function(private=True)
    def f() -> R.Tensor((), "int32"):
        return R.const(1, "int32")

    @R.function
    def f1() -> R.Tensor((), "int32"):
        R.func_attr({"global_symbol": "f"})
        cls = Module
        gv: R.Tensor((), dtype="int32") = cls.f()
        return gv
