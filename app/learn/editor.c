/* editor: see the header. */
#include "app/learn/editor.h"

#include "app/learn/lesson-window-private.h"
#include "app/learn/prose.h"
#include "views/parts/ask-file.h"
#include "views/parts/later.h"
#include "views/parts/parts.h"
#include "views/parts/scroller.h"
#include "views/parts/syntax.h"
#include "views/parts/text-view.h"
#include "views/parts/theme.h"
#include "views/parts/toplevel.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <string.h>

#define KEY "ls-editor"
#define PAUSE_MS 600            /* without a key, before the lesson is shown again */
#define MOST_FINDINGS 40

typedef struct {
  GtkWidget      *window;       /* owns this */
  LsLessonWindow *lesson;       /* borrowed: this goes with it */
  LsLessonPreview preview;
  GFile          *file;
  char           *saved;        /* what the file has */
  GtkWidget      *view, *findings, *list, *none, *save;
  GtkTextTag     *wrong;
  guint           pause;
  gboolean        closing;      /* it was asked about what is not saved */
  gboolean        leaving;      /* the lesson's window was to be closed, too */
} Editor;

static GtkTextBuffer *
buffer_of (Editor *self)
{
  return gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->view));
}

/* (transfer full) */
static char *
text_of (Editor *self)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (buffer_of (self), &start, &end);
  return gtk_text_buffer_get_text (buffer_of (self), &start, &end, TRUE);
}

static gboolean
is_unsaved (Editor *self)
{
  g_autofree char *text = text_of (self);

  return strcmp (text, self->saved) != 0;
}

static void
set_title (Editor *self)
{
  g_autofree char *name = g_file_get_basename (self->file);
  gboolean changed = is_unsaved (self);
  g_autofree char *title = g_strdup_printf (changed ? "%s •" : "%s", name);

  gtk_window_set_title (GTK_WINDOW (self->window), title);
  gtk_widget_set_sensitive (self->save, changed);
}

/* ---- what is wrong --------------------------------------------------------------------- */

static void
go_to_line (GtkListBox    *list,
            GtkListBoxRow *row,
            Editor        *self)
{
  GtkTextIter at;

  gtk_text_buffer_get_iter_at_line (buffer_of (self), &at, GPOINTER_TO_INT (g_object_get_data (G_OBJECT (row), "ls-line")) - 1);
  gtk_text_buffer_place_cursor (buffer_of (self), &at);
  gtk_text_view_scroll_to_iter (GTK_TEXT_VIEW (self->view), &at, 0.1, FALSE, 0, 0);
  gtk_widget_grab_focus (self->view);
}

static void
add_finding (Editor             *self,
             LsSource           *source,
             const LsDiagnostic *finding)
{
  LsPlace place = ls_source_place (source, finding->span.start);
  g_autofree char *text = g_strdup_printf (_("Line %u: %s"), place.line, finding->message);
  GtkWidget *label = ls_part_label (text, "code"), *row = gtk_list_box_row_new ();
  GtkTextIter start, end;

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), label);
  g_object_set_data (G_OBJECT (row), "ls-line", GINT_TO_POINTER ((int) place.line));
  ls_set_label (row, text);
  gtk_list_box_append (GTK_LIST_BOX (self->list), row);
  gtk_text_buffer_get_iter_at_line (buffer_of (self), &start, (int) place.line - 1);
  end = start;
  if (!gtk_text_iter_ends_line (&end))
    gtk_text_iter_forward_to_line_end (&end);
  gtk_text_buffer_apply_tag (buffer_of (self), self->wrong, &start, &end);
}

