/* simt: a kernel on threads that are not there.
 *
 *   --steps FILE        schedule steps that bind loops to threads; the result is compared with the program without them
 *   --target T          the device whose limits hold
 *   --fast              the kernel as loops over blocks and threads, compiled for this CPU: its result only, nothing is checked or counted
 *   --layouts           which lane has which element of a tile of tensor cores, which bank which of shared memory, which thread which of what it copies
 *   --events            what the warps of one block do, access by access: which lane touches which bytes
 *   --kernel N, --block N   whose layouts and events: kernels are counted from 1, their blocks from 0; the first unless given
 *   -o PICTURE          what the window Threads shows, as SVG, PNG or PDF: --event N, --finding N or, with --layouts, --layout N; --dark
 *   --func F, --set NAME=VALUE, --seed N, --timeout SECONDS, --json
 *
 * Exit status 1 when something is found or the results differ. */
#include "app/cli/input.h"
#include "app/cli/remote.h"
#include "app/cli/simt-events.h"
#include "engine/script/script.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  const char *file, *func, *steps, *target;
  gint64      seed, timeout, kernel, block;
  GPtrArray  *set;
  gboolean    json, layouts, fast, events;
  LsCliThreadsPicture picture;
} Request;

static guint64
count (GVariant   *dict,
       const char *key)
{
  g_autoptr (GVariant) value = g_variant_lookup_value (dict, key, NULL);

  if (value == NULL)
    return 0;
  return g_variant_is_of_type (value, G_VARIANT_TYPE_UINT64) ? g_variant_get_uint64 (value)
         : g_variant_is_of_type (value, G_VARIANT_TYPE_UINT32) ? g_variant_get_uint32 (value)
         : g_variant_is_of_type (value, G_VARIANT_TYPE_INT64) ? (guint64) g_variant_get_int64 (value) : 0;
}

/* "16 x 8 x 1 blocks" without the ones at the end. (transfer full) */
static char *
sizes (GVariant   *dict,
       const char *key)
{
  g_autoptr (GVariant) list = ls_params_value (dict, key);
  gsize n = 0;
  const gint64 *values = g_variant_get_fixed_array (list, &n, sizeof (gint64));
  GString *text = g_string_new (NULL);

  while (n > 1 && values[n - 1] == 1)
    n--;
  for (gsize i = 0; i < n; i++)
    g_string_append_printf (text, "%s%" PRId64, i > 0 ? " x " : "", values[i]);
  return g_string_free (text, FALSE);
}

/* ---- text ------------------------------------------------------------------------------- */

static const char *
limit_words (const char *limit)
{
  return strcmp (limit, "threads") == 0 ? "its threads" : strcmp (limit, "blocks") == 0 ? "the number of blocks"
         : strcmp (limit, "shared") == 0 ? "shared memory" : "registers, as estimated";
}

/* What a multiprocessor holds of it; of NVIDIA's registers there is an estimate, of AMD's what the object file says. */
static void
print_occupancy (GVariant *kernel)
{
  const char *limit = ls_params_string (kernel, "limited-by", "");
  guint64 blocks = count (kernel, "resident-blocks"), warps = count (kernel, "resident-warps"), most = count (kernel, "most-warps"), lanes = count (kernel, "lanes");

  if (most == 0)
    return;
  if (lanes > 0)
    {
      printf ("  a compute unit of %s holds %" PRIu64 " block%s at a time, %" PRIu64 " of %" PRIu64 " wavefronts of %" PRIu64 " lanes; the limit is %s\n", ls_params_string (kernel, "arch", ""),
              blocks, blocks == 1 ? "" : "s", warps, most, lanes, strcmp (limit, "registers") == 0 ? "registers" : limit_words (limit));
      printf ("  registers, by its object file: %" PRIu64 " vector registers a thread", count (kernel, "vector-registers"));
      if (count (kernel, "scalar-registers") > 0)
        printf (", %" PRIu64 " scalar registers a wavefront", count (kernel, "scalar-registers"));
      printf ("; %" PRIu64 " bytes of a thread in memory\n", count (kernel, "private-bytes"));
      return;
    }
  printf ("  a multiprocessor of %s holds %" PRIu64 " block%s at a time, %" PRIu64 " of %" PRIu64 " warps; the limit is %s (%" PRIu64 " registers a thread, an estimate)\n",
          ls_params_string (kernel, "arch", ""), blocks, blocks == 1 ? "" : "s", warps, most, limit_words (limit), count (kernel, "registers-estimate"));
}

