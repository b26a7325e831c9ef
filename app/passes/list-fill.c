/* list-fill: what a row says; what a pass changed is counted for rows that are seen, in a thread. */
#include "app/passes/list-private.h"

#include "app/passes/list-row.h"
#include "engine/passlog/follow.h"
#include "views/models/format.h"

#include <glib/gi18n.h>
#include <string.h>

/* ---- counting ------------------------------------------------------------------------ */

typedef struct {
  LsPasses     *passes;
  LsPassesList *list;
  guint         dump;
  guint         serial;         /* the higher the later */
} Counting;

/* Back on the main loop. */
static gboolean
counted (gpointer data)
{
  Counting *counting = data;
  GtkListItem *item = counting->list->passes == counting->passes && counting->list->view != NULL
                        ? g_hash_table_lookup (counting->list->bound, GUINT_TO_POINTER (counting->dump + 1)) : NULL;

  if (item != NULL)
    ls_passes_list_fill_row (counting->list, item);
  if (item != NULL)
    g_signal_emit_by_name (counting->list, "counted", counting->dump);
  ls_passes_unref (counting->passes);
  g_object_unref (counting->list);
  g_free (counting);
  return G_SOURCE_REMOVE;
}

/* In another thread. */
static void
count (gpointer data,
       gpointer user_data)
{
  Counting *counting = data;

  if (!g_atomic_int_get (&counting->list->closed))
    ls_passes_count (counting->passes, counting->dump);
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, counted, counting, NULL);
}

/* What was asked for last is what is seen now. */
static int
by_age (gconstpointer a,
        gconstpointer b,
        gpointer      user_data)
{
  guint x = ((const Counting *) a)->serial, y = ((const Counting *) b)->serial;

  return x < y ? 1 : x > y ? -1 : 0;
}

GThreadPool *
ls_passes_list_counting_new (void)
{
  GThreadPool *pool = g_thread_pool_new (count, NULL, 1, FALSE, NULL);

  g_thread_pool_set_sort_function (pool, by_age, NULL);
  return pool;
}

void
ls_passes_list_count (LsPassesList *self,
            guint         dump)
{
  static guint serials;
  Counting *counting = g_new (Counting, 1);

  *counting = (Counting) { ls_passes_ref (self->passes), g_object_ref (self), dump, ++serials };
  g_thread_pool_push (self->counting, counting, NULL);
}

/* ---- rows ---------------------------------------------------------------------------- */

/* The first line of other output. (transfer full) */
static char *
first_line (LsPasses *passes,
            guint     dump)
{
  LsPassLog *log = ls_passes_get_log (passes);
  guint file;
  gsize start, end;
  const char *text, *stop;
  g_autofree char *line = NULL;

  if (!ls_pass_log_between (log, dump, &file, &start, &end))
    return g_strdup ("");
  text = ls_pass_log_text (log, file, NULL);
  stop = memchr (text + start, '\n', end - start);
  line = g_strndup (text + start, MIN (200, stop != NULL ? (gsize) (stop - text) - start : end - start));
  return g_utf8_make_valid (line, -1);
}

/* What the dump is beside another log. */
static const char *
mark_words (LsPassesList *self,
            guint         dump)
{
  LsPassesMark mark = self->marks != NULL ? (LsPassesMark) self->marks[dump] : LS_PASSES_AS_THERE;

  return mark == LS_PASSES_DIFFERS ? _("≠ differs there") : mark == LS_PASSES_ONLY_HERE ? _("not there") : NULL;
}

/* (transfer full) */
static char *
words_of (LsPassesList        *self,
          const LsPassesPlace *place)
{
  g_autofree char *words = ls_passes_words (self->passes, place->dump);
  const char *mark = mark_words (self, place->dump);
  const char *wrong;
  double ns;
  LsPassTouch touch = self->touches != NULL ? (LsPassTouch) self->touches[place->dump] : LS_PASS_TOUCH_NONE;
  g_autofree char *touched = touch < LS_PASS_TOUCH_CHANGED ? g_strdup (words)
                             : g_strdup_printf (touch == LS_PASS_TOUCH_GONE ? _("✕ removes it, %s") : _("● touches it, %s"), words);

  if (ls_passes_get_run (self->passes, place->dump, &ns, &wrong) && (ns <= 0 || wrong != NULL))
    return g_strdup_printf (ns <= 0 ? _("%s, does not run") : _("%s, wrong result"), touched);
  return mark != NULL ? g_strdup_printf (_("%s, %s"), mark, touched) : g_steal_pointer (&touched);
}

