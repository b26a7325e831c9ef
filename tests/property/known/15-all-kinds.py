# Programs of all the kinds once more: whole numbers by Python's integers, floats by NumPy's, the rest by hand.

# ---- three quotients whose product leaves int8
# A = 0, 1, 2, 3, 7, -1, -2, -7, 127, -128, 126, -127
# B -> 0, 0, 0, 0, 0, -1, -1, -1, 0, -1, 0, -1
def main(A: T.Buffer((12,), "int8"), B: T.Buffer((12,), "int8")):
    for i in range(12):
        B[i] = A[i] // T.int8(7) // T.int8(5) // T.int8(6)

# ---- quotient by the lowest number and a quotient more, int16
# A = 0, 1, 2, 3, 7, -1, -2, -7, 32767, -32768, 32766, -32767
# B -> 0, -1, -1, -1, -1, 0, 0, 0, -1, 0, -1, 0
def main(A: T.Buffer((12,), "int16"), B: T.Buffer((12,), "int16")):
    for i in range(12):
        B[i] = A[i] // T.int16(-32768) // T.int16(2)

# ---- truncated quotients by a prime and its cofactor, int32
# A = 0, 1, 2, 3, 7, -1, -2, -7, 2147483647, -2147483648, 2147483646, -2147483647
# B -> 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
def main(A: T.Buffer((12,), "int32"), B: T.Buffer((12,), "int32")):
    for i in range(12):
        B[i] = T.truncdiv(T.truncdiv(A[i], 46337), -46349)

