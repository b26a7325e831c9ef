/* sides: a function before and after a pass, and what is counted of that. */
#include "engine/passlog/private.h"

/* What the part was before its pass and is after it: numbers + 1 of parts, 0: none.  FALSE: one of them is not in the log. */
static gboolean
sides_of (LsPassLog *self,
          guint      number,
          guint     *from,
          guint     *to)
{
  LsPassPart *part = &g_array_index (self->parts, LsPassPart, number);

  *from = self->before_only ? number + 1 : part->before;
  *to = self->before_only ? part->after : number + 1;
  return *to > 0 && (*from > 0 || self->whole);
}

void
ls_pass_log_part_sides (LsPassLog  *self,
                        guint       number,
                        char      **before,
                        char      **after)
{
  LsPassPart *part = &g_array_index (self->parts, LsPassPart, number);
  LsPassDump *dump = &g_array_index (self->dumps, LsPassDump, part->dump);
  guint from, to;
  gboolean both = sides_of (self, number, &from, &to);

  if (part->patch)
    {
      *before = ls_pass_patch_side (ls_pass_log_text (self, dump->file, NULL) + part->start, part->end - part->start, FALSE);
      *after = ls_pass_log_part_text (self, number);
      return;
    }
  *before = from > 0 ? ls_pass_log_part_text (self, from - 1) : both && dump->kind != LS_PASS_DUMP_START ? g_strdup ("") : NULL;
  *after = to > 0 ? ls_pass_log_part_text (self, to - 1) : NULL;
}

void
ls_pass_log_side_aliases (LsPassLog   *self,
                          guint        number,
                          GHashTable **before,
                          GHashTable **after)
{
  guint from, to;

  *before = *after = NULL;
  if (g_array_index (self->parts, LsPassPart, number).patch)
    return;
  sides_of (self, number, &from, &to);
  if (from > 0)
    *before = ls_pass_log_part_aliases (self, from - 1);
  if (to > 0)
    *after = ls_pass_log_part_aliases (self, to - 1);
}

gboolean
ls_pass_log_part_changed (LsPassLog *self,
                          guint      number)
{
  LsPassPart *part = &g_array_index (self->parts, LsPassPart, number);
  LsPassDump *dump = &g_array_index (self->dumps, LsPassDump, part->dump);
  guint from, to;

  if (part->patch)
    return ls_pass_patch_changes (ls_pass_log_text (self, dump->file, NULL) + part->start, part->end - part->start);
  return sides_of (self, number, &from, &to) && dump->kind != LS_PASS_DUMP_START
         && (from == 0 || g_array_index (self->parts, LsPassPart, from - 1).hash != g_array_index (self->parts, LsPassPart, to - 1).hash);
}

void
ls_pass_log_count (LsPassLog    *self,
                   guint         dump,
                   LsPassCounts *counts)
{
  LsPassDump *at = &g_array_index (self->dumps, LsPassDump, dump);

  *counts = (LsPassCounts) { 0 };
  for (guint i = at->first; i < at->first + at->n; i++)
    {
      g_autofree char *old = NULL, *new = NULL;
      GHashTable *before, *after;
      g_autoptr (GArray) changes = NULL;

      if (!ls_pass_log_part_changed (self, i))
        continue;
      ls_pass_log_part_sides (self, i, &old, &new);
      ls_pass_log_side_aliases (self, i, &before, &after);
      changes = ls_pass_diff_aliased (old, before, new, after, at->language, counts);
      g_clear_pointer (&before, g_hash_table_unref);
      g_clear_pointer (&after, g_hash_table_unref);
    }
}

typedef struct {
  LsPassLog    *log;
  LsPassCounts *counts;
} Counting;

static void
count_one (gpointer number,
           gpointer user_data)
{
  Counting *self = user_data;
  guint dump = GPOINTER_TO_UINT (number) - 1;

  ls_pass_log_count (self->log, dump, &self->counts[dump]);
}

LsPassCounts *
ls_pass_log_count_all (LsPassLog *self)
{
  Counting counting = { self, g_new0 (LsPassCounts, self->dumps->len) };
  GThreadPool *pool = g_thread_pool_new (count_one, &counting, (int) g_get_num_processors (), FALSE, NULL);

  for (guint i = 0; i < self->dumps->len; i++)
    if (g_array_index (self->dumps, LsPassDump, i).effective)
      g_thread_pool_push (pool, GUINT_TO_POINTER (i + 1), NULL);
  g_thread_pool_free (pool, FALSE, TRUE);
  return counting.counts;
}
