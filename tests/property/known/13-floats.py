# Floats of three types; the numbers are those of NumPy, which rounds after each operation.

# ---- float16: x minus x
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 30000.0, 6.002187728881836e-05, 0.0999755859375
# B -> nan, nan, nan, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
def main(A: T.Buffer((10,), "float16"), B: T.Buffer((10,), "float16")):
    for i in range(10):
        B[i] = A[i] - A[i]

# ---- float64: x over x
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 30000.0, 6e-05, 0.1
# B -> nan, nan, nan, nan, nan, 1.0, 1.0, 1.0, 1.0, 1.0
def main(A: T.Buffer((10,), "float64"), B: T.Buffer((10,), "float64")):
    for i in T.vectorized(10):
        B[i] = A[i] / A[i]

# ---- float16: zero times x
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 30000.0, 6.002187728881836e-05, 0.0999755859375
# B -> nan, nan, nan, 0.0, -0.0, 0.0, -0.0, 0.0, 0.0, 0.0
def main(A: T.Buffer((10,), "float16"), B: T.Buffer((10,), "float16")):
    for i in T.parallel(10):
        B[i] = T.float16(0) * A[i]

# ---- float64: sum minus summand
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 30000.0, 6e-05, 0.1
# C = 1.0, inf, 2.0, -0.0, 0.0, nan, -1.5, 30000.0, -30000.0, 0.3
# B -> nan, nan, -inf, 0.0, 0.0, nan, -1.5, 30000.0, 5.999999848427251e-05, 0.10000000000000003
def main(A: T.Buffer((10,), "float64"), C: T.Buffer((10,), "float64"), B: T.Buffer((10,), "float64")):
    for i in T.unroll(10):
        B[i] = A[i] + C[i] - C[i]

# ---- float16: sum minus summand, overflow
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 30000.0, 6.002187728881836e-05, 0.0999755859375
# C = 1.0, inf, 2.0, -0.0, 0.0, nan, -1.5, 30000.0, -30000.0, 0.300048828125
# B -> nan, nan, -inf, 0.0, 0.0, nan, -1.5, 30000.0, 0.0, 0.099853515625
def main(A: T.Buffer((10,), "float16"), C: T.Buffer((10,), "float16"), B: T.Buffer((10,), "float16")):
    for i in range(10):
        B[i] = A[i] + C[i] - C[i]

# ---- float32: product and quotient
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 30000.0, 5.999999848427251e-05, 0.10000000149011612
# C = 1.0, inf, 2.0, -0.0, 0.0, nan, -1.5, 30000.0, -30000.0, 0.30000001192092896
# B -> nan, nan, -inf, nan, nan, nan, -1.5, 30000.0, 5.999999848427251e-05, 0.10000000149011612
def main(A: T.Buffer((10,), "float32"), C: T.Buffer((10,), "float32"), B: T.Buffer((10,), "float32")):
    for i in T.vectorized(10):
        B[i] = A[i] * C[i] / C[i]

# ---- float64: not less
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 30000.0, 6e-05, 0.1
# C = 1.0, inf, 2.0, -0.0, 0.0, nan, -1.5, 30000.0, -30000.0, 0.3
# B -> 1, 1, 0, 1, 1, 1, 1, 1, 1, 0
def main(A: T.Buffer((10,), "float64"), C: T.Buffer((10,), "float64"), B: T.Buffer((10,), "bool")):
    for i in T.parallel(10):
        B[i] = not (A[i] < C[i])

# ---- float16: not at least
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 30000.0, 6.002187728881836e-05, 0.0999755859375
# C = 1.0, inf, 2.0, -0.0, 0.0, nan, -1.5, 30000.0, -30000.0, 0.300048828125
# B -> 1, 0, 1, 0, 0, 1, 0, 0, 0, 1
def main(A: T.Buffer((10,), "float16"), C: T.Buffer((10,), "float16"), B: T.Buffer((10,), "bool")):
    for i in T.unroll(10):
        B[i] = not (A[i] >= C[i])

# ---- float32: less or at least
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 30000.0, 5.999999848427251e-05, 0.10000000149011612
# C = 1.0, inf, 2.0, -0.0, 0.0, nan, -1.5, 30000.0, -30000.0, 0.30000001192092896
# B -> 0, 1, 1, 1, 1, 0, 1, 1, 1, 1
def main(A: T.Buffer((10,), "float32"), C: T.Buffer((10,), "float32"), B: T.Buffer((10,), "bool")):
    for i in range(10):
        B[i] = A[i] < C[i] or A[i] >= C[i]

