/* run: where indices are no sums of loop variables, a run of the interpreter tells which round needs which.
 *
 * The program runs on zeros, with its own extents, if they are numbers and small.  A pair that changes places is shown as it
 * was met.  That none is met says something only where no index and no condition depends on data; where they do, runs on other
 * numbers may meet one.
 */
#include "engine/poly/run.h"

#include "engine/interp/dependence.h"

#define MAX_ROUNDS 2048
#define RANDOM_RUNS 4

typedef struct {
  GPtrArray *old, *fresh;       /* of LsPolyLeaf: of the whole function */
  GHashTable *numbers;          /* Block -> number of its old leaf + 1 */
} Orders;

static gboolean
has_load (gpointer node)
{
  return (LS_NODE (node)->facts & LS_FACT_HAS_LOAD) != 0;
}

static gboolean
leaf_depends_on_data (LsPolyLeaf *leaf)
{
  for (guint i = 0; i < leaf->loops->len; i++)
    if (has_load (((LsFor *) leaf->loops->pdata[i])->extent) || has_load (((LsFor *) leaf->loops->pdata[i])->min))
      return TRUE;
  for (guint i = 0; i < leaf->conditions->len; i++)
    if (has_load (leaf->conditions->pdata[i]))
      return TRUE;
  for (guint i = 0; i < leaf->accesses->len; i++)
    {
      LsPolyAccess *access = &g_array_index (leaf->accesses, LsPolyAccess, i);

      if (has_load (access->indices) || access->is_vague)
        return TRUE;
      for (guint k = 0; k < access->conditions->len; k++)
        if (has_load (access->conditions->pdata[k]))
          return TRUE;
      for (guint k = 0; k < access->inner->len; k++)
        if (has_load (((LsFor *) access->inner->pdata[k])->extent))
          return TRUE;
    }
  return FALSE;
}

static LsPolyLeaf *
leaf_of (GPtrArray *leaves,
         LsNode    *key,
         guint     *number)
{
  for (guint i = 0; i < leaves->len; i++)
    if (((LsPolyLeaf *) leaves->pdata[i])->key == key)
      {
        *number = i;
        return leaves->pdata[i];
      }
  return NULL;
}

static gint64
value_in (LsPolyLeaf *old,
          LsFor      *loop,
          LsInstance *instance)
{
  for (guint i = 0; i < old->loops->len && i < instance->n_values; i++)
    if (((LsFor *) old->loops->pdata[i])->loop_var == loop->loop_var)
      return instance->values[i];
  return 0;
}

typedef enum { STAYS, TURNS, AT_ONCE, UNKNOWN } Outcome;

/* How `to` comes to `from` in the new program. */
static Outcome
outcome_of (Orders     *self,
            LsInstance *from,
            LsInstance *to)
{
  guint number_a = 0, number_b = 0, number;
  LsPolyLeaf *old_a = leaf_of (self->old, LS_NODE (from->block), &number), *old_b = leaf_of (self->old, LS_NODE (to->block), &number);
  LsPolyLeaf *a = leaf_of (self->fresh, LS_NODE (from->block), &number_a), *b = leaf_of (self->fresh, LS_NODE (to->block), &number_b);

  if (old_a == NULL || old_b == NULL || a == NULL || b == NULL || !ls_poly_has_same_loops (old_a, a) || !ls_poly_has_same_loops (old_b, b))
    return UNKNOWN;
  for (guint k = 0; k < MIN (a->loops->len, b->loops->len) && a->loops->pdata[k] == b->loops->pdata[k]; k++)
    {
      LsFor *loop = a->loops->pdata[k];
      gint64 first = value_in (old_a, loop, from), second = value_in (old_b, loop, to);

      if (first == second)
        continue;
      if (loop->kind != LS_FOR_SERIAL && loop->kind != LS_FOR_UNROLLED)
        return AT_ONCE;
      return first < second ? STAYS : TURNS;
    }
  return number_a <= number_b ? STAYS : TURNS;
}

/* Does the leaf add into the buffer?  *reads_elsewhere: it also reads it at other elements than it adds to. */
static gboolean
adds_into (LsPolyLeaf *leaf,
           LsBuffer   *buffer,
           gboolean   *reads_elsewhere)
{
  gboolean adds = FALSE;

  *reads_elsewhere = FALSE;
  for (guint i = 0; i < leaf->accesses->len; i++)
    {
      LsPolyAccess *access = &g_array_index (leaf->accesses, LsPolyAccess, i);

      if (access->buffer->data != buffer->data)
        continue;
      adds |= access->role == LS_ACCESS_ADDS;
      *reads_elsewhere |= access->role == LS_ACCESS_PLAIN;
    }
  return adds;
}

