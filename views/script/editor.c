/* LsScriptEditor: a GtkSourceView with marks, and a list of findings below. */
#include "views/script/editor.h"

#include "views/canvas/look.h"
#include "views/parts/gutter.h"
#include "views/parts/parts.h"
#include "views/parts/scroller.h"
#include "views/parts/syntax.h"
#include "views/parts/tab-stop.h"
#include "views/parts/text-view.h"
#include "views/script/card.h"
#include "views/script/finding-row.h"
#include "views/script/hover.h"

#include <glib/gi18n.h>
#include <gtksourceview/gtksource.h>
#include <string.h>

#define PAUSE_MS 350
#define KEEP_MS 100
#define LIGHT_MS 120
#define MOST_SHOWN 50
#define CATEGORY "ls-finding"

struct _LsScriptEditor
{
  GtkWidget   parent_instance;

  LsSession  *session;
  guint       pause;            /* timeout after the last key */
  guint       keeping;          /* timeout after the first key that the session does not know of */
  guint       lighting;         /* timeout after the cursor moved */
  guint       showing;          /* idle that keeps the cursor in sight */
  gboolean    filling;
  LsScriptText *known;          /* the program as it was read last, for cards; NULL: not asked for yet */
  LsLook      colors;           /* that the tags have */

  GtkWidget  *box;
  GtkWidget  *view;
  GtkWidget  *bar;
  GtkWidget  *icon;
  GtkWidget  *words;
  GtkWidget  *scroller;         /* of the findings */
  GtkWidget  *findings;
  GtkTextTag *error;
};

G_DEFINE_FINAL_TYPE (LsScriptEditor, ls_script_editor, GTK_TYPE_WIDGET)

static GtkTextBuffer *
buffer_of (LsScriptEditor *self)
{
  return gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->view));
}

/* ---- colours ------------------------------------------------------------------- */

static void
update_colors (LsScriptEditor *self)
{
  LsLook look;

  ls_look_from_widget (GTK_WIDGET (self), &look);
  g_object_set (self->error, "underline-rgba", ls_look_get (&look, LS_LOOK_ERROR), NULL);
  self->colors = look;
}

static void
ls_script_editor_css_changed (GtkWidget         *widget,
                              GtkCssStyleChange *change)
{
  LsScriptEditor *self = LS_SCRIPT_EDITOR (widget);
  LsLook look;

  GTK_WIDGET_CLASS (ls_script_editor_parent_class)->css_changed (widget, change);
  if (self->error == NULL)
    return;
  ls_look_from_widget (widget, &look);
  if (memcmp (&self->colors, &look, sizeof look) != 0)
    update_colors (self);
}

/* ---- findings ------------------------------------------------------------------ */

static void
clear_marks (LsScriptEditor *self)
{
  GtkTextIter start, end;
  GtkWidget *child;

  gtk_text_buffer_get_bounds (buffer_of (self), &start, &end);
  gtk_text_buffer_remove_tag (buffer_of (self), self->error, &start, &end);
  gtk_source_buffer_remove_source_marks (GTK_SOURCE_BUFFER (buffer_of (self)), &start, &end, CATEGORY);
  while ((child = gtk_widget_get_first_child (self->findings)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->findings), child);
}

/* From its column to the end of the line; the whole line where that is nothing. */
static void
mark_line (LsScriptEditor     *self,
           const LsScriptNote *note)
{
  GtkTextIter start, end;

  if (note->line == 0 || note->line > (guint) gtk_text_buffer_get_line_count (buffer_of (self)))
    return;
  gtk_text_buffer_get_iter_at_line (buffer_of (self), &start, (int) note->line - 1);
  gtk_source_buffer_create_source_mark (GTK_SOURCE_BUFFER (buffer_of (self)), NULL, CATEGORY, &start);
  end = start;
  if (!gtk_text_iter_ends_line (&end))
    gtk_text_iter_forward_to_line_end (&end);
  if (note->column > 1 && (int) note->column - 1 < gtk_text_iter_get_line_offset (&end))
    gtk_text_iter_set_line_offset (&start, (int) note->column - 1);
  while (gtk_text_iter_compare (&start, &end) < 0 && g_unichar_isspace (gtk_text_iter_get_char (&start)))
    gtk_text_iter_forward_char (&start);
  gtk_text_buffer_apply_tag (buffer_of (self), self->error, &start, &end);
}

