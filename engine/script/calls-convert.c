/* calls-convert: values of steps become expressions, attributes and text. */
#include "engine/script/calls-private.h"

/* ---- to expressions ------------------------------------------------------------------------------ */

static LsValue *
to_script_value (LsParse           *p,
                 const LsCallValue *v)
{
  LsValue *out;

  switch (v->kind)
    {
    case LS_CALL_VALUE_NONE: return ls_value_new (p, LS_VALUE_NONE);
    case LS_CALL_VALUE_BOOL: return ls_value_bool (p, v->integer != 0);
    case LS_CALL_VALUE_INT: return ls_value_int (p, v->integer);
    case LS_CALL_VALUE_FLOAT: return ls_value_float (p, v->number);
    case LS_CALL_VALUE_STRING: return ls_value_string (p, v->text);
    case LS_CALL_VALUE_LIST:
    case LS_CALL_VALUE_TUPLE:
      out = ls_value_list (p, v->kind == LS_CALL_VALUE_LIST ? LS_VALUE_LIST : LS_VALUE_TUPLE,
                           ls_arena_alloc (&p->arena, (v->items->len + 1) * sizeof (LsValue *)), v->items->len);
      for (guint i = 0; i < out->n; i++)
        out->items[i] = to_script_value (p, v->items->pdata[i]);
      return out;
    case LS_CALL_VALUE_NAME:
    case LS_CALL_VALUE_DICT:
    case LS_CALL_VALUE_LAMBDA:
    case LS_CALL_VALUE_ATTRIBUTE:
    case LS_CALL_VALUE_CALL:
    case LS_CALL_VALUE_SUBSCRIPT:
    case LS_CALL_VALUE_STAR:
    case LS_CALL_VALUE_EXPR:
      break;
    }
  return ls_value_new (p, LS_VALUE_OPAQUE);
}

static void
open_parse (LsParse       *p,
            LsCallList    *list,
            GHashTable    *vars,
            LsDiagnostics *diagnostics)
{
  GHashTableIter iter;
  gpointer key, value;

  ls_parse_init (p, list->source, diagnostics);
  p->relaxed_names = TRUE;
  p->expr_vars = vars;
  ls_python_defaults (p);
  ls_parse_bind (p, "IndexMap", ls_module_value (p, "T.IndexMap"));
  g_hash_table_iter_init (&iter, list->constants);
  while (g_hash_table_iter_next (&iter, &key, &value))
    ls_parse_bind (p, key, to_script_value (p, value));
}

/* Begin and end of each item: a pair, or an index and the next. (transfer full) */
static LsArray *
ends_of (LsParse *p,
         LsValue *result,
         LsSpan   span)
{
  g_autoptr (GPtrArray) out = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  for (guint i = 0; ls_value_is_sequence (result) && i < result->n; i++)
    {
      LsValue *item = result->items[i];
      gboolean pair = ls_value_is_sequence (item);
      LsExpr *begin, *end;

      if (pair && item->n != 2)
        {
          ls_parse_error (p, span, "script/type", "A range is a pair of begin and end.");
          return NULL;
        }
      begin = ls_value_to_expr (p, pair ? item->items[0] : item, span);
      end = pair && begin != NULL ? ls_value_to_expr (p, item->items[1], span) : NULL;
      if (begin == NULL || (pair && end == NULL))
        return NULL;
      g_ptr_array_add (out, ls_ref (begin));
      g_ptr_array_add (out, pair ? ls_ref (end) : ls_add (ls_ref (begin), ls_const_int (ls_dtype (begin), 1)));
    }
  if (!ls_value_is_sequence (result))
    {
      ls_parse_error (p, span, "script/type", "The result of the lambda is a tuple or a list of ranges.");
      return NULL;
    }
  return ls_array_take_ptr_array (g_steal_pointer (&out));
}

