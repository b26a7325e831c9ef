# Steps that change the order of dependent accesses, and steps beside them that do not.

# ---- reorder, the row above mirrored, int8 that wraps
# B = 42, 4, 6, -28, 15, -28, 2, 9, -10, 41, -17, 43, 42, -50, 10, 9, 38, 24, 6, 43, 12, -38, -32, 36, 6, -49, 6, 49, -39, -13, -31, -41, 30, 6, -1, 13, -37, 9, 8, -17, 27, 43
# B -> 42, 4, 6, -28, 15, -28, -84, 45, -84, 18, 12, 126, 122, 36, 54, 4, -121, 4, 12, -107, 12, -94, 108, 110, 74, 68, -26, 36, -65, 36, 108, 61, 108, -78, -52, -34, -102, 100, 22, 68, -73, 68
# >>> b = sch.get_block("b")
# >>> l = sch.get_loops(b)
# >>> sch.reorder(l[1], l[0])
# refused schedule/reorder/dependence
def main(B: T.Buffer((7, 6), "int8")):
    for i, j in T.grid(6, 6):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi + 1, vj] = B[vi, 5 - vj] * T.int8(3)

# ---- reorder, straight down: allowed
# B = 4, 13, -28, 0, -10, -46, 49, 2, 8, -50, 24, 6, -34, -46, -45, -26, -31, -20, -10, -46, 22, 14, -49, -16, 41, 27, 21, -35, -4, 16, -21, 0, 48, 11, -31, -9, -8, 0, -31, -2, 31, 46
# B -> 4, 13, -28, 0, -10, -46, 1, 8, -31, 5, -13, -41, 4, 13, -28, 0, -10, -46, 1, 8, -31, 5, -13, -41, 4, 13, -28, 0, -10, -46, 1, 8, -31, 5, -13, -41, 4, 13, -28, 0, -10, -46
# >>> b = sch.get_block("b")
# >>> l = sch.get_loops(b)
# >>> sch.reorder(l[1], l[0])
def main(B: T.Buffer((7, 6), "int32")):
    for i, j in T.grid(6, 6):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi + 1, vj] = T.bitwise_xor(B[vi, vj], 5)

# ---- reorder, down and to the left, int16 maximum
# B = -16, -34, -8, 6, -36, 25, -21, 21, 41, -18, 32, -14, 41, 14, -49, 37, -17, 36, 32, 35, 46, -34, 7, 35, 33, 37, 44, 26, 29, -39, -28, -9, 16, 26, 35, -2, -2, 35, -32, -40, -28, -21, 49, 12, -49, 20, 47, 38, -26
# B -> -16, -34, -8, 6, -36, 25, -21, 21, 41, 6, 32, 25, 41, 14, 41, 37, 32, 36, 41, 35, 46, 37, 32, 36, 41, 37, 46, 26, 32, 36, 41, 37, 46, 26, 35, 36, 41, 37, 46, 26, 35, -21, 49, 37, 46, 26, 47, 38, -26
# >>> b = sch.get_block("b")
# >>> l = sch.get_loops(b)
# >>> sch.reorder(l[1], l[0])
# refused schedule/reorder/dependence
def main(B: T.Buffer((7, 7), "int16")):
    for i, j in T.grid(6, 6):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi + 1, vj] = T.max(B[vi, vj + 1], B[vi + 1, vj])

# ---- reorder, down and to the right: allowed
# B = -10, 31, -43, -8, -50, -5, -17, 8, -15, 36, 48, -34, 37, 11, -14, 48, -10, -7, 6, -32, 34, 24, -7, -42, -17, 36, -7, -31, 35, -1, 39, -48, -1, -43, -1, 8, -8, 23, 17, 18, 32, 49, -40, 17, 47, -21, 8, -16, -40
# B -> -10, 31, -43, -8, -50, -5, -17, 8, 5, -5, -91, 26, -87, -16, -14, -40, 15, 2, -97, 58, -121, 24, -7, 2, 32, -34, -90, 89, 35, 25, -46, 50, 33, 9, -89, 8, 43, 2, -63, 32, 1, -40, -40, -9, -4, 23, -71, 48, 41
# >>> b = sch.get_block("b")
# >>> l = sch.get_loops(b)
# >>> sch.reorder(l[1], l[0])
def main(B: T.Buffer((7, 7), "int64")):
    for i, j in T.grid(6, 6):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi + 1, vj + 1] = B[vi, vj] - B[vi + 1, vj + 1]

