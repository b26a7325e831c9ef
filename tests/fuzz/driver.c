/* driver: runs a fuzz target without libFuzzer.
 *
 *   fuzz-NAME --corpus FOLDER   every file is one test case (this is what ./check does)
 *   fuzz-NAME FILE...           runs these files and nothing else: to repeat a finding
 *   LS_FUZZ_SECONDS=600 fuzz-NAME --corpus FOLDER
 *                               besides, mutates inputs of the corpus at random for so long, for
 *                               compilers that have no libFuzzer, and no more than LS_FUZZ_RUNS of
 *                               them where that is set.  The input in work stands in
 *                               LS_FUZZ_LAST (default fuzz-last in the current folder), so that
 *                               what crashed can be looked at.  LS_FUZZ_PIECES=2048: of sixteen,
 *                               fifteen begin as a piece of at most so many bytes, from the start of
 *                               a line on, and grow to no more than the double of it, which makes
 *                               many more runs of the same time.
 *
 * An input that takes longer than 20 seconds of the processor ends the process with SIGPROF.  The mutator knows
 * nothing about coverage: it flips, inserts, repeats, deletes and splices.
 */
#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#define LAST_SIZE   (1u << 20)
#define TIME_LIMIT  20
#define GROWN_LIMIT 65536

static void
run_bytes (const guint8 *data,
           gsize         size)
{
  guint8 *copy = g_malloc (MAX (size, 1));

  if (size > 0)
    memcpy (copy, data, size);
  setitimer (ITIMER_PROF, &(struct itimerval) { { 0, 0 }, { TIME_LIMIT, 0 } }, NULL);
  LLVMFuzzerTestOneInput (copy, size);
  setitimer (ITIMER_PROF, &(struct itimerval) { 0 }, NULL);
  g_free (copy);
}

static void
run_file (gconstpointer path)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  gsize length;

  g_file_get_contents (path, &text, &length, &error);
  g_assert_no_error (error);
  run_bytes ((const guint8 *) text, length);
}

static int
compare_paths (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char **) a, *(const char **) b);
}

static GPtrArray *
list_corpus (const char *folder)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = folder != NULL ? g_dir_open (folder, 0, NULL) : NULL;
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (paths, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (paths, compare_paths);
  return paths;
}

/* The data of an empty array is NULL, which memcpy must not be given. */
static void
append (GByteArray   *array,
        const guint8 *data,
        guint         length)
{
  if (length > 0)
    g_byte_array_append (array, data, length);
}

static void
join_parts (GByteArray       *input,
            const GByteArray *other)
{
  guint from = g_random_int_range (0, (gint32) other->len + 1);
  guint length = g_random_int_range (0, (gint32) (other->len - from) + 1);
  guint at = g_random_int_range (0, (gint32) input->len + 1);
  g_autoptr (GByteArray) result = g_byte_array_new ();

  append (result, input->data, at);
  append (result, other->data + from, length);
  if (g_random_boolean ())
    append (result, input->data + at, input->len - at);
  g_byte_array_set_size (input, 0);
  append (input, result->data, result->len);
}

static void
mutate (GByteArray       *input,
        const GByteArray *other)
{
  guint at = input->len > 0 ? (guint) g_random_int_range (0, (gint32) input->len) : 0;
  guint length = input->len > 0 ? (guint) g_random_int_range (1, (gint32) MIN (input->len - at, 64) + 1) : 0;

  if (input->len == 0 || input->len > GROWN_LIMIT)
    {
      g_byte_array_set_size (input, MIN (input->len, GROWN_LIMIT / 2));
      join_parts (input, other);
      return;
    }
  switch (g_random_int_range (0, 6))
    {
    case 0:
      input->data[at] ^= (guint8) (1u << g_random_int_range (0, 8));
      break;
    case 1:
      input->data[at] = (guint8) g_random_int_range (0, 256);
      break;
    case 2:
      g_byte_array_remove_range (input, at, length);
      break;
    case 3:
      g_byte_array_set_size (input, at);
      break;
    case 4:
      {
        g_autofree guint8 *piece = g_memdup2 (input->data + at, length);

        for (gint n = g_random_int_range (1, 200); n > 0; n--)
          g_byte_array_append (input, piece, length);
      }
      break;
    case 5:
      join_parts (input, other);
      break;
    }
}

