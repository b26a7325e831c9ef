/* session-wishes: what the user wants of a session goes to its concrete class; a class that cannot do it leaves it out. */
#include "views/models/session.h"

#include <glib/gi18n.h>

#define FORWARD(self, method, ...)                                            \
  G_STMT_START                                                                \
  {                                                                           \
    g_return_if_fail (LS_IS_SESSION (self));                                  \
    if (LS_SESSION_GET_CLASS (self)->method != NULL)                          \
      LS_SESSION_GET_CLASS (self)->method (__VA_ARGS__);                      \
  }                                                                           \
  G_STMT_END

void
ls_session_open (LsSession *self,
                 GFile     *file)
{
  FORWARD (self, open, self, file);
}

void
ls_session_go_to (LsSession *self,
                  guint      step)
{
  FORWARD (self, go_to, self, step);
}

static void
go_to_position (LsSession *self,
                guint      position)
{
  g_autoptr (LsStepItem) item = g_list_model_get_item (ls_session_get_path (self), position);

  if (item != NULL && item != ls_session_get_current (self))
    ls_session_go_to (self, ls_step_item_get (item)->id);
}

void
ls_session_go_by (LsSession *self,
                  int        steps)
{
  int n = (int) g_list_model_get_n_items (ls_session_get_path (self));
  int position = (int) ls_session_get_position (self) + steps;

  if (n > 0)
    go_to_position (self, (guint) CLAMP (position, 0, n - 1));
}

void
ls_session_go_by_shown (LsSession *self,
                        int        steps)
{
  GListModel *shown = ls_session_get_shown (self);
  LsStepItem *current = ls_session_get_current (self);
  int n = (int) g_list_model_get_n_items (shown);
  g_autoptr (LsStepItem) item = NULL;
  guint position;

  if (n == 0 || current == NULL || !g_list_store_find (G_LIST_STORE (shown), current, &position))
    return;
  item = g_list_model_get_item (shown, (guint) CLAMP ((int) position + steps, 0, n - 1));
  if (item != current)
    ls_session_go_to (self, ls_step_item_get (item)->id);
}

void
ls_session_toggle_bookmark (LsSession *self)
{
  LsStepItem *current = ls_session_get_current (self);

  if (current != NULL)
    FORWARD (self, bookmark, self, ls_step_item_get (current)->id);
}

void
ls_session_go_to_bookmark (LsSession *self,
                           guint      number)
{
  GListModel *rows = ls_session_get_history (self);

  for (guint i = 0; i < g_list_model_get_n_items (rows); i++)
    {
      g_autoptr (LsStepItem) item = g_list_model_get_item (rows, i);

      if (ls_step_item_get (item)->bookmark == number && item != ls_session_get_current (self))
        {
          ls_session_go_to (self, ls_step_item_get (item)->id);
          return;
        }
    }
}

void
ls_session_go_first (LsSession *self)
{
  go_to_position (self, 0);
}

void
ls_session_go_last (LsSession *self)
{
  guint n = g_list_model_get_n_items (ls_session_get_path (self));

  if (n > 0)
    go_to_position (self, n - 1);
}

void
ls_session_select (LsSession *self,
                   guint64    id)
{
  if (ls_session_get_selection (self) != id)
    FORWARD (self, select, self, id);
}

void
ls_session_apply (LsSession  *self,
                  LsMoveItem *move)
{
  FORWARD (self, apply, self, move);
}

void
ls_session_repair (LsSession  *self,
                   LsMoveItem *move)
{
  FORWARD (self, repair, self, move);
}

void
ls_session_edit (LsSession  *self,
                 LsMoveItem *move,
                 guint       param,
                 const char *value)
{
  FORWARD (self, edit, self, move, param, value);
}

void
ls_session_preview (LsSession  *self,
                    LsMoveItem *move)
{
  FORWARD (self, preview, self, move);
}

void
ls_session_measure (LsSession *self,
                    gboolean   all)
{
  FORWARD (self, measure, self, all);
}

void
ls_session_measure_step (LsSession *self,
                         guint      step)
{
  FORWARD (self, measure_step, self, step);
}

void
ls_session_measure_move (LsSession  *self,
                         LsMoveItem *move)
{
  FORWARD (self, measure_move, self, move);
}

void
ls_session_cancel (LsSession *self)
{
  FORWARD (self, cancel, self);
}

void
ls_session_name_branch (LsSession  *self,
                        guint       step,
                        const char *name)
{
  FORWARD (self, name_branch, self, step, name);
}

char *
ls_session_get_trace (LsSession *self,
                      guint      step,
                      GError   **error)
{
  g_return_val_if_fail (LS_IS_SESSION (self), NULL);

  if (LS_SESSION_GET_CLASS (self)->get_trace == NULL)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                           _("This session has no trace."));
      return NULL;
    }

  return LS_SESSION_GET_CLASS (self)->get_trace (self, step, error);
}

