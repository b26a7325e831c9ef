/* passes-dump: a dump as a line of a list. */
#include "app/cli/passes-list.h"

#include <string.h>

const char *const ls_cli_passes_dumps[] = { "after", "before", "start", "unchanged", "filtered", "deleted" };

void
ls_cli_passes_print_dump (LsPassLog    *log,
                          guint         number,
                          LsPassCounts *counts,
                          guint         runs)
{
  LsPassDump *dump = &g_array_index (log->dumps, LsPassDump, number);
  const char *unit = *dump->unit == '\0' && dump->n == 1 ? g_array_index (log->parts, LsPassPart, dump->first).name : dump->unit;
  g_autofree char *name = runs > 1 ? g_strdup_printf ("%s (%u times)", dump->pass, runs) : g_strdup (dump->pass);

  printf ("%5u  %-44s %-24s", number + 1, name, unit);
  if (dump->effective && counts == NULL)
    fputs (" changed", stdout);
  else if (dump->effective && counts->added + counts->duplicated + counts->removed + counts->rewritten + counts->moved == 0)
    fputs (" only names, attributes or metadata", stdout);
  else if (dump->effective)
    printf (" +%u -%u ~%u moved %u", counts->added + counts->duplicated, counts->removed, counts->rewritten, counts->moved);
  else if (!ls_pass_log_tells (log, number))
    printf (" %s", dump->n == 0 ? "no function" : "nothing to compare with");
  else
    printf (" %s", dump->kind == LS_PASS_DUMP_AFTER ? "no effect" : ls_cli_passes_dumps[dump->kind]);
  if (dump->seconds >= 0)
    printf ("  %.4f s", dump->seconds);
  fputs ("\n", stdout);
}
