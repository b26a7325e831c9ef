/* source: a function as text of C11, CUDA C or OpenCL C, or its kernels as PTX, AMD's assembly or LLVM's code.
 *
 *   --target c (the default), cuda, nvidia/nvidia-a100, opencl, rocm
 *   --format numpy      the program as it stands, with its loops, as low-level NumPy; a Relax function as calls of NumPy
 *   --format ptx, amdgcn, llvm  made by LLVM in the worker; without --target for cuda (amdgcn: rocm)
 *   --lines             before each line the line of TVMScript that it comes from
 *   --func F, --steps FILE, --json */
#include "app/cli/input.h"
#include "app/cli/remote.h"
#include "engine/base/json.h"
#include "engine/codegen/reading/reading.h"
#include "engine/script/script.h"

#include <stdio.h>
#include <string.h>

typedef struct {
  const char *file, *func, *steps, *target, *format;
  gboolean    lines, json;
} Request;

/* The module as it is printed, read again: the lines that are told are those of this text. */
static LsModule *
printed (LsModule  *module,
         LsSource **source)
{
  g_autofree char *text = ls_cli_module_text (module);

  *source = ls_source_new ("module", text, -1);
  return ls_script_parse (*source, NULL);
}

static void
print_lines (LsDeviceText *text)
{
  g_auto (GStrv) lines = g_strsplit (text->text, "\n", -1);

  for (guint i = 0; lines[i] != NULL && i < text->lines->len; i++)
    {
      guint line = g_array_index (text->lines, guint, i);
      g_autofree char *number = line > 0 ? g_strdup_printf ("%u", line) : g_strdup ("");

      printf ("%5s | %s\n", number, lines[i]);
    }
}

static void
print_json (LsDeviceText *text,
            LsSource     *source)
{
  static const char *const LANGUAGES[] = { "c", "cuda", "opencl", "numpy" };
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  ls_json_put_text (builder, "language", LANGUAGES[text->language]);
  ls_json_put_text (builder, "source", text->text);
  ls_json_put_text (builder, "module", ls_source_get_text (source, NULL));
  ls_json_begin_array (builder, "functions");
  for (guint i = 0; text->functions[i] != NULL; i++)
    json_builder_add_string_value (builder, text->functions[i]);
  json_builder_end_array (builder);
  ls_json_begin_array (builder, "lines");
  for (guint i = 0; i < text->lines->len; i++)
    json_builder_add_int_value (builder, g_array_index (text->lines, guint, i));
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  ls_cli_put_json (builder);
}

/* ---- through LLVM ---------------------------------------------------------------------------- */

#define TIMEOUT 120.0

/* NULL: they go together. */
static const char *
mismatch (const char *format,
          const char *target)
{
  gboolean device = ls_device_target_is (target), amd = device && g_str_has_prefix (target, "rocm");

  if (strcmp (format, "ptx") != 0 && strcmp (format, "amdgcn") != 0 && strcmp (format, "llvm") != 0)
    return "--format is numpy, ptx, amdgcn or llvm";
  if (!device)
    return "--format is of kernels; the target is cuda (or a tag such as nvidia/nvidia-a100), nvptx or rocm";
  if (strcmp (format, "ptx") == 0 && amd)
    return "PTX is for NVIDIA's GPUs; for the target rocm the format is amdgcn";
  if (strcmp (format, "amdgcn") == 0 && !amd)
    return "amdgcn is for the target rocm; for NVIDIA's GPUs the format is ptx";
  return NULL;
}

static int
run_assembly (Request    *request,
              const char *command,
              LsSource   *source)
{
  const char *target = request->target != NULL ? request->target : strcmp (request->format, "amdgcn") == 0 ? "rocm" : "cuda";
  const char *wrong = mismatch (request->format, target);
  g_autoptr (GVariant) answer = NULL;
  const char *text;
  GVariantDict params;

  if (wrong != NULL)
    return ls_cli_usage (command, "%s", wrong);
  if (request->lines)
    return ls_cli_usage (command, "--lines is for text in C, CUDA C, OpenCL C or NumPy, not for assembly");
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", ls_source_get_text (source, NULL));
  g_variant_dict_insert (&params, "target", "s", target);
  if (request->func != NULL)
    g_variant_dict_insert (&params, "func", "s", request->func);
  answer = ls_cli_ask (command, "kernels", &params, TIMEOUT, NULL, NULL);
  if (answer == NULL)
    return LS_CLI_FAILED;
  text = ls_params_string (answer, strcmp (request->format, "llvm") == 0 ? "llvm" : "assembly", "");
  if (request->json)
    {
      g_autoptr (GVariant) whole = NULL, functions = ls_params_value (answer, "functions");
      GVariantDict dict;

      g_variant_dict_init (&dict, NULL);
      g_variant_dict_insert (&dict, "language", "s", request->format);
      g_variant_dict_insert (&dict, "arch", "s", ls_params_string (answer, "arch", ""));
      g_variant_dict_insert (&dict, "source", "s", text);
      g_variant_dict_insert (&dict, "module", "s", ls_source_get_text (source, NULL));
      g_variant_dict_insert_value (&dict, "functions", functions);
      whole = g_variant_ref_sink (g_variant_dict_end (&dict));
      ls_cli_print_json (whole);
    }
  else
    fputs (text, stdout);
  return LS_CLI_DONE;
}

/* ---- the command -------------------------------------------------------------------------- */

static int
run (Request    *request,
     const char *command)
{
  g_autoptr (LsModule) scheduled = ls_cli_read_scheduled (command, request->file, request->steps);
  g_autoptr (LsSource) source = NULL;
  g_autoptr (LsModule) module = scheduled != NULL ? printed (scheduled, &source) : NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (LsDeviceText) text = NULL;

  if (module == NULL)
    return LS_CLI_FAILED;
  if (request->func != NULL && ls_module_get (module, request->func) == NULL)
    return ls_cli_fail (command, "the module has no function %s", request->func);
  if (g_strcmp0 (request->format, "numpy") == 0 && request->target != NULL)
    return ls_cli_usage (command, "--format numpy is of the program as it stands: it has no target");
  if (request->format != NULL && strcmp (request->format, "numpy") != 0)
    return run_assembly (request, command, source);
  text = ls_reading_new (module, request->func, request->format != NULL ? "numpy" : request->target != NULL ? request->target : "c", &error);
  if (text == NULL)
    return ls_cli_fail (command, "%s", error->message);
  if (request->json)
    print_json (text, source);
  else if (request->lines)
    print_lines (text);
  else
    fputs (text->text, stdout);
  return LS_CLI_DONE;
}

int
ls_cli_source (int    argc,
               char **argv)
{
  Request request = { 0 };
  const LsCliOption options[] = {
    { "--json", LS_CLI_FLAG, &request.json },
    { "--lines", LS_CLI_FLAG, &request.lines },
    { "--func", LS_CLI_TEXT, &request.func },
    { "--steps", LS_CLI_TEXT, &request.steps },
    { "--target", LS_CLI_TEXT, &request.target },
    { "--format", LS_CLI_TEXT, &request.format },
    { NULL },
  };
  int status = ls_cli_args_read (argc, argv, options, &request.file);

  if (status != LS_CLI_DONE)
    return status;
  return request.file != NULL ? run (&request, argv[0]) : ls_cli_usage (argv[0], "a file is expected");
}
