/* Random programs with schedules that bind their loops to threads: tiles, copies in shared memory that a block fetches together, local sums,
 * vectors, unrolled loops, virtual threads, loops in stages.  Reductions across threads: random-threads-rows.c; atomic functions:
 * random-threads-atomics.c. */
#include "tests/support/random-threads.h"

#include <string.h>

gint
upto (Writer *w,
      gint    low,
      gint    high)
{
  return g_rand_int_range (w->rand, low, high + 1);
}

gboolean
chance (Writer *w,
        gint    percent)
{
  return g_rand_int_range (w->rand, 0, 100) < percent;
}

gint
pick (Writer     *w,
      const gint *values,
      guint       n)
{
  return values[g_rand_int_range (w->rand, 0, (gint32) n)];
}

void
begin (Writer     *w,
       const char *parameters)
{
  g_autoptr (GString) list = g_string_new (parameters);

  g_string_replace (list, "$t", w->type, 0);
  g_string_append_printf (w->program, "from tvm.script import ir as I, tir as T\n\n\n@I.ir_module\nclass Module:\n    @T.prim_func\n    def main(%s):\n"
                          "        T.func_attr({\"global_symbol\": \"main\", \"tir.noalias\": True})\n", list->str);
}

static void
append (GString    *to,
        const char *type,
        const char *format,
        va_list     args)
{
  g_autofree char *text = g_strdup_vprintf (format, args);
  g_autoptr (GString) full = g_string_new (text);

  g_string_replace (full, "$t", type, 0);
  g_string_append (to, full->str);
}

void
write_body (Writer     *w,
            const char *format,
            ...)
{
  va_list args;

  va_start (args, format);
  append (w->program, w->type, format, args);
  va_end (args);
}

void
write_steps (Writer     *w,
             const char *format,
             ...)
{
  va_list args;

  va_start (args, format);
  append (w->steps, w->type, format, args);
  va_end (args);
}

/* ---- steps that many have --------------------------------------------------------------------- */

/* The loops behind the fetching block's place are one, shared out among the threads of the block, perhaps as vectors. */
static void
fetch_together (Writer     *w,
                const char *block,
                guint       ndim)
{
  gint vector = PICK (w, 1, 1, 2, 4);

  g_string_append_printf (w->steps, "fetch = sch.get_loops(%s)[-%u:]\n", block, ndim);
  g_string_append (w->steps, ndim > 1 ? "fused = sch.fuse(*fetch)\n" : "fused = fetch[0]\n");
  if (w->ty > 1)
    g_string_append_printf (w->steps, "f0, f1, f2, f3 = sch.split(fused, factors=[None, %d, %d, %d])\nsch.bind(f1, \"threadIdx.y\")\nsch.bind(f2, \"threadIdx.x\")\n",
                            w->ty, w->tx, vector);
  else
    g_string_append_printf (w->steps, "f0, f2, f3 = sch.split(fused, factors=[None, %d, %d])\nsch.bind(f2, \"threadIdx.x\")\n", w->tx, vector);
  if (vector > 1)
    g_string_append_printf (w->steps, "sch.%s(f3)\n", chance (w, 70) ? "vectorize" : "unroll");
  if (ndim > 1 && chance (w, 30))
    g_string_append_printf (w->steps, "sch.storage_align(%s, 0, axis=%u, factor=%d, offset=%d)\n", block, ndim - 2, PICK (w, 4, 8, 32), PICK (w, 1, 2));
}

static void
inner_loop (Writer     *w,
            const char *loop,
            gboolean    vectors)
{
  gint way = upto (w, 0, vectors ? 2 : 1);

  if (way > 0)
    g_string_append_printf (w->steps, "sch.%s(%s)\n", way == 1 ? "unroll" : "vectorize", loop);
}

