# Statements: what is known ends at a store, places are counted as they are, loops have the rounds they have.

# ---- a condition on a load, and a store in a loop below it
# A = 3
# B -> 13, 14, 15, 16
# A -> 16
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((4,), "int32")):
    if A[0] < 10:
        for i in range(4):
            A[0] = i + 13
            B[i] = T.max(A[0], 10)

# ---- a condition on a load, and a store to another place
# A = 3, 100
# B -> 10, 50
# A -> 3, 50
def main(A: T.Buffer((2,), "int32"), B: T.Buffer((2,), "int32")):
    if A[0] < 10:
        A[1] = 50
        B[0] = T.max(A[0], 10)
        B[1] = T.max(A[1], 10)

# ---- a condition on a load at a variable place
# A = 1, 2, 3, 4
# B -> 9, 9, 77, 77
# A -> 9, 9, 9, 9
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        if A[i] < 5:
            A[3 - i] = 9
            A[i] = A[3 - i]
            B[i] = T.max(A[i], 5)

# ---- the other branch knows the contrary until it stores
# A = 8
# B -> 8, 2
# A -> 2
def main(A: T.Buffer((1,), "int16"), B: T.Buffer((2,), "int16")):
    if A[0] < T.int16(5):
        B[0] = T.int16(1)
    else:
        B[0] = T.max(A[0], T.int16(5))
        A[0] = T.int16(2)
        B[1] = T.min(A[0], T.int16(5))

# ---- while: the condition holds at the beginning of a round alone
# A = 0
# B -> 1, 2, 3, 3
# A -> 3
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((4,), "int32")):
    while A[0] < 3:
        A[0] = A[0] + 1
        B[A[0] - 1] = T.min(A[0], 5)
    B[3] = T.min(A[0], 7)

# ---- an assertion on a sum of two loads, one of them stored to
# A = 2, 3
# B -> 40
# A -> 2, 38
def main(A: T.Buffer((2,), "int32"), B: T.Buffer((1,), "int32")):
    assert A[0] + A[1] < 6, "small"
    A[1] = 38
    B[0] = T.max(A[0] + A[1], 6)

# ---- a let keeps the number that was loaded
# A = 4
# B -> 4, 90
# A -> 90
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((2,), "int32")):
    with T.LetStmt(A[0]) as x:
        A[0] = 90
        B[0] = x
        B[1] = A[0]

# ---- a let under a condition on the same load
# A = 4
# B -> 8, 91
# A -> 91
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((2,), "int32")):
    if A[0] == 4:
        with T.LetStmt(A[0] * 2) as x:
            A[0] = 91
            B[0] = x
            B[1] = A[0]

# ---- two conditions, a store between them
# A = 1
# B -> 5, 0
# A -> 100
def main(A: T.Buffer((1,), "int8"), B: T.Buffer((2,), "int8")):
    if A[0] < T.int8(4):
        B[0] = T.int8(5)
        A[0] = T.int8(100)
        B[1] = T.int8(0)
        if A[0] < T.int8(4):
            B[1] = T.int8(1)

# ---- another buffer over the same memory
# A = 1, 7
# B -> 44
# A -> 44, 7
def main(A: T.Buffer((2,), "int32"), B: T.Buffer((1,), "int32")):
    D = T.Buffer((2,), "int32", data=A.data)
    if A[0] < 5:
        D[0] = 44
        B[0] = T.max(A[0], 5)

# ---- the same loop twice, the bounds of the first changed by itself
# A = 3
# B -> 2, 2, 2, 0
# C -> 5
# A -> 2
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((4,), "int32"), C: T.Buffer((1,), "int32")):
    B[3] = 0
    for i in range(A[0]):
        A[0] = 2
        B[i] = A[0]
    C[0] = 5
    for i in range(A[0] - 2):
        C[0] = 6

# ---- places by truncated remainders of negative numbers
# B -> 7, 8, 9, 77, 77
def main(B: T.Buffer((5,), "int32")):
    for i in range(3):
        B[T.truncmod(i - 2, 3) + 2] = i + 7

