/* jail: what of the jail holds on this machine, tried and not assumed: cells in it, and the worker's own sandbox within it. */
#include "app/cli/input.h"
#include "app/jail/jail.h"
#include "app/rpc/rpc.h"

#include "engine/base/json.h"

#include <stdio.h>
#include <string.h>

/* What loopscope-jail --attest says, in words. */
static const struct {
  const char *name;
  const char *words;
} MEANS[] = {
  { "namespaces", LS_TEXT ("namespaces of their own") },
  { "first", LS_TEXT ("what they started ends with them") },
  { "others", LS_TEXT ("other programs: signals, memory, environment") },
  { "home", LS_TEXT ("the files of your home") },
  { "secrets", LS_TEXT ("the system's secrets") },
  { "system", LS_TEXT ("writing outside their own folder") },
  { "network", LS_TEXT ("the network") },
  { "filter", LS_TEXT ("a filter of system calls") },
  { "no-new-privileges", LS_TEXT ("no new privileges") },
  { "scratch", LS_TEXT ("a folder of their own") },
  { "processes", LS_TEXT ("limit on processes") },
  { "group-memory", LS_TEXT ("limit on all memory together (cgroup)") },
};

static const char *
state_name (LsJailState state)
{
  switch (state)
    {
    case LS_JAIL_HOLDS:
      return "holds";
    case LS_JAIL_PARTLY:
      return "partly";
    case LS_JAIL_REFUSED:
      return "refused";
    case LS_JAIL_OFF:
      return "off";
    }
  return "";
}

/* The worker's own sentence about itself. (transfer full) */
static char *
ask_worker (void)
{
  g_autoptr (LsWorker) worker = ls_worker_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) status = ls_worker_call (worker, "sandbox", NULL, NULL, NULL, NULL, NULL, &error);

  return g_strdup (status != NULL ? ls_params_string (status, "statement", "") : error->message);
}

static void
print_line (const char *words,
            const char *value)
{
  printf ("  %s%*s %s\n", words, MAX (46 - ls_cli_columns (words), 0), "", value);
}

static void
put_json (const LsJailReport *report,
          const char         *worker)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  ls_json_put_text (builder, "state", state_name (report->state));
  if (report->why != NULL)
    ls_json_put_text (builder, "why", report->why);
  ls_json_begin_object (builder, "tried");
  for (guint i = 0; report->names[i] != NULL; i++)
    ls_json_put_text (builder, report->names[i], report->values[i]);
  json_builder_end_object (builder);
  ls_json_put_text (builder, "worker", worker);
  json_builder_end_object (builder);
  ls_cli_put_json (builder);
}

int
ls_cli_jail (int    argc,
             char **argv)
{
  const LsJailReport *report;
  const char *nothing = NULL;
  gboolean json = FALSE;
  const LsCliOption options[] = {
    { "--json", LS_CLI_FLAG, &json },
    { NULL },
  };
  int status = ls_cli_args_read (argc, argv, options, &nothing);
  g_autofree char *sentence = NULL, *worker = NULL;

  if (status != LS_CLI_DONE)
    return status;
  if (nothing != NULL)
    return ls_cli_usage (argv[0], "%s is not expected", nothing);
  report = ls_jail_probe ();
  sentence = ls_jail_report_sentence (report);
  worker = ask_worker ();
  if (json)
    put_json (report, worker);
  else
    {
      puts (sentence != NULL ? sentence : ls_translate ("The jail for cells holds: everything that must not work was tried and did not."));
      for (guint i = 0; i < G_N_ELEMENTS (MEANS); i++)
        if (*ls_jail_report_get (report, MEANS[i].name) != 0)
          print_line (ls_translate (MEANS[i].words), ls_jail_report_get (report, MEANS[i].name));
      print_line (ls_translate ("the worker"), worker);
    }
  return report->state == LS_JAIL_HOLDS ? LS_CLI_DONE : LS_CLI_REFUSED;
}
