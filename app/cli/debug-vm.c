/* debug-vm: see the header.
 *
 * Without commands every instruction with what it did, and the blocks of memory at the end.
 */
#include "app/cli/debug-vm.h"

#include "app/cli/debug-talk.h"
#include "app/cli/input.h"
#include "app/cli/remote.h"

#include <string.h>
#include <unistd.h>

#define TIMEOUT_MS 600000

/* ---- what is printed ---------------------------------------------------------------------------- */

static void
print_register (GVariant *one)
{
  gint64 block = ls_params_int (one, "block", -1);

  printf ("  %s r%-4" G_GINT64_FORMAT " %-14s %-22s", ls_params_bool (one, "changed", FALSE) ? "*" : " ", ls_params_int (one, "register", 0), ls_params_string (one, "name", "?"),
          ls_params_string (one, "words", "?"));
  if (block >= 0)
    printf (" block %" G_GINT64_FORMAT ", byte %" G_GINT64_FORMAT "%s%s%s", block, ls_params_int (one, "offset", 0), ls_params_string (one, "before", NULL) != NULL ? ", before it " : "",
            ls_params_string (one, "before", ""), ls_params_bool (one, "written", TRUE) ? "" : ", not written yet");
  printf ("\n");
}

static void
print_look (GVariant *answer)
{
  g_autoptr (GVariant) registers = ls_params_value (answer, "registers");
  g_autoptr (GVariant) extents = ls_params_value (answer, "extents");

  if (ls_params_string (answer, "stopped-for", NULL) != NULL)
    printf ("breakpoint %s\n", ls_params_string (answer, "stopped-for", ""));
  printf ("%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT ", %s\n", ls_params_int (answer, "position", 0), ls_params_int (answer, "of", 0), ls_params_string (answer, "function", "?"));
  if (ls_params_string (answer, "last", NULL) != NULL)
    printf ("  did   %s\n        %s\n", ls_params_string (answer, "last", ""), ls_params_string (answer, "did", ""));
  if (ls_params_string (answer, "next", NULL) != NULL)
    printf ("  next  %" G_GINT64_FORMAT "  %s\n", ls_params_int (answer, "number", 0), ls_params_string (answer, "next", ""));
  else
    printf ("  end   %s\n", ls_params_string (answer, "end", ""));
  for (gsize i = 0; extents != NULL && i < g_variant_n_children (extents); i++)
    {
      gint64 value;

      g_variant_get_child (extents, i, "x", &value);
      printf ("%ss%" G_GSIZE_FORMAT " = %" G_GINT64_FORMAT, i == 0 ? "    " : ", ", i, value);
    }
  if (extents != NULL && g_variant_n_children (extents) > 0)
    printf ("\n");
  for (gsize i = 0; registers != NULL && i < g_variant_n_children (registers); i++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (registers, i);

      print_register (one);
    }
}

static void
print_storages (GVariant *list)
{
  for (gsize i = 0; i < g_variant_n_children (list); i++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (list, i);
      g_auto (GStrv) holds = ls_params_strv (one, "holds"), held = ls_params_strv (one, "held");
      g_autofree char *now = g_strjoinv ("; ", holds), *past = g_strjoinv ("; ", held);

      printf ("block %-3" G_GINT64_FORMAT " %10s  %s%s%s\n", ls_params_int (one, "block", 0), ls_params_string (one, "size", ""), *now != '\0' ? now : "free", *past != '\0' ? "; before: " : "",
              past);
    }
}

static void
print_history (GVariant *list)
{
  for (gsize i = 0; i < g_variant_n_children (list); i++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (list, i);

      printf ("  %6" G_GINT64_FORMAT "  %-14s %-22s byte %" G_GINT64_FORMAT "%s\n", ls_params_int (one, "born", 0), ls_params_string (one, "name", "?"), ls_params_string (one, "words", "?"),
              ls_params_int (one, "offset", 0), ls_params_bool (one, "storage", FALSE) ? ", the storage itself" : "");
    }
}

static void
print_list (GVariant *list)
{
  for (gsize i = 0; i < g_variant_n_children (list); i++)
    {
      guint number, depth;
      const char *text;

      g_variant_get_child (list, i, "(uu&s)", &number, &depth, &text);
      printf ("%6" G_GSIZE_FORMAT "  %*s%3u  %s\n", i, (int) (2 * (depth - 1)), "", number, text);
    }
}

static void
print_answer (GVariant *answer)
{
  g_autoptr (GVariant) stops = ls_params_value (answer, "stops");
  g_autoptr (GVariant) storages = ls_params_value (answer, "storages");
  g_autoptr (GVariant) history = ls_params_value (answer, "history");
  g_autoptr (GVariant) list = ls_params_value (answer, "list");

  if (ls_params_int (answer, "position", -1) >= 0)
    print_look (answer);
  else if (ls_params_string (answer, "listing", NULL) != NULL)
    ls_cli_put_text (ls_params_string (answer, "listing", ""));
  else if (storages != NULL)
    print_storages (storages);
  else if (history != NULL)
    print_history (history);
  else if (list != NULL)
    print_list (list);
  else if (ls_params_string (answer, "buffer", NULL) != NULL)
    ls_cli_debug_print_grid (answer);
  for (gsize i = 0; stops != NULL && i < g_variant_n_children (stops); i++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (stops, i);

      printf ("%" G_GINT64_FORMAT "  %s\n", ls_params_int (one, "stop", 0), ls_params_string (one, "words", ""));
    }
}

/* ---- asking ---------------------------------------------------------------------------------------- */

static GVariant *
ask (LsWorker      *worker,
     GVariantDict  *params,
     GError       **error)
{
  LsWorkerOptions options = { .timeout_ms = TIMEOUT_MS };
  g_autofree char *out = NULL;
  g_autofree char *err = NULL;
  GVariant *answer = ls_worker_call (worker, "debug-vm", g_variant_dict_end (params), &options, NULL, &out, &err, error);

  if (out != NULL && *out != '\0')
    fputs (out, stderr);
  if (answer == NULL && err != NULL)
    fputs (err, stderr);
  return answer;
}

static GVariant *
begin (const LsCliDebugVM *request,
       LsWorker           *worker,
       GError            **error)
{
  g_autoptr (LsModule) module = ls_cli_read_module (request->command, request->file);
  g_autofree char *text = module != NULL ? ls_cli_module_text (module) : NULL;
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  GVariantDict params;

  if (module == NULL)
    return NULL;
  for (guint i = 0; request->inputs[i] != NULL; i++)
    {
      g_ptr_array_add (paths, g_canonicalize_filename (request->inputs[i], NULL));
      ls_worker_add_path (worker, paths->pdata[i], FALSE);
    }
  g_ptr_array_add (paths, NULL);
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", text);
  if (request->func != NULL)
    g_variant_dict_insert (&params, "func", "s", request->func);
  g_variant_dict_insert (&params, "seed", "x", request->seed);
  g_variant_dict_insert (&params, "plan", "b", request->plan);
  g_variant_dict_insert_value (&params, "set", g_variant_new_strv (request->set, -1));
  g_variant_dict_insert_value (&params, "passes", g_variant_new_strv (request->passes, -1));
  g_variant_dict_insert_value (&params, "inputs", g_variant_new_strv ((const char *const *) paths->pdata, -1));
  return ask (worker, &params, error);
}

/* An answer, or NULL with an error. (transfer full) */
static GVariant *
say (LsWorker    *worker,
     const char  *line,
     GError     **error)
{
  GVariantDict params;

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "command", "s", line);
  return ask (worker, &params, error);
}

