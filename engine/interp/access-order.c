/* access-order: see the header.
 *
 * An observer is told of every statement that touches memory, which begins a moment, and of every access, which belongs to it.
 * What would make the order depend on data is looked for before (access-data.c).
 */
#include "engine/interp/access-order.h"

#include "engine/interp/access-private.h"
#include "engine/interp/observer.h"

#include <string.h>

#define MOST_STATEMENTS 4000000 /* a program that hardly touches memory ends too */
#define MOST_LOOPS 64           /* around a statement whose values are told */

/* ---- one cache ------------------------------------------------------------------------ */

typedef struct {
  gint64  key;                  /* line and buffer */
  guint64 used;                 /* bit i: byte i was touched since it came */
  gint    older, newer;         /* in the order of the last use; -1: none */
} Line;

typedef struct {
  Line        lines[LS_ACCESS_LINES];
  guint       n;
  gint        oldest, newest;
  GHashTable *by_key;           /* key -> number + 1 */
  guint32     fetched;
  gint64      used;             /* bytes of lines that have left */
} Cache;

static void
unlink_line (Cache *self,
             gint   at)
{
  Line *line = &self->lines[at];

  if (line->older >= 0)
    self->lines[line->older].newer = line->newer;
  else
    self->oldest = line->newer;
  if (line->newer >= 0)
    self->lines[line->newer].older = line->older;
  else
    self->newest = line->older;
}

static void
append_line (Cache *self,
             gint   at)
{
  self->lines[at].older = self->newest;
  self->lines[at].newer = -1;
  if (self->newest >= 0)
    self->lines[self->newest].newer = at;
  else
    self->oldest = at;
  self->newest = at;
}

/* Whether the line had to be fetched. */
static gboolean
cache_touch (Cache  *self,
             gint64  key,
             guint64 bytes)
{
  gint at = GPOINTER_TO_INT (g_hash_table_lookup (self->by_key, &key)) - 1;
  gboolean is_new = at < 0;

  if (is_new)
    {
      if (self->n < LS_ACCESS_LINES)
        at = (gint) self->n++;
      else
        {
          at = self->oldest;
          self->used += __builtin_popcountll (self->lines[at].used);
          g_hash_table_remove (self->by_key, &self->lines[at].key);
          unlink_line (self, at);
        }
      self->lines[at].key = key;
      self->lines[at].used = 0;
      g_hash_table_insert (self->by_key, &self->lines[at].key, GINT_TO_POINTER (at + 1));
      self->fetched++;
    }
  else
    unlink_line (self, at);
  append_line (self, at);
  self->lines[at].used |= bytes;
  return is_new;
}

static double
cache_used (Cache *self)
{
  gint64 used = self->used;

  for (guint i = 0; i < self->n; i++)
    used += __builtin_popcountll (self->lines[i].used);
  return self->fetched > 0 ? (double) used / self->fetched : 0.0;
}

/* ---- following the run ------------------------------------------------------------------ */

typedef struct {
  LsAccessOrder *order;
  GHashTable    *aliases;       /* data variable -> that whose memory it is a part of */
  GHashTable    *numbers;       /* data variable -> number of the buffer + 1 */
  Cache          cache;
  guint          most;
  GHashTable    *known;         /* number of a statement + 1 -> its place + 1 */
  guint          place;         /* of the statement under way */
  guint          n_values;
  gint64         values[MOST_LOOPS];
  gboolean       is_fresh;      /* no access since it began */
} Follower;

/* Does the statement itself touch memory, its parts left out? */
static gboolean
touches_memory (LsNode *node)
{
  switch ((int) ls_kind (node))
    {
    case LS_KIND_BUFFER_STORE:
    case LS_KIND_EVALUATE:
      return TRUE;
    case LS_KIND_IF_THEN_ELSE:
      return (LS_NODE (((LsIfThenElse *) node)->condition)->facts & LS_FACT_HAS_LOAD) != 0;
    case LS_KIND_LET_STMT:
      return (LS_NODE (((LsLetStmt *) node)->value)->facts & LS_FACT_HAS_LOAD) != 0;
    case LS_KIND_ASSERT_STMT:
      return (LS_NODE (((LsAssertStmt *) node)->condition)->facts & LS_FACT_HAS_LOAD) != 0;
    default:
      return FALSE;
    }
}

static guint
reach (LsRun      *run,
       LsPrimFunc *func,
       LsNode     *node,
       guint       number,
       guint       wanted,
       gpointer    user_data)
{
  return (wanted & LS_SEE_STATEMENT) != 0 && !touches_memory (node) ? 0 : wanted;
}

