/* cut: every sample log is cut off at twenty places: what stood before the cut is shown as in the whole log, with what it is in the last dump up to the cut itself. */
#include "engine/passlog/passlog.h"

#include <glib/gstdio.h>
#include <string.h>

#define CUTS 20

static LsPassDump *
dump_at (LsPassLog *log,
         guint      i)
{
  return &g_array_index (log->dumps, LsPassDump, i);
}

static LsPassPart *
part_at (LsPassLog *log,
         guint      i)
{
  return &g_array_index (log->parts, LsPassPart, i);
}

/* The first bytes of a text as a log; NULL: there is none in them, which is said. */
static LsPassLog *
read_first (const char *text,
            gsize       size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, size);
  g_autoptr (GError) error = NULL;
  LsPassLog *log = ls_pass_log_read (bytes, LS_PASS_LOG_AUTO, &error);

  g_assert_true ((log == NULL) == (error != NULL));
  return log;
}

/* How many lines (as bytes) a reader must see to know what it is. */
static gsize
known_from (const char *text,
            gsize       size)
{
  for (gsize at = 0; at < size; at++)
    if (text[at] == '\n')
      {
        g_autoptr (LsPassLog) log = read_first (text, at + 1);

        if (log != NULL)
          return at + 1;
      }
  return size;
}

static void
assert_same_dump (LsPassLog *whole,
                  LsPassLog *cut,
                  guint      i)
{
  LsPassDump *a = dump_at (whole, i), *b = dump_at (cut, i);
  g_autofree char *text = ls_pass_log_dump_text (whole, i), *other = ls_pass_log_dump_text (cut, i);

  g_assert_cmpstr (a->pass, ==, b->pass);
  g_assert_cmpstr (a->unit, ==, b->unit);
  g_assert_cmpint (a->kind, ==, b->kind);
  g_assert_cmpstr (text, ==, other);
  g_assert_cmpuint (a->n, ==, b->n);
  for (guint k = 0; k < a->n; k++)
    {
      g_autofree char *part = ls_pass_log_part_text (whole, a->first + k), *other_part = ls_pass_log_part_text (cut, b->first + k);

      g_assert_cmpstr (part_at (whole, a->first + k)->name, ==, part_at (cut, b->first + k)->name);
      g_assert_cmpstr (part, ==, other_part);
    }
}

static void
assert_same_counts (LsPassLog *whole,
                    LsPassLog *cut,
                    guint      i)
{
  LsPassCounts a, b;

  g_assert_cmpint (dump_at (whole, i)->effective, ==, dump_at (cut, i)->effective);
  if (!dump_at (whole, i)->effective)
    return;
  ls_pass_log_count (whole, i, &a);
  ls_pass_log_count (cut, i, &b);
  g_assert_cmpmem (&a, sizeof a, &b, sizeof b);
}

static void
check_cut (LsPassLog  *whole,
           const char *text,
           gsize       at)
{
  g_autoptr (LsPassLog) cut = read_first (text, at);
  guint n = cut != NULL ? cut->dumps->len : 0;
  LsPassDump *last, *of_whole;
  gsize start, end, stop;
  guint file;

  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (n, <=, whole->dumps->len);
  for (guint i = 0; i + 1 < n; i++)
    assert_same_dump (whole, cut, i);
  for (guint i = 0; i + (whole->before_only ? 2 : 1) < n && whole->before_only == cut->before_only; i++)
    assert_same_counts (whole, cut, i);
  last = dump_at (cut, n - 1);
  of_whole = dump_at (whole, n - 1);
  g_assert_cmpuint (last->head, ==, of_whole->head);
  g_assert_true (at <= of_whole->head + strcspn (text + of_whole->head, "\n") || strcmp (last->pass, of_whole->pass) == 0);
  if (last->end < at && ls_pass_log_between (cut, n, &file, &start, &end))      /* a report of times stands behind it */
    {
      for (stop = at; g_ascii_isspace (text[stop - 1]); stop--)
        ;
      g_assert_cmpuint (end, ==, stop);
    }
  else                                                          /* nothing in front of the cut is lost */
    g_assert_cmpuint (last->end, ==, at);
  for (guint i = n; i < whole->dumps->len; i++)                 /* nor is a dump whose head was whole */
    g_assert_cmpuint (dump_at (whole, i)->head + strcspn (text + dump_at (whole, i)->head, "\n"), >=, at);
  for (guint k = 0; k < last->n; k++)                           /* functions that were whole are whole */
    {
      LsPassPart *part = part_at (cut, last->first + k), *before = k < of_whole->n ? part_at (whole, of_whole->first + k) : NULL;

      g_assert_cmpuint (part->end, <=, at);
      if (before != NULL && before->end < at && before->end > before->start && k + 1 < last->n)
        {
          g_assert_cmpstr (part->name, ==, before->name);
          g_assert_cmpuint (part->end, ==, before->end);
        }
    }
}

