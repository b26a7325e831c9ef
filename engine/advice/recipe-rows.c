/* recipe-rows: sums and maxima along the elements of a row.
 *
 * Such a sum is a chain; rfactor makes it several side by side, which become vectors.  Where blocks after one another go
 * through the same rows, all of them are done row by row, so that a row stays in the first cache, and rows go to the cores.
 */
#include "engine/advice/recipe.h"

#include <string.h>

/* The reduction goes along the elements of what it reads, so that its parts are vectors as they lie: its number, or n_loops. */
static guint
row_loop (const LsNest *nest)
{
  guint r = ls_nest_reduce (nest);
  gboolean along = FALSE;

  if (!ls_recipe_is_fresh (nest) || !nest->is_reduction || !nest->init_inside || r == nest->n_loops || r + 1 != nest->n_loops)
    return nest->n_loops;
  for (guint a = 0; a + 1 < nest->accesses->len; a++)
    {
      gint64 stride = ((LsNestAccess *) nest->accesses->pdata[a])->strides[r];

      if (stride != 0 && stride != 1)
        return nest->n_loops;
      along |= stride == 1;
    }
  return along ? r : nest->n_loops;
}

static guint
first_sum (const LsNest *nest)
{
  guint i = nest->scope;

  while (i < nest->n_loops && nest->drives[i] != LS_DRIVES_REDUCTION)
    i++;
  return i;
}

/* Loops from `first` to the last are all of the sum: together they are one long sum. */
static gboolean
is_sum_from (const LsNest *nest,
             guint         first)
{
  for (guint i = first; i < nest->n_loops; i++)
    if (nest->drives[i] != LS_DRIVES_REDUCTION)
      return FALSE;
  return first < nest->n_loops;
}

/* What the loops from `first` to `r` read lies side by side, through all of them. */
static gboolean
lies_together (const LsNest *nest,
               guint         first,
               guint         r)
{
  for (guint a = 0; a + 1 < nest->accesses->len; a++)
    {
      const gint64 *strides = ((LsNestAccess *) nest->accesses->pdata[a])->strides;

      for (guint i = first; i < r; i++)
        if (strides[i] == LS_STRIDE_UNKNOWN || strides[i] != strides[i + 1] * nest->extents[i + 1])
          return FALSE;
    }
  return TRUE;
}

/* So many sums side by side, at most `most`, where the loops from `first` to `r` become one: each vector is read as it lies. */
static gint64
sums_side_by_side (const LsNest *nest,
                   guint         first,
                   guint         r,
                   gint64        most)
{
  gint64 rounds = nest->extents[r];

  for (guint i = first; i <= r; i++)
    if (nest->given[i])
      return 1;
  for (guint i = first; i < r && lies_together (nest, first, r); i++)
    rounds *= nest->extents[i];
  return ls_recipe_divisor (rounds, most);
}

static guint
ndim_of_result (const LsNest *nest)
{
  return ls_buffer_ndim (((LsNestAccess *) nest->accesses->pdata[nest->accesses->len - 1])->buffer);
}

/* ---- one block ------------------------------------------------------------------------- */

/* Loops from `first` to `r`, the last, become one that is cut. */
static void
write_factor (LsRecipes    *self,
              GString      *steps,
              const char   *variable,
              const LsNest *nest,
              guint         first,
              guint         r,
              gint64        lanes)
{
  ls_recipe_bind (self, steps, variable, nest);
  if (first < r)
    {
      g_string_append (steps, "k = sch.fuse(");
      for (guint i = first; i <= r; i++)
        g_string_append_printf (steps, "l_%s[%u]%s", variable, i - nest->scope, i < r ? ", " : ")\n");
      g_string_append_printf (steps, "k0, k1 = sch.split(k, factors=[None, %" G_GINT64_FORMAT "])\npart_%s = sch.rfactor(k1, %u)\n", lanes, variable,
                              ndim_of_result (nest));
      return;
    }
  g_string_append_printf (steps, "k0, k1 = sch.split(l_%s[%u], factors=[None, %" G_GINT64_FORMAT "])\n", variable, r - nest->scope, lanes);
  g_string_append_printf (steps, "part_%s = sch.rfactor(k1, %u)\n", variable, ndim_of_result (nest));
}

