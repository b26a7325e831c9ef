/* expr: expressions as text, vectors one lane at a time. */
#include "engine/base/stack.h"
#include "engine/codegen/c/text-private.h"

#include <math.h>
#include <string.h>

/* ---- memory ----------------------------------------------------------------------------------- */

static void
put_index (Writer   *self,
           LsBuffer *buffer,
           LsArray  *indices,
           guint     lane)
{
  guint n = indices->n;
  gint64 offset = 0;
  gboolean has_offset = !ls_as_int (buffer->elem_offset, &offset) || offset != 0;

  if (n == 0)
    g_string_append (self->out, "0");
  for (guint i = 0; i < n; i++)
    {
      gboolean last = i + 1 == n;

      if (i > 0)
        g_string_append (self->out, " + ");
      text_expr (self, ls_array_at (indices, i, LsExpr), lane, n == 1 && !has_offset ? PREC_COMMA : last && !ls_buffer_has_strides (buffer) ? PREC_ADD : PREC_MUL);
      if (ls_buffer_has_strides (buffer))
        {
          g_string_append (self->out, " * ");
          text_expr (self, ls_array_at (buffer->strides, i, LsExpr), 0, PREC_UNARY);
        }
      else
        for (guint k = i + 1; k < n; k++)
          {
            g_string_append (self->out, " * ");
            text_expr (self, ls_array_at (buffer->shape, k, LsExpr), 0, PREC_UNARY);
          }
    }
  if (has_offset)
    {
      g_string_append (self->out, " + ");
      text_expr (self, buffer->elem_offset, 0, PREC_ADD);
    }
}

void
text_element (Writer   *self,
              LsBuffer *buffer,
              LsArray  *indices,
              guint     lane)
{
  const char *name = text_name (self, buffer->data);
  Pointee *declared = g_hash_table_lookup (self->types, buffer->data);

  if (buffer->dtype.lanes > 1)
    text_refuse (self, "The buffer %s, whose elements are vectors,", buffer->name);
  if (declared != NULL && !ls_dtype_equal (ls_dtype_element (declared->dtype), ls_dtype_element (buffer->dtype)))
    g_string_append_printf (self->out, "((%s%s%s *)%s)", self->language == LS_TEXT_CUDA ? "" : declared->space,
                            g_hash_table_contains (self->quick, buffer->data) ? "volatile " : "", text_memory_type (self, buffer->dtype), name);
  else
    g_string_append (self->out, name);
  g_string_append_c (self->out, '[');
  put_index (self, buffer, indices, lane);
  g_string_append_c (self->out, ']');
}

/* ---- operators ------------------------------------------------------------------------------------ */

static LsWalk
find_load (LsNode  *node,
           gpointer data)
{
  if (!ls_is (node, BUFFER_LOAD))
    return LS_WALK_CONTINUE;
  *(gboolean *) data = TRUE;
  return LS_WALK_STOP;
}

/* Numbers from memory wrap, signed ones too. */
static gboolean
wraps (LsExpr *expr)
{
  LsDType t = ls_dtype (expr);
  gboolean found = FALSE;

  if (t.code != LS_TYPE_INT || t.bits < 32)
    return FALSE;
  ls_walk (expr, find_load, NULL, &found);
  return found;
}

static void
put_helper (Writer     *self,
            const char *name,
            LsDType     t,
            LsExpr     *a,
            LsExpr     *b,
            guint       lane)
{
  g_string_append_printf (self->out, "%s(", text_helper (self, name, ls_dtype_element (t)));
  text_expr (self, a, lane, PREC_CHOOSE);
  if (b != NULL)
    {
      g_string_append (self->out, ", ");
      text_expr (self, b, lane, PREC_CHOOSE);
    }
  g_string_append_c (self->out, ')');
}