/* A log in one file. */
static void
check_file (const char *path)
{
  g_autofree char *text = NULL;
  g_autoptr (LsPassLog) whole = NULL;
  gsize size, from;

  g_assert_true (g_file_get_contents (path, &text, &size, NULL));
  whole = read_first (text, size);
  if (whole == NULL || whole->files->len != 1)
    return;
  from = known_from (text, size);
  g_test_message ("%s: %s, %u dumps, known from byte %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT, path, ls_pass_log_kind_name (whole->kind), whole->dumps->len, from, size);
  g_assert_cmpuint (from, <=, dump_at (whole, 0)->start + 200);
  for (guint i = 1; i <= CUTS; i++)
    check_cut (whole, text, from + (size - from) * i / (CUTS + 1));
}

static void
each_file (const char *folder,
           void      (*check) (const char *path))
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (g_file_test (path, G_FILE_TEST_IS_REGULAR) && !g_str_has_suffix (name, ".md"))
        check (path);
    }
}

static void
test_files (void)
{
  g_autofree char *logs = g_test_build_filename (G_TEST_DIST, "unit", "passlog", "logs", NULL), *corpus = g_test_build_filename (G_TEST_DIST, "fuzz", "corpus", "passlog", NULL);

  each_file (logs, check_file);
  each_file (corpus, check_file);
}

/* ---- folders ---- */

static void
write_file (LsPassLog  *log,
            guint       file,
            const char *folder,
            double      share)
{
  gsize size;
  const char *text = ls_pass_log_text (log, file, &size);
  g_autofree char *path = g_build_filename (folder, log->file_names->pdata[file], NULL), *parent = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (parent, 0755), ==, 0);
  g_assert_true (g_file_set_contents (path, text, (gssize) ((double) size * share), NULL));
}

/* The files of a folder up to one that is cut: those before it are as they were, and it is shown as far as it goes. */
static void
check_folder (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "unit", "passlog", "logs", name, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsPassLog) whole = ls_pass_log_open (path, LS_PASS_LOG_AUTO, &error);

  g_assert_no_error (error);
  for (guint i = 1; i <= CUTS; i++)
    {
      g_autofree char *folder = g_dir_make_tmp ("passlog-cut-XXXXXX", NULL), *clean = g_strdup_printf ("rm -r %s", folder), *shown = NULL;
      guint last = (i - 1) % whole->files->len, n;
      g_autoptr (LsPassLog) cut = NULL;
      gsize size;

      for (guint k = 0; k <= last; k++)
        write_file (whole, k, folder, k < last ? 1.0 : 0.2 + 0.7 * i / CUTS);
      cut = ls_pass_log_open (folder, LS_PASS_LOG_AUTO, &error);
      g_assert_no_error (error);
      n = cut->dumps->len;
      g_assert_cmpuint (cut->files->len, ==, last + 1);
      g_assert_cmpuint (n, ==, last + 1);
      for (guint k = 0; k + 1 < n; k++)
        {
          assert_same_dump (whole, cut, k);
          assert_same_counts (whole, cut, k);
        }
      g_assert_cmpstr (dump_at (cut, n - 1)->pass, ==, dump_at (whole, n - 1)->pass);
      shown = ls_pass_log_dump_text (cut, n - 1);
      ls_pass_log_text (cut, last, &size);
      g_assert_cmpuint (strlen (shown), ==, size);
      g_assert_cmpint (system (clean), ==, 0);
    }
}

static void
test_folders (void)
{
  check_folder ("xla");
  check_folder ("triton-cache");
  check_folder ("iree-phases");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/passlog/cut/files", test_files);
  g_test_add_func ("/passlog/cut/folders", test_folders);
  return g_test_run ();
}