static void
fix (GtkWidget *editor,
     guint      index)
{
  ls_script_editor_fix (LS_SCRIPT_EDITOR (editor), ls_session_get_draft (LS_SCRIPT_EDITOR (editor)->session), index);
}

/* The findings take room below: the line that is written in stays in sight. */
static gboolean
show_cursor (gpointer data)
{
  LsScriptEditor *self = data;

  self->showing = 0;
  if (gtk_widget_has_focus (self->view))
    gtk_text_view_scroll_mark_onscreen (GTK_TEXT_VIEW (self->view), gtk_text_buffer_get_insert (buffer_of (self)));
  return G_SOURCE_REMOVE;
}

static void
room_changed (LsScriptEditor *self)
{
  if (self->showing == 0)
    self->showing = g_idle_add (show_cursor, self);
}

static void
show_findings (LsScriptEditor *self)
{
  LsScriptText *draft = ls_session_get_draft (self->session);
  const char *words = ls_session_get_draft_words (self->session);
  guint n = draft != NULL ? ls_script_text_n_notes (draft) : 0;

  clear_marks (self);
  for (guint i = 0; i < n; i++)
    {
      mark_line (self, ls_script_text_get_note (draft, i));
      if (i < MOST_SHOWN)
        gtk_list_box_append (GTK_LIST_BOX (self->findings), ls_finding_row_new (ls_script_text_get_note (draft, i), i, fix, GTK_WIDGET (self)));
    }
  gtk_widget_set_visible (self->scroller, n > 0);
  gtk_label_set_label (GTK_LABEL (self->words), words != NULL ? words : _("Changes are read as you type."));
  gtk_image_set_from_icon_name (GTK_IMAGE (self->icon), n > 0 ? "dialog-error-symbolic" : "document-edit-symbolic");
  if (n > 0)
    gtk_widget_add_css_class (self->bar, "failed");
  else
    gtk_widget_remove_css_class (self->bar, "failed");
}

static void
go_to_line (LsScriptEditor *self,
            guint           line)
{
  GtkTextIter iter;

  if (line == 0)
    return;
  gtk_text_buffer_get_iter_at_line (buffer_of (self), &iter, (int) line - 1);
  gtk_text_buffer_place_cursor (buffer_of (self), &iter);
  gtk_text_view_scroll_to_iter (GTK_TEXT_VIEW (self->view), &iter, 0.1, FALSE, 0.0, 0.3);
  gtk_widget_grab_focus (self->view);
}

static void
finding_activated (LsScriptEditor *self,
                   GtkListBoxRow  *row)
{
  LsScriptText *draft = ls_session_get_draft (self->session);
  guint index = (guint) gtk_list_box_row_get_index (row);

  if (draft != NULL && index < ls_script_text_n_notes (draft))
    go_to_line (self, ls_script_text_get_note (draft, index)->line);
}

void
ls_script_editor_go (LsScriptEditor *self,
                     int             direction)
{
  LsScriptText *draft = ls_session_get_draft (self->session);
  guint n = draft != NULL ? ls_script_text_n_notes (draft) : 0, best = 0;
  GtkTextIter iter;
  guint here;

  gtk_text_buffer_get_iter_at_mark (buffer_of (self), &iter, gtk_text_buffer_get_insert (buffer_of (self)));
  here = (guint) gtk_text_iter_get_line (&iter) + 1;
  for (guint i = 0; i < n; i++)
    {
      guint line = ls_script_text_get_note (draft, i)->line;

      if (direction > 0 ? line > here && (best == 0 || line < best) : line < here && line > best)
        best = line;
    }
  go_to_line (self, best);
}