static void
print_kernel (GVariant *kernel,
              guint     number,
              guint     n_kernels)
{
  g_autofree char *grid = sizes (kernel, "grid"), *block = sizes (kernel, "block");
  guint64 branches = count (kernel, "branches");

  if (n_kernels > 1)
    printf ("Kernel %u, line %" PRIu64 ": ", number + 1, count (kernel, "line"));
  printf ("%s block%s of %s thread%s, %" PRIu64 " warp%s\n", grid, strcmp (grid, "1") == 0 ? "" : "s", block, strcmp (block, "1") == 0 ? "" : "s", count (kernel, "warps"),
          count (kernel, "warps") == 1 ? "" : "s");
  printf ("  %" PRIu64 " bytes of shared memory a block, %" PRIu64 " bytes of local arrays a thread\n", count (kernel, "shared-bytes"), count (kernel, "local-bytes"));
  printf ("  instructions of warps: %" PRIu64 " (%" PRIu64 " integer, %" PRIu64 " float, %" PRIu64 " special, %" PRIu64 " loads, %" PRIu64 " stores, %" PRIu64
          " shuffles, %" PRIu64 " barriers, %" PRIu64 " branches)\n",
          count (kernel, "instructions"), count (kernel, "integer"), count (kernel, "float"), count (kernel, "special"), count (kernel, "loads"),
          count (kernel, "stores"), count (kernel, "shuffles"), count (kernel, "barriers") + count (kernel, "warp-barriers"), branches);
  if (count (kernel, "matrix") > 0 || count (kernel, "asynchronous-copies") > 0)
    printf ("  products on tensor cores: %" PRIu64 "; asynchronous copies: %" PRIu64 "\n", count (kernel, "matrix"), count (kernel, "asynchronous-copies"));
  if (count (kernel, "atomics") > 0)
    printf ("  atomic functions: %" PRIu64 "\n", count (kernel, "atomics"));
  printf ("  branches that split a warp: %" PRIu64 " of %" PRIu64 "\n", count (kernel, "divergent"), branches);
  print_occupancy (kernel);
}

/* Accesses of one line to one buffer: the rows of the table. */
typedef struct {
  guint64     line;
  gboolean    is_store;
  const char *buffer, *space, *loops;
  guint64     requests, bytes, sectors, lines, needed, passes, least, ways;
} Row;

static void
add_site (GArray   *rows,
          GVariant *site)
{
  Row row = { count (site, "line"), ls_params_bool (site, "store", FALSE), ls_params_string (site, "buffer", ""), ls_params_string (site, "space", ""),
              ls_params_string (site, "loops", ""), count (site, "requests"), count (site, "bytes"), count (site, "sectors"), count (site, "lines"),
              count (site, "sectors-needed"), count (site, "passes"), count (site, "passes-needed"), count (site, "most-ways") };

  for (guint i = 0; i < rows->len; i++)
    {
      Row *known = &g_array_index (rows, Row, i);

      if (known->line != row.line || known->is_store != row.is_store || strcmp (known->buffer, row.buffer) != 0 || strcmp (known->space, row.space) != 0
          || strcmp (known->loops, row.loops) != 0)
        continue;
      known->requests += row.requests;
      known->bytes += row.bytes;
      known->sectors += row.sectors;
      known->lines += row.lines;
      known->needed += row.needed;
      known->passes += row.passes;
      known->least += row.least;
      known->ways = MAX (known->ways, row.ways);
      return;
    }
  g_array_append_val (rows, row);
}