static void
put_infix (Writer     *self,
           const char *sign,
           int         own,
           LsExpr     *a,
           LsExpr     *b,
           LsDType     narrow,
           guint       lane,
           int         prec)
{
  gboolean cast = (narrow.code == LS_TYPE_INT || narrow.code == LS_TYPE_UINT) && narrow.bits < 32 && !ls_dtype_is_bool (narrow);
  gboolean brackets = cast || own < prec;

  if (cast)
    g_string_append_printf (self->out, "%s(%s)", prec > PREC_UNARY ? "(" : "", text_type (self, ls_dtype_element (narrow)));
  if (brackets)
    g_string_append_c (self->out, '(');
  text_expr (self, a, lane, own == PREC_OR && ls_is (a, AND) ? PREC_UNARY : own);
  g_string_append_printf (self->out, " %s ", sign);
  text_expr (self, b, lane, own == PREC_OR && ls_is (b, AND) ? PREC_UNARY : own + 1);
  if (brackets)
    g_string_append_c (self->out, ')');
  if (cast && prec > PREC_UNARY)
    g_string_append_c (self->out, ')');
}

/* The same of float32, rounded: one rounding of + - * / to so narrow a type is that of the exact result. */
static void
put_wide (Writer   *self,
          LsBinary *binary,
          guint     lane,
          int       prec)
{
  LsDType t = ls_dtype (binary), wide = { LS_TYPE_FLOAT, 32, ls_dtype (binary->a).lanes };
  g_autoptr (LsExpr) of_floats = ls_binary (ls_kind (binary), ls_cast_new (wide, ls_ref (binary->a)), ls_cast_new (wide, ls_ref (binary->b)));

  if (!text_is_rounded (self, t))
    {
      text_expr (self, of_floats, lane, prec);
      return;
    }
  text_type_before (self, t);
  text_expr (self, of_floats, lane, PREC_CHOOSE);
  g_string_append_c (self->out, ')');
}

static void
put_binary (Writer   *self,
            LsBinary *binary,
            guint     lane,
            int       prec)
{
  LsDType t = ls_dtype (binary), of = ls_dtype (binary->a);
  gboolean is_float = ls_dtype_is_float (of);
  LsExpr *a = binary->a, *b = binary->b;

  if (text_is_rounded (self, of))
    {
      put_wide (self, binary, lane, prec);
      return;
    }
  switch ((int) ls_kind (binary))
    {
    case LS_KIND_ADD:
    case LS_KIND_SUB:
    case LS_KIND_MUL:
      {
        LsKind kind = ls_kind (binary);

        if (wraps (LS_EXPR (binary)))
          put_helper (self, kind == LS_KIND_ADD ? "add" : kind == LS_KIND_SUB ? "sub" : "mul", t, a, b, lane);
        else
          put_infix (self, kind == LS_KIND_ADD ? "+" : kind == LS_KIND_SUB ? "-" : "*", kind == LS_KIND_MUL ? PREC_MUL : PREC_ADD, a, b, t, lane, prec);
        return;
      }
    case LS_KIND_DIV: put_infix (self, "/", PREC_MUL, a, b, t, lane, prec); return;
    case LS_KIND_MOD: put_infix (self, "%", PREC_MUL, a, b, t, lane, prec); return;
    case LS_KIND_FLOOR_DIV:
      if (t.code == LS_TYPE_UINT)
        put_infix (self, "/", PREC_MUL, a, b, t, lane, prec);
      else
        put_helper (self, "floordiv", t, a, b, lane);
      return;
    case LS_KIND_FLOOR_MOD:
      if (t.code == LS_TYPE_UINT)
        put_infix (self, "%", PREC_MUL, a, b, t, lane, prec);
      else
        put_helper (self, "floormod", t, a, b, lane);
      return;
    case LS_KIND_MAX: put_helper (self, is_float ? "fmaxn" : "max", t, a, b, lane); return;
    case LS_KIND_MIN: put_helper (self, is_float ? "fminn" : "min", t, a, b, lane); return;
    case LS_KIND_EQ: put_infix (self, "==", PREC_EQUAL, a, b, LS_BOOL, lane, prec); return;
    case LS_KIND_NE: put_infix (self, "!=", PREC_EQUAL, a, b, LS_BOOL, lane, prec); return;
    case LS_KIND_LT: put_infix (self, "<", PREC_COMPARE, a, b, LS_BOOL, lane, prec); return;
    case LS_KIND_LE: put_infix (self, "<=", PREC_COMPARE, a, b, LS_BOOL, lane, prec); return;
    case LS_KIND_GT: put_infix (self, ">", PREC_COMPARE, a, b, LS_BOOL, lane, prec); return;
    case LS_KIND_GE: put_infix (self, ">=", PREC_COMPARE, a, b, LS_BOOL, lane, prec); return;
    case LS_KIND_AND: put_infix (self, "&&", PREC_AND, a, b, LS_BOOL, lane, prec); return;
    case LS_KIND_OR: put_infix (self, "||", PREC_OR, a, b, LS_BOOL, lane, prec); return;
    default:
      text_refuse (self, "%s", ((LsNode *) binary)->klass->name);
    }
}

