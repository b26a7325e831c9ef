# Truncated quotients and remainders of numbers of both signs.

# ---- shifted into the positive
# A = -9, -8, -7, -1, 0, 1, 7, 8, 9, 2147483647, -2147483647
# B -> 3, 1, 2, 2, 3, 4, 4, 5, 3, 4, 2
def main(A: T.Buffer((11,), "int32"), B: T.Buffer((11,), "int32")):
    for i in range(11):
        B[i] = T.truncmod(A[i], 3) + 3

# ---- is it ever negative
# A = -9, -8, -7, -1, 0, 1, 7, 8, 9, 2147483647, -2147483647
# B -> 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 0
def main(A: T.Buffer((11,), "int32"), B: T.Buffer((11,), "int32")):
    for i in range(11):
        B[i] = T.Cast("int32", T.truncmod(A[i], 5) >= 0)

# ---- maximum with zero
# A = -9, -8, -7, -1, 0, 1, 7, 8, 9, 2147483647, -2147483647
# B -> 0, 0, 0, 0, 0, 1, 3, 0, 1, 3, 0
def main(A: T.Buffer((11,), "int32"), B: T.Buffer((11,), "int32")):
    for i in range(11):
        B[i] = T.max(T.truncmod(A[i], 4), 0)

# ---- minimum with zero
# A = -9, -8, -7, -1, 0, 1, 7, 8, 9, 2147483647, -2147483647
# B -> -1, 0, -3, -1, 0, 0, 0, 0, 0, 0, -3
def main(A: T.Buffer((11,), "int32"), B: T.Buffer((11,), "int32")):
    for i in range(11):
        B[i] = T.min(T.truncmod(A[i], 4), 0)

# ---- by a negative number
# A = -9, -8, -7, -1, 0, 1, 7, 8, 9, 2147483647, -2147483647
# B -> -1, 0, -3, -1, 0, 1, 3, 0, 1, 3, -3
def main(A: T.Buffer((11,), "int32"), B: T.Buffer((11,), "int32")):
    for i in range(11):
        B[i] = T.truncmod(A[i], -4)

# ---- floored by a negative number
# A = -9, -8, -7, -1, 0, 1, 7, 8, 9, 2147483647, -2147483647
# B -> -1, 0, -3, -1, 0, -3, -1, 0, -3, -1, -3
def main(A: T.Buffer((11,), "int32"), B: T.Buffer((11,), "int32")):
    for i in range(11):
        B[i] = A[i] % -4

# ---- quotient and remainder put together
# A = -9, -8, -1, 0, 1, 9, 32767, -32768
# B -> -9, -8, -1, 0, 1, 9, 32767, -32768
def main(A: T.Buffer((8,), "int16"), B: T.Buffer((8,), "int16")):
    for i in range(8):
        B[i] = T.truncdiv(A[i], T.int16(7)) * T.int16(7) + T.truncmod(A[i], T.int16(7))

# ---- remainder of a remainder
# A = -9, -8, -7, -1, 0, 1, 7, 8, 9, 2147483647, -2147483647
# B -> -1, 0, -3, -1, 0, 1, 3, 0, 1, 3, -3
def main(A: T.Buffer((11,), "int32"), B: T.Buffer((11,), "int32")):
    for i in range(11):
        B[i] = T.truncmod(T.truncmod(A[i], 12), 4)

# ---- floored remainder of a truncated one
# A = -9, -8, -7, -1, 0, 1, 7, 8, 9, 2147483647, -2147483647
# B -> 3, 0, 1, 3, 0, 1, 3, 0, 1, 3, 1
def main(A: T.Buffer((11,), "int32"), B: T.Buffer((11,), "int32")):
    for i in range(11):
        B[i] = T.truncmod(A[i], 12) % 4

# ---- absolute value
# A = -9, -8, -7, -1, 0, 1, 7, 8, 9, 2147483647, -2147483647
# B -> 3, 2, 1, 1, 0, 1, 1, 2, 3, 1, 1
def main(A: T.Buffer((11,), "int32"), B: T.Buffer((11,), "int32")):
    for i in range(11):
        B[i] = T.abs(T.truncmod(A[i], 6))

