/* LoopscopeWorkbench: the engine's session behind a small front.
 *
 * What views need stays the session's (LsSession); this object only says of it what other programs can use.
 */
#include "app/library/workbench-private.h"

#include "app/library/program-private.h"
#include "app/session/engine.h"
#include "app/session/history.h"
#include "app/session/module.h"

#include <string.h>

struct _LoopscopeWorkbench
{
  GObject parent_instance;

  LsSession *session;
};

enum {
  PROP_TITLE = 1,
  PROP_N_STEPS,
  PROP_POSITION,
  PROP_RUNNING,
  N_PROPS
};

static GParamSpec *props[N_PROPS];
static guint changed;

G_DEFINE_FINAL_TYPE (LoopscopeWorkbench, loopscope_workbench, G_TYPE_OBJECT)

static void
on_module_changed (LoopscopeWorkbench *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_TITLE]);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_N_STEPS]);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_POSITION]);
  g_signal_emit (self, changed, 0);
}

static void
on_running (LoopscopeWorkbench *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_RUNNING]);
}

static void
loopscope_workbench_get_property (GObject    *object,
                                  guint       id,
                                  GValue     *value,
                                  GParamSpec *pspec)
{
  LoopscopeWorkbench *self = LOOPSCOPE_WORKBENCH (object);

  switch (id)
    {
    case PROP_TITLE:
      g_value_set_string (value, loopscope_workbench_get_title (self));
      break;
    case PROP_N_STEPS:
      g_value_set_uint (value, loopscope_workbench_get_n_steps (self));
      break;
    case PROP_POSITION:
      g_value_set_uint (value, loopscope_workbench_get_position (self));
      break;
    case PROP_RUNNING:
      g_value_set_boolean (value, loopscope_workbench_is_running (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
loopscope_workbench_set_property (GObject      *object,
                                  guint         id,
                                  const GValue *value,
                                  GParamSpec   *pspec)
{
  if (id == PROP_POSITION)
    loopscope_workbench_set_position (LOOPSCOPE_WORKBENCH (object), g_value_get_uint (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
loopscope_workbench_finalize (GObject *object)
{
  LoopscopeWorkbench *self = LOOPSCOPE_WORKBENCH (object);

  g_signal_handlers_disconnect_by_data (self->session, self);
  ls_session_cancel (self->session);
  g_object_unref (self->session);
  G_OBJECT_CLASS (loopscope_workbench_parent_class)->finalize (object);
}

static void
loopscope_workbench_class_init (LoopscopeWorkbenchClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags seen = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->get_property = loopscope_workbench_get_property;
  object_class->set_property = loopscope_workbench_set_property;
  object_class->finalize = loopscope_workbench_finalize;
  g_type_class_unref (g_type_class_ref (LOOPSCOPE_TYPE_PROGRAM));

  /**
   * LoopscopeWorkbench:title: (getter get_title)
   *
   * What is opened, for a title.
   */
  props[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, seen);
  /**
   * LoopscopeWorkbench:n-steps: (getter get_n_steps)
   *
   * How many steps the shown path has, the opened program among them.
   */
  props[PROP_N_STEPS] = g_param_spec_uint ("n-steps", NULL, NULL, 0, G_MAXUINT, 0, seen);
  /**
   * LoopscopeWorkbench:position: (getter get_position) (setter set_position)
   *
   * The current step, from 0.
   */
  props[PROP_POSITION] = g_param_spec_uint ("position", NULL, NULL, 0, G_MAXUINT, 0, seen | G_PARAM_WRITABLE | G_PARAM_EXPLICIT_NOTIFY);
  /**
   * LoopscopeWorkbench:running: (getter is_running)
   *
   * Whether something is being measured.
   */
  props[PROP_RUNNING] = g_param_spec_boolean ("running", NULL, NULL, FALSE, seen);
  g_object_class_install_properties (object_class, N_PROPS, props);

  /**
   * LoopscopeWorkbench::changed:
   * @self: the workbench
   *
   * Another program is shown: one was opened, or one went to another step.
   */
  changed = g_signal_new ("changed", LOOPSCOPE_TYPE_WORKBENCH, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
loopscope_workbench_init (LoopscopeWorkbench *self)
{
  self->session = ls_engine_session_new ();
  g_signal_connect_swapped (self->session, "module-changed", G_CALLBACK (on_module_changed), self);
  g_signal_connect_swapped (self->session, "notify::running", G_CALLBACK (on_running), self);
}

LsSession *
ls_library_peek_session (LoopscopeWorkbench *self)
{
  return self->session;
}

LoopscopeWorkbench *
loopscope_workbench_new (void)
{
  return g_object_new (LOOPSCOPE_TYPE_WORKBENCH, NULL);
}

/* ---- what it is asked for -------------------------------------------------- */

gboolean
loopscope_workbench_open (LoopscopeWorkbench *self,
                          const char         *name,
                          const char         *text,
                          const char         *steps,
                          GError            **error)
{
  g_autoptr (LoopscopeProgram) program = NULL;

  g_return_val_if_fail (LOOPSCOPE_IS_WORKBENCH (self) && name != NULL && text != NULL, FALSE);
  program = loopscope_program_parse (name, text, error);
  if (program == NULL)
    return FALSE;
  ls_engine_session_open_text (LS_ENGINE_SESSION (self->session), name, text, steps);
  return TRUE;
}

gboolean
loopscope_workbench_apply (LoopscopeWorkbench *self,
                           const char         *steps,
                           GError            **error)
{
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();

  g_return_val_if_fail (LOOPSCOPE_IS_WORKBENCH (self) && steps != NULL, FALSE);
  if (ls_engine_session_apply_text (LS_ENGINE_SESSION (self->session), steps, diagnostics))
    return TRUE;
  if (!ls_library_take_error (diagnostics, LOOPSCOPE_ERROR_REFUSED, error))
    g_set_error (error, LOOPSCOPE_ERROR, LOOPSCOPE_ERROR_REFUSED, ls_translate ("there is no program to apply steps to"));
  return FALSE;
}

void
loopscope_workbench_set_position (LoopscopeWorkbench *self,
                                  guint               position)
{
  GListModel *path;
  guint n;

  g_return_if_fail (LOOPSCOPE_IS_WORKBENCH (self));
  path = ls_session_get_path (self->session);
  n = g_list_model_get_n_items (path);
  if (n > 0 && position != ls_session_get_position (self->session))
    {
      g_autoptr (LsStepItem) item = g_list_model_get_item (path, MIN (position, n - 1));

      ls_session_go_to (self->session, ls_step_item_get (item)->id);
    }
}

gboolean
loopscope_workbench_select (LoopscopeWorkbench *self,
                            const char         *block,
                            const char         *loop)
{
  LsEngineSession *session;
  LsHistory *history;
  LsSchedule *schedule;
  LsEntity *place;

  g_return_val_if_fail (LOOPSCOPE_IS_WORKBENCH (self), FALSE);
  session = LS_ENGINE_SESSION (self->session);
  history = ls_engine_session_get_history (session);
  if (block == NULL || history == NULL)
    {
      ls_session_select (self->session, 0);
      return block == NULL;
    }
  schedule = ls_history_get (history, ls_engine_session_get_node (session))->schedule;
  place = ls_library_find_place (ls_schedule_get_version (schedule, ls_schedule_get_n_steps (schedule)), block, loop, NULL);
  if (place != NULL)
    ls_session_select (self->session, LS_ROW_ID (place));
  return place != NULL;
}

void
loopscope_workbench_measure (LoopscopeWorkbench *self)
{
  g_return_if_fail (LOOPSCOPE_IS_WORKBENCH (self));
  ls_session_measure (self->session, TRUE);
}

void
loopscope_workbench_cancel (LoopscopeWorkbench *self)
{
  g_return_if_fail (LOOPSCOPE_IS_WORKBENCH (self));
  ls_session_cancel (self->session);
}

gboolean
loopscope_workbench_save (LoopscopeWorkbench *self,
                          GFile              *file,
                          GError            **error)
{
  g_autofree char *text = NULL;

  g_return_val_if_fail (LOOPSCOPE_IS_WORKBENCH (self) && G_IS_FILE (file), FALSE);
  text = ls_session_export (self->session, LS_EXPORT_SESSION, error);
  return text != NULL && g_file_replace_contents (file, text, strlen (text), NULL, FALSE, G_FILE_CREATE_NONE, NULL, NULL, error);
}

/* ---- what it says ------------------------------------------------------------ */

const char *
loopscope_workbench_get_title (LoopscopeWorkbench *self)
{
  g_return_val_if_fail (LOOPSCOPE_IS_WORKBENCH (self), NULL);
  return ls_session_get_title (self->session);
}

guint
loopscope_workbench_get_n_steps (LoopscopeWorkbench *self)
{
  g_return_val_if_fail (LOOPSCOPE_IS_WORKBENCH (self), 0);
  return g_list_model_get_n_items (ls_session_get_path (self->session));
}

guint
loopscope_workbench_get_position (LoopscopeWorkbench *self)
{
  g_return_val_if_fail (LOOPSCOPE_IS_WORKBENCH (self), 0);
  return ls_session_get_position (self->session);
}

gboolean
loopscope_workbench_is_running (LoopscopeWorkbench *self)
{
  g_return_val_if_fail (LOOPSCOPE_IS_WORKBENCH (self), FALSE);
  return ls_session_is_running (self->session);
}

char *
loopscope_workbench_dup_step (LoopscopeWorkbench *self,
                              guint               position)
{
  g_autoptr (LsStepItem) item = NULL;

  g_return_val_if_fail (LOOPSCOPE_IS_WORKBENCH (self), NULL);
  item = g_list_model_get_item (ls_session_get_path (self->session), position);
  return item != NULL ? g_strdup (ls_step_item_get (item)->call) : NULL;
}

double
loopscope_workbench_get_time (LoopscopeWorkbench *self,
                              guint               position)
{
  g_autoptr (LsStepItem) item = NULL;

  g_return_val_if_fail (LOOPSCOPE_IS_WORKBENCH (self), 0.0);
  item = g_list_model_get_item (ls_session_get_path (self->session), position);
  return item != NULL && ls_step_item_get (item)->timing.samples > 0 ? ls_step_item_get (item)->timing.median : 0.0;
}

LoopscopeProgram *
loopscope_workbench_dup_program (LoopscopeWorkbench *self)
{
  LsEngineSession *session;
  LsHistory *history;
  LsSchedule *schedule;

  g_return_val_if_fail (LOOPSCOPE_IS_WORKBENCH (self), NULL);
  session = LS_ENGINE_SESSION (self->session);
  history = ls_engine_session_get_history (session);
  if (history == NULL)
    return NULL;
  schedule = ls_history_get (history, ls_engine_session_get_node (session))->schedule;
  return ls_library_new_program (ls_schedule_get_module (schedule), schedule);
}
