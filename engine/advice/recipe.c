/* recipe: trying lines, and the recipes for blocks without reductions and for single moves. */
#include "engine/advice/recipe.h"

#include "engine/script/script.h"
#include "engine/tir/specialize.h"


/* ---- what all share ------------------------------------------------------------ */

static LsPrimFunc *
function_of (LsSchedule *schedule,
             const char *func)
{
  return (LsPrimFunc *) ls_module_get (ls_schedule_get_module (schedule), func);
}

static void
note_refusal (LsRecipes     *self,
              LsDiagnostics *findings)
{
  for (guint i = 0; i < ls_diagnostics_get_n (findings); i++)
    {
      const LsDiagnostic *finding = ls_diagnostics_get (findings, i);
      guint n = GPOINTER_TO_UINT (g_hash_table_lookup (self->refusals, finding->message));

      if (finding->severity != LS_SEVERITY_ERROR)
        continue;
      g_hash_table_insert (self->refusals, g_strdup (finding->message), GUINT_TO_POINTER (n + 1));
      return;
    }
}

static gboolean
is_stopped (LsRecipes *self)
{
  return self->machine->stopped != NULL && g_atomic_int_get (self->machine->stopped);
}

gboolean
ls_recipe_try (LsRecipes  *self,
               LsCause     removes,
               LsAdviceMove move,
               GString    *steps)
{
  g_autoptr (LsSchedule) copy = ls_schedule_copy (self->base);
  g_autoptr (LsSource) source = NULL;
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsAdviceCost) cost = NULL;
  g_autoptr (LsPrimFunc) sized = NULL;
  g_autofree char *name = NULL;
  g_autofree char *lines = NULL;
  g_autofree char *text = NULL;
  LsProposal *proposal;

  move.inlined = self->inlined;
  name = ls_advice_words_title (&move);
  g_string_prepend (steps, self->before != NULL ? self->before : "");
  source = ls_source_new ("advice", steps->str, -1);
  lines = g_string_free (steps, FALSE);
  if (is_stopped (self))
    return FALSE;
  ls_schedule_set_strict (copy, TRUE);
  ls_schedule_apply_text (copy, source, 0, findings);
  if (g_getenv ("LS_ADVICE_TRACE") != NULL && ls_diagnostics_has_error (findings))
    g_printerr ("%s: %s\n%s\n", name, ls_diagnostics_get (findings, 0)->message, lines);
  if (self->refusals != NULL && ls_diagnostics_has_error (findings))
    note_refusal (self, findings);
  if (ls_diagnostics_has_error (findings) || ls_schedule_get_module (copy) == ls_schedule_get_module (self->base))
    return FALSE;
  text = ls_script_print (ls_schedule_get_module (copy), NULL, NULL);
  if (g_hash_table_contains (self->texts, text) || (self->seen != NULL && g_hash_table_contains (self->seen, text)))
    return FALSE;
  sized = ls_prim_func_size (function_of (copy, self->func), self->sizes);
  cost = ls_advice_cost_new (sized, ls_schedule_get_module (copy), self->machine);
  proposal = g_new0 (LsProposal, 1);
  proposal->schedule = g_steal_pointer (&copy);
  proposal->move = move;
  proposal->move.block = g_strdup (move.block);
  proposal->move.loop = g_strdup (move.loop);
  proposal->kind = ls_advice_kind_name (move.kind);
  proposal->removes = removes;
  proposal->title = g_steal_pointer (&name);
  proposal->why = ls_advice_words_why (&move);
  proposal->steps = g_steal_pointer (&lines);
  proposal->estimate = cost->loop != NULL ? cost->guess : cost->seconds;
  g_hash_table_add (self->texts, g_steal_pointer (&text));
  g_ptr_array_add (self->made, proposal);
  return TRUE;
}

