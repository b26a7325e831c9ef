/* caches: all accesses of a program through simulated caches: misses by cause for each buffer and loop.
 *
 *   --level BYTES:WAYS  a cache, the nearest first, up to three; without it those of this machine
 *   --line-bytes N      of a cache line; else that of this machine
 *   --most N            millions of accesses that are simulated before rounds of outer loops are left out (300); 0: all
 *   --distances         reuse distances too: how many other lines are touched between two touches of a line
 *   --counters          the program is run, and what the processor counts stands beside the simulation, with why they differ
 *   --as-is             the program with its blocks; else lowered, as it is compiled
 *   --func F, --steps FILE, --set NAME=VALUE, --json
 *
 * The simulation is engine/interp/memory-lab's; without --counters nothing is compiled or run.
 */
#include "app/cli/counted.h"
#include "app/cli/input.h"
#include "engine/base/json.h"
#include "engine/debug/debug.h"
#include "engine/interp/memory-lab.h"
#include "engine/tir/pass/pass.h"
#include "engine/tir/specialize.h"

#include <stdio.h>
#include <string.h>

typedef struct {
  const char *command, *file, *func, *steps;
  gint64      line, most;       /* -1: not given */
  GPtrArray  *levels, *set;
  gboolean    as_is, distances, counters, json;
} Request;

/* ---- what is asked for ------------------------------------------------------------------ */

/* "32768:8", with k or m behind the bytes. */
static gboolean
read_level (const char   *text,
            LsCacheLevel *level)
{
  char *end;
  guint64 bytes = g_ascii_strtoull (text, &end, 10), ways;

  if (end == text)
    return FALSE;
  if (*end == 'k' || *end == 'm')
    bytes <<= *end++ == 'k' ? 10 : 20;
  if (*end != ':')
    return FALSE;
  text = end + 1;
  ways = g_ascii_strtoull (text, &end, 10);
  if (end == text || *end != '\0' || bytes > ((guint64) 1 << 32) || ways > 65536)
    return FALSE;
  *level = (LsCacheLevel) { (gint64) bytes, (guint) ways };
  return TRUE;
}

static int
read_options (Request         *request,
              LsMemoryOptions *options)
{
  g_autoptr (GError) error = NULL;

  ls_memory_options_init (options);
  if (request->levels->len > LS_LOCALITY_LEVELS)
    return ls_cli_usage (request->command, "--level is given %d times at most", LS_LOCALITY_LEVELS);
  if (request->levels->len > 0)
    options->n_levels = request->levels->len;
  for (guint i = 0; i < request->levels->len; i++)
    if (!read_level (request->levels->pdata[i], &options->levels[i]))
      return ls_cli_usage (request->command, "--level is BYTES:WAYS, such as 32768:8, 32k:8 or 1m:16, not %s", (char *) request->levels->pdata[i]);
  if (request->line >= 0)
    options->line_bytes = (guint) MIN (request->line, G_MAXINT);
  options->distances = request->distances;
  if (request->most >= 0)
    options->most = (double) request->most * 1e6;
  if (!ls_memory_options_check (options, &error))
    return ls_cli_usage (request->command, "%s", error->message);
  return LS_CLI_DONE;
}

/* The function that is meant, for the sizes that were given, lowered. */
static LsPrimFunc *
read_function (Request *request)
{
  g_autoptr (LsModule) module = ls_cli_read_scheduled (request->command, request->file, request->steps);
  g_autoptr (GError) error = NULL;
  const char *name = request->func;
  LsNode *node;
  g_autoptr (LsPrimFunc) sized = NULL;
  LsPrimFunc *lowered;

  if (module == NULL)
    return NULL;
  for (guint i = 0; name == NULL && i < module->functions->n; i++)
    if (ls_is (module->functions->items[i], PRIM_FUNC))
      name = ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint;
  node = name != NULL ? ls_module_get (module, name) : NULL;
  if (!ls_is (node, PRIM_FUNC))
    {
      ls_cli_fail (request->command, "the module has no function %s of TensorIR", name != NULL ? name : "");
      return NULL;
    }
  sized = ls_prim_func_size ((LsPrimFunc *) node, request->set);
  if (request->as_is)
    return g_steal_pointer (&sized);
  lowered = ls_lower (sized, NULL, NULL, &error);
  if (lowered == NULL)
    ls_cli_fail (request->command, "%s", error->message);
  return lowered;
}

