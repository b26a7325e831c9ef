# Views and pointers of one memory, loops and calls between a question and what it was asked for, places below zero, and once more constants, nothing and NaN.

# ---- a condition on an element, and a store to it by a view
# A = 1, 7, 4
# A -> 9, 7, 9
# B -> 9, 77, 9
def main(A: T.Buffer((3,), "int32"), B: T.Buffer((3,), "int32")):
    for i in range(3):
        with T.block("b"):
            vi = T.axis.spatial(3, i)
            V = T.match_buffer(A[vi:vi + 1], (1,), "int32", offset_factor=1)
            if A[vi] < 5:
                V[0] = 9
                B[vi] = T.max(A[vi], 5)

# ---- a condition on a view, and a store to what it shows
# A = 1, 7, 4, 0
# A -> 1, 7, 40, 0
# B -> 40
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((1,), "int32")):
    with T.block("b"):
        V = T.match_buffer(A[1:4], (3,), "int32", offset_factor=1)
        if V[1] < 5:
            A[2] = 40
            B[0] = T.max(V[1], 5)

# ---- two views of one array that overlap by all but one
# A = 1, 2, 3, 4
# A -> 1, 11, 21, 31
# B -> 11
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((1,), "int32")):
    with T.block("b"):
        V = T.match_buffer(A[0:3], (3,), "int32", offset_factor=1)
        W = T.match_buffer(A[1:4], (3,), "int32", offset_factor=1)
        for i in range(3):
            W[i] = V[i] + 10
        B[0] = W[0]

# ---- a view with strides of its own
# A = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
# B -> 2, 4, 6, 18, 20, 22
def main(A: T.Buffer((4, 4), "int32"), B: T.Buffer((2, 3), "int32")):
    for i in range(2):
        with T.block("b"):
            vi = T.axis.spatial(2, i)
            s = T.int32()
            V = T.match_buffer(A[vi * 2:vi * 2 + 1, 1:4], (1, 3), "int32", strides=(s, 1), offset_factor=1)
            for j in range(3):
                B[vi, j] = V[0, j] * 2

# ---- rows through a view, the last one first
# A -> 30, 31, 20, 21, 10, 11, 0, 1
def main(A: T.Buffer((4, 2), "int16")):
    for i in range(4):
        with T.block("b"):
            vi = T.axis.spatial(4, i)
            V = T.match_buffer(A[3 - vi, 0:2], (2,), "int16", offset_factor=1)
            for k in range(2):
                V[k] = T.Cast("int16", vi * 10 + k)