gboolean
ls_recipe_may (LsRecipes  *self,
               const char *lines)
{
  g_autoptr (LsSchedule) copy = ls_schedule_copy (self->base);
  g_autoptr (LsSource) source = ls_source_new ("advice", lines, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();

  if (is_stopped (self))
    return FALSE;
  ls_schedule_set_strict (copy, TRUE);
  ls_schedule_apply_text (copy, source, 0, findings);
  return !ls_diagnostics_has_error (findings);
}

void
ls_recipe_bind (LsRecipes    *self,
                GString      *steps,
                const char   *variable,
                const LsNest *nest)
{
  g_string_append_printf (steps, "%s = sch.get_block(\"%s\", func_name=\"%s\")\nl_%s = sch.get_loops(%s)\n", variable, nest->block->name_hint,
                          self->func, variable, variable);
}

gboolean
ls_recipe_is_fresh (const LsNest *nest)
{
  if (nest->block == NULL || nest->scope >= nest->n_loops)
    return FALSE;
  for (guint i = nest->scope; i < nest->n_loops; i++)
    if (nest->varies[i] || (nest->loops[i]->kind != LS_FOR_SERIAL && !(nest->loops[i]->kind == LS_FOR_PARALLEL && i == nest->scope)))
      return FALSE;
  return TRUE;
}

gboolean
ls_recipe_is_parallel (const LsNest *nest)
{
  for (guint i = 0; i < nest->n_loops; i++)
    if (nest->loops[i]->kind == LS_FOR_PARALLEL)
      return TRUE;
  return FALSE;
}

guint
ls_recipe_unit (const LsNest *nest)
{
  const LsNestAccess *store = nest->accesses->pdata[nest->accesses->len - 1];

  for (guint i = nest->n_loops; i-- > nest->scope;)
    if (store->strides[i] == 1 && nest->extents[i] > 1 && nest->drives[i] == LS_DRIVES_SPATIAL)
      return i;
  return nest->n_loops;
}

gint64
ls_recipe_divisor (gint64 n,
                   gint64 most)
{
  for (gint64 d = MIN (n, most); d > 1; d--)
    if (n % d == 0)
      return d;
  return 1;
}

gint64
ls_recipe_factor (const LsNest *nest,
                  guint         loop,
                  gint64        most)
{
  return nest->given[loop] ? 1 : ls_recipe_divisor (nest->extents[loop], most);
}

gint64
ls_recipe_lanes (const LsRecipes *self,
                 const LsNest    *nest)
{
  const LsNestAccess *store = nest->accesses->pdata[nest->accesses->len - 1];

  return MAX (1, self->machine->lanes * 4 / MAX (4, store->bytes));
}

gint64
ls_recipe_width (const LsRecipes *self,
                 const LsNest    *nest,
                 gint64           vectors)
{
  gint64 lanes = ls_recipe_lanes (self, nest);

  return ls_nest_calls_in_vectors (nest) ? MAX (4, lanes / 2) : vectors * lanes;
}

static LsCause
cause_of_vectors (const LsNest *nest)
{
  return ls_nest_frees_of_calls (nest) ? LS_CAUSE_CALLS : LS_CAUSE_LANES;
}

static guint
flags_of_vectors (const LsNest *nest)
{
  return ls_nest_frees_of_calls (nest) ? LS_ADVICE_FREE_OF_CALLS : 0;
}

/* ---- blocks without reductions ------------------------------------------------------ */

/* The outer loops up to number `end` (of get_loops; names in `loops`) become one parallel loop; or the first alone where it is long enough. */
static void
write_parallel (LsRecipes *self,
                GString   *steps,
                char     **loops,
                gint64    *extents,
                guint      n)
{
  guint k = 0;
  gint64 rounds = 1;

  while (k < n && rounds < 8 * self->machine->cores)
    rounds *= extents[k++];
  if (k == 0 || rounds < 2)
    return;
  if (k == 1)
    g_string_append_printf (steps, "sch.parallel(%s)\n", loops[0]);
  else
    {
      g_string_append (steps, "p = sch.fuse(");
      for (guint i = 0; i < k; i++)
        g_string_append_printf (steps, "%s%s", i > 0 ? ", " : "", loops[i]);
      g_string_append (steps, ")\nsch.parallel(p)\n");
    }
}

/* A load that goes along another loop than the store does; its loop, or n_loops. */
static guint
crossing_loop (const LsNest *nest,
               guint         unit)
{
  for (guint a = 0; a + 1 < nest->accesses->len; a++)
    {
      const LsNestAccess *access = nest->accesses->pdata[a];

      if (access->strides[unit] == 0 || access->strides[unit] == 1 || access->strides[unit] == LS_STRIDE_UNKNOWN)
        continue;
      for (guint i = nest->scope; i < nest->n_loops; i++)
        if (i != unit && access->strides[i] == 1 && nest->extents[i] > 1)
          return i;
    }
  return nest->n_loops;
}

static gboolean
write_crossing (LsRecipes    *self,
                GString      *steps,
                const char   *variable,
                const LsNest *nest,
                guint         unit,
                guint         cross,
                gint64        rows,
                gint64        columns)
{
  gint64 extents[2];
  char *loops[2] = { (char *) "x0", (char *) "y0" };
  guint first = MIN (unit, cross), second = MAX (unit, cross);

  if (rows < 2 || columns < 2 || second != first + 1)
    return FALSE;
  ls_recipe_bind (self, steps, variable, nest);
  g_string_append_printf (steps, "x0, x1 = sch.split(l_%s[%u], factors=[None, %" G_GINT64_FORMAT "])\n", variable, cross - nest->scope, rows);
  g_string_append_printf (steps, "y0, y1 = sch.split(l_%s[%u], factors=[None, %" G_GINT64_FORMAT "])\n", variable, unit - nest->scope, columns);
  g_string_append (steps, "sch.reorder(x0, y0, x1, y1)\nsch.vectorize(y1)\nsch.unroll(x1)\n");
  extents[0] = nest->extents[cross] / rows;
  extents[1] = nest->extents[unit] / columns;
  if (self->machine->cores > 1 && !ls_recipe_is_parallel (nest))
    write_parallel (self, steps, loops, extents, first == nest->scope ? 2 : 0);
  return TRUE;
}

gboolean
ls_recipe_write_spatial (LsRecipes    *self,
                         GString      *steps,
                         const char   *variable,
                         const LsNest *nest,
                         gint64        lanes)
{
  guint unit = ls_recipe_unit (nest), n = nest->n_loops - nest->scope;
  g_autoptr (GPtrArray) loops = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) extents = g_array_new (FALSE, FALSE, sizeof (gint64));
  gint64 width = unit < nest->n_loops ? ls_recipe_factor (nest, unit, lanes) : 0;

  if (!ls_recipe_is_fresh (nest) || nest->is_reduction || nest->masked || unit == nest->n_loops || width < 2)
    return FALSE;
  ls_recipe_bind (self, steps, variable, nest);
  for (guint i = 0; i < n; i++)
    if (i + nest->scope != unit)
      {
        g_ptr_array_add (loops, g_strdup_printf ("l_%s[%u]", variable, i));
        g_array_append_val (extents, nest->extents[i + nest->scope]);
      }
  if (width == nest->extents[unit])
    {
      if (unit + 1 < nest->n_loops)
        return FALSE;
      g_string_append_printf (steps, "sch.vectorize(l_%s[%u])\n", variable, unit - nest->scope);
    }
  else
    {
      gint64 outer = nest->extents[unit] / width;

      g_string_append_printf (steps, "v0, v1 = sch.split(l_%s[%u], factors=[None, %" G_GINT64_FORMAT "])\n", variable, unit - nest->scope, width);
      if (unit + 1 < nest->n_loops)
        {
          g_string_append (steps, "sch.reorder(");
          for (guint i = unit + 1; i < nest->n_loops; i++)
            g_string_append_printf (steps, "l_%s[%u], ", variable, i - nest->scope);
          g_string_append (steps, "v1)\n");
        }
      g_ptr_array_insert (loops, (gint) (unit - nest->scope), g_strdup ("v0"));
      g_array_insert_val (extents, unit - nest->scope, outer);
      g_string_append (steps, "sch.vectorize(v1)\n");
    }
  if (self->machine->cores > 1 && !ls_recipe_is_parallel (nest) && nest->runs > 20000)
    write_parallel (self, steps, (char **) loops->pdata, (gint64 *) (void *) extents->data, loops->len);
  return TRUE;
}

