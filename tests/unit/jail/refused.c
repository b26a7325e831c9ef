/* A machine that refuses a jail: it is said, nothing runs, and after a yes it runs with what is left.  LS_JAIL_REFUSE makes loopscope-jail behave as
 * there; the probe, the kernel and the command line are the real ones.  Needs no rights of the machine. */
#include "app/jail/jail.h"
#include "app/kernel/kernel.h"
#include "app/rpc/rpc.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct {
  const char  *refuse;
  LsJailState  state;
  const char  *part;            /* of the sentence */
} STATES[] = {
  { "namespaces", LS_JAIL_PARTLY, "new namespaces: Operation not permitted" },
  { "mounts", LS_JAIL_PARTLY, "a view of the files of its own" },
  { "seccomp", LS_JAIL_PARTLY, "a filter of system calls" },
  { "namespaces,seccomp", LS_JAIL_REFUSED, "no jail" },
};

static void
set_state (const char *refuse)
{
  if (refuse != NULL)
    g_setenv ("LS_JAIL_REFUSE", refuse, TRUE);
  else
    g_unsetenv ("LS_JAIL_REFUSE");
  ls_jail_probe_again ();
}

static GVariant *
run (LsKernel    *kernel,
     const char  *code,
     LsOutputs  **outputs,
     GError     **error)
{
  GVariantDict params;

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "code", "s", code);
  g_variant_dict_insert (&params, "name", "s", "cell 1");
  return ls_kernel_request (kernel, "run", g_variant_dict_end (&params), 60, outputs, error);
}

static void
test_asks (void)
{
  g_autofree char *folder = g_dir_make_tmp ("ls-refused-XXXXXX", NULL);
  g_autofree char *mark = g_build_filename (folder, "ran", NULL);
  g_autofree char *code = g_strdup_printf ("open('%s', 'w')", mark);

  for (guint i = 0; i < G_N_ELEMENTS (STATES); i++)
    {
      g_autoptr (LsKernel) kernel = ls_kernel_new ();
      g_autoptr (GError) error = NULL;
      g_autoptr (LsOutputs) outputs = NULL;
      g_autoptr (GVariant) answer = NULL, after = NULL;
      g_autofree char *sentence = NULL, *text = NULL;

      set_state (STATES[i].refuse);
      sentence = ls_jail_report_sentence (ls_jail_probe ());
      g_test_message ("%s: %s", STATES[i].refuse, sentence);
#if defined __SANITIZE_ADDRESS__
      g_assert_cmpint (ls_jail_probe ()->state, !=, LS_JAIL_HOLDS);
#else
      /* Where namespaces are refused anyway, one state less can be told from another. */
      if (ls_jail_probe ()->state != LS_JAIL_REFUSED)
        g_assert_cmpint (ls_jail_probe ()->state, ==, STATES[i].state);
#endif
      g_assert_nonnull (sentence);
      g_assert_false (ls_jail_may_run ());
      answer = run (kernel, code, NULL, &error);
      g_assert_null (answer);
      g_assert_error (error, LS_KERNEL_ERROR, LS_KERNEL_ERROR_JAIL);
      g_assert_nonnull (strstr (error->message, "Nothing was run"));
      g_assert_cmpuint (ls_kernel_get_life (kernel), ==, 0);
      g_assert_false (g_file_test (mark, G_FILE_TEST_EXISTS));
      g_clear_error (&error);
      ls_jail_consent ();
      g_assert_true (ls_jail_may_run ());
      after = run (kernel, "print(6 * 7)", &outputs, &error);
      g_assert_no_error (error);
      text = ls_outputs_get_text (outputs);
      g_assert_cmpstr (text, ==, "42\n");
    }
  set_state (NULL);
  g_rmdir (folder);
}

static gboolean
interrupt (gpointer kernel)
{
  ls_kernel_interrupt (kernel);
  return G_SOURCE_REMOVE;
}

/* The cell has begun: it has printed. */
static void
interrupt_soon (LsKernel *kernel,
                gpointer  nothing)
{
  g_signal_handlers_disconnect_by_func (kernel, interrupt_soon, nothing);
  g_timeout_add (300, interrupt, kernel);
}

