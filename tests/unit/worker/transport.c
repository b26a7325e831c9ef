/* The worker's transport against the real program: answers, crashes, hangs, limits, restarts. */
#include "app/rpc/rpc.h"
#include "engine/runtime/runtime.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static GVariant *
parsed (const char *text)
{
  GError *error = NULL;
  GVariant *params = g_variant_parse (NULL, text, NULL, NULL, &error);

  g_assert_no_error (error);
  return params;
}

/* Expects an answer. */
static GVariant *
ask (LsWorker   *worker,
     const char *method,
     const char *params)
{
  g_autoptr (GError) error = NULL;
  GVariant *answer = ls_worker_call (worker, method, params != NULL ? parsed (params) : NULL, NULL,
                                     NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (answer);
  return answer;
}

static void
assert_alive (LsWorker *worker)
{
  g_autoptr (GVariant) answer = ask (worker, "ping", NULL);

  /* In a namespace of its own it has a number of its own. */
  g_assert_cmpint (ls_params_int (answer, "pid", 0), >, 0);
  g_assert_cmpint (ls_worker_get_pid (worker), >, 0);
}

/* Expects the error and that the next call works. */
static void
expect_error (LsWorker      *worker,
              const char    *method,
              const char    *params,
              gint64         timeout_ms,
              LsWorkerError  code,
              const char    *part)
{
  LsWorkerOptions options = { .timeout_ms = timeout_ms };
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call (worker, method, parsed (params), &options, NULL,
                                                NULL, NULL, &error);

  g_assert_null (answer);
  g_assert_error (error, LS_WORKER_ERROR, (int) code);
  if (strstr (error->message, part) == NULL)
    g_error ("\"%s\" lacks \"%s\"", error->message, part);
  assert_alive (worker);
}

static void
test_ping (void)
{
  g_autoptr (LsWorker) worker = ls_worker_new ();
  int pid;

  g_assert_cmpint (ls_worker_get_pid (worker), ==, 0);
  assert_alive (worker);
  pid = ls_worker_get_pid (worker);
  assert_alive (worker);
  g_assert_cmpint (ls_worker_get_pid (worker), ==, pid);
}

/* What this process has open stays its own: nobody among those that it started holds the other end of a pipe. */
static void
test_own_files (void)
{
  g_autoptr (LsWorker) worker = ls_worker_new ();
  struct pollfd wait;
  int ends[2];
  char byte;

  g_assert_cmpint (pipe (ends), ==, 0);         /* without FD_CLOEXEC, as some library might */
  assert_alive (worker);
  close (ends[1]);
  wait = (struct pollfd) { .fd = ends[0], .events = POLLIN };
  g_assert_cmpint (poll (&wait, 1, 10000), ==, 1);
  g_assert_cmpint (read (ends[0], &byte, 1), ==, 0);
  assert_alive (worker);
  close (ends[0]);
}

static void
test_echo (void)
{
  g_autoptr (LsWorker) worker = ls_worker_new ();
  g_autofree char *large = g_strnfill (1 << 20, 'x');
  g_autoptr (GVariant) answer = NULL;
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "large", "s", large);
  g_variant_dict_insert (&dict, "nan", "d", (double) NAN);
  g_variant_dict_insert (&dict, "int", "x", G_MAXINT64);
  g_variant_dict_insert (&dict, "text", "s", "ü漢\"\\\n");
  answer = ls_worker_call (worker, "echo", g_variant_dict_end (&dict), NULL, NULL, NULL, NULL,
                           NULL);
  g_assert_cmpstr (ls_params_string (answer, "large", ""), ==, large);
  g_assert_cmpint (ls_params_int (answer, "int", 0), ==, G_MAXINT64);
  g_assert_cmpstr (ls_params_string (answer, "text", ""), ==, "ü漢\"\\\n");
  g_assert_true (isnan (ls_params_double (answer, "nan", 0)));
}

static void
test_too_large (void)
{
  g_autoptr (LsWorker) worker = ls_worker_new ();
  g_autofree char *large = g_strnfill (16 << 20, 'x');
  g_autoptr (GVariant) answer = NULL;
  g_autoptr (GError) error = NULL;
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "large", "s", large);
  answer = ls_worker_call (worker, "echo", g_variant_dict_end (&dict), NULL, NULL, NULL, NULL,
                           &error);
  g_assert_error (error, LS_WORKER_ERROR, LS_WORKER_ERROR_PROTOCOL);
  assert_alive (worker);
}