/* Reads the text, marks its lines, and has the lesson's window show it. */
static gboolean
look (gpointer data)
{
  Editor *self = data;
  g_autofree char *text = text_of (self), *path = g_file_get_path (self->file);
  g_autoptr (LsSource) source = ls_source_new (path, text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  LsLesson *lesson = ls_lesson_parse (source, findings);
  GtkTextIter start, end;
  GtkWidget *child;
  guint n;

  self->pause = 0;
  ls_lesson_look_around (lesson, source, findings);
  n = ls_diagnostics_get_n (findings);
  while ((child = gtk_widget_get_first_child (self->list)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->list), child);
  gtk_text_buffer_get_bounds (buffer_of (self), &start, &end);
  gtk_text_buffer_remove_tag (buffer_of (self), self->wrong, &start, &end);
  for (guint i = 0; i < n && i < MOST_FINDINGS; i++)
    if (ls_diagnostics_get (findings, i)->span.source == ls_source_get_id (source))
      add_finding (self, source, ls_diagnostics_get (findings, i));
  gtk_widget_set_visible (self->none, n == 0);
  gtk_widget_set_visible (self->findings, n > 0);
  self->preview (self->lesson, lesson, findings);
  ls_lesson_unref (lesson);
  return G_SOURCE_REMOVE;
}

static void
changed (Editor *self)
{
  set_title (self);
  g_clear_handle_id (&self->pause, g_source_remove);
  self->pause = g_timeout_add (PAUSE_MS, look, self);
}

/* ---- saving ------------------------------------------------------------------------------ */

static void
say (Editor     *self,
     const char *heading,
     const char *body)
{
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (self->window), heading, body);

  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "close", _("Close"), NULL);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (dialog), TRUE);
  gtk_widget_add_css_class (dialog, "loopscope");
  gtk_window_present (GTK_WINDOW (dialog));
}

static gboolean
write_to (Editor *self,
          GFile  *file)
{
  g_autofree char *text = text_of (self);
  g_autoptr (GError) error = NULL;

  if (g_file_replace_contents (file, text, strlen (text), NULL, FALSE, G_FILE_CREATE_NONE, NULL, NULL, &error))
    {
      g_free (self->saved);
      self->saved = g_steal_pointer (&text);
      set_title (self);
      return TRUE;
    }
  say (self, _("The lesson could not be saved"), error->message);
  return FALSE;
}

static void
save (Editor *self)
{
  write_to (self, self->file);
}

/* Lessons that come with the program cannot be written: a copy goes where its window shows it. */
static void
copy_chosen (GtkWidget *window,
             GFile     *file,
             gpointer   data)
{
  Editor *self = g_object_get_data (G_OBJECT (window), KEY);

  if (self != NULL && write_to (self, file))
    g_application_open (G_APPLICATION (gtk_window_get_application (GTK_WINDOW (self->lesson))), &file, 1, "");
}

static void
save_copy (Editor *self)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_("Save a copy of the lesson"), GTK_WINDOW (self->window), GTK_FILE_CHOOSER_ACTION_SAVE, _("Save"),
                                                              _("Cancel"));
  g_autofree char *name = g_file_get_basename (self->file);

  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), name);
  ls_ask_file (dialog, self->window, copy_chosen, NULL, NULL);
}

/* ---- closing ----------------------------------------------------------------------------- */

/* In a turn of its own: the dialog that asked goes with its window, and is still at work. */
static void
close_now (gpointer data)
{
  Editor *self = g_object_get_data (data, KEY);

  if (self != NULL)
    gtk_window_close (self->leaving ? GTK_WINDOW (self->lesson) : GTK_WINDOW (data));
}

static void
close_answered (AdwMessageDialog *dialog,
                const char       *response,
                GtkWidget        *window)
{
  Editor *self = g_object_get_data (G_OBJECT (window), KEY);

  if (self == NULL)
    return;
  if (g_strcmp0 (response, "keep") == 0)
    {
      self->leaving = FALSE;
      return;
    }
  if (g_strcmp0 (response, "save") == 0)
    {
      save (self);
      if (is_unsaved (self))
        return;
    }
  self->closing = TRUE;
  ls_later (window, G_PRIORITY_DEFAULT_IDLE, 0, close_now);
}

