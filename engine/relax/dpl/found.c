/* found: what the patterns of a match fitted (see dpl.h). */
#include "engine/relax/dpl/dpl-private.h"

LsPatternMatch *
ls_pattern_match_new (void)
{
  LsPatternMatch *self = g_new0 (LsPatternMatch, 1);

  self->exprs = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, (GDestroyNotify) ls_node_unref);
  self->order = g_ptr_array_new ();
  self->origins = g_hash_table_new (NULL, NULL);
  return self;
}

void
ls_pattern_match_free (LsPatternMatch *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->order);
  g_hash_table_unref (self->origins);
  g_hash_table_unref (self->exprs);
  g_free (self);
}

guint
ls_pattern_match_get_n (LsPatternMatch *self)
{
  return self->order->len;
}

LsPattern *
ls_pattern_match_pattern (LsPatternMatch *self,
                          guint           i)
{
  return self->order->pdata[i];
}

LsNode *
ls_pattern_match_expr (LsPatternMatch *self,
                       guint           i)
{
  return g_hash_table_lookup (self->exprs, self->order->pdata[i]);
}

LsNode *
ls_pattern_match_get (LsPatternMatch *self,
                      LsPattern      *pattern)
{
  return g_hash_table_lookup (self->exprs, pattern);
}

void
ls_pattern_match_add (LsPatternMatch *self,
                      LsPattern      *pattern,
                      LsNode         *expr)
{
  if (!g_hash_table_contains (self->exprs, pattern))
    g_ptr_array_add (self->order, pattern);
  g_hash_table_insert (self->exprs, ls_node_ref (pattern), ls_node_ref (expr));
}
