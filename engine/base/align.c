/* align: the longest common subsequence of two sequences.
 *
 * Common ends are taken off first; the middle goes through the greedy algorithm of E. Myers, "An O(ND) difference
 * algorithm and its variations" (1986), which is fast when the sequences are alike.  A bound on the number of edits
 * keeps the worst case in hand: beyond it only the common ends are paired.
 */
#include "engine/base/base.h"

typedef struct {
  guint         n_a;
  guint         n_b;
  guint         skip;           /* length of the common start */
  LsAlignEqual  equal;
  gpointer      user_data;
  GArray       *pairs;
} Align;

static gboolean
equal_at (Align *self,
          int    a,
          int    b)
{
  return self->equal (self->skip + (guint) a, self->skip + (guint) b, self->user_data);
}

static void
go_back (Align     *self,
         GPtrArray *trace)
{
  int x = (int) self->n_a, y = (int) self->n_b;

  for (int d = (int) trace->len - 1; d >= 0; d--)
    {
      const int *v = (const int *) trace->pdata[d] + d + 1;
      int k = x - y;
      int before = k == -d || (k != d && v[k - 1] < v[k + 1]) ? k + 1 : k - 1;
      int px = d == 0 ? 0 : v[before], py = d == 0 ? 0 : px - before;

      while (x > px && y > py)
        {
          LsAlignPair pair = { self->skip + (guint32) --x, self->skip + (guint32) --y };

          g_array_append_val (self->pairs, pair);
        }
      x = px;
      y = py;
    }
}

/* The middle, pairs last to first; FALSE when it takes too many edits. */
static gboolean
align_middle (Align *self,
              guint  max_edits)
{
  int n = (int) self->n_a, m = (int) self->n_b, limit = MIN (n + m, (int) max_edits);
  g_autoptr (GPtrArray) trace = g_ptr_array_new_with_free_func (g_free);
  g_autofree int *row = g_new0 (int, 2 * limit + 3);
  int *v = row + limit + 1;

  for (int d = 0; d <= limit; d++)
    {
      g_ptr_array_add (trace, g_memdup2 (v - d - 1, sizeof (int) * (gsize) (2 * d + 3)));
      for (int k = -d; k <= d; k += 2)
        {
          int x = k == -d || (k != d && v[k - 1] < v[k + 1]) ? v[k + 1] : v[k - 1] + 1;

          while (x < n && x - k >= 0 && x - k < m && equal_at (self, x, x - k))
            x++;
          v[k] = x;
          if (x >= n && x - k >= m)
            {
              go_back (self, trace);
              return TRUE;
            }
        }
    }
  return FALSE;
}

static void
reverse (GArray *pairs,
         guint   from)
{
  for (guint to = pairs->len; from + 1 < to; from++, to--)
    {
      LsAlignPair pair = g_array_index (pairs, LsAlignPair, from);

      g_array_index (pairs, LsAlignPair, from) = g_array_index (pairs, LsAlignPair, to - 1);
      g_array_index (pairs, LsAlignPair, to - 1) = pair;
    }
}

GArray *
ls_align (guint        n_a,
          guint        n_b,
          guint        max_edits,
          LsAlignEqual equal,
          gpointer     user_data)
{
  Align self = { n_a, n_b, 0, equal, user_data, g_array_new (FALSE, FALSE, sizeof (LsAlignPair)) };
  guint tail = 0, first;

  while (self.skip < MIN (n_a, n_b) && equal (self.skip, self.skip, user_data))
    {
      LsAlignPair pair = { self.skip, self.skip };

      g_array_append_val (self.pairs, pair);
      self.skip++;
    }
  while (tail < MIN (n_a, n_b) - self.skip && equal (n_a - 1 - tail, n_b - 1 - tail, user_data))
    tail++;
  self.n_a = n_a - self.skip - tail;
  self.n_b = n_b - self.skip - tail;
  first = self.pairs->len;
  if (align_middle (&self, max_edits))
    reverse (self.pairs, first);
  for (guint i = tail; i > 0; i--)
    {
      LsAlignPair pair = { n_a - i, n_b - i };

      g_array_append_val (self.pairs, pair);
    }
  return self.pairs;
}
