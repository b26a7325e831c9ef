/* foreign: a block that goes under a loop of threads reads what other threads make.
 *
 * A consumer is cut to the interval around what its producers write under the given loop.  Of a fused loop that interval holds
 * more than this thread writes:
 *
 *   t = 0 writes X[0, 0..3]   t = 1 writes X[0, 4..7]   t = 2 writes X[0, 8], X[1, 0..2]: the interval is all of the two rows
 *
 * One round after the other that does no harm, since the last copy of each element is the right one.  Of threads, which run at the
 * same time, one copies what it has not made over what another one made.  Where the block runs once for each instance nothing is to
 * be feared; else the rounds are gone through, where there are not too many.
 */
#include "engine/schedule/legal/legal.h"

#include "engine/interp/interp.h"

#include <string.h>

#define MAX_POINTS 65536

typedef struct {
  LsVar   *var;
  LsExpr  *min, *extent;
  gint64   value;
  gboolean apart;               /* its rounds run at the same time */
  gboolean is_lane;             /* of them those of threadIdx */
} Loop;

typedef struct {
  GArray     *loops;            /* of Loop: those around, then those of the block that is gone through */
  guint       n_common;
  GHashTable *point;            /* LsVar -> gint64 * */
  GHashTable *made;             /* "X[1, 2] | t = 0": set */
  GHashTable *maker;            /* "X[1, 2] | shared by" -> "t = 0" */
  guint       points;
  gboolean    undecided;
  char       *element, *reader, *other;       /* the witness */
} Search;

typedef void (*OnElement) (Search *self, LsBuffer *buffer, const char *element);

static gboolean
runs_apart (LsFor *loop)
{
  return loop->kind == LS_FOR_PARALLEL || loop->kind == LS_FOR_VECTORIZED || loop->kind == LS_FOR_THREAD_BINDING;
}

static void
add_loop (Search *self,
          LsFor  *loop)
{
  const char *tag = loop->thread_binding != NULL ? loop->thread_binding->thread_tag : NULL;
  Loop one = { loop->loop_var, loop->min, loop->extent, 0, runs_apart (loop), tag != NULL && g_str_has_prefix (tag, "threadIdx") };

  g_array_append_val (self->loops, one);
}

static gboolean
value_of (Search *self,
          LsExpr *expr,
          gint64 *value)
{
  double real = 0;

  if (ls_as_int (expr, value))
    return TRUE;
  if (ls_interp_eval (expr, self->point, value, &real, NULL))
    return TRUE;
  self->undecided = TRUE;
  return FALSE;
}

/* "t = 0, u = 3": the rounds that run at the same time and do not share the buffer. */
static char *
thread_text (Search   *self,
             LsBuffer *buffer)
{
  gboolean shared = g_str_has_prefix (ls_buffer_scope (buffer), "shared");
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->n_common; i++)
    {
      Loop *loop = &g_array_index (self->loops, Loop, i);

      if (loop->apart && !(shared && loop->is_lane))
        g_string_append_printf (text, "%s%s = %" PRId64, text->len > 0 ? ", " : "", loop->var->name, loop->value);
    }
  return g_string_free (text, FALSE);
}

static void
note_made (Search     *self,
           LsBuffer   *buffer,
           const char *element)
{
  char *thread = thread_text (self, buffer);

  g_hash_table_add (self->made, g_strconcat (element, " | ", thread, NULL));
  if (!g_hash_table_contains (self->maker, element))
    g_hash_table_insert (self->maker, g_strdup (element), thread);
  else
    g_free (thread);
}

static void
look_up (Search     *self,
         LsBuffer   *buffer,
         const char *element)
{
  g_autofree char *thread = thread_text (self, buffer);
  g_autofree char *key = g_strconcat (element, " | ", thread, NULL);
  const char *other = g_hash_table_lookup (self->maker, element);

  if (self->element != NULL || other == NULL || g_hash_table_contains (self->made, key))
    return;
  self->element = g_strdup (element);
  self->reader = g_steal_pointer (&thread);
  self->other = g_strdup (other);
}

static void
each_element (Search         *self,
              LsBufferRegion *region,
              guint           dim,
              const char     *before,
              OnElement       on_element)
{
  LsRange *range;
  gint64 min, extent;

  if (dim == ls_array_n (region->region))
    {
      g_autofree char *element = g_strconcat (before, dim > 0 ? "]" : "", NULL);

      self->undecided |= ++self->points > MAX_POINTS;
      on_element (self, region->buffer, element);
      return;
    }
  range = ls_array_at (region->region, dim, LsRange);
  if (!value_of (self, range->min, &min) || !value_of (self, range->extent, &extent))
    return;
  for (gint64 i = 0; i < extent && !self->undecided; i++)
    {
      g_autofree char *text = g_strdup_printf ("%s%s%" PRId64, before, dim > 0 ? ", " : "[", min + i);

      each_element (self, region, dim + 1, text, on_element);
    }
}

