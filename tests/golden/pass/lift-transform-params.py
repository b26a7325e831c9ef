# pass: LiftTransformParams()
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 3, 224, 224), "float32"), w1: R.Tensor((3, 16, 3, 3), "float32"), w2: R.Tensor((16, 16, 3, 3), "float32")) -> R.Tensor((1, 16, 224, 224), "float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            w1_t = R.permute_dims(w1, axes=[1, 0, 2, 3])
            conv1 = R.nn.conv2d(x, w1_t, padding=(1, 1), data_layout="NCHW", kernel_layout="OIHW")
            conv2 = R.nn.conv2d(conv1, w2, padding=(1, 1), data_layout="NCHW", kernel_layout="OIHW")
            z = R.zeros((1, 16, 224, 224), "float32")
            gv = R.add(conv2, z)
            R.output(gv)
        return gv
