"""Layouts of tensors: NCHW16c names the axes from the outside in; a small letter is the inner part of its axis."""
import _loopscope as _core

from .expr import IterVar, Var

_UNDEFINED = "__undef__"


def _parse(name):
    """[(axis, extent or None)] of a layout."""
    axes, number = [], ""
    for letter in "" if name == _UNDEFINED else name:
        if letter.isdigit():
            number += letter
        elif letter.isalpha() and (letter.isupper() == (number == "")):
            axes.append((letter, int(number) if number else None))
            number = ""
        else:
            raise ValueError(f"{name} is no layout: at {letter!r}")
    if number or len({a for a, _ in axes}) != len(axes):
        raise ValueError(f"{name} is no layout")
    return axes


class Layout:
    """The order of the axes of a tensor."""

    def __init__(self, name, dtype="int32"):
        from ..ir.expr import Range

        self.name, self._axes = name, _parse(name)
        self.axes = []
        for axis, extent in self._axes:
            size = Var(axis.lower() + "_shape", dtype) if extent is None else _core.const(dtype, extent)
            self.axes.append(IterVar(Range.from_min_extent(_core.const(dtype, 0), size), Var(axis, dtype), IterVar.DataPar))

    def __len__(self):
        return len(self._axes)

    def __contains__(self, axis):
        return len(axis) == 1 and axis in [a for a, _ in self._axes]

    def __getitem__(self, index):
        if not -len(self) <= index < len(self):
            raise IndexError("Layout index out of range")
        return self._axes[index][0]

    def index_of(self, axis):
        """The place of an axis, or -1."""
        return next((i for i, (a, _) in enumerate(self._axes) if a == axis), -1)

    def factor_of(self, axis):
        """How many elements the inner parts of an axis have, or -1 without any."""
        factor = 1
        for a, extent in self._axes:
            factor *= extent if extent is not None and a.upper() == axis.upper() else 1
        return factor if factor > 1 else -1

    def __str__(self):
        return self.name

    def __repr__(self):
        return f"Layout({self.name})"

    def __eq__(self, other):
        return isinstance(other, Layout) and self.name == other.name

    def __hash__(self):
        return hash(self.name)


class BijectiveLayout:
    """From one layout to another one with the same axes, and back."""

    def __init__(self, src_layout, dst_layout):
        self.src_layout, self.dst_layout = src_layout, dst_layout

    def _move(self, values, src, dst, join, part):
        whole = {}
        for (axis, extent), value in zip(src._axes, list(values)):
            key = axis.upper()
            whole[key] = value if key not in whole else join(whole[key], value, extent)
        result = []
        for i, (axis, extent) in enumerate(dst._axes):
            inner = 1
            for other, size in dst._axes[i + 1:]:
                inner *= size if size is not None and other.upper() == axis.upper() else 1
            result.append(part(whole[axis.upper()], inner, extent))
        return _core.convert([_core.convert_expr(x) for x in result])

    def _shape(self, shape, src, dst):
        return self._move(shape, src, dst, lambda outer, inner, _: outer * inner,
                          lambda value, inner, extent: extent if extent is not None else value // inner if inner > 1 else value)

    def _index(self, index, src, dst):
        return self._move(index, src, dst, lambda outer, inner, extent: outer * extent + inner,
                          lambda value, inner, extent: (value // inner if inner > 1 else value) if extent is None
                          else (value // inner if inner > 1 else value) % extent)

    def forward_index(self, index):
        """Where an element goes."""
        return self._index(index, self.src_layout, self.dst_layout)

    def backward_index(self, index):
        """Where an element comes from."""
        return self._index(index, self.dst_layout, self.src_layout)

    def forward_shape(self, shape):
        """The shape in the other layout."""
        return self._shape(shape, self.src_layout, self.dst_layout)

    def backward_shape(self, shape):
        """The shape in the first layout."""
        return self._shape(shape, self.dst_layout, self.src_layout)


def layout(layout_str, dtype="int32"):
    """A layout by its name."""
    if not isinstance(dtype, str) or not dtype.startswith("int"):
        raise TypeError(f"the indices of a layout are whole numbers, not {dtype}")
    return Layout(layout_str, dtype)


def bijective_layout(src_layout, dst_layout):
    """The way from one layout to another; None where their axes are not the same."""
    src, dst = (x if isinstance(x, Layout) else layout(x) for x in (src_layout, dst_layout))
    axes = [{a.upper() for a, extent in x._axes if extent is None} for x in (src, dst)]
    if not axes[0] or axes[0] != axes[1]:
        return None
    return BijectiveLayout(src, dst)
