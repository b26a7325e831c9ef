/* LsSourceText: see the header.  Words are found by a scan of the text; no language definition has to be installed. */
#include "views/parts/source-text.h"

#include "views/canvas/look.h"
#include "views/parts/gutter.h"
#include "views/parts/scroller.h"

#include <glib/gi18n.h>
#include <string.h>

#define LEADING 2
#define FRAMES_SEEN 3
#define MOST_FRAMES 60

enum { KEYWORD, STRING, COMMENT, MARKED, N_LOOKS };

struct _LsSourceText
{
  GtkSourceView  parent_instance;

  GtkTextTag    *looks[N_LOOKS];
  guint          tick;          /* that brings the cursor into view, or 0 */
  guint          frames_seen;   /* that it was there */
  guint          frames_left;   /* before we give up */
  GPtrArray     *renderers;     /* of its gutter, while it is in no window; else NULL */
};

G_DEFINE_FINAL_TYPE (LsSourceText, ls_source_text, GTK_SOURCE_TYPE_VIEW)

static const char *const keywords[] = {
  "break", "case", "char", "const", "continue", "do", "double", "else", "enum", "extern", "float", "for", "gboolean", "goto", "guint", "gint64",
  "gsize", "if", "int", "return", "sizeof", "static", "struct", "switch", "typedef", "union", "unsigned", "void", "while",
};

static GtkTextBuffer *
buffer_of (LsSourceText *self)
{
  return gtk_text_view_get_buffer (GTK_TEXT_VIEW (self));
}

/* ---- looks --------------------------------------------------------------------- */

static void
update_colors (LsSourceText *self)
{
  LsLook look;

  ls_look_from_widget (GTK_WIDGET (self), &look);
  g_object_set (self->looks[STRING], "foreground-rgba", &look.colors[LS_LOOK_DIM], NULL);
  g_object_set (self->looks[COMMENT], "foreground-rgba", &look.colors[LS_LOOK_DIM], NULL);
  g_object_set (self->looks[MARKED], "paragraph-background-rgba", &look.colors[LS_LOOK_SELECTED], NULL);
}

static void
ls_source_text_css_changed (GtkWidget         *widget,
                            GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (ls_source_text_parent_class)->css_changed (widget, change);
  if (LS_SOURCE_TEXT (widget)->looks[MARKED] != NULL)
    update_colors (LS_SOURCE_TEXT (widget));
}

static void
apply (LsSourceText *self,
       guint         look,
       glong         from,
       glong         to)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_iter_at_offset (buffer_of (self), &start, (int) from);
  gtk_text_buffer_get_iter_at_offset (buffer_of (self), &end, (int) to);
  gtk_text_buffer_apply_tag (buffer_of (self), self->looks[look], &start, &end);
}

static gboolean
is_keyword (const char *word,
            gsize       length)
{
  for (guint i = 0; i < G_N_ELEMENTS (keywords); i++)
    if (strlen (keywords[i]) == length && strncmp (keywords[i], word, length) == 0)
      return TRUE;
  return FALSE;
}

/* Length of the comment, string, character or word that begins at `at`, and how it looks; N_LOOKS: as everything. */
static gsize
next_token (const char *at,
            guint      *look)
{
  const char *end = at;

  *look = N_LOOKS;
  if (g_str_has_prefix (at, "/*"))
    {
      *look = COMMENT;
      end = strstr (at, "*/");
      return end != NULL ? (gsize) (end + 2 - at) : strlen (at);
    }
  if (*at == '"' || *at == '\'')
    {
      *look = STRING;
      for (end = at + 1; *end != '\0' && *end != *at; end++)
        if (*end == '\\' && end[1] != '\0')
          end++;
      return (gsize) (end - at) + (*end != '\0');
    }
  while (g_ascii_isalnum (*end) || *end == '_')
    end++;
  if (end > at && is_keyword (at, (gsize) (end - at)))
    *look = KEYWORD;
  return MAX ((gsize) (end - at), 1);
}

void
ls_source_text_set (LsSourceText *self,
                    const char   *text)
{
  glong offset = 0;

  gtk_text_buffer_set_text (buffer_of (self), text, -1);
  for (const char *at = text; *at != '\0';)
    {
      guint look;
      gsize length = next_token (at, &look);
      glong chars = g_utf8_strlen (at, (gssize) length);

      if (look != N_LOOKS)
        apply (self, look, offset, offset + chars);
      offset += chars;
      at += length;
    }
}

/* ---- the marked lines -------------------------------------------------------------- */

