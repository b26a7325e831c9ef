/* value: expressions of TensorIR on NumPy's numbers.
 *
 * There are two kinds.  What is made of loop variables, sizes and constants is one of Python's integers, as it would be in a loop that a person
 * wrote.  What comes from memory is a number of NumPy's with its type, or an array of them where the expression has lanes; a constant beside it
 * gets the same type, so that nothing is widened in between. */
#include "engine/codegen/numpy/numpy-private.h"

#include <math.h>
#include <string.h>

static gboolean
is_int (LsDType t)
{
  return ls_dtype_is_int (t) || (ls_dtype_is_uint (t) && !ls_dtype_is_bool (t));
}

gboolean
numpy_is_python (Numpy  *self,
                 LsExpr *expr)
{
  LsNode *node = LS_NODE (expr);
  LsCall *call = (LsCall *) node;

  if (!is_int (ls_dtype (expr)) || ls_dtype (expr).lanes != 1)
    return FALSE;
  if (ls_is (node, INT_IMM))
    return TRUE;
  if (ls_is_var (node))
    return !g_hash_table_contains (self->numbers, node);
  if (ls_is (node, CAST))
    return numpy_is_python (self, ((LsCast *) node)->value);
  if (ls_kind_is_binary (ls_kind (node)))
    return numpy_is_python (self, ((LsBinary *) node)->a) && numpy_is_python (self, ((LsBinary *) node)->b);
  if (ls_is (node, SELECT))
    return numpy_is_python (self, ((LsSelect *) node)->true_value) && numpy_is_python (self, ((LsSelect *) node)->false_value);
  if (!ls_is (node, CALL) || !ls_is (call->op, OP))
    return FALSE;
  if (ls_is_call (node, "tir.if_then_else"))
    return numpy_is_python (self, LS_EXPR (call->args->items[1])) && numpy_is_python (self, LS_EXPR (call->args->items[2]));
  if (!ls_is_call (node, "tir.likely") && !g_str_has_prefix (((LsOp *) call->op)->name, "tir.bitwise") && !g_str_has_prefix (((LsOp *) call->op)->name, "tir.shift"))
    return FALSE;
  for (guint i = 0; i < call->args->n; i++)
    if (!numpy_is_python (self, LS_EXPR (call->args->items[i])))
      return FALSE;
  return TRUE;
}

static void
put (Numpy      *self,
     const char *text)
{
  g_string_append (self->out, text);
}

/* "np.float32" */
static void
put_type (Numpy  *self,
          LsDType t)
{
  const char *name = numpy_dtype (self, ls_dtype_element (t));

  if (self->error == NULL)
    g_string_append_printf (self->out, "np.%.*s%s", (int) strlen (name) - 2, name + 1, ls_dtype_is_bool (t) ? "_" : "");
}

static void
put_float (Numpy  *self,
           LsDType t,
           double  value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (isnan (value))
    put (self, "np.nan");
  else if (isinf (value))
    put (self, value < 0 ? "-np.inf" : "np.inf");
  else
    {
      for (int digits = 1; digits <= 17; digits++)
        {
          char format[16];

          g_snprintf (format, sizeof format, "%%.%dg", digits);
          g_ascii_formatd (text, sizeof text, format, value);
          if (t.bits == 32 ? (float) g_ascii_strtod (text, NULL) == (float) value : g_ascii_strtod (text, NULL) == value)
            break;
        }
      put (self, text);
      if (strpbrk (text, ".e") == NULL)
        put (self, ".0");
    }
}

/* An operand beside numbers of type `t`. */
static void
operand (Numpy  *self,
         LsExpr *expr,
         LsDType t,
         int     prec)
{
  if (self->in_index || !numpy_is_python (self, expr))
    numpy_value (self, expr, prec);
  else
    {
      put_type (self, t);
      put (self, "(");
      numpy_value (self, expr, NP_CHOOSE);
      put (self, ")");
    }
}

