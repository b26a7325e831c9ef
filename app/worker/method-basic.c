/* Methods that every worker has: ping, echo, methods, sandbox. */
#include "app/worker/sandbox.h"
#include "app/worker/server.h"

#include <unistd.h>

/* -> pid, version */
static GVariant *
method_ping (LsRequest  *request,
             GVariant   *params,
             GError    **error)
{
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "pid", "i", (gint32) getpid ());
  g_variant_dict_insert (&dict, "version", "s", LS_VERSION);
  return g_variant_dict_end (&dict);
}

/* The parameters back; with descriptors also `fds`: their sizes in bytes. */
static GVariant *
method_echo (LsRequest  *request,
             GVariant   *params,
             GError    **error)
{
  GVariantDict dict;

  g_variant_dict_init (&dict, params);
  g_variant_dict_remove (&dict, LS_FDS_KEY);
  if (ls_params_int (params, "fd", -1) >= 0)
    {
      int fd = ls_request_get_fd (request, (int) ls_params_int (params, "fd", -1), error);

      if (fd < 0)
        {
          g_variant_dict_clear (&dict);
          return NULL;
        }
      g_variant_dict_insert (&dict, "fd-bytes", "x", (gint64) lseek (fd, 0, SEEK_END));
    }
  return g_variant_dict_end (&dict);
}

static GVariant *
method_sandbox (LsRequest  *request,
                GVariant   *params,
                GError    **error)
{
  return ls_sandbox_status ();
}

const LsMethod ls_methods_basic[] = {
  { "ping", method_ping, "Says who is there." },
  { "echo", method_echo, "Gives the parameters back." },
  { "sandbox", method_sandbox, "Says what the worker may not do." },
  { NULL, NULL, NULL },
};
