# A small network at the graph level: two layers, operators of Relax.
#   loopscope-cli pass data/samples/mlp.py --pass 'LegalizeOps()'     its operators as TensorIR
#   loopscope-cli build data/samples/mlp.py -o mlp.lsx                an executable for the virtual machine
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class MLP:
    @R.function
    def main(x: R.Tensor((1, 784), "float32"), w0: R.Tensor((128, 784), "float32"), b0: R.Tensor((128,), "float32"),
             w1: R.Tensor((10, 128), "float32"), b1: R.Tensor((10,), "float32")) -> R.Tensor((1, 10), "float32"):
        with R.dataflow():
            lv0 = R.matmul(x, R.permute_dims(w0))
            lv1 = R.add(lv0, b0)
            lv2 = R.nn.relu(lv1)
            lv3 = R.matmul(lv2, R.permute_dims(w1))
            logits = R.add(lv3, b1)
            R.output(logits)
        return logits
