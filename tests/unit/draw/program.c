/* program: loopscope-draw from outside: exit status, text, files. */
#include <gio/gio.h>
#include <glib/gstdio.h>

#include <string.h>
#include <unistd.h>

typedef struct {
  int   status;
  char *text;
  char *errors;
} Run;

static void
run_clear (Run *self)
{
  g_free (self->text);
  g_free (self->errors);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

G_GNUC_NULL_TERMINATED
static Run
run_program (const char *program,
             const char *argument,
             ...)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  Run result = { 0 };
  va_list args;

  g_ptr_array_add (argv, (gpointer) program);
  va_start (args, argument);
  for (const char *next = argument; next != NULL; next = va_arg (args, const char *))
    g_ptr_array_add (argv, (gpointer) next);
  va_end (args);
  g_ptr_array_add (argv, NULL);
  g_spawn_sync (NULL, (char **) argv->pdata, NULL, G_SPAWN_DEFAULT, NULL, NULL, &result.text, &result.errors,
                &result.status, &error);
  g_assert_no_error (error);
  g_assert_true (WIFEXITED (result.status));
  result.status = WEXITSTATUS (result.status);
  return result;
}

#define run(...) run_program (g_getenv ("LS_DRAW"), __VA_ARGS__)
#define run_cli(...) run_program (g_getenv ("LS_CLI"), __VA_ARGS__)

static char *
write_file (const char *folder,
            const char *name,
            const char *text)
{
  char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

static void
remove_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        remove_folder (path);
      else
        g_unlink (path);
    }
  g_rmdir (folder);
}

static void
test_twice (void)
{
  static const char *const files[] = { "history.png", "loops.png", "times.png", "history.svg", "loops.svg",
                                       "times.svg" };
  g_autofree char *folder = g_dir_make_tmp ("ls-draw-XXXXXX", NULL);
  g_autofree char *one = g_build_filename (folder, "one", NULL);
  g_autofree char *two = g_build_filename (folder, "two", NULL);
  g_auto (Run) first = run ("--no-time", "--out", one, NULL);
  g_auto (Run) again = run ("--no-time", "--out", two, NULL);

  g_assert_cmpstr (first.errors, ==, "");
  g_assert_cmpint (first.status, ==, 0);
  g_assert_cmpint (again.status, ==, 0);
  g_assert_nonnull (strstr (first.text, "j becomes j_0 and j_1"));
  g_assert_nonnull (strstr (first.text, "Not measured."));
  g_assert_nonnull (strstr (first.text, "with T.block(\"Y_update\"):"));
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *a = g_build_filename (one, files[i], NULL), *b = g_build_filename (two, files[i], NULL);
      g_autofree char *bytes = NULL, *same = NULL;
      gsize n, m;

      g_assert_true (g_file_get_contents (a, &bytes, &n, NULL));
      g_assert_true (g_file_get_contents (b, &same, &m, NULL));
      g_assert_cmpmem (bytes, n, same, m);
      g_assert_cmpuint (n, >, 5000);
    }
  remove_folder (folder);
}

static void
test_measured (void)
{
  g_auto (Run) result = run (NULL, NULL);

  g_assert_cmpint (result.status, ==, 0);
  g_assert_nonnull (strstr (result.text, "output equals step 0"));
  g_assert_nonnull (strstr (result.text, "±"));
  g_assert_null (strstr (result.text, "not measured"));
}

static void
test_refused (void)
{
  g_autofree char *folder = g_dir_make_tmp ("ls-draw-XXXXXX", NULL);
  g_autofree char *sample = g_build_filename (g_getenv ("LS_SOURCE_ROOT"), "data", "samples", "mm_relu.py", NULL);
  g_autofree char *steps = write_file (folder, "steps.py", "b = sch.get_block(\"Y\", func_name=\"mm_relu\")\n"
                                       "i, j, k = sch.get_loops(b)\nsch.parallel(k)\n");
  g_auto (Run) result = run (sample, "--steps", steps, "--no-time", NULL);

  g_assert_cmpint (result.status, ==, 1);
  g_assert_nonnull (strstr (result.text, "All 128 iterations of k add into the same Y."));
  remove_folder (folder);
}

static void
test_broken (void)
{
  g_autofree char *folder = g_dir_make_tmp ("ls-draw-XXXXXX", NULL);
  g_autofree char *file = write_file (folder, "broken.py", "@T.prim_func\ndef f(:\n");
  g_autofree char *empty = write_file (folder, "empty.py", "");
  g_autofree char *bytes = write_file (folder, "bytes.py", "\xff\xfe");
  g_auto (Run) result = run (file, NULL);
  g_auto (Run) nothing = run (empty, NULL);
  g_auto (Run) no_text = run (bytes, NULL);
  g_auto (Run) missing = run ("/nowhere.py", NULL);

  g_assert_cmpint (result.status, ==, 1);
  g_assert_nonnull (strstr (result.errors, "broken.py:2:"));
  g_assert_cmpint (nothing.status, ==, 1);
  g_assert_cmpstr (nothing.errors, !=, "");
  g_assert_cmpint (no_text.status, ==, 1);
  g_assert_nonnull (strstr (no_text.errors, "is not UTF-8 text"));
  g_assert_cmpint (missing.status, ==, 1);
  remove_folder (folder);
}

