/* What the passes of a compiler did as a page: their list, flat or below what they ran on, and what each of those changed that did something, with who read it. */
#include "app/page/page.h"
#include "app/page/words.h"
#include "engine/base/json.h"
#include "engine/passlog/follow.h"

#include <string.h>

#define AROUND 4
#define MOST_LINE 4000          /* bytes of a line */

typedef struct {
  LsPassLog   *log;
  JsonBuilder *data;
  gsize        left;            /* bytes of lines that may still be put */
  guint        left_out;        /* passes whose changes had no room */
  GArray      *runs;            /* of LsPageRun, or NULL */
  guint        next_run;
  const char  *language;
  GPtrArray   *readers;         /* of char *: sentences about who read something, each once */
} Making;

static void
put_string (Making     *self,
            const char *name,
            const char *text)
{
  json_builder_set_member_name (self->data, name);
  json_builder_add_string_value (self->data, text);
}

/* LsPassReasonText: the table of words has the English ones letter by letter. */
static const char *
reason_in (const char *text,
           gpointer    language)
{
  for (guint i = 0; ls_page_words[i].name != NULL; i++)
    if (strcmp (ls_page_words[i].words[0], text) == 0)
      return ls_page_words[i].words[ls_page_language (language)];
  return text;
}

/* The text with something where %1 stands. (transfer full) */
static char *
say (const char *words,
     const char *what)
{
  g_auto (GStrv) pieces = g_strsplit (words, "%1", 2);

  return g_strconcat (pieces[0], what, pieces[1], NULL);
}

/* "read by LLVM 19.1.7" in the language of the page. (transfer full) */
static char *
reader_words (Making     *self,
              const char *reader)
{
  const char *why = strstr (reader, ": ");
  g_autofree char *reason = why != NULL ? ls_pass_reason_words (why + 2, reason_in, (gpointer) self->language) : NULL;

  if (g_str_has_prefix (reader, "LLVM "))
    return say (ls_page_word_in (self->language, "readBy"), reader);
  return why != NULL ? say (ls_page_word_in (self->language, "readTolerantWhy"), reason) : g_strdup (ls_page_word_in (self->language, "readTolerant"));
}

/* Who read it, by the number of the sentence; reader NULL: nothing.  A member of an object that is open.  Returns: the number, -1: nothing. */
static int
put_reader (Making     *self,
            const char *reader,
            int         known)
{
  g_autofree char *words = reader != NULL ? reader_words (self, reader) : NULL, *valid = words != NULL ? g_utf8_make_valid (words, -1) : NULL;
  guint number;

  if (valid == NULL)
    return -1;
  if (!g_ptr_array_find_with_equal_func (self->readers, valid, g_str_equal, &number))
    {
      number = self->readers->len;
      g_ptr_array_add (self->readers, g_steal_pointer (&valid));
    }
  if ((int) number != known)
    {
      json_builder_set_member_name (self->data, "e");
      json_builder_add_int_value (self->data, number);
    }
  return (int) number;
}

/* A line after its sign. */
static void
put_line (Making     *self,
          char        sign,
          const char *line)
{
  g_autofree char *cut = g_strndup (line, MOST_LINE), *valid = g_utf8_make_valid (cut, -1), *text = g_strdup_printf ("%c%s", sign, valid);

  json_builder_add_string_value (self->data, text);
  self->left -= MIN (self->left, strlen (text) + 4);
}

/* What was gone before what came, as in any diff. */
static void
put_rows (Making *self,
          GArray *rows,
          char  **a,
          char  **b)
{
  for (guint i = 0; i < rows->len; i++)
    {
      guint end = i;

      while (end < rows->len && g_array_index (rows, LsPassRow, end).changed)
        end++;
      for (guint j = i; j < end; j++)
        if (g_array_index (rows, LsPassRow, j).a >= 0)
          put_line (self, '-', a[g_array_index (rows, LsPassRow, j).a]);
      for (guint j = i; j < end; j++)
        if (g_array_index (rows, LsPassRow, j).b >= 0)
          put_line (self, '+', b[g_array_index (rows, LsPassRow, j).b]);
      i = end;
      if (i < rows->len)
        {
          const LsPassRow *row = &g_array_index (rows, LsPassRow, i);
          g_autofree char *number = g_strdup_printf ("%u", row->left_out);

          put_line (self, row->left_out > 0 ? '@' : ' ', row->left_out > 0 ? number : row->b >= 0 ? b[row->b] : a[row->a]);
        }
    }
}