/* A loop as blocks, perhaps virtual threads, threads, and what each thread does. TRUE: with virtual threads. */
static gboolean
share_out (Writer     *w,
           const char *loop,
           const char *axis,
           gint        threads,
           gint        inner)
{
  gboolean virtual = chance (w, 15);
  const char *l = loop;

  if (virtual)
    g_string_append_printf (w->steps, "%s0, %sv, %s1, %s2 = sch.split(%s, factors=[None, 2, %d, %d])\nsch.bind(%sv, \"vthread.%s\")\n", l, l, l, l, l, threads, inner, l, axis);
  else
    g_string_append_printf (w->steps, "%s0, %s1, %s2 = sch.split(%s, factors=[None, %d, %d])\n", l, l, l, l, threads, inner);
  g_string_append_printf (w->steps, "sch.bind(%s0, \"blockIdx.%s\")\nsch.bind(%s1, \"threadIdx.%s\")\n", l, axis, l, axis);
  return virtual;
}

/* Loops i and j of a block shared out, those of blocks outermost, then virtual threads, threads, and the rest. */
static void
share_both (Writer     *w,
            gint        inner_i,
            gint        inner_j,
            const char *between)
{
  gboolean vi = share_out (w, "i", "y", w->ty, inner_i), vj = share_out (w, "j", "x", w->tx, inner_j);

  g_string_append_printf (w->steps, "sch.reorder(i0, j0, %s%si1, j1, %si2, j2)\n", vi ? "iv, " : "", vj ? "jv, " : "", between);
}

/* The loop k0 runs in stages: what is fetched in it a round or two ahead. */
static void
in_stages (Writer *w,
           gint    n_fetched)
{
  g_autoptr (GString) stages = g_string_new (NULL), order = g_string_new (NULL);

  for (gint i = 0; i < n_fetched; i++)
    g_string_append (stages, "0, ");
  for (gint i = 0; i <= n_fetched; i++)
    g_string_append_printf (order, "%s%d", i > 0 ? ", " : "", i);
  write_steps (w, "sch.annotate(k0, \"software_pipeline_stage\", [%s%d])\nsch.annotate(k0, \"software_pipeline_order\", [%s])\n", stages->str, PICK (w, 1, 1, 2), order->str);
  if (chance (w, 30))
    write_steps (w, "sch.annotate(k0, \"software_pipeline_async_stages\", [0])\n");
}

/* ---- programs ------------------------------------------------------------------------------------ */

static void
elementwise (Writer *w)
{
  static const char *const VALUES[] = { "A[vi, vj] * B[vi, vj] - A[vi, vj]", "T.max(A[vi, vj], B[vi, vj]) + B[vi, 0]", "T.if_then_else(A[vi, vj] > B[vi, vj], A[vi, vj], B[0, vj])" };
  gint m = upto (w, 1, 12), n = upto (w, 1, 40);
  g_autofree char *parameters = g_strdup_printf ("A: T.Buffer((%d, %d), \"$t\"), B: T.Buffer((%d, %d), \"$t\"), C: T.Buffer((%d, %d), \"$t\")", m, n, m, n, m, n);

  begin (w, parameters);
  g_string_append_printf (w->program, "        for i, j in T.grid(%d, %d):\n            with T.block(\"C\"):\n                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
                          "                C[vi, vj] = %s\n", m, n, VALUES[upto (w, 0, G_N_ELEMENTS (VALUES) - 1)]);
  w->ty = 1;
  g_string_append (w->steps, "block = sch.get_block(\"C\")\ni, j = sch.get_loops(block)\n");
  if (chance (w, 30))
    {
      /* not of a fused loop: what its threads write is no interval, the copy would take in what others write */
      g_string_append (w->steps, "sch.bind(i, \"blockIdx.y\")\n");
      share_out (w, "j", "x", w->tx, PICK (w, 1, 2, 4));
      g_string_append (w->steps, "cached = sch.cache_write(block, 0, \"local\")\nsch.reverse_compute_at(cached, j1)\n");
      return;
    }
  if (chance (w, 30))
    g_string_append (w->steps, "sch.reorder(j, i)\nl = sch.fuse(j, i)\n");
  else
    g_string_append (w->steps, "l = sch.fuse(i, j)\n");
  share_out (w, "l", "x", w->tx, PICK (w, 1, 2, 4));
  inner_loop (w, "l2", TRUE);
}