/* What `report FILE -o OUT` says for a FILE of which there is nothing to report: OUT, which was there, is as it was. */
static void
check_unreported (const char *folder,
                  const char *name,
                  const char *text,
                  const char *reason)
{
  g_autofree char *file = write_file (folder, name, text);
  g_autofree char *page = write_file (folder, "page.html", "the page of yesterday");
  g_autofree char *after = NULL;
  g_auto (Run) result = run_cli ("report", file, "-o", page, "--no-time", NULL);

  g_assert_cmpint (result.status, ==, 1);
  g_assert_cmpstr (result.text, ==, "");
  g_assert_nonnull (strstr (result.errors, reason));
  g_assert_nonnull (strstr (result.errors, "page.html is as it was"));
  g_assert_true (g_file_get_contents (page, &after, NULL, NULL));
  g_assert_cmpstr (after, ==, "the page of yesterday");
}

static void
test_unreported (void)
{
  g_autofree char *folder = g_dir_make_tmp ("ls-draw-XXXXXX", NULL);
  g_autofree char *page = g_build_filename (folder, "none.html", NULL);
  g_autofree char *file = g_build_filename (folder, "cut.loopscope", NULL);

  check_unreported (folder, "cut.loopscope", "{\"format\": \"loopscope-session\",\n\"version\": 1, \"mod", "is not JSON");
  check_unreported (folder, "empty.loopscope", "", "is empty");
  check_unreported (folder, "other.loopscope", "{\"a\": 1}", "not a session");
  check_unreported (folder, "wrong.loopscope", "{\"format\": \"loopscope-session\", \"version\": 1, \"module\": \"x = 1\\n\"}",
                    "its program cannot be read");
  check_unreported (folder, "draft.loopscope", "{\"format\": \"loopscope-session\", \"version\": 1, \"module\": \"x = 1\\n\","
                    " \"draft\": \"@T.prim_func\\ndef f(:\\n\"}", "draft.loopscope:2:");
  check_unreported (folder, "broken.py", "@T.prim_func\ndef f(:\n", "broken.py:2:");
  {
    g_auto (Run) result = run_cli ("report", file, "-o", page, NULL);

    g_assert_cmpint (result.status, ==, 1);
    g_assert_false (g_file_test (page, G_FILE_TEST_EXISTS));
  }
  remove_folder (folder);
}

/* A page over one that was there: the link stays a link, the rights stay; a step that is refused stands on it with its reason. */
static void
test_reported (void)
{
  g_autofree char *folder = g_dir_make_tmp ("ls-dr\xc3\xa4w-XXXXXX", NULL);
  g_autofree char *sample = g_build_filename (g_getenv ("LS_SOURCE_ROOT"), "data", "samples", "mm_relu.py", NULL);
  g_autofree char *steps = write_file (folder, "steps.py", "b = sch.get_block(\"Y\", func_name=\"mm_relu\")\n"
                                       "i, j, k = sch.get_loops(b)\nsch.parallel(k)\n");
  g_autofree char *page = write_file (folder, "page.html", "the page of yesterday");
  g_autofree char *link = g_build_filename (folder, "link.html", NULL);
  g_autofree char *text = NULL;
  GStatBuf info;

  g_assert_cmpint (g_chmod (page, 0600), ==, 0);
  g_assert_cmpint (symlink ("page.html", link), ==, 0);
  {
    g_auto (Run) result = run_cli ("report", sample, "--steps", steps, "-o", link, "--no-time", "--json", NULL);

    g_assert_cmpint (result.status, ==, 0);
    g_assert_nonnull (strstr (result.text, "dr\xc3\xa4w"));
  }
  g_assert_true (g_file_test (link, G_FILE_TEST_IS_SYMLINK));
  g_assert_cmpint (g_stat (page, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0600);
  g_assert_true (g_file_get_contents (page, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "iterations of k add into the same Y."));
  remove_folder (folder);
}

/* A report speaks the user's language: words of the window and sentences of the engine; its pictures fit a narrow page. */
static void
test_language (void)
{
  g_autofree char *folder = g_dir_make_tmp ("ls-draw-XXXXXX", NULL);
  g_autofree char *report = g_build_filename (folder, "report.html", NULL);
  g_autofree char *text = NULL;

  g_setenv ("LC_ALL", "C.UTF-8", TRUE);
  g_setenv ("LANGUAGE", "ko", TRUE);
  {
    g_auto (Run) result = run ("--no-time", "--report", report, NULL);

    g_assert_cmpint (result.status, ==, 0);
  }
  g_unsetenv ("LANGUAGE");
  g_assert_true (g_file_get_contents (report, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "기록"));
  g_assert_nonnull (strstr (text, "블록"));
  g_assert_nonnull (strstr (text, "max-width:100%;min-width"));
  remove_folder (folder);
}

static void
test_usage (void)
{
  g_auto (Run) option = run ("--bogus", NULL);
  g_auto (Run) format = run ("--format", "gif", NULL);
  g_auto (Run) scale = run ("--scale", "0", NULL);
  g_auto (Run) steps = run ("--steps", "x.py", NULL);

  g_assert_cmpint (option.status, ==, 2);
  g_assert_cmpint (format.status, ==, 2);
  g_assert_nonnull (strstr (format.errors, "There is no format \"gif\""));
  g_assert_cmpint (scale.status, ==, 2);
  g_assert_cmpint (steps.status, ==, 2);
}

int
main (int    argc,
      char **argv)
{
  g_unsetenv ("DISPLAY");
  g_unsetenv ("WAYLAND_DISPLAY");
  g_setenv ("LC_ALL", "C.UTF-8", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/program/twice", test_twice);
  g_test_add_func ("/draw/program/measured", test_measured);
  g_test_add_func ("/draw/program/refused", test_refused);
  g_test_add_func ("/draw/program/broken", test_broken);
  g_test_add_func ("/draw/program/unreported", test_unreported);
  g_test_add_func ("/draw/program/reported", test_reported);
  g_test_add_func ("/draw/program/language", test_language);
  g_test_add_func ("/draw/program/usage", test_usage);
  return g_test_run ();
}