static void
put_choice (Writer *self,
            LsExpr *test,
            LsExpr *yes,
            LsExpr *no,
            guint   lane,
            int     prec)
{
  if (prec > PREC_CHOOSE)
    g_string_append_c (self->out, '(');
  text_expr (self, test, lane, PREC_UNARY);
  g_string_append (self->out, " ? ");
  text_expr (self, yes, lane, PREC_OR);
  g_string_append (self->out, " : ");
  text_expr (self, no, lane, PREC_CHOOSE);
  if (prec > PREC_CHOOSE)
    g_string_append_c (self->out, ')');
}

/* ---- calls --------------------------------------------------------------------------------------------- */

static const char *const MATH[] = {
  "exp", "exp2", "exp10", "erf", "tanh", "sqrt", "log", "log2", "log1p", "log10", "tan", "cos", "cosh", "sin", "sinh", "asin", "acos", "atan", "acosh", "asinh",
  "atanh", "floor", "ceil", "trunc", "fabs", "atan2", "nextafter", "hypot", "copysign", "pow", "fmod",
};

static void
put_call_of (Writer     *self,
             const char *name,
             LsArray    *args,
             guint       first,
             guint       lane)
{
  g_string_append_printf (self->out, "%s(", name);
  for (guint i = first; i < args->n; i++)
    {
      if (i > first)
        g_string_append (self->out, ", ");
      text_expr (self, ls_array_at (args, i, LsExpr), lane, PREC_CHOOSE);
    }
  g_string_append_c (self->out, ')');
}

static gboolean
is_math (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (MATH); i++)
    if (strcmp (MATH[i], name) == 0)
      return TRUE;
  return strcmp (name, "sigmoid") == 0 || strcmp (name, "rsqrt") == 0 || strcmp (name, "round") == 0 || strcmp (name, "nearbyint") == 0;
}

static gboolean put_math (Writer *self, const char *name, LsCall *call, guint lane);

/* A function of float32, rounded. */
static void
put_wide_math (Writer *self,
               LsCall *call,
               guint   lane)
{
  LsDType t = ls_dtype (call), wide = { LS_TYPE_FLOAT, 32, ls_dtype (call).lanes };
  GPtrArray *args = g_ptr_array_new ();
  g_autoptr (LsExpr) of_floats = NULL;

  for (guint i = 0; i < call->args->n; i++)
    {
      LsNode *arg = call->args->items[i];

      g_ptr_array_add (args, text_is_wrapped (ls_dtype (arg)) || text_is_half (ls_dtype (arg)) ? LS_NODE (ls_cast_new (wide, (LsExpr *) ls_node_ref (arg))) : ls_node_ref (arg));
    }
  of_floats = ls_call_new (wide, ls_node_ref (call->op), ls_array_take_ptr_array (args));
  text_type_before (self, t);
  if (!put_math (self, ((LsOp *) call->op)->name + strlen ("tir."), (LsCall *) of_floats, lane))
    text_refuse (self, "The call of %s", ((LsOp *) call->op)->name);
  g_string_append_c (self->out, ')');
}

