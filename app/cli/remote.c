/* remote: see the header. */
#include "app/cli/remote.h"

#include "engine/base/base.h"

#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>

/* Fields without which an answer says nothing, by method. */
static const struct { const char *method, *keys[4]; } needed[] = {
  { "run", { "arrays" } }, { "asm", { "groups", "remarks" } }, { "time-passes", { "passes" } }, { "graph-values", { "pairs" } }, { "kernels", { "functions" } },
};

/* And without which a row of a list says nothing, or something that is not so. */
static const struct { const char *method, *list, *keys; } needed_rows[] = {
  { "run", "arrays", "name role dtype shape" }, { "vm", "results", "place type" }, { "vm", "profile", "name calls ns bytes" },
  { "classify", "classes", "name right images" }, { "peaks", "levels", "name bytes gb-per-s" },
  { "simt", "kernels", "line grid block shared-bytes local-bytes blocks warps instructions integer float special loads stores shuffles barriers warp-barriers matrix asynchronous-copies atomics branches divergent" },
  { "simt", "sites", "kernel buffer space store line loops requests bytes sectors lines sectors-needed passes passes-needed most-ways" },
  { "simt", "findings", "kind text line site thread times" }, { "simt", "layouts", "kind buffer dtype rows columns pitch" },
};

static gboolean
rows_are_whole (const char *command,
                const char *method,
                GVariant   *answer)
{
  for (guint i = 0; i < G_N_ELEMENTS (needed_rows); i++)
    {
      g_autoptr (GError) error = NULL;

      if (strcmp (needed_rows[i].method, method) != 0 || ls_params_require_rows (answer, needed_rows[i].list, needed_rows[i].keys, &error))
        continue;
      ls_cli_fail (command, "%s", error->message);
      return FALSE;
    }
  return TRUE;
}

/* FALSE, and it is said: the answer lacks one of them. */
static gboolean
is_whole (const char *command,
          const char *method,
          GVariant   *answer)
{
  for (guint i = 0; i < G_N_ELEMENTS (needed); i++)
    for (guint k = 0; strcmp (needed[i].method, method) == 0 && needed[i].keys[k] != NULL; k++)
      if (!ls_cli_has (command, answer, needed[i].keys[k]))
        return FALSE;
  return rows_are_whole (command, method, answer);
}

gboolean
ls_cli_has (const char *command,
            GVariant   *answer,
            const char *key)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) value = ls_params_require (answer, key, &error);

  if (value == NULL)
    ls_cli_fail (command, "%s", error->message);
  return value != NULL;
}

GVariant *
ls_cli_ask (const char        *command,
            const char        *method,
            GVariantDict      *params,
            double             timeout,
            const char *const *readable,
            const char *const *writable)
{
  g_autoptr (LsWorker) worker = ls_worker_new ();
  LsWorkerOptions options = { .timeout_ms = (gint64) (timeout * 1000) };
  g_autoptr (GError) error = NULL;
  g_autofree char *out = NULL;
  g_autofree char *err = NULL;
  GVariant *answer;

  for (guint i = 0; readable != NULL && readable[i] != NULL; i++)
    ls_worker_add_path (worker, readable[i], FALSE);
  for (guint i = 0; writable != NULL && writable[i] != NULL; i++)
    ls_worker_add_path (worker, writable[i], TRUE);
  answer = ls_worker_call (worker, method, g_variant_dict_end (params), &options, NULL, &out, &err, &error);
  if (out != NULL && *out != 0)
    fputs (out, stderr);
  if (answer != NULL && is_whole (command, method, answer))
    return answer;
  if (answer != NULL)
    {
      g_variant_unref (answer);
      return NULL;
    }
  if (err != NULL && *err != 0)
    fputs (err, stderr);
  ls_cli_fail (command, "%s", error->message);
  if (g_error_matches (error, LS_WORKER_ERROR, LS_WORKER_ERROR_SIGNAL) && strcmp (method, "run") == 0)
    fputs (ls_translate ("  way out: --check-bounds names the access that leaves its buffer\n"), stderr);
  return NULL;
}

/* json-glib writes infinities and NaN as they are, which is no JSON: they become null. */
static GVariant *
without_infinities (GVariant *value)
{
  GVariantBuilder builder;

  if (g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE))
    {
      double v = g_variant_get_double (value);

      return v - v == 0 ? g_variant_ref (value) : g_variant_ref_sink (g_variant_new_maybe (G_VARIANT_TYPE_DOUBLE, NULL));
    }
  if (g_variant_is_of_type (value, G_VARIANT_TYPE ("aa{sv}")))
    {
      g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
      for (gsize i = 0; i < g_variant_n_children (value); i++)
        {
          g_autoptr (GVariant) child = g_variant_get_child_value (value, i);
          g_autoptr (GVariant) cleaned = without_infinities (child);

          g_variant_builder_add_value (&builder, cleaned);
        }
      return g_variant_ref_sink (g_variant_builder_end (&builder));
    }
  if (!g_variant_is_of_type (value, G_VARIANT_TYPE_VARDICT))
    return g_variant_ref (value);
  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  for (gsize i = 0; i < g_variant_n_children (value); i++)
    {
      g_autoptr (GVariant) inner = NULL;
      g_autoptr (GVariant) cleaned = NULL;
      const char *key;

      g_variant_get_child (value, i, "{&sv}", &key, &inner);
      cleaned = without_infinities (inner);
      g_variant_builder_add (&builder, "{sv}", key, cleaned);
    }
  return g_variant_ref_sink (g_variant_builder_end (&builder));
}

void
ls_cli_print_json (GVariant *answer)
{
  g_autoptr (GVariant) cleaned = without_infinities (answer);
  g_autoptr (JsonNode) root = json_gvariant_serialize (cleaned);
  g_autofree char *text = json_to_string (root, TRUE);

  puts (text);
}

double
ls_cli_number (GVariant   *answer,
               const char *key)
{
  return ls_params_double (answer, key, 0);
}

char *
ls_cli_duration (double ns)
{
  if (ns < 1e3)
    return g_strdup_printf ("%.3g ns", ns);
  if (ns < 999.5e3)
    return g_strdup_printf ("%.3g µs", ns / 1e3);
  if (ns < 999.5e6)
    return g_strdup_printf ("%.3g ms", ns / 1e6);
  return g_strdup_printf ("%.3g s", ns / 1e9);
}
