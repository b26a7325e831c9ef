/* What is said of broken programs, refused steps and work that came to nothing, in the language of the window: LANGUAGE is what it runs in.
 *
 * Each sentence has a letter of the language; names, types and numbers stay as they are.  English is what all other tests read.
 */
#include "app/base/language.h"
#include "app/rpc/rpc.h"
#include "engine/schedule/call/call.h"
#include "engine/script/script.h"
#include "tests/support/support.h"
#include "tests/ui/language.h"

#include <string.h>

#define HEAD "from tvm.script import tir as T\n\n@T.prim_func\ndef f(A: T.Buffer((8, 8), \"float32\"), B: T.Buffer((8, 8), \"float32\")):\n"

/* What one types on the way to a program. */
static const char *const drafts[] = {
  HEAD "    for i, j in T.gird(8, 8):\n        B[i, j] = A[i, j]\n",
  HEAD "    for i, j in T.grid(8):\n        B[i, j] = A[i, j]\n",
  HEAD "    for i, j in T.grid(8, 8)\n        B[i, j] = A[i, j]\n",
  HEAD "    for i, j in T.grid(8, 8):\n    B[i, j] = A[i, j]\n",
  HEAD "    for i, j in T.grid(8, 8):\n        B[i, j = A[i, j]\n",
  HEAD "    for i, j in T.grid(8, 8):\n        B[i, k] = A[i, j]\n",
  HEAD "    for i, j in T.grid(8, 8):\n        B[i] = A[i, j]\n",
  HEAD "    for i, j in T.grid(8, 8):\n        B[i, j] = A[i, j] +\n",
  HEAD "    for i, j in T.grid(8, 8):\n        B[i, j] = A\n",
  HEAD "    for i, j in T.grid(8, \"8\"):\n        B[i, j] = A[i, j]\n",
  HEAD "    for i in A:\n        B[i, 0] = A[i, 0]\n",
  HEAD "    if A:\n        B[0, 0] = T.float32(1)\n",
  HEAD "    with T.blok(\"C\"):\n        B[0, 0] = T.float32(1)\n",
  HEAD "    for i in range(8):\n        with T.block(\"C\"):\n            v = T.axis.remap(\"X\", [i])\n            B[v, 0] = A[v, 0]\n",
  HEAD "    B[0, 0] = A[0, 0] / 2 if \n",
  HEAD "    x = 3 $ 4\n",
  HEAD "    x = 'open\n",
  HEAD "    while\n",
  HEAD "    T.float32\n",
  HEAD "    B[0, 0] = undefined(3)\n",
  HEAD "    import\n",
  HEAD "    for i in range(8):\n",
  "from tvm.script import tir as T\n\n@T.prim_func\ndef f(A: T.Buffer((8, 8), \"flot32\")):\n    T.evaluate(0)\n",
  "from tvm.script import tir as T\n\n@T.prim_func\ndef f(A):\n    T.evaluate(0)\n",
  "def f(A):\n    pass\n",
};

/* Whether the script of the language is in it. */
static gboolean
is_translated (const char *text)
{
  gboolean korean = g_strcmp0 (g_getenv ("LANGUAGE"), "ko") == 0;

  for (; *text != '\0'; text = g_utf8_next_char (text))
    if (g_unichar_get_script (g_utf8_get_char (text)) == (korean ? G_UNICODE_SCRIPT_HANGUL : G_UNICODE_SCRIPT_HAN))
      return TRUE;
  return FALSE;
}

/* Some words of English in a row: what stands in quotation marks and behind the place that a library of JSON or LLVM tells is theirs. */
static gboolean
has_english (const char *text)
{
  static const char *const OTHERS[] = { "`[^`]*`", "\"[^\"]*\"", "“[^”]*”", "<data>:.*", "\\([A-Za-z_0-9., ]*\\)", "[A-Za-z_.0-9]+ ?\\(.*\\)" };
  g_autofree char *left = g_strdup (text);

  for (guint i = 0; i < G_N_ELEMENTS (OTHERS); i++)
    {
      g_autoptr (GRegex) regex = g_regex_new (OTHERS[i], 0, 0, NULL);
      char *next = g_regex_replace_literal (regex, left, -1, 0, "#", 0, NULL);

      g_free (left);
      left = next;
    }
  return g_regex_match_simple ("(\\b[A-Za-z][a-z']*\\b ){3}[a-z]+\\b", left, 0, 0);
}

void
ls_language_look (const char *text,
                  const char *where)
{
  g_autofree char *shown = g_utf8_make_valid (text, -1);

  if (g_utf8_validate (text, -1, NULL) && is_translated (text) && !has_english (text))
    return;
  g_test_message ("%s: %s", where, shown);
  g_test_fail ();
}

/* What tells only a call to be made has no words: "unannotate(i, ...)", "decompose_reduction (M, k)". */
static gboolean
has_words (const char *text)
{
  return strchr (text, ' ') != NULL && !g_regex_match_simple ("^[a-z_]+ ?\\(.*\\)$", text, 0, 0);
}

static guint
look_at (LsDiagnostics *findings,
         const char    *where)
{
  for (guint i = 0; i < ls_diagnostics_get_n (findings); i++)
    {
      const LsDiagnostic *finding = ls_diagnostics_get (findings, i);

      if (!is_translated (finding->message) || has_english (finding->message) || (finding->repair != NULL && has_words (finding->repair) && !is_translated (finding->repair)))
        {
          g_test_message ("%s: %s: %s (%s)", where, finding->code, finding->message, finding->repair);
          g_test_fail ();
        }
      for (guint n = 0; finding->notes != NULL && n < finding->notes->len; n++)
        g_assert_true (is_translated (((LsDiagnostic *) finding->notes->pdata[n])->message));
    }
  return ls_diagnostics_get_n (findings);
}

