# More of every kind, one after the other through types, operators and kinds of loops; the numbers are those of Python's whole numbers.

# ---- quotients by 46341, whose square leaves int32
# A = 1073741824, 1, -1073741824, -1, -2147483647, 0, -989967443, 1077112209
# B -> 0, 0, -1, -1, -1, 0, -1, 0
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = A[i] // 46341 // 46341

# ---- truncated quotients by -46341 and 46341
# A = -1, -1073741824, -7, 1073741823, -2147483647, -2147483648, 1655089883, -886826952
# B -> 0, 0, 0, 0, 0, 0, 0, 0
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in T.vectorized(8):
        B[i] = T.truncdiv(T.truncdiv(A[i], -46341), 46341)

# ---- three shifts as quotients
# A = 0, -7, 9223372036854775807, -1, 4611686018427387904, 4611686018427387903, -1992571926965426276, 4156819507502323244
# B -> 0, -1, 0, -1, 0, 0, -1, 0
def main(A: T.Buffer((8,), "int64"), B: T.Buffer((8,), "int64")):
    for i in T.parallel(8):
        B[i] = A[i] // T.int64(2147483648) // T.int64(4294967296) // T.int64(2)

# ---- product of constants 2^16
# A = -2147483647, -7, -1073741824, 0, 2147483646, 1073741824, 945492815, 1669583668
# B -> -2147483647, -7, -1073741824, 0, 2147483646, 1073741824, 945492815, 1669583668
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in T.unroll(8):
        B[i] = A[i] * 65536 * 65536 + A[i]

# ---- sum of constants beyond int16
# A = -7, 32767, 32766, -16384, 0, -32767, -12986, 13878
# B -> -1543, 31231, 31230, -17920, -1536, 31233, -14522, 12342
def main(A: T.Buffer((8,), "int16"), B: T.Buffer((8,), "int16")):
    for i in range(8):
        B[i] = A[i] + T.int16(32000) + T.int16(32000)

# ---- difference against the lowest number
# A = 1073741823, 1, -2147483647, 1073741824, 0, 2147483647, -1928627648, -1234863349
# B -> 0, 0, 0, 0, 0, 0, 0, 0
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "bool")):
    for i in range(8):
        B[i] = A[i] - 5 < -2147483645

# ---- less behind a sum that wraps
# A = -1073741824, 2147483646, -1, 2147483647, -7, -2147483647, 1248040313, -1880792704
# B -> 0, 1, 0, 1, 0, 1, 1, 0
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "bool")):
    for i in T.vectorized(8):
        B[i] = A[i] + 2147483647 < 10

# ---- quotient equal to what no quotient is
# A = 2147483647, -7, -2147483647, 2147483646, 1, -1073741824, -1171749081, 1940974320
# B -> 0, 0, 0, 0, 0, 0, 0, 0
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "bool")):
    for i in T.parallel(8):
        B[i] = A[i] // 1000 == 3000000

# ---- quotient at least the highest
# A = -2147483648, -7, -1073741824, 0, -1, -2147483647, -501839008, 1213118553
# B -> 0, 0, 0, 0, 0, 0, 0, 0
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "bool")):
    for i in T.unroll(8):
        B[i] = A[i] // 2 >= 1073741824

# ---- product less than a multiple
# A = -1073741824, -2147483647, 1073741824, 2147483647, 0, -2147483648, -56273520, -1272101596
# B -> 0, 1, 1, 0, 1, 1, 1, 0
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "bool")):
    for i in range(8):
        B[i] = A[i] * 3 < 9

# ---- product equal to a multiple
# A = -32768, -32767, -16384, 1, 32766, 32767, 2885, -12280
# B -> 0, 0, 0, 0, 0, 0, 0, 0
def main(A: T.Buffer((8,), "int16"), B: T.Buffer((8,), "bool")):
    for i in range(8):
        B[i] = A[i] * T.int16(4) == T.int16(8)

