/* eval-op: operators of a script.
 *
 * Two Python values: Python's rule.  A node among them: TVM's rule, which differs by operator.  Arithmetic goes through
 * the folding operators (ls_binary); comparisons, `and`, `or` and `not` build plain nodes, and a number beside a node
 * gets that node's type.
 */
#include "engine/script/script-private.h"

#include <math.h>

static const char *
op_text (guint32 op)
{
  static _Thread_local char text[4];

  text[0] = (char) op;
  text[1] = (char) (op >> 8);
  text[2] = (char) (op >> 16);
  return text;
}

/* ---- Python numbers --------------------------------------------------------------------- */

static LsValue *
overflow (LsParse *p,
          LsSyn   *at)
{
  ls_parse_error (p, at->span, "script/overflow", "The result does not fit into 64 bits.");
  return NULL;
}

static LsValue *
divide_by_zero (LsParse *p,
                LsSyn   *at)
{
  ls_parse_error (p, at->span, "script/division", "The divisor is 0.");
  return NULL;
}

static LsValue *
int_power (LsParse *p,
           gint64   a,
           gint64   b,
           LsSyn   *at)
{
  gint64 r = 1;

  if (b < 0)
    return a == 0 ? divide_by_zero (p, at) : ls_value_float (p, pow ((double) a, (double) b));
  if (b > 64 && (a < -1 || a > 1))
    return overflow (p, at);
  if (b > 64)
    b = 64 + b % 2;
  for (gint64 i = 0; i < b; i++)
    if (__builtin_mul_overflow (r, a, &r))
      return overflow (p, at);
  return ls_value_int (p, r);
}

static LsValue *
int_op (LsParse *p,
        guint32  op,
        gint64   a,
        gint64   b,
        LsSyn   *at)
{
  gint64 r;

  switch (op)
    {
    case '+': return __builtin_add_overflow (a, b, &r) ? overflow (p, at) : ls_value_int (p, r);
    case '-': return __builtin_sub_overflow (a, b, &r) ? overflow (p, at) : ls_value_int (p, r);
    case '*': return __builtin_mul_overflow (a, b, &r) ? overflow (p, at) : ls_value_int (p, r);
    case '/': return b == 0 ? divide_by_zero (p, at) : ls_value_float (p, (double) a / (double) b);
    case LS_OP2 ('/', '/'):
      if (b == 0)
        return divide_by_zero (p, at);
      return a == G_MININT64 && b == -1 ? overflow (p, at) : ls_value_int (p, ls_floordiv_i64 (a, b));
    case '%': return b == 0 ? divide_by_zero (p, at) : ls_value_int (p, ls_floormod_i64 (a, b));
    case '&': return ls_value_int (p, a & b);
    case '|': return ls_value_int (p, a | b);
    case '^': return ls_value_int (p, a ^ b);
    case LS_OP2 ('*', '*'): return int_power (p, a, b, at);
    case LS_OP2 ('>', '>'): return b < 0 ? overflow (p, at) : ls_value_int (p, a >> MIN (b, 63));
    case LS_OP2 ('<', '<'):
      if (b < 0 || b > 62 || (a != 0 && (a > (G_MAXINT64 >> b) || a < (G_MININT64 >> b))))
        return a == 0 && b >= 0 ? ls_value_int (p, 0) : overflow (p, at);
      return ls_value_int (p, (gint64) ((guint64) a << b));
    default: break;
    }
  ls_parse_error (p, at->span, "script/unsupported", "The operator `%s` is not used between numbers here.", op_text (op));
  return NULL;
}

static LsValue *
float_op (LsParse *p,
          guint32  op,
          double   a,
          double   b,
          LsSyn   *at)
{
  if (b == 0.0 && (op == '/' || op == '%' || op == LS_OP2 ('/', '/')))
    return divide_by_zero (p, at);
  switch (op)
    {
    case '+': return ls_value_float (p, a + b);
    case '-': return ls_value_float (p, a - b);
    case '*': return ls_value_float (p, a * b);
    case '/': return ls_value_float (p, a / b);
    case '%': return ls_value_float (p, a - b * floor (a / b));
    case LS_OP2 ('/', '/'): return ls_value_float (p, floor (a / b));
    case LS_OP2 ('*', '*'): return ls_value_float (p, pow (a, b));
    default: break;
    }
  ls_parse_error (p, at->span, "script/type", "The operator `%s` is for whole numbers.", op_text (op));
  return NULL;
}

