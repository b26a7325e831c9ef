/* Random programs whose threads change the same places by atomic functions: in the memory of all, or first in that of their block.  They are written as
 * they run: a step that binds such a loop would warn that it does not know what happens at the same time. */
#include "tests/support/random-threads.h"

typedef struct {
  gint        n, bins, blocks, rounds;
  const char *type;             /* of what is counted */
  const char *first, *last;     /* the function within a block, and for what comes of it */
  const char *begin;            /* what a place of a block begins with */
} Counts;

/* Of the elements of A that a thread has, guarded where the last ones are too many; `to`: where it adds. */
static void
put_rounds (Writer       *w,
            const Counts *counts,
            const char   *to)
{
  static const char *const PLACES[] = { "vi %% %d", "T.bitwise_and(T.Cast(\"int32\", A[vi]), 7) %% %d", "T.Cast(\"int32\", A[vi]) %% %d", "vi // 3 %% %d" };
  static const char *const VALUES[] = { "T.Cast(\"%s\", A[vi])", "T.Cast(\"%s\", vi %% 5)", "T.%s(1)" };
  g_autofree char *place = NULL, *value = NULL;

G_GNUC_BEGIN_IGNORE_DEPRECATIONS
  place = g_strdup_printf (PLACES[upto (w, 0, G_N_ELEMENTS (PLACES) - 1)], counts->bins);
  value = g_strdup_printf (VALUES[upto (w, 0, G_N_ELEMENTS (VALUES) - 1)], counts->type);
G_GNUC_END_IGNORE_DEPRECATIONS
  write_body (w, "            for t in T.thread_binding(%d, thread=\"threadIdx.x\"):\n                for r in range(%d):\n                    with T.block(\"H\"):\n"
              "                        vi = T.axis.spatial(%d, (b * %d + r) * %d + t)\n                        T.where((b * %d + r) * %d + t < %d)\n"
              "                        T.reads(A[vi], %s[0:%d])\n                        T.writes(%s[0:%d])\n",
              w->tx, counts->rounds, counts->n, counts->rounds, w->tx, counts->rounds, w->tx, counts->n, to, counts->bins, to, counts->bins);
  write_body (w, "                        T.evaluate(T.call_extern(\"%s\", \"%s\", T.address_of(%s[%s]), %s))\n", counts->type, counts->first, to, place, value);
}

void
write_counts (Writer *w)
{
  static const char *const TYPES[] = { "int32", "int32", "uint32", "int64", "float32" }, *const FUNCTIONS[] = { "atomicAdd", "atomicSub", "atomicMax", "atomicMin" };
  Counts counts = { .n = upto (w, 1, 150), .bins = upto (w, 1, MIN (w->tx, 9)), .rounds = upto (w, 1, 3), .type = TYPES[upto (w, 0, G_N_ELEMENTS (TYPES) - 1)] };
  gboolean real = counts.type[0] == 'f', shared = chance (w, 60);
  gint which = real ? 0 : upto (w, 0, G_N_ELEMENTS (FUNCTIONS) - 1);
  g_autofree char *parameters = g_strdup_printf ("A: T.Buffer((%d,), \"$t\"), H: T.Buffer((%d,), \"%s\")", counts.n, counts.bins, counts.type), *begins = NULL;

  counts.first = FUNCTIONS[which];
  counts.last = FUNCTIONS[which == 1 ? 0 : which];
  counts.blocks = (counts.n + counts.rounds * w->tx - 1) / (counts.rounds * w->tx);
  begins = g_strdup_printf (which < 2 ? "T.%s(0)" : which == 2 ? "T.min_value(\"%s\")" : "T.max_value(\"%s\")", counts.type);
  counts.begin = begins;
  begin (w, parameters);
  if (shared)
    write_body (w, "        S = T.alloc_buffer((%d,), \"%s\", scope=\"shared\")\n", counts.bins, counts.type);
  write_body (w, "        for b in T.thread_binding(%d, thread=\"blockIdx.x\"):\n", counts.blocks);
  if (shared)
    write_body (w, "            for t in T.thread_binding(%d, thread=\"threadIdx.x\"):\n                with T.block(\"Z\"):\n                    vt = T.axis.spatial(%d, t)\n"
                "                    T.where(t < %d)\n                    S[vt] = %s\n", w->tx, counts.bins, counts.bins, counts.begin);
  put_rounds (w, &counts, shared ? "S" : "H");
  if (shared)
    write_body (w, "            for t in T.thread_binding(%d, thread=\"threadIdx.x\"):\n                with T.block(\"O\"):\n                    vt = T.axis.spatial(%d, t)\n"
                "                    T.where(t < %d)\n                    T.reads(S[vt], H[vt])\n                    T.writes(H[vt])\n"
                "                    T.evaluate(T.call_extern(\"%s\", \"%s\", T.address_of(H[vt]), S[vt]))\n",
                w->tx, counts.bins, counts.bins, counts.type, counts.last);
}