# ---- uint8 product and quotient
# A = 7, 128, 254, 0, 255, 1, 18, 225
# B -> 0, 0, 0, 0, 0, 1, 0, 1
def main(A: T.Buffer((8,), "uint8"), B: T.Buffer((8,), "uint8")):
    for i in T.vectorized(8):
        B[i] = A[i] * T.uint8(200) // T.uint8(200)

# ---- uint16 sum, less
# A = 0, 0, 65535, 1, 65534, 32767, 17053, 38896
# B -> 0, 0, 1, 1, 1, 1, 1, 1
def main(A: T.Buffer((8,), "uint16"), B: T.Buffer((8,), "bool")):
    for i in T.parallel(8):
        B[i] = A[i] + T.uint16(65535) < A[i]

# ---- uint32 difference below zero
# A = 1, 0, 1, 2147483647, 4294967294, 4294967289, 3269482748, 975456937
# B -> 1, 0, 1, 0, 0, 0, 0, 0
def main(A: T.Buffer((8,), "uint32"), B: T.Buffer((8,), "bool")):
    for i in T.unroll(8):
        B[i] = A[i] - T.uint32(1) < T.uint32(5)

# ---- uint64 doubled and halved
# A = 9223372036854775808, 18446744073709551614, 7, 9223372036854775807, 1, 18446744073709551609, 4411187663013068097, 2287078930337893004
# B -> 0, 9223372036854775806, 7, 9223372036854775807, 1, 9223372036854775801, 4411187663013068097, 2287078930337893004
def main(A: T.Buffer((8,), "uint64"), B: T.Buffer((8,), "uint64")):
    for i in range(8):
        B[i] = A[i] * T.uint64(2) // T.uint64(2)

# ---- remainder of a remainder
# A = -7, 2147483646, 1073741824, -2147483647, -1, 1, 1025776634, 2096281772
# B -> 65529, 65534, 0, 1, 65535, 1, 7162, 47276
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = A[i] % 65536 % 65537

# ---- remainder of a product
# A = -1073741824, -7, 1073741823, 0, -2147483648, 1, -1735911025, 397741659
# B -> 0, 2, 2, 0, 0, 2, 2, 2
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in T.vectorized(8):
        B[i] = A[i] * 6 % 4

# ---- remainder of a difference
# A = 1073741823, 2147483647, -1, -1073741824, 1, -2147483647, -1690454806, -1103549044
# B -> 816, 640, 992, 169, 994, 642, 187, 949
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in T.parallel(8):
        B[i] = (A[i] - 7) % 1000

# ---- remainder by -3 of a sum
# A = -2147483647, -2147483648, -1, 1073741823, -1073741824, -7, -889469483, -1752143070
# B -> -2, 0, -2, -1, -2, -2, 0, -1
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in T.unroll(8):
        B[i] = (A[i] + 5) % -3

# ---- quotient and remainder put together
# A = -4611686018427387904, 9223372036854775807, -7, -1, 9223372036854775806, 4611686018427387904, 206822118340834587, -2122827984967392071
# B -> -4611686018427387904, 9223372036854775807, -7, -1, 9223372036854775806, 4611686018427387904, 206822118340834587, -2122827984967392071
def main(A: T.Buffer((8,), "int64"), B: T.Buffer((8,), "int64")):
    for i in range(8):
        B[i] = A[i] // T.int64(7) * T.int64(7) + A[i] % T.int64(7)

# ---- truncated quotient and remainder put together
# A = -1, -127, 64, 127, 126, 63, -2, 81
# B -> -1, -127, 64, 127, 126, 63, -2, 81
def main(A: T.Buffer((8,), "int8"), B: T.Buffer((8,), "int8")):
    for i in range(8):
        B[i] = T.truncdiv(A[i], T.int8(7)) * T.int8(7) + T.truncmod(A[i], T.int8(7))

# ---- truncated remainder, at least zero
# A = -1073741824, 1073741823, 1073741824, -2147483647, -1, -7, 856654050, -408005145
# B -> 1, 1, 1, 0, 0, 0, 1, 0
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "bool")):
    for i in T.vectorized(8):
        B[i] = T.truncmod(A[i], 8) >= 0

