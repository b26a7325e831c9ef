/* Blocks of a lesson as HTML: from the Pango markup of the blocks only the few tags that it has come through. */
#include "app/page/page.h"

#include <gio/gio.h>
#include <string.h>

#define MOST_PICTURE (400u << 10)
#define MOST_DEPTH 12

/* ---- markup --------------------------------------------------------------------------------- */

typedef struct {
  LsPage *page;
  guint   links;                /* open, and left out */
} Markup;

static gboolean
is_link (const char *href)
{
  return g_str_has_prefix (href, "https://") || g_str_has_prefix (href, "http://") || g_str_has_prefix (href, "mailto:") || *href == '#';
}

static void
start_element (GMarkupParseContext *context,
               const char          *name,
               const char         **names,
               const char         **values,
               gpointer             data,
               GError             **error)
{
  Markup *self = data;

  if (strcmp (name, "b") == 0 || strcmp (name, "i") == 0)
    ls_page_put_html (self->page, *name == 'b' ? "<strong>" : "<em>");
  else if (strcmp (name, "tt") == 0)
    ls_page_put_html (self->page, "<code>");
  else if (strcmp (name, "a") == 0)
    ls_page_put_format (self->page, "<a rel=\"noreferrer\" href=\"%s\">", names[0] != NULL && is_link (values[0]) ? values[0] : "#main");
}

static void
end_element (GMarkupParseContext *context,
             const char          *name,
             gpointer             data,
             GError             **error)
{
  Markup *self = data;

  if (strcmp (name, "b") == 0 || strcmp (name, "i") == 0)
    ls_page_put_html (self->page, *name == 'b' ? "</strong>" : "</em>");
  else if (strcmp (name, "tt") == 0)
    ls_page_put_html (self->page, "</code>");
  else if (strcmp (name, "a") == 0)
    ls_page_put_html (self->page, "</a>");
}

static void
put_words (GMarkupParseContext *context,
           const char          *text,
           gsize                length,
           gpointer             data,
           GError             **error)
{
  g_autofree char *own = g_strndup (text, length);

  ls_page_put_text (((Markup *) data)->page, own);
}

/* The markup, or the plain text where it is none. */
static void
put_markup (LsPage     *self,
            const char *markup,
            const char *text)
{
  static const GMarkupParser parser = { .start_element = start_element, .end_element = end_element, .text = put_words };
  Markup data = { self, 0 };
  g_autofree char *whole = g_strconcat ("<m>", markup, "</m>", NULL);
  g_autoptr (GMarkupParseContext) test = g_markup_parse_context_new (&(GMarkupParser) { 0 }, 0, NULL, NULL);
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, 0, &data, NULL);

  if (markup != NULL && g_markup_parse_context_parse (test, whole, -1, NULL) && g_markup_parse_context_end_parse (test, NULL))
    g_markup_parse_context_parse (context, whole, -1, NULL);
  else
    ls_page_put_text (self, text);
}

/* ---- blocks --------------------------------------------------------------------------------- */

static const char *
type_of (const guint8 *data,
         gsize         n)
{
  if (n > 8 && memcmp (data, "\x89PNG", 4) == 0)
    return "image/png";
  if (n > 4 && memcmp (data, "\xff\xd8\xff", 3) == 0)
    return "image/jpeg";
  if (n > 4 && memcmp (data, "GIF8", 4) == 0)
    return "image/gif";
  if (n > 5 && g_strstr_len ((const char *) data, (gssize) MIN (n, 400), "<svg") != NULL)
    return "image/svg+xml";
  return NULL;
}

static void
put_image (LsPage              *self,
           const LsLessonBlock *block,
           const char          *folder)
{
  g_autofree char *plain = block->target != NULL ? g_uri_unescape_string (block->target, NULL) : NULL;
  g_autofree char *path = plain != NULL ? g_build_filename (folder, plain, NULL) : NULL;
  g_autofree char *data = NULL, *coded = NULL;
  const char *type;
  gsize n = 0;

  if (path == NULL || !g_file_test (path, G_FILE_TEST_IS_REGULAR) || !g_file_get_contents (path, &data, &n, NULL) || n > MOST_PICTURE
      || (type = type_of ((const guint8 *) data, n)) == NULL)
    {
      ls_page_put_format (self, "<p class=\"dim\">[%s]</p>\n", block->text);
      return;
    }
  coded = g_base64_encode ((const guchar *) data, n);
  ls_page_put_format (self, "<p><img alt=\"%s\" src=\"data:%s;base64,%s\"></p>\n", block->text, type, coded);
}