# ---- reorder, the last writer of a diagonal
# C = -36, -39, 20, 1, 29, -21, 47, 43, 48, 2, -25
# A = 20, 29, -3, 5, -22, 35, -17, -15, 36, -40, -37, -29, -48, -24, -25, 13, 35, -20, 42, 32, 23, -10, 43, 0, -10, -1, 14, 5, 26, 24, -4, -41, -48, -9, 0, 9
# C -> 20, -17, -48, 42, -10, -4, -41, -48, -9, 0, 9
# A -> 20, 29, -3, 5, -22, 35, -17, -15, 36, -40, -37, -29, -48, -24, -25, 13, 35, -20, 42, 32, 23, -10, 43, 0, -10, -1, 14, 5, 26, 24, -4, -41, -48, -9, 0, 9
# >>> b = sch.get_block("b")
# >>> l = sch.get_loops(b)
# >>> sch.reorder(l[1], l[0])
# refused schedule/reorder/dependence
def main(C: T.Buffer((11,), "int32"), A: T.Buffer((6, 6), "int32")):
    for i, j in T.grid(6, 6):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi + vj] = A[vi, vj]

# ---- tiles of two by two over a skewed dependence, uint8
# B = 151, 164, 146, 79, 7, 163, 201, 241, 16, 176, 41, 239, 148, 16, 67, 3, 27, 6, 212, 45, 222, 8, 73, 206, 208, 77, 118, 137, 142, 196, 231, 84, 75, 208, 115, 91, 59, 26, 168, 22, 5, 154, 151, 131, 94, 29, 234, 134, 46
# B -> 151, 164, 146, 79, 7, 163, 201, 165, 147, 80, 8, 164, 202, 16, 148, 81, 9, 165, 203, 17, 222, 82, 10, 166, 204, 18, 223, 137, 11, 167, 205, 19, 224, 138, 115, 168, 206, 20, 225, 139, 116, 154, 207, 21, 226, 140, 117, 155, 46
# >>> b = sch.get_block("b")
# >>> l = sch.get_loops(b)
# >>> i0, i1 = sch.split(l[0], factors=[None, 2])
# >>> j0, j1 = sch.split(l[1], factors=[None, 2])
# >>> sch.reorder(i0, j0, i1, j1)
# refused schedule/reorder/dependence
def main(B: T.Buffer((7, 7), "uint8")):
    for i, j in T.grid(6, 6):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi + 1, vj] = B[vi, vj + 1] + T.uint8(1)

# ---- tiles over a dependence straight down: allowed
# B = 114, 118, 133, 245, 182, 22, 117, 108, 100, 199, 12, 49, 56, 104, 198, 183, 228, 197, 131, 63, 182, 224, 92, 35, 178, 144, 140, 218, 198, 78, 151, 152, 153, 179, 130, 156, 49, 191, 145, 121, 198, 228
# B -> 114, 118, 133, 245, 182, 22, 115, 119, 134, 246, 183, 23, 116, 120, 135, 247, 184, 24, 117, 121, 136, 248, 185, 25, 118, 122, 137, 249, 186, 26, 119, 123, 138, 250, 187, 27, 120, 124, 139, 251, 188, 28
# >>> b = sch.get_block("b")
# >>> l = sch.get_loops(b)
# >>> i0, i1 = sch.split(l[0], factors=[None, 2])
# >>> j0, j1 = sch.split(l[1], factors=[None, 4])
# >>> sch.reorder(i0, j0, i1, j1)
def main(B: T.Buffer((7, 6), "uint8")):
    for i, j in T.grid(6, 6):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi + 1, vj] = B[vi, vj] + T.uint8(1)

