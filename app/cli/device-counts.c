/* device-counts: what the simulator counted, as a bundle carries it: one object for each kernel, numbers that add up. */
#include "app/cli/device.h"
#include "app/rpc/rpc.h"

#include "engine/base/json.h"

#include <string.h>

typedef struct {
  gint64 global_load_requests, global_load_sectors, global_store_requests, global_store_sectors;
  gint64 shared_load_passes, shared_load_needed, shared_store_passes, shared_store_needed;
} Totals;

static void
add_site (Totals   *totals,
          GVariant *site)
{
  gboolean store = ls_params_bool (site, "store", FALSE);
  const char *space = ls_params_string (site, "space", "");

  if (strcmp (space, "global") == 0)
    {
      *(store ? &totals->global_store_requests : &totals->global_load_requests) += ls_params_int (site, "requests", 0);
      *(store ? &totals->global_store_sectors : &totals->global_load_sectors) += ls_params_int (site, "sectors", 0);
    }
  else if (strcmp (space, "shared") == 0)
    {
      *(store ? &totals->shared_store_passes : &totals->shared_load_passes) += ls_params_int (site, "passes", 0);
      *(store ? &totals->shared_store_needed : &totals->shared_load_needed) += ls_params_int (site, "passes-needed", 0);
    }
}

static void
put_kernel (JsonBuilder *builder,
            GVariant    *kernel,
            GVariant    *sites,
            guint        number)
{
  Totals t = { 0 };
  const char *const same[] = { "warps", "instructions", "barriers", "branches", "divergent" };

  for (gsize i = 0; i < g_variant_n_children (sites); i++)
    {
      g_autoptr (GVariant) site = g_variant_get_child_value (sites, i);

      if (ls_params_int (site, "kernel", 0) == number)
        add_site (&t, site);
    }
  json_builder_begin_object (builder);
  ls_json_put_int (builder, "global_load_requests", t.global_load_requests);
  ls_json_put_int (builder, "global_load_sectors", t.global_load_sectors);
  ls_json_put_int (builder, "global_store_requests", t.global_store_requests);
  ls_json_put_int (builder, "global_store_sectors", t.global_store_sectors);
  ls_json_put_int (builder, "shared_load_passes", t.shared_load_passes);
  ls_json_put_int (builder, "shared_load_conflicts", t.shared_load_passes - t.shared_load_needed);
  ls_json_put_int (builder, "shared_store_passes", t.shared_store_passes);
  ls_json_put_int (builder, "shared_store_conflicts", t.shared_store_passes - t.shared_store_needed);
  for (guint i = 0; i < G_N_ELEMENTS (same); i++)
    ls_json_put_int (builder, same[i], ls_params_int (kernel, same[i], 0));
  json_builder_end_object (builder);
}

char *
ls_cli_simulated_json (GVariant *answer)
{
  g_autoptr (GVariant) kernels = ls_params_value (answer, "kernels");
  g_autoptr (GVariant) sites = ls_params_value (answer, "sites");
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;

  json_builder_begin_object (builder);
  ls_json_put_int (builder, "faults", ls_params_int (answer, "faults", 0));
  ls_json_begin_array (builder, "kernels");
  for (gsize i = 0; i < g_variant_n_children (kernels); i++)
    {
      g_autoptr (GVariant) kernel = g_variant_get_child_value (kernels, i);

      put_kernel (builder, kernel, sites, (guint) i);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  return json_to_string (root, FALSE);
}
