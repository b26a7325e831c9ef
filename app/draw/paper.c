/* The pages: what stands on them comes as a list, each piece goes below the last one, and over to the next page. */
#include "app/draw/paper.h"

#include "views/models/script-tokens.h"

#include <cairo-pdf.h>
#include <string.h>

#define BOTTOM (LS_PAPER_HEIGHT - 62.0)
#define CODE "Monospace 8"
#define LINK "#1a5fb4"

void
ls_paper_ink (LsPaper *self,
              LsInk    ink)
{
  static const guint32 colours[] = { [LS_INK_TEXT] = 0x29282b, [LS_INK_DIM] = 0x5e5c64, [LS_INK_ACCENT] = 0x1a5fb4, [LS_INK_ERROR] = 0xa51d2d,
                                     [LS_INK_NEW] = 0xdcebfb, [LS_INK_GONE] = 0xfbeccb, [LS_INK_MARK] = 0xfff3c4, [LS_INK_GROUND] = 0xf6f5f4,
                                     [LS_INK_LINE] = 0xd5d1cc };
  guint32 colour = colours[ink];

  cairo_set_source_rgb (self->cr, (colour >> 16) / 255.0, (colour >> 8 & 255) / 255.0, (colour & 255) / 255.0);
}

/* ---- pages ------------------------------------------------------------------------------------ */

void
ls_paper_foot (LsPaper *self)
{
  g_autofree char *text = g_strdup_printf ("%s     %u", self->title, self->page);
  g_autoptr (PangoLayout) layout = ls_paper_layout (self, "Sans 8", NULL, text, -1.0);
  PangoRectangle size;

  pango_layout_get_extents (layout, NULL, &size);
  ls_paper_ink (self, LS_INK_DIM);
  cairo_move_to (self->cr, LS_PAPER_LEFT + LS_PAPER_WIDTH - size.width / (double) PANGO_SCALE, LS_PAPER_HEIGHT - 40.0);
  pango_cairo_show_layout (self->cr, layout);
}

static void
turn_page (LsPaper *self)
{
  ls_paper_foot (self);
  cairo_show_page (self->cr);
  self->page++;
  self->y = LS_PAPER_TOP;
}

double
ls_paper_left (LsPaper *self)
{
  return BOTTOM - self->y;
}

void
ls_paper_room (LsPaper *self,
               double   height)
{
  if (self->y + height > BOTTOM && self->y > LS_PAPER_TOP)
    turn_page (self);
}

void
ls_paper_advance (LsPaper *self,
                  double   height)
{
  if (self->in_question)
    {
      ls_paper_ink (self, LS_INK_ACCENT);
      cairo_rectangle (self->cr, LS_PAPER_LEFT - 10.0, self->y, 2.5, MIN (height, BOTTOM - self->y));
      cairo_fill (self->cr);
    }
  self->y += height;
}

/* ---- text ------------------------------------------------------------------------------------- */

#define LINKS "ls-links"

typedef struct {
  guint start, end;             /* bytes of the layout's text */
  char *tag;                    /* attributes of the link for cairo, without its rectangle; NULL: leads nowhere */
} Link;

static void
link_clear (gpointer data)
{
  g_free (((Link *) data)->tag);
}

/* Where a reader of the sheets may be led: the web and letters.  What cairo wants to know of it, quoted. (transfer full), or NULL */
static char *
link_tag (const char *url)
{
  GString *out = g_str_has_prefix (url, "https://") || g_str_has_prefix (url, "http://") || g_str_has_prefix (url, "mailto:") ? g_string_new ("uri='") : NULL;

  for (const char *at = url; out != NULL && *at != 0; at++)
    {
      if (*at == '\'' || *at == '\\')
        g_string_append_c (out, '\\');
      if ((guchar) *at > ' ' && (guchar) *at < 0x7f)
        g_string_append_c (out, *at);
      else
        g_string_append_printf (out, "%%%02X", (guchar) *at);
    }
  return out != NULL ? g_string_free (g_string_append_c (out, '\''), FALSE) : NULL;
}

static gboolean
begin_link (const GMatchInfo *found,
            GString          *out,
            gpointer          data)
{
  g_autofree char *url = g_match_info_fetch (found, 1);
  g_autoptr (GString) plain = g_string_new (url);
  static const char *const entities[][2] = { { "&lt;", "<" }, { "&gt;", ">" }, { "&quot;", "\"" }, { "&#39;", "'" }, { "&apos;", "'" }, { "&amp;", "&" } };
  Link link = { 0, 0, NULL };

  for (gsize i = 0; i < G_N_ELEMENTS (entities); i++)
    g_string_replace (plain, entities[i][0], entities[i][1], 0);
  link.tag = link_tag (plain->str);
  g_array_append_val ((GArray *) data, link);
  g_string_append (out, "<span foreground=\"" LINK "\">");
  return FALSE;
}

