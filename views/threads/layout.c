/* threads/layout: layouts as they are read, and in words. */
#include "views/threads/layout.h"

#include <glib/gi18n.h>
#include <string.h>

#define MOST_TOLD 24

/* ---- reading ---------------------------------------------------------------------------------- */

static char *
text (GVariant   *dict,
      const char *key)
{
  const char *value = "";

  g_variant_lookup (dict, key, "&s", &value);
  return g_strdup (value);
}

/* A list of n numbers; NULL: there is none of that length. (transfer full) */
static guint32 *
list (GVariant   *dict,
      const char *key,
      gsize       n)
{
  g_autoptr (GVariant) value = g_variant_lookup_value (dict, key, G_VARIANT_TYPE ("au"));
  gsize m = 0;
  const guint32 *from = value != NULL ? g_variant_get_fixed_array (value, &m, sizeof (guint32)) : NULL;

  return from != NULL && m == n ? g_memdup2 (from, n * sizeof (guint32)) : NULL;
}

static void
clear (gpointer data)
{
  LsThreadsLayout *self = data;

  g_free (self->buffer);
  g_free (self->other);
  g_free (self->tile);
  g_free (self->dtype);
  g_free (self->places);
  g_free (self->numbers);
}

static void
read_one (GArray   *layouts,
          GVariant *dict)
{
  static const char *const KINDS[] = { "lanes", "banks", "registers", "staged" }, *const PLACES[] = { "lanes", "banks", "threads", "banks" };
  LsThreadsLayout self = { .bytes = 4 };
  const char *kind = "";
  gsize n;

  g_variant_lookup (dict, "kind", "&s", &kind);
  while (self.kind < G_N_ELEMENTS (KINDS) && strcmp (kind, KINDS[self.kind]) != 0)
    self.kind++;
  if (self.kind == G_N_ELEMENTS (KINDS))
    return;
  g_variant_lookup (dict, "rows", "u", &self.rows);
  g_variant_lookup (dict, "columns", "u", &self.columns);
  g_variant_lookup (dict, "bytes", "u", &self.bytes);
  g_variant_lookup (dict, "holders", "u", &self.holders);
  g_variant_lookup (dict, "row", "x", &self.row);
  g_variant_lookup (dict, "column", "x", &self.column);
  g_variant_lookup (dict, "pitch", "x", &self.pitch);
  self.buffer = text (dict, "buffer");
  self.other = text (dict, "other");
  self.tile = text (dict, "tile");
  self.dtype = text (dict, "dtype");
  n = (gsize) self.rows * self.columns;
  self.places = list (dict, PLACES[self.kind], n);
  self.numbers = list (dict, "numbers", n);
  if (n == 0 || self.places == NULL || (self.numbers == NULL && self.kind != LS_THREADS_BANKS_OF))
    {
      clear (&self);
      return;
    }
  for (gsize i = 0; i < n; i++)
    if (self.places[i] != LS_THREADS_NOWHERE)
      self.n_places = MAX (self.n_places, self.places[i] + 1);
  g_array_append_val (layouts, self);
}

GArray *
ls_threads_layouts_new (GVariant *answer)
{
  GArray *layouts = g_array_new (FALSE, TRUE, sizeof (LsThreadsLayout));
  g_autoptr (GVariant) all = g_variant_lookup_value (answer, "layouts", G_VARIANT_TYPE ("aa{sv}"));

  g_array_set_clear_func (layouts, clear);
  for (gsize i = 0; all != NULL && i < g_variant_n_children (all); i++)
    {
      g_autoptr (GVariant) dict = g_variant_get_child_value (all, i);

      read_one (layouts, dict);
    }
  return layouts;
}

/* ---- banks ------------------------------------------------------------------------------------- */

guint
ls_threads_layout_ways (const LsThreadsLayout *self,
                        gboolean               column)
{
  LsThreadsEvent event = { 0 };
  guint words[32], n = MIN (column ? self->rows : self->columns, 32);

  if (self->kind != LS_THREADS_BANKS_OF && self->kind != LS_THREADS_STAGED_IN)
    return 0;
  for (guint lane = 0; lane < n; lane++)
    {
      gsize at = column ? (gsize) lane * self->columns : lane;
      gint64 element = self->numbers != NULL ? (gint64) self->numbers[at] : column ? lane * self->pitch : lane;

      if (self->places[at] == LS_THREADS_NOWHERE)
        continue;
      event.mask |= (guint64) 1 << lane;
      event.offsets[lane] = element * self->bytes;
    }
  return ls_threads_banks (&event, self->bytes, words);
}

