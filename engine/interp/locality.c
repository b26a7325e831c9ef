/* locality: see the header. */
#include "engine/interp/locality.h"

#include "engine/base/host-caches.h"

#include <string.h>

#define PAGE_LINES 64           /* of 4 KiB */
#define MOST_LINES (1 << 24)    /* of a cache that is simulated: 1 GiB */

/* ---- distances ------------------------------------------------------------------------- */

/* The touches that come one after another at one place: the program, or a cache. */
typedef struct {
  guint32    *tree;             /* Fenwick: a one at the last touch of each line */
  guint       n;                /* touches there can be */
  guint       now;              /* touches there were */
  GHashTable *last;             /* line -> number of its last touch, from 1 */
} Stack;

static void
stack_init (Stack *self,
            guint  n)
{
  self->tree = g_new0 (guint32, n + 1);
  self->n = n;
  self->now = 0;
  self->last = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
}

static void
stack_clear (Stack *self)
{
  g_free (self->tree);
  g_hash_table_unref (self->last);
}

static void
stack_add (Stack *self,
           guint  at,
           int    what)
{
  for (; at <= self->n; at += at & -at)
    self->tree[at] += (guint32) what;
}

static gint64
stack_sum (Stack *self,
           guint  at)
{
  gint64 sum = 0;

  for (; at > 0; at -= at & -at)
    sum += self->tree[at];
  return sum;
}

/* The distance to the touch before, -1: it is the first of this line. */
static gint64
stack_touch (Stack  *self,
             gint64  line)
{
  gpointer key, before;
  gboolean known = g_hash_table_lookup_extended (self->last, &line, &key, &before);
  guint at = ++self->now;
  gint64 distance = -1;

  if (known)
    {
      distance = stack_sum (self, at - 1) - stack_sum (self, GPOINTER_TO_UINT (before));
      stack_add (self, GPOINTER_TO_UINT (before), -1);
    }
  stack_add (self, at, 1);
  g_hash_table_insert (self->last, g_memdup2 (&line, sizeof line), GUINT_TO_POINTER (at));
  return distance;
}

/* ---- one cache ------------------------------------------------------------------------------ */

typedef struct {
  Stack   stack;                /* of what it is asked for */
  gint64 *lines;                /* sets of `ways`, the one used last first; line + 1, 0: empty */
  gint64  n_lines;
  guint   ways;
} Cache;

static void
cache_init (Cache              *self,
            const LsCacheLevel *level,
            guint               n)
{
  gint64 n_lines = CLAMP (level->bytes / LS_ACCESS_LINE_BYTES, 1, MOST_LINES);

  stack_init (&self->stack, n);
  self->ways = (guint) CLAMP ((gint64) level->ways, 1, n_lines);
  self->n_lines = n_lines / self->ways * self->ways;
  self->lines = g_new0 (gint64, self->n_lines);
}

static void
cache_clear (Cache *self)
{
  stack_clear (&self->stack);
  g_free (self->lines);
}

/* Whether it had the line; it has it now. */
static gboolean
cache_look (Cache  *self,
            gint64  line)
{
  gint64 *set = self->lines + line % (self->n_lines / self->ways) * self->ways;
  guint at = 0;
  gboolean hit;

  while (at + 1 < self->ways && set[at] != line + 1)
    at++;
  hit = set[at] == line + 1;
  memmove (set + 1, set, at * sizeof *set);
  set[0] = line + 1;
  return hit;
}

/* FALSE: a miss, which is counted by its cause. */
static gboolean
cache_touch (Cache    *self,
             gint64    line,
             LsMisses *of_buffer,
             LsMisses *of_all)
{
  gint64 distance = stack_touch (&self->stack, line);

  if (cache_look (self, line))
    return TRUE;
  if (distance < 0)
    {
      of_buffer->cold++;
      of_all->cold++;
    }
  else if (distance >= self->n_lines)
    {
      of_buffer->capacity++;
      of_all->capacity++;
    }
  else
    {
      of_buffer->conflict++;
      of_all->conflict++;
    }
  return FALSE;
}

/* ---- all of it --------------------------------------------------------------------------------- */

static int
by_size (gconstpointer a,
         gconstpointer b)
{
  gint64 first = *(const gint64 *) a, second = *(const gint64 *) b;

  return first < second ? -1 : first > second;
}

/* Puts the distances in order. */
static void
row_finish (LsLocalityRow *self,
            GArray        *distances)
{
  g_array_sort (distances, by_size);
  self->min = self->median = self->max = -1;
  if (distances->len == 0)
    return;
  self->min = g_array_index (distances, gint64, 0);
  self->median = g_array_index (distances, gint64, (distances->len - 1) / 2);
  self->max = g_array_index (distances, gint64, distances->len - 1);
}