# ---- float64: equal to itself
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 30000.0, 6e-05, 0.1
# B -> 0, 1, 1, 1, 1, 1, 1, 1, 1, 1
def main(A: T.Buffer((10,), "float64"), B: T.Buffer((10,), "bool")):
    for i in T.vectorized(10):
        B[i] = A[i] == A[i]

# ---- float16: unequal to itself
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 30000.0, 6.002187728881836e-05, 0.0999755859375
# B -> 1, 0, 0, 0, 0, 0, 0, 0, 0, 0
def main(A: T.Buffer((10,), "float16"), B: T.Buffer((10,), "bool")):
    for i in T.parallel(10):
        B[i] = A[i] != A[i]

# ---- float32: less than its successor
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 30000.0, 5.999999848427251e-05, 0.10000000149011612
# B -> 0, 0, 0, 1, 1, 1, 1, 1, 1, 1
def main(A: T.Buffer((10,), "float32"), B: T.Buffer((10,), "bool")):
    for i in T.unroll(10):
        B[i] = A[i] < A[i] + T.float32(1)

# ---- float64: maximum
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 30000.0, 6e-05, 0.1
# C = 1.0, inf, 2.0, -0.0, 0.0, nan, -1.5, 30000.0, -30000.0, 0.3
# B -> nan, inf, 2.0, -0.0, 0.0, nan, -1.5, 30000.0, 6e-05, 0.3
def main(A: T.Buffer((10,), "float64"), C: T.Buffer((10,), "float64"), B: T.Buffer((10,), "float64")):
    for i in range(10):
        B[i] = T.max(A[i], C[i])

# ---- float16: minimum
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 30000.0, 6.002187728881836e-05, 0.0999755859375
# C = 1.0, inf, 2.0, -0.0, 0.0, nan, -1.5, 30000.0, -30000.0, 0.300048828125
# B -> nan, inf, -inf, -0.0, 0.0, nan, -1.5, 30000.0, -30000.0, 0.0999755859375
def main(A: T.Buffer((10,), "float16"), C: T.Buffer((10,), "float16"), B: T.Buffer((10,), "float16")):
    for i in T.vectorized(10):
        B[i] = T.min(A[i], C[i])

# ---- float32: maximum of maximum
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 30000.0, 5.999999848427251e-05, 0.10000000149011612
# C = 1.0, inf, 2.0, -0.0, 0.0, nan, -1.5, 30000.0, -30000.0, 0.30000001192092896
# B -> nan, inf, 2.0, 1.0, 1.0, nan, 1.0, 30000.0, 1.0, 1.0
def main(A: T.Buffer((10,), "float32"), C: T.Buffer((10,), "float32"), B: T.Buffer((10,), "float32")):
    for i in T.parallel(10):
        B[i] = T.max(T.max(A[i], T.float32(1)), C[i])

# ---- float64: minimum of a maximum with the same
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 30000.0, 6e-05, 0.1
# C = 1.0, inf, 2.0, -0.0, 0.0, nan, -1.5, 30000.0, -30000.0, 0.3
# B -> nan, inf, -inf, 0.0, -0.0, nan, -1.5, 30000.0, 6e-05, 0.1
def main(A: T.Buffer((10,), "float64"), C: T.Buffer((10,), "float64"), B: T.Buffer((10,), "float64")):
    for i in T.unroll(10):
        B[i] = T.min(T.max(A[i], C[i]), A[i])

# ---- float32: select by less, the same as the maximum but for NaN
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 30000.0, 5.999999848427251e-05, 0.10000000149011612
# C = 1.0, inf, 2.0, -0.0, 0.0, nan, -1.5, 30000.0, -30000.0, 0.30000001192092896
# B -> nan, inf, 2.0, 0.0, -0.0, 1.0, -1.5, 30000.0, 5.999999848427251e-05, 0.30000001192092896
def main(A: T.Buffer((10,), "float32"), C: T.Buffer((10,), "float32"), B: T.Buffer((10,), "float32")):
    for i in range(10):
        B[i] = T.Select(A[i] < C[i], C[i], A[i])