/* Rows are lines, cells between tabs, as markup. */
static void
put_table (LsPage              *self,
           const LsLessonBlock *block)
{
  g_auto (GStrv) rows = g_strsplit (block->markup, "\n", -1);

  ls_page_put_html (self, "<div class=\"scroll\"><table>\n");
  for (guint i = 0; rows[i] != NULL; i++)
    {
      g_auto (GStrv) cells = g_strsplit (rows[i], "\t", -1);

      if (*rows[i] == 0)
        continue;
      ls_page_put_html (self, "<tr>");
      for (guint k = 0; cells[k] != NULL; k++)
        {
          ls_page_put_html (self, i == 0 ? "<th>" : "<td>");
          put_markup (self, cells[k], cells[k]);
          ls_page_put_html (self, i == 0 ? "</th>" : "</td>");
        }
      ls_page_put_html (self, "</tr>\n");
    }
  ls_page_put_html (self, "</table></div>\n");
}

static void
put_block (LsPage              *self,
           const LsLessonBlock *block,
           const char          *folder)
{
  int level = block->level <= 2 ? 2 : 3;

  switch (block->kind)
    {
    case LS_BLOCK_HEADING:
      ls_page_put_format (self, "<h%d>", level);
      put_markup (self, block->markup, block->text);
      ls_page_put_format (self, "</h%d>\n", level);
      break;
    case LS_BLOCK_CODE:
      if (block->recorded)
        ls_page_put_format (self, "<p class=\"dim\">%s</p>", ls_page_word (self, "inFile"));
      ls_page_put_html (self, "<pre class=\"plain\" tabindex=\"0\">");
      ls_page_put_text (self, block->text);
      ls_page_put_html (self, "</pre>\n");
      break;
    case LS_BLOCK_IMAGE:
      put_image (self, block, folder);
      break;
    case LS_BLOCK_TABLE:
      put_table (self, block);
      break;
    case LS_BLOCK_RULE:
      ls_page_put_html (self, "<hr>\n");
      break;
    case LS_BLOCK_PARAGRAPH:
    case LS_BLOCK_QUOTE:
    case LS_BLOCK_ITEM:
      ls_page_put_html (self, block->kind == LS_BLOCK_QUOTE ? "<blockquote><p>" : "<p>");
      put_markup (self, block->markup, block->text);
      ls_page_put_html (self, block->kind == LS_BLOCK_QUOTE ? "</p></blockquote>\n" : "</p>\n");
      break;
    }
}

static void
close_lists (LsPage     *self,
             const char *kinds,
             guint      *depth,
             guint       to)
{
  for (; *depth > to; (*depth)--)
    ls_page_put_html (self, kinds[*depth - 1] == 'o' ? "</li></ol>\n" : "</li></ul>\n");
}

/* Items become lists again, one in the other by their depth. */
void
ls_page_put_blocks (LsPage     *self,
                    GPtrArray  *blocks,
                    const char *folder)
{
  char kinds[MOST_DEPTH] = { 0 };
  guint depth = 0;

  for (guint i = 0; blocks != NULL && i < blocks->len; i++)
    {
      const LsLessonBlock *block = blocks->pdata[i];
      guint level = block->kind == LS_BLOCK_ITEM ? (guint) CLAMP (block->level, 1, MOST_DEPTH) : 0;
      gboolean ordered = block->marker != NULL && g_ascii_isdigit (*block->marker);

      if (block->kind != LS_BLOCK_ITEM)
        close_lists (self, kinds, &depth, 0);
      else if (block->marker != NULL)
        {
          close_lists (self, kinds, &depth, level);
          if (depth == level)
            ls_page_put_html (self, "</li><li>");
          for (; depth < level; depth++)
            {
              kinds[depth] = ordered ? 'o' : 'u';
              if (ordered)
                ls_page_put_format (self, "<ol start=\"%d\"><li>", atoi (block->marker));
              else
                ls_page_put_html (self, "<ul><li>");
            }
        }
      put_block (self, block, folder);
    }
  close_lists (self, kinds, &depth, 0);
}