static LsArray *
apply_lambda (LsCallList        *list,
              const LsCallValue *lambda_value,
              LsExpr           **args,
              guint              n_args,
              gboolean           ranges,
              LsDiagnostics     *diagnostics)
{
  g_autoptr (LsDiagnostics) own = diagnostics != NULL ? ls_diagnostics_ref (diagnostics) : ls_diagnostics_new ();
  LsParse p;
  LsValue *fn, *result, **values;
  LsSyn *syn = (LsSyn *) lambda_value->syntax;
  LsArray *out = NULL;

  g_return_val_if_fail (lambda_value->kind == LS_CALL_VALUE_LAMBDA, NULL);
  open_parse (&p, list, NULL, own);
  fn = ls_value_new (&p, LS_VALUE_LAMBDA);
  fn->syn = syn;
  values = ls_arena_alloc (&p.arena, (n_args + 1) * sizeof (LsValue *));
  for (guint i = 0; i < n_args; i++)
    values[i] = ls_value_node (&p, args[i]);
  result = ls_eval_lambda (&p, fn, values, n_args, syn);
  if (result != NULL && ranges)
    out = ends_of (&p, result, lambda_value->span);
  else if (result != NULL)
    out = ls_value_to_exprs (&p, result, lambda_value->span, "The result of the lambda");
  if (out != NULL && !ranges)
    ls_ref (out);
  ls_parse_clear (&p);
  return out;
}

LsArray *
ls_call_value_apply (LsCallList        *list,
                     const LsCallValue *lambda_value,
                     LsExpr           **args,
                     guint              n_args,
                     LsDiagnostics     *diagnostics)
{
  return apply_lambda (list, lambda_value, args, n_args, FALSE, diagnostics);
}

LsArray *
ls_call_value_apply_ranges (LsCallList        *list,
                            const LsCallValue *lambda_value,
                            LsExpr           **args,
                            guint              n_args,
                            LsDiagnostics     *diagnostics)
{
  return apply_lambda (list, lambda_value, args, n_args, TRUE, diagnostics);
}

LsExpr *
ls_call_value_to_expr (LsCallList        *list,
                       const LsCallValue *value,
                       GHashTable        *vars,
                       LsDiagnostics     *diagnostics)
{
  g_autoptr (LsDiagnostics) own = diagnostics != NULL ? ls_diagnostics_ref (diagnostics) : ls_diagnostics_new ();
  LsParse p;
  LsExpr *e;

  open_parse (&p, list, vars, own);
  if (value->kind == LS_CALL_VALUE_INT || value->kind == LS_CALL_VALUE_FLOAT || value->kind == LS_CALL_VALUE_BOOL || value->kind == LS_CALL_VALUE_STRING)
    e = ls_value_to_expr (&p, to_script_value (&p, value), value->span);
  else
    e = ls_eval_expr (&p, (LsSyn *) value->syntax);
  if (e != NULL)
    ls_ref (e);
  ls_parse_clear (&p);
  return e;
}

/* ---- to attributes and text ---------------------------------------------------------------------------- */

static LsNode *
list_to_node (const LsCallValue *value,
              LsDiagnostics     *diagnostics)
{
  g_autoptr (GPtrArray) out = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  for (guint i = 0; i < value->items->len; i++)
    {
      LsNode *item = ls_call_value_to_node (value->items->pdata[i], diagnostics);

      if (item == NULL)
        return NULL;
      g_ptr_array_add (out, item);
    }
  return LS_NODE (ls_array_take_ptr_array (g_steal_pointer (&out)));
}

static LsNode *
dict_to_node (const LsCallValue *value,
              LsDiagnostics     *diagnostics)
{
  g_autoptr (LsMap) map = ls_map_empty ();

  for (guint i = 0; i < value->items->len; i++)
    {
      const LsCallValue *key = value->keys->pdata[i];
      g_autoptr (LsNode) item = ls_call_value_to_node (value->items->pdata[i], diagnostics);

      if (item == NULL || key->kind != LS_CALL_VALUE_STRING)
        {
          if (item != NULL)
            ls_diagnostics_add (diagnostics, LS_SEVERITY_ERROR, "script/type", key->span, "The keys of an attribute are texts.");
          return NULL;
        }
      ls_take (&map, ls_map_set (map, key->text, item));
    }
  return LS_NODE (g_steal_pointer (&map));
}

LsNode *
ls_call_value_to_node (const LsCallValue *value,
                       LsDiagnostics     *diagnostics)
{
  switch (value->kind)
    {
    case LS_CALL_VALUE_BOOL: return LS_NODE (ls_bool (value->integer != 0));
    case LS_CALL_VALUE_INT:
      return LS_NODE (ls_int_imm_new (value->integer >= G_MININT32 && value->integer <= G_MAXINT32 ? LS_INT32 : LS_INT64, value->integer));
    case LS_CALL_VALUE_FLOAT: return LS_NODE (ls_float_imm_new (LS_FLOAT32, value->number));
    case LS_CALL_VALUE_STRING: return LS_NODE (ls_string_new (value->text));
    case LS_CALL_VALUE_LIST:
    case LS_CALL_VALUE_TUPLE: return list_to_node (value, diagnostics);
    case LS_CALL_VALUE_DICT: return dict_to_node (value, diagnostics);
    case LS_CALL_VALUE_NONE:
    case LS_CALL_VALUE_NAME:
    case LS_CALL_VALUE_LAMBDA:
    case LS_CALL_VALUE_ATTRIBUTE:
    case LS_CALL_VALUE_CALL:
    case LS_CALL_VALUE_SUBSCRIPT:
    case LS_CALL_VALUE_STAR:
    case LS_CALL_VALUE_EXPR:
      break;
    }
  ls_diagnostics_add (diagnostics, LS_SEVERITY_ERROR, "script/type", value->span,
                      "An attribute holds a text, a number, a list or a dictionary.");
  return NULL;
}