static gboolean
put_math (Writer     *self,
          const char *name,
          LsCall     *call,
          guint       lane)
{
  LsDType t = ls_dtype (call);
  const char *word = strcmp (name, "round") == 0 || strcmp (name, "nearbyint") == 0 ? (self->language == LS_TEXT_OPENCL || self->language == LS_TEXT_METAL ? "rint" : "nearbyint") : NULL;
  g_autofree char *whole = NULL;

  if ((text_is_rounded (self, t) || (text_is_half (t) && self->language == LS_TEXT_CUDA)) && is_math (name))     /* exp (half) is ambiguous to nvcc */
    {
      put_wide_math (self, call, lane);
      return TRUE;
    }
  if (strcmp (name, "sigmoid") == 0 && ls_dtype_is_float (t))
    {
      put_helper (self, "sigmoid", t, ls_array_at (call->args, 0, LsExpr), NULL, lane);
      return TRUE;
    }
  if (strcmp (name, "rsqrt") == 0)
    {
      g_string_append (self->out, t.bits == 32 && self->words->f_suffix ? "(1.0f / sqrtf(" : "(1 / sqrt(");
      text_expr (self, ls_array_at (call->args, 0, LsExpr), lane, PREC_CHOOSE);
      g_string_append (self->out, "))");
      return TRUE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (MATH) && word == NULL; i++)
    if (strcmp (MATH[i], name) == 0)
      word = MATH[i];
  if (word == NULL || !ls_dtype_is_float (t))
    return FALSE;
  if (strcmp (word, "exp10") == 0 && self->language == LS_TEXT_C)
    {
      g_string_append (self->out, t.bits == 32 ? "powf(10.0f, " : "pow(10.0, ");
      text_expr (self, ls_array_at (call->args, 0, LsExpr), lane, PREC_CHOOSE);
      g_string_append_c (self->out, ')');
      return TRUE;
    }
  whole = g_strconcat (word, t.bits == 32 && self->words->f_suffix ? "f" : "", NULL);
  put_call_of (self, whole, call->args, 0, lane);
  return TRUE;
}

static gboolean
put_bits (Writer     *self,
          const char *name,
          LsCall     *call,
          guint       lane,
          int         prec)
{
  static const struct { const char *name, *sign; int prec; } SIGNS[] = {
    { "bitwise_and", "&", PREC_BIT_AND }, { "bitwise_or", "|", PREC_BIT_OR }, { "bitwise_xor", "^", PREC_BIT_XOR }, { "shift_left", "<<", PREC_SHIFT },
    { "shift_right", ">>", PREC_SHIFT },
  };

  for (guint i = 0; i < G_N_ELEMENTS (SIGNS); i++)
    if (strcmp (SIGNS[i].name, name) == 0)
      {
        LsExpr *a = ls_array_at (call->args, 0, LsExpr), *b = ls_array_at (call->args, 1, LsExpr);
        LsDType t = ls_dtype (call);
        gboolean apart = prec > PREC_CHOOSE;

        if (t.code == LS_TYPE_INT && t.bits >= 32 && strcmp (name, "shift_left") == 0)
          {
            LsDType u = ls_dtype_element (t);

            u.code = LS_TYPE_UINT;
            g_string_append_printf (self->out, "((%s)((%s)", text_type (self, ls_dtype_element (t)), text_type (self, u));
            text_expr (self, a, lane, PREC_POSTFIX);
            g_string_append (self->out, " << ");
            text_expr (self, b, lane, PREC_UNARY);
            g_string_append (self->out, "))");
            return TRUE;
          }
        put_infix (self, SIGNS[i].sign, PREC_UNARY - 1, a, b, t, lane, apart ? PREC_POSTFIX : PREC_COMMA);
        return TRUE;
      }
  if (strcmp (name, "bitwise_not") != 0)
    return FALSE;
  g_string_append (self->out, "~");
  text_expr (self, ls_array_at (call->args, 0, LsExpr), lane, PREC_POSTFIX);
  return TRUE;
}

