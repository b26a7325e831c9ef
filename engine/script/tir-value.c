/* tir-value: constants and types (T.float32), operators by name (T.max, T.floordiv, T.Add), rounding, vectors.
 *
 * Lower-case names go through the folding operators, capital ones (T.Add, T.Cast, T.Select) build the plain node.
 */
#include "engine/script/script-private.h"

#include <math.h>

/* ---- T.float32 (1), T.int64 (), T.handle ("float32") ------------------------------------------------ */

/* A uint64 above the int64 range: a call of large_uint_imm with both halves. */
static LsExpr *
large_constant (LsParse *p,
                guint64  value,
                LsSpan   span)
{
  LsDType half = LS_DTYPE (LS_TYPE_UINT, 32);

  return ls_parse_keep (p, ls_call_op ("tir.large_uint_imm", LS_DTYPE (LS_TYPE_UINT, 64),
                                       ls_array_of (ls_int_imm_new (half, (gint64) (value & G_MAXUINT32)), ls_int_imm_new (half, (gint64) (value >> 32)), NULL)),
                        span);
}

static LsExpr *
typed_constant (LsParse *p,
                LsDType  t,
                LsValue *v,
                LsSpan   span)
{
  double f = v->kind == LS_VALUE_FLOAT ? v->f : v->big ? (double) (guint64) v->i : (double) v->i;

  if (ls_dtype_is_float (t))
    return ls_value_float_imm (p, t, f, span);
  if (v->kind == LS_VALUE_FLOAT && (!isfinite (f) || fabs (f) >= 9.3e18))
    {
      ls_parse_error (p, span, "script/overflow", "%g is outside of %s.", f, ls_dtype_name (t));
      return NULL;
    }
  if (ls_dtype_is_bool (t))
    return ls_parse_keep (p, ls_bool (f != 0.0), span);
  if (v->big)
    {
      if (t.code == LS_TYPE_UINT && t.bits == 64)
        return large_constant (p, (guint64) v->i, span);
      ls_parse_error (p, span, "script/overflow", "%" PRIu64 " is outside of %s.", (guint64) v->i, ls_dtype_name (t));
      return NULL;
    }
  return ls_value_int_imm (p, t, v->kind == LS_VALUE_FLOAT ? (gint64) f : v->i, span);
}

static LsExpr *
convert_to (LsParse *p,
            LsDType  t,
            LsValue *v,
            LsSpan   span)
{
  LsExpr *e;

  if (v->kind == LS_VALUE_META)
    v = v->items[0];
  if (v->kind == LS_VALUE_STRING)
    {
      char *end;
      double f = g_ascii_strtod (v->s, &end);

      if (*end != '\0' || end == v->s)
        {
          ls_parse_error (p, span, "script/argument", "\"%.40s\" is no number; as texts there are \"inf\", \"-inf\" and \"nan\".", v->s);
          return NULL;
        }
      v = ls_value_float (p, f);
    }
  if (ls_value_is_number (v) && t.code != LS_TYPE_HANDLE && t.lanes == 1)
    return typed_constant (p, t, v, span);
  if ((e = ls_value_to_expr (p, v, span)) == NULL)
    return NULL;
  if (ls_dtype_equal (ls_dtype (e), t))
    return e;
  if (ls_dtype_is_handle (ls_dtype (e)) || t.code == LS_TYPE_HANDLE || (ls_dtype (e).lanes != t.lanes && ls_dtype (e).lanes != 1))
    {
      ls_parse_error (p, span, "script/type", "%s does not become %s.", ls_value_describe (p, v), ls_dtype_name (t));
      return NULL;
    }
  if (ls_is (e, INT_IMM) && ls_dtype_is_int (t) && t.lanes == 1)
    return ls_value_int_imm (p, t, ((LsIntImm *) e)->value, span);
  return ls_parse_keep (p, ls_cast (t, ls_ref (e)), span);
}

static LsValue *
fresh_variable (LsParse *p,
                LsDType  t,
                gboolean size,
                LsSpan   span)
{
  return ls_value_node (p, ls_parse_keep (p, size ? ls_size_var_new ("v", t) : ls_var_new ("v", t), span));
}