/* f(a, b) */
static void
function (Numpy      *self,
          const char *name,
          LsExpr     *a,
          LsExpr     *b,
          LsDType     t)
{
  put (self, name);
  put (self, "(");
  operand (self, a, t, NP_CHOOSE);
  if (b != NULL)
    {
      put (self, ", ");
      operand (self, b, t, NP_CHOOSE);
    }
  put (self, ")");
}

static void
infix (Numpy      *self,
       const char *sign,
       int         own,
       LsExpr     *a,
       LsExpr     *b,
       LsDType     t,
       int         prec)
{
  put (self, own < prec ? "(" : "");
  operand (self, a, t, own == NP_COMPARE ? own + 1 : own);
  g_string_append_printf (self->out, " %s ", sign);
  operand (self, b, t, own + 1);
  put (self, own < prec ? ")" : "");
}

/* ---- operators ---------------------------------------------------------------------- */

static const struct { LsKind kind; const char *sign; int prec; } INFIX[] = {
  { LS_KIND_ADD, "+", NP_ADD }, { LS_KIND_SUB, "-", NP_ADD }, { LS_KIND_MUL, "*", NP_MUL },
  { LS_KIND_EQ, "==", NP_COMPARE }, { LS_KIND_NE, "!=", NP_COMPARE }, { LS_KIND_LT, "<", NP_COMPARE },
  { LS_KIND_LE, "<=", NP_COMPARE }, { LS_KIND_GT, ">", NP_COMPARE }, { LS_KIND_GE, ">=", NP_COMPARE },
};

static void
division (Numpy    *self,
          LsBinary *binary,
          int       prec)
{
  LsDType t = ls_dtype (binary);
  gboolean python = numpy_is_python (self, LS_EXPR (binary)), ints = is_int (t);

  switch ((int) ls_kind (binary))
    {
    case LS_KIND_DIV:
      if (!ints)
        infix (self, "/", NP_MUL, binary->a, binary->b, t, prec);
      else
        function (self, numpy_helper (self, "truncdiv"), binary->a, binary->b, t);
      return;
    case LS_KIND_MOD:
      function (self, ints ? numpy_helper (self, "truncmod") : "np.fmod", binary->a, binary->b, t);
      return;
    case LS_KIND_FLOOR_DIV:
      if (ints)
        infix (self, "//", NP_MUL, binary->a, binary->b, t, prec);
      else
        {
          put (self, "np.floor(");
          infix (self, "/", NP_MUL, binary->a, binary->b, t, NP_CHOOSE);
          put (self, ")");
        }
      return;
    default:
      if (python || ints)
        infix (self, "%", NP_MUL, binary->a, binary->b, t, prec);
      else
        numpy_refuse (self, "The remainder of floats that floormod gives");
    }
}

static void
logic (Numpy    *self,
       LsBinary *binary,
       int       prec)
{
  gboolean is_and = ls_is (binary, AND);

  if (ls_dtype (binary).lanes != 1)
    function (self, is_and ? "np.logical_and" : "np.logical_or", binary->a, binary->b, LS_BOOL);
  else
    infix (self, is_and ? "and" : "or", is_and ? NP_AND : NP_OR, binary->a, binary->b, LS_BOOL, prec);
}