static void
window (Writer *w)
{
  gint n = upto (w, 1, 150), stride = PICK (w, 1, 1, 2), width = upto (w, 1, 4);
  g_autofree char *parameters = g_strdup_printf ("A: T.Buffer((%d,), \"$t\"), B: T.Buffer((%d,), \"$t\")", (n - 1) * stride + width, n);
  gboolean first = chance (w, 50);     /* a stage before it, fetched in place of a copy */
  const char *read = first ? "P" : "A";

  begin (w, parameters);
  if (first)
    g_string_append_printf (w->program, "        P = T.alloc_buffer((%d,), \"%s\")\n        for i in range(%d):\n            with T.block(\"P\"):\n"
                            "                vi = T.axis.spatial(%d, i)\n                P[vi] = A[vi] * A[vi]\n", (n - 1) * stride + width, w->type, (n - 1) * stride + width,
                            (n - 1) * stride + width);
  g_string_append_printf (w->program, "        for i in range(%d):\n            with T.block(\"B\"):\n                vi = T.axis.spatial(%d, i)\n                B[vi] = ", n, n);
  for (gint o = 0; o < width; o++)
    g_string_append_printf (w->program, "%s%s[vi * %d + %d]", o > 0 ? " + " : "", read, stride, o);
  g_string_append (w->program, "\n");
  w->ty = 1;
  g_string_append (w->steps, "block = sch.get_block(\"B\")\ni, = sch.get_loops(block)\n");
  share_out (w, "i", "x", w->tx, PICK (w, 1, 1, 2, 3));
  if (first)
    g_string_append (w->steps, "shared = sch.get_block(\"P\")\nsch.compute_at(shared, i0, preserve_unit_loops=True)\nsch.set_scope(shared, 0, \"shared\")\n");
  else
    g_string_append (w->steps, "shared = sch.cache_read(block, 0, \"shared\")\nsch.compute_at(shared, i0, preserve_unit_loops=True)\n");
  fetch_together (w, "shared", 1);
  inner_loop (w, "i2", FALSE);
}

static void
transpose (Writer *w)
{
  gint m = upto (w, 1, 40), n = upto (w, 1, 40);
  g_autofree char *parameters = g_strdup_printf ("A: T.Buffer((%d, %d), \"$t\"), B: T.Buffer((%d, %d), \"$t\")", n, m, m, n);

  begin (w, parameters);
  g_string_append_printf (w->program, "        for i, j in T.grid(%d, %d):\n            with T.block(\"B\"):\n                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
                          "                B[vi, vj] = A[vj, vi]\n", m, n);
  g_string_append (w->steps, "block = sch.get_block(\"B\")\ni, j = sch.get_loops(block)\n");
  share_both (w, PICK (w, 1, 2), PICK (w, 1, 2), "");
  if (chance (w, 85))
    {
      g_string_append (w->steps, "shared = sch.cache_read(block, 0, \"shared\")\nsch.compute_at(shared, j0, preserve_unit_loops=True)\n");
      fetch_together (w, "shared", 2);
    }
}