# ---- a condition in a loop whose store goes through a view of a row
# A = 1, 1
# A -> 3, 1
# B -> 4, 4, 4, 4
def main(A: T.Buffer((2,), "int8"), B: T.Buffer((4,), "int8")):
    for i in range(4):
        with T.block("b"):
            vi = T.axis.opaque(4, i)
            V = T.match_buffer(A[vi // 2:vi // 2 + 1], (1,), "int8", offset_factor=1)
            if A[0] != T.int8(3):
                V[0] = T.int8(3)
            B[vi] = A[0] + A[1]

# ---- a condition on an element, and a store to it through a pointer
# A = 7, 1, 7
# A -> 7, 30, 7
# B -> 30
def main(A: T.Buffer((3,), "int32"), B: T.Buffer((1,), "int32")):
    p: T.handle("int32") = T.address_of(A[1])
    P = T.decl_buffer((2,), "int32", data=p)
    if A[1] < 5:
        P[0] = 30
        B[0] = T.max(A[1], 5)

# ---- a condition on an element, and a pointer that begins behind it
# A = 7, 1, 7
# A -> 7, 30, 7
# B -> 30
def main(A: T.Buffer((3,), "int32"), B: T.Buffer((1,), "int32")):
    if A[1] < 5:
        p: T.handle("int32") = T.address_of(A[1])
        P = T.decl_buffer((2,), "int32", data=p)
        P[0] = 30
        B[0] = T.max(A[1], 5)

# ---- a table of its own that only a pointer reads any more, and another table
# A = 1, 2, 3, 4
# B -> 12, 23, 34
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((3,), "int32")):
    X = T.decl_buffer((4,), "int32")
    for i in range(4):
        X[i] = A[i]
    p: T.handle("int32") = T.address_of(X[1])
    P = T.decl_buffer((3,), "int32", data=p)
    Y = T.decl_buffer((4,), "int32")
    for i in range(4):
        Y[i] = A[i] * 10
    for i in range(3):
        B[i] = P[i] + Y[i]

# ---- a table of its own read backwards through a pointer while another one is written
# A = 1, 2, 3
# B -> 10, 8, 6
def main(A: T.Buffer((3,), "int32"), B: T.Buffer((3,), "int32")):
    X = T.decl_buffer((3,), "int32")
    for i in range(3):
        X[i] = A[i]
    p: T.handle("int32") = T.address_of(X[0])
    P = T.decl_buffer((3,), "int32", data=p)
    Y = T.decl_buffer((3,), "int32")
    for i in range(3):
        Y[i] = P[2 - i] * 3 + X[i]
    for i in range(3):
        B[i] = Y[i]

# ---- a store that a pointer reads before the next one
# A = 0
# A -> 2
# B -> 1, 2
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((2,), "int32")):
    p: T.handle("int32") = T.address_of(A[0])
    P = T.decl_buffer((1,), "int32", data=p)
    A[0] = 1
    B[0] = P[0]
    A[0] = 2
    B[1] = P[0]

# ---- a condition that has a zero divisor where its loop has no round
# B = 0, 0, 0, 0
# B -> 0, 1, 2, 30
def main(B: T.Buffer((4,), "int32")):
    for i in range(4):
        for j in range(i):
            if 12 // i > 4:
                B[i] = B[i] + 1
            else:
                B[i] = B[i] + 10

# ---- a scalar that has a zero divisor where its loop has no round
# B = 0, 0, 0, 0
# B -> 0, 12, 18, 24
def main(B: T.Buffer((4,), "int32")):
    for i in range(4):
        for j in range(i):
            x: T.int32 = 12 // i
            B[i] = B[i] + x * (j + 1)

# ---- two quotients by a loop, guarded by a condition inside
# B = 0, 0, 0, 0
# B -> 0, 36, 18, 12
def main(B: T.Buffer((4,), "int32")):
    for i in range(4):
        for j in range(3):
            if i > 0:
                B[i] = B[i] + 12 % i + 12 // i * j

# ---- the second half of a condition has a zero divisor where the first one does not hold
# B = 0, 0, 0, 0
# B -> 0, 3, 3, 0
def main(B: T.Buffer((4,), "int32")):
    for i in range(4):
        for j in range(3):
            if i > 0 and 12 // i > 4:
                B[i] = B[i] + 1

# ---- how many elements are written, a view tells
# A = 9, 2, 5, 6
# B -> 2, 5, 77, 77
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    with T.block("b"):
        V = T.match_buffer(A[1:4], (3,), "int32", offset_factor=1)
        for i in range(V[0]):
            B[i] = V[i]

# ---- a loop between the question and the use
# A = 1, 2
# A -> 7, 8
# B -> 7
def main(A: T.Buffer((2,), "int32"), B: T.Buffer((1,), "int32")):
    if A[0] < 5:
        for i in range(2):
            A[i] = A[i] + 6
        B[0] = T.max(A[0], 5)

# ---- an atomic function between the question and the use
# A = 0, 5
# A -> 2, -4
# B -> -4, -4
def main(A: T.Buffer((2,), "int32"), B: T.Buffer((2,), "int32")):
    if A[1] >= 4:
        T.evaluate(T.call_extern("int32", "atomicSub", T.address_of(A[1]), 9))
        B[0] = T.min(A[1], 4)
        T.evaluate(T.call_extern("int32", "atomicExch", T.address_of(A[0]), 2))
        B[1] = T.min(A[1], 4)