/* ---- words --------------------------------------------------------------------------------------- */

char *
ls_threads_layout_words (const LsThreadsLayout *self)
{
  switch (self->kind)
    {
    case LS_THREADS_LANES_OF:
      return g_strdup_printf (_("%s, tile %s of a product: lanes and registers"), self->buffer, self->tile);
    case LS_THREADS_BANKS_OF:
      return g_strdup_printf (_("%s: banks of shared memory"), self->buffer);
    case LS_THREADS_REGISTERS_OF:
      return g_strdup_printf (_("%s: threads and registers (%s)"), self->buffer, self->other);
    case LS_THREADS_STAGED_IN:
    default:
      return g_strdup_printf (_("%s in %s: banks of its elements"), self->buffer, self->other);
    }
}

static char *
ways_words (guint ways)
{
  return ways > 1 ? g_strdup_printf (_("conflict, %u ways"), ways) : g_strdup (_("no conflict"));
}

char *
ls_threads_layout_summary (const LsThreadsLayout *self)
{
  g_autofree char *size = g_strdup_printf (_("%u × %u of %s"), self->rows, self->columns, self->dtype);
  g_autofree char *from = self->row > 0 || self->column > 0 ? g_strdup_printf (_("%s, from (%lld, %lld)"), size, (long long) self->row, (long long) self->column) : g_strdup (size);
  g_autofree char *row = NULL, *column = NULL;

  switch (self->kind)
    {
    case LS_THREADS_LANES_OF:
      return g_strdup_printf (_("%s; in each element its lane and its register there"), from);
    case LS_THREADS_REGISTERS_OF:
      if (self->holders > 1)
        return g_strdup_printf (_("%s; in each element the thread and its register; up to %u threads have the same one, the first is shown"), from, self->holders);
      return g_strdup_printf (_("%s; in each element the thread that has it and the register there"), from);
    default:
      row = ways_words (ls_threads_layout_ways (self, FALSE));
      column = ways_words (ls_threads_layout_ways (self, TRUE));
      return g_strdup_printf (_("%s; in each element its bank. A warp along a row: %s; along a column: %s"), from, row, column);
    }
}

static char *
element_words (const LsThreadsLayout *self,
               gsize                  at)
{
  long long row = (long long) self->row + (long long) (at / self->columns), column = (long long) self->column + (long long) (at % self->columns);

  if (self->numbers == NULL)
    return g_strdup_printf ("(%lld, %lld)", row, column);
  return self->kind == LS_THREADS_STAGED_IN ? g_strdup_printf (_("(%lld, %lld) at %u"), row, column, self->numbers[at])
         : g_strdup_printf (_("(%lld, %lld) in register %u"), row, column, self->numbers[at]);
}

char *
ls_threads_layout_place_words (const LsThreadsLayout *self,
                               guint                  place)
{
  g_autoptr (GString) all = g_string_new (NULL);
  guint n = 0;

  for (gsize at = 0; at < (gsize) self->rows * self->columns; at++)
    {
      g_autofree char *element = NULL;

      if (self->places[at] != place || n++ >= MOST_TOLD)
        continue;
      element = element_words (self, at);
      g_string_append_printf (all, "%s%s", all->len > 0 ? ", " : "", element);
    }
  if (n > MOST_TOLD)
    g_string_append (all, ", …");
  if (n == 0)
    g_string_append (all, _("nothing"));
  return self->kind == LS_THREADS_LANES_OF ? g_strdup_printf (_("Lane %u has (elements: %u): %s"), place, n, all->str)
         : self->kind == LS_THREADS_REGISTERS_OF ? g_strdup_printf (_("Thread %u has (elements: %u): %s"), place, n, all->str)
         : g_strdup_printf (_("Bank %u has (elements: %u): %s"), place, n, all->str);
}
