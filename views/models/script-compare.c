/* script-compare: which lines of two printed modules are the same.
 *
 * Lines are compared without their indentation, so that a body that only went
 * deeper counts as moved.  Common head and tail are cut off first; the rest goes
 * through the usual quadratic table, which is small for one schedule step.
 */
#include "views/models/script-text.h"

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

static void
middle (Compare *c,
        guint    head,
        guint    end_a,
        guint    end_b)
{
  guint na = end_a - head, nb = end_b - head;
  guint i = 0, j = 0;
  g_autofree guint16 *table = NULL;
  gboolean small = na <= LS_SCRIPT_COMPARE_MAX && nb <= LS_SCRIPT_COMPARE_MAX;

#define AT(x, y) table[(gsize) (x) * (nb + 1) + (y)]
  if (small)
    {
      table = g_new0 (guint16, (gsize) (na + 1) * (nb + 1));
      for (guint x = na; x-- > 0;)
        for (guint y = nb; y-- > 0;)
          AT (x, y) = strcmp (c->a.bare[head + x], c->b.bare[head + y]) == 0
                        ? AT (x + 1, y + 1) + 1
                        : MAX (AT (x + 1, y), AT (x, y + 1));
    }
  while (i < na || j < nb)
    {
      if (small && i < na && j < nb && strcmp (c->a.bare[head + i], c->b.bare[head + j]) == 0)
        {
          take_both (c, head + i, head + j);
          i++, j++;
        }
      else if (j == nb || (i < na && (!small || AT (i + 1, j) >= AT (i, j + 1))))
        take_gone (c, head + i++);
      else
        take_new (c, head + j++);
    }
#undef AT
}

void
ls_script_text_compare (LsScriptText *before,
                        LsScriptText *after)
{
  Compare c = { .before = before, .after = after, .last_a = -1, .last_b = -1 };
  guint head = 0, end_a, end_b;

  lines_init (&c.a, before);
  lines_init (&c.b, after);
  end_a = c.a.n;
  end_b = c.b.n;
  while (head < MIN (end_a, end_b) && strcmp (c.a.bare[head], c.b.bare[head]) == 0)
    head++;
  while (end_a > head && end_b > head &&
         strcmp (c.a.bare[end_a - 1], c.b.bare[end_b - 1]) == 0)
    end_a--, end_b--;

  for (guint i = 0; i < head; i++)
    take_both (&c, i, i);
  middle (&c, head, end_a, end_b);
  for (guint i = end_a; i < c.a.n; i++)
    take_both (&c, i, i - end_a + end_b);
  level (&c);

  lines_clear (&c.a);
  lines_clear (&c.b);
}