/* Is there a column of bars? */
static gboolean
has_times (LsPassesList *self)
{
  return self->slowest_run > 0 || self->slowest_seconds > 0;
}

/* A head: "▸ function sum", "12 passes", "3 with an effect". */
static void
fill_head (LsPassesList        *self,
           GtkWidget           *row,
           const LsPassesPlace *place)
{
  const LsPassNest *nest = &g_array_index (ls_passes_get_nesting (self->passes)->nests, LsPassNest, place->nest);
  g_autofree char *what = ls_pass_nest_words (nest), *number = g_strdup_printf ("%u", place->dump + 1);
  g_autofree char *name = g_strdup_printf ("%s %s", place->open ? "▾" : "▸", what), *count = NULL, *words = NULL;
  guint n = place->open ? place->n : place->shown;

  count = g_strdup_printf (ngettext ("%u pass", "%u passes", n), n);
  words = g_strdup_printf (_("%u with an effect"), nest->effective);
  ls_passes_list_row_put (row, number, name, count, words, "", nest->effective == 0);
  ls_passes_list_row_mark (row, NULL);
  ls_passes_list_row_bar (row, has_times (self), -1, FALSE);
  ls_passes_list_row_describe (row, _("Right opens it, Left closes it again"));
}

/* How long the bar is: of the time of the program behind the pass where it was run, else of the pass itself; -1: neither is known. */
static double
share_of (LsPassesList *self,
          guint         dump,
          gboolean     *wrong)
{
  const char *trouble;
  double ns, seconds = ls_passes_get_dump (self->passes, dump)->seconds;

  *wrong = FALSE;
  if (self->slowest_run > 0)
    {
      if (!ls_passes_get_run (self->passes, dump, &ns, &trouble))
        return -1;
      *wrong = trouble != NULL;
      return ns > 0 ? ns / self->slowest_run : -1;
    }
  return self->slowest_seconds > 0 && seconds >= 0 ? seconds / self->slowest_seconds : -1;
}

/* What the bar stands for, in words. (transfer full) */
static char *
time_of (LsPassesList *self,
         guint         dump)
{
  const char *wrong;
  double ns, seconds = ls_passes_get_dump (self->passes, dump)->seconds;
  g_autofree char *time = NULL;

  if (self->slowest_run <= 0)
    return seconds >= 0 ? ls_format_time (seconds) : g_strdup ("");
  if (!ls_passes_get_run (self->passes, dump, &ns, &wrong) || ns <= 0)
    return g_strdup ("");
  time = ls_format_time (ns / 1e9);
  /* Translators: what the program takes when compiling ends behind a pass */
  return g_strdup_printf (_("runs %s"), time);
}

void
ls_passes_list_fill_row (LsPassesList *self,
          GtkListItem  *item)
{
  const LsPassesPlace *place = ls_passes_row_get (gtk_list_item_get_item (item));
  GtkWidget *row = gtk_list_item_get_child (item);
  g_autofree char *number = NULL, *words = NULL, *name = NULL, *time = NULL;
  const LsPassDump *dump;
  gboolean wrong;
  double share;

  if (self->passes != NULL && place->n == 0)
    {
      name = first_line (self->passes, place->dump);
      ls_passes_list_row_put (row, "", name, _("other output"), "", "", TRUE);
      ls_passes_list_row_indent (row, 0);
      ls_passes_list_row_bar (row, has_times (self), -1, FALSE);
      return;
    }
  number = g_strdup_printf ("%u", place->dump + 1);
  ls_passes_list_row_indent (row, place->depth);
  if (self->passes == NULL)
    {
      dump = &g_array_index (self->early, LsPassDump, place->dump);
      ls_passes_list_row_put (row, number, dump->pass, dump->unit, "", "", FALSE);
      ls_passes_list_row_bar (row, has_times (self), -1, FALSE);
      return;
    }
  if (place->head)
    {
      fill_head (self, row, place);
      return;
    }
  dump = ls_passes_get_dump (self->passes, place->dump);
  words = words_of (self, place);
  share = share_of (self, place->dump, &wrong);
  time = time_of (self, place->dump);
  if (place->n > 1)
    name = g_strdup_printf (ngettext ("%s, %u time", "%s, %u times", place->n), dump->pass, place->n);
  ls_passes_list_row_put (row, number, name != NULL ? name : dump->pass, ls_passes_get_unit (self->passes, place->dump), words, time, !dump->effective);
  ls_passes_list_row_bar (row, has_times (self), share, wrong);
  ls_passes_list_row_mark (row, ls_passes_get_note (self->passes, place->dump));
  ls_passes_list_row_describe (row, ls_passes_get_summary (self->passes, place->dump));
}