static gboolean
put_device (Writer     *self,
            const char *name,
            LsCall     *call,
            guint       lane)
{
  static const struct { const char *name, *word, *metal; } SHUFFLES[] = {
    { "tvm_warp_shuffle", "__shfl_sync", "simd_shuffle" }, { "tvm_warp_shuffle_up", "__shfl_up_sync", "simd_shuffle_up" },
    { "tvm_warp_shuffle_down", "__shfl_down_sync", "simd_shuffle_down" },
  };
  gboolean metal = self->language == LS_TEXT_METAL;

  if (strcmp (name, "tvm_storage_sync") == 0)
    {
      LsExpr *scope = call->args->n > 0 ? ls_array_at (call->args, 0, LsExpr) : NULL;
      const char *word = ls_is (scope, STRING_IMM) && strcmp (((LsStringImm *) scope)->value, "warp") == 0 ? self->words->warp_barrier : self->words->barrier;

      if (word == NULL)
        text_refuse (self, "A barrier");
      else
        g_string_append_len (self->out, word, (gssize) strlen (word) - 1);
      return TRUE;
    }
  if (self->language != LS_TEXT_CUDA && self->language != LS_TEXT_METAL)
    return FALSE;
  if (strcmp (name, "tvm_warp_activemask") == 0)
    {
      g_string_append (self->out, metal ? "0" : "__activemask()");      /* a shuffle there takes no mask */
      return TRUE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (SHUFFLES); i++)
    if (strcmp (SHUFFLES[i].name, name) == 0)
      {
        g_string_append_printf (self->out, "%s(", metal ? SHUFFLES[i].metal : SHUFFLES[i].word);
        for (guint k = metal ? 1 : 0; k < (metal ? 3 : 4); k++)
          {
            g_string_append (self->out, k > (metal ? 1 : 0) ? ", " : "");
            text_expr (self, ls_array_at (call->args, k, LsExpr), lane, PREC_CHOOSE);
          }
        g_string_append_c (self->out, ')');
        return TRUE;
      }
  return FALSE;
}

/* Atomic functions have CUDA's names in a program; OpenCL C has them for integers. */
static gboolean
put_atomic (Writer     *self,
            const char *name,
            LsCall     *call,
            guint       lane)
{
  static const struct { const char *cuda, *opencl; } NAMES[] = {
    { "atomicAdd", "atomic_add" }, { "atomicSub", "atomic_sub" }, { "atomicMax", "atomic_max" }, { "atomicMin", "atomic_min" }, { "atomicExch", "atomic_xchg" },
  };
  gboolean own = strcmp (name, "atomic_add") == 0, external = strcmp (name, "call_extern") == 0 && call->args->n == 3 && ls_is (call->args->items[0], STRING_IMM);
  const char *wanted = own ? "atomicAdd" : external ? ((LsStringImm *) call->args->items[0])->value : "";

  for (guint i = 0; i < G_N_ELEMENTS (NAMES); i++)
    if (strcmp (NAMES[i].cuda, wanted) == 0)
      {
        LsDType t = ls_dtype (ls_array_at (call->args, call->args->n - 1, LsExpr));

        if (self->language != LS_TEXT_CUDA && (self->language != LS_TEXT_OPENCL || t.code == LS_TYPE_FLOAT || t.bits != 32))
          text_refuse (self, "%s of %s", wanted, ls_dtype_name (t));
        put_call_of (self, self->language == LS_TEXT_CUDA ? NAMES[i].cuda : NAMES[i].opencl, call->args, own ? 0 : 1, lane);
        return TRUE;
      }
  return FALSE;
}

