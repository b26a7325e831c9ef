/* rewrite: applies a rule to functions until nothing changes.
 *
 * Each sequence of blocks, inner ones first: the rule says what takes the place of which variables; bindings are put
 * behind those that they need now; new values are brought into A-normal form.  As a replacement repeats what it was made
 * of, renamings and common subexpressions are taken out and unused bindings dropped, and all is looked at again.
 */
#include "engine/relax/dpl/dpl.h"

#include "engine/relax/analysis.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/pass.h"

typedef struct {
  LsPatternRewriter *rule;
  LsBlockBuilder    *builder;
  GError            *error;
} Rewriting;

#define MAX_ROUNDS 1000

/* ---- order --------------------------------------------------------------------------------- */

typedef struct {
  LsNode    *binding;
  GPtrArray *needs;             /* variables that come later */
} Delayed;

static void
delayed_clear (gpointer data)
{
  g_ptr_array_unref (((Delayed *) data)->needs);
}

static void
put_binding (GPtrArray  *out,
             GHashTable *missing,
             GArray     *delayed,
             LsNode     *binding)
{
  LsRelaxVar *var = ls_binding_var (binding);

  g_ptr_array_add (out, ls_node_ref (binding));
  if (var != NULL)
    g_hash_table_remove (missing, var);
  for (guint i = 0; i < delayed->len; i++)
    g_ptr_array_remove (g_array_index (delayed, Delayed, i).needs, var);
}

static gboolean
put_delayed (GPtrArray  *out,
             GHashTable *missing,
             GArray     *delayed)
{
  for (guint i = 0; i < delayed->len; i++)
    if (g_array_index (delayed, Delayed, i).needs->len == 0)
      {
        LsNode *binding = g_array_index (delayed, Delayed, i).binding;

        g_array_remove_index (delayed, i);
        put_binding (out, missing, delayed, binding);
        return TRUE;
      }
  return FALSE;
}

/* The bindings with as few moved as possible, each behind what it uses.  NULL: they use each other. (transfer full) */
static LsArray *
sort (LsArray *bindings)
{
  g_autoptr (GHashTable) missing = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) delayed = g_array_new (FALSE, FALSE, sizeof (Delayed));
  g_autoptr (GPtrArray) out = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  g_array_set_clear_func (delayed, delayed_clear);
  for (guint i = 0; i < bindings->n; i++)
    if (ls_binding_var (bindings->items[i]) != NULL)
      g_hash_table_add (missing, ls_binding_var (bindings->items[i]));
  for (guint i = 0; i < bindings->n; i++)
    {
      g_autoptr (GPtrArray) used = ls_relax_free_vars (ls_binding_value (bindings->items[i]));
      Delayed row = { bindings->items[i], g_ptr_array_new () };

      for (guint k = 0; k < used->len; k++)
        if (g_hash_table_contains (missing, used->pdata[k]))
          g_ptr_array_add (row.needs, used->pdata[k]);
      if (row.needs->len == 0)
        {
          put_binding (out, missing, delayed, row.binding);
          g_ptr_array_unref (row.needs);
        }
      else
        g_array_append_val (delayed, row);
      while (put_delayed (out, missing, delayed))
        ;
    }
  return delayed->len == 0 ? ls_array_take_ptr_array (g_steal_pointer (&out)) : NULL;
}

/* ---- one round ---------------------------------------------------------------------------------- */

/* The bindings with what the rule puts; the same array when it puts nothing; NULL with an error. (transfer full) */
static LsArray *
replace (Rewriting *self,
         LsArray   *bindings)
{
  g_autoptr (GHashTable) found = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, (GDestroyNotify) ls_node_unref);
  GPtrArray *out;
  g_autoptr (LsArray) fresh = NULL;
  LsArray *sorted;

  if (!ls_pattern_rewriter_find (self->rule, bindings, found, &self->error))
    return NULL;
  if (g_hash_table_size (found) == 0)
    return ls_ref (bindings);
  out = g_ptr_array_new ();
  for (guint i = 0; i < bindings->n; i++)
    {
      LsRelaxVar *var = ls_binding_var (bindings->items[i]);
      LsNode *value = var != NULL ? g_hash_table_lookup (found, var) : NULL;

      g_ptr_array_add (out, value != NULL ? ls_binding_with (bindings->items[i], var, value) : ls_node_ref (bindings->items[i]));
    }
  fresh = ls_array_take_ptr_array (out);
  sorted = sort (fresh);
  if (sorted == NULL)
    ls_relax_pass_refuse (&self->error, "After the replacement bindings use each other.");
  return sorted;
}

static gboolean
is_dataflow (Rewriting *self,
             LsNode    *value)
{
  return !ls_is (value, RELAX_IF) && !(ls_is (value, RELAX_CALL) && ls_relax_call_is_impure ((LsRelaxCall *) value, self->builder));
}