/* Of matrices, or of one pair of them for each of a few batches; sums perhaps wider than the factors; loops over tiles perhaps in stages. */
static void
product (Writer *w)
{
  gint m = upto (w, 1, 20), n = upto (w, 1, 24), k = upto (w, 1, 20), b = chance (w, 25) ? upto (w, 1, 3) : 0, at_k0 = 0;
  gboolean transposed = chance (w, 40), relu = chance (w, 40), wide = chance (w, 50), local, decomposed = chance (w, 60);
  const char *sum = !wide ? w->type : strcmp (w->type, "float16") == 0 ? "float32" : strstr (w->type, "int8") != NULL ? "int32" : w->type;
  g_autofree char *batch = b > 0 ? g_strdup_printf ("%d, ", b) : g_strdup (""), *vb = g_strdup (b > 0 ? "vb, " : "");
  g_autofree char *parameters = g_strdup_printf ("A: T.Buffer((%s%d, %d), \"$t\"), B: T.Buffer((%s%d, %d), \"$t\"), %s: T.Buffer((%s%d, %d), \"%s\")", batch, m, k,
                                                 batch, transposed ? n : k, transposed ? k : n, relu ? "D" : "C", batch, m, n, sum);

  begin (w, parameters);
  if (relu)
    write_body (w, "        C = T.alloc_buffer((%s%d, %d), \"%s\")\n", batch, m, n, sum);
  write_body (w, "        for %si, j, k in T.grid(%s%d, %d, %d):\n            with T.block(\"C\"):\n                %svi, vj, vk = T.axis.remap(\"%sSSR\", [%si, j, k])\n"
              "                with T.init():\n                    C[%svi, vj] = T.%s(0)\n",
              b > 0 ? "b, " : "", batch, m, n, k, vb, b > 0 ? "S" : "", b > 0 ? "b, " : "", vb, sum);
  write_body (w, "                C[%svi, vj] = C[%svi, vj] + T.Cast(\"%s\", A[%svi, vk]) * T.Cast(\"%s\", B[%s%s])\n", vb, vb, sum, vb, sum, vb, transposed ? "vj, vk" : "vk, vj");
  if (relu)
    write_body (w, "        for %si, j in T.grid(%s%d, %d):\n            with T.block(\"D\"):\n                %svi, vj = T.axis.remap(\"%sSS\", [%si, j])\n"
                "                D[%svi, vj] = T.max(C[%svi, vj], T.%s(0))\n", b > 0 ? "b, " : "", batch, m, n, vb, b > 0 ? "S" : "", b > 0 ? "b, " : "", vb, vb, sum);
  local = relu || chance (w, 70);
  write_steps (w, "block = sch.get_block(\"C\")\n");
  if (relu)
    write_steps (w, "sch.set_scope(block, 0, \"local\")\nlocal = sch.get_block(\"D\")\n");
  else if (local)
    write_steps (w, "local = sch.cache_write(block, 0, \"local\")\n");
  write_steps (w, b > 0 ? "b, i, j, k = sch.get_loops(block)\nsch.bind(b, \"blockIdx.z\")\n" : "i, j, k = sch.get_loops(block)\n");
  write_steps (w, "k0, k1 = sch.split(k, factors=[None, %d])\n", PICK (w, 1, 2, 3, 4, 8));
  share_both (w, PICK (w, 1, 2, 3), PICK (w, 1, 2, 4), "k0, k1, ");
  if (local)
    {
      write_steps (w, "sch.reverse_compute_at(local, j1)\n");
      if (chance (w, 25))
        write_steps (w, "sch.vectorize(sch.get_loops(local)[-1])\n");
    }
  for (guint operand = 0; operand < 2; operand++)
    if (chance (w, 75))
      {
        gboolean inside = chance (w, 70);

        at_k0 += inside;
        write_steps (w, "shared%u = sch.cache_read(block, %u, \"shared\")\nsch.compute_at(shared%u, %s, preserve_unit_loops=True)\n", operand, operand, operand, inside ? "k0" : "j1");
        fetch_together (w, operand == 0 ? "shared0" : "shared1", b > 0 ? 3 : 2);
        if (chance (w, 25))
          write_steps (w, "mine%u = sch.cache_read(block, %u, \"local\")\nsch.compute_at(mine%u, k1)\n", operand, operand, operand);
      }
  inner_loop (w, "j2", TRUE);
  if (chance (w, 40))
    write_steps (w, "sch.unroll(k1)\n");
  if (decomposed)
    write_steps (w, "sch.decompose_reduction(block, k0)\n");
  if (decomposed && at_k0 > 0 && chance (w, 50))
    in_stages (w, at_k0);
}

