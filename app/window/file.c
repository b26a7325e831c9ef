/* window/file: opening, saving and closing; what is kept where is the autosave's affair (app/session/autosave.h). */
#include "app/window/file-private.h"

#include "app/base/settings.h"
#include "app/learn/lesson-window.h"
#include "app/window/actions.h"
#include "app/window/device-result.h"
#include "app/window/kept.h"
#include "app/window/open.h"
#include "app/window/private.h"
#include "app/window/trace.h"
#include "engine/passlog/passlog.h"
#include "views/parts/later.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>

/* ---- opening ----------------------------------------------------------------- */

gboolean
ls_window_file_is_session (GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);

  return g_str_has_suffix (name, LS_SESSION_SUFFIX);
}

void
ls_window_file_opened (LsWindow   *self,
                       GFile      *file,
                       const char *sum)
{
  LsSession *session = ls_window_get_session (self);
  gboolean own = ls_window_file_is_session (file) && !ls_copies_own (file) && ls_session_get_left_out (session) == NULL;

  ls_window_update_message (self);
  if (ls_session_get_not_opened (session) != NULL)
    return;
  self->given_up = FALSE;
  ls_autosave_opened (self->autosave, own ? file : NULL, sum);
  if (!ls_copies_own (file))
    ls_window_file_remember (file);
}

static void
open_here (LsWindow *self,
           GFile    *file)
{
  if (ls_window_open_large (self, file))
    return;
  ls_session_open (ls_window_get_session (self), file);
  ls_window_file_opened (self, file, NULL);
}

/* One file may have several names. */
static gboolean
is_same (GFile *a,
         GFile *b)
{
  GStatBuf first, second;

  return g_file_equal (a, b) || (g_file_peek_path (a) != NULL && g_file_peek_path (b) != NULL && g_stat (g_file_peek_path (a), &first) == 0 &&
                                 g_stat (g_file_peek_path (b), &second) == 0 && first.st_dev == second.st_dev && first.st_ino == second.st_ino);
}

LsWindow *
ls_window_file_present (GtkApplication *application,
                        GFile          *file)
{
  for (GList *at = gtk_application_get_windows (application); at != NULL; at = at->next)
    {
      GFile *held = LS_IS_WINDOW (at->data) ? ls_autosave_get_file (ls_window_file_of (at->data)) : NULL;
      g_autofree char *name = g_file_get_basename (file);

      if (held == NULL || !is_same (held, file))
        continue;
      if (LS_WINDOW (at->data)->closing)
        {
          /* What is read next is what it leaves there. */
          ls_autosave_wait (ls_window_file_of (at->data));
          continue;
        }
      gtk_window_present (at->data);
      ls_window_say (at->data, _("Already open"), name);
      return at->data;
    }
  return NULL;
}

void
ls_window_file_open_beside (LsWindow *self,
                            GFile    *file)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));

  if (application != NULL)
    g_application_open (G_APPLICATION (application), &file, 1, "");
}

/* It has a window of its own. */
static gboolean
is_pass_log (GFile *file)
{
  return g_file_peek_path (file) != NULL && ls_pass_log_recognise (g_file_peek_path (file)) != LS_PASS_LOG_AUTO;
}

void
ls_window_file_open (LsWindow *self,
                     GFile    *file)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));
  GFile *held = ls_autosave_get_file (self->autosave);

  if (ls_window_device_result_open (self, file) || ls_window_trace_open (self, file))
    return;
  if (application != NULL && ls_window_file_is_session (file) &&
      !(held != NULL && g_file_equal (held, file) && !ls_window_file_is_changed (self)) &&
      ls_window_file_present (application, file) != NULL)
    return;
  if (application != NULL &&
      (self->closing || ls_lesson_window_takes (file) || is_pass_log (file) || ls_window_file_is_changed (self) || ls_session_is_running (ls_window_get_session (self))))
    ls_window_file_open_beside (self, file);
  else
    open_here (self, file);
}

/* ---- saving ------------------------------------------------------------------ */

typedef struct {
  LsWindow *window;
  GFile    *file;
} Saving;

