/* rows: a function before and after a pass as rows, each with a line of one or of both.
 *
 * The diff pairs operations.  Lines that are none (braces, comments, what it leaves out) are paired between two of its pairs by their
 * text, numbers of values and metadata aside.
 */
#include "engine/passlog/passlog.h"

#include <string.h>

#define MOVED 2                 /* a change of a line, of its place only */
#define MAX_EDITS 2000

typedef struct {
  char        **a, **b;
  guint         n_a, n_b;
  int          *pair_a;         /* line of b; -1: none, -2: gone */
  gboolean     *changed_a, *changed_b;
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
  guint change = MAX (a >= 0 ? self->changed_a[a] : 0, b >= 0 ? self->changed_b[b] : 0);
  LsPassRow row = { a, b, change != 0, 0, change == MOVED };

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
          self->changed_a[i] |= !self->known_a[i];
          put (self, (int) i, -1);
        }
      for (; j < stop_b; j++)
        {
          self->changed_b[j] |= !self->known_b[j];
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
          self->changed_a[change->a] = change->kind == LS_PASS_MOVED ? MOVED : change->kind != LS_PASS_SAME;
        }
      if (change->b >= 0)
        {
          self->known_b[change->b] = 1;
          self->changed_b[change->b] = change->kind == LS_PASS_MOVED ? MOVED : change->kind != LS_PASS_SAME;
        }
      if ((change->kind == LS_PASS_SAME || change->kind == LS_PASS_REWRITTEN) && change->a > last_a && change->b > last_b)
        {
          self->pair_a[change->a] = last_b = change->b;
          last_a = change->a;
        }
      else if (change->kind == LS_PASS_MOVED || change->kind == LS_PASS_SAME)
        {
          self->changed_b[change->b] = MOVED;    /* stands on no row with the other one */
          self->changed_a[change->a] = MOVED;
        }
    }
}

static GArray *
pair_lines (Pairing *self,
            GArray  *changes)
{
  self->rows = g_array_new (FALSE, FALSE, sizeof (LsPassRow));
  self->pair_a = g_new (int, self->n_a + 1);
  self->changed_a = g_new0 (gboolean, self->n_a + 1);
  self->changed_b = g_new0 (gboolean, self->n_b + 1);
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
  g_free (self->changed_a);
  g_free (self->changed_b);
  g_free (self->known_a);
  g_free (self->known_b);
  return self->rows;
}

GArray *
ls_pass_rows (char        **before,
              char        **after,
              GArray       *changes)
{
  Pairing self = { .a = before, .b = after, .n_a = g_strv_length (before), .n_b = g_strv_length (after), .exact = changes == NULL };

  return pair_lines (&self, changes);
}

GArray *
ls_pass_rows_around (GArray *rows,
                     guint   around)
{
  GArray *shown = g_array_new (FALSE, FALSE, sizeof (LsPassRow));
  g_autofree guint8 *near = g_new0 (guint8, rows->len + 1);

  for (guint i = 0; i < rows->len; i++)
    if (g_array_index (rows, LsPassRow, i).changed)
      for (guint j = i > around ? i - around : 0; j < MIN (i + around + 1, rows->len); j++)
        near[j] = 1;
  for (guint i = 0; i < rows->len; i++)
    {
      LsPassRow row = g_array_index (rows, LsPassRow, i);
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