static gboolean
close_asked (GtkWindow *window,
             Editor    *self)
{
  GtkWidget *dialog;

  if (self->closing || !is_unsaved (self))
    return FALSE;
  dialog = adw_message_dialog_new (window, _("Save what you wrote?"), _("The lesson's window shows it; the file does not have it yet."));
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "keep", _("Go on writing"), "drop", _("Throw away"), "save", _("Save"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "drop", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "save", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "save");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "keep");
  gtk_window_set_destroy_with_parent (GTK_WINDOW (dialog), TRUE);
  gtk_widget_add_css_class (dialog, "loopscope");
  g_signal_connect_object (dialog, "response", G_CALLBACK (close_answered), window, 0);
  gtk_window_present (GTK_WINDOW (dialog));
  return TRUE;
}

/* The lesson's window takes this one with it: what is not saved is asked about first. */
static gboolean
lesson_close_asked (GtkWidget *window)
{
  Editor *self = g_object_get_data (G_OBJECT (window), KEY);

  if (self == NULL || self->closing || !is_unsaved (self))
    return FALSE;
  self->leaving = TRUE;
  gtk_window_present (GTK_WINDOW (window));
  return close_asked (GTK_WINDOW (window), self);
}

/* ---- the window ------------------------------------------------------------------------------ */

static gboolean
key_pressed (GtkEventControllerKey *controller,
             guint                  key,
             guint                  code,
             GdkModifierType        state,
             Editor                *self)
{
  if (key != GDK_KEY_s || (state & gtk_accelerator_get_default_mod_mask ()) != GDK_CONTROL_MASK)
    return FALSE;
  save (self);
  return TRUE;
}

static void
editor_free (gpointer data)
{
  Editor *self = data;

  g_clear_handle_id (&self->pause, g_source_remove);
  g_object_unref (self->file);
  g_free (self->saved);
  g_free (self);
}

static GtkWidget *
header_new (Editor *self)
{
  GtkWidget *header = gtk_header_bar_new (), *copy = gtk_button_new_with_label (_("Save a copy…"));

  self->save = gtk_button_new_with_label (_("Save"));
  gtk_widget_set_tooltip_text (self->save, _("Save (Ctrl+S)"));
  gtk_widget_add_css_class (self->save, "framed");
  gtk_widget_add_css_class (copy, "framed");
  g_signal_connect_swapped (self->save, "clicked", G_CALLBACK (save), self);
  g_signal_connect_swapped (copy, "clicked", G_CALLBACK (save_copy), self);
  gtk_header_bar_pack_start (GTK_HEADER_BAR (header), self->save);
  gtk_header_bar_pack_start (GTK_HEADER_BAR (header), copy);
  return header;
}

static GtkWidget *
body_new (Editor     *self,
          const char *text)
{
  g_autoptr (GtkSourceBuffer) buffer = gtk_source_buffer_new (NULL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *scroller = gtk_scrolled_window_new (), *findings = gtk_scrolled_window_new ();

  self->findings = findings;
  ls_syntax_attach (buffer, LS_SYNTAX_MARKDOWN);
  gtk_text_buffer_set_text (GTK_TEXT_BUFFER (buffer), text, -1);
  self->wrong = gtk_text_buffer_create_tag (GTK_TEXT_BUFFER (buffer), NULL, "underline", PANGO_UNDERLINE_ERROR, NULL);
  self->view = ls_text_view_new (buffer);
  gtk_text_view_set_monospace (GTK_TEXT_VIEW (self->view), TRUE);
  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (self->view), GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (self->view), 8);
  gtk_source_view_set_show_line_numbers (GTK_SOURCE_VIEW (self->view), TRUE);
  gtk_source_view_set_insert_spaces_instead_of_tabs (GTK_SOURCE_VIEW (self->view), TRUE);
  gtk_source_view_set_indent_width (GTK_SOURCE_VIEW (self->view), 4);
  gtk_source_view_set_auto_indent (GTK_SOURCE_VIEW (self->view), TRUE);
  gtk_widget_add_css_class (self->view, "lesson-code");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Text of the lesson"), -1);
  ls_scroller_settle (self->view);
  self->list = gtk_list_box_new ();
  self->none = ls_part_label (_("Nothing is wrong with the text. The lesson's window, or “loopscope-cli lesson check”, tells whether its cells run."), "reason");
  gtk_label_set_wrap (GTK_LABEL (self->none), TRUE);
  gtk_widget_add_css_class (self->none, "compare-head");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, _("What is wrong with the text"), -1);
  g_signal_connect (self->list, "row-activated", G_CALLBACK (go_to_line), self);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->view);
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (findings), self->list);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (findings), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (findings), ls_theme_grow (160));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (findings), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_box_append (GTK_BOX (box), scroller);
  gtk_box_append (GTK_BOX (box), findings);
  gtk_box_append (GTK_BOX (box), self->none);
  return box;
}

