/* random-step: see random.h.
 *
 * A step is some lines of Python text that fetch handles by name and apply a primitive to them.  Each row of the table of
 * instructions occurs; which ones are allowed for the program at hand is for the schedule to say.
 */
#include "tests/support/random.h"

#include "engine/schedule/intrin/intrin.h"

static int
pick (GRand *rand,
      int    low,
      int    high)
{
  return g_rand_int_range (rand, low, high + 1);
}

/* Steps that draw, and steps that only leave notes. */
static char *
drawing_step (GRand      *rand,
              const char *head,
              guint       number,
              int         at)
{
  static const int factors[] = { 1, 2, 3, 4 };
  int factor = factors[pick (rand, 0, G_N_ELEMENTS (factors) - 1)];
  int seed = pick (rand, 0, 3);

  switch (pick (rand, 0, 7))
    {
    case 0:
      return g_strdup_printf ("%st%u = sch.sample_perfect_tile(l%u[%d], %d, %d)\nsch.split(l%u[%d], t%u)\n", head, number, number, at, 2 + (factor & 1),
                              seed == 0 ? -1 : 8, number, at, number);
    case 1:
      return g_strdup_printf ("%st%u = sch.sample_partitioned_tile(l%u[%d], 3, %d, %d)\nsch.split(l%u[%d], t%u)\n", head, number, number, at, seed, factor,
                              number, at, number);
    case 2:
      return g_strdup_printf ("%sp%u = sch.sample_compute_location(b%u, decision=%d)\nsch.compute_at(b%u, p%u)\n", head, number, number, seed - 1, number, number);
    case 3:
      return g_strdup_printf ("%sp%u = sch.sample_compute_location(b%u)\nsch.compute_at(b%u, p%u, preserve_unit_loops=True)\n", head, number, number, number, number);
    case 4:
      return g_strdup_printf ("%sv%u = sch.sample_categorical([1, 2, 4], [0.25, 0.25, 0.5])\nsch.annotate(l%u[%d], \"note\", v%u)\n", head, number, number, at, number);
    case 5:
      return g_strdup_printf ("%ssch.annotate(b%u, \"key\", [1, \"two\"])\nsch.unannotate(b%u, \"key\")\nsch.enter_postproc()\n", head, number, number);
    case 6:
      return g_strdup_printf ("%su%u = sch.add_unit_loop(%s%u%s)\n", head, number, seed & 1 ? "b" : "l", number, seed & 1 ? "" : "[0]");
    default:
      return g_strdup_printf ("%ssch.set_scope(b%u, 0, \"%s\")\n", head, number, seed & 1 ? "local" : "shared");
    }
}

/* Copies, cached indices, rings, parts of loops: the primitives on buffers and on block variables. */
static char *
storage_step (GRand      *rand,
              const char *head,
              const char *more,
              guint       number,
              int         at)
{
  static const char *const maps[] = {
    "lambda i: i", "lambda i, j: (j, i)", "lambda i, j: j", "lambda i, j: i * 16 + j", "lambda *i: i", "lambda i, j, k: (k, i)", "lambda i, j, k: (i, j)",
  };
  static const char *const orders[] = { "0", "1, 0", "2, 0, 1", "0, 2, 1" };
  const char *map = maps[pick (rand, 0, G_N_ELEMENTS (maps) - 1)];
  int small = pick (rand, 0, 3);

  switch (pick (rand, 0, 13))
    {
    case 0:
      return g_strdup_printf ("%ssch.reindex_cache_read(b%u, %d, \"%s\", %s)\n", head, number, at & 1, small & 1 ? "shared" : "global", map);
    case 1:
      return g_strdup_printf ("%ssch.reindex_cache_write(b%u, 0, \"%s\", %s)\n", head, number, small & 1 ? "local" : "global", map);
    case 2:
    case 11:
      return g_strdup_printf ("%ssch.cache_inplace(b%u, %d, \"local\")\n", head, number, at & 1);
    case 3:
      return g_strdup_printf ("%ssch.cache_index(b%u, \"global\", %d)\n", head, number, small);
    case 4:
      return g_strdup_printf ("%s%ssch.read_at(m%u[%d], b%u, %d, \"shared\")\n", head, more, number, at, number, small & 1);
    case 5:
      return g_strdup_printf ("%ssch.write_at(l%u[%d], b%u, 0, \"local\")\n", head, number, at, number);
    case 6:
    case 7:
    case 13:
      return g_strdup_printf ("%sm%u = sch.get_loops(sch.get_consumers(b%u)[0])\no%u, i%u = sch.split(m%u[%d], [None, %d])\n\nsch.compute_at(b%u, o%u)\n\n"
                              "sch.rolling_buffer(b%u, 0)\n",
                              head, number, number, number, number, number, at & 1, small + 1, number, number, number);
    case 8:
      return g_strdup_printf ("%ssch.set_axis_separator(b%u, (\"%s\", 0), [%d])\n", head, number, at & 1 ? "read" : "write", small);
    case 9:
      return g_strdup_printf ("%ssch.reorder_block_iter_var(b%u, [%s])\n", head, number, orders[small]);
    default:
      return g_strdup_printf ("%ssch.loop_partition(l%u[%d], [%d, None, %d])\n", head, number, at, small + 1, pick (rand, 1, 5));
    }
}

