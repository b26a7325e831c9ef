/* LsSearchRun: reads the log of a search that another process makes, and shows the same search. */
#include "app/search/run-private.h"

#include "app/search/turn.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_MS 150
#define READ_US 6000            /* of a turn of the main loop */

G_DEFINE_FINAL_TYPE (LsSearchRun, ls_search_run, G_TYPE_OBJECT)

enum { TRIAL, CHANGED, ENDED, RESTARTED, N_SIGNALS };

static guint signals[N_SIGNALS];

static gboolean look_at_rest (gpointer data);

/* ---- the file ------------------------------------------------------------------------ */

static void
forget (LsSearchRun *self)
{
  g_ptr_array_set_size (self->trials, 0);
  g_array_set_size (self->totals, 0);
  g_clear_pointer (&self->tasks, g_ptr_array_unref);
  self->base = 0;
  self->counts = (LsSearchCounts) { .seconds_left = -1 };
  self->state = LS_SEARCH_WAITING;
  self->end = LS_SEARCH_END_NONE;
  self->started = FALSE;
  self->process = 0;
  g_string_truncate (self->line_part, 0);
  g_clear_pointer (&self->machines, g_ptr_array_unref);
  g_clear_pointer (&self->problem, g_free);
  g_clear_pointer (&self->trouble, g_free);
  g_clear_pointer (&self->note, g_free);
  g_clear_pointer (&self->refusal, g_free);
}

/* Whether the open file is still the one of that name: another process begins a new one. */
static gboolean
is_current (LsSearchRun *self)
{
  struct stat here, there;

  return self->fd >= 0 && fstat (self->fd, &here) == 0 && stat (self->path, &there) == 0 && here.st_ino == there.st_ino && here.st_dev == there.st_dev
         && here.st_nlink > 0;
}

static void
open_log (LsSearchRun *self)
{
  gboolean again = self->fd >= 0;
  int fd;

  if (is_current (self) || (fd = g_open (self->path, O_RDONLY | O_CLOEXEC, 0)) < 0)
    return;
  if (again)
    close (self->fd);
  self->fd = fd;
  if (!again)
    return;
  forget (self);
  g_signal_emit (self, signals[RESTARTED], 0);
}

/* Reads what is there, for as long as a frame has time for; TRUE: there was something. */
static gboolean
read_more (LsSearchRun *self)
{
  gint64 until = g_get_monotonic_time () + READ_US;
  char block[16384];
  gboolean any = FALSE;
  gssize n;

  while (self->fd >= 0 && (!any || g_get_monotonic_time () < until) && (n = read (self->fd, block, sizeof block)) > 0)
    {
      const char *from = block, *end;

      any = TRUE;
      while ((end = memchr (from, '\n', (gsize) (block + n - from))) != NULL)
        {
          g_autofree char *line = NULL;

          g_string_append_len (self->line_part, from, end - from);
          line = g_strndup (self->line_part->str, self->line_part->len);
          g_string_truncate (self->line_part, 0);
          from = end + 1;
          ls_search_run_read_line (self, line);
        }
      g_string_append_len (self->line_part, from, block + n - from);
    }
  return any;
}

static void
tell (LsSearchRun *self)
{
  gboolean news = self->has_news, ended = self->has_ended;

  self->has_news = self->has_ended = FALSE;
  if (news)
    g_signal_emit (self, signals[CHANGED], 0);
  if (ended)
    g_signal_emit (self, signals[ENDED], 0);
}

static void
look_for_complaint (LsSearchRun *self,
                    gboolean     is_held)
{
  g_autofree char *complaint = is_held ? ls_search_run_get_complaint (self->folder, self->name) : NULL;

  if (g_strcmp0 (complaint, self->complaint) == 0)
    return;
  ls_search_run_set_text (&self->complaint, complaint);
  self->has_news = TRUE;
}

/* TRUE: there may be more to read already. */
static gboolean
look (LsSearchRun *self)
{
  g_autoptr (LsSearchRun) held = g_object_ref (self);
  gboolean is_held, any;

  open_log (self);
  /* Asked before it is read: what a process wrote before it let go is read then. */
  is_held = ls_search_run_get_holder (self->folder, self->name) != 0;
  any = read_more (self);
  look_for_complaint (self, is_held);
  if (!any && !is_held && self->state != LS_SEARCH_ENDED && self->started)
    ls_search_run_finish (self, LS_SEARCH_RUN_LOST);
  tell (self);
  return any;
}

static gboolean
look_again (gpointer data)
{
  LsSearchRun *self = data;

  /* One that is not held any more is looked at all the same: another process may begin. */
  if (self->more == 0 && look (self))
    self->more = g_idle_add (look_at_rest, self);
  return G_SOURCE_CONTINUE;
}

static gboolean
look_at_rest (gpointer data)
{
  LsSearchRun *self = data;

  if (look (self))
    return G_SOURCE_CONTINUE;
  self->more = 0;
  return G_SOURCE_REMOVE;
}

void
ls_search_run_start (LsSearchRun *self)
{
  if (self->source != 0)
    return;
  self->source = g_timeout_add (READ_MS, look_again, self);
  look_again (self);
}

