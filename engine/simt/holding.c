/* holding: which thread and register, or which place of shared memory, got which element: the copies of one block, watched while they happen. */
#include "engine/simt/layout.h"

#include "engine/simt/simt-private.h"

#include <string.h>

#define MOST_PAIRS (1u << 20)
#define MOST_THREADS 1024u

typedef struct {
  gint64 element, other;        /* in the memory of either buffer */
  guint  thread;
} Pair;

/* All copies between two buffers. */
typedef struct {
  LsSimtLayoutKind kind;
  LsBuffer        *buffer, *other;      /* what is shown; where it went */
  GArray          *pairs;               /* of Pair */
} Traffic;

/* The loads of a warp since it stored. */
typedef struct {
  guint     n;
  LsNode   *node;
  LsBuffer *buffer;
  LsSimtSpace space;
  LsSimtMask mask;
  guint     bytes;
  gint64    offsets[LS_SIMT_LANES];
} Loaded;

struct _LsSimtHolding {
  guint       kernel;
  gint64      block;
  guint       n_pairs;
  GArray     *warps;            /* of Loaded */
  GPtrArray  *traffic;
  GHashTable *sources;          /* store -> its only load, or the store itself where there are none or several */
};

static void
traffic_free (gpointer data)
{
  Traffic *self = data;

  ls_unref (self->buffer);
  ls_unref (self->other);
  g_array_unref (self->pairs);
  g_free (self);
}

LsSimtHolding *
ls_simt_holding_new (guint  kernel,
                     gint64 block)
{
  LsSimtHolding *self = g_new0 (LsSimtHolding, 1);

  self->kernel = kernel;
  self->block = block;
  self->warps = g_array_new (FALSE, TRUE, sizeof (Loaded));
  self->traffic = g_ptr_array_new_with_free_func (traffic_free);
  self->sources = g_hash_table_new (NULL, NULL);
  return self;
}

void
ls_simt_holding_free (LsSimtHolding *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->warps);
  g_ptr_array_unref (self->traffic);
  g_hash_table_unref (self->sources);
  g_free (self);
}

/* ---- seeing ---------------------------------------------------------------------------------- */

static LsWalk
find_load (LsNode  *node,
           gpointer data)
{
  GPtrArray *loads = data;

  if (ls_is (node, BUFFER_LOAD))
    g_ptr_array_add (loads, node);
  return LS_WALK_CONTINUE;
}

/* The only load in what a statement stores. */
static LsNode *
source_of (LsSimtHolding *self,
           LsNode        *store)
{
  LsNode *known = g_hash_table_lookup (self->sources, store);
  g_autoptr (GPtrArray) loads = NULL;

  if (known != NULL)
    return known;
  loads = g_ptr_array_new ();
  if (ls_is (store, BUFFER_STORE))
    ls_walk (((LsBufferStore *) store)->value, find_load, NULL, loads);
  known = loads->len == 1 ? loads->pdata[0] : store;
  g_hash_table_insert (self->sources, store, known);
  return known;
}

static Traffic *
traffic_of (LsSimtHolding    *self,
            LsSimtLayoutKind  kind,
            LsBuffer         *buffer,
            LsBuffer         *other)
{
  Traffic *traffic;

  for (guint i = 0; i < self->traffic->len; i++)
    {
      traffic = self->traffic->pdata[i];
      if (traffic->kind == kind && traffic->buffer->data == buffer->data && traffic->other->data == other->data)
        return traffic;
    }
  traffic = g_new0 (Traffic, 1);
  *traffic = (Traffic) { kind, ls_ref (buffer), ls_ref (other), g_array_new (FALSE, FALSE, sizeof (Pair)) };
  g_ptr_array_add (self->traffic, traffic);
  return traffic;
}

