/* address: where a queue is.  Passwords are kept apart from what is shown, and no message repeats the text that was given. */
#include "app/fleet/fleet.h"

#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PORT 6379

G_DEFINE_QUARK (ls-fleet-error-quark, ls_fleet_error)

static gboolean
fail (GError     **error,
      const char  *format,
      const char  *what)
{
  g_set_error (error, LS_FLEET_ERROR, LS_FLEET_ERROR_ADDRESS, _(format), what);
  return FALSE;
}

static gboolean
take_number (const char  *text,
             guint        most,
             guint       *number,
             GError     **error)
{
  guint64 value;

  if (!g_ascii_string_to_unsigned (text, 10, 0, most, &value, NULL))
    return fail (error, N_("a queue's database is a number, not \"%s\""), text);
  *number = (guint) value;
  return TRUE;
}

/* "queue=NAME&db=N" */
static gboolean
take_query (LsFleetAddress  *self,
            const char      *query,
            GError         **error)
{
  GUriParamsIter iter;
  char *name, *value;

  if (query == NULL)
    return TRUE;
  g_uri_params_iter_init (&iter, query, -1, "&", G_URI_PARAMS_NONE);
  while (g_uri_params_iter_next (&iter, &name, &value, NULL))
    {
      g_autofree char *own_name = name, *own = value;
      gboolean good = TRUE;

      if (strcmp (name, "db") == 0)
        good = take_number (value, 1 << 20, &self->database, error);
      else if (strcmp (name, "queue") != 0)
        good = fail (error, N_("the address of a queue has no parameter \"%s\"; the parameters are queue and db"), name);
      else if (*value == '\0' || strpbrk (value, " \t\r\n*?[]{}") != NULL)
        good = fail (error, N_("\"%s\" is no name of a queue"), value);
      else
        {
          g_free (self->queue);
          self->queue = g_strdup (value);
        }
      if (!good)
        return FALSE;
    }
  return TRUE;
}

static gboolean
take_uri (LsFleetAddress  *self,
          const char      *text,
          GError         **error)
{
  g_autoptr (GUri) uri = g_uri_parse (text, G_URI_FLAGS_HAS_PASSWORD, NULL);
  const char *scheme = uri != NULL ? g_uri_get_scheme (uri) : "", *path = uri != NULL ? g_uri_get_path (uri) : "";

  if (strcmp (scheme, "rediss") == 0)
    return fail (error, N_("TLS is not spoken here: let stunnel or an ssh tunnel end it on this machine, and name its local end as redis://localhost:PORT%s"), "");
  if (strcmp (scheme, "unix") == 0 || strcmp (scheme, "redis+unix") == 0)
    {
      self->path = g_strdup (path);
      if (*path != '/')
        return fail (error, N_("after unix:// the whole path of a socket is expected, as in unix:///run/redis/redis.sock%s"), "");
    }
  else if (strcmp (scheme, "redis") == 0 && g_uri_get_host (uri) != NULL && *g_uri_get_host (uri) != '\0')
    {
      self->host = g_strdup (g_uri_get_host (uri));
      self->port = g_uri_get_port (uri) > 0 ? (guint) g_uri_get_port (uri) : PORT;
      if (*path == '/' && path[1] != '\0' && !take_number (path + 1, 1 << 20, &self->database, error))
        return FALSE;
    }
  else
    return fail (error, N_("a queue is named as redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE][?queue=NAME], as unix:///PATH, or by the path of a socket%s"), "");
  self->password = g_strdup (g_uri_get_password (uri));
  self->user = self->password != NULL || g_uri_get_user (uri) != NULL ? g_strdup (g_uri_get_user (uri)) : NULL;
  return take_query (self, g_uri_get_query (uri), error);
}

/* "PASSWORD" or "USER PASSWORD", the first line that is neither empty nor begins with #. */
static gboolean
take_file (LsFleetAddress  *self,
           const char      *path,
           GError         **error)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  struct stat about;

  if (stat (path, &about) != 0 || !g_file_get_contents (path, &text, NULL, NULL))
    return fail (error, N_("the file of credentials %s cannot be read"), path);
  if ((about.st_mode & 077) != 0)
    return fail (error, N_("others can read the credentials in %s; chmod 600 first"), path);
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      char *line = g_strstrip (lines[i]), *gap = line + strcspn (line, " \t");

      if (*line == '\0' || *line == '#')
        continue;
      if (*gap != '\0')
        {
          *gap = '\0';
          g_free (self->user);
          self->user = g_strdup (line);
          line = g_strchug (gap + 1);
        }
      g_free (self->password);
      self->password = g_strdup (line);
      return TRUE;
    }
  return fail (error, N_("there are no credentials in %s: a line PASSWORD or USER PASSWORD is expected"), path);
}

static void
show (LsFleetAddress *self)
{
  g_autofree char *who = self->user != NULL && *self->user != '\0' ? g_strconcat (self->user, "@", NULL) : g_strdup ("");
  gboolean named = strcmp (self->queue, "loopscope") != 0;

  if (self->path != NULL)
    self->shown = g_strdup_printf ("unix://%s%s%s%s", who, self->path, named ? "?queue=" : "", named ? self->queue : "");
  else
    self->shown = g_strdup_printf ("redis://%s%s:%u%s%s", who, self->host, self->port, named ? "?queue=" : "", named ? self->queue : "");
}

LsFleetAddress *
ls_fleet_address_parse (const char  *text,
                        const char  *auth_file,
                        GError     **error)
{
  g_autoptr (LsFleetAddress) self = g_new0 (LsFleetAddress, 1);

  self->queue = g_strdup ("loopscope");
  if (*text == '/')
    self->path = g_strdup (text);
  else if (!take_uri (self, text, error))
    return NULL;
  if (auth_file != NULL && !take_file (self, auth_file, error))
    return NULL;
  show (self);
  return g_steal_pointer (&self);
}

LsFleetAddress *
ls_fleet_address_copy (const LsFleetAddress *self)
{
  LsFleetAddress *copy = g_new0 (LsFleetAddress, 1);

  *copy = (LsFleetAddress) { g_strdup (self->path), g_strdup (self->host), self->port, self->database, g_strdup (self->queue),
                             g_strdup (self->user), g_strdup (self->password), g_strdup (self->shown) };
  return copy;
}

void
ls_fleet_address_free (LsFleetAddress *self)
{
  if (self == NULL)
    return;
  g_free (self->path);
  g_free (self->host);
  g_free (self->queue);
  g_free (self->user);
  if (self->password != NULL)
    explicit_bzero (self->password, strlen (self->password));
  g_free (self->password);
  g_free (self->shown);
  g_free (self);
}

void
ls_fleet_address_hide (char *argument)
{
  char *from = strstr (argument, "://"), *at = from != NULL ? strchr (from, '@') : NULL, *colon = from != NULL ? strchr (from + 3, ':') : NULL;

  /* The last @ before the path ends who asks. */
  for (char *next = at; next != NULL && (next = strpbrk (next + 1, "@/?")) != NULL && *next == '@';)
    at = next;
  if (colon == NULL || at == NULL || colon > at)
    return;
  memset (colon + 1, 'x', (gsize) (at - colon - 1));
}