/* Pango's markup has no links: they become coloured, and `links` gets each with its target, in order. (transfer full) */
static char *
without_links (const char *markup,
               GArray     *links)
{
  g_autoptr (GRegex) open = g_regex_new ("<a href=\"([^\"]*)\"[^>]*>", 0, 0, NULL);
  g_autofree char *begun = g_regex_replace_eval (open, markup, -1, 0, 0, begin_link, links, NULL);
  GString *out = g_string_new (begun != NULL ? begun : markup);

  g_string_replace (out, "</a>", "</span>", 0);
  return g_string_free (out, FALSE);
}

/* Sets the text, and keeps where its links stand: the runs in their colour, one after the other. */
static gboolean
set_markup (PangoLayout *layout,
            const char  *markup)
{
  GArray *links = g_array_new (FALSE, FALSE, sizeof (Link));
  g_autofree char *plain = NULL, *text = NULL;
  PangoAttrList *list = NULL;
  PangoColor colour;
  GSList *attributes;
  guint n = 0;

  g_array_set_clear_func (links, link_clear);
  g_object_set_data_full (G_OBJECT (layout), LINKS, links, (GDestroyNotify) g_array_unref);
  plain = without_links (markup, links);
  if (!pango_parse_markup (plain, -1, 0, &list, &text, NULL, NULL))
    {
      g_array_set_size (links, 0);
      return FALSE;
    }
  pango_color_parse (&colour, LINK);
  attributes = pango_attr_list_get_attributes (list);
  for (GSList *at = attributes; at != NULL; at = at->next)
    {
      PangoAttribute *one = at->data;
      PangoAttrColor *own = one->klass->type == PANGO_ATTR_FOREGROUND ? (PangoAttrColor *) one : NULL;

      if (own == NULL || n >= links->len || own->color.red != colour.red || own->color.green != colour.green || own->color.blue != colour.blue)
        continue;
      g_array_index (links, Link, n).start = one->start_index;
      g_array_index (links, Link, n++).end = one->end_index;
    }
  g_slist_free_full (attributes, (GDestroyNotify) pango_attribute_destroy);
  pango_layout_set_text (layout, text, -1);
  pango_layout_set_attributes (layout, list);
  pango_attr_list_unref (list);
  return TRUE;
}

/* What can be clicked of a line whose left end is at `left`. */
static void
put_links (LsPaper         *self,
           PangoLayoutLine *line,
           double           left,
           double           height)
{
  GArray *links = g_object_get_data (G_OBJECT (line->layout), LINKS);

  for (guint i = 0; links != NULL && i < links->len; i++)
    {
      const Link *link = &g_array_index (links, Link, i);
      int start = MAX ((int) link->start, line->start_index), end = MIN ((int) link->end, line->start_index + line->length), *ranges, n;

      if (link->tag == NULL || start >= end)
        continue;
      pango_layout_line_get_x_ranges (line, start, end, &ranges, &n);
      for (int k = 0; k < n; k++)
        {
          char box[4][G_ASCII_DTOSTR_BUF_SIZE];
          g_autofree char *tag = NULL;

          g_ascii_dtostr (box[0], sizeof box[0], left + ranges[2 * k] / (double) PANGO_SCALE);
          g_ascii_dtostr (box[1], sizeof box[1], self->y);
          g_ascii_dtostr (box[2], sizeof box[2], (ranges[2 * k + 1] - ranges[2 * k]) / (double) PANGO_SCALE);
          g_ascii_dtostr (box[3], sizeof box[3], height);
          tag = g_strdup_printf ("rect=[%s %s %s %s] %s", box[0], box[1], box[2], box[3], link->tag);
          cairo_tag_begin (self->cr, CAIRO_TAG_LINK, tag);
          cairo_tag_end (self->cr, CAIRO_TAG_LINK);
        }
      g_free (ranges);
    }
}

