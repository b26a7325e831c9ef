/* relax-func: a function decorated with R.function.  One that does not say what it returns gets it from its body. */
#include "engine/script/script-private.h"

#include "engine/relax/block-builder.h"
#include "engine/relax/relation.h"

static gboolean
decorated_with (LsSyn      *def,
                const char *keyword,
                gboolean    otherwise)
{
  for (guint i = 0; i < def->n_more; i++)
    for (guint k = 0; def->more[i]->kind == LS_SYN_CALL && k < def->more[i]->n; k++)
      {
        LsSyn *item = def->more[i]->items[k];

        if (item->kind == LS_SYN_KEYWORD && strcmp (item->text, keyword) == 0 && item->a->kind == LS_SYN_BOOL_LITERAL)
          return item->a->integer != 0;
      }
  return otherwise;
}

static void
visit_param (LsParse *p,
             LsSyn   *param)
{
  LsValue *v;
  LsStructInfo *info;
  LsRelaxVar *var;
  gboolean bound = g_hash_table_contains (p->scopes->pdata[p->scopes->len - 1], param->text);        /* a model has 100,000 of them */

  for (guint i = 0; bound && i < p->relax->params->len; i++)
    if (strcmp (((LsRelaxVar *) p->relax->params->pdata[i])->name, param->text) == 0)
      ls_parse_error (p, param->name_span, "script/duplicate", "There are two parameters `%s`.", param->text);
  ls_parse_bind (p, param->text, ls_value_poison (p));
  if (param->op != 0)
    {
      ls_parse_error (p, param->span, "script/unsupported", "A Relax function has a fixed list of parameters.");
      return;
    }
  if (param->a == NULL)
    {
      LsDiagnostic *d = ls_parse_error (p, param->name_span, "script/expected-token", "The parameter `%s` has no type.", param->text);

      if (d != NULL)
        ls_diagnostic_set_repair (d, "Write %s: R.Tensor ((...), \"float32\").", param->text);
      return;
    }
  v = ls_eval (p, param->a);
  /* n: T.int64, since 2026: a number that shapes may say */
  if (v != NULL && v->kind == LS_VALUE_DTYPE && ls_dtype_equal (v->dtype, LS_INT64))
    {
      LsExpr *size = ls_relax_dimension (p, ls_value_string (p, param->text), param->name_span);

      if (size == NULL)
        return;
      g_ptr_array_add (p->relax->params, ls_keep (p, ls_relax_var_new (param->text, ls_prim_struct_info_new (ls_ref (size), LS_INT64)), param));
      ls_parse_bind (p, param->text, ls_value_node (p, size));
      return;
    }
  if (v == NULL || (info = ls_relax_sinfo (p, v, param->a->span)) == NULL)
    return;
  var = ls_keep (p, ls_relax_var_new (param->text, ls_ref (info)), param);
  g_ptr_array_add (p->relax->params, var);
  ls_parse_bind (p, param->text, ls_value_node (p, var));
}

static LsStructInfo *
result_of_body (LsParse      *p,
                LsRelaxState *s,
                LsNode       *seq)
{
  g_autoptr (LsNode) found = ls_relax_struct_info (seq);

  for (LsRelaxState *at = s; at != NULL; at = at->outer)
    for (guint i = 0; i < at->params->len; i++)
      ls_struct_info_add_symbols (((LsRelaxVar *) at->params->pdata[i])->struct_info, s->signature);
  return ls_struct_info_erase (found, s->signature);
}

/* What is written behind the arrow, or what the body says when that is more. */
static LsStructInfo *
said_or_found (LsParse      *p,
               LsRelaxState *s,
               LsNode       *seq,
               LsStructInfo *said)
{
  g_autoptr (LsNode) found = result_of_body (p, s, seq);
  gboolean refines = s->outer == NULL || !(found->facts & LS_FACT_HAS_VAR);

  return refines && ls_struct_info_is_base_of (said, found) ? ls_node_ref (found) : ls_node_ref (said);
}

typedef struct {
  GHashTable *given, *used;     /* dimensions that an argument says by itself, and those that stand in some dimension */
} Dimensions;

static LsWalk
note_dimension (LsNode  *node,
                gpointer data)
{
  Dimensions *self = data;
  LsArray *values = ls_is (node, SHAPE_EXPR) ? ((LsShapeExpr *) node)->values : NULL;

  for (guint i = 0; values != NULL && i < values->n; i++)
    if (ls_is_var (values->items[i]))
      g_hash_table_add (self->given, values->items[i]);
  values = ls_is (node, SHAPE_STRUCT_INFO) ? ((LsShapeStructInfo *) node)->values : NULL;
  for (guint i = 0; values != NULL && i < values->n; i++)
    if (ls_is_var (values->items[i]))
      g_hash_table_add (self->given, values->items[i]);
  if (ls_is (node, PRIM_STRUCT_INFO) && ls_is_var (((LsPrimStructInfo *) node)->value))
    g_hash_table_add (self->given, ((LsPrimStructInfo *) node)->value);
  if (ls_is_var (node))
    g_hash_table_add (self->used, node);
  return LS_WALK_CONTINUE;
}