void
ls_script_editor_show_line (LsScriptEditor *self,
                            guint           line)
{
  GtkTextIter start, end;

  go_to_line (self, line);
  gtk_text_buffer_get_iter_at_line (buffer_of (self), &start, (int) line - 1);
  end = start;
  while (!gtk_text_iter_ends_line (&start) && g_unichar_isspace (gtk_text_iter_get_char (&start)))
    gtk_text_iter_forward_char (&start);
  if (!gtk_text_iter_ends_line (&end))
    gtk_text_iter_forward_to_line_end (&end);
  gtk_text_buffer_select_range (buffer_of (self), &start, &end);
}

guint
ls_script_editor_get_line (LsScriptEditor *self,
                           char          **word)
{
  GtkTextIter iter;

  gtk_text_buffer_get_iter_at_mark (buffer_of (self), &iter, gtk_text_buffer_get_insert (buffer_of (self)));
  *word = ls_script_card_name (&iter);
  return (guint) gtk_text_iter_get_line (&iter) + 1;
}

/* What became of the line at the cursor is selected, and with it lit in all views. */
static gboolean
light_result (gpointer data)
{
  LsScriptEditor *self = data;
  g_autofree char *word = NULL;
  g_autoptr (GArray) lines = NULL;
  guint line = ls_script_editor_get_line (self, &word);
  guint64 row;
  int family;

  self->lighting = 0;
  if (self->pause != 0 || !gtk_widget_has_focus (self->view) || ls_session_get_draft (self->session) != NULL)
    return G_SOURCE_REMOVE;
  lines = ls_session_find_result (self->session, line, word, &row, &family);
  if (row != 0 && row != ls_session_get_selection (self->session))
    ls_session_select (self->session, row);
  ls_session_set_hover (self->session, family);
  return G_SOURCE_REMOVE;
}

static void
cursor_moved (LsScriptEditor *self)
{
  if (self->filling || self->session == NULL || self->lighting != 0 || !gtk_widget_has_focus (self->view))
    return;
  self->lighting = g_timeout_add (LIGHT_MS, light_result, self);
}

static void
hidden (LsScriptEditor *self)
{
  g_clear_handle_id (&self->lighting, g_source_remove);
  if (self->session != NULL)
    ls_session_set_hover (self->session, LS_NO_HOVER);
}

/* ---- text ---------------------------------------------------------------------- */

static char *
get_text (LsScriptEditor *self)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (buffer_of (self), &start, &end);
  return gtk_text_buffer_get_text (buffer_of (self), &start, &end, TRUE);
}

void
ls_script_editor_flush (LsScriptEditor *self)
{
  g_autofree char *text = NULL;

  if (self->pause == 0)
    return;
  g_clear_handle_id (&self->pause, g_source_remove);
  g_clear_handle_id (&self->keeping, g_source_remove);
  text = get_text (self);
  ls_session_edit_base (self->session, text);
}

static gboolean
paused (gpointer data)
{
  LsScriptEditor *self = data;

  ls_script_editor_flush (self);
  return G_SOURCE_REMOVE;
}

/* Keys that go on do not put this off, as they put off reading the text. */
static gboolean
keep_typed (gpointer data)
{
  LsScriptEditor *self = data;
  g_autofree char *text = get_text (self);

  self->keeping = 0;
  ls_session_keep_typed (self->session, text);
  return G_SOURCE_REMOVE;
}

static void
text_changed (LsScriptEditor *self)
{
  if (self->filling || self->session == NULL)
    return;
  g_clear_handle_id (&self->pause, g_source_remove);
  self->pause = g_timeout_add (PAUSE_MS, paused, self);
  if (self->keeping == 0)
    self->keeping = g_timeout_add (KEEP_MS, keep_typed, self);
}

/* Another document; what was typed here is the session's text already.  Nobody reads it before the editor is shown. */
static void
take_base (LsScriptEditor *self)
{
  const char *base;
  g_autofree char *text = NULL;

  if (self->session == NULL || !gtk_widget_get_visible (GTK_WIDGET (self)))
    return;
  base = ls_session_get_base (self->session);
  text = get_text (self);
  if (self->pause != 0 || g_strcmp0 (base != NULL ? base : "", text) == 0)
    return;
  self->filling = TRUE;
  gtk_text_buffer_begin_irreversible_action (buffer_of (self));
  gtk_text_buffer_set_text (buffer_of (self), base != NULL ? base : "", -1);
  gtk_text_buffer_end_irreversible_action (buffer_of (self));
  self->filling = FALSE;
}

