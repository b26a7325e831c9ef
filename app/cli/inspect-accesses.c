/* inspect-accesses: see the header; what the window of the accesses shows, in the terminal. */
#include "app/cli/inspect-accesses.h"

#include "engine/base/json.h"
#include "engine/debug/debug.h"
#include "engine/interp/locality.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- text ------------------------------------------------------------------------------- */

static void
print_row (const char          *name,
           const LsLocalityRow *row,
           guint                n_levels)
{
  printf ("  %-16s %10" PRId64 " %8" PRId64, name, row->touches, row->cold);
  if (row->min >= 0)
    printf (" %8" PRId64 " %8" PRId64 " %8" PRId64, row->min, row->median, row->max);
  else
    printf (" %8s %8s %8s", "-", "-", "-");
  for (guint i = 0; i < n_levels; i++)
    printf (" %9" PRId64 " %9" PRId64, row->misses[i].capacity, row->misses[i].conflict);
  printf ("\n");
}

static void
print_text (const LsAccessOrder *order,
            const LsLocality    *locality,
            gboolean             known)
{
  printf ("\nAccesses%s, in lines of %d bytes\n  %-16s %10s %8s %8s %8s %8s", order->stopped ? " (the first ones)" : "", LS_ACCESS_LINE_BYTES, "", "accesses",
          "cold", "least", "median", "most");
  for (guint i = 0; i < locality->n_levels; i++)
    printf ("  L%u capac.  L%u confl.", i + 1, i + 1);
  printf ("\n");
  for (guint i = 0; i < locality->n_buffers; i++)
    print_row (g_array_index (order->buffers, LsAccessBuffer, i).name, &locality->buffers[i], locality->n_levels);
  print_row ("all", &locality->all, locality->n_levels);
  printf ("  least, median and most: other lines touched between two touches of a line; %s", known ? "the caches of this machine" : "assumed caches");
  for (guint i = 0; i < locality->n_levels; i++)
    printf (", L%u %" PRId64 " bytes with %u way%s", i + 1, locality->levels[i].bytes, locality->levels[i].ways, locality->levels[i].ways == 1 ? "" : "s");
  printf ("\n");
  if (order->data != NULL)
    printf ("  where accesses go depends on data: taken from a run on random numbers (%s)\n", order->data);
}

/* ---- JSON ------------------------------------------------------------------------------- */

static void
add_row (JsonBuilder         *builder,
         const char          *name,
         const LsLocalityRow *row,
         guint                n_levels)
{
  json_builder_begin_object (builder);
  ls_json_put_text (builder, "buffer", name);
  ls_json_put_int (builder, "accesses", row->touches);
  ls_json_put_int (builder, "cold", row->cold);
  if (row->min >= 0)
    {
      ls_json_put_int (builder, "min", row->min);
      ls_json_put_int (builder, "median", row->median);
      ls_json_put_int (builder, "max", row->max);
    }
  ls_json_begin_array (builder, "levels");
  for (guint i = 0; i < n_levels; i++)
    {
      json_builder_begin_object (builder);
      ls_json_put_int (builder, "cold", row->misses[i].cold);
      ls_json_put_int (builder, "capacity", row->misses[i].capacity);
      ls_json_put_int (builder, "conflict", row->misses[i].conflict);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

static void
add_json (JsonBuilder         *builder,
          const LsAccessOrder *order,
          const LsLocality    *locality,
          gboolean             known)
{
  ls_json_begin_object (builder, "accesses");
  ls_json_put_bool (builder, "stopped", order->stopped);
  ls_json_put_bool (builder, "caches_of_machine", known);
  if (order->data != NULL)
    ls_json_put_text (builder, "data", order->data);
  ls_json_begin_array (builder, "caches");
  for (guint i = 0; i < locality->n_levels; i++)
    {
      json_builder_begin_object (builder);
      ls_json_put_int (builder, "bytes", locality->levels[i].bytes);
      ls_json_put_int (builder, "ways", locality->levels[i].ways);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  ls_json_begin_array (builder, "buffers");
  for (guint i = 0; i < locality->n_buffers; i++)
    add_row (builder, g_array_index (order->buffers, LsAccessBuffer, i).name, &locality->buffers[i], locality->n_levels);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "all");
  add_row (builder, "all", &locality->all, locality->n_levels);
  json_builder_end_object (builder);
}

gboolean
ls_cli_give_accesses (LsPrimFunc   *func,
                      JsonBuilder  *builder,
                      GError      **error)
{
  g_autoptr (LsAccessOrder) order = ls_debug_access_order (func, LS_ACCESS_MOST, NULL, NULL, error);
  g_autoptr (LsLocality) locality = NULL;
  LsCacheLevel levels[LS_LOCALITY_LEVELS];
  gboolean known;
  guint n;

  if (order == NULL)
    return FALSE;
  known = ls_cache_levels (levels, &n);
  locality = ls_locality_new (order, levels, n);
  if (builder != NULL)
    add_json (builder, order, locality, known);
  else
    print_text (order, locality, known);
  return TRUE;
}
