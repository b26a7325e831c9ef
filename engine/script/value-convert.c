/* value-convert: a value of the script as what is asked for: an expression, a number, a text, a type of data, an attribute.
 */
#include "engine/script/script-private.h"

#include <math.h>

LsExpr *
ls_value_int_imm (LsParse *p,
                  LsDType  t,
                  gint64   i,
                  LsSpan   span)
{
  LsDType element = ls_dtype_element (t);

  if (ls_dtype_is_bool (element) ? i != 0 && i != 1 : i < ls_dtype_int_min (element) || (element.bits < 64 && i > ls_dtype_int_max (element)))
    {
      ls_parse_error (p, span, "script/overflow", "%" PRId64 " is outside of %s.", i, ls_dtype_name (element));
      return NULL;
    }
  return ls_parse_keep (p, ls_const_int (t, i), span);
}

LsExpr *
ls_value_float_imm (LsParse *p,
                    LsDType  t,
                    double   f,
                    LsSpan   span)
{
  if (isfinite (f) && fabs (f) > ls_dtype_float_max (ls_dtype_element (t)))
    {
      ls_parse_error (p, span, "script/overflow", "%g is outside of %s.", f, ls_dtype_name (ls_dtype_element (t)));
      return NULL;
    }
  return ls_parse_keep (p, ls_const_float (t, f), span);
}

LsExpr *
ls_value_try_expr (LsParse *p,
                   LsValue *v,
                   LsSpan   span)
{
  switch (v->kind)
    {
    case LS_VALUE_BOOL:
      return ls_parse_keep (p, ls_bool (v->i != 0), span);
    case LS_VALUE_INT:
      if (v->big)
        {
          ls_parse_error (p, span, "script/overflow", "%" PRIu64 " is outside of int64.", (guint64) v->i);
          return NULL;
        }
      return ls_parse_keep (p, ls_int_imm_new (v->i >= G_MININT32 && v->i <= G_MAXINT32 ? LS_INT32 : LS_INT64, v->i), span);
    case LS_VALUE_FLOAT:
      return ls_value_float_imm (p, LS_FLOAT32, v->f, span);
    case LS_VALUE_STRING:
      return ls_parse_keep (p, ls_string_imm_new (v->s), span);
    case LS_VALUE_META:
      return ls_value_try_expr (p, v->items[0], span);
    case LS_VALUE_NODE:
      if (ls_is (v->node, ITER_VAR))
        return LS_EXPR (((LsIterVar *) v->node)->var);
      if (ls_is (v->node, BUFFER_REGION))
        return ls_region_to_load (p, (LsBufferRegion *) v->node, span);
      return ls_is_expr (v->node) ? LS_EXPR (v->node) : NULL;
    case LS_VALUE_NONE:
    case LS_VALUE_TUPLE:
    case LS_VALUE_LIST:
    case LS_VALUE_DICT:
    case LS_VALUE_SLICE:
    case LS_VALUE_MODULE:
    case LS_VALUE_FUNC:
    case LS_VALUE_DTYPE:
    case LS_VALUE_METHOD:
    case LS_VALUE_LAMBDA:
    case LS_VALUE_FRAME:
    case LS_VALUE_STORE:
    case LS_VALUE_IR_MODULE:
    case LS_VALUE_OPAQUE:
    case LS_VALUE_FOREIGN:
    case LS_VALUE_POISON:
      break;
    }
  return NULL;
}

static gboolean
has_expr (const LsValue *v)
{
  if (v->kind == LS_VALUE_META)
    return has_expr (v->items[0]);
  return ls_value_is_number (v) || v->kind == LS_VALUE_STRING || ls_value_is_expr (v);
}