# ---- a table read by a shifted remainder
# A = -9, -8, -7, -1, 0, 1, 7, 8, 9
# C = 10, 11, 12, 13, 14
# B -> 12, 10, 11, 11, 12, 13, 13, 14, 12
def main(A: T.Buffer((9,), "int32"), C: T.Buffer((5,), "int32"), B: T.Buffer((9,), "int32")):
    for i in range(9):
        B[i] = C[T.truncmod(A[i], 3) + 2]

# ---- loop from below zero
# B -> -2, -1, 0, -4, -3, -2, -1, 0, -4, -3, -2, -1, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1
def main(B: T.Buffer((24,), "int32")):
    for i in range(-12, 12):
        B[i + 12] = T.truncmod(i, 5)

# ---- loop from below zero, sum before the remainder
# B -> -32, -29, -26, -23, -20, -17, -14, -11, -8, -5, -2, 1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 34, 37
def main(B: T.Buffer((24,), "int32")):
    for i in range(-12, 12):
        B[i + 12] = T.truncmod(i * 3 + 4, 5) + T.truncdiv(i * 3 + 4, 5) * 5

# ---- truncated quotient of a multiple and a rest
# B -> -11, -10, -9, -8, -7, -6, -5, -4, -3, -2, -1, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
def main(B: T.Buffer((24,), "int32")):
    for i in range(-12, 12):
        B[i + 12] = T.truncdiv(i * 4 + 3, 4)

# ---- difference of two truncated quotients
# B -> 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
def main(B: T.Buffer((24,), "int32")):
    for i in range(-12, 12):
        B[i + 12] = T.truncdiv(i + 5, 5) - T.truncdiv(i, 5)

# ---- difference of two floored quotients
# B -> 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
def main(B: T.Buffer((24,), "int32")):
    for i in range(-12, 12):
        B[i + 12] = (i + 5) // 5 - i // 5

# ---- unrolled
# B -> -18, -7, 0, -29, -18, -7, 0, 11, 22, 33, 0, 11, 22
def main(B: T.Buffer((13,), "int32")):
    for i in T.unroll(-6, 7):
        B[i + 6] = T.truncmod(i, 4) * 10 + i % 4

# ---- a local array written by remainders of both signs
# B -> -4, -3, -2, -1, 5, 6, 7, 8, 9
def main(B: T.Buffer((9,), "int32")):
    X = T.alloc_buffer((9,), "int32")
    for k in range(19):
        with T.block("W"):
            v = T.axis.spatial(19, k)
            X[T.truncmod(v - 9, 5) + 4] = v - 9
    for k in range(9):
        with T.block("R"):
            v = T.axis.spatial(9, k)
            B[v] = X[v]

# ---- ramp with a negative start, truncated
# B -> -1, -1, -1, 0, 0, 0, 0, 0
def main(B: T.Buffer((8,), "int32")):
    B[0:8] = T.Div(T.Ramp(-6, 1, 8), T.Broadcast(4, 8))

# ---- ramp with a negative start, remainder
# B -> 0, 0, 0, 0, 0, 0, 0, 0, -2, -1, 0, -2, -1, 0, 1, 2
def main(B: T.Buffer((16,), "int32")):
    B[0:8] = T.truncmod(T.Ramp(-12, 4, 8), T.Broadcast(4, 8))
    B[8:16] = T.truncmod(T.Ramp(-5, 1, 8), T.Broadcast(3, 8))

# ---- ramp of a loop variable below zero
# B -> -3, -2, -2, -2, -2, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2
def main(B: T.Buffer((24,), "int32")):
    for i in range(-3, 3):
        B[T.Ramp((i + 3) * 4, 1, 4)] = T.Div(T.Ramp(i * 4, 1, 4), T.Broadcast(4, 4))

# ---- condition on a truncated remainder around a loop
# A = -7
# B -> 1, 0, 0
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((3,), "int32")):
    for k in range(3):
        B[k] = 0
        if T.truncmod(A[0], 3) == k - 1:
            B[k] = 1

# ---- uint8 has no negative remainder
# A = 0, 1, 127, 128, 200, 255
# B -> 1, 2, 5, 6, 1, 0
def main(A: T.Buffer((6,), "uint8"), B: T.Buffer((6,), "uint8")):
    for i in range(6):
        B[i] = T.truncmod(A[i] - T.uint8(10), T.uint8(7))
