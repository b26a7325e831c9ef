/* build, vm: a module of Relax as an executable, and its functions on data.  The worker does both. */
#include "app/cli/input.h"
#include "app/cli/remote.h"

#include <stdio.h>
#include <string.h>

/* ---- build ------------------------------------------------------------------- */

typedef struct {
  const char *file, *out, *target;
  gint64      timeout;
  gboolean    as_is, code, json;
} BuildRequest;

static int
build (BuildRequest *request,
       const char   *command)
{
  g_autoptr (LsModule) module = ls_cli_read_module (command, request->file);
  g_autofree char *text = module != NULL ? ls_cli_module_text (module) : NULL;
  g_autofree char *path = g_canonicalize_filename (request->out, NULL);
  g_autofree char *folder = g_path_get_dirname (path);
  const char *writable[] = { folder, NULL };
  g_autoptr (GVariant) answer = NULL;
  g_autoptr (GVariant) functions = NULL;
  g_autofree char *duration = NULL, *size = NULL;
  GVariantDict params;

  if (module == NULL)
    return LS_CLI_FAILED;
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", text);
  g_variant_dict_insert (&params, "out", "s", path);
  g_variant_dict_insert (&params, "as-is", "b", request->as_is);
  if (request->target != NULL)
    g_variant_dict_insert (&params, "target", "s", request->target);
  answer = ls_cli_ask (command, "build", &params, (double) request->timeout, NULL, writable);
  if (answer == NULL)
    return LS_CLI_FAILED;
  if (request->json)
    {
      ls_cli_print_json (answer);
      return LS_CLI_DONE;
    }
  if (request->code)
    printf ("%s\n", ls_params_string (answer, "code", ""));
  functions = ls_params_value (answer, "functions");
  for (gsize i = 0; functions != NULL && i < g_variant_n_children (functions); i++)
    {
      g_autoptr (GVariant) line = g_variant_get_child_value (functions, i);

      printf ("%s\n", g_variant_get_string (line, NULL));
    }
  duration = ls_cli_duration (ls_cli_number (answer, "build-ns"));
  size = g_format_size_full ((guint64) ls_cli_number (answer, "bytes"), G_FORMAT_SIZE_IEC_UNITS);
  printf ("%s: %s, built in %s\n", request->out, size, duration);
  return LS_CLI_DONE;
}

int
ls_cli_build (int    argc,
              char **argv)
{
  BuildRequest request = { .timeout = 300 };
  const LsCliOption options[] = {
    { "--json", LS_CLI_FLAG, &request.json },
    { "--as-is", LS_CLI_FLAG, &request.as_is },
    { "--code", LS_CLI_FLAG, &request.code },
    { "-o", LS_CLI_TEXT, &request.out },
    { "--target", LS_CLI_TEXT, &request.target },
    { "--timeout", LS_CLI_NUMBER, &request.timeout },
    { NULL },
  };
  int status = ls_cli_args_read (argc, argv, options, &request.file);

  if (status != LS_CLI_DONE)
    return status;
  if (request.file == NULL || request.out == NULL)
    return ls_cli_usage (argv[0], "a file and -o OUT.lsx are expected");
  return build (&request, argv[0]);
}

/* ---- vm ------------------------------------------------------------------------ */

typedef struct {
  const char *file, *func, *out;
  gint64      timeout, repeat;
  GPtrArray  *inputs, *libraries;       /* as given */
  gboolean    profile, full, json;
} VmRequest;

static void
print_results (GVariant *answer)
{
  g_autoptr (GVariant) results = ls_params_value (answer, "results");

  for (gsize i = 0; results != NULL && i < g_variant_n_children (results); i++)
    {
      g_autoptr (GVariant) row = g_variant_get_child_value (results, i);
      const char *path = ls_params_string (row, "path", NULL);

      printf ("%s: %s\n", ls_params_string (row, "place", "?"), ls_params_string (row, "type", "?"));
      if (path != NULL)
        printf ("  written to %s\n", path);
      if (ls_params_string (row, "text", NULL) != NULL)
        printf ("%s\n", ls_params_string (row, "text", ""));
    }
}

#define BAR 16

