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

static gint64
rounds_together (const LsNest *nest,
                 guint         first,
                 guint         r)
{
  gint64 rounds = nest->extents[r];

  for (guint i = first; i < r && lies_together (nest, first, r); i++)
    rounds *= nest->extents[i];
  return rounds;
}

/* So many sums side by side, in at most `vectors` vectors of `width`, where the loops from `first` to `r` become one: each vector is read as it lies.
 * Several vectors are whole; where the rounds do not divide so, the sums are those of one. */
static gint64
sums_side_by_side (const LsNest *nest,
                   guint         first,
                   guint         r,
                   gint64        vectors,
                   gint64        width)
{
  gint64 rounds = rounds_together (nest, first, r);

  for (guint i = first; i <= r; i++)
    if (nest->given[i])
      return 1;
  for (; vectors > 1; vectors--)
    if (rounds % (vectors * width) == 0)
      return vectors * width;
  return ls_recipe_divisor (rounds, width);
}

/* As many as a power of two: registers come in these sizes. */
static gint64
power_of_two (const LsRecipes *self,
              const LsNest    *nest,
              guint            first,
              guint            r)
{
  gint64 most = MIN (ls_recipe_lanes (self, nest), ls_recipe_width (self, nest, 1)), n = 1;

  while (2 * n <= most && sums_side_by_side (nest, first, r, 1, 2 * n) == 2 * n)
    n *= 2;
  return n;
}

#define LONG 64                 /* rounds of one vector from which two are worth their longer end */

/* Sums in so many vectors; around calls in half of one.  Where no number of whole vectors divides the rounds, they are whole all the same, and the last
 * rounds are apart (one vector alone is what divides them: that may be as good). */
static gint64
lanes_of_sums (const LsRecipes *self,
               const LsNest    *nest,
               guint            first,
               guint            r,
               gint64           vectors)
{
  gint64 width = ls_recipe_lanes (self, nest), lanes, rounds;

  if (ls_nest_calls_in_vectors (nest))
    return power_of_two (self, nest, first, r);
  lanes = sums_side_by_side (nest, first, r, vectors, width);
  rounds = rounds_together (nest, first, r);
  for (guint i = first; i <= r; i++)
    if (nest->given[i])
      return lanes;
  return vectors == 1 || lanes % width == 0 || rounds < 2 * width ? lanes : rounds < LONG * width ? width : 2 * width;
}