/* The block has a loop inside whose rounds are data: elements side by side do not go through it together. */
static gboolean
goes_round (LsRecipes    *self,
            const LsNest *nest)
{
  for (guint i = 0; i < self->nests->len; i++)
    {
      const LsNest *other = self->nests->pdata[i];

      if (other->block == nest->block && other->n_loops > nest->n_loops && other->varies[other->n_loops - 1])
        return TRUE;
    }
  return FALSE;
}

void
ls_recipe_spatial (LsRecipes *self)
{
  GString *all = g_string_new (NULL);
  guint n = 0, freed = 0;

  for (guint i = 0; i < self->nests->len; i++)
    {
      const LsNest *nest = self->nests->pdata[i];
      guint unit = ls_recipe_unit (nest), cross = unit < nest->n_loops ? crossing_loop (nest, unit) : nest->n_loops;
      g_autofree char *variable = g_strdup_printf ("b%u", i);
      GString *steps;

      if (!ls_recipe_is_fresh (nest) || nest->is_reduction || unit == nest->n_loops || goes_round (self, nest))
        continue;
      if (cross < nest->n_loops)
        {
          static const gint64 sizes[][2] = { { 8, 8 }, { 16, 16 }, { 8, 32 }, { 32, 8 }, { 4, 64 }, { 16, 8 } };

          for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
            {
              gint64 rows = ls_recipe_factor (nest, cross, sizes[s][0]), columns = ls_recipe_factor (nest, unit, sizes[s][1]);

              steps = g_string_new (NULL);
              if (write_crossing (self, steps, variable, nest, unit, cross, rows, columns))
                ls_recipe_try (self, LS_CAUSE_LATENCY,
                               (LsAdviceMove) { .kind = LS_ADVICE_BLOCKS, .block = nest->block->name_hint, .a = rows, .b = columns }, steps);
              else
                g_string_free (steps, TRUE);
            }
          continue;
        }
      for (guint s = 1; s <= 2; s++)
        {
          steps = g_string_new (NULL);
          if (ls_recipe_write_spatial (self, steps, variable, nest, MAX (2, ls_recipe_width (self, nest, s))))
            ls_recipe_try (self, cause_of_vectors (nest),
                           (LsAdviceMove) { .kind = LS_ADVICE_VECTORS, .block = nest->block->name_hint, .a = ls_recipe_factor (nest, unit, MAX (2, ls_recipe_width (self, nest, s))),
                                            .flags = (self->machine->cores > 1 ? LS_ADVICE_ALL_CORES : 0) | flags_of_vectors (nest) }, steps);
          else
            g_string_free (steps, TRUE);
        }
      if (ls_recipe_write_spatial (self, all, variable, nest, MAX (2, ls_recipe_width (self, nest, 2))))
        {
          n++;
          freed += ls_nest_frees_of_calls (nest);
        }
    }
  if (n > 1)
    ls_recipe_try (self, freed > 0 ? LS_CAUSE_CALLS : LS_CAUSE_LANES,
                   (LsAdviceMove) { .kind = LS_ADVICE_VECTORS_ALL, .a = n, .flags = freed > 0 ? LS_ADVICE_FREE_OF_CALLS : 0 }, all);
  else
    g_string_free (all, TRUE);
}