static LsValue *
python_numbers (LsParse *p,
                guint32  op,
                LsValue *a,
                LsValue *b,
                LsSyn   *at)
{
  if (a->big || b->big)
    return overflow (p, at);
  if (a->kind == LS_VALUE_FLOAT || b->kind == LS_VALUE_FLOAT)
    return float_op (p, op, a->kind == LS_VALUE_FLOAT ? a->f : (double) a->i, b->kind == LS_VALUE_FLOAT ? b->f : (double) b->i, at);
  return int_op (p, op, a->i, b->i, at);
}

static LsValue *
join_texts (LsParse    *p,
            const char *a,
            const char *b,
            LsSyn      *at)
{
  if (strlen (a) + strlen (b) <= LS_SCRIPT_MAX_ITEMS)
    return ls_value_string (p, ls_arena_printf (&p->arena, "%s%s", a, b));
  ls_parse_error (p, at->span, "script/overflow", "The text would have more than %d bytes.", LS_SCRIPT_MAX_ITEMS);
  return NULL;
}

static LsValue *
join_sequences (LsParse *p,
                LsValue *a,
                LsValue *b,
                LsSpan   span)
{
  LsValue **items = ls_arena_alloc (&p->arena, (a->n + b->n + 1) * sizeof (LsValue *));

  for (guint i = 0; i < a->n; i++)
    items[i] = a->items[i];
  for (guint i = 0; i < b->n; i++)
    items[a->n + i] = b->items[i];
  return ls_value_weigh (p, ls_value_list (p, a->kind, items, a->n + b->n), span);
}

static LsValue *
repeat_sequence (LsParse *p,
                 LsValue *a,
                 gint64   times,
                 LsSyn   *at)
{
  LsValue **items;
  guint n;

  if (times > 0 && a->n > 0 && times > LS_SCRIPT_MAX_ITEMS / a->n)
    {
      ls_parse_error (p, at->span, "script/overflow", "The list would have more than %d elements.", LS_SCRIPT_MAX_ITEMS);
      return NULL;
    }
  n = times > 0 ? a->n * (guint) times : 0;
  items = ls_arena_alloc (&p->arena, (n + 1) * sizeof (LsValue *));
  for (guint i = 0; i < n; i++)
    items[i] = a->items[i % a->n];
  return ls_value_weigh (p, ls_value_list (p, a->kind, items, n), at->span);
}

static LsValue *
repeat_text (LsParse    *p,
             const char *text,
             gint64      times,
             LsSyn      *at)
{
  gsize n = strlen (text);
  char *all;

  if (times > 0 && n > 0 && times > (gint64) (LS_SCRIPT_MAX_ITEMS / n))
    {
      ls_parse_error (p, at->span, "script/overflow", "The text would have more than %d bytes.", LS_SCRIPT_MAX_ITEMS);
      return NULL;
    }
  times = MAX (times, 0);
  all = ls_arena_alloc (&p->arena, n * (gsize) times + 1);
  for (gsize i = 0; i < (gsize) times; i++)
    memcpy (all + i * n, text, n);
  all[n * (gsize) times] = '\0';
  return ls_value_string (p, all);
}

/* ---- nodes ------------------------------------------------------------------------------- */

static LsValue *
type_error (LsParse *p,
            guint32  op,
            LsValue *a,
            LsValue *b,
            LsSyn   *at)
{
  LsDiagnostic *d = ls_parse_error (p, at->span, "script/type", "`%s` does not go between %s and %s.", op_text (op),
                                    ls_value_describe (p, a), ls_value_describe (p, b));
  LsValue *buffer = a->kind == LS_VALUE_NODE && ls_is (a->node, BUFFER) ? a : b;

  if (d != NULL && buffer->kind == LS_VALUE_NODE && ls_is (buffer->node, BUFFER))
    ls_diagnostic_set_repair (d, "Read an element: %s[...].", ((LsBuffer *) buffer->node)->name);
  return NULL;
}