static LsValue *
pointer_variable (LsParse *p,
                  LsSyn   *call)
{
  LsArgs args;
  LsDType t;
  const char *scope = "global";

  if (!ls_args_bind (p, "T.handle", "dtype? storage_scope? | is_size_var?", call, &args))
    return NULL;
  if (args.slot[0] == NULL)
    return fresh_variable (p, LS_HANDLE, FALSE, call->span);
  if (!ls_value_to_dtype (p, args.slot[0], args.span[0], &t) ||
      (args.slot[1] != NULL && (scope = ls_value_to_string (p, args.slot[1], args.span[1], "storage_scope")) == NULL))
    return NULL;
  return ls_value_node (p, ls_keep (p, ls_var_new_typed ("v", ls_pointer_type_new (ls_prim_type_new (t), scope)), call));
}

LsValue *
ls_call_dtype (LsParse *p,
               LsDType  dtype,
               LsSyn   *call)
{
  LsArgs args;
  const char *name;

  if (ls_dtype_is_handle (dtype) && dtype.lanes == 1)
    return pointer_variable (p, call);
  name = ls_arena_printf (&p->arena, "T.%s", ls_dtype_name (dtype));
  if (!ls_args_bind (p, name, "expr? | is_size_var?", call, &args))
    return NULL;
  if (args.slot[0] == NULL)
    return fresh_variable (p, dtype, args.slot[1] != NULL && args.slot[1]->i != 0, call->span);
  return ls_value_node (p, convert_to (p, dtype, args.slot[0], args.span[0]));
}

static LsValue *
handle_var (LsParse       *p,
            const LsEntry *entry,
            LsArgs        *args)
{
  guint name_slot = entry->rule == 1 ? 1 : 0;
  guint type_slot = 1 - name_slot;
  LsDType t = entry->rule == 3 ? LS_INT64 : LS_INT32;      /* 3: T.dynamic, an extent */
  const char *name = "v";

  if ((args->slot[type_slot] != NULL && !ls_value_to_dtype (p, args->slot[type_slot], args->span[type_slot], &t)) ||
      (args->slot[name_slot] != NULL && (name = ls_value_to_string (p, args->slot[name_slot], args->span[name_slot], "The name")) == NULL))
    return NULL;
  return ls_value_node (p, ls_parse_keep (p, entry->rule == 2 ? ls_size_var_new (name, t) : ls_var_new (name, t), args->call));
}

static LsValue *
handle_pointer (LsParse       *p,
                const LsEntry *entry,
                LsArgs        *args)
{
  LsDType t;
  const char *scope = "global";

  if (!ls_value_to_dtype (p, args->slot[0], args->span[0], &t) ||
      (args->slot[1] != NULL && (scope = ls_value_to_string (p, args->slot[1], args->span[1], "storage_scope")) == NULL))
    return NULL;
  return ls_value_node (p, ls_parse_keep (p, ls_var_new_typed ("v", ls_pointer_type_new (ls_prim_type_new (t), scope)), args->call));
}

/* T.Ptr[T.float32], T.Ptr[T.float32, "shared"]: as with parentheses */
LsValue *
ls_pointer_proxy (LsParse *p,
                  LsValue *index,
                  LsSyn   *at)
{
  gboolean several = ls_value_is_sequence (index);
  LsArgs args = { .call = at->span, .callee = at->span, .name = "T.Ptr" };

  args.slot[0] = several && index->n > 0 ? index->items[0] : index;
  args.slot[1] = several && index->n > 1 ? index->items[1] : NULL;
  args.span[0] = args.span[1] = at->b != NULL ? at->b->span : at->span;
  return handle_pointer (p, NULL, &args);
}

static LsValue *
handle_imm (LsParse       *p,
            const LsEntry *entry,
            LsArgs        *args)
{
  LsDType t;
  guint type_slot = entry->rule;

  if (!ls_value_to_dtype (p, args->slot[type_slot], args->span[type_slot], &t))
    return NULL;
  return ls_value_node (p, convert_to (p, t, args->slot[1 - type_slot], args->span[1 - type_slot]));
}

static LsValue *
handle_const (LsParse       *p,
              const LsEntry *entry,
              LsArgs        *args)
{
  if (args->slot[1] == NULL)
    return ls_value_node (p, ls_value_to_expr (p, args->slot[0], args->span[0]));
  return handle_imm (p, entry, args);
}