static void
print_row (const Row *row)
{
  g_autofree char *name = g_strdup_printf ("%s %s", row->is_store ? "write" : "read", row->buffer);
  g_autofree char *line = row->line > 0 ? g_strdup_printf ("%" PRIu64, row->line) : g_strdup ("-");

  printf ("%5s  %-24s %-6s %9" PRIu64 " %11" PRIu64, line, name, row->space, row->requests, row->bytes);
  if (row->requests == 0)
    printf ("  never reached");
  else if (strcmp (row->space, "global") == 0)
    printf ("  %.3g sectors, %.3g lines a request; %.0f %% of what is fetched is used", (double) row->sectors / row->requests, (double) row->lines / row->requests,
            row->sectors > 0 ? 100.0 * MIN (row->needed, row->sectors) / row->sectors : 100.0);
  else if (strcmp (row->space, "shared") == 0 && row->passes == row->least)
    printf ("  no bank conflict");
  else if (strcmp (row->space, "shared") == 0)
    printf ("  bank conflicts: up to %" PRIu64 " ways, %" PRIu64 " passes where %" PRIu64 " would do", row->ways, row->passes, row->least);
  printf ("%s%s\n", *row->loops == 0 ? "" : strcmp (row->space, "local") == 0 ? "  in " : "; in ", row->loops);
}

static void
print_sites (GVariant *sites,
             guint     kernel)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (Row));
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);

  for (gsize k = 0; k < g_variant_n_children (sites); k++)
    {
      GVariant *site = g_variant_get_child_value (sites, k);

      g_ptr_array_add (kept, site);
      if (count (site, "kernel") == kernel)
        add_site (rows, site);
    }
  printf ("\n line  access                   memory  requests       bytes\n");
  for (guint i = 0; i < rows->len; i++)
    print_row (&g_array_index (rows, Row, i));
  printf ("\n");
}

static void
print_findings (GVariant *findings)
{
  GVariantIter iter;
  GVariant *finding;

  g_variant_iter_init (&iter, findings);
  while ((finding = g_variant_iter_next_value (&iter)) != NULL)
    {
      guint64 times = count (finding, "times");

      printf ("%s[%s]: %s", strcmp (ls_params_string (finding, "kind", ""), "same-value") == 0 ? "warning" : "error", ls_params_string (finding, "kind", ""),
              ls_params_string (finding, "text", ""));
      if (times > 1)
        printf (" (%" PRIu64 " times)", times);
      printf ("\n");
      g_variant_unref (finding);
    }
}

/* ---- layouts --------------------------------------------------------------------------- */

#define NOWHERE G_MAXUINT32

static void
print_layout_head (GVariant   *layout,
                   const char *kind)
{
  const char *buffer = ls_params_string (layout, "buffer", ""), *other = ls_params_string (layout, "other", ""), *dtype = ls_params_string (layout, "dtype", "");
  guint64 rows = count (layout, "rows"), columns = count (layout, "columns"), row = count (layout, "row"), column = count (layout, "column");

  if (strcmp (kind, "lanes") == 0)
    printf ("%s, tile %s of a product: %" PRIu64 " x %" PRIu64 " of %s; lane.number of each element\n", buffer, ls_params_string (layout, "tile", ""), rows, columns, dtype);
  else if (strcmp (kind, "banks") == 0)
    printf ("%s, shared memory: %" PRIu64 " x %" PRIu64 " of %s, %" PRIu64 " from row to row; bank of each element\n", buffer, rows, columns, dtype, count (layout, "pitch"));
  else if (strcmp (kind, "registers") == 0)
    printf ("%s in %s: %" PRIu64 " x %" PRIu64 " of %s from row %" PRIu64 ", column %" PRIu64 "; thread.register of each element%s\n", buffer, other, rows, columns, dtype, row, column,
            count (layout, "holders") > 1 ? " (the first of those that have it)" : "");
  else
    printf ("%s in %s: %" PRIu64 " x %" PRIu64 " of %s from row %" PRIu64 ", column %" PRIu64 "; bank.place in shared memory of each element\n", buffer, other, rows, columns, dtype, row,
            column);
}