LsExpr *
ls_value_to_expr (LsParse *p,
                  LsValue *v,
                  LsSpan   span)
{
  LsDiagnostic *d;

  if (v == NULL || v->kind == LS_VALUE_POISON)
    return NULL;
  if (has_expr (v))
    return ls_value_try_expr (p, v, span);
  d = ls_parse_error (p, span, "script/type", "An expression was expected; this is %s.", ls_value_describe (p, v));
  if (d != NULL && v->kind == LS_VALUE_NODE && ls_is (v->node, BUFFER))
    ls_diagnostic_set_repair (d, "Read an element: %s[...].", ((LsBuffer *) v->node)->name);
  return NULL;
}

gboolean
ls_value_to_int (LsParse    *p,
                 LsValue    *v,
                 LsSpan      span,
                 const char *what,
                 gint64     *out)
{
  if (v->kind == LS_VALUE_POISON)
    return FALSE;
  if ((v->kind == LS_VALUE_INT && !v->big) || v->kind == LS_VALUE_BOOL)
    {
      *out = v->i;
      return TRUE;
    }
  if (v->kind == LS_VALUE_NODE && ls_as_int (v->node, out))
    return TRUE;
  ls_parse_error (p, span, "script/type", "%s is a whole number; this is %s.", what, ls_value_describe (p, v));
  return FALSE;
}

const char *
ls_value_to_string (LsParse    *p,
                    LsValue    *v,
                    LsSpan      span,
                    const char *what)
{
  if (v->kind == LS_VALUE_STRING)
    return v->s;
  if (v->kind == LS_VALUE_NODE && ls_is (v->node, STRING_IMM))
    return ((LsStringImm *) v->node)->value;
  if (v->kind != LS_VALUE_POISON)
    ls_parse_error (p, span, "script/type", "%s is a text; this is %s.", what, ls_value_describe (p, v));
  return NULL;
}

static const char *
nearest_dtype (const char *name)
{
  static const char *const NAMES[] = {
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
    "bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz", "float8_e4m3fnuz", "float8_e5m2fnuz",
    "float8_e8m0fnu", "float6_e2m3fn", "float6_e3m2fn", "float4_e2m1fn", "handle",
  };

  return ls_script_nearest (name, NAMES, G_N_ELEMENTS (NAMES));
}

/* Does the text stand there as it is written, between quotes? */
static gboolean
is_text_of (LsParse    *p,
            LsSpan      span,
            const char *text)
{
  gsize n = strlen (text);

  return span.source == p->source_id && span.end - span.start == n + 2 && memcmp (p->text + span.start + 1, text, n) == 0 &&
         (p->text[span.start] == '"' || p->text[span.start] == '\'');
}

gboolean
ls_value_to_dtype (LsParse *p,
                   LsValue *v,
                   LsSpan   span,
                   LsDType *out)
{
  const char *name, *near;
  LsDiagnostic *d;

  if (v->kind == LS_VALUE_DTYPE)
    {
      *out = v->dtype;
      return TRUE;
    }
  if ((name = ls_value_to_string (p, v, span, "A type")) == NULL)
    return FALSE;
  if (strcmp (name, "") == 0)
    {
      *out = LS_VOID;
      return TRUE;
    }
  if (strcmp (name, "boolean") == 0)
    {
      *out = LS_BOOL;
      return TRUE;
    }
  if (ls_dtype_parse (name, out))
    return TRUE;
  d = ls_parse_error (p, span, "script/dtype", "\"%.40s\" is no type.", name);
  near = nearest_dtype (name);
  if (near != NULL)
    {
      ls_diagnostic_set_repair (d, "Write \"%s\".", near);
      if (is_text_of (p, span, name))
        ls_diagnostic_set_fix (d, span, ls_arena_join (&p->arena, "\"", near, "\""));
    }
  return FALSE;
}

