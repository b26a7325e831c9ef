# Moves of blocks and of memory: copies, inits, layouts and loops over what depends on each other.

# ---- compute_inline over an input that is overwritten in between
# A = -26, -32, -27, -41, 29, 2, 32, -12
# C = 35, -50, 27, -47, -23, -6, 36, 36
# A -> 0, 0, 0, 0, 0, 0, 0, 0
# C -> -50, -62, -52, -80, 60, 6, 66, -22
# >>> sch.compute_inline("b")
# refused everywhere schedule/compute_inline/not-a-stage-pipeline, runs at the same time
def main(A: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    B = T.alloc_buffer((8,), "int32")
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            B[vi] = A[vi] + 1
    for i in range(8):
        with T.block("z"):
            vi = T.axis.spatial(8, i)
            A[vi] = 0
    for i in range(8):
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            C[vi] = B[vi] * 2

# ---- compute_inline into a block that overwrites the input itself
# A = -17, -12, 32, -23, -43, 4, 38, 12
# A -> 26, 78, 10, -84, -44, 66, -22, -32
# >>> sch.compute_inline("b")
# refused everywhere schedule/compute_inline/not-a-stage-pipeline, runs at the same time
def main(A: T.Buffer((8,), "int32")):
    B = T.alloc_buffer((8,), "int32")
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            B[vi] = A[vi] + 1
    for i in range(8):
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            A[vi] = B[7 - vi] * 2

# ---- compute_inline into a block that overwrites the same element, refused by TVM as well
# A = -24, -36, 22, 26, 49, 40, -29, -28
# A -> -46, -70, 46, 54, 100, 82, -56, -54
# >>> sch.compute_inline("b")
# refused everywhere schedule/compute_inline/not-a-stage-pipeline
def main(A: T.Buffer((8,), "int32")):
    B = T.alloc_buffer((8,), "int32")
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            B[vi] = A[vi] + 1
    for i in range(8):
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            A[vi] = B[vi] * 2

# ---- reverse_compute_inline of a block that reads what comes in between
# A = -39, -1, -16, -34, 4, 14, -50, 12
# D = 22, -42, -6, -32, -39, 4, -46, 41
# C = -6, -21, -21, -27, -33, 46, -38, -46
# A -> -39, -1, -16, -34, 4, 14, -50, 12
# D -> -195, -5, -80, -170, 20, 70, -250, 60
# C -> -271, -5, -110, -236, 30, 100, -348, 86
# >>> sch.reverse_compute_inline("c")
# refused everywhere schedule/reverse_compute_inline/one-read
def main(A: T.Buffer((8,), "int32"), D: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    B = T.alloc_buffer((8,), "int32")
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            B[vi] = A[vi] + 1
    for i in range(8):
        with T.block("z"):
            vi = T.axis.spatial(8, i)
            D[vi] = A[vi] * 5
    for i in range(8):
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            C[vi] = B[vi] * 2 + D[vi]

# ---- reverse_compute_inline of a block that overwrites what the producer reads later
# A = 27, -8, -28, 9, -38, -34, 3, -9
# A -> -16, 8, -66, -74, 20, -54, -14, 56
# >>> sch.reverse_compute_inline("c")
# refused everywhere schedule/reverse_compute_inline/not-a-stage-pipeline, runs at the same time
def main(A: T.Buffer((8,), "int32")):
    B = T.alloc_buffer((8,), "int32")
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            B[vi] = A[7 - vi] + 1
    for i in range(8):
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            A[vi] = B[vi] * 2

# ---- decompose_reduction at a loop that has a reader of the next cell before it
# A = -41, -3, -32, 40, -34, -46, -14, 37, -49, 28, -38, 1, -50, -29, -2, 9, -37, -47, 36, -43, 41, -15, 15, -28, -13, 45, -22, -42, 21, 16, -25, -49
# B = -25, -34, 41, 16, -6, 15, 25, 46, -10
# C = 19, -26, 27, 23, 45, 14, -20, 33
# A -> -41, -3, -32, 40, -34, -46, -14, 37, -49, 28, -38, 1, -50, -29, -2, 9, -37, -47, 36, -43, 41, -15, 15, -28, -13, 45, -22, -42, 21, 16, -25, -49
# B -> -36, -57, -58, -72, -91, 13, -32, -37, -10
# C -> -34, 41, 16, -6, 15, 25, 46, -10
# >>> l = sch.get_loops("s")
# >>> sch.decompose_reduction("s", l[0])
# refused schedule/decompose_reduction/dependence
def main(A: T.Buffer((8, 4), "int32"), B: T.Buffer((9,), "int32"), C: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            C[vi] = B[vi + 1]
        for k in range(4):
            with T.block("s"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    B[vi] = 0
                B[vi] = B[vi] + A[vi, vk]

# ---- decompose_reduction at a loop whose other block reads the sum of before
# A = 26, -17, -36, -19, -38, -10, -37, 47, -6, 41, -33, -22, 32, -28, -18, -47, 24, 11, 9, -11, -44, -4, -3, 37, 5, 35, 27, 42, -21, -31, -29, -24
# B = -31, 14, -28, -15, -45, 20, 0, -6
# C = 39, -25, -7, 45, -29, -8, 16, 22
# A -> 26, -17, -36, -19, -38, -10, -37, 47, -6, 41, -33, -22, 32, -28, -18, -47, 24, 11, 9, -11, -44, -4, -3, 37, 5, 35, 27, 42, -21, -31, -29, -24
# B -> -46, -38, -20, -61, 33, -14, 109, -105
# C -> -31, 14, -28, -15, -45, 20, 0, -6
# >>> l = sch.get_loops("s")
# >>> sch.decompose_reduction("s", l[0])
# refused schedule/decompose_reduction/dependence
def main(A: T.Buffer((8, 4), "int32"), B: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            C[vi] = B[vi]
        for k in range(4):
            with T.block("s"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    B[vi] = 0
                B[vi] = B[vi] + A[vi, vk]

# ---- decompose_reduction at its own loop: allowed
# A = -40, -33, 4, -49, -32, -8, -7, 5, 26, -23, 43, -12, 40, -35, 30, -28, -22, 34, -26, -47, 10, 2, 20, -37, -12, -27, 17, 43, 8, -7, 11, 12
# B = 30, 35, 29, 31, 11, 42, -27, 4
# C = 15, 24, -5, 16, 3, -18, -44, -39
# A -> -40, -33, 4, -49, -32, -8, -7, 5, 26, -23, 43, -12, 40, -35, 30, -28, -22, 34, -26, -47, 10, 2, 20, -37, -12, -27, 17, 43, 8, -7, 11, 12
# B -> -118, -42, 34, 7, -61, -5, 21, 24
# C -> 30, 35, 29, 31, 11, 42, -27, 4
# >>> l = sch.get_loops("s")
# >>> sch.decompose_reduction("s", l[1])
def main(A: T.Buffer((8, 4), "int32"), B: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            C[vi] = B[vi]
        for k in range(4):
            with T.block("s"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    B[vi] = 0
                B[vi] = B[vi] + A[vi, vk]

# ---- decompose_reduction of a sum that reads its own buffer at another place
# A = -23, 15, -19, 40, -20, 29, 10, -42, 21, -24, -9, 31, 17, -37, -48, 2, -35, -24, -13, -21, -47, -10, -25, 3, 18, -24, 1, -17, 34, 22, -32, -5
# B = -15, -1, -9, -30, -50, 34, -47, 46, 1
# A -> -23, 15, -19, 40, -20, 29, 10, -42, 21, -24, -9, 31, 17, -37, -48, 2, -35, -24, -13, -21, -47, -10, -25, 3, 18, -24, 1, -17, 34, 22, -32, -5
# B -> -13, 207, -570, 3300, -3162, 3713, -1012, 19, 1
# >>> l = sch.get_loops("s")
# >>> sch.decompose_reduction("s", l[0])
# refused schedule/decompose_reduction/dependence
def main(A: T.Buffer((8, 4), "int32"), B: T.Buffer((9,), "int32")):
    for i in range(8):
        for k in range(4):
            with T.block("s"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    B[vi] = 0
                B[vi] = B[vi] + A[vi, vk] * B[vi + 1]

# ---- reorder of a sum that reads its own buffer at another place
# A = -15, -40, 0, -2, 21, 2, 25, 7, -3, 5, 35, 2, 46, -14, -17, -11, 43, 44, 0, -1, 14, -17, -26, -18
# B = -16, -25, -15, 42, 44, -23, 33
# A -> -15, -40, 0, -2, 21, 2, 25, 7, -3, 5, 35, 2, 46, -14, -17, -11, 43, 44, 0, -1, 14, -17, -26, -18
# B -> -16, -121, -429, -1677, -6704, -26730, -106967
# >>> l = sch.get_loops("s")
# >>> sch.reorder(l[1], l[0])
# refused schedule/reorder/dependence
def main(A: T.Buffer((6, 4), "int32"), B: T.Buffer((7,), "int32")):
    for i in range(6):
        for k in range(4):
            with T.block("s"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    B[vi + 1] = 0
                B[vi + 1] = B[vi + 1] + A[vi, vk] + B[vi]

# ---- rfactor of a sum that reads its own buffer at another place
# A = -20, 4, 45, 16, -23, 31, -40, -31, 23, 16, 20, 47, 21, -24, -14, 0, 48, -12, -27, 1, -41, 49, 29, 10
# B = 15, -19, 31, 16, -12, -29, 45
# A -> -20, 4, 45, 16, -23, 31, -40, -31, 23, 16, 20, 47, 21, -24, -14, 0, 48, -12, -27, 1, -41, 49, 29, 10
# B -> 15, 105, 357, 1534, 6119, 24486, 97991
# >>> l = sch.get_loops("s")
# >>> sch.rfactor(l[1], 0)
# refused everywhere schedule/rfactor/reducer
def main(A: T.Buffer((6, 4), "int32"), B: T.Buffer((7,), "int32")):
    for i in range(6):
        for k in range(4):
            with T.block("s"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    B[vi + 1] = 0
                B[vi + 1] = B[vi + 1] + A[vi, vk] + B[vi]

# ---- rfactor beside a block that writes the terms of the next round
# A = -42, 10, -10, 48, 35, -2, 28, -8, -9, -12, 25, -49, 13, -34, -28, 36, 40, 6, 44, 21, 23, -27, -40, 20, -44, 13, 36, -6
# B = 1, 25, 44, -4, -45, -20, 31
# A -> -42, 10, -10, 48, 6, 7, 8, 9, 30, 31, 32, 33, 126, 127, 128, 129, 510, 511, 512, 513, 2046, 2047, 2048, 2049, 8190, 8191, 8192, 8193
# B -> 1, 6, 30, 126, 510, 2046, 8190
# >>> l = sch.get_loops("s")
# >>> sch.rfactor(l[1], 0)
# refused everywhere schedule/rfactor/not-a-stage-pipeline, runs at the same time
def main(A: T.Buffer((7, 4), "int32"), B: T.Buffer((7,), "int32")):
    for i in range(6):
        for k in range(4):
            with T.block("s"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    B[vi + 1] = 0
                B[vi + 1] = B[vi + 1] + A[vi, vk]
        for j in range(4):
            with T.block("n"):
                vi, vj = T.axis.remap("SS", [i, j])
                A[vi + 1, vj] = B[vi + 1] + vj

# ---- cache_read of what a later block of the nest overwrites
# A = -7, -38, 43, 41, 23, 21, -49, 38, 16
# B = -31, 25, -26, -43, 17, 14, -14, -49
# A -> -7, -6, -5, -4, -3, -2, -1, 0, 1
# B -> -7, -6, -5, -4, -3, -2, -1, 0
# >>> sch.cache_read("b", 0, "local")
# refused schedule/cache_read/dependence
def main(A: T.Buffer((9,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            B[vi] = A[vi]
        with T.block("n"):
            vi = T.axis.spatial(8, i)
            A[vi + 1] = B[vi] + 1

# ---- cache_write of a running sum
# A = -1, -10, -38, -1, -24, -12, -38, 4, 32
# A -> -1, 0, 1, 2, 3, 4, 5, 6, 7
# >>> sch.cache_write("b", 0, "local")
# refused schedule/cache_write/reads-own-output
def main(A: T.Buffer((9,), "int32")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            A[vi + 1] = A[vi] + 1

# ---- cache_write, a neighbour reads the cells between the rounds
# A = 36, -27, -18, 1, 7, -35, -38, 32
# B = 17, -23, -41, -9, 40, -19, -48, 27
# C = 37, 7, -34, -6, -22, 45, -22, -17
# A -> 36, -27, -18, 1, 7, -35, -38, 32
# B -> 108, -81, -54, 3, 21, -105, -114, 96
# C -> 27, -48, -19, 40, 3, -54, -81, 108
# >>> sch.cache_write("b", 0, "local")
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            B[vi] = A[vi] * 3
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            C[vi] = B[7 - vi]

# ---- fuse of two loops that carry: allowed
# B = -29, -27, -34, 41, -5, -21, 1, 3, -6, 49, -28, -2, -4, 20, 44, 34, -12, 23, -14, -23, -18, 47, 29, 31, 2, -6, -30, -45, 3, -50, -35, 2, -7, -4, -5, -39, 14, -1, -15, 34, -41, 39
# B -> -29, -27, -34, 41, -5, -21, -63, -15, 123, -102, -81, -87, -261, -243, -306, 369, -45, -189, -567, -135, 1107, -918, -729, -783, -2349, -2187, -2754, 3321, -405, -1701, -5103, -1215, 9963, -8262, -6561, -7047, -21141, -19683, -24786, 29889, -3645, -15309
# >>> l = sch.get_loops("b")
# >>> sch.fuse(*l)
def main(B: T.Buffer((7, 6), "int32")):
    for i, j in T.grid(6, 6):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi + 1, vj] = B[vi, 5 - vj] * 3

# ---- split unevenly of a running sum: allowed
# B = -14, 27, -29, 22, 28, -17, 5, -48, 33, -44, 19, -36, 41, 10
# B -> -14, -41, -122, -365, -1094, -3281, -9842, -29525, -88574, -265721, -797162, -2391485, -7174454, -21523361
# >>> l = sch.get_loops("b")
# >>> o, i = sch.split(l[0], [None, 4])
# >>> sch.unroll(i)
def main(B: T.Buffer((14,), "int32")):
    for i in range(13):
        with T.block("b"):
            vi = T.axis.spatial(13, i)
            B[vi + 1] = B[vi] * 3 + 1

# ---- a scalar carried from round to round, in parallel
# A = 15, 22, -7, 42, -36, 10, -43, 24
# B = -44, 13, -14, 10, -6, -47, 40, 9
# S = 41
# A -> 15, 22, -7, 42, -36, 10, -43, 24
# B -> 97, 216, 425, 892, 1748, 3506, 6969, 13962
# S -> 13962
# >>> l = sch.get_loops("b")
# >>> sch.parallel(l[0])
# refused everywhere schedule/parallel/reads-own-output, runs at the same time
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), S: T.Buffer((1,), "int32")):
    for i in range(8):
        with T.block("s"):
            vi = T.axis.spatial(8, i)
            S[0] = S[0] * 2 + A[vi]
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            B[vi] = S[0]

# ---- a scalar written and read each round, in parallel
# A = 27, -11, -37, -43, -20, -25, -8, 4
# B = -17, 49, -7, -50, 7, 4, -2, -30
# S = -6
# A -> 27, -11, -37, -43, -20, -25, -8, 4
# B -> 54, -22, -74, -86, -40, -50, -16, 8
# S -> 8
# >>> l = sch.get_loops("b")
# >>> sch.parallel(l[0])
# refused schedule/parallel/dependence, runs at the same time
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), S: T.Buffer((1,), "int32")):
    for i in range(8):
        with T.block("s"):
            vi = T.axis.spatial(8, i)
            S[0] = A[vi] * 2
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            B[vi] = S[0]

# ---- indirect writes with equal places, reordered
# I = 0, 1, 2, 3, 3, 2, 1, 0, 0, 1, 2, 3, 3, 2, 1, 0
# A = -1, -12, -31, -5, -27, 49, 34, 43, -6, -7, 13, 37, 48, -7, -1, -10
# B = 30, 34, -11, 17, 25, -46, 41, 32
# I -> 0, 1, 2, 3, 3, 2, 1, 0, 0, 1, 2, 3, 3, 2, 1, 0
# A -> -1, -12, -31, -5, -27, 49, 34, 43, -6, -7, 13, 37, 48, -7, -1, -10
# B -> -10, -1, -7, 48, 25, -46, 41, 32
# >>> l = sch.get_loops("b")
# >>> sch.reorder(l[1], l[0])
# refused schedule/reorder/dependence
def main(I: T.Buffer((4, 4), "int32"), A: T.Buffer((4, 4), "int32"), B: T.Buffer((8,), "int32")):
    for i, j in T.grid(4, 4):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[I[vi, vj]] = A[vi, vj]

# ---- indirect reads of what another block writes at the same place: compute_at
# I = 7, 6, 5, 4, 3, 2, 1, 0
# A = -28, -6, -33, -17, 8, 40, -45, 49
# C = -19, 31, -41, -12, 28, 23, -24, -37
# I -> 7, 6, 5, 4, 3, 2, 1, 0
# A -> -28, -6, -33, -17, 8, 40, -45, 49
# C -> 52, -42, 43, 11, -14, -30, -3, -25
# >>> l = sch.get_loops("c")
# >>> sch.compute_at("b", l[0])
def main(I: T.Buffer((8,), "int32"), A: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    B = T.alloc_buffer((8,), "int32")
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            B[vi] = A[vi] + 3
    for i in range(8):
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            C[vi] = B[I[vi]]

# ---- compute_at of a block whose input the consumer overwrites
# A = -36, -40, 9, 12, -2, 26, -4, 27
# A -> 60, -2, 58, 2, 30, 24, -74, -66
# >>> l = sch.get_loops("c")
# >>> sch.compute_at("b", l[0])
# refused everywhere schedule/compute_at/not-a-stage-pipeline, runs at the same time
def main(A: T.Buffer((8,), "int32")):
    B = T.alloc_buffer((8,), "int32")
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            B[vi] = A[7 - vi] + 3
    for i in range(8):
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            A[vi] = B[vi] * 2

# ---- reverse_compute_at of a block that overwrites what the producer still reads
# A = 5, -9, 6, -19, 48, 36, 3, -48
# A -> -90, 12, 78, 102, -32, 18, -12, 16
# >>> l = sch.get_loops("b")
# >>> sch.reverse_compute_at("c", l[0])
# refused everywhere schedule/reverse_compute_at/not-a-stage-pipeline, runs at the same time
def main(A: T.Buffer((8,), "int32")):
    B = T.alloc_buffer((8,), "int32")
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            B[vi] = A[7 - vi] + 3
    for i in range(8):
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            A[vi] = B[vi] * 2

# ---- compute_at, a third block writes the input in between
# A = 3, -5, -22, -13, -46, 29, -48, -15
# C = 29, -42, 20, -26, -31, 33, -15, 26
# A -> 0, 1, 2, 3, 4, 5, 6, 7
# C -> 12, -4, -38, -20, -86, 64, -90, -24
# >>> l = sch.get_loops("c")
# >>> sch.compute_at("b", l[0])
# refused everywhere schedule/compute_at/not-a-stage-pipeline, runs at the same time
def main(A: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    B = T.alloc_buffer((8,), "int32")
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            B[vi] = A[vi] + 3
    for i in range(8):
        with T.block("z"):
            vi = T.axis.spatial(8, i)
            A[vi] = vi
    for i in range(8):
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            C[vi] = B[vi] * 2

# ---- parallel over a histogram
# I = 0, 1, 2, 3, 0, 0, 1, 2
# H = -23, -17, -15, 32
# I -> 0, 1, 2, 3, 0, 0, 1, 2
# H -> -20, -15, -13, 33
# >>> l = sch.get_loops("h")
# >>> sch.parallel(l[0])
# refused everywhere schedule/parallel/iter-type, runs at the same time
def main(I: T.Buffer((8,), "int32"), H: T.Buffer((4,), "int32")):
    for i in range(8):
        with T.block("h"):
            vi = T.axis.opaque(8, i)
            H[I[vi]] = H[I[vi]] + 1

# ---- unroll of a running product: allowed
# B = 8, -14, 9, -17, -46, -28, 26, -44, 24
# B -> 8, 10, 39, 100, 254, 734, 2228, 6640, 19944
# >>> l = sch.get_loops("b")
# >>> sch.unroll(l[0])
def main(B: T.Buffer((9,), "int32")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            B[vi + 1] = B[vi] * 3 + B[vi + 1]

# ---- merge of a loop whose second block reads a later round
# A = -45, -26, 0, -9, -31, 47, -22, -43
# B = -10, 45, -33, -21, -9, -45, 24, 21
# C = -44, -19, 12, -31, -23, -20, -22, 5
# A -> -45, -26, 0, -9, -31, 47, -22, -43
# B -> -42, -23, 3, -6, -28, 50, -19, -40
# C -> -80, -38, 100, -56, -12, 6, -46, -84
# >>> sch.merge(sch.get_loops("b")[0], sch.get_loops("c")[0])
# refused schedule/merge/dependence
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            B[vi] = A[vi] + 3
    for i in range(8):
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            C[vi] = B[7 - vi] * 2

# ---- reorder_block_iter_var of a carried block: allowed
# B = 33, -35, -39, -47, -4, -34, -39, -26, -27, 16, 2, 7, -4, -30, -21, -49, 46, -48, -23, 20, -2, -4, 36, 47, -15, 13, -44, -38, -27, 9, 25, -19, 16, -21, -43, 9, 4, -9, 19, -31, 6, 18
# B -> 33, -35, -39, -47, -4, -34, -102, -12, -141, -117, -105, 99, 297, -315, -351, -423, -36, -306, -918, -108, -1269, -1053, -945, 891, 2673, -2835, -3159, -3807, -324, -2754, -8262, -972, -11421, -9477, -8505, 8019, 24057, -25515, -28431, -34263, -2916, -24786
# >>> sch.reorder_block_iter_var("b", [1, 0])
def main(B: T.Buffer((7, 6), "int32")):
    for i, j in T.grid(6, 6):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi + 1, vj] = B[vi, 5 - vj] * 3

# ---- transform_block_layout that turns the rounds
# B = -12, -13, 10, 10, -39, 41, 12, 49, -25, -12, -41, -44, 32, -38, 28, -27, -11, -30, -31, -48, 16, 48, -29, 48, 25, -15, 0, 16, 11, 14, 43, -37, 49, 41, -13, 22, 38, 13, -27, 9, -35, 21
# B -> -12, -13, 10, 10, -39, 41, 123, -117, 30, 30, -39, -36, -108, -117, 90, 90, -351, 369, 1107, -1053, 270, 270, -351, -324, -972, -1053, 810, 810, -3159, 3321, 9963, -9477, 2430, 2430, -3159, -2916, -8748, -9477, 7290, 7290, -28431, 29889
# >>> sch.transform_block_layout("b", lambda i, j: (j, i))
# refused schedule/transform_block_layout/dependence
def main(B: T.Buffer((7, 6), "int32")):
    for i, j in T.grid(6, 6):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi + 1, vj] = B[vi, 5 - vj] * 3

# ---- blockize, then the tile is reordered
# B = -35, -17, 21, 10, 46, -1, -5, 25, 27, 23, -5, -43, 2, 15, -20, 13, 46, -44, -25, -24, -21, 20, 26, -41, 40, -31, -8, 11, -29, 19, -49, -42, -13, 45, -9, 6, -8, -30, -34, -38, -46, -45
# B -> -35, -17, 21, 10, 46, -1, -3, 138, 30, 63, -51, -105, -315, -153, 189, 90, 414, -9, -27, 1242, 270, 567, -459, -945, -2835, -1377, 1701, 810, 3726, -81, -243, 11178, 2430, 5103, -4131, -8505, -25515, -12393, 15309, 7290, 33534, -729
# >>> l = sch.get_loops("b")
# >>> t = sch.blockize(l[1])
# >>> sch.parallel(sch.get_loops(t)[0])
# refused everywhere schedule/parallel/reads-own-output, runs at the same time
def main(B: T.Buffer((7, 6), "int32")):
    for i, j in T.grid(6, 6):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi + 1, vj] = B[vi, 5 - vj] * 3

# ---- blockize of rows that meet, then parallel
# A = 16, -4, 10, 22, -1, 15, -9, -41, 21, 34, -32, -9, -17, -4, -32, -42, 29, 23, -39, 44, -17, -7, 40, -37, 20, -1, -35, -18, -25, 2, 12, -15, 43, -41, -42, -18
# B = 33, -31, 37, -39, 32, -47, 45, 22, 6, 8, -26, 31, 27, 31, 44, -45, 18, -9, 26, -37, 26, -50, 41, 48, -12, -47, 26, -17, -21, -44, 29, -47, 23, -44, 11, 12, 24, 42, 0, 49, 14, 9
# A -> 16, -4, 10, 22, -1, 15, -9, -41, 21, 34, -32, -9, -17, -4, -32, -42, 29, 23, -39, 44, -17, -7, 40, -37, 20, -1, -35, -18, -25, 2, 12, -15, 43, -41, -42, -18
# B -> -27, -123, 63, 102, -96, -27, -117, 132, -51, -21, 120, -111, 36, -45, 129, -123, -126, -54, 26, -37, 26, -50, 41, 48, -12, -47, 26, -17, -21, -44, 29, -47, 23, -44, 11, 12, 24, 42, 0, 49, 14, 9
# >>> l = sch.get_loops("b")
# >>> t = sch.blockize(l[1])
# >>> sch.parallel(sch.get_loops(t)[0])
# refused schedule/parallel/dependence, runs at the same time
def main(A: T.Buffer((6, 6), "int32"), B: T.Buffer((7, 6), "int32")):
    for i, j in T.grid(6, 6):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi // 2, vj] = A[vi, vj] * 3

# ---- loop_partition of a running sum: allowed
# B = 19, 23, 43, -43, -16, 12, -18, -1, -11, -39, -44, 20, -30
# B -> 19, 58, 175, 526, 1579, 4738, 14215, 42646, 127939, 383818, 1151455, 3454366, 10363099
# >>> l = sch.get_loops("b")
# >>> sch.loop_partition(l[0], [4, 5])
def main(B: T.Buffer((13,), "int32")):
    for i in range(12):
        with T.block("b"):
            vi = T.axis.spatial(12, i)
            B[vi + 1] = B[vi] * 3 + 1

# ---- parallel, a condition keeps the rounds apart: allowed
# A = -15, 32, -31, 22, -30, -20, -28, -44
# C = -26, 28, -16, 31, -29, -17, -30, -17
# A -> -15, 32, -31, 22, -30, -20, -28, -44
# C -> -15, -31, -30, -28, -29, -17, -30, -17
# >>> l = sch.get_loops("c")
# >>> sch.parallel(l[0])
def main(A: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            T.where(i % 2 == 0)
            C[vi // 2] = A[vi]

# ---- parallel, the condition lets two rounds meet
# A = -41, 8, -10, 38, -40, -33, -30, 20
# C = -19, -27, -14, 21, -21, -25, 4, -1
# A -> -41, 8, -10, 38, -40, -33, -30, 20
# C -> 8, -10, -33, 20, -21, -25, 4, -1
# >>> l = sch.get_loops("c")
# >>> sch.parallel(l[0])
# refused schedule/parallel/dependence, runs at the same time
def main(A: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            T.where(i % 3 != 0)
            C[vi // 2] = A[vi]

# ---- parallel over a block with a loop of its own that meets
# A = -20, 22, -21, 3, 23, 21, 0, 31
# C = 20, -16, 45, -10, 36, 6, -42, 2, 12, -33, 16, 2
# A -> -20, 22, -21, 3, 23, 21, 0, 31
# C -> 0, 0, 0, 0, 0, 0, 0, 0, 31, 62, 16, 2
# >>> l = sch.get_loops("c")
# >>> sch.parallel(l[0])
# refused schedule/parallel/dependence, runs at the same time
def main(A: T.Buffer((8,), "int32"), C: T.Buffer((12,), "int32")):
    for i in range(8):
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            for k in range(3):
                C[vi + k] = A[vi] * k

# ---- parallel over the remainder of a product
# A = 20, 17, 17, -8, -9, -26, 12, 32
# C = 34, 46, 6, 42, 39, 46, -32, 2, -16, 39, -16, 47
# A -> 20, 17, 17, -8, -9, -26, 12, 32
# C -> -9, 46, 6, -26, 39, 46, 12, 2, -16, 32, -16, 47
# >>> l = sch.get_loops("c")
# >>> sch.parallel(l[0])
# refused schedule/parallel/dependence, runs at the same time
def main(A: T.Buffer((8,), "int32"), C: T.Buffer((12,), "int32")):
    for i in range(8):
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            C[vi * 3 % 12] = A[vi]

# ---- parallel over the remainder by a prime: allowed
# A = -12, -40, 0, 15, 41, 19, 8, 13
# C = -21, 6, 15, 29, 30, 49, -43, 24, 4, 9, -34, -42
# A -> -12, -40, 0, 15, 41, 19, 8, 13
# C -> -12, 41, 15, -40, 19, 49, 0, 8, 4, 15, 13, -42
# >>> l = sch.get_loops("c")
# >>> sch.parallel(l[0])
def main(A: T.Buffer((8,), "int32"), C: T.Buffer((12,), "int32")):
    for i in range(8):
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            C[vi * 3 % 11] = A[vi]

# ---- parallel over a product of two loops
# A = -32, 8, -34, 30, -21, -30, 34, 31, -49, -35, -2, 9, 27, -2, -25, 27
# C = -1, -30, 9, -2, 31, -11, -1, 42, -34, -4, -34, -39, 3, -50, -11, 17
# A -> -32, 8, -34, 30, -21, -30, 34, 31, -49, -35, -2, 9, 27, -2, -25, 27
# C -> 27, -30, -35, -2, -2, -11, -25, 42, -34, 27, -34, -39, 3, -50, -11, 17
# >>> l = sch.get_loops("c")
# >>> sch.parallel(l[0])
# refused schedule/parallel/dependence, runs at the same time
def main(A: T.Buffer((4, 4), "int32"), C: T.Buffer((16,), "int32")):
    for i, j in T.grid(4, 4):
        with T.block("c"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi * vj] = A[vi, vj]

# ---- reorder of a triangle, refused by TVM as well
# A = 34, -9, -48, 24, 32, -19, -8, 0, -3, -32, -24, -4, -37, 3, -24, -43, -9, 48, -5, 22, -9, 16, -40, 25, 10, -16, -1, -8, 7, 24, -27, -18, -40, -44, -41, -10
# C = -33, -44, -46, 4, -37, -38
# A -> 34, -9, -48, 24, 32, -19, -8, 0, -3, -32, -24, -4, -37, 3, -24, -43, -9, 48, -5, 22, -9, 16, -40, 25, 10, -16, -1, -8, 7, 24, -27, -18, -40, -44, -41, -10
# C -> -10, -41, -44, -40, -18, -27
# >>> l = sch.get_loops("c")
# >>> sch.reorder(l[1], l[0])
# refused everywhere schedule/reorder/not-affine
def main(A: T.Buffer((6, 6), "int32"), C: T.Buffer((6,), "int32")):
    for i, j in T.grid(6, 6):
        with T.block("c"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.where(j <= i)
            C[vi - vj] = A[vi, vj]

# ---- cache_write behind a reader of the round before
# A = 24, 22, 28, 1, 30, 44, 3, 22
# B = 34, -42, -18, -18, 31, 5, 39, 22
# C = 18, -12, -3, -38, 25, -9, -39, -45
# A -> 24, 22, 28, 1, 30, 44, 3, 22
# B -> 72, 66, 84, 3, 90, 132, 9, 66
# C -> 34, 72, 66, 84, 3, 90, 132, 9
# >>> sch.cache_write("b", 0, "local")
# refused schedule/cache_write/dependence
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            C[vi] = B[T.max(vi - 1, 0)]
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            B[vi] = A[vi] * 3

# ---- cache_write behind a reader of rounds to come: allowed
# A = 27, 22, -3, 26, 14, -38, -47, 16
# B = -16, -50, -32, 34, 7, 25, -47, 40, 49
# C = 37, -13, 23, 21, -41, 48, 10, 25
# A -> 27, 22, -3, 26, 14, -38, -47, 16
# B -> 81, 66, -9, 78, 42, -114, -141, 48, 49
# C -> -50, -32, 34, 7, 25, -47, 40, 49
# >>> sch.cache_write("b", 0, "local")
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((9,), "int32"), C: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            C[vi] = B[vi + 1]
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            B[vi] = A[vi] * 3

# ---- cache_write, only even elements are written
# A = 24, -21, -36, 17, -34, -23, 42, -20
# B = -17, -29, -42, 35, 3, -22, -21, 16, -25, -33, -45, 39, -40, -45, 33, 34
# A -> 24, -21, -36, 17, -34, -23, 42, -20
# B -> 72, -29, -63, 35, -108, -22, 51, 16, -102, -33, -69, 39, 126, -45, -60, 34
# >>> sch.cache_write("b", 0, "local")
# warned schedule/cache_write/partly-written
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            B[vi * 2] = A[vi] * 3

# ---- cache_write, a condition leaves elements out
# A = -30, 39, 31, 10, -35, -3, -9, 20
# B = -15, 47, -32, -30, -34, 13, -40, 38
# A -> -30, 39, 31, 10, -35, -3, -9, 20
# B -> -15, 117, 93, 30, -34, 13, -40, 60
# >>> sch.cache_write("b", 0, "local")
# warned schedule/cache_write/partly-written
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            if A[vi] > 0:
                B[vi] = A[vi] * 3

# ---- cache_write of rows that a loop of the block fills: allowed
# A = 14, 17, -17, 43, 28, -27, 31, -23, 8, -38, -36, 40, 21, -38, -44, -29, -37, 34, 17, 10, -47, 29, 49, -24, -17, 35, -8, 43, -3, -39, -47, -50
# B = 47, 12, 31, -36, 4, -49, -9, -22, 16, -18, 46, 32, 29, 4, -50, -17, 16, -7, 42, -27, -39, 15, 35, 5, 34, -7, -13, 6, 33, 12, -44, -7
# A -> 14, 17, -17, 43, 28, -27, 31, -23, 8, -38, -36, 40, 21, -38, -44, -29, -37, 34, 17, 10, -47, 29, 49, -24, -17, 35, -8, 43, -3, -39, -47, -50
# B -> 42, 51, -51, 129, 84, -81, 93, -69, 24, -114, -108, 120, 63, -114, -132, -87, -111, 102, 51, 30, -141, 87, 147, -72, -51, 105, -24, 129, -9, -117, -141, -150
# >>> sch.cache_write("b", 0, "local")
def main(A: T.Buffer((8, 4), "int32"), B: T.Buffer((8, 4), "int32")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            for k in range(4):
                B[vi, k] = A[vi, k] * 3

# ---- cache_write of a sum with an init: allowed
# A = -17, 43, 33, -43, 16, 17, -40, -37, -24, 22, 7, 39, 17, -8, -45, 49, -35, -33, -15, 24, 26, -9, -29, -22
# B = -42, -40, 31, 11, -33, 1
# A -> -17, 43, 33, -43, 16, 17, -40, -37, -24, 22, 7, 39, 17, -8, -45, 49, -35, -33, -15, 24, 26, -9, -29, -22
# B -> 16, -44, 44, 13, -59, -34
# >>> sch.cache_write("s", 0, "local")
def main(A: T.Buffer((6, 4), "int32"), B: T.Buffer((6,), "int32")):
    for i in range(6):
        for k in range(4):
            with T.block("s"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    B[vi] = 0
                B[vi] = B[vi] + A[vi, vk]

# ---- cache_write of a sum that goes on from what was there
# A = -42, 3, -16, 22, 4, 6, -2, 17, -49, -26, -16, -27, 36, -28, -12, 3, 48, -47, -22, -44, 44, 29, 40, 33
# B = -29, 6, 9, 29, -44, 18
# A -> -42, 3, -16, 22, 4, 6, -2, 17, -49, -26, -16, -27, 36, -28, -12, 3, 48, -47, -22, -44, 44, 29, 40, 33
# B -> -62, 31, -109, 28, -109, 164
# >>> sch.cache_write("s", 0, "local")
# refused schedule/cache_write/reads-own-output
def main(A: T.Buffer((6, 4), "int32"), B: T.Buffer((6,), "int32")):
    for i in range(6):
        for k in range(4):
            with T.block("s"):
                vi, vk = T.axis.remap("SR", [i, k])
                B[vi] = B[vi] + A[vi, vk]

# ---- cache_read between a writer and its reader in one loop: allowed
# A = -42, 1, -38, -29, 1, 32, -32, 48
# B = 11, 17, 14, 15, -50, -47, 46, -27
# C = -11, 46, -1, -35, -39, -42, -39, 45
# A -> -42, 1, -38, -29, 1, 32, -32, 48
# B -> -126, 3, -114, -87, 3, 96, -96, 144
# C -> -125, 4, -113, -86, 4, 97, -95, 145
# >>> sch.cache_read("c", 0, "local")
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            B[vi] = A[vi] * 3
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            C[vi] = B[vi] + 1

# ---- cache_read of what only the block behind writes, other elements
# A = 30, 3, 37, 46, -38, 29, -8, -20, 14, -12, 17, -44, -3, 43, -20, 20
# B = -19, 2, 24, 42, -3, 37, 15, -39
# A -> 30, 3, 37, 46, -38, 29, -8, -20, 31, 4, 38, 47, -37, 30, -7, -19
# B -> 30, 3, 37, 46, -38, 29, -8, -20
# >>> sch.cache_read("b", 0, "local")
# refused schedule/cache_read/dependence
def main(A: T.Buffer((16,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            B[vi] = A[vi]
    for i in range(8):
        with T.block("n"):
            vi = T.axis.spatial(8, i)
            A[vi + 8] = B[vi] + 1

# ---- reindex of what is written under a condition
# A = 35, -7, -25, 39, 5, -41, -37, 3
# B = 18, 5, 30, -44, -34, -33, 6, 10, 29
# A -> 35, -7, -25, 39, 5, -41, -37, 3
# B -> 18, 5, -21, -44, -34, 15, 6, 10, 9
# >>> sch.reindex("b", ("write", 0))
# warned schedule/reindex/partly-written
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((9,), "int32")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            if vi % 3 == 1:
                B[vi + 1] = A[vi] * 3

# ---- transform_block_layout that goes backwards: rounds are lost
# A = 27, -9, 20, 21, -12
# C = -50, 19, -44, -47, 3
# A -> 27, -9, 20, 21, -12
# C -> 28, -8, 21, 22, -11
# >>> sch.transform_block_layout("b", lambda i: (4 - i,))
# refused schedule/transform_block_layout/reach
def main(A: T.Buffer((5,), "int32"), C: T.Buffer((5,), "int32")):
    for i in range(5):
        with T.block("b"):
            vi = T.axis.spatial(5, i)
            C[vi] = A[vi] + 1

# ---- transform_block_layout that does not begin at zero
# A = 22, -46, 22, 0, 25
# C = 47, 46, -3, 20, 45
# A -> 22, -46, 22, 0, 25
# C -> 23, -45, 23, 1, 26
# >>> sch.transform_block_layout("b", lambda i: (i + 3,))
# refused schedule/transform_block_layout/reach
def main(A: T.Buffer((5,), "int32"), C: T.Buffer((5,), "int32")):
    for i in range(5):
        with T.block("b"):
            vi = T.axis.spatial(5, i)
            C[vi] = A[vi] + 1

# ---- transform_block_layout of a running sum into tiles: allowed
# B = -5, 33, -20, -41, -47, -41, -37, 46, 31, -42, -33, -5, -41
# B -> -5, -14, -41, -122, -365, -1094, -3281, -9842, -29525, -88574, -265721, -797162, -2391485
# >>> sch.transform_block_layout("b", lambda i: (i // 4, i % 4))
def main(B: T.Buffer((13,), "int32")):
    for i in range(12):
        with T.block("b"):
            vi = T.axis.spatial(12, i)
            B[vi + 1] = B[vi] * 3 + 1

# ---- transform_block_layout of a running sum into strides
# B = 48, 33, -16, -22, 20, -3, -27, 16, 29, 14, -36, 35, -24
# B -> 48, 145, 436, 1309, 3928, 11785, 35356, 106069, 318208, 954625, 2863876, 8591629, 25774888
# >>> sch.transform_block_layout("b", lambda i: (i % 4, i // 4))
# refused schedule/transform_block_layout/dependence
def main(B: T.Buffer((13,), "int32")):
    for i in range(12):
        with T.block("b"):
            vi = T.axis.spatial(12, i)
            B[vi + 1] = B[vi] * 3 + 1

# ---- decompose_reduction in a loop whose other block reads this sum: allowed
# A = 27, -34, 24, -19, -39, -38, -8, -35, 3, 37, -34, 15, 2, 14, -46, 34, 5, -48, 18, 11, 16, 40, 8, 29, 17, -5, 15, 7, 31, 44, -43, -23
# B = -9, -32, -39, 7, -18, -26, 39, -18
# C = 34, -7, -11, -11, -8, 17, 41, -41
# A -> 27, -34, 24, -19, -39, -38, -8, -35, 3, 37, -34, 15, 2, 14, -46, 34, 5, -48, 18, 11, 16, 40, 8, 29, 17, -5, 15, 7, 31, 44, -43, -23
# B -> -2, -120, 21, 4, -14, 93, 34, 9
# C -> -4, -240, 42, 8, -28, 186, 68, 18
# >>> l = sch.get_loops("s")
# >>> sch.decompose_reduction("s", l[0])
def main(A: T.Buffer((8, 4), "int32"), B: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    for i in range(8):
        for k in range(4):
            with T.block("s"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    B[vi] = 0
                B[vi] = B[vi] + A[vi, vk]
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            C[vi] = B[vi] * 2

# ---- decompose_reduction in a loop whose other block reads the next sum before
# A = -25, -45, 12, -14, 0, 46, 39, 17, 0, 35, 20, 40, 32, -42, -24, -3, -15, 14, -42, -7, 27, 35, 29, -39, -20, 31, -20, -1, 4, -14, 23, 45
# B = -35, 14, -13, 18, 34, -49, -1, 33, -19
# C = 45, -34, -2, -22, 32, 2, 15, -29
# A -> -25, -45, 12, -14, 0, 46, 39, 17, 0, 35, 20, 40, 32, -42, -24, -3, -15, 14, -42, -7, 27, 35, 29, -39, -20, 31, -20, -1, 4, -14, 23, 45
# B -> -72, 102, 95, -37, -50, 52, -10, 58, -19
# C -> 14, -13, 18, 34, -49, -1, 33, -19
# >>> l = sch.get_loops("s")
# >>> sch.decompose_reduction("s", l[0])
# refused schedule/decompose_reduction/dependence
def main(A: T.Buffer((8, 4), "int16"), B: T.Buffer((9,), "int16"), C: T.Buffer((8,), "int16")):
    for i in range(8):
        for k in range(4):
            with T.block("s"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    B[vi] = T.int16(0)
                B[vi] = B[vi] + A[vi, vk]
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            C[vi] = B[vi + 1]

# ---- decompose_reduction, another block writes the sum first: two writers, refused by TVM as well
# A = -39, -6, 45, -32, 22, 25, 35, 47, 7, -24, 29, -4, 21, -8, 10, -25, 25, -28, 15, 0, 14, 26, -36, 41, -43, -33, -48, 18, -38, 31, 38, 9
# B = -24, -37, 45, -39, -43, 30, -41, -48
# A -> -39, -6, 45, -32, 22, 25, 35, 47, 7, -24, 29, -4, 21, -8, 10, -25, 25, -28, 15, 0, 14, 26, -36, 41, -43, -33, -48, 18, -38, 31, 38, 9
# B -> -32, 129, 8, -2, 12, 45, -106, 40
# >>> l = sch.get_loops("s")
# >>> sch.decompose_reduction("s", l[0])
# refused everywhere schedule/decompose_reduction/not-dominant
def main(A: T.Buffer((8, 4), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            B[vi] = 5
        for k in range(4):
            with T.block("s"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    B[vi] = 0
                B[vi] = B[vi] + A[vi, vk]

# ---- decompose_reduction of a maximum of terms of its own output
# A = 40, 15, -3, 10, 15, 38, -33, -3, -45, 44, -48, 7, -2, -27, 6, -24, -37, 7, -5, 13, 7, 3, 1, 17
# B = 1, 3, -30, -26, -45, -26, -1
# A -> 40, 15, -3, 10, 15, 38, -33, -3, -45, 44, -48, 7, -2, -27, 6, -24, -37, 7, -5, 13, 7, 3, 1, 17
# B -> 43, 8, 18, -39, -13, 16, -1
# >>> l = sch.get_loops("s")
# >>> sch.decompose_reduction("s", l[0])
# refused schedule/decompose_reduction/dependence
def main(A: T.Buffer((6, 4), "int32"), B: T.Buffer((7,), "int32")):
    for i in range(6):
        for k in range(4):
            with T.block("s"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    B[vi] = -1000
                B[vi] = T.max(B[vi], A[vi, vk] + B[vi + 1])

# ---- decompose_reduction inside of a loop that repeats in order: allowed
# A = -10, 3, -20, -42, 39, -40, -29, 47, 25, -31, -2, 14, 25, -50, 15, 47, 39, 40, -23, 3, 40, 16, -44, 17, -30, -39, -21, -25, -49, -31, -38, 38, 19, 39, -41, 2, 14, -3, -10, -14, -11, 49, 0, -36, -2, 4, 42, 8, 11, -19, -6, -28, -17, 49, 16, -46, 36, -40, -7, 25, -10, 46, -6, 19, 18, 44, -2, -32, -32, -25, -12, 43
# B = 41, -44, 35, 3, 40, -50, 33, 49, 8, -23, -12, -43, 40, 40, 18, -1, -37, -42
# A -> -10, 3, -20, -42, 39, -40, -29, 47, 25, -31, -2, 14, 25, -50, 15, 47, 39, 40, -23, 3, 40, 16, -44, 17, -30, -39, -21, -25, -49, -31, -38, 38, 19, 39, -41, 2, 14, -3, -10, -14, -11, 49, 0, -36, -2, 4, 42, 8, 11, -19, -6, -28, -17, 49, 16, -46, 36, -40, -7, 25, -10, 46, -6, 19, 18, 44, -2, -32, -32, -25, -12, 43
# B -> -112, 87, -21, 65, -52, 112, -54, -91, -31, 4, -8, 45, -41, -89, 104, -18, 20, 49
# >>> l = sch.get_loops("s")
# >>> sch.decompose_reduction("s", l[1])
def main(A: T.Buffer((6, 4, 3), "int32"), B: T.Buffer((6, 3), "int32")):
    for i, j, k in T.grid(6, 3, 4):
        with T.block("s"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                B[vi, vj] = 0
            B[vi, vj] = B[vi, vj] + A[vi, vk, vj]

# ---- bind of an anti dependence
# A = -46, 47, -10, -43, -7, -40, 16, 3, 4
# B = 36, -20, 10, 9, 47, 38, -9, 41, -48
# A -> 94, -20, -86, -14, -80, 32, 6, 8, 4
# B -> 47, -10, -43, -7, -40, 16, 3, 4, -48
# >>> l = sch.get_loops("b")
# >>> sch.bind(l[0], "blockIdx.x")
# refused schedule/bind/dependence, runs at the same time
def main(A: T.Buffer((9,), "int32"), B: T.Buffer((9,), "int32")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            B[vi] = A[vi + 1]
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            A[vi] = B[vi] * 2

# ---- compute_at over a window that moves: allowed
# A = 6, -36, -20, 49, -28, 45, -41, 49, 40, 40
# C = -16, -15, -3, 48, 0, -46, -24, -28
# A -> 6, -36, -20, 49, -28, 45, -41, 49, 40, 40
# C -> -41, 2, 10, 75, -15, 62, 57, 138
# >>> l = sch.get_loops("c")
# >>> sch.compute_at("b", l[0])
def main(A: T.Buffer((10,), "int32"), C: T.Buffer((8,), "int32")):
    B = T.alloc_buffer((10,), "int32")
    for i in range(10):
        with T.block("b"):
            vi = T.axis.spatial(10, i)
            B[vi] = A[vi] + 3
    for i in range(8):
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            C[vi] = B[vi] + B[vi + 1] + B[vi + 2]

# ---- merge of loops whose first reads what the second writes later
# A = -29, -23, 44, -5, 20, -9, -43, 37, -6
# B = 8, -39, 25, -27, 41, 2, -11, -18, -16
# A -> 0, 7, 14, 21, 28, 35, 42, 49, -6
# B -> -23, 44, -5, 20, -9, -43, 37, -6, -16
# >>> sch.merge(sch.get_loops("b")[0], sch.get_loops("c")[0])
def main(A: T.Buffer((9,), "int32"), B: T.Buffer((9,), "int32")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            B[vi] = A[vi + 1]
    for i in range(8):
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            A[vi] = vi * 7

# ---- merge of loops whose first reads what the second would overwrite
# A = 24, -28, 21, 40, -16, -3, 28, -48, 20
# B = -5, -50, 3, -48, -38, 1, 32, 11, 49
# A -> 24, 0, 7, 14, 21, 28, 35, 42, 49
# B -> 24, -28, 21, 40, -16, -3, 28, -48, 49
# >>> sch.merge(sch.get_loops("b")[0], sch.get_loops("c")[0])
# refused schedule/merge/dependence
def main(A: T.Buffer((9,), "int32"), B: T.Buffer((9,), "int32")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            B[vi] = A[vi]
    for i in range(8):
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            A[vi + 1] = vi * 7

# ---- reorder over an indirect read of what is written, int64
# I = 1, 2, 3, 0
# B = -29, 7, -18, 21, -2, 5, -25, -18, -40, -24, 20, -40, 0, 16, -6, 7, -40, -7, -31, 43
# I -> 1, 2, 3, 0
# B -> -29, 7, -18, 21, 21, -54, 63, -87, -162, 189, -261, 63, 567, -783, 189, -486, -2349, 567, -1458, 1701
# >>> l = sch.get_loops("b")
# >>> sch.reorder(l[1], l[0])
# refused schedule/reorder/dependence
def main(I: T.Buffer((4,), "int32"), B: T.Buffer((5, 4), "int64")):
    for i, j in T.grid(4, 4):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi + 1, vj] = B[vi, I[vj]] * T.int64(3)

# ---- unroll and fuse over an indirect chain: allowed
# I = 7, 2, 1, 0, 5, 3, 6, 4
# B = 22, -41, 5, 7, -28, 15, 16, -47
# I -> 7, 2, 1, 0, 5, 3, 6, 4
# B -> 22, -365, -122, -248, 202, -83, 49, 67
# >>> l = sch.get_loops("b")
# >>> f = sch.fuse(*l)
# >>> sch.unroll(f)
def main(I: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i, j in T.grid(2, 4):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[I[vi * 4 + vj]] = B[vi * 4 + vj] * 3 + 1

# ---- cache_write of a maximum over the next element, which its init does not begin
# B = -9, -31, 0, 33, -44
# B -> -31, 0, 33, -44, -44
# >>> sch.cache_write("s", 0, "local")
# refused schedule/cache_write/reads-own-output
def main(B: T.Buffer((5,), "int32")):
    for i in range(4):
        for k in range(3):
            with T.block("s"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    B[vi] = -100
                B[vi] = T.max(B[vi], B[vi + 1])

# ---- reorder of a maximum over the next element
# B = -41, 18, -38, -4, 24
# B -> 18, -38, -4, 24, 24
# >>> l = sch.get_loops("s")
# >>> sch.reorder(l[1], l[0])
# refused schedule/reorder/dependence
def main(B: T.Buffer((5,), "int32")):
    for i in range(4):
        for k in range(3):
            with T.block("s"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    B[vi] = -100
                B[vi] = T.max(B[vi], B[vi + 1])

# ---- blockize of a maximum over the next element: the inits go first
# B = -43, 14, -23, -46, -39
# B -> 14, -23, -46, -39, -39
# >>> sch.blockize(sch.get_loops("s")[0])
# refused schedule/blockize/reads-own-output
def main(B: T.Buffer((5,), "int32")):
    for i in range(4):
        for k in range(3):
            with T.block("s"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    B[vi] = -100
                B[vi] = T.max(B[vi], B[vi + 1])

# ---- write_at of a maximum over the next element
# B = 5, 3, -42, -20, -39
# B -> 3, -42, -20, -39, -39
# >>> sch.write_at(sch.get_loops("s")[0], "s", 0, "local")
# warned schedule/write_at/read-before
def main(B: T.Buffer((5,), "int32")):
    for i in range(4):
        for k in range(3):
            with T.block("s"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    B[vi] = -100
                B[vi] = T.max(B[vi], B[vi + 1])

# ---- cache_write, the block's condition leaves a corner out
# A = 20, 4, -43, 22, -35, -22, 30, 30, 24, -43, 23, 24
# B = 0, -44, -22, -45, 21, -33, -13, 3, -32, 19, -35, 23
# A -> 20, 4, -43, 22, -35, -22, 30, 30, 24, -43, 23, 24
# B -> 60, 66, 90, -45, 12, -105, -13, 3, -129, 19, -35, 23
# >>> sch.cache_write("b", 0, "local")
# warned schedule/cache_write/partly-written
def main(A: T.Buffer((4, 3), "int32"), B: T.Buffer((3, 4), "int32")):
    for i, j in T.grid(4, 3):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.where(i + j < 3)
            B[vj, vi] = A[vi, vj] * 3

# ---- cache_write behind a split that does not come out even: allowed
# A = -11, 21, 37, -27, -37
# B = 24, 23, 31, -26, -3
# A -> -11, 21, 37, -27, -37
# B -> -33, 63, 111, -81, -111
# >>> l = sch.get_loops("b")
# >>> sch.split(l[0], [None, 2])
# >>> sch.cache_write("b", 0, "local")
def main(A: T.Buffer((5,), "int32"), B: T.Buffer((5,), "int32")):
    for i in range(5):
        with T.block("b"):
            vi = T.axis.spatial(5, i)
            B[vi] = A[vi] * 3

# ---- cache_inplace of a place that is chosen: the rest of the region is not written
# B = -38, 20, 41, -42, 22, -43
# B -> -37, 21, 43, 42, 22, -43
# >>> sch.cache_inplace("b", 0, "local")
# warned schedule/cache_inplace/partly-written
def main(B: T.Buffer((6,), "int32")):
    for i in range(4):
        with T.block("b"):
            vi = T.axis.spatial(4, i)
            B[T.if_then_else(vi < 2, vi, 5 - vi)] = B[vi] + 1

# ---- compute_inline of what a statement outside of blocks changes
# A = 29, -24, 13, 37, 18, 4
# B = 49, -10, 9, 24, 8, -4
# A -> 29, -24, 13, 37, 18, 4
# B -> 88, -71, 13, 112, 55, 13
# >>> sch.compute_inline("t")
# refused everywhere schedule/compute_inline/opaque-access
def main(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
    t = T.alloc_buffer((6,), "int32")
    for i in range(6):
        with T.block("t"):
            vi = T.axis.spatial(6, i)
            t[vi] = A[vi] * 3
    for q in range(1):
        t[q + 2] = t[q + 5]
    for i in range(6):
        with T.block("b"):
            vi = T.axis.spatial(6, i)
            B[vi] = t[vi] + 1

# ---- cache_read of what a statement outside of blocks changes
# A = -12, -19, -27, 39, 49, -19
# B = -40, 23, -12, 17, 13, -7
# A -> -12, -19, -19, 39, 49, -19
# B -> -11, -18, -18, 40, 50, -18
# >>> sch.cache_read("b", 0, "local")
# warned schedule/cache_read/outside-blocks
def main(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
    for q in range(1):
        A[q + 2] = A[q + 5]
    for i in range(6):
        with T.block("b"):
            vi = T.axis.spatial(6, i)
            B[vi] = A[vi] + 1

# ---- reindex_cache_write of what is written under a condition
# A = -9, -31, 0, 33, -44, -41, 18, -38, -4, 24, -43, 14
# B = -23, -46, -39, 5, 3, -42, -20, -39, 20, 4, -43, 22
# A -> -9, -31, 0, 33, -44, -41, 18, -38, -4, 24, -43, 14
# B -> -18, -62, 0, 5, -88, -82, -20, -76, -8, 4, -86, 22
# >>> sch.reindex_cache_write("b", 0, "local", lambda i, j: (j, i))
# warned schedule/reindex_cache_write/partly-written
def main(A: T.Buffer((4, 3), "int32"), B: T.Buffer((4, 3), "int32")):
    for i, j in T.grid(4, 3):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            if A[vi, vj] < 3:
                B[vi, vj] = A[vi, vj] * 2

# ---- reindex_cache_write of either of two values: allowed
# A = -35, -22, 30, 30, 24, -43, 23, 24, 0, -44, -22, -45
# B = 21, -33, -13, 3, -32, 19, -35, 23, -11, 21, 37, -27
# A -> -35, -22, 30, 30, 24, -43, 23, 24, 0, -44, -22, -45
# B -> -70, -44, 60, 61, 48, -86, 47, 49, 0, -87, -43, -89
# >>> sch.reindex_cache_write("b", 0, "local", lambda i, j: (j, i))
def main(A: T.Buffer((4, 3), "int32"), B: T.Buffer((4, 3), "int32")):
    for i, j in T.grid(4, 3):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * 2 + T.if_then_else(vi > vj, 1, 0)

# ---- reverse_compute_inline of a triangle: only it is computed
# A = -37, 24, 23, 31, -26, -3, -38, 20, 41, -42, 22, -43, 29, -24, 13, 37, 18, 4, 49, -10, 9, 24, 8, -4, -12, -19, -27, 39, 49, -19
# B = -40, 23, -12, 17, 13, -7, 43, 7, -14, 27, -41, -35, 15, 3, -29, 46
# A -> -37, 24, 23, 31, -26, -3, -38, 20, 41, -42, 22, -43, 29, -24, 13, 37, 18, 4, 49, -10, 9, 24, 8, -4, -12, -19, -27, 39, 49, -19
# B -> -110, 23, -12, 17, -113, 61, 43, 7, 88, -71, 40, -35, 148, -29, 28, 73
# >>> sch.reverse_compute_inline("b")
def main(A: T.Buffer((5, 6), "int32"), B: T.Buffer((4, 4), "int32")):
    t = T.alloc_buffer((5, 6), "int32")
    for y, z in T.grid(5, 6):
        with T.block("t"):
            vi, vj = T.axis.remap("SS", [y, z])
            t[vi, vj] = A[vi, vj] * 3
    for i in range(4):
        for j in range(i + 1):
            with T.block("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = t[vi, vj] + 1

# ---- reverse_compute_inline of a triangle by the sum of its loops: its end is not known to who makes it
# A = -7, -31, 12, 3, -45, 35, -41, 47, 21, 23, -10, -7, 38, -6, 26, 13, 24, 8, -42, -39, -16, 10, 39, 35, -42, -43, 43, 39, -11, 32
# B = 23, 37, 7, -14, 41, -1, 35, -6, -48, 9, -5, -29, 28, -36, 13, -43
# A -> -7, -31, 12, 3, -45, 35, -41, 47, 21, 23, -10, -7, 38, -6, 26, 13, 24, 8, -42, -39, -16, 10, 39, 35, -42, -43, 43, 39, -11, 32
# B -> -20, 37, 7, -14, -122, 142, 35, -6, 115, -17, 79, -29, -125, -116, -47, 31
# >>> sch.reverse_compute_inline("b")
# refused everywhere schedule/reverse_compute_inline/undefined
def main(A: T.Buffer((5, 6), "int32"), B: T.Buffer((4, 4), "int32")):
    t = T.alloc_buffer((5, 6), "int32")
    for y, z in T.grid(5, 6):
        with T.block("t"):
            vi, vj = T.axis.remap("SS", [y, z])
            t[vi, vj] = A[vi, vj] * 3
    for i, u in T.grid(2, 2):
        for j in range(i * 2 + u + 1):
            with T.block("b"):
                vi = T.axis.spatial(4, i * 2 + u)
                vj = T.axis.spatial(i * 2 + u + 1, j)
                B[vi, vj] = t[vi, vj] + 1

# ---- reverse_compute_inline of one row of what is made
# A = -23, 48, -14, -34, 44, -19, 0, 0, 13, -40, -29, 7, 1, 20, -15, -33, 5, 20
# B = -15, 40, 3, -5, 37, -2, -21, -31
# A -> -23, 48, -14, -34, 44, -19, 0, 0, 13, -40, -29, 7, 1, 20, -15, -33, 5, 20
# B -> -129, 30, -9, -9, 37, -2, -21, -31
# >>> sch.reverse_compute_inline("b")
def main(A: T.Buffer((3, 6), "int32"), B: T.Buffer((2, 4), "int32")):
    t = T.alloc_buffer((3, 6), "int32")
    for y, z in T.grid(3, 6):
        with T.block("t"):
            vi, vj = T.axis.remap("SS", [y, z])
            t[vi, vj] = A[vi, vj] * 3
    for i in range(4):
        with T.block("b"):
            vi = T.axis.spatial(4, i)
            B[0, vi] = t[1, 3 - vi] - 9

# ---- reverse_compute_inline of one row that a variable of one value names
# A = -40, -28, -31, -21, 34, -21, -49, 12, 25, -27, -17, -14
# B = -50, -32, 3, 18, -3, 28, 22, -10
# A -> -40, -28, -31, -21, 34, -21, -49, 12, 25, -27, -17, -14
# B -> 30, -22, -12, -9, -3, 28, 22, -10
# >>> sch.reverse_compute_inline("b")
def main(A: T.Buffer((3, 4), "int32"), B: T.Buffer((2, 4), "int32")):
    t = T.alloc_buffer((3, 4), "int32")
    for y, z in T.grid(3, 4):
        with T.block("t"):
            vi, vj = T.axis.remap("SS", [y, z])
            t[vi, vj] = A[2 - vi, vj]
    for r, i in T.grid(1, 4):
        with T.block("b"):
            vr, vi = T.axis.remap("SS", [r, i])
            B[vr, vi] = t[vr, vi] + 5

# ---- pad_einsum of a sum into a diagonal
# B = -34, 38, 15, 29, 33, 36, 44, -44, 8, 49, 37, 21
# C = 0, 0, 1, 0, -37, 11, 31, 1, -43, -26, -42, -24, 6, -30, -36, -7
# B -> -34, 38, 15, 29, 33, 36, 44, -44, 8, 49, 37, 21
# C -> 7, 0, 1, 0, -37, 123, 31, 1, -43, -26, 96, -24, 6, -30, -36, 6
# >>> sch.pad_einsum("b", [3, 2])
# warned schedule/pad_einsum/partly-written
def main(B: T.Buffer((3, 4), "int32"), C: T.Buffer((4, 4), "int32")):
    for i, j in T.grid(4, 3):
        with T.block("b"):
            vi, vj = T.axis.remap("SR", [i, j])
            with T.init():
                C[vi, vi] = 0
            C[vi, vi] = C[vi, vi] + B[vj, vi]

# ---- pad_einsum of a sum over a part of a row: the rest of the row is no padding
# A = 26, -44, -37, -50, 22, -31, 18, -38, -4, 28, -47, -41, -24, 28, -2, -31, 31, -18, -6, 27, -4, 10, -35, -36
# C = 12, 9, 11, 11
# A -> 26, -44, -37, -50, 22, -31, 18, -38, -4, 28, -47, -41, -24, 28, -2, -31, 31, -18, -6, 27, -4, 10, -35, -36
# C -> -55, -24, 2, 17
# >>> sch.pad_einsum("b", [1, 4])
# warned schedule/pad_einsum/padding-counts
def main(A: T.Buffer((4, 6), "int32"), C: T.Buffer((4, 1), "int32")):
    for i, j in T.grid(4, 3):
        with T.block("b"):
            vi, vj = T.axis.remap("SR", [i, j])
            with T.init():
                C[vi, 0] = 0
            C[vi, 0] = C[vi, 0] + A[vi, vj]

# ---- pad_einsum of rounds that write one element again
# A = -11, -40, -32, -37, 45, -7, 44, -17, 11, 38, -30, 16, -48, -24, 17
# C = -4, -32, 38, 19, -47
# A -> -11, -40, -32, -37, 45, -7, 44, -17, 11, 38, -30, 16, -48, -24, 17
# C -> -64, -14, 22, 32, 34
# >>> sch.pad_einsum("b", [1, 2])
# warned schedule/pad_einsum/padding-counts
def main(A: T.Buffer((5, 3), "int32"), C: T.Buffer((1, 5), "int32")):
    for i, j in T.grid(5, 3):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[0, vi] = A[vi, vj] * 2

# ---- pad_einsum of one row of a matrix: allowed
# A = 47, 17, -12, 32, -39, 39, -17, 16, -4, -29, -5, 48, -22, 18, 19
# D = 49, 14, -8, 31, -22, 28, 47, -26, -20, 1, 44, -21
# C = -25, 16, 13, -5, 43
# A -> 47, 17, -12, 32, -39, 39, -17, 16, -4, -29, -5, 48, -22, 18, 19
# D -> 49, 14, -8, 31, -22, 28, 47, -26, -20, 1, 44, -21
# C -> 1295, 281, -540, 1248, -1459
# >>> sch.pad_einsum("b", [4, 2])
def main(A: T.Buffer((3, 5), "int32"), D: T.Buffer((4, 3), "int32"), C: T.Buffer((1, 5), "int32")):
    for i, j in T.grid(5, 3):
        with T.block("b"):
            vi, vj = T.axis.remap("SR", [i, j])
            with T.init():
                C[0, vi] = 0
            C[0, vi] = C[0, vi] + A[vj, vi] * D[2, vj]

# ---- pad_einsum of a triangle: the buffers would be as long as a loop says
# A = -47, -47, -15, 10, -17, -26, 38, 27, -6, 7, 42, -6, -4, -40, -22, -37
# C = -21, 10, -25, -7, -24, 11, 29, 28, -50, 11, 33, -6, 32, -40, 34, -35
# A -> -47, -47, -15, 10, -17, -26, 38, 27, -6, 7, 42, -6, -4, -40, -22, -37
# C -> -54, 10, -25, -7, -24, -33, 29, 28, -13, 0, 35, -6, 32, -40, 34, -35
# >>> sch.pad_einsum("b", [1, 2])
# refused everywhere schedule/pad_einsum/undefined
def main(A: T.Buffer((4, 4), "int32"), C: T.Buffer((4, 4), "int32")):
    for i in range(3):
        for j in range(i + 1):
            with T.block("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = A[vi, vj] - 7

# ---- reorder of a sum that reads other sums at a place that is chosen
# A = -1, 41, 46, -25, 11, -28, 5, 31, -8, -39, 42, 0, 9, 1, 45, -40
# A -> -50, 62, -50, -25, -100, 10, 0, 31, 124, 20, 40, 0, -100, -200, -200, -40
# >>> l = sch.get_loops("b")
# >>> sch.reorder(l[2], l[0])
# refused schedule/reorder/dependence
def main(A: T.Buffer((4, 4), "int32")):
    for i, j, k in T.grid(4, 3, 2):
        with T.block("b"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                A[vi, vj] = 0
            A[vi, vj] = A[vi, vj] + A[T.if_then_else(vj < 2, vj, vi), 3 - vi]

# ---- reorder of a sum that reads another matrix at a place that is chosen: allowed
# A = 42, -30, -29, -34, -47, -31, 25, 9, 33, -32, 28, 26, 10, 34, -6, -31
# B = 20, 20, -34, -48, -49, 42, 33, -37, 17, 45, -33, 5, -26, -23, -47, -18
# A -> -96, -74, -96, -34, -68, 66, 66, 9, 40, 84, 90, 26, 40, -98, -52, -31
# B -> 20, 20, -34, -48, -49, 42, 33, -37, 17, 45, -33, 5, -26, -23, -47, -18
# >>> l = sch.get_loops("b")
# >>> sch.reorder(l[2], l[0])
def main(A: T.Buffer((4, 4), "int32"), B: T.Buffer((4, 4), "int32")):
    for i, j, k in T.grid(4, 3, 2):
        with T.block("b"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                A[vi, vj] = 0
            A[vi, vj] = A[vi, vj] + B[T.if_then_else(vj < 2, vj, vi), 3 - vi]

# ---- reindex of elements that are written again, in another order than that of the variables
# A = -21, -3, -2, -34, -26, 40, -45, -40, -33, -19, 14, -24
# B = 1, 32, -47, 8, 12
# A -> -21, -3, -2, -34, -26, 40, -45, -40, -33, -19, 14, -24
# B -> -24, -3, -2, 40, -33
# >>> sch.reindex("b", ("write", 0))
# warned schedule/reindex/order
def main(A: T.Buffer((4, 3), "int32"), B: T.Buffer((1, 5), "int32")):
    for j, i in T.grid(3, 4):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[0, (vi + vj) % 5] = A[vi, vj]

# ---- reindex of elements that are written again in the order of the variables: allowed
# A = 8, -1, 13, 23, -26, 1, -39, 12, -21, 47, -48, 39
# B = -16, 16, 2, 10, -2
# A -> 8, -1, 13, 23, -26, 1, -39, 12, -21, 47, -48, 39
# B -> 39, 23, -39, 47, -48
# >>> sch.reindex("b", ("write", 0))
def main(A: T.Buffer((4, 3), "int32"), B: T.Buffer((1, 5), "int32")):
    for i, j in T.grid(4, 3):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[0, (vi + vj) % 5] = A[vi, vj]

# ---- reindex of other elements in another order than that of the variables: allowed
# A = 42, -36, 34, -17, -38, -42, -1, 29, -2, -37, 34, -43
# B = -7, -20, 38, -39, 13, 33, 16, -24, 24, -32, 27, -42
# A -> 42, -36, 34, -17, -38, -42, -1, 29, -2, -37, 34, -43
# B -> 42, -36, 34, -17, -38, -42, -1, 29, -2, -37, 34, -43
# >>> sch.reindex("b", ("write", 0))
def main(A: T.Buffer((4, 3), "int32"), B: T.Buffer((1, 12), "int32")):
    for j, i in T.grid(3, 4):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[0, vi * 3 + vj] = A[vi, vj]

# ---- reindex of what another block of the loop overwrites
# A = 19, -46, 12, 39, -26, -32, 24, 8, 43, 24, 6, -14
# B = 21, -5, 4, -33
# A -> 19, -46, 12, 39, -26, -32, 24, 8, 43, 24, 6, -14
# B -> 24, -13, -14, -33
# >>> sch.reindex("b", ("write", 0))
# warned schedule/reindex/order
def main(A: T.Buffer((4, 3), "int32"), B: T.Buffer((1, 4), "int32")):
    for i, j in T.grid(4, 3):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[0, vj] = A[vi, vj]
        with T.block("c"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[0, vi // 2] = A[vi, vj] + 1

# ---- cache_write of a triangle behind a split: the rest of the square is not written
# A = 9, 28, -3, -16, -33, -27, 36, -50, -7, 14, 9, 27, -40, -8, 20, 28
# B = 39, -45, 43, -2, -29, 40, 7, 42, 4, -30, -29, -20, -44, -36, -34, 14
# A -> 9, 28, -3, -16, -33, -27, 36, -50, -7, 14, 9, 27, -40, -8, 20, 28
# B -> 9, -45, 43, -2, 0, 0, 7, 42, 0, 14, 9, -20, 0, 0, 20, 28
# >>> x, y = sch.split(sch.get_loops("b")[1], [None, 2])
# >>> sch.reorder(y, x)
# >>> sch.cache_write("b", 0, "shared")
# warned schedule/cache_write/partly-written
def main(A: T.Buffer((4, 4), "int32"), B: T.Buffer((4, 4), "int32")):
    for i in range(4):
        for j in range(i + 1):
            with T.block("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = T.max(A[vi, vj], 0)

# ---- cache_write of every second element behind a split
# A = 25, -42, 49, 38, -1, 45, -37, -13, -24, 36, -22, 42, 3, -39, 48, -16, -24, 0, -15, -7, -45, -25, 40, -50, 2, -43, -2, 12
# B = -33, -47, -20, 4, 44, -36, 26, -50, -35, 47, 24, -25, -25, -8, -49, -40, -33, 19, -48, 14, -40, 23, 13, 18, -25, 3, -42, 0, -26, 31, 47, -39, 39, 24, -32, -28, 27, 42, -45, -44, -16, 21, 37, 27, -31, 45, -16, 44, 23, -46, -35, 40, 1, -20, -30, 28
# A -> 25, -42, 49, 38, -1, 45, -37, -13, -24, 36, -22, 42, 3, -39, 48, -16, -24, 0, -15, -7, -45, -25, 40, -50, 2, -43, -2, 12
# B -> 25, -47, -42, 4, 49, -36, 38, -50, -1, 47, 45, -25, -37, -8, -12, -40, -23, 19, 37, 14, -21, 23, 43, 18, 4, 3, -38, 0, 50, 31, -14, -39, -22, 24, 2, -28, -13, 42, -5, -44, -43, 21, -22, 27, 43, 45, -47, 44, 5, -46, -40, 40, 1, -20, 15, 28
# >>> x, y = sch.split(sch.get_loops("b")[1], [None, 4])
# >>> sch.cache_write("b", 0, "shared")
# warned schedule/cache_write/out-of-bounds
def main(A: T.Buffer((4, 7), "int32"), B: T.Buffer((4, 14), "int32")):
    for i, j in T.grid(4, 7):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj * 2] = A[vi, vj] + vi

# ---- cache_write of a part of a row behind a split: allowed
# A = 14, -45, 44, -4, 36, 16, 25, 22, 49, 38, -39, -6, -36, 24, -4, 7, -24, 1, -25, 23, 45, -48, -2, 27, -8, -50, 5, -36
# B = -23, -22, 6, -16, -9, -39, -11, 30, -14, -37, 16, -43, -47, -2, 49, 21, 4, 13, -6, 40, 49, -19, 22, 44, -42, 4, 32, -21, -38, 47, 1, 15, -3, 21, -3, -33
# A -> 14, -45, 44, -4, 36, 16, 25, 22, 49, 38, -39, -6, -36, 24, -4, 7, -24, 1, -25, 23, 45, -48, -2, 27, -8, -50, 5, -36
# B -> -23, 14, -45, 44, -4, 36, 16, 25, -14, -37, 23, 50, 39, -38, -5, -35, 25, 13, -6, -2, 9, -22, 3, -23, 25, 47, 32, -21, -45, 1, 30, -5, -47, 8, -33, -33
# >>> x, y = sch.split(sch.get_loops("b")[1], [None, 4])
# >>> sch.cache_write("b", 0, "shared")
def main(A: T.Buffer((4, 7), "int32"), B: T.Buffer((4, 9), "int32")):
    for i, j in T.grid(4, 7):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj + 1] = A[vi, vj] + vi

# ---- rfactor of a sum of other sums
# B = 23, -46, 4, 11, 23, -49, -24, 9, 12, -15, 33, -30, -46, 16, 12, -9
# B -> 23, -49, -24, 11, -64, 9, -21, 9, 45, -39, -1, -30, 2, 25, -24, -9
# >>> sch.rfactor(sch.get_loops("b")[2], 0)
# refused schedule/rfactor/reads-own-output
def main(B: T.Buffer((4, 4), "int32")):
    for i, j, k in T.grid(4, 3, 2):
        with T.block("b"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                B[vi, vj] = 0
            B[vi, vj] = B[vi, vj] + B[(vk + vi) % 4, (vi + vj) % 4]

# ---- transform_block_layout of a sum that reads other sums
# B = -41, -19, 45, -4, -45, 3, -33, 27, -5, -2, 3, -14, 36, -17, 8, -28
# B -> 26, -19, 45, -4, -45, -123, -33, 27, -5, -2, 52, -14, 36, -17, 8, -201
# >>> sch.transform_block_layout("b", lambda i, j: (j, i))
# refused schedule/transform_block_layout/dependence
def main(B: T.Buffer((4, 4), "int32")):
    for i, j in T.grid(4, 3):
        with T.block("b"):
            vi, vj = T.axis.remap("SR", [i, j])
            with T.init():
                B[vi, vi] = 0
            B[vi, vi] = B[vi, vi] + B[vi % 2, vj]
