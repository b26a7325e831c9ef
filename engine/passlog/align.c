/* align: two logs of one program: their dumps side by side, by pass and by what it ran on; what came out differently, and what is different at the end. */
#include "engine/passlog/private.h"

#include <string.h>

#define MAX_EDITS 4000

typedef struct {
  LsPassLog *a, *b;
} Logs;

static LsPassDump *
dump_at (LsPassLog *log,
         guint      i)
{
  return &g_array_index (log->dumps, LsPassDump, i);
}

static gboolean
is_same_pass (guint    a,
              guint    b,
              gpointer user_data)
{
  Logs *logs = user_data;
  LsPassDump *x = dump_at (logs->a, a), *y = dump_at (logs->b, b);
  gboolean before = x->kind == LS_PASS_DUMP_BEFORE || y->kind == LS_PASS_DUMP_BEFORE;

  return (!before || x->kind == y->kind) && strcmp (x->pass, y->pass) == 0 && strcmp (x->unit, y->unit) == 0;
}

/* The parts of a dump by name; several may have one. */
typedef struct {
  LsPassLog  *log;
  guint       dump;
  GHashTable *first;            /* name to number + 1 of the first part that has it */
  GHashTable *taken;            /* name to number + 1 of the last one that was taken */
} Names;

static void
names_init (Names     *self,
            LsPassLog *log,
            guint      dump)
{
  LsPassDump *at = dump_at (log, dump);

  *self = (Names) { log, dump, g_hash_table_new (g_str_hash, g_str_equal), g_hash_table_new (g_str_hash, g_str_equal) };
  for (guint i = at->first + at->n; i-- > at->first;)
    g_hash_table_insert (self->first, (gpointer) g_array_index (log->parts, LsPassPart, i).name, GUINT_TO_POINTER (i + 1));
}

static void
names_clear (Names *self)
{
  g_hash_table_unref (self->first);
  g_hash_table_unref (self->taken);
}

/* The next part with this name; -1: there is no more. */
static int
names_take (Names      *self,
            const char *name)
{
  LsPassDump *at = dump_at (self->log, self->dump);
  guint last = GPOINTER_TO_UINT (g_hash_table_lookup (self->taken, name)), next = GPOINTER_TO_UINT (g_hash_table_lookup (self->first, name));

  for (guint i = last; last > 0; i++)
    {
      if (i >= at->first + at->n)
        return -1;
      next = i + 1;
      if (strcmp (g_array_index (self->log->parts, LsPassPart, i).name, name) == 0)
        break;
    }
  if (next > 0)
    g_hash_table_insert (self->taken, (gpointer) name, GUINT_TO_POINTER (next));
  return (int) next - 1;
}

/* Is it the function that is asked for, or a loop of it? */
static gboolean
is_asked (const LsPassTwo *how,
          const char      *name)
{
  const char *in = how != NULL && how->function != NULL ? strstr (name, " in function ") : NULL;

  return how == NULL || how->function == NULL || strcmp (how->function, in != NULL ? in + strlen (" in function ") : name) == 0;
}

static gboolean
counts_any (const LsPassCounts *counts)
{
  return counts->added + counts->duplicated + counts->removed + counts->rewritten + counts->moved > 0;
}

static void
counts_add (LsPassCounts       *sum,
            const LsPassCounts *counts)
{
  sum->same += counts->same;
  sum->added += counts->added;
  sum->duplicated += counts->duplicated;
  sum->removed += counts->removed;
  sum->rewritten += counts->rewritten;
  sum->moved += counts->moved;
}

/* What makes the part of b of that of a. FALSE: nothing but names. */
static gboolean
parts_differ (LsPassLog       *a,
              guint            part_a,
              LsPassLog       *b,
              guint            part_b,
              const LsPassTwo *how,
              LsPassCounts    *counts,
              char           **reader)
{
  g_autofree char *text_a = ls_pass_log_part_text (a, part_a), *text_b = ls_pass_log_part_text (b, part_b);
  const LsPassSide x = { a, text_a, (int) part_a, FALSE }, y = { b, text_b, (int) part_b, FALSE };
  gboolean quick = how != NULL && how->quick && (a->ir != NULL || b->ir != NULL);
  LsPassCounts one = { 0 };
  char *words = NULL;

  if (quick)
    g_array_unref (ls_pass_sides_diff_tolerant (&x, &y, &one, &words));
  if (!quick || counts_any (&one))
    {
      one = (LsPassCounts) { 0 };
      g_clear_pointer (&words, g_free);
      g_array_unref (ls_pass_sides_diff (&x, &y, &one, &words));
    }
  counts_add (counts, &one);
  ls_pass_reader_take (reader, words);
  return counts_any (&one);
}

