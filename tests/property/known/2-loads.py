# What a condition or an assertion says of a load ends at a store.

# ---- a store through another index
# A = 1, 2
# A -> 9, 9
# B -> 9
def main(A: T.Buffer((2,), "int32"), B: T.Buffer((1,), "int32")):
    for k in range(1, 2):
        if A[0] < 5:
            A[1 - k] = 9
            A[k] = 9
            B[0] = T.max(A[0], 5)

# ---- two conditions, the second behind the store
# A = 3
# A -> 4
# B -> 2
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((1,), "int32")):
    if A[0] == 3:
        A[0] = A[0] + 1
        if A[0] == 3:
            B[0] = 1
        else:
            B[0] = 2

# ---- else branch knows the opposite until it stores
# A = 7
# A -> 0
# B -> 0
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((1,), "int32")):
    if A[0] < 5:
        B[0] = 1
    else:
        A[0] = A[0] - 7
        B[0] = T.max(A[0], 0)

# ---- store inside a loop, condition outside
# A = 0
# A -> 6
# B -> 0, 0, 0, 1, 1, 1
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((6,), "int32")):
    if A[0] < 3:
        for k in range(6):
            B[k] = T.if_then_else(A[0] < 3, 0, 1)
            A[0] = A[0] + 1

# ---- store in a branch of the loop before the question
# A = 0
# A -> 1
# B -> 0, 0, 1, 1
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((4,), "int32")):
    for k in range(4):
        if k == 2:
            A[0] = 1
        B[k] = A[0]

# ---- a scalar keeps the value before the store
# A = 5
# A -> 10
# B -> 5, 10
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((2,), "int32")):
    s: T.int32 = A[0]
    A[0] = s * 2
    B[0] = s
    B[1] = A[0]

# ---- a scalar in a condition, then its source is stored to
# A = 2
# A -> 50
# B -> 2, 50
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((2,), "int32")):
    s: T.int32 = A[0]
    if s < 5:
        A[0] = 50
        B[0] = T.min(s, 5)
        B[1] = T.min(A[0], 100)

# ---- an assertion, then a loop that stores
# A = 1, 1, 1
# A -> 7, 7, 7
# B -> 7
def main(A: T.Buffer((3,), "int32"), B: T.Buffer((1,), "int32")):
    assert A[2] < 5, "small"
    for k in range(3):
        A[k] = 7
    B[0] = T.max(A[2], 5)

# ---- assertion of equality
# A = 3
# A -> -4
# B -> -4
def main(A: T.Buffer((1,), "int8"), B: T.Buffer((1,), "int8")):
    assert A[0] == T.int8(3), "three"
    A[0] = A[0] - T.int8(7)
    B[0] = A[0]

# ---- a while loop changes what it asks
# A = 0
# A -> 4
# B -> 4
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((1,), "int32")):
    while A[0] < 4:
        A[0] = A[0] + 1
    B[0] = T.max(A[0], 2)

# ---- a while loop stores what the condition around it says
# A = 1
# W = 0
# A -> 11
# W -> 2
# B -> 11
def main(A: T.Buffer((1,), "int32"), W: T.Buffer((1,), "int32"), B: T.Buffer((1,), "int32")):
    if A[0] < 6:
        while W[0] < 2:
            W[0] = W[0] + 1
            A[0] = A[0] + 5
        B[0] = T.max(A[0], 6)

# ---- a vector store over what is known of one element
# A = 1, 2, 3, 4
# A -> 8, 8, 8, 8
# B -> 8
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((1,), "int32")):
    if A[2] < 5:
        A[0:4] = T.Broadcast(8, 4)
        B[0] = T.max(A[2], 5)

# ---- the same load twice in one expression, a store between statements
# A = 1
# A -> 2
# B -> 0, 1
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((2,), "int32")):
    B[0] = T.if_then_else(A[0] == 2, 1, 0)
    A[0] = 2
    B[1] = T.if_then_else(A[0] == 2, 1, 0)