static void
binary_value (Numpy    *self,
              LsBinary *binary,
              int       prec)
{
  LsKind kind = ls_kind (binary);
  LsDType t = ls_dtype (binary->a);

  for (guint i = 0; i < G_N_ELEMENTS (INFIX); i++)
    if (INFIX[i].kind == kind)
      {
        /* Python compares its own integers with NumPy's as they are. */
        if (ls_kind_is_compare (kind) && numpy_is_python (self, binary->a) && numpy_is_python (self, binary->b))
          {
            gboolean kept = self->in_index;

            self->in_index = TRUE;
            infix (self, INFIX[i].sign, INFIX[i].prec, binary->a, binary->b, t, prec);
            self->in_index = kept;
          }
        else if (numpy_is_python (self, LS_EXPR (binary)))
          {
            gboolean kept = self->in_index;

            self->in_index = TRUE;
            infix (self, INFIX[i].sign, INFIX[i].prec, binary->a, binary->b, t, prec);
            self->in_index = kept;
          }
        else
          infix (self, INFIX[i].sign, INFIX[i].prec, binary->a, binary->b, t, prec);
        return;
      }
  if (kind == LS_KIND_AND || kind == LS_KIND_OR)
    logic (self, binary, prec);
  else
    {
      gboolean kept = self->in_index, python = numpy_is_python (self, LS_EXPR (binary));

      self->in_index |= python;
      if (kind != LS_KIND_MIN && kind != LS_KIND_MAX)
        division (self, binary, prec);
      else if (python)
        function (self, kind == LS_KIND_MIN ? "min" : "max", binary->a, binary->b, t);
      else
        function (self, kind == LS_KIND_MIN ? "np.minimum" : "np.maximum", binary->a, binary->b, t);
      self->in_index = kept;
    }
}

static void
choice (Numpy  *self,
        LsExpr *condition,
        LsExpr *yes,
        LsExpr *no,
        LsDType t,
        int     prec)
{
  if (ls_dtype (condition).lanes != 1)
    {
      put (self, "np.where(");
      numpy_value (self, condition, NP_CHOOSE);
      put (self, ", ");
      operand (self, yes, t, NP_CHOOSE);
      put (self, ", ");
      operand (self, no, t, NP_CHOOSE);
      put (self, ")");
      return;
    }
  put (self, NP_CHOOSE < prec ? "(" : "");
  if (numpy_is_python (self, yes) && numpy_is_python (self, no))
    numpy_value (self, yes, NP_OR);
  else
    operand (self, yes, t, NP_OR);
  put (self, " if ");
  numpy_value (self, condition, NP_OR);
  put (self, " else ");
  if (numpy_is_python (self, yes) && numpy_is_python (self, no))
    numpy_value (self, no, NP_CHOOSE);
  else
    operand (self, no, t, NP_CHOOSE);
  put (self, NP_CHOOSE < prec ? ")" : "");
}

/* ---- casts ---------------------------------------------------------------------------- */

static gboolean
holds_all (LsDType to,
           LsDType from)
{
  if (ls_dtype_is_bool (from))
    return TRUE;
  return to.bits > from.bits ? ls_dtype_is_int (to) || ls_dtype_is_uint (from) : to.bits == from.bits && to.code == from.code;
}

static void
cast_value (Numpy  *self,
            LsCast *cast,
            int     prec)
{
  LsDType to = ls_dtype (cast), from = ls_dtype (cast->value);
  gboolean python = numpy_is_python (self, cast->value);

  if (python && is_int (to) && (self->in_index || holds_all (to, from)))
    {
      numpy_value (self, cast->value, prec);
      return;
    }
  if (ls_dtype_is_float (from) && is_int (to))
    {
      g_string_append_printf (self->out, "%s(", numpy_helper (self, "to_int"));
      numpy_value (self, cast->value, NP_CHOOSE);
      g_string_append_printf (self->out, ", %s)", numpy_dtype (self, ls_dtype_element (to)));
    }
  else if (python && is_int (to))
    {
      put (self, "np.int64(");
      numpy_value (self, cast->value, NP_CHOOSE);
      g_string_append_printf (self->out, ").astype(%s)", numpy_dtype (self, to));
    }
  else if (to.lanes != 1 || (is_int (to) && !holds_all (to, from)))
    {
      numpy_value (self, cast->value, NP_POSTFIX);
      g_string_append_printf (self->out, ".astype(%s)", numpy_dtype (self, ls_dtype_element (to)));
    }
  else
    {
      put_type (self, to);
      put (self, "(");
      numpy_value (self, cast->value, NP_CHOOSE);
      put (self, ")");
    }
}