# ---- a scaled bound past the end, uint8
# A = 0, 1, 2, 3, 7, 255, 254, 128, 127, 100, 200, 13
# B -> 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
def main(A: T.Buffer((12,), "uint8"), B: T.Buffer((12,), "uint8")):
    for i in range(12):
        B[i] = T.Cast("uint8", A[i] // T.uint8(3) >= T.uint8(86))

# ---- quotient not less than the highest quotient, int64
# A = 0, 1, 2, 3, 7, -1, -2, -7, 9223372036854775807, -9223372036854775808, 9223372036854775806, -9223372036854775807
# B -> 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
def main(A: T.Buffer((12,), "int64"), B: T.Buffer((12,), "int64")):
    for i in range(12):
        B[i] = T.Cast("int64", A[i] // T.int64(3) < T.int64(3074457345618258603))

# ---- sum of three constants past the end, int64
# A = 0, 1, 2, 3, 7, -1, -2, -7, 9223372036854775807, -9223372036854775808, 9223372036854775806, -9223372036854775807
# B -> 0, 1, 2, 3, 7, -1, -2, -7, 9223372036854775807, -9223372036854775808, 9223372036854775806, -9223372036854775807
def main(A: T.Buffer((12,), "int64"), B: T.Buffer((12,), "int64")):
    for i in range(12):
        B[i] = A[i] + T.int64(9223372036854775807) + T.int64(9223372036854775807) + T.int64(2)

# ---- difference of constants and a comparison, int16
# A = 0, 1, 2, 3, 7, -1, -2, -7, 32767, -32768, 32766, -32767
# B -> 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1
def main(A: T.Buffer((12,), "int16"), B: T.Buffer((12,), "int16")):
    for i in range(12):
        B[i] = T.Cast("int16", A[i] - T.int16(32767) - T.int16(32767) < T.int16(-5))

# ---- a product by 2^31 and a half, int64
# A = 0, 1, 2, 3, 7, -1, -2, -7, 9223372036854775807, -9223372036854775808, 9223372036854775806, -9223372036854775807
# B -> 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
def main(A: T.Buffer((12,), "int64"), B: T.Buffer((12,), "int64")):
    for i in range(12):
        B[i] = A[i] * T.int64(2147483648) * T.int64(8589934592) // T.int64(2)

# ---- bound of a negated product, int8
# A = 0, 1, 2, 3, 7, -1, -2, -7, 127, -128, 126, -127
# B -> 1, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1
def main(A: T.Buffer((12,), "int8"), B: T.Buffer((12,), "int8")):
    for i in range(12):
        B[i] = T.Cast("int8", T.int8(0) - A[i] * T.int8(2) > T.int8(-3))

# ---- floored minus truncated quotient, int16
# A = 0, 1, 2, 3, 7, -1, -2, -7, 32767, -32768, 32766, -32767
# B -> 0, 0, 0, 0, 0, -1, -1, -1, 0, 0, 0, -1
def main(A: T.Buffer((12,), "int16"), B: T.Buffer((12,), "int16")):
    for i in range(12):
        B[i] = A[i] // T.int16(4) - T.truncdiv(A[i], T.int16(4))

# ---- truncated remainder of a truncated quotient, int32
# A = 0, 1, 2, 3, 7, -1, -2, -7, 2147483647, -2147483648, 2147483646, -2147483647
# B -> 0, 0, 0, 1, 2, 0, 0, -2, 2, -2, 2, -2
def main(A: T.Buffer((12,), "int32"), B: T.Buffer((12,), "int32")):
    for i in range(12):
        B[i] = T.truncmod(T.truncdiv(A[i], 3), 5)

# ---- truncated remainder by a negative number, int8
# A = 0, 1, 2, 3, 7, -1, -2, -7, 127, -128, 126, -127
# B -> 1, 2, 3, 4, 2, 0, -1, 0, 2, -1, 1, 0
def main(A: T.Buffer((12,), "int8"), B: T.Buffer((12,), "int8")):
    for i in range(12):
        B[i] = T.truncmod(A[i], T.int8(-6)) + T.int8(1)

# ---- a truncated remainder is below its divisor, and above minus it
# A = 0, 1, 2, 3, 7, -1, -2, -7, 2147483647, -2147483648, 2147483646, -2147483647
# B -> 3, 3, 3, 3, 3, 2, 2, 2, 3, 2, 3, 2
def main(A: T.Buffer((12,), "int32"), B: T.Buffer((12,), "int32")):
    for i in range(12):
        B[i] = T.Cast("int32", T.truncmod(A[i], 9) < 9 and T.truncmod(A[i], 9) > -9) * 2 + T.Cast("int32", T.truncmod(A[i], 9) > -1)

# ---- maximum of a truncated remainder and minus two
# A = 0, 1, 2, 3, 7, -1, -2, -7, 9223372036854775807, -9223372036854775808, 9223372036854775806, -9223372036854775807
# B -> 0, 1, 2, 3, 2, -1, -2, -2, 2, -2, 1, -2
def main(A: T.Buffer((12,), "int64"), B: T.Buffer((12,), "int64")):
    for i in range(12):
        B[i] = T.max(T.truncmod(A[i], T.int64(5)), T.int64(-2))

# ---- remainder of the negated, int16
# A = 0, 1, 2, 3, 7, -1, -2, -7, 32767, -32768, 32766, -32767
# B -> 0, 9, 8, 7, 3, 1, 2, 7, 3, 2, 4, 7
def main(A: T.Buffer((12,), "int16"), B: T.Buffer((12,), "int16")):
    for i in range(12):
        B[i] = (T.int16(0) - A[i]) % T.int16(10)

# ---- remainder of a shifted load by a power, int8
# A = 0, 1, 2, 3, 7, -1, -2, -7, 127, -128, 126, -127
# B -> 36, 37, 38, 39, 43, 35, 34, 29, 35, 36, 34, 37
def main(A: T.Buffer((12,), "int8"), B: T.Buffer((12,), "int8")):
    for i in range(12):
        B[i] = (A[i] + T.int8(100)) % T.int8(64)

# ---- int64 to uint16 and halved
# A = 0, 1, 2, 3, 7, -1, -2, -7, 9223372036854775807, -9223372036854775808, 9223372036854775806, -9223372036854775807
# B -> 0, 0, 1, 1, 3, 32767, 32767, 32764, 32767, 0, 32767, 0
def main(A: T.Buffer((12,), "int64"), B: T.Buffer((12,), "uint16")):
    for i in range(12):
        B[i] = T.Cast("uint16", A[i]) // T.uint16(2)

# ---- int16 to uint64, is it large
# A = 0, 1, 2, 3, 7, -1, -2, -7, 32767, -32768, 32766, -32767
# B -> 0, 0, 0, 0, 0, 1, 1, 1, 0, 1, 0, 1
def main(A: T.Buffer((12,), "int16"), B: T.Buffer((12,), "int8")):
    for i in range(12):
        B[i] = T.Cast("int8", T.Cast("uint64", A[i]) > T.uint64(1000000))

# ---- uint32 to int32, is it negative
# A = 0, 1, 2, 3, 7, 4294967295, 4294967294, 2147483648, 2147483647, 100, 200, 13
# B -> 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0
def main(A: T.Buffer((12,), "uint32"), B: T.Buffer((12,), "int8")):
    for i in range(12):
        B[i] = T.Cast("int8", T.Cast("int32", A[i]) < 0)

# ---- a multiple of four through int8 to bool
# A = 0, 1, 2, 3, 7, -1, -2, -7, 2147483647, -2147483648, 2147483646, -2147483647
# B -> 0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1
def main(A: T.Buffer((12,), "int32"), B: T.Buffer((12,), "int32")):
    for i in range(12):
        B[i] = T.Cast("int32", T.Cast("bool", T.Cast("int8", A[i] * 64)))

# ---- bool of a remainder, summed
# A = 0, 1, 2, 3, 7, -1, -2, -7, 2147483647, -2147483648, 2147483646, -2147483647
# B -> 0, 2, 2, 2, 2, 2, 2, 2, 2, 0, 2, 2
def main(A: T.Buffer((12,), "int32"), B: T.Buffer((12,), "int32")):
    for i in range(12):
        B[i] = T.Cast("int32", T.Cast("bool", A[i] % 4)) + T.Cast("int32", T.Cast("bool", A[i] * 2))

# ---- uint8 to int8 to int32, times two, modulo four
# A = 0, 1, 2, 3, 7, 255, 254, 128, 127, 100, 200, 13
# B -> 0, 2, 0, 2, 2, 2, 0, 0, 2, 0, 0, 2
def main(A: T.Buffer((12,), "uint8"), B: T.Buffer((12,), "int32")):
    for i in range(12):
        B[i] = T.Cast("int32", T.Cast("int8", A[i])) * 2 % 4

# ---- narrow, add, widen, int64
# A = 0, 1, 2, 3, 7, -1, -2, -7, 9223372036854775807, -9223372036854775808, 9223372036854775806, -9223372036854775807
# B -> 0, 1, 2, 3, 7, -1, -2, -7, -1, 0, -2, 1
def main(A: T.Buffer((12,), "int64"), B: T.Buffer((12,), "int64")):
    for i in range(12):
        B[i] = T.Cast("int64", T.Cast("int16", A[i]) + T.Cast("int16", A[i])) // T.int64(2)

# ---- uint16 to uint8 compared with itself
# A = 0, 1, 2, 3, 7, 65535, 65534, 32768, 32767, 100, 200, 13
# B -> 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1
def main(A: T.Buffer((12,), "uint16"), B: T.Buffer((12,), "int32")):
    for i in range(12):
        B[i] = T.Cast("int32", T.Cast("uint16", T.Cast("uint8", A[i])) == A[i])

# ---- x - 1 > x, uint16
# A = 0, 1, 2, 3, 7, 65535, 65534, 32768, 32767, 100, 200, 13
# B -> 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
def main(A: T.Buffer((12,), "uint16"), B: T.Buffer((12,), "uint16")):
    for i in range(12):
        B[i] = T.Cast("uint16", A[i] - T.uint16(1) > A[i])

# ---- x + 100 not below x, int8
# A = 0, 1, 2, 3, 7, -1, -2, -7, 127, -128, 126, -127
# B -> 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 0, 1
def main(A: T.Buffer((12,), "int8"), B: T.Buffer((12,), "int8")):
    for i in range(12):
        B[i] = T.Cast("int8", A[i] + T.int8(100) >= A[i])

# ---- 3 * x == x * 2 + x, and over three, int16
# A = 0, 1, 2, 3, 7, -1, -2, -7, 32767, -32768, 32766, -32767
# B -> 0, 1, 2, 3, 7, -1, -2, -7, 10921, -10923, 10920, -10922
def main(A: T.Buffer((12,), "int16"), B: T.Buffer((12,), "int16")):
    for i in range(12):
        B[i] = (A[i] * T.int16(2) + A[i]) // T.int16(3)

# ---- min of x and x + 7, uint32
# A = 0, 1, 2, 3, 7, 4294967295, 4294967294, 2147483648, 2147483647, 100, 200, 13
# B -> 0, 1, 2, 3, 7, 6, 5, 2147483648, 2147483647, 100, 200, 13
def main(A: T.Buffer((12,), "uint32"), B: T.Buffer((12,), "uint32")):
    for i in range(12):
        B[i] = T.min(A[i], A[i] + T.uint32(7))

# ---- difference of squares, int32
# A = 0, 1, 2, 3, 7, -1, -2, -7, 2147483647, -2147483648, 2147483646, -2147483647
# B -> -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1
def main(A: T.Buffer((12,), "int32"), B: T.Buffer((12,), "int32")):
    for i in range(12):
        B[i] = (A[i] + 1) * (A[i] - 1) - A[i] * A[i]

# ---- x * 5 // 5, uint8
# A = 0, 1, 2, 3, 7, 255, 254, 128, 127, 100, 200, 13
# B -> 0, 1, 2, 3, 7, 50, 49, 25, 24, 48, 46, 13
def main(A: T.Buffer((12,), "uint8"), B: T.Buffer((12,), "uint8")):
    for i in range(12):
        B[i] = A[i] * T.uint8(5) // T.uint8(5)

# ---- x * 8 % 8 and x * 6 % 4, uint16
# A = 0, 1, 2, 3, 7, 65535, 65534, 32768, 32767, 100, 200, 13
# B -> 0, 2, 0, 2, 2, 2, 0, 0, 2, 0, 0, 2
def main(A: T.Buffer((12,), "uint16"), B: T.Buffer((12,), "uint16")):
    for i in range(12):
        B[i] = A[i] * T.uint16(8) % T.uint16(8) + A[i] * T.uint16(6) % T.uint16(4)

# ---- x * 6 % 3, int64
# A = 0, 1, 2, 3, 7, -1, -2, -7, 9223372036854775807, -9223372036854775808, 9223372036854775806, -9223372036854775807
# B -> 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
def main(A: T.Buffer((12,), "int64"), B: T.Buffer((12,), "int64")):
    for i in range(12):
        B[i] = A[i] * T.int64(6) % T.int64(3)

# ---- select by a sum that wraps, int16
# A = 0, 1, 2, 3, 7, -1, -2, -7, 32767, -32768, 32766, -32767
# B -> 0, 1, 2, 3, 7, -1, -1, -1, -1, -1, 32766, -1
def main(A: T.Buffer((12,), "int16"), B: T.Buffer((12,), "int16")):
    for i in range(12):
        B[i] = T.Select(A[i] + T.int16(1) > T.int16(0), A[i], T.int16(-1))

# ---- is twice x even and half of it x, uint64
# A = 0, 1, 2, 3, 7, 18446744073709551615, 18446744073709551614, 9223372036854775808, 9223372036854775807, 100, 200, 13
# B -> 1, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1, 1
def main(A: T.Buffer((12,), "uint64"), B: T.Buffer((12,), "uint64")):
    for i in range(12):
        B[i] = T.Cast("uint64", A[i] * T.uint64(2) // T.uint64(2) == A[i]) + A[i] * T.uint64(2) % T.uint64(2)

# ---- a condition on an element, and a store to it by another name of the index
# A = 1, 4, 3, 9
# A -> 1, -1, 3, -1
# B -> 77, 3, 77, 3
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        if A[i] > 3:
            A[3 - (3 - i)] = -1
            B[i] = T.max(A[i], 3)

# ---- else of else, with a store in between
# A = 4
# A -> -6
# B -> 2, -6
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((2,), "int32")):
    if A[0] < 0:
        B[0] = 1
    else:
        A[0] = A[0] - 10
        if A[0] < 0:
            B[0] = 2
        else:
            B[0] = 3
        B[1] = T.min(A[0], 0)

# ---- while leaves its condition false, until a store
# A = 1
# A -> 0
# B -> 7, 5
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((2,), "int32")):
    while A[0] < 5:
        A[0] = A[0] + 3
    B[0] = T.max(A[0], 5)
    A[0] = 0
    B[1] = T.max(A[0], 5)

# ---- an assertion in a loop, the store in its next round
# A = 1, 0, 0
# A -> 10, 9, 0
# B -> 8, 8, 8
def main(A: T.Buffer((3,), "int32"), B: T.Buffer((3,), "int32")):
    for i in range(3):
        assert A[0] < 9, "small"
        B[i] = T.max(A[0], 8)
        A[0] = A[0] + 3
    A[1] = T.min(A[0], 9)

# ---- a condition on two arrays, the second stored to
# A = 5
# C = 5
# A -> 5
# C -> 6
# B -> -1
def main(A: T.Buffer((1,), "int32"), C: T.Buffer((1,), "int32"), B: T.Buffer((1,), "int32")):
    if A[0] == C[0]:
        C[0] = C[0] + 1
        B[0] = A[0] - C[0]

# ---- a condition kept in a scalar before the store
# A = 1
# A -> 50
# B -> 50, 0
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((2,), "int32")):
    c: T.bool = A[0] < 5
    A[0] = 50
    if c:
        B[0] = T.max(A[0], 5)
    else:
        B[0] = 0
    B[1] = T.Cast("int32", A[0] < 5)

