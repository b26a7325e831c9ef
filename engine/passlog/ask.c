/* ask: what stands between the dumps of a log, and where something is in them. */
#include "engine/passlog/private.h"

#include <string.h>

gboolean
ls_pass_log_between (LsPassLog *self,
                     guint      dump,
                     guint     *file,
                     gsize     *start,
                     gsize     *end)
{
  LsPassDump *next = dump < self->dumps->len ? &g_array_index (self->dumps, LsPassDump, dump) : NULL;
  LsPassDump *last = dump > 0 ? &g_array_index (self->dumps, LsPassDump, dump - 1) : NULL;
  const char *text;
  gsize size;

  *file = next != NULL ? next->file : last != NULL ? last->file : 0;
  if (self->files->len == 0)
    return FALSE;
  text = ls_pass_log_text (self, *file, &size);
  *start = last != NULL && last->file == *file ? last->other : 0;
  *end = next != NULL ? next->head : size;
  while (*start < *end && g_ascii_isspace (text[*start]))
    ++*start;
  while (*start < *end && g_ascii_isspace (text[*end - 1]))
    --*end;
  return *start < *end;
}

static gboolean
mentions (LsPassLog  *self,
          guint       file,
          gsize       start,
          gsize       end,
          const char *what)
{
  return start < end && memmem (ls_pass_log_text (self, file, NULL) + start, end - start, what, strlen (what)) != NULL;
}

int
ls_pass_log_first (LsPassLog  *self,
                   const char *what,
                   guint       from)
{
  for (guint i = from; i < self->dumps->len; i++)
    {
      LsPassDump *dump = &g_array_index (self->dumps, LsPassDump, i);

      if (mentions (self, dump->file, dump->start, dump->end, what))
        return (int) i;
    }
  return -1;
}

static gboolean
part_mentions (LsPassLog  *self,
               LsPassPart *part,
               const char *what)
{
  g_autofree char *text = part->patch ? ls_pass_log_part_text (self, (guint) (part - (LsPassPart *) (void *) self->parts->data)) : NULL;

  return text != NULL ? strstr (text, what) != NULL : mentions (self, g_array_index (self->dumps, LsPassDump, part->dump).file, part->start, part->end, what);
}

/* A function that is gone took it along, and another function of the dump has it: it was renamed or inlined. */
static gboolean
went_elsewhere (LsPassLog  *self,
                LsPassPart *part,
                const char *what)
{
  LsPassDump *dump = &g_array_index (self->dumps, LsPassDump, part->dump);

  return part->end <= part->start && mentions (self, dump->file, dump->start, dump->end, what);
}

/* A loop no longer has it, and its function, where it is printed next, does: it stands elsewhere in it. */
static gboolean
left_loop (LsPassLog  *self,
           guint       number,
           const char *what)
{
  LsPassPart *part = &g_array_index (self->parts, LsPassPart, number);
  const char *in = g_str_has_prefix (part->name, "loop ") ? strstr (part->name, " in function ") : NULL;

  for (guint i = number + 1; in != NULL && i < self->parts->len; i++)
    if (strcmp (g_array_index (self->parts, LsPassPart, i).name, in + strlen (" in function ")) == 0)
      return part_mentions (self, &g_array_index (self->parts, LsPassPart, i), what);
  return FALSE;
}

gboolean
ls_pass_log_part_removes (LsPassLog  *self,
                          guint       number,
                          const char *what)
{
  LsPassPart *part = &g_array_index (self->parts, LsPassPart, number);
  LsPassPart *old = part->before > 0 ? &g_array_index (self->parts, LsPassPart, part->before - 1) : NULL;

  return old != NULL && old->hash != part->hash && part_mentions (self, old, what) && !part_mentions (self, part, what) && !went_elsewhere (self, part, what)
         && !left_loop (self, number, what);
}

int
ls_pass_log_remover (LsPassLog  *self,
                     const char *what)
{
  for (guint i = 0; i < self->parts->len; i++)
    if (ls_pass_log_part_removes (self, i, what))
      {
        LsPassPart *part = &g_array_index (self->parts, LsPassPart, i);

        return (int) (self->before_only ? g_array_index (self->parts, LsPassPart, part->before - 1).dump : part->dump);
      }
  return -1;
}

gboolean
ls_pass_log_tells (LsPassLog *self,
                   guint      dump)
{
  LsPassDump *at = &g_array_index (self->dumps, LsPassDump, dump);

  if (at->effective || (at->kind != LS_PASS_DUMP_AFTER && at->kind != LS_PASS_DUMP_BEFORE))
    return TRUE;
  for (guint i = at->first; i < at->first + at->n; i++)
    {
      LsPassPart *part = &g_array_index (self->parts, LsPassPart, i);

      if (part->patch || (self->before_only ? part->after : part->before) > 0)
        return TRUE;
    }
  return FALSE;
}

int
ls_pass_log_part_at (LsPassLog  *self,
                     const char *name,
                     guint       dump)
{
  for (guint i = self->parts->len; i-- > 0;)
    {
      LsPassPart *part = &g_array_index (self->parts, LsPassPart, i);

      if (part->dump <= dump && strcmp (part->name, name) == 0)
        return (int) i;
    }
  return -1;
}

GArray *
ls_pass_log_unprinted (LsPassLog *self,
                       guint      dump)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (guint));
  LsPassDump *at = &g_array_index (self->dumps, LsPassDump, dump);

  for (guint i = at->first; i < at->first + at->n; i++)
    {
      LsPassPart *part = &g_array_index (self->parts, LsPassPart, i);
      guint from = part->before > 0 ? g_array_index (self->parts, LsPassPart, part->before - 1).dump + 1 : dump;

      for (guint j = from; j < dump && g_array_index (self->parts, LsPassPart, part->before - 1).hash != part->hash; j++)
        {
          LsPassDump *other = &g_array_index (self->dumps, LsPassDump, j);
          const char *in = strstr (other->unit, " in function ");

          if (in != NULL && (other->effective || !ls_pass_log_tells (self, j)) && strcmp (in + strlen (" in function "), part->name) == 0)
            g_array_append_val (found, j);
        }
    }
  return found;
}