static void
test_crashes (void)
{
  g_autoptr (LsWorker) worker = ls_worker_new ();

  expect_error (worker, "crash", "{'kind': <'segv'>}", 0, LS_WORKER_ERROR_SIGNAL,
                "ended by SIGSEGV (Segmentation fault) during \"crash\" {'kind': <'segv'>}");
  expect_error (worker, "crash", "{'kind': <'null'>}", 0, LS_WORKER_ERROR_SIGNAL, "SIGSEGV");
  expect_error (worker, "crash", "{'kind': <'abort'>}", 0, LS_WORKER_ERROR_SIGNAL, "SIGABRT");
#if !defined __SANITIZE_ADDRESS__
  /* the sanitizer's own stack bookkeeping may end the process first */
  expect_error (worker, "crash", "{'kind': <'stack'>}", 0, LS_WORKER_ERROR_SIGNAL, "SIGSEGV");
#endif
  expect_error (worker, "crash", "{'kind': <'exit'>}", 0, LS_WORKER_ERROR_EXIT, "status 3");
}

static void
test_wrong_requests (void)
{
  g_autoptr (LsWorker) worker = ls_worker_new ();
  int pid;

  assert_alive (worker);
  pid = ls_worker_get_pid (worker);
  expect_error (worker, "no-such-method", "@a{sv} {}", 0, LS_WORKER_ERROR_REQUEST,
                "no method \"no-such-method\"");
  expect_error (worker, "crash", "{'kind': <'politely'>}", 0, LS_WORKER_ERROR_REQUEST,
                "no crash is named \"politely\"");
  expect_error (worker, "crash", "@a{sv} {}", 0, LS_WORKER_ERROR_REQUEST, "\"kind\" is missing");
  g_assert_cmpint (ls_worker_get_pid (worker), ==, pid);
}

static void
test_timeout (void)
{
  g_autoptr (LsWorker) worker = ls_worker_new ();

  expect_error (worker, "crash", "{'kind': <'hang'>}", 300, LS_WORKER_ERROR_TIMEOUT,
                "did not finish within 0.3 s");
}

static void
test_memory (void)
{
  g_autoptr (LsWorker) worker = ls_worker_new ();

  ls_worker_set_memory_limit (worker, G_GUINT64_CONSTANT (400) << 20);
  expect_error (worker, "crash", "{'kind': <'alloc'>}", 60000, LS_WORKER_ERROR_MEMORY,
                "the limit is 400.0");
}

static gboolean
cancel_now (gpointer data)
{
  g_cancellable_cancel (data);
  return G_SOURCE_REMOVE;
}

