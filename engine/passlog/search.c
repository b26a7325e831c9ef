/* search: which dumps mention a text, or which pass removed it, asked while the log is still read. */
#include "engine/passlog/private.h"

#include <string.h>

void
ls_pass_search_init (LsPassSearch *self,
                     const char   *what,
                     gboolean      remover)
{
  *self = (LsPassSearch) { .what = g_strdup (what), .remover = remover, .first = -1, .found = g_array_new (FALSE, FALSE, sizeof (guint)) };
}

void
ls_pass_search_clear (LsPassSearch *self)
{
  g_clear_pointer (&self->what, g_free);
  g_clear_pointer (&self->found, g_array_unref);
}

static void
note (LsPassSearch *self,
      guint         dump)
{
  self->first = self->first < 0 ? (int) dump : self->first;
  self->hits++;
  g_array_append_val (self->found, dump);
}

static void
look (LsPassSearch *self,
      const char   *text,
      gsize         size)
{
  if (memmem (text, size, self->what, strlen (self->what)) != NULL)
    note (self, self->next);
  self->next++;
}

void
ls_pass_search_log (LsPassSearch *self,
                    LsPassLog    *log,
                    guint         n)
{
  if (self->remover)
    {
      for (; self->first < 0 && self->next_part < log->parts->len && g_array_index (log->parts, LsPassPart, self->next_part).dump < n; self->next_part++)
        if (ls_pass_log_part_removes (log, self->next_part, self->what))
          note (self, g_array_index (log->parts, LsPassPart, self->next_part).dump);
      self->next = n;
      return;
    }
  while (self->next < n)
    {
      LsPassDump *dump = &g_array_index (log->dumps, LsPassDump, self->next);

      look (self, ls_pass_log_text (log, dump->file, NULL) + dump->start, MAX (dump->end, dump->start) - dump->start);
    }
}

void
ls_pass_search_text (LsPassSearch *self,
                     const char   *text,
                     gsize         base,
                     const gsize  *heads,
                     guint         n)
{
  while (!self->remover && self->next + 1 < n)
    {
      const char *start = text + (heads[self->next] - base), *end = text + (heads[self->next + 1] - base), *line = memchr (start, '\n', (gsize) (end - start));

      start = line != NULL ? line + 1 : end;
      look (self, start, (gsize) (end - start));
    }
}