# ---- truncated remainder of twice
# A = -1, 2147483646, 1, 2147483647, -7, -1073741824, -25934442, 1738732885
# B -> 0, 0, 0, 0, 0, 0, 0, 0
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in T.parallel(8):
        B[i] = T.truncmod(A[i] * 2, 2)

# ---- floor against truncated quotient
# A = 2147483647, 2147483646, 1, -1073741824, -1, 0, -534086524, 1729193130
# B -> 1, 1, 1, 1, 0, 1, 1, 1
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "bool")):
    for i in T.unroll(8):
        B[i] = A[i] // 4 == T.truncdiv(A[i], 4)

# ---- truncated quotient of a difference
# A = -7, 0, 16384, 32766, -32768, -16384, 25521, 19345
# B -> 1, 1, 1, -16382, 1, 1, 1, 1
def main(A: T.Buffer((8,), "int16"), B: T.Buffer((8,), "int16")):
    for i in range(8):
        B[i] = T.truncdiv(A[i] + T.int16(5), T.int16(4)) - T.truncdiv(A[i] + T.int16(1), T.int16(4))

# ---- negated, twice
# A = -128, 126, 63, -7, 64, 0, -100, -81
# B -> -128, 126, 63, -7, 64, 0, -100, -81
def main(A: T.Buffer((8,), "int8"), B: T.Buffer((8,), "int8")):
    for i in range(8):
        B[i] = T.int8(0) - (T.int8(0) - A[i])

# ---- square at least zero
# A = -7, 1073741824, 2147483647, -2147483648, 0, -1, -1520377538, -697448329
# B -> 1, 1, 1, 1, 1, 1, 0, 1
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "bool")):
    for i in T.vectorized(8):
        B[i] = A[i] * A[i] >= 0

# ---- maximum with the successor
# A = -1, -2147483648, 0, -7, 1, 2147483647, -1392763060, -1169291315
# B -> 0, -2147483647, 1, -6, 2, 2147483647, -1392763059, -1169291314
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in T.parallel(8):
        B[i] = T.max(A[i], A[i] + 1)

# ---- minimum of a and a plus c
# A = 16384, -1, 16383, -32768, 32767, -32767, -15962, -8317
# C = 0, 32767, 32766, -7, 1, -16384, 30120, 12329
# B -> 16384, -1, -16387, -32768, -32768, -32767, -15962, -8317
def main(A: T.Buffer((8,), "int16"), C: T.Buffer((8,), "int16"), B: T.Buffer((8,), "int16")):
    for i in T.unroll(8):
        B[i] = T.min(A[i], A[i] + C[i])

# ---- maximum minus minimum
# A = 63, -127, -128, -7, 1, -64, -21, -67
# C = 127, -127, 63, -1, 1, 1, -112, 95
# B -> 64, 0, -65, 6, 0, 65, 91, -94
def main(A: T.Buffer((8,), "int8"), C: T.Buffer((8,), "int8"), B: T.Buffer((8,), "int8")):
    for i in range(8):
        B[i] = T.max(A[i], C[i]) - T.min(A[i], C[i])

