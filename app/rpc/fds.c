/* File descriptors across a socket: one SOCK_SEQPACKET message carries an 8-byte tag and,
 * as SCM_RIGHTS, the descriptors.  The call that they belong to names the tag.
 */
#include "app/rpc/rpc.h"

#include "engine/base/base.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#define MAX_FDS 200
#define WAIT_MS 5000

typedef union {
  struct cmsghdr align;
  char           bytes[CMSG_SPACE (sizeof (int) * MAX_FDS)];
} Control;

static gboolean
fail (GError     **error,
      const char  *what)
{
  g_set_error (error, LS_WORKER_ERROR, LS_WORKER_ERROR_PROTOCOL, "%s: %s", ls_translate (what),
               g_strerror (errno));
  return FALSE;
}

gboolean
ls_fds_send (int           socket,
             guint64       tag,
             GUnixFDList  *list,
             GError      **error)
{
  int n = 0;
  const int *fds = g_unix_fd_list_peek_fds (list, &n);
  struct iovec data = { &tag, sizeof tag };
  Control control = { 0 };
  struct msghdr message = { .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control,
                            .msg_controllen = CMSG_SPACE (sizeof (int) * (gsize) n) };
  struct cmsghdr *header;

  if (n > MAX_FDS)
    {
      g_set_error (error, LS_WORKER_ERROR, LS_WORKER_ERROR_PROTOCOL,
                   ls_translate ("%d file descriptors for one call; up to %d can be handed over"), n, MAX_FDS);
      return FALSE;
    }
  if (n == 0)
    {
      message.msg_control = NULL;
      message.msg_controllen = 0;
    }
  else
    {
      header = CMSG_FIRSTHDR (&message);
      header->cmsg_level = SOL_SOCKET;
      header->cmsg_type = SCM_RIGHTS;
      header->cmsg_len = CMSG_LEN (sizeof (int) * (gsize) n);
      memcpy (CMSG_DATA (header), fds, sizeof (int) * (gsize) n);
    }
  if (sendmsg (socket, &message, MSG_NOSIGNAL) < 0)
    return fail (error, LS_TEXT ("the file descriptors could not be handed over"));
  return TRUE;
}

static GUnixFDList *
collect (struct msghdr *message)
{
  struct cmsghdr *header = CMSG_FIRSTHDR (message);
  int fds[MAX_FDS];
  gsize n;

  if (header == NULL || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
    return g_unix_fd_list_new ();
  n = (header->cmsg_len - CMSG_LEN (0)) / sizeof (int);
  memcpy (fds, CMSG_DATA (header), n * sizeof (int));
  return g_unix_fd_list_new_from_array (fds, (int) n);
}

GUnixFDList *
ls_fds_receive (int       socket,
                guint64  *tag,
                GError  **error)
{
  struct iovec data = { tag, sizeof *tag };
  Control control = { 0 };
  struct msghdr message = { .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control,
                            .msg_controllen = sizeof control };
  struct pollfd ready = { socket, POLLIN, 0 };

  if (poll (&ready, 1, WAIT_MS) != 1
      || recvmsg (socket, &message, MSG_CMSG_CLOEXEC) != (gssize) sizeof *tag)
    {
      fail (error, LS_TEXT ("the file descriptors of the call did not arrive"));
      return NULL;
    }
  return collect (&message);
}
