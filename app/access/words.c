/* access/words: see the header. */
#include "app/access/words.h"

#include "views/models/format.h"

#include <glib/gi18n.h>

guint
ls_access_lines_at (const LsAccessOrder *order,
                    guint                n)
{
  n = MIN (n, order->accesses->len);
  return n > 0 ? g_array_index (order->accesses, LsAccess, n - 1).lines : 0;
}

/* "B[0, 36]" */
static char *
element_words (const LsAccessOrder *order,
               const LsAccess      *access)
{
  const LsAccessBuffer *buffer = &g_array_index (order->buffers, LsAccessBuffer, access->buffer);
  GString *words = g_string_new (buffer->name);
  g_autofree gint64 *indices = g_new0 (gint64, buffer->ndim + 1);

  ls_access_indices (buffer, access->element, indices);
  for (guint i = 0; i < buffer->ndim; i++)
    g_string_append_printf (words, "%s%" G_GINT64_FORMAT, i == 0 ? "[" : ", ", indices[i]);
  g_string_append (words, "]");
  return g_string_free (words, FALSE);
}

/* ", i = 0, k = 36" */
static char *
loops_words (const LsAccessOrder *order,
             const LsAccess      *access)
{
  const LsAccessMoment *moment = &g_array_index (order->moments, LsAccessMoment, access->moment);
  const LsAccessPlace *place = order->places->pdata[moment->place];
  GString *words = g_string_new (NULL);

  for (guint i = 0; i < place->n_loops && moment->first + i < order->values->len; i++)
    g_string_append_printf (words, ", %s = %" G_GINT64_FORMAT, place->loops[i], g_array_index (order->values, gint64, moment->first + i));
  return g_string_free (words, FALSE);
}

char *
ls_access_words_at (const LsAccessOrder *order,
                    guint                n)
{
  guint all = order->accesses->len;
  const LsAccess *access;
  g_autofree char *number = NULL, *of = NULL, *element = NULL, *loops = NULL, *lines = NULL, *fetched = NULL;

  n = MIN (n, all);
  of = ls_format_count (all);
  if (n == 0)
    return all == 0 ? g_strdup (_("The program touches no buffer.")) : g_strdup_printf (ngettext ("before the only access", "before the first of %s accesses", all), of);
  access = &g_array_index (order->accesses, LsAccess, n - 1);
  number = ls_format_count (n);
  element = element_words (order, access);
  loops = loops_words (order, access);
  lines = ls_format_count (access->lines);
  /* Translators: lines of a cache */
  fetched = g_strdup_printf (ngettext ("%s line fetched", "%s lines fetched", access->lines), lines);
  if (order->stopped)
    /* Translators: access 37 of the first 100,000: reads B[0, 36], i = 0, k = 36; 40 lines fetched */
    return g_strdup_printf (access->is_write ? _("access %s of the first %s: writes %s%s; %s") : _("access %s of the first %s: reads %s%s; %s"),
                            number, of, element, loops, fetched);
  /* Translators: access 37 of 4,096: reads B[0, 36], i = 0, k = 36; 40 lines fetched */
  return g_strdup_printf (access->is_write ? _("access %s of %s: writes %s%s; %s") : _("access %s of %s: reads %s%s; %s"), number, of, element,
                          loops, fetched);
}

/* (transfer full): lines of a cache, "260 lines" */
static char *
lines_words (gint64 n)
{
  g_autofree char *lines = ls_format_count (n);

  /* Translators: lines of a cache; it stands in a sentence */
  return g_strdup_printf (ngettext ("%s line", "%s lines", (gulong) n), lines);
}

/* (transfer full), or NULL: it does not depend on data */
static char *
data_words (const char *data)
{
  return data != NULL ? g_strdup_printf (_("Where accesses go depends on data; these come from a run on random numbers (%s)."), data) : NULL;
}

static char *
fetched_words (const LsAccessOrder *order)
{
  guint all = order->accesses->len;
  g_autofree char *accesses = ls_format_count (all), *lines = lines_words (ls_access_lines_at (order, all));

  if (all == 0)
    return g_strdup ("");
  /* Translators: the first 4,096 accesses fetch "260 lines" of 64 bytes */
  if (order->stopped)
    return g_strdup_printf (ngettext ("The first %s access fetches %s of %d bytes and uses %.0f bytes of each.",
                                      "The first %s accesses fetch %s of %d bytes and use %.0f bytes of each.", all), accesses, lines,
                            LS_ACCESS_LINE_BYTES, order->bytes_used);
  return g_strdup_printf (ngettext ("%s access fetches %s of %d bytes and uses %.0f bytes of each.",
                                    "%s accesses fetch %s of %d bytes and use %.0f bytes of each.", all), accesses, lines, LS_ACCESS_LINE_BYTES,
                          order->bytes_used);
}

char *
ls_access_words_all (const LsAccessOrder *order)
{
  g_autofree char *fetched = fetched_words (order), *data = data_words (order->data);

  return data != NULL ? g_strjoin (" ", fetched, data, NULL) : g_steal_pointer (&fetched);
}