/* The rounds that fill no vector are done apart: the loop of the others asks no condition. */
static void
write_rest (GString      *steps,
            const LsNest *nest,
            guint         first,
            guint         r,
            gint64        lanes,
            const char   *loop)
{
  if (rounds_together (nest, first, r) % lanes != 0)
    g_string_append_printf (steps, "sch.annotate(%s, \"pragma_loop_partition_hint\", 1)\n", loop);
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

/* The sums of several vectors are added to those of one before these are added one by one, where they wait for each other.  So many of the `lanes` are of
 * one vector; 1: they are not several. */
static gint64
lanes_of_one (const LsRecipes *self,
              const LsNest    *nest,
              gint64           lanes)
{
  gint64 one = ls_recipe_divisor (lanes, ls_recipe_lanes (self, nest));

  return one >= 4 && lanes / one >= 2 ? one : 1;
}

static void
write_second (GString      *steps,
              const char   *variable,
              const LsNest *nest,
              gint64        one)
{
  g_string_append_printf (steps, "l_sum = sch.get_loops(%s)\nq0, q1 = sch.split(l_sum[-1], factors=[None, %" G_GINT64_FORMAT "])\nsum_%s = sch.rfactor(q1, %u)\n",
                          variable, one, variable, ndim_of_result (nest));
}

/* Some rows at once, number by number: their sums do not wait for each other, whatever they add up and begin with. */
static void
rows_side_by_side (LsRecipes    *self,
                   const LsNest *nest)
{
  guint r = row_loop (nest), row = r, first = first_sum (nest);

  if (r == nest->n_loops || first == nest->scope || nest->drives[first - 1] != LS_DRIVES_SPATIAL || !is_sum_from (nest, first))
    return;
  row = first - 1;
  for (gint64 most = 4; most <= 8; most *= 2)
    {
      gint64 n = ls_recipe_factor (nest, row, most);
      GString *steps;

      if (n < 2)
        continue;
      steps = g_string_new (NULL);
      ls_recipe_bind (self, steps, "b", nest);
      g_string_append_printf (steps, "r0, r1 = sch.split(l_b[%u], factors=[None, %" G_GINT64_FORMAT "])\nsch.reorder(r0, ", row - nest->scope, n);
      for (guint i = first; i < nest->n_loops; i++)
        g_string_append_printf (steps, "l_b[%u], ", i - nest->scope);
      g_string_append (steps, "r1)\nsch.unroll(r1)\n");
      if (self->machine->cores > 1 && nest->runs > 50000 && !ls_recipe_is_parallel (nest))
        g_string_append_printf (steps, "sch.parallel(%s)\n", row == nest->scope ? "r0" : "l_b[0]");
      g_string_append_printf (steps, "sch.decompose_reduction(b, l_b[%u])\n", first - nest->scope);
      ls_recipe_try (self, LS_CAUSE_CHAIN, (LsAdviceMove) { .kind = LS_ADVICE_SUMS, .block = nest->block->name_hint, .a = n,
                                                            .flags = self->machine->cores > 1 ? LS_ADVICE_ALL_CORES : 0u }, steps);
    }
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
  for (guint turn = 0; turn < 6; turn++)
    {
      gint64 vectors = turn < 2 ? 4 : turn < 4 ? 2 : 1, lanes = turn == 5 ? power_of_two (self, nest, first, r) : lanes_of_sums (self, nest, first, r, vectors);
      gint64 one = turn == 1 || turn == 3 ? lanes_of_one (self, nest, lanes) : 1;
      GString *steps;

      if (lanes < 4 || ((turn == 1 || turn == 3) && one == 1) || (lanes == nest->extents[r] && first_sum (nest) == r))
        continue;
      steps = g_string_new (NULL);
      write_factor (self, steps, "b", nest, first, r, lanes);
      if (one > 1)
        write_second (steps, "b", nest, one);
      g_string_append (steps, "l_part = sch.get_loops(part_b)\n");
      if (self->machine->cores > 1 && first_sum (nest) > nest->scope && nest->runs > 50000 && !ls_recipe_is_parallel (nest))
        g_string_append (steps, "sch.parallel(l_part[0])\n");
      g_string_append (steps, "sch.vectorize(l_part[-1])\n");
      write_rest (steps, nest, first, r, lanes, "l_part[-2]");
      g_string_append_printf (steps, "sch.decompose_reduction(part_b, l_part[%u])\n", first_sum (nest) - nest->scope);
      if (one > 1)
        g_string_append (steps, "l_sum = sch.get_loops(sum_b)\nsch.vectorize(l_sum[-1])\nsch.unroll(l_sum[-2])\nsch.decompose_reduction(sum_b, l_sum[-2])\n");
      ls_recipe_try (self, LS_CAUSE_CHAIN, (LsAdviceMove) { .kind = LS_ADVICE_SUMS, .block = nest->block->name_hint, .a = lanes,
                                                            .flags = one > 1 ? LS_ADVICE_ADDED_IN_VECTORS : 0u }, steps);
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

/* TRUE: what was called for each number is arithmetic then. */
static gboolean
write_inner (LsRecipes    *self,
             GString      *steps,
             guint         number,
             const LsNest *nest,
             guint         depth)
{
  guint unit = ls_recipe_unit (nest);
  /* Nothing is inside of a row where its loops are all there are. */
  gint64 width = unit + 1 == nest->n_loops && unit >= depth ? ls_recipe_factor (nest, unit, ls_recipe_width (self, nest, 2)) : 0, one = ls_recipe_width (self, nest, 1);
  gboolean rest = width > 0 && width % one != 0 && !nest->given[unit] && nest->extents[unit] >= 2 * one;

  /* Vectors in pieces are no better than those that LLVM makes by itself; it makes none of calls. */
  if (rest && !ls_nest_frees_of_calls (nest))
    return FALSE;
  if (rest)
    width = one;
  if (nest->is_reduction || width < 4 || (width == nest->extents[unit] && !ls_nest_frees_of_calls (nest)))
    return FALSE;
  if (width == nest->extents[unit])
    g_string_append_printf (steps, "l_b%u = sch.get_loops(b%u)\nsch.vectorize(l_b%u[-1])\n", number, number, number);
  else
    g_string_append_printf (steps, "l_b%u = sch.get_loops(b%u)\nv0, v1 = sch.split(l_b%u[-1], factors=[None, %" G_GINT64_FORMAT "])\nsch.vectorize(v1)\n", number, number,
                            number, width);
  if (rest)
    g_string_append (steps, "sch.annotate(v0, \"pragma_loop_partition_hint\", 1)\n");
  return ls_nest_frees_of_calls (nest);
}

/* The block writes a result of the function: it cannot be moved to where it is read. */
static gboolean
is_output (LsRecipes    *self,
           const LsNest *nest)
{
  LsPrimFunc *prim = (LsPrimFunc *) ls_module_get (ls_schedule_get_module (self->base), self->func);
  LsBuffer *result = ((LsNestAccess *) nest->accesses->pdata[nest->accesses->len - 1])->buffer;

  for (guint i = 0; i < prim->params->n; i++)
    if (ls_prim_func_get_buffer (prim, i) == result)
      return TRUE;
  return FALSE;
}

/* Sums that rfactor takes apart: what does not begin with its neutral value is none. */
static gboolean
may_factor (LsRecipes    *self,
            const LsNest *nest,
            guint         first,
            guint         r,
            gint64        lanes)
{
  g_autoptr (GString) steps = g_string_new (self->before);

  write_factor (self, steps, "b", nest, first, r, lanes);
  return ls_recipe_may (self, steps->str);
}

/* How the blocks of a row are done. */
typedef struct {
  guint    depth;               /* loops of a row */
  gint64   vectors;             /* of sums */
  gboolean factor;              /* sums become several side by side */
  gboolean twice;               /* which are added up in vectors, too */
  gboolean spread;              /* over the cores */
  const char *loop;             /* that the rows are in, where it is told; or NULL */
} Rows;

static void
write_move (GString    *steps,
            const char *how,
            guint       block,
            gboolean    part,
            gboolean    second,
            gboolean    backwards)
{
  const char *prefixes[] = { "part_", "sum_", "" };
  const gboolean there[] = { part, second, TRUE };

  for (guint i = 0; i < 3; i++)
    {
      guint k = backwards ? 2 - i : i;

      if (there[k])
        g_string_append_printf (steps, "sch.%s(%sb%u, row)\n", how, prefixes[k], block);
    }
}

/* The first block that writes a result stays where it is; those before it go to it, those after it follow. */
static guint
anchor_of (LsRecipes *self)
{
  guint anchor = 0;

  while (anchor + 1 < self->nests->len && !is_output (self, self->nests->pdata[anchor]))
    anchor++;
  return anchor;
}

static void
by_rows (LsRecipes  *self,
         const Rows *rows)
{
  GString *steps = g_string_new (NULL);
  guint n = self->nests->len, factored = 0, seconds = 0, freed = 0, anchor = anchor_of (self), depth = rows->depth;
  gboolean *parts = g_newa (gboolean, n), *second = g_newa (gboolean, n);

  for (guint i = 0; i < n; i++)
    {
      const LsNest *nest = self->nests->pdata[i];
      guint r = row_loop (nest);
      gint64 lanes = r < nest->n_loops ? lanes_of_sums (self, nest, MIN (depth, r), r, rows->vectors) : 1;
      g_autofree char *variable = g_strdup_printf ("b%u", i);

      parts[i] = rows->factor && r < nest->n_loops && is_sum_from (nest, depth) && lanes >= 4 && (lanes < nest->extents[r] || depth < r)
                 && may_factor (self, nest, depth, r, lanes);
      second[i] = parts[i] && rows->twice && lanes_of_one (self, nest, lanes) > 1;
      if (parts[i])
        write_factor (self, steps, variable, nest, depth, r, lanes);
      if (second[i])
        write_second (steps, variable, nest, lanes_of_one (self, nest, lanes));
      if (!parts[i] || i == anchor)
        ls_recipe_bind (self, steps, variable, nest);
      factored += parts[i];
      seconds += second[i];
    }
  if ((rows->twice && seconds == 0) || (rows->factor && factored == 0))
    {
      g_string_free (steps, TRUE);
      return;
    }
  g_string_append_printf (steps, "row = l_b%u[%u]\n", anchor, depth - 1);
  if (parts[anchor])
    g_string_append_printf (steps, "%s%s", second[anchor] ? "sch.compute_at(sum_ANCHOR, row)\n" : "", "sch.compute_at(part_ANCHOR, row)\n");
  for (guint i = anchor; i-- > 0;)
    write_move (steps, "compute_at", i, parts[i], second[i], TRUE);
  for (guint i = anchor + 1; i < n; i++)
    write_move (steps, "reverse_compute_at", i, parts[i], second[i], FALSE);
  {
    g_autofree char *name = g_strdup_printf ("b%u", anchor);

    g_string_replace (steps, "ANCHOR", name, 0);
  }
  /* Spread first: a sum that has no start of its own is not spread. */
  if (rows->spread && depth > 1)
    {
      g_string_append (steps, "p = sch.fuse(");
      for (guint i = 0; i < depth; i++)
        g_string_append_printf (steps, "l_b%u[%u]%s", anchor, i, i + 1 < depth ? ", " : ")\nsch.parallel(p)\n");
    }
  else if (rows->spread)
    g_string_append (steps, "sch.parallel(row)\n");
  for (guint i = 0; i < n; i++)
    if (second[i])
      g_string_append_printf (steps, "l_sum = sch.get_loops(sum_b%u)\nsch.reorder(l_sum[-1], l_sum[-2])\nsch.vectorize(l_sum[-2])\nsch.unroll(l_sum[-1])\n"
                                     "sch.decompose_reduction(sum_b%u, l_sum[-1])\n", i, i);
  for (guint i = 0; i < n; i++)
    if (parts[i])
      {
        const LsNest *nest = self->nests->pdata[i];
        guint r = row_loop (nest);

        g_string_append_printf (steps, "l_part = sch.get_loops(part_b%u)\nsch.reorder(l_part[-1], l_part[-2])\nsch.vectorize(l_part[-2])\n", i);
        write_rest (steps, nest, MIN (depth, r), r, lanes_of_sums (self, nest, MIN (depth, r), r, rows->vectors), "l_part[-1]");
        g_string_append_printf (steps, "sch.decompose_reduction(part_b%u, l_part[-1])\n", i);
      }
    else
      freed += write_inner (self, steps, i, self->nests->pdata[i], depth);
  ls_recipe_try (self, freed > 0 ? LS_CAUSE_CALLS : factored > 0 ? LS_CAUSE_CHAIN : LS_CAUSE_BANDWIDTH,
                 (LsAdviceMove) { .kind = LS_ADVICE_ROWS, .a = n, .loop = rows->loop,
                                  .flags = (factored > 0 ? LS_ADVICE_SUMS_IN_VECTORS : 0u) | (factored > 0 && rows->vectors < 4 ? LS_ADVICE_FEWER : 0u)
                                           | (seconds > 0 ? LS_ADVICE_ADDED_IN_VECTORS : 0u) | (rows->spread ? LS_ADVICE_ALL_CORES : 0u)
                                           | (freed > 0 ? LS_ADVICE_FREE_OF_CALLS : 0u) }, steps);
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
      rows_side_by_side (self, self->nests->pdata[i]);
      all = all && may_go_by_rows (self->nests->pdata[i], last->extents[0]);
    }
  depth = all ? common_rows (self->nests) : 0;
  if (depth == 0)
    return;
  /* Where the last loops are common too, a row is several of their rounds: what is inside them can be vectors. */
  for (guint d = depth; d-- > 1 && d + 2 >= depth;)
    for (guint spread = 0; spread < (self->machine->cores > 1 ? 2u : 1u); spread++)
      by_rows (self, &(Rows) { .depth = d, .vectors = 2, .spread = spread == 1, .loop = last->loops[d - 1]->loop_var->name });
  for (gint64 vectors = 4; vectors >= 1; vectors /= 2)
    for (guint factor = vectors == 1 ? 1 : 0; factor < (vectors == 1 ? 2u : 3u); factor++)
      for (guint spread = 0; spread < (self->machine->cores > 1 ? 2u : 1u); spread++)
        by_rows (self, &(Rows) { .depth = depth, .vectors = vectors, .factor = factor > 0, .twice = factor == 2, .spread = spread == 1 });
}