LsExpr *
ls_eval_math (LsParse *p,
              LsKind   kind,
              LsExpr  *a,
              LsExpr  *b,
              LsSpan   span)
{
  LsExpr *x = ls_ref (a);
  LsExpr *y = ls_ref (b);
  gboolean divides = kind == LS_KIND_DIV || kind == LS_KIND_MOD || kind == LS_KIND_FLOOR_DIV || kind == LS_KIND_FLOOR_MOD;

  if (ls_dtype_is_handle (ls_dtype (a)) || ls_dtype_is_handle (ls_dtype (b)) || ls_dtype_is_void (ls_dtype (a)) ||
      ls_dtype_is_void (ls_dtype (b)) || !ls_match_types (&x, &y))
    {
      ls_parse_error (p, span, "script/type", "The operands have the types %s and %s, which do not go together.",
                      ls_dtype_name (ls_dtype (a)), ls_dtype_name (ls_dtype (b)));
      ls_unref (x);
      ls_unref (y);
      return NULL;
    }
  if (divides && ls_is_zero (y))
    {
      ls_parse_error (p, span, "script/division", "The divisor is 0.");
      ls_unref (x);
      ls_unref (y);
      return NULL;
    }
  return ls_parse_keep (p, ls_binary (kind, x, y), span);
}

static LsExpr *
bit_operation (LsParse    *p,
               const char *name,
               LsExpr     *a,
               LsExpr     *b,
               LsSpan      span)
{
  LsExpr *x = ls_ref (a);
  LsExpr *y = ls_ref (b);
  LsDType t;
  gint64 i, j;
  gboolean shift = g_str_has_prefix (name, "tir.shift");

  if (!ls_match_types (&x, &y) || !(ls_dtype_is_int (ls_dtype (x)) || ls_dtype_is_uint (ls_dtype (x))))
    {
      ls_parse_error (p, span, "script/type", "Bits belong to whole numbers; the operands have the types %s and %s.",
                      ls_dtype_name (ls_dtype (a)), ls_dtype_name (ls_dtype (b)));
      ls_unref (x);
      ls_unref (y);
      return NULL;
    }
  ls_parse_keep (p, x, span);
  ls_parse_keep (p, y, span);
  t = ls_dtype (x);
  if (ls_as_int (y, &j) && shift && (j < 0 || j >= t.bits))
    {
      ls_parse_error (p, span, "script/overflow", "A shift of %s is by 0 to %u bits; this is by %" PRId64 ".",
                      ls_dtype_name (t), t.bits - 1u, j);
      return NULL;
    }
  if (ls_as_int (x, &i) && ls_as_int (y, &j))
    {
      gint64 r = strcmp (name, "tir.shift_left") == 0 ? (gint64) ((guint64) i << j)
               : strcmp (name, "tir.shift_right") == 0 ? i >> j
               : strcmp (name, "tir.bitwise_and") == 0 ? (i & j)
               : strcmp (name, "tir.bitwise_or") == 0 ? (i | j) : (i ^ j);

      return ls_parse_keep (p, ls_int_imm_new (t, r), span);
    }
  if (shift && ls_is_zero (y))
    return x;
  return ls_parse_keep (p, ls_call_op (name, t, ls_array_of (ls_ref (x), ls_ref (y), NULL)), span);
}

static gboolean
whole_number (LsExpr *e)
{
  return ls_dtype_is_int (ls_dtype (e));
}

static LsValue *
node_op (LsParse *p,
         guint32  op,
         LsExpr  *a,
         LsExpr  *b,
         LsSyn   *at)
{
  LsExpr *r = NULL;

  switch (op)
    {
    case '+': r = ls_eval_math (p, LS_KIND_ADD, a, b, at->span); break;
    case '-': r = ls_eval_math (p, LS_KIND_SUB, a, b, at->span); break;
    case '*': r = ls_eval_math (p, LS_KIND_MUL, a, b, at->span); break;
    case LS_OP2 ('/', '/'): r = ls_eval_math (p, LS_KIND_FLOOR_DIV, a, b, at->span); break;
    case '%': r = ls_eval_math (p, LS_KIND_FLOOR_MOD, a, b, at->span); break;
    case '&': r = bit_operation (p, "tir.bitwise_and", a, b, at->span); break;
    case '|': r = bit_operation (p, "tir.bitwise_or", a, b, at->span); break;
    case '^': r = bit_operation (p, "tir.bitwise_xor", a, b, at->span); break;
    case LS_OP2 ('<', '<'): r = bit_operation (p, "tir.shift_left", a, b, at->span); break;
    case LS_OP2 ('>', '>'): r = bit_operation (p, "tir.shift_right", a, b, at->span); break;
    case '/':
      if (whole_number (a) && whole_number (b))
        {
          LsDiagnostic *d = ls_parse_error (p, at->span, "script/division", "`/` between whole numbers leaves open how to round.");

          if (d != NULL)
            ls_diagnostic_set_repair (d, "Write // to round down, or T.truncdiv (a, b) to round towards zero.");
          return NULL;
        }
      r = ls_eval_math (p, LS_KIND_DIV, a, b, at->span);
      break;
    default:
      {
        LsDiagnostic *d = ls_parse_error (p, at->span, "script/unsupported", "The operator `%s` has no meaning for expressions.", op_text (op));

        if (d != NULL && op == LS_OP2 ('*', '*'))
          ls_diagnostic_set_repair (d, "Write T.pow (a, b).");
      }
    }
  return ls_value_node (p, r);
}