/* Outside of dataflow blocks what stands between calls with effects is looked at together. */
static LsArray *
replace_parts (Rewriting *self,
               LsArray   *bindings)
{
  g_autoptr (GPtrArray) out = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  guint from = 0;

  for (guint i = 0; i <= bindings->n; i++)
    {
      g_autoptr (LsArray) part = NULL, fresh = NULL;

      if (i < bindings->n && is_dataflow (self, ls_binding_value (bindings->items[i])))
        continue;
      for (guint k = from; k < i; k++)
        ls_node_ref (bindings->items[k]);
      part = ls_array_new (bindings->items + from, i - from);
      fresh = replace (self, part);
      if (fresh == NULL)
        return NULL;
      for (guint k = 0; k < fresh->n; k++)
        g_ptr_array_add (out, ls_node_ref (fresh->items[k]));
      if (i < bindings->n)
        g_ptr_array_add (out, ls_node_ref (bindings->items[i]));
      from = i + 1;
    }
  return ls_array_take_ptr_array (g_steal_pointer (&out));
}

/* A sequence that takes the place of a value in dataflow is dataflow. (transfer full) */
static LsNode *
fit_in (LsNode   *value,
        gboolean  dataflow)
{
  LsSeqExpr *seq = (LsSeqExpr *) value;
  GPtrArray *blocks;

  if (!dataflow || !ls_is (value, SEQ_EXPR))
    return ls_node_ref (value);
  blocks = g_ptr_array_new ();
  for (guint i = 0; i < seq->blocks->n; i++)
    g_ptr_array_add (blocks, ls_dataflow_block_new (ls_ref (ls_array_at (seq->blocks, i, LsBindingBlock)->bindings)));
  return ls_seq_expr_new (ls_array_take_ptr_array (blocks), ls_node_ref (seq->body));
}

static LsNode *
emit_all (Rewriting *self,
          LsArray   *bindings,
          gboolean   dataflow)
{
  ls_block_builder_begin_block (self->builder, dataflow);
  for (guint i = 0; i < bindings->n; i++)
    {
      LsNode *binding = bindings->items[i];
      g_autoptr (LsNode) fitting = fit_in (ls_binding_value (binding), dataflow);
      g_autoptr (LsNode) value = ls_block_builder_normalize (self->builder, fitting), fresh = NULL;

      fresh = ls_binding_with (binding, ls_binding_var (binding), value);
      ls_block_builder_emit_binding (self->builder, fresh);
    }
  return ls_block_builder_end_block (self->builder);
}

/* (transfer full); the same block when nothing is replaced, NULL with an error */
static LsNode *
rewrite_block (Rewriting      *self,
               LsBindingBlock *block)
{
  gboolean dataflow = ls_is (block, DATAFLOW_BLOCK);
  g_autoptr (LsArray) fresh = dataflow ? replace (self, block->bindings) : replace_parts (self, block->bindings);

  if (fresh == NULL)
    return NULL;
  return ls_array_same_items (fresh, block->bindings) ? ls_node_ref (LS_NODE (block)) : emit_all (self, fresh, dataflow);
}

/* A result that is no variable stands as the last binding while the rule looks. */
static LsSeqExpr *
with_bound_result (LsSeqExpr   *seq,
                   LsRelaxVar **var)
{
  g_autoptr (LsNode) last = NULL, binding = NULL;
  g_autoptr (LsArray) blocks = ls_ref (seq->blocks), bindings = NULL;
  LsBindingBlock *block;

  *var = ls_relax_var_new ("dummy_output_var", ls_relax_struct_info (seq->body));
  binding = ls_var_binding_new (ls_ref (*var), ls_node_ref (seq->body));
  if (blocks->n == 0)
    {
      last = ls_binding_block_new (ls_array_empty ());
      ls_take (&blocks, ls_array_append (blocks, last));
    }
  block = ls_array_at (blocks, blocks->n - 1, LsBindingBlock);
  bindings = ls_array_append (block->bindings, binding);
  ls_take (&last, ls_is (block, DATAFLOW_BLOCK) ? ls_dataflow_block_new (ls_ref (bindings)) : ls_binding_block_new (ls_ref (bindings)));
  ls_take (&blocks, ls_array_with (blocks, blocks->n - 1, last));
  return (LsSeqExpr *) ls_seq_expr_new (ls_ref (blocks), LS_NODE (ls_ref (*var)));
}