static void
pair (LsSimtHolding      *self,
      const Loaded       *from,
      const LsSimtAccess *to)
{
  LsBuffer *stored = to->what->buffer;
  gboolean keeps = to->what->space == LS_SIMT_LOCAL, gives = from->space == LS_SIMT_LOCAL;
  gboolean staged = from->space == LS_SIMT_GLOBAL && to->what->space == LS_SIMT_SHARED;
  guint from_size = ls_dtype_bytes (from->buffer->dtype), to_size = ls_dtype_bytes (stored->dtype);
  guint n = MIN (from->bytes / MAX (from_size, 1), to->bytes / MAX (to_size, 1));
  Traffic *traffic;

  if (!staged && keeps == gives)
    return;
  traffic = keeps ? traffic_of (self, LS_SIMT_LAYOUT_REGISTERS, from->buffer, stored)
            : traffic_of (self, gives ? LS_SIMT_LAYOUT_REGISTERS : LS_SIMT_LAYOUT_STAGED, gives ? stored : from->buffer, gives ? from->buffer : stored);
  for (guint lane = 0; lane < to->lanes; lane++)
    for (guint k = 0; k < n && (from->mask & to->mask) >> lane & 1 && self->n_pairs < MOST_PAIRS; k++)
      {
        gint64 source = from->offsets[lane] / from_size + k, target = to->offsets[lane] / to_size + k;
        Pair made = { gives ? target : source, gives ? source : target, to->warp * to->lanes + lane };

        g_array_append_val (traffic->pairs, made);
        self->n_pairs++;
      }
}

void
ls_simt_holding_see (LsSimtHolding      *self,
                     const LsSimtAccess *access)
{
  Loaded *loaded;

  if (access->kernel != self->kernel || access->block != self->block)
    return;
  if (access->warp >= self->warps->len)
    g_array_set_size (self->warps, access->warp + 1);
  loaded = &g_array_index (self->warps, Loaded, access->warp);
  if (!access->what->is_store)
    {
      loaded->n++;
      loaded->node = access->what->node;
      loaded->buffer = access->what->buffer;
      loaded->space = access->what->space;
      loaded->mask = access->mask;
      loaded->bytes = access->bytes;
      memcpy (loaded->offsets, access->offsets, access->lanes * sizeof (gint64));
      return;
    }
  /* an asynchronous copy is one call that loads and stores */
  if (loaded->n == 1 && (loaded->node == access->what->node ? !ls_is (loaded->node, BUFFER_STORE) : loaded->node == source_of (self, access->what->node)))
    pair (self, loaded, access);
  loaded->n = 0;
}

/* ---- telling --------------------------------------------------------------------------------- */

/* Elements from row to row of the buffer of that name, and its columns; FALSE: not known. */
static gboolean
row_of (LsPrimFunc *func,
        GPtrArray  *layouts,
        LsBuffer   *buffer,
        gint64     *pitch)
{
  for (guint i = 0; i < layouts->len; i++)
    {
      LsSimtLayout *layout = layouts->pdata[i];

      if (layout->kind == LS_SIMT_LAYOUT_BANKS && strcmp (layout->name, buffer->name) == 0)
        {
          *pitch = layout->pitch;
          return TRUE;
        }
    }
  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *param = ls_prim_func_get_buffer (func, i);

      if (param != NULL && strcmp (param->name, buffer->name) == 0 && param->shape->n > 1 && !ls_buffer_has_strides (param))
        return ls_as_int (param->shape->items[param->shape->n - 1], pitch) && *pitch > 0;
    }
  return FALSE;
}

static void
find_extent (const Traffic *traffic,
             gint64         pitch,
             gint64         low[2],
             gint64         high[2])
{
  low[0] = low[1] = G_MAXINT64;
  high[0] = high[1] = 0;
  for (guint i = 0; i < traffic->pairs->len; i++)
    {
      gint64 element = g_array_index (traffic->pairs, Pair, i).element, at[2] = { element / pitch, element % pitch };

      for (guint d = 0; d < 2; d++)
        {
          low[d] = MIN (low[d], at[d]);
          high[d] = MAX (high[d], at[d]);
        }
    }
}

