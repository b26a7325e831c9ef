"""Where the lanes of a warp keep the elements of a tile."""


def _pair(thread, local):
    return thread, local


def shared_16x16_to_ldmatrix_32x8_layout(i, j):
    """Element (i, j) of 16 x 16 as (lane, number) of 32 x 8, as ldmatrix spreads it."""
    return _pair(4 * (i % 8) + (j % 8) // 2, 4 * (j // 8) + (i // 8) * 2 + (j % 2))


def shared_16x32_to_ldmatrix_32x16_layout(i, j):
    """Element (i, j) of 16 x 32 as (lane, number) of 32 x 16."""
    return _pair(4 * (i % 8) + (j % 16) // 4, 8 * (j // 16) + (i // 8) * 4 + j % 4)


def shared_32x16_to_ldmatrix_32x16_layout(i, j):
    """Element (i, j) of 32 x 16 as (lane, number) of 32 x 16."""
    return _pair((i % 16) // 4 + 4 * (j % 8), 8 * (j // 8) + (i // 16) * 4 + i % 4)


def ldmatrix_32x8_to_shared_16x16_layout(thread_id, local_id):
    """The way back of the first."""
    return _pair(8 * (local_id % 4 // 2) + thread_id // 4, 8 * (local_id // 4) + (thread_id % 4) * 2 + local_id % 2)


def shared_16x4_to_local_64x1_layout_A(i, j):
    """Element (i, j) of 16 x 4 over 64 lanes."""
    return _pair(j * 16 + i, 0)


def shared_4x16_to_local_64x1_layout_B(i, j):
    """Element (i, j) of 4 x 16 over 64 lanes."""
    return _pair(i * 16 + j, 0)


def shared_16x16_to_local_64x4_layout_A(i, j):
    """Element (i, j) of 16 x 16 as (lane, number) of 64 x 4, the left factor."""
    return _pair(i + 16 * (j // 4), j % 4)


def shared_16x16_to_local_64x4_layout_B(i, j):
    """The right factor."""
    return _pair(j + (i // 4) * 16, i % 4)


def shared_16x16_to_local_64x4_layout_C(i, j):
    """The product."""
    return _pair(j + (i // 4) * 16, i % 4)