# ---- a scalar and its element, changed in each round
# A = 3, 8
# A -> 5, 9
# B -> 34, 89, 45
def main(A: T.Buffer((2,), "int32"), B: T.Buffer((3,), "int32")):
    for i in range(3):
        x: T.int32 = A[i % 2]
        A[i % 2] = x + 1
        B[i] = x * 10 + A[i % 2]

# ---- the place that was asked about is another one now
# A = 1, 50
# B = 0
# B -> 1
# C -> 50
def main(A: T.Buffer((2,), "int32"), B: T.Buffer((1,), "int32"), C: T.Buffer((1,), "int32")):
    if A[B[0]] < 5:
        B[0] = 1
        C[0] = T.max(A[B[0]], 5)

# ---- a while that asks for two and stores to both
# A = 0, 0
# A -> 8, 2
# B -> 77, 4, 5
def main(A: T.Buffer((2,), "int32"), B: T.Buffer((3,), "int32")):
    while A[0] < 6 and A[1] < 3:
        A[1] = A[1] + 1
        A[0] = A[0] + 4
        B[A[1] % 3] = T.min(A[0], 5)

# ---- extents that are loaded, each stored to by its own rounds
# A = 2, 0, 3, 1
# B = 0, 0, 0, 0
# A -> 0, 0, 0, 0
# B -> 2, 0, 3, 1
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        for j in range(A[i]):
            A[i] = 0
            B[i] = B[i] + 1

# ---- an own buffer written at a truncated remainder, read at all its places
# A = 10, 11, 12, 13, 14, 15, 16, 17, 18
# B -> 12, 13, 17, 18, 16
def main(A: T.Buffer((9,), "int32"), B: T.Buffer((5,), "int32")):
    with T.block("root"):
        X = T.alloc_buffer((5,), "int32")
        for i in range(9):
            with T.block("w"):
                vi = T.axis.opaque(9, i)
                X[T.truncmod(vi - 4, 3) + 2] = A[vi]
        for i in range(5):
            with T.block("r"):
                vi = T.axis.opaque(5, i)
                B[vi] = X[vi]

# ---- an own buffer written at a truncated quotient, the middle twice as wide
# A = 0, 1, 2, 3, 4, 5, 6, 7
# B -> 1, 3, 6, 7
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((4,), "int32")):
    with T.block("root"):
        X = T.alloc_buffer((4,), "int32")
        for i in range(8):
            with T.block("w"):
                vi = T.axis.opaque(8, i)
                X[T.truncdiv(vi - 5, 2) + 2] = A[vi]
        for i in range(4):
            with T.block("r"):
                vi = T.axis.opaque(4, i)
                B[vi] = X[vi]

# ---- places through a type that cuts, with a local table
# B -> 4, 77, 3, 77, 5, 77
def main(B: T.Buffer((6,), "int32")):
    for i in range(6):
        B[T.Cast("int32", T.Cast("uint8", i * 100)) % 6] = i

# ---- places by the absolute value of a loop below zero
# B -> 0, 1, 2, 3, 4, 5
def main(B: T.Buffer((6,), "int32")):
    for i in range(-5, 6):
        B[T.abs(i)] = i

# ---- quotients whose product is past int16, floored and truncated
# A = 32767, -32768, 181, -181, 0, -1, 32761, 180
# B -> 0, -1, 0, -1, 0, -1, 0, 0
# C -> 0, 0, 0, 0, 0, 0, 0, 0
def main(A: T.Buffer((8,), "int16"), B: T.Buffer((8,), "int16"), C: T.Buffer((8,), "int16")):
    for i in range(8):
        B[i] = A[i] // T.int16(181) // T.int16(182)
        C[i] = T.truncdiv(T.truncdiv(A[i], T.int16(181)), T.int16(-182))

