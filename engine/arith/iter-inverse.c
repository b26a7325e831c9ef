/* iter-inverse: the variables of a bijective iteration map in terms of its values.
 *
 * Values are handed down from the sums to their splits (a fused sum is taken apart by
 * division and modulo), from splits to their marks (times the lower factor), and add up
 * at each mark; an outer node is finished before what it is made of.
 */
#include "engine/arith/iter-private.h"

typedef struct {
  LsAnalyzer *analyzer;
  LsPool      pool;
  GPtrArray  *order;            /* of IterSum and IterSplit, outer ones last */
  GHashTable *seen;
  GHashTable *values;           /* node -> LsExpr so far, borrowed */
  GHashTable *inverse;          /* LsVar -> LsExpr, owned */
} Inverter;

static void
visit (Inverter *self,
       LsExpr   *iter)
{
  if (!g_hash_table_add (self->seen, iter))
    return;
  if (ls_is (iter, ITER_SUM))
    {
      LsIterSum *sum = (LsIterSum *) iter;

      for (guint i = 0; i < ls_sum_n (sum); i++)
        visit (self, LS_EXPR (ls_sum_at (sum, i)));
    }
  else if (ls_is_iter (((LsIterSplit *) iter)->source->source))
    visit (self, ((LsIterSplit *) iter)->source->source);
  g_ptr_array_add (self->order, iter);
}

static LsExpr *
value_of (Inverter *self,
          gpointer  iter)
{
  LsExpr *value = g_hash_table_lookup (self->values, iter);

  return value != NULL ? value : ls_pool_own (&self->pool, ls_int (0));
}

static void
set_value (Inverter *self,
           gpointer  iter,
           LsExpr   *value)
{
  g_hash_table_insert (self->values, iter, value);
}

static void
add_value (Inverter *self,
           gpointer  iter,
           LsExpr   *value)
{
  set_value (self, iter, ls_pool_add (&self->pool, value_of (self, iter), value));
}

/* Every scale is the product of the extents to its right. */
static gboolean
is_fused (Inverter  *self,
          LsIterSum *sum)
{
  LsExpr *expected = ls_sum_at (sum, ls_sum_n (sum) - 1)->scale;

  for (guint i = ls_sum_n (sum); i-- > 0;)
    {
      if (!ls_analyzer_can_prove_equal (self->analyzer, ls_sum_at (sum, i)->scale, expected))
        return FALSE;
      expected = ls_pool_mul (&self->pool, expected, ls_sum_at (sum, i)->extent);
    }
  return TRUE;
}

static gboolean
invert_sum (Inverter  *self,
            LsIterSum *sum)
{
  LsExpr *value = ls_pool_sub (&self->pool, value_of (self, sum), sum->base);
  gint64 scale;

  if (ls_sum_n (sum) == 0)
    return TRUE;
  if (ls_sum_n (sum) == 1)
    {
      LsIterSplit *split = ls_sum_at (sum, 0);
      LsExpr *whole = ls_pool_add (&self->pool, value_of (self, split), value);

      if (!ls_as_int (split->scale, &scale) || (scale != 1 && scale != -1))
        return FALSE;
      set_value (self, split, ls_pool_mul (&self->pool, whole, split->scale));
      return TRUE;
    }
  if (!is_fused (self, sum))
    return FALSE;
  for (guint i = ls_sum_n (sum); i-- > 0;)
    {
      LsIterSplit *split = ls_sum_at (sum, i);
      LsExpr *part;

      if (ls_is_zero (split->scale) || ls_is_zero (split->extent))
        return FALSE;
      part = ls_pool_floordiv (&self->pool, value, split->scale);
      if (i > 0)
        part = ls_pool_floormod (&self->pool, part, split->extent);
      add_value (self, split, part);
    }
  return TRUE;
}

static gboolean
invert_split (Inverter    *self,
              LsIterSplit *split)
{
  LsExpr *value = ls_pool_mul (&self->pool, value_of (self, split), split->lower_factor);
  LsExpr *source = split->source->source;
  LsExpr *known;

  if (ls_is (source, ITER_SUM))
    {
      add_value (self, source, value);
      return TRUE;
    }
  if (!ls_is_var (source))
    return FALSE;
  known = g_hash_table_lookup (self->inverse, source);
  g_hash_table_insert (self->inverse, ls_ref (source),
                       known != NULL ? ls_add (ls_ref (known), ls_ref (value)) : ls_ref (value));
  return TRUE;
}

static gboolean
invert_all (Inverter *self,
            LsArray  *iter_map,
            LsArray  *outputs)
{
  for (guint i = 0; i < ls_array_n (iter_map); i++)
    visit (self, ls_array_at (iter_map, i, LsExpr));
  for (guint i = 0; i < ls_array_n (iter_map); i++)
    set_value (self, ls_array_at (iter_map, i, LsExpr), ls_array_at (outputs, i, LsExpr));
  for (guint i = self->order->len; i-- > 0;)
    {
      LsExpr *iter = self->order->pdata[i];
      gboolean ok = ls_is (iter, ITER_SUM) ? invert_sum (self, (LsIterSum *) iter)
                                           : invert_split (self, (LsIterSplit *) iter);

      if (!ok)
        return FALSE;
    }
  return TRUE;
}

GHashTable *
ls_inverse_affine_iter_map (LsArray *iter_map,
                            LsArray *outputs)
{
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  Inverter self = { .analyzer = analyzer };
  GHashTable *inverse;

  g_return_val_if_fail (ls_array_n (iter_map) == ls_array_n (outputs), NULL);
  ls_pool_init (&self.pool);
  self.order = g_ptr_array_new ();
  self.seen = g_hash_table_new (NULL, NULL);
  self.values = g_hash_table_new (NULL, NULL);
  inverse = self.inverse = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref,
                                                  (GDestroyNotify) ls_node_unref);
  if (!invert_all (&self, iter_map, outputs))
    g_clear_pointer (&inverse, g_hash_table_unref);
  g_hash_table_unref (self.values);
  g_hash_table_unref (self.seen);
  g_ptr_array_unref (self.order);
  ls_pool_clear (&self.pool);
  return inverse;
}