static void
draft_changed (LsScriptEditor *self)
{
  g_clear_object (&self->known);
  take_base (self);
  show_findings (self);
}

void
ls_script_editor_fix (LsScriptEditor *self,
                      LsScriptText   *text,
                      guint           index)
{
  const LsScriptNote *note = text != NULL && index < ls_script_text_n_notes (text) ? ls_script_text_get_note (text, index) : NULL;
  g_autofree char *written = NULL, *shown = get_text (self);
  GtkTextIter start, end;

  if (note == NULL || note->fix == NULL || strcmp (shown, ls_script_text_get_text (text)) != 0)
    return;
  written = g_strdup (note->fix);               /* the note may go with the change */
  gtk_text_buffer_get_iter_at_offset (buffer_of (self), &start, (int) note->fix_start);
  gtk_text_buffer_get_iter_at_offset (buffer_of (self), &end, (int) note->fix_end);
  gtk_text_buffer_begin_user_action (buffer_of (self));
  gtk_text_buffer_delete (buffer_of (self), &start, &end);
  gtk_text_buffer_insert (buffer_of (self), &start, written, -1);
  gtk_text_buffer_end_user_action (buffer_of (self));
  gtk_text_buffer_place_cursor (buffer_of (self), &start);
  gtk_widget_grab_focus (self->view);
  ls_script_editor_flush (self);
}

/* ---- cards --------------------------------------------------------------------- */

/* (transfer full), or NULL */
static char *
card_at (LsScriptEditor    *self,
         const GtkTextIter *iter)
{
  if (self->known == NULL && self->session != NULL)
    self->known = ls_session_get_base_text (self->session);
  return ls_script_card_written (self->known, iter);
}

static char *
describe (GtkWidget         *editor,
          const GtkTextIter *iter)
{
  return card_at (LS_SCRIPT_EDITOR (editor), iter);
}

void
ls_script_editor_show_card (LsScriptEditor *self)
{
  g_autofree char *card = NULL;
  GtkTextIter iter;

  gtk_text_buffer_get_iter_at_mark (buffer_of (self), &iter, gtk_text_buffer_get_insert (buffer_of (self)));
  card = card_at (self, &iter);
  if (card != NULL)
    ls_script_card_show (GTK_TEXT_VIEW (self->view), &iter, card);
}

/* ---- class --------------------------------------------------------------------- */

/* What the text and its scrollbar tell is not for who is gone. */
static void
let_text_go (LsScriptEditor *self)
{
  g_signal_handlers_disconnect_by_data (buffer_of (self), self);
  g_signal_handlers_disconnect_by_data (gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->view)), self);
  g_ptr_array_unref (ls_gutter_take (GTK_SOURCE_VIEW (self->view)));
}

static void
ls_script_editor_dispose (GObject *object)
{
  LsScriptEditor *self = LS_SCRIPT_EDITOR (object);

  if (self->session != NULL && self->box != NULL)
    ls_script_editor_flush (self);
  if (self->box != NULL)
    let_text_go (self);
  g_clear_handle_id (&self->pause, g_source_remove);
  g_clear_handle_id (&self->keeping, g_source_remove);
  g_clear_handle_id (&self->lighting, g_source_remove);
  g_clear_handle_id (&self->showing, g_source_remove);
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_clear_object (&self->known);
  g_clear_object (&self->session);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (ls_script_editor_parent_class)->dispose (object);
}

static void
ls_script_editor_class_init (LsScriptEditorClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ls_script_editor_dispose;
  GTK_WIDGET_CLASS (klass)->css_changed = ls_script_editor_css_changed;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "scripteditor");
}