/* Three loops, each shared out along an axis of its own choice. */
static void
solid (Writer *w)
{
  static const char *const VALUES[] = { "A[vi, vj, vk] + B[vk, vj]", "A[vi, vj, vk] * B[vk, vj] - A[vi, vj, 0]", "T.max(A[vi, vj, vk], B[vk, vj])" };
  gint a = upto (w, 1, 6), b = upto (w, 1, 9), c = upto (w, 1, 30), first = upto (w, 0, 2), cached = upto (w, 0, 3), vector = PICK (w, 1, 2, 3, 4);
  gint threads[3] = { PICK (w, 1, 2, 3), PICK (w, 1, 2, 4), PICK (w, 2, 5, 8, 16) };
  g_autofree char *parameters = g_strdup_printf ("A: T.Buffer((%d, %d, %d), \"$t\"), B: T.Buffer((%d, %d), \"$t\"), C: T.Buffer((%d, %d, %d), \"$t\")", a, b, c, c, b, a, b, c);

  begin (w, parameters);
  write_body (w, "        for i, j, k in T.grid(%d, %d, %d):\n            with T.block(\"C\"):\n                vi, vj, vk = T.axis.remap(\"SSS\", [i, j, k])\n"
              "                C[vi, vj, vk] = %s\n", a, b, c, VALUES[upto (w, 0, G_N_ELEMENTS (VALUES) - 1)]);
  write_steps (w, "block = sch.get_block(\"C\")\ni, j, k = sch.get_loops(block)\n");
  write_steps (w, "i0, i1 = sch.split(i, factors=[None, %d])\nj0, j1 = sch.split(j, factors=[None, %d])\nk0, k1, k2 = sch.split(k, factors=[None, %d, %d])\n",
               threads[0], threads[1], threads[2], vector);
  write_steps (w, "sch.reorder(i0, j0, k0, i1, j1, k1, k2)\n");
  for (gint axis = 0; axis < 3; axis++)
    write_steps (w, "sch.bind(%c0, \"blockIdx.%c\")\nsch.bind(%c1, \"threadIdx.%c\")\n", 'i' + axis, 'x' + (axis + first) % 3, 'i' + axis, 'x' + (axis + first) % 3);
  if (cached == 1)
    write_steps (w, "mine = sch.cache_read(block, %d, \"local\")\nsch.compute_at(mine, k1)\n", upto (w, 0, 1));
  else if (cached == 2)
    {
      write_steps (w, "written = sch.cache_write(block, 0, \"local\")\nsch.reverse_compute_at(written, k1)\n");
      if (chance (w, 50))
        write_steps (w, "sch.vectorize(sch.get_loops(written)[-1])\n");
    }
  inner_loop (w, "k2", TRUE);
}

