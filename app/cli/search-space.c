/* search-space: see the header. */
#include "app/cli/search-space.h"

#include "app/kernel/kernel.h"
#include "app/rpc/rpc.h"
#include "engine/tir/device.h"

#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>

gboolean
ls_cli_is_thread_space (const char *name)
{
  return g_strcmp0 (name, "cuda") == 0 || g_strcmp0 (name, "cuda-tensorcore") == 0;
}

/* As a literal of Python. (transfer full) */
static char *
quoted (const char *text)
{
  g_autoptr (JsonNode) node = json_node_init_string (json_node_alloc (), text);

  return json_to_string (node, FALSE);
}

static GPtrArray *
read_traces (const char *path,
             GError    **error)
{
  g_autoptr (GPtrArray) traces = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_trace_unref);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autofree char *whole = NULL;
  g_auto (GStrv) lines = NULL;

  if (!g_file_get_contents (path, &whole, NULL, error))
    return NULL;
  lines = g_strsplit (whole, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      LsTrace *trace = *lines[i] != 0 ? ls_trace_from_json (lines[i], findings) : NULL;

      if (trace != NULL)
        g_ptr_array_add (traces, trace);
    }
  return g_steal_pointer (&traces);
}

/* What Python has to do, and what came of it; FALSE with an error. */
static gboolean
ask (LsKernel   *kernel,
     const char *code,
     double      seconds,
     char      **said,
     GError    **error)
{
  g_autoptr (LsOutputs) outputs = NULL;
  g_autoptr (GVariant) answer = NULL;
  GVariantDict params;

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "code", "s", code);
  g_variant_dict_insert (&params, "name", "s", "space");
  g_variant_dict_insert (&params, "quiet", "b", TRUE);
  answer = ls_kernel_request (kernel, "run", g_variant_dict_end (&params), seconds, &outputs, error);
  if (answer == NULL)
    return FALSE;
  *said = ls_outputs_get_text (outputs);
  if (strcmp (ls_params_string (answer, "status", ""), "ok") == 0)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, ls_translate ("the rules of the space cannot be applied: %s"),
               ls_params_string (answer, "message", ls_params_string (answer, "error", ls_translate ("Python does not say why"))));
  return FALSE;
}

/* The target with the limits that its rules ask for. (transfer full) */
static char *
with_limits (const LsDeviceTarget *target)
{
  g_autofree char *arch = *target->arch == 0 ? g_strdup ("") : g_strdup_printf (" -%s=%s", strcmp (target->kind, "rocm") == 0 ? "mcpu" : "arch", target->arch);

  return g_strdup_printf ("%s%s -max_threads_per_block=%" G_GINT64_FORMAT " -max_shared_memory_per_block=%" G_GINT64_FORMAT " -thread_warp_size=%" G_GINT64_FORMAT, target->kind, arch,
                          target->max_threads, target->max_shared, target->warp_size);
}

GPtrArray *
ls_cli_thread_space (const char *text,
                     const char *target,
                     const char *space,
                     guint       n,
                     gint64      seed,
                     double      seconds,
                     GError    **error)
{
  g_autoptr (LsKernel) kernel = ls_kernel_new ();
  g_autofree char *folder = g_dir_make_tmp ("loopscope-space-XXXXXX", error);
  g_autofree char *path = folder != NULL ? g_build_filename (folder, "traces.json", NULL) : NULL;
  g_autofree char *program = quoted (text), *for_target = NULL, *limited = NULL, *file = path != NULL ? quoted (path) : NULL, *code = NULL, *said = NULL;
  g_autoptr (LsDeviceTarget) device = folder != NULL ? ls_device_target_parse (target, error) : NULL;
  g_autoptr (GPtrArray) traces = NULL;

  if (device == NULL)
    return NULL;
  limited = with_limits (device);
  for_target = quoted (limited);
  fprintf (stderr, "The rules of the space %s draw %u program%s for %s; most draws do not fit a device and are drawn anew.\n", space, n, n == 1 ? "" : "s", target);
  code = g_strdup_printf ("from loopscope_kernel import space\nspace.programs(%s, %s, \"%s\", %u, %" G_GINT64_FORMAT ", %.0f, %s)\n", program, for_target, space, n, seed, seconds, file);
  ls_kernel_set_exchange (kernel, folder);
  if (ask (kernel, code, seconds + 60, &said, error))
    traces = read_traces (path, error);
  ls_kernel_stop (kernel);
  g_unlink (path);
  g_rmdir (folder);
  if (traces != NULL && traces->len == 0)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, ls_translate ("the rules of the space %s make no program that fits %s (drawn, and designs: %s)"), space, target, g_strstrip (said));
      return NULL;
    }
  return g_steal_pointer (&traces);
}