static void
test_cancel (void)
{
  g_autoptr (LsWorker) worker = ls_worker_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_timeout_add (100, cancel_now, cancellable);
  g_assert_null (ls_worker_call (worker, "crash", parsed ("{'kind': <'hang'>}"), NULL, cancellable,
                                 NULL, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_null (ls_worker_call (worker, "ping", NULL, NULL, cancellable, NULL, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  assert_alive (worker);
}

static void
answered_cancelled (GObject      *worker,
                    GAsyncResult *result,
                    gpointer      data)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (ls_worker_call_finish (LS_WORKER (worker), result, NULL, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  *(gboolean *) data = TRUE;
}

/* Who cancels after it has failed, but before it was told so, may have gone: a window that closes. */
static void
test_cancel_told_late (void)
{
  g_autofree char *before = g_strdup (g_getenv ("LS_WORKER"));
  g_autoptr (LsWorker) worker = ls_worker_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  gboolean answered = FALSE;

  g_setenv ("LS_WORKER", "/no/such/worker", TRUE);
  ls_worker_call_async (worker, "ping", NULL, NULL, cancellable, answered_cancelled, &answered);
  g_assert_false (answered);
  g_cancellable_cancel (cancellable);
  while (!answered)
    g_main_context_iteration (NULL, TRUE);
  g_setenv ("LS_WORKER", before, TRUE);
  assert_alive (worker);
}

static void
test_output (void)
{
  g_autoptr (LsWorker) worker = ls_worker_new ();
  g_autofree char *out = NULL;
  g_autofree char *err = NULL;
  g_autoptr (GVariant) answer = NULL;

  answer = ls_worker_call (worker, "print", parsed ("{'out': <'to out'>, 'err': <'to err\\n'>}"),
                           NULL, NULL, &out, &err, NULL);
  g_assert_cmpstr (out, ==, "to out");
  g_assert_cmpstr (err, ==, "to err\n");
  g_free (out);
  g_assert_null (ls_worker_call (worker, "crash",
                                 parsed ("{'kind': <'segv'>, 'print': <'last words\\n'>}"), NULL,
                                 NULL, &out, NULL, NULL));
  g_assert_cmpstr (out, ==, "last words\n");
  g_free (out);
  g_variant_unref (answer);
  answer = ls_worker_call (worker, "print", parsed ("{'out': <'second'>}"), NULL, NULL, &out, NULL,
                           NULL);
  g_assert_cmpstr (out, ==, "second");
}

static void
count_progress (LsWorker   *worker,
                double      fraction,
                const char *text,
                gpointer    data)
{
  int *n = data;
  g_autofree char *expected = g_strdup_printf ("step %d", *n);

  g_assert_cmpstr (text, ==, expected);
  g_assert_cmpfloat (fraction, ==, *n / 20.0);
  ++*n;
}

static void
test_progress (void)
{
  g_autoptr (LsWorker) worker = ls_worker_new ();
  int n = 0;
  LsWorkerOptions options = { .progress = count_progress, .progress_data = &n };
  g_autoptr (GVariant) answer = ls_worker_call (worker, "print", parsed ("{'steps': <20>}"),
                                                &options, NULL, NULL, NULL, NULL);

  g_assert_nonnull (answer);
  g_assert_cmpint (n, ==, 20);
}

/* An array of ours is seen by the worker through its descriptor. */
static void
test_fds (void)
{
  g_autoptr (LsWorker) worker = ls_worker_new ();
  g_autoptr (GUnixFDList) fds = g_unix_fd_list_new ();
  g_autoptr (LsNDArray) array = NULL;
  LsWorkerOptions options = { .fds = fds };
  int fd;

  array = ls_ndarray_new_shared (1, (gint64[]) { 3000000 }, LS_DT_FLOAT64, &fd, NULL);
  g_unix_fd_list_append (fds, fd, NULL);
  close (fd);
  for (int i = 0; i < 3; i++)
    {
      g_autoptr (GVariant) answer = ls_worker_call (worker, "echo", parsed ("{'fd': <0>}"),
                                                    &options, NULL, NULL, NULL, NULL);

      g_assert_cmpint (ls_params_int (answer, "fd-bytes", 0), ==, 24000000);
    }
  expect_error (worker, "echo", "{'fd': <1>}", 0, LS_WORKER_ERROR_REQUEST, "0 came with the call");
}

typedef struct {
  int n_done;
  int n_failed;
} Tally;

static void
on_done (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  Tally *tally = data;
  g_autoptr (GVariant) answer = ls_worker_call_finish (LS_WORKER (source), result, NULL, NULL,
                                                       NULL);

  tally->n_done++;
  tally->n_failed += answer == NULL;
}

/* Calls queue up; one that crashes takes none of the others along. */
static void
test_queue (void)
{
  g_autoptr (LsWorker) worker = ls_worker_new ();
  Tally tally = { 0, 0 };

  for (int i = 0; i < 10; i++)
    ls_worker_call_async (worker, i == 3 || i == 7 ? "crash" : "echo",
                          parsed ("{'kind': <'segv'>}"), NULL, NULL, on_done, &tally);
  while (tally.n_done < 10)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (tally.n_failed, ==, 2);
}

static void
test_stop (void)
{
  g_autoptr (LsWorker) worker = ls_worker_new ();
  Tally tally = { 0, 0 };

  ls_worker_stop (worker);
  assert_alive (worker);
  ls_worker_stop (worker);
  g_assert_cmpint (ls_worker_get_pid (worker), ==, 0);
  ls_worker_call_async (worker, "crash", parsed ("{'kind': <'hang'>}"), NULL, NULL, on_done,
                        &tally);
  for (int i = 0; i < 5; i++)
    g_main_context_iteration (NULL, FALSE);
  ls_worker_stop (worker);
  while (tally.n_done < 1)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (tally.n_failed, ==, 1);
}

/* Ended from outside while nothing is asked of it. */
static void
test_killed_idle (void)
{
  g_autoptr (LsWorker) worker = ls_worker_new ();
  int pid;

  assert_alive (worker);
  pid = ls_worker_get_pid (worker);
  kill (pid, SIGKILL);
  for (int i = 0; i < 12000 && ls_worker_get_pid (worker) != 0; i++)
    {
      g_usleep (5000);
      g_main_context_iteration (NULL, FALSE);
    }
  assert_alive (worker);
  g_assert_cmpint (ls_worker_get_pid (worker), !=, pid);
}

/* A worker that never finishes goes when its caller lets go of it. */
static void
test_no_orphans (void)
{
  LsWorker *worker = ls_worker_new ();
  int pid, i;

  assert_alive (worker);
  pid = ls_worker_get_pid (worker);
  g_object_unref (worker);
  for (i = 0; i < 12000 && kill (pid, 0) == 0; i++)
    g_usleep (5000);
  g_assert_cmpint (i, <, 12000);
}

static void
test_not_found (void)
{
  g_autofree char *before = g_strdup (g_getenv ("LS_WORKER"));
  g_autoptr (LsWorker) worker = ls_worker_new ();
  g_autoptr (GError) error = NULL;

  g_setenv ("LS_WORKER", "/no/such/worker", TRUE);
  g_assert_null (ls_worker_call (worker, "ping", NULL, NULL, NULL, NULL, NULL, &error));
  g_assert_error (error, LS_WORKER_ERROR, LS_WORKER_ERROR_NOT_FOUND);
  g_setenv ("LS_WORKER", before, TRUE);
  assert_alive (worker);
}

static int
try_open (LsWorker   *worker,
          const char *path,
          gboolean    writing)
{
  g_autoptr (GVariant) answer =
    ls_worker_call (worker, "open", g_variant_new_parsed ("{'path': <%s>, 'write': <%b>}", path,
                                                          writing), NULL, NULL, NULL, NULL, NULL);

  g_assert_nonnull (answer);
  return (int) ls_params_int (answer, "errno", -1);
}

static void
test_sandbox (void)
{
  g_autoptr (LsWorker) worker = ls_worker_new ();
  g_autoptr (GVariant) status = ask (worker, "sandbox", NULL);
  g_autofree char *folder = g_dir_make_tmp ("ls-sandbox-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "file", NULL);

  g_test_message ("%s", ls_params_string (status, "statement", ""));
  if (!ls_params_bool (status, "enabled", FALSE))
    {
      g_test_skip ("the sandbox is switched off");
      g_rmdir (folder);
      return;
    }
  g_assert_true (ls_params_bool (status, "no-new-privileges", FALSE));
  g_assert_true (g_file_set_contents (path, "x", 1, NULL));
  g_assert_cmpint (try_open (worker, "/etc/passwd", FALSE), ==, 0);
  if (ls_params_bool (status, "seccomp", FALSE))
    {
      g_assert_cmpstr (ls_params_string (status, "network", ""), ==, "denied");
      g_assert_cmpstr (ls_params_string (status, "counters", ""), ==, "denied");
    }
  if (ls_params_bool (status, "seccomp", FALSE) || ls_params_int (status, "landlock", 0) > 0)
    {
      g_assert_cmpstr (ls_params_string (status, "files-written", ""), ==, "denied");
      g_assert_cmpint (try_open (worker, path, TRUE), ==, EACCES);
    }
  if (ls_params_int (status, "landlock", 0) > 0)
    {
      int outcome = try_open (worker, path, FALSE);

      g_assert_true (outcome == EACCES || outcome == ENOENT);
    }
  ls_worker_stop (worker);
  ls_worker_add_path (worker, folder, TRUE);
  g_assert_cmpint (try_open (worker, path, TRUE), ==, 0);
  g_assert_cmpint (try_open (worker, path, FALSE), ==, 0);
  g_remove (path);
  g_rmdir (folder);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/worker/ping", test_ping);
  g_test_add_func ("/worker/own-files", test_own_files);
  g_test_add_func ("/worker/echo", test_echo);
  g_test_add_func ("/worker/too-large", test_too_large);
  g_test_add_func ("/worker/crashes", test_crashes);
  g_test_add_func ("/worker/wrong-requests", test_wrong_requests);
  g_test_add_func ("/worker/timeout", test_timeout);
  g_test_add_func ("/worker/memory", test_memory);
  g_test_add_func ("/worker/cancel", test_cancel);
  g_test_add_func ("/worker/cancel-told-late", test_cancel_told_late);
  g_test_add_func ("/worker/output", test_output);
  g_test_add_func ("/worker/progress", test_progress);
  g_test_add_func ("/worker/fds", test_fds);
  g_test_add_func ("/worker/queue", test_queue);
  g_test_add_func ("/worker/stop", test_stop);
  g_test_add_func ("/worker/killed-idle", test_killed_idle);
  g_test_add_func ("/worker/no-orphans", test_no_orphans);
  g_test_add_func ("/worker/not-found", test_not_found);
  g_test_add_func ("/worker/sandbox", test_sandbox);
  return g_test_run ();
}
