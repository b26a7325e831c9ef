/* kind: which compiler wrote a text, and how it announces a dump. */
#include "engine/passlog/private.h"

#include <string.h>

G_DEFINE_QUARK (ls-pass-log-error-quark, ls_pass_log_error)

static const char *const NAMES[] = { "auto", "llvm", "mlir", "tvm", "gcc", "xla", "ptx", "text" };

const char *
ls_pass_log_kind_name (LsPassLogKind kind)
{
  return NAMES[kind];
}

gboolean
ls_pass_log_kind_parse (const char    *name,
                        LsPassLogKind *kind)
{
  for (guint i = 0; i < G_N_ELEMENTS (NAMES); i++)
    if (strcmp (name, NAMES[i]) == 0)
      {
        *kind = (LsPassLogKind) i;
        return TRUE;
      }
  return FALSE;
}

/* What stands at *at, passed over. */
static gboolean
take (const char **at,
      const char  *end,
      const char  *word)
{
  gsize n = strlen (word);

  if ((gsize) (end - *at) < n || memcmp (*at, word, n) != 0)
    return FALSE;
  *at += n;
  return TRUE;
}

static const char *
find (const char *at,
      const char *end,
      const char *word)
{
  return at < end ? memmem (at, (gsize) (end - at), word, strlen (word)) : NULL;
}

static gboolean
read_llvm (const char *at,
           const char *end,
           LsPassHead *head)
{
  const char *stop, *on;

  if (!take (&at, end, "; "))
    take (&at, end, "# ");
  if (!take (&at, end, "*** IR "))
    return FALSE;
  if (take (&at, end, "Dump At Start"))
    {
      *head = (LsPassHead) { LS_PASS_DUMP_START, at - strlen ("At Start"), at, strlen ("At Start"), 0 };
      return TRUE;
    }
  if (take (&at, end, "Dump After ") || take (&at, end, "Pass "))
    head->kind = LS_PASS_DUMP_AFTER;
  else if (take (&at, end, "Dump Before "))
    head->kind = LS_PASS_DUMP_BEFORE;
  else if (take (&at, end, "Deleted After "))
    head->kind = LS_PASS_DUMP_DELETED;
  else
    return FALSE;
  stop = find (at, end, " ***");
  if (stop == NULL)
    return FALSE;
  if (find (at, stop, " omitted because no change") != NULL)
    {
      head->kind = LS_PASS_DUMP_UNCHANGED;
      stop = find (at, stop, " omitted because no change");
    }
  else if (find (at, stop, " filtered out") != NULL || find (at, stop, " ignored") != NULL)
    {
      head->kind = LS_PASS_DUMP_FILTERED;
      on = find (at, stop, " filtered out");
      stop = on != NULL ? on : find (at, stop, " ignored");
    }
  else if (find (at, stop, " (invalidated)") != NULL)
    {
      head->kind = LS_PASS_DUMP_DELETED;
      stop = find (at, stop, " (invalidated)");
    }
  on = find (at, stop, " on ");
  head->pass = at;
  head->pass_length = (gsize) ((on != NULL ? on : stop) - at);
  head->unit = on != NULL ? on + 4 : stop;
  head->unit_length = (gsize) (stop - head->unit);
  return TRUE;
}

static gboolean
read_mlir (const char *at,
           const char *end,
           LsPassHead *head)
{
  const char *stop, *op;

  if (!take (&at, end, "// -----// IR Dump "))
    return FALSE;
  if (take (&at, end, "After "))
    head->kind = LS_PASS_DUMP_AFTER;
  else if (take (&at, end, "Before "))
    head->kind = LS_PASS_DUMP_BEFORE;
  else
    return FALSE;
  stop = find (at, end, " //-----");
  if (stop == NULL)
    stop = end;
  op = find (at, stop, " ('");
  head->pass = at;
  head->pass_length = (gsize) ((op != NULL ? op : stop) - at);
  head->unit = op != NULL ? op + 2 : stop;
  head->unit_length = op != NULL && stop > op + 3 ? (gsize) (stop - 1 - head->unit) : 0;
  return TRUE;
}

static gboolean
read_tvm (const char *at,
          const char *end,
          LsPassHead *head)
{
  const char *name, *stop;

  if (take (&at, end, "After Running Pass:") || take (&at, end, "Print IR after: "))
    head->kind = LS_PASS_DUMP_AFTER;
  else if (take (&at, end, "Before Running Pass:") || take (&at, end, "Print IR before: "))
    head->kind = LS_PASS_DUMP_BEFORE;
  else if (take (&at, end, "# from tvm.script import "))
    {
      *head = (LsPassHead) { LS_PASS_DUMP_AFTER, "module", end, strlen ("module"), 0 };
      return TRUE;
    }
  else
    return FALSE;
  name = find (at, end, "pass name: ");
  at = name != NULL ? name + strlen ("pass name: ") : at;
  while (at < end && *at == ' ')
    at++;
  stop = memchr (at, ',', (gsize) (end - at));
  head->pass = at;
  head->pass_length = (gsize) ((stop != NULL ? stop : end) - at);
  head->unit = end;
  head->unit_length = 0;
  return TRUE;
}

static gboolean
read_xla (const char *at,
          const char *end,
          LsPassHead *head)
{
  const char *start = at;

  if (!take (&at, end, "HloModule "))
    return FALSE;
  while (at < end && *at != ',' && *at != ' ')
    at++;
  *head = (LsPassHead) { LS_PASS_DUMP_AFTER, start + strlen ("HloModule "), end, (gsize) (at - start) - strlen ("HloModule "), 0 };
  return TRUE;
}

gboolean
ls_pass_head_read (const char   *line,
                   gsize         length,
                   LsPassLogKind kind,
                   LsPassHead   *head)
{
  const char *end = line + length;

  switch (kind)
    {
    case LS_PASS_LOG_LLVM:
      return length > 8 && (line[0] == ';' || line[0] == '#' || line[0] == '*') && read_llvm (line, end, head);
    case LS_PASS_LOG_MLIR:
      return length > 8 && line[0] == '/' && read_mlir (line, end, head);
    case LS_PASS_LOG_TVM:
      return read_tvm (line, end, head);
    case LS_PASS_LOG_XLA:
      return read_xla (line, end, head);
    case LS_PASS_LOG_AUTO:
    case LS_PASS_LOG_GCC:
    case LS_PASS_LOG_PTX:
    case LS_PASS_LOG_TEXT:
      break;
    }
  return FALSE;
}

LsPassLogKind
ls_pass_kind_guess (const char *text,
                    gsize       size)
{
  static const LsPassLogKind WITH_HEADS[] = { LS_PASS_LOG_LLVM, LS_PASS_LOG_MLIR, LS_PASS_LOG_TVM, LS_PASS_LOG_XLA };
  const char *end = text + size;

  for (const char *at = text; at < end;)
    {
      const char *stop = memchr (at, '\n', (gsize) (end - at));
      gsize length = (gsize) ((stop != NULL ? stop : end) - at);
      LsPassHead head;

      for (guint i = 0; i < G_N_ELEMENTS (WITH_HEADS); i++)
        if (ls_pass_head_read (at, length, WITH_HEADS[i], &head))
          return WITH_HEADS[i];
      if (length > 12 && memcmp (at, ";; Function ", 12) == 0)
        return LS_PASS_LOG_GCC;
      if (length > 9 && memcmp (at, ".version ", 9) == 0 && g_ascii_isdigit (at[9]))
        return LS_PASS_LOG_PTX;
      at += length + 1;
    }
  return LS_PASS_LOG_AUTO;
}
