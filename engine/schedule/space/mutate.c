/* mutate: a trace with one decision changed at random, the step from one candidate of a search to the next.
 *
 * tile              moves a factor from one tile of a sample_perfect_tile to another
 * unroll            another choice of a sample_categorical that an unroll annotation uses
 * compute location  another place that sample_compute_location may give
 * parallel          another bound of the parallel annotation that fuses other loops
 *
 * Steps from enter_postproc on are left out: they are put on anew.  Decisions come in the order of the trace (in TVM
 * their order depends on addresses).  Source: TVM's meta_schedule mutators.
 */
#include "engine/schedule/legal/legal.h"
#include "engine/schedule/space/mutate.h"
#include "engine/schedule/trace/list.h"

#define MAX_TRIES 1000

/* Steps before enter_postproc. */
static guint
n_searched (LsTrace *trace)
{
  guint n = 0;

  while (n < ls_trace_get_n (trace) && !(ls_trace_get (trace, n)->instruction->flags & LS_INSTRUCTION_POSTPROC))
    n++;
  return n;
}

static gboolean
is_step (const LsTraceStep *step,
         const char        *name)
{
  return strcmp (step->instruction->name, name) == 0;
}

static LsTrace *
without_postproc (LsTrace *changed)
{
  LsTrace *cut = ls_trace_new ();
  guint n = n_searched (changed);

  for (guint i = 0; i < n; i++)
    {
      const LsTraceStep *step = ls_trace_get (changed, i);

      ls_trace_add (cut, step->instruction, step->args, step->outputs, step->decision);
    }
  ls_trace_unref (changed);
  return cut;
}

static gint64
argument_int (const LsTraceStep *step,
              guint              param)
{
  gint64 value = 0;

  ls_as_int (step->args->items[param], &value);
  return value;
}

/* One of the numbers in a list of guint. */
static guint
draw_from (GArray  *list,
           guint64 *random_state)
{
  return g_array_index (list, guint, ls_random_int (random_state, 0, (gint) list->len));
}

gint64
ls_random_below (guint64 *random_state,
                 gint     n)
{
  return ls_random_int (random_state, 0, n);
}

/* ---- tiles ------------------------------------------------------------------------ */

enum { MAX_INNERMOST_FACTOR = 2 };

static gboolean
can_move_factors (const LsTraceStep *step)
{
  LsArray *tiles = (LsArray *) step->decision;
  gint64 tile;
  gint64 product = 1;

  if (!is_step (step, "sample_perfect_tile") || !ls_is (tiles, ARRAY) || tiles->n < 2)
    return FALSE;
  for (guint i = 0; i < tiles->n; i++)
    {
      if (!ls_as_int (tiles->items[i], &tile) || tile < 1)
        return FALSE;
      product = MIN (product * tile, G_MAXINT32);
    }
  return product >= 2;
}

/* A divisor above 1 of `tile`, at most `limit` (-1: any); 0 when there is none. */
static gint64
draw_divisor (gint64   tile,
              gint64   limit,
              guint64 *random_state)
{
  g_autoptr(GArray) divisors = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (gint64 d = 1; d * d <= tile; d++)
    if (tile % d == 0)
      {
        gint64 other = tile / d;

        if (d > 1 && (limit < 0 || d <= limit))
          g_array_append_val (divisors, d);
        if (other != d && other > 1 && (limit < 0 || other <= limit))
          g_array_append_val (divisors, other);
      }
  return divisors->len == 0 ? 0 : g_array_index (divisors, gint64, ls_random_int (random_state, 0, (gint) divisors->len));
}

static LsNode *
tiles_with (LsArray *tiles,
            guint    from,
            guint    to,
            gint64   factor)
{
  g_autofree LsNode **items = g_new0 (LsNode *, tiles->n);

  for (guint i = 0; i < tiles->n; i++)
    {
      gint64 tile = 1;

      ls_as_int (tiles->items[i], &tile);
      items[i] = LS_NODE (ls_int (i == from ? tile / factor : i == to ? tile * factor : tile));
    }
  return LS_NODE (ls_array_new (items, tiles->n));
}

