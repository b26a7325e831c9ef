/* reorder_block_iter_var: the iteration variables of a block in another order.
 *
 *   vi, vj, vk = remap ("SSR", [i, j, k])     -- [2, 1, 0] ->     vk, vj, vi = remap ("RSS", [k, j, i])
 *
 * Variables and their bindings move together; loops and body stay.  Source: TVM's tir reorder_block_iter_var.
 */
#include "engine/schedule/primitive/primitive.h"
#include "engine/base/plural.h"

enum { BLOCK, NEW_ORDER };

static const LsParam params[] = {
  { "block", LS_PARAM_BLOCK, 0, NULL, "the block whose variables are put in order" },
  { "new_order", LS_PARAM_INTS, LS_PARAM_INPUT, NULL, "for each place the old number of the variable that goes there" },
};

/* The text of the order that keeps everything: "[0, 1, 2]". (transfer full) */
static char *
plain_order (guint n)
{
  GString *text = g_string_new ("[");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%u", i > 0 ? ", " : "", i);
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

static gboolean
check (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  LsSref *sref = ls_move_sref (move, BLOCK);
  LsBlock *block = ls_sref_block (sref);
  LsArray *order = ls_move_array (move, NEW_ORDER);
  guint n = ls_array_n (block->iter_vars);
  g_autofree gboolean *seen = g_new0 (gboolean, n + 1);
  g_autofree char *plain = plain_order (n);
  LsDiagnostic *finding = NULL;

  if (!ls_legal_not_root (move, diagnostics, sref))
    return FALSE;
  if (order->n != n)
    {
      finding = ls_move_refuse (move, diagnostics, "not-all", block,
                                ls_translate_plural ("Block %s has %u variable, but the order names %u.", "Block %s has %u variables, but the order names %u.", n),
                                block->name_hint, n, order->n);
      if (finding != NULL)
        ls_diagnostic_set_repair (finding, "Name each of %s once.", plain);
      return FALSE;
    }
  for (guint i = 0; i < n; i++)
    {
      gint64 at = -1;

      ls_as_int (order->items[i], &at);
      if (at < 0 || at >= n)
        finding = ls_move_refuse (move, diagnostics, "out-of-range", block, "Block %s has no variable number %" PRId64 ".",
                                  block->name_hint, at);
      else if (seen[at])
        finding = ls_move_refuse (move, diagnostics, "twice", block, "The order names variable %s of block %s twice.",
                                  ls_array_at (block->iter_vars, at, LsIterVar)->var->name, block->name_hint);
      else
        {
          seen[at] = TRUE;
          continue;
        }
      if (finding != NULL)
        ls_diagnostic_set_repair (finding, "Name each of %s once.", plain);
      return FALSE;
    }
  return TRUE;
}

static LsArray *
in_order (LsArray *items,
          LsArray *order)
{
  GPtrArray *sorted = g_ptr_array_new ();

  for (guint i = 0; i < order->n; i++)
    {
      gint64 at = 0;

      ls_as_int (order->items[i], &at);
      g_ptr_array_add (sorted, ls_node_ref (items->items[at]));
    }
  return ls_array_take_ptr_array (sorted);
}

typedef struct {
  LsBlockRealize *realize;
  LsBlockRealize *fresh;
} Replacement;

static LsNode *
replace (LsRewriter *rewriter,
         LsNode     *node,
         gpointer    user_data)
{
  Replacement *self = user_data;

  if (node == LS_NODE (self->realize))
    return LS_NODE (ls_ref (self->fresh));
  return ls_is_expr (node) ? ls_node_ref (node) : ls_rewrite_default (rewriter, node);
}

static gboolean
apply (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  LsSref *sref = ls_move_sref (move, BLOCK);
  LsBlock *block = ls_sref_block (sref);
  LsBlockRealize *realize = ls_state_realize (move->state, sref);
  LsArray *order = ls_move_array (move, NEW_ORDER);
  LsNode *parent = sref->parent->stmt;
  g_autoptr(LsBlockReuse) reuse = ls_block_reuse_new ();
  g_autoptr(LsBlockRealize) fresh = NULL;
  g_autoptr(LsNode) new_parent = NULL;
  Replacement replacement = { realize };
  LsBlock *sorted = ls_block_new (in_order (block->iter_vars, order), ls_ref (block->reads), ls_ref (block->writes), block->name_hint,
                                  ls_ref (block->body), ls_ref (block->init), ls_ref (block->alloc_buffers),
                                  ls_ref (block->match_buffers), ls_ref (block->annotations));

  ls_block_reuse_add (reuse, block, sorted);
  replacement.fresh = fresh = ls_block_realize_new (in_order (realize->iter_values, order), ls_ref (realize->predicate), sorted);
  new_parent = ls_rewrite_with (parent, replace, &replacement);
  if (ls_is (parent, BLOCK))
    ls_block_reuse_add (reuse, (LsBlock *) parent, (LsBlock *) new_parent);
  ls_state_replace (move->state, sref->parent, new_parent, reuse);
  return TRUE;
}

const LsInstruction ls_instruction_reorder_block_iter_var = {
  .name = "reorder_block_iter_var",
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .result = LS_RESULT_NONE,
  .summary = LS_TEXT ("Puts the variables of a block in another order"),
  .condition = "The order names each variable of the block once.",
  .source = "TVM v0.20 tir.Schedule.reorder_block_iter_var",
  .check = check,
  .apply = apply,
};
