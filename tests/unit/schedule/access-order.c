/* The order of accesses of programs that were followed by hand, and what a step must not change about them. */
#include "engine/interp/locality.h"
#include "engine/schedule/schedule.h"
#include "engine/script/parser.h"
#include "tests/support/support.h"
#include "tests/unit/schedule/programs.h"

#include <string.h>

/* mm_relu with n rows and columns. */
static char *
mm_relu (guint n)
{
  GString *text = g_string_new (MM_RELU);
  g_autofree char *number = g_strdup_printf ("%u", n);

  g_string_replace (text, "128", number, 0);
  return g_string_free (text, FALSE);
}

static LsAccessOrder *
try_order (const char *program, const char *steps, guint most, GError **error)
{
  g_autoptr (LsSource) source = ls_source_new ("program", program, -1);
  g_autoptr (LsSource) text = ls_source_new ("steps", steps, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) module = ls_script_parse (source, findings);
  g_autoptr (LsSchedule) schedule = NULL;

  if (ls_diagnostics_has_error (findings))
    g_error ("%s", ls_diagnostics_print (findings));
  schedule = ls_schedule_new (module);
  ls_schedule_apply_text (schedule, text, 0, findings);
  if (ls_diagnostics_has_error (findings))
    g_error ("%s", ls_diagnostics_print (findings));
  return ls_access_order_new ((LsPrimFunc *) ls_module_get (ls_schedule_get_module (schedule), "main"), most, NULL, error);
}

static LsAccessOrder *
order_of (const char *program, const char *steps, guint most)
{
  g_autoptr (GError) error = NULL;
  LsAccessOrder *order = try_order (program, steps, most, &error);

  g_assert_no_error (error);
  return order;
}

static const LsAccess *
access_at (LsAccessOrder *order, guint i)
{
  g_assert_cmpuint (i, <, order->accesses->len);
  return &g_array_index (order->accesses, LsAccess, i);
}

/* "Y[0, 1]=" for a write, "A[0, 0]" for a read. */
static char *
words_of (LsAccessOrder *order, const LsAccess *access)
{
  const LsAccessBuffer *buffer = &g_array_index (order->buffers, LsAccessBuffer, access->buffer);
  GString *words = g_string_new (buffer->name);
  gint64 indices[8];

  ls_access_indices (buffer, access->element, indices);
  for (guint i = 0; i < buffer->ndim; i++)
    g_string_append_printf (words, "%s%" G_GINT64_FORMAT, i == 0 ? "[" : ", ", indices[i]);
  g_string_append (words, access->is_write ? "]=" : "]");
  return g_string_free (words, FALSE);
}

static char *
words_of_first (LsAccessOrder *order, guint n)
{
  GString *words = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *one = words_of (order, access_at (order, i));

      g_string_append_printf (words, "%s%s", i > 0 ? " " : "", one);
    }
  return g_string_free (words, FALSE);
}

/* i, j, k: the init at k = 0, then the sum; k runs along a row of A and down a column of B. */
static void
test_base (void)
{
  g_autofree char *program = mm_relu (2);
  g_autoptr (LsAccessOrder) order = order_of (program, "", 1000);
  g_autofree char *words = words_of_first (order, 10);
  const LsAccessMoment *moment;
  const LsAccessPlace *place;

  g_assert_cmpstr (words, ==, "Y[0, 0]= Y[0, 0] A[0, 0] B[0, 0] Y[0, 0]= Y[0, 0] A[0, 1] B[1, 0] Y[0, 0]= Y[0, 1]=");
  /* 4 inits, 8 times 4, then 4 times 2 */
  g_assert_cmpuint (order->accesses->len, ==, 4 + 32 + 8);
  g_assert_false (order->stopped);
  moment = &g_array_index (order->moments, LsAccessMoment, access_at (order, 6)->moment);
  place = order->places->pdata[moment->place];
  g_assert_cmpstr (place->block, ==, "Y");
  g_assert_cmpuint (place->n_loops, ==, 3);
  g_assert_cmpstr (place->loops[2], ==, "k");
  g_assert_cmpint (g_array_index (order->values, gint64, moment->first + 2), ==, 1);
  g_assert_cmpint (g_array_index (order->values, gint64, moment->first + 1), ==, 0);
}

