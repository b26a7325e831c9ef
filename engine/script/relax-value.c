/* relax-value: values of a script as Relax expressions, dimensions and struct info.
 *
 * Numbers are PrimValues of int64, bool and float64, texts StringImms, tuples Tuples.  A dimension in quotes ("n",
 * "n * 2") names variables of the function, which it makes where they are new.
 */
#include "engine/script/script-private.h"

gboolean
ls_relax_is_value (const LsValue *v)
{
  return v != NULL && v->kind == LS_VALUE_NODE && ls_is_relax_expr (v->node) && !ls_is (v->node, GLOBAL_VAR);
}

/* ---- dimensions ------------------------------------------------------------------- */

LsVar *
ls_relax_symbol (LsParse    *p,
                 const char *name)
{
  LsVar *var = NULL;

  for (LsRelaxState *s = p->relax; s != NULL && var == NULL; s = s->outer)
    var = g_hash_table_lookup (s->symbols, name);
  if (var != NULL)
    return var;
  var = g_hash_table_lookup (p->relax->declared, name);
  name = ls_arena_strndup (&p->arena, name, strlen (name));
  if (var == NULL)
    var = ls_parse_keep (p, ls_var_new (name, LS_INT64), (LsSpan) { p->source_id, 0, 0 });
  g_hash_table_insert (p->relax->symbols, (gpointer) name, var);
  ls_parse_bind (p, name, ls_value_node (p, var));
  return var;
}

static GHashTable *
names_in (LsParse    *p,
          const char *text)
{
  GHashTable *vars = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (const char *c = text; *c != '\0';)
    {
      gsize n = 0;

      while (c[n] == '_' || g_ascii_isalnum (c[n]))
        n++;
      if (n > 0 && !g_ascii_isdigit (c[0]) && c[n] != '(' && c[n] != '.' && (c == text || c[-1] != '.'))
        {
          char *name = g_strndup (c, n);

          g_hash_table_insert (vars, name, ls_relax_symbol (p, name));
        }
      c += MAX (n, 1);
    }
  return vars;
}

