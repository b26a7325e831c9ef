/* script-words: which words of a changed line are the changed ones.
 *
 * Within a run of lines that went and lines that came, lines are paired in order so that the pairs are as alike as
 * possible (a dynamic program over their likeness: the share of letters that a word diff keeps); less than half alike is
 * no pair.  A pair's differing words are marked on both sides; a line without a partner is new or gone as a whole and
 * has no marks.  Runs of more than MOST pairs to look at are paired by their position.
 */
#include "views/models/script-text.h"

#include "engine/base/base.h"

#include <string.h>

#define ALIKE 0.5
#define MOST 4096

typedef struct {
  const char *text;
  guint       n;
  guint      *bytes;            /* where each line starts; n + 1 of them */
  guint      *characters;
} Side;

static void
side_init (Side         *side,
           LsScriptText *text)
{
  const char *at = ls_script_text_get_text (text);
  guint line = 0, characters = 0;

  side->text = at;
  side->n = ls_script_text_n_lines (text);
  side->bytes = g_new0 (guint, side->n + 1);
  side->characters = g_new0 (guint, side->n + 1);
  for (const char *p = at; *p != '\0'; p = g_utf8_next_char (p))
    {
      characters++;
      if (*p != '\n' || line + 1 >= side->n)
        continue;
      line++;
      side->bytes[line] = (guint) (p + 1 - at);
      side->characters[line] = characters;
    }
  side->bytes[side->n] = (guint) strlen (at);
  side->characters[side->n] = characters;
}

static void
side_clear (Side *side)
{
  g_free (side->bytes);
  g_free (side->characters);
}

static guint
line_end (const Side *side,
          guint       line)
{
  guint end = side->bytes[line + 1];

  return end > side->bytes[line] && side->text[end - 1] == '\n' ? end - 1 : end;
}

static guint
letters (const char *text,
         guint       start,
         guint       end)
{
  guint n = 0;

  for (guint i = start; i < end; i++)
    n += !g_ascii_isspace (text[i]);
  return n;
}

static GArray *
words_of (const Side *a,
          guint       i,
          const Side *b,
          guint       j)
{
  return ls_text_diff_words (a->text, a->bytes[i], line_end (a, i), b->text, b->bytes[j], line_end (b, j));
}

/* 0: nothing in common, 1: the same. */
static double
likeness (const Side *a,
          guint       i,
          const Side *b,
          guint       j)
{
  g_autoptr (GArray) words = words_of (a, i, b, j);
  guint all = letters (a->text, a->bytes[i], line_end (a, i)) + letters (b->text, b->bytes[j], line_end (b, j));
  guint kept = 0;

  for (guint k = 0; k < words->len; k++)
    {
      const LsTextDiff *word = &g_array_index (words, LsTextDiff, k);

      if (word->edit == LS_TEXT_KEEP)
        kept += 2 * letters (a->text, word->start_a, word->end_a);
    }
  return all > 0 ? (double) kept / all : 0.0;
}

/* ---- marks -------------------------------------------------------------------- */

/* Marks that only a space parts become one. */
static void
put_words (LsScriptText *text,
           const Side   *side,
           guint         line,
           GArray       *words,
           LsTextEdit    edit)
{
  guint from = 0, to = 0;

  for (guint k = 0; k <= words->len; k++)
    {
      const LsTextDiff *word = k < words->len ? &g_array_index (words, LsTextDiff, k) : NULL;
      guint start = word == NULL ? 0 : edit == LS_TEXT_DELETE ? word->start_a : word->start_b;
      guint end = word == NULL ? 0 : edit == LS_TEXT_DELETE ? word->end_a : word->end_b;

      if (word != NULL && (word->edit != edit || letters (side->text, start, end) == 0))
        continue;
      if (word != NULL && to > 0 && letters (side->text, to, start) == 0)
        {
          to = end;
          continue;
        }
      if (to > 0)
        {
          guint first = side->characters[line] +
                        (guint) g_utf8_strlen (side->text + side->bytes[line], (gssize) (from - side->bytes[line]));

          ls_script_text_add_word (text, first,
                                   first + (guint) g_utf8_strlen (side->text + from, (gssize) (to - from)));
        }
      from = start;
      to = end;
    }
}

static void
mark_pair (LsScriptText *before,
           LsScriptText *after,
           const Side   *a,
           guint         i,
           const Side   *b,
           guint         j)
{
  g_autoptr (GArray) words = words_of (a, i, b, j);

  put_words (before, a, i, words, LS_TEXT_DELETE);
  put_words (after, b, j, words, LS_TEXT_INSERT);
}

/* ---- pairs -------------------------------------------------------------------- */

typedef struct {
  LsScriptText *before;
  LsScriptText *after;
  const Side   *a;
  const Side   *b;
} Both;

static void
mark_by_place (const Both *both,
               guint       i,
               guint       n_a,
               guint       j,
               guint       n_b)
{
  for (guint k = 0; k < MIN (n_a, n_b); k++)
    if (likeness (both->a, i + k, both->b, j + k) >= ALIKE)
      mark_pair (both->before, both->after, both->a, i + k, both->b, j + k);
}

/* Lines i to i + n_a went, lines j to j + n_b came. */
static void
mark_run (const Both *both,
          guint       i,
          guint       n_a,
          guint       j,
          guint       n_b)
{
  guint width = n_b + 1;
  g_autofree double *alike = NULL, *best = NULL;

  if (n_a == 0 || n_b == 0)
    return;
  if ((guint64) n_a * n_b > MOST)
    {
      mark_by_place (both, i, n_a, j, n_b);
      return;
    }
  alike = g_new0 (double, (n_a + 1) * width);
  best = g_new0 (double, (n_a + 1) * width);
  for (guint x = n_a; x-- > 0;)
    for (guint y = n_b; y-- > 0;)
      {
        double one = likeness (both->a, i + x, both->b, j + y);
        double taken = one >= ALIKE ? one + best[(x + 1) * width + y + 1] : 0.0;

        alike[x * width + y] = one;
        best[x * width + y] = MAX (taken, MAX (best[(x + 1) * width + y], best[x * width + y + 1]));
      }
  for (guint x = 0, y = 0; x < n_a && y < n_b;)
    {
      guint at = x * width + y;

      if (alike[at] >= ALIKE && best[at] <= alike[at] + best[at + width + 1])
        mark_pair (both->before, both->after, both->a, i + x++, both->b, j + y++);
      else if (best[at + width] >= best[at + 1])
        x++;
      else
        y++;
    }
}

static guint
run_length (LsScriptText *text,
            guint         from,
            LsLineChange  change)
{
  guint n = 0;

  while (from + n < ls_script_text_n_lines (text) && ls_script_text_line (text, from + n)->change == change)
    n++;
  return n;
}

void
ls_script_text_mark_words (LsScriptText *before,
                           LsScriptText *after)
{
  Side a, b;
  Both both = { before, after, &a, &b };
  guint i = 0, j = 0;

  side_init (&a, before);
  side_init (&b, after);
  while (i < a.n && j < b.n)
    {
      guint gone = run_length (before, i, LS_LINE_GONE), came = run_length (after, j, LS_LINE_NEW);

      mark_run (&both, i, gone, j, came);
      i += gone + (gone + came == 0);
      j += came + (gone + came == 0);
    }
  side_clear (&a);
  side_clear (&b);
}