static void
written (GObject      *autosave,
         GAsyncResult *result,
         gpointer      data)
{
  g_autofree Saving *saving = data;
  g_autoptr (LsWindow) self = saving->window;
  g_autoptr (GFile) file = saving->file;
  g_autoptr (GError) error = NULL;
  g_autofree char *name = g_file_get_basename (file), *words = NULL;
  LsSaveAnswer answer = ls_autosave_save_finish (LS_AUTOSAVE (autosave), result, &error);

  if (answer == LS_SAVE_FILE)
    ls_window_file_remember (file);
  if (self->session == NULL)            /* closed meanwhile */
    return;
  switch (answer)
    {
    case LS_SAVE_FILE:
      self->given_up = FALSE;
      words = g_strdup_printf (_("Saved as %s"), name);
      ls_window_say (self, words, NULL);
      break;
    case LS_SAVE_OTHER:
      words = g_strdup_printf (_("Another program has written %s since; saving again replaces that."), name);
      ls_window_offer (self, _("Not saved"), words, _("Save elsewhere…"), "win.save-as");
      break;
    default:
      ls_window_offer (self, _("Not saved"), error->message, _("Save elsewhere…"), "win.save-as");
      break;
    }
}

static void
save (LsWindow *self,
      GFile    *file,
      gboolean  ask)
{
  Saving *saving = g_new (Saving, 1);

  *saving = (Saving) { g_object_ref (self), g_object_ref (file) };
  ls_autosave_save_async (self->autosave, file, ask, written, saving);
}

void
ls_window_file_write_and_say (LsWindow *self,
                              GFile    *file)
{
  save (self, file, FALSE);
}

void
ls_window_file_save (LsWindow *self)
{
  GFile *file = ls_autosave_get_file (self->autosave);

  if (file != NULL)
    save (self, file, TRUE);
  else
    ls_window_file_save_as (self);
}

GFile *
ls_window_file_saved (LsWindow *self)
{
  GFile *file = ls_autosave_get_file (self->autosave);
  LsStepItem *current = ls_session_get_current (ls_window_get_session (self));
  g_autofree char *text = NULL;
  gsize length;

  if (file == NULL || current == NULL || !g_file_is_native (file) || !g_file_load_contents (file, NULL, &text, &length, NULL, NULL))
    return NULL;
  return ls_step_item_get (current)->id < ls_session_file_count (text, (gssize) length) ? file : NULL;
}

void
ls_window_file_save_as (LsWindow *self)
{
  ls_window_file_export (self, LS_EXPORT_SESSION);
}

/* ---- closing, and what an earlier run could not save ----------------------------- */

LsAutosave *
ls_window_file_of (LsWindow *self)
{
  return self->autosave;
}

gboolean
ls_window_file_is_changed (LsWindow *self)
{
  return ls_autosave_is_changed (self->autosave);
}

/* Said once; work goes on. */
static void
copy_failed (LsWindow   *self,
             const char *why)
{
  ls_window_offer (self, _("The copy for emergencies could not be written"), why, _("Save elsewhere…"), "win.save-as");
}

/* There is more to lose than when it was refused. */
static void
changed_again (LsWindow *self)
{
  self->given_up = self->told = FALSE;
}

void
ls_window_file_attach (LsWindow *self)
{
  self->autosave = ls_autosave_new (self->session);
  g_signal_connect_object (self->session, "notify::current", G_CALLBACK (changed_again), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "typed", G_CALLBACK (changed_again), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->autosave, "failed", G_CALLBACK (copy_failed), self, G_CONNECT_SWAPPED);
}

gboolean
ls_window_file_restore (LsWindow *self,
                        GFile    *copy)
{
  return ls_window_open_copy (self, copy);
}

void
ls_window_file_restored (LsWindow       *self,
                         LsAutosaveCopy *copy)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *aside = NULL, *words = NULL;

  switch (ls_autosave_restored (self->autosave, copy, &aside, &error))
    {
    case LS_AUTOSAVE_RESTORED:
      ls_window_say (self, _("Restored"), _("The last run ended before it could save; this is what it had."));
      break;
    case LS_AUTOSAVE_BROKEN:
      words = aside != NULL ? g_strdup_printf (_("%s It is kept as %s."), error->message, aside) : g_strdup (error->message);
      ls_window_say (self, _("Not restored"), words);
      break;
    case LS_AUTOSAVE_TAKEN:
      break;
    }
}

static gboolean leaving;

void
ls_window_file_leave_copies (void)
{
  leaving = TRUE;
}