PangoLayout *
ls_paper_layout (LsPaper    *self,
                 const char *font,
                 const char *markup,
                 const char *text,
                 double      width)
{
  PangoLayout *layout = pango_layout_new (self->pango);
  PangoFontDescription *description = pango_font_description_from_string (font);

  pango_layout_set_font_description (layout, description);
  pango_font_description_free (description);
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  if (width >= 0.0)
    pango_layout_set_width (layout, (int) (width * PANGO_SCALE));
  if (markup == NULL || !set_markup (layout, markup))
    pango_layout_set_text (layout, text != NULL ? text : "", -1);
  return layout;
}

static void
put_line (LsPaper         *self,
          PangoLayoutIter *at,
          double           indent,
          LsInk            ink,
          LsInk            ground)
{
  PangoRectangle size;
  int top, bottom;
  double height;

  pango_layout_iter_get_line_extents (at, NULL, &size);
  pango_layout_iter_get_line_yrange (at, &top, &bottom);
  height = (bottom - top) / (double) PANGO_SCALE;
  ls_paper_room (self, height);
  if (ground != LS_INK_NONE)
    {
      ls_paper_ink (self, ground);
      cairo_rectangle (self->cr, LS_PAPER_LEFT, self->y, LS_PAPER_WIDTH, height + 0.3);
      cairo_fill (self->cr);
    }
  ls_paper_ink (self, ink);
  cairo_move_to (self->cr, LS_PAPER_LEFT + indent + size.x / (double) PANGO_SCALE,
                 self->y + (pango_layout_iter_get_baseline (at) - top) / (double) PANGO_SCALE);
  pango_cairo_show_layout_line (self->cr, pango_layout_iter_get_line_readonly (at));
  put_links (self, pango_layout_iter_get_line_readonly (at), LS_PAPER_LEFT + indent, height);
  ls_paper_advance (self, height);
}

void
ls_paper_flow (LsPaper     *self,
               PangoLayout *layout,
               double       indent,
               LsInk        ink,
               LsInk        ground)
{
  PangoLayoutIter *at = pango_layout_get_iter (layout);

  do
    put_line (self, at, indent, ink, ground);
  while (pango_layout_iter_next_line (at));
  pango_layout_iter_free (at);
}

void
ls_paper_words (LsPaper    *self,
                const char *font,
                const char *markup,
                const char *text,
                double      indent,
                LsInk       ink)
{
  g_autoptr (PangoLayout) layout = ls_paper_layout (self, font, markup, text, LS_PAPER_WIDTH - indent);

  pango_layout_set_spacing (layout, 2 * PANGO_SCALE);
  ls_paper_flow (self, layout, indent, ink, LS_INK_NONE);
  ls_paper_advance (self, 6.0);
}

/* ---- code ------------------------------------------------------------------------------------- */

/* A line with its keywords as markup. (transfer full) */
static char *
line_markup (const char *line,
             const char *sign)
{
  static const char *const spans[] = { [LS_TOKEN_KEYWORD] = "<b>", [LS_TOKEN_STRING] = "<span foreground=\"#1b6e2e\">",
                                       [LS_TOKEN_COMMENT] = "<span foreground=\"#5e5c64\" style=\"italic\">" };
  g_autoptr (GArray) tokens = ls_script_tokens (line);
  GString *out = g_string_new (sign);
  guint at = 0, n = (guint) g_utf8_strlen (line, -1);

  for (guint i = 0; i <= tokens->len; i++)
    {
      const LsToken *token = i < tokens->len ? &g_array_index (tokens, LsToken, i) : NULL;
      guint start = token != NULL ? MIN (token->start, n) : n, stop = token != NULL ? MIN (token->end, n) : n;
      g_autofree char *before = g_utf8_substring (line, at, MAX (start, at)), *inside = g_utf8_substring (line, start, stop);
      g_autofree char *plain = g_markup_escape_text (before, -1), *own = g_markup_escape_text (inside, -1);

      g_string_append (out, plain);
      if (token != NULL)
        g_string_append_printf (out, "%s%s%s", spans[token->kind], own, token->kind == LS_TOKEN_KEYWORD ? "</b>" : "</span>");
      at = stop;
    }
  return g_string_free (out, FALSE);
}

static void
put_code_line (LsPaper    *self,
               const char *line,
               const char *sign,
               LsInk       ground)
{
  g_autofree char *markup = line_markup (line, sign);
  g_autoptr (PangoLayout) layout = ls_paper_layout (self, CODE, markup, line, LS_PAPER_WIDTH - 16.0);

  pango_layout_set_indent (layout, -24 * PANGO_SCALE);
  ls_paper_flow (self, layout, 8.0, LS_INK_TEXT, ground);
}

