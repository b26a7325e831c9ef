/* steps-iter: iteration maps of two loops, against every value. */
#include "tests/proof/steps-private.h"

static void
check_size (StepCase        *c,
            LsIterMapResult *found,
            LsExpr          *index,
            LsIterMapLevel   level)
{
  LsIterSum *sum = ls_array_at (found->indices, 0, LsIterSum);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_direct_hash, g_direct_equal);
  g_autofree char *text = ls_expr_text (index);
  gint64 value, extent = 1;

  if (ls_array_n (sum->args) > 1 || (ls_array_n (sum->args) == 1 && !ls_as_int (ls_array_at (sum->args, 0, LsIterSplit)->extent, &extent)))
    return;
  for (c->values[0] = 0; c->values[0] <= c->high[0]; c->values[0]++)
    for (c->values[1] = 0; c->values[1] <= c->high[1]; c->values[1]++)
      if (step_value (c, index, &value))
        g_hash_table_add (seen, GINT_TO_POINTER ((gint) value));
  if (g_hash_table_size (seen) != extent)
    g_error ("%s has %u values, not %" G_GINT64_FORMAT, text, g_hash_table_size (seen), extent);
  if (level == LS_ITER_MAP_BIJECTIVE && (c->high[0] + 1) * (c->high[1] + 1) != extent)
    g_error ("%s is called bijective with %" G_GINT64_FORMAT " values", text, extent);
}

/* The loops as the index says them. */
static void
check_inverse (StepCase        *c,
               LsIterMapResult *found,
               LsExpr          *index)
{
  g_autoptr (LsVar) out = ls_var_new ("out", LS_INT32);
  g_autoptr (LsArray) outputs = ls_array_of (ls_ref (out), NULL);
  g_autoptr (GHashTable) inverse = ls_inverse_affine_iter_map (found->indices, outputs);
  LsVar *loops[] = { c->x, c->y };
  gint64 at = 0;

  if (inverse == NULL)
    return;
  g_hash_table_insert (c->point, out, &at);
  for (c->values[0] = 0; c->values[0] <= c->high[0]; c->values[0]++)
    for (c->values[1] = 0; c->values[1] <= c->high[1]; c->values[1]++)
      for (guint i = 0; i < 2; i++)
        {
          LsExpr *loop = g_hash_table_lookup (inverse, loops[i]);
          g_autofree char *text = ls_expr_text (index);
          gint64 value = 0;

          g_assert_true (step_value (c, index, &at));
          if (loop != NULL && (!step_value (c, loop, &value) || value != c->values[i]))
            g_error ("%s turned round gives %" G_GINT64_FORMAT " for %s = %" G_GINT64_FORMAT, text, value, loops[i]->name, c->values[i]);
        }
  g_hash_table_remove (c->point, out);
}

static void
check_map (StepCase *c,
           LsExpr   *index)
{
  static const LsIterMapLevel levels[] = { LS_ITER_MAP_BIJECTIVE, LS_ITER_MAP_SURJECTIVE, LS_ITER_MAP_NO_CHECK };
  g_autoptr (LsDomMap) dom = ls_dom_map_new ();
  g_autoptr (LsRange) of_x = ls_range_new (ls_int (0), ls_int (c->high[0] + 1));
  g_autoptr (LsRange) of_y = ls_range_new (ls_int (0), ls_int (c->high[1] + 1));
  g_autoptr (LsArray) indices = ls_array_of (index, NULL);

  ls_dom_map_set_range (dom, c->x, of_x);
  ls_dom_map_set_range (dom, c->y, of_y);
  for (guint l = 0; l < G_N_ELEMENTS (levels); l++)
    {
      g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
      g_autoptr (LsIterMapResult) found = ls_detect_iter_map (indices, dom, NULL, levels[l], analyzer, (gboolean) (l % 2));
      g_autoptr (LsExpr) plain = NULL;

      if (ls_array_n (found->indices) == 0)
        continue;
      plain = ls_iter_map_to_expr (found->indices->items[0]);
      step_same (c, index, plain);
      if (levels[l] != LS_ITER_MAP_NO_CHECK)
        check_size (c, found, index, levels[l]);
      if (levels[l] == LS_ITER_MAP_BIJECTIVE)
        check_inverse (c, found, index);
    }
}

guint
step_iter_maps (guint stride)
{
  guint seen = 0, cases = 0;

  for (gint64 of_x = 1; of_x <= 4; of_x++)
    for (gint64 of_y = 1; of_y <= 4; of_y++)
      for (gint64 a = -1; a <= 4; a++)
        for (gint64 b = 0; b <= 4; b++)
          for (gint64 offset = -1; offset <= 2; offset++)
            for (gint64 by = 1; by <= 4; by++)
              if (step_due (stride, &seen, &cases))
                {
                  StepCase c;
                  g_autoptr (LsExpr) sum = NULL;

                  step_begin (&c, LS_INT32, 0, of_x - 1, 0, of_y - 1);
                  sum = ls_add (ls_add (ls_mul (X (&c), ls_int (a)), ls_mul (Y (&c), ls_int (b))), ls_int (offset));
                  check_map (&c, ls_ref (sum));
                  check_map (&c, ls_floordiv (ls_ref (sum), ls_int (by)));
                  check_map (&c, ls_floormod (ls_ref (sum), ls_int (by)));
                  check_map (&c, ls_add (ls_mul (ls_floormod (ls_ref (sum), ls_int (by)), ls_int (a)), ls_int (offset)));
                  step_end (&c);
                }
  return cases;
}
