/* passes/compare: rows of two texts, each with a line of one or of both; then what is far from any change is left out.
 *
 * The engine pairs operations.  Lines that are none (braces, comments, what it leaves out) are paired between two of its pairs by their
 * text, numbers of values and metadata aside.
 */
#include "app/passes/compare.h"

#include "engine/base/base.h"

#include <glib/gi18n.h>
#include <string.h>

#define AROUND 3                /* lines on each side of a change */
#define MANY_LINES 6000         /* of more than these only what changed is shown */
#define MOST_ROWS 20000
#define MAX_EDITS 2000

typedef struct {
  int          a, b;            /* lines, from 0; -1: none */
  LsLineChange change_a, change_b;
  guint        left_out;        /* rows that this one stands for; 0: it is one itself */
} Row;

typedef struct {
  char        **a, **b;
  guint         n_a, n_b;
  int          *pair_a;         /* line of b; -1: none, -2: gone */
  LsLineChange *change_a, *change_b;
  guint8       *known_a, *known_b;      /* the engine spoke of it */
  GArray       *rows;
  guint         at_a, at_b;     /* of the gap that is paired */
  gboolean      exact;          /* numbers count */
} Pairing;

static void
put (Pairing *self,
     int      a,
     int      b)
{
  Row row = { a, b, a >= 0 ? self->change_a[a] : LS_LINE_SAME, b >= 0 ? self->change_b[b] : LS_LINE_SAME, 0 };

  g_array_append_val (self->rows, row);
}

/* Are these the same but for numbers behind %, ! and #? */
static gboolean
is_alike (guint    i,
          guint    j,
          gpointer user_data)
{
  Pairing *self = user_data;
  const char *x = self->a[self->at_a + i], *y = self->b[self->at_b + j];

  if (self->known_a[self->at_a + i] || self->known_b[self->at_b + j])
    return FALSE;
  while (*x != '\0' && *x == *y)
    {
      gboolean sign = !self->exact && strchr ("%!#", *x) != NULL;

      x++, y++;
      if (sign)
        {
          x += strspn (x, "0123456789");
          y += strspn (y, "0123456789");
        }
    }
  return *x == *y;
}

/* Lines up to two that are paired: in the order of both. */
static void
fill_gap (Pairing *self,
          guint    end_a,
          guint    end_b)
{
  g_autoptr (GArray) pairs = NULL;

  pairs = ls_align (end_a - self->at_a, end_b - self->at_b, MAX_EDITS, is_alike, self);
  for (guint k = 0, i = self->at_a, j = self->at_b; k <= pairs->len; k++)
    {
      guint stop_a = k < pairs->len ? self->at_a + g_array_index (pairs, LsAlignPair, k).a : end_a;
      guint stop_b = k < pairs->len ? self->at_b + g_array_index (pairs, LsAlignPair, k).b : end_b;

      for (; i < stop_a; i++)
        {
          self->change_a[i] = self->known_a[i] ? self->change_a[i] : LS_LINE_GONE;
          put (self, (int) i, -1);
        }
      for (; j < stop_b; j++)
        {
          self->change_b[j] = self->known_b[j] ? self->change_b[j] : LS_LINE_NEW;
          put (self, -1, (int) j);
        }
      if (k < pairs->len)
        put (self, (int) i++, (int) j++);
    }
  self->at_a = end_a;
  self->at_b = end_b;
}

/* What the engine says of the lines. */
static void
take_changes (Pairing *self,
              GArray  *changes)
{
  int last_a = -1, last_b = -1;

  for (guint i = 0; i < changes->len; i++)
    {
      LsPassChange *change = &g_array_index (changes, LsPassChange, i);

      if (change->a >= 0 && change->kind != LS_PASS_DUPLICATED)
        {
          self->known_a[change->a] = 1;
          self->change_a[change->a] = change->kind == LS_PASS_SAME ? LS_LINE_SAME : LS_LINE_GONE;
        }
      if (change->b >= 0)
        {
          self->known_b[change->b] = 1;
          self->change_b[change->b] = change->kind == LS_PASS_SAME ? LS_LINE_SAME : change->kind == LS_PASS_MOVED ? LS_LINE_MOVED : LS_LINE_NEW;
        }
      if ((change->kind == LS_PASS_SAME || change->kind == LS_PASS_REWRITTEN) && change->a > last_a && change->b > last_b)
        {
          self->pair_a[change->a] = last_b = change->b;
          last_a = change->a;
        }
      else if (change->kind == LS_PASS_MOVED || change->kind == LS_PASS_SAME)
        {
          self->change_b[change->b] = LS_LINE_NEW;      /* stands on no row with the other one */
          self->change_a[change->a] = LS_LINE_GONE;
        }
    }
}

static GArray *
pair_lines (Pairing *self,
            GArray  *changes)
{
  self->rows = g_array_new (FALSE, FALSE, sizeof (Row));
  self->pair_a = g_new (int, self->n_a + 1);
  self->change_a = g_new0 (LsLineChange, self->n_a + 1);
  self->change_b = g_new0 (LsLineChange, self->n_b + 1);
  self->known_a = g_new0 (guint8, self->n_a + 1);
  self->known_b = g_new0 (guint8, self->n_b + 1);
  for (guint i = 0; i < self->n_a; i++)
    self->pair_a[i] = -1;
  if (changes != NULL)
    take_changes (self, changes);
  for (guint i = 0; i < self->n_a; i++)
    if (self->pair_a[i] >= 0)
      {
        fill_gap (self, i, (guint) self->pair_a[i]);
        put (self, (int) i, self->pair_a[i]);
        self->at_a++;
        self->at_b++;
      }
  fill_gap (self, self->n_a, self->n_b);
  g_free (self->pair_a);
  g_free (self->change_a);
  g_free (self->change_b);
  g_free (self->known_a);
  g_free (self->known_b);
  return self->rows;
}

