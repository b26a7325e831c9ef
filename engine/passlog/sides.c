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
ls_pass_log_side_parts (LsPassLog *self,
                        guint      number,
                        int       *before,
                        int       *after)
{
  guint from, to;

  sides_of (self, number, &from, &to);
  *before = g_array_index (self->parts, LsPassPart, number).patch ? (int) number : (int) from - 1;
  *after = (int) to - 1;
}

void
ls_pass_reader_take (char **reader,
                     char  *words)
{
  if (words != NULL && reader != NULL && (*reader == NULL || (g_str_has_prefix (*reader, "LLVM ") && !g_str_has_prefix (words, "LLVM "))))
    {
      g_free (*reader);
      *reader = g_steal_pointer (&words);
    }
  g_free (words);
}

void
ls_pass_log_count_full (LsPassLog    *self,
                        guint         dump,
                        LsPassCounts *counts,
                        char        **reader)
{
  LsPassDump *at = &g_array_index (self->dumps, LsPassDump, dump);

  *counts = (LsPassCounts) { 0 };
  if (reader != NULL)
    *reader = NULL;
  for (guint i = at->first; i < at->first + at->n; i++)
    {
      g_autofree char *old = NULL, *new = NULL;
      char *words = NULL;
      int from, to;
      g_autoptr (GArray) changes = NULL;

      if (!ls_pass_log_part_changed (self, i))
        continue;
      ls_pass_log_part_sides (self, i, &old, &new);
      ls_pass_log_side_parts (self, i, &from, &to);
      changes = ls_pass_sides_diff (&(LsPassSide) { self, old, from, TRUE }, &(LsPassSide) { self, new, to, FALSE }, counts, reader != NULL ? &words : NULL);
      ls_pass_reader_take (reader, words);
    }
}

void
ls_pass_log_count (LsPassLog    *self,
                   guint         dump,
                   LsPassCounts *counts)
{
  ls_pass_log_count_full (self, dump, counts, NULL);
}

typedef struct {
  LsPassLog    *log;
  LsPassCounts *counts;
  char        **readers;        /* or NULL */
} Counting;

static void
count_one (gpointer number,
           gpointer user_data)
{
  Counting *self = user_data;
  guint dump = GPOINTER_TO_UINT (number) - 1;

  ls_pass_log_count_full (self->log, dump, &self->counts[dump], self->readers != NULL ? &self->readers[dump] : NULL);
}

LsPassCounts *
ls_pass_log_count_all (LsPassLog *self,
                       char     **readers)
{
  Counting counting = { self, g_new0 (LsPassCounts, self->dumps->len), readers };
  /* Whoever reads LLVM IR answers one question at a time, and keeps what neighbours share. */
  GThreadPool *pool = g_thread_pool_new (count_one, &counting, self->ir != NULL ? 1 : (int) g_get_num_processors (), FALSE, NULL);

  for (guint i = 0; i < self->dumps->len; i++)
    if (g_array_index (self->dumps, LsPassDump, i).effective)
      g_thread_pool_push (pool, GUINT_TO_POINTER (i + 1), NULL);
  g_thread_pool_free (pool, FALSE, TRUE);
  return counting.counts;
}
