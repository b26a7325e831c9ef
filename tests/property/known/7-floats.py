# Floats are those of IEEE 754: NaN, infinities, order of sums, both zeros.

# ---- x - x
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 9.999999680285692e+37, 9.99994610111476e-41
# B -> nan, nan, nan, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
def main(A: T.Buffer((9,), "float32"), B: T.Buffer((9,), "float32")):
    for i in range(9):
        B[i] = A[i] - A[i]

# ---- x / x
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 9.999999680285692e+37, 9.99994610111476e-41
# B -> nan, nan, nan, nan, nan, 1.0, 1.0, 1.0, 1.0
def main(A: T.Buffer((9,), "float32"), B: T.Buffer((9,), "float32")):
    for i in range(9):
        B[i] = A[i] / A[i]

# ---- zero times x
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 9.999999680285692e+37, 9.99994610111476e-41
# B -> nan, nan, nan, 0.0, -0.0, 0.0, -0.0, 0.0, 0.0
def main(A: T.Buffer((9,), "float32"), B: T.Buffer((9,), "float32")):
    for i in range(9):
        B[i] = T.float32(0) * A[i]

# ---- x plus zero
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 9.999999680285692e+37, 9.99994610111476e-41
# B -> nan, inf, -inf, 0.0, 0.0, 1.0, -1.5, 9.999999680285692e+37, 9.99994610111476e-41
def main(A: T.Buffer((9,), "float32"), B: T.Buffer((9,), "float32")):
    for i in range(9):
        B[i] = A[i] + T.float32(0)

# ---- a common factor
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 9.999999680285692e+37, 9.99994610111476e-41
# B -> nan, nan, nan, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
def main(A: T.Buffer((9,), "float32"), B: T.Buffer((9,), "float32")):
    for i in range(9):
        B[i] = A[i] * T.float32(3) + A[i] * T.float32(-3)

# ---- x - y + y
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 9.999999680285692e+37, 9.99994610111476e-41
# C = 1.0, 1.0, 1.0, 10000000000.0, 10000000000.0, 10000000000.0, 1.000000013351432e-10, 9.999999680285692e+37, 1.0
# B -> nan, inf, -inf, 0.0, 0.0, 0.0, -1.5, 9.999999680285692e+37, 0.0
def main(A: T.Buffer((9,), "float32"), C: T.Buffer((9,), "float32"), B: T.Buffer((9,), "float32")):
    for i in range(9):
        B[i] = A[i] - C[i] + C[i]

# ---- max with one, left
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 9.999999680285692e+37, 9.99994610111476e-41
# B -> nan, inf, 1.0, 1.0, 1.0, 1.0, 1.0, 9.999999680285692e+37, 1.0
def main(A: T.Buffer((9,), "float32"), B: T.Buffer((9,), "float32")):
    for i in range(9):
        B[i] = T.max(T.float32(1), A[i])

# ---- min with one, right
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 9.999999680285692e+37, 9.99994610111476e-41
# B -> nan, 1.0, -inf, 0.0, -0.0, 1.0, -1.5, 1.0, 9.99994610111476e-41
def main(A: T.Buffer((9,), "float32"), B: T.Buffer((9,), "float32")):
    for i in range(9):
        B[i] = T.min(A[i], T.float32(1))

# ---- max of min
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 9.999999680285692e+37, 9.99994610111476e-41
# B -> nan, 1.0, -1.0, 0.0, -0.0, 1.0, -1.0, 1.0, 9.99994610111476e-41
def main(A: T.Buffer((9,), "float32"), B: T.Buffer((9,), "float32")):
    for i in range(9):
        B[i] = T.max(T.min(A[i], T.float32(1)), T.float32(-1))

# ---- x < x and its opposite
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 9.999999680285692e+37, 9.99994610111476e-41
# B -> 2, 2, 2, 2, 2, 2, 2, 2, 2
def main(A: T.Buffer((9,), "float32"), B: T.Buffer((9,), "int32")):
    for i in range(9):
        B[i] = T.Cast("int32", A[i] < A[i]) + T.Cast("int32", T.Not(A[i] < A[i])) * 2

# ---- not greater is not at most
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 9.999999680285692e+37, 9.99994610111476e-41
# B -> 12, 22, 11, 11, 11, 22, 11, 22, 22
def main(A: T.Buffer((9,), "float32"), B: T.Buffer((9,), "int32")):
    for i in range(9):
        B[i] = T.if_then_else(T.Not(A[i] > T.float32(0)), 1, 2) * 10 + T.if_then_else(A[i] <= T.float32(0), 1, 2)

# ---- not equal
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 9.999999680285692e+37, 9.99994610111476e-41
# B -> 1, 0, 0, 0, 0, 0, 0, 0, 0
def main(A: T.Buffer((9,), "float32"), B: T.Buffer((9,), "int32")):
    for i in range(9):
        B[i] = T.Cast("int32", A[i] != A[i])

