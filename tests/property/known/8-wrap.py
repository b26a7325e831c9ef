# Numbers of data wrap, for the simplifier too.

# ---- x + 1 > x
# A = 2147483647, -2147483648, 0, -1, 2147483646, 1000
# B -> 0, 1, 1, 1, 1, 1
def main(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
    for i in range(6):
        B[i] = T.Cast("int32", A[i] + 1 > A[i])

# ---- x - 1 < x
# A = 2147483647, -2147483648, 0, -1, 2147483646, 1000
# B -> 1, 0, 1, 1, 1, 1
def main(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
    for i in range(6):
        B[i] = T.Cast("int32", A[i] - 1 < A[i])

# ---- x * 2 // 2
# A = 2147483647, -2147483648, 0, -1, 2147483646, 1000
# B -> -1, 0, 0, -1, -2, 1000
def main(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
    for i in range(6):
        B[i] = A[i] * 2 // 2

# ---- x * 6 % 3
# A = 2147483647, -2147483648, 0, -1, 2147483646, 1000
# B -> 0, 0, 0, 0, 0, 0
def main(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
    for i in range(6):
        B[i] = A[i] * 6 % 3

# ---- x * 4 % 4
# A = 2147483647, -2147483648, 0, -1, 2147483646, 1000
# B -> 0, 0, 0, 0, 0, 0
def main(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
    for i in range(6):
        B[i] = A[i] * 4 % 4

# ---- max of x and x + 1
# A = 2147483647, -2147483648, 0, -1, 2147483646, 1000
# B -> 2147483647, -2147483647, 1, 0, 2147483647, 1001
def main(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
    for i in range(6):
        B[i] = T.max(A[i], A[i] + 1)

# ---- min of x * 2 and x * 3
# A = 2147483647, -2147483648, 0, -1, 2147483646, 1000
# B -> -2, -2147483648, 0, -3, -4, 2000
def main(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
    for i in range(6):
        B[i] = T.min(A[i] * 2, A[i] * 3)

# ---- x + y == y + x - 0
# A = 2147483647, -2147483648, 0, -1, 2147483646, 1000
# C = 2147483647, -1, 3, -2147483648, 9, -1000
# B -> 1, 1, 1, 1, 1, 1
def main(A: T.Buffer((6,), "int32"), C: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
    for i in range(6):
        B[i] = T.Cast("int32", A[i] + C[i] - C[i] == A[i])

# ---- x + y < y
# A = 2147483647, -2147483648, 0, -1, 2147483646, 1000
# C = 2147483647, -1, 3, -2147483648, 9, -1000
# B -> 1, 0, 0, 0, 1, 0
def main(A: T.Buffer((6,), "int32"), C: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
    for i in range(6):
        B[i] = T.Cast("int32", A[i] + C[i] < C[i])

# ---- difference of sign
# A = 2147483647, -2147483648, 0, -1, 2147483646, 1000
# C = -1, 1, 3, -2147483648, -2147483648, -1000
# B -> 1, 0, 1, 0, 1, 0
def main(A: T.Buffer((6,), "int32"), C: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
    for i in range(6):
        B[i] = T.Cast("int32", A[i] - C[i] < 0)

# ---- scaled comparison
# A = 20000, -20000, 1, -1, 32767
# C = 1, -1, 2, -2, -32768
# B -> 1, 0, 1, 0, 1
def main(A: T.Buffer((5,), "int16"), C: T.Buffer((5,), "int16"), B: T.Buffer((5,), "int16")):
    for i in range(5):
        B[i] = T.Cast("int16", A[i] * T.int16(2) < C[i] * T.int16(2))

# ---- scaled equality
# A = 128, 0, 1, 129, 64
# C = 0, 0, 129, 1, 192
# B -> 1, 1, 1, 1, 1
def main(A: T.Buffer((5,), "uint8"), C: T.Buffer((5,), "uint8"), B: T.Buffer((5,), "uint8")):
    for i in range(5):
        B[i] = T.Cast("uint8", A[i] * T.uint8(2) == C[i] * T.uint8(2))

# ---- unsigned below zero
# A = 0, 1, 5, 4294967295
# B -> 0, 1, 1, 1
def main(A: T.Buffer((4,), "uint32"), B: T.Buffer((4,), "uint32")):
    for i in range(4):
        B[i] = T.Cast("uint32", A[i] - T.uint32(1) < A[i])

# ---- square is not negative
# A = 46341, 46340, -46341, 65536, 3
# B -> 0, 1, 0, 1, 1
def main(A: T.Buffer((5,), "int32"), B: T.Buffer((5,), "int32")):
    for i in range(5):
        B[i] = T.Cast("int32", A[i] * A[i] >= 0)

# ---- absolute value of the lowest
# A = -128, 127, -1, 0
# B -> -128, 127, 1, 0
def main(A: T.Buffer((4,), "int8"), B: T.Buffer((4,), "int8")):
    for i in range(4):
        B[i] = T.abs(A[i])

# ---- negated lowest
# A = -32768, 32767, 0, 1
# B -> -32768, -32767, 0, -1
def main(A: T.Buffer((4,), "int16"), B: T.Buffer((4,), "int16")):
    for i in range(4):
        B[i] = T.int16(0) - A[i]

# ---- shift left and back
# A = 127, -128, 3, 64, -1
# B -> -1, 0, 3, 0, -1
def main(A: T.Buffer((5,), "int8"), B: T.Buffer((5,), "int8")):
    for i in range(5):
        B[i] = T.shift_right(T.shift_left(A[i], T.int8(2)), T.int8(2))

# ---- sum of three, each in turn
# A = 127, -128, 3, 64, -1
# B -> 127, -128, 3, 64, -1
def main(A: T.Buffer((5,), "int8"), B: T.Buffer((5,), "int8")):
    for i in range(5):
        B[i] = A[i] + A[i] + A[i] - A[i] * T.int8(2)

# ---- half of a sum
# A = 127, -128, 3, 64, -1
# B -> -1, 0, 3, -64, -1
def main(A: T.Buffer((5,), "int8"), B: T.Buffer((5,), "int8")):
    for i in range(5):
        B[i] = (A[i] + A[i]) // T.int8(2)

# ---- quotient of the lowest by -1
# A = -32768, 7, -7
# B -> -32768, -7, 7
def main(A: T.Buffer((3,), "int16"), B: T.Buffer((3,), "int16")):
    for i in range(3):
        B[i] = T.truncdiv(A[i], T.int16(-1)) + T.truncmod(A[i], T.int16(-1))

# ---- floored quotient of the lowest by -1
# A = -128, 7, -7
# B -> -128, -7, 7
def main(A: T.Buffer((3,), "int8"), B: T.Buffer((3,), "int8")):
    for i in range(3):
        B[i] = A[i] // T.int8(-1)

# ---- int64 sum compared
# A = 9223372036854775807, -9223372036854775808, 0
# B -> 0, 1, 1
def main(A: T.Buffer((3,), "int64"), B: T.Buffer((3,), "int64")):
    for i in range(3):
        B[i] = T.Cast("int64", A[i] + T.int64(1) > A[i])

# ---- bits
# A = 65535, 0, 4660
# B -> 65280, 65534, 52118
def main(A: T.Buffer((3,), "uint16"), B: T.Buffer((3,), "uint16")):
    for i in range(3):
        B[i] = T.bitwise_not(A[i]) + T.bitwise_xor(A[i], T.uint16(255)) * T.uint16(257)

# ---- a sum over a loop wraps
# A = 100, 100, 100, 100
# B -> -112
def main(A: T.Buffer((4,), "int8"), B: T.Buffer((1,), "int8")):
    B[0] = T.int8(0)
    for i in range(4):
        B[0] = B[0] + A[i]

# ---- a scalar that wraps is asked for its sign
# A = 2147483647
# B -> 1, -2147483648
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((2,), "int32")):
    s: T.int32 = A[0] + 1
    if s < A[0]:
        B[0] = 1
    else:
        B[0] = 0
    B[1] = s
