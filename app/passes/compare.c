/* passes/compare: rows of two texts; what is far from any change is left out where there is much. */
#include "app/passes/compare.h"

#include "engine/passlog/follow.h"

#include <glib/gi18n.h>
#include <string.h>

#define AROUND 3                /* lines on each side of a change */
#define MANY_LINES 6000         /* of more than these only what changed is shown */
#define MOST_ROWS 20000

static void
add_line (GString    *text,
          const LsPassRow  *row,
          const char *line)
{
  if (text->len > 0)
    g_string_append_c (text, '\n');
  if (row->left_out > 0)
    g_string_append_printf (text, ngettext ("⋯ %u line that is the same", "⋯ %u lines that are the same", row->left_out), row->left_out);
  else
    g_string_append (text, line);
}

static LsScriptText *
text_of (GArray  *rows,
         char   **lines,
         gboolean left)
{
  g_autoptr (GString) string = g_string_new (NULL);
  LsScriptText *text;
  guint at = 0;

  for (guint i = 0; i < MIN (rows->len, MOST_ROWS); i++)
    {
      const LsPassRow *row = &g_array_index (rows, LsPassRow, i);
      int line = left ? row->a : row->b;

      if (line >= 0)
        add_line (string, row, lines[line]);
    }
  if (rows->len > MOST_ROWS)
    g_string_append_printf (string, ngettext ("\n⋯ %u more line is not shown", "\n⋯ %u more lines are not shown", rows->len - MOST_ROWS), rows->len - MOST_ROWS);
  text = ls_script_text_new (string->str);
  ls_script_text_set_plain (text, TRUE);
  for (guint i = 0; i < MIN (rows->len, MOST_ROWS); i++)
    {
      const LsPassRow *row = &g_array_index (rows, LsPassRow, i);

      if ((left ? row->a : row->b) >= 0 && at < ls_script_text_n_lines (text))
        ls_script_text_line (text, at++)->change = !row->changed ? LS_LINE_SAME : row->moved ? LS_LINE_MOVED : left ? LS_LINE_GONE : LS_LINE_NEW;
    }
  return text;
}

static void
set_gap (LsScriptText *text,
         guint         line,
         guint         rows)
{
  if (rows == 0 || ls_script_text_n_lines (text) == 0)
    return;
  if (line > 0)
    ls_script_text_line (text, line - 1)->gap = rows;
  else
    ls_script_text_line (text, 0)->gap_before = rows;
}

/* Gaps that bring lines of one row to one height. */
static void
level (GArray       *rows,
       LsScriptText *left,
       LsScriptText *right)
{
  guint a = 0, b = 0, only_a = 0, only_b = 0;

  for (guint i = 0; i <= MIN (rows->len, MOST_ROWS); i++)
    {
      const LsPassRow *row = i < MIN (rows->len, MOST_ROWS) ? &g_array_index (rows, LsPassRow, i) : NULL;

      if (row == NULL || (row->a >= 0 && row->b >= 0))
        {
          if (only_a < only_b)
            set_gap (left, a, only_b - only_a);
          else
            set_gap (right, b, only_a - only_b);
          only_a = only_b = 0;
          a++, b++;
        }
      else if (row->a >= 0)
        a++, only_a++;
      else
        b++, only_b++;
    }
}

/* Words that differ are looked for where that is quick. */
static void
mark_words (GArray       *rows,
            LsComparison *comparison)
{
  guint changed = 0;

  for (guint i = 0; i < rows->len; i++)
    changed += g_array_index (rows, LsPassRow, i).changed != 0;
  if (changed < 1000)
    ls_script_text_mark_words (comparison->left.text, comparison->right.text);
}

static char *
readable (const char *text)
{
  return g_utf8_make_valid (text, -1);
}