char *
ls_access_words_between (const LsAccessOrder *left,
                         const char          *left_name,
                         const LsAccessOrder *right,
                         const char          *right_name)
{
  guint n = MIN (left->accesses->len, right->accesses->len);
  guint a = ls_access_lines_at (left, n), b = ls_access_lines_at (right, n);
  g_autofree char *accesses = ls_format_count (n), *a_words = ls_format_count (a), *b_words = lines_words (b);
  gboolean whole = !left->stopped && !right->stopped && left->accesses->len == right->accesses->len;

  if (a == b)
    /* Translators: both fetch "260 lines" in their 4,096 accesses */
    return whole ? g_strdup_printf (ngettext ("Both fetch %s in their %s access.", "Both fetch %s in their %s accesses.", n), b_words, accesses)
                 : g_strdup_printf (ngettext ("Both fetch %s in their first access.", "Both fetch %s in their first %s accesses.", n), b_words, accesses);
  if (whole)
    /* Translators: step 2 fetches "260 lines" in its 4,096 accesses, step 1 fetches 1,024. */
    return g_strdup_printf (ngettext ("%s fetches %s in its %s access, %s fetches %s.", "%s fetches %s in its %s accesses, %s fetches %s.", n),
                            right_name, b_words, accesses, left_name, a_words);
  return g_strdup_printf (ngettext ("%s fetches %s in its first %s access, %s fetches %s.", "%s fetches %s in its first %s accesses, %s fetches %s.", n),
                          right_name, b_words, accesses, left_name, a_words);
}

/* ---- all accesses ------------------------------------------------------------------------ */

#define FEW 1.0                 /* percent of the accesses: a miss would have to take a hundred times as long as they do */

static double
sum_of (const LsMemoryMisses *misses)
{
  return misses->cold + misses->capacity + misses->conflict;
}

/* The buffer that misses the first cache most. */
static guint
worst_buffer (const LsMemoryLab *memory)
{
  guint worst = 0;

  for (guint i = 1; i < memory->buffers->len; i++)
    if (sum_of (&g_array_index (memory->buffers, LsMemoryBuffer, i).misses[0]) > sum_of (&g_array_index (memory->buffers, LsMemoryBuffer, worst).misses[0]))
      worst = i;
  return worst;
}

/* The innermost of the loops that the buffer's misses lie in whose round touches more lines than the cache has; NULL: none is known. */
static const LsMemoryLoop *
carrier (const LsMemoryLab *memory,
         guint              buffer)
{
  const LsMemoryLoop *found = NULL;
  double room = (double) memory->options.levels[0].bytes / memory->options.line_bytes, most = 0.0;

  for (guint i = 0; i < memory->loops->len; i++)
    {
      const LsMemoryLoop *loop = &g_array_index (memory->loops, LsMemoryLoop, i);
      double capacity = loop->of_buffers[buffer * LS_LOCALITY_LEVELS].capacity;

      if (loop->footprint > room && capacity > 0.0 && capacity >= most)
        {
          most = capacity;
          found = loop;
        }
    }
  return found;
}

static char *
cause_words (const LsMemoryLab *memory,
             guint              buffer)
{
  const LsMemoryBuffer *row = &g_array_index (memory->buffers, LsMemoryBuffer, buffer);
  const LsMemoryMisses *misses = &row->misses[0];
  const LsMemoryLoop *loop = carrier (memory, buffer);
  g_autofree char *room = ls_format_count (memory->options.levels[0].bytes / memory->options.line_bytes), *lines = NULL;

  if (misses->cold >= misses->capacity && misses->cold >= misses->conflict)
    return g_strdup_printf (_("Most of them are of %s, which is touched for the first time: no cache helps."), row->name);
  if (misses->conflict > misses->capacity)
    return g_strdup_printf (_("Most of them are of %s, whose lines lie so far apart that they share a few sets of the cache and push each other out."), row->name);
  if (loop == NULL)
    return g_strdup_printf (_("Most of them are of %s: before a line is used again, more other lines come than the cache has room for."), row->name);
  lines = lines_words ((gint64) loop->footprint);
  /* Translators: a buffer, a loop, "260 lines" of a cache, a number of them */
  return g_strdup_printf (_("Most of them are of %s: a round of loop %s touches %s, and the cache has room for %s, so what the next round uses again is gone by then."),
                          row->name, loop->name, lines, room);
}

char *
ls_access_words_memory (const LsMemoryLab *memory)
{
  double misses = sum_of (&memory->all.misses[0]), share = 100.0 * misses / MAX (memory->all.accesses, 1.0);
  g_autofree char *accesses = ls_format_count ((gint64) memory->all.accesses), *missed = ls_format_count ((gint64) misses), *first = NULL, *cause = NULL, *few = NULL, *left = NULL, *data = NULL;
  GString *words;

  if (memory->all.accesses < 1.0 || memory->buffers->len == 0)
    return g_strdup ("");
  /* Translators: two numbers and a share in percent */
  first = g_strdup_printf (ngettext ("All %s accesses: %s of them (%.2g\u202f%%) misses the first cache.",
                                     "All %s accesses: %s of them (%.2g\u202f%%) miss the first cache.", (gulong) misses), accesses, missed, share);
  cause = cause_words (memory, worst_buffer (memory));
  if (memory->simulated < memory->all.accesses)
    left = g_strdup_printf (_("%.2g\u202f%% of the accesses were simulated, the others are taken to be like them: within %.2g\u202f%%."),
                            100.0 * memory->simulated / memory->all.accesses, 100.0 * memory->error[0]);
  if (share < FEW)
    few = g_strdup (_("So few misses are not what the program waits for."));
  data = data_words (memory->data);
  const char *const more[] = { few, cause, left, data };

  words = g_string_new (first);
  for (guint i = 0; i < G_N_ELEMENTS (more); i++)
    if (more[i] != NULL)
      g_string_append_printf (words, " %s", more[i]);
  return g_string_free (words, FALSE);
}
