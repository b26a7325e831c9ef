/* Random programs with schedules that bind their loops to threads: tiles, copies in shared memory that a block fetches together, local sums,
 * reductions across threads, vectors, unrolled loops, virtual threads. */
#include "tests/support/random.h"

typedef struct {
  GRand   *rand;
  GString *program, *steps;
  const char *type;             /* of all arrays */
  gint     tx, ty;              /* threads of a block */
} Writer;

static gint
upto (Writer *w,
      gint    low,
      gint    high)
{
  return g_rand_int_range (w->rand, low, high + 1);
}

static gboolean
chance (Writer *w,
        gint    percent)
{
  return g_rand_int_range (w->rand, 0, 100) < percent;
}

static gint
pick (Writer     *w,
      const gint *values,
      guint       n)
{
  return values[g_rand_int_range (w->rand, 0, (gint32) n)];
}

#define PICK(w, ...) pick (w, (const gint[]) { __VA_ARGS__ }, G_N_ELEMENTS (((const gint[]) { __VA_ARGS__ })))

static void
begin (Writer     *w,
       const char *parameters)
{
  g_autoptr (GString) list = g_string_new (parameters);

  g_string_replace (list, "$t", w->type, 0);
  g_string_append_printf (w->program, "from tvm.script import ir as I, tir as T\n\n\n@I.ir_module\nclass Module:\n    @T.prim_func\n    def main(%s):\n"
                          "        T.func_attr({\"global_symbol\": \"main\", \"tir.noalias\": True})\n", list->str);
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

static void
product (Writer *w)
{
  gint m = upto (w, 1, 20), n = upto (w, 1, 24), k = upto (w, 1, 20);
  gboolean transposed = chance (w, 40), relu = chance (w, 40), local;
  g_autofree char *parameters = g_strdup_printf ("A: T.Buffer((%d, %d), \"$t\"), B: T.Buffer((%d, %d), \"$t\"), %s: T.Buffer((%d, %d), \"$t\")", m, k,
                                                 transposed ? n : k, transposed ? k : n, relu ? "D" : "C", m, n);

  begin (w, parameters);
  if (relu)
    g_string_append_printf (w->program, "        C = T.alloc_buffer((%d, %d), \"%s\")\n", m, n, w->type);
  g_string_append_printf (w->program, "        for i, j, k in T.grid(%d, %d, %d):\n            with T.block(\"C\"):\n                vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n"
                          "                with T.init():\n                    C[vi, vj] = T.%s(0)\n                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[%s]\n",
                          m, n, k, w->type, transposed ? "vj, vk" : "vk, vj");
  if (relu)
    g_string_append_printf (w->program, "        for i, j in T.grid(%d, %d):\n            with T.block(\"D\"):\n                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
                            "                D[vi, vj] = T.max(C[vi, vj], T.%s(0))\n", m, n, w->type);
  local = relu || chance (w, 70);
  g_string_append (w->steps, "block = sch.get_block(\"C\")\n");
  if (relu)
    g_string_append (w->steps, "sch.set_scope(block, 0, \"local\")\nlocal = sch.get_block(\"D\")\n");
  else if (local)
    g_string_append (w->steps, "local = sch.cache_write(block, 0, \"local\")\n");
  g_string_append (w->steps, "i, j, k = sch.get_loops(block)\n");
  g_string_append_printf (w->steps, "k0, k1 = sch.split(k, factors=[None, %d])\n", PICK (w, 1, 2, 3, 4, 8));
  share_both (w, PICK (w, 1, 2, 3), PICK (w, 1, 2, 4), "k0, k1, ");
  if (local)
    g_string_append (w->steps, "sch.reverse_compute_at(local, j1)\n");
  for (guint operand = 0; operand < 2; operand++)
    if (chance (w, 75))
      {
        g_string_append_printf (w->steps, "shared%u = sch.cache_read(block, %u, \"shared\")\nsch.compute_at(shared%u, %s, preserve_unit_loops=True)\n", operand, operand, operand,
                                chance (w, 70) ? "k0" : "j1");
        fetch_together (w, operand == 0 ? "shared0" : "shared1", 2);
        if (chance (w, 25))
          g_string_append_printf (w->steps, "mine%u = sch.cache_read(block, %u, \"local\")\nsch.compute_at(mine%u, k1)\n", operand, operand, operand);
      }
  inner_loop (w, "j2", TRUE);
  if (chance (w, 40))
    g_string_append (w->steps, "sch.unroll(k1)\n");
  if (chance (w, 60))
    g_string_append (w->steps, "sch.decompose_reduction(block, k0)\n");
}

/* A row's sum or maximum, then something of each element with it. */
static void
rows (Writer *w)
{
  gint m = upto (w, 1, 6), n = upto (w, 1, 70);
  gboolean across = chance (w, 70), largest = chance (w, 50);
  const char *each = largest ? "T.max(S[vi], X[vi, vk])" : "S[vi] + X[vi, vk]";
  g_autofree char *parameters = g_strdup_printf ("X: T.Buffer((%d, %d), \"$t\"), Y: T.Buffer((%d, %d), \"$t\")", m, n, m, n);

  w->ty = 1;
  begin (w, parameters);
  g_string_append_printf (w->program, "        S = T.alloc_buffer((%d,), \"%s\")\n        for i, k in T.grid(%d, %d):\n            with T.block(\"S\"):\n"
                          "                vi, vk = T.axis.remap(\"SR\", [i, k])\n                with T.init():\n                    S[vi] = %s\n                S[vi] = %s\n",
                          m, w->type, m, n, largest ? "T.min_value(\"$t\")" : "T.$t(0)", each);
  g_string_append_printf (w->program, "        for i, j in T.grid(%d, %d):\n            with T.block(\"Y\"):\n                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
                          "                Y[vi, vj] = X[vi, vj] * S[vi] - S[vi]\n", m, n);
  g_string_replace (w->program, "$t", w->type, 0);
  g_string_append_printf (w->steps, "last = sch.get_block(\"Y\")\ni, j = sch.get_loops(last)\nsch.bind(i, \"blockIdx.x\")\nj0, j1 = sch.split(j, factors=[None, %d])\n"
                          "sch.bind(j1, \"threadIdx.x\")\nsum = sch.get_block(\"S\")\n", w->tx);
  if (across)
    g_string_append_printf (w->steps, "sch.compute_at(sum, i)\nsch.set_scope(sum, 0, \"shared\")\nk = sch.get_loops(sum)[-1]\nk0, k1 = sch.split(k, factors=[None, %d])\n"
                            "sch.bind(k1, \"threadIdx.x\")\n", w->tx);
  else
    g_string_append (w->steps, "sch.compute_at(sum, j1)\nsch.set_scope(sum, 0, \"local\")\n");
}

char *
ls_test_random_threads (GRand  *rand,
                        char  **steps)
{
  static void (*const ALL[]) (Writer *w) = { elementwise, window, transpose, product, product, product, rows };
  Writer w = { rand, g_string_new (NULL), g_string_new (NULL), "float32", 1, 1 };

  w.type = chance (&w, 50) ? "float32" : "int32";
  w.tx = PICK (&w, 2, 3, 4, 8, 16, 32, 33, 64);
  w.ty = w.tx > 16 ? PICK (&w, 1, 2) : PICK (&w, 1, 2, 4, 5);
  ALL[g_rand_int_range (rand, 0, G_N_ELEMENTS (ALL))] (&w);
  *steps = g_string_free (w.steps, FALSE);
  return g_string_free (w.program, FALSE);
}
