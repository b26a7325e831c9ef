/* What is said of work that cannot be done, in the language of the window: tensors that do not fit when operators become tensor programs, and what the
 * programs that the window starts write on standard error. */
#include "tests/ui/language.h"

#include "app/lesson/runner.h"
#include "app/lesson/submission.h"
#include "engine/te/te.h"
#include "engine/topi/topi.h"
#include "engine/tune/tune.h"
#include "tests/support/support.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

/* ---- tensors ------------------------------------------------------------------------------------------ */

static LsArray *
ints (gint64 a,
      gint64 b)
{
  return ls_array_of (ls_int (a), ls_int (b), NULL);
}

/* What came (dropped) has to be NULL, with an error that is translated. */
static void
refused (gpointer    made,
         GError     *error,
         const char *what)
{
  g_assert_null (made);
  g_assert_nonnull (error);
  ls_language_look (error->message, what);
  g_error_free (error);
}

#define REFUSED(call) G_STMT_START { GError *error = NULL; gpointer made = (call); refused (made, error, #call); } G_STMT_END

static void
test_tensors (void)
{
  g_autoptr (LsTeTensor) x = ls_te_placeholder ("x", ints (2, 3), LS_FLOAT32), v = ls_te_placeholder ("v", ls_array_of (ls_int (5), NULL), LS_FLOAT32);
  g_autoptr (LsArray) four = ints (4, 4), both = ls_array_of (ls_ref (x), ls_ref (v), NULL), one = ls_array_of (ls_int (0), NULL), none = ls_array_empty ();
  g_autoptr (LsArray) twice = ints (1, 1), far = ls_array_of (ls_int (7), NULL);

  REFUSED (ls_topi_binary ("add", x, v, &error));
  REFUSED (ls_topi_binary ("logical_and", x, x, &error));
  REFUSED (ls_topi_unary ("bitwise_not", x, &error));
  REFUSED (ls_topi_elemwise_sum (none, &error));
  REFUSED (ls_topi_broadcast_to (x, one, &error));
  REFUSED (ls_topi_reshape (x, four, &error));
  REFUSED (ls_topi_transpose (x, twice, &error));
  REFUSED (ls_topi_transpose (x, one, &error));
  REFUSED (ls_topi_squeeze (x, one, &error));
  REFUSED (ls_topi_reduce ("sum", x, far, FALSE, &error));
  REFUSED (ls_topi_reduce ("all", x, NULL, FALSE, &error));
  REFUSED (ls_topi_expand_dims (x, 0, -1, &error));
  REFUSED (ls_topi_repeat (x, 0, 0, &error));
  REFUSED (ls_topi_concatenate (both, 0, &error));
  REFUSED (ls_topi_stack (none, 0, &error));
  REFUSED (ls_topi_split_sections (x, 0, 0, &error));
  REFUSED (ls_topi_flip (x, 3, &error));
  REFUSED (ls_topi_matmul (x, v, FALSE, FALSE, &error));
  REFUSED (ls_topi_matmul (x, x, FALSE, FALSE, &error));
  REFUSED (ls_topi_einsum ("ij->", none, &error));
  REFUSED (ls_topi_einsum ("ijk->", both, &error));
  REFUSED (ls_topi_take (x, x, NULL, 0, "clip", &error));
  REFUSED (ls_topi_meshgrid (both, "nothing", &error));
  REFUSED (ls_topi_layout_transform (x, "NCHW", "NHWC", NULL, &error));
  REFUSED (ls_topi_trilu (v, NULL, FALSE, &error));
  REFUSED (ls_topi_nn_pad (x, one, one, NULL, "pad", &error));
  REFUSED (ls_topi_nn_dilate (x, one, 0, "dilate", &error));
  REFUSED (ls_topi_sequence_mask (x, x, 0, 0, &error));
}

/* ---- programs that the window starts ------------------------------------------------------------------- */

