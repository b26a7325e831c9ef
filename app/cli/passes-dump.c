/* passes-dump: a dump as a line of a list, and what stands between dumps. */
#include "app/cli/passes-list.h"

#include "engine/base/json.h"

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

int
ls_cli_passes_between (LsPassLog *log,
                       gboolean   json)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_array (builder);
  for (guint i = 0; i <= log->dumps->len; i++)
    {
      guint file;
      gsize start, end;
      g_autofree char *text = NULL, *valid = NULL;

      if (!ls_pass_log_between (log, i, &file, &start, &end))
        continue;
      text = g_strndup (ls_pass_log_text (log, file, NULL) + start, end - start);
      valid = g_utf8_make_valid (text, -1);
      if (!json && i < log->dumps->len)
        printf ("in front of %u %s:\n%s\n", i + 1, g_array_index (log->dumps, LsPassDump, i).pass, valid);
      else if (!json)
        printf ("behind the last dump:\n%s\n", valid);
      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "before");
      if (i < log->dumps->len)
        json_builder_add_int_value (builder, i + 1);
      else
        json_builder_add_null_value (builder);
      ls_json_put_text (builder, "text", valid);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  if (json)
    ls_cli_put_json (builder);
  return LS_CLI_DONE;
}