static guint
add_place (Follower  *self,
           LsRun     *run,
           LsVar    **vars)
{
  LsAccessPlace *place = g_new0 (LsAccessPlace, 1);
  LsBlock *block = ls_run_block (run);

  place->n_loops = self->n_values;
  place->loops = g_new0 (char *, place->n_loops + 1);
  place->block = block != NULL ? g_strdup (block->name_hint) : NULL;
  for (guint i = 0; i < place->n_loops; i++)
    place->loops[i] = g_strdup (vars[i]->name);
  g_ptr_array_add (self->order->places, place);
  return self->order->places->len;
}

static void
begin_moment (Follower         *self,
              LsRun            *run,
              const LsRunEvent *event)
{
  LsVar *vars[MOST_LOOPS];
  guint place;

  self->n_values = MIN (ls_run_loops (run, FALSE, MOST_LOOPS, vars, self->values), MOST_LOOPS);
  place = GPOINTER_TO_UINT (g_hash_table_lookup (self->known, GUINT_TO_POINTER (event->number + 1)));
  if (place == 0)
    {
      place = add_place (self, run, vars);
      g_hash_table_insert (self->known, GUINT_TO_POINTER (event->number + 1), GUINT_TO_POINTER (place));
    }
  self->place = place - 1;
  self->is_fresh = TRUE;
}

static LsVar *
memory_of (Follower *self,
           LsVar    *data)
{
  LsVar *of;

  while ((of = g_hash_table_lookup (self->aliases, data)) != NULL && of != data)
    data = of;
  return data;
}

static guint
number_of (Follower *self,
           LsBuffer *buffer)
{
  LsVar *data = memory_of (self, buffer->data);
  guint known = GPOINTER_TO_UINT (g_hash_table_lookup (self->numbers, data));
  LsAccessBuffer made = { .name = g_strdup (buffer->name), .n = 1, .bytes = MAX (1u, ls_dtype_bytes (buffer->dtype)) };

  if (known > 0)
    {
      g_free (made.name);
      return known - 1;
    }
  made.ndim = ls_array_n (buffer->shape);
  made.shape = g_new0 (gint64, MAX (made.ndim, 1));
  for (guint i = 0; i < made.ndim; i++)
    if (!ls_as_int (buffer->shape->items[i], &made.shape[i]) || __builtin_mul_overflow (made.n, made.shape[i], &made.n))
      made.n = 0;
  if (made.ndim == 0 || ls_array_n (buffer->strides) > 0 || data != buffer->data)
    {
      made.ndim = 1;
      made.shape[0] = made.n;
    }
  g_array_append_val (self->order->buffers, made);
  g_hash_table_insert (self->numbers, data, GUINT_TO_POINTER (self->order->buffers->len));
  return self->order->buffers->len - 1;
}

/* An element beyond its shape (it is a part of something larger): the shape goes. */
static void
include_element (LsAccessBuffer *buffer,
                 gint64          element)
{
  if (element < buffer->n)
    return;
  buffer->n = element + 1;
  buffer->ndim = 1;
  buffer->shape[0] = buffer->n;
}

static void
note_access (Follower         *self,
             LsRun            *run,
             const LsRunEvent *access)
{
  LsAccessOrder *order = self->order;
  LsAccess made = { 0 };
  LsAccessBuffer *buffer;
  guint64 bytes;
  gint64 at;

  if (order->accesses->len >= self->most)
    {
      order->stopped = TRUE;
      ls_run_stop (run);
      return;
    }
  if (self->is_fresh)
    {
      LsAccessMoment moment = { self->place, order->values->len };

      g_array_append_vals (order->values, self->values, self->n_values);
      g_array_append_val (order->moments, moment);
      self->is_fresh = FALSE;
    }
  made.buffer = (guint16) number_of (self, access->buffer);
  buffer = &g_array_index (order->buffers, LsAccessBuffer, made.buffer);
  at = access->element * (gint64) MAX (1u, ls_dtype_bytes (access->buffer->dtype));
  made.element = at / buffer->bytes;
  include_element (buffer, made.element);
  bytes = buffer->bytes >= 64 ? G_MAXUINT64 : (((guint64) 1 << buffer->bytes) - 1) << (at % LS_ACCESS_LINE_BYTES);
  made.is_new = cache_touch (&self->cache, ((gint64) made.buffer << 48) | at / LS_ACCESS_LINE_BYTES, bytes);
  made.is_write = access->kind == LS_SEE_WRITE;
  made.lines = self->cache.fetched;
  made.moment = order->moments->len - 1;
  g_array_append_val (order->accesses, made);
}

