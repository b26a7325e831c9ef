/* session/file: reading, member by member; see the header.  Writing: file-write.c. */
#include "app/session/file.h"

#include "app/session/devices.h"

#include "engine/base/base.h"
#include "engine/base/json.h"
#include "engine/script/script.h"

#include <glib/gi18n.h>
#include <json-glib/json-glib.h>
#include <string.h>

#define MAX_STEPS 100000
#define MAX_SAMPLES 100000
#define MAX_TEXTS 1000

G_DEFINE_QUARK (ls-session-file-error-quark, ls_session_file_error)

void
ls_session_file_clear (LsSessionFile *self)
{
  g_clear_pointer (&self->name, g_free);
  g_clear_pointer (&self->target, g_free);
  g_clear_pointer (&self->text, g_free);
  g_clear_pointer (&self->draft, g_free);
  g_clear_pointer (&self->origin, g_free);
  g_clear_pointer (&self->origin_sum, g_free);
  g_clear_pointer (&self->left_out, g_free);
  g_clear_pointer (&self->history, ls_history_free);
  g_clear_pointer (&self->passes, g_strfreev);
  g_clear_pointer (&self->sizes, g_free);
  g_clear_pointer (&self->device, g_free);
  g_clear_pointer (&self->styles, g_strfreev);
  ls_pins_clear (&self->pins);
}

/* ---- reading ---------------------------------------------------------------- */