/* ---- text ---------------------------------------------------------------------------------- */

static char *
short_number (double value)
{
  if (value < 99999.5)
    return g_strdup_printf ("%.0f", value);
  return value < 1e8 ? g_strdup_printf ("%.1f k", value * 1e-3) : g_strdup_printf ("%.1f M", value * 1e-6);
}

static void
print_row (const char           *name,
           double                accesses,
           const char           *other,
           const LsMemoryMisses *misses,
           guint                 n_levels)
{
  g_autofree char *n = short_number (accesses);

  printf ("  %-22s %10s %10s", name, n, other);
  for (guint i = 0; i < n_levels; i++)
    {
      g_autofree char *cold = short_number (misses[i].cold), *capacity = short_number (misses[i].capacity), *conflict = short_number (misses[i].conflict);

      printf (" | %9s %9s %9s", cold, capacity, conflict);
    }
  printf ("\n");
}

static void
print_head (const LsMemoryLab *memory,
            const char     *what,
            const char     *other)
{
  printf ("\n  %-22s %10s %10s", what, "accesses", other);
  for (guint i = 0; i < memory->options.n_levels; i++)
    printf (" | L%u: cold  capacity  conflict", i + 1);
  printf ("\n");
}

#define MOST_COLUMNS 9

/* A row for each distance that any of them has, with the share of all lines behind it that a cache of that size would still miss. */
static void
print_distances (const LsMemoryLab *memory)
{
  const double *all = memory->all.distances;
  double touches = 0.0, near = 0.0;
  guint most = 0, n = MIN (memory->buffers->len, MOST_COLUMNS);

  for (guint i = 0; i < LS_MEMORY_BINS; i++)
    {
      touches += all[i];
      most = all[i] > 0.0 ? i : most;
    }
  printf ("\n  reuse distance, lines  %10s %10s", "touches", "so far");
  for (guint b = 0; b < n; b++)
    printf (" %10s", g_array_index (memory->buffers, LsMemoryBuffer, b).name);
  printf ("\n");
  for (guint i = 0; i <= most && touches > 0.0; i++)
    {
      g_autofree char *count = short_number (all[i]);
      g_autofree char *range = i < 2 ? g_strdup_printf ("%u", i) : g_strdup_printf ("%u to %u", 1u << (i - 1), (1u << i) - 1);

      if (all[i] == 0.0)
        continue;
      near += all[i];
      printf ("  %-22s %10s %8.1f %%", range, count, 100.0 * near / touches);
      for (guint b = 0; b < n; b++)
        {
          g_autofree char *of = short_number (g_array_index (memory->buffers, LsMemoryBuffer, b).distances[i]);

          printf (" %10s", of);
        }
      printf ("\n");
    }
  printf ("  other lines touched between two touches of a line; a cache that has room for more of them than that hits, but for its sets\n");
}