gboolean
ls_pass_dumps_differ (LsPassLog       *a,
                      guint            dump_a,
                      LsPassLog       *b,
                      guint            dump_b,
                      const LsPassTwo *how,
                      LsPassCounts    *counts,
                      char           **reader)
{
  LsPassDump *x = dump_at (a, dump_a), *y = dump_at (b, dump_b);
  gboolean differ = FALSE;
  guint left = 0;               /* parts of b that are still to be taken */
  Names names;

  *counts = (LsPassCounts) { 0 };
  if (reader != NULL)
    *reader = NULL;
  if (x->n == 0 || y->n == 0)           /* one of them has no text: what is known is whether there was an effect */
    return x->effective != y->effective && is_asked (how, x->unit);
  for (guint i = y->first; i < y->first + y->n; i++)
    left += is_asked (how, g_array_index (b->parts, LsPassPart, i).name);
  names_init (&names, b, dump_b);
  for (guint i = x->first; i < x->first + x->n; i++)
    {
      const char *name = g_array_index (a->parts, LsPassPart, i).name;
      int other = is_asked (how, name) ? names_take (&names, name) : -1;

      if (!is_asked (how, name))
        continue;
      left -= other >= 0;
      if (other < 0)
        differ = TRUE;
      else if (g_array_index (a->parts, LsPassPart, i).hash != g_array_index (b->parts, LsPassPart, other).hash)
        differ |= parts_differ (a, i, b, (guint) other, how, counts, reader);
    }
  names_clear (&names);
  return differ || left > 0;
}

/* ---- at the end ---- */

/* The last part of each function, loops aside: name to number + 1. (transfer full)  order: names as they come first. */
static GHashTable *
last_parts (LsPassLog       *log,
            const LsPassTwo *how,
            GPtrArray       *order)
{
  GHashTable *last = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < log->parts->len; i++)
    {
      LsPassPart *part = &g_array_index (log->parts, LsPassPart, i);

      if (strstr (part->name, " in function ") != NULL || !is_asked (how, part->name))
        continue;
      if (!g_hash_table_contains (last, part->name))
        g_ptr_array_add (order, (gpointer) part->name);
      g_hash_table_insert (last, (gpointer) part->name, GUINT_TO_POINTER (i + 1));
    }
  return last;
}

/* The number of the part; -1: there is none, or it is deleted. */
static int
last_of (LsPassLog  *log,
         GHashTable *last,
         const char *name)
{
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (last, name));
  LsPassPart *part = number > 0 ? &g_array_index (log->parts, LsPassPart, number - 1) : NULL;

  return part != NULL && part->end > part->start ? (int) number - 1 : -1;
}

static void
end_clear (gpointer data)
{
  g_free (((LsPassEnd *) data)->reader);
}

GArray *
ls_pass_logs_ends (LsPassLog       *a,
                   LsPassLog       *b,
                   const LsPassTwo *how)
{
  GArray *ends = g_array_new (FALSE, TRUE, sizeof (LsPassEnd));
  g_autoptr (GPtrArray) order = g_ptr_array_new ();
  g_autoptr (GHashTable) last_a = last_parts (a, how, order), last_b = NULL;
  guint n_a = order->len;

  g_array_set_clear_func (ends, end_clear);
  last_b = last_parts (b, how, order);
  for (guint i = 0; i < order->len; i++)
    {
      LsPassEnd end = { order->pdata[i], last_of (a, last_a, order->pdata[i]), last_of (b, last_b, order->pdata[i]), { 0 }, NULL };

      if ((i >= n_a && g_hash_table_contains (last_a, end.name)) || (end.a < 0 && end.b < 0))
        continue;
      if (end.a < 0 || end.b < 0
          || (g_array_index (a->parts, LsPassPart, end.a).hash != g_array_index (b->parts, LsPassPart, end.b).hash
              && parts_differ (a, (guint) end.a, b, (guint) end.b, how, &end.counts, &end.reader)))
        g_array_append_val (ends, end);
      else
        g_free (end.reader);
    }
  return ends;
}

/* ---- side by side ---- */

static void
put_row (GArray *rows,
         int     a,
         int     b)
{
  LsPassPair pair = { a, b };

  g_array_append_val (rows, pair);
}

GArray *
ls_pass_logs_align (LsPassLog *a,
                    LsPassLog *b)
{
  Logs logs = { a, b };
  g_autoptr (GArray) pairs = ls_align (a->dumps->len, b->dumps->len, MAX_EDITS, is_same_pass, &logs);
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (LsPassPair));
  guint i = 0, j = 0;

  for (guint k = 0; k <= pairs->len; k++)
    {
      guint end_a = k < pairs->len ? g_array_index (pairs, LsAlignPair, k).a : a->dumps->len;
      guint end_b = k < pairs->len ? g_array_index (pairs, LsAlignPair, k).b : b->dumps->len;

      while (i < end_a)
        put_row (rows, (int) i++, -1);
      while (j < end_b)
        put_row (rows, -1, (int) j++);
      if (k < pairs->len)
        put_row (rows, (int) i++, (int) j++);
    }
  return rows;
}