/* i, k, j: k stays while j runs along a row of B. */
static void
test_reordered (void)
{
  g_autofree char *program = mm_relu (2);
  g_autoptr (LsAccessOrder) order = order_of (program, "b = sch.get_block(\"Y\")\ni, j, k = sch.get_loops(b)\nsch.reorder(k, j)\n", 1000);
  g_autofree char *words = words_of_first (order, 14);

  g_assert_cmpstr (words, ==,
                   "Y[0, 0]= Y[0, 0] A[0, 0] B[0, 0] Y[0, 0]= Y[0, 1]= Y[0, 1] A[0, 0] B[0, 1] Y[0, 1]= "
                   "Y[0, 0] A[0, 1] B[1, 0] Y[0, 0]=");
}

/* How often each element is written, and how often read. */
static GHashTable *
count_of (LsAccessOrder *order)
{
  GHashTable *count = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  g_assert_false (order->stopped);
  for (guint i = 0; i < order->accesses->len; i++)
    {
      char *words = words_of (order, access_at (order, i));
      guint n = GPOINTER_TO_UINT (g_hash_table_lookup (count, words));

      g_hash_table_replace (count, words, GUINT_TO_POINTER (n + 1));
    }
  return count;
}

static void
assert_same_count (GHashTable *a, GHashTable *b, const char *steps)
{
  GHashTableIter iter;
  gpointer key, value;

  if (g_hash_table_size (a) != g_hash_table_size (b))
    g_error ("%u elements and directions, %u after %s", g_hash_table_size (a), g_hash_table_size (b), steps);
  g_hash_table_iter_init (&iter, a);
  while (g_hash_table_iter_next (&iter, &key, &value))
    if (g_hash_table_lookup (b, key) != value)
      g_error ("%s: %u times, %u after %s", (char *) key, GPOINTER_TO_UINT (value), GPOINTER_TO_UINT (g_hash_table_lookup (b, key)), steps);
}

#define LOOPS "b = sch.get_block(\"Y\")\ni, j, k = sch.get_loops(b)\n"

/* A step that only changes the order changes nothing else: 12 is divided by 4 and by 3, not by 5 and by 8. */
static void
test_same_accesses (void)
{
  static const char *const steps[] = {
    LOOPS "sch.reorder(k, i, j)\n",
    LOOPS "j0, j1 = sch.split(j, factors=[None, 4])\n",
    LOOPS "j0, j1 = sch.split(j, factors=[None, 5])\n",
    LOOPS "j0, j1 = sch.split(j, factors=[None, 4])\nsch.reorder(j0, k, j1)\nsch.vectorize(j1)\n",
    LOOPS "i0, i1 = sch.split(i, factors=[None, 8])\nsch.parallel(i0)\n",
    LOOPS "k0, k1 = sch.split(k, factors=[None, 3])\nsch.unroll(k1)\n",
    LOOPS "sch.fuse(i, j)\n",
  };
  g_autofree char *program = mm_relu (12);
  g_autoptr (LsAccessOrder) base = order_of (program, "", 100000);
  g_autoptr (GHashTable) expected = count_of (base);

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      g_autoptr (LsAccessOrder) order = order_of (program, steps[i], 100000);
      g_autoptr (GHashTable) got = count_of (order);

      assert_same_count (expected, got, steps[i]);
      g_assert_cmpuint (order->buffers->len, ==, 4);
      for (guint b = 0; b < order->buffers->len; b++)
        g_assert_cmpint (g_array_index (order->buffers, LsAccessBuffer, b).n, ==, 144);
    }
}