/* What loopscope-cli, started as by the window, says of it; it has to fail. (transfer full) */
static char *
failure_of (const char *const *arguments)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autofree char *cli = g_build_filename (g_getenv ("LS_BUILD_ROOT"), "app", "cli", "loopscope-cli", NULL);
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  char *said = NULL;

  g_ptr_array_add (argv, cli);
  for (; *arguments != NULL; arguments++)
    g_ptr_array_add (argv, (char *) *arguments);
  g_ptr_array_add (argv, NULL);
  g_subprocess_launcher_setenv (launcher, "LS_SPEAK", "1", TRUE);
  process = g_subprocess_launcher_spawnv (launcher, (const char *const *) argv->pdata, &error);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (process, NULL, NULL, NULL, &said, &error);
  g_assert_no_error (error);
  g_assert_false (g_subprocess_get_successful (process));
  return said;
}

static const char program[] = "from tvm.script import tir as T\n\n@T.prim_func\ndef main(A: T.Buffer((8, 8), \"float32\"), B: T.Buffer((8, 8), \"float32\")):\n"
                              "    for i, j in T.grid(8, 8):\n        with T.block(\"B\"):\n            vi, vj = T.axis.remap(\"SS\", [i, j])\n"
                              "            B[vi, vj] = A[vi, vj] + T.float32(1)\n";

static void
test_programs (void)
{
  g_autofree char *folder = g_dir_make_tmp ("loopscope-words-XXXXXX", NULL), *file = g_build_filename (folder, "p.py", NULL), *broken = g_build_filename (folder, "q.py", NULL);
  g_autofree char *steps = g_build_filename (folder, "s.py", NULL), *out = g_build_filename (folder, "out", NULL);
  g_autofree char *bare = g_build_filename (folder, "bare", NULL);
  const char *const calls[][8] = {
    { "device", "export", file, "-o", out, NULL },                      /* no loop is bound to threads */
    { "device", "export", file, "--target", "llvm", "-o", out, NULL },
    { "device", "export", file, "--steps", steps, "-o", out, NULL },
    { "device", "export", broken, "-o", out, NULL },
    { "device", "export", "/nothing/there.py", "-o", out, NULL },
    { "tune", file, "--target", "nothing", "-o", out, NULL },
    { "tune", broken, "-o", out, NULL },
    { "tune", file, "--queue", "nothing", "-o", out, NULL },
    { "tune", file, "-o", "/proc/nothing", "--detach", NULL },
    { "tune", file, "-o", out, "--stop", NULL },
    { "device", "export", file, "--steps", bare, "-o", out, NULL },
    { "lesson", "export", "/nothing/there.md", "-o", out, NULL },
  };

  g_assert_true (g_file_set_contents (file, program, -1, NULL));
  g_assert_cmpint (g_mkdir (bare, 0700), ==, 0);
  g_assert_true (g_file_set_contents (broken, "def f(:\n", -1, NULL));
  g_assert_true (g_file_set_contents (steps, "b = sch.get_block(\"B\")\ni, j = sch.get_loops(b)\nsch.fuse(j, i)\n", -1, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      g_autofree char *where = g_strjoinv (" ", (char **) calls[i]), *said = failure_of (calls[i]);
      g_auto (GStrv) lines = g_strsplit (g_strstrip (said), "\n", -1);

      g_test_message ("%s", said);
      if (g_str_has_prefix (said, "loopscope-cli"))
        {
          g_test_message ("%s: the program names itself", where);
          g_test_fail ();
        }
      ls_language_look (lines[0], where);
    }
  g_remove (file);
  g_remove (broken);
  g_remove (steps);
  g_rmdir (bare);
  g_rmdir (folder);
}

/* ---- what is handed in ------------------------------------------------------------------------------------- */

static void
test_submissions (void)
{
  static const char *const texts[] = { "[]", "{", "{\"format\": \"another\"}", "{\"format\": \"loopscope-submission 1\"}", "\xff" };
  static const char *const outputs[][2] = { { "1\n2", "1" }, { "1", "1\n2" }, { "1", "2" } };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (ls_submission_parse (texts[i], strlen (texts[i]), &error));
      ls_language_look (error->message, texts[i]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (outputs); i++)
    {
      g_autofree char *words = ls_output_compare (outputs[i][0], outputs[i][1], 0.0);

      ls_language_look (words, outputs[i][1]);
    }
}

void
ls_language_add_work (void)
{
  g_test_add_func ("/language/tensors", test_tensors);
  g_test_add_func ("/language/programs", test_programs);
  g_test_add_func ("/language/submissions", test_submissions);
}