LsValue *
ls_eval_binary (LsParse *p,
                guint32  op,
                LsValue *a,
                LsValue *b,
                LsSyn   *at)
{
  LsExpr *x, *y;

  if (a->kind == LS_VALUE_META)
    a = a->items[0];
  if (b->kind == LS_VALUE_META)
    b = b->items[0];
  if (a->kind == LS_VALUE_POISON || b->kind == LS_VALUE_POISON)
    return NULL;
  if (a->kind == LS_VALUE_OPAQUE || b->kind == LS_VALUE_OPAQUE)
    return p->quiet ? ls_value_new (p, LS_VALUE_OPAQUE) : type_error (p, op, a, b, at);
  if (p->relax != NULL && (ls_relax_is_value (a) || ls_relax_is_value (b)))
    return ls_relax_operator (p, op, a, b, at->span);
  if (ls_value_is_number (a) && ls_value_is_number (b))
    return python_numbers (p, op, a, b, at);
  if (op == '+' && a->kind == LS_VALUE_STRING && b->kind == LS_VALUE_STRING)
    return join_texts (p, a->s, b->s, at);
  if (op == '+' && ls_value_is_sequence (a) && a->kind == b->kind && a->n + b->n <= LS_SCRIPT_MAX_ITEMS)
    return join_sequences (p, a, b, at->span);
  if (op == '*' && ls_value_is_sequence (a) && b->kind == LS_VALUE_INT)
    return repeat_sequence (p, a, b->big ? G_MAXINT64 : b->i, at);
  if (op == '*' && a->kind == LS_VALUE_STRING && b->kind == LS_VALUE_INT)
    return repeat_text (p, a->s, b->big ? G_MAXINT64 : b->i, at);
  if (op == '*' && a->kind == LS_VALUE_INT && b->kind == LS_VALUE_STRING)
    return repeat_text (p, b->s, a->big ? G_MAXINT64 : a->i, at);
  if (!(ls_value_is_expr (a) || ls_value_is_expr (b)) ||
      !(ls_value_is_expr (a) || ls_value_is_number (a)) || !(ls_value_is_expr (b) || ls_value_is_number (b)))
    return type_error (p, op, a, b, at);
  if ((x = ls_value_to_expr (p, a, at->span)) == NULL || (y = ls_value_to_expr (p, b, at->span)) == NULL)
    return NULL;
  return node_op (p, op, x, y, at);
}

/* ---- comparisons ------------------------------------------------------------------------- */

static LsKind
compare_kind (guint32 op)
{
  switch (op)
    {
    case '<': return LS_KIND_LT;
    case '>': return LS_KIND_GT;
    case LS_OP2 ('<', '='): return LS_KIND_LE;
    case LS_OP2 ('>', '='): return LS_KIND_GE;
    case LS_OP2 ('=', '='): return LS_KIND_EQ;
    default: return LS_KIND_NE;
    }
}

static LsExpr *
broadcast_to (LsParse *p,
              LsExpr  *e,
              guint    lanes)
{
  if (ls_dtype (e).lanes == lanes)
    return e;
  return ls_parse_keep (p, ls_broadcast_new (ls_ref (e), ls_int (lanes)), e->node.span);
}

