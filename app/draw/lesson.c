/* A lesson on paper: what stands there comes as a list on standard input (app/page, paper.c). */
#include "app/draw/paper.h"

#include <cairo-pdf.h>
#include <gio/gio.h>
#include <gio/gunixinputstream.h>
#include <string.h>
#include <unistd.h>

#define BODY "Sans 10"
#define CODE "Monospace 8"      /* that of programs */

/* ---- pieces ----------------------------------------------------------------------------------- */

static const char *
string (JsonObject *item,
        const char *name)
{
  return json_object_get_string_member_with_default (item, name, NULL);
}

static void
put_heading (LsPaper    *self,
             JsonObject *item)
{
  gint64 level = json_object_get_int_member_with_default (item, "level", 2);
  g_autofree char *place = NULL;

  ls_paper_room (self, level <= 2 ? 130.0 : 80.0);
  if (self->y > LS_PAPER_TOP)
    ls_paper_advance (self, level <= 2 ? 14.0 : 6.0);
  place = g_strdup_printf ("page=%u pos=[%.1f %.1f]", self->page, LS_PAPER_LEFT, self->y);
  if (level <= 2)
    cairo_pdf_surface_add_outline (self->surface, CAIRO_PDF_OUTLINE_ROOT, string (item, "text"), place, CAIRO_PDF_OUTLINE_FLAG_OPEN);
  ls_paper_words (self, level <= 2 ? "Sans Bold 15" : "Sans Bold 11", string (item, "markup"), string (item, "text"), 0.0, LS_INK_TEXT);
}

static void
put_item (LsPaper    *self,
          JsonObject *item)
{
  const char *marker = string (item, "marker");
  double indent = 18.0 * (double) json_object_get_int_member_with_default (item, "level", 1);
  g_autoptr (PangoLayout) mark = ls_paper_layout (self, BODY, NULL, marker, -1.0);

  ls_paper_room (self, 14.0);
  ls_paper_ink (self, LS_INK_TEXT);
  cairo_move_to (self->cr, LS_PAPER_LEFT + indent - 14.0, self->y);
  pango_cairo_show_layout (self->cr, mark);
  ls_paper_words (self, BODY, string (item, "markup"), string (item, "text"), indent, LS_INK_TEXT);
  self->y -= 3.0;
}

static void
put_choice (LsPaper    *self,
            JsonObject *item)
{
  ls_paper_room (self, 16.0);
  ls_paper_ink (self, LS_INK_DIM);
  cairo_set_line_width (self->cr, 0.8);
  cairo_arc (self->cr, LS_PAPER_LEFT + 6.0, self->y + 7.0, 4.0, 0.0, 2.0 * G_PI);
  cairo_stroke (self->cr);
  ls_paper_words (self, BODY, NULL, string (item, "text"), 18.0, LS_INK_TEXT);
}

static void
put_room (LsPaper    *self,
          JsonObject *item)
{
  for (gint64 i = 0; i < json_object_get_int_member_with_default (item, "lines", 2); i++)
    {
      ls_paper_room (self, 20.0);
      ls_paper_ink (self, LS_INK_LINE);
      cairo_rectangle (self->cr, LS_PAPER_LEFT, self->y + 18.0, LS_PAPER_WIDTH, 0.6);
      cairo_fill (self->cr);
      ls_paper_advance (self, 20.0);
    }
  ls_paper_advance (self, 6.0);
}

static void
put_output (LsPaper    *self,
            const char *text,
            LsInk       ink)
{
  g_autofree char *trimmed = g_strchomp (g_strdup (text));
  g_autoptr (PangoLayout) layout = ls_paper_layout (self, CODE, NULL, trimmed, LS_PAPER_WIDTH - 8.0);

  ls_paper_flow (self, layout, 8.0, ink, LS_INK_NONE);
  ls_paper_advance (self, 8.0);
}

static void
put_question (LsPaper    *self,
              JsonObject *item)
{
  ls_paper_advance (self, 6.0);
  ls_paper_room (self, 90.0);
  self->in_question = TRUE;
  ls_paper_words (self, "Sans Bold 11", NULL, string (item, "text"), 0.0, LS_INK_ACCENT);
}

