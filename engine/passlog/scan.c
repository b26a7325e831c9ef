/* scan: which dumps a log announces, while it is still written. */
#include "engine/passlog/private.h"

#include <string.h>

struct _LsPassScan
{
  LsPassLogKind kind;           /* AUTO: no head so far */
  GString      *rest;           /* a line without its end so far */
  guint         line;           /* its number, from 1 */
  gsize         at;             /* where it begins */
  GStringChunk *names;          /* of passes and units */
};

LsPassScan *
ls_pass_scan_new (LsPassLogKind kind)
{
  LsPassScan *self = g_new0 (LsPassScan, 1);

  self->kind = kind;
  self->rest = g_string_new (NULL);
  self->line = 1;
  self->names = g_string_chunk_new (1024);
  return self;
}

void
ls_pass_scan_free (LsPassScan *self)
{
  g_string_free (self->rest, TRUE);
  g_string_chunk_free (self->names);
  g_free (self);
}

/* Each name once, as UTF-8. */
static const char *
name_of (LsPassScan *self,
         const char *text,
         gsize       length)
{
  g_autofree char *copy = g_strndup (text, length), *valid = g_utf8_make_valid (copy, -1);

  return g_string_chunk_insert_const (self->names, valid);
}

static void
take_line (LsPassScan *self,
           const char *line,
           gsize       length,
           GArray     *dumps)
{
  LsPassHead head;

  if (self->kind == LS_PASS_LOG_AUTO)
    self->kind = ls_pass_kind_guess (line, length);
  if (ls_pass_head_read (line, length, self->kind, &head))
    {
      LsPassDump dump = { name_of (self, head.pass, head.pass_length), name_of (self, head.unit, head.unit_length), head.kind, self->kind, 0, self->line, self->at, 0, 0, 0, 0, 0, FALSE, -1 };

      g_array_append_val (dumps, dump);
    }
  self->line++;
  self->at += length + 1;
}

void
ls_pass_scan_feed (LsPassScan *self,
                   const char *text,
                   gsize       size,
                   GArray     *dumps)
{
  const char *end = text + size;

  while (text < end)
    {
      const char *stop = memchr (text, '\n', (gsize) (end - text));

      if (stop == NULL)
        {
          g_string_append_len (self->rest, text, end - text);
          return;
        }
      if (self->rest->len > 0)
        {
          g_string_append_len (self->rest, text, stop - text);
          take_line (self, self->rest->str, self->rest->len, dumps);
          g_string_truncate (self->rest, 0);
        }
      else
        take_line (self, text, (gsize) (stop - text), dumps);
      text = stop + 1;
    }
}