LsExpr *
ls_eval_raw_binary (LsParse *p,
                    LsKind   kind,
                    LsExpr  *a,
                    LsExpr  *b,
                    LsSpan   span)
{
  guint lanes = MAX (ls_dtype (a).lanes, ls_dtype (b).lanes);
  gboolean logic = kind == LS_KIND_AND || kind == LS_KIND_OR;

  if (logic && lanes > 1)
    return bit_operation (p, kind == LS_KIND_AND ? "tir.bitwise_and" : "tir.bitwise_or", a, b, span);
  if (ls_kind_is_compare (kind) && (ls_dtype (a).lanes == 1 || ls_dtype (b).lanes == 1) && lanes > 1)
    {
      a = broadcast_to (p, a, lanes);
      b = broadcast_to (p, b, lanes);
    }
  if (!ls_dtype_equal (ls_dtype (a), ls_dtype (b)))
    {
      LsDiagnostic *d = ls_parse_error (p, span, "script/type", "Both sides have one type here; these have %s and %s.",
                                        ls_dtype_name (ls_dtype (a)), ls_dtype_name (ls_dtype (b)));

      if (d != NULL && !logic)
        ls_diagnostic_set_repair (d, "Write T.Cast (\"%s\", ...) around one of them.", ls_dtype_name (ls_dtype (b)));
      return NULL;
    }
  if (logic && !ls_dtype_is_bool (ls_dtype_element (ls_dtype (a))))
    {
      ls_parse_error (p, span, "script/type", "`%s` goes between conditions; these have the type %s.",
                      kind == LS_KIND_AND ? "and" : "or", ls_dtype_name (ls_dtype (a)));
      return NULL;
    }
  return ls_parse_keep (p, ls_binary_new (kind, ls_ref (a), ls_ref (b)), span);
}

/* A Python number as a constant of the type of the node that it is compared with. */
static LsExpr *
number_like (LsParse *p,
             LsValue *v,
             LsExpr  *other,
             LsSpan   span)
{
  LsDType t = ls_dtype_element (ls_dtype (other));

  if (v->big)
    return ls_value_to_expr (p, v, span);
  if (ls_dtype_is_float (t))
    return ls_value_float_imm (p, t, v->kind == LS_VALUE_FLOAT ? v->f : (double) v->i, span);
  if (v->kind == LS_VALUE_FLOAT)
    return ls_value_float_imm (p, LS_FLOAT32, v->f, span);
  if (t.code == LS_TYPE_INT || t.code == LS_TYPE_UINT)
    return ls_value_int_imm (p, t, v->i, span);
  return ls_value_to_expr (p, v, span);
}

static gboolean
python_equal (const LsValue *a,
              const LsValue *b)
{
  if (ls_value_is_number (a) && ls_value_is_number (b))
    return (a->kind == LS_VALUE_FLOAT ? a->f : (double) a->i) == (b->kind == LS_VALUE_FLOAT ? b->f : (double) b->i) && a->big == b->big;
  if (a->kind == LS_VALUE_STRING && b->kind == LS_VALUE_STRING)
    return strcmp (a->s, b->s) == 0;
  if (ls_value_is_sequence (a) && a->kind == b->kind && a->n == b->n)
    {
      for (guint i = 0; i < a->n; i++)
        if (!python_equal (a->items[i], b->items[i]))
          return FALSE;
      return TRUE;
    }
  if (a->kind == LS_VALUE_NODE && b->kind == LS_VALUE_NODE)
    return a->node == b->node;
  return a->kind == LS_VALUE_NONE && b->kind == LS_VALUE_NONE;
}

static LsValue *
python_compare (LsParse *p,
                guint32  op,
                LsValue *a,
                LsValue *b,
                LsSyn   *at)
{
  gboolean ordered = ls_value_is_number (a) && ls_value_is_number (b);
  double x, y;

  if (op == LS_OP2 ('=', '=') || op == 's')
    return ls_value_bool (p, python_equal (a, b));
  if (op == LS_OP2 ('!', '=') || op == 't')
    return ls_value_bool (p, !python_equal (a, b));
  if ((op == 'i' || op == 'n') && ls_value_is_sequence (b))
    {
      gboolean found = FALSE;

      for (guint i = 0; i < b->n && !found; i++)
        found = python_equal (a, b->items[i]);
      return ls_value_bool (p, found == (op == 'i'));
    }
  if (!ordered)
    return type_error (p, op == 'i' ? LS_OP2 ('i', 'n') : op, a, b, at);
  x = a->kind == LS_VALUE_FLOAT ? a->f : (double) a->i;
  y = b->kind == LS_VALUE_FLOAT ? b->f : (double) b->i;
  switch (op)
    {
    case '<': return ls_value_bool (p, x < y);
    case '>': return ls_value_bool (p, x > y);
    case LS_OP2 ('<', '='): return ls_value_bool (p, x <= y);
    default: return ls_value_bool (p, x >= y);
    }
}