static int
digits (guint number)
{
  return number < 10 ? 1 : 1 + digits (number / 10);
}

/* One line for each row: "12.3" is the element 3 of lane 12, or the number of a bank. */
static void
print_layout (GVariant *layout)
{
  const char *kind = ls_params_string (layout, "kind", "");
  guint64 rows = count (layout, "rows"), columns = count (layout, "columns");
  g_autoptr (GVariant) place_list = ls_params_value (layout, strcmp (kind, "lanes") == 0 ? "lanes" : strcmp (kind, "registers") == 0 ? "threads" : "banks");
  g_autoptr (GVariant) number_list = strcmp (kind, "banks") != 0 ? ls_params_value (layout, "numbers") : NULL;
  gsize n = 0, m = 0;
  const guint32 *places = place_list != NULL ? g_variant_get_fixed_array (place_list, &n, sizeof (guint32)) : NULL;
  const guint32 *numbers = number_list != NULL ? g_variant_get_fixed_array (number_list, &m, sizeof (guint32)) : NULL;
  int wide = 3;

  print_layout_head (layout, kind);
  for (gsize i = 0; i < n; i++)
    if (places[i] != NOWHERE)
      wide = MAX (wide, places[i] > 99 ? 1 + digits (places[i]) : 3);
  for (guint64 i = 0; i < rows; i++)
    {
      for (guint64 j = 0; j < columns && i * columns + j < n; j++)
        if (places[i * columns + j] == NOWHERE)
          printf ("%*s%s", wide, "-", numbers != NULL ? "   " : "");
        else if (numbers != NULL)
          printf ("%*u.%-2u", wide, places[i * columns + j], numbers[i * columns + j]);
        else
          printf ("%*u", wide, places[i * columns + j]);
      printf ("\n");
    }
  printf ("\n");
}

static void
print_layouts (GVariant *answer)
{
  g_autoptr (GVariant) layouts = ls_params_value (answer, "layouts");

  for (gsize i = 0; i < g_variant_n_children (layouts); i++)
    {
      g_autoptr (GVariant) layout = g_variant_get_child_value (layouts, i);

      print_layout (layout);
    }
  if (g_variant_n_children (layouts) == 0)
    printf ("No kernel has shared memory or a product on tensor cores.\n");
}

static void
print_check (GVariant *answer)
{
  if (ls_params_bool (answer, "stopped", FALSE))
    printf ("The kernel was stopped at the barrier; there is no result.\n");
  else if (ls_params_bool (answer, "same", FALSE))
    printf ("The result is that of the program without the steps (on the CPU; largest difference %.3g).\n", ls_cli_number (answer, "max-difference"));
  else
    printf ("The result differs from that of the program without the steps: %s\n", ls_params_string (answer, "difference", ""));
}

static void
print_answer (GVariant *answer,
              gboolean  compared)
{
  g_autoptr (GVariant) kernels = ls_params_value (answer, "kernels");
  g_autoptr (GVariant) sites = ls_params_value (answer, "sites");
  g_autoptr (GVariant) findings = ls_params_value (answer, "findings");
  guint n = (guint) g_variant_n_children (kernels);

  printf ("%s on simulated threads, with the limits of %s\n\n", ls_params_string (answer, "function", ""), ls_params_string (answer, "device", ""));
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GVariant) kernel = g_variant_get_child_value (kernels, i);

      print_kernel (kernel, i, n);
      print_sites (sites, i);
    }
  if (*ls_params_string (answer, "note", "") != 0)
    printf ("note: %s\n", ls_params_string (answer, "note", ""));
  if (g_variant_n_children (findings) > 0)
    print_findings (findings);
  else
    printf ("No race, no barrier missed, nothing read that nobody wrote, no index outside.\n");
  if (compared)
    print_check (answer);
}

