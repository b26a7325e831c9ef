# Reductions: of nothing, of infinities and NaN, that wrap, that are guarded.

# ---- sum, int8, wraps
# A = 3, -1, 2, -128, 127, 5
# B -> 4, 4
def main(A: T.Buffer((6,), "int8"), B: T.Buffer((2,), "int8")):
    for i, j in T.grid(2, 3):
        with T.block("R"):
            v, r = T.axis.remap("SR", [i, j])
            with T.init():
                B[v] = T.int8(0)
            B[v] = B[v] + A[v * 3 + r]

# ---- product, uint8, wraps
# A = 3, 100, 2, 255, 255, 5
# B -> 88, 5
def main(A: T.Buffer((6,), "uint8"), B: T.Buffer((2,), "uint8")):
    for i, j in T.grid(2, 3):
        with T.block("R"):
            v, r = T.axis.remap("SR", [i, j])
            with T.init():
                B[v] = T.uint8(1)
            B[v] = B[v] * A[v * 3 + r]

# ---- maximum, int16
# A = -32768, -32768, -32768, 1, 2, -5
# B -> -32768, 2
def main(A: T.Buffer((6,), "int16"), B: T.Buffer((2,), "int16")):
    for i, j in T.grid(2, 3):
        with T.block("R"):
            v, r = T.axis.remap("SR", [i, j])
            with T.init():
                B[v] = T.int16(-32768)
            B[v] = T.max(B[v], A[v * 3 + r])

# ---- minimum, uint16
# A = 65535, 65535, 65535, 9, 2, 5
# B -> 65535, 2
def main(A: T.Buffer((6,), "uint16"), B: T.Buffer((2,), "uint16")):
    for i, j in T.grid(2, 3):
        with T.block("R"):
            v, r = T.axis.remap("SR", [i, j])
            with T.init():
                B[v] = T.uint16(65535)
            B[v] = T.min(B[v], A[v * 3 + r])

# ---- and, bool
# A = 1, 1, 1, 1, 0, 1
# B -> 1, 0
def main(A: T.Buffer((6,), "bool"), B: T.Buffer((2,), "bool")):
    for i, j in T.grid(2, 3):
        with T.block("R"):
            v, r = T.axis.remap("SR", [i, j])
            with T.init():
                B[v] = T.bool(True)
            B[v] = B[v] and A[v * 3 + r]

# ---- or, bool
# A = 0, 0, 0, 1, 0, 1
# B -> 0, 1
def main(A: T.Buffer((6,), "bool"), B: T.Buffer((2,), "bool")):
    for i, j in T.grid(2, 3):
        with T.block("R"):
            v, r = T.axis.remap("SR", [i, j])
            with T.init():
                B[v] = T.bool(False)
            B[v] = B[v] or A[v * 3 + r]

# ---- xor, int32
# A = 1, 2, 4, 7, 7, 1
# B -> 7, 1
def main(A: T.Buffer((6,), "int32"), B: T.Buffer((2,), "int32")):
    for i, j in T.grid(2, 3):
        with T.block("R"):
            v, r = T.axis.remap("SR", [i, j])
            with T.init():
                B[v] = 0
            B[v] = T.bitwise_xor(B[v], A[v * 3 + r])

# ---- sum of nothing
# A = 5.0
# B -> 0.0, 0.0, 0.0
def main(A: T.Buffer((1,), "float32"), B: T.Buffer((3,), "float32")):
    for i, j in T.grid(3, 0):
        with T.block("R"):
            v, r = T.axis.remap("SR", [i, j])
            with T.init():
                B[v] = T.float32(0)
            B[v] = B[v] + A[0]

# ---- product of nothing
# A = 5.0
# B -> 1.0, 1.0, 1.0
def main(A: T.Buffer((1,), "float32"), B: T.Buffer((3,), "float32")):
    for i, j in T.grid(3, 0):
        with T.block("R"):
            v, r = T.axis.remap("SR", [i, j])
            with T.init():
                B[v] = T.float32(1)
            B[v] = B[v] * A[0]