static void
note (LsLocalityRow *row,
      GArray        *distances,
      gint64         distance)
{
  row->touches++;
  if (distance < 0)
    row->cold++;
  else
    g_array_append_val (distances, distance);
}

LsLocality *
ls_locality_of_touches (const LsLineTouch  *touches,
                        guint               n,
                        guint               n_buffers,
                        const LsCacheLevel *levels,
                        guint               n_levels)
{
  LsLocality *self = g_new0 (LsLocality, 1);
  GArray **distances = g_new (GArray *, n_buffers + 1);
  Cache caches[LS_LOCALITY_LEVELS];
  Stack stack;

  self->n_levels = MIN (n_levels, LS_LOCALITY_LEVELS);
  memcpy (self->levels, levels, self->n_levels * sizeof *levels);
  self->n_buffers = n_buffers;
  self->buffers = g_new0 (LsLocalityRow, n_buffers + 1);
  for (guint i = 0; i <= n_buffers; i++)
    distances[i] = g_array_new (FALSE, FALSE, sizeof (gint64));
  for (guint i = 0; i < self->n_levels; i++)
    cache_init (&caches[i], &levels[i], n);
  stack_init (&stack, n);
  for (guint t = 0; t < n; t++)
    {
      LsLocalityRow *row = &self->buffers[touches[t].buffer];
      gint64 distance = stack_touch (&stack, touches[t].line);

      note (row, distances[touches[t].buffer], distance);
      note (&self->all, distances[n_buffers], distance);
      for (guint i = 0; i < self->n_levels && !cache_touch (&caches[i], touches[t].line, &row->misses[i], &self->all.misses[i]); i++)
        continue;
    }
  for (guint i = 0; i <= n_buffers; i++)
    {
      row_finish (i < n_buffers ? &self->buffers[i] : &self->all, distances[i]);
      g_array_unref (distances[i]);
    }
  for (guint i = 0; i < self->n_levels; i++)
    cache_clear (&caches[i]);
  stack_clear (&stack);
  g_free (distances);
  return self;
}

LsLocality *
ls_locality_new (const LsAccessOrder *order,
                 const LsCacheLevel  *levels,
                 guint                n_levels)
{
  guint n_buffers = order->buffers->len, n = order->accesses->len;
  g_autofree gint64 *begins = g_new0 (gint64, n_buffers + 1);
  g_autofree LsLineTouch *touches = g_new0 (LsLineTouch, n + 1);

  for (guint i = 0; i < n_buffers; i++)
    {
      const LsAccessBuffer *buffer = &g_array_index (order->buffers, LsAccessBuffer, i);
      gint64 lines = (buffer->n * buffer->bytes + LS_ACCESS_LINE_BYTES - 1) / LS_ACCESS_LINE_BYTES;

      begins[i + 1] = begins[i] + (lines + PAGE_LINES - 1) / PAGE_LINES * PAGE_LINES;
    }
  for (guint i = 0; i < n; i++)
    {
      const LsAccess *access = &g_array_index (order->accesses, LsAccess, i);
      gint64 byte = access->element * g_array_index (order->buffers, LsAccessBuffer, access->buffer).bytes;

      touches[i] = (LsLineTouch) { begins[access->buffer] + byte / LS_ACCESS_LINE_BYTES, access->buffer };
    }
  return ls_locality_of_touches (touches, n, n_buffers, levels, n_levels);
}

void
ls_locality_free (LsLocality *self)
{
  if (self == NULL)
    return;
  g_free (self->buffers);
  g_free (self);
}

/* ---- this machine ---------------------------------------------------------------------------------- */

gboolean
ls_cache_levels (LsCacheLevel  levels[LS_LOCALITY_LEVELS],
                 guint        *n)
{
  static const LsCacheLevel assumed[LS_LOCALITY_LEVELS] = { { 32 << 10, 8 }, { 512 << 10, 8 }, { 16 << 20, 16 } };

  *n = 0;
  for (guint i = 0; i < LS_LOCALITY_LEVELS; i++)
    {
      gint64 bytes;
      guint ways;

      if (!ls_host_cache (NULL, (int) i + 1, &bytes, &ways) || bytes < LS_ACCESS_LINE_BYTES)
        break;
      levels[(*n)++] = (LsCacheLevel) { bytes, ways > 0 ? ways : assumed[i].ways };
    }
  if (*n > 0)
    return TRUE;
  memcpy (levels, assumed, sizeof assumed);
  *n = LS_LOCALITY_LEVELS;
  return FALSE;
}
