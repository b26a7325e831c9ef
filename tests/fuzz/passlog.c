/* fuzz target: any bytes are a log or an error; each dump of it can be counted, and nothing compared with itself differs. */
#include "tests/fuzz/fuzz.h"

#include "engine/passlog/passlog.h"

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);

  for (guint kind = LS_PASS_LOG_AUTO; kind <= LS_PASS_LOG_TEXT; kind++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LsPassLog) log = ls_pass_log_read (bytes, (LsPassLogKind) kind, &error);

      if (log == NULL && (error == NULL || !g_utf8_validate (error->message, -1, NULL)))
        g_error ("an error without a readable sentence");
      for (guint i = 0; log != NULL && i < log->dumps->len; i++)
        {
          LsPassDump *dump = &g_array_index (log->dumps, LsPassDump, i);
          g_autofree char *text = ls_pass_log_dump_text (log, i);
          LsPassCounts counts = { 0 };
          g_autoptr (GArray) changes = ls_pass_diff (text, text, dump->language, &counts);

          if (dump->start > dump->end || dump->end > size)
            g_error ("a dump outside the log");
          if (counts.added + counts.duplicated + counts.removed + counts.rewritten + counts.moved > 0)
            g_error ("a text differs from itself");
          ls_pass_log_count (log, i, &counts);
        }
    }
  return 0;
}
