# pass: Gradient("cp")
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3, 4), "float32"), w: R.Tensor((4, 5), "float32"), b: R.Tensor((5,), "float32"), label: R.Tensor((3, 5), "float32")):
        with R.dataflow():
            lv0 = R.matmul(x, w)
            lv1 = R.add(lv0, b)
            lv2 = R.nn.relu(lv1)
            lv3 = R.nn.log_softmax(lv2)
            loss = R.nn.cross_entropy_with_logits(lv3, label)
            R.output(loss)
        return loss
    @R.function
    def cp(x: R.Tensor((3, 3), "float32")):
        with R.dataflow():
            a_scp = R.grad.start_checkpoint(x)
            lv1 = R.power(a_scp, R.const(3, "float32"))
            lv1_ecp = R.grad.end_checkpoint(lv1)
            lv2 = R.sqrt(lv1_ecp)
            t = R.split(lv2, 3, axis=1)
            t0 = t[0]
            t2 = t[2]
            c = R.concat((t0, t2), axis=0)
            gv = R.mean(c)
            R.output(gv)
        return gv
    @R.function
    def tr(x: R.Tensor((3, 5), "float32"), y: R.Tensor((4, 5), "float32")):
        with R.dataflow():
            a = R.permute_dims(y)
            b = R.matmul(x, a)
            gv = R.sum(b)
            R.output(gv)
        return gv
