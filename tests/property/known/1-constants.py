# Constants that a rule of rewriting makes leave their type: quotients in a row, products, sums and bounds.

# ---- three quotients in a row, int32
# A = 5, 2147483647, -5, -2147483648, 99999, -99999, 0, 1
# B -> 0, 0, -1, -1, 0, -1, 0, 0
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = A[i] // 2000 // 2000 // 2000

# ---- quotient of a truncated quotient
# A = 5, 2147483647, -5, -2147483648, 99999, -99999, 0, 1
# B -> 0, 0, 0, -1, 0, -1, 0, 0
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = T.truncdiv(A[i], 70000) // 70000

# ---- truncated quotient of a floored one
# A = 5, 2147483647, -5, -2147483648, 99999, -99999, 0, 1
# B -> 0, 0, 0, 0, 0, 0, 0, 0
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = T.truncdiv(A[i] // 70000, 70000)

# ---- negative divisors in a row
# A = 5, 2147483647, -5, -2147483647, 99999, -99999, 0, 1
# B -> 0, 0, 0, -1, 0, -1, 0, 0
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = A[i] // -65536 // -65536

# ---- int8 divided twice
# A = 5, 127, -5, -128, 99, -99, 0, 1
# B -> 0, 0, -1, -1, 0, -1, 0, 0
def main(A: T.Buffer((8,), "int8"), B: T.Buffer((8,), "int8")):
    for i in range(8):
        B[i] = A[i] // T.int8(16) // T.int8(16)

# ---- uint8 divided twice
# A = 5, 255, 250, 128, 99, 0, 16, 1
# B -> 0, 0, 0, 0, 0, 0, 0, 0
def main(A: T.Buffer((8,), "uint8"), B: T.Buffer((8,), "uint8")):
    for i in range(8):
        B[i] = A[i] // T.uint8(16) // T.uint8(16)

# ---- uint16 divided twice
# A = 5, 65535, 65000, 32768, 256, 0, 255, 1
# B -> 0, 0, 0, 0, 0, 0, 0, 0
def main(A: T.Buffer((8,), "uint16"), B: T.Buffer((8,), "uint16")):
    for i in range(8):
        B[i] = T.truncdiv(T.truncdiv(A[i], T.uint16(256)), T.uint16(256))

# ---- int16 divided by constants whose product is 2^15
# A = 5, 32767, -5, -32768, 32766, -1, 0, 1
# B -> 0, 0, -1, -1, 0, -1, 0, 0
def main(A: T.Buffer((8,), "int16"), B: T.Buffer((8,), "int16")):
    for i in range(8):
        B[i] = A[i] // T.int16(256) // T.int16(128)

# ---- int64 divided twice
# A = 5, 9223372036854775807, -5, -9223372036854775808, 1099511627776, -1099511627776, 4611686018427387904, 1
# B -> 0, 0, -1, -1, 0, -1, 0, 0
def main(A: T.Buffer((8,), "int64"), B: T.Buffer((8,), "int64")):
    for i in range(8):
        B[i] = A[i] // T.int64(4294967296) // T.int64(4294967296)

# ---- quotient below a constant
# A = 5, 9223372036854775807, -5, -9223372036854775808, 4398046511104, -4398046511104, 4611686018427387904, 1
# B -> 1, 1, 1, 1, 1, 1, 1, 1
def main(A: T.Buffer((8,), "int64"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = T.Cast("int32", A[i] // T.int64(1099511627776) < T.int64(8388608))

# ---- quotient not above a constant, int32
# A = 5, 2147483647, -5, -2147483648, 99999, -99999, 0, 1
# B -> 1, 1, 1, 1, 1, 1, 1, 1
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = T.Cast("int32", A[i] // 65536 <= 40000)

# ---- quotient equal to a constant out of its reach
# A = 5, 2147483647, -5, -2147483648, 99999, -99999, 0, 1
# B -> 0, 0, 0, 0, 0, 0, 0, 0
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = T.Cast("int32", A[i] // 100000 == 30000)

# ---- product of two constants that wraps, uint32
# A = 1, 2, 3, 4294967295, 65536, 65535
# B -> 65536, 131072, 196608, 4294901760, 0, 4294901760
def main(A: T.Buffer((6,), "uint32"), B: T.Buffer((6,), "uint32")):
    for i in range(6):
        B[i] = A[i] * T.uint32(65536) * T.uint32(65537)

# ---- product of constants that wraps to 1, int8
# A = 1, 2, -128, 127, -3, 0
# B -> 2, 4, 0, -2, -6, 0
def main(A: T.Buffer((6,), "int8"), B: T.Buffer((6,), "int8")):
    for i in range(6):
        B[i] = A[i] * T.int8(43) * T.int8(6)

# ---- sum of two constants at the end of the type
# A = 1, 2, -32768, 32767, -3, 0
# B -> -1535, -1534, 31232, 31231, -1539, -1536
def main(A: T.Buffer((6,), "int16"), B: T.Buffer((6,), "int16")):
    for i in range(6):
        B[i] = A[i] + T.int16(32000) + T.int16(32000)

# ---- difference compared with the lowest number
# A = 5, 2147483647, -5, -2147483648, 99999, -99999, 0, 1
# B -> 0, 0, 0, 0, 0, 0, 0, 0
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = T.Cast("int32", A[i] - 1 < -2147483648 + 1)

# ---- negation of the lowest number compared
# A = -128, -127, 127, 0, 1, -1
# B -> 1, 0, 1, 1, 1, 0
def main(A: T.Buffer((6,), "int8"), B: T.Buffer((6,), "int8")):
    for i in range(6):
        B[i] = T.Cast("int8", T.int8(0) - A[i] <= T.int8(0))

# ---- index divided twice by large numbers
# B -> 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
def main(B: T.Buffer((40,), "int32")):
    for i in range(2147483600, 2147483640):
        B[i - 2147483600] = i // 50000 // 50000

# ---- index times a constant modulo a larger product
# B -> 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
def main(B: T.Buffer((40,), "int32")):
    for i in range(0, 40):
        B[i - 0] = (i * 46341 + 1) % 65537 // 8192 // 8192

# ---- remainder of a remainder by constants without common factor
# B -> 0, 12, 24, 36, 48, 60, 72, 7, 19, 31, 43, 55, 67, 2, 14, 26, 38, 50, 62, 74, 9, 21, 33, 45, 57, 69, 4, 16, 28, 40, 52, 64, 76, 11, 23, 35, 47, 59, 71, 6
def main(B: T.Buffer((40,), "int32")):
    for i in range(0, 40):
        B[i - 0] = (i * 100003) % 99991 % 65536 % 77

# ---- remainders of quotients
# A = 5, 2147483647, -5, -2147483648, 99999, -99999, 0, 1
# B -> 0, 32767, 65535, 32768, 1, 65534, 0, 0
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = A[i] // 65536 % 65536

# ---- minimum of a sum and a constant near the end
# A = 5, 2147483647, -5, -2147483648, 99999, -99999, 0, 1
# B -> 15, -2147483639, 5, -2147483638, 100009, -99989, 10, 11
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = T.min(A[i] + 10, 2147483647)

# ---- scaled equality
# A = 64, -64, 0, 1, 32, -128
# B -> 1, 1, 1, 0, 0, 1
def main(A: T.Buffer((6,), "int8"), B: T.Buffer((6,), "int8")):
    for i in range(6):
        B[i] = T.Cast("int8", A[i] * T.int8(4) == T.int8(0))
