# What an access, a divisor or a block's binding outside its range is called, as written and lowered; and what is right at the edge stays silent.

# ---- int16, second index one too far in the last row only
# A = 1, 2, 3, 4, 5, 6
# ! Index 1 of A is 3; it goes from 0 to 2
def main(A: T.Buffer((2, 3), "int16"), B: T.Buffer((2, 3), "int16")):
    for i, j in T.grid(2, 3):
        B[i, j] = A[i, j + i]

# ---- uint8, first index below zero in the first round
# ! Index 0 of A is -1; it goes from 0 to 4
def main(A: T.Buffer((5,), "uint8"), B: T.Buffer((5,), "uint8")):
    for i in range(5):
        B[i] = A[i - 1]

# ---- a store in the middle of three dimensions, int64
# ! Index 1 of B is 2; it goes from 0 to 1
def main(A: T.Buffer((2, 2, 2), "int64"), B: T.Buffer((2, 2, 2), "int64")):
    for i, j, k in T.grid(2, 2, 2):
        B[i, j + k, k] = A[i, j, k]

# ---- float64, an index of int64 and a loop that begins at three
# ! Index 0 of A is 6; it goes from 0 to 5
def main(A: T.Buffer((6,), "float64"), B: T.Buffer((6,), "float64")):
    for i in range(T.int64(3), T.int64(6)):
        B[i] = A[i * T.int64(2) - T.int64(2) * (i - T.int64(3)) + (i // T.int64(5)) * T.int64(0)] + A[i]

# ---- a remainder that is below zero
# ! Index 0 of A is -2; it goes from 0 to 6
def main(A: T.Buffer((7,), "int32"), B: T.Buffer((7,), "int32")):
    for i in range(7):
        B[i] = A[T.truncmod(i - 2, 5)]

# ---- a quotient rounded down leaves at the lower end
# ! Index 0 of A is -1; it goes from 0 to 3
def main(A: T.Buffer((4,), "int8"), B: T.Buffer((8,), "int8")):
    for i in range(8):
        B[i] = A[(i - 1) // 2]

# ---- in the branch that is taken
# A = 4, 0, 0, 0
# ! Index 0 of A is 4; it goes from 0 to 3
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        if A[i] > 3:
            B[i] = A[A[i]]

# ---- a buffer of the program itself, written behind its end
# ! Index 0 of C is 4; it goes from 0 to 3
def main(A: T.Buffer((5,), "float32"), B: T.Buffer((5,), "float32")):
    C = T.alloc_buffer((4,), "float32")
    for i in range(5):
        C[i] = A[i]
    for i in range(4):
        B[i] = C[i]

# ---- bool, behind a shift
# ! Index 0 of A is 8; it goes from 0 to 7
def main(A: T.Buffer((8,), "bool"), B: T.Buffer((4,), "bool")):
    for i in range(4):
        B[i] = A[T.shift_left(1, i)]

# ---- a block that is bound outside the range of its axis
# ? v of block R is 6; it goes from 0 to 5
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("R"):
            v = T.axis.spatial(6, i)
            B[v] = A[v] + 1

# ---- the sum over one element too many, uint16
# ! Index 1 of A is 4; it goes from 0 to 3
def main(A: T.Buffer((2, 4), "uint16"), B: T.Buffer((2,), "uint16")):
    for i, j in T.grid(2, 5):
        with T.block("S"):
            v, r = T.axis.remap("SR", [i, j])
            with T.init():
                B[v] = T.uint16(0)
            B[v] = B[v] + A[v, r]

# ---- an index through a cast that cuts, int8 of 200
# ! Index 0 of A is -56; it goes from 0 to 255
def main(A: T.Buffer((256,), "int32"), B: T.Buffer((3,), "int32")):
    for i in range(3):
        B[i] = A[T.Cast("int32", T.Cast("int8", i * 100))]

# ---- two dimensions whose sum is inside where no index is
# ? Index 1 of A is 5; it goes from 0 to 3
def main(A: T.Buffer((3, 4), "float32"), B: T.Buffer((3,), "float32")):
    for i in range(2):
        B[i] = A[i, 5 - i]

# ---- right: the else branch would be outside
# A = 1, 2, 3, 4
# B -> 2, 3, 4, 0
# checked
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.if_then_else(i < 3, A[i + 1], 0)

# ---- right: padding on both sides, float32
# A = 1, 2, 3
# B -> 0, 1, 2, 3, 0
# checked
def main(A: T.Buffer((3,), "float32"), B: T.Buffer((5,), "float32")):
    for i in range(5):
        with T.block("P"):
            v = T.axis.spatial(5, i)
            B[v] = T.if_then_else(1 <= v and v < 4, A[v - 1], T.float32(0))

# ---- right: an index below zero in the buffer of strides is none
# A = 5, 6, 7, 8, 9, 10
# B -> 5, 7, 9, 6, 8, 10
# checked
def main(A: T.Buffer((6,), "int32"), B: T.Buffer((2, 3), "int32")):
    V = T.decl_buffer((3, 2), "int32", data=A.data, strides=(2, 1))
    for i, j in T.grid(2, 3):
        B[i, j] = V[j, i]

# ---- right: a predicate keeps the last round of a split away
# A = 1, 2, 3, 4, 5, 6, 7
# B -> 2, 4, 6, 8, 10, 12, 14
# checked
def main(A: T.Buffer((7,), "int16"), B: T.Buffer((7,), "int16")):
    for o, i in T.grid(3, 3):
        with T.block("D"):
            v = T.axis.spatial(7, o * 3 + i)
            T.where(o * 3 + i < 7)
            B[v] = A[v] * T.int16(2)

# ---- right: the loop that has no round touches nothing
# A = 1, 2
# B -> 77, 77
# checked
def main(A: T.Buffer((2,), "int32"), B: T.Buffer((2,), "int32")):
    for i in range(0):
        B[i + 9] = A[i - 9]

# ---- right: the divisor that would be zero is not reached, uint32
# A = 0, 2, 0, 5
# B -> 0, 50, 0, 20
# checked
def main(A: T.Buffer((4,), "uint32"), B: T.Buffer((4,), "uint32")):
    for i in range(4):
        B[i] = T.if_then_else(A[i] == T.uint32(0), T.uint32(0), T.uint32(100) // A[i])

# ---- right: while goes to the last element and no further
# A = 3, 1, 0, 2
# B -> 6, 4
# checked
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((2,), "int32")):
    B[0] = 0
    B[1] = 0
    while B[1] < 4:
        B[0] = B[0] + A[B[1]]
        B[1] = B[1] + 1

# ---- right: vectors up to the end, uint8
# A = 250, 251, 252, 253, 254, 255, 0, 1
# B -> 1, 0, 255, 254, 253, 252, 251, 250
# checked
def main(A: T.Buffer((8,), "uint8"), B: T.Buffer((8,), "uint8")):
    for o in range(2):
        for i in T.vectorized(4):
            B[o * 4 + i] = A[7 - (o * 4 + i)]