# ---- float64: double a half
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 30000.0, 6e-05, 0.1
# B -> nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 30000.0, 6e-05, 0.1
def main(A: T.Buffer((10,), "float64"), B: T.Buffer((10,), "float64")):
    for i in T.vectorized(10):
        B[i] = A[i] * T.float64(0.5) + A[i] * T.float64(0.5)

# ---- float32: a third times three
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 30000.0, 5.999999848427251e-05, 0.10000000149011612
# C = 1.0, inf, 2.0, -0.0, 0.0, nan, -1.5, 30000.0, -30000.0, 0.30000001192092896
# B -> nan, nan, nan, 0.0, 0.0, nan, -3.0, 60000.0, -60000.0, 0.6000000238418579
def main(A: T.Buffer((10,), "float32"), C: T.Buffer((10,), "float32"), B: T.Buffer((10,), "float32")):
    for i in T.parallel(10):
        B[i] = (A[i] + C[i]) * T.float32(2) - A[i] * T.float32(2)

# ---- float16: negated twice
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 30000.0, 6.002187728881836e-05, 0.0999755859375
# B -> nan, inf, -inf, 0.0, 0.0, 1.0, -1.5, 30000.0, 6.002187728881836e-05, 0.0999755859375
def main(A: T.Buffer((10,), "float16"), B: T.Buffer((10,), "float16")):
    for i in T.unroll(10):
        B[i] = T.float16(0) - (T.float16(0) - A[i])

# ---- float64: minus one times
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 30000.0, 6e-05, 0.1
# B -> nan, -inf, inf, -0.0, 0.0, -1.0, 1.5, -30000.0, -6e-05, -0.1
def main(A: T.Buffer((10,), "float64"), B: T.Buffer((10,), "float64")):
    for i in range(10):
        B[i] = A[i] * T.float64(-1)

# ---- float32: over a number that is no normal one
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 30000.0, 5.999999848427251e-05, 0.10000000149011612
# B -> nan, inf, -inf, 0.0, -0.0, inf, -inf, inf, 5.999998759982825e+34, 9.999997652044732e+37
def main(A: T.Buffer((10,), "float32"), B: T.Buffer((10,), "float32")):
    for i in T.vectorized(10):
        B[i] = A[i] / T.float32(1e-39)

# ---- float64: over the least number
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 30000.0, 6e-05, 0.1
# B -> nan, inf, -inf, 0.0, -0.0, inf, -inf, inf, inf, inf
def main(A: T.Buffer((10,), "float64"), B: T.Buffer((10,), "float64")):
    for i in T.parallel(10):
        B[i] = A[i] / T.float64(5e-324)

# ---- float32: difference at least zero
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 30000.0, 5.999999848427251e-05, 0.10000000149011612
# C = 1.0, inf, 2.0, -0.0, 0.0, nan, -1.5, 30000.0, -30000.0, 0.30000001192092896
# B -> 0, 0, 0, 1, 1, 0, 1, 1, 1, 0
def main(A: T.Buffer((10,), "float32"), C: T.Buffer((10,), "float32"), B: T.Buffer((10,), "bool")):
    for i in T.unroll(10):
        B[i] = A[i] - C[i] >= T.float32(0)

# ---- float64: difference equal to zero
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 30000.0, 6e-05, 0.1
# C = 1.0, inf, 2.0, -0.0, 0.0, nan, -1.5, 30000.0, -30000.0, 0.3
# B -> 0, 0, 0, 1, 1, 0, 1, 1, 0, 0
def main(A: T.Buffer((10,), "float64"), C: T.Buffer((10,), "float64"), B: T.Buffer((10,), "bool")):
    for i in range(10):
        B[i] = A[i] - C[i] == T.float64(0)

# ---- float32: twice less than twice
# A = nan, inf, -inf, 0.0, -0.0, 1.0, -1.5, 30000.0, 5.999999848427251e-05, 0.10000000149011612
# C = 1.0, inf, 2.0, -0.0, 0.0, nan, -1.5, 30000.0, -30000.0, 0.30000001192092896
# B -> 0, 0, 1, 0, 0, 0, 0, 0, 0, 1
def main(A: T.Buffer((10,), "float32"), C: T.Buffer((10,), "float32"), B: T.Buffer((10,), "bool")):
    for i in T.vectorized(10):
        B[i] = A[i] * T.float32(2) < C[i] * T.float32(2)