static void
put_reinterpret (Writer *self,
                 LsCall *call,
                 guint   lane)
{
  LsDType to = ls_dtype (call), from = ls_dtype (ls_array_at (call->args, 0, LsExpr));
  const char *word = NULL;

  if (self->language == LS_TEXT_CUDA && !self->is_hip && to.bits == 16 && (to.code == LS_TYPE_BFLOAT || from.code == LS_TYPE_BFLOAT))
    word = to.code == LS_TYPE_BFLOAT ? "__ushort_as_bfloat16" : "__bfloat16_as_ushort";
  else if (self->language == LS_TEXT_CUDA)
    word = to.code == LS_TYPE_FLOAT && to.bits == 32 ? (from.code == LS_TYPE_UINT ? "__uint_as_float" : "__int_as_float")
           : from.code == LS_TYPE_FLOAT && from.bits == 32 ? (to.code == LS_TYPE_UINT ? "__float_as_uint" : "__float_as_int")
           : to.code == LS_TYPE_FLOAT && to.bits == 64 ? "__longlong_as_double" : from.code == LS_TYPE_FLOAT && from.bits == 64 ? "__double_as_longlong" : NULL;
  if (to.code == LS_TYPE_HANDLE)
    {
      g_string_append (self->out, "0");
      return;
    }
  if (self->language == LS_TEXT_OPENCL)
    {
      g_autofree char *as = g_strconcat ("as_", text_type (self, ls_dtype_element (to)), NULL);

      put_call_of (self, as, call->args, 0, lane);
    }
  else if (word != NULL)
    put_call_of (self, word, call->args, 0, lane);
  else if (self->language == LS_TEXT_C)
    {
      g_string_append_printf (self->out, "((union { %s from; %s to; }) { .from = ", text_type (self, ls_dtype_element (from)), text_type (self, ls_dtype_element (to)));
      text_expr (self, ls_array_at (call->args, 0, LsExpr), lane, PREC_CHOOSE);
      g_string_append (self->out, " }).to");
    }
  else
    text_refuse (self, "reinterpret of %s as %s", ls_dtype_name (from), ls_dtype_name (to));
}

