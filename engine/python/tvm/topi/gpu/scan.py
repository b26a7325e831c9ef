"""Running sums and products: a thread for each row."""
from ... import te, tir
from ._threads import axis_of, launch, rows, threads


def scanop(data, binop, identity_value, op_name, axis=None, output_dtype=None, exclusive=None, workspace=None):
    """What binop makes of all elements so far along an axis (of the flattened tensor without one); exclusive: of those before."""
    shape = data.shape if axis is not None else [_product(data.shape)]
    axis = axis_of(data, axis) if axis is not None else 0
    dtype = str(output_dtype) if output_dtype else data.dtype

    def kernel(ins, outs):
        builder = tir.ir_builder.create()
        source, result = builder.buffer_ptr(ins[0]), builder.buffer_ptr(outs[0])
        before, length, behind = rows(shape, axis)
        per_block = threads()
        block, thread = launch(builder, tir.ceildiv(before * behind, per_block), per_block)
        so_far = builder.allocate(dtype, (1,), name="so_far", scope="local")
        row = block * per_block + thread
        with builder.if_scope(row < before * behind):
            begin = tir.floordiv(row, behind) * length * behind + tir.floormod(row, behind)
            so_far[0] = tir.const(identity_value, dtype)
            with builder.for_range(0, length, name="k") as k:
                at = begin + k * behind
                value = source[at].astype(dtype)
                if exclusive:
                    result[at] = so_far[0]
                so_far[0] = binop(so_far[0], value)
                if not exclusive:
                    result[at] = so_far[0]
        return builder.get()

    source = tir.decl_buffer(data.shape, data.dtype, "data")
    result = tir.decl_buffer(shape, dtype, op_name)
    return te.extern([shape], [data], kernel, dtype=[dtype], in_buffers=[source], out_buffers=[result], name=op_name, tag=op_name)


def cumsum(data, axis=None, dtype=None, exclusive=None, workspace=None):
    """Sums of what came so far."""
    return scanop(data, lambda a, b: a + b, 0, "cumsum_gpu", axis, dtype, exclusive, workspace)


def cumprod(data, axis=None, dtype=None, exclusive=None, workspace=None):
    """Products of what came so far."""
    return scanop(data, lambda a, b: a * b, 1, "cumprod_gpu", axis, dtype, exclusive, workspace)


def scan_thrust(*args, **kwargs):
    """By a library that is not here."""
    raise NotImplementedError("Thrust is not here; tvm.topi.gpu.cumsum runs on threads without it")


def _product(shape):
    size = tir.const(1, shape[0].dtype if len(shape) > 0 else "int32")
    for extent in shape:
        size = size * extent
    return size