# ---- a remainder known of an element, vector store over it
# A = 0, 8, 0, 0
# A -> 2, 3, 4, 5
# B -> 3
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((1,), "int32")):
    if A[1] % 4 == 0:
        for i in T.vectorized(4):
            A[i] = i + 2
        B[0] = A[1] % 4

# ---- sum of uint64 that wraps
# A = 18446744073709551615, 1, 5, 9223372036854775808, 9223372036854775808, 7
# B -> 5, 7
def main(A: T.Buffer((2, 3), "uint64"), B: T.Buffer((2,), "uint64")):
    for i, k in T.grid(2, 3):
        with T.block("b"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                B[vi] = T.uint64(0)
            B[vi] = B[vi] + A[vi, vk]

# ---- alternating difference, int8
# A = 100, -100, 50, 1, 2, 3
# B -> -6, 2
def main(A: T.Buffer((2, 3), "int8"), B: T.Buffer((2,), "int8")):
    for i, k in T.grid(2, 3):
        with T.block("b"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                B[vi] = T.int8(0)
            B[vi] = A[vi, vk] - B[vi]

# ---- minimum of infinities, float32
# A = inf, inf, inf, -inf, 1.0, nan
# B -> inf, nan
def main(A: T.Buffer((2, 3), "float32"), B: T.Buffer((2,), "float32")):
    for i, k in T.grid(2, 3):
        with T.block("b"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                B[vi] = T.float32("inf")
            B[vi] = T.min(B[vi], A[vi, vk])

# ---- product with zero and infinity, float64
# A = 0.0, inf, 2.0, -1.0, inf, 2.0
# B -> nan, -inf
def main(A: T.Buffer((2, 3), "float64"), B: T.Buffer((2,), "float64")):
    for i, k in T.grid(2, 3):
        with T.block("b"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                B[vi] = T.float64(1)
            B[vi] = B[vi] * A[vi, vk]

# ---- sum with a negative zero alone, float32
# A = -0.0, 5.0
# B -> -0.0, 5.0
def main(A: T.Buffer((2, 1), "float32"), B: T.Buffer((2,), "float32")):
    for i, k in T.grid(2, 1):
        with T.block("b"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                B[vi] = T.float32(-0.0)
            B[vi] = B[vi] + A[vi, vk]

# ---- x * 2 - x
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5
# B -> nan, nan, nan, 0.0, 0.0, 1.0, -1.5
def main(A: T.Buffer((7,), "float32"), B: T.Buffer((7,), "float32")):
    for i in range(7):
        B[i] = A[i] * T.float32(2) - A[i]

# ---- x - x * 1
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5
# B -> nan, nan, nan, 0.0, 0.0, 0.0, 0.0
def main(A: T.Buffer((7,), "float32"), B: T.Buffer((7,), "float32")):
    for i in range(7):
        B[i] = A[i] - A[i] * T.float32(1)

# ---- zero over x
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5
# B -> nan, 0.0, -0.0, nan, nan, 0.0, -0.0
def main(A: T.Buffer((7,), "float32"), B: T.Buffer((7,), "float32")):
    for i in range(7):
        B[i] = T.float32(0) / A[i]

# ---- x over infinity
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5
# B -> nan, nan, nan, 0.0, -0.0, 0.0, -0.0
def main(A: T.Buffer((7,), "float32"), B: T.Buffer((7,), "float32")):
    for i in range(7):
        B[i] = A[i] / T.float32("inf")

# ---- x times infinity, below zero
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5
# B -> 0, 0, 1, 0, 0, 0, 1
def main(A: T.Buffer((7,), "float32"), B: T.Buffer((7,), "int32")):
    for i in range(7):
        B[i] = T.Cast("int32", A[i] * T.float32("inf") < T.float32(0))

# ---- not (x > 1 or x < 1)
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5
# B -> 1, 0, 0, 0, 0, 1, 0
def main(A: T.Buffer((7,), "float32"), B: T.Buffer((7,), "int32")):
    for i in range(7):
        B[i] = T.Cast("int32", T.Not(A[i] > T.float32(1) or A[i] < T.float32(1)))

# ---- x <= x
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5
# B -> 0, 1, 1, 1, 1, 1, 1
def main(A: T.Buffer((7,), "float32"), B: T.Buffer((7,), "int32")):
    for i in range(7):
        B[i] = T.Cast("int32", A[i] <= A[i])

# ---- x + 1 == x
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5
# B -> 0, 1, 1, 0, 0, 0, 0
def main(A: T.Buffer((7,), "float32"), B: T.Buffer((7,), "int32")):
    for i in range(7):
        B[i] = T.Cast("int32", A[i] + T.float32(1) == A[i])

# ---- max of x and minus x, float64
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5
# B -> nan, inf, inf, 0.0, 0.0, 1.0, 1.5
def main(A: T.Buffer((7,), "float64"), B: T.Buffer((7,), "float64")):
    for i in range(7):
        B[i] = T.max(A[i], T.float64(0) - A[i])

# ---- select by not equal
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5
# B -> nan, nan, nan, 0.0, 0.0, 3.0, 0.0
def main(A: T.Buffer((7,), "float32"), B: T.Buffer((7,), "float32")):
    for i in range(7):
        B[i] = T.Select(A[i] != T.float32(1), A[i] - A[i], T.float32(3))

# ---- x times nan
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5
# B -> nan, nan, nan, nan, nan, nan, nan
def main(A: T.Buffer((7,), "float32"), B: T.Buffer((7,), "float32")):
    for i in range(7):
        B[i] = A[i] * T.float32("nan")

# ---- minus of minus
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5
# B -> nan, inf, -inf, 0.0, 0.0, 1.0, -1.5
def main(A: T.Buffer((7,), "float32"), B: T.Buffer((7,), "float32")):
    for i in range(7):
        B[i] = T.float32(0) - (T.float32(0) - A[i])

# ---- min of x and infinity
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5
# B -> nan, inf, -inf, 0.0, -0.0, 1.0, -1.5
def main(A: T.Buffer((7,), "float32"), B: T.Buffer((7,), "float32")):
    for i in range(7):
        B[i] = T.min(A[i], T.float32("inf"))

# ---- float16 square over itself
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5
# B -> nan, nan, nan, nan, nan, 1.0, -1.5
def main(A: T.Buffer((7,), "float16"), B: T.Buffer((7,), "float16")):
    for i in range(7):
        B[i] = A[i] * A[i] / A[i]

# ---- uint8: 46341 squared elements, its end by a product of loops
# A @ 0 -> 200
# A @ 2147488280 -> 201
# A @ 2147441940 -> 0
def main(A: T.Buffer((46341, 46341), "uint8")):
    for i in range(2):
        A[i * 46340, i * 46340] = T.uint8(200) + T.Cast("uint8", i)

# ---- int64 loop past 2^33, a quotient brings it home
# B -> 1, 1, 1, 1
def main(B: T.Buffer((4,), "int64")):
    for i in T.serial(T.int64(8589934592), T.int64(8589934596)):
        B[i % T.int64(4)] = i // T.int64(4) - T.int64(2147483647)

# ---- a distance of int32 ends
# B -> 0, 3
def main(B: T.Buffer((2,), "int64")):
    for i in range(2147483645, 2147483647):
        B[i - 2147483645] = T.Cast("int64", i) * T.int64(3) - T.int64(6442450935)

# ---- reorder under a guard on both loops, refused by TVM as well
# B = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35
# B -> 0, 1, 2, 3, 4, 5, 2, 3, 4, 5, 6, 11, 4, 5, 6, 7, 16, 17, 6, 7, 8, 21, 22, 23, 8, 9, 26, 27, 28, 29, 10, 31, 32, 33, 34, 35
# >>> b = sch.get_block("b")
# >>> l = sch.get_loops(b)
# >>> sch.reorder(l[1], l[0])
# refused everywhere schedule/reorder/not-affine
def main(B: T.Buffer((6, 6), "int32")):
    for i, j in T.grid(5, 5):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.where(i + j < 5)
            B[vi + 1, vj] = B[vi, vj + 1] + 1

# ---- int32, truncated remainder by a difference that wraps to zero
# A = 65536, 65536
# !! divided by zero
def main(A: T.Buffer((2,), "int32"), B: T.Buffer((1,), "int32")):
    B[0] = T.truncmod(A[0], A[0] * A[1])

# ---- uint64, floor division, the third lane
# A = 1, 2, 0, 4
# !! divided by zero
def main(A: T.Buffer((4,), "uint64"), B: T.Buffer((4,), "uint64")):
    for i in T.vectorized(4):
        B[i] = T.uint64(9) // A[i]

# ---- a store behind the end through a quotient of memory
# P = 5, 7
# !! Index 0 of B is 3; it goes from 0 to 2
def main(P: T.Buffer((2,), "int32"), B: T.Buffer((3, 2), "int32")):
    for i in range(2):
        B[P[i] // 2, 0] = i

# ---- a load in the second index, above by one
# P = 1
# !! Index 1 of A is 3; it goes from 0 to 2
def main(P: T.Buffer((1,), "int64"), A: T.Buffer((2, 3), "float32"), B: T.Buffer((1,), "float32")):
    B[0] = A[0, P[0] * T.int64(3)]