static LsValue *
compare (LsParse *p,
         guint32  op,
         LsValue *a,
         LsValue *b,
         LsSyn   *at)
{
  LsExpr *x = NULL, *y = NULL;

  if (a->kind == LS_VALUE_META)
    a = a->items[0];
  if (b->kind == LS_VALUE_META)
    b = b->items[0];
  if (a->kind == LS_VALUE_POISON || b->kind == LS_VALUE_POISON)
    return NULL;
  if (a->kind == LS_VALUE_OPAQUE || b->kind == LS_VALUE_OPAQUE)
    return p->quiet ? ls_value_new (p, LS_VALUE_OPAQUE) : type_error (p, op, a, b, at);
  if (!(ls_value_is_expr (a) || ls_value_is_expr (b)) || op == 's' || op == 't')
    return python_compare (p, op, a, b, at);
  if (!(ls_value_is_expr (a) || ls_value_is_number (a)) || !(ls_value_is_expr (b) || ls_value_is_number (b)) || op == 'i' || op == 'n')
    return type_error (p, op == 'i' ? LS_OP2 ('i', 'n') : op, a, b, at);
  if (ls_value_is_expr (a))
    x = ls_value_to_expr (p, a, at->span);
  if (ls_value_is_expr (b))
    y = ls_value_to_expr (p, b, at->span);
  if (!ls_value_is_expr (a) && y != NULL)
    x = number_like (p, a, y, at->span);
  if (!ls_value_is_expr (b) && x != NULL)
    y = number_like (p, b, x, at->span);
  if (x == NULL || y == NULL)
    return NULL;
  return ls_value_node (p, ls_eval_raw_binary (p, compare_kind (op), x, y, at->span));
}

static gboolean
truthy (const LsValue *v)
{
  switch (v->kind)
    {
    case LS_VALUE_NONE: return FALSE;
    case LS_VALUE_BOOL:
    case LS_VALUE_INT: return v->i != 0 || v->big;
    case LS_VALUE_FLOAT: return v->f != 0.0;
    case LS_VALUE_STRING: return *v->s != '\0';
    case LS_VALUE_TUPLE:
    case LS_VALUE_LIST:
    case LS_VALUE_DICT: return v->n > 0;
    case LS_VALUE_SLICE:
    case LS_VALUE_NODE:
    case LS_VALUE_MODULE:
    case LS_VALUE_FUNC:
    case LS_VALUE_DTYPE:
    case LS_VALUE_METHOD:
    case LS_VALUE_LAMBDA:
    case LS_VALUE_FRAME:
    case LS_VALUE_META:
    case LS_VALUE_STORE:
    case LS_VALUE_IR_MODULE:
    case LS_VALUE_OPAQUE:
    case LS_VALUE_FOREIGN:
    case LS_VALUE_POISON:
      break;
    }
  return TRUE;
}

static LsValue *
combine (LsParse *p,
         gboolean or,
         LsValue *a,
         LsValue *b,
         LsSyn   *at)
{
  LsExpr *x, *y;

  if (!ls_value_is_expr (a) && !ls_value_is_expr (b))
    return truthy (a) == or ? a : b;
  if (!(ls_value_is_expr (a) || a->kind == LS_VALUE_BOOL) || !(ls_value_is_expr (b) || b->kind == LS_VALUE_BOOL))
    {
      LsValue *wrong = ls_value_is_expr (a) || a->kind == LS_VALUE_BOOL ? b : a;

      ls_parse_error (p, at->span, "script/type", "`%s` goes between conditions; this is %s.", or ? "or" : "and", ls_value_describe (p, wrong));
      return NULL;
    }
  if ((x = ls_value_to_expr (p, a, at->span)) == NULL || (y = ls_value_to_expr (p, b, at->span)) == NULL)
    return NULL;
  return ls_value_node (p, ls_eval_raw_binary (p, or ? LS_KIND_OR : LS_KIND_AND, x, y, at->span));
}