static void
put_call (Writer *self,
          LsCall *call,
          guint   lane,
          int     prec)
{
  const char *name = ls_is (call->op, OP) ? ((LsOp *) call->op)->name + strlen ("tir.") : "";
  LsExpr *first = call->args->n > 0 ? ls_array_at (call->args, 0, LsExpr) : NULL;
  LsDType t = ls_dtype (call);

  if (ls_is (call->op, GLOBAL_VAR))
    {
      const char *callee = ((LsGlobalVar *) call->op)->name_hint;

      put_call_of (self, strcmp (callee, "main") == 0 ? "main_" : callee, call->args, 0, lane);
    }
  else if (strcmp (name, "if_then_else") == 0)
    put_choice (self, first, ls_array_at (call->args, 1, LsExpr), ls_array_at (call->args, 2, LsExpr), lane, prec);
  else if (strcmp (name, "likely") == 0 || strcmp (name, "tvm_thread_invariant") == 0 || strcmp (name, "ignore_loop_partition") == 0)
    text_expr (self, first, lane, prec);
  else if (strcmp (name, "reinterpret") == 0)
    put_reinterpret (self, call, lane);
  else if ((strcmp (name, "fabs") == 0 || strcmp (name, "abs") == 0) && t.code == LS_TYPE_INT)
    put_call_of (self, t.bits == 64 && self->language != LS_TEXT_OPENCL && self->language != LS_TEXT_METAL ? "llabs" : "abs", call->args, 0, lane);
  else if (strcmp (name, "isnan") == 0)
    {
      g_string_append_c (self->out, '(');
      text_expr (self, first, lane, PREC_EQUAL + 1);
      g_string_append (self->out, " != ");
      text_expr (self, first, lane, PREC_EQUAL + 1);
      g_string_append_c (self->out, ')');
    }
  else if (strcmp (name, "popcount") == 0)
    put_call_of (self, self->language == LS_TEXT_CUDA ? (t.bits == 64 ? "__popcll" : "__popc") : self->language == LS_TEXT_OPENCL || self->language == LS_TEXT_METAL ? "popcount"
                       : t.bits == 64 ? "__builtin_popcountll" : "__builtin_popcount", call->args, 0, lane);
  else if (put_atomic (self, name, call, lane))
    return;
  else if ((strcmp (name, "call_extern") == 0 || strcmp (name, "call_pure_extern") == 0) && ls_is (first, STRING_IMM))
    put_call_of (self, ((LsStringImm *) first)->value, call->args, 1, lane);
  else if (strcmp (name, "address_of") == 0 && ls_is (first, BUFFER_LOAD))
    {
      g_string_append_c (self->out, '&');
      text_element (self, ((LsBufferLoad *) first)->buffer, ((LsBufferLoad *) first)->indices, 0);
    }
  else if (!put_math (self, name, call, lane) && !put_bits (self, name, call, lane, prec) && !put_device (self, name, call, lane))
    text_refuse (self, "The call of %s", name);
}

/* ---- all of them -------------------------------------------------------------------------------------------- */

static void
put_cast (Writer *self,
          LsCast *cast,
          guint   lane,
          int     prec)
{
  LsDType t = ls_dtype (cast);

  if (prec > PREC_UNARY)
    g_string_append_c (self->out, '(');
  if (ls_dtype_is_bool (t))
    {
      g_string_append_c (self->out, '(');
      text_expr (self, cast->value, lane, PREC_EQUAL);
      g_string_append (self->out, " != 0)");
    }
  else
    {
      LsDType from = ls_dtype (cast->value);
      gboolean through = text_is_half (t) && self->language == LS_TEXT_C ? from.code != LS_TYPE_FLOAT : text_is_wrapped (t) ? from.code != LS_TYPE_FLOAT || from.bits < 32 : text_is_wrapped (from) && (t.code != LS_TYPE_FLOAT || t.bits != 32);

      /* through a type that holds the number whole: their classes have few ways */
      g_string_append_printf (self->out, "(%s)%s", text_type (self, ls_dtype_element (t)),
                              !through ? "" : ls_dtype_is_float (from) ? "(float)" : "(double)");
      text_expr (self, cast->value, lane, PREC_POSTFIX);
    }
  if (prec > PREC_UNARY)
    g_string_append_c (self->out, ')');
}

static void
put_ramp (Writer *self,
          LsRamp *ramp,
          guint   lane,
          int     prec)
{
  guint inner = MAX (ls_dtype (ramp->base).lanes, 1);
  guint step = lane / inner;
  gint64 stride, base;
  gboolean known = ls_as_int (ramp->stride, &stride);

  if (step == 0 || (known && stride == 0))
    {
      text_expr (self, ramp->base, lane % inner, prec);
      return;
    }
  if (known && ls_as_int (ramp->base, &base))
    {
      text_int (self, ls_dtype (ramp->base), base + stride * step, prec);
      return;
    }
  if (prec > PREC_ADD)
    g_string_append_c (self->out, '(');
  text_expr (self, ramp->base, lane % inner, PREC_ADD);
  if (known)
    g_string_append_printf (self->out, " + %" G_GINT64_FORMAT, stride * step);
  else
    {
      g_string_append_printf (self->out, " + %u * ", step);
      text_expr (self, ramp->stride, lane % inner, PREC_UNARY);
    }
  if (prec > PREC_ADD)
    g_string_append_c (self->out, ')');
}