static void
open_editor (LsLessonWindow  *lesson,
             LsLessonPreview  preview,
             const char      *text)
{
  Editor *self = g_new0 (Editor, 1);
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->lesson = lesson;
  self->preview = preview;
  self->file = g_object_ref (lesson->file);
  self->saved = g_strdup (text);
  self->window = gtk_window_new ();
  gtk_widget_add_css_class (self->window, "loopscope");
  gtk_window_set_default_size (GTK_WINDOW (self->window), ls_theme_grow (760), ls_theme_grow (820));
  gtk_window_set_titlebar (GTK_WINDOW (self->window), header_new (self));
  gtk_window_set_child (GTK_WINDOW (self->window), body_new (self, text));
  g_object_set_data_full (G_OBJECT (self->window), KEY, self, editor_free);
  g_object_set_data_full (G_OBJECT (lesson), KEY, g_object_ref (self->window), g_object_unref);
  g_signal_connect_object (lesson, "destroy", G_CALLBACK (gtk_window_destroy), self->window, G_CONNECT_SWAPPED);
  g_signal_connect_object (lesson, "close-request", G_CALLBACK (lesson_close_asked), self->window, G_CONNECT_SWAPPED);
  g_signal_connect (self->window, "close-request", G_CALLBACK (close_asked), self);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed), self);
  gtk_widget_add_controller (self->window, keys);
  g_signal_connect_swapped (buffer_of (self), "changed", G_CALLBACK (changed), self);
  set_title (self);
  look (self);
  gtk_window_present (GTK_WINDOW (self->window));
  gtk_widget_grab_focus (self->view);
}

static void
forget (GtkWidget      *window,
        LsLessonWindow *lesson)
{
  if (g_object_get_data (G_OBJECT (lesson), KEY) == window)
    g_object_set_data (G_OBJECT (lesson), KEY, NULL);
}

void
ls_lesson_editor_show (LsLessonWindow  *lesson,
                       LsLessonPreview  preview)
{
  GtkWidget *open = g_object_get_data (G_OBJECT (lesson), KEY);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  if (open != NULL)
    {
      gtk_window_present (GTK_WINDOW (open));
      return;
    }
  if (lesson->file != NULL && g_str_has_suffix (g_file_peek_path (lesson->file), ".ipynb"))
    g_set_error_literal (&error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, _("A notebook is JSON: Jupyter edits it, and this window shows what was saved."));
  if (lesson->file == NULL || error != NULL || !g_file_load_contents (lesson->file, NULL, &text, NULL, NULL, &error) || !g_utf8_validate (text, -1, NULL))
    {
      GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (lesson), _("This lesson cannot be edited here"),
                                                  error != NULL ? error->message : _("It is not a file of text in UTF-8."));

      adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "close", _("Close"), NULL);
      gtk_window_set_destroy_with_parent (GTK_WINDOW (dialog), TRUE);
      gtk_widget_add_css_class (dialog, "loopscope");
      gtk_window_present (GTK_WINDOW (dialog));
      return;
    }
  open_editor (lesson, preview, text);
  g_signal_connect_object (g_object_get_data (G_OBJECT (lesson), KEY), "destroy", G_CALLBACK (forget), lesson, 0);
}