static LsValue *
handle_string_imm (LsParse       *p,
                   const LsEntry *entry,
                   LsArgs        *args)
{
  const char *text = ls_value_to_string (p, args->slot[0], args->span[0], "The value");

  return text != NULL ? ls_value_node (p, ls_parse_keep (p, ls_string_imm_new (text), args->call)) : NULL;
}

/* ---- operators by name --------------------------------------------------------------------------------- */

gboolean
ls_two_operands (LsParse *p,
                 LsArgs  *args,
                 LsExpr **a,
                 LsExpr **b)
{
  *a = ls_value_to_expr (p, args->slot[0], args->span[0]);
  *b = ls_value_to_expr (p, args->slot[1], args->span[1]);
  return *a != NULL && *b != NULL;
}

static LsValue *
handle_math (LsParse       *p,
             const LsEntry *entry,
             LsArgs        *args)
{
  LsExpr *a, *b;

  return ls_two_operands (p, args, &a, &b) ? ls_value_node (p, ls_eval_math (p, (LsKind) entry->rule, a, b, args->call)) : NULL;
}

static LsValue *
handle_operator (LsParse       *p,
                 const LsEntry *entry,
                 LsArgs        *args)
{
  LsExpr *a, *b;
  LsSyn at = { .kind = LS_SYN_CALL, .span = args->call };

  if (!ls_two_operands (p, args, &a, &b))
    return NULL;
  return ls_eval_binary (p, (guint32) entry->rule, ls_value_node (p, a), ls_value_node (p, b), &at);
}

static LsValue *
handle_raw (LsParse       *p,
            const LsEntry *entry,
            LsArgs        *args)
{
  LsExpr *a, *b;

  return ls_two_operands (p, args, &a, &b) ? ls_value_node (p, ls_eval_raw_binary (p, (LsKind) entry->rule, a, b, args->call)) : NULL;
}

static LsValue *
handle_not (LsParse       *p,
            const LsEntry *entry,
            LsArgs        *args)
{
  LsExpr *a = ls_value_to_expr (p, args->slot[0], args->span[0]);

  if (a == NULL)
    return NULL;
  if (!ls_dtype_is_bool (ls_dtype_element (ls_dtype (a))))
    {
      ls_parse_error (p, args->span[0], "script/type", "T.Not goes before a condition; this has the type %s.", ls_dtype_name (ls_dtype (a)));
      return NULL;
    }
  return ls_value_node (p, ls_parse_keep (p, ls_not_new (ls_ref (a)), args->call));
}

static LsValue *
handle_ceildiv (LsParse       *p,
                const LsEntry *entry,
                LsArgs        *args)
{
  LsExpr *a, *b, *sum;
  g_autoptr (LsExpr) one = NULL;

  if (!ls_two_operands (p, args, &a, &b))
    return NULL;
  one = ls_const_int (ls_dtype (b), 1);
  if ((sum = ls_eval_math (p, LS_KIND_ADD, a, b, args->call)) == NULL || (sum = ls_eval_math (p, LS_KIND_SUB, sum, one, args->call)) == NULL)
    return NULL;
  return ls_value_node (p, ls_eval_math (p, LS_KIND_FLOOR_DIV, sum, b, args->call));
}

static LsValue *
handle_pow (LsParse       *p,
            const LsEntry *entry,
            LsArgs        *args)
{
  LsExpr *a, *b;
  LsDType t;

  if (!ls_two_operands (p, args, &a, &b))
    return NULL;
  ls_ref (a);
  ls_ref (b);
  t = ls_dtype (a);
  if (!ls_match_types (&a, &b) || !ls_dtype_is_float (ls_dtype (a)))
    {
      ls_parse_error (p, args->call, "script/type", "T.pow is for floating-point numbers; the base has the type %s.", ls_dtype_name (t));
      ls_unref (a);
      ls_unref (b);
      return NULL;
    }
  return ls_value_node (p, ls_parse_keep (p, ls_call_op ("tir.pow", ls_dtype (a), ls_array_of (a, b, NULL)), args->call));
}

/* ---- rounding and tests: constants are computed, whole numbers need nothing ------------------------------------ */

static double
round_like (const char *name,
            double      f)
{
  return strcmp (name, "floor") == 0 ? floor (f) : strcmp (name, "ceil") == 0 ? ceil (f) : strcmp (name, "trunc") == 0 ? trunc (f)
       : strcmp (name, "round") == 0 ? nearbyint (f) : nearbyint (f);
}