# ---- maximum of quotients
# A = 0, -1, -2147483647, 1, 2147483646, -2147483648, -1921474000, -123059126
# C = 1073741824, 2147483646, -2147483647, 1, 2147483647, -2147483648, -1917335194, 658106784
# B -> 357913941, 715827882, -715827883, 0, 715827882, -715827883, -639111732, 219368928
def main(A: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = T.max(A[i] // 3, C[i] // 3)

# ---- maximum of products by -2
# A = 0, 2147483646, -1, -7, -2147483647, 1, -588657809, 2075775283
# C = -1, 2147483646, -1073741824, 2147483646, -2147483647, 2147483647, 1639696317, 1231861184
# B -> 2, 4, 2, 14, -2, 2, 1177315618, 1831244928
def main(A: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in T.vectorized(8):
        B[i] = T.max(A[i] * -2, C[i] * -2)

# ---- sum less than sum
# A = -2147483647, 0, 2147483647, -2147483648, 1, 2147483646, -1854810878, -1509272835
# C = -2147483647, -7, 2147483647, 2147483646, -2147483648, -1, 181016724, -875364627
# B -> 0, 0, 0, 0, 0, 1, 1, 1
def main(A: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32"), B: T.Buffer((8,), "bool")):
    for i in T.parallel(8):
        B[i] = A[i] + 3 < C[i] + 3

# ---- product equal to product
# A = 2147483646, -2147483647, 0, -7, -1, -2147483648, 1770030945, -2105069887
# C = 1073741824, -2147483647, -2147483648, -1, -1, -2147483647, -1108532985, 1046053779
# B -> 0, 1, 1, 0, 1, 0, 0, 0
def main(A: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32"), B: T.Buffer((8,), "bool")):
    for i in T.unroll(8):
        B[i] = A[i] * 4 == C[i] * 4

# ---- difference less than zero
# A = 1073741824, 1, 2147483647, -1073741824, -2147483648, 1073741823, 2021161527, 914366974
# C = -1, 0, -2147483647, -7, 2147483646, -1073741824, 1786369159, -209970923
# B -> 0, 0, 1, 1, 0, 0, 0, 0
def main(A: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32"), B: T.Buffer((8,), "bool")):
    for i in range(8):
        B[i] = A[i] - C[i] < 0

# ---- difference equal to zero
# A = 9223372036854775807, -4611686018427387904, 4611686018427387904, -1, 9223372036854775806, -9223372036854775808, 4185023573404332862, 3780438934270164903
# C = 9223372036854775807, -4611686018427387904, -1, 1, 9223372036854775806, -9223372036854775808, 1243984782364118068, 1084075856368384254
# B -> 1, 1, 0, 0, 1, 1, 0, 0
def main(A: T.Buffer((8,), "int64"), C: T.Buffer((8,), "int64"), B: T.Buffer((8,), "bool")):
    for i in range(8):
        B[i] = A[i] - C[i] == T.int64(0)

# ---- select by a difference
# A = 1, -32767, -32768, -1, -7, 16383, -24246, 30462
# C = -32768, 16383, -16384, -1, -7, 0, 15531, 26647
# B -> -32768, -32767, -16384, -1, -7, 16383, -24246, 30462
def main(A: T.Buffer((8,), "int16"), C: T.Buffer((8,), "int16"), B: T.Buffer((8,), "int16")):
    for i in T.vectorized(8):
        B[i] = T.Select(A[i] - C[i] > T.int16(0), A[i], C[i])

# ---- not of less
# A = 1, -2147483647, -2147483648, -1073741824, -7, -1, 27323705, 1063337879
# C = -7, -2147483647, 2147483647, -1073741824, -7, 1073741823, -938559251, -1329131966
# B -> 1, 1, 0, 1, 1, 0, 1, 1
def main(A: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32"), B: T.Buffer((8,), "bool")):
    for i in T.parallel(8):
        B[i] = not (A[i] < C[i])

# ---- and of bounds
# A = -7, 2147483646, 1073741824, 1, 2147483647, -2147483648, 2023413666, -12448856
# B -> 0, 0, 0, 0, 0, 0, 0, 0
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "bool")):
    for i in T.unroll(8):
        B[i] = A[i] < 5 and A[i] > 3

# ---- or of bounds that cover all
# A = 1, 85, 7, 255, 0, 127, 188, 99
# B -> 1, 1, 1, 1, 1, 1, 1, 1
def main(A: T.Buffer((8,), "uint8"), B: T.Buffer((8,), "bool")):
    for i in range(8):
        B[i] = A[i] < T.uint8(6) or A[i] >= T.uint8(5)

# ---- between, of a shifted number
# A = -7, 2147483646, 1, 0, -2147483648, -2147483647, 775143133, 1203036037
# B -> 0, 0, 0, 0, 0, 0, 0, 0
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "bool")):
    for i in range(8):
        B[i] = 0 <= A[i] - 100 and A[i] - 100 < 50

# ---- int32 to uint32 and a quotient
# A = -2147483647, -2147483648, 2147483646, -7, 0, 1, 480777810, 1175155132
# B -> 1073741824, 1073741824, 1073741823, 2147483644, 0, 0, 240388905, 587577566
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "uint32")):
    for i in T.vectorized(8):
        B[i] = T.Cast("uint32", A[i]) // T.uint32(2)

# ---- int32 to uint8, less
# A = 1073741824, 0, -2147483647, -1073741824, 2147483646, -7, 1413595157, -1184294062
# B -> 1, 1, 1, 1, 0, 0, 1, 1
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "bool")):
    for i in T.parallel(8):
        B[i] = T.Cast("uint8", A[i]) < T.uint8(128)

