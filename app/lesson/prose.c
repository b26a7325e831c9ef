/* Markdown between the fences, as flat blocks with Pango markup.
 *
 * cmark reads it; before that formulas become text, course directives (:label:, :numref: and their kin) lose their
 * colons, and lines of a table are set aside, which CommonMark does not know.  Lists become items with their depth.  Raw HTML
 * is left out.
 */
#include "app/lesson/lesson-private.h"

#include <cmark.h>
#include <string.h>

void
ls_lesson_block_free (LsLessonBlock *block)
{
  g_free (block->markup);
  g_free (block->text);
  g_free (block->marker);
  g_free (block->target);
  g_free (block);
}

/* ---- before cmark ---- */

static void
append_escaped (GString    *out,
                const char *text)
{
  for (; *text != 0; text++)
    {
      if (strchr ("\\`*_{}[]()#+-.!<>|~&", *text) != NULL)
        g_string_append_c (out, '\\');
      g_string_append_c (out, *text);
    }
}

/* The end of a formula that begins at `at` (behind its dollars), or NULL: a price is no formula. */
static const char *
formula_end (const char *at,
             gsize       dollars)
{
  if (dollars == 1 && (*at == ' ' || *at == 0 || *at == '\n'))
    return NULL;
  for (const char *p = at; *p != 0; p++)
    {
      if (*p == '\\' && p[1] != 0)
        p++;
      else if (dollars == 1 && (*p == '\n' && p[1] == '\n'))
        return NULL;
      else if (dollars == 1 && *p == '`')
        return NULL;
      else if (*p == '$' && (dollars == 1 ? p[-1] != ' ' && !g_ascii_isdigit (p[1]) : p[1] == '$'))
        return p > at ? p : NULL;
      else if (*p == '$')
        return NULL;
    }
  return NULL;
}

/* The end of a code span that begins at `at`, or NULL. */
static const char *
code_end (const char *at)
{
  gsize n = strspn (at, "`");

  for (const char *p = at + n; *p != 0; p++)
    if (*p == '`')
      {
        gsize m = strspn (p, "`");

        if (m == n)
          return p + m;
        p += m - 1;
      }
  return NULL;
}

/* ":numref:`x`" and ":label:`x`" of the course: where it ends; *shown says whether x is worth reading. */
static const char *
directive_end (const char *at,
               gboolean   *shown)
{
  static const char *const names[] = { ":label:`", ":eqlabel:`", ":width:`", ":height:`", ":numref:`", ":eqref:`", ":ref:`", ":cite:`", ":citet:`" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_has_prefix (at, names[i]))
      {
        const char *end = strchr (at + strlen (names[i]), '`');

        *shown = i >= 4;
        return end != NULL ? end + 1 : NULL;
      }
  return NULL;
}

static char *
prepare (const char *markdown)
{
  GString *out = g_string_new (NULL);

  for (const char *at = markdown; *at != 0;)
    {
      gsize dollars = *at == '$' ? (at[1] == '$' ? 2 : 1) : 0;
      gboolean shown = FALSE;
      const char *end = *at == '`' ? code_end (at) : NULL;

      if (*at == '\\' && at[1] != 0)
        end = at + 2;
      if (end != NULL)
        {
          g_string_append_len (out, at, end - at);
          at = end;
          continue;
        }
      end = dollars > 0 ? formula_end (at + dollars, dollars) : NULL;
      if (end != NULL)
        {
          g_autofree char *tex = g_strndup (at + dollars, (gsize) (end - at) - dollars);
          g_autofree char *text = ls_math_to_text (tex);

          append_escaped (out, text);
          at = end + dollars;
          continue;
        }
      end = *at == ':' ? directive_end (at, &shown) : NULL;
      if (end != NULL)
        {
          const char *start = strchr (at, '`');

          if (shown)
            g_string_append_len (out, start, end - start);
          at = end;
          continue;
        }
      g_string_append_c (out, *at++);
    }
  return g_string_free (out, FALSE);
}

/* ---- inline nodes ---- */

static void
append_markup (GString    *out,
               const char *tag,
               const char *text)
{
  g_autofree char *escaped = g_markup_escape_text (text != NULL ? text : "", -1);

  if (tag != NULL)
    g_string_append_printf (out, "<%s>%s</%s>", tag, escaped, tag);
  else
    g_string_append (out, escaped);
}

static const char *
tag_of (cmark_node_type type)
{
  return type == CMARK_NODE_EMPH ? "i" : type == CMARK_NODE_STRONG ? "b" : NULL;
}