LsTrace *
ls_trace_mutate_tile (LsTrace *self,
                      guint64 *random_state)
{
  g_autoptr(GArray) found = g_array_new (FALSE, FALSE, sizeof (guint));
  const LsTraceStep *step;
  LsArray *tiles;
  guint at;

  for (guint i = 0; i < n_searched (self); i++)
    if (can_move_factors (ls_trace_get (self, i)))
      g_array_append_val (found, i);
  if (found->len == 0)
    return NULL;
  at = draw_from (found, random_state);
  step = ls_trace_get (self, at);
  tiles = (LsArray *) step->decision;
  for (guint try = 0; try < MAX_TRIES; try++)
    {
      guint from = (guint) ls_random_int (random_state, 0, (gint) tiles->n);
      guint to = (guint) ls_random_int (random_state, 0, (gint) tiles->n - 1);
      gint64 limit = argument_int (step, MAX_INNERMOST_FACTOR);
      gint64 source = 1, target = 1, factor;

      to += to >= from;
      ls_as_int (tiles->items[from], &source);
      ls_as_int (tiles->items[to], &target);
      factor = draw_divisor (source, to + 1 < tiles->n || limit < 0 ? -1 : limit / target, random_state);
      if (factor > 1)
        {
          g_autoptr(LsNode) decision = tiles_with (tiles, from, to, factor);

          return without_postproc (ls_trace_with_decision (self, at, decision));
        }
    }
  return NULL;
}

/* ---- unroll ------------------------------------------------------------------------ */

enum { CANDIDATES, PROBS };
enum { ANN_KEY = 1, ANN_VAL = 2 };

static const char *
annotation_key (const LsTraceStep *step)
{
  LsNode *key = is_step (step, "annotate") ? step->args->items[ANN_KEY] : NULL;

  return ls_is (key, STRING) ? ((LsString *) key)->value : NULL;
}

/* The sample_categorical that gives this result; -1: none. */
static gint
categorical_of (LsTrace *self,
                guint    below,
                LsNode  *result)
{
  for (guint i = 0; i < below; i++)
    {
      const LsTraceStep *step = ls_trace_get (self, i);

      if (is_step (step, "sample_categorical") && ls_array_n (step->outputs) == 1 && step->outputs->items[0] == result)
        return (gint) i;
    }
  return -1;
}

static LsTrace *
choose_another (LsTrace *self,
                guint    at,
                guint64 *random_state)
{
  const LsTraceStep *step = ls_trace_get (self, at);
  LsArray *probs = (LsArray *) step->args->items[PROBS];
  g_autofree double *weights = g_new0 (double, probs->n + 1);
  g_autoptr(LsNode) decision = NULL;
  gint64 old = 0;
  double sum = 0;
  guint n = 0, choice;

  ls_as_int (step->decision, &old);
  for (guint i = 0; i < probs->n; i++)
    if (i != old)
      {
        gint64 whole = 0;

        weights[n] = ls_as_int (probs->items[i], &whole) ? (double) whole : ((LsFloatImm *) probs->items[i])->value;
        sum += weights[n++];
      }
  if (n == 0 || !(sum > 0))
    return NULL;
  choice = ls_random_weighted (random_state, weights, n);
  decision = LS_NODE (ls_int (choice >= old ? choice + 1 : choice));
  return without_postproc (ls_trace_with_decision (self, at, decision));
}

LsTrace *
ls_trace_mutate_unroll (LsTrace *self,
                        guint64 *random_state)
{
  g_autoptr(GArray) found = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < n_searched (self); i++)
    {
      const LsTraceStep *step = ls_trace_get (self, i);
      const char *key = annotation_key (step);
      gint at;

      if (key == NULL || (strcmp (key, "meta_schedule.unroll_explicit") != 0 && strcmp (key, "meta_schedule.unroll_implicit") != 0))
        continue;
      at = categorical_of (self, i, step->args->items[ANN_VAL]);
      if (at >= 0 && ls_array_n ((LsArray *) ls_trace_get (self, (guint) at)->args->items[CANDIDATES]) > 1)
        g_array_append_val (found, at);
    }
  return found->len > 0 ? choose_another (self, draw_from (found, random_state), random_state) : NULL;
}

/* ---- compute location ---------------------------------------------------------------- */

typedef struct {
  guint   at;
  GArray *places;               /* of LsComputeLocation: other decisions */
} Location;

static void
location_clear (gpointer data)
{
  g_array_unref (((Location *) data)->places);
}

/* The sampling steps with the other decisions that they could have. (transfer full) of Location */
static GArray *
find_locations (LsTrace  *self,
                LsModule *module)
{
  g_autoptr(LsSchedule) schedule = ls_schedule_new (module);
  g_autoptr(GHashTable) map = g_hash_table_new (NULL, NULL);
  g_autoptr(LsDiagnostics) findings = ls_diagnostics_new ();
  GArray *found = g_array_new (FALSE, FALSE, sizeof (Location));

  ls_schedule_set_strict (schedule, FALSE);
  ls_schedule_set_order_asked (schedule, FALSE);
  g_array_set_clear_func (found, location_clear);
  for (guint i = 0; i < n_searched (self); i++)
    {
      const LsTraceStep *step = ls_trace_get (self, i);
      gint64 old;

      if (is_step (step, "sample_compute_location") && ls_as_int (step->decision, &old))
        {
          g_autoptr(LsNode) block = ls_trace_translate (step->args->items[0], map);
          Location location = { i, ls_compute_locations (schedule, block) };

          for (guint k = location.places->len; k-- > 0;)
            if (g_array_index (location.places, LsComputeLocation, k).number == old)
              g_array_remove_index (location.places, k);
          if (location.places->len > 0)
            g_array_append_val (found, location);
          else
            location_clear (&location);
        }
      if (!ls_trace_apply_step (schedule, step, i + 1, map, TRUE, findings))
        break;
    }
  return found;
}