LsArray *
ls_value_to_exprs (LsParse    *p,
                   LsValue    *v,
                   LsSpan      span,
                   const char *what)
{
  g_autoptr (GPtrArray) out = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  if (v->kind == LS_VALUE_POISON)
    return NULL;
  if (ls_value_is_sequence (v))
    for (guint i = 0; i < v->n; i++)
      {
        LsExpr *e = ls_value_to_expr (p, v->items[i], span);

        if (e == NULL)
          return NULL;
        g_ptr_array_add (out, ls_ref (e));
      }
  else if (has_expr (v) && v->kind != LS_VALUE_STRING)
    {
      LsExpr *e = ls_value_try_expr (p, v, span);

      if (e == NULL)
        return NULL;
      g_ptr_array_add (out, ls_ref (e));
    }
  else
    {
      ls_parse_error (p, span, "script/type", "%s is a tuple or a list; this is %s.", what, ls_value_describe (p, v));
      return NULL;
    }
  return ls_parse_keep (p, ls_array_take_ptr_array (g_steal_pointer (&out)), span);
}

static LsNode *
list_to_attr (LsParse *p,
              LsValue *v,
              LsSpan   span)
{
  g_autoptr (GPtrArray) out = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  for (guint i = 0; i < v->n; i++)
    {
      LsNode *item = ls_value_to_attr (p, v->items[i], span);

      if (item == NULL)
        return NULL;
      g_ptr_array_add (out, ls_ref (item));
    }
  return ls_parse_keep (p, ls_array_take_ptr_array (g_steal_pointer (&out)), span);
}

LsMap *
ls_value_to_map (LsParse    *p,
                 LsValue    *v,
                 LsSpan      span,
                 const char *what)
{
  LsMap *map;

  if (v->kind == LS_VALUE_POISON)
    return NULL;
  if (v->kind == LS_VALUE_NODE && ls_is (v->node, MAP))
    return (LsMap *) v->node;
  if (v->kind != LS_VALUE_DICT)
    {
      ls_parse_error (p, span, "script/type", "%s are a dictionary; this is %s.", what, ls_value_describe (p, v));
      return NULL;
    }
  map = ls_parse_keep (p, ls_map_empty (), span);
  for (guint i = 0; i < v->n; i++)
    {
      const char *key = ls_value_to_string (p, v->keys[i], span, "A key");
      gboolean is_none = v->items[i]->kind == LS_VALUE_NONE;
      LsNode *value = key != NULL && !is_none ? ls_value_to_attr (p, v->items[i], span) : NULL;

      if (key == NULL || (value == NULL && !is_none))
        return NULL;
      map = ls_parse_keep (p, ls_map_set (map, key, value), span);
    }
  return map;
}

LsNode *
ls_value_to_attr (LsParse *p,
                  LsValue *v,
                  LsSpan   span)
{
  switch (v->kind)
    {
    case LS_VALUE_STRING:
      return ls_parse_keep (p, ls_string_new (v->s), span);
    case LS_VALUE_TUPLE:
    case LS_VALUE_LIST:
      return list_to_attr (p, v, span);
    case LS_VALUE_DICT:
      return (LsNode *) ls_value_to_map (p, v, span, "The values");
    case LS_VALUE_NODE:
      return v->node;
    case LS_VALUE_DTYPE:
      return ls_parse_keep (p, ls_string_new (ls_dtype_name (v->dtype)), span);
    case LS_VALUE_BOOL:
    case LS_VALUE_INT:
    case LS_VALUE_FLOAT:
    case LS_VALUE_META:
      return (LsNode *) ls_value_try_expr (p, v, span);
    case LS_VALUE_NONE:
    case LS_VALUE_SLICE:
    case LS_VALUE_MODULE:
    case LS_VALUE_FUNC:
    case LS_VALUE_METHOD:
    case LS_VALUE_LAMBDA:
    case LS_VALUE_FRAME:
    case LS_VALUE_STORE:
    case LS_VALUE_IR_MODULE:
    case LS_VALUE_OPAQUE:
    case LS_VALUE_FOREIGN:
      ls_parse_error (p, span, "script/type", "An attribute holds a text, a number, a list or a dictionary; this is %s.",
                      ls_value_describe (p, v));
      break;
    case LS_VALUE_POISON:
      break;
    }
  return NULL;
}
