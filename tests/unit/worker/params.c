/* Call parameters read leniently, and file descriptors across a socket. */
#include "app/rpc/rpc.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void
test_values (void)
{
  g_autoptr (GVariant) params = g_variant_ref_sink (g_variant_new_parsed (
    "{'s': <'text'>, 'i': <int32 7>, 'u': <uint64 18446744073709551615>, 'd': <2.5>, 'b': <true>,"
    " 'as': <['a', 'b']>, 'av': <[<'c'>]>, 'bad': <[<1>]>, 'vv': <<'deep'>>}"));
  g_auto (GStrv) as = ls_params_strv (params, "as");
  g_auto (GStrv) av = ls_params_strv (params, "av");
  g_autoptr (GError) error = NULL;

  g_assert_cmpstr (ls_params_string (params, "s", "?"), ==, "text");
  g_assert_cmpstr (ls_params_string (params, "vv", "?"), ==, "deep");
  g_assert_cmpstr (ls_params_string (params, "i", "?"), ==, "?");
  g_assert_cmpstr (ls_params_string (NULL, "i", "?"), ==, "?");
  g_assert_cmpint (ls_params_int (params, "i", -1), ==, 7);
  g_assert_cmpint (ls_params_int (params, "u", -1), ==, -1);
  g_assert_cmpint (ls_params_int (params, "d", -1), ==, -1);
  g_assert_cmpfloat (ls_params_double (params, "d", -1), ==, 2.5);
  g_assert_cmpfloat (ls_params_double (params, "i", -1), ==, 7);
  g_assert_true (ls_params_bool (params, "b", FALSE));
  g_assert_cmpstr (as[1], ==, "b");
  g_assert_cmpstr (av[0], ==, "c");
  g_assert_null (ls_params_strv (params, "bad"));
  g_assert_null (ls_params_require_string (params, "nothing", &error));
  g_assert_error (error, LS_WORKER_ERROR, LS_WORKER_ERROR_REQUEST);
}

/* Rows are looked at one by one; a list that is not there has none that lacks anything. */
static void
test_rows (void)
{
  static const struct { const char *answer, *says; } CASES[] = {
    { "{'rows': <[{'a': <1>, 'b': <'x'>}, {'a': <2>, 'b': <'y'>, 'c': <3>}]>}", NULL }, { "{'other': <1>}", NULL }, { "{'rows': <@aa{sv} []>}", NULL },
    { "{'rows': <[{'a': <1>, 'b': <'x'>}, {'a': <2>}]>}", "the worker's answer lacks \"b\" in row 2 of \"rows\"" },
    { "{'rows': <[1, 2]>}", "the worker's answer lacks \"a\" in row 1 of \"rows\"" }, { "{'rows': <7>}", "the worker's answer lacks \"rows\"" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (CASES); i++)
    {
      g_autoptr (GVariant) answer = g_variant_ref_sink (g_variant_new_parsed (CASES[i].answer));
      g_autoptr (GError) error = NULL;

      g_assert_true (ls_params_require_rows (answer, "rows", "a b", &error) == (CASES[i].says == NULL));
      if (CASES[i].says != NULL)
        g_assert_error (error, LS_WORKER_ERROR, LS_WORKER_ERROR_PROTOCOL);
      g_assert_cmpstr (error != NULL ? error->message : NULL, ==, CASES[i].says);
    }
}

static void
test_fds (void)
{
  g_autoptr (GUnixFDList) list = g_unix_fd_list_new ();
  g_autoptr (GUnixFDList) got = NULL;
  g_autoptr (GUnixFDList) none = g_unix_fd_list_new ();
  g_autoptr (GError) error = NULL;
  int pair[2], pipe_fds[2], fd;
  guint64 tag;
  char byte = 0;

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_SEQPACKET, 0, pair), ==, 0);
  g_assert_cmpint (pipe (pipe_fds), ==, 0);
  g_unix_fd_list_append (list, pipe_fds[1], NULL);
  g_assert_true (ls_fds_send (pair[0], 77, list, &error));
  got = ls_fds_receive (pair[1], &tag, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (tag, ==, 77);
  fd = g_unix_fd_list_get (got, 0, NULL);
  g_assert_cmpint (write (fd, "x", 1), ==, 1);
  g_assert_cmpint (read (pipe_fds[0], &byte, 1), ==, 1);
  g_assert_cmpint (byte, ==, 'x');
  close (fd);
  g_assert_true (ls_fds_send (pair[0], 78, none, &error));
  g_clear_object (&got);
  got = ls_fds_receive (pair[1], &tag, &error);
  g_assert_cmpint (g_unix_fd_list_get_length (got), ==, 0);
  close (pair[0]);
  g_assert_null (ls_fds_receive (pair[1], &tag, &error));
  g_assert_error (error, LS_WORKER_ERROR, LS_WORKER_ERROR_PROTOCOL);
  close (pair[1]);
  close (pipe_fds[0]);
  close (pipe_fds[1]);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/worker/params/values", test_values);
  g_test_add_func ("/worker/params/rows", test_rows);
  g_test_add_func ("/worker/params/fds", test_fds);
  return g_test_run ();
}
