"""Operators on images."""
import _loopscope as _core


def resize2d(data, roi, size, layout="NCHW", method="linear", coordinate_transformation_mode="half_pixel", rounding_method="", bicubic_alpha=-0.5,
             bicubic_exclude=0, extrapolation_value=0.0, out_dtype=None, output_shape=None):
    """Another size, by the nearest pixel, linear or cubic interpolation."""
    return _core.topi("image_resize2d", data, list(size), layout, method, coordinate_transformation_mode, rounding_method or "", float(bicubic_alpha), bool(bicubic_exclude),
                      out_dtype)


from .crop import crop_and_resize  # noqa: E402
from .sampling import *  # noqa: E402,F403
from .._families import register as _register  # noqa: E402

_register(__name__)