/* Lines get their heights one by one, and the scroll slides while those above get theirs: until the cursor is seen. */
static gboolean
reveal (GtkWidget     *widget,
        GdkFrameClock *clock,
        gpointer       data)
{
  LsSourceText *self = LS_SOURCE_TEXT (widget);
  GtkTextMark *cursor = gtk_text_buffer_get_insert (buffer_of (self));
  GtkTextIter iter;
  GdkRectangle visible, place;

  gtk_text_buffer_get_iter_at_mark (buffer_of (self), &iter, cursor);
  gtk_text_view_get_visible_rect (GTK_TEXT_VIEW (widget), &visible);
  gtk_text_view_get_iter_location (GTK_TEXT_VIEW (widget), &iter, &place);
  if (visible.height > 0 && place.y >= visible.y && place.y + place.height <= visible.y + visible.height)
    self->frames_seen++;
  else
    gtk_text_view_scroll_to_mark (GTK_TEXT_VIEW (widget), cursor, 0.0, TRUE, 0.0, 0.25);
  if (self->frames_seen < FRAMES_SEEN && self->frames_left-- > 0)
    return G_SOURCE_CONTINUE;
  self->tick = 0;
  return G_SOURCE_REMOVE;
}

void
ls_source_text_mark (LsSourceText *self,
                     guint         first,
                     guint         last)
{
  GtkTextBuffer *buffer = buffer_of (self);
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  gtk_text_buffer_remove_tag (buffer, self->looks[MARKED], &start, &end);
  gtk_text_buffer_get_iter_at_line (buffer, &start, (int) first - 1);
  gtk_text_buffer_get_iter_at_line (buffer, &end, (int) last);
  gtk_text_buffer_apply_tag (buffer, self->looks[MARKED], &start, &end);
  gtk_text_buffer_place_cursor (buffer, &start);
  self->frames_seen = 0;
  self->frames_left = MOST_FRAMES;
  if (self->tick == 0)
    self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), reveal, NULL, NULL);
}

/* ---- class ----------------------------------------------------------------------------- */

static void
ls_source_text_constructed (GObject *object)
{
  LsSourceText *self = LS_SOURCE_TEXT (object);
  GtkTextBuffer *buffer = buffer_of (self);

  G_OBJECT_CLASS (ls_source_text_parent_class)->constructed (object);
  gtk_source_buffer_set_highlight_syntax (GTK_SOURCE_BUFFER (buffer), FALSE);
  gtk_source_buffer_set_style_scheme (GTK_SOURCE_BUFFER (buffer), NULL);
  self->looks[KEYWORD] = gtk_text_buffer_create_tag (buffer, NULL, "weight", PANGO_WEIGHT_BOLD, NULL);
  self->looks[STRING] = gtk_text_buffer_create_tag (buffer, NULL, NULL);
  self->looks[COMMENT] = gtk_text_buffer_create_tag (buffer, NULL, "style", PANGO_STYLE_ITALIC, NULL);
  self->looks[MARKED] = gtk_text_buffer_create_tag (buffer, NULL, NULL);
  update_colors (self);
}

static void
ls_source_text_root (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (ls_source_text_parent_class)->root (widget);
  ls_gutter_put (GTK_SOURCE_VIEW (widget), g_steal_pointer (&LS_SOURCE_TEXT (widget)->renderers));
}

static void
ls_source_text_unroot (GtkWidget *widget)
{
  LS_SOURCE_TEXT (widget)->renderers = ls_gutter_take (GTK_SOURCE_VIEW (widget));
  GTK_WIDGET_CLASS (ls_source_text_parent_class)->unroot (widget);
}

static void
ls_source_text_dispose (GObject *object)
{
  g_clear_pointer (&LS_SOURCE_TEXT (object)->renderers, g_ptr_array_unref);
  G_OBJECT_CLASS (ls_source_text_parent_class)->dispose (object);
}

static void
ls_source_text_class_init (LsSourceTextClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ls_source_text_dispose;
  GTK_WIDGET_CLASS (klass)->root = ls_source_text_root;
  GTK_WIDGET_CLASS (klass)->unroot = ls_source_text_unroot;
  G_OBJECT_CLASS (klass)->constructed = ls_source_text_constructed;
  GTK_WIDGET_CLASS (klass)->css_changed = ls_source_text_css_changed;
}

static void
ls_source_text_init (LsSourceText *self)
{
  GtkTextView *view = GTK_TEXT_VIEW (self);

  gtk_text_view_set_editable (view, FALSE);
  gtk_text_view_set_monospace (view, TRUE);
  gtk_text_view_set_pixels_above_lines (view, LEADING);
  gtk_text_view_set_pixels_below_lines (view, LEADING);
  gtk_text_view_set_left_margin (view, 8);
  gtk_text_view_set_bottom_margin (view, 8);
  gtk_text_view_set_accepts_tab (view, FALSE);
  gtk_source_view_set_show_line_numbers (GTK_SOURCE_VIEW (self), TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self), "script");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Source text"), -1);
  ls_scroller_settle (GTK_WIDGET (self));
}

GtkWidget *
ls_source_text_new (void)
{
  return g_object_new (LS_TYPE_SOURCE_TEXT, NULL);
}