static LsValue *
handle_round (LsParse       *p,
              const LsEntry *entry,
              LsArgs        *args)
{
  LsExpr *e = ls_value_to_expr (p, args->slot[0], args->span[0]);

  if (e == NULL)
    return NULL;
  if (ls_dtype_is_int (ls_dtype (e)) || ls_dtype_is_uint (ls_dtype (e)))
    return ls_value_node (p, e);
  if (ls_is (e, FLOAT_IMM))
    return ls_value_node (p, ls_value_float_imm (p, ls_dtype (e), round_like (entry->name, ((LsFloatImm *) e)->value), args->call));
  return ls_value_node (p, ls_parse_keep (p, ls_call_op (entry->detail, ls_dtype (e), ls_array_of (ls_ref (e), NULL)), args->call));
}

static gint64
magnitude (gint64 i)
{
  return i < 0 ? (gint64) (0 - (guint64) i) : i;
}

static LsExpr *
absolute (LsParse *p,
          LsExpr  *e,
          LsSpan   span)
{
  LsDType t = ls_dtype (e);

  if (ls_dtype_is_uint (t))
    return e;
  if (ls_is (e, INT_IMM))
    return ls_parse_keep (p, ls_int_imm_new (t, magnitude (((LsIntImm *) e)->value)), span);
  if (ls_is (e, FLOAT_IMM))
    return ls_parse_keep (p, ls_float_imm_new (t, fabs (((LsFloatImm *) e)->value)), span);
  if (ls_dtype_is_int (t))
    return ls_parse_keep (p, ls_select_new (ls_ge (ls_ref (e), ls_const_int (t, 0)), ls_ref (e), ls_neg (ls_ref (e))), span);
  return ls_parse_keep (p, ls_call_op ("tir.fabs", t, ls_array_of (ls_ref (e), NULL)), span);
}

static LsValue *
handle_abs (LsParse       *p,
            const LsEntry *entry,
            LsArgs        *args)
{
  LsExpr *e = ls_value_to_expr (p, args->slot[0], args->span[0]);

  return e != NULL ? ls_value_node (p, absolute (p, e, args->call)) : NULL;
}

static LsExpr *
is_nan (LsParse *p,
        LsExpr  *e,
        LsSpan   span)
{
  LsDType t = ls_dtype (e);
  LsDType result = ls_dtype_with_lanes (LS_BOOL, t.lanes);

  if (!ls_dtype_is_float (t))
    return ls_parse_keep (p, ls_const_int (result, 0), span);
  if (ls_is (e, FLOAT_IMM))
    return ls_parse_keep (p, ls_const_int (result, isnan (((LsFloatImm *) e)->value) != 0), span);
  if (t.bits == 16)
    return ls_parse_keep (p, ls_call_op ("tir.isnan", result, ls_array_of (ls_cast (ls_dtype_with_lanes (LS_FLOAT32, t.lanes), ls_ref (e)), NULL)), span);
  return ls_parse_keep (p, ls_call_op ("tir.isnan", result, ls_array_of (ls_ref (e), NULL)), span);
}

static LsExpr *
is_infinite (LsParse *p,
             LsExpr  *e,
             LsSpan   span)
{
  LsDType t = ls_dtype (e);

  if (!ls_dtype_is_float (t))
    return ls_parse_keep (p, ls_const_int (ls_dtype_with_lanes (LS_BOOL, t.lanes), 0), span);
  return ls_parse_keep (p, ls_and (ls_eq (ls_ref (absolute (p, e, span)), ls_const_float (t, HUGE_VAL)), ls_not (ls_ref (is_nan (p, e, span)))), span);
}

static LsValue *
handle_test (LsParse       *p,
             const LsEntry *entry,
             LsArgs        *args)
{
  LsExpr *e = ls_value_to_expr (p, args->slot[0], args->span[0]);

  if (e == NULL)
    return NULL;
  if (strcmp (entry->name, "isnan") == 0)
    return ls_value_node (p, is_nan (p, e, args->call));
  if (strcmp (entry->name, "isinf") == 0)
    return ls_value_node (p, is_infinite (p, e, args->call));
  return ls_value_node (p, ls_parse_keep (p, ls_and (ls_not (ls_ref (is_infinite (p, e, args->call))), ls_not (ls_ref (is_nan (p, e, args->call)))),
                                          args->call));
}

