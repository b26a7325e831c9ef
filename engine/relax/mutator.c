/* mutator: see the header.
 *
 * A sequence opens one block of the builder for each of its own, and one more for what its result needs; what nothing
 * changed in comes back as the same node.
 */
#include "engine/relax/mutator.h"

#include "engine/arith/analyzer.h"
#include "engine/relax/lineage.h"
#include "engine/relax/relation.h"

#include <string.h>

static void
unref_any (gpointer node)
{
  ls_node_unref (node);
}

void
ls_relax_mutator_init (LsRelaxMutator            *self,
                       const LsRelaxMutatorFuncs *funcs,
                       LsModule                  *module,
                       gpointer                   user_data)
{
  static const LsRelaxMutatorFuncs none = { NULL };

  memset (self, 0, sizeof *self);
  self->funcs = funcs != NULL ? funcs : &none;
  self->user_data = user_data;
  self->builder = ls_block_builder_new (module);
  self->vars = g_hash_table_new_full (NULL, NULL, unref_any, unref_any);
  self->symbols = g_hash_table_new_full (NULL, NULL, unref_any, unref_any);
}

void
ls_relax_mutator_clear (LsRelaxMutator *self)
{
  g_clear_pointer (&self->builder, ls_block_builder_free);
  g_clear_pointer (&self->vars, g_hash_table_unref);
  g_clear_pointer (&self->symbols, g_hash_table_unref);
}

LsNode *
ls_relax_mutator_current (LsRelaxMutator *self,
                          LsNode         *expr)
{
  LsNode *known = ls_is_relax_var (expr) ? g_hash_table_lookup (self->vars, expr) : NULL;
  GPtrArray *out;

  if (!ls_is (expr, RELAX_TUPLE))
    return ls_node_ref (known != NULL ? known : expr);
  out = g_ptr_array_new ();
  for (guint i = 0; i < ((LsRelaxTuple *) expr)->fields->n; i++)
    g_ptr_array_add (out, ls_relax_mutator_current (self, ((LsRelaxTuple *) expr)->fields->items[i]));
  return ls_relax_tuple_new (ls_array_take_ptr_array (out));
}

void
ls_relax_mutator_replace (LsRelaxMutator *self,
                          LsRelaxVar     *var,
                          gpointer        with)
{
  ls_relax_lineage_note (var, with);
  g_hash_table_insert (self->vars, ls_ref (var), ls_node_ref (with));
}

LsNode *
ls_relax_mutator_lookup (LsRelaxMutator *self,
                         gpointer        var)
{
  return ls_is_relax_var (var) ? ls_block_builder_lookup_binding (self->builder, var) : NULL;
}

/* ---- dimensions and struct info ---------------------------------------------------- */

static LsExpr *
substitute_symbols (LsRelaxMutator *self,
                    LsExpr         *expr)
{
  g_autoptr (LsAnalyzer) analyzer = NULL;
  LsExpr *fresh;

  if (g_hash_table_size (self->symbols) == 0)
    return ls_ref (expr);
  fresh = (LsExpr *) ls_substitute (expr, self->symbols);
  if (fresh == expr || self->renames)
    return fresh;
  analyzer = ls_analyzer_new ();
  ls_take (&fresh, ls_analyzer_simplify (analyzer, fresh));
  return fresh;
}

static LsExpr *
visit_prim (LsRelaxMutator *self,
            LsExpr         *expr)
{
  return self->funcs->prim != NULL ? self->funcs->prim (self, expr) : substitute_symbols (self, expr);
}

static LsNode *
visit_var (LsRelaxMutator *self,
           LsRelaxVar     *var)
{
  LsNode *known = g_hash_table_lookup (self->vars, var);

  return ls_node_ref (known != NULL ? known : LS_NODE (var));
}

static LsNode *
info_filter (LsRewriter *rewriter,
             LsNode     *node,
             gpointer    user_data)
{
  if (ls_is_expr (node))
    return LS_NODE (visit_prim (user_data, LS_EXPR (node)));
  if (ls_is_relax_var (node))
    return visit_var (user_data, (LsRelaxVar *) node);
  return ls_rewrite_default (rewriter, node);
}