/* ---- what is shown ------------------------------------------------------------------- */

static gboolean
is_same (const Row *row)
{
  return row->change_a == LS_LINE_SAME && row->change_b == LS_LINE_SAME;
}

/* Rows near a change, and a row for each run of the others. (transfer full) */
static GArray *
around_changes (GArray *rows)
{
  GArray *shown = g_array_new (FALSE, FALSE, sizeof (Row));
  g_autofree guint8 *near = g_new0 (guint8, rows->len + 1);

  for (guint i = 0; i < rows->len; i++)
    if (!is_same (&g_array_index (rows, Row, i)))
      for (guint j = i > AROUND ? i - AROUND : 0; j < MIN (i + AROUND + 1, rows->len); j++)
        near[j] = 1;
  for (guint i = 0; i < rows->len; i++)
    {
      Row row = g_array_index (rows, Row, i);
      guint from = i;

      while (i < rows->len && !near[i])
        i++;
      if (i == from)
        g_array_append_val (shown, row);
      else
        {
          row.left_out = i-- - from;
          g_array_append_val (shown, row);
        }
    }
  return shown;
}

static void
add_line (GString    *text,
          const Row  *row,
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
      const Row *row = &g_array_index (rows, Row, i);
      int line = left ? row->a : row->b;

      if (line >= 0)
        add_line (string, row, lines[line]);
    }
  if (rows->len > MOST_ROWS)
    g_string_append_printf (string, _("\n⋯ %u more lines are not shown"), rows->len - MOST_ROWS);
  text = ls_script_text_new (string->str);
  ls_script_text_set_plain (text, TRUE);
  for (guint i = 0; i < MIN (rows->len, MOST_ROWS); i++)
    {
      const Row *row = &g_array_index (rows, Row, i);

      if ((left ? row->a : row->b) >= 0 && at < ls_script_text_n_lines (text))
        ls_script_text_line (text, at++)->change = left ? row->change_a : row->change_b;
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
      const Row *row = i < MIN (rows->len, MOST_ROWS) ? &g_array_index (rows, Row, i) : NULL;

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
    changed += !is_same (&g_array_index (rows, Row, i));
  if (changed < 1000)
    ls_script_text_mark_words (comparison->left.text, comparison->right.text);
}

static char *
readable (const char *text)
{
  return g_utf8_make_valid (text, -1);
}

LsComparison *
ls_passes_compare_texts (const char         *before,
                         const char         *after,
                         LsPassLogKind       kind,
                         const LsPassesView *view)
{
  LsComparison *comparison = ls_comparison_new ();
  g_autofree char *hidden_a = ls_pass_text_hide (before, kind, view->hide), *hidden_b = ls_pass_text_hide (after, kind, view->hide);
  g_autofree char *a = readable (g_strchomp (hidden_a)), *b = readable (g_strchomp (hidden_b));
  g_auto (GStrv) lines_a = g_strsplit (a, "\n", -1), lines_b = g_strsplit (b, "\n", -1);
  g_autoptr (GArray) changes = view->manner == LS_PASSES_OPERATIONS ? ls_pass_diff (a, b, kind, NULL) : NULL;
  Pairing pairing = { .a = lines_a, .b = lines_b, .n_a = g_strv_length (lines_a), .n_b = g_strv_length (lines_b), .exact = changes == NULL };
  g_autoptr (GArray) rows = NULL;
  gboolean same = TRUE;

  if (view->manner != LS_PASSES_OPERATIONS)
    {
      comparison->left.text = ls_script_text_new (a);
      comparison->right.text = ls_script_text_new (b);
      if (MAX (pairing.n_a, pairing.n_b) <= MANY_LINES && !view->around)
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
  rows = pair_lines (&pairing, changes);
  if (view->around || rows->len > MANY_LINES)
    {
      GArray *fewer = around_changes (rows);

      g_array_unref (rows);
      rows = fewer;
    }
  for (guint i = 0; i < rows->len; i++)
    same &= is_same (&g_array_index (rows, Row, i));
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

LsComparison *
ls_passes_compare (LsPasses           *passes,
                   guint               dump,
                   int                 part,
                   const LsPassesView *view)
{
  LsPassLog *log = ls_passes_get_log (passes);
  LsPassDump *at = ls_passes_get_dump (passes, dump);
  g_autofree char *before = NULL, *after = NULL, *all = NULL;
  LsComparison *comparison;
  char *sides[2] = { NULL, NULL };

  if (part >= 0 && view->manner != LS_PASSES_DUMP)
    ls_pass_log_part_sides (log, (guint) part, &sides[0], &sides[1]);
  before = sides[0];
  after = sides[1];
  if (before != NULL && after != NULL)
    comparison = ls_passes_compare_texts (before, after, at->language, view);
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
  comparison->left.title = g_strdup_printf ("%u", dump);        /* tells the same texts of two passes apart */
  comparison->right.title = g_strdup_printf ("%d %d", part, view->manner);
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