static void
put_shuffle (Writer    *self,
             LsShuffle *shuffle,
             guint      lane,
             int        prec)
{
  gint64 at = 0;

  if (!ls_as_int (ls_array_at (shuffle->indices, lane, LsExpr), &at))
    text_refuse (self, "A shuffle by what is no number");
  for (guint i = 0; i < shuffle->vectors->n && at >= 0; i++)
    {
      guint lanes = ls_dtype (shuffle->vectors->items[i]).lanes;

      if (at < lanes)
        {
          text_expr (self, ls_array_at (shuffle->vectors, i, LsExpr), (guint) at, prec);
          return;
        }
      at -= lanes;
    }
}

typedef struct {
  Writer *self;
  LsExpr *expr;
  guint   lane;
  int     prec;
} Again;

static void
expr_again (gpointer data)
{
  Again *again = data;

  text_expr (again->self, again->expr, again->lane, again->prec);
}

void
text_expr (Writer *self,
           LsExpr *expr,
           guint   lane,
           int     prec)
{
  LsDType t = ls_dtype (expr);

  if (ls_stack_is_short ())
    {
      Again again = { self, expr, lane, prec };

      ls_stack_extend (expr_again, &again);
      return;
    }
  if (self->error != NULL)
    return;
  if (t.lanes <= 1)
    lane = 0;
  switch ((int) ls_kind (expr))
    {
    case LS_KIND_VAR:
    case LS_KIND_SIZE_VAR:
      if (t.lanes > 1)
        text_refuse (self, "The vector %s", ((LsVar *) expr)->name);
      g_string_append (self->out, text_name (self, (LsVar *) expr));
      return;
    case LS_KIND_INT_IMM: text_int (self, t, ((LsIntImm *) expr)->value, prec); return;
    case LS_KIND_FLOAT_IMM: text_float (self, t, ((LsFloatImm *) expr)->value, prec); return;
    case LS_KIND_STRING_IMM:
      {
        g_autofree char *escaped = g_strescape (((LsStringImm *) expr)->value, NULL);

        g_string_append_printf (self->out, "\"%s\"", escaped);
        return;
      }
    case LS_KIND_CAST: put_cast (self, (LsCast *) expr, lane, prec); return;
    case LS_KIND_NOT:
      g_string_append_c (self->out, '!');
      text_expr (self, ((LsNot *) expr)->a, lane, PREC_POSTFIX);
      return;
    case LS_KIND_SELECT:
      put_choice (self, ((LsSelect *) expr)->condition, ((LsSelect *) expr)->true_value, ((LsSelect *) expr)->false_value, lane, prec);
      return;
    case LS_KIND_RAMP: put_ramp (self, (LsRamp *) expr, lane, prec); return;
    case LS_KIND_BROADCAST: text_expr (self, ((LsBroadcast *) expr)->value, lane % MAX (ls_dtype (((LsBroadcast *) expr)->value).lanes, 1), prec); return;
    case LS_KIND_SHUFFLE: put_shuffle (self, (LsShuffle *) expr, lane, prec); return;
    case LS_KIND_CALL: put_call (self, (LsCall *) expr, lane, prec); return;
    case LS_KIND_BUFFER_LOAD:
      if (((LsBufferLoad *) expr)->predicate != NULL)
        text_refuse (self, "A load under a mask");
      text_element (self, ((LsBufferLoad *) expr)->buffer, ((LsBufferLoad *) expr)->indices, lane);
      return;
    default:
      if (ls_kind_is_binary (ls_kind (expr)))
        put_binary (self, (LsBinary *) expr, lane, prec);
      else
        text_refuse (self, "%s", expr->node.klass->name);
    }
}

void
text_condition (Writer *self,
                LsExpr *expr)
{
  text_expr (self, expr, 0, PREC_COMMA);
}
