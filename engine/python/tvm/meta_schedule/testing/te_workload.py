"""Operators that searches are tried on, as tensor expressions; create_te_workload makes the function of one.

Names of tensors, axes and parameters are TVM's, so that schedules that name them fit.
"""
from ... import te, topi


def _as(tensor, dtype):
    """Elements of another type; a plain element where that is the same."""
    return lambda *index: tensor[index].astype(dtype)


def _out(size, kernel, stride, padding, dilation):
    return (size + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1


def _axes(**sizes):
    return [te.reduce_axis((0, size), name=name) for name, size in sizes.items()]


def batch_matmul_nkkm(B, N, M, K, in_dtype="float32", out_dtype="float32"):
    """Z[b, i, j] = sum X[b, i, k] Y[b, k, j]"""
    x, y = te.placeholder((B, N, K), in_dtype, "X"), te.placeholder((B, K, M), in_dtype, "Y")
    (k,) = _axes(k=K)
    left, right = _as(x, out_dtype), _as(y, out_dtype)
    return x, y, te.compute((B, N, M), lambda b, i, j: te.sum(left(b, i, k) * right(b, k, j), axis=[k]), name="Z")


def _conv_inputs(shape, kernel, in_dtype, out_dtype, padding):
    inputs, weight = te.placeholder(shape, in_dtype, "inputs"), te.placeholder(kernel, in_dtype, "weight")
    pads = [0] + [padding] * (len(kernel) - 2) + [0] * (len(shape) - len(kernel) + 1)
    return inputs, weight, _as(topi.nn.pad(inputs, pads), out_dtype), _as(weight, out_dtype)


def conv1d_nlc(N, L, CI, CO, kernel_size, stride=1, padding=0, dilation=1, groups=1, in_dtype="float32", out_dtype="float32"):
    """Convolution of rows."""
    inputs, weight, x, f = _conv_inputs((N, L, CI), (kernel_size, CI // groups, CO), in_dtype, out_dtype, padding)
    rc, rl = _axes(rc=CI // groups, rl=kernel_size)
    length, each, own = _out(L, kernel_size, stride, padding, dilation), CO // groups, CI // groups
    return inputs, weight, te.compute((N, length, CO), lambda n, l, co: te.sum(
        x(n, l * stride + rl * dilation, co // each * own + rc) * f(rl, rc, co), axis=[rl, rc]), name="conv1d_nlc")


def conv2d_nhwc(N, H, W, CI, CO, kernel_size, stride=1, padding=0, dilation=1, groups=1, in_dtype="float32", out_dtype="float32"):
    """Convolution of pictures, channels last."""
    inputs, weight, x, f = _conv_inputs((N, H, W, CI), (kernel_size, kernel_size, CI // groups, CO), in_dtype, out_dtype, padding)
    rh, rw, rc = _axes(rh=kernel_size, rw=kernel_size, rc=CI // groups)
    high, wide = (_out(size, kernel_size, stride, padding, dilation) for size in (H, W))
    each, own = CO // groups, CI // groups
    return inputs, weight, te.compute((N, high, wide, CO), lambda n, h, w, co: te.sum(
        x(n, h * stride + rh * dilation, w * stride + rw * dilation, co // each * own + rc) * f(rh, rw, rc, co),
        axis=[rh, rw, rc]), name="conv2d_nhwc")


def conv3d_ndhwc(N, D, H, W, CI, CO, kernel_size, stride=1, padding=0, dilation=1, groups=1, in_dtype="float32", out_dtype="float32"):
    """Convolution of volumes, channels last."""
    inputs, weight, x, f = _conv_inputs((N, D, H, W, CI), (kernel_size,) * 3 + (CI // groups, CO), in_dtype, out_dtype, padding)
    rd, rh, rw, rc = _axes(rd=kernel_size, rh=kernel_size, rw=kernel_size, rc=CI // groups)
    deep, high, wide = (_out(size, kernel_size, stride, padding, dilation) for size in (D, H, W))
    each, own = CO // groups, CI // groups
    return inputs, weight, te.compute((N, deep, high, wide, CO), lambda n, d, h, w, co: te.sum(
        x(n, d * stride + rd * dilation, h * stride + rh * dilation, w * stride + rw * dilation, co // each * own + rc)
        * f(rd, rh, rw, rc, co), axis=[rd, rh, rw, rc]), name="conv3d_ndhwc")


def depthwise_conv2d_nhwc(N, H, W, C, kernel_size, stride=1, padding=0, dilation=1, factor=1, in_dtype="float32", out_dtype="float32"):
    """A kernel of its own for each channel."""
    assert factor == 1, "each channel has one kernel here: factor is 1"
    inputs, weight = te.placeholder((N, H, W, C), in_dtype), te.placeholder((factor, kernel_size, kernel_size, C), in_dtype)
    x, f = _as(topi.nn.pad(inputs, [0, padding, padding, 0]), out_dtype), _as(weight, out_dtype)
    rh, rw = _axes(rh=kernel_size, rw=kernel_size)
    high, wide = (_out(size, kernel_size, stride, padding, dilation) for size in (H, W))
    return inputs, weight, te.compute((N, high, wide, C * factor), lambda n, h, w, c: te.sum(
        x(n, h * stride + rh * dilation, w * stride + rw * dilation, c // factor) * f(c % factor, rh, rw, c // factor),
        axis=[rh, rw]), name="depth_conv2d_nhwc")


def conv2d_transpose_nhwc(N, H, W, CI, CO, kernel_size, stride=1, padding=0, in_dtype="float32", out_dtype="float32"):
    """The transposed convolution: between the elements of the padded input there are stride - 1 zeros."""
    from ... import tir

    inputs, weight = te.placeholder((N, H, W, CI), in_dtype, "inputs"), te.placeholder((kernel_size, kernel_size, CI, CO), in_dtype, "weight")
    before = kernel_size - 1 - padding
    pad = (before + stride - 1) // stride
    padded = topi.nn.pad(inputs, [0, pad, pad, 0], [0, pad, pad, 0])
    border = (stride - before % stride) % stride
    rc, rh, rw = _axes(rc=CI, rh=kernel_size, rw=kernel_size)

    def spread(n, h, w, c):
        if stride == 1:
            return padded(n, h, w, c)
        hit = te.all(te.indexmod(h, stride).equal(0), te.indexmod(w, stride).equal(0))
        return te.if_then_else(hit, padded(n, te.indexdiv(h, stride), te.indexdiv(w, stride), c), tir.const(0.0, padded.dtype))

    size = [(one - 1) * stride - 2 * padding + kernel_size for one in (H, W)]
    last = kernel_size - 1
    out = te.compute((N, *size, CO), lambda n, h, w, co: te.sum(
        spread(n, h + rh + border, w + rw + border, rc).astype(out_dtype) * weight[last - rh, last - rw, rc, co].astype(out_dtype),
        axis=[rh, rw, rc]), name="conv2d_transpose_nhwc")
    return inputs, weight, out


def conv2d_nhwc_bn_relu(N, H, W, CI, CO, kernel_size, strides, padding, dilation=1, in_dtype="float32", out_dtype="float32"):
    """A convolution with bias, scale, offset and relu."""
    data, kernel = te.placeholder((N, H, W, CI), in_dtype, "data"), te.placeholder((kernel_size, kernel_size, CI, CO), in_dtype, "kernel")
    bias, scale, offset = (te.placeholder((CO,), name=name) for name in ("bias", "bn_scale", "bn_offset"))
    padded = topi.nn.pad(data, [0, padding, padding, 0], [0, padding, padding, 0], name="PaddedInput")
    rc, ry, rx = _axes(rc=CI, ry=kernel_size, rx=kernel_size)
    shape = (N, _out(H, kernel_size, strides, padding, dilation), _out(W, kernel_size, strides, padding, dilation), CO)
    conv = te.compute(shape, lambda nn, yy, xx, ff: te.sum(
        padded[nn, yy * strides + ry * dilation, xx * strides + rx * dilation, rc].astype(out_dtype) * kernel[ry, rx, rc, ff].astype(out_dtype),
        axis=[ry, rx, rc]), name="Conv2dOutput", tag="conv2d_nhwc")
    conv = _scaled(shape, conv, bias, scale, offset, lambda i, j, k, c: (c,))
    return data, kernel, bias, offset, scale, topi.nn.relu(conv)


def conv2d_capsule_nhwijc(N, H, W, CI, CO, kernel_size, stride=1, padding=0, capsule_size=4, in_dtype="float32", out_dtype="float32"):
    """Convolution whose elements are small matrices."""
    s = capsule_size
    inputs, weight = te.placeholder((N, H, W, s, s, CI), in_dtype, "inputs"), te.placeholder((kernel_size, kernel_size, s, s, CI, CO), in_dtype, "weight")
    x, f = _as(topi.nn.pad(inputs, [0, padding, padding, 0, 0, 0]), out_dtype), _as(weight, out_dtype)
    rh, rw, cap_k, rc = _axes(rh=kernel_size, rw=kernel_size, cap_k=s, rc=CI)
    high, wide = ((size + 2 * padding - kernel_size) // stride + 1 for size in (H, W))
    return inputs, weight, te.compute((N, high, wide, s, s, CO), lambda n, h, w, cap_i, cap_j, co: te.sum(
        x(n, h * stride + rh, w * stride + rw, cap_i, cap_k, rc) * f(rh, rw, cap_k, cap_j, rc, co),
        axis=[rh, rw, cap_k, rc]), name="conv2d_capsule_nhwijc")


def norm_bmn(B, M, N):
    """The root of the sum of the squares of each matrix."""
    a = te.placeholder((B, M, N), name="A")
    i, j = _axes(i=M, j=N)
    c = te.compute((B,), lambda b: te.sum(a[b, i, j] * a[b, i, j], axis=[i, j]), name="C")
    return a, te.compute((B,), lambda b: te.sqrt(c[b]), name="D")


def _scaled(shape, value, bias, scale, offset, at):
    value = te.compute(shape, lambda i, j, k, l: value[i, j, k, l] + bias[at(i, j, k, l)], name="bias_add")
    value = te.compute(shape, lambda i, j, k, l: value[i, j, k, l] * scale[at(i, j, k, l)], name="bn_mul")
    return te.compute(shape, lambda i, j, k, l: value[i, j, k, l] + offset[at(i, j, k, l)], name="bn_add")


def transpose_batch_matmul(batch, seq_len, n_head, n_dim, in_dtype="float32", out_dtype="float32"):
    """The scores of attention: queries times keys, head by head."""
    query, value = (te.placeholder((batch, seq_len, n_head, n_dim), in_dtype, name) for name in ("query", "value"))
    turned_q = te.compute((batch, n_head, seq_len, n_dim), lambda b, h, l, d: query[b, l, h, d], name="query_T")
    turned_v = te.compute((batch, n_head, n_dim, seq_len), lambda b, h, d, l: value[b, l, h, d], name="value_T")
    (k,) = _axes(k=n_dim)
    x, y = _as(turned_q, out_dtype), _as(turned_v, out_dtype)
    return query, value, te.compute((batch, n_head, seq_len, seq_len), lambda b, h, i, j: te.sum(x(b, h, i, k) * y(b, h, k, j), axis=[k]), name="C")


def matmul(n, m, k, in_dtype="float32", out_dtype="float32"):
    """C[i, j] = sum A[i, k] B[k, j]"""
    a, b = te.placeholder((n, k), in_dtype, "A"), te.placeholder((k, m), in_dtype, "B")
    (r,) = _axes(k=k)
    x, y = _as(a, out_dtype), _as(b, out_dtype)
    return a, b, te.compute((n, m), lambda i, j: te.sum(x(i, r) * y(r, j), axis=[r]), name="C")


def matmul_relu(n, m, k, in_dtype="float32", out_dtype="float32"):
    """The same without what is below zero."""
    a, b, c = matmul(n, m, k, in_dtype, out_dtype)
    return a, b, topi.nn.relu(c)


def conv2d_nchw(n, h, w, ci, co, kh, kw, stride, padding, dilation=1, in_dtype="float32", out_dtype="float32"):
    """Convolution of pictures, channels first."""
    x, kernel = te.placeholder((n, ci, h, w), in_dtype, "X"), te.placeholder((co, ci, kh, kw), in_dtype, "W")
    return x, kernel, topi.nn.conv2d_nchw(x, kernel, stride, padding, dilation, out_dtype)


def conv2d_nchw_bias_bn_relu(n, h, w, ci, co, kh, kw, stride, padding, dilation=1, in_dtype="float32", out_dtype="float32"):
    """A layer: convolution, bias, scale, offset, relu."""
    x, kernel, y = conv2d_nchw(n, h, w, ci, co, kh, kw, stride, padding, dilation, in_dtype, out_dtype)
    bias, scale, offset = (te.placeholder((co, 1, 1), out_dtype, name) for name in ("B", "bn_scale", "bn_offset"))
    shape = (n, co, _out(h, kh, stride, padding, dilation), _out(w, kh, stride, padding, dilation))
    return x, kernel, bias, scale, offset, topi.nn.relu(_scaled(shape, y, bias, scale, offset, lambda i, j, k, l: (j, 0, 0)))


def max_pool2d_nchw(n, h, w, ci, padding):
    """The largest of every four neighbours."""
    x = te.placeholder((n, ci, h, w), name="X")
    return x, topi.nn.pool2d(x, [2, 2], [1, 1], [1, 1], [padding] * 4, "max")


def softmax_mn(m, n):
    """Softmax of rows."""
    a = te.placeholder((m, n), name="A")
    return a, topi.nn.softmax(a, axis=1)


CONFIGS = {
    "C1D": (conv1d_nlc, [(1, 256, 64, 128, 3, 2, 1), (1, 128, 128, 256, 1, 2, 0), (1, 64, 256, 256, 5, 1, 2), (1, 32, 512, 512, 3, 1, 1)]),
    "C2D": (conv2d_nhwc, [(1, 224, 224, 3, 64, 7, 2, 3), (1, 56, 56, 64, 64, 1, 1, 0), (1, 14, 14, 256, 256, 3, 1, 1), (1, 7, 7, 512, 512, 3, 1, 1)]),
    "C3D": (conv3d_ndhwc, [(1, 16, 224, 224, 3, 64, 7, 2, 3), (1, 16, 56, 56, 64, 64, 1, 1, 0), (1, 16, 14, 14, 256, 256, 3, 1, 1),
                           (1, 16, 7, 7, 512, 512, 3, 1, 1)]),
    "GMM": (batch_matmul_nkkm, [(1, 128, 128, 128), (1, 512, 32, 512), (1, 512, 512, 512), (1, 1024, 1024, 1024)]),
    "GRP": (conv2d_nhwc, [(1, 56, 56, 64, 128, 3, 2, 1, 1, 4), (1, 56, 56, 64, 64, 1, 1, 0, 1, 4), (1, 14, 14, 256, 256, 3, 1, 1, 1, 4),
                          (1, 7, 7, 512, 512, 3, 1, 1, 1, 4)]),
    "DIL": (conv2d_nhwc, [(1, 224, 224, 3, 64, 7, 2, 3, 2), (1, 56, 56, 64, 64, 1, 1, 0, 2), (1, 14, 14, 256, 256, 3, 1, 1, 2),
                          (1, 7, 7, 512, 512, 3, 1, 1, 2)]),
    "DEP": (depthwise_conv2d_nhwc, [(1, 112, 112, 32, 3, 1, 1), (1, 112, 112, 64, 3, 2, 1), (1, 14, 14, 512, 3, 2, 1), (1, 7, 7, 1024, 3, 1, 1)]),
    "T2D": (conv2d_transpose_nhwc, [(1, 4, 4, 512, 256, 4, 2, 1), (1, 8, 8, 256, 128, 4, 2, 1), (1, 16, 16, 128, 64, 4, 2, 1), (1, 32, 32, 64, 3, 4, 2, 1)]),
    "CBR": (conv2d_nhwc_bn_relu, [(1, 224, 224, 3, 64, 7, 2, 3), (1, 56, 56, 64, 128, 3, 2, 1), (1, 28, 28, 128, 256, 1, 2, 0), (1, 7, 7, 512, 512, 3, 1, 1)]),
    "CAP": (conv2d_capsule_nhwijc, [(1, 16, 16, 32, 32, 3, 2, 1), (1, 8, 8, 32, 32, 3, 1, 1), (1, 16, 16, 8, 16, 3, 2, 1), (1, 8, 8, 16, 16, 3, 1, 1)]),
    "NRM": (norm_bmn, [(1, 256, 256), (1, 512, 512), (1, 1024, 1024), (1, 4096, 1024)]),
    "SFM": (softmax_mn, [(256, 256), (512, 512), (1024, 1024), (2048, 2048)]),
    "TBG": (transpose_batch_matmul, [(1, 128, 12, 64), (1, 128, 16, 64), (1, 64, 12, 128), (1, 128, 12, 128)]),
}


def create_te_workload(name, idx):
    """The function of configuration `idx` of a workload."""
    workload, params = CONFIGS[name]
    return te.create_prim_func(workload(*params[idx]))