static void
enter_inline (cmark_node *node,
              GString    *markup,
              GString    *text)
{
  const char *literal = cmark_node_get_literal (node);
  cmark_node_type type = cmark_node_get_type (node);

  if (type == CMARK_NODE_TEXT || type == CMARK_NODE_CODE)
    {
      append_markup (markup, type == CMARK_NODE_CODE ? "tt" : NULL, literal);
      g_string_append (text, literal != NULL ? literal : "");
    }
  else if (type == CMARK_NODE_SOFTBREAK || type == CMARK_NODE_LINEBREAK)
    {
      g_string_append_c (markup, type == CMARK_NODE_LINEBREAK ? '\n' : ' ');
      g_string_append_c (text, type == CMARK_NODE_LINEBREAK ? '\n' : ' ');
    }
  else if (tag_of (type) != NULL)
    g_string_append_printf (markup, "<%s>", tag_of (type));
  else if (type == CMARK_NODE_LINK)
    {
      g_autofree char *url = g_markup_escape_text (cmark_node_get_url (node), -1);

      g_string_append_printf (markup, "<a href=\"%s\">", url);
    }
}

static void
leave_inline (cmark_node *node,
              GString    *markup)
{
  cmark_node_type type = cmark_node_get_type (node);

  if (tag_of (type) != NULL)
    g_string_append_printf (markup, "</%s>", tag_of (type));
  else if (type == CMARK_NODE_LINK)
    g_string_append (markup, "</a>");
}

