"""Fourier transforms, of signals and of windows of them."""
import math

from .. import te, tir


def _builder():
    return tir.ir_builder.create()


def stft(data, n_fft, hop_length, win_length, window, normalized, onesided, output_shape):
    """The Fourier transform of each window of a row; the last dimension of the result are real and imaginary parts.

    The window is tapered by `window`; `normalized` divides by the root of its length.  How many frequencies there are says output_shape
    (`onesided`: the lower half and one)."""
    del n_fft, onesided

    def transform(ins, outs):
        builder = _builder()
        signal, taper, out = (builder.buffer_ptr(x) for x in (ins[0], ins[1], outs[0]))
        rows, frequencies, frames = output_shape[0], output_shape[1], output_shape[2]
        length, width = data.shape[-1], 2
        with builder.for_range(0, rows * frequencies, name="i", kind="parallel") as i:
            row, frequency = i // frequencies, i % frequencies
            with builder.for_range(0, frames, name="frame") as frame:
                at = ((row * frequencies + frequency) * frames + frame) * width
                out[at] = tir.const(0, data.dtype)
                out[at + 1] = tir.const(0, data.dtype)
                with builder.for_range(0, win_length, name="k") as k:
                    angle = tir.const(2 * math.pi / int(win_length), data.dtype) * (frequency * k).astype(data.dtype)
                    value = taper[k] * signal[row * length + frame * hop_length + k]
                    out[at] += value * tir.cos(angle)
                    out[at + 1] -= value * tir.sin(angle)
                if normalized:
                    out[at] = out[at] / tir.const(math.sqrt(int(win_length)), data.dtype)
                    out[at + 1] = out[at + 1] / tir.const(math.sqrt(int(win_length)), data.dtype)
        return builder.get()

    return te.extern(output_shape, [data, window], transform, dtype=data.dtype, name="stft_cpu", tag="stft_cpu")


def dft(re_data, im_data, inverse):
    """The Fourier transform along the last dimension of numbers given by real and imaginary parts, or the way back: [real, imaginary]."""
    def transform(ins, outs):
        builder = _builder()
        real, imaginary, out_real, out_imaginary = (builder.buffer_ptr(x) for x in (*ins, *outs))
        n = re_data.shape[-1]
        rows = 1
        for extent in re_data.shape[:-1]:
            rows = rows * extent
        sign = tir.const((1 if inverse else -1) * 2 * math.pi, "float64")
        with builder.for_range(0, rows, name="row", kind="parallel") as row:
            with builder.for_range(0, n, name="i") as i:
                at = row * n + i
                out_real[at] = tir.const(0, re_data.dtype)
                out_imaginary[at] = tir.const(0, im_data.dtype)
                with builder.for_range(0, n, name="k") as k:
                    angle = (sign * (i * k).astype("float64") / tir.Cast("float64", n if isinstance(n, tir.PrimExpr) else tir.const(n))).astype(re_data.dtype)
                    cos, sin = tir.cos(angle), tir.sin(angle)
                    out_real[at] += real[row * n + k] * cos - imaginary[row * n + k] * sin
                    out_imaginary[at] += real[row * n + k] * sin + imaginary[row * n + k] * cos
                if inverse:
                    out_real[at] = out_real[at] / tir.Cast(re_data.dtype, n if isinstance(n, tir.PrimExpr) else tir.const(n))
                    out_imaginary[at] = out_imaginary[at] / tir.Cast(im_data.dtype, n if isinstance(n, tir.PrimExpr) else tir.const(n))
        return builder.get()

    return te.extern([re_data.shape, im_data.shape], [re_data, im_data], transform, dtype=[re_data.dtype, im_data.dtype], name="dft_cpu", tag="dft_cpu")