LsTrace *
ls_trace_mutate_compute_location (LsTrace  *self,
                                  LsModule *module,
                                  guint64  *random_state)
{
  g_autoptr(GArray) found = find_locations (self, module);
  g_autoptr(LsNode) decision = NULL;
  Location *chosen;

  if (found->len == 0)
    return NULL;
  chosen = &g_array_index (found, Location, ls_random_int (random_state, 0, (gint) found->len));
  decision = LS_NODE (ls_int (g_array_index (chosen->places, LsComputeLocation, ls_random_int (random_state, 0, (gint) chosen->places->len)).number));
  return without_postproc (ls_trace_with_decision (self, chosen->at, decision));
}

/* ---- parallel -------------------------------------------------------------------------- */

typedef struct {
  LsState   *state;
  GPtrArray *realizes;          /* borrowed: blocks directly inside */
  GHashTable *others;           /* loop variables that reach a variable that is not spatial */
} Insides;

static gboolean
bind_is_spatial (LsBlockRealize *realize,
                 guint           i)
{
  return ls_array_at (realize->block->iter_vars, i, LsIterVar)->iter_type == LS_ITER_DATA_PAR;
}

static LsWalk
note_other (LsNode   *node,
            gpointer  user_data)
{
  if (ls_is_var (node))
    g_hash_table_add (user_data, node);
  return LS_WALK_CONTINUE;
}

static gboolean
look_inside (LsNode         *stmt,
             LsBlockRealize *realize,
             gpointer        user_data)
{
  Insides *self = user_data;

  if (realize == NULL)
    return ls_stmt_foreach_child (((LsFor *) stmt)->body, look_inside, self);
  g_ptr_array_add (self->realizes, realize);
  for (guint i = 0; i < ls_array_n (realize->iter_values); i++)
    if (!bind_is_spatial (realize, i))
      ls_walk (realize->iter_values->items[i], note_other, NULL, self->others);
  return TRUE;
}

/* Products of the extents of the outer spatial loops of a block, outermost first. */
static GArray *
fused_extents (Insides        *self,
               LsBlockRealize *realize,
               gint64          limit)
{
  g_autoptr(GPtrArray) loops = ls_state_loops (self->state, ls_state_sref (self->state, realize->block));
  GArray *products = g_array_new (FALSE, FALSE, sizeof (gint64));
  gint64 product = 1, extent;

  for (guint i = 0; i < loops->len && product < limit; i++)
    {
      LsFor *loop = ls_sref_for ((LsSref *) loops->pdata[i]);

      if (!ls_as_int (loop->extent, &extent) || g_hash_table_contains (self->others, loop->loop_var))
        break;
      product *= extent;
      g_array_append_val (products, product);
    }
  return products;
}

static guint
n_fused (GArray *products,
         gint64  limit)
{
  guint n = 0;

  while (n < products->len && g_array_index (products, gint64, n) < limit)
    n++;
  return n;
}

/* "1 0 2": the number of the product that reaches this bound in each block; bounds of one plan fuse the same loops or stop at the same one. */
static char *
plan_of (GPtrArray *blocks,
         gint64     limit)
{
  GString *plan = g_string_new (NULL);

  for (guint i = 0; i < blocks->len; i++)
    g_string_append_printf (plan, "%u ", n_fused (blocks->pdata[i], limit));
  return g_string_free (plan, FALSE);
}

/* The products of all blocks up to the limit, each once. */
static GArray *
bounds_of (GPtrArray *blocks,
           gint64     limit)
{
  g_autoptr(GHashTable) seen = g_hash_table_new (g_int64_hash, g_int64_equal);
  GArray *bounds = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = 0; i < blocks->len; i++)
    {
      GArray *products = blocks->pdata[i];

      for (guint k = 0; k < products->len; k++)
        if (g_array_index (products, gint64, k) <= limit && g_hash_table_add (seen, &g_array_index (products, gint64, k)))
          g_array_append_val (bounds, g_array_index (products, gint64, k));
    }
  return bounds;
}