static void
test_drafts (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (drafts); i++)
    {
      g_autoptr (LsSource) source = ls_source_new ("draft.py", drafts[i], -1);
      g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
      g_autoptr (LsModule) module = ls_script_parse (source, findings);

      if (look_at (findings, drafts[i] + strlen (g_str_has_prefix (drafts[i], HEAD) ? HEAD : "")) == 0)
        g_error ("nothing is wrong with %s", drafts[i]);
    }
}

/* All files below `folder` that end so, with what comes behind `split` (NULL: nothing). */
static guint
walk (const char *folder,
      const char *prefix,
      const char *suffix,
      guint     (*look) (const char *text, const char *name))
{
  g_autofree char *path = ls_test_path (folder);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;
  guint n = 0;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *below = g_build_filename (folder, name, NULL), *file = g_build_filename (path, name, NULL), *text = NULL;

      if (g_file_test (file, G_FILE_TEST_IS_DIR))
        n += walk (below, prefix, suffix, look);
      else if (g_str_has_prefix (name, prefix) && g_str_has_suffix (name, suffix) && g_file_get_contents (file, &text, NULL, NULL))
        n += look (text, below);
    }
  return n;
}

static guint
parse (const char *text,
       const char *name)
{
  g_autoptr (LsSource) source = ls_source_new (name, text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) module = ls_script_parse (source, findings);

  return look_at (findings, name);
}

static void
test_parser (void)
{
  g_assert_cmpuint (walk ("golden/parse", "", ".py", parse), >, 15);
}

static guint
refuse (const char *text,
        const char *name)
{
  static const char line[] = "\n# steps\n";
  const char *split = strstr (text, line);
  g_autofree char *program = split != NULL ? g_strndup (text, split + 1 - text) : NULL;
  g_autoptr (LsSource) source = split != NULL ? ls_source_new (name, program, -1) : NULL;
  g_autoptr (LsSource) steps = split != NULL ? ls_source_new ("steps", split + strlen (line), -1) : NULL;
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) module = source != NULL ? ls_script_parse (source, findings) : NULL;
  g_autoptr (LsSchedule) schedule = module != NULL ? ls_schedule_new (module) : NULL;

  if (schedule == NULL || split[strlen (line)] == '[')
    return 0;
  ls_schedule_apply_text (schedule, steps, 0, findings);
  return look_at (findings, name);
}

static void
test_refusals (void)
{
  g_assert_cmpuint (walk ("golden/schedule", "refused-", ".py", refuse), >, 100);
}

static void
expect_words (LsWorker   *worker,
              const char *method,
              GVariant   *params,
              gint64      timeout_ms,
              int         code)
{
  const LsWorkerOptions options = { .timeout_ms = timeout_ms };
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call (worker, method, params, &options, NULL, NULL, NULL, &error);

  g_assert_null (answer);
  g_test_message ("%s", error->message);
  g_assert_error (error, LS_WORKER_ERROR, code);
  g_assert_true (is_translated (error->message) && !has_english (error->message));
}

static GVariant *
program (const char *body)
{
  g_autofree char *text = g_strconcat (HEAD, body, NULL);
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "module", "s", text);
  g_variant_dict_insert (&dict, "func", "s", "f");
  return g_variant_dict_end (&dict);
}

/* The worker is told the language with its first call, and again when it is started anew. */
static void
test_worker (void)
{
  g_autoptr (GBytes) catalogue = ls_language_catalogue ();
  g_autoptr (LsWorker) worker = ls_worker_new ();

  g_assert_nonnull (catalogue);
  ls_worker_set_catalogue (catalogue);
  for (guint round = 0; round < 2; round++)
    {
      expect_words (worker, "time", program ("    for i in range(8):\n        B[i, k] = A[i, 0]\n"), 0, LS_WORKER_ERROR_REQUEST);
      expect_words (worker, "time", program ("    T.evaluate(T.call_extern(\"int32\", \"nothing_there\", 1))\n"), 0,
                    LS_WORKER_ERROR_REQUEST);
      expect_words (worker, "time", program ("    for i in T.thread_binding(8, thread=\"threadIdx.x\"):\n        B[i, 0] = A[i, 0]\n"), 0,
                    LS_WORKER_ERROR_REQUEST);
      expect_words (worker, "run", g_variant_new_parsed ("{'kernel': <int64 7>}"), 0, LS_WORKER_ERROR_REQUEST);       /* a number of 64 bits is in it */
      expect_words (worker, "crash", g_variant_new_parsed ("{'kind': <'hang'>}"), 300, LS_WORKER_ERROR_TIMEOUT);
      expect_words (worker, "crash", g_variant_new_parsed ("{'kind': <'exit'>}"), 0, LS_WORKER_ERROR_EXIT);
      expect_words (worker, "crash", g_variant_new_parsed ("{'kind': <'nothing of that name'>}"), 0, LS_WORKER_ERROR_REQUEST);
    }
  ls_worker_set_catalogue (NULL);
}

int
main (int    argc,
      char **argv)
{
  ls_language_init ();
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/language/drafts", test_drafts);
  g_test_add_func ("/language/parser", test_parser);
  g_test_add_func ("/language/refusals", test_refusals);
  g_test_add_func ("/language/worker", test_worker);
  ls_language_add_files ();
  ls_language_add_work ();
  return g_test_run ();
}