static JsonObject *
object_at (JsonArray *array,
           guint      i)
{
  JsonNode *node = json_array_get_element (array, i);

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

static void
read_time (LsHistoryNode *node,
           JsonObject    *step)
{
  JsonNode *member = json_object_get_member (step, "time");
  JsonObject *object = member != NULL && JSON_NODE_HOLDS_OBJECT (member) ? json_node_get_object (member) : NULL;
  JsonArray *list = object != NULL ? ls_json_array (object, "samples") : NULL;
  guint n = list != NULL ? json_array_get_length (list) : 0;
  LsStepTime time;
  double *samples;

  if (n == 0 || n > MAX_SAMPLES || node->refused != NULL || node->unreached)
    return;
  time = (LsStepTime) { ls_json_double (object, "min", 0.0), ls_json_double (object, "q1", 0.0), ls_json_double (object, "median", 0.0),
                        ls_json_double (object, "q3", 0.0), n, MAX (ls_json_double (object, "own", 0.0), 0.0) };
  if (!(time.min > 0.0 && time.q1 >= time.min && time.median >= time.q1 && time.q3 >= time.median))
    return;
  samples = g_new (double, n);
  for (guint i = 0; i < n; i++)
    {
      JsonNode *sample = json_array_get_element (list, i);

      samples[i] = JSON_NODE_HOLDS_VALUE (sample) ? json_node_get_double (sample) : time.median;
    }
  ls_history_set_time (node, &time, samples, ls_json_text (object, "conditions"));
  node->counted = g_strdup (ls_json_text (object, "counted"));
  node->stale = ls_json_is_true (object, "stale");
}

/* The reason of then: the text of a step that a file of steps had uses names that are gone now. */
static void
keep_reason (LsHistoryNode *node,
             const char    *reason)
{
  if (node->refused == NULL || reason == NULL)
    return;
  if (strcmp (node->refused, reason) != 0)
    node->checked_in = NULL;    /* it was another check then */
  g_free (node->refused);
  node->refused = g_strdup (reason);
}

static void
say_left_out (LsSessionFile *self,
              const char    *shown,
              guint          n)
{
  if (n > 0)
    self->left_out = g_strdup_printf (ngettext ("%s: %u step follows no step before it and is left out.",
                                                "%s: %u steps follow no step before them and are left out.", n), shown, n);
}

/* Steps beyond the first; one whose parent is no earlier step is passed over with all that hangs on it: how many. */
static guint
read_steps (LsSessionFile *self,
            JsonArray     *steps,
            guint         *ids)
{
  guint n = MIN (json_array_get_length (steps), MAX_STEPS);
  guint lost = json_array_get_length (steps) - n;

  for (guint i = 0; i < n; i++)
    {
      JsonObject *step = object_at (steps, i);
      gint64 parent = step != NULL ? ls_json_int (step, "parent", -1) : -1;
      const char *lines = step != NULL ? ls_json_text (step, "lines") : NULL;
      const char *call = step != NULL ? ls_json_text (step, "call") : NULL;
      const char *name = step != NULL ? ls_json_text (step, "name") : NULL;

      ids[i] = i == 0 ? 0 : LS_HISTORY_NONE;
      if (i > 0 && lines != NULL && parent >= 0 && parent < i && ids[parent] != LS_HISTORY_NONE)
        ids[i] = ls_history_add (self->history, ids[parent], (guint) CLAMP (ls_json_int (step, "naming", 0), 0, MAX_STEPS), lines,
                                 call != NULL ? call : lines, name != NULL ? name : _("step"));
      lost += ids[i] == LS_HISTORY_NONE;
      if (step == NULL || ids[i] == LS_HISTORY_NONE)
        continue;
      keep_reason (ls_history_get (self->history, ids[i]), ls_json_text (step, "refused"));
      read_time (ls_history_get (self->history, ids[i]), step);
      ls_history_get (self->history, ids[i])->devices = ls_device_notes_read (ls_json_array (step, "devices"));
      ls_history_get (self->history, ids[i])->bookmark = (guint) CLAMP (ls_json_int (step, "bookmark", 0), 0, 9);
      g_free (ls_history_get (self->history, ids[i])->trouble);
      ls_history_get (self->history, ids[i])->trouble = g_strdup (ls_json_text (step, "trouble"));
    }
  return lost;
}

static void
read_branches (LsSessionFile *self,
               JsonArray     *branches)
{
  for (guint i = 0; branches != NULL && i < json_array_get_length (branches) &&
                    i < ls_history_n_branches (self->history); i++)
    {
      JsonNode *name = json_array_get_element (branches, i);

      /* Without a name of its own it is called as the language of the reader has it. */
      if (JSON_NODE_HOLDS_VALUE (name) && json_node_get_value_type (name) == G_TYPE_STRING && *json_node_get_string (name) != '\0')
        ls_history_name_branch (self->history, i, json_node_get_string (name));
    }
}

/* `ids` are the nodes of the file's steps; a pin that cannot be read is left out, and that is said. */
static void
read_pins (LsSessionFile *self,
           const char    *shown,
           JsonObject    *object,
           const guint   *ids,
           guint          n)
{
  guint lost = ls_pins_read (&self->pins, json_object_get_member (object, "pins"), self->history, ids, n);
  g_autofree char *before = g_steal_pointer (&self->left_out);
  g_autofree char *words = g_strdup_printf (ngettext ("%s: %u pin names no letter, kind or step there is and is left out.",
                                                      "%s: %u pins name no letter, kind or step there is and are left out.", lost),
                                            shown, lost);

  if (lost == 0)
    self->left_out = g_steal_pointer (&before);
  else
    self->left_out = before != NULL ? g_strdup_printf ("%s %s", before, words) : g_steal_pointer (&words);
}

static gboolean
read_history (LsSessionFile  *self,
              const char     *shown,
              JsonObject     *object,
              GError        **error)
{
  g_autoptr (LsSource) source = ls_source_new (self->name, self->text, -1);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  g_autoptr (LsNode) only = NULL;
  g_autoptr (LsModule) module = ls_script_parse_file (source, diagnostics, &only);
  JsonArray *steps = ls_json_array (object, "steps");
  g_autofree guint *ids = NULL;
  g_autofree char *root = NULL;
  gint64 current;

  if (module == NULL || ls_diagnostics_has_error (diagnostics))
    {
      const LsDiagnostic *finding = ls_history_finding (diagnostics, LS_SEVERITY_ERROR);

      g_set_error (error, LS_SESSION_FILE_ERROR, LS_SESSION_FILE_ERROR_MODULE, _("%s: its program cannot be read: %s"),
                   shown, finding != NULL ? finding->message : _("it holds no function."));
      return FALSE;
    }
  root = g_strdup_printf (_("%s, as opened"), ls_array_n (module->global_vars) > 0
                                                ? ls_array_at (module->global_vars, 0, LsGlobalVar)->name_hint : self->name);
  self->history = ls_history_new (module, root);
  if (json_object_has_member (object, "strict"))
    ls_history_set_strict (self->history, ls_json_is_true (object, "strict"));
  self->source = ls_source_get_id (source);
  ls_history_set_lone (self->history, only != NULL);
  if (steps == NULL)
    {
      if (json_object_has_member (object, "steps"))
        self->left_out = g_strdup_printf (_("%s: its steps are no list, so only the program was read."), shown);
      read_pins (self, shown, object, &(guint) { 0 }, 1);
      return TRUE;
    }
  ids = g_new (guint, json_array_get_length (steps) + 1);
  say_left_out (self, shown, read_steps (self, steps, ids));
  read_branches (self, ls_json_array (object, "branches"));
  read_pins (self, shown, object, ids, MIN (json_array_get_length (steps), MAX_STEPS));
  current = ls_json_int (object, "current", 0);
  if (current >= 0 && current < json_array_get_length (steps) && current < MAX_STEPS &&
      ids[current] != LS_HISTORY_NONE)
    self->current = ids[current];
  return TRUE;
}

/* 0: not known. JsonParser forgets its own count when it stops; its message begins with FILE:LINE:COLUMN. */
static guint
line_of (const GError *problem)
{
  const char *colon = strchr (problem->message, ':');

  return colon != NULL ? (guint) g_ascii_strtoull (colon + 1, NULL, 10) : 0;
}

/* What of it are texts. */
static char **
read_texts (JsonArray *list)
{
  g_autoptr (GStrvBuilder) passes = g_strv_builder_new ();

  for (guint i = 0; list != NULL && i < MIN (json_array_get_length (list), MAX_TEXTS); i++)
    {
      JsonNode *node = json_array_get_element (list, i);

      if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING)
        g_strv_builder_add (passes, json_node_get_string (node));
    }
  return list != NULL ? g_strv_builder_end (passes) : NULL;
}

