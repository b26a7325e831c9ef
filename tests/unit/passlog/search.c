/* search: answers while a log is read are those of what is read, and in the end those of all of it. */
#include "engine/passlog/passlog.h"

#include <glib/gstdio.h>
#include <string.h>

#define DUMPS 3000

/* Every 7th dump mentions the needle; from 1000 on g does not call it any more. (transfer full) */
static char *
make_log (GArray *mentions)
{
  GString *text = g_string_new ("warning: needle in front\n");

  for (guint i = 0; i < DUMPS; i++)
    {
      gboolean has = i % 7 == 3;

      g_string_append_printf (text, "; *** IR Dump After Pass%u on f%u ***\ndefine void @f%u() {\n%s%s  ret void\n}\n", i, i % 5, i % 5, has ? "  call void @needle()\n" : "",
                              i % 5 == 2 && i < 1000 ? "  call void @once()\n" : "");
      if (has)
        g_array_append_val (mentions, i);
    }
  return g_string_free (text, FALSE);
}

typedef struct {
  LsPassSearch mentions, remover;
  guint        calls, partial;
  guint        last;
} Asking;

/* LsPassProgress: what is found so far is what is there so far. */
static gboolean
look (LsPassLog *log,
      guint      n,
      gpointer   data)
{
  Asking *self = data;
  guint expected = 0;

  g_assert_cmpuint (n, >=, self->last);
  self->last = n;
  ls_pass_search_log (&self->mentions, log, n);
  ls_pass_search_log (&self->remover, log, n);
  for (guint i = 0; i < n; i++)
    expected += i % 7 == 3;
  g_assert_cmpuint (self->mentions.hits, ==, expected);
  g_assert_cmpuint (self->mentions.next, ==, n);
  g_assert_cmpint (self->remover.first, ==, n > 1002 ? 1002 : -1);
  self->calls++;
  self->partial += n < DUMPS && self->mentions.hits > 0;
  return TRUE;
}

static void
test_reading (void)
{
  g_autoptr (GArray) mentions = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree char *text = make_log (mentions), *path = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (LsPassLog) log = NULL;
  Asking asking = { 0 };
  int file = g_file_open_tmp ("loopscope-search-XXXXXX", &path, &error);

  g_assert_no_error (error);
  g_close (file, NULL);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  ls_pass_search_init (&asking.mentions, "@needle", FALSE);
  ls_pass_search_init (&asking.remover, "@once", TRUE);
  log = ls_pass_log_open_full (path, LS_PASS_LOG_AUTO, TRUE, look, &asking, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (asking.partial, >, 5);
  look (log, DUMPS, &asking);
  g_assert_cmpuint (asking.mentions.found->len, ==, mentions->len);
  g_assert_cmpint (memcmp (asking.mentions.found->data, mentions->data, mentions->len * sizeof (guint)), ==, 0);
  g_assert_cmpint (asking.mentions.first, ==, ls_pass_log_first (log, "@needle", 0));
  g_assert_cmpint (asking.remover.first, ==, ls_pass_log_remover (log, "@once"));
  g_test_message ("%u times asked while it was read", asking.calls);
  ls_pass_search_clear (&asking.mentions);
  ls_pass_search_clear (&asking.remover);
  g_remove (path);
}

/* In pieces of any size, as they come through a pipe; the last dump is not complete before the end. */
static void
test_pipe (void)
{
  g_autoptr (GArray) mentions = g_array_new (FALSE, FALSE, sizeof (guint)), dumps = g_array_new (FALSE, FALSE, sizeof (LsPassDump)), heads = g_array_new (FALSE, FALSE, sizeof (gsize));
  g_autofree char *text = make_log (mentions);
  g_autoptr (LsPassScan) scan = ls_pass_scan_new (LS_PASS_LOG_AUTO);
  gsize size = strlen (text), at = 0;
  LsPassSearch search;

  ls_pass_search_init (&search, "@needle", FALSE);
  while (at < size)
    {
      gsize step = MIN (size - at, (gsize) g_test_rand_int_range (1, 5000));

      ls_pass_scan_feed (scan, text + at, step, dumps);
      at += step;
      for (; heads->len < dumps->len; g_array_append_val (heads, g_array_index (dumps, LsPassDump, heads->len).head))
        ;
      ls_pass_search_text (&search, text, 0, (const gsize *) (void *) heads->data, heads->len);
      g_assert_cmpuint (search.next + 1, ==, MAX (heads->len, 1));
      for (guint i = 0; i < search.found->len; i++)
        g_assert_cmpuint (g_array_index (search.found, guint, i) % 7, ==, 3);
    }
  g_array_append_val (heads, size);
  ls_pass_search_text (&search, text, 0, (const gsize *) (void *) heads->data, heads->len);
  g_assert_cmpuint (dumps->len, ==, DUMPS);
  g_assert_cmpuint (search.found->len, ==, mentions->len);
  /* Names of a stranger's log go with it: what is interned stays, and GLib gives up its table each time that it grows. */
  for (guint i = 0; i < dumps->len; i++)
    g_assert_cmpuint (g_quark_try_string (g_array_index (dumps, LsPassDump, i).unit), ==, 0);
  ls_pass_search_clear (&search);
}

/* Loops that have no names are not one loop, and what left a loop may stand in front of it. */
static void
test_loops (void)
{
#define DUMP(pass, unit, body) "; *** IR Dump After " pass " on " unit " ***\n" body
#define F(body) "define void @f(ptr %p) {\n" body "  ret void\n}\n"
  static const char LOG[] =
    DUMP ("Vectorize", "f", F ("  br label %1\n1:\n  %v = load <4 x float>, ptr %p\n  br label %1\n"))
    DUMP ("LICM", "loop %<unnamed loop> in function f", "1:\n  %v = load <4 x float>, ptr %p\n  br label %1\n")
    DUMP ("LICM", "loop %<unnamed loop> in function f", "2:\n  %w = load float, ptr %p\n  br label %2\n")           /* the other loop */
    DUMP ("Rotate", "loop %named in function f", "named:\n  %v = load <4 x float>, ptr %p\n  br label %named\n")
    DUMP ("Hoist", "loop %named in function f", "named:\n  br label %named\n")
    DUMP ("Simplify", "f", F ("  %v = load <4 x float>, ptr %p\n  br label %named\nnamed:\n  br label %named\n"))
    DUMP ("Delete", "loop %named in function f", "named:\n  br label %named\n")
    DUMP ("DCE", "f", F ("  br label %named\nnamed:\n  br label %named\n"));
  g_autoptr (GBytes) bytes = g_bytes_new_static (LOG, strlen (LOG));
  g_autoptr (GError) error = NULL;
  g_autoptr (LsPassLog) log = ls_pass_log_read (bytes, LS_PASS_LOG_AUTO, &error);

  g_assert_no_error (error);
  g_assert_false (g_array_index (log->dumps, LsPassDump, 2).effective);
  g_assert_false (ls_pass_log_tells (log, 2));
  g_assert_cmpint (ls_pass_log_remover (log, "<4 x float>"), ==, 7);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/passlog/search/reading", test_reading);
  g_test_add_func ("/passlog/search/pipe", test_pipe);
  g_test_add_func ("/passlog/search/loops", test_loops);
  return g_test_run ();
}