/* Columns of 4 KiB rows: one line for each element, none of them used again while it is there; along a row 16 elements a line. */
static void
test_lines (void)
{
  static const char *const program =
    HEAD "    def main(A: T.Buffer((1024, 1024), \"float32\"), B: T.Buffer((1,), \"float32\")):\n"
         "        for i, j in T.grid(2, 1024):\n"
         "            B[0] = A[%s]\n";
  g_autoptr (GString) down = g_string_new (program), along = g_string_new (program);
  g_autoptr (LsAccessOrder) columns = NULL, rows = NULL;

  g_string_replace (down, "%s", "j, i", 0);
  g_string_replace (along, "%s", "i, j", 0);
  columns = order_of (down->str, "", 100000);
  rows = order_of (along->str, "", 100000);
  g_assert_cmpuint (columns->accesses->len, ==, 4096);
  g_assert_cmpuint (access_at (columns, 4095)->lines, ==, 2048 + 1);
  g_assert_cmpuint (access_at (rows, 4095)->lines, ==, 128 + 1);
  g_assert_true (access_at (rows, 0)->is_new);
  g_assert_false (access_at (rows, 2)->is_new);
  g_assert_true (access_at (rows, 32)->is_new);
  g_assert_cmpfloat_with_epsilon (columns->bytes_used, 4.0, 0.01);
  g_assert_cmpfloat_with_epsilon (rows->bytes_used, (128 * 64 + 4) / 129.0, 0.01);
}

/* 512 lines stay, the 513th takes the place of the one that was not used for longest. */
static void
test_capacity (void)
{
  static const char *const program =
    HEAD "    def main(A: T.Buffer((%s, 16), \"float32\"), B: T.Buffer((1,), \"float32\")):\n"
         "        for i, j in T.grid(3, %s):\n"
         "            T.evaluate(A[j, 0])\n";
  g_autoptr (GString) fits = g_string_new (program), one_more = g_string_new (program);
  g_autoptr (LsAccessOrder) small = NULL, large = NULL;

  g_string_replace (fits, "%s", "512", 0);
  g_string_replace (one_more, "%s", "513", 0);
  small = order_of (fits->str, "", 100000);
  large = order_of (one_more->str, "", 100000);
  g_assert_cmpuint (access_at (small, small->accesses->len - 1)->lines, ==, 512);
  g_assert_cmpuint (access_at (large, large->accesses->len - 1)->lines, ==, 3 * 513);
}

/* A cache of one set with as many lines as the model has misses exactly what the model fetches. */
static void
test_one_set (void)
{
  static const LsCacheLevel one_set = { LS_ACCESS_LINES * LS_ACCESS_LINE_BYTES, LS_ACCESS_LINES };
  g_autofree char *program = mm_relu (128);
  g_autoptr (LsAccessOrder) order = order_of (program, "", 100000);
  g_autoptr (LsLocality) locality = ls_locality_new (order, &one_set, 1);
  const LsMisses *misses = &locality->all.misses[0];

  g_assert_cmpint (locality->all.touches, ==, 100000);
  g_assert_cmpint (misses->conflict, ==, 0);
  g_assert_cmpint (misses->capacity, >, 0);
  g_assert_cmpint (misses->cold + misses->capacity, ==, access_at (order, order->accesses->len - 1)->lines);
}

static void
test_stopped (void)
{
  g_autofree char *program = mm_relu (128);
  g_autoptr (LsAccessOrder) order = order_of (program, "", 5000);

  g_assert_true (order->stopped);
  g_assert_cmpuint (order->accesses->len, ==, 5000);
}

static void
test_guards (void)
{
  g_autoptr (LsAccessOrder) order = order_of (
    HEAD "    def main(A: T.Buffer((6,), \"float32\"), B: T.Buffer((8,), \"float32\")):\n"
         "        for i in range(8):\n"
         "            B[i] = T.if_then_else(1 <= i and i < 7, A[i - 1], T.float32(0))\n"
         "            if i % 4 == 0:\n"
         "                B[i] = T.float32(1)\n", "", 1000);
  g_autofree char *words = words_of_first (order, 5);

  g_assert_cmpstr (words, ==, "B[0]= B[0]= A[0] B[1]= A[1]");
  g_assert_cmpuint (order->accesses->len, ==, 6 + 8 + 2);
}