# ---- int64 through int32 and int16
# A = -4611686018427387904, 4611686018427387903, -1, 0, 4611686018427387904, 9223372036854775807, 378491622049481122, 4454654845383966862
# B -> 0, -1, -1, 0, 0, -1, -32350, -32626
def main(A: T.Buffer((8,), "int64"), B: T.Buffer((8,), "int64")):
    for i in T.unroll(8):
        B[i] = T.Cast("int64", T.Cast("int16", T.Cast("int32", A[i])))

# ---- uint8 through int8
# A = 127, 255, 0, 1, 7, 85, 68, 72
# B -> 254, -2, 0, 2, 14, 170, 136, 144
def main(A: T.Buffer((8,), "uint8"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = T.Cast("int32", T.Cast("int8", A[i])) * 2

# ---- int16 through uint16, remainder
# A = -32767, -32768, -1, 32766, 16384, 1, -30555, 15433
# B -> 769, 768, 535, 766, 384, 1, 981, 433
def main(A: T.Buffer((8,), "int16"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = T.Cast("int32", T.Cast("uint16", A[i])) % 1000

# ---- multiple through a narrow type
# A = 2147483646, -7, -2147483647, 1, 1073741823, 0, -530158205, 836601727
# B -> 0, 0, 0, 0, 0, 0, 0, 0
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in T.vectorized(8):
        B[i] = T.Cast("int32", T.Cast("int8", A[i] * 8)) % 8

# ---- multiple of three through a narrow type
# A = 0, -1, -7, -2147483647, 2147483647, -2147483648, -1287707287, 218022510
# B -> 0, 1, 1, 0, 1, 0, 2, 2
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in T.parallel(8):
        B[i] = T.Cast("int32", T.Cast("uint8", A[i] * 3)) % 3

# ---- to bool and back
# A = -32767, -7, -1, -16384, 32766, -32768, -14757, -31520
# B -> 5, 5, 5, 5, 5, 5, 5, 5
def main(A: T.Buffer((8,), "int16"), B: T.Buffer((8,), "int32")):
    for i in T.unroll(8):
        B[i] = T.Cast("int32", T.Cast("bool", A[i])) * 5

# ---- uint64 above int64, less
# A = 9223372036854775807, 0, 1, 0, 1, 7, 290225003270337578, 4201426767102869585
# B -> 1, 1, 1, 1, 1, 1, 1, 1
def main(A: T.Buffer((8,), "uint64"), B: T.Buffer((8,), "bool")):
    for i in range(8):
        B[i] = A[i] < T.uint64(9223372036854775808)

# ---- uint64 to int64
# A = 0, 18446744073709551615, 18446744073709551614, 7, 6148914691236517205, 18446744073709551609, 3594483087305414717, 3905757688475238909
# B -> 0, -1, -1, 2, 2049638230412172401, -3, 1198161029101804905, 1301919229491746303
def main(A: T.Buffer((8,), "uint64"), B: T.Buffer((8,), "int64")):
    for i in range(8):
        B[i] = T.Cast("int64", A[i]) // T.int64(3)

# ---- shifted to the left and back
# A = -7, 2147483647, 1, 1073741824, 2147483646, -1, 1901592860, -2492180
# B -> -7, -1, 1, 0, -2, -1, 22544668, -2492180
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in T.vectorized(8):
        B[i] = T.shift_right(T.shift_left(A[i], 4), 4)

# ---- shifted to the right, of uint16
# A = 1, 7, 1, 65534, 65535, 32767, 23438, 7027
# B -> 0, 0, 0, 1, 1, 0, 0, 0
def main(A: T.Buffer((8,), "uint16"), B: T.Buffer((8,), "uint16")):
    for i in T.parallel(8):
        B[i] = T.shift_right(A[i], T.uint16(15))

# ---- shifted to the right, of int8, and a quotient
# A = 0, 63, 127, 1, -127, -64, -114, -55
# B -> 1, 1, 1, 1, 1, 1, 1, 1
def main(A: T.Buffer((8,), "int8"), B: T.Buffer((8,), "bool")):
    for i in T.unroll(8):
        B[i] = T.shift_right(A[i], T.int8(3)) == A[i] // T.int8(8)

# ---- and with a power, as a remainder
# A = -2147483648, 2147483647, 0, -2147483647, -7, -1, 1353358769, 156562471
# B -> 1, 1, 1, 1, 1, 1, 1, 1
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "bool")):
    for i in range(8):
        B[i] = T.bitwise_and(A[i], 15) == A[i] % 16

# ---- exclusive or twice
# A = 4611686018427387903, -1, 0, 1, 9223372036854775807, -9223372036854775807, 1551716693150141324, -4284889118596512398
# B -> 4611686018427387903, -1, 0, 1, 9223372036854775807, -9223372036854775807, 1551716693150141324, -4284889118596512398
def main(A: T.Buffer((8,), "int64"), B: T.Buffer((8,), "int64")):
    for i in range(8):
        B[i] = T.bitwise_xor(T.bitwise_xor(A[i], T.int64(-6148914691236517206)), T.int64(-6148914691236517206))

# ---- not as a difference
# A = 32767, 1, -32767, -16384, 0, -7, 20641, 10827
# B -> 1, 1, 1, 1, 1, 1, 1, 1
def main(A: T.Buffer((8,), "int16"), B: T.Buffer((8,), "bool")):
    for i in T.vectorized(8):
        B[i] = T.bitwise_not(A[i]) == T.int16(-1) - A[i]

# ---- or at least
# A = 128, 85, 0, 255, 254, 1, 137, 35
# C = 255, 85, 127, 249, 254, 0, 190, 140
# B -> 1, 1, 1, 1, 1, 1, 1, 1
def main(A: T.Buffer((8,), "uint8"), C: T.Buffer((8,), "uint8"), B: T.Buffer((8,), "bool")):
    for i in T.parallel(8):
        B[i] = T.bitwise_or(A[i], C[i]) >= A[i]

# ---- with an index: product and quotient
# A = 1, 1073741824, 2147483647, -1073741824, 0, -7, 1631481276, 792414502
# B -> 1, -1073741824, -1, -1073741824, 0, -7, -516002372, 792414502
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in T.unroll(8):
        B[i] = (A[i] + i) * 2 // 2 - i

# ---- with an index: remainder of a sum
# A = 1, -7, -1, 0, 1073741824, -2147483647, 1753309693, -1646503076
# B -> 1, 1, 3, 0, 0, 1, 1, 0
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = (A[i] + i * 4) % 4

# ---- with an index: quotient of a sum
# A = -1, 0, 1, -2147483647, 1073741824, 2147483646, 1820434781, 817979413
# B -> -1, 0, 1, 1, 1, -1, -327048866, -255762410
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = (A[i] * 4 + i) // 4

# ---- with an index: compared
# A = 2147483646, 0, -2147483647, 1073741823, -7, 1073741824, -2074558377, 1850876290
# B -> 1, 1, 1, 1, 1, 1, 1, 1
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "bool")):
    for i in T.vectorized(8):
        B[i] = A[i] + i >= A[i]