/* A frame of zeros, then a window of two dimensions with weights. */
static void
framed (Writer *w)
{
  gint m = upto (w, 1, 14), n = upto (w, 1, 20), r = PICK (w, 1, 2, 3), s = PICK (w, 1, 3), pad = upto (w, 0, 2), way = upto (w, 0, 2);
  gint height = MAX (1, m + 2 * pad - r + 1), width = MAX (1, n + 2 * pad - s + 1);
  g_autofree char *parameters = NULL;

  m = MAX (m, r);
  n = MAX (n, s);
  height = m + 2 * pad - r + 1;
  width = n + 2 * pad - s + 1;
  parameters = g_strdup_printf ("A: T.Buffer((%d, %d), \"$t\"), W: T.Buffer((%d, %d), \"$t\"), C: T.Buffer((%d, %d), \"$t\")", m, n, r, s, height, width);
  begin (w, parameters);
  write_body (w, "        P = T.alloc_buffer((%d, %d), \"$t\")\n        for i, j in T.grid(%d, %d):\n            with T.block(\"P\"):\n                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
              "                P[vi, vj] = T.if_then_else(%d <= vi and vi < %d and %d <= vj and vj < %d, A[vi - %d, vj - %d], T.$t(0))\n",
              m + 2 * pad, n + 2 * pad, m + 2 * pad, n + 2 * pad, pad, m + pad, pad, n + pad, pad, pad);
  write_body (w, "        for i, j, r, s in T.grid(%d, %d, %d, %d):\n            with T.block(\"C\"):\n                vi, vj, vr, vs = T.axis.remap(\"SSRR\", [i, j, r, s])\n"
              "                with T.init():\n                    C[vi, vj] = T.$t(0)\n                C[vi, vj] = C[vi, vj] + P[vi + vr, vj + vs] * W[vr, vs]\n", height, width, r, s);
  write_steps (w, "block = sch.get_block(\"C\")\n");
  if (way == 0)
    write_steps (w, "sch.compute_inline(\"P\")\n");
  if (chance (w, 60))
    write_steps (w, "local = sch.cache_write(block, 0, \"local\")\n");
  write_steps (w, "i, j, r, s = sch.get_loops(block)\n");
  share_both (w, PICK (w, 1, 2), PICK (w, 1, 2, 3), "r, s, ");
  if (strstr (w->steps->str, "local = ") != NULL)
    write_steps (w, "sch.reverse_compute_at(local, j1)\n");
  if (way > 0)
    {
      write_steps (w, "frame = sch.get_block(\"P\")\nsch.set_scope(frame, 0, \"shared\")\nsch.compute_at(frame, %s, preserve_unit_loops=True)\n", way == 1 ? "j0" : "r");
      fetch_together (w, "frame", 2);
    }
  if (chance (w, 40))
    {
      write_steps (w, "weights = sch.cache_read(block, 1, \"shared\")\nsch.compute_at(weights, j0, preserve_unit_loops=True)\n");
      fetch_together (w, "weights", 2);
    }
  if (chance (w, 40))
    write_steps (w, "sch.unroll(s)\n");
}

/* Two kernels, the second of which reads what the first has written. */
static void
in_turn (Writer *w)
{
  gint m = upto (w, 1, 20), n = upto (w, 1, 30);
  g_autofree char *parameters = g_strdup_printf ("A: T.Buffer((%d, %d), \"$t\"), C: T.Buffer((%d, %d), \"$t\")", m, n, n, m);

  begin (w, parameters);
  write_body (w, "        P = T.alloc_buffer((%d, %d), \"$t\")\n        for i, j in T.grid(%d, %d):\n            with T.block(\"P\"):\n                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
              "                P[vi, vj] = A[vi, vj] * A[vi, %d - vj]\n", m, n, m, n, n - 1);
  write_body (w, "        for i, j in T.grid(%d, %d):\n            with T.block(\"C\"):\n                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
              "                C[vi, vj] = P[vj, vi] - P[%d - vj, vi]\n", n, m, m - 1);
  for (guint k = 0; k < 2; k++)
    {
      write_steps (w, "block = sch.get_block(\"%c\")\ni, j = sch.get_loops(block)\n", k == 0 ? 'P' : 'C');
      if (chance (w, 50))
        {
          write_steps (w, "l = sch.fuse(i, j)\n");
          share_out (w, "l", "x", w->tx, PICK (w, 1, 2, 4));
          inner_loop (w, "l2", TRUE);
        }
      else
        share_both (w, PICK (w, 1, 2), PICK (w, 1, 2), "");
    }
}

/* What the other lanes of a warp have. */
static void
lanes (Writer *w)
{
  gint n = upto (w, 1, 5) * 32, by = PICK (w, 1, 2, 5, 16);
  g_autofree char *parameters = g_strdup_printf ("A: T.Buffer((%d,), \"$t\"), B: T.Buffer((%d,), \"$t\")", n, n);

  begin (w, parameters);
  write_body (w, "        for i in range(%d):\n            with T.block(\"B\"):\n                vi = T.axis.spatial(%d, i)\n"
              "                B[vi] = A[vi // 32 * 32 + (vi + %d) %% 32] - A[vi]\n", n, n, by);
  write_steps (w, "block = sch.get_block(\"B\")\ni, = sch.get_loops(block)\nl0, l1 = sch.split(i, factors=[None, 32])\nsch.bind(l0, \"blockIdx.x\")\nsch.bind(l1, \"threadIdx.x\")\n"
               "cached = sch.cache_read(block, 0, \"%s\")\nsch.compute_at(cached, l0, preserve_unit_loops=True)\nsch.bind(sch.get_loops(cached)[-1], \"threadIdx.x\")\n",
               chance (w, 80) ? "warp" : "shared");
}