static gboolean
is_parameter (LsPrimFunc *func,
              LsBuffer   *buffer)
{
  for (guint i = 0; i < ls_array_n (func->buffers); i++)
    if (func->buffers->items[i] != NULL && ls_array_at (func->buffers, i, LsBuffer)->data == buffer->data)
      return TRUE;
  return FALSE;
}

static void
take_round (LsPolyRound *round,
            LsPolyLeaf  *leaf,
            LsInstance  *instance)
{
  round->block = instance->block;
  round->vars = g_ptr_array_new ();
  round->values = g_array_new (FALSE, FALSE, sizeof (gint64));
  for (guint i = 0; i < leaf->loops->len && i < instance->n_values; i++)
    {
      g_ptr_array_add (round->vars, ((LsFor *) leaf->loops->pdata[i])->loop_var);
      g_array_append_val (round->values, instance->values[i]);
    }
}

/* TRUE: a pair changes places, and it is in the verdict; or it cannot be told. */
static gboolean
look_at (Orders         *self,
         LsPrimFunc     *func,
         LsIterationDeps *deps,
         LsIterationDep *dep,
         LsPolyVerdict  *verdict)
{
  LsInstance *from = &g_array_index (deps->instances, LsInstance, dep->from), *to = &g_array_index (deps->instances, LsInstance, dep->to);
  Outcome outcome = outcome_of (self, from, to);
  gboolean reads_elsewhere;
  guint number;
  LsPolyLeaf *a, *b;

  if (outcome == STAYS)
    return FALSE;
  a = leaf_of (self->old, LS_NODE (from->block), &number);
  b = leaf_of (self->old, LS_NODE (to->block), &number);
  /* the terms of one sum may come in any order, but the run does not tell whether it met one sum or what one reads of another */
  if (a != NULL && a == b && outcome == TURNS && adds_into (a, dep->buffer, &reads_elsewhere))
    return reads_elsewhere;
  /* a temporary may be other memory in each round */
  if (outcome == UNKNOWN || (dep->kind != LS_ITERATION_RAW && !is_parameter (func, dep->buffer)))
    return TRUE;
  verdict->answer = LS_POLY_BROKEN;
  verdict->by_run = TRUE;
  verdict->kind = dep->kind == LS_ITERATION_RAW ? LS_POLY_RAW : dep->kind == LS_ITERATION_WAR ? LS_POLY_WAR : LS_POLY_WAW;
  verdict->buffer = dep->buffer;
  verdict->at_once = outcome == AT_ONCE;
  take_round (&verdict->first, a, from);
  take_round (&verdict->second, b, to);
  return TRUE;
}

/* TRUE: a pair changes places, and it is in the verdict; or one cannot be told. */
static gboolean
look_at_all (Orders          *self,
             LsPrimFunc      *func,
             LsIterationDeps *deps,
             LsPolyVerdict   *verdict)
{
  gboolean found = FALSE;

  for (guint i = 0; verdict->answer == LS_POLY_UNDECIDED && i < deps->deps->len; i++)
    found |= look_at (self, func, deps, &g_array_index (deps->deps, LsIterationDep, i), verdict);
  return found;
}

void
ls_poly_run (LsPrimFunc    *func,
             LsStmt        *after,
             LsPolyVerdict *verdict)
{
  const char *reason = NULL;
  g_autoptr(GPtrArray) old = ls_poly_leaves (func->body, &reason);
  g_autoptr(GPtrArray) fresh = reason == NULL ? ls_poly_leaves (after, &reason) : NULL;
  g_autoptr(LsIterationDeps) deps = reason == NULL ? ls_iteration_deps (func, MAX_ROUNDS, NULL) : NULL;
  Orders orders = { old, fresh, NULL };
  gboolean depends = FALSE, found;

  if (deps == NULL)
    return;
  found = look_at_all (&orders, func, deps, verdict);
  for (guint i = 0; i < old->len; i++)
    depends |= leaf_depends_on_data (old->pdata[i]);
  for (guint32 seed = 1; depends && seed <= RANDOM_RUNS && verdict->answer == LS_POLY_UNDECIDED; seed++)
    {
      g_autoptr(LsIterationDeps) others = ls_iteration_deps_on (func, MAX_ROUNDS, seed, NULL);

      if (others != NULL)
        look_at_all (&orders, func, others, verdict);
      verdict->on_random = verdict->answer == LS_POLY_BROKEN;
    }
  if (depends || found || verdict->answer != LS_POLY_UNDECIDED)
    return;
  verdict->answer = LS_POLY_KEPT;
  verdict->by_run = TRUE;
}