/* Lets go of what came to a place that another element had before: a tile of the first round of a loop is told, not what later rounds put over it. */
static void
keep_first (Traffic *traffic)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  guint kept = 0;

  for (guint i = 0; i < traffic->pairs->len; i++)
    {
      Pair made = g_array_index (traffic->pairs, Pair, i);
      gint64 place = made.other * MOST_THREADS + (traffic->kind == LS_SIMT_LAYOUT_REGISTERS ? made.thread % MOST_THREADS : 0);
      gpointer element;

      if (g_hash_table_lookup_extended (known, &place, NULL, &element) && GPOINTER_TO_SIZE (element) != (gsize) made.element)
        continue;
      g_hash_table_insert (known, g_memdup2 (&place, sizeof place), GSIZE_TO_POINTER ((gsize) made.element));
      g_array_index (traffic->pairs, Pair, kept++) = made;
    }
  g_array_set_size (traffic->pairs, kept);
}

/* The threads that got one element. */
typedef struct {
  guint   n;
  guint32 threads[MOST_THREADS / 32];
} Holders;

static guint
hold (Holders *self,
      guint    thread)
{
  guint32 bit = (guint32) 1 << thread % 32, *word = &self->threads[thread / 32 % (MOST_THREADS / 32)];

  if ((*word & bit) == 0)
    self->n++;
  *word |= bit;
  return self->n;
}

static LsSimtLayout *
tell (const Traffic *traffic,
      gint64         pitch)
{
  LsSimtLayout *self = g_new0 (LsSimtLayout, 1);
  guint size = ls_dtype_bytes (traffic->other->dtype), n;
  g_autofree Holders *holders = NULL;
  gint64 low[2], high[2];

  find_extent (traffic, pitch, low, high);
  *self = (LsSimtLayout) { .kind = traffic->kind, .name = g_strdup (traffic->buffer->name), .other = g_strdup (traffic->other->name), .dtype = traffic->other->dtype,
                           .row = low[0], .column = low[1], .pitch = pitch, .rows = (guint) MIN (high[0] - low[0] + 1, LS_SIMT_LAYOUT_MOST),
                           .columns = (guint) MIN (high[1] - low[1] + 1, LS_SIMT_LAYOUT_MOST), .holders = 1 };
  n = self->rows * self->columns;
  self->places = g_new (guint, n);
  self->numbers = g_new0 (guint, n);
  holders = g_new0 (Holders, n);
  memset (self->places, 0xff, n * sizeof (guint));
  for (guint i = 0; i < traffic->pairs->len; i++)
    {
      const Pair *made = &g_array_index (traffic->pairs, Pair, i);
      gint64 row = made->element / pitch - self->row, column = made->element % pitch - self->column;
      gsize at = (gsize) (row * self->columns + column);

      if (row >= self->rows || column >= self->columns)
        continue;
      if (self->places[at] == LS_SIMT_LAYOUT_NOWHERE)
        {
          self->places[at] = traffic->kind == LS_SIMT_LAYOUT_REGISTERS ? made->thread : (guint) (made->other * size / 4 % 32);
          self->numbers[at] = (guint) made->other;
        }
      if (traffic->kind == LS_SIMT_LAYOUT_REGISTERS)
        self->holders = MAX (self->holders, hold (&holders[at], made->thread));
    }
  return self;
}

void
ls_simt_holding_layouts (LsSimtHolding *self,
                         LsPrimFunc    *func,
                         GPtrArray     *layouts)
{
  g_autoptr (GPtrArray) told = g_ptr_array_new ();

  for (guint i = 0; i < self->traffic->len; i++)
    {
      Traffic *traffic = self->traffic->pdata[i];
      gint64 pitch = G_MAXINT64;

      if (traffic->pairs->len == 0)
        continue;
      keep_first (traffic);
      if (!row_of (func, layouts, traffic->buffer, &pitch))
        pitch = G_MAXINT64;
      g_ptr_array_add (told, tell (traffic, pitch));
    }
  for (guint i = 0; i < told->len; i++)
    g_ptr_array_add (layouts, told->pdata[i]);
}