/* Tiles that read_at and write_at copy. */
static void
tiles (Writer *w)
{
  static const gint VECTORS[] = { 0, 4, 8, 16 };
  gint ti = PICK (w, 4, 8, 16), tj = PICK (w, 4, 8, 32), tk = PICK (w, 4, 8), m = ti * upto (w, 1, 2), n = tj * upto (w, 1, 2), k = tk * upto (w, 1, 3), vector;
  g_autofree char *parameters = g_strdup_printf ("A: T.Buffer((%d, %d), \"$t\"), B: T.Buffer((%d, %d), \"$t\"), C: T.Buffer((%d, %d), \"$t\")", m, k, k, n, m, n);

  begin (w, parameters);
  write_body (w, "        for i, j, k in T.grid(%d, %d, %d):\n            with T.block(\"C\"):\n                vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n"
              "                with T.init():\n                    C[vi, vj] = T.$t(0)\n                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]\n", m, n, k);
  w->ty = PICK (w, 1, 2, 4);
  w->tx = PICK (w, 2, 4);
  write_steps (w, "block = sch.get_block(\"C\")\ni, j, k = sch.get_loops(block)\ni0, i1, i2 = sch.split(i, factors=[None, %d, %d])\nj0, j1, j2 = sch.split(j, factors=[None, %d, %d])\n"
               "k0, k1 = sch.split(k, factors=[None, %d])\nsch.reorder(i0, j0, i1, j1, k0, k1, i2, j2)\nsch.bind(i0, \"blockIdx.y\")\nsch.bind(j0, \"blockIdx.x\")\n"
               "sch.bind(i1, \"threadIdx.y\")\nsch.bind(j1, \"threadIdx.x\")\n", w->ty, ti / w->ty, w->tx, tj / w->tx, tk);
  for (guint operand = 0; operand < 2; operand++)
    if (chance (w, 85))
      {
        vector = VECTORS[upto (w, 0, 3)];
        write_steps (w, "copy%u = sch.read_at(j0, block, %u, \"shared\")\n", operand, operand);
        if (vector > 0)
          write_steps (w, "sch.annotate(copy%u, \"vector_bytes\", %d)\n", operand, vector);
        if (chance (w, 30))
          write_steps (w, "sch.annotate(copy%u, \"local_stage\", True)\n", operand);
      }
  if (chance (w, 60))
    write_steps (w, "sch.write_at(j0, block, 0, \"shared\")\n");
}

char *
ls_test_random_threads (GRand  *rand,
                        char  **steps)
{
  static void (*const ALL[]) (Writer *w) = { elementwise, window, transpose, product, product, product, solid, framed, in_turn, lanes, tiles,
                                             write_rows, write_factored, write_stages, write_place, write_counts };
  static const char *const TYPES[] = { "float32", "float32", "float32", "int32", "int32", "float16", "float16", "int8", "int8", "uint8", "int16", "float64", "int64" };
  Writer w = { rand, g_string_new (NULL), g_string_new (NULL), "float32", 1, 1 };

  w.type = TYPES[upto (&w, 0, G_N_ELEMENTS (TYPES) - 1)];
  w.tx = PICK (&w, 2, 3, 4, 8, 16, 32, 33, 64);
  w.ty = w.tx > 16 ? PICK (&w, 1, 2) : PICK (&w, 1, 2, 4, 5);
  ALL[g_rand_int_range (rand, 0, G_N_ELEMENTS (ALL))] (&w);
  *steps = g_string_free (w.steps, FALSE);
  return g_string_free (w.program, FALSE);
}