/* Copies of four and two elements, of matrices and vectors: what tensorize puts in place of them. */
void
ls_test_register_copies (void)
{
  static const char *const dtypes[] = { "float32", "int32" };
  static const char *const shapes[] = { "4", "2, 4", "2", "8" };
  static const char *const loops[] = { "for i in range(4)", "for i, j in T.grid(2, 4)", "for i in range(2)", "for i in range(8)" };
  static const char *const binds[] = { "vi = T.axis.spatial(4, i)", "vi, vj = T.axis.remap(\"SS\", [i, j])", "vi = T.axis.spatial(2, i)", "vi = T.axis.spatial(8, i)" };

  for (guint d = 0; d < G_N_ELEMENTS (dtypes); d++)
    for (guint k = 0; k < G_N_ELEMENTS (shapes); k++)
      {
        const char *at = k == 1 ? "vi, vj" : "vi";
        const char *all = k == 0 ? "0:4" : k == 1 ? "0:2, 0:4" : k == 2 ? "0:2" : "0:8";
        g_autoptr (GString) text = g_string_new ("from tvm.script import tir as T\n");
        g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
        g_autoptr (LsSource) source = NULL;

        for (guint impl = 0; impl < 2; impl++)
          {
            g_string_append_printf (text, "@T.prim_func\ndef copy_%s_%u_%s(a: T.handle, b: T.handle) -> None:\n", dtypes[d], k, impl ? "impl" : "desc");
            for (guint b = 0; b < 2; b++)
              g_string_append_printf (text, "    %s = T.match_buffer(%s, (%s,), \"%s\", offset_factor=1%s)\n", b ? "B" : "A", b ? "b" : "a", shapes[k], dtypes[d],
                                      k == 1 ? b ? ", strides=[T.int32(), 1]" : ", strides=[T.int32(), 1]" : "");
            g_string_append_printf (text, "    with T.block(\"root\"):\n        T.reads(A[%s])\n        T.writes(B[%s])\n        %s:\n", all, all, loops[k]);
            if (impl)
              g_string_append_printf (text, "            B[%s] = A[%s]\n", k == 1 ? "i, j" : "i", k == 1 ? "i, j" : "i");
            else
              g_string_append_printf (text, "            with T.block(\"\"):\n                %s\n                B[%s] = A[%s]\n", binds[k], at, at);
          }
        source = ls_source_new ("copies", text->str, -1);
        if (ls_tensor_intrin_register_text (source, findings) == 0)
          g_error ("%s\n%s", ls_diagnostics_get (findings, 0)->message, text->str);
      }
}