char *
ls_session_export (LsSession     *self,
                   LsExportKind   kind,
                   GError       **error)
{
  g_return_val_if_fail (LS_IS_SESSION (self), NULL);

  if (LS_SESSION_GET_CLASS (self)->export == NULL)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, _("This session cannot be written."));
      return NULL;
    }

  ls_session_settle (self);
  return LS_SESSION_GET_CLASS (self)->export (self, kind, error);
}

void
ls_session_export_async (LsSession           *self,
                         LsExportKind         kind,
                         GCancellable        *cancellable,
                         GAsyncReadyCallback  callback,
                         gpointer             data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, data);

  ls_session_settle (self);
  if (LS_SESSION_GET_CLASS (self)->export_later != NULL)
    LS_SESSION_GET_CLASS (self)->export_later (self, kind, task);
  else
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "%s", _("This session cannot be written."));
}

char *
ls_session_export_finish (LsSession     *self,
                          GAsyncResult  *result,
                          GError       **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

LsMoveItem *
ls_session_edit_step (LsSession *self,
                      guint      step)
{
  g_return_val_if_fail (LS_IS_SESSION (self), NULL);

  return LS_SESSION_GET_CLASS (self)->edit_step != NULL ? LS_SESSION_GET_CLASS (self)->edit_step (self, step) : NULL;
}

LsComparison *
ls_session_compare_steps (LsSession *self,
                          guint      left,
                          guint      right)
{
  g_return_val_if_fail (LS_IS_SESSION (self), NULL);

  return LS_SESSION_GET_CLASS (self)->compare != NULL ? LS_SESSION_GET_CLASS (self)->compare (self, left, right) : NULL;
}

/* Without a source, as all tasks of threads here: one that lets it go last would take the session apart. */
gboolean
ls_session_compare_later (LsSession           *self,
                          guint                left,
                          guint                right,
                          GCancellable        *cancellable,
                          GAsyncReadyCallback  callback,
                          gpointer             data)
{
  g_autoptr (GTask) task = NULL;

  g_return_val_if_fail (LS_IS_SESSION (self), FALSE);

  if (LS_SESSION_GET_CLASS (self)->compare_later == NULL)
    return FALSE;
  task = g_task_new (NULL, cancellable, callback, data);
  return LS_SESSION_GET_CLASS (self)->compare_later (self, left, right, task);
}

LsComparison *
ls_session_compare_finish (LsSession    *self,
                           GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}

void
ls_session_compare_file_async (LsSession           *self,
                               GFile               *file,
                               GAsyncReadyCallback  callback,
                               gpointer             data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (LS_IS_SESSION (self));

  task = g_task_new (self, NULL, callback, data);
  if (LS_SESSION_GET_CLASS (self)->compare_file != NULL)
    LS_SESSION_GET_CLASS (self)->compare_file (self, file, task);
  else
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, _("This session compares no files."));
}

LsStepItem *
ls_session_compare_file_finish (LsSession     *self,
                                GAsyncResult  *result,
                                GError       **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

gboolean
ls_session_write_figure (LsSession     *self,
                         LsFigureKind   kind,
                         const char    *path,
                         gboolean       dark,
                         GError       **error)
{
  g_return_val_if_fail (LS_IS_SESSION (self), FALSE);

  if (LS_SESSION_GET_CLASS (self)->write_figure != NULL)
    return LS_SESSION_GET_CLASS (self)->write_figure (self, kind, path, dark, error);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, _("This session has no figures."));
  return FALSE;
}

void
ls_session_write_figure_async (LsSession           *self,
                               LsFigureKind         kind,
                               const char          *path,
                               gboolean             dark,
                               GCancellable        *cancellable,
                               GAsyncReadyCallback  callback,
                               gpointer             data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, data);

  if (LS_SESSION_GET_CLASS (self)->write_figure_later != NULL)
    LS_SESSION_GET_CLASS (self)->write_figure_later (self, kind, path, dark, task);
  else
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "%s", _("This session has no figures."));
}