LsStructInfo *
ls_relax_mutator_visit_info (LsRelaxMutator *self,
                             LsStructInfo   *info)
{
  if (info == NULL)
    return NULL;
  if (self->funcs->prim == NULL && g_hash_table_size (self->symbols) == 0 && g_hash_table_size (self->vars) == 0)
    return ls_node_ref (info);
  return ls_rewrite_with (info, info_filter, self);
}

/* ---- definitions ---------------------------------------------------------------------- */

static LsRelaxVar *
var_like (LsRelaxVar   *var,
          LsStructInfo *info)
{
  return ls_is (var, DATAFLOW_VAR) ? ls_dataflow_var_new (var->name, info) : ls_relax_var_new (var->name, info);
}

LsRelaxVar *
ls_relax_mutator_define (LsRelaxMutator *self,
                         LsRelaxVar     *var)
{
  LsStructInfo *info = ls_relax_mutator_visit_info (self, var->struct_info);
  LsRelaxVar *fresh;

  if (info == var->struct_info && !self->renews)
    {
      ls_node_unref (info);
      return ls_ref (var);
    }
  fresh = var_like (var, info);
  ls_relax_mutator_replace (self, var, fresh);
  return fresh;
}

/* `var` (taken) as it has to be for a value of this struct info. */
static LsRelaxVar *
fit (LsRelaxMutator *self,
     LsRelaxVar     *old,
     LsRelaxVar     *var,
     LsNode         *value)
{
  g_autoptr (LsNode) info = ls_block_builder_struct_info (self->builder, value);
  LsRelaxVar *fresh = var;

  if (!(ls_is (info, OBJECT_STRUCT_INFO) && !ls_is_relax_leaf (value)) && !ls_struct_info_equal (info, var->struct_info))
    {
      fresh = var_like (var, ls_node_ref (info));
      ls_unref (var);
    }
  if (fresh != old)
    ls_relax_mutator_replace (self, old, fresh);
  return fresh;
}

/* ---- bindings and blocks ------------------------------------------------------------------ */

void
ls_relax_mutator_rebind (LsRelaxMutator *self,
                         LsVarBinding   *binding,
                         LsNode         *value)
{
  LsRelaxVar *var = ls_relax_mutator_define (self, binding->var);
  g_autoptr (LsNode) normal = NULL;

  if (var == binding->var && value == binding->value)
    {
      ls_block_builder_emit_binding (self->builder, binding);
      ls_unref (var);
      return;
    }
  normal = ls_block_builder_normalize (self->builder, value);
  var = fit (self, binding->var, var, normal);
  ls_block_builder_emit_to (self->builder, var, normal);
  ls_unref (var);
}

static void
rebind_cast (LsRelaxMutator *self,
             LsMatchCast    *cast)
{
  g_autoptr (LsNode) value = ls_relax_mutator_visit (self, cast->value);
  g_autoptr (LsNode) info = NULL, leaf = NULL, fresh = NULL;
  LsRelaxVar *var;

  info = ls_relax_mutator_visit_info (self, cast->struct_info);
  var = cast->var != NULL ? ls_relax_mutator_define (self, cast->var) : NULL;
  if (var == cast->var && value == cast->value && info == cast->struct_info)
    {
      ls_block_builder_emit_binding (self->builder, cast);
      ls_unref (var);
      return;
    }
  leaf = ls_block_builder_normalize_argument (self->builder, value);
  fresh = ls_match_cast_new (var, ls_node_ref (leaf), ls_node_ref (info));
  ls_block_builder_emit_binding (self->builder, fresh);
}

void
ls_relax_mutator_default_binding (LsRelaxMutator *self,
                                  LsNode         *binding)
{
  g_autoptr (LsNode) value = NULL;

  if (ls_is (binding, MATCH_CAST))
    {
      rebind_cast (self, (LsMatchCast *) binding);
      return;
    }
  value = ls_relax_mutator_visit (self, ((LsVarBinding *) binding)->value);
  ls_relax_mutator_rebind (self, (LsVarBinding *) binding, value);
}