# ---- places by truncated quotients around zero
# B -> 1, 4, 6, 77
def main(B: T.Buffer((4,), "int32")):
    for i in range(7):
        B[T.truncdiv(i - 3, 2) + 1] = i

# ---- places by floored quotients around zero
# B -> 0, 2, 4, 6
def main(B: T.Buffer((4,), "int32")):
    for i in range(7):
        B[(i - 3) // 2 + 2] = i

# ---- a ramp that goes down through zero, floored
# B -> -2, -2, -1, -1, 0, 0, 1, 1
def main(B: T.Buffer((8,), "int32")):
    B[T.Ramp(0, 1, 8)] = T.Ramp(-4, 1, 8) // T.Broadcast(2, 8)

# ---- a ramp that goes down through zero, truncated
# B -> -2, -1, -1, 0, 0, 0, 1, 1
def main(B: T.Buffer((8,), "int32")):
    B[T.Ramp(0, 1, 8)] = T.truncdiv(T.Ramp(-4, 1, 8), T.Broadcast(2, 8))

# ---- the remainder of a ramp of stride three
# B -> 2, 1, 0, 3
def main(B: T.Buffer((4,), "int32")):
    B[T.Ramp(0, 1, 4)] = T.Ramp(-2, 3, 4) % T.Broadcast(4, 4)

# ---- the truncated remainder of a ramp of stride three
# B -> -2, 1, 0, 3
def main(B: T.Buffer((4,), "int32")):
    B[T.Ramp(0, 1, 4)] = T.truncmod(T.Ramp(-2, 3, 4), T.Broadcast(4, 4))

# ---- strides of a column-major matrix
# A = 1, 2, 3, 4, 5, 6
# B -> 1, 3, 5, 2, 4, 6
def main(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
    M = T.Buffer((2, 3), "int32", data=A.data, strides=[1, 2])
    for i, j in T.grid(2, 3):
        B[i * 3 + j] = M[i, j]

# ---- a loop over no rounds inside a reduction
# B -> 0, 0
def main(B: T.Buffer((2,), "int32")):
    for i, k in T.grid(2, 0):
        with T.block("b"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                B[vi] = 0
            B[vi] = B[vi] + vk + 1

# ---- the maximum of minus infinity alone
# A = -inf, -inf, -inf
# B -> -inf
def main(A: T.Buffer((3,), "float32"), B: T.Buffer((1,), "float32")):
    for k in range(3):
        with T.block("b"):
            vk = T.axis.reduce(3, k)
            with T.init():
                B[0] = T.min_value("float32")
            B[0] = T.max(B[0], A[vk])

# ---- the sum of int8 wraps in each step
# A = 100, 100, 100, -100
# B -> -56
def main(A: T.Buffer((4,), "int8"), B: T.Buffer((1,), "int8")):
    for k in range(4):
        with T.block("b"):
            vk = T.axis.reduce(4, k)
            with T.init():
                B[0] = T.int8(0)
            B[0] = B[0] + A[vk]

# ---- the product of uint8 modulo 256
# A = 200, 3, 5, 7
# B -> 8
def main(A: T.Buffer((4,), "uint8"), B: T.Buffer((1,), "uint8")):
    for k in range(4):
        with T.block("b"):
            vk = T.axis.reduce(4, k)
            with T.init():
                B[0] = T.uint8(1)
            B[0] = B[0] * A[vk]

# ---- a divisor that is zero where it is not asked
# A = 6, 7, 8
# D = 2, 0, 4
# B -> 3, -1, 2
def main(A: T.Buffer((3,), "int32"), D: T.Buffer((3,), "int32"), B: T.Buffer((3,), "int32")):
    for i in range(3):
        B[i] = T.if_then_else(D[i] != 0, A[i] // D[i], -1)

# ---- a divisor that is zero in a value that is not selected, uint8
# A = 6, 7, 8
# D = 2, 0, 4
# B -> 3, 9, 2
def main(A: T.Buffer((3,), "uint8"), D: T.Buffer((3,), "uint8"), B: T.Buffer((3,), "uint8")):
    for i in range(3):
        B[i] = T.Select(D[i] == T.uint8(0), T.uint8(9), A[i] // D[i])

# ---- a divisor that is zero behind "and"
# A = 6, 7, 8
# D = 2, 0, 4
# B -> 1, 0, 0
def main(A: T.Buffer((3,), "int64"), D: T.Buffer((3,), "int64"), B: T.Buffer((3,), "bool")):
    for i in range(3):
        B[i] = D[i] != T.int64(0) and A[i] // D[i] == T.int64(3)

# ---- a place behind the end that is not asked
# A = 4, 5
# B -> 5, 0
def main(A: T.Buffer((2,), "int32"), B: T.Buffer((2,), "int32")):
    for i in range(2):
        B[i] = T.if_then_else(i + 1 < 2, A[i + 1], 0)

# ---- a place that memory names, past the row
# A = 1, 2, 3, 4, 5, 6
# D = 0, 3
# !! A
def main(A: T.Buffer((2, 3), "int32"), D: T.Buffer((2,), "int32"), B: T.Buffer((2,), "int32")):
    for i in range(2):
        B[i] = A[0, D[i]]

# ---- a place to store that memory names, below zero
# D = 0, -1
# !! B
def main(D: T.Buffer((2,), "int64"), B: T.Buffer((3, 2), "int8")):
    for i in range(2):
        B[1, D[i]] = T.int8(5)

# ---- sixteen loads, each the place of the next
# P = 1, 2, 3, 4, 5, 6, 7, 0, 3, 4, 5, 6, 7, 0, 1, 2
# B -> 0, 1, 2, 3, 4, 5, 6, 7
def main(P: T.Buffer((2, 8), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = P[1, P[0, P[1, P[0, P[1, P[0, P[1, P[0, P[1, P[0, P[1, P[0, P[1, P[0, P[1, P[0, i]]]]]]]]]]]]]]]]

# ---- sixteen loads, each the place of the next, the first past its row
# P = 1, 2, 3, 9, 5, 6, 7, 0, 3, 4, 5, 6, 7, 0, 1, 2
# !! P
def main(P: T.Buffer((2, 8), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = P[1, P[0, P[1, P[0, P[1, P[0, P[1, P[0, P[1, P[0, P[1, P[0, P[1, P[0, P[1, P[0, i]]]]]]]]]]]]]]]]

# ---- an extent that is loaded, and its cell stored to in each round
# A = 3
# A -> 6
# B -> 3, 4, 5, 77
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(A[0]):
        A[0] = A[0] + 1
        B[i] = A[0] - 1

# ---- a store through a second buffer over the same memory ends what a condition said
# A = 2, 9
# A -> 11, 9
# B -> 11
def main(A: T.Buffer((2,), "int32"), B: T.Buffer((1,), "int32")):
    C = T.decl_buffer((2, 1), "int32", data=A.data)
    if A[0] < 5:
        C[0, 0] = A[1] + 2
        B[0] = T.max(A[0], 5)

# ---- if_then_else knows its condition in its own branches alone
# A = 4
# A -> 40
# B -> 3, 39
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((2,), "int32")):
    B[0] = T.if_then_else(A[0] < 5, T.min(A[0], 5) - 1, 0)
    A[0] = A[0] * 10
    B[1] = T.if_then_else(A[0] < 5, 0, T.max(A[0], 5) - 1)

# ---- a condition on two cells, one of them stored to in a loop that may have no round
# A = 1, 0, 8
# B -> 1
def main(A: T.Buffer((3,), "int32"), B: T.Buffer((1,), "int32")):
    if A[0] < 2:
        for i in range(A[1]):
            A[0] = A[2]
        B[0] = T.min(A[0], 2)