/* What stands for a part of a program: other types, other regions, threads, blocks of blocks, intrinsics. */
static char *
unsafe_step (GRand      *rand,
             const char *head,
             const char *more,
             guint       number,
             int         at)
{
  static const char *const threads[] = { "threadIdx.x", "blockIdx.x", "threadIdx.y", "vthread.x" };
  static const char *const ranges[] = {
    "lambda i, j: (i, j)", "lambda i: i", "lambda i: ((i, i + 3),)", "lambda i, j: ((0, 16), (0, 16))", "lambda i, j, k: ((0, 16), (0, 16))",
    "lambda i, j: ((0, 16),)",
  };
  const char *dtype = pick (rand, 0, 1) ? "float32" : "int32";
  int small = pick (rand, 0, 3);

  switch (pick (rand, 0, 11))
    {
    case 0:
    case 1:
      return g_strdup_printf ("%ssch.bind(l%u[%d], \"%s\")\n", head, number, at, threads[small]);
    case 2:
      return g_strdup_printf ("%ssch.annotate_buffer_access(b%u, %d, \"%s\", %s)\n", head, number, at & 1, small & 1 ? "read" : "write",
                              ranges[pick (rand, 0, G_N_ELEMENTS (ranges) - 1)]);
    case 3:
      return g_strdup_printf ("%ssch.unsafe_hide_buffer_access(b%u, \"%s\", [%d])\n", head, number, small & 1 ? "read" : "write", at & 1);
    case 4:
      return g_strdup_printf ("%ssch.unsafe_set_dtype(b%u, 0, \"%s\")\n", head, number, small & 1 ? "float64" : "int64");
    case 5:
    case 6:
      return g_strdup_printf ("%s%sd%u = sch.blockize([b%u, c%u]%s)\n", head, more, number, number, number, small & 1 ? ", preserve_unit_iters=False" : "");
    case 7:
      return g_strdup_printf ("%ssch.get_child_blocks(l%u[0])\nsch.get_producers(b%u)\n", head, number, number);
    case 8:
      return g_strdup_printf ("%ssch.get_consumers(b%u)\nsch.get_output_blocks(\"root\")\n", head, number);
    case 9:
      return g_strdup_printf ("%sd%u = sch.cache_read(b%u, %d, \"global\")\n\ne%u = sch.get_loops(d%u)\nsch.tensorize(e%u[-1], \"copy_%s_%d\")\n", head, number, number,
                              at & 1, number, number, number, dtype, small);
    default:
      return g_strdup_printf ("%sd%u = sch.cache_write(b%u, 0, \"global\")\n\ne%u = sch.get_loops(d%u)\nf%u, g%u = sch.split(e%u[-1], [None, %d])\n\n"
                              "sch.tensorize(g%u, \"copy_%s_%d\")\n",
                              head, number, number, number, number, number, number, number, small == 0 ? 4 : small == 2 ? 2 : 8, number, dtype, small == 1 ? 3 : small);
    }
}