# ---- with an index: less than a multiple
# A = 1073741823, 2147483646, -7, 1, -1, 1073741824, 584033046, 1060855638
# B -> 1, 1, 1, 0, 1, 1, 0, 1
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "bool")):
    for i in T.parallel(8):
        B[i] = A[i] * 8 + i < 8

# ---- with an index: maximum
# A = 0, 1073741823, -1, 1, -7, -1073741824, 449013640, -1022082660
# B -> 0, 2147483647, 0, 5, -10, -2147483643, 898027286, -2044165313
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in T.unroll(8):
        B[i] = T.max(A[i] * 2 + i, A[i] * 2)

# ---- with an index: of a narrow type
# A = 127, 254, 1, 128, 0, 1, 225, 46
# B -> 127, 254, 1, 128, 0, 1, 225, 46
def main(A: T.Buffer((8,), "uint8"), B: T.Buffer((8,), "uint8")):
    for i in range(8):
        B[i] = A[i] + T.Cast("uint8", i * 40) - T.Cast("uint8", i * 40)

# ---- with an index: cast, then multiplied
# A = -1, 63, 127, -128, -7, 64, -58, 126
# B -> -1, -43, -85, 66, 81, 46, 74, -104
def main(A: T.Buffer((8,), "int8"), B: T.Buffer((8,), "int8")):
    for i in range(8):
        B[i] = T.Cast("int8", i * 50) * T.int8(3) + A[i]