LsComparison *
ls_passes_compare_texts (const LsPassSide   *before,
                         const LsPassSide   *after,
                         LsPassLogKind       kind,
                         const LsPassesView *view,
                         char              **reader)
{
  LsComparison *comparison = ls_comparison_new ();
  g_autofree char *hidden_a = ls_pass_text_hide (before->text, kind, view->hide), *hidden_b = ls_pass_text_hide (after->text, kind, view->hide);
  g_autofree char *a = readable (g_strchomp (hidden_a)), *b = readable (g_strchomp (hidden_b));
  g_auto (GStrv) lines_a = g_strsplit (a, "\n", -1), lines_b = g_strsplit (b, "\n", -1);
  g_autoptr (GArray) changes = view->manner == LS_PASSES_OPERATIONS ? ls_pass_sides_diff (&(LsPassSide) { before->log, a, before->part, before->before },
                                                                                          &(LsPassSide) { after->log, b, after->part, after->before }, NULL, reader) : NULL;
  g_autoptr (GArray) rows = NULL;
  gboolean same = TRUE;

  if (view->manner != LS_PASSES_OPERATIONS)
    {
      comparison->left.text = ls_script_text_new (a);
      comparison->right.text = ls_script_text_new (b);
      if (MAX (g_strv_length (lines_a), g_strv_length (lines_b)) <= MANY_LINES && !view->around)
        {
          ls_script_text_set_plain (comparison->left.text, TRUE);
          ls_script_text_set_plain (comparison->right.text, TRUE);
          ls_script_text_compare (comparison->left.text, comparison->right.text);
          comparison->same = strcmp (a, b) == 0;
          return comparison;
        }
      g_clear_object (&comparison->left.text);
      g_clear_object (&comparison->right.text);
    }
  rows = ls_pass_rows (lines_a, lines_b, changes);
  if (view->around || rows->len > MANY_LINES)
    {
      GArray *fewer = ls_pass_rows_around (rows, AROUND);

      g_array_unref (rows);
      rows = fewer;
    }
  for (guint i = 0; i < rows->len; i++)
    same &= !g_array_index (rows, LsPassRow, i).changed;
  comparison->left.text = text_of (rows, lines_a, TRUE);
  comparison->right.text = text_of (rows, lines_b, FALSE);
  comparison->same = same;
  level (rows, comparison->left.text, comparison->right.text);
  mark_words (rows, comparison);
  return comparison;
}

/* One text twice, cut where it is long. */
static LsComparison *
alone (const char *text)
{
  LsComparison *comparison = ls_comparison_new ();
  const char *at = text;
  g_autoptr (GString) shown = NULL;
  g_autofree char *valid = NULL;

  for (guint i = 0; i < MOST_ROWS && *at != '\0'; i++)
    {
      at += strcspn (at, "\n");
      at += *at != '\0';
    }
  shown = g_string_new_len (text, at - text);
  if (*at != '\0')
    g_string_append (shown, _("⋯ more lines are not shown"));
  valid = readable (shown->str);
  comparison->left.text = ls_script_text_new (g_strchomp (valid));
  ls_script_text_set_plain (comparison->left.text, TRUE);
  comparison->right.text = g_object_ref (comparison->left.text);
  comparison->same = TRUE;
  return comparison;
}

/* ---- loops of our own programs ------------------------------------------------------- */

/* The variables of loops in a text that is all of a part: `number` is the part's, from 1. */
static void
add_loops (LsPasses     *passes,
           LsScriptText *text,
           guint         number)
{
  LsPassLog *log = ls_passes_get_log (passes);
  const LsPassesNotes *notes = ls_passes_get_notes (passes);
  LsPassPart *part = &g_array_index (log->parts, LsPassPart, number - 1);
  const char *file = ls_pass_log_text (log, ls_passes_get_dump (passes, part->dump)->file, NULL);
  const char *shown = ls_script_text_get_text (text);
  gsize n = strlen (shown);
  guint start, end, loop, base;
  GVariantIter iter;

  if (n > part->end - part->start || memcmp (shown, file + part->start, n) != 0)
    return;             /* lines are left out */
  base = (guint) g_utf8_strlen (file, (gssize) part->start);
  g_variant_iter_init (&iter, ls_passes_get_note (passes, part->dump)->places);
  while (g_variant_iter_next (&iter, "(uuu)", &start, &end, &loop))
    if (loop < notes->loops->len && start >= base)
      {
        const LsPassesLoop *known = &g_array_index (notes->loops, LsPassesLoop, loop);

        ls_script_text_add_span (text, &(LsScriptSpan) { start - base, end - base, known->id, known->families });
      }
}

/* Each line of a text of a foreign log in the colour of its source line. */
static void
colour_lines (LsPasses     *passes,
              LsScriptText *text,
              guint         dump)
{
  const char *at = ls_script_text_get_text (text);
  g_auto (GStrv) places = ls_pass_log_line_places (ls_passes_get_log (passes), dump, at);
  guint start = 0;

  for (guint i = 0; places != NULL && places[i] != NULL; i++)
    {
      gsize bytes = strcspn (at, "\n");
      guint length = (guint) g_utf8_strlen (at, (gssize) bytes), indent = (guint) strspn (at, " \t"), line = ls_pass_place_line (places[i]);

      if (line > 0 && indent < length)
        ls_script_text_add_span (text, &(LsScriptSpan) { start + indent, start + length, G_GUINT64_CONSTANT (1) << 40 | line, ls_families_one (line) });
      start += length + 1;
      at += bytes + (at[bytes] != '\0');
    }
}

/* Both sides: the left one is of the dump that the function had before. */
static void
colour_sides (LsPasses     *passes,
              guint         dump,
              int           part,
              LsComparison *comparison)
{
  LsPassLog *log = ls_passes_get_log (passes);
  LsPassPart *at = part >= 0 ? &g_array_index (log->parts, LsPassPart, part) : NULL;

  if (comparison->left.text != comparison->right.text && at != NULL && at->before > 0)
    colour_lines (passes, comparison->left.text, g_array_index (log->parts, LsPassPart, at->before - 1).dump);
  colour_lines (passes, comparison->right.text, dump);
}