LsValue *
ls_eval_compare (LsParse *p,
                 LsSyn   *syn)
{
  LsValue *left = ls_eval (p, syn->a);
  LsValue *result = NULL;
  gboolean failed = left == NULL;

  if (p->relax != NULL && left != NULL && syn->n == 1 && ls_relax_is_value (left) && ls_relax_compares (syn->ops[0]))
    {
      LsValue *right = ls_eval (p, syn->items[0]);

      return right != NULL ? ls_relax_operator (p, syn->ops[0], left, right, syn->span) : NULL;
    }

  for (guint i = 0; i < syn->n; i++)
    {
      LsValue *right = ls_eval (p, syn->items[i]);
      LsValue *here = left != NULL && right != NULL ? compare (p, syn->ops[i], left, right, syn) : NULL;

      failed = failed || here == NULL;
      if (!failed)
        result = i == 0 ? here : combine (p, FALSE, result, here, syn);
      failed = failed || result == NULL;
      left = right;
    }
  return failed ? NULL : result;
}

LsValue *
ls_eval_bool (LsParse *p,
              LsSyn   *syn)
{
  LsValue *result = NULL;
  gboolean failed = FALSE;

  for (guint i = 0; i < syn->n; i++)
    {
      LsValue *v = ls_eval (p, syn->items[i]);

      if (v != NULL && v->kind == LS_VALUE_META)
        v = v->items[0];
      if (v == NULL || v->kind == LS_VALUE_POISON)
        failed = TRUE;
      else if (!failed)
        result = i == 0 ? v : combine (p, syn->op == '|', result, v, syn);
      failed = failed || result == NULL;
    }
  return failed ? NULL : result;
}

/* ---- one operand --------------------------------------------------------------------------- */

static LsValue *
unary_number (LsParse *p,
              guint32  op,
              LsValue *v,
              LsSyn   *at)
{
  if (op == '!')
    return ls_value_bool (p, !truthy (v));
  if (op == '+')
    return v->kind == LS_VALUE_BOOL ? ls_value_int (p, v->i) : v;
  if (op == '~')
    return v->kind == LS_VALUE_FLOAT || v->big ? overflow (p, at) : ls_value_int (p, ~v->i);
  if (v->kind == LS_VALUE_FLOAT)
    return ls_value_float (p, -v->f);
  if (v->big)
    return v->i == G_MININT64 ? ls_value_int (p, G_MININT64) : overflow (p, at);
  return v->i == G_MININT64 ? overflow (p, at) : ls_value_int (p, -v->i);
}

static LsValue *
unary_node (LsParse *p,
            guint32  op,
            LsExpr  *e,
            LsSyn   *at)
{
  LsDType t = ls_dtype (e);

  if (op == '!')
    {
      if (ls_dtype_is_bool (ls_dtype_element (t)))
        return ls_value_node (p, ls_parse_keep (p, ls_not_new (ls_ref (e)), at->span));
      ls_parse_error (p, at->span, "script/type", "`not` goes before a condition; this has the type %s.", ls_dtype_name (t));
      return NULL;
    }
  if (op == '~' && (ls_dtype_is_int (t) || ls_dtype_is_uint (t)))
    return ls_value_node (p, ls_parse_keep (p, ls_call_op ("tir.bitwise_not", t, ls_array_of (ls_ref (e), NULL)), at->span));
  if (op == '-' && (ls_dtype_is_int (t) || ls_dtype_is_float (t)))
    {
      LsExpr *minus = ls_dtype_is_float (t) ? ls_value_float_imm (p, t, -1.0, at->span) : ls_value_int_imm (p, t, -1, at->span);

      return minus != NULL ? ls_value_node (p, ls_eval_math (p, LS_KIND_MUL, e, minus, at->span)) : NULL;
    }
  ls_parse_error (p, at->span, "script/type", "`%s` does not go before a value of type %s.", op_text (op), ls_dtype_name (t));
  return NULL;
}

LsValue *
ls_eval_unary (LsParse *p,
               LsSyn   *syn)
{
  LsValue *v = ls_eval (p, syn->a);
  LsExpr *e;

  if (v == NULL || v->kind == LS_VALUE_POISON)
    return NULL;
  if (v->kind == LS_VALUE_META)
    v = v->items[0];
  if (v->kind == LS_VALUE_OPAQUE && p->quiet)
    return v;
  if (p->relax != NULL && syn->op == '-' && ls_relax_is_value (v))
    return ls_relax_minus (p, v, syn->span);
  if (ls_value_is_number (v) || (syn->op == '!' && !ls_value_is_expr (v)))
    return unary_number (p, syn->op, v, syn);
  if ((e = ls_value_to_expr (p, v, syn->span)) == NULL)
    return NULL;
  return unary_node (p, syn->op, e, syn);
}