/* T.max_value, T.min_value, T.infinity */
static LsValue *
handle_limit (LsParse       *p,
              const LsEntry *entry,
              LsArgs        *args)
{
  LsDType t;

  if (!ls_value_to_dtype (p, args->slot[0], args->span[0], &t))
    return NULL;
  if (ls_dtype_is_float (t))
    return ls_value_node (p, ls_parse_keep (p, ls_const_float (t, entry->rule == 2 ? HUGE_VAL : entry->rule == 1 ? ls_dtype_float_max (t) : -ls_dtype_float_max (t)), args->call));
  if (entry->rule == 2 || t.code == LS_TYPE_HANDLE)
    {
      ls_parse_error (p, args->call, "script/type", "%s has no value for %s.", args->name, ls_dtype_name (t));
      return NULL;
    }
  if (t.code == LS_TYPE_UINT && t.bits == 64 && entry->rule == 1)
    return ls_value_node (p, large_constant (p, G_MAXUINT64, args->call));
  if (ls_dtype_is_bool (t))
    return ls_value_node (p, ls_parse_keep (p, ls_bool (entry->rule == 1), args->call));
  return ls_value_node (p, ls_parse_keep (p, ls_const_int (t, entry->rule == 1 ? ls_dtype_int_max (t) : ls_dtype_int_min (t)), args->call));
}

/* ---- plain nodes -------------------------------------------------------------------------------------------- */

static LsValue *
handle_cast_node (LsParse       *p,
                  const LsEntry *entry,
                  LsArgs        *args)
{
  LsDType t;
  LsExpr *e;

  if (!ls_value_to_dtype (p, args->slot[0], args->span[0], &t) || (e = ls_value_to_expr (p, args->slot[1], args->span[1])) == NULL)
    return NULL;
  if (t.lanes != ls_dtype (e).lanes)
    {
      ls_parse_error (p, args->call, "script/type", "T.Cast keeps the number of lanes; %s has %u, %s has %u.", ls_dtype_name (ls_dtype (e)),
                      ls_dtype (e).lanes, ls_dtype_name (t), t.lanes);
      return NULL;
    }
  return ls_value_node (p, ls_parse_keep (p, ls_cast_new (t, ls_ref (e)), args->call));
}

static LsValue *
handle_cast (LsParse       *p,
             const LsEntry *entry,
             LsArgs        *args)
{
  LsDType t;

  return ls_value_to_dtype (p, args->slot[1], args->span[1], &t) ? ls_value_node (p, convert_to (p, t, args->slot[0], args->span[0])) : NULL;
}

static LsValue *
handle_select (LsParse       *p,
               const LsEntry *entry,
               LsArgs        *args)
{
  LsExpr *e[3];

  for (guint i = 0; i < 3; i++)
    if ((e[i] = ls_value_to_expr (p, args->slot[i], args->span[i])) == NULL)
      return NULL;
  if (!ls_dtype_is_bool (ls_dtype_element (ls_dtype (e[0]))))
    {
      ls_parse_error (p, args->span[0], "script/type", "T.Select asks a condition first; this has the type %s.", ls_dtype_name (ls_dtype (e[0])));
      return NULL;
    }
  if (!ls_dtype_equal (ls_dtype (e[1]), ls_dtype (e[2])))
    {
      ls_parse_error (p, args->call, "script/type", "T.Select chooses between values of one type; these have %s and %s.",
                      ls_dtype_name (ls_dtype (e[1])), ls_dtype_name (ls_dtype (e[2])));
      return NULL;
    }
  return ls_value_node (p, ls_parse_keep (p, ls_select_new (ls_ref (e[0]), ls_ref (e[1]), ls_ref (e[2])), args->call));
}

static gboolean
is_scalable (LsExpr *lanes)
{
  g_autoptr (LsExpr) probe = ls_broadcast_new (ls_int (0), ls_ref (lanes));

  return ls_dtype_is_scalable (ls_dtype (probe));
}