/* ---- inlining ------------------------------------------------------------------- */

static guint
n_readers (LsRecipes *self,
           LsBuffer  *buffer,
           double    *runs)
{
  guint n = 0;

  for (guint i = 0; i < self->nests->len; i++)
    {
      const LsNest *nest = self->nests->pdata[i];
      gboolean reads = FALSE;

      for (guint a = 0; a + 1 < nest->accesses->len; a++)
        reads |= ((LsNestAccess *) nest->accesses->pdata[a])->buffer == buffer;
      n += reads;
      *runs += reads ? nest->runs : 0.0;
    }
  return n;
}

/* Blocks that are computed again where they are read, without more work: cheap ones, or read once. */
GString *
ls_recipe_inline_lines (LsRecipes *self,
                        guint     *n)
{
  GString *steps = g_string_new (NULL);

  *n = 0;

  for (guint i = 0; i < self->nests->len; i++)
    {
      const LsNest *nest = self->nests->pdata[i];
      const LsNestAccess *store = nest->accesses->pdata[nest->accesses->len - 1];
      double runs = 0.0;
      guint readers = n_readers (self, store->buffer, &runs);

      if (!ls_recipe_is_fresh (nest) || nest->is_reduction || nest->conditional || readers == 0 || (nest->calls > 0.0 && runs > nest->runs * 1.5))
        continue;
      g_string_append_printf (steps, "b = sch.get_block(\"%s\", func_name=\"%s\")\nsch.compute_inline(b)\n", nest->block->name_hint, self->func);
      (*n)++;
    }
  return steps;
}

void
ls_recipe_inline (LsRecipes *self)
{
  guint n = 0;
  GString *steps = ls_recipe_inline_lines (self, &n);

  if (n > 0)
    ls_recipe_try (self, LS_CAUSE_BANDWIDTH, (LsAdviceMove) { .kind = LS_ADVICE_INLINE, .a = n }, steps);
  else
    g_string_free (steps, TRUE);
}

/* ---- single moves ------------------------------------------------------------------ */