/* Source lines of the rows as put_rows() writes them, 0 where there is none; nothing where the log tells of none. */
static void
put_places (Making *self,
            GArray *rows,
            guint   part,
            const char *before,
            const char *after)
{
  LsPassPart *at = &g_array_index (self->log->parts, LsPassPart, part);
  g_auto (GStrv) a = at->before > 0 ? ls_pass_log_line_places (self->log, g_array_index (self->log->parts, LsPassPart, at->before - 1).dump, before) : NULL;
  g_auto (GStrv) b = ls_pass_log_line_places (self->log, at->dump, after);

  if (a == NULL && b == NULL)
    return;
  ls_json_begin_array (self->data, "s");
  for (guint i = 0; i < rows->len; i++)
    {
      guint end = i;

      while (end < rows->len && g_array_index (rows, LsPassRow, end).changed)
        end++;
      for (guint side = 0; side < 2; side++)
        for (guint j = i; j < end; j++)
          {
            const LsPassRow *row = &g_array_index (rows, LsPassRow, j);
            int line = side == 0 ? row->a : row->b;
            char **places = side == 0 ? a : b;

            if (line >= 0)
              json_builder_add_int_value (self->data, places != NULL ? ls_pass_place_line (places[line]) : 0);
          }
      i = end;
      if (i < rows->len)
        {
          const LsPassRow *row = &g_array_index (rows, LsPassRow, i);
          const char *place = row->left_out > 0 ? "" : row->b >= 0 && b != NULL ? b[row->b] : row->b < 0 && row->a >= 0 && a != NULL ? a[row->a] : "";

          json_builder_add_int_value (self->data, ls_pass_place_line (place));
        }
    }
  json_builder_end_array (self->data);
}

/* of_dump: the number of the sentence that is said of the whole dump. */
static void
put_part (Making *self,
          guint   part,
          int     of_dump)
{
  char *sides[2] = { NULL, NULL };
  g_autofree char *before = NULL, *after = NULL;

  ls_pass_log_part_sides (self->log, part, &sides[0], &sides[1]);
  before = sides[0];
  after = sides[1];
  if (before != NULL && after != NULL)
    {
      g_auto (GStrv) a = g_strsplit (g_strchomp (before), "\n", -1), b = g_strsplit (g_strchomp (after), "\n", -1);
      int from, to;
      g_autoptr (GArray) changes = NULL;
      g_autoptr (GArray) all = NULL, rows = NULL;
      g_autofree char *reader = NULL;

      ls_pass_log_side_parts (self->log, part, &from, &to);
      changes = ls_pass_sides_diff (&(LsPassSide) { self->log, before, from, TRUE }, &(LsPassSide) { self->log, after, to, FALSE }, NULL, &reader);
      all = ls_pass_rows (a, b, changes);
      rows = ls_pass_rows_around (all, AROUND);
      json_builder_begin_object (self->data);
      put_string (self, "f", g_array_index (self->log->parts, LsPassPart, part).name);
      put_reader (self, reader, of_dump);
      ls_json_begin_array (self->data, "l");
      put_rows (self, rows, a, b);
      json_builder_end_array (self->data);
      put_places (self, rows, part, before, after);
      json_builder_end_object (self->data);
    }
}

static void
put_counts (Making       *self,
            LsPassCounts *counts)
{
  const guint numbers[] = { counts->added + counts->duplicated, counts->removed, counts->rewritten, counts->moved };

  ls_json_begin_array (self->data, "c");
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    json_builder_add_int_value (self->data, numbers[i]);
  json_builder_end_array (self->data);
}

/* What the program took behind this pass. */
static void
put_run (Making *self,
         guint   number)
{
  LsPageRun *run = self->runs != NULL && self->next_run < self->runs->len ? &g_array_index (self->runs, LsPageRun, self->next_run) : NULL;

  if (run == NULL || run->dump != number)
    return;
  self->next_run++;
  json_builder_set_member_name (self->data, "r");
  json_builder_add_double_value (self->data, run->ns);
  if (*run->wrong != '\0')
    put_string (self, "w", run->wrong);
}