# ---- minus one in uint32, halved
# A = 0, 1, 2, 4294967295, 2147483648, 7
# B -> 2147483647, 0, 0, 2147483647, 1073741823, 3
def main(A: T.Buffer((6,), "uint32"), B: T.Buffer((6,), "uint32")):
    for i in range(6):
        B[i] = (A[i] + T.uint32(4294967295)) // T.uint32(2)

# ---- a minimum of quotients whose product is past int64
# A = 9223372036854775807, -9223372036854775808, 5, -5, 0, 4611686018427387904
# B -> 0, -1, 0, -1, 0, 0
def main(A: T.Buffer((6,), "int64"), B: T.Buffer((6,), "int64")):
    for i in range(6):
        B[i] = T.min(A[i] // T.int64(3037000500) // T.int64(3037000500), T.int64(0))

# ---- maximum of two differences that wrap, int8
# A = 0, -128, 127, -29, 28, 100
# B -> -100, 28, 29, 127, -72, 56
def main(A: T.Buffer((6,), "int8"), B: T.Buffer((6,), "int8")):
    for i in range(6):
        B[i] = T.max(A[i] - T.int8(100), T.int8(-100) - A[i])

# ---- twice x is six for two numbers of uint8
# A = 3, 131, 4, 0, 255, 130
# B -> 1, 1, 0, 0, 0, 0
def main(A: T.Buffer((6,), "uint8"), B: T.Buffer((6,), "uint8")):
    for i in range(6):
        B[i] = T.Select(A[i] * T.uint8(2) == T.uint8(6), T.uint8(1), T.uint8(0))

# ---- index of the least of nothing
# A = 5, 6
# B -> 3, 3
# C -> 2147483647, 2147483647
def main(B: T.Buffer((2,), "int32"), C: T.Buffer((2,), "int32"), A: T.Buffer((2, 1), "int32")):
    for i, j in T.grid(2, 0):
        with T.block("R"):
            v, r = T.axis.remap("SR", [i, j])
            with T.init():
                B[v] = 3
                C[v] = 2147483647
            p: T.int32 = T.Select(C[v] > A[v, r], r, B[v])
            q: T.int32 = T.Select(C[v] > A[v, r], A[v, r], C[v])
            B[v] = p
            C[v] = q

# ---- a product whose extent a second loop makes nothing
# A = 9, 9, 9, 1, 2, 3
# B -> 1, 6
def main(B: T.Buffer((2,), "uint16"), A: T.Buffer((2, 3), "uint16")):
    for i in range(2):
        for j in range(i * 3):
            with T.block("R"):
                v, r = T.axis.remap("SR", [i, j])
                with T.init():
                    B[v] = T.uint16(1)
                B[v] = B[v] * A[v, r]

# ---- three ways to be apart, and none of them, float64
# A = nan, 1.0
# B -> 0, 1, 0, 1
def main(A: T.Buffer((2,), "float64"), B: T.Buffer((4,), "int32")):
    B[0] = T.Cast("int32", A[0] < A[1])
    B[1] = T.Cast("int32", not A[0] >= A[1])
    B[2] = T.Cast("int32", A[0] == A[0] or A[0] < T.float64(0))
    B[3] = T.Cast("int32", not (A[0] < A[1] or A[0] > A[1] or A[0] == A[1]))

# ---- three times nothing, which may be NaN
# A = 1.0, inf, nan, -0.0
# B -> 0.0, nan, nan, 0.0
def main(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = (A[i] - A[i]) * T.float32(3)

# ---- a product that is infinite on its way
# A = 1.0, 0.0, 1.0000000031710769e-30
# B -> inf, 0.0, 1.0
def main(A: T.Buffer((3,), "float32"), B: T.Buffer((3,), "float32")):
    for i in range(3):
        B[i] = A[i] * T.float32(1e30) * T.float32(1e10) * T.float32(1e-10)
