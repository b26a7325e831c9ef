/* Reuse distances and misses by cause, against definitions that are followed word by word: sets of lines between two
 * touches, and lists of what a set holds. */
#include "engine/interp/locality.h"
#include "tests/support/support.h"

#include <string.h>
#include <time.h>

#define MOST 400

/* Lines between the last touch of the same line and this one; -1: there was none. */
static gint64
slow_distance (const gint64 *lines,
               guint         at)
{
  g_autoptr (GHashTable) between = g_hash_table_new (NULL, NULL);

  for (guint i = at; i-- > 0;)
    {
      if (lines[i] == lines[at])
        return g_hash_table_size (between);
      g_hash_table_add (between, GSIZE_TO_POINTER (lines[i] + 1));
    }
  return -1;
}

/* Is the line in its set: among the last `ways` lines of the set that were touched? */
static gboolean
slow_hit (const gint64 *lines,
          guint         at,
          gint64        n_sets,
          guint         ways)
{
  g_autoptr (GHashTable) newer = g_hash_table_new (NULL, NULL);

  for (guint i = at; i-- > 0;)
    {
      if (lines[i] % n_sets != lines[at] % n_sets)
        continue;
      if (lines[i] == lines[at])
        return g_hash_table_size (newer) < ways;
      g_hash_table_add (newer, GSIZE_TO_POINTER (lines[i] + 1));
    }
  return FALSE;
}

static int
by_size (gconstpointer a,
         gconstpointer b)
{
  return (int) (*(const gint64 *) a - *(const gint64 *) b);
}

static void
check_row (const LsLocalityRow *row,
           const LsLineTouch   *touches,
           guint                n,
           guint                buffer)
{
  g_autoptr (GArray) distances = g_array_new (FALSE, FALSE, sizeof (gint64));
  gint64 lines[MOST], cold = 0, all = 0;

  for (guint i = 0; i < n; i++)
    {
      gint64 distance;

      lines[i] = touches[i].line;
      if (touches[i].buffer != buffer)
        continue;
      all++;
      distance = slow_distance (lines, i);
      if (distance < 0)
        cold++;
      else
        g_array_append_val (distances, distance);
    }
  g_array_sort (distances, by_size);
  g_assert_cmpint (row->touches, ==, all);
  g_assert_cmpint (row->cold, ==, cold);
  g_assert_cmpint (row->min, ==, distances->len > 0 ? g_array_index (distances, gint64, 0) : -1);
  g_assert_cmpint (row->median, ==, distances->len > 0 ? g_array_index (distances, gint64, (distances->len - 1) / 2) : -1);
  g_assert_cmpint (row->max, ==, distances->len > 0 ? g_array_index (distances, gint64, distances->len - 1) : -1);
}

/* What a level is asked for is what the levels before it missed. */
static void
check_misses (const LsLocality  *locality,
              const LsLineTouch *touches,
              guint              n)
{
  gint64 lines[MOST];
  guint buffers[MOST];

  for (guint i = 0; i < n; i++)
    {
      lines[i] = touches[i].line;
      buffers[i] = touches[i].buffer;
    }
  for (guint level = 0; level < locality->n_levels; level++)
    {
      const LsCacheLevel *cache = &locality->levels[level];
      gint64 n_lines = cache->bytes / LS_ACCESS_LINE_BYTES;
      LsMisses all = { 0 }, first = { 0 };
      gint64 missed[MOST];
      guint n_missed = 0, missed_of[MOST];

      for (guint i = 0; i < n; i++)
        {
          gint64 distance = slow_distance (lines, i);

          if (slow_hit (lines, i, n_lines / cache->ways, cache->ways))
            continue;
          for (guint k = 0; k < 2; k++)
            if (k == 0 || buffers[i] == 0)
              *(distance < 0 ? k == 0 ? &all.cold : &first.cold : distance >= n_lines ? k == 0 ? &all.capacity : &first.capacity
                                                                                      : k == 0 ? &all.conflict : &first.conflict) += 1;
          missed[n_missed] = lines[i];
          missed_of[n_missed++] = buffers[i];
        }
      g_assert_cmpmem (&all, sizeof all, &locality->all.misses[level], sizeof all);
      g_assert_cmpmem (&first, sizeof first, &locality->buffers[0].misses[level], sizeof first);
      memcpy (lines, missed, n_missed * sizeof *missed);
      memcpy (buffers, missed_of, n_missed * sizeof *missed_of);
      n = n_missed;
    }
}

