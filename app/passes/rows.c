/* passes/rows: see the header. */
#include "app/passes/rows.h"

#include "engine/passlog/follow.h"

#include <string.h>

struct _LsPassesRow
{
  GObject       parent_instance;
  LsPassesPlace place;
};

G_DEFINE_FINAL_TYPE (LsPassesRow, ls_passes_row, G_TYPE_OBJECT)

static void
ls_passes_row_class_init (LsPassesRowClass *klass)
{
}

static void
ls_passes_row_init (LsPassesRow *self)
{
}

const LsPassesPlace *
ls_passes_row_get (LsPassesRow *self)
{
  return &self->place;
}

/* ---- the list ------------------------------------------------------------------------ */

struct _LsPassesRows
{
  GObject parent_instance;
  GArray  *places;              /* of LsPassesPlace */
  gboolean sorted;              /* not in the order of the log, or with heads of nests */
};

static GType
get_item_type (GListModel *model)
{
  return LS_TYPE_PASSES_ROW;
}

static guint
get_n_items (GListModel *model)
{
  return LS_PASSES_ROWS (model)->places->len;
}

static gpointer
get_item (GListModel *model,
          guint       position)
{
  LsPassesRows *self = LS_PASSES_ROWS (model);
  LsPassesRow *row;

  if (position >= self->places->len)
    return NULL;
  row = g_object_new (LS_TYPE_PASSES_ROW, NULL);
  row->place = g_array_index (self->places, LsPassesPlace, position);
  return row;
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (LsPassesRows, ls_passes_rows, G_TYPE_OBJECT, G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

static void
ls_passes_rows_finalize (GObject *object)
{
  g_array_unref (LS_PASSES_ROWS (object)->places);
  G_OBJECT_CLASS (ls_passes_rows_parent_class)->finalize (object);
}

static void
ls_passes_rows_class_init (LsPassesRowsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ls_passes_rows_finalize;
}

static void
ls_passes_rows_init (LsPassesRows *self)
{
  self->places = g_array_new (FALSE, FALSE, sizeof (LsPassesPlace));
}

LsPassesRows *
ls_passes_rows_new (void)
{
  return g_object_new (LS_TYPE_PASSES_ROWS, NULL);
}

/* ---- filling ------------------------------------------------------------------------- */

static void
put (LsPassesRows *self,
     guint         dump,
     guint         n)
{
  LsPassesPlace place = { dump, n, n, FALSE, FALSE, 0, 0 };

  g_array_append_val (self->places, place);
}

void
ls_passes_rows_grow (LsPassesRows *self,
                     guint         n)
{
  guint old = self->places->len;

  for (guint i = old; i < n; i++)
    put (self, i, 1);
  if (n > old)
    g_list_model_items_changed (G_LIST_MODEL (self), old, 0, n - old);
}

/* The same pass on the same function once more, and both times without an effect. */
static gboolean
is_repeat (LsPasses *passes,
           guint     a,
           guint     b)
{
  LsPassDump *x = ls_passes_get_dump (passes, a), *y = ls_passes_get_dump (passes, b);
  LsPassLog *log = ls_passes_get_log (passes);

  return ls_passes_get_notes (passes) == NULL && !x->effective && !y->effective && x->kind == y->kind && strcmp (x->pass, y->pass) == 0
         && strcmp (ls_passes_get_unit (passes, a), ls_passes_get_unit (passes, b)) == 0 && ls_pass_log_tells (log, a) == ls_pass_log_tells (log, b);
}

static gboolean
has_other (LsPasses *passes,
           guint     dump)
{
  guint file;
  gsize start, end;

  return ls_pass_log_between (ls_passes_get_log (passes), dump, &file, &start, &end);
}

/* It changes something or could not go on. */
static gboolean
matters (LsPasses *passes,
         guint     dump)
{
  const LsPassesNote *note = ls_passes_get_note (passes, dump);

  return ls_passes_get_dump (passes, dump)->effective || (note != NULL && note->state == LS_PASSES_FAILED);
}

static gboolean
is_of_stage (LsPasses *passes,
             guint     dump,
             int       stage)
{
  const LsPassesNote *note = ls_passes_get_note (passes, dump);

  return stage < 0 || note == NULL || note->stage == (guint) stage;
}

void
ls_passes_rows_fill (LsPassesRows *self,
                     LsPasses     *passes,
                     const char   *word,
                     gboolean      only,
                     int           stage)
{
  guint old = self->places->len, n = passes != NULL ? ls_passes_get_log (passes)->dumps->len : 0;
  gboolean all = *word == '\0' && !only && stage < 0;

  self->sorted = FALSE;
  g_array_set_size (self->places, 0);
  for (guint i = 0; i < n; i++)
    {
      guint first = i;

      if (all && has_other (passes, i))
        put (self, i, 0);
      if ((only && !matters (passes, i)) || !is_of_stage (passes, i, stage) || !ls_passes_matches (passes, i, word))
        continue;
      while (i + 1 < n && is_repeat (passes, i, i + 1) && !(all && has_other (passes, i + 1)))
        i++;
      put (self, first, i - first + 1);
    }
  if (all && n > 0 && has_other (passes, n))
    put (self, n, 0);
  g_list_model_items_changed (G_LIST_MODEL (self), 0, old, self->places->len);
}

void
ls_passes_rows_keep (LsPassesRows *self,
                     const guint8 *touches)
{
  guint old = self->places->len, kept = 0;

  for (guint i = 0; i < old; i++)
    {
      LsPassesPlace row = g_array_index (self->places, LsPassesPlace, i);

      if (row.n > 0 && touches[row.dump] >= LS_PASS_TOUCH_CHANGED)
        g_array_index (self->places, LsPassesPlace, kept++) = row;
    }
  g_array_set_size (self->places, kept);
  g_list_model_items_changed (G_LIST_MODEL (self), 0, old, kept);
}

/* ---- nests --------------------------------------------------------------------------- */

/* The nests of a dump, outermost first. Returns: how many. */
static guint
path_of (const LsPassNesting *nesting,
         guint                dump,
         guint               *path,
         guint                most)
{
  const LsPassNest *nests = (const LsPassNest *) (void *) nesting->nests->data;
  int at = nesting->of[dump];
  guint n = at >= 0 ? MIN (nests[at].depth + 1, most) : 0;

  for (guint i = n; i-- > 0; at = nests[at].parent)
    path[i] = (guint) at;
  return n;
}

/* The head of a nest, with its dumps; those that are not hidden are counted in `shown` by nest. */
static void
put_head (LsPassesRows        *self,
          const LsPassNesting *nesting,
          guint                nest,
          guint                depth,
          gboolean             open,
          const guint         *shown)
{
  const LsPassNest *at = &g_array_index (nesting->nests, LsPassNest, nest);
  LsPassesPlace place = { at->first, at->end - at->first, open ? 0 : shown[nest], TRUE, open, nest, depth };

  g_array_append_val (self->places, place);
}

void
ls_passes_rows_nest (LsPassesRows        *self,
                     const LsPassNesting *nesting,
                     GHashTable          *opened)
{
  g_autoptr (GArray) old = g_steal_pointer (&self->places);
  g_autofree guint *rows = g_new0 (guint, nesting->nests->len + 1), *shown = g_new0 (guint, nesting->nests->len + 1);
  g_autofree guint8 *headed = g_new0 (guint8, nesting->nests->len + 1);
  guint path[16], n;

  self->places = g_array_new (FALSE, FALSE, sizeof (LsPassesPlace));
  for (guint i = 0; i < old->len; i++)
    {
      const LsPassesPlace *row = &g_array_index (old, LsPassesPlace, i);

      n = row->n > 0 ? path_of (nesting, row->dump, path, G_N_ELEMENTS (path)) : 0;
      for (guint j = 0; j < n; j++)
        {
          rows[path[j]]++;
          shown[path[j]] += row->shown;
        }
    }
  for (guint i = 0; i < old->len; i++)
    {
      LsPassesPlace row = g_array_index (old, LsPassesPlace, i);
      gboolean open = TRUE;

      n = row.n > 0 ? path_of (nesting, row.dump, path, G_N_ELEMENTS (path)) : 0;
      for (guint j = 0; j < n && open; j++)
        {
          if (rows[path[j]] < 2)
            continue;
          open = g_hash_table_contains (opened, GUINT_TO_POINTER (path[j] + 1));
          if (!headed[path[j]])
            put_head (self, nesting, path[j], row.depth, open, shown);
          headed[path[j]] = TRUE;
          row.depth++;
        }
      if (open)
        g_array_append_val (self->places, row);
    }
  self->sorted = TRUE;
  g_list_model_items_changed (G_LIST_MODEL (self), 0, old->len, self->places->len);
}

int
ls_passes_rows_head (LsPassesRows *self,
                     guint         position)
{
  const LsPassesPlace *row = ls_passes_rows_at (self, position);

  if (row == NULL || (row->head && row->open))
    return row != NULL ? (int) position : -1;
  for (guint i = position; i-- > 0;)
    {
      const LsPassesPlace *at = &g_array_index (self->places, LsPassesPlace, i);

      if (at->head && at->open && at->depth < row->depth)
        return (int) i;
    }
  return -1;
}

/* ---- order --------------------------------------------------------------------------- */

static int
by_time (gconstpointer a,
         gconstpointer b,
         gpointer      passes)
{
  const LsPassesPlace *x = a, *y = b;
  double time = x->n > 0 ? ls_passes_get_dump (passes, x->dump)->seconds : -1, other = y->n > 0 ? ls_passes_get_dump (passes, y->dump)->seconds : -1;

  if (time != other)
    return time > other ? -1 : 1;
  return x->dump < y->dump ? -1 : x->dump > y->dump;
}

void
ls_passes_rows_sort (LsPassesRows *self,
                     LsPasses     *passes)
{
  g_array_sort_with_data (self->places, by_time, passes);
  self->sorted = TRUE;
  g_list_model_items_changed (G_LIST_MODEL (self), 0, self->places->len, self->places->len);
}

int
ls_passes_rows_find (LsPassesRows *self,
                     guint         dump,
                     gboolean      other)
{
  guint low = 0, high = self->places->len;

  for (guint i = 0; self->sorted && i < high; i++)
    {
      LsPassesPlace *at = &g_array_index (self->places, LsPassesPlace, i);

      if (at->head && at->open)
        continue;
      if (at->n == 0 ? other && at->dump == dump : !other && at->dump <= dump && dump < at->dump + at->n)
        return (int) i;
    }
  if (self->sorted)
    return high > 0 ? 0 : -1;

  while (low < high)
    {
      guint middle = (low + high) / 2;
      LsPassesPlace *at = &g_array_index (self->places, LsPassesPlace, middle);

      if (at->n == 0 ? at->dump < dump || (at->dump == dump && !other) : at->dump + at->n <= dump)
        low = middle + 1;
      else
        high = middle;
    }
  return low < self->places->len ? (int) low : -1;
}

const LsPassesPlace *
ls_passes_rows_at (LsPassesRows *self,
                   guint         position)
{
  return position < self->places->len ? &g_array_index (self->places, LsPassesPlace, position) : NULL;
}