gboolean
ls_session_write_figure_finish (LsSession     *self,
                                GAsyncResult  *result,
                                GError       **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

char *
ls_session_describe_row (LsSession *self,
                         guint64    id)
{
  g_return_val_if_fail (LS_IS_SESSION (self), NULL);

  return LS_SESSION_GET_CLASS (self)->describe_row != NULL ? LS_SESSION_GET_CLASS (self)->describe_row (self, id) : NULL;
}

void
ls_session_edit_base (LsSession  *self,
                      const char *text)
{
  FORWARD (self, edit_base, self, text);
  g_signal_emit_by_name (self, "typed");
}

const char *
ls_session_get_base (LsSession *self)
{
  g_return_val_if_fail (LS_IS_SESSION (self), NULL);

  return LS_SESSION_GET_CLASS (self)->get_base != NULL ? LS_SESSION_GET_CLASS (self)->get_base (self) : NULL;
}

LsScriptText *
ls_session_get_base_text (LsSession *self)
{
  g_return_val_if_fail (LS_IS_SESSION (self), NULL);

  return LS_SESSION_GET_CLASS (self)->get_base_text != NULL ? LS_SESSION_GET_CLASS (self)->get_base_text (self) : NULL;
}

LsDependences *
ls_session_find_dependences (LsSession *self,
                             guint64    id)
{
  g_return_val_if_fail (LS_IS_SESSION (self), NULL);

  return LS_SESSION_GET_CLASS (self)->find_dependences != NULL
           ? LS_SESSION_GET_CLASS (self)->find_dependences (self, id) : NULL;
}

gboolean
ls_session_reorder (LsSession *self,
                    guint64    from,
                    guint64    to,
                    gboolean   apply,
                    char     **reason)
{
  g_return_val_if_fail (LS_IS_SESSION (self), FALSE);

  *reason = NULL;
  return LS_SESSION_GET_CLASS (self)->reorder != NULL &&
         LS_SESSION_GET_CLASS (self)->reorder (self, from, to, apply, reason);
}

void
ls_session_rank_moves (LsSession *self)
{
  FORWARD (self, rank_moves, self);
}

void
ls_session_apply_ranked (LsSession  *self,
                         LsStepItem *item)
{
  FORWARD (self, apply_ranked, self, item);
}

void
ls_session_compare_results (LsSession *self,
                            guint      left,
                            guint      right)
{
  FORWARD (self, compare_results, self, left, right);
}

LsResults *
ls_session_get_results (LsSession *self,
                        guint      left,
                        guint      right)
{
  g_return_val_if_fail (LS_IS_SESSION (self), NULL);

  return LS_SESSION_GET_CLASS (self)->get_results != NULL ? LS_SESSION_GET_CLASS (self)->get_results (self, left, right) : NULL;
}

LsRoofline *
ls_session_get_roofline (LsSession *self)
{
  g_return_val_if_fail (LS_IS_SESSION (self), NULL);

  return LS_SESSION_GET_CLASS (self)->get_roofline != NULL ? LS_SESSION_GET_CLASS (self)->get_roofline (self) : NULL;
}

char **
ls_session_get_devices (LsSession *self)
{
  g_return_val_if_fail (LS_IS_SESSION (self), NULL);

  return LS_SESSION_GET_CLASS (self)->get_devices != NULL ? LS_SESSION_GET_CLASS (self)->get_devices (self) : g_new0 (char *, 1);
}

const char *
ls_session_get_device (LsSession *self)
{
  g_return_val_if_fail (LS_IS_SESSION (self), NULL);

  return LS_SESSION_GET_CLASS (self)->get_device != NULL ? LS_SESSION_GET_CLASS (self)->get_device (self) : NULL;
}

void
ls_session_set_device (LsSession  *self,
                       const char *device)
{
  FORWARD (self, set_device, self, device);
}

void
ls_session_measure_machine (LsSession *self)
{
  FORWARD (self, measure_machine, self);
}

LsWhy *
ls_session_get_why (LsSession *self,
                    guint      beside)
{
  g_return_val_if_fail (LS_IS_SESSION (self), NULL);

  return LS_SESSION_GET_CLASS (self)->get_why != NULL ? LS_SESSION_GET_CLASS (self)->get_why (self, beside) : NULL;
}

gboolean
ls_session_set_sizes (LsSession   *self,
                      const char  *text,
                      char       **trouble)
{
  g_return_val_if_fail (LS_IS_SESSION (self), FALSE);

  *trouble = NULL;
  return LS_SESSION_GET_CLASS (self)->set_sizes != NULL && LS_SESSION_GET_CLASS (self)->set_sizes (self, text, trouble);
}

void
ls_session_try_likely (LsSession *self)
{
  FORWARD (self, try_likely, self);
}

char *
ls_session_pin (LsSession *self,
                guint64    row,
                guint      offset,
                int        slot)
{
  g_return_val_if_fail (LS_IS_SESSION (self), NULL);

  return LS_SESSION_GET_CLASS (self)->pin != NULL ? LS_SESSION_GET_CLASS (self)->pin (self, row, offset, slot) : NULL;
}

void
ls_session_unpin (LsSession *self,
                  guint8     pins)
{
  FORWARD (self, unpin, self, pins);
}

guint
ls_session_find_source (LsSession  *self,
                        guint       line,
                        char      **words)
{
  g_return_val_if_fail (LS_IS_SESSION (self), 0);

  if (words != NULL)
    *words = NULL;
  return LS_SESSION_GET_CLASS (self)->find_source != NULL ? LS_SESSION_GET_CLASS (self)->find_source (self, line, words) : 0;
}

GArray *
ls_session_find_result (LsSession  *self,
                        guint       line,
                        const char *word,
                        guint64    *row,
                        int        *family)
{
  g_return_val_if_fail (LS_IS_SESSION (self), NULL);

  *row = 0;
  *family = LS_NO_HOVER;
  return LS_SESSION_GET_CLASS (self)->find_result != NULL ? LS_SESSION_GET_CLASS (self)->find_result (self, line, word, row, family) : NULL;
}