static LsLessonBlock *
make_block (cmark_node *node,
            LsBlockKind kind)
{
  LsLessonBlock *block = g_new0 (LsLessonBlock, 1);
  g_autoptr (GString) markup = g_string_new (NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  cmark_iter *iter = cmark_iter_new (node);
  cmark_event_type event;

  block->kind = kind;
  while ((event = cmark_iter_next (iter)) != CMARK_EVENT_DONE)
    {
      if (event == CMARK_EVENT_ENTER)
        enter_inline (cmark_iter_get_node (iter), markup, text);
      else
        leave_inline (cmark_iter_get_node (iter), markup);
    }
  cmark_iter_free (iter);
  block->markup = g_string_free (g_steal_pointer (&markup), FALSE);
  block->text = g_string_free (g_steal_pointer (&text), FALSE);
  return block;
}

/* ---- blocks ---- */

typedef struct {
  GPtrArray *blocks;
  int        depth;             /* of lists */
  gboolean   quoted;
} Flat;

static void flatten (Flat       *flat,
                     cmark_node *node);

static void
flatten_children (Flat       *flat,
                  cmark_node *node)
{
  for (cmark_node *child = cmark_node_first_child (node); child != NULL; child = cmark_node_next (child))
    flatten (flat, child);
}

static void
add_images (Flat       *flat,
            cmark_node *paragraph)
{
  for (cmark_node *node = cmark_node_first_child (paragraph); node != NULL; node = cmark_node_next (node))
    if (cmark_node_get_type (node) == CMARK_NODE_IMAGE)
      {
        LsLessonBlock *block = make_block (node, LS_BLOCK_IMAGE);

        block->target = g_strdup (cmark_node_get_url (node));
        g_ptr_array_add (flat->blocks, block);
      }
}

static gboolean
only_images (cmark_node *paragraph)
{
  for (cmark_node *node = cmark_node_first_child (paragraph); node != NULL; node = cmark_node_next (node))
    if (cmark_node_get_type (node) != CMARK_NODE_IMAGE && cmark_node_get_type (node) != CMARK_NODE_SOFTBREAK)
      return FALSE;
  return TRUE;
}

static void
add_list (Flat       *flat,
          cmark_node *list)
{
  gboolean ordered = cmark_node_get_list_type (list) == CMARK_ORDERED_LIST;
  int number = cmark_node_get_list_start (list);

  flat->depth++;
  for (cmark_node *item = cmark_node_first_child (list); item != NULL; item = cmark_node_next (item), number++)
    {
      guint first = flat->blocks->len;

      flatten_children (flat, item);
      if (flat->blocks->len > first)
        {
          LsLessonBlock *block = flat->blocks->pdata[first];

          if (block->kind == LS_BLOCK_ITEM && block->marker == NULL)
            block->marker = ordered ? g_strdup_printf ("%d.", number) : g_strdup ("•");
        }
    }
  flat->depth--;
}

static void
add_text (Flat       *flat,
          cmark_node *node)
{
  LsLessonBlock *block;

  if (only_images (node))
    {
      add_images (flat, node);
      return;
    }
  block = make_block (node, flat->depth > 0 ? LS_BLOCK_ITEM : flat->quoted ? LS_BLOCK_QUOTE : LS_BLOCK_PARAGRAPH);
  block->level = flat->depth;
  if (*g_strstrip (block->text) == 0)
    ls_lesson_block_free (block);
  else
    g_ptr_array_add (flat->blocks, block);
  add_images (flat, node);
}

static void
flatten (Flat       *flat,
         cmark_node *node)
{
  cmark_node_type type = cmark_node_get_type (node);

  if (type == CMARK_NODE_HEADING)
    {
      LsLessonBlock *block = make_block (node, LS_BLOCK_HEADING);

      block->level = cmark_node_get_heading_level (node);
      g_ptr_array_add (flat->blocks, block);
    }
  else if (type == CMARK_NODE_PARAGRAPH)
    add_text (flat, node);
  else if (type == CMARK_NODE_LIST)
    add_list (flat, node);
  else if (type == CMARK_NODE_BLOCK_QUOTE)
    {
      gboolean before = flat->quoted;

      flat->quoted = TRUE;
      flatten_children (flat, node);
      flat->quoted = before;
    }
  else if (type == CMARK_NODE_CODE_BLOCK)
    {
      LsLessonBlock *block = g_new0 (LsLessonBlock, 1);

      block->kind = LS_BLOCK_CODE;
      block->text = g_strdup (cmark_node_get_literal (node));
      block->markup = g_markup_escape_text (block->text, -1);
      g_ptr_array_add (flat->blocks, block);
    }
  else if (type == CMARK_NODE_THEMATIC_BREAK)
    {
      LsLessonBlock *block = g_new0 (LsLessonBlock, 1);

      block->kind = LS_BLOCK_RULE;
      block->text = g_strdup ("");
      block->markup = g_strdup ("");
      g_ptr_array_add (flat->blocks, block);
    }
  else if (type == CMARK_NODE_DOCUMENT || type == CMARK_NODE_ITEM)
    flatten_children (flat, node);
}

static void
parse_plain (GPtrArray  *blocks,
             const char *markdown)
{
  g_autofree char *prepared = prepare (markdown);
  cmark_node *document = cmark_parse_document (prepared, strlen (prepared), CMARK_OPT_VALIDATE_UTF8);
  Flat flat = { blocks, 0, FALSE };

  flatten (&flat, document);
  cmark_node_free (document);
}

/* ---- tables ---- */

static gboolean
is_table_line (const char *line)
{
  while (*line == ' ')
    line++;
  return *line == '|' && strchr (line + 1, '|') != NULL;
}

static gboolean
is_table_rule (const char *line)
{
  return strspn (line, "|-: \r") == strlen (line) && strchr (line, '-') != NULL;
}

static char *
inline_markup (const char  *markdown,
               char       **text)
{
  g_autoptr (GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lesson_block_free);

  parse_plain (blocks, markdown);
  if (blocks->len == 0)
    {
      *text = g_strdup ("");
      return g_strdup ("");
    }
  *text = g_strdup (((LsLessonBlock *) blocks->pdata[0])->text);
  return g_strdup (((LsLessonBlock *) blocks->pdata[0])->markup);
}

static void
append_row (LsLessonBlock *block,
            const char    *line,
            GString       *markup,
            GString       *text)
{
  g_autofree char *row = g_strstrip (g_strdup (line));
  g_auto (GStrv) cells = NULL;
  gsize n = strlen (row);

  if (n > 1 && row[n - 1] == '|')
    row[n - 1] = 0;
  cells = g_strsplit (row + 1, "|", -1);
  for (guint i = 0; cells[i] != NULL; i++)
    {
      g_autofree char *plain = NULL;
      g_autofree char *cell = inline_markup (g_strstrip (cells[i]), &plain);

      g_string_append_printf (markup, "%s%s", i > 0 ? "\t" : "", g_strdelimit (cell, "\t\n", ' '));
      g_string_append_printf (text, "%s%s", i > 0 ? "\t" : "", g_strdelimit (plain, "\t\n", ' '));
    }
  g_string_append_c (markup, '\n');
  g_string_append_c (text, '\n');
}

static guint
add_table (GPtrArray  *blocks,
           char      **lines)
{
  LsLessonBlock *block = g_new0 (LsLessonBlock, 1);
  g_autoptr (GString) markup = g_string_new (NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = 0;

  for (; lines[n] != NULL && is_table_line (lines[n]); n++)
    if (!is_table_rule (lines[n]))
      append_row (block, lines[n], markup, text);
  block->kind = LS_BLOCK_TABLE;
  block->markup = g_string_free (g_steal_pointer (&markup), FALSE);
  block->text = g_string_free (g_steal_pointer (&text), FALSE);
  g_ptr_array_add (blocks, block);
  return n;
}

GPtrArray *
ls_prose_parse (const char *markdown)
{
  GPtrArray *blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lesson_block_free);
  g_auto (GStrv) lines = g_strsplit (markdown, "\n", -1);
  g_autoptr (GString) plain = g_string_new (NULL);

  for (guint i = 0; lines[i] != NULL;)
    if (is_table_line (lines[i]) && lines[i + 1] != NULL && is_table_rule (lines[i + 1]))
      {
        parse_plain (blocks, plain->str);
        g_string_truncate (plain, 0);
        i += add_table (blocks, lines + i);
      }
    else
      g_string_append_printf (plain, "%s\n", lines[i++]);
  parse_plain (blocks, plain->str);
  return blocks;
}