# ---- nested conditions of both ways
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 9.999999680285692e+37, 9.99994610111476e-41
# B -> 3, 2, 1, 2, 2, 2, 1, 2, 2
def main(A: T.Buffer((9,), "float32"), B: T.Buffer((9,), "int32")):
    for i in range(9):
        B[i] = T.if_then_else(A[i] < T.float32(0), 1, T.if_then_else(A[i] >= T.float32(0), 2, 3))

# ---- two bounds joined
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 9.999999680285692e+37, 9.99994610111476e-41
# B -> 0, 1, 1, 1, 1, 1, 1, 1, 1
def main(A: T.Buffer((9,), "float32"), B: T.Buffer((9,), "int32")):
    for i in range(9):
        B[i] = T.Cast("int32", A[i] <= T.float32(1) or A[i] > T.float32(1))

# ---- division by a power of two
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 9.999999680285692e+37, 9.99994610111476e-41
# B -> nan, inf, -inf, 0.0, -0.0, 2.0, -3.0, 1.9999999360571385e+38, 1.999989220222952e-40
def main(A: T.Buffer((9,), "float32"), B: T.Buffer((9,), "float32")):
    for i in range(9):
        B[i] = A[i] / T.float32(0.5)

# ---- division by a tiny number
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 9.999999680285692e+37, 9.99994610111476e-41
# B -> nan, inf, -inf, 0.0, -0.0, inf, -inf, inf, 1.0
def main(A: T.Buffer((9,), "float32"), B: T.Buffer((9,), "float32")):
    for i in range(9):
        B[i] = A[i] / T.float32(1e-40)

# ---- division by zero of both signs
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 9.999999680285692e+37, 9.99994610111476e-41
# B -> nan, inf, -inf, nan, nan, inf, -inf, inf, inf
def main(A: T.Buffer((9,), "float32"), B: T.Buffer((9,), "float32")):
    for i in range(9):
        B[i] = A[i] / T.float32(0) - A[i] / T.float32(-0.0)

# ---- a sum in two orders
# A = 100000000.0, 100000000.0, 5.0, inf, nan
# C = 1.0, 3.0, 100000000.0, -inf, 1.0
# B -> 0.0, 0.0, 8.0, nan, nan
def main(A: T.Buffer((5,), "float32"), C: T.Buffer((5,), "float32"), B: T.Buffer((5,), "float32")):
    for i in range(5):
        B[i] = (A[i] + C[i]) + T.float32(-1e8)

# ---- product of products
# A = 1.0000000200408773e+20, 1.0, 0.0, inf, nan, 1.0000000031710769e-30
# B -> inf, 1.0, 0.0, inf, nan, 1.0000000031710769e-30
def main(A: T.Buffer((6,), "float32"), B: T.Buffer((6,), "float32")):
    for i in range(6):
        B[i] = A[i] * T.float32(1e30) * T.float32(1e-30)

# ---- negated difference
# A = 1.0, inf, nan, 3.0, 5.0
# C = 1.0, inf, 1.0, 2.0, 7.0
# B -> 0.0, nan, nan, -1.0, 2.0
def main(A: T.Buffer((5,), "float32"), C: T.Buffer((5,), "float32"), B: T.Buffer((5,), "float32")):
    for i in range(5):
        B[i] = T.float32(0) - (A[i] - C[i])

# ---- float64 cancels
# A = 1e+16, 1.0, inf, nan, -1e+17
# B -> 0.0, 1.0, nan, nan, 0.0
def main(A: T.Buffer((5,), "float64"), B: T.Buffer((5,), "float64")):
    for i in range(5):
        B[i] = (A[i] + T.float64(1)) - A[i]

# ---- float16 overflows
# A = 60000.0, 1.0, nan, inf, 0.00010001659393310547
# B -> inf, 1.0, nan, inf, 0.00010001659393310547
def main(A: T.Buffer((5,), "float16"), B: T.Buffer((5,), "float16")):
    for i in range(5):
        B[i] = A[i] * T.float16(2) * T.float16(0.5)

# ---- select on NaN
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 9.999999680285692e+37, 9.99994610111476e-41
# B -> 7.0, inf, -inf, 0.0, -0.0, 2.0, -3.0, 1.9999999360571385e+38, 1.999989220222952e-40
def main(A: T.Buffer((9,), "float32"), B: T.Buffer((9,), "float32")):
    for i in range(9):
        B[i] = T.Select(A[i] == A[i], A[i] * T.float32(2), T.float32(7))

# ---- a condition that names the value
# A = 0.0, 1.0, nan, inf
# B -> inf, 1.0, nan, inf
def main(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = T.if_then_else(A[i] == T.float32(0), T.float32(1) / A[i], A[i])

# ---- sqrt, floor and abs
# A = 4.0, nan, 0.0, 9.0, -1.0, inf, 2.25
# B -> 6.0, nan, 0.0, 12.0, nan, nan, 3.75
def main(A: T.Buffer((7,), "float32"), B: T.Buffer((7,), "float32")):
    for i in range(7):
        B[i] = T.sqrt(A[i]) + T.floor(A[i]) * T.float32(0) + T.fabs(A[i])