/* What is known of the texts of a part of our own. */
static void
add_notes (LsPasses     *passes,
           guint         dump,
           int           part,
           LsComparison *comparison)
{
  LsPassLog *log = ls_passes_get_log (passes);
  LsPassPart *at = part >= 0 ? &g_array_index (log->parts, LsPassPart, part) : NULL;
  gboolean plain = ls_passes_get_dump (passes, dump)->language != LS_PASS_LOG_TVM;

  ls_script_text_set_plain (comparison->left.text, plain);
  ls_script_text_set_plain (comparison->right.text, plain);
  if (at == NULL)
    return;
  if (comparison->left.text != comparison->right.text && at->before > 0)
    add_loops (passes, comparison->left.text, at->before);
  add_loops (passes, comparison->right.text, (guint) part + 1);
}

LsComparison *
ls_passes_compare (LsPasses           *passes,
                   guint               dump,
                   int                 part,
                   const LsPassesView *view,
                   char              **reader)
{
  LsPassLog *log = ls_passes_get_log (passes);
  LsPassDump *at = ls_passes_get_dump (passes, dump);
  g_autofree char *before = NULL, *after = NULL, *all = NULL;
  LsComparison *comparison;
  char *sides[2] = { NULL, NULL };
  int from, to;

  *reader = NULL;
  if (part >= 0 && view->manner != LS_PASSES_DUMP)
    ls_pass_log_part_sides (log, (guint) part, &sides[0], &sides[1]);
  before = sides[0];
  after = sides[1];
  if (before != NULL && after != NULL)
    {
      ls_pass_log_side_parts (log, (guint) part, &from, &to);
      comparison = ls_passes_compare_texts (&(LsPassSide) { log, before, from, TRUE }, &(LsPassSide) { log, after, to, FALSE }, at->language, view, reader);
    }
  else if (view->manner != LS_PASSES_DUMP && (before != NULL || after != NULL))
    {
      all = ls_pass_text_hide (before != NULL ? before : after, at->language, view->hide);
      comparison = alone (all);
    }
  else
    {
      gsize size;
      const char *text = ls_pass_log_text (log, at->file, &size);

      all = g_strndup (text + at->head, at->end - at->head);
      comparison = alone (all);
    }
  if (ls_passes_get_notes (passes) != NULL)
    add_notes (passes, dump, part, comparison);
  else if (view->coloured)
    colour_sides (passes, dump, part, comparison);
  /* Tells the same texts of two passes or of two programs apart, whose loops may be others. */
  comparison->left.title = g_strdup_printf ("%u %d", dump, ls_passes_get_notes (passes) != NULL ? ls_passes_get_notes (passes)->serial : -1);
  comparison->right.title = g_strdup_printf ("%d %d %d", part, view->manner, view->coloured);
  return comparison;
}

LsComparison *
ls_passes_compare_two (LsPasses           *passes,
                       int                 part,
                       LsPasses           *other,
                       guint               other_dump,
                       const LsPassesView *view,
                       char              **reader)
{
  LsPassLog *log = ls_passes_get_log (passes), *there = ls_passes_get_log (other);
  LsPassDump *dump = ls_passes_get_dump (other, other_dump);
  g_autofree char *here_text = part >= 0 ? ls_pass_log_part_text (log, (guint) part) : g_strdup (""), *there_text = NULL;
  LsComparison *comparison;
  int there_part = -1;

  *reader = NULL;
  for (guint i = dump->first; i < dump->first + dump->n && there_text == NULL && part >= 0; i++)
    if (strcmp (g_array_index (there->parts, LsPassPart, i).name, g_array_index (log->parts, LsPassPart, part).name) == 0)
      {
        there_text = ls_pass_log_part_text (there, i);
        there_part = (int) i;
      }
  comparison = ls_passes_compare_texts (&(LsPassSide) { log, here_text, part, FALSE }, &(LsPassSide) { there, there_text != NULL ? there_text : "", there_part, FALSE },
                                        dump->language, view, reader);
  comparison->left.title = g_strdup_printf ("%d", part);
  comparison->right.title = g_strdup_printf ("two %u", other_dump);
  return comparison;
}

LsComparison *
ls_passes_other (LsPasses *passes,
                 guint     dump)
{
  LsPassLog *log = ls_passes_get_log (passes);
  guint file;
  gsize start, end;
  gboolean any = ls_pass_log_between (log, dump, &file, &start, &end);
  g_autofree char *text = any ? g_strndup (ls_pass_log_text (log, file, NULL) + start, end - start) : g_strdup ("");
  LsComparison *comparison = alone (text);

  comparison->left.title = g_strdup_printf ("%u", dump);
  comparison->right.title = g_strdup ("");
  return comparison;
}
