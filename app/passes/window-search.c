/* passes/window-search: over all dumps, in a thread; while the log is read, over what there is so far, by the thread that reads. */
#include "app/passes/private.h"

#include "engine/base/task.h"

#include <glib/gi18n.h>

/* ---- while it is read ----------------------------------------------------------------- */

LsPassesQuery *
ls_passes_query_ref (LsPassesQuery *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
ls_passes_query_unref (LsPassesQuery *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_mutex_clear (&self->mutex);
  g_free (self->what);
  g_free (self);
}

static void
ask_reader (LsPassesWindow *self,
            const char     *what,
            gboolean        remover)
{
  g_autofree char *words = g_strdup_printf (_("“%s” is looked for in what is read."), what);

  g_mutex_lock (&self->query->mutex);
  g_free (self->query->what);
  self->query->what = g_strdup (what);
  self->query->remover = remover;
  self->query->serial++;
  g_mutex_unlock (&self->query->mutex);
  gtk_label_set_label (GTK_LABEL (self->answer), words);
}

/* "40 % read" */
static char *
read_words (double fraction)
{
  return fraction >= 0 ? g_strdup_printf (_("%.0f\u202f%% read"), 100 * fraction) : g_strdup (_("still being read"));
}

void
ls_passes_window_search_so_far (LsPassesWindow     *self,
                                const LsPassSearch *search,
                                const char         *pass,
                                double              fraction)
{
  g_autofree char *read = read_words (fraction), *words = NULL;

  if (search->remover && search->first >= 0)
    words = g_strdup_printf (_("“%s” is removed by %d %s; %s."), search->what, search->first + 1, pass, read);
  else if (search->remover)
    words = g_strdup_printf (_("Nothing removed “%s” so far; %s."), search->what, read);
  else if (search->first >= 0)
    words = g_strdup_printf (ngettext ("%u dump mentions “%s” so far, first %d %s; %s.", "%u dumps mention “%s” so far, first %d %s; %s.", search->hits), search->hits, search->what,
                             search->first + 1, pass, read);
  else
    words = g_strdup_printf (_("No dump mentions “%s” so far; %s."), search->what, read);
  gtk_label_set_label (GTK_LABEL (self->answer), words);
}

/* ---- searching ----------------------------------------------------------------------- */

typedef struct {
  LsPasses *passes;
  char     *what;
  guint     from;
  gboolean  remover;
} Search;

static void
search_free (gpointer data)
{
  ls_passes_unref (((Search *) data)->passes);
  g_free (((Search *) data)->what);
  g_free (data);
}

/* In another thread. */
static void
look (GTask        *task,
      gpointer      source,
      gpointer      data,
      GCancellable *cancellable)
{
  Search *search = data;
  LsPassLog *log = ls_passes_get_log (search->passes);

  g_task_return_int (task, search->remover ? ls_pass_log_remover (log, search->what) : ls_pass_log_first (log, search->what, search->from));
}

static void
found (GObject      *source,
       GAsyncResult *result,
       gpointer      data)
{
  LsPassesWindow *self = data;
  g_autoptr (GError) error = NULL;
  Search *search = g_task_get_task_data (G_TASK (result));
  gssize dump = g_task_propagate_int (G_TASK (result), &error);
  g_autofree char *words = NULL;

  if (error != NULL)
    return;             /* cancelled: the window may be gone */
  g_clear_object (&self->searching);
  if (dump < 0 && search->remover)
    words = ls_pass_log_first (ls_passes_get_log (search->passes), search->what, 0) < 0 ? g_strdup_printf (_("No dump mentions “%s”."), search->what)
                                                                                       : g_strdup_printf (_("“%s” is there to the end."), search->what);
  else if (dump < 0)
    words = search->from > 0 ? g_strdup_printf (_("No later dump mentions “%s”."), search->what) : g_strdup_printf (_("No dump mentions “%s”."), search->what);
  else if (search->remover)
    words = g_strdup_printf (_("“%s” is removed by %d %s."), search->what, (int) dump + 1, ls_passes_get_dump (search->passes, (guint) dump)->pass);
  else
    words = g_strdup_printf (_("“%s” is mentioned in %d %s."), search->what, (int) dump + 1, ls_passes_get_dump (search->passes, (guint) dump)->pass);
  gtk_label_set_label (GTK_LABEL (self->answer), words);
  if (dump >= 0)
    ls_passes_list_choose (LS_PASSES_LIST (self->list), (guint) dump);
}

static void
search_for (LsPassesWindow *self,
            guint           from,
            gboolean        remover)
{
  const char *what = gtk_editable_get_text (GTK_EDITABLE (self->search));
  g_autoptr (GTask) task = NULL;
  Search *search;

  ls_passes_window_stop (&self->searching);
  if (self->passes == NULL && self->reading != NULL && self->query != NULL && *what != '\0')
    {
      ask_reader (self, what, remover);
      return;
    }
  if (self->passes == NULL || *what == '\0')
    {
      gtk_label_set_label (GTK_LABEL (self->answer), self->passes == NULL ? "" : _("Write a name, a value or any text first."));
      gtk_widget_grab_focus (self->search);
      return;
    }
  search = g_new0 (Search, 1);
  *search = (Search) { ls_passes_ref (self->passes), g_strdup (what), from, remover };
  self->searching = g_cancellable_new ();
  task = g_task_new (self->window, self->searching, found, self);
  g_task_set_task_data (task, search, search_free);
  ls_task_run (task, look);
}

void
ls_passes_window_search_first (LsPassesWindow *self)
{
  search_for (self, 0, FALSE);
}

void
ls_passes_window_search_next (LsPassesWindow *self)
{
  gboolean other;
  int dump = ls_passes_list_get_chosen (LS_PASSES_LIST (self->list), &other);

  search_for (self, dump >= 0 ? (guint) dump + 1 : 0, FALSE);
}

void
ls_passes_window_search_remover (LsPassesWindow *self)
{
  search_for (self, 0, TRUE);
}

void
ls_passes_window_search_again (LsPassesWindow *self)
{
  if (self->query != NULL && self->query->what != NULL && self->passes != NULL)
    search_for (self, 0, self->query->remover);
  g_clear_pointer (&self->query, ls_passes_query_unref);
}
