/* foreign-log: a module through a pipeline of LLVM, and what each pass of it left, as LLVM itself prints it.
 *
 * The C API has no way to hear of passes.  LLVM's own options for printing do: while the pipeline runs they are on, and what goes to the errors of
 * the process goes into a file without a name.  Nothing else may run LLVM in the process meanwhile. */
#include "engine/codegen/foreign-private.h"

#include "engine/codegen/codegen-private.h"

#include <llvm-c/Support.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define HEAD "; *** IR Dump After "

/* All of them, or as they are everywhere else (init.c). */
static void
set_printing (gboolean on)
{
  static const char *const ON[] = { "loopscope", "-print-after-all=true", "-print-module-scope=true", "-time-passes=true", "-vectorize-slp=true" };
  static const char *const OFF[] = { "loopscope", "-print-after-all=false", "-print-module-scope=false", "-time-passes=false", "-vectorize-slp=false" };

  LLVMParseCommandLineOptions (G_N_ELEMENTS (ON), on ? ON : OFF, NULL);
}

/* All that is in the file. (transfer full); NULL: it cannot be read. */
static char *
take_file (int    file,
           gsize *size)
{
  off_t end = lseek (file, 0, SEEK_END);
  char *text = end >= 0 ? g_try_malloc ((gsize) end + 1) : NULL;
  gsize n = 0;

  for (ssize_t got = 1; text != NULL && n < (gsize) end && got > 0; n += (gsize) MAX (got, 0))
    got = pread (file, text + n, (gsize) end - n, (off_t) n);
  if (text != NULL)
    text[n] = '\0';
  *size = n;
  return text;
}

/* The pipeline, with what LLVM prints meanwhile in `file`. */
static gboolean
run_into (LsForeign  *self,
          const char *pipeline,
          int         file,
          GError    **error)
{
  int errors = dup (STDERR_FILENO);
  gboolean ran;

  if (errors < 0 || dup2 (file, STDERR_FILENO) < 0)
    {
      g_set_error_literal (error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_LLVM, ls_translate ("The errors of this process cannot be turned into a file."));
      if (errors >= 0)
        close (errors);
      return FALSE;
    }
  set_printing (TRUE);
  ran = ls_foreign_pass (self, pipeline, error);
  set_printing (FALSE);
  dup2 (errors, STDERR_FILENO);
  close (errors);
  return ran;
}

/* Where the next head begins, from `at` on; the end: there is none. */
static const char *
next_head (const char *at)
{
  const char *found = g_str_has_prefix (at, HEAD) ? at : strstr (at, "\n" HEAD);

  return found == NULL ? at + strlen (at) : found + (*found == '\n');
}

/* Texts that are as the one before become a line that says so. (transfer full) */
static char *
shorten (const char *start,
         const char *printed)
{
  GString *log = g_string_new ("; *** IR Dump At Start ***\n");
  const char *last = start, *at = next_head (printed);
  gsize last_size = strlen (start);

  g_string_append (log, start);
  while (*at != '\0')
    {
      const char *text = strchr (at, '\n'), *stop, *report;

      if (text == NULL)
        break;
      text++;
      stop = g_str_has_prefix (text, HEAD) ? text : next_head (text);
      report = g_strstr_len (text, stop - text, "\n===---");          /* what the times are stands behind the last one */
      report = report != NULL ? report + 1 : stop;
      if ((gsize) (report - text) == last_size && memcmp (text, last, last_size) == 0)
        {
          const char *name = at + strlen (HEAD), *end = g_strstr_len (name, text - name, " ***");

          g_string_append_printf (log, "; *** IR Pass %.*s omitted because no change ***\n", (int) ((end != NULL ? end : text - 1) - name), name);
        }
      else
        g_string_append_len (log, at, report - at);
      g_string_append_len (log, report, stop - report);
      last = text;
      last_size = (gsize) (report - text);
      at = stop;
    }
  return g_string_free (log, FALSE);
}

char *
ls_foreign_log (LsForeign  *self,
                const char *pipeline,
                gsize       most,
                GError    **error)
{
  g_autofree char *start = ls_foreign_print (self), *printed = NULL;
  char *log = NULL;
  gsize size = 0;
  int file = memfd_create ("passes", MFD_CLOEXEC);

  if (file < 0)
    {
      g_set_error_literal (error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_LLVM, ls_translate ("There is no room for what LLVM prints."));
      return NULL;
    }
  if (run_into (self, pipeline, file, error) && (printed = take_file (file, &size)) != NULL)
    log = shorten (start, printed);
  close (file);
  if (log == NULL || strlen (log) <= most)
    return log;
  g_set_error (error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_LLVM,
               ls_translate ("What the passes of %s leave of this module are %zu MiB of text; let opt -print-changed -print-module-scope write it into a file and open that."),
               pipeline, strlen (log) >> 20);
  g_free (log);
  return NULL;
}