LsNode *
ls_relax_mutator_default_block (LsRelaxMutator *self,
                                LsBindingBlock *block)
{
  LsNode *fresh;

  ls_block_builder_begin_block (self->builder, ls_is (block, DATAFLOW_BLOCK));
  for (guint i = 0; i < block->bindings->n; i++)
    if (self->funcs->binding != NULL)
      self->funcs->binding (self, block->bindings->items[i]);
    else
      ls_relax_mutator_default_binding (self, block->bindings->items[i]);
  fresh = ls_block_builder_end_block (self->builder);
  if (!ls_array_same_items (((LsBindingBlock *) fresh)->bindings, block->bindings))
    return fresh;
  ls_node_unref (fresh);
  return ls_node_ref (LS_NODE (block));
}

static LsNode *
visit_sequence (LsRelaxMutator *self,
                LsSeqExpr      *seq)
{
  GPtrArray *blocks = g_ptr_array_new ();
  g_autoptr (LsArray) all = NULL;
  g_autoptr (LsArray) joined = NULL;
  g_autoptr (LsNode) body = NULL, leaf = NULL;

  for (guint i = 0; i < seq->blocks->n; i++)
    {
      LsBindingBlock *block = (LsBindingBlock *) seq->blocks->items[i];

      g_ptr_array_add (blocks, self->funcs->block != NULL ? self->funcs->block (self, block) : ls_relax_mutator_default_block (self, block));
    }
  ls_block_builder_begin_block (self->builder, FALSE);
  body = ls_relax_mutator_visit (self, seq->body);
  leaf = ls_block_builder_normalize_argument (self->builder, body);
  g_ptr_array_add (blocks, ls_block_builder_end_block (self->builder));
  all = ls_array_take_ptr_array (blocks);
  joined = ls_relax_join_blocks (all);
  if (leaf == seq->body && ls_array_same_items (joined, seq->blocks))
    return ls_node_ref (LS_NODE (seq));
  return ls_seq_expr_new (ls_ref (joined), ls_node_ref (leaf));
}

/* ---- functions -------------------------------------------------------------------------------- */

/* What the body says when it says more. */
static LsStructInfo *
refine (LsRelaxMutator *self,
        LsArray        *params,
        LsStructInfo   *said,
        LsNode         *body)
{
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);
  g_autoptr (LsNode) info = ls_block_builder_struct_info (self->builder, body);
  LsStructInfo *found;

  if (self->depth > 1 && (info->facts & LS_FACT_HAS_VAR))
    return said;
  for (guint i = 0; i < params->n; i++)
    ls_struct_info_add_symbols (ls_array_at (params, i, LsRelaxVar)->struct_info, known);
  found = ls_struct_info_erase (info, known);
  if (!ls_struct_info_is_base_of (said, found) || ls_struct_info_equal (said, found))
    {
      ls_node_unref (found);
      return said;
    }
  ls_node_unref (said);
  return found;
}

static LsNode *
visit_function (LsRelaxMutator *self,
                LsFunction     *func)
{
  GPtrArray *list = g_ptr_array_new ();
  g_autoptr (LsArray) params = NULL;
  LsNode *body;
  LsStructInfo *ret;

  self->depth++;
  for (guint i = 0; i < func->params->n; i++)
    g_ptr_array_add (list, ls_relax_mutator_define (self, ls_array_at (func->params, i, LsRelaxVar)));
  params = ls_array_take_ptr_array (list);
  body = ls_relax_mutator_visit (self, func->body);
  ret = ls_relax_mutator_visit_info (self, func->ret_struct_info);
  if (body == func->body && ret == func->ret_struct_info && ls_array_same_items (params, func->params))
    {
      ls_node_unref (body);
      ls_node_unref (ret);
      self->depth--;
      return ls_node_ref (LS_NODE (func));
    }
  ret = refine (self, params, ret, body);
  self->depth--;
  return LS_NODE (ls_function_new (ls_ref (params), body, ret, ls_ref (func->attrs), func->is_pure));
}

/* ---- expressions -------------------------------------------------------------------------------- */

typedef LsNode *(*VisitFunc) (LsRelaxMutator *self, gpointer node);

