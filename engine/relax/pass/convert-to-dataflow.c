/* ConvertToDataflow: runs of bindings without effects become dataflow blocks, then CanonicalizeBindings.
 *
 * A run goes over the borders of blocks; it becomes a dataflow block when it has min_size bindings or holds a dataflow
 * block already.  Branches end runs.
 */
#include "engine/relax/analysis.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/pass.h"

typedef struct {
  LsRelaxMutator *mutator;
  gint64          min_size;
  GPtrArray      *blocks;       /* done (references) */
  GPtrArray      *run;          /* of bindings (references) */
  gboolean        dataflow;     /* the run holds a dataflow block */
} Runs;

static void
end_run (Runs *self)
{
  gboolean convert = self->dataflow || (gint64) self->run->len >= self->min_size;
  LsArray *bindings;

  if (self->run->len > 0)
    {
      bindings = ls_array_take_ptr_array (g_steal_pointer (&self->run));
      self->run = g_ptr_array_new ();
      g_ptr_array_add (self->blocks, convert ? ls_dataflow_block_new (bindings) : ls_binding_block_new (bindings));
    }
  self->dataflow = FALSE;
}

static void
add_block (Runs           *self,
           LsBindingBlock *block)
{
  gboolean dataflow = ls_is (block, DATAFLOW_BLOCK);

  for (guint i = 0; i < block->bindings->n; i++)
    {
      LsNode *binding = block->bindings->items[i];
      gboolean pure = dataflow || (!ls_is (ls_binding_value (binding), RELAX_IF) && !ls_relax_is_impure (ls_binding_value (binding), self->mutator->builder));

      if (!pure)
        end_run (self);
      g_ptr_array_add (self->run, ls_node_ref (binding));
      self->dataflow = self->dataflow || dataflow;
      if (!pure)
        {
          LsNode *alone = ls_binding_block_new (ls_array_take_ptr_array (g_steal_pointer (&self->run)));

          g_ptr_array_add (self->blocks, alone);
          self->run = g_ptr_array_new ();
        }
    }
}

static LsNode *
convert (LsRelaxMutator *mutator,
         LsNode         *expr)
{
  g_autoptr (LsNode) fresh = ls_relax_mutator_default (mutator, expr);
  Runs runs = { mutator, *(gint64 *) mutator->user_data, NULL, NULL, FALSE };
  LsSeqExpr *seq = (LsSeqExpr *) fresh;
  g_autoptr (LsArray) blocks = NULL;

  if (!ls_is (fresh, SEQ_EXPR))
    return g_steal_pointer (&fresh);
  runs.blocks = g_ptr_array_new ();
  runs.run = g_ptr_array_new ();
  for (guint i = 0; i < seq->blocks->n; i++)
    add_block (&runs, (LsBindingBlock *) seq->blocks->items[i]);
  end_run (&runs);
  g_ptr_array_unref (runs.run);
  blocks = ls_array_take_ptr_array (runs.blocks);
  return ls_seq_expr_new (ls_relax_join_blocks (blocks), ls_ref (seq->body));
}

LsModule *
ls_relax_pass_convert_to_dataflow (LsModule  *module,
                                   LsMap     *args,
                                   GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .expr = convert };
  gint64 min_size = ls_relax_pass_int (args, "min_size");
  g_autoptr (LsModule) converted = ls_relax_mutate_module (module, &funcs, &min_size, error);

  return converted != NULL ? ls_relax_pass_canonicalize_bindings (converted, NULL, error) : NULL;
}