/* What is left where namespaces are refused: the filter, and the parent out of reach of its signals. */
static void
test_rest (void)
{
  g_autoptr (LsKernel) kernel = ls_kernel_new ();
  g_autoptr (LsOutputs) outputs = NULL;
  g_autoptr (GVariant) answer = NULL, interrupted = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *code = g_strdup_printf ("import os, resource, socket\nfor work in (lambda: os.kill(%d, 0), lambda: os.kill(os.getppid(), 0), lambda: os.kill(-1, 0), "
                                           "lambda: resource.prlimit(%d, resource.RLIMIT_CORE), socket.socket):\n    try:\n        work()\n        print('reached')\n"
                                           "    except OSError:\n        print('closed')", getpid (), getpid ());
  g_autofree char *text = NULL;

  set_state ("namespaces");
  if (strcmp (ls_jail_report_get (ls_jail_probe (), "filter"), "yes") != 0)
    {
      g_test_skip ("this build or this system has no seccomp");
      return;
    }
  ls_jail_consent ();
  answer = run (kernel, code, &outputs, NULL);
  text = ls_outputs_get_text (outputs);
  g_assert_cmpstr (text, ==, "closed\nclosed\nclosed\nclosed\nclosed\n");
  /* Its own signals it may send, and is heard: interrupts work. */
  g_signal_connect (kernel, "output", G_CALLBACK (interrupt_soon), NULL);
  interrupted = run (kernel, "import os, signal\nos.kill(os.getpid(), 0)\nsignal.raise_signal(signal.SIGCHLD)\nprint('begins')\nwhile True: pass", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (ls_params_string (interrupted, "status", ""), ==, "interrupted");
  set_state (NULL);
}

static void
test_not_there (void)
{
  g_autoptr (LsKernel) kernel = ls_kernel_new ();
  g_autoptr (GError) error = NULL;

  g_setenv ("LS_JAIL_PROGRAM", "/no/such/program", TRUE);
  set_state (NULL);
  g_assert_cmpint (ls_jail_probe ()->state, ==, LS_JAIL_REFUSED);
  g_assert_nonnull (strstr (ls_jail_probe ()->why, "/no/such/program"));
  g_assert_null (run (kernel, "1", NULL, &error));
  g_assert_error (error, LS_KERNEL_ERROR, LS_KERNEL_ERROR_JAIL);
  g_unsetenv ("LS_JAIL_PROGRAM");
  set_state (NULL);
}

static void
test_modes (void)
{
  set_state ("namespaces");
  g_setenv ("LS_JAIL", "try", TRUE);
  g_assert_true (ls_jail_may_run ());
  g_assert_true (ls_jail_is_optional ());
  g_setenv ("LS_JAIL", "off", TRUE);
  ls_jail_probe_again ();
  g_assert_cmpint (ls_jail_probe ()->state, ==, LS_JAIL_OFF);
  g_unsetenv ("LS_JAIL");
  set_state ("namespaces");
  g_assert_false (ls_jail_may_run ());
  set_state (NULL);
}

/* ---- the command line ---- */

static int
command (const char *const  *words,
         char              **out,
         char              **err)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  int status = 0;

  g_ptr_array_add (argv, (gpointer) g_getenv ("LS_CLI"));
  for (guint i = 0; words[i] != NULL; i++)
    g_ptr_array_add (argv, (gpointer) words[i]);
  g_ptr_array_add (argv, NULL);
  g_spawn_sync (NULL, (char **) argv->pdata, NULL, G_SPAWN_DEFAULT, NULL, NULL, out, err, &status, &error);
  g_assert_no_error (error);
  return WEXITSTATUS (status);
}

static void
test_command (void)
{
  g_autofree char *folder = g_dir_make_tmp ("ls-refused-XXXXXX", NULL);
  g_autofree char *lesson = g_build_filename (folder, "lesson.md", NULL);
  g_autofree char *out = NULL, *err = NULL, *out2 = NULL, *err2 = NULL, *out3 = NULL, *err3 = NULL;

  g_file_set_contents (lesson, "---\ntitle: One\norder: 1\nlanguage: en\n---\n# One\n\n```{.python .input}\nprint(6 * 7)\n```\n", -1, NULL);
  set_state ("namespaces");
  g_assert_cmpint (command ((const char *[]) { "lesson", "run", lesson, NULL }, &out, &err), ==, 3);
  g_assert_cmpstr (out, ==, "");
  g_assert_nonnull (strstr (err, "Nothing was run"));
  g_assert_nonnull (strstr (err, "--no-jail"));
  g_assert_cmpint (command ((const char *[]) { "lesson", "run", "--no-jail", lesson, NULL }, &out2, &err2), ==, 0);
  g_assert_nonnull (strstr (out2, "42"));
  g_assert_cmpint (command ((const char *[]) { "jail", "--json", NULL }, &out3, &err3), ==, 3);
  g_assert_nonnull (strstr (out3, "\"refused\""));
  set_state (NULL);
  g_unlink (lesson);
  g_rmdir (folder);
}

int
main (int    argc,
      char **argv)
{
  g_unsetenv ("LS_JAIL");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/jail/refused/asks", test_asks);
  g_test_add_func ("/jail/refused/rest", test_rest);
  g_test_add_func ("/jail/refused/not-there", test_not_there);
  g_test_add_func ("/jail/refused/modes", test_modes);
  g_test_add_func ("/jail/refused/command", test_command);
  return g_test_run ();
}