static LsArray *
visit_list (LsRelaxMutator *self,
            LsArray        *list,
            VisitFunc       visit)
{
  g_autofree LsNode **items = g_new (LsNode *, list->n + 1);
  gboolean changed = FALSE;

  for (guint i = 0; i < list->n; i++)
    {
      items[i] = visit (self, list->items[i]);
      changed = changed || items[i] != list->items[i];
    }
  if (changed)
    return ls_array_new (items, list->n);
  for (guint i = 0; i < list->n; i++)
    ls_node_unref (items[i]);
  return ls_ref (list);
}

static LsNode *
visit_list_prim (LsRelaxMutator *self,
                 gpointer        expr)
{
  return LS_NODE (visit_prim (self, expr));
}

static LsNode *
visit_list_info (LsRelaxMutator *self,
                 gpointer        info)
{
  return ls_relax_mutator_visit_info (self, info);
}

static LsNode *
visit_call (LsRelaxMutator *self,
            LsRelaxCall    *call)
{
  LsNode *op = ls_relax_mutator_visit (self, call->op);
  LsArray *args = visit_list (self, call->args, ls_relax_mutator_visit);
  LsArray *infos = visit_list (self, call->sinfo_args, visit_list_info);

  if (op != call->op || args != call->args || infos != call->sinfo_args)
    return ls_node_set_span (ls_relax_call_new (op, args, ls_ref (call->attr_names), ls_ref (call->attrs), infos), LS_NODE (call)->span);
  ls_node_unref (op);
  ls_unref (args);
  ls_unref (infos);
  return ls_node_ref (LS_NODE (call));
}

static LsNode *
with_list (LsNode  *node,
           LsArray *list)
{
  LsNode *children[1] = { LS_NODE (list) };
  LsNode *fresh = ls_node_with_children (node, children);

  ls_unref (list);
  return fresh;
}

static LsNode *
visit_parts (LsRelaxMutator *self,
             LsNode         *node)
{
  LsNode *parts[3], *fresh;
  guint n = ls_node_get_n_children (node);

  for (guint i = 0; i < n; i++)
    parts[i] = ls_relax_mutator_visit (self, ls_node_get_child (node, i));
  fresh = ls_node_with_children (node, parts);
  for (guint i = 0; i < n; i++)
    ls_node_unref (parts[i]);
  return fresh;
}

LsNode *
ls_relax_mutator_default (LsRelaxMutator *self,
                          gpointer        expr)
{
  switch ((int) ls_kind (expr))
    {
    case LS_KIND_RELAX_VAR:
    case LS_KIND_DATAFLOW_VAR: return visit_var (self, expr);
    case LS_KIND_RELAX_CALL: return visit_call (self, expr);
    case LS_KIND_RELAX_TUPLE: return with_list (expr, visit_list (self, ((LsRelaxTuple *) expr)->fields, ls_relax_mutator_visit));
    case LS_KIND_SHAPE_EXPR: return with_list (expr, visit_list (self, ((LsShapeExpr *) expr)->values, visit_list_prim));
    case LS_KIND_PRIM_VALUE:
      {
        LsNode *value = LS_NODE (visit_prim (self, ((LsPrimValue *) expr)->value)), *fresh = ls_node_with_children (expr, &value);

        ls_node_unref (value);
        return fresh;
      }
    case LS_KIND_TUPLE_GET_ITEM:
    case LS_KIND_RELAX_IF: return visit_parts (self, expr);
    case LS_KIND_SEQ_EXPR: return visit_sequence (self, expr);
    case LS_KIND_FUNCTION: return visit_function (self, expr);
    default: return ls_node_ref (expr);
    }
}

LsNode *
ls_relax_mutator_visit (LsRelaxMutator *self,
                        gpointer        expr)
{
  const LsRelaxMutatorFuncs *funcs = self->funcs;

  if (expr == NULL)
    return NULL;
  if (funcs->expr != NULL)
    return funcs->expr (self, expr);
  if (funcs->call != NULL && ls_is (expr, RELAX_CALL))
    return funcs->call (self, expr);
  if (funcs->var != NULL && ls_is_relax_var (expr))
    return funcs->var (self, expr);
  if (funcs->function != NULL && ls_is (expr, FUNCTION))
    return funcs->function (self, expr);
  return ls_relax_mutator_default (self, expr);
}

/* ---- in one call ------------------------------------------------------------------------------------ */