static void
print_text (const LsMemoryLab *memory)
{
  g_autofree char *all = short_number (memory->all.accesses);

  printf ("%s accesses, lines of %u bytes", all, memory->options.line_bytes);
  for (guint i = 0; i < memory->options.n_levels; i++)
    printf (", L%u %" G_GINT64_FORMAT " bytes with %u way%s", i + 1, memory->options.levels[i].bytes, memory->options.levels[i].ways,
            memory->options.levels[i].ways == 1 ? "" : "s");
  printf ("\nsimulated: %.3g %% of them", 100.0 * memory->simulated / MAX (memory->all.accesses, 1.0));
  if (memory->simulated < memory->all.accesses)
    for (guint i = 0; i < memory->options.n_levels; i++)
      printf ("%s L%u %.2g %%", i == 0 ? "; one standard error of the misses:" : ",", i + 1, 100.0 * memory->error[i]);
  printf ("; %.3g million a second\n", memory->simulated * 1e-6 / MAX (memory->seconds, 1e-6));
  if (memory->data != NULL)
    printf ("where accesses go depends on data: taken from a run on random numbers (%s)\n", memory->data);
  if (memory->chooses)
    printf ("a value is chosen by floats: what both sides of the choice touch is counted\n");
  print_head (memory, "buffer", "lines");
  for (guint i = 0; i < memory->buffers->len; i++)
    {
      const LsMemoryBuffer *row = &g_array_index (memory->buffers, LsMemoryBuffer, i);
      g_autofree char *lines = short_number (row->lines);

      print_row (row->name, row->accesses, lines, row->misses, memory->options.n_levels);
    }
  print_row ("all", memory->all.accesses, "", memory->all.misses, memory->options.n_levels);
  print_head (memory, "loop", "a round");
  for (guint i = 0; i < memory->loops->len; i++)
    {
      const LsMemoryLoop *row = &g_array_index (memory->loops, LsMemoryLoop, i);
      g_autofree char *lines = row->footprint >= 0.0 ? short_number (row->footprint) : g_strdup ("-"), *name = g_strdup_printf ("%*s%s", (int) row->depth, "", row->name);

      print_row (name, row->accesses, lines, row->misses, memory->options.n_levels);
    }
  printf ("  a round: lines that the first round of the loop touches\n");
  if (memory->options.distances)
    print_distances (memory);
}

/* ---- JSON -------------------------------------------------------------------------------------- */

