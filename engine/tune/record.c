/* record: the lines of TVM's database files, database_workload.json and database_tuning_record.json.
 *
 * Traces, times, target and argument lists are in TVM's form.  Of a workload TVM keeps the module in its own node format
 * (SaveJSON) behind its structural hash; we keep the module's text behind our hash, so that records can be read by both
 * sides, while workloads are read by the side that wrote them.
 */
#include "engine/tune/tune.h"

#include "engine/script/script.h"

#include <string.h>

char *
ls_tune_workload_line (LsModule *module)
{
  const LsScriptPrintOptions whole = { .show_meta = TRUE, .keep_names = TRUE };
  g_autofree char *text = ls_script_print (module, &whole, NULL);
  g_autofree char *encoded = g_base64_encode ((const guchar *) text, strlen (text));

  return g_strdup_printf ("[\"%u\", \"%s\"]", LS_NODE (module)->hash, encoded);
}

LsModule *
ls_tune_workload_read (const char    *line,
                       LsDiagnostics *diagnostics)
{
  g_auto(GStrv) parts = g_strsplit (line, "\"", -1);
  g_autofree guchar *text = NULL;
  g_autoptr(LsSource) source = NULL;
  gsize length = 0;

  if (g_strv_length (parts) < 5)
    {
      ls_diagnostics_add (diagnostics, LS_SEVERITY_ERROR, "tune/workload", (LsSpan) { 0 }, "A workload is a list of a hash and a text.");
      return NULL;
    }
  text = g_base64_decode (parts[3], &length);
  source = ls_source_new ("workload", (const char *) text, (gssize) length);
  return ls_script_parse (source, diagnostics);
}

static LsPrimFunc *
entry_of (LsModule *module)
{
  for (guint i = 0; i < ls_array_n (module->functions); i++)
    if (ls_is (module->functions->items[i], PRIM_FUNC))
      return (LsPrimFunc *) module->functions->items[i];
  return NULL;
}

char *
ls_tune_args_json (LsModule *module)
{
  LsPrimFunc *func = entry_of (module);
  GString *out = g_string_new ("[");

  for (guint i = 0; func != NULL && i < ls_array_n (func->buffers); i++)
    {
      LsBuffer *buffer = ls_array_at (func->buffers, i, LsBuffer);

      if (buffer == NULL)
        continue;
      g_string_append_printf (out, "%s[\"TENSOR\", \"%s\", [", out->len > 1 ? ", " : "", ls_dtype_name (buffer->dtype));
      for (guint k = 0; k < ls_buffer_ndim (buffer); k++)
        {
          gint64 size = -1;

          ls_as_int (ls_array_at (buffer->shape, k, LsExpr), &size);
          g_string_append_printf (out, "%s%" G_GINT64_FORMAT, k > 0 ? ", " : "", size);
        }
      g_string_append (out, "]]");
    }
  g_string_append_c (out, ']');
  return g_string_free (out, FALSE);
}

char *
ls_tune_record_line (guint         workload,
                     LsModule     *module,
                     LsTrace      *trace,
                     const double *seconds,
                     guint         n_seconds,
                     const char   *target_json)
{
  g_autofree char *steps = ls_trace_to_json (trace, FALSE);
  g_autofree char *args = ls_tune_args_json (module);
  GString *out = g_string_new (NULL);

  g_string_append_printf (out, "[%u, [%s, ", workload, steps);
  g_string_append (out, n_seconds > 0 ? "[" : "null");
  for (guint i = 0; i < n_seconds; i++)
    {
      char number[G_ASCII_DTOSTR_BUF_SIZE];

      g_string_append_printf (out, "%s%s", i > 0 ? ", " : "", g_ascii_dtostr (number, sizeof number, seconds[i]));
    }
  g_string_append_printf (out, "%s, %s, %s]]", n_seconds > 0 ? "]" : "", target_json, args);
  return g_string_free (out, FALSE);
}