/* A number, or vscale () times one. (transfer full), or NULL. */
static LsExpr *
lanes_slot (LsParse *p,
            LsArgs  *args,
            guint    slot)
{
  LsExpr *expr = args->slot[slot]->kind == LS_VALUE_NODE && ls_is_expr (args->slot[slot]->node) ? (LsExpr *) args->slot[slot]->node : NULL;
  gint64 lanes;

  if (expr != NULL && is_scalable (expr))
    return ls_ref (expr);
  if (!ls_value_to_int (p, args->slot[slot], args->span[slot], "The number of lanes", &lanes))
    return NULL;
  if (lanes >= 1 && lanes <= G_MAXUINT16)
    return ls_int (lanes);
  ls_parse_error (p, args->span[slot], "script/overflow", "A vector has 1 to %d lanes; this has %" PRId64 ".", G_MAXUINT16, lanes);
  return NULL;
}

static LsValue *
handle_broadcast (LsParse       *p,
                  const LsEntry *entry,
                  LsArgs        *args)
{
  LsExpr *e = ls_value_to_expr (p, args->slot[0], args->span[0]);
  g_autoptr (LsExpr) lanes = e != NULL ? lanes_slot (p, args, 1) : NULL;

  if (lanes == NULL)
    return NULL;
  if (ls_dtype (e).lanes != 1)
    {
      ls_parse_error (p, args->span[0], "script/type", "T.Broadcast repeats one value; this has %u lanes.", ls_dtype (e).lanes);
      return NULL;
    }
  return ls_value_node (p, ls_parse_keep (p, ls_broadcast_new (ls_ref (e), ls_ref (lanes)), args->call));
}

static LsValue *
handle_ramp (LsParse       *p,
             const LsEntry *entry,
             LsArgs        *args)
{
  LsExpr *base = ls_value_to_expr (p, args->slot[0], args->span[0]);
  LsExpr *stride = base != NULL ? ls_value_to_expr (p, args->slot[1], args->span[1]) : NULL;
  g_autoptr (LsExpr) lanes = stride != NULL ? lanes_slot (p, args, 2) : NULL;

  if (lanes == NULL)
    return NULL;
  if (ls_is (stride, INT_IMM) && ls_dtype_is_int (ls_dtype (base)) &&
      (stride = ls_value_int_imm (p, ls_dtype (base), ((LsIntImm *) stride)->value, args->span[1])) == NULL)
    return NULL;
  if (!ls_dtype_is_int (ls_dtype (base)) || ls_dtype (base).lanes != 1 || !ls_dtype_equal (ls_dtype (base), ls_dtype (stride)))
    {
      ls_parse_error (p, args->call, "script/type", "T.Ramp counts whole numbers of one type; base and stride have %s and %s.",
                      ls_dtype_name (ls_dtype (base)), ls_dtype_name (ls_dtype (stride)));
      return NULL;
    }
  return ls_value_node (p, ls_parse_keep (p, ls_ramp_new (ls_ref (base), ls_ref (stride), ls_ref (lanes)), args->call));
}

static LsValue *
handle_shuffle (LsParse       *p,
                const LsEntry *entry,
                LsArgs        *args)
{
  LsArray *vectors = ls_value_to_exprs (p, args->slot[0], args->span[0], "vectors");
  LsArray *indices = vectors != NULL ? ls_value_to_exprs (p, args->slot[1], args->span[1], "indices") : NULL;

  if (indices == NULL)
    return NULL;
  for (guint i = 1; i < ls_array_n (vectors); i++)
    if (!ls_dtype_equal (ls_dtype_element (ls_dtype (vectors->items[i])), ls_dtype_element (ls_dtype (vectors->items[0]))))
      {
        ls_parse_error (p, args->span[0], "script/type", "The vectors of T.Shuffle have one type.");
        return NULL;
      }
  if (ls_array_n (vectors) == 0 || ls_array_n (indices) == 0 || ls_array_n (indices) > G_MAXUINT16)
    {
      ls_parse_error (p, args->call, "script/arity", "T.Shuffle takes vectors and indices; one of the lists is empty or too long.");
      return NULL;
    }
  return ls_value_node (p, ls_parse_keep (p, ls_shuffle_new (ls_ref (vectors), ls_ref (indices)), args->call));
}