static void
offer_parallel (LsRecipes    *self,
                const LsNest *nest)
{
  GString *steps;
  g_autoptr (GPtrArray) loops = g_ptr_array_new_with_free_func (g_free);
  guint n = 0;

  if (self->machine->cores < 2 || ls_recipe_is_parallel (nest) || nest->block == NULL || nest->scope >= nest->n_loops)
    return;
  while (nest->scope + n < nest->n_loops && !nest->varies[nest->scope + n] && nest->drives[nest->scope + n] == LS_DRIVES_SPATIAL && nest->loops[nest->scope + n]->kind == LS_FOR_SERIAL)
    g_ptr_array_add (loops, g_strdup_printf ("l_b[%u]", n++));
  if (n == 0)
    return;
  steps = g_string_new (NULL);
  ls_recipe_bind (self, steps, "b", nest);
  write_parallel (self, steps, (char **) loops->pdata, nest->extents + nest->scope, n);
  ls_recipe_try (self, LS_CAUSE_CORES, (LsAdviceMove) { .kind = LS_ADVICE_PARALLEL, .block = nest->block->name_hint, .a = self->machine->cores }, steps);
}

static void
offer_vectors (LsRecipes    *self,
               const LsNest *nest)
{
  guint inner = nest->n_loops - 1;
  gint64 width = ls_recipe_factor (nest, inner, ls_recipe_width (self, nest, 2));
  GString *steps;

  if (nest->loops[inner]->kind != LS_FOR_SERIAL || nest->masked || nest->varies[inner] || nest->drives[inner] != LS_DRIVES_SPATIAL || width < 2
      || ls_nest_vector (nest) < nest->n_loops || ls_recipe_unit (nest) != inner || goes_round (self, nest))
    return;
  steps = g_string_new (NULL);
  ls_recipe_bind (self, steps, "b", nest);
  if (width == nest->extents[inner])
    g_string_append_printf (steps, "sch.vectorize(l_b[%u])\n", inner - nest->scope);
  else
    g_string_append_printf (steps, "v0, v1 = sch.split(l_b[%u], factors=[None, %" G_GINT64_FORMAT "])\nsch.vectorize(v1)\n", inner - nest->scope, width);
  ls_recipe_try (self, cause_of_vectors (nest), (LsAdviceMove) { .kind = LS_ADVICE_VECTORIZE, .block = nest->block->name_hint, .a = width, .flags = flags_of_vectors (nest) }, steps);
}

static void
offer_inner (LsRecipes    *self,
             const LsNest *nest)
{
  guint r = ls_nest_reduce (nest);
  GString *steps;

  if (nest->block == NULL || nest->scope >= nest->n_loops)
    return;
  if (nest->init_inside && r < nest->n_loops)
    {
      guint first = nest->scope;

      while (first < nest->n_loops && (nest->drives[first] & LS_DRIVES_REDUCTION) == 0)
        first++;
      steps = g_string_new (NULL);
      ls_recipe_bind (self, steps, "b", nest);
      g_string_append_printf (steps, "sch.decompose_reduction(b, l_b[%u])\n", first - nest->scope);
      ls_recipe_try (self, LS_CAUSE_CHAIN,
                     (LsAdviceMove) { .kind = LS_ADVICE_DECOMPOSE, .block = nest->block->name_hint, .loop = nest->loops[first]->loop_var->name }, steps);
    }
  offer_vectors (self, nest);
  for (guint i = nest->scope; r < nest->n_loops && i < nest->n_loops; i++)
    if (nest->loops[i]->kind == LS_FOR_SERIAL && !nest->varies[i] && !nest->given[i] && nest->extents[i] > 1 && nest->extents[i] <= 16 && (i > r || nest->extents[i] <= 4) && !(i + 1 < nest->n_loops && i < r && nest->drives[i] == LS_DRIVES_SPATIAL))
      {
        steps = g_string_new (NULL);
        ls_recipe_bind (self, steps, "b", nest);
        g_string_append_printf (steps, "sch.unroll(l_b[%u])\n", i - nest->scope);
        ls_recipe_try (self, LS_CAUSE_OVERHEAD,
                       (LsAdviceMove) { .kind = LS_ADVICE_UNROLL, .block = nest->block->name_hint, .loop = nest->loops[i]->loop_var->name }, steps);
      }
}

void
ls_recipe_small (LsRecipes *self)
{
  for (guint i = 0; i < self->nests->len; i++)
    {
      offer_parallel (self, self->nests->pdata[i]);
      offer_inner (self, self->nests->pdata[i]);
    }
}