/* The blocks without the binding of `var`, and the value that it has. */
static LsNode *
take_result (GPtrArray  *blocks,
             LsRelaxVar *var)
{
  for (guint i = blocks->len; i-- > 0;)
    {
      LsBindingBlock *block = blocks->pdata[i];

      for (guint k = 0; k < block->bindings->n; k++)
        if (ls_binding_var (block->bindings->items[k]) == var)
          {
            LsNode *value = ls_node_ref (ls_binding_value (block->bindings->items[k]));
            LsArray *fewer = ls_array_remove (block->bindings, k);
            LsNode *fresh = ls_is (block, DATAFLOW_BLOCK) ? ls_dataflow_block_new (fewer) : ls_binding_block_new (fewer);

            ls_node_unref (blocks->pdata[i]);
            blocks->pdata[i] = fresh;
            return value;
          }
    }
  return LS_NODE (ls_ref (var));
}

/* (transfer full); the same when nothing is replaced, NULL with an error */
static LsNode *
rewrite_sequence (Rewriting *self,
                  LsSeqExpr *seq)
{
  g_autoptr (LsRelaxVar) result = NULL;
  g_autoptr (LsNode) start = ls_is_relax_var (seq->body) ? ls_node_ref (LS_NODE (seq)) : LS_NODE (with_bound_result (seq, &result));
  LsArray *blocks = ((LsSeqExpr *) start)->blocks;
  g_autoptr (GPtrArray) out = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  gboolean changed = FALSE;
  LsNode *body;

  for (guint i = 0; i < blocks->n; i++)
    {
      LsNode *fresh = rewrite_block (self, (LsBindingBlock *) blocks->items[i]);

      if (fresh == NULL)
        return NULL;
      changed = changed || fresh != blocks->items[i];
      g_ptr_array_add (out, fresh);
    }
  if (!changed)
    return ls_node_ref (LS_NODE (seq));
  body = result != NULL ? take_result (out, result) : ls_node_ref (seq->body);
  {
    g_autoptr (LsArray) all = ls_array_take_ptr_array (g_steal_pointer (&out));

    return ls_seq_expr_new (ls_relax_join_blocks (all), body);
  }
}

/* ---- cleaning up -------------------------------------------------------------------------------------- */

static gboolean
is_equal (LsNode *a,
          LsNode *b)
{
  return a == b || ls_structural_equal (a, b, TRUE, NULL, NULL);
}

/* The sequence without renamings, repetitions and what nothing needs. (transfer full), NULL with an error */
static LsNode *
clean (Rewriting *self,
       LsNode    *seq)
{
  g_autoptr (LsNode) func = LS_NODE (ls_function_new (ls_array_empty (), ls_node_ref (seq), ls_object_struct_info_new (), NULL, FALSE));

  for (guint round = 0; round < MAX_ROUNDS; round++)
    {
      g_autoptr (LsNode) before = ls_node_ref (func), plain = ls_relax_canonicalize (func, &self->error), shared = NULL;

      if (plain == NULL)
        return NULL;
      shared = ls_relax_eliminate_common_subexpr (plain);
      ls_take (&func, ls_relax_remove_all_unused (shared, self->builder));
      if (is_equal (before, func))
        break;
    }
  return ls_node_ref (((LsFunction *) func)->body);
}

static LsNode *
until_it_stays (Rewriting *self,
                LsNode    *seq) /* taken */
{
  g_autoptr (LsNode) now = seq;

  for (guint round = 0; round < MAX_ROUNDS; round++)
    {
      g_autoptr (LsNode) next = rewrite_sequence (self, (LsSeqExpr *) now), tidy = NULL;

      if (next == NULL || next == now || is_equal (next, now))
        break;
      tidy = clean (self, next);
      if (tidy == NULL || is_equal (tidy, now))
        break;
      ls_take (&now, ls_node_ref (tidy));
    }
  return g_steal_pointer (&now);
}

static LsNode *
visit (LsRelaxMutator *mutator,
       LsNode         *expr)
{
  Rewriting *self = mutator->user_data;
  LsNode *fresh = ls_relax_mutator_default (mutator, expr);

  return ls_is (fresh, SEQ_EXPR) && self->error == NULL ? until_it_stays (self, fresh) : fresh;
}

static const LsRelaxMutatorFuncs FUNCS = { .expr = visit };

LsNode *
ls_pattern_rewriter_apply (LsPatternRewriter *self,
                           LsNode            *func,
                           LsModule          *module,
                           GError           **error)
{
  g_auto (LsRelaxMutator) mutator = { NULL };
  Rewriting state = { self, NULL, NULL };
  g_autoptr (LsNode) fresh = NULL;

  ls_relax_mutator_init (&mutator, &FUNCS, module, &state);
  state.builder = mutator.builder;
  fresh = ls_relax_mutator_visit (&mutator, func);
  if (state.error == NULL && ls_block_builder_get_error (mutator.builder) != NULL)
    state.error = g_error_copy (ls_block_builder_get_error (mutator.builder));
  if (state.error == NULL)
    return g_steal_pointer (&fresh);
  g_propagate_error (error, state.error);
  return NULL;
}