/* A plan other than the one of `old` at random, and one of the products that give it; -1: there is none. */
static gint64
draw_bound (GPtrArray *blocks,
            gint64     old,
            gint64     limit,
            guint64   *random_state)
{
  g_autofree char *same = plan_of (blocks, old);
  g_autoptr(GHashTable) plans = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr(GPtrArray) bounds = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  g_autoptr(GArray) products = bounds_of (blocks, limit);
  GArray *chosen;

  for (guint i = 0; i < products->len; i++)
    {
      gint64 bound = g_array_index (products, gint64, i);
      g_autofree char *plan = plan_of (blocks, bound);
      GArray *list = g_hash_table_lookup (plans, plan);

      if (strcmp (plan, same) == 0)
        continue;
      if (list == NULL)
        {
          list = g_array_new (FALSE, FALSE, sizeof (gint64));
          g_ptr_array_add (bounds, list);
          g_hash_table_insert (plans, g_steal_pointer (&plan), list);
        }
      g_array_append_val (list, bound);
    }
  if (bounds->len == 0)
    return -1;
  chosen = bounds->pdata[ls_random_int (random_state, 0, (gint) bounds->len)];
  return g_array_index (chosen, gint64, ls_random_int (random_state, 0, (gint) chosen->len));
}

static gint64
other_bound (LsTrace  *self,
             guint     at,
             LsModule *module,
             gint64    limit,
             guint64  *random_state)
{
  g_autoptr(LsSchedule) schedule = ls_schedule_new (module);
  g_autoptr(GHashTable) map = g_hash_table_new (NULL, NULL);
  g_autoptr(GHashTable) others = g_hash_table_new (NULL, NULL);
  g_autoptr(LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr(GPtrArray) realizes = g_ptr_array_new ();
  g_autoptr(GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  g_autoptr(LsNode) handle = NULL;
  Insides insides = { NULL, realizes, others };
  LsNode *block;

  ls_schedule_set_strict (schedule, FALSE);
  ls_schedule_set_order_asked (schedule, FALSE);
  for (guint i = 0; i < n_searched (self); i++)
    if (!ls_trace_apply_step (schedule, ls_trace_get (self, i), i + 1, map, TRUE, findings))
      return -1;
  handle = ls_trace_translate (ls_trace_get (self, at)->args->items[0], map);
  block = ls_is_var (handle) ? ls_schedule_resolve (schedule, (LsVar *) handle) : NULL;
  if (!ls_is (block, BLOCK))
    return -1;
  insides.state = ls_schedule_get_state (schedule);
  ls_stmt_foreach_child (((LsBlock *) block)->body, look_inside, &insides);
  for (guint i = 0; i < realizes->len; i++)
    {
      GArray *products = fused_extents (&insides, realizes->pdata[i], limit);

      if (products->len > 0)
        g_ptr_array_add (blocks, products);
      else
        g_array_unref (products);
    }
  return draw_bound (blocks, argument_int (ls_trace_get (self, at), ANN_VAL), limit, random_state);
}

LsTrace *
ls_trace_mutate_parallel (LsTrace  *self,
                          LsModule *module,
                          gint64    max_jobs,
                          guint64  *random_state)
{
  g_autoptr(GArray) found = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr(LsNode) value = NULL;
  gint64 bound;
  guint at;

  for (guint i = 0; i < n_searched (self); i++)
    {
      const LsTraceStep *step = ls_trace_get (self, i);

      if (g_strcmp0 (annotation_key (step), "meta_schedule.parallel") == 0 && ls_is (step->args->items[ANN_VAL], INT_IMM))
        g_array_append_val (found, i);
    }
  if (found->len == 0)
    return NULL;
  at = draw_from (found, random_state);
  bound = other_bound (self, at, module, max_jobs, random_state);
  if (bound < 0)
    return NULL;
  value = LS_NODE (ls_int (bound));
  return without_postproc (ls_trace_with_argument (self, at, ANN_VAL, value));
}

/* ---- any of them -------------------------------------------------------------------------- */

LsTrace *
ls_trace_mutate (LsTrace  *self,
                 LsModule *module,
                 gint64    max_jobs,
                 guint64  *random_state)
{
  static const double WEIGHTS[] = { 0.9, 0.05, 0.03, 0.02 };

  switch (ls_random_weighted (random_state, WEIGHTS, G_N_ELEMENTS (WEIGHTS)))
    {
    case 0:
      return ls_trace_mutate_tile (self, random_state);
    case 1:
      return ls_trace_mutate_compute_location (self, module, random_state);
    case 2:
      return ls_trace_mutate_unroll (self, random_state);
    default:
      return ls_trace_mutate_parallel (self, module, max_jobs, random_state);
    }
}
