/* window/device-result: see the header.  Hashing the programs of a long history is done in a thread. */
#include "app/window/device-result.h"

#include "app/session/devices.h"
#include "app/session/engine.h"
#include "app/session/opening.h"
#include "app/window/actions.h"
#include "engine/base/task.h"

#include <glib/gi18n.h>
#include <string.h>

#define FORMAT "\"loopscope-device-result\""
#define HEAD 512                /* its first member says what it is */

typedef struct {
  LsDeviceResult *result;
  GPtrArray      *modules;      /* of LsModule, or NULL where the step was not done; by node */
  GPtrArray      *hashes;       /* of char, by node */
} Matching;

static void
matching_free (gpointer data)
{
  Matching *self = data;

  ls_device_result_free (self->result);
  g_ptr_array_unref (self->modules);
  g_ptr_array_unref (self->hashes);
  g_free (self);
}

/* ---- which step is which ---- */

static void
unref_module (gpointer module)
{
  if (module != NULL)
    ls_unref (module);
}

static void
hash_all (GTask        *task,
          gpointer      source,
          gpointer      data,
          GCancellable *cancellable)
{
  Matching *self = data;

  for (guint i = 0; i < self->modules->len; i++)
    g_ptr_array_add (self->hashes, self->modules->pdata[i] != NULL ? ls_device_hash (self->modules->pdata[i]) : NULL);
  g_task_return_boolean (task, TRUE);
}

/* That it was taken is news, which goes by itself: the figures stand at the steps. */
static void
say_taken (LsWindow       *self,
           LsDeviceResult *result,
           guint           n)
{
  g_autofree char *words = NULL;

  if (n > 0)
    words = g_strdup_printf (ngettext ("%u step has what %s measured of it (%s).", "%u steps have what %s measured of them (%s).", n), n, result->device, result->when);
  else
    words = g_strdup_printf (_("The result is of %s, made by %s; no step of the open program has the structural hash of one of its steps."), result->name, result->made_by);
  ls_window_say (self, n > 0 ? words : _("Not taken"), n > 0 ? NULL : words);
}

static void
matched (GObject      *object,
         GAsyncResult *answer,
         gpointer      data)
{
  LsWindow *self = LS_WINDOW (object);
  Matching *matching = g_task_get_task_data (G_TASK (answer));

  say_taken (self, matching->result,
             ls_engine_session_take_result (LS_ENGINE_SESSION (ls_window_get_session (self)), matching->result, matching->modules, matching->hashes));
}

/* Takes `result`. */
static void
match (LsWindow       *self,
       LsHistory      *history,
       LsDeviceResult *result)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, matched, NULL);
  Matching *matching = g_new0 (Matching, 1);

  *matching = (Matching) { result, g_ptr_array_new_with_free_func (unref_module), g_ptr_array_new_with_free_func (g_free) };
  for (guint i = 0; i < ls_history_get_n (history); i++)
    {
      LsHistoryNode *node = ls_history_get (history, i);

      g_ptr_array_add (matching->modules, LS_HISTORY_DONE (node) ? ls_ref (ls_schedule_get_module (node->schedule)) : NULL);
    }
  g_task_set_task_data (task, matching, matching_free);
  ls_task_run (task, hash_all);
}

/* ---- opening ---- */

/* (transfer full) or NULL: it is something else. */
static char *
read_text (GFile *file,
           gsize *length)
{
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *text = NULL;
  g_autoptr (GFileInfo) info = NULL;

  if (!g_str_has_suffix (name, ".json"))
    return NULL;
  info = g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_SIZE "," G_FILE_ATTRIBUTE_STANDARD_TYPE, G_FILE_QUERY_INFO_NONE, NULL, NULL);
  if (info == NULL || g_file_info_get_file_type (info) != G_FILE_TYPE_REGULAR || g_file_info_get_size (info) > LS_SESSION_MAX_FILE
      || !g_file_load_contents (file, NULL, &text, length, NULL, NULL) || g_strstr_len (text, (gssize) MIN (*length, HEAD), FORMAT) == NULL)
    return NULL;
  return g_steal_pointer (&text);
}

gboolean
ls_window_device_result_open (LsWindow *self,
                              GFile    *file)
{
  gsize length = 0;
  g_autofree char *text = read_text (file, &length);
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *words = NULL;
  g_autoptr (GError) error = NULL;
  LsHistory *history = ls_engine_session_get_history (LS_ENGINE_SESSION (ls_window_get_session (self)));
  LsDeviceResult *result;

  if (text == NULL)
    return FALSE;
  result = ls_device_result_parse (name, text, length, &error);
  if (result != NULL && history != NULL)
    {
      match (self, history, result);
      return TRUE;
    }
  words = result == NULL ? g_strdup (error->message)
          : g_strdup_printf (_("%s has what %s measured of %s. Open that program, then drop the result on its window."), name, result->device, result->name);
  ls_device_result_free (result);
  ls_window_say (self, _("Not opened"), words);
  return TRUE;
}