# ---- maximum of nothing
# A = 5.0
# B -> -inf, -inf, -inf
def main(A: T.Buffer((1,), "float32"), B: T.Buffer((3,), "float32")):
    for i, j in T.grid(3, 0):
        with T.block("R"):
            v, r = T.axis.remap("SR", [i, j])
            with T.init():
                B[v] = T.float32("-inf")
            B[v] = T.max(B[v], A[0])

# ---- minimum of nothing
# A = 5.0
# B -> inf, inf, inf
def main(A: T.Buffer((1,), "float32"), B: T.Buffer((3,), "float32")):
    for i, j in T.grid(3, 0):
        with T.block("R"):
            v, r = T.axis.remap("SR", [i, j])
            with T.init():
                B[v] = T.float32("inf")
            B[v] = T.min(B[v], A[0])

# ---- sum of nothing between two that are something
# A = 1, 2, 3, 4
# B -> 3, 0, 7
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((3,), "int32")):
    for i, j in T.grid(1, 2):
        with T.block("R0"):
            v, r = T.axis.remap("SR", [i, j])
            with T.init():
                B[v] = 0
            B[v] = B[v] + A[r]
    for i, j in T.grid(1, 0):
        with T.block("R1"):
            v, r = T.axis.remap("SR", [i, j])
            with T.init():
                B[v + 1] = 0
            B[v + 1] = B[v + 1] + A[r]
    for i, j in T.grid(1, 2):
        with T.block("R2"):
            v, r = T.axis.remap("SR", [i, j])
            with T.init():
                B[v + 2] = 0
            B[v + 2] = B[v + 2] + A[r + 2]

# ---- two axes of reduction, one of them empty
# A = 4
# B -> 6, 6
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((2,), "int32")):
    for i, j, k in T.grid(2, 3, 0):
        with T.block("R"):
            v, r, q = T.axis.remap("SRR", [i, j, k])
            with T.init():
                B[v] = 6
            B[v] = B[v] + A[0]

# ---- maximum of infinities and NaN
# A = -inf, -inf, -inf, 1.0, nan, 2.0, 5.0, inf, 3.0
# B -> -inf, nan, inf
def main(A: T.Buffer((9,), "float32"), B: T.Buffer((3,), "float32")):
    for i, j in T.grid(3, 3):
        with T.block("R"):
            v, r = T.axis.remap("SR", [i, j])
            with T.init():
                B[v] = T.float32("-inf")
            B[v] = T.max(B[v], A[v * 3 + r])

# ---- minimum of infinities and NaN, float64
# A = inf, inf, inf, nan, 1.0, 2.0, 5.0, -inf, 3.0
# B -> inf, nan, -inf
def main(A: T.Buffer((9,), "float64"), B: T.Buffer((3,), "float64")):
    for i, j in T.grid(3, 3):
        with T.block("R"):
            v, r = T.axis.remap("SR", [i, j])
            with T.init():
                B[v] = T.float64("inf")
            B[v] = T.min(B[v], A[v * 3 + r])

# ---- sum of infinities of both signs
# A = inf, -inf, inf, 1.0
# B -> nan, inf
def main(A: T.Buffer((4,), "float32"), B: T.Buffer((2,), "float32")):
    for i, j in T.grid(2, 2):
        with T.block("R"):
            v, r = T.axis.remap("SR", [i, j])
            with T.init():
                B[v] = T.float32(0)
            B[v] = B[v] + A[v * 2 + r]

# ---- guarded by a condition
# A = -1, -2, -3, 4, -5, 6
# B -> 0, 10
def main(A: T.Buffer((6,), "int32"), B: T.Buffer((2,), "int32")):
    for i, j in T.grid(2, 3):
        with T.block("R"):
            v, r = T.axis.remap("SR", [i, j])
            with T.init():
                B[v] = 0
            B[v] = T.if_then_else(A[v * 3 + r] > 0, B[v] + A[v * 3 + r], B[v])

# ---- with an init of its own number
# A = 1, 2, 3, 4, 5, 6
# B -> 6, 115
def main(A: T.Buffer((6,), "int32"), B: T.Buffer((2,), "int32")):
    for i, j in T.grid(2, 3):
        with T.block("R"):
            v, r = T.axis.remap("SR", [i, j])
            with T.init():
                B[v] = v * 100
            B[v] = B[v] + A[v * 3 + r]