# ---- parallel over a running sum
# B = -10, 35, 33, 41, -15, -43, 1, -36, -21
# A = 31, -7, -34, -49, -35, 29, -2, 23
# B -> -10, 21, 14, -20, -69, -104, -75, -77, -54
# A -> 31, -7, -34, -49, -35, 29, -2, 23
# >>> b = sch.get_block("b")
# >>> l = sch.get_loops(b)
# >>> sch.parallel(l[0])
# refused everywhere schedule/parallel/reads-own-output, runs at the same time
def main(B: T.Buffer((9,), "int32"), A: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            B[vi + 1] = B[vi] + A[vi]

# ---- parallel where the distance is the number of rounds, refused by TVM as well
# B = 11, -12, 28, 20, -13, -24, -42, -20, 44, -39, -43, -15, 34, 32, -7, -43
# B -> 11, -12, 28, 20, -13, -24, -42, -20, 22, -24, 56, 40, -26, -48, -84, -40
# >>> b = sch.get_block("b")
# >>> l = sch.get_loops(b)
# >>> sch.parallel(l[0])
# refused everywhere schedule/parallel/reads-own-output
def main(B: T.Buffer((16,), "int32")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            B[vi + 8] = B[vi] * 2

# ---- vectorize over a distance of three, int16
# B = -38, -18, -42, 35, -5, 28, -8, 2, -36, 46, 8
# B -> -38, -18, -42, -39, -19, -43, -40, -20, -44, -41, -21
# >>> b = sch.get_block("b")
# >>> l = sch.get_loops(b)
# >>> sch.vectorize(l[0])
# refused everywhere schedule/vectorize/reads-own-output, runs at the same time
def main(B: T.Buffer((11,), "int16")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            B[vi + 3] = B[vi] - T.int16(1)

# ---- vectorize four rounds over a distance of four, refused by TVM as well
# B = -31, 38, -34, -16, 10, -38, 18, 11, 44, 4, 36, -41
# B -> -31, 38, -34, -16, -32, 37, -35, -17, -33, 36, -36, -18
# >>> b = sch.get_block("b")
# >>> l = sch.get_loops(b)
# >>> o, i = sch.split(l[0], factors=[2, 4])
# >>> sch.vectorize(i)
# refused everywhere schedule/vectorize/reads-own-output
def main(B: T.Buffer((12,), "int16")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            B[vi + 4] = B[vi] - T.int16(1)

# ---- parallel over what is read ahead, float32
# B = 25.0, -30.0, -40.0, 29.0, 1.0, -30.0, -5.0, -15.0, 4.0, -44.0
# B -> -70.0, -11.0, 30.0, -29.0, -35.0, -20.0, -11.0, -40.0, 4.0, -44.0
# >>> b = sch.get_block("b")
# >>> l = sch.get_loops(b)
# >>> sch.parallel(l[0])
# refused everywhere schedule/parallel/reads-own-output, runs at the same time
def main(B: T.Buffer((10,), "float32")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            B[vi] = B[vi + 1] + B[vi + 2]

# ---- bind, two threads of one element
# C = 12, 25, -25, -43
# A = 8, -20, -15, 3, -45, 26, 48, -7
# C -> -45, -7, 48, 26
# A -> 8, -20, -15, 3, -45, 26, 48, -7
# >>> b = sch.get_block("b")
# >>> l = sch.get_loops(b)
# >>> sch.bind(l[0], "threadIdx.x")
# refused schedule/bind/dependence, runs at the same time
def main(C: T.Buffer((4,), "int32"), A: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            C[vi * 3 % 4] = A[vi]

# ---- bind, a permutation: allowed
# C = 18, -41, -6, -38, 16, 32, 0, 36
# A = 2, 34, 31, -1, -49, 24, -24, 47
# C -> 2, -1, -24, 34, -49, 47, 31, 24
# A -> 2, 34, 31, -1, -49, 24, -24, 47
# >>> b = sch.get_block("b")
# >>> l = sch.get_loops(b)
# >>> sch.bind(l[0], "threadIdx.x")
def main(C: T.Buffer((8,), "int32"), A: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            C[vi * 3 % 8] = A[vi]

# ---- parallel, two rounds write one half
# C = -29, -2, -6, -38
# A = 18, 19, 34, 21, -14, -22, 42, -37
# C -> 19, 21, -22, -37
# A -> 18, 19, 34, 21, -14, -22, 42, -37
# >>> b = sch.get_block("b")
# >>> l = sch.get_loops(b)
# >>> sch.parallel(l[0])
# refused schedule/parallel/dependence, runs at the same time
def main(C: T.Buffer((4,), "int32"), A: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            C[vi // 2] = A[vi]

# ---- parallel over pairs that stay together: allowed
# C = -41, 18, -1, -8
# A = 13, -38, 49, -6, 42, 33, 39, -5
# C -> -38, -6, 33, -5
# A -> 13, -38, 49, -6, 42, 33, 39, -5
# >>> b = sch.get_block("b")
# >>> l = sch.get_loops(b)
# >>> o, i = sch.split(l[0], factors=[4, 2])
# >>> sch.parallel(o)
def main(C: T.Buffer((4,), "int32"), A: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            C[vi // 2] = A[vi]

# ---- reorder of three, the outer two turned, int64
# B = -7, -16, 22, -11, -19, 41, -15, -21, 27, 29, -27, -41, 27, 33, 15, -19, 1, 36, -27, 14, -26, -38, 19, -5, 42, -21, 21, 25, 30, -41, 19, 31
# A = -22, -21
# B -> -7, -16, 22, -11, -19, 41, -15, -21, 44, -54, -79, 102, -67, -84, 15, -19, -259, 285, -223, -273, 23, -78, 19, -5, -691, -840, 47, -255, 35, -36, 19, 31
# A -> -22, -21
# >>> b = sch.get_block("b")
# >>> l = sch.get_loops(b)
# >>> sch.reorder(l[1], l[0])
# refused schedule/reorder/dependence
def main(B: T.Buffer((4, 4, 2), "int64"), A: T.Buffer((2,), "int64")):
    for i, j, k in T.grid(3, 3, 2):
        with T.block("b"):
            vi, vj, vk = T.axis.remap("SSS", [i, j, k])
            B[vi + 1, vj, vk] = B[vi, vj + 1, vk] * T.int64(3) + A[vk]

# ---- reorder of three, the innermost goes out: allowed
# B = 26, 30, -31, 3, -35, 20, 21, 33, -9, 24, -36, 7, 39, -14, 13, -11, -22, 31, 33, -21, -45, -10, 46, -27, -5, -7, 25, -49, 46, -35, -21, -6
# A = 34, 45
# B -> 26, 30, -31, 3, -35, 20, 21, 33, -59, 54, -71, 105, 97, 144, 13, -11, -179, 360, 325, 477, 73, 12, 46, -27, 1009, 1476, 253, 81, 172, -36, -21, -6
# A -> 34, 45
# >>> b = sch.get_block("b")
# >>> l = sch.get_loops(b)
# >>> sch.reorder(l[2], l[0], l[1])
def main(B: T.Buffer((4, 4, 2), "int64"), A: T.Buffer((2,), "int64")):
    for i, j, k in T.grid(3, 3, 2):
        with T.block("b"):
            vi, vj, vk = T.axis.remap("SSS", [i, j, k])
            B[vi + 1, vj, vk] = B[vi, vj + 1, vk] * T.int64(3) + A[vk]

# ---- vectorize where a condition leaves only even rounds, refused by TVM as well
# B = 26, -16, 39, -42, 40, 42, 33, 44, -27
# B -> 26, 36, 39, 49, 40, 50, 33, 43, -27
# >>> b = sch.get_block("b")
# >>> l = sch.get_loops(b)
# >>> sch.vectorize(l[0])
# refused everywhere schedule/vectorize/reads-own-output
def main(B: T.Buffer((9,), "int32")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            if vi % 2 == 0:
                B[vi + 1] = B[vi] + 10

# ---- vectorize where two rounds in three follow each other
# B = -32, -14, 25, -47, 12, -22, -49, -4, 43
# B -> -32, -14, -4, 6, 12, 22, 32, -4, 6
# >>> b = sch.get_block("b")
# >>> l = sch.get_loops(b)
# >>> sch.vectorize(l[0])
# refused everywhere schedule/vectorize/reads-own-output, runs at the same time
def main(B: T.Buffer((9,), "int32")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            if vi % 3 != 0:
                B[vi + 1] = B[vi] + 10

# ---- parallel over rows that are fused with their columns
# B = 31, 23, -38, 1, 24, 25, 25, -21, -22, -30, 37, 43, -18, -17, 32, 25, -8, -28, -24, 32, 40, 45, 17, -30
# B -> 31, 33, 35, 37, 39, 41, 25, 27, 29, 31, 33, 35, -18, -16, -14, -12, -10, -8, -24, -22, -20, -18, -16, -14
# >>> b = sch.get_block("b")
# >>> l = sch.get_loops(b)
# >>> f = sch.fuse(l[0], l[1])
# >>> sch.parallel(f)
# refused everywhere schedule/parallel/reads-own-output, runs at the same time
def main(B: T.Buffer((4, 6), "int32")):
    for i, j in T.grid(4, 5):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj + 1] = B[vi, vj] + 2

# ---- parallel over rows alone, refused by TVM as well
# B = 7, -7, 11, -35, 11, -9, 42, -23, 49, -44, 38, 18, -12, 24, -39, -28, 18, -4, -22, -46, 13, -31, -12, 34
# B -> 7, 9, 11, 13, 15, 17, 42, 44, 46, 48, 50, 52, -12, -10, -8, -6, -4, -2, -22, -20, -18, -16, -14, -12
# >>> b = sch.get_block("b")
# >>> l = sch.get_loops(b)
# >>> sch.parallel(l[0])
# refused everywhere schedule/parallel/reads-own-output
def main(B: T.Buffer((4, 6), "int32")):
    for i, j in T.grid(4, 5):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj + 1] = B[vi, vj] + 2

# ---- reorder, in place and transposed: the same elements meet in both orders
# B = 7, -29, 20, 13, 17, -40, 2, 20, -47, 29, 2, -3, 45, 30, -39, -24, 6, 42, -16, 26, -23, -35, -37, -44, 9, 23, -38, -43, -35, -9, 17, 29, -2, -38, -50, 46
# B -> 8, 3, 46, -15, 10, 18, 4, 21, 31, 27, 24, 30, 47, 32, -38, -22, -37, -1, -14, 28, -21, -34, -42, -37, 11, 25, -36, -41, -34, -49, 19, 31, 0, -36, -48, 47
# >>> b = sch.get_block("b")
# >>> l = sch.get_loops(b)
# >>> sch.reorder(l[1], l[0])
# refused schedule/reorder/dependence
def main(B: T.Buffer((6, 6), "int32")):
    for i, j in T.grid(6, 6):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = B[vj, vi] + 1

# ---- parallel through a table of places
# C = -12, 16, 33, 45, 8, -4, -38, 2
# P = 3, 1, 3, 0, 7, 1, 2, 5
# A = 48, 1, -5, 48, -20, 7, 8, -17
# C -> 48, 7, 8, -5, 8, -17, -38, -20
# P -> 3, 1, 3, 0, 7, 1, 2, 5
# A -> 48, 1, -5, 48, -20, 7, 8, -17
# >>> b = sch.get_block("b")
# >>> l = sch.get_loops(b)
# >>> sch.parallel(l[0])
# refused schedule/parallel/dependence, runs at the same time
def main(C: T.Buffer((8,), "int32"), P: T.Buffer((8,), "int32"), A: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            C[P[vi]] = A[vi]

# ---- vectorize over a scalar that the round before left
# S = 35
# A = 47, 36, -21, 20, -33, -37, -14, -49
# B = -32, -38, 0, 5, -17, -44, -5, -8
# S -> -98
# A -> 47, 36, -21, 20, -33, -37, -14, -49
# B -> 82, 130, 51, -22, 7, -103, -88, -77
# >>> b = sch.get_block("b")
# >>> l = sch.get_loops(b)
# >>> sch.vectorize(l[0])
# refused everywhere schedule/vectorize/reads-own-output, runs at the same time
def main(S: T.Buffer((1,), "int32"), A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            B[vi] = S[0] + A[vi]
            S[0] = A[vi] * 2

# ---- vectorize, even elements from odd ones, refused by TVM as well
# B = -2, -40, 24, -38, 14, -29, 38, -14, -23, 9, -2, 20, 37, -17, -33, 15
# B -> 40, -40, 38, -38, 29, -29, 14, -14, -9, 9, -20, 20, 17, -17, -15, 15
# >>> b = sch.get_block("b")
# >>> l = sch.get_loops(b)
# >>> sch.vectorize(l[0])
# refused everywhere schedule/vectorize/reads-own-output
def main(B: T.Buffer((16,), "int8")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            B[vi * 2] = B[vi * 2 + 1] * T.int8(-1)

# ---- parallel, the block behind reads what the round before made
# A = -27, -8, -32, -13, -38, 40, -41, -40
# C = -28, 6, 19, -17, -15, 4, 17, 9, 13, 14, 22, 1
# D = 36, -13, 37, -36, 16, -2, 45, 0, -48, -46, -45, 21
# A -> -27, -8, -32, -13, -38, 40, -41, -40
# C -> -54, -16, -64, -26, -76, 80, -82, -80, 13, 14, 22, 1
# D -> 0, -54, -16, -64, -26, -76, 80, -82, -48, -46, -45, 21
# >>> l = sch.get_loops(sch.get_block("c"))
# >>> sch.parallel(l[0])
# refused schedule/parallel/dependence, runs at the same time
def main(A: T.Buffer((8,), "int32"), C: T.Buffer((12,), "int32"), D: T.Buffer((12,), "int32")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            C[vi] = A[vi] * 2
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            D[vi] = T.if_then_else(vi > 0, C[vi - 1], 0)

# ---- parallel, the block behind reads its own round: allowed
# A = -4, 44, -14, -18, -4, 21, 32, -34
# C = -18, -29, -31, 21, 13, -24, 43, -41, -27, 34, -37, -27
# D = 38, -12, -49, -4, -41, -44, -3, -42, 0, -7, -17, -27
# A -> -4, 44, -14, -18, -4, 21, 32, -34
# C -> -8, 88, -28, -36, -8, 42, 64, -68, -27, 34, -37, -27
# D -> -11, 85, -31, -39, -11, 39, 61, -71, 0, -7, -17, -27
# >>> l = sch.get_loops(sch.get_block("c"))
# >>> sch.parallel(l[0])
def main(A: T.Buffer((8,), "int32"), C: T.Buffer((12,), "int32"), D: T.Buffer((12,), "int32")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            C[vi] = A[vi] * 2
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            D[vi] = C[vi] - 3

# ---- vectorize, the block behind reads what a later round makes, int16
# A = 8, -30, 36, -15, -48, 6, -43, -33
# C = -34, -14, 49, 5, -9, 18, -12, -4, 32, 20, -6, -30
# D = -15, -2, 14, 24, -39, -27, -5, 9, -40, 41, -29, 9
# A -> 8, -30, 36, -15, -48, 6, -43, -33
# C -> 16, -60, 72, -30, -96, 12, -86, -66, 32, 20, -6, -30
# D -> 49, 5, -9, 18, -12, -4, 32, 20, -40, 41, -29, 9
# >>> l = sch.get_loops(sch.get_block("c"))
# >>> sch.vectorize(l[0])
# refused schedule/vectorize/dependence, runs at the same time
def main(A: T.Buffer((8,), "int16"), C: T.Buffer((12,), "int16"), D: T.Buffer((12,), "int16")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            C[vi] = A[vi] * T.int16(2)
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            D[vi] = C[vi + 2]

# ---- vectorize two rounds that meet nothing of each other: allowed, int16
# A = -23, 3, 32, -44, -19, 42, -31, -15
# C = 39, 21, -32, -2, 12, -42, 43, -21, -4, -1, 30, 6
# D = -29, -36, -48, 13, -16, -35, -38, 42, 18, 10, 36, -37
# A -> -23, 3, 32, -44, -19, 42, -31, -15
# C -> -46, 6, 64, -88, -38, 84, -62, -30, -4, -1, 30, 6
# D -> -32, -2, 12, -42, 43, -21, -4, -1, 18, 10, 36, -37
# >>> l = sch.get_loops(sch.get_block("c"))
# >>> o, i = sch.split(l[0], factors=[4, 2])
# >>> sch.vectorize(i)
def main(A: T.Buffer((8,), "int16"), C: T.Buffer((12,), "int16"), D: T.Buffer((12,), "int16")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            C[vi] = A[vi] * T.int16(2)
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            D[vi] = C[vi + 2]

# ---- bind, four rounds share a cell between two blocks
# A = -30, -4, 34, 4, 49, 6, 10, 14
# C = -42, -47, -36, -49, 39, 3, 4, 37, -13, 39, 15, -27
# D = 33, 23, 16, 6, 40, -32, 8, 17, -26, 0, -47, 29
# A -> -30, -4, 34, 4, 49, 6, 10, 14
# C -> 8, 28, -36, -49, 39, 3, 4, 37, -13, 39, 15, -27
# D -> -60, -8, 68, 8, 98, 12, 20, 28, -26, 0, -47, 29
# >>> l = sch.get_loops(sch.get_block("c"))
# >>> sch.bind(l[0], "threadIdx.x")
# refused schedule/bind/dependence, runs at the same time
def main(A: T.Buffer((8,), "int32"), C: T.Buffer((12,), "int32"), D: T.Buffer((12,), "int32")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            C[vi // 4] = A[vi] * 2
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            D[vi] = C[vi // 4]

# ---- parallel over fours that share a cell: allowed
# A = 30, 1, -9, 34, -46, 49, -25, -17
# C = 35, 21, -43, 1, -48, 17, -31, -42, -15, 12, 34, 32
# D = -42, 9, -36, -50, 1, -33, -41, -8, -37, -23, -46, 49
# A -> 30, 1, -9, 34, -46, 49, -25, -17
# C -> 68, -34, -43, 1, -48, 17, -31, -42, -15, 12, 34, 32
# D -> 60, 2, -18, 68, -92, 98, -50, -34, -37, -23, -46, 49
# >>> l = sch.get_loops(sch.get_block("c"))
# >>> o, i = sch.split(l[0], factors=[2, 4])
# >>> sch.parallel(o)
def main(A: T.Buffer((8,), "int32"), C: T.Buffer((12,), "int32"), D: T.Buffer((12,), "int32")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            C[vi // 4] = A[vi] * 2
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            D[vi] = C[vi // 4]

# ---- vectorize, one goes up and the other down
# A = 31, 24, -13, -37, -42, 36, -21, -27
# C = 37, 32, 47, -3, -12, -5, -8, 36, -2, -22, -32, 47
# D = -45, 31, -23, 13, 20, -7, 9, -42, 36, 30, 11, -9
# A -> 31, 24, -13, -37, -42, 36, -21, -27
# C -> -54, -42, 72, -84, -74, -26, 48, 62, -2, -22, -32, 47
# D -> 37, 32, 47, -3, -74, -26, 48, 62, 36, 30, 11, -9
# >>> l = sch.get_loops(sch.get_block("c"))
# >>> sch.vectorize(l[0])
# refused schedule/vectorize/dependence, runs at the same time
def main(A: T.Buffer((8,), "int32"), C: T.Buffer((12,), "int32"), D: T.Buffer((12,), "int32")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            C[7 - vi] = A[vi] * 2
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            D[vi] = C[vi]

# ---- unrolled, one goes up and the other down: allowed
# A = -36, -19, 24, 16, -41, -12, -25, 47
# C = 46, 45, -28, 40, 13, 29, -34, -25, -35, -28, 6, -42
# D = -17, 8, -12, 2, 42, -19, -34, 44, -25, -21, -3, -16
# A -> -36, -19, 24, 16, -41, -12, -25, 47
# C -> 94, -50, -24, -82, 32, 48, -38, -72, -35, -28, 6, -42
# D -> 46, 45, -28, 40, 32, 48, -38, -72, -25, -21, -3, -16
# >>> l = sch.get_loops(sch.get_block("c"))
# >>> sch.unroll(l[0])
def main(A: T.Buffer((8,), "int32"), C: T.Buffer((12,), "int32"), D: T.Buffer((12,), "int32")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            C[7 - vi] = A[vi] * 2
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            D[vi] = C[vi]

# ---- parallel, places that a narrower type holds as one
# A = 3, 1, 4, 1, 5, 9, 2, 6
# B = 7, 7
# B -> 6, 7
# >>> sch.parallel(sch.get_loops(sch.get_block("b"))[0])
# refused schedule/parallel/dependence, runs at the same time
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((2,), "int32")):
    for i in range(8):
        with T.block("b"):
            v = T.axis.spatial(8, i)
            B[T.Cast("int32", T.Cast("int64", v) * T.int64(4294967296))] = A[v]
