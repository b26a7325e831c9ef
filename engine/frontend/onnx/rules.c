/* onnx/rules: the rules that one line can say, in the language of fx/rule-text.c: parameters are the inputs and then the attributes. */
#include "engine/frontend/onnx/onnx-private.h"

#define UNARY(name, op) name " (X) = " op "(X)"

const char *const ls_onnx_rule_texts[] = {
  UNARY ("Abs", "abs"), UNARY ("Acos", "acos"), UNARY ("Acosh", "acosh"), UNARY ("Asin", "asin"), UNARY ("Asinh", "asinh"), UNARY ("Atan", "atan"),
  UNARY ("Atanh", "atanh"), UNARY ("BitwiseNot", "bitwise_not"), UNARY ("Ceil", "ceil"), UNARY ("Cos", "cos"), UNARY ("Cosh", "cosh"), UNARY ("Erf", "erf"),
  UNARY ("Exp", "exp"), UNARY ("Floor", "floor"), UNARY ("IsNaN", "isnan"), UNARY ("Log", "log"), UNARY ("Neg", "negative"), UNARY ("Not", "logical_not"),
  UNARY ("Relu", "nn.relu"), UNARY ("Sigmoid", "sigmoid"), UNARY ("Sign", "sign"), UNARY ("Sin", "sin"), UNARY ("Sinh", "sinh"), UNARY ("Sqrt", "sqrt"),
  UNARY ("Tan", "tan"), UNARY ("Tanh", "tanh"), UNARY ("NonZero", "nonzero"),
  "Softplus (X) = nn.softplus(X)",
  "Softsign (X) = divide(X, add(abs(X), 1.0))",
  "Mish (X) = multiply(X, tanh(nn.softplus(X)))",
  "Swish (X, alpha=1.0) = multiply(X, sigmoid(multiply(X, alpha)))",
  "Reciprocal (X) = divide(1.0, X)",
  "HardSwish (X) = multiply(X, clip(add(multiply(X, 0.16666666666666666), 0.5), 0.0, 1.0))",
  "HardSigmoid (X, alpha=0.2, beta=0.5) = clip(add(multiply(X, alpha), beta), 0.0, 1.0)",
  "LeakyRelu (X, alpha=0.01) = nn.leakyrelu(X, alpha)",
  "Elu (X, alpha=1.0) = where(greater(X, 0.0), X, multiply(subtract(exp(minimum(X, 0.0)), 1.0), alpha))",
  "Celu (X, alpha=1.0) = add(maximum(X, 0.0), minimum(multiply(subtract(exp(divide(X, alpha)), 1.0), alpha), 0.0))",
  "Selu (X, alpha=1.6732631921768188, gamma=1.0507010221481323) = multiply(where(greater(X, 0.0), X, multiply(subtract(exp(minimum(X, 0.0)), 1.0), alpha)), gamma)",
  "ThresholdedRelu (X, alpha=1.0) = where(greater(X, alpha), X, const(0.0, dtype(X)))",
  "Shrink (X, bias=0.0, lambd=0.5) = where(greater(X, lambd), subtract(X, bias), where(less(X, negative(const(lambd, dtype(X)))), add(X, bias), const(0.0, dtype(X))))",
  "Add (A, B) = add(A, B)", "Sub (A, B) = subtract(A, B)", "Mul (A, B) = multiply(A, B)",
  "Equal (A, B) = equal(A, B)", "Greater (A, B) = greater(A, B)", "GreaterOrEqual (A, B) = greater_equal(A, B)",
  "Less (A, B) = less(A, B)", "LessOrEqual (A, B) = less_equal(A, B)",
  "And (A, B) = logical_and(A, B)", "Or (A, B) = logical_or(A, B)", "Xor (A, B) = logical_xor(A, B)",
  "BitwiseAnd (A, B) = bitwise_and(A, B)", "BitwiseOr (A, B) = bitwise_or(A, B)", "BitwiseXor (A, B) = bitwise_xor(A, B)",
  "Where (C, X, Y) = where(C, X, Y)",
  "MatMul (A, B) = matmul(A, B)",
  "Identity (X) = X",
  "Transpose (X, perm=None) = permute_dims(X, perm)",
  NULL
};