/* ---- calls ------------------------------------------------------------------------------- */

/* A helper has its text in numpy.c. */
static const struct { const char *name, *numpy; gboolean helper; } CALLS[] = {
  { "exp", "np.exp", FALSE }, { "exp2", "np.exp2", FALSE }, { "exp10", "exp10", TRUE }, { "erf", "erf", TRUE }, { "tanh", "np.tanh", FALSE },
  { "sigmoid", "sigmoid", TRUE }, { "sqrt", "np.sqrt", FALSE }, { "rsqrt", "rsqrt", TRUE }, { "log", "np.log", FALSE }, { "log2", "np.log2", FALSE },
  { "log1p", "np.log1p", FALSE }, { "log10", "np.log10", FALSE }, { "tan", "np.tan", FALSE }, { "cos", "np.cos", FALSE }, { "cosh", "np.cosh", FALSE },
  { "sin", "np.sin", FALSE }, { "sinh", "np.sinh", FALSE }, { "asin", "np.arcsin", FALSE }, { "acos", "np.arccos", FALSE }, { "atan", "np.arctan", FALSE },
  { "acosh", "np.arccosh", FALSE }, { "asinh", "np.arcsinh", FALSE }, { "atanh", "np.arctanh", FALSE }, { "floor", "np.floor", FALSE },
  { "ceil", "np.ceil", FALSE }, { "round", "round_away", TRUE }, { "trunc", "np.trunc", FALSE }, { "nearbyint", "np.rint", FALSE }, { "fabs", "np.abs", FALSE },
  { "isnan", "np.isnan", FALSE }, { "isfinite", "np.isfinite", FALSE }, { "isinf", "np.isinf", FALSE }, { "atan2", "np.arctan2", FALSE },
  { "nextafter", "np.nextafter", FALSE }, { "hypot", "np.hypot", FALSE }, { "copysign", "np.copysign", FALSE }, { "pow", "np.power", FALSE },
  { "fmod", "np.fmod", FALSE }, { "popcount", "popcount", TRUE },
};

static const struct { const char *name, *sign; int prec; } BITS[] = {
  { "bitwise_and", "&", NP_BIT_AND }, { "bitwise_or", "|", NP_BIT_OR }, { "bitwise_xor", "^", NP_BIT_XOR },
  { "shift_left", "<<", NP_SHIFT }, { "shift_right", ">>", NP_SHIFT },
};

static void
call_value (Numpy  *self,
            LsCall *call,
            int     prec)
{
  LsExpr **args = (LsExpr **) call->args->items;
  const char *name;
  LsDType t = ls_dtype (call);

  if (!ls_is (call->op, OP))
    {
      numpy_refuse (self, "The call of another function, %s,", ls_is (call->op, GLOBAL_VAR) ? ((LsGlobalVar *) call->op)->name_hint : "which has no name");
      return;
    }
  name = ((LsOp *) call->op)->name + strlen ("tir.");
  if (strcmp (name, "if_then_else") == 0)
    choice (self, args[0], args[1], args[2], t, prec);
  else if (strcmp (name, "likely") == 0)
    numpy_value (self, args[0], prec);
  else if (strcmp (name, "bitwise_not") == 0)
    {
      put (self, NP_UNARY < prec ? "(~" : "~");
      numpy_value (self, args[0], NP_UNARY);
      put (self, NP_UNARY < prec ? ")" : "");
    }
  else if (strcmp (name, "reinterpret") == 0)
    {
      LsDType from = ls_dtype (args[0]);

      put (self, "np.asarray(");
      operand (self, args[0], from, NP_CHOOSE);
      g_string_append_printf (self->out, ", dtype=%s)", numpy_dtype (self, ls_dtype_element (from)));
      g_string_append_printf (self->out, ".view(%s)[()]", numpy_dtype (self, ls_dtype_element (t)));
      if (from.bits != t.bits)
        numpy_refuse (self, "A reinterpret between types of different width");
    }
  else if (strcmp (name, "ldexp") == 0)
    {
      put (self, "np.ldexp(");
      numpy_value (self, args[0], NP_CHOOSE);
      put (self, ", ");
      numpy_value (self, args[1], NP_CHOOSE);
      put (self, ")");
    }
  else
    {
      for (guint i = 0; i < G_N_ELEMENTS (BITS); i++)
        if (strcmp (BITS[i].name, name) == 0)
          {
            gboolean kept = self->in_index;

            self->in_index |= numpy_is_python (self, LS_EXPR (call));
            infix (self, BITS[i].sign, BITS[i].prec, args[0], args[1], t, prec);
            self->in_index = kept;
            return;
          }
      for (guint i = 0; i < G_N_ELEMENTS (CALLS); i++)
        if (strcmp (CALLS[i].name, name) == 0)
          {
            gboolean kept = self->in_index;

            self->in_index = FALSE;
            function (self, CALLS[i].helper ? numpy_helper (self, CALLS[i].numpy) : CALLS[i].numpy, args[0], call->args->n > 1 ? args[1] : NULL, ls_dtype (args[0]));
            self->in_index = kept;
            return;
          }
      numpy_refuse (self, "The call of T.%s", ((LsOp *) call->op)->script_name);
    }
}

