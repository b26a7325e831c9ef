# What only a run can know: divisors that are zero, the lowest number by minus one, places read from memory.

# ---- int8, floor division by a zero in the middle
# A = 7, 7, 7
# D = 2, 0, 3
# !! divided by zero
def main(A: T.Buffer((3,), "int8"), D: T.Buffer((3,), "int8"), B: T.Buffer((3,), "int8")):
    for i in range(3):
        B[i] = A[i] // D[i]

# ---- uint16, remainder by zero in the last round
# A = 7, 7, 7
# D = 2, 5, 0
# !! divided by zero
def main(A: T.Buffer((3,), "uint16"), D: T.Buffer((3,), "uint16"), B: T.Buffer((3,), "uint16")):
    for i in range(3):
        B[i] = A[i] % D[i]

# ---- int64, truncated, the divisor is a difference
# A = 5, 5
# !! divided by zero
def main(A: T.Buffer((2,), "int64"), B: T.Buffer((1,), "int64")):
    B[0] = T.truncdiv(A[0], A[0] - A[1])

# ---- uint32, truncated remainder in vectors
# A = 1, 2, 3, 4
# D = 1, 1, 0, 1
# !! divided by zero
def main(A: T.Buffer((4,), "uint32"), D: T.Buffer((4,), "uint32"), B: T.Buffer((4,), "uint32")):
    for i in T.vectorized(4):
        B[i] = T.truncmod(A[i], D[i])

# ---- in threads, int16
# A = 9, 8, 7, 6
# D = 3, 2, 1, 0
# !! divided by zero
def main(A: T.Buffer((4,), "int16"), D: T.Buffer((4,), "int16"), B: T.Buffer((4,), "int16")):
    for i in T.parallel(4):
        B[i] = A[i] // D[i]

# ---- the divisor that is zero decides a condition
# D = 0
# !! divided by zero
def main(D: T.Buffer((1,), "int32"), B: T.Buffer((1,), "int32")):
    if 100 // D[0] > 3:
        B[0] = 1
    else:
        B[0] = 2

# ---- a zero that wraps, uint8: 128 and 128
# D = 128, 128
# !! divided by zero
def main(D: T.Buffer((2,), "uint8"), B: T.Buffer((1,), "uint8")):
    B[0] = T.uint8(200) // (D[0] + D[1])

# ---- in the end of a while
# A = 3
# !! divided by zero
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((1,), "int32")):
    B[0] = 0
    while A[0] > -1:
        B[0] = B[0] + 12 // A[0]
        A[0] = A[0] - 1

# ---- a place below the first, int64
# P = 2, -3
# !! Index 0 of A is -3; it goes from 0 to 3
def main(P: T.Buffer((2,), "int64"), A: T.Buffer((4,), "float32"), B: T.Buffer((2,), "float32")):
    for i in range(2):
        B[i] = A[P[i]]

# ---- a place of uint8 behind the last
# P = 3, 255
# !! Index 0 of A is 255; it goes from 0 to 254
def main(P: T.Buffer((2,), "uint8"), A: T.Buffer((255,), "int8"), B: T.Buffer((2,), "int8")):
    for i in range(2):
        B[i] = A[T.Cast("int32", P[i])]

# ---- a store through a table, second dimension
# P = 0, 3
# !! Index 1 of B is 3; it goes from 0 to 2
def main(P: T.Buffer((2,), "int32"), B: T.Buffer((2, 3), "int16")):
    for i in range(2):
        B[i, P[i]] = T.int16(1)

# ---- places of places
# P = 1, 2, 9
# !! Index 0 of A is 9; it goes from 0 to 2
def main(P: T.Buffer((3,), "int32"), A: T.Buffer((3,), "int32"), B: T.Buffer((3,), "int32")):
    for i in range(2):
        B[i] = A[P[P[i]]]

# ---- a place that wraps in int8
# P = 100
# !! Index 0 of A is -56; it goes from 0 to 199
def main(P: T.Buffer((1,), "int8"), A: T.Buffer((200,), "int32"), B: T.Buffer((1,), "int32")):
    B[0] = A[T.Cast("int32", P[0] + P[0])]