/* A bar of eighths of a column. */
static char *
share_bar (double share)
{
  static const char *const EIGHTHS[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
  GString *out = g_string_new (NULL);
  guint eighths = (guint) (CLAMP (share, 0, 1) * BAR * 8 + 0.5), columns = eighths / 8;

  for (guint i = 0; i < columns; i++)
    g_string_append (out, "█");
  g_string_append (out, EIGHTHS[eighths % 8]);
  columns += eighths % 8 != 0;
  for (; columns < BAR; columns++)
    g_string_append_c (out, ' ');
  return g_string_free (out, FALSE);
}

static void
print_profile_row (GVariant *row,
                   double    total,
                   int       width)
{
  double ns = ls_cli_number (row, "ns"), calls = ls_cli_number (row, "calls"), bytes = ls_cli_number (row, "bytes"), flop = ls_cli_number (row, "flop");
  g_autofree char *time = ls_cli_duration (ns), *one = ls_cli_duration (calls > 0 ? ns / calls : 0), *bar = share_bar (total > 0 ? ns / total : 0);
  g_autofree char *size = g_format_size_full ((guint64) bytes, G_FORMAT_SIZE_IEC_UNITS), *work = flop > 0 ? g_strdup_printf ("%.3g", flop) : g_strdup ("-");
  g_autofree char *rate = flop > 0 && ns > 0 ? g_strdup_printf ("%.2f", flop / ns) : g_strdup ("-"), *band = ns > 0 ? g_strdup_printf ("%.2f", bytes / ns) : g_strdup ("-");

  printf ("%-*s %6.0f %10s %10s %5.1f%% %s %11s %7s %9s %9s\n", width, ls_params_string (row, "name", "?"), calls, time, one, total > 0 ? 100 * ns / total : 0, bar, size, band, work, rate);
}

static void
print_profile (GVariant *answer)
{
  g_autoptr (GVariant) rows = ls_params_value (answer, "profile");
  double total = 0;
  int width = 8;

  if (rows == NULL)
    return;
  for (gsize i = 0; i < g_variant_n_children (rows); i++)
    {
      g_autoptr (GVariant) row = g_variant_get_child_value (rows, i);

      total += ls_cli_number (row, "ns");
      width = MAX (width, (int) strlen (ls_params_string (row, "name", "?")));
    }
  printf ("\n%-*s %6s %10s %10s %6s %-*s %11s %7s %9s %9s\n", width, "function", "calls", "time", "one call", "share", BAR, "", "bytes", "GB/s", "FLOP", "GFLOP/s");
  for (gsize i = 0; i < g_variant_n_children (rows); i++)
    {
      g_autoptr (GVariant) row = g_variant_get_child_value (rows, i);

      print_profile_row (row, total, width);
    }
}

/* Files by their full paths (into `paths` too), numbers and shapes as they are. */
static GVariant *
full_paths (GPtrArray *texts,
            gboolean   values,
            GPtrArray *paths)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("as"));
  for (guint i = 0; i < texts->len; i++)
    {
      const char *text = texts->pdata[i];
      char *end;

      g_ascii_strtod (text, &end);
      if (values && (*text == '(' || (*text != 0 && *end == 0)))
        {
          g_variant_builder_add (&list, "s", text);
          continue;
        }
      g_ptr_array_add (paths, g_canonicalize_filename (text, NULL));
      g_variant_builder_add (&list, "s", paths->pdata[paths->len - 1]);
    }
  return g_variant_builder_end (&list);
}

static int
run (VmRequest  *request,
     const char *command)
{
  g_autofree char *path = g_canonicalize_filename (request->file, NULL);
  g_autofree char *folder = request->out != NULL ? g_canonicalize_filename (request->out, NULL) : NULL;
  g_autoptr (GPtrArray) readable = g_ptr_array_new_with_free_func (g_free);
  const char *writable[] = { folder, NULL };
  g_autoptr (GVariant) answer = NULL;
  g_autofree char *duration = NULL;
  GVariantDict params;

  if (folder != NULL && g_mkdir_with_parents (folder, 0777) != 0)
    return ls_cli_fail (command, "the folder %s cannot be made", folder);
  g_ptr_array_add (readable, g_strdup (path));
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "executable", "s", path);
  if (request->func != NULL)
    g_variant_dict_insert (&params, "func", "s", request->func);
  if (folder != NULL)
    g_variant_dict_insert (&params, "out", "s", folder);
  g_variant_dict_insert (&params, "profile", "b", request->profile);
  g_variant_dict_insert (&params, "repeat", "x", request->repeat);
  g_variant_dict_insert (&params, "edge", "x", request->full ? (gint64) 0 : (gint64) 3);
  g_variant_dict_insert_value (&params, "inputs", full_paths (request->inputs, TRUE, readable));
  g_variant_dict_insert_value (&params, "libraries", full_paths (request->libraries, FALSE, readable));
  g_ptr_array_add (readable, NULL);
  answer = ls_cli_ask (command, "vm", &params, (double) request->timeout, (const char *const *) readable->pdata, writable);
  if (answer == NULL)
    return LS_CLI_FAILED;
  if (request->json)
    {
      ls_cli_print_json (answer);
      return LS_CLI_DONE;
    }
  print_results (answer);
  print_profile (answer);
  duration = ls_cli_duration (ls_cli_number (answer, "run-ns"));
  printf ("%s: %s took %s\n", ls_params_string (answer, "function", ""), request->repeat > 1 ? "the fastest run" : "one run", duration);
  return LS_CLI_DONE;
}

int
ls_cli_vm (int    argc,
           char **argv)
{
  g_autoptr (GPtrArray) inputs = g_ptr_array_new ();
  g_autoptr (GPtrArray) libraries = g_ptr_array_new ();
  VmRequest request = { .timeout = 60, .repeat = 1, .inputs = inputs, .libraries = libraries };
  const LsCliOption options[] = {
    { "--json", LS_CLI_FLAG, &request.json },
    { "--profile", LS_CLI_FLAG, &request.profile },
    { "--full", LS_CLI_FLAG, &request.full },
    { "--func", LS_CLI_TEXT, &request.func },
    { "--out", LS_CLI_TEXT, &request.out },
    { "--repeat", LS_CLI_NUMBER, &request.repeat },
    { "--timeout", LS_CLI_NUMBER, &request.timeout },
    { "--in", LS_CLI_LIST, inputs },
    { "--lib", LS_CLI_LIST, libraries },
    { NULL },
  };
  int status = ls_cli_args_read (argc, argv, options, &request.file);

  if (status != LS_CLI_DONE)
    return status;
  return request.file != NULL ? run (&request, argv[0]) : ls_cli_usage (argv[0], "an executable made by build is expected");
}