# ---- factors taken out
# A = 2147483647, -7, -2147483647, -2147483648, 1073741824, -1, 1242466817, -1806374440
# C = -7, 1073741824, 0, 1073741823, -2147483647, -1, -1236057257, -286146404
# B -> -17, -21, 3, -2, -1073741822, -5, -892197711, 451034816
def main(A: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in T.vectorized(8):
        B[i] = (A[i] * 6 + C[i] * 4) // 2

# ---- factors taken out of a remainder
# A = -2147483648, -1, 2147483647, -1073741824, 0, 1073741824, -2144940833, -1469672462
# C = 1073741824, -1, 2147483646, 1, 0, -2147483647, 903424748, -1527605396
# B -> 0, 2, 2, 0, 0, 0, 2, 0
def main(A: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in T.parallel(8):
        B[i] = (A[i] * 6 + C[i] * 4) % 4

# ---- common summand
# A = 1, 16383, -32768, -7, 32767, -16384, -29862, -31991
# C = 16383, -1, -7, 16384, -16384, 32766, -29729, 8687
# B -> 0, 1, 0, 0, 0, 0, 0, 0
def main(A: T.Buffer((8,), "int16"), C: T.Buffer((8,), "int16"), B: T.Buffer((8,), "bool")):
    for i in T.unroll(8):
        B[i] = A[i] + C[i] < A[i] + T.int16(1)

# ---- quotient less than
# A = 1, 9223372036854775807, 4611686018427387904, -1, -7, -9223372036854775808, 2362003828253390089, -4024649860316125431
# B -> 1, 1, 1, 1, 1, 1, 1, 1
def main(A: T.Buffer((8,), "int64"), B: T.Buffer((8,), "bool")):
    for i in range(8):
        B[i] = A[i] // T.int64(1099511627776) < T.int64(1099511627776)

# ---- truncated quotient equal to
# A = 4294967295, 0, 2147483648, 4294967294, 0, 1, 3123227242, 2388952059
# C = 7, 1, 1431655765, 0, 0, 1, 527003908, 2353115461
# B -> 0, 1, 0, 0, 1, 1, 0, 0
def main(A: T.Buffer((8,), "uint32"), C: T.Buffer((8,), "uint32"), B: T.Buffer((8,), "bool")):
    for i in range(8):
        B[i] = T.truncdiv(A[i], T.uint32(65536)) == T.truncdiv(C[i], T.uint32(65536))

# ---- uint32: quotient by 65536 and by 65537
# A = 4294967295, 65537, 65535
# B -> 0, 0, 0
def main(A: T.Buffer((3,), "uint32"), B: T.Buffer((3,), "uint32")):
    for i in range(3):
        B[i] = A[i] // T.uint32(65536) // T.uint32(65537)
