/* LsComparison: a record that several hold. */
#include "views/models/comparison.h"

#include <string.h>

void
ls_nest_label_free (LsNestLabel *self)
{
  g_free (self->head);
  g_free (self->verb);
  g_free (self->tail);
  g_free (self);
}

LsComparison *
ls_comparison_new (void)
{
  LsComparison *self = g_new0 (LsComparison, 1);

  g_atomic_ref_count_init (&self->refs);
  self->links = g_array_new (FALSE, FALSE, sizeof (LsNestLink));
  self->labels = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_nest_label_free);
  self->counts = g_ptr_array_new_with_free_func (g_free);
  return self;
}

static void
side_clear (LsComparedSide *side)
{
  g_free (side->title);
  g_clear_pointer (&side->loops, g_ptr_array_unref);
  g_clear_object (&side->text);
  g_free (side->samples);
}

LsComparison *
ls_comparison_ref (LsComparison *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
ls_comparison_set (LsComparison **holder,
                   LsComparison  *comparison)
{
  LsComparison *held = *holder;

  *holder = comparison != NULL ? ls_comparison_ref (comparison) : NULL;
  g_clear_pointer (&held, ls_comparison_unref);
}

void
ls_comparison_unref (LsComparison *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  side_clear (&self->left);
  side_clear (&self->right);
  g_array_unref (self->links);
  g_ptr_array_unref (self->labels);
  g_ptr_array_unref (self->counts);
  g_free (self->verdict);
  g_free (self->why);
  g_free (self->distance);
  g_free (self);
}

/* ---- one column ------------------------------------------------------------- */

typedef struct {
  LsScriptText *text;
  char        **lines;
  guint         n;
  guint         at;
  guint         start;          /* of line `at`, in characters */
  guint         word;           /* the next one */
  guint         span;           /* the next one */
} Reader;

typedef struct {
  GString *text;
  guint    length;              /* in characters */
  GArray  *changes;             /* of LsLineChange */
  GArray  *words;               /* of LsScriptWord */
  GArray  *spans;               /* of LsScriptSpan */
} Column;

static void
reader_init (Reader       *self,
             LsScriptText *text)
{
  self->text = text;
  self->lines = g_strsplit (ls_script_text_get_text (text), "\n", -1);
  self->n = MIN (g_strv_length (self->lines), ls_script_text_n_lines (text));
  self->at = self->start = self->word = self->span = 0;
}

static guint
pass (Reader *self)
{
  guint length = (guint) g_utf8_strlen (self->lines[self->at], -1);

  self->start += length + 1;
  self->at++;
  return length;
}

/* Words and spans come in order. */
static void
take_words (Reader *self,
            Column *out,
            guint   end)
{
  for (; self->word < ls_script_text_n_words (self->text); self->word++)
    {
      LsScriptWord word = *ls_script_text_get_word (self->text, self->word);

      if (word.start >= end)
        return;
      if (word.start < self->start)
        continue;
      word.start += out->length - self->start;
      word.end += out->length - self->start;
      g_array_append_val (out->words, word);
    }
}

static void
take_spans (Reader *self,
            Column *out,
            guint   end)
{
  for (; self->span < ls_script_text_n_spans (self->text); self->span++)
    {
      LsScriptSpan span = *ls_script_text_get_span (self->text, self->span);

      if (span.start >= end)
        return;
      if (span.start < self->start)
        continue;
      span.start += out->length - self->start;
      span.end += out->length - self->start;
      g_array_append_val (out->spans, span);
    }
}

static void
take (Reader *self,
      Column *out)
{
  LsLineChange change = ls_script_text_line (self->text, self->at)->change;
  guint end = self->start + (guint) g_utf8_strlen (self->lines[self->at], -1);

  if (out->changes->len > 0)
    {
      g_string_append_c (out->text, '\n');
      out->length++;
    }
  take_words (self, out, end);
  take_spans (self, out, end);
  g_string_append (out->text, self->lines[self->at]);
  out->length += pass (self);
  g_array_append_val (out->changes, change);
}

static gboolean
stands_at (Reader       *self,
           LsLineChange  change)
{
  return self->at < self->n && ls_script_text_line (self->text, self->at)->change == change;
}

static LsScriptText *
column_text (Column   *out,
             gboolean  plain)
{
  LsScriptText *text = ls_script_text_new (out->text->str);

  ls_script_text_set_plain (text, plain);
  for (guint i = 0; i < MIN (out->changes->len, ls_script_text_n_lines (text)); i++)
    ls_script_text_line (text, i)->change = g_array_index (out->changes, LsLineChange, i);
  for (guint i = 0; i < out->words->len; i++)
    ls_script_text_add_word (text, g_array_index (out->words, LsScriptWord, i).start,
                             g_array_index (out->words, LsScriptWord, i).end);
  for (guint i = 0; i < out->spans->len; i++)
    ls_script_text_add_span (text, &g_array_index (out->spans, LsScriptSpan, i));
  return text;
}

LsScriptText *
ls_script_text_one_column (LsScriptText *before,
                           LsScriptText *after)
{
  g_autoptr (GString) string = g_string_new (NULL);
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (LsLineChange));
  g_autoptr (GArray) words = g_array_new (FALSE, FALSE, sizeof (LsScriptWord));
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (LsScriptSpan));
  Column out = { string, 0, changes, words, spans };
  Reader left, right;

  reader_init (&left, before);
  reader_init (&right, after);
  while (left.at < left.n || right.at < right.n)
    {
      if (stands_at (&left, LS_LINE_GONE))
        take (&left, &out);
      else if (right.at < right.n)
        {
          if (!stands_at (&right, LS_LINE_NEW) && left.at < left.n)
            pass (&left);
          take (&right, &out);
        }
      else
        pass (&left);
    }
  g_strfreev (left.lines);
  g_strfreev (right.lines);
  return column_text (&out, ls_script_text_is_plain (after));
}

LsScriptText *
ls_comparison_one_column (LsComparison *self)
{
  return ls_script_text_one_column (self->left.text, self->right.text);
}

/* ---- changes ------------------------------------------------------------------- */

static int
run_of (LsScriptText *text,
        guint         from)
{
  guint n = ls_script_text_n_lines (text), at = from;

  while (at < n)
    {
      LsLineChange change = ls_script_text_line (text, at)->change;

      if (change != LS_LINE_NEW && change != LS_LINE_GONE)
        break;
      at++;
    }
  return (int) (at - from);
}

static void
put_change (GArray *changes,
            guint   i,
            int     n_left,
            guint   j,
            int     n_right)
{
  LsTextChange change = { n_left > 0 ? (int) i : -1, n_left > 0 ? (int) i + n_left - 1 : -1,
                          n_right > 0 ? (int) j : -1, n_right > 0 ? (int) j + n_right - 1 : -1 };

  g_array_append_val (changes, change);
}

GArray *
ls_comparison_changes (LsScriptText *left,
                       LsScriptText *right)
{
  GArray *changes = g_array_new (FALSE, FALSE, sizeof (LsTextChange));
  guint i = 0, j = 0, n = left != NULL ? ls_script_text_n_lines (left) : 0, m = ls_script_text_n_lines (right);

  while (i < n || j < m)
    {
      int gone = left != NULL ? run_of (left, i) : 0, came = run_of (right, j);

      if (gone + came > 0)
        put_change (changes, i, gone, j, came);
      i += (guint) gone + (gone + came == 0);
      j += (guint) came + (gone + came == 0);
    }
  return changes;
}
