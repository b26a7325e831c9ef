# pass: LiftTransformParams(True)
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T

@I.ir_module
class Module:
    @R.function
    def func1(x: R.Tensor((256, 256), "float32"), w1: R.Tensor(("n", 256), "float32"), w2: R.Tensor((256, 256), "float32")):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            w1_t = R.permute_dims(w1)
            y1 = R.matmul(x, w1_t)
            w2_t = R.permute_dims(w2)
            y2 = R.matmul(x, w2_t)
            gv = (y1, y2)
            R.output(gv)
        return gv
    @R.function
    def func2(x: R.Tensor((256, 256), "float32"), w1: R.Tensor(("n", 256), "float32"), w2: R.Tensor((256, 256), "float32")):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            w1_t = R.permute_dims(w1)
            y1 = R.matmul(x, w1_t)
            y2 = R.matmul(x, w2)
            gv = (y1, y2)
            R.output(gv)
        return gv