# ---- stores into another array end nothing
# A = 1
# B -> 10, 5
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((2,), "int32")):
    if A[0] < 5:
        B[0] = 10
        B[1] = T.max(A[0], 5)

# ---- extent of a loop loaded, then stored to inside
# A = 3
# A -> 0
# B -> 3, 2, 1, 77
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((4,), "int32")):
    for k in range(A[0]):
        B[k] = T.if_then_else(A[0] > 0, A[0], -1)
        A[0] = A[0] - 1

# ---- two loads compared with each other
# A = 1, 2
# A -> 3, 2
# B -> 3, 2
def main(A: T.Buffer((2,), "int32"), B: T.Buffer((2,), "int32")):
    if A[0] < A[1]:
        A[0] = 3
        B[0] = T.max(A[0], A[1])
        B[1] = T.min(A[0], A[1])

# ---- a bool array asked twice
# A = 1
# A -> 0
# B -> 2
def main(A: T.Buffer((1,), "bool"), B: T.Buffer((1,), "int32")):
    if A[0]:
        A[0] = T.bool(False)
        if A[0]:
            B[0] = 1
        else:
            B[0] = 2

# ---- a float compared, then made NaN
# A = 1.0
# A -> nan
# B -> 2
def main(A: T.Buffer((1,), "float32"), B: T.Buffer((1,), "int32")):
    if A[0] < T.float32(2):
        A[0] = T.float32("nan")
        if A[0] < T.float32(2):
            B[0] = 1
        else:
            B[0] = 2

# ---- remainder known of a load, then stored to
# A = 8
# A -> 9
# B -> 0, 1
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((2,), "int32")):
    if A[0] % 4 == 0:
        B[0] = A[0] % 2
        A[0] = A[0] + 1
        B[1] = A[0] % 2

# ---- a block that stores between question and use
# A = 2, 0, 0, 0
# A -> 5, 6, 7, 8
# B -> 5
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((1,), "int32")):
    if A[0] < 4:
        for k in range(4):
            with T.block("S"):
                v = T.axis.spatial(4, k)
                A[v] = v + 5
        B[0] = T.max(A[0], 4)

# ---- parallel loop stores what was asked
# A = 2, 2, 2, 2
# A -> 0, 3, 6, 9
# B -> 9
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((1,), "int32")):
    if A[3] == 2:
        for k in T.parallel(4):
            A[k] = k * 3
        B[0] = A[3]

# ---- condition and store with an index of a loop
# A = 9, 1, 9, 1
# A -> 9, 20, 9, 20
# B -> 0, 20, 0, 20
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for k in range(4):
        B[k] = 0
        if A[k] < 5:
            A[k] = 20
            B[k] = T.max(A[k], 5)

# ---- a loop is not cut where its body changes the condition
# A = 5
# B = 0, 0, 0, 0, 0, 0, 0, 0
# A -> 2
# B -> 1, 1, 0, 0, 0, 0, 0, 0
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        if T.likely(i < A[0]):
            B[i] = B[i] + 1
            A[0] = 2

# ---- nor where what a loop inside of it goes over is changed
# A = 2
# B = 0, 0, 0, 0, 0, 0, 0, 0
# A -> 3
# B -> 1, 1, 1, 1, 1, 1, 1, 0
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(4):
        for j in range(A[0]):
            if T.likely(i * 2 + j < 7):
                B[i * 2 + j] = 1
        if i == 2:
            A[0] = 3

# ---- nor where the condition has a name that is given inside
# A = 3, 1, 4, 1, 5, 9, 2, 6
# B = 0, 0, 0, 0, 0, 0, 0, 0
# B -> 1, 0, 1, 0, 1, 1, 0, 0
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.LetStmt(A[i]) as v:
            if T.likely(i < v):
                B[i] = 1
