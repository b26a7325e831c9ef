"""Quantisation in floating point: numbers are rounded as a type of integers would hold them, and stay floats."""
from ... import te, tir

__all__ = ["SQNN_DTYPE_TO_CODE", "SQNN_CODE_TO_DTYPE", "SQNN_DISABLE", "SQNN_INT8", "SQNN_UINT8", "SQNN_INT32", "simulated_dequantize", "simulated_quantize"]

SQNN_DISABLE, SQNN_INT8, SQNN_UINT8, SQNN_INT32 = range(4)
SQNN_DTYPE_TO_CODE = {"disable": SQNN_DISABLE, "int8": SQNN_INT8, "uint8": SQNN_UINT8, "int32": SQNN_INT32}
SQNN_CODE_TO_DTYPE = {code: dtype for dtype, code in SQNN_DTYPE_TO_CODE.items()}


def _parameter(values, places, axis):
    """That of this place: one for all, or one for each place along an axis."""
    return values() if len(values.shape) == 0 else values[te.indexmod(places[axis], values.shape[0])]


def _chosen(code, cases, otherwise):
    for number, value in cases:
        otherwise = tir.Select(code[0].equal(number) if len(code.shape) else code().equal(number), value, otherwise)
    return otherwise


def simulated_quantize(data, out_dtype, output_scale=None, output_zero_point=None, axis=-1):
    """round (data / scale) + zero point in the range of a type, whose code is a tensor; data itself for the code of none."""
    if output_scale is None or output_zero_point is None:
        return te.compute(data.shape, lambda *places: data[places], name="simulated_quantize")

    def value(*places):
        moved = te.round(data[places] / _parameter(output_scale, places, axis)) + _parameter(output_zero_point, places, axis)
        cases = []
        for dtype in ("int8", "uint8", "int32"):
            least, most = (tir.Cast(moved.dtype, bound) for bound in (te.min_value(dtype), te.max_value(dtype)))
            cases.append((SQNN_DTYPE_TO_CODE[dtype], tir.max(tir.min(moved, most), least)))
        return _chosen(out_dtype, cases, data[places])

    return te.compute(data.shape, value, tag="simulated_quantize")


def simulated_dequantize(data, in_dtype, input_scale=None, input_zero_point=None, axis=-1):
    """(data - zero point) * scale for a type whose code is a tensor; data itself for the code of none."""
    if input_scale is None or input_zero_point is None:
        return te.compute(data.shape, lambda *places: data[places], name="simulated_dequantize")

    def value(*places):
        moved = (data[places] - _parameter(input_zero_point, places, axis)) * _parameter(input_scale, places, axis)
        return _chosen(in_dtype, [(code, moved) for code in (SQNN_INT8, SQNN_UINT8, SQNN_INT32)], data[places])

    return te.compute(data.shape, value, tag="simulated_dequantize")