static gboolean
load (JsonParser  *parser,
      const char  *shown,
      const char  *json,
      gssize       length,
      GError     **error)
{
  g_autofree char *text = length < 0 ? g_strdup (json) : g_strndup (json, (gsize) length);
  g_autoptr (GError) problem = NULL;
  guint line;

  if (text[strspn (text, " \t\r\n")] == '\0')
    g_set_error (error, LS_SESSION_FILE_ERROR, LS_SESSION_FILE_ERROR_SYNTAX, _("%s is empty."), shown);
  else if (!ls_json_is_flat (text))
    g_set_error (error, LS_SESSION_FILE_ERROR, LS_SESSION_FILE_ERROR_SYNTAX, _("%s is not JSON, so nothing was opened."), shown);
  else if (json_parser_load_from_data (parser, text, -1, &problem))
    return TRUE;
  else if ((line = line_of (problem)) > 0)
    g_set_error (error, LS_SESSION_FILE_ERROR, LS_SESSION_FILE_ERROR_SYNTAX,
                 _("%s: line %u is not JSON, so nothing was opened."), shown, line);
  else
    g_set_error (error, LS_SESSION_FILE_ERROR, LS_SESSION_FILE_ERROR_SYNTAX, _("%s is not JSON, so nothing was opened."), shown);
  return FALSE;
}

gboolean
ls_session_file_read (LsSessionFile  *self,
                      const char     *shown,
                      const char     *json,
                      gssize          length,
                      GError        **error)
{
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  JsonNode *root;
  JsonObject *object;

  *self = (LsSessionFile) { 0 };
  if (!load (parser, shown, json, length, error))
    return FALSE;
  root = json_parser_get_root (parser);
  object = root != NULL && JSON_NODE_HOLDS_OBJECT (root) ? json_node_get_object (root) : NULL;
  if (object == NULL || g_strcmp0 (ls_json_text (object, "format"), LS_SESSION_FILE_FORMAT) != 0 || ls_json_text (object, "module") == NULL)
    {
      g_set_error (error, LS_SESSION_FILE_ERROR, LS_SESSION_FILE_ERROR_FORMAT,
                   _("%s is JSON, but not a session of Loopscope."), shown);
      return FALSE;
    }
  if (json_object_has_member (object, "version") && ls_json_int (object, "version", 0) < 1)
    {
      g_set_error (error, LS_SESSION_FILE_ERROR, LS_SESSION_FILE_ERROR_FORMAT,
                   _("%s does not say a version of its format, a number from 1 on, so nothing was opened."), shown);
      return FALSE;
    }
  if (ls_json_int (object, "version", LS_SESSION_FILE_VERSION) > LS_SESSION_FILE_VERSION)
    {
      g_set_error (error, LS_SESSION_FILE_ERROR, LS_SESSION_FILE_ERROR_FORMAT,
                   _("%s was written by a later version of Loopscope."), shown);
      return FALSE;
    }
  self->name = g_strdup (ls_json_text (object, "name") != NULL ? ls_json_text (object, "name") : shown);
  self->target = g_strdup (ls_json_text (object, "target") != NULL ? ls_json_text (object, "target") : "llvm");
  self->origin = g_strdup (ls_json_text (object, "origin"));
  self->origin_sum = g_strdup (ls_json_text (object, "origin_sum"));
  self->text = g_strdup (ls_json_text (object, "module"));
  self->draft = g_strdup (ls_json_text (object, "draft"));
  self->selection = (guint64) MAX (ls_json_int (object, "selection", 0), 0);
  self->passes = read_texts (ls_json_array (object, "passes"));
  self->styles = read_texts (ls_json_array (object, "styles"));
  self->sizes = g_strdup (ls_json_text (object, "sizes"));
  self->device = g_strdup (ls_json_text (object, "device"));
  if (read_history (self, shown, object, self->draft != NULL ? NULL : error) || self->draft != NULL)
    return TRUE;
  ls_session_file_clear (self);
  return FALSE;
}

guint
ls_session_file_count (const char *json,
                       gssize      length)
{
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  JsonNode *root;
  JsonObject *object;
  JsonArray *steps;

  if (!load (parser, "", json, length, NULL))
    return 0;
  root = json_parser_get_root (parser);
  object = root != NULL && JSON_NODE_HOLDS_OBJECT (root) ? json_node_get_object (root) : NULL;
  if (object == NULL || g_strcmp0 (ls_json_text (object, "format"), LS_SESSION_FILE_FORMAT) != 0)
    return 0;
  steps = ls_json_array (object, "steps");
  return steps != NULL ? MAX (json_array_get_length (steps), 1) : 1;
}
