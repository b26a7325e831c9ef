"""The codes of the lists that vm.builtin.match_shape and vm.builtin.make_shape read."""
import enum


class MatchShapeCode(enum.IntEnum):
    """What is done with a dimension that is matched."""

    ASSERT_EQUAL_TO_IMM = 0
    STORE_TO_HEAP = 1
    NO_OP = 2
    ASSERT_EQUAL_TO_LOAD = 3


class MakeShapeCode(enum.IntEnum):
    """Where a dimension comes from."""

    USE_IMM = 0
    LOAD_SHAPE = 1
