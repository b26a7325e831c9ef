/* stages: a log made of texts that one has, for passes of our own. */
#include "engine/passlog/private.h"

#include <string.h>

LsPassLog *
ls_pass_log_from_stages (const LsPassStage *stages,
                         guint              n,
                         GError           **error)
{
  LsPassLog *self = ls_pass_log_new ();
  g_autoptr (GBytes) last = g_bytes_new_static ("", 0);

  for (guint i = 0; i < n; i++)
    {
      LsPassDump *dump;

      if (stages[i].text != NULL)
        {
          g_bytes_unref (last);
          last = g_bytes_new (stages[i].text, strlen (stages[i].text));
        }
      if (stages[i].start)              /* another language: nothing in it is what was before */
        ls_pass_log_forget (self);
      self->kind = stages[i].language;
      ls_pass_log_take (self, last, "", stages[i].pass, "");
      dump = &g_array_index (self->dumps, LsPassDump, self->dumps->len - 1);
      if (stages[i].start)
        {
          dump->kind = LS_PASS_DUMP_START;
          dump->effective = FALSE;
        }
    }
  self->kind = n > 0 ? stages[0].language : LS_PASS_LOG_TEXT;
  self = ls_pass_log_finish (self, error);
  for (guint i = 0; self != NULL && i < n; i++)
    g_array_index (self->dumps, LsPassDump, i).seconds = stages[i].seconds;
  return self;
}