gboolean
ls_window_file_is_closing (LsWindow *self)
{
  return self->closing;
}

/* Another window of this program, or NULL: this one goes. */
static LsWindow *
window_beside (LsWindow *self)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));

  for (GList *at = application != NULL ? gtk_application_get_windows (application) : NULL; at != NULL; at = at->next)
    if (LS_IS_WINDOW (at->data) && at->data != (gpointer) self && !LS_WINDOW (at->data)->closing)
      return at->data;
  return NULL;
}

/* Said once: in another window, or in the first one of the next start. */
static void
say_kept (LsWindow *self,
          GFile    *kept)
{
  LsWindow *other = window_beside (self);
  g_autofree char *uri = g_file_get_uri (kept);

  ls_window_file_remember (kept);
  if (other != NULL)
    ls_window_kept_say (other, kept);
  else
    g_settings_set_string (ls_settings_get (), "last-kept", uri);
}

/* A document that has a file is saved there as it goes. */
static void
say_saved (LsWindow *self)
{
  LsWindow *other = window_beside (self);
  GFile *file = ls_autosave_get_file (self->autosave);
  g_autofree char *name = file != NULL ? g_file_get_basename (file) : NULL;
  g_autofree char *what = name != NULL ? g_strdup_printf (_("%s was saved as it closed"), name) : NULL;

  if (other != NULL && what != NULL)
    ls_window_say (other, what, NULL);
}

/* Not closed: its file would not have the changes, and no window would be there to say so. */
static void
say_other (LsWindow *self)
{
  g_autofree char *name = g_file_get_basename (ls_autosave_get_file (self->autosave));
  g_autofree char *what = g_strdup_printf (_("Not closed: another program has written %s"), name);

  self->told = TRUE;
  ls_window_offer (self, what, _("Closing again keeps what was done here among the kept work."), _("Save elsewhere…"), "win.save-as");
}

static void
say_failed (LsWindow     *self,
            const GError *error)
{
  self->given_up = TRUE;
  ls_window_offer (self, _("Not closed: this work could be written nowhere"), error->message, _("Save elsewhere…"), "win.save-as");
}

/* Nothing of it is under way any more. */
static void
leave (LsWindow *self)
{
  self->closing = TRUE;
  ls_session_cancel (self->session);
  ls_window_open_forget (self);
}

/* It may have been hidden. */
static void
stay (LsWindow *self)
{
  self->closing = FALSE;
  gtk_window_present (GTK_WINDOW (self));
}

static void
closed (GObject      *autosave,
        GAsyncResult *result,
        gpointer      data)
{
  g_autoptr (LsWindow) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) kept = NULL;
  LsSaveAnswer answer = ls_autosave_close_finish (LS_AUTOSAVE (autosave), result, &kept, &error);

  if (self->session == NULL)            /* destroyed meanwhile */
    return;
  if (answer == LS_SAVE_OTHER || (answer == LS_SAVE_FAILED && !self->given_up))
    {
      stay (self);
      if (answer == LS_SAVE_OTHER)
        say_other (self);
      else
        say_failed (self, error);
      return;
    }
  if (answer == LS_SAVE_FAILED)
    ls_autosave_give_up (self->autosave);
  else if (answer == LS_SAVE_KEPT)
    say_kept (self, kept);
  else if (answer == LS_SAVE_FILE && !leaving)
    say_saved (self);
  leave (self);
  gtk_window_destroy (GTK_WINDOW (self));
}

static void
hide (gpointer data)
{
  LsWindow *self = data;

  if (self->closing)
    gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

gboolean
ls_window_file_close (LsWindow *self)
{
  gboolean ask = ls_autosave_get_file (self->autosave) != NULL && !leaving && !self->told && window_beside (self) == NULL;

  if (self->closing)
    return FALSE;
  if (ls_autosave_close_at_once (self->autosave))
    {
      leave (self);
      return TRUE;
    }
  self->closing = TRUE;
  ls_autosave_close_async (self->autosave, leaving, ask, closed, g_object_ref (self));
  /* While it may still have to ask it stays.  Not in the middle of a click: GTK takes back what the button that is pressed did to its
   * parents when it is released. */
  if (!ask)
    ls_later (self, G_PRIORITY_DEFAULT, 0, hide);
  return FALSE;
}
