/* redis: a connection whose other side goes while something is to be written and something is to be read. */
#include "app/fleet/redis-private.h"
#include "tests/support/support.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define ROUNDS 20

typedef struct {
  guint up, down;
} Seen;

static void
is_up (gpointer data)
{
  ((Seen *) data)->up++;
}

static void
is_down (const char *problem,
         gpointer    data)
{
  ((Seen *) data)->down++;
}

static void
turn (void)
{
  if (!g_main_context_iteration (NULL, FALSE))
    g_usleep (1000);
}

static int
listen_at (const char *path)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);

  g_strlcpy (address.sun_path, path, sizeof address.sun_path);
  g_unlink (path);
  g_assert_cmpint (bind (fd, (struct sockaddr *) &address, sizeof address), ==, 0);
  g_assert_cmpint (listen (fd, 4), ==, 0);
  return fd;
}

/* Takes a connection and answers its PING. */
static int
greet (int server)
{
  char words[256];
  int fd;

  while ((fd = accept4 (server, NULL, NULL, SOCK_NONBLOCK)) < 0)
    turn ();
  while (read (fd, words, sizeof words) <= 0)
    turn ();
  g_assert_cmpint (write (fd, "+PONG\r\n", 7), ==, 7);
  return fd;
}

/* What is written finds that nobody is there, and frees the context before what is there could be read: each time it is said, and it comes again. */
static void
test_gone (void)
{
  g_autofree char *folder = g_dir_make_tmp ("loopscope-redis-XXXXXX", NULL), *path = g_build_filename (folder, "socket", NULL);
  g_autoptr (LsFleetAddress) address = ls_fleet_address_parse (path, NULL, NULL);
  Seen seen = { 0, 0 };
  LsRedisEvents events = { is_up, is_down, &seen };
  int server = listen_at (path);
  LsRedis *redis = ls_redis_new (address, &events);

  for (guint round = 1; round <= ROUNDS; round++)
    {
      int fd = greet (server);

      while (seen.up < round)
        turn ();
      close (fd);
      for (guint i = 0; i < 8; i++)
        ls_redis_call (redis, NULL, NULL, "PING", NULL);
      while (seen.down < round)
        turn ();
      g_assert_false (ls_redis_is_up (redis));
    }
  ls_redis_free (redis);
  for (guint i = 0; i < 20; i++)
    turn ();
  close (server);
  g_unlink (path);
  g_rmdir (folder);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  /* Whoever starts a program may have ignored it: a search must live without that. */
  signal (SIGPIPE, SIG_DFL);
  g_test_add_func ("/fleet/redis/gone", test_gone);
  return g_test_run ();
}