static void
see (LsRun            *run,
     const LsRunEvent *event,
     gpointer          user_data)
{
  if (event->kind == LS_SEE_STATEMENT)
    begin_moment (user_data, run, event);
  else
    note_access (user_data, run, event);
}

static const LsObserver observer = { LS_SEE_STATEMENT | LS_SEE_READ | LS_SEE_WRITE, reach, see };

/* ---- one run ---------------------------------------------------------------------------- */

static LsWalk
note_alias (LsNode  *node,
            gpointer user_data)
{
  if (ls_is (node, MATCH_BUFFER_REGION))
    g_hash_table_insert (user_data, ((LsMatchBufferRegion *) node)->buffer->data, ((LsMatchBufferRegion *) node)->source->buffer->data);
  return LS_WALK_CONTINUE;
}

static void
place_free (gpointer data)
{
  LsAccessPlace *self = data;

  g_strfreev (self->loops);
  g_free (self->block);
  g_free (self);
}

static void
buffer_clear (gpointer data)
{
  g_free (((LsAccessBuffer *) data)->name);
  g_free (((LsAccessBuffer *) data)->shape);
}

static LsAccessOrder *
order_new (void)
{
  LsAccessOrder *self = g_new0 (LsAccessOrder, 1);

  self->buffers = g_array_new (FALSE, TRUE, sizeof (LsAccessBuffer));
  g_array_set_clear_func (self->buffers, buffer_clear);
  self->places = g_ptr_array_new_with_free_func (place_free);
  self->moments = g_array_new (FALSE, FALSE, sizeof (LsAccessMoment));
  self->values = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->accesses = g_array_new (FALSE, FALSE, sizeof (LsAccess));
  return self;
}

LsAccessOrder *
ls_access_order_new_of_run (LsPrimFunc         *func,
                            const LsInterpArg  *args,
                            guint               n_args,
                            guint               most,
                            GCancellable       *cancellable,
                            GError            **error)
{
  g_autoptr (LsAccessOrder) self = order_new ();
  g_autoptr (GHashTable) aliases = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) numbers = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) by_key = g_hash_table_new (g_int64_hash, g_int64_equal);
  g_autoptr (GError) trouble = NULL;
  g_autofree Follower *follower = g_new0 (Follower, 1);
  LsBudget budget;
  LsInterpOptions options = { .budget = &budget, .observer = &observer, .user_data = follower };

  *follower = (Follower) { .order = self, .aliases = aliases, .numbers = numbers, .known = known, .most = most };
  follower->cache.by_key = by_key;
  follower->cache.oldest = follower->cache.newest = -1;
  ls_walk (func->body, note_alias, NULL, aliases);
  ls_budget_init (&budget, MOST_STATEMENTS, cancellable);
  for (guint i = 0; i < n_args; i++)
    if (ls_prim_func_get_buffer (func, i) != NULL)
      number_of (follower, ls_prim_func_get_buffer (func, i));
  if (!ls_interp_run (func, args, n_args, &options, &trouble))
    {
      if (g_error_matches (trouble, LS_INTERP_ERROR, LS_INTERP_ERROR_BUDGET) && !g_cancellable_is_cancelled (cancellable))
        self->stopped = TRUE;
      if (!self->stopped)
        {
          g_propagate_error (error, g_steal_pointer (&trouble));
          return NULL;
        }
    }
  self->bytes_used = cache_used (&follower->cache);
  return g_steal_pointer (&self);
}

LsAccessOrder *
ls_access_order_new (LsPrimFunc    *func,
                     guint          most,
                     GCancellable  *cancellable,
                     GError       **error)
{
  g_autoptr (GArray) args = NULL;

  if (!ls_access_order_is_known (func, error))
    return NULL;
  args = ls_interp_zero_arguments (func, error);
  return args != NULL ? ls_access_order_new_of_run (func, (const LsInterpArg *) (const void *) args->data, args->len, most, cancellable, error) : NULL;
}

void
ls_access_order_free (LsAccessOrder *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->buffers);
  g_ptr_array_unref (self->places);
  g_array_unref (self->moments);
  g_array_unref (self->values);
  g_array_unref (self->accesses);
  g_free (self->data);
  g_free (self);
}

void
ls_access_indices (const LsAccessBuffer *buffer,
                   gint64                element,
                   gint64               *indices)
{
  for (guint i = buffer->ndim; i > 0; i--)
    {
      gint64 extent = MAX (buffer->shape[i - 1], 1);

      indices[i - 1] = i > 1 ? element % extent : element;
      element /= extent;
    }
}