/* T.Let (body, where={var: value}) */
static LsValue *
handle_let_expr (LsParse       *p,
                 const LsEntry *entry,
                 LsArgs        *args)
{
  LsExpr *body = ls_value_to_expr (p, args->slot[0], args->span[0]);
  LsValue *where = args->slot[1];
  LsExpr *value;

  if (body == NULL)
    return NULL;
  if (where->kind != LS_VALUE_DICT || where->n != 1 || where->keys[0]->kind != LS_VALUE_NODE || !ls_is_var (where->keys[0]->node))
    {
      ls_parse_error (p, args->span[1], "script/argument", "where is a dictionary of one variable and its value.");
      return NULL;
    }
  if ((value = ls_value_to_expr (p, where->items[0], args->span[1])) == NULL)
    return NULL;
  if (!ls_dtype_equal (ls_dtype (value), ls_dtype (where->keys[0]->node)))
    {
      ls_parse_error (p, args->span[1], "script/type", "The variable has the type %s, its value %s.", ls_dtype_name (ls_dtype (where->keys[0]->node)),
                      ls_dtype_name (ls_dtype (value)));
      return NULL;
    }
  return ls_value_node (p, ls_parse_keep (p, ls_let_new ((LsVar *) ls_ref (where->keys[0]->node), ls_ref (value), ls_ref (body)), args->call));
}

static LsValue *
handle_call_node (LsParse       *p,
                  const LsEntry *entry,
                  LsArgs        *args)
{
  LsDType t;
  LsArray *list;
  LsNode *op = NULL;
  /* the operator stands first, and the type is ret_ty, since 2026 */
  gboolean later = args->slot[3] != NULL && args->slot[0] != NULL && args->slot[1] != NULL && args->slot[2] == NULL;
  guint type = later ? 3 : 0, callee = later ? 0 : 1, operands = later ? 1 : 2;
  LsValue *v = args->slot[callee];

  if (args->slot[type] == NULL || v == NULL || args->slot[operands] == NULL)
    {
      ls_parse_error (p, args->call, "script/arity", "T.Call needs a type, an operator and its arguments: T.Call(dtype, op, args), or T.Call(op, args, ret_ty=...).");
      return NULL;
    }
  if (!ls_value_to_dtype (p, args->slot[type], args->span[type], &t) ||
      (list = ls_value_to_exprs (p, args->slot[operands], args->span[operands], "args")) == NULL)
    return NULL;
  if (v->kind == LS_VALUE_STRING)
    op = LS_NODE (ls_op_get (g_str_has_prefix (v->s, "tirx.") ? ls_arena_join (&p->arena, "tir.", v->s + strlen ("tirx."), "") : v->s));
  else if (v->kind == LS_VALUE_NODE && (ls_is (v->node, GLOBAL_VAR) || ls_is (v->node, OP)))
    op = v->node;
  if (op == NULL)
    {
      ls_parse_error (p, args->span[callee], "script/unknown-name", "T.Call takes the name of an intrinsic or a function of the module; this is %s.",
                      ls_value_describe (p, v));
      return NULL;
    }
  return ls_value_node (p, ls_parse_keep (p, ls_call_new (t, ls_ref (op), ls_ref (list)), args->call));
}

static LsValue *
handle_buffer_load (LsParse       *p,
                    const LsEntry *entry,
                    LsArgs        *args)
{
  LsValue *v = args->slot[0];
  LsArray *indices;
  LsExpr *predicate = NULL;

  if (v->kind != LS_VALUE_NODE || !ls_is (v->node, BUFFER))
    {
      ls_parse_error (p, args->span[0], "script/type", "T.BufferLoad reads a buffer; this is %s.", ls_value_describe (p, v));
      return NULL;
    }
  if ((indices = ls_eval_indices (p, (LsBuffer *) v->node, args->slot[1], args->span[1])) == NULL ||
      (args->slot[2] != NULL && (predicate = ls_value_to_expr (p, args->slot[2], args->span[2])) == NULL))
    return NULL;
  return ls_value_node (p, ls_parse_keep (p, ls_buffer_load_new ((LsBuffer *) ls_ref (v->node), ls_ref (indices), predicate != NULL ? ls_ref (predicate) : NULL),
                                          args->call));
}

#define B(name, kind) { name, "a b | dtype?", handle_math, NULL, LS_KIND_##kind }
#define RAW(name, kind) { name, "a b", handle_raw, NULL, LS_KIND_##kind }

