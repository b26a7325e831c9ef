# pass: LambdaLift()
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
        @R.function
        def loop(i: R.Tensor((), "int32"), s: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
            cond: R.Tensor((), "bool") = R.call_pure_packed("test.vm.less", i, R.const(10), sinfo_args=(R.Tensor((), dtype="bool")))
            c: R.Tensor((), "int32") = R.const(1, dtype="int32")
            if cond:
                new_i: R.Tensor((), "int32") = R.add(i, c)
                new_s: R.Tensor((2, 3), "float32") = R.add(s, x)
                r: R.Tensor((2, 3), "float32") = loop(new_i, new_s)
            else:
                r: R.Tensor((2, 3), "float32") = s
            return r
        gv: R.Tensor((2, 3), "float32") = loop(R.const(0), x)
        return gv