static LsExpr *
quoted_dimension (LsParse    *p,
                  const char *text,
                  LsSpan      span)
{
  g_autoptr (GHashTable) vars = names_in (p, text);
  g_autoptr (LsSource) source = ls_source_new ("dimension", text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  LsExpr *e = ls_script_parse_expr (source, vars, 0, findings);

  if (e == NULL || ls_diagnostics_has_error (findings))
    {
      ls_unref (e);
      ls_parse_error (p, span, "script/shape", "\"%.40s\" is no dimension.", text);
      return NULL;
    }
  return ls_parse_keep (p, e, span);
}

LsExpr *
ls_relax_dimension (LsParse *p,
                    LsValue *v,
                    LsSpan   span)
{
  LsExpr *e;

  if (v->kind == LS_VALUE_STRING)
    return quoted_dimension (p, v->s, span);
  if (v->kind == LS_VALUE_INT && !v->big)
    return ls_parse_keep (p, ls_int_imm_new (LS_INT64, v->i), span);
  if (v->kind == LS_VALUE_NODE && ls_is (v->node, PRIM_VALUE))
    return ((LsPrimValue *) v->node)->value;
  if (v->kind != LS_VALUE_NODE || !ls_is_expr (v->node) || ls_dtype (v->node).code != LS_TYPE_INT
      || (!ls_is (v->node, INT_IMM) && ls_dtype (v->node).bits != 64))
    {
      if (v->kind != LS_VALUE_POISON)
        ls_parse_error (p, span, "script/shape", "A dimension is a whole number or a variable: the value in ShapeStructInfo can only have dtype of int64; this is %s.",
                        ls_value_describe (p, v));
      return NULL;
    }
  e = LS_EXPR (v->node);
  return ls_is (e, INT_IMM) ? ls_parse_keep (p, ls_int_imm_new (LS_INT64, ((LsIntImm *) e)->value), span) : e;
}

LsArray *
ls_relax_dimensions (LsParse *p,
                     LsValue *v,
                     LsSpan   span)
{
  g_autoptr (GPtrArray) out = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  if (v->kind == LS_VALUE_NODE && ls_is (v->node, SHAPE_EXPR))
    return ((LsShapeExpr *) v->node)->values;
  if (!ls_value_is_sequence (v))
    {
      if (v->kind != LS_VALUE_POISON)
        ls_parse_error (p, span, "script/shape", "A shape is a tuple or a list; this is %s.", ls_value_describe (p, v));
      return NULL;
    }
  for (guint i = 0; i < v->n; i++)
    {
      LsExpr *e = ls_relax_dimension (p, v->items[i], span);

      if (e == NULL)
        return NULL;
      g_ptr_array_add (out, ls_ref (e));
    }
  return ls_parse_keep (p, ls_array_take_ptr_array (g_steal_pointer (&out)), span);
}

/* ---- struct info --------------------------------------------------------------------- */

static LsStructInfo *
bare (LsParse    *p,
      const char *path,
      LsSpan      span)
{
  if (strcmp (path, "R.Object") == 0 || strcmp (path, "R.Any") == 0)
    return ls_parse_keep (p, ls_object_struct_info_new (), span);
  if (strcmp (path, "R.Tensor") == 0)
    return ls_parse_keep (p, ls_tensor_struct_info_new (NULL, LS_UNKNOWN_NDIM, LS_VOID, NULL), span);
  if (strcmp (path, "R.Shape") == 0)
    return ls_parse_keep (p, ls_shape_struct_info_new (NULL, LS_UNKNOWN_NDIM), span);
  if (strcmp (path, "R.Tuple") == 0)
    return ls_parse_keep (p, ls_tuple_struct_info_new (ls_array_empty ()), span);
  if (strcmp (path, "R.Callable") == 0)
    return ls_parse_keep (p, ls_func_struct_info_new (NULL, ls_object_struct_info_new (), FALSE), span);
  return NULL;
}

LsStructInfo *
ls_relax_sinfo (LsParse *p,
                LsValue *v,
                LsSpan   span)
{
  LsStructInfo *info = NULL;

  if (v == NULL || v->kind == LS_VALUE_POISON)
    return NULL;
  if (v->kind == LS_VALUE_NODE && ls_is_struct_info (v->node))
    return v->node;
  if (v->kind == LS_VALUE_DTYPE)        /* T.int64, since 2026 */
    return ls_parse_keep (p, ls_prim_struct_info_new (NULL, v->dtype), span);
  if (v->kind == LS_VALUE_NONE)
    return bare (p, "R.Tuple", span);
  if (v->kind == LS_VALUE_MODULE)
    info = bare (p, v->s, span);
  if (info == NULL)
    {
      LsDiagnostic *d = ls_parse_error (p, span, "script/type", "What is known about a value is R.Tensor, R.Shape, R.Prim, R.Tuple, R.Callable "
                                        "or R.Object; this is %s.", ls_value_describe (p, v));

      if (d != NULL && ls_value_is_sequence (v))
        ls_diagnostic_set_repair (d, "Write R.Tuple (...).");
    }
  return info;
}

LsArray *
ls_relax_sinfos (LsParse *p,
                 LsValue *v,
                 LsSpan   span)
{
  g_autoptr (GPtrArray) out = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  guint n = ls_value_is_sequence (v) ? v->n : 1;

  for (guint i = 0; i < n; i++)
    {
      LsStructInfo *info = ls_relax_sinfo (p, ls_value_is_sequence (v) ? v->items[i] : v, span);

      if (info == NULL)
        return NULL;
      g_ptr_array_add (out, ls_ref (info));
    }
  return ls_parse_keep (p, ls_array_take_ptr_array (g_steal_pointer (&out)), span);
}

/* ---- expressions ------------------------------------------------------------------------ */

static LsNode *
tuple_of (LsParse *p,
          LsValue *v,
          LsSpan   span)
{
  g_autoptr (GPtrArray) out = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  for (guint i = 0; i < v->n; i++)
    {
      LsNode *item = ls_relax_arg (p, v->items[i], span);

      if (item == NULL)
        return NULL;
      g_ptr_array_add (out, ls_ref (item));
    }
  return ls_parse_keep (p, ls_relax_tuple_new (ls_array_take_ptr_array (g_steal_pointer (&out))), span);
}

LsNode *
ls_relax_expr (LsParse *p,
               LsValue *v,
               LsSpan   span)
{
  if (v == NULL || v->kind == LS_VALUE_POISON)
    return NULL;
  if (v->kind == LS_VALUE_NODE && p->relax != NULL && !p->relax->unchecked && ls_is_void_var (v->node))
    return ls_parse_keep (p, ls_relax_tuple_new (ls_array_empty ()), span);
  if (v->kind == LS_VALUE_NODE && (ls_is_relax_expr (v->node) || ls_is (v->node, MATCH_CAST)))
    return v->node;
  if (v->kind == LS_VALUE_NODE && ls_is_expr (v->node))
    return ls_parse_keep (p, ls_prim_value_new (ls_ref (LS_EXPR (v->node))), span);
  if (v->kind == LS_VALUE_INT && !v->big)
    return ls_parse_keep (p, ls_prim_value_new (ls_int_imm_new (LS_INT64, v->i)), span);
  if (v->kind == LS_VALUE_BOOL)
    return ls_parse_keep (p, ls_prim_value_new (ls_bool (v->i != 0)), span);
  if (v->kind == LS_VALUE_FLOAT)
    return ls_parse_keep (p, ls_prim_value_new (ls_float_imm_new (LS_FLOAT64, v->f)), span);
  if (v->kind == LS_VALUE_STRING)
    return ls_parse_keep (p, ls_relax_string_new (v->s), span);
  if (ls_value_is_sequence (v))
    return tuple_of (p, v, span);
  ls_parse_error (p, span, "script/type", "A Relax expression was expected; this is %s.", ls_value_describe (p, v));
  return NULL;
}

LsNode *
ls_relax_arg (LsParse *p,
              LsValue *v,
              LsSpan   span)
{
  LsNode *e = ls_relax_expr (p, v, span);

  if (e == NULL || ls_is_relax_leaf (e))
    return e;
  return LS_NODE (ls_relax_emit (p, NULL, e, NULL, span));
}
