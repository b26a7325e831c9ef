/* script-compare: which lines of two printed modules are the same.
 *
 * Lines are compared without their indentation, so that a body that only went
 * deeper counts as moved.  The pairing itself is ls_align().
 */
#include "views/models/script-text.h"

#include "engine/base/base.h"

#include <string.h>

typedef struct {
  char  **text;                 /* whole lines */
  char  **bare;                 /* borrowed pointers past the indentation */
  guint   n;
} Lines;

typedef struct {
  LsScriptText *before;
  LsScriptText *after;
  Lines         a;
  Lines         b;
  guint         row_a;          /* lines that stand since the last common one */
  guint         row_b;
  int           last_a;         /* last line shown on either side */
  int           last_b;
} Compare;

static void
lines_init (Lines        *lines,
            LsScriptText *text)
{
  lines->n = ls_script_text_n_lines (text);
  lines->text = g_strsplit (ls_script_text_get_text (text), "\n", -1);
  lines->bare = g_new0 (char *, lines->n + 1);
  for (guint i = 0; i < lines->n && lines->text[i] != NULL; i++)
    lines->bare[i] = lines->text[i] + strspn (lines->text[i], " \t");
}

static void
lines_clear (Lines *lines)
{
  g_strfreev (lines->text);
  g_free (lines->bare);
}

static void
set_gap (LsScriptText *text,
         int           last,
         guint         rows)
{
  if (rows == 0)
    return;
  if (last >= 0)
    ls_script_text_line (text, last)->gap = rows;
  else
    ls_script_text_line (text, 0)->gap_before = rows;
}

/* Levels both sides before a common line, or at the end. */
static void
level (Compare *c)
{
  if (c->row_a < c->row_b)
    set_gap (c->before, c->last_a, c->row_b - c->row_a);
  else
    set_gap (c->after, c->last_b, c->row_a - c->row_b);
  c->row_a = c->row_b = 0;
}

static void
take_gone (Compare *c,
           guint    i)
{
  ls_script_text_line (c->before, i)->change = LS_LINE_GONE;
  c->row_a++;
  c->last_a = (int) i;
}

static void
take_new (Compare *c,
          guint    j)
{
  ls_script_text_line (c->after, j)->change = LS_LINE_NEW;
  c->row_b++;
  c->last_b = (int) j;
}

static void
take_both (Compare *c,
           guint    i,
           guint    j)
{
  gboolean same = strcmp (c->a.text[i], c->b.text[j]) == 0;

  level (c);
  ls_script_text_line (c->before, i)->change = same ? LS_LINE_SAME : LS_LINE_MOVED;
  ls_script_text_line (c->after, j)->change = same ? LS_LINE_SAME : LS_LINE_MOVED;
  c->last_a = (int) i;
  c->last_b = (int) j;
}

static gboolean
same_bare (guint    i,
           guint    j,
           gpointer data)
{
  Compare *c = data;

  return strcmp (c->a.bare[i], c->b.bare[j]) == 0;
}

void
ls_script_text_compare (LsScriptText *before,
                        LsScriptText *after)
{
  Compare c = { .before = before, .after = after, .last_a = -1, .last_b = -1 };
  g_autoptr (GArray) pairs = NULL;
  guint i = 0, j = 0;

  lines_init (&c.a, before);
  lines_init (&c.b, after);
  pairs = ls_align (c.a.n, c.b.n, LS_SCRIPT_COMPARE_MAX, same_bare, &c);
  for (guint k = 0; k <= pairs->len; k++)
    {
      const LsAlignPair *pair = k < pairs->len ? &g_array_index (pairs, LsAlignPair, k) : NULL;

      while (i < (pair != NULL ? pair->a : c.a.n))
        take_gone (&c, i++);
      while (j < (pair != NULL ? pair->b : c.b.n))
        take_new (&c, j++);
      if (pair != NULL)
        take_both (&c, i++, j++);
    }
  level (&c);

  lines_clear (&c.a);
  lines_clear (&c.b);
  ls_script_text_mark_words (before, after);
}