/* A part of another buffer is that buffer's memory. */
static void
test_parts (void)
{
  g_autoptr (LsAccessOrder) order = order_of (
    HEAD "    def main(A: T.Buffer((4, 8), \"float32\")):\n"
         "        for i in range(4):\n"
         "            with T.block(\"row\"):\n"
         "                vi = T.axis.spatial(4, i)\n"
         "                T.reads()\n"
         "                T.writes(A[vi, 2:6])\n"
         "                R = T.match_buffer(A[vi, 2:6], (4,), offset_factor=1)\n"
         "                R[1] = T.float32(1)\n", "", 1000);
  g_autofree char *words = words_of_first (order, 4);

  g_assert_cmpstr (words, ==, "A[0, 3]= A[1, 3]= A[2, 3]= A[3, 3]=");
  g_assert_cmpuint (order->buffers->len, ==, 1);
}

static void
assert_refused (const char *program, const char *needle)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsAccessOrder) order = try_order (program, "", 1000, &error);

  g_assert_null (order);
  g_assert_nonnull (error);
  if (strstr (error->message, needle) == NULL)
    g_error ("%s: nothing of %s", error->message, needle);
}

#define GATHER HEAD "    def main(A: T.Buffer((8,), \"float32\"), I: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"float32\")):\n        for i in range(8):\n"

static void
test_refused (void)
{
  assert_refused (GATHER "            B[i] = A[I[i]]\n", "Which element is touched in A depends on I");
  assert_refused (GATHER "            B[I[i]] = A[i]\n", "Which element is touched in B depends on I");
  assert_refused (GATHER "            if I[i] > 0:\n                B[i] = A[i]\n", "Which way an if goes depends on I");
  assert_refused (GATHER "            for j in range(I[i]):\n                B[i] = A[i]\n", "The extent of j depends on I");
  assert_refused (GATHER "            B[i] = T.if_then_else(A[i] > T.float32(0), A[i], T.float32(0))\n", "What T.if_then_else reads depends on A");
  assert_refused (HEAD "    def main(a: T.handle, n: T.int32):\n"
                       "        A = T.match_buffer(a, (8,), \"float32\")\n"
                       "        for i in range(n):\n"
                       "            A[i] = T.float32(0)\n", "The extent of i depends on n");
  assert_refused (HEAD "    def main(a: T.handle):\n"
                       "        n = T.int32()\n"
                       "        A = T.match_buffer(a, (n,), \"float32\")\n"
                       "        for i in range(n):\n"
                       "            A[i] = T.float32(0)\n", "A has a size that is no number");
  assert_refused (HEAD "    def main(A: T.Buffer((8,), \"float32\")):\n"
                       "        T.evaluate(T.call_extern(\"int32\", \"fill\", A.data))\n", "fill");
}

/* Conditions on data that decide over values alone are no hindrance. */
static void
test_values_only (void)
{
  g_autoptr (LsAccessOrder) order = order_of (GATHER "            B[i] = T.if_then_else(A[i] > T.float32(0), T.float32(1), T.float32(0))\n", "", 1000);

  g_assert_cmpuint (order->accesses->len, ==, 16);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/schedule/access-order/base", test_base);
  g_test_add_func ("/schedule/access-order/reordered", test_reordered);
  g_test_add_func ("/schedule/access-order/same-accesses", test_same_accesses);
  g_test_add_func ("/schedule/access-order/lines", test_lines);
  g_test_add_func ("/schedule/access-order/capacity", test_capacity);
  g_test_add_func ("/schedule/access-order/one-set", test_one_set);
  g_test_add_func ("/schedule/access-order/stopped", test_stopped);
  g_test_add_func ("/schedule/access-order/guards", test_guards);
  g_test_add_func ("/schedule/access-order/parts", test_parts);
  g_test_add_func ("/schedule/access-order/refused", test_refused);
  g_test_add_func ("/schedule/access-order/values-only", test_values_only);
  return g_test_run ();
}
