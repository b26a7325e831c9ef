/* window/file: opening and saving. */
#include "app/window/file-private.h"

#include "app/base/safe-write.h"
#include "app/learn/lesson-window.h"
#include "app/window/actions.h"
#include "app/window/open.h"
#include "app/window/trace.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>

/* ---- opening ----------------------------------------------------------------- */

gboolean
ls_window_file_is_session (GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);

  return g_str_has_suffix (name, LS_SESSION_SUFFIX);
}

char *
ls_window_file_disk_sum (GFile *file)
{
  g_autofree char *text = NULL;
  gsize length = 0;

  return g_file_load_contents (file, NULL, &text, &length, NULL, NULL)
           ? g_compute_checksum_for_string (G_CHECKSUM_SHA1, text, (gssize) length) : NULL;
}

gboolean
ls_window_file_changed_on_disk (LsWindowFile *state)
{
  g_autofree char *now = state->on_disk != NULL ? ls_window_file_disk_sum (state->file) : NULL;

  return now != NULL && strcmp (now, state->on_disk) != 0;
}

void
ls_window_file_opened (LsWindow *self,
                       GFile    *file)
{
  LsWindowFile *state = ls_window_file_of (self);
  LsSession *session = ls_window_get_session (self);

  ls_window_update_message (self);
  if (ls_session_get_not_opened (session) != NULL)
    return;
  g_clear_object (&state->file);
  if (ls_window_file_is_session (file) && !ls_window_file_is_copy (file) && ls_session_get_left_out (session) == NULL)
    state->file = g_object_ref (file);
  g_free (state->on_disk);
  state->on_disk = state->file != NULL ? ls_window_file_disk_sum (file) : NULL;
  ls_window_file_begin (state);
  if (!ls_window_file_is_copy (file))
    ls_window_file_remember (file);
}

static void
open_here (LsWindow *self,
           GFile    *file)
{
  if (ls_window_open_large (self, file))
    return;
  ls_session_open (ls_window_get_session (self), file);
  ls_window_file_opened (self, file);
}

LsWindow *
ls_window_file_present (GtkApplication *application,
                        GFile          *file)
{
  for (GList *at = gtk_application_get_windows (application); at != NULL; at = at->next)
    {
      LsWindowFile *state = LS_IS_WINDOW (at->data) ? ls_window_file_of (at->data) : NULL;
      g_autofree char *name = g_file_get_basename (file);

      if (state == NULL || state->file == NULL || !g_file_equal (state->file, file))
        continue;
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

void
ls_window_file_open (LsWindow *self,
                     GFile    *file)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));
  LsWindowFile *state = ls_window_file_of (self);

  if (ls_window_trace_open (self, file))
    return;
  if (application != NULL && ls_window_file_is_session (file) &&
      !(state->file != NULL && g_file_equal (state->file, file) && !ls_window_file_is_changed (state)) &&
      ls_window_file_present (application, file) != NULL)
    return;
  if (application != NULL &&
      (ls_lesson_window_takes (file) || ls_window_file_is_changed (state) || ls_session_is_running (ls_window_get_session (self))))
    ls_window_file_open_beside (self, file);
  else
    open_here (self, file);
}

/* ---- saving ------------------------------------------------------------------ */

gboolean
ls_window_file_write (LsWindowFile  *state,
                      GFile         *file,
                      GError       **error)
{
  g_autofree char *text = ls_session_export (ls_window_get_session (state->window), LS_EXPORT_SESSION, error);

  if (text == NULL || !ls_safe_write (file, text, error))
    return FALSE;
  state->given_up = FALSE;
  g_free (state->on_disk);
  state->on_disk = g_compute_checksum_for_string (G_CHECKSUM_SHA1, text, -1);
  g_free (state->saved);
  state->saved = ls_window_file_sum (text);
  g_clear_pointer (&state->written, g_free);
  g_clear_handle_id (&state->timer, g_source_remove);
  g_unlink (state->copy);
  g_set_object (&state->file, file);
  ls_window_file_remember (file);
  return TRUE;
}

void
ls_window_file_write_and_say (LsWindowFile *state,
                              GFile        *file)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *done = g_strdup_printf (_("Saved as %s"), name);

  if (ls_window_file_write (state, file, &error))
    ls_window_say (state->window, done, NULL);
  else
    ls_window_offer (state->window, _("Not saved"), error->message, _("Save elsewhere…"), "win.save-as");
}

void
ls_window_file_save (LsWindow *self)
{
  LsWindowFile *state = ls_window_file_of (self);

  if (state->file != NULL && ls_window_file_changed_on_disk (state))
    {
      g_autofree char *name = g_file_get_basename (state->file);
      g_autofree char *why = g_strdup_printf (_("Another program has written %s since; saving again replaces that."), name);

      g_free (state->on_disk);
      state->on_disk = ls_window_file_disk_sum (state->file);
      ls_window_offer (self, _("Not saved"), why, _("Save elsewhere…"), "win.save-as");
    }
  else if (state->file != NULL)
    ls_window_file_write_and_say (state, state->file);
  else
    ls_window_file_save_as (self);
}

GFile *
ls_window_file_saved (LsWindow *self)
{
  LsWindowFile *state = ls_window_file_of (self);
  LsStepItem *current = ls_session_get_current (ls_window_get_session (self));
  g_auto (LsSessionFile) held = { 0 };
  g_autofree char *text = NULL;
  gsize length;

  if (state->file == NULL || current == NULL || !g_file_is_native (state->file) ||
      !g_file_load_contents (state->file, NULL, &text, &length, NULL, NULL) ||
      !ls_session_file_read (&held, "", text, (gssize) length, NULL))
    return NULL;
  return held.history != NULL && ls_step_item_get (current)->id < ls_history_get_n (held.history) ? state->file : NULL;
}

void
ls_window_file_save_as (LsWindow *self)
{
  ls_window_file_export (self, LS_EXPORT_SESSION);
}