static int
by_name (gconstpointer a,
         gconstpointer b)
{
  return strcmp ((*(LsGlobalVar *const *) a)->name_hint, (*(LsGlobalVar *const *) b)->name_hint);
}

static LsModule *
mutate_all (LsModule                  *module,
            const LsRelaxMutatorFuncs *funcs,
            gpointer                   user_data,
            gboolean                   sorted,
            GError                   **error)
{
  g_auto (LsRelaxMutator) mutator = { NULL };
  g_autoptr (GPtrArray) order = g_ptr_array_new ();

  for (guint i = 0; i < module->functions->n; i++)
    if (ls_is (module->functions->items[i], FUNCTION))
      g_ptr_array_add (order, module->global_vars->items[i]);
  if (sorted)
    g_ptr_array_sort (order, by_name);
  ls_relax_mutator_init (&mutator, funcs, module, user_data);
  for (guint i = 0; i < order->len; i++)
    {
      g_autoptr (LsNode) fresh = ls_relax_mutator_visit (&mutator, ls_block_builder_lookup_func (mutator.builder, order->pdata[i]));

      ls_block_builder_update_func (mutator.builder, order->pdata[i], fresh);
    }
  return ls_relax_mutator_finish (&mutator, error);
}

LsModule *
ls_relax_mutate_module (LsModule                  *module,
                        const LsRelaxMutatorFuncs *funcs,
                        gpointer                   user_data,
                        GError                   **error)
{
  return mutate_all (module, funcs, user_data, FALSE, error);
}

LsModule *
ls_relax_mutate_module_by_name (LsModule                  *module,
                                const LsRelaxMutatorFuncs *funcs,
                                gpointer                   user_data,
                                GError                   **error)
{
  return mutate_all (module, funcs, user_data, TRUE, error);
}

LsModule *
ls_relax_mutator_finish (LsRelaxMutator *self,
                         GError        **error)
{
  const GError *found = ls_block_builder_get_error (self->builder);

  if (found == NULL)
    return ls_block_builder_get (self->builder);
  g_propagate_error (error, g_error_copy (found));
  return NULL;
}

static void
keep_entries (GHashTable *from,
              GHashTable *to)
{
  GHashTableIter iter;
  gpointer key, value;

  if (from == NULL)
    return;
  g_hash_table_iter_init (&iter, from);
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_hash_table_insert (to, ls_node_ref (key), ls_node_ref (value));
}

LsNode *
ls_relax_bind (gpointer    node,
               GHashTable *vars,
               GHashTable *symbols)
{
  g_auto (LsRelaxMutator) mutator = { NULL };

  ls_relax_mutator_init (&mutator, NULL, NULL, NULL);
  keep_entries (vars, mutator.vars);
  keep_entries (symbols, mutator.symbols);
  return ls_is_struct_info (node) ? ls_relax_mutator_visit_info (&mutator, node) : ls_relax_mutator_visit (&mutator, node);
}

static LsWalk
renew_symbol (LsNode  *node,
              gpointer user_data)
{
  GHashTable *symbols = user_data;

  if (ls_is_var (node) && !g_hash_table_contains (symbols, node))
    g_hash_table_insert (symbols, ls_node_ref (node), ls_var_copy ((LsVar *) node, NULL));
  if (ls_is (node, MATCH_CAST))
    ls_walk (((LsMatchCast *) node)->struct_info, renew_symbol, NULL, symbols);
  return LS_WALK_CONTINUE;
}

static LsWalk
renew_cast (LsNode  *node,
            gpointer symbols)
{
  if (ls_is (node, MATCH_CAST))
    renew_symbol (node, symbols);
  return LS_WALK_CONTINUE;
}

LsFunction *
ls_relax_copy_function (LsFunction *func)
{
  g_auto (LsRelaxMutator) mutator = { NULL };

  ls_relax_mutator_init (&mutator, NULL, NULL, NULL);
  mutator.renames = mutator.renews = TRUE;
  for (guint i = 0; i < func->params->n; i++)
    ls_walk (ls_array_at (func->params, i, LsRelaxVar)->struct_info, renew_symbol, NULL, mutator.symbols);
  ls_walk (func->body, renew_cast, NULL, mutator.symbols);
  return (LsFunction *) ls_relax_mutator_visit (&mutator, func);
}