static GtkWidget *
text_new (LsScriptEditor *self)
{
  g_autoptr (GtkSourceMarkAttributes) marks = gtk_source_mark_attributes_new ();
  GtkSourceBuffer *buffer = gtk_source_buffer_new (NULL);
  GtkSourceView *view;

  self->view = ls_text_view_new (buffer);
  ls_scroller_settle (self->view);
  g_object_unref (buffer);
  view = GTK_SOURCE_VIEW (self->view);
  ls_syntax_attach (buffer, LS_SYNTAX_SCRIPT);
  gtk_source_view_set_show_line_numbers (view, TRUE);
  gtk_source_view_set_show_line_marks (view, TRUE);
  gtk_source_view_set_auto_indent (view, TRUE);
  gtk_source_view_set_tab_width (view, 4);
  gtk_source_view_set_indent_width (view, 4);
  gtk_source_view_set_insert_spaces_instead_of_tabs (view, TRUE);
  gtk_source_view_set_smart_backspace (view, TRUE);
  gtk_source_mark_attributes_set_icon_name (marks, "dialog-error-symbolic");
  gtk_source_view_set_mark_attributes (view, CATEGORY, marks, 1);
  gtk_text_view_set_monospace (GTK_TEXT_VIEW (view), TRUE);
  gtk_text_view_set_pixels_above_lines (GTK_TEXT_VIEW (view), 2);
  gtk_text_view_set_pixels_below_lines (GTK_TEXT_VIEW (view), 2);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (view), 4);
  gtk_text_view_set_bottom_margin (GTK_TEXT_VIEW (view), 8);
  gtk_widget_add_css_class (self->view, "script");
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Text of the opened program"), -1);
  g_signal_connect_swapped (buffer, "changed", G_CALLBACK (text_changed), self);
  g_signal_connect_swapped (buffer, "notify::cursor-position", G_CALLBACK (cursor_moved), self);
  return self->view;
}

static GtkWidget *
bar_new (LsScriptEditor *self)
{
  self->bar = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_add_css_class (self->bar, "editor-bar");
  self->icon = gtk_image_new ();
  self->words = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->words), 0.0f);
  gtk_label_set_wrap (GTK_LABEL (self->words), TRUE);
  gtk_widget_set_hexpand (self->words, TRUE);
  gtk_box_append (GTK_BOX (self->bar), ls_part_beside (self->icon, self->words));

  self->findings = gtk_list_box_new ();
  ls_tab_stop_make (self->findings);
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->findings), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (self->findings, "notes");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->findings), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("What the text has wrong"), -1);
  g_signal_connect_swapped (self->findings, "row-activated", G_CALLBACK (finding_activated), self);
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (self->scroller), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (self->scroller), 96);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), self->findings);
  ls_scroller_steady (self->scroller);
  gtk_box_append (GTK_BOX (self->bar), self->scroller);
  return self->bar;
}

static void
ls_script_editor_init (LsScriptEditor *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), text_new (self));
  ls_scroller_steady (scroller);
  gtk_widget_set_vexpand (scroller, TRUE);
  g_signal_connect_swapped (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller)), "notify::page-size",
                            G_CALLBACK (room_changed), self);
  gtk_box_append (GTK_BOX (self->box), scroller);
  gtk_box_append (GTK_BOX (self->box), bar_new (self));
  ls_script_hover_attach (GTK_SOURCE_VIEW (self->view), describe, GTK_WIDGET (self));
  self->error = gtk_text_buffer_create_tag (buffer_of (self), NULL, "underline", PANGO_UNDERLINE_ERROR, NULL);
  update_colors (self);
}

GtkWidget *
ls_script_editor_new (void)
{
  return g_object_new (LS_TYPE_SCRIPT_EDITOR, NULL);
}

void
ls_script_editor_set_session (LsScriptEditor *self,
                              LsSession      *session)
{
  g_return_if_fail (self->session == NULL);

  self->session = g_object_ref (session);
  g_signal_connect_swapped (session, "settle", G_CALLBACK (ls_script_editor_flush), self);
  g_signal_connect_swapped (session, "draft-changed", G_CALLBACK (draft_changed), self);
  g_signal_connect_swapped (session, "notify::title", G_CALLBACK (take_base), self);
  g_signal_connect (self, "show", G_CALLBACK (take_base), NULL);
  g_signal_connect (self, "hide", G_CALLBACK (hidden), NULL);
  draft_changed (self);
}

GtkWidget *
ls_script_editor_get_view (LsScriptEditor *self)
{
  return self->view;
}
