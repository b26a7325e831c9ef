/* align: the dumps of two logs of one program side by side, by pass and by what it ran on. */
#include "engine/passlog/passlog.h"

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

/* The part of the dump with this name; -1: it has none. */
static int
part_of (LsPassLog  *log,
         guint       dump,
         const char *name)
{
  LsPassDump *at = dump_at (log, dump);

  for (guint i = at->first; i < at->first + at->n; i++)
    if (strcmp (g_array_index (log->parts, LsPassPart, i).name, name) == 0)
      return (int) i;
  return -1;
}

gboolean
ls_pass_dumps_differ (LsPassLog    *a,
                      guint         dump_a,
                      LsPassLog    *b,
                      guint         dump_b,
                      LsPassCounts *counts)
{
  LsPassDump *x = dump_at (a, dump_a), *y = dump_at (b, dump_b);
  gboolean one_sided = FALSE;

  *counts = (LsPassCounts) { 0 };
  if (x->n == 0 || y->n == 0)           /* one of them has no text: what is known is whether there was an effect */
    return x->effective != y->effective;
  for (guint i = x->first; i < x->first + x->n; i++)
    {
      int other = part_of (b, dump_b, g_array_index (a->parts, LsPassPart, i).name);
      g_autofree char *text_a = NULL, *text_b = NULL;
      g_autoptr (GArray) changes = NULL;
      GHashTable *aliases_a, *aliases_b;

      one_sided |= other < 0;
      if (other < 0 || g_array_index (a->parts, LsPassPart, i).hash == g_array_index (b->parts, LsPassPart, other).hash)
        continue;
      text_a = ls_pass_log_part_text (a, i);
      text_b = ls_pass_log_part_text (b, (guint) other);
      aliases_a = ls_pass_log_part_aliases (a, i);
      aliases_b = ls_pass_log_part_aliases (b, (guint) other);
      changes = ls_pass_diff_aliased (text_a, aliases_a, text_b, aliases_b, x->language, counts);
      g_clear_pointer (&aliases_a, g_hash_table_unref);
      g_clear_pointer (&aliases_b, g_hash_table_unref);
    }
  for (guint i = y->first; i < y->first + y->n; i++)
    one_sided |= part_of (a, dump_a, g_array_index (b->parts, LsPassPart, i).name) < 0;
  return one_sided || counts->added + counts->duplicated + counts->removed + counts->rewritten + counts->moved > 0;
}

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