/* All rounds from loop number `at` inwards. */
static void
go_through (Search         *self,
            guint           at,
            LsBlockRealize *realize,
            LsArray        *regions,
            GPtrArray      *buffers,
            OnElement       on_element)
{
  g_autofree gint64 *values = NULL;
  gint64 value, min, extent;

  if (self->undecided)
    return;
  if (at < self->loops->len)
    {
      Loop *loop = &g_array_index (self->loops, Loop, at);

      if (!value_of (self, loop->min, &min) || !value_of (self, loop->extent, &extent))
        return;
      g_hash_table_insert (self->point, loop->var, &loop->value);
      for (gint64 i = 0; i < extent && !self->undecided && self->element == NULL; i++)
        {
          loop->value = min + i;
          go_through (self, at + 1, realize, regions, buffers, on_element);
        }
      return;
    }
  self->undecided |= ++self->points > MAX_POINTS;
  if (!value_of (self, realize->predicate, &value) || value == 0)
    return;
  values = g_new0 (gint64, ls_array_n (realize->iter_values));
  for (guint i = 0; i < ls_array_n (realize->iter_values); i++)
    if (!value_of (self, ls_array_at (realize->iter_values, i, LsExpr), &values[i]))
      return;
  for (guint i = 0; i < ls_array_n (realize->iter_values); i++)
    g_hash_table_insert (self->point, ls_array_at (realize->block->iter_vars, i, LsIterVar)->var, &values[i]);
  for (guint i = 0; i < ls_array_n (regions); i++)
    if (g_ptr_array_find (buffers, ls_array_at (regions, i, LsBufferRegion)->buffer, NULL))
      each_element (self, ls_array_at (regions, i, LsBufferRegion), 0, ls_array_at (regions, i, LsBufferRegion)->buffer->name, on_element);
}

/* The loops around `loop` and itself, outermost first. FALSE: none of them runs its rounds at the same time. */
static gboolean
begin (Search  *self,
       LsState *state,
       LsSref  *loop)
{
  gboolean apart = FALSE;
  g_autoptr(GPtrArray) around = g_ptr_array_new ();

  for (LsSref *p = loop; p != NULL && ls_is (p->stmt, FOR); p = p->parent)
    g_ptr_array_insert (around, 0, p);
  for (guint i = 0; i < around->len; i++)
    {
      LsFor *one = ls_sref_for ((LsSref *) around->pdata[i]);

      add_loop (self, one);
      apart |= runs_apart (one);
    }
  self->n_common = self->loops->len;
  return apart;
}

static void
what_is_made (Search    *self,
              LsState   *state,
              LsSref    *loop,
              GPtrArray *producers,
              GPtrArray *buffers)
{
  for (guint i = 0; i < producers->len; i++)
    {
      LsSref *producer = producers->pdata[i];
      LsBlockRealize *realize = ls_state_realize (state, producer);
      g_autoptr(GPtrArray) inside = g_ptr_array_new ();

      g_array_set_size (self->loops, self->n_common);
      for (LsSref *p = producer->parent; p != NULL && p != loop && ls_is (p->stmt, FOR); p = p->parent)
        g_ptr_array_insert (inside, 0, p);
      for (guint k = 0; k < inside->len; k++)
        add_loop (self, ls_sref_for ((LsSref *) inside->pdata[k]));
      go_through (self, 0, realize, realize->block->writes, buffers, note_made);
    }
}

static gboolean
runs_once_each (LsState        *state,
                LsSref         *loop,
                LsStmt         *nest,
                LsBlockRealize *realize)
{
  g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr(LsDomMap) loops = ls_legal_nest_loops (state, loop, nest);

  return ls_is_affine_binding (realize, loops, analyzer);
}

#define FOREIGN LS_TEXT ("%s is made in the round %s; block %s would read it in the round %s, which runs at the same time and does not make it.")

gboolean
ls_legal_own_values (LsMove         *move,
                     LsDiagnostics  *diagnostics,
                     LsSref         *loop,
                     GPtrArray      *producers,
                     LsStmt         *nest,
                     LsBlockRealize *realize)
{
  gboolean strict = ls_schedule_is_strict (move->schedule);
  g_autoptr(GArray) loops = g_array_new (FALSE, FALSE, sizeof (Loop));
  g_autoptr(GHashTable) point = g_hash_table_new (NULL, NULL);
  g_autoptr(GHashTable) made = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr(GHashTable) maker = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr(GPtrArray) buffers = g_ptr_array_new ();
  Search self = { .loops = loops, .point = point, .made = made, .maker = maker };
  gboolean found;

  if ((!strict && diagnostics == NULL) || !begin (&self, move->state, loop) || runs_once_each (move->state, loop, nest, realize))
    return TRUE;
  for (guint i = 0; i < producers->len; i++)
    {
      LsArray *writes = ls_sref_block ((LsSref *) producers->pdata[i])->writes;

      for (guint k = 0; k < ls_array_n (writes); k++)
        g_ptr_array_add (buffers, ls_array_at (writes, k, LsBufferRegion)->buffer);
    }
  what_is_made (&self, move->state, loop, producers, buffers);
  g_array_set_size (loops, self.n_common);
  for (LsStmt *at = nest; ls_is (at, FOR); at = ((LsFor *) at)->body)
    add_loop (&self, (LsFor *) at);
  if (!self.undecided)
    go_through (&self, 0, realize, realize->block->reads, buffers, look_up);
  found = self.element != NULL;
  if (found && strict)
    ls_move_refuse (move, diagnostics, "foreign", realize->block, FOREIGN, self.element, self.other, realize->block->name_hint, self.reader);
  else if (found)
    ls_move_warn (move, diagnostics, "foreign", realize->block, FOREIGN, self.element, self.other, realize->block->name_hint, self.reader);
  g_free (self.element);
  g_free (self.reader);
  g_free (self.other);
  return !found || !strict;
}