/* ---- all ------------------------------------------------------------------------------------- */

void
numpy_stored (Numpy  *self,
              LsExpr *expr)
{
  if (ls_is (expr, FLOAT_IMM))
    put_float (self, ls_dtype (expr), ((LsFloatImm *) expr)->value);
  else
    numpy_value (self, expr, NP_CHOOSE);
}

void
numpy_element (Numpy    *self,
               LsBuffer *buffer,
               LsArray  *indices)
{
  const char *name = g_hash_table_lookup (self->names, buffer);
  gboolean kept = self->in_index;

  if (name == NULL)
    {
      numpy_refuse (self, "The buffer %s, which is another view of memory that is declared elsewhere,", buffer->name);
      return;
    }
  if (buffer->dtype.lanes != 1)
    numpy_refuse (self, "The buffer %s, whose elements are vectors,", buffer->name);
  put (self, name);
  put (self, "[");
  self->in_index = TRUE;
  for (guint i = 0; i < indices->n; i++)
    {
      put (self, i > 0 ? ", " : "");
      numpy_value (self, LS_EXPR (indices->items[i]), NP_CHOOSE);
    }
  self->in_index = kept;
  put (self, indices->n == 0 ? "()]" : "]");
}

void
numpy_index (Numpy  *self,
             LsExpr *expr,
             int     prec)
{
  gboolean kept = self->in_index;

  self->in_index = TRUE;
  numpy_value (self, expr, prec);
  self->in_index = kept;
}

static void
lanes_value (Numpy  *self,
             LsExpr *expr,
             int     prec)
{
  guint lanes = ls_dtype (expr).lanes;

  if (ls_dtype_is_scalable (ls_dtype (expr)))
    numpy_refuse (self, "A vector of no certain number of lanes");
  else if (ls_is (expr, BROADCAST))
    {
      put (self, "np.full(");
      g_string_append_printf (self->out, "%u, ", lanes);
      operand (self, ((LsBroadcast *) expr)->value, ls_dtype_element (ls_dtype (expr)), NP_CHOOSE);
      put (self, ")");
    }
  else
    {
      LsRamp *ramp = (LsRamp *) expr;

      put (self, NP_ADD < prec ? "(" : "");
      operand (self, ramp->base, ls_dtype_element (ls_dtype (expr)), NP_ADD);
      put (self, " + ");
      if (!ls_is_one (ramp->stride))
        {
          operand (self, ramp->stride, ls_dtype_element (ls_dtype (expr)), NP_MUL);
          put (self, " * ");
        }
      if (self->in_index)
        g_string_append_printf (self->out, "np.arange(%u)", lanes);
      else
        g_string_append_printf (self->out, "np.arange(%u, dtype=%s)", lanes, numpy_dtype (self, ls_dtype_element (ls_dtype (expr))));
      put (self, NP_ADD < prec ? ")" : "");
    }
}