static void
add_misses (JsonBuilder          *builder,
            const LsMemoryMisses *misses,
            guint                 n_levels)
{
  ls_json_begin_array (builder, "levels");
  for (guint i = 0; i < n_levels; i++)
    {
      json_builder_begin_object (builder);
      ls_json_put_double (builder, "cold", misses[i].cold);
      ls_json_put_double (builder, "capacity", misses[i].capacity);
      ls_json_put_double (builder, "conflict", misses[i].conflict);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

/* Of each bin up to the last that has any. */
static void
add_distances (JsonBuilder  *builder,
               const double *distances)
{
  guint n = LS_MEMORY_BINS;

  while (n > 0 && distances[n - 1] == 0.0)
    n--;
  ls_json_begin_array (builder, "distances");
  for (guint i = 0; i < n; i++)
    json_builder_add_double_value (builder, distances[i]);
  json_builder_end_array (builder);
}

static void
add_buffer (JsonBuilder          *builder,
            const LsMemoryBuffer *row,
            guint                 n_levels,
            gboolean              distances)
{
  json_builder_begin_object (builder);
  ls_json_put_text (builder, "buffer", row->name);
  ls_json_put_double (builder, "accesses", row->accesses);
  ls_json_put_double (builder, "lines", row->lines);
  add_misses (builder, row->misses, n_levels);
  if (distances)
    add_distances (builder, row->distances);
  json_builder_end_object (builder);
}

static void
add_loop (JsonBuilder        *builder,
          const LsMemoryLab     *memory,
          const LsMemoryLoop *row)
{
  guint n = memory->options.n_levels;

  json_builder_begin_object (builder);
  ls_json_put_text (builder, "loop", row->name);
  if (row->block != NULL)
    ls_json_put_text (builder, "block", row->block);
  ls_json_put_double (builder, "depth", row->depth);
  ls_json_put_double (builder, "rounds", row->rounds);
  ls_json_put_double (builder, "accesses", row->accesses);
  if (row->footprint >= 0.0)
    ls_json_put_double (builder, "footprint", row->footprint);
  add_misses (builder, row->misses, n);
  if (memory->options.distances)
    add_distances (builder, row->distances);
  ls_json_begin_array (builder, "buffers");
  for (guint b = 0; b < memory->buffers->len; b++)
    {
      json_builder_begin_object (builder);
      ls_json_put_text (builder, "buffer", g_array_index (memory->buffers, LsMemoryBuffer, b).name);
      add_misses (builder, &row->of_buffers[b * LS_LOCALITY_LEVELS], n);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

static void
print_json (const LsMemoryLab *memory,
            GVariant          *counted)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  guint n = memory->options.n_levels;

  json_builder_begin_object (builder);
  ls_json_put_double (builder, "accesses", memory->all.accesses);
  ls_json_put_double (builder, "simulated", memory->simulated);
  ls_json_put_double (builder, "seconds", memory->seconds);
  ls_json_put_double (builder, "line-bytes", memory->options.line_bytes);
  ls_json_begin_array (builder, "caches");
  for (guint i = 0; i < n; i++)
    {
      json_builder_begin_object (builder);
      ls_json_put_double (builder, "bytes", (double) memory->options.levels[i].bytes);
      ls_json_put_double (builder, "ways", memory->options.levels[i].ways);
      ls_json_put_double (builder, "error", memory->error[i]);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  ls_json_begin_array (builder, "buffers");
  for (guint i = 0; i < memory->buffers->len; i++)
    add_buffer (builder, &g_array_index (memory->buffers, LsMemoryBuffer, i), n, memory->options.distances);
  json_builder_end_array (builder);
  if (memory->data != NULL)
    ls_json_put_text (builder, "data", memory->data);
  json_builder_set_member_name (builder, "all");
  add_buffer (builder, &memory->all, n, memory->options.distances);
  ls_json_begin_array (builder, "loops");
  for (guint i = 0; i < memory->loops->len; i++)
    add_loop (builder, memory, &g_array_index (memory->loops, LsMemoryLoop, i));
  json_builder_end_array (builder);
  if (counted != NULL)
    ls_cli_counted_add (counted, memory, builder);
  json_builder_end_object (builder);
  ls_cli_put_json (builder);
}

/* ---- the command ---------------------------------------------------------------------------------- */

static int
run (Request *request)
{
  LsMemoryOptions options;
  int status = read_options (request, &options);
  g_autoptr (LsPrimFunc) func = status == LS_CLI_DONE ? read_function (request) : NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (LsMemoryLab) memory = NULL;
  g_autoptr (GVariant) counted = NULL;

  if (func == NULL)
    return status != LS_CLI_DONE ? status : LS_CLI_FAILED;
  memory = ls_debug_memory_lab (func, &options, NULL, NULL, &error);
  if (memory == NULL)
    return ls_cli_fail (request->command, "%s", error->message);
  if (request->counters)
    {
      g_autoptr (LsModule) module = ls_cli_read_scheduled (request->command, request->file, request->steps);

      counted = module != NULL ? ls_cli_counted_ask (request->command, module, request->func, request->set) : NULL;
      if (counted == NULL)
        return LS_CLI_FAILED;
    }
  if (request->json)
    print_json (memory, counted);
  else
    print_text (memory);
  if (counted != NULL && !request->json)
    ls_cli_counted_print (counted, memory);
  return LS_CLI_DONE;
}

int
ls_cli_caches (int    argc,
               char **argv)
{
  g_autoptr (GPtrArray) levels = g_ptr_array_new (), set = g_ptr_array_new ();
  Request request = { .command = argv[0], .line = -1, .most = -1, .levels = levels, .set = set };
  const LsCliOption options[] = {
    { "--json", LS_CLI_FLAG, &request.json },
    { "--as-is", LS_CLI_FLAG, &request.as_is },
    { "--distances", LS_CLI_FLAG, &request.distances },
    { "--counters", LS_CLI_FLAG, &request.counters },
    { "--func", LS_CLI_TEXT, &request.func },
    { "--steps", LS_CLI_TEXT, &request.steps },
    { "--level", LS_CLI_LIST, levels },
    { "--line-bytes", LS_CLI_NUMBER, &request.line },
    { "--most", LS_CLI_NUMBER, &request.most },
    { "--set", LS_CLI_LIST, set },
    { NULL },
  };
  int status = ls_cli_args_read (argc, argv, options, &request.file);

  if (status != LS_CLI_DONE)
    return status;
  return request.file != NULL ? run (&request) : ls_cli_usage (argv[0], "a file is expected");
}
