"""The references of operators in numpy: against what the engine computes, and against each other."""
import unittest

import numpy as np

import tap
import tvm
from tvm import te, topi
import tvm.topi.testing as ref


def values(*shape):
    return np.random.default_rng(7).standard_normal(shape).astype("float32")


def computed(make, *arrays):
    """What an operator of te tensors gives for arrays."""
    inputs = [te.placeholder(a.shape, str(a.dtype)) for a in arrays]
    out = make(*inputs)
    result = tvm.nd.empty([int(n) for n in out.shape], out.dtype)
    func = tvm.compile(te.create_prim_func([*inputs, out]), "llvm")
    func(*[tvm.nd.array(a) for a in arrays], result)
    return result.numpy()


class References(unittest.TestCase):
    def agree(self, make, expected, *arrays):
        np.testing.assert_allclose(computed(make, *arrays), expected, rtol=1e-4, atol=1e-4)

    def test_convolutions(self):
        x, w = values(2, 4, 9, 8), values(6, 2, 3, 3)
        self.agree(lambda a, b: topi.nn.group_conv2d_nchw(a, b, 2, 1, 1, 2), ref.conv2d_nchw_python(x, w, 2, 1, 2), x, w)
        y, k = values(1, 7, 6, 3), values(3, 3, 3, 5)
        self.agree(lambda a, b: topi.nn.conv2d_nhwc(a, b, 1, "SAME", 1), ref.conv2d_nhwc_python(y, k, 1, "SAME"), y, k)
        t = values(4, 3, 3, 3)
        self.agree(lambda a, b: topi.nn.conv2d_transpose_nchw(a, b, (2, 2), (1, 1), "float32", (1, 1)),
                   ref.conv2d_transpose_nchw_python(x, t, (2, 2), (1, 1), (1, 1)), x, t)

    def test_pools_and_norms(self):
        x = values(2, 4, 9, 8)
        self.agree(lambda a: topi.nn.pool2d(a, (3, 3), (2, 2), (1, 1), (1, 1, 1, 1), "avg"),
                   ref.poolnd_python(x, (3, 3), (2, 2), (1, 1), (1, 1), (1, 1), "avg"), x)
        self.agree(lambda a: topi.nn.adaptive_pool(a, (2, 3), "max"), ref.adaptive_pool(x, (2, 3), "max", "NCHW"), x)
        self.agree(lambda a: topi.nn.softmax(a, 1), ref.softmax_python(x, 1), x)
        g, b = values(8), values(8)
        self.agree(lambda a, c, d: topi.nn.layer_norm(a, c, d, [3]), ref.layer_norm_python(x, g, b, 3), x, g, b)

    def test_places(self):
        x = values(1, 8, 2, 3)
        self.agree(lambda a: topi.nn.depth_to_space(a, 2), ref.depth_to_space_python(x, 2), x)
        np.testing.assert_array_equal(ref.space_to_depth_python(ref.depth_to_space_python(x, 2), 2), x)
        z = values(4, 6, 6, 2)
        packed = ref.space_to_batch_nd_python(z, [2, 3], [0, 0], [0, 0])
        np.testing.assert_array_equal(ref.batch_to_space_nd_python(packed, [2, 3], [0, 0], [0, 0]), z)
        self.agree(lambda a: topi.strided_slice(a, [0, 1], [1, 6], [1, 2]), ref.strided_slice_python(x, [0, 1], [1, 6], [1, 2]), x)

    def test_products_and_dispatch(self):
        x, y = values(2, 3, 4), values(2, 5, 4)
        self.agree(lambda a, b: topi.nn.batch_matmul(a, b), ref.batch_matmul(x, y), x, y)
        self.assertEqual(ref.dispatch("llvm", {"generic": 1, "cpu": 2}), 2)
        self.assertEqual(ref.dispatch("cuda", {"generic": 1, "cpu": 2}), 1)
        ref.compare_numpy_tvm([x], x * 2, "llvm", tvm.cpu(), lambda a: topi.add(a, a))


if __name__ == "__main__":
    tap.main()