static gint
by_var_name (gconstpointer a,
             gconstpointer b)
{
  return strcmp ((*(LsVar *const *) a)->name, (*(LsVar *const *) b)->name);
}

/* A dimension that the arguments only compute with has no value. */
static void
check_dimensions (LsParse *p,
                  LsSyn   *def)
{
  g_autoptr (GHashTable) given = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) used = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) unknown = g_ptr_array_new ();
  Dimensions found = { given, used };
  GHashTableIter iter;
  gpointer var;

  for (LsRelaxState *s = p->relax; s != NULL; s = s->outer)
    for (guint i = 0; i < s->params->len; i++)
      ls_walk (((LsRelaxVar *) s->params->pdata[i])->struct_info, note_dimension, NULL, &found);
  g_hash_table_iter_init (&iter, used);
  while (g_hash_table_iter_next (&iter, &var, NULL))
    if (!g_hash_table_contains (given, var) && g_hash_table_lookup (p->relax->symbols, ((LsVar *) var)->name) == var)
      g_ptr_array_add (unknown, var);
  g_ptr_array_sort (unknown, by_var_name);
  for (guint i = 0; i < unknown->len; i++)
    ls_parse_error (p, def->name_span, "script/unknown-name", "The dimension `%s` is the extent of no parameter.",
                    ((LsVar *) unknown->pdata[i])->name);
}

static LsMap *
attributes (LsParse      *p,
            LsRelaxState *s,
            LsSyn        *def,
            gboolean      is_global)
{
  LsMap *map = s->attrs != NULL ? ls_ref (s->attrs) : ls_map_empty ();

  if (decorated_with (def, "private", FALSE) && ls_map_get (map, "global_symbol") != NULL)
    ls_parse_error (p, def->name_span, "script/structure", "The function %s is private, so it has no global_symbol.", def->text);
  if (is_global && !decorated_with (def, "private", FALSE) && ls_map_get (map, "global_symbol") == NULL)
    {
      g_autoptr (LsNode) name = LS_NODE (ls_string_new (def->text));

      ls_take (&map, ls_map_set (map, "global_symbol", name));
    }
  return map;
}

static LsFunction *
finish (LsParse  *p,
        LsSyn    *def,
        LsNode   *ret_info,
        gboolean  is_global)
{
  LsRelaxState *s = p->relax;
  LsNode *seq;
  LsFunction *func;
  g_autoptr (LsArray) blocks = NULL;

  if (s->ret == NULL)
    {
      ls_parse_error (p, def->name_span, "script/structure", "The Relax function %s does not return.", def->text);
      return NULL;
    }
  ls_relax_close_block (p);
  for (guint i = 0; i < s->params->len; i++)
    ls_node_ref (s->params->pdata[i]);
  blocks = ls_array_take_ptr_array (g_steal_pointer (&s->blocks));
  seq = ls_seq_expr_new (ls_relax_join_blocks (blocks), ls_ref (s->ret));
  func = ls_function_new (ls_array_new (s->params->pdata, s->params->len), seq,
                          ret_info != NULL ? said_or_found (p, s, seq, ret_info) : result_of_body (p, s, seq), attributes (p, s, def, is_global),
                          decorated_with (def, "pure", TRUE));
  return ls_node_set_span (func, def->span);
}

static gboolean
makes_symbol (LsSyn *syn)
{
  return syn->kind == LS_SYN_CALL && syn->a->kind == LS_SYN_ATTR && syn->a->a->kind == LS_SYN_NAME
         && (syn->n == 0 || (syn->n == 1 && syn->items[0]->kind == LS_SYN_KEYWORD));
}

