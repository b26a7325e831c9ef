/* reduce: what is left of a reduction when its parts are known.
 *
 * A reduction over no axes is its source where the condition holds, joined with the start value if one is given.  Of a
 * reduction of several components only the one that is taken stays, with those that its combiner reads, directly or
 * through others, and those whose evaluation does something.  Results as those of TVM v0.20's CanonicalSimplify.
 */
#include "engine/tir/tir.h"

#include "engine/arith/arith.h"

/* combiner (init, source), one component. */
static LsExpr *
joined_with_start (LsReduce *self)
{
  LsCommReducer *combiner = self->combiner;
  g_autoptr (GHashTable) values = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < self->source->n; i++)
    {
      g_hash_table_insert (values, combiner->lhs->items[i], self->init->items[i]);
      g_hash_table_insert (values, combiner->rhs->items[i], self->source->items[i]);
    }
  return (LsExpr *) ls_substitute (combiner->result->items[self->value_index], values);
}

static LsExpr *
without_axes (LsAnalyzer *analyzer,
              LsReduce   *self)
{
  gint64 at = self->value_index;
  gboolean starts = self->init->n > 0;
  LsArray *others = starts ? self->init : self->combiner->identity_element;
  LsExpr *value = starts ? joined_with_start (self) : LS_EXPR (ls_node_ref (self->source->items[at]));
  g_autoptr (LsExpr) select = ls_select_new (ls_ref (self->condition), value, LS_EXPR (ls_node_ref (others->items[at])));

  return ls_analyzer_canonical_simplify (analyzer, select);
}

/* Component `at` stays, and with it what its combiner reads. */
static void
keep (LsReduce *self,
      gboolean *kept,
      guint     at)
{
  LsCommReducer *combiner = self->combiner;

  if (kept[at])
    return;
  kept[at] = TRUE;
  for (guint i = 0; i < combiner->result->n; i++)
    if (ls_uses (combiner->result->items[at], combiner->lhs->items[i]) || ls_uses (combiner->result->items[at], combiner->rhs->items[i]))
      keep (self, kept, i);
}

static gboolean
does_something (LsReduce *self,
                guint     at)
{
  return ls_side_effect (self->source->items[at]) > LS_EFFECT_READ_STATE ||
         ls_side_effect (self->combiner->identity_element->items[at]) > LS_EFFECT_READ_STATE ||
         (self->init->n > 0 && ls_side_effect (self->init->items[at]) > LS_EFFECT_READ_STATE);
}

static LsArray *
kept_of (LsArray        *items,
         const gboolean *kept)
{
  g_autoptr (GPtrArray) left = g_ptr_array_new ();

  for (guint i = 0; i < items->n; i++)
    if (kept[i])
      g_ptr_array_add (left, ls_node_ref (items->items[i]));
  return ls_array_new (left->pdata, left->len);
}

static LsExpr *
with_components (LsReduce       *self,
                 const gboolean *kept)
{
  LsCommReducer *combiner = self->combiner;
  gint64 at = self->value_index;

  for (gint64 i = 0; i < self->value_index; i++)
    at -= !kept[i];
  return ls_reduce_new (ls_comm_reducer_new (kept_of (combiner->lhs, kept), kept_of (combiner->rhs, kept), kept_of (combiner->result, kept),
                                             kept_of (combiner->identity_element, kept)),
                        kept_of (self->source, kept), ls_ref (self->axis), ls_ref (self->condition), at,
                        kept_of (self->init, kept));
}

LsExpr *
ls_reduce_simplify (LsReduce   *self,
                    LsAnalyzer *analyzer)
{
  guint n = self->source->n;
  g_autofree gboolean *kept = g_new0 (gboolean, n);
  gboolean all = TRUE;

  if (self->axis->n == 0)
    return without_axes (analyzer, self);
  keep (self, kept, (guint) self->value_index);
  for (guint i = 0; i < n; i++)
    if (does_something (self, i))
      keep (self, kept, i);
  for (guint i = 0; i < n; i++)
    all = all && kept[i];
  return all ? ls_ref (LS_EXPR (self)) : with_components (self, kept);
}