static void
put_ground (LsPaper *self,
            double   height)
{
  ls_paper_room (self, height);
  ls_paper_ink (self, LS_INK_GROUND);
  cairo_rectangle (self->cr, LS_PAPER_LEFT, self->y, LS_PAPER_WIDTH, height + 0.3);
  cairo_fill (self->cr);
  ls_paper_advance (self, height);
}

void
ls_paper_code (LsPaper    *self,
               const char *text,
               const char *ops,
               const char *mark)
{
  g_autofree char *trimmed = g_strchomp (g_strdup (text));
  g_auto (GStrv) lines = g_strsplit (trimmed, "\n", -1);
  gsize n_ops = ops != NULL ? strlen (ops) : 0;

  put_ground (self, 4.0);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      char op = i < n_ops ? ops[i] : '=';
      const char *sign = ops == NULL ? "" : op == '+' ? "+ " : op == '-' ? "− " : "  ";
      LsInk ground = op == '+' ? LS_INK_NEW : op == '-' ? LS_INK_GONE : mark != NULL && strstr (lines[i], mark) != NULL ? LS_INK_MARK : LS_INK_GROUND;

      put_code_line (self, lines[i], sign, ground);
    }
  put_ground (self, 4.0);
  ls_paper_advance (self, 8.0);
}

/* ---- tables ----------------------------------------------------------------------------------- */

static guint
n_columns (JsonArray *rows)
{
  guint n = 0;

  for (guint i = 0; i < json_array_get_length (rows); i++)
    n = MAX (n, json_array_get_length (json_array_get_array_element (rows, i)));
  return n;
}

static PangoLayout *
cell (LsPaper   *self,
      JsonArray *row,
      guint      k,
      gboolean   head,
      double     width)
{
  const char *text = k < json_array_get_length (row) ? json_array_get_string_element (row, k) : "";

  return ls_paper_layout (self, head ? "Sans Bold 8.5" : "Sans 8.5", text, text, width);
}

/* What each column wants; scaled down where that is too wide. (transfer full) */
static double *
column_widths (LsPaper   *self,
               JsonArray *rows,
               guint      n)
{
  double *widths = g_new0 (double, n), sum = 0.0;

  for (guint i = 0; i < json_array_get_length (rows); i++)
    for (guint k = 0; k < n; k++)
      {
        g_autoptr (PangoLayout) layout = cell (self, json_array_get_array_element (rows, i), k, i == 0, -1.0);
        PangoRectangle size;

        pango_layout_get_extents (layout, NULL, &size);
        widths[k] = MAX (widths[k], size.width / (double) PANGO_SCALE + 12.0);
      }
  for (guint k = 0; k < n; k++)
    sum += widths[k];
  for (guint k = 0; k < n && sum > LS_PAPER_WIDTH; k++)
    widths[k] *= LS_PAPER_WIDTH / sum;
  return widths;
}

static void
put_row (LsPaper      *self,
         JsonArray    *row,
         const double *widths,
         guint         n,
         gboolean      head)
{
  g_autoptr (GPtrArray) cells = g_ptr_array_new_with_free_func (g_object_unref);
  double height = 0.0, x = LS_PAPER_LEFT;

  for (guint k = 0; k < n; k++)
    {
      PangoRectangle size;

      g_ptr_array_add (cells, cell (self, row, k, head, widths[k] - 8.0));
      pango_layout_get_extents (cells->pdata[k], NULL, &size);
      height = MAX (height, size.height / (double) PANGO_SCALE + 6.0);
    }
  ls_paper_room (self, height);
  for (guint k = 0; k < n; x += widths[k++])
    {
      ls_paper_ink (self, head ? LS_INK_DIM : LS_INK_TEXT);
      cairo_move_to (self->cr, x, self->y + 3.0);
      pango_cairo_show_layout (self->cr, cells->pdata[k]);
    }
  ls_paper_ink (self, LS_INK_LINE);
  cairo_rectangle (self->cr, LS_PAPER_LEFT, self->y + height - 0.6, LS_PAPER_WIDTH, 0.6);
  cairo_fill (self->cr);
  ls_paper_advance (self, height);
}

void
ls_paper_rows (LsPaper   *self,
               JsonArray *rows)
{
  guint n = n_columns (rows);
  g_autofree double *widths = column_widths (self, rows, n);

  for (guint i = 0; n > 0 && i < json_array_get_length (rows); i++)
    put_row (self, json_array_get_array_element (rows, i), widths, n, i == 0);
  ls_paper_advance (self, 8.0);
}
