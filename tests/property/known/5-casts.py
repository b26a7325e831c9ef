# Casts: low bits of integers, floats cut towards zero and kept in the type.

# ---- int32 to uint32
# A = -1, -128, 127, 128, 255, 256, -129, 2147483647, -2147483648, 0
# B -> 4294967295, 4294967168, 127, 128, 255, 256, 4294967167, 2147483647, 2147483648, 0
def main(A: T.Buffer((10,), "int32"), B: T.Buffer((10,), "uint32")):
    for i in range(10):
        B[i] = T.Cast("uint32", A[i])

# ---- int32 to int8
# A = -1, -128, 127, 128, 255, 256, -129, 2147483647, -2147483648, 0
# B -> -1, -128, 127, -128, -1, 0, 127, -1, 0, 0
def main(A: T.Buffer((10,), "int32"), B: T.Buffer((10,), "int8")):
    for i in range(10):
        B[i] = T.Cast("int8", A[i])

# ---- int32 to uint8
# A = -1, -128, 127, 128, 255, 256, -129, 2147483647, -2147483648, 0
# B -> 255, 128, 127, 128, 255, 0, 127, 255, 0, 0
def main(A: T.Buffer((10,), "int32"), B: T.Buffer((10,), "uint8")):
    for i in range(10):
        B[i] = T.Cast("uint8", A[i])

# ---- uint32 to int32
# A = 0, 1, 2147483648, 4294967295, 2147483647
# B -> 0, 1, -2147483648, -1, 2147483647
def main(A: T.Buffer((5,), "uint32"), B: T.Buffer((5,), "int32")):
    for i in range(5):
        B[i] = T.Cast("int32", A[i])

# ---- int64 to int32
# A = 9223372036854775807, -9223372036854775808, 2147483648, 4294967296, -2147483649, 4294967301
# B -> -1, 0, -2147483648, 0, 2147483647, 5
def main(A: T.Buffer((6,), "int64"), B: T.Buffer((6,), "int32")):
    for i in range(6):
        B[i] = T.Cast("int32", A[i])

# ---- uint64 to int64
# A = 0, 9223372036854775808, 18446744073709551615, 9223372036854775807
# B -> 0, -9223372036854775808, -1, 9223372036854775807
def main(A: T.Buffer((4,), "uint64"), B: T.Buffer((4,), "int64")):
    for i in range(4):
        B[i] = T.Cast("int64", A[i])

# ---- int8 to uint64
# A = -1, -128, 127, 0, 5
# B -> 18446744073709551615, 18446744073709551488, 127, 0, 5
def main(A: T.Buffer((5,), "int8"), B: T.Buffer((5,), "uint64")):
    for i in range(5):
        B[i] = T.Cast("uint64", A[i])

# ---- bool to int8
# A = 0, 1, 1, 0
# B -> 0, 1, 1, 0
def main(A: T.Buffer((4,), "bool"), B: T.Buffer((4,), "int8")):
    for i in range(4):
        B[i] = T.Cast("int8", A[i])