/* A piece of `base` that begins with a line, of up to `most` bytes; 0: all of it.  Returns: how long the input may become. */
static guint
append_piece (GByteArray       *input,
              const GByteArray *base,
              guint             most)
{
  guint from = 0;

  if (most == 0 || g_random_int_range (0, 16) == 0)
    {
      append (input, base->data, base->len);
      return G_MAXUINT;
    }
  if (base->len <= most)
    {
      append (input, base->data, base->len);
      return 2 * most;
    }
  if (g_random_boolean ())
    for (from = (guint) g_random_int_range (0, (gint32) base->len); from > 0 && base->data[from - 1] != '\n'; from--)
      ;
  append (input, base->data + from, MIN (most, base->len - from));
  return 2 * most;
}

static guint8 *
map_last (void)
{
  const char *path = g_getenv ("LS_FUZZ_LAST") ? g_getenv ("LS_FUZZ_LAST") : "fuzz-last";
  int fd = g_open (path, O_RDWR | O_CREAT | O_TRUNC, 0644);
  void *map;

  g_assert_cmpint (fd, >=, 0);
  g_assert_no_errno (ftruncate (fd, LAST_SIZE));
  map = mmap (NULL, LAST_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  g_assert_true (map != MAP_FAILED);
  g_close (fd, NULL);
  return map;
}

/* The file begins with the length in decimals and a newline; the input follows. */
static void
note_last (guint8           *last,
           const GByteArray *input)
{
  int head = g_snprintf ((char *) last, 16, "%u\n", input->len);

  if (input->len > 0)
    memcpy (last + head, input->data, MIN (input->len, LAST_SIZE - 16));
}

static void
run_random (gconstpointer corpus)
{
  const GPtrArray *paths = corpus;
  gint64 end = g_get_monotonic_time () + g_ascii_strtoll (g_getenv ("LS_FUZZ_SECONDS"), NULL, 10) * G_USEC_PER_SEC;
  g_autoptr (GPtrArray) inputs = g_ptr_array_new_with_free_func ((GDestroyNotify) g_byte_array_unref);
  guint8 *last = map_last ();
  guint64 n_runs = 0, most = g_getenv ("LS_FUZZ_RUNS") != NULL ? g_ascii_strtoull (g_getenv ("LS_FUZZ_RUNS"), NULL, 10) : G_MAXUINT64;
  guint piece = g_getenv ("LS_FUZZ_PIECES") != NULL ? (guint) g_ascii_strtoull (g_getenv ("LS_FUZZ_PIECES"), NULL, 10) : 0;

  for (guint i = 0; i < paths->len; i++)
    {
      char *text;
      gsize length;

      if (g_file_get_contents (g_ptr_array_index (paths, i), &text, &length, NULL))
        g_ptr_array_add (inputs, g_byte_array_new_take ((guint8 *) text, length));
    }
  g_assert_cmpuint (inputs->len, >, 0);
  while (g_get_monotonic_time () < end && n_runs < most)
    {
      const GByteArray *base = g_ptr_array_index (inputs, g_random_int_range (0, (gint32) inputs->len));
      const GByteArray *other = g_ptr_array_index (inputs, g_random_int_range (0, (gint32) inputs->len));
      g_autoptr (GByteArray) input = g_byte_array_new ();
      guint longest = append_piece (input, base, piece);

      for (gint n = g_random_int_range (1, 9); n > 0; n--)
        mutate (input, other);
      g_byte_array_set_size (input, MIN (input->len, longest));
      note_last (last, input);
      run_bytes (input->data, input->len);
      n_runs++;
      if (n_runs % 10000 == 0)
        g_test_message ("%" G_GUINT64_FORMAT " inputs so far", n_runs);
    }
  munmap (last, LAST_SIZE);
  g_test_message ("%" G_GUINT64_FORMAT " inputs", n_runs);
}

static void
fail_empty (void)
{
  g_test_fail_printf ("The corpus is empty.");
}

int
main (int   argc,
      char *argv[])
{
  g_autoptr (GPtrArray) paths = NULL;

  g_test_init (&argc, &argv, NULL);
  setvbuf (stdout, NULL, _IOLBF, 0);
  if (argc != 3 || strcmp (argv[1], "--corpus") != 0)
    {
      for (int i = 1; i < argc; i++)
        run_file (argv[i]);
      return 0;
    }
  paths = list_corpus (argv[2]);
  for (guint i = 0; i < paths->len; i++)
    {
      g_autofree char *base = g_path_get_basename (g_ptr_array_index (paths, i));
      g_autofree char *name = g_strconcat ("/fuzz/corpus/", base, NULL);

      g_test_add_data_func (name, g_ptr_array_index (paths, i), run_file);
    }
  if (paths->len == 0)
    g_test_add_func ("/fuzz/corpus", fail_empty);
  if (g_getenv ("LS_FUZZ_SECONDS") != NULL)
    g_test_add_data_func ("/fuzz/random", paths, run_random);
  return g_test_run ();
}