# ---- predicate that lets no round through
# A = 1, 2, 3, 4
# B -> 77, 77
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((2,), "int32")):
    for i, j in T.grid(2, 2):
        with T.block("R"):
            v, r = T.axis.remap("SR", [i, j])
            T.where(i * 2 + j < 0)
            with T.init():
                B[v] = 0
            B[v] = B[v] + A[v * 2 + r]

# ---- reduction loop outside
# A = 1, 2, 3, 4, 5, 6
# B -> 9, 12
def main(A: T.Buffer((6,), "int32"), B: T.Buffer((2,), "int32")):
    for j, i in T.grid(3, 2):
        with T.block("R"):
            r, v = T.axis.remap("RS", [j, i])
            with T.init():
                B[v] = 0
            B[v] = B[v] + A[r * 2 + v]

# ---- index of the greatest, with ties and the lowest number
# A = -2147483648, -2147483648, -2147483648, 7, 9, 9
# B -> 0, 1
# C -> -2147483648, 9
def main(A: T.Buffer((6,), "int32"), B: T.Buffer((2,), "int32"), C: T.Buffer((2,), "int32")):
    for i, j in T.grid(2, 3):
        with T.block("R"):
            v, r = T.axis.remap("SR", [i, j])
            with T.init():
                B[v] = -1
                C[v] = -2147483648
            w: T.bool = C[v] < A[v * 3 + r] or (C[v] == A[v * 3 + r] and B[v] < 0)
            p: T.int32 = T.Select(w, r, B[v])
            q: T.int32 = T.Select(w, A[v * 3 + r], C[v])
            B[v] = p
            C[v] = q

# ---- a sum over a triangle: its first row is a sum of nothing
# A = 43, 7, -14, 27, -41, -35, 15, 3, -29, 46, -7, -31, 12, 3, -45, 35, -41, 47, 21, 23, -10, -7, 38, -6, 26
# B = 13, 24, 8, -42, -39
# A -> 43, 7, -14, 27, -41, -35, 15, 3, -29, 46, -7, -31, 12, 3, -45, 35, -41, 47, 21, 23, -10, -7, 38, -6, 26
# B -> 7, -28, -31, 48, 22
def main(A: T.Buffer((5, 5), "int32"), B: T.Buffer((5,), "int32")):
    for i in range(5):
        for j in range(i):
            with T.block("s"):
                vi, vj = T.axis.remap("SR", [i, j])
                with T.init():
                    B[vi] = 7
                B[vi] = B[vi] + A[vi, vj]

# ---- a sum over a triangle of which a condition leaves rows out
# A = -16, 10, 39, 35, -42, -43, 43, 39, -11, 32, 23, 37, 7, -14, 41, -1, 35, -6, -48, 9, -5, -29, 28, -36, 13
# B = -43, -23, 48, -14, -34
# A -> -16, 10, 39, 35, -42, -43, 43, 39, -11, 32, 23, 37, 7, -14, 41, -1, 35, -6, -48, 9, -5, -29, 28, -36, 13
# B -> 7, -36, 67, -14, -34
def main(A: T.Buffer((5, 5), "int32"), B: T.Buffer((5,), "int32")):
    for i in range(5):
        for j in range(i):
            with T.block("s"):
                vi, vj = T.axis.remap("SR", [i, j])
                T.where(i < 3)
                with T.init():
                    B[vi] = 7
                B[vi] = B[vi] + A[vi, vj]

# ---- a maximum over a triangle that has no empty row
# A = 44, -19, 0, 0, 13, -40, -29, 7, 1, 20, -15, -33, 5, 20, -15, 40, 3, -5, 37, -2, -21, -31, -40, -28, -31
# B = -21, 34, -21, -49, 12
# A -> 44, -19, 0, 0, 13, -40, -29, 7, 1, 20, -15, -33, 5, 20, -15, 40, 3, -5, 37, -2, -21, -31, -40, -28, -31
# B -> 44, -29, 5, 40, -21
def main(A: T.Buffer((5, 5), "int32"), B: T.Buffer((5,), "int32")):
    for i in range(5):
        for j in range(i + 1):
            with T.block("s"):
                vi, vj = T.axis.remap("SR", [i, j])
                with T.init():
                    B[vi] = -100
                B[vi] = T.max(B[vi], A[vi, vj])
