# pass: ConvertLayout({"relax.nn.conv2d": ["NCHW4c", "OIHW4o"]})
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 16, 28, 28), "float32"), w: R.Tensor((8, 16, 3, 3), "float32"), bias: R.Tensor((2, 8, 26, 26), "float32"), s: R.Tensor((26,), "float32")):
        with R.dataflow():
            a = R.nn.conv2d(x, w, out_dtype="float32")
            b = R.add(a, bias)
            c = R.nn.relu(b)
            d = R.nn.max_pool2d(c)
            e = R.add(d, s)
            f = R.sum(e, axis=[2, 3])
            g = R.concat((f, f), axis=1)
            h = R.mean(d, axis=[2, 3], keepdims=True)
            i = R.squeeze(h, axis=[2, 3])
            j = R.expand_dims(d, axis=[1])
            gv = (g, i, j)
            k = R.strided_slice(c, axes=[1], begin=[0], end=[4])
            gv2 = R.nn.softmax(k, axis=1)
            R.output(gv, gv2)
        return gv, gv2