static void
put_dump (Making       *self,
          guint         number,
          LsPassCounts *counts,
          const char   *reader,
          int           nest)
{
  LsPassDump *dump = &g_array_index (self->log->dumps, LsPassDump, number);
  const char *unit = *dump->unit == '\0' && dump->n == 1 ? g_array_index (self->log->parts, LsPassPart, dump->first).name : dump->unit;

  json_builder_begin_object (self->data);
  put_string (self, "p", dump->pass);
  put_string (self, "u", unit);
  if (dump->seconds >= 0)
    {
      json_builder_set_member_name (self->data, "s");
      json_builder_add_double_value (self->data, dump->seconds);
    }
  put_run (self, number);
  if (nest >= 0)
    {
      json_builder_set_member_name (self->data, "i");
      json_builder_add_int_value (self->data, nest);
    }
  if (dump->effective)
    {
      int of_dump = put_reader (self, reader, -1);

      put_counts (self, counts);
      if (self->left > 0)
        {
          ls_json_begin_array (self->data, "d");
          for (guint i = dump->first; i < dump->first + dump->n && self->left > 0; i++)
            if (ls_pass_log_part_changed (self->log, i))
              put_part (self, i, of_dump);
          json_builder_end_array (self->data);
        }
      else
        self->left_out++;
    }
  else if (!ls_pass_log_tells (self->log, number))
    {
      json_builder_set_member_name (self->data, "q");
      json_builder_add_boolean_value (self->data, TRUE);
    }
  json_builder_end_object (self->data);
}

/* What passes ran on: words, the nest around it (-1: none), its first pass and that behind its last one, and how many have an effect. */
static void
put_nests (Making        *self,
           LsPassNesting *nesting)
{
  ls_json_begin_array (self->data, "nests");
  for (guint i = 0; i < nesting->nests->len; i++)
    {
      const LsPassNest *nest = &g_array_index (nesting->nests, LsPassNest, i);
      g_autofree char *words = ls_pass_nest_words (nest);

      json_builder_begin_array (self->data);
      json_builder_add_string_value (self->data, words);
      json_builder_add_int_value (self->data, nest->parent);
      json_builder_add_int_value (self->data, nest->first);
      json_builder_add_int_value (self->data, nest->end);
      json_builder_add_int_value (self->data, nest->effective);
      json_builder_end_array (self->data);
    }
  json_builder_end_array (self->data);
}

static void
put_readers (Making *self)
{
  ls_json_begin_array (self->data, "readers");
  for (guint i = 0; i < self->readers->len; i++)
    json_builder_add_string_value (self->data, self->readers->pdata[i]);
  json_builder_end_array (self->data);
}

char *
ls_passes_to_page (LsPassLog  *log,
                   const char *title,
                   const char *language,
                   gsize       most_bytes,
                   GArray     *runs)
{
  g_autoptr (JsonBuilder) data = json_builder_new ();
  g_autoptr (GPtrArray) said = g_ptr_array_new_with_free_func (g_free);
  g_autofree char **readers = g_new0 (char *, log->dumps->len + 1);
  g_autofree LsPassCounts *counts = ls_pass_log_count_all (log, readers);
  g_autoptr (LsPassNesting) nesting = ls_pass_nesting_new (log);
  LsPage *page = ls_page_new (title, language, title);
  Making self = { log, data, most_bytes, 0, runs, 0, language, said };
  g_autoptr (GString) plain = g_string_new (NULL);
  char *text;

  json_builder_begin_object (data);
  put_string (&self, "kind", "passes");
  ls_json_begin_array (data, "dumps");
  for (guint i = 0; i < log->dumps->len; i++)
    {
      LsPassDump *dump = &g_array_index (log->dumps, LsPassDump, i);

      put_dump (&self, i, &counts[i], readers[i], nesting->of[i]);
      if (dump->effective)
        g_string_append_printf (plain, "%u %s %s +%u -%u ~%u\n", i + 1, dump->pass, dump->unit, counts[i].added + counts[i].duplicated, counts[i].removed,
                                counts[i].rewritten);
      g_free (readers[i]);
    }
  json_builder_end_array (data);
  put_nests (&self, nesting);
  put_readers (&self);
  ls_json_put_int (data, "out", self.left_out);
  json_builder_end_object (data);
  ls_page_put_format (page, "<header><strong>%s</strong><span class=\"dim\">%s</span></header>\n<main id=\"main\" class=\"wide\">\n<h1>%s</h1>\n", title,
                      ls_pass_log_kind_name (log->kind), title);
  ls_page_put_view (page, json_builder_get_root (data), plain->str);
  ls_page_put_html (page, "</main>\n");
  text = ls_page_finish (page);
  ls_page_free (page);
  return text;
}