/* ---- the command -------------------------------------------------------------------------- */

/* Is there the kernel, and the block of it, whose layouts are wanted? */
static gboolean
has_block (Request    *request,
           GVariant   *answer,
           const char *command)
{
  g_autoptr (GVariant) kernels = ls_params_value (answer, "kernels"), kernel = NULL;
  gsize n = kernels != NULL ? g_variant_n_children (kernels) : 0;
  guint64 blocks;

  if ((gsize) request->kernel > n)
    {
      ls_cli_fail (command, "there is no kernel %" PRId64 ": the function has %" G_GSIZE_FORMAT, request->kernel, n);
      return FALSE;
    }
  kernel = g_variant_get_child_value (kernels, (gsize) request->kernel - 1);
  blocks = count (kernel, "blocks");
  if ((guint64) request->block < blocks)
    return TRUE;
  ls_cli_fail (command, "there is no block %" PRId64 ": the kernel has %" PRIu64 ", counted from 0", request->block, blocks);
  return FALSE;
}

static int
run (Request    *request,
     const char *command)
{
  g_autoptr (LsModule) module = ls_cli_read_scheduled (command, request->file, request->steps);
  g_autoptr (LsModule) plain = module != NULL && request->steps != NULL ? ls_cli_read_module (command, request->file) : NULL;
  g_autofree char *text = module != NULL ? ls_cli_module_text (module) : NULL;
  g_autofree char *base = plain != NULL ? ls_cli_module_text (plain) : NULL;
  g_autoptr (GVariant) answer = NULL;
  gboolean compared = base != NULL, events = request->events || (request->picture.path != NULL && request->picture.layout == 0);
  int status = LS_CLI_DONE;
  GVariantDict params;

  if (module == NULL)
    return LS_CLI_FAILED;
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", text);
  if (base != NULL)
    g_variant_dict_insert (&params, "base", "s", base);
  if (request->func != NULL)
    g_variant_dict_insert (&params, "func", "s", request->func);
  g_variant_dict_insert (&params, "target", "s", request->target != NULL ? request->target : "cuda");
  g_variant_dict_insert (&params, "seed", "x", request->seed);
  g_variant_dict_insert (&params, "layouts", "b", request->layouts);
  g_variant_dict_insert (&params, "fast", "b", request->fast);
  if (request->layouts || events)
    g_variant_dict_insert (&params, "trace-kernel", "x", request->kernel - 1);
  if (request->layouts)
    g_variant_dict_insert (&params, "layouts-block", "x", request->block);
  if (events)
    g_variant_dict_insert (&params, "trace-block", "x", request->block);
  g_variant_dict_insert_value (&params, "set", g_variant_new_strv ((const char *const *) request->set->pdata, (gssize) request->set->len));
  answer = ls_cli_ask (command, "simt", &params, (double) request->timeout, NULL, NULL);
  if (answer == NULL || (!request->fast && !(ls_cli_has (command, answer, "kernels") && ls_cli_has (command, answer, "sites") && ls_cli_has (command, answer, "findings"))) ||
      (request->layouts && !ls_cli_has (command, answer, "layouts")) ||
      ((request->layouts || events) && !has_block (request, answer, command)))
    return LS_CLI_FAILED;
  if (request->json)
    {
      g_autoptr (GVariant) whole = NULL;
      GVariantDict dict;

      g_variant_dict_init (&dict, answer);
      g_variant_dict_insert (&dict, "module", "s", text);
      whole = g_variant_ref_sink (g_variant_dict_end (&dict));
      ls_cli_print_json (whole);
    }
  else if (request->fast)
    {
      printf ("%s as loops over blocks and threads: %.3f ms on this CPU, which is no time of a GPU; nothing was checked or counted.\n", ls_params_string (answer, "function", ""),
              (double) ls_params_int (answer, "cpu-ns", 0) / 1e6);
      if (compared)
        print_check (answer);
    }
  else
    {
      if (request->layouts)
        print_layouts (answer);
      if (request->events)
        ls_cli_put_events (answer, (guint) request->kernel - 1, request->block);
      print_answer (answer, compared);
    }
  if (request->picture.path != NULL)
    status = ls_cli_draw_threads (command, answer, &request->picture, (guint) request->kernel - 1, request->block);
  return status != LS_CLI_DONE || count (answer, "faults") > 0 || (compared && !ls_params_bool (answer, "same", FALSE)) ? LS_CLI_FAILED : LS_CLI_DONE;
}