static void
factor_alone (LsRecipes    *self,
              const LsNest *nest)
{
  guint r = row_loop (nest), first = r;

  if (r == nest->n_loops)
    return;
  while (first > nest->scope && nest->drives[first - 1] == LS_DRIVES_REDUCTION && lies_together (nest, first - 1, r))
    first--;
  for (gint64 vectors = 4; vectors >= 2; vectors /= 2)
    {
      gint64 lanes = sums_side_by_side (nest, first, r, vectors * ls_recipe_lanes (self, nest));
      GString *steps;

      if (lanes < 4 || (lanes == nest->extents[r] && first_sum (nest) == r))
        continue;
      steps = g_string_new (NULL);
      write_factor (self, steps, "b", nest, first, r, lanes);
      g_string_append (steps, "l_part = sch.get_loops(part_b)\n");
      if (self->machine->cores > 1 && first_sum (nest) > nest->scope && nest->runs > 50000 && !ls_recipe_is_parallel (nest))
        g_string_append (steps, "sch.parallel(l_part[0])\n");
      g_string_append (steps, "sch.vectorize(l_part[-1])\n");
      g_string_append_printf (steps, "sch.decompose_reduction(part_b, l_part[%u])\n", first_sum (nest) - nest->scope);
      ls_recipe_try (self, LS_CAUSE_CHAIN, (LsAdviceMove) { .kind = LS_ADVICE_SUMS, .block = nest->block->name_hint, .a = lanes }, steps);
    }
}

/* ---- all blocks of a row ------------------------------------------------------------------ */

/* Blocks with a name that lie outside the others, in order. */
static gboolean
may_go_by_rows (const LsNest *nest,
                gint64        rows)
{
  return nest->block != NULL && nest->scope == 0 && nest->n_loops >= 1 && nest->extents[0] == rows && nest->drives[0] == LS_DRIVES_SPATIAL
         && nest->loops[0]->kind == LS_FOR_SERIAL && ls_recipe_is_fresh (nest);
}

/* The number of outer loops that all have in common: the same extents, all spatial. */
static guint
common_rows (GPtrArray *nests)
{
  const LsNest *last = nests->pdata[nests->len - 1];
  guint depth = 0;

  while (depth < last->n_loops)
    {
      for (guint i = 0; i < nests->len; i++)
        {
          const LsNest *nest = nests->pdata[i];

          if (depth >= nest->n_loops || nest->extents[depth] != last->extents[depth] || nest->drives[depth] != LS_DRIVES_SPATIAL)
            return depth;
        }
      depth++;
    }
  return depth;
}

static void
write_inner (LsRecipes    *self,
             GString      *steps,
             guint         number,
             const LsNest *nest)
{
  guint unit = ls_recipe_unit (nest);
  gint64 width = unit + 1 == nest->n_loops ? ls_recipe_factor (nest, unit, 2 * ls_recipe_lanes (self, nest)) : 0;

  if (nest->is_reduction || width < 4 || width == nest->extents[unit])
    return;
  g_string_append_printf (steps, "l_b%u = sch.get_loops(b%u)\nv0, v1 = sch.split(l_b%u[-1], factors=[None, %" G_GINT64_FORMAT "])\nsch.vectorize(v1)\n", number, number,
                          number, width);
}

