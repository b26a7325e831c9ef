/* text: the texts of a log. */
#include "engine/passlog/private.h"

const char *
ls_pass_log_text (LsPassLog *self,
                  guint      file,
                  gsize     *size)
{
  const char *text = g_bytes_get_data (self->files->pdata[file], size);

  return text != NULL ? text : "";
}

gsize
ls_pass_log_size (LsPassLog *self)
{
  gsize size = 0;

  for (guint i = 0; i < self->files->len; i++)
    size += g_bytes_get_size (self->files->pdata[i]);
  return size;
}

char *
ls_pass_log_dump_text (LsPassLog *self,
                       guint      dump)
{
  LsPassDump *at = &g_array_index (self->dumps, LsPassDump, dump);

  return g_strndup (ls_pass_log_text (self, at->file, NULL) + at->start, at->end - at->start);
}

char *
ls_pass_log_part_text (LsPassLog *self,
                       guint      part)
{
  LsPassPart *at = &g_array_index (self->parts, LsPassPart, part);
  const char *text = ls_pass_log_text (self, g_array_index (self->dumps, LsPassDump, at->dump).file, NULL) + at->start;

  return at->patch ? ls_pass_patch_side (text, at->end - at->start, TRUE) : g_strndup (text, at->end - at->start);
}