/* n = T.float16 (), n, m = T.int64 (), T.int64 (is_size_var=True): what the names in the signature stand for. */
static void
declare_symbols (LsParse *p,
                 LsSyn   *def)
{
  g_autoptr (LsDiagnostics) unheard = ls_diagnostics_new ();
  LsDiagnostics *diagnostics = p->diagnostics;

  p->diagnostics = unheard;
  for (guint i = 0; i < def->n; i++)
    {
      LsSyn *stmt = def->items[i];
      gboolean one = stmt->kind == LS_SYN_ASSIGN && stmt->n == 1 && stmt->items[0]->kind == LS_SYN_NAME;
      gboolean several = stmt->kind == LS_SYN_ASSIGN && stmt->n == 1 && stmt->items[0]->kind == LS_SYN_TUPLE && stmt->a->kind == LS_SYN_TUPLE;

      for (guint k = 0; k < (one ? 1 : several ? MIN (stmt->items[0]->n, stmt->a->n) : 0); k++)
        {
          LsSyn *name = one ? stmt->items[0] : stmt->items[0]->items[k];
          LsSyn *made = one ? stmt->a : stmt->a->items[k];
          LsValue *v = name->kind == LS_SYN_NAME && makes_symbol (made) ? ls_eval (p, made) : NULL;

          if (v == NULL || !ls_relax_is_fresh_symbol (p, v) || g_hash_table_contains (p->relax->declared, name->text))
            continue;
          ls_value_name (v->node, name->text);
          g_hash_table_insert (p->relax->declared, (gpointer) name->text, v->node);
        }
    }
  p->diagnostics = diagnostics;
}

static void
open_state (LsParse      *p,
            LsRelaxState *state)
{
  state->symbols = g_hash_table_new (g_str_hash, g_str_equal);
  state->declared = g_hash_table_new (g_str_hash, g_str_equal);
  state->signature = g_hash_table_new (NULL, NULL);
  state->outputs = g_hash_table_new (g_str_hash, g_str_equal);
  state->params = g_ptr_array_new ();
  state->blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  state->bindings = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  p->relax = state;
  ls_parse_push_scope (p);
}

static void
close_state (LsParse      *p,
             LsRelaxState *state)
{
  ls_parse_pop_scope (p);
  p->relax = state->outer;
  g_hash_table_unref (state->symbols);
  g_hash_table_unref (state->declared);
  g_hash_table_unref (state->signature);
  g_hash_table_unref (state->outputs);
  g_ptr_array_unref (state->params);
  g_clear_pointer (&state->blocks, g_ptr_array_unref);
  g_ptr_array_unref (state->bindings);
}

LsNode *
ls_relax_signature (LsParse *p,
                    LsSyn   *def)
{
  LsRelaxState state = { .outer = p->relax };
  g_autoptr (LsDiagnostics) unheard = ls_diagnostics_new ();
  LsDiagnostics *diagnostics = p->diagnostics;
  GPtrArray *infos = g_ptr_array_new ();
  LsStructInfo *ret = NULL;
  LsValue *v;
  LsNode *signature = NULL;

  open_state (p, &state);
  p->diagnostics = unheard;
  declare_symbols (p, def);
  for (guint i = 0; i < def->a->n; i++)
    visit_param (p, def->a->items[i]);
  if (def->b != NULL && (v = ls_eval (p, def->b)) != NULL)
    ret = ls_relax_sinfo (p, v, def->b->span);
  p->diagnostics = diagnostics;
  for (guint i = 0; i < state.params->len; i++)
    g_ptr_array_add (infos, ls_ref (((LsRelaxVar *) state.params->pdata[i])->struct_info));
  if (ret != NULL && infos->len == def->a->n)
    signature = ls_parse_keep (p, ls_func_struct_info_new (ls_array_new (infos->pdata, infos->len), ls_ref (ret), decorated_with (def, "pure", TRUE)), def->span);
  else
    g_ptr_array_foreach (infos, (GFunc) ls_node_unref, NULL);
  g_ptr_array_unref (infos);
  close_state (p, &state);
  return signature;
}

LsStructInfo *
ls_relax_annotation (LsParse *p,
                     LsSyn   *syn)
{
  LsRelaxState state = { .outer = p->relax };
  LsStructInfo *info;
  LsValue *v;

  open_state (p, &state);
  v = ls_eval (p, syn);
  info = v != NULL ? ls_relax_sinfo (p, v, syn->span) : NULL;
  close_state (p, &state);
  return info;
}

LsFunction *
ls_relax_visit_func (LsParse  *p,
                     LsSyn    *def,
                     gboolean  is_global)
{
  LsRelaxState state = { .outer = p->relax };
  LsValue *v;
  LsStructInfo *ret = NULL;
  LsFunction *func;

  open_state (p, &state);
  declare_symbols (p, def);
  for (guint i = 0; i < def->a->n; i++)
    visit_param (p, def->a->items[i]);
  check_dimensions (p, def);
  if (def->b != NULL && (v = ls_eval (p, def->b)) != NULL)
    ret = ls_relax_sinfo (p, v, def->b->span);
  ls_relax_visit_stmts (p, def->items, def->n);
  func = finish (p, def, ret, is_global);
  close_state (p, &state);
  return func;
}