# ---- to bool of an even number
# A = 0, 2, -2, 1, -1, -2147483648
# B -> 0, 1, 1, 1, 1, 0
def main(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
    for i in range(6):
        B[i] = T.Cast("int32", T.Cast("bool", A[i] * 2))

# ---- negative index as unsigned compared
# A = -1, 0, 1, 2147483647, -2147483648
# B -> 1, 0, 0, 0, 1
def main(A: T.Buffer((5,), "int32"), B: T.Buffer((5,), "int32")):
    for i in range(5):
        B[i] = T.Cast("int32", T.Cast("uint32", A[i]) > T.uint32(2147483647))

# ---- loop variable to uint8 and back
# B -> 252, 253, 254, 255, 0, 1, 2, 3, 4, 5
def main(B: T.Buffer((10,), "int32")):
    for i in range(-4, 6):
        B[i + 4] = T.Cast("int32", T.Cast("uint8", i))

# ---- loop variable to int8 beyond its reach
# B -> 120, 121, 122, 123, 124, 125, 126, 127, -128, -127, -126, -125, -124, -123, -122, -121, -120, -119, -118, -117
def main(B: T.Buffer((20,), "int32")):
    for i in range(120, 140):
        B[i - 120] = T.Cast("int32", T.Cast("int8", i))

# ---- remainder of a narrowed multiple
# B -> 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
def main(B: T.Buffer((100,), "int32")):
    for i in range(0, 100):
        B[i - 0] = T.Cast("int32", T.Cast("int8", i * 6)) % 3

# ---- remainder of a narrowed multiple of four
# B -> 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
def main(B: T.Buffer((100,), "int32")):
    for i in range(0, 100):
        B[i - 0] = T.Cast("int32", T.Cast("uint8", i * 12)) % 4

# ---- narrowed, then maximum
# B -> 120, 121, 122, 123, 124, 125, 126, 127, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
def main(B: T.Buffer((20,), "int32")):
    for i in range(120, 140):
        B[i - 120] = T.max(T.Cast("int32", T.Cast("int8", i)), 0)

# ---- widened product of narrowed sides
# B -> 131066, 131068, 131070, 0, 2, 4
def main(B: T.Buffer((6,), "int32")):
    for i in range(-3, 3):
        B[i + 3] = T.Cast("int32", T.Cast("uint16", i)) * 2

# ---- sum in int8 of a narrowed index
# B -> -126, -125, -124, -123, -122, -121, -120, -119, -118, -117, -116, -115, -114, -113, -112, -111, -110, -109, -108, -107, -106, -105, -104, -103, -102, -101, -100, -99, -98, -97, -96, -95, -94, -93, -92, -91, -90, -89, -88, -87
def main(B: T.Buffer((40,), "int32")):
    for i in range(100, 140):
        B[i - 100] = T.Cast("int32", T.Cast("int8", i) + T.int8(30))

# ---- there and back through a wider type
# A = -128, 127, -1, 0, 1
# B -> -128, 125, -3, 0, 3
def main(A: T.Buffer((5,), "int8"), B: T.Buffer((5,), "int8")):
    for i in range(5):
        B[i] = T.Cast("int8", T.Cast("int32", A[i]) * 3)

# ---- there and back through a narrower type
# A = -1, -128, 127, 128, 255, 256, -129, 2147483647, -2147483648, 0
# B -> -1, -128, 127, 128, 255, 256, -129, -1, 0, 0
def main(A: T.Buffer((10,), "int32"), B: T.Buffer((10,), "int32")):
    for i in range(10):
        B[i] = T.Cast("int32", T.Cast("int16", A[i]))

# ---- unsigned widened, signed widened
# A = 0, 127, 128, 255
# B -> 0, 254, 0, 254
def main(A: T.Buffer((4,), "uint8"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.Cast("int32", T.Cast("int8", A[i])) + T.Cast("int32", A[i])

# ---- floats to int32
# A = 1.899999976158142, -1.899999976158142, 0.0, -0.0, 1.0000000200408773e+20, -1.0000000200408773e+20, nan, inf, 2147483520.0
# B -> 1, -1, 0, 0, 2147483647, -2147483648, 0, 2147483647, 2147483520
def main(A: T.Buffer((9,), "float32"), B: T.Buffer((9,), "int32")):
    for i in range(9):
        B[i] = T.Cast("int32", A[i])

# ---- floats to uint8
# A = 1.899999976158142, -1.899999976158142, 0.0, 254.89999389648438, 255.0, 256.0, 1000000000.0, nan, -inf
# B -> 1, 0, 0, 254, 255, 255, 255, 0, 0
def main(A: T.Buffer((9,), "float32"), B: T.Buffer((9,), "uint8")):
    for i in range(9):
        B[i] = T.Cast("uint8", A[i])

# ---- floats to int8 through a sum
# A = 100.5, 120.0, -120.0, 0.25
# B -> 127, 127, -128, 0
def main(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "int8")):
    for i in range(4):
        B[i] = T.Cast("int8", A[i] + A[i])

# ---- float to bool
# A = 0.0, -0.0, 0.5, nan, inf, 9.99994610111476e-41
# B -> 0, 0, 1, 1, 1, 1
def main(A: T.Buffer((6,), "float32"), B: T.Buffer((6,), "int32")):
    for i in range(6):
        B[i] = T.Cast("int32", T.Cast("bool", A[i]))

# ---- condition on a narrowed load
# A = 255, 256, 257, -1, 0
# B -> 2, 1, 2, 2, 1
def main(A: T.Buffer((5,), "int32"), B: T.Buffer((5,), "int32")):
    for i in range(5):
        B[i] = T.if_then_else(T.Cast("uint8", A[i]) == T.uint8(0), 1, 2)