# ---- right: a place that wraps back to where it may be, uint8
# P = 250
# A = 1, 2, 3, 4, 5, 6, 7, 8
# B -> 5
def main(P: T.Buffer((1,), "uint8"), A: T.Buffer((8,), "int32"), B: T.Buffer((1,), "int32")):
    B[0] = A[T.Cast("int32", P[0] + T.uint8(10))]

# ---- right: a product that wraps in int32 is a place
# P = 65536, 3
# A = 1, 2, 3, 4, 5, 6, 7, 8
# B -> 4
def main(P: T.Buffer((2,), "int32"), A: T.Buffer((8,), "int32"), B: T.Buffer((1,), "int32")):
    B[0] = A[P[0] * P[0] + P[1]]

# ---- right: a sum past the largest int32, halved to a place below zero that is asked for first
# P = 2147483647
# A = 1, 2, 3, 4
# B -> -1
def main(P: T.Buffer((1,), "int32"), A: T.Buffer((4,), "int32"), B: T.Buffer((1,), "int32")):
    B[0] = T.if_then_else(P[0] + 2 >= 0, A[T.min(P[0], 3)], -1)

# ---- right: the lowest number by minus one wraps in each type
# A8 = -128
# A16 = -32768
# A64 = -9223372036854775808
# D8 = -1
# D16 = -1
# D64 = -1
# B8 -> -128, 0
# B16 -> -32768, 0
# B64 -> -9223372036854775808, 0
def main(A8: T.Buffer((1,), "int8"), D8: T.Buffer((1,), "int8"), B8: T.Buffer((2,), "int8"), A16: T.Buffer((1,), "int16"), D16: T.Buffer((1,), "int16"), B16: T.Buffer((2,), "int16"), A64: T.Buffer((1,), "int64"), D64: T.Buffer((1,), "int64"), B64: T.Buffer((2,), "int64")):
    B8[0] = A8[0] // D8[0]
    B8[1] = A8[0] % D8[0]
    B16[0] = T.truncdiv(A16[0], D16[0])
    B16[1] = T.truncmod(A16[0], D16[0])
    B64[0] = A64[0] // D64[0]
    B64[1] = T.truncmod(A64[0], D64[0])

# ---- right: zero divisors that and, or and Select do not reach
# D = 0, 4
# B -> 0, 1, -7, -5
def main(D: T.Buffer((2,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(2):
        B[i] = T.if_then_else(D[i] != 0 and 12 // D[i] == 3, 1, 0)
        B[i + 2] = T.Select(D[i] == 0 or D[i] < 0, -7, -20 // T.max(D[i], i))

# ---- right: a place is asked for before it is used, in a loop of vectors
# P = 0, 7, 3, -1
# A = 10, 11, 12, 13
# B -> 10, 0, 13, 0
def main(P: T.Buffer((4,), "int32"), A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in T.vectorized(4):
        B[i] = T.if_then_else(0 <= P[i] and P[i] < 4, A[P[i]], 0)

# ---- right: a table turned round, int16 places
# P = 3, 2, 1, 0
# A = 10, 11, 12, 13
# B -> 13, 12, 11, 10
def main(P: T.Buffer((4,), "int16"), A: T.Buffer((4,), "int64"), B: T.Buffer((4,), "int64")):
    for i in T.parallel(4):
        B[T.Cast("int32", P[i])] = A[i]

# ---- right: a divisor of floats is no error
# A = 1, 0, -2
# D = 0, 0, 0
# B -> inf, nan, -inf
def main(A: T.Buffer((3,), "float32"), D: T.Buffer((3,), "float32"), B: T.Buffer((3,), "float32")):
    for i in range(3):
        B[i] = A[i] / D[i]

# ---- an atomic count through a place that is outside
# P = 1, 4
# !! Index 0 of B is 4; it goes from 0 to 3
def main(P: T.Buffer((2,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(2):
        B[P[i]] = B[P[i]] + 1