static const LsEntry ROWS[] = {
  { "var", "dtype name?", handle_var, NULL, 1 },
  { "Var", "name dtype?", handle_var, NULL, 0 },
  { "SizeVar", "name dtype?", handle_var, NULL, 2 },
  { "dynamic", "name dtype?", handle_var, NULL, 3 },
  { "ptr", "dtype storage_scope? is_size_var?", handle_pointer, NULL, 0 },
  { "Ptr", "dtype storage_scope? is_size_var?", handle_pointer, NULL, 0 },
  { "buffer_var", "dtype storage_scope?", handle_pointer, NULL, 0 },
  { "IntImm", "dtype value", handle_imm, NULL, 0 },
  { "FloatImm", "dtype value", handle_imm, NULL, 0 },
  { "const", "value dtype?", handle_const, NULL, 1 },
  { "StringImm", "value", handle_string_imm, NULL, 0 },
  B ("max", MAX), B ("min", MIN), B ("floordiv", FLOOR_DIV), B ("floormod", FLOOR_MOD), B ("truncdiv", DIV), B ("truncmod", MOD),
  B ("indexdiv", FLOOR_DIV), B ("indexmod", FLOOR_MOD), B ("div", DIV),
  { "ceildiv", "lhs rhs | dtype?", handle_ceildiv, NULL, 0 },
  { "bitwise_and", "x y | dtype?", handle_operator, NULL, '&' },
  { "bitwise_or", "x y | dtype?", handle_operator, NULL, '|' },
  { "bitwise_xor", "x y | dtype?", handle_operator, NULL, '^' },
  { "shift_left", "x y | dtype?", handle_operator, NULL, LS_OP2 ('<', '<') },
  { "shift_right", "x y | dtype?", handle_operator, NULL, LS_OP2 ('>', '>') },
  { "pow", "x y | dtype?", handle_pow, NULL, 0 },
  { "power", "x y | dtype?", handle_pow, NULL, 0 },
  RAW ("Add", ADD), RAW ("Sub", SUB), RAW ("Mul", MUL), RAW ("Div", DIV), RAW ("Mod", MOD), RAW ("FloorDiv", FLOOR_DIV),
  RAW ("FloorMod", FLOOR_MOD), RAW ("Min", MIN), RAW ("Max", MAX), RAW ("EQ", EQ), RAW ("NE", NE), RAW ("LT", LT), RAW ("LE", LE),
  RAW ("GT", GT), RAW ("GE", GE), RAW ("And", AND), RAW ("Or", OR),
  { "Not", "a", handle_not, NULL, 0 },
  { "floor", "x | dtype?", handle_round, "tir.floor", 0 },
  { "ceil", "x | dtype?", handle_round, "tir.ceil", 0 },
  { "trunc", "x | dtype?", handle_round, "tir.trunc", 0 },
  { "round", "x | dtype?", handle_round, "tir.round", 0 },
  { "nearbyint", "x | dtype?", handle_round, "tir.nearbyint", 0 },
  { "abs", "x | dtype?", handle_abs, NULL, 0 },
  { "fabs", "x | dtype?", handle_abs, NULL, 0 },
  { "isnan", "x | dtype?", handle_test, NULL, 0 },
  { "isinf", "x | dtype?", handle_test, NULL, 0 },
  { "isfinite", "x | dtype?", handle_test, NULL, 0 },
  { "max_value", "dtype", handle_limit, NULL, 1 },
  { "min_value", "dtype", handle_limit, NULL, 0 },
  { "infinity", "dtype", handle_limit, NULL, 2 },
  { "Cast", "dtype value", handle_cast_node, NULL, 0 },
  { "cast", "value dtype", handle_cast, NULL, 0 },
  { "Select", "condition true_value false_value", handle_select, NULL, 0 },
  { "Broadcast", "value lanes", handle_broadcast, NULL, 0 },
  { "broadcast", "value lanes", handle_broadcast, NULL, 0 },
  { "Ramp", "base stride lanes", handle_ramp, NULL, 0 },
  { "ramp", "base stride lanes", handle_ramp, NULL, 0 },
  { "Shuffle", "vectors indices", handle_shuffle, NULL, 0 },
  { "Let", "expr where", handle_let_expr, NULL, 0 },
  { "Call", "dtype? op? args? ret_ty?", handle_call_node, NULL, 0 },
  { "BufferLoad", "buffer indices predicate?", handle_buffer_load, NULL, 0 },
};

const LsEntryTable ls_math_entries = { ROWS, G_N_ELEMENTS (ROWS) };