static void
test_random (void)
{
  for (guint round = 0; round < 300; round++)
    {
      LsLineTouch touches[MOST];
      guint n = (guint) g_test_rand_int_range (0, MOST);
      gint64 reach = g_test_rand_int_range (1, 60);
      guint ways = 1u << g_test_rand_int_range (0, 3);
      LsCacheLevel levels[3] = { { 8 * 64, ways }, { 16 * 64, 4 }, { 30 * 64, 3 } };
      g_autoptr (LsLocality) locality = NULL;

      for (guint i = 0; i < n; i++)
        touches[i] = (LsLineTouch) { g_test_rand_int_range (0, 3) == 0 ? i % reach : g_test_rand_int_range (0, (gint32) reach),
                                     (guint) g_test_rand_int_range (0, 3) };
      locality = ls_locality_of_touches (touches, n, 3, levels, 3);
      for (guint b = 0; b < 3; b++)
        check_row (&locality->buffers[b], touches, n, b);
      check_misses (locality, touches, n);
    }
}

/* Eight lines in turn: a cache of eight has them, one of four never, one of eight with one way only if they do not clash. */
static void
test_known (void)
{
  LsCacheLevel eight = { 8 * 64, 8 }, four = { 4 * 64, 4 }, direct = { 8 * 64, 1 };
  LsLineTouch touches[80], apart[80];
  g_autoptr (LsLocality) fits = NULL, small = NULL, clashes = NULL, empty = NULL;

  for (guint i = 0; i < 80; i++)
    {
      touches[i] = (LsLineTouch) { i % 8, 0 };
      apart[i] = (LsLineTouch) { (i % 4) * 8, 0 };
    }
  fits = ls_locality_of_touches (touches, 80, 1, &eight, 1);
  small = ls_locality_of_touches (touches, 80, 1, &four, 1);
  clashes = ls_locality_of_touches (apart, 80, 1, &direct, 1);
  empty = ls_locality_of_touches (touches, 0, 1, &eight, 1);
  g_assert_cmpint (fits->all.min, ==, 7);
  g_assert_cmpint (fits->all.max, ==, 7);
  g_assert_cmpint (fits->all.cold, ==, 8);
  g_assert_cmpint (fits->all.misses[0].cold, ==, 8);
  g_assert_cmpint (fits->all.misses[0].capacity, ==, 0);
  g_assert_cmpint (small->all.misses[0].capacity, ==, 72);
  g_assert_cmpint (clashes->all.misses[0].conflict, ==, 76);
  g_assert_cmpint (clashes->all.misses[0].capacity, ==, 0);
  g_assert_cmpint (empty->all.median, ==, -1);
}

static gint64
processor_us (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (gint64) now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

/* A whole cache of the machine and the hundred thousand accesses of a window: some hundredths of a second of the processor, and nothing like the minute
 * of who looks through all touches for each. */
static void
test_size (void)
{
  g_autofree LsLineTouch *touches = g_new0 (LsLineTouch, LS_ACCESS_MOST);
  LsCacheLevel levels[LS_LOCALITY_LEVELS];
  g_autoptr (LsLocality) locality = NULL;
  gint64 begin = processor_us (), spent;
  guint n;

  g_test_message (ls_cache_levels (levels, &n) ? "of the machine" : "assumed");
  g_assert_cmpuint (n, >, 0);
  for (guint i = 0; i < n; i++)
    {
      g_test_message ("%" G_GINT64_FORMAT " bytes, %u ways", levels[i].bytes, levels[i].ways);
      g_assert_cmpint (levels[i].bytes, >=, i > 0 ? levels[i - 1].bytes : 1024);
      g_assert_cmpuint (levels[i].ways, >, 0);
    }
  for (guint i = 0; i < LS_ACCESS_MOST; i++)
    touches[i] = (LsLineTouch) { (gint64) i * 7919 % 50021, i % 3 };
  locality = ls_locality_of_touches (touches, LS_ACCESS_MOST, 3, levels, n);
  g_assert_cmpint (locality->all.cold, ==, 50021);
  g_assert_cmpint (locality->all.max, ==, 50020);
  spent = processor_us () - begin;
  g_test_message ("%.1f ms", (double) spent / 1000.0);
  g_assert_cmpint (spent, <, 5 * G_USEC_PER_SEC);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/interp/locality/known", test_known);
  g_test_add_func ("/interp/locality/random", test_random);
  g_test_add_func ("/interp/locality/size", test_size);
  return g_test_run ();
}
