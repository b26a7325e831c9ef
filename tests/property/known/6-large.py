# More elements, rounds and distances than int32 counts.

# ---- int8, the last element of 50,000 by 50,000
# A @ 2499999999 = 5
# B -> 6
def main(A: T.Buffer((50000, 50000), "int8"), B: T.Buffer((1,), "int8")):
    for i in range(49999, 50000):
        B[i - 49999] = A[i, i] + T.int8(1)

# ---- uint8, a store behind 2^31
# A @ 2147483648 -> 200
# A @ 2147483647 -> 199
def main(A: T.Buffer((65536, 32769), "uint8")):
    for k in range(2):
        A[65534 + (k + 1) // 3, 2 + k * 0 + (k - 1)] = T.uint8(0)
    for k in range(2):
        A[(2147483647 + T.Cast("int64", k)) // T.int64(32769), (T.int64(2147483647) + T.Cast("int64", k)) % T.int64(32769)] = T.Cast("uint8", k) + T.uint8(199)

# ---- three dimensions, int8, the middle one moves
# A @ 2999999999 -> 3
# A @ 2997999999 -> 1
# A @ 2998999999 -> 2
def main(A: T.Buffer((3, 1000, 1000000), "int8")):
    for j in range(3):
        A[2, 997 + j, 999999] = T.Cast("int8", j + 1)

# ---- turned round: the last first
# A @ 2200000000 = 9
# A @ 0 = 4
# B -> 9, 4
def main(A: T.Buffer((2200000001,), "int8"), B: T.Buffer((2,), "int8")):
    for i in range(T.int64(0), T.int64(2)):
        B[i] = A[T.int64(2200000000) * (T.int64(1) - i)]

# ---- a block, remapped
# A @ 2299999999 = 8
# A @ 2299949999 = 7
# B -> 7, 8
def main(A: T.Buffer((46000, 50000), "int8"), B: T.Buffer((2,), "int8")):
    for i in range(2):
        with T.block("L"):
            v = T.axis.spatial(2, i)
            B[v] = A[v + 45998, 49999]

# ---- fused by hand and taken apart again
# A @ 2400059999 = 3
# B -> 3
def main(A: T.Buffer((40001, 60000), "int8"), B: T.Buffer((1,), "int8")):
    for f in range(T.int64(2400059999), T.int64(2400060000)):
        B[0] = A[f // T.int64(60000), f % T.int64(60000)]

# ---- int16: the number of elements fits, the number of bytes does not
# A @ 1199999999 = -300
# B -> -299
def main(A: T.Buffer((30000, 40000), "int16"), B: T.Buffer((1,), "int16")):
    for i in range(29999, 30000):
        B[0] = A[i, 39999] + T.int16(1)

# ---- float32: bytes past 2^32, elements not past 2^31
# A @ 1089999999 = 2.5
# B -> 5
def main(A: T.Buffer((33000, 33031), "float32"), B: T.Buffer((1,), "float32")):
    for i in range(32999, 33000):
        B[0] = A[i, 10030 + (i - 32999)] * T.float32(2) + A[i, 10029]

# ---- a column of strides that fall far apart
# A @ 2147483647 = 1
# A @ 2147549183 = 2
# B -> 1, 2
def main(A: T.Buffer((2147549184,), "int8"), B: T.Buffer((2,), "int8")):
    V = T.decl_buffer((32769, 65536), "int8", data=A.data, strides=(65536, 1))
    for i in range(2):
        B[i] = V[32767 + i, 65535]

# ---- rounds past int32: the loop's last numbers, by a quotient
# B -> 21, 22
def main(B: T.Buffer((2,), "int32")):
    for f in range(T.int64(4294967294), T.int64(4294967296)):
        B[f - T.int64(4294967294)] = T.Cast("int32", f // T.int64(4294967295)) + 21

# ---- remainder by a number past int32
# B -> 3, 2, 1
def main(B: T.Buffer((3,), "int32")):
    for f in range(T.int64(0), T.int64(3)):
        B[f] = T.Cast("int32", (f * T.int64(3000000001) + T.int64(3000000004)) % T.int64(3000000001) - f)

# ---- min of distances past int32, below zero
# B -> -5, -4
def main(B: T.Buffer((2,), "int32")):
    for f in range(T.int64(0), T.int64(2)):
        B[f] = T.Cast("int32", T.min(f - T.int64(5), T.int64(5000000000) - f * T.int64(4000000000)))

# ---- max of both, with a product below -2^31
# B -> 0, 7
def main(B: T.Buffer((2,), "int32")):
    for f in range(T.int64(0), T.int64(2)):
        B[f] = T.Cast("int32", T.max(f * T.int64(-3000000000), f * T.int64(7)))

# ---- a comparison that only holds in 64 bits
# B -> 0, 1, 1
def main(B: T.Buffer((3,), "int32")):
    for f in range(T.int64(0), T.int64(3)):
        B[f] = T.Cast("int32", f * T.int64(2147483648) > T.int64(2147483647))

# ---- sum over a row at the end, with init
# A @ 2499999998 = 20
# A @ 2499999999 = 22
# B -> 42
def main(A: T.Buffer((50000, 50000), "int8"), B: T.Buffer((1,), "int8")):
    for i, k in T.grid(1, 2):
        with T.block("S"):
            v, r = T.axis.remap("SR", [i, k])
            with T.init():
                B[v] = T.int8(0)
            B[v] = B[v] + A[49999, 49998 + r]

# ---- a predicate past int32 keeps the row behind the last one away
# A @ 2199900000 -> 8
# A @ 2199950000 -> 9
def main(A: T.Buffer((44000, 50000), "int8")):
    for i in range(3):
        with T.block("P"):
            v = T.axis.spatial(44000, 43998 + i)
            T.where(T.Cast("int64", 43998 + i) * T.int64(50000) < T.int64(2199950001))
            A[v, 0] = T.Cast("int8", v - 43990)

# ---- vectors behind 2^31
# A @ 2199999996 = 1
# A @ 2199999997 = 2
# A @ 2199999998 = 3
# A @ 2199999999 = 4
# B -> 2, 4, 6, 8
def main(A: T.Buffer((44000, 50000), "int8"), B: T.Buffer((4,), "int8")):
    for i in T.vectorized(4):
        B[i] = A[43999, 49996 + i] * T.int8(2)

# ---- threads behind 2^31
# A @ 2199950000 -> 1
# A @ 2199999999 -> 0
# A @ 2149950000 -> 1
def main(A: T.Buffer((44000, 50000), "int8")):
    for i in T.parallel(2):
        A[42999 + i * 1000, 0] = T.int8(1)

# ---- a condition on a place past int32
# A @ 2199999999 = 6
# A @ 2147483648 = 5
# B -> 0, 6
def main(A: T.Buffer((44000, 50000), "int8"), B: T.Buffer((2,), "int8")):
    for k in range(2):
        if T.Cast("int64", 43998 + k) * T.int64(50000) + T.int64(49999) > T.int64(2199949999):
            B[k] = A[43998 + k, 49999]
        else:
            B[k] = T.int8(0)

# ---- indices from memory point behind 2^31
# P = 43999, 42949
# A @ 2199999999 = 6
# A @ 2147499999 = 5
# B -> 6, 5
def main(P: T.Buffer((2,), "int32"), A: T.Buffer((44000, 50000), "int8"), B: T.Buffer((2,), "int8")):
    for k in range(2):
        B[k] = A[P[k], 49999]

# ---- a while that stops at the far end
# A @ 2199999998 = 1
# A @ 2199999997 = 1
# B -> 3
def main(A: T.Buffer((44000, 50000), "int8"), B: T.Buffer((1,), "int32")):
    B[0] = 0
    while B[0] < 3 and A[43999, 49997 + T.min(B[0], 2)] != T.int8(0) or B[0] == 2:
        B[0] = B[0] + 1

# ---- a layout makes one axis past 2^31 of two
# A @ 2499999999 = 4
# C @ 2499949999 -> 1
# C @ 2499999999 -> 5
# >>> sch.transform_layout("w", ("write", 0), lambda i, j: (i * 50000 + j,))
def main(A: T.Buffer((50000, 50000), "int8"), C: T.Buffer((50000, 50000), "int8")):
    for i in range(2):
        with T.block("w"):
            v = T.axis.spatial(2, i)
            C[v + 49998, 49999] = A[v + 49998, 49999] + T.int8(1)

# ---- a view of the last rows, its offset past int32
# A @ 2499950001 = 3
# A @ 2499950001 -> 3
# A @ 2499949998 -> 8
# A @ 2499999999 -> 9
def main(A: T.Buffer((50000, 50000), "int8")):
    for i in range(2):
        with T.block("b"):
            vi = T.axis.spatial(2, i)
            V = T.match_buffer(A[49998 + vi, 49998:50000], (2,), "int8", offset_factor=1)
            V[vi] = T.Cast("int8", vi + 8)