static void
print_list (GString         *out,
            const GPtrArray *items,
            const char      *open,
            const char      *close);

static void
print_string (GString    *out,
              const char *text)
{
  g_string_append_c (out, '"');
  for (const char *c = text; *c != '\0'; c++)
    if (*c == '"' || *c == '\\')
      g_string_append_printf (out, "\\%c", *c);
    else if (*c == '\n')
      g_string_append (out, "\\n");
    else if ((guchar) *c < 0x20)
      g_string_append_printf (out, "\\x%02x", (guchar) *c);
    else
      g_string_append_c (out, *c);
  g_string_append_c (out, '"');
}

static void
print_float (GString *out,
             double   f)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_dtostr (text, sizeof text, f);
  g_string_append (out, text);
  if (strpbrk (text, ".einf") == NULL)
    g_string_append (out, ".0");
}

static void
print_value (GString           *out,
             const LsCallValue *v)
{
  switch (v->kind)
    {
    case LS_CALL_VALUE_NONE: g_string_append (out, "None"); return;
    case LS_CALL_VALUE_BOOL: g_string_append (out, v->integer ? "True" : "False"); return;
    case LS_CALL_VALUE_INT: g_string_append_printf (out, "%" G_GINT64_FORMAT, v->integer); return;
    case LS_CALL_VALUE_FLOAT: print_float (out, v->number); return;
    case LS_CALL_VALUE_STRING: print_string (out, v->text); return;
    case LS_CALL_VALUE_NAME:
    case LS_CALL_VALUE_ATTRIBUTE:
    case LS_CALL_VALUE_LAMBDA:
    case LS_CALL_VALUE_EXPR: g_string_append (out, v->text); return;
    case LS_CALL_VALUE_LIST: print_list (out, v->items, "[", "]"); return;
    case LS_CALL_VALUE_TUPLE: print_list (out, v->items, "(", v->items->len == 1 ? ",)" : ")"); return;
    case LS_CALL_VALUE_STAR:
      g_string_append_c (out, '*');
      print_value (out, v->items->pdata[0]);
      return;
    case LS_CALL_VALUE_SUBSCRIPT:
      print_value (out, v->items->pdata[0]);
      g_string_append_c (out, '[');
      print_value (out, v->items->pdata[1]);
      g_string_append_c (out, ']');
      return;
    case LS_CALL_VALUE_DICT:
      g_string_append_c (out, '{');
      for (guint i = 0; i < v->items->len; i++)
        {
          g_string_append (out, i > 0 ? ", " : "");
          print_value (out, v->keys->pdata[i]);
          g_string_append (out, ": ");
          print_value (out, v->items->pdata[i]);
        }
      g_string_append_c (out, '}');
      return;
    case LS_CALL_VALUE_CALL:
      g_string_append_printf (out, "%s(", v->text);
      print_list (out, v->items, "", "");
      for (guint i = 0; i < v->keys->len; i++)
        {
          g_string_append_printf (out, "%s%s=", i + v->items->len > 0 ? ", " : "", ((LsCallValue *) v->keys->pdata[i])->text);
          print_value (out, v->keyword_values->pdata[i]);
        }
      g_string_append_c (out, ')');
      return;
    }
}

static void
print_list (GString         *out,
            const GPtrArray *items,
            const char      *open,
            const char      *close)
{
  g_string_append (out, open);
  for (guint i = 0; i < items->len; i++)
    {
      g_string_append (out, i > 0 ? ", " : "");
      print_value (out, items->pdata[i]);
    }
  g_string_append (out, close);
}

char *
ls_call_value_print (const LsCallValue *value)
{
  GString *out = g_string_new (NULL);

  print_value (out, value);
  return g_string_free (out, FALSE);
}