char *
ls_test_random_step (GRand  *rand,
                     char  **block_names,
                     guint   number)
{
  static const int factors[] = { 2, 3, 4, 5, 7, 8 };
  static const char *const layouts[] = {
    "lambda i: (i // 4, i % 4)", "lambda i, j: (j, i)", "lambda i, j: (i // 4, j, i % 4)", "lambda i, j: (i, j // 2, j % 2)",
    "lambda i, j, k: (k, i, j)", "lambda i, j, k: (i, k // 2, j, k % 2)",
  };
  guint n = g_strv_length (block_names);
  const char *block = block_names[pick (rand, 0, (int) n - 1)];
  const char *other = block_names[pick (rand, 0, (int) n - 1)];
  int at = pick (rand, 0, 3);
  int to = pick (rand, 0, 3);
  int factor = factors[pick (rand, 0, G_N_ELEMENTS (factors) - 1)];
  g_autofree char *head = g_strdup_printf ("b%u = sch.get_block(\"%s\", func_name=\"main\")\nl%u = sch.get_loops(b%u)\n", number, block, number, number);
  g_autofree char *more = g_strdup_printf ("c%u = sch.get_block(\"%s\", func_name=\"main\")\nm%u = sch.get_loops(c%u)\n", number, other, number, number);

  if (pick (rand, 0, 7) == 0)
    return drawing_step (rand, head, number, at);
  if (pick (rand, 0, 4) == 0)
    return storage_step (rand, head, more, number, at);
  if (pick (rand, 0, 7) == 0)
    return unsafe_step (rand, head, more, number, at);
  switch (pick (rand, 0, 28))
    {
    case 0:
    case 1:
      return g_strdup_printf ("%ssch.split(l%u[%d], factors=[None, %d])\n", head, number, at, factor);
    case 2:
      return g_strdup_printf ("%ssch.split(l%u[%d], factors=[%d, None, 2])\n", head, number, at, factor);
    case 3:
    case 4:
      return g_strdup_printf ("%ssch.reorder(l%u[%d], l%u[%d])\n", head, number, at, number, to);
    case 5:
      return g_strdup_printf ("%ssch.fuse(l%u[%d], l%u[%d])\n", head, number, at, number, at + 1);
    case 6:
      return g_strdup_printf ("%ssch.decompose_reduction(b%u, l%u[%d])\n", head, number, number, at);
    case 7:
    case 8:
      return g_strdup_printf ("%s%ssch.compute_at(b%u, m%u[%d])\n", head, more, number, number, at);
    case 9:
    case 10:
      return g_strdup_printf ("%s%ssch.reverse_compute_at(b%u, m%u[%d])\n", head, more, number, number, at);
    case 11:
      return g_strdup_printf ("%ssch.compute_inline(b%u)\n", head, number);
    case 12:
      return g_strdup_printf ("%ssch.reverse_compute_inline(b%u)\n", head, number);
    case 13:
      return g_strdup_printf ("%ssch.vectorize(l%u[%d])\n", head, number, at);
    case 14:
      return g_strdup_printf ("%ssch.parallel(l%u[%d])\n", head, number, at);
    case 15:
    case 16:
      return g_strdup_printf ("%ssch.cache_read(b%u, %d, \"%s\")\n", head, number, at & 1, to & 1 ? "shared" : "global");
    case 17:
      return g_strdup_printf ("%ssch.cache_write(b%u, 0, \"%s\")\n", head, number, to & 1 ? "local" : "global");
    case 18:
      return g_strdup_printf ("%ssch.reindex(b%u, (\"%s\", 0))\n", head, number, to & 1 ? "read" : "write");
    case 19:
      return g_strdup_printf ("%ssch.blockize(l%u[%d])\n", head, number, at);
    case 20:
    case 21:
      return g_strdup_printf ("%ssch.rfactor(l%u[%d], %d)\n", head, number, at, to - 2);
    case 22:
      return g_strdup_printf ("%ssch.transform_layout(b%u, (\"%s\", 0), %s, pad_value=%s)\n", head, number, at & 1 ? "read" : "write",
                              layouts[pick (rand, 0, G_N_ELEMENTS (layouts) - 1)], to & 1 ? "0.0" : "None");
    case 23:
      return g_strdup_printf ("%ssch.transform_block_layout(b%u, %s)\n", head, number, layouts[pick (rand, 0, G_N_ELEMENTS (layouts) - 1)]);
    case 24:
      return g_strdup_printf ("%ssch.pad_einsum(b%u, [%s])\n", head, number, at == 0 ? "4" : at == 1 ? "4, 8" : at == 2 ? "2, 3, 4" : "1, 8, 4, 2");
    case 25:
      return g_strdup_printf ("%ssch.storage_align(b%u, 0, axis=%d, factor=16, offset=%d)\n", head, number, at - 2, to);
    case 27:
      return g_strdup_printf ("%ssch.decompose_padding(b%u, l%u[%d])\n", head, number, number, at);
    case 26:
      return g_strdup_printf ("%s%ssch.merge(l%u[%d], m%u[%d])\n", head, more, number, at, number, at);
    default:
      return g_strdup_printf ("%ssch.unroll(l%u[%d])\n", head, number, at);
    }
}