/* ---- talking ----------------------------------------------------------------------------------------- */

static int
tell_all (LsWorker *worker,
          GVariant *first,
          gboolean  json)
{
  gint64 n = ls_params_int (first, "of", 0);
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) storages = NULL, rows = NULL;
  GVariantBuilder list;
  gboolean ok = TRUE;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  for (gint64 i = 0; ok && i < n; i++)
    {
      g_autoptr (GVariant) answer = say (worker, "step", &error);

      ok = answer != NULL;
      if (ok && json)
        g_variant_builder_add_value (&list, answer);
      else if (ok)
        printf ("%5" G_GINT64_FORMAT "  %s\n       %s\n", i, ls_params_string (answer, "last", ""), ls_params_string (answer, "did", ""));
    }
  storages = ok ? say (worker, "storages", &error) : NULL;
  rows = storages != NULL ? ls_params_value (storages, "storages") : NULL;
  if (rows != NULL && json)
    {
      GVariantDict dict;
      g_autoptr (GVariant) all = NULL;

      g_variant_dict_init (&dict, NULL);
      g_variant_dict_insert_value (&dict, "steps", g_variant_builder_end (&list));
      g_variant_dict_insert_value (&dict, "storages", rows);
      all = g_variant_ref_sink (g_variant_dict_end (&dict));
      ls_cli_print_json (all);
      return LS_CLI_DONE;
    }
  g_variant_builder_clear (&list);
  if (rows == NULL)
    return ls_cli_fail ("debug", "%s", error->message);
  print_storages (rows);
  return LS_CLI_DONE;
}

static gboolean
answer_line (gpointer         worker,
             const char      *line,
             GVariantBuilder *answers)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = say (worker, line, &error);

  if (answer == NULL)
    fprintf (stderr, "%s\n", error->message);
  else if (answers != NULL)
    g_variant_builder_add_value (answers, answer);
  else
    print_answer (answer);
  return answer != NULL;
}

int
ls_cli_debug_vm (const LsCliDebugVM *request)
{
  g_autoptr (LsWorker) worker = ls_worker_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) first = begin (request, worker, &error);
  FILE *from = request->batch != NULL ? fopen (request->batch, "r") : stdin;
  gboolean prompt = request->batch == NULL && isatty (0) && !request->json, ok;

  if (from == NULL)
    return ls_cli_fail (request->command, "%s cannot be read", request->batch);
  if (first == NULL)
    return error != NULL ? ls_cli_fail (request->command, "%s", error->message) : LS_CLI_FAILED;
  if (request->batch == NULL && !prompt)
    return tell_all (worker, first, request->json);
  if (prompt)
    print_answer (first);
  ok = ls_cli_debug_lines (from, prompt ? "(loopscope, vm) " : NULL, request->json, answer_line, worker);
  if (from != stdin)
    fclose (from);
  return ok || request->batch == NULL ? LS_CLI_DONE : LS_CLI_FAILED;
}