static void
put (LsPaper    *self,
     JsonObject *item)
{
  const char *kind = json_object_get_string_member_with_default (item, "kind", ""), *text = string (item, "text"), *markup = string (item, "markup");

  if (strcmp (kind, "heading") == 0)
    put_heading (self, item);
  else if (strcmp (kind, "words") == 0)
    ls_paper_words (self, BODY, markup, text, 0.0, LS_INK_TEXT);
  else if (strcmp (kind, "quote") == 0)
    ls_paper_words (self, "Sans Italic 10", markup, text, 18.0, LS_INK_DIM);
  else if (strcmp (kind, "item") == 0)
    put_item (self, item);
  else if (strcmp (kind, "code") == 0)
    ls_paper_code (self, text, NULL, NULL);
  else if (strcmp (kind, "output") == 0)
    put_output (self, text, LS_INK_TEXT);
  else if (strcmp (kind, "error") == 0)
    put_output (self, text, LS_INK_ERROR);
  else if (strcmp (kind, "note") == 0)
    ls_paper_words (self, "Sans 9", NULL, text, 0.0, LS_INK_DIM);
  else if (strcmp (kind, "rows") == 0)
    ls_paper_rows (self, json_object_get_array_member (item, "rows"));
  else if (strcmp (kind, "question") == 0)
    put_question (self, item);
  else if (strcmp (kind, "choice") == 0)
    put_choice (self, item);
  else if (strcmp (kind, "room") == 0)
    put_room (self, item);
  else if (strcmp (kind, "end") == 0)
    self->in_question = FALSE;
  else if (strcmp (kind, "rule") == 0)
    ls_paper_advance (self, 12.0);
  else
    ls_paper_view (self, item);
}

/* ---- the whole -------------------------------------------------------------------------------- */

/* A list of objects. */
static gboolean
is_list (JsonObject *lesson)
{
  JsonNode *node = json_object_get_member (lesson, "items");
  JsonArray *items = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;

  for (guint i = 0; items != NULL && i < json_array_get_length (items); i++)
    if (!JSON_NODE_HOLDS_OBJECT (json_array_get_element (items, i)))
      return FALSE;
  return items != NULL;
}

static JsonObject *
read_input (JsonParser *parser,
            GError    **error)
{
  g_autoptr (GInputStream) input = g_unix_input_stream_new (STDIN_FILENO, FALSE);
  JsonNode *root;

  if (!json_parser_load_from_stream (parser, input, NULL, error))
    return NULL;
  root = json_parser_get_root (parser);
  if (root != NULL && JSON_NODE_HOLDS_OBJECT (root) && is_list (json_node_get_object (root)))
    return json_node_get_object (root);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "standard input is no lesson for paper: an object with a list of \"items\" is expected");
  return NULL;
}

static void
put_all (LsPaper    *self,
         JsonObject *lesson)
{
  JsonArray *items = json_object_get_array_member (lesson, "items");
  const char *summary = json_object_get_string_member_with_default (lesson, "summary", "");

  ls_paper_words (self, "Sans Bold 22", NULL, self->title, 0.0, LS_INK_TEXT);
  if (*summary != 0)
    ls_paper_words (self, "Sans 11", NULL, summary, 0.0, LS_INK_DIM);
  ls_paper_advance (self, 10.0);
  for (guint i = 0; i < json_array_get_length (items); i++)
    put (self, json_array_get_object_element (items, i));
  ls_paper_foot (self);
}

gboolean
ls_draw_paper (const char *path,
               GError    **error)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *lesson = read_input (parser, error);
  g_autofree char *language = NULL;
  cairo_status_t status;
  LsPaper self;

  if (lesson == NULL)
    return FALSE;
  self = (LsPaper) { .surface = cairo_pdf_surface_create (path, LS_PAPER_WIDTH + 2.0 * LS_PAPER_LEFT, LS_PAPER_HEIGHT), .page = 1, .y = LS_PAPER_TOP };
  self.cr = cairo_create (self.surface);
  self.pango = pango_cairo_create_context (self.cr);
  self.title = g_strdup (json_object_get_string_member_with_default (lesson, "title", ""));
  language = g_strdelimit (g_strdup (json_object_get_string_member_with_default (lesson, "language", "en")), "_", '-');
  pango_cairo_context_set_resolution (self.pango, 72.0);
  pango_context_set_language (self.pango, pango_language_from_string (language));
  cairo_pdf_surface_set_metadata (self.surface, CAIRO_PDF_METADATA_TITLE, self.title);
  cairo_pdf_surface_set_metadata (self.surface, CAIRO_PDF_METADATA_CREATOR, "Loopscope");
  /* The same lesson gives the same bytes. */
  cairo_pdf_surface_set_metadata (self.surface, CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
  put_all (&self, lesson);
  cairo_destroy (self.cr);
  cairo_surface_finish (self.surface);
  status = cairo_surface_status (self.surface);
  cairo_surface_destroy (self.surface);
  g_object_unref (self.pango);
  g_free (self.title);
  if (status == CAIRO_STATUS_SUCCESS)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: %s", path, cairo_status_to_string (status));
  return FALSE;
}