/* depth: loops of a row. */
static void
by_rows (LsRecipes *self,
         guint      depth,
         gint64     vectors,
         gboolean   factor,
         gboolean   spread,
         const char *loop)      /* that the rows are in, where it is told; or NULL */
{
  GString *steps = g_string_new (NULL);
  guint n = self->nests->len, factored = 0;
  gboolean *parts = g_newa (gboolean, n);

  for (guint i = 0; i < n; i++)
    {
      const LsNest *nest = self->nests->pdata[i];
      guint r = row_loop (nest);
      gint64 lanes = r < nest->n_loops ? sums_side_by_side (nest, MIN (depth, r), r, vectors * ls_recipe_lanes (self, nest)) : 1;
      g_autofree char *variable = g_strdup_printf ("b%u", i);

      parts[i] = factor && r < nest->n_loops && is_sum_from (nest, depth) && lanes >= 4 && (lanes < nest->extents[r] || depth < r);
      if (parts[i])
        write_factor (self, steps, variable, nest, depth, r, lanes);
      else
        ls_recipe_bind (self, steps, variable, nest);
      factored += parts[i];
    }
  g_string_append_printf (steps, "row = l_b%u[%u]\n", n - 1, depth - 1);
  for (guint i = n - 1; i-- > 0;)
    {
      g_string_append_printf (steps, "sch.compute_at(b%u, row)\n", i);
      if (parts[i])
        g_string_append_printf (steps, "sch.compute_at(part_b%u, row)\n", i);
    }
  /* Spread first: a sum that has no start of its own is not spread. */
  if (spread && depth > 1)
    {
      g_string_append (steps, "p = sch.fuse(");
      for (guint i = 0; i < depth; i++)
        g_string_append_printf (steps, "l_b%u[%u]%s", n - 1, i, i + 1 < depth ? ", " : ")\nsch.parallel(p)\n");
    }
  else if (spread)
    g_string_append (steps, "sch.parallel(row)\n");
  for (guint i = 0; i < n; i++)
    if (parts[i])
      g_string_append_printf (steps, "l_part = sch.get_loops(part_b%u)\nsch.reorder(l_part[-1], l_part[-2])\nsch.vectorize(l_part[-2])\n"
                                     "sch.decompose_reduction(part_b%u, l_part[-1])\n", i, i);
    else
      write_inner (self, steps, i, self->nests->pdata[i]);
  ls_recipe_try (self, factored > 0 ? LS_CAUSE_CHAIN : LS_CAUSE_BANDWIDTH,
                 (LsAdviceMove) { .kind = LS_ADVICE_ROWS, .a = n, .loop = loop,
                                  .flags = (factored > 0 ? LS_ADVICE_SUMS_IN_VECTORS : 0u) | (factored > 0 && vectors < 4 ? LS_ADVICE_FEWER : 0u)
                                           | (spread ? LS_ADVICE_ALL_CORES : 0u) }, steps);
}

void
ls_recipe_rows (LsRecipes *self)
{
  const LsNest *last = self->nests->len > 0 ? self->nests->pdata[self->nests->len - 1] : NULL;
  gboolean all = self->nests->len > 1;
  guint depth;

  for (guint i = 0; i < self->nests->len; i++)
    {
      factor_alone (self, self->nests->pdata[i]);
      all = all && may_go_by_rows (self->nests->pdata[i], last->extents[0]);
    }
  depth = all ? common_rows (self->nests) : 0;
  if (depth == 0)
    return;
  /* Where the last loops are common too, a row is several of their rounds: what is inside them can be vectors. */
  for (guint d = depth; d-- > 1 && d + 2 >= depth;)
    for (guint spread = 0; spread < (self->machine->cores > 1 ? 2u : 1u); spread++)
      by_rows (self, d, 2, FALSE, spread == 1, last->loops[d - 1]->loop_var->name);
  for (gint64 vectors = 4; vectors >= 2; vectors -= 2)
    for (guint factor = 0; factor < 2; factor++)
      for (guint spread = 0; spread < (self->machine->cores > 1 ? 2u : 1u); spread++)
        by_rows (self, depth, vectors, factor == 1, spread == 1, NULL);
}