static void
let_value (Numpy *self,
           LsLet *let)
{
  if (!numpy_is_python (self, let->value))
    g_hash_table_add (self->numbers, let->var);
  g_string_append_printf (self->out, "(lambda %s: ", numpy_declare (self, let->var, let->var->name));
  numpy_value (self, let->body, NP_CHOOSE);
  put (self, ")(");
  numpy_value (self, let->value, NP_CHOOSE);
  put (self, ")");
}

static void
number_value (Numpy  *self,
              LsExpr *expr,
              int     prec)
{
  LsDType t = ls_dtype (expr);

  if (ls_is (expr, FLOAT_IMM))
    {
      put_type (self, t);
      put (self, "(");
      put_float (self, t, ((LsFloatImm *) expr)->value);
      put (self, ")");
    }
  else if (ls_dtype_is_bool (t))
    put (self, ((LsIntImm *) expr)->value != 0 ? "True" : "False");
  else
    {
      gint64 value = ((LsIntImm *) expr)->value;
      gboolean brackets = value < 0 && prec >= NP_MUL && !(ls_dtype_is_uint (t) && t.bits == 64);

      g_string_append_printf (self->out, ls_dtype_is_uint (t) && t.bits == 64 ? "%" G_GUINT64_FORMAT : brackets ? "(%" G_GINT64_FORMAT ")" : "%" G_GINT64_FORMAT, value);
    }
}

void
numpy_value (Numpy  *self,
             LsExpr *expr,
             int     prec)
{
  LsNode *node = LS_NODE (expr);

  if (self->error != NULL)
    return;
  if (ls_is_var (node))
    put (self, numpy_name (self, node, ((LsVar *) node)->name));
  else if (ls_is (node, INT_IMM) || ls_is (node, FLOAT_IMM))
    number_value (self, expr, prec);
  else if (ls_kind_is_binary (ls_kind (node)))
    binary_value (self, (LsBinary *) node, prec);
  else if (ls_is (node, NOT) && ls_dtype (expr).lanes != 1)
    function (self, "np.logical_not", ((LsNot *) node)->a, NULL, LS_BOOL);
  else if (ls_is (node, NOT))
    {
      put (self, NP_NOT < prec ? "(not " : "not ");
      numpy_value (self, ((LsNot *) node)->a, NP_NOT);
      put (self, NP_NOT < prec ? ")" : "");
    }
  else if (ls_is (node, CAST))
    cast_value (self, (LsCast *) node, prec);
  else if (ls_is (node, SELECT))
    choice (self, ((LsSelect *) node)->condition, ((LsSelect *) node)->true_value, ((LsSelect *) node)->false_value, ls_dtype (expr), prec);
  else if (ls_is (node, BUFFER_LOAD) && ((LsBufferLoad *) node)->predicate == NULL)
    numpy_element (self, ((LsBufferLoad *) node)->buffer, ((LsBufferLoad *) node)->indices);
  else if (ls_is (node, RAMP) || ls_is (node, BROADCAST))
    lanes_value (self, expr, prec);
  else if (ls_is (node, LET))
    let_value (self, (LsLet *) node);
  else if (ls_is (node, CALL))
    call_value (self, (LsCall *) node, prec);
  else
    numpy_refuse (self, ls_is (node, BUFFER_LOAD) ? LS_TEXT ("A load with a predicate") : ls_is (node, SHUFFLE) ? LS_TEXT ("A shuffle of vectors") : ls_is (node, STRING_IMM) ? LS_TEXT ("A text as a value")
                  : LS_TEXT ("An expression of kind %s"), node->klass->name);
}