void
ls_search_run_set_line (LsSearchRun     *self,
                        LsSearchRunLine  line,
                        gpointer   data)
{
  self->line = line;
  self->data = data;
}

gboolean
ls_search_run_wish (LsSearchRun       *self,
                    const char  *what,
                    GError     **error)
{
  return ls_search_run_ask (self->folder, self->name, what, error);
}

/* ---- what it shows -------------------------------------------------------------------- */

int
ls_search_run_get_process (LsSearchRun *self)
{
  return self->process;
}

guint
ls_search_run_get_planned (LsSearchRun *self)
{
  return self->planned;
}

LsSearchState
ls_search_run_get_state (LsSearchRun *self)
{
  return self->state;
}

int
ls_search_run_get_end (LsSearchRun *self)
{
  return self->end;
}

const char *
ls_search_run_get_problem (LsSearchRun *self)
{
  return self->problem;
}

const char *
ls_search_run_get_trouble (LsSearchRun *self)
{
  return self->complaint != NULL ? self->complaint : self->trouble;
}

GPtrArray *
ls_search_run_get_tasks (LsSearchRun *self)
{
  return self->tasks;
}

GArray *
ls_search_run_get_totals (LsSearchRun *self)
{
  return self->totals;
}

double
ls_search_run_get_total (LsSearchRun *self,
                         double      *base)
{
  *base = self->base;
  return self->totals->len > 0 ? g_array_index (self->totals, LsSearchRunTotal, self->totals->len - 1).total : 0;
}

const char *
ls_search_run_get_kind (LsSearchRun *self)
{
  return self->kind;
}

GArray *
ls_search_run_get_kinds (LsSearchRun *self)
{
  return self->kinds;
}

GPtrArray *
ls_search_run_get_machines (LsSearchRun *self)
{
  return self->machines;
}

const char *
ls_search_run_get_note (LsSearchRun *self)
{
  return self->note;
}

GPtrArray *
ls_search_run_get_trials (LsSearchRun *self)
{
  return self->trials;
}

LsSearchTrial *
ls_search_run_get_best (LsSearchRun *self)
{
  return ls_search_best_of (self->trials);
}

/* Lines come when something happens; between them the clock goes on. */
void
ls_search_run_get_counts (LsSearchRun          *self,
                          LsSearchCounts *counts)
{
  double since = self->counted > 0 ? (double) (g_get_monotonic_time () - self->counted) / 1e6 : 0;

  *counts = self->counts;
  if (self->state != LS_SEARCH_RUNNING)
    return;
  counts->seconds += since;
  if (counts->seconds_left > 0)
    counts->seconds_left = fmax (0, counts->seconds_left - since);
}

const char *
ls_search_run_get_refusal (LsSearchRun *self)
{
  return self->refusal;
}

const char *
ls_search_run_get_conditions (LsSearchRun *self)
{
  return self->conditions;
}

GArray *
ls_search_run_get_worth (LsSearchRun *self)
{
  return ls_search_worth_of (self->trials, self->counts.n_designs);
}

/* ---- life -------------------------------------------------------------------------------- */

static void
ls_search_run_finalize (GObject *object)
{
  LsSearchRun *self = LS_SEARCH_RUN (object);

  g_clear_handle_id (&self->source, g_source_remove);
  g_clear_handle_id (&self->more, g_source_remove);
  if (self->fd >= 0)
    close (self->fd);
  g_string_free (self->line_part, TRUE);
  g_ptr_array_unref (self->trials);
  g_array_unref (self->totals);
  g_clear_pointer (&self->tasks, g_ptr_array_unref);
  g_clear_pointer (&self->machines, g_ptr_array_unref);
  g_free (self->folder);
  g_free (self->name);
  g_free (self->path);
  g_free (self->problem);
  g_free (self->note);
  g_free (self->refusal);
  g_free (self->conditions);
  g_free (self->trouble);
  g_free (self->complaint);
  g_free (self->kind);
  g_clear_pointer (&self->kinds, g_array_unref);
  G_OBJECT_CLASS (ls_search_run_parent_class)->finalize (object);
}

static void
ls_search_run_class_init (LsSearchRunClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ls_search_run_finalize;
  signals[TRIAL] = g_signal_new ("trial", LS_TYPE_SEARCH_RUN, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[CHANGED] = g_signal_new ("changed", LS_TYPE_SEARCH_RUN, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[ENDED] = g_signal_new ("ended", LS_TYPE_SEARCH_RUN, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[RESTARTED] = g_signal_new ("restarted", LS_TYPE_SEARCH_RUN, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ls_search_run_init (LsSearchRun *self)
{
  self->fd = -1;
  self->line_part = g_string_new (NULL);
  self->trials = g_ptr_array_new_with_free_func (ls_search_trial_free);
  self->totals = g_array_new (FALSE, FALSE, sizeof (LsSearchRunTotal));
  self->counts.seconds_left = -1;
}

LsSearchRun *
ls_search_run_new (const char *folder,
                   const char *name)
{
  LsSearchRun *self = g_object_new (LS_TYPE_SEARCH_RUN, NULL);

  self->folder = g_strdup (folder);
  self->name = g_strdup (name);
  self->path = ls_search_run_path (folder, name, "log");
  return self;
}