/* What does not go together. */
static int
check_options (const Request *request,
               const char    *command)
{
  const LsCliThreadsPicture *picture = &request->picture;
  gboolean shows = request->layouts || request->events || picture->path != NULL;

  if (request->fast && shows)
    return ls_cli_usage (command, "--fast computes the result only; --layouts, --events and pictures want the simulator");
  if ((request->kernel != 1 || request->block != 0) && !shows)
    return ls_cli_usage (command, "--kernel and --block choose whose --layouts, --events or picture are shown");
  if (request->kernel < 1 || request->kernel > G_MAXUINT || request->block < 0)
    return ls_cli_usage (command, "kernels are counted from 1, blocks from 0");
  if ((picture->event > 0) + (picture->finding > 0) + (picture->layout > 0) > 1)
    return ls_cli_usage (command, "a picture is of one --event, --finding or --layout, counted from 1");
  if (picture->path == NULL && (picture->event + picture->finding + picture->layout > 0 || picture->dark))
    return ls_cli_usage (command, "--event, --finding, --layout and --dark are for -o PICTURE");
  if (picture->path != NULL && !g_str_has_suffix (picture->path, ".svg") && !g_str_has_suffix (picture->path, ".png") && !g_str_has_suffix (picture->path, ".pdf"))
    return ls_cli_usage (command, "a picture ends in .svg, .png or .pdf");
  return LS_CLI_DONE;
}

int
ls_cli_simt (int    argc,
             char **argv)
{
  g_autoptr (GPtrArray) set = g_ptr_array_new ();
  Request request = { .timeout = 60, .kernel = 1, .set = set };
  const LsCliOption options[] = {
    { "--json", LS_CLI_FLAG, &request.json },
    { "--layouts", LS_CLI_FLAG, &request.layouts },
    { "--fast", LS_CLI_FLAG, &request.fast },
    { "--events", LS_CLI_FLAG, &request.events },
    { "-o", LS_CLI_TEXT, &request.picture.path },
    { "--event", LS_CLI_NUMBER, &request.picture.event },
    { "--finding", LS_CLI_NUMBER, &request.picture.finding },
    { "--layout", LS_CLI_NUMBER, &request.picture.layout },
    { "--dark", LS_CLI_FLAG, &request.picture.dark },
    { "--func", LS_CLI_TEXT, &request.func },
    { "--steps", LS_CLI_TEXT, &request.steps },
    { "--target", LS_CLI_TEXT, &request.target },
    { "--seed", LS_CLI_NUMBER, &request.seed },
    { "--timeout", LS_CLI_NUMBER, &request.timeout },
    { "--kernel", LS_CLI_NUMBER, &request.kernel },
    { "--block", LS_CLI_NUMBER, &request.block },
    { "--set", LS_CLI_LIST, set },
    { NULL },
  };
  int status = ls_cli_args_read (argc, argv, options, &request.file);

  if (status != LS_CLI_DONE)
    return status;
  status = check_options (&request, argv[0]);
  if (status != LS_CLI_DONE)
    return status;
  request.layouts = request.layouts || request.picture.layout > 0;
  return request.file != NULL ? run (&request, argv[0]) : ls_cli_usage (argv[0], "a file is expected");
}
