/* view-picture: the ribbons as a file, drawn in a thread. */
#include "views/compare/view-private.h"

#include "engine/base/task.h"
#include "views/figures/nests.h"
#include "views/parts/theme.h"

#include <glib/gi18n.h>

#define PICTURE_WIDTH 1100

/* What is drawn never changes. */
typedef struct {
  LsComparison *comparison;
  char         *path;
  gboolean      dark;
} Picture;

static void
picture_free (gpointer data)
{
  Picture *self = data;

  ls_comparison_unref (self->comparison);
  g_free (self->path);
  g_free (self);
}

static void
write_picture (GTask        *task,
               gpointer      source,
               gpointer      data,
               GCancellable *cancellable)
{
  const Picture *picture = data;
  LsComparison *comparison = picture->comparison;
  const char *path = picture->path;
  LsFigureFormat format = g_str_has_suffix (path, ".pdf") ? LS_FIGURE_PDF : g_str_has_suffix (path, ".png") ? LS_FIGURE_PNG : LS_FIGURE_SVG;
  GError *error = NULL;
  LsFigure figure;

  ls_figure_begin (&figure, picture->dark);
  ls_figure_ribbons (&figure, PICTURE_WIDTH, comparison->left.loops, comparison->right.loops, comparison->links, comparison->labels,
                     comparison->left.title, comparison->right.title);
  if (ls_figure_write (&figure, format, 2.0, path, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
  ls_figure_clear (&figure);
}

void
ls_compare_view_write_async (LsCompareView       *self,
                             const char          *path,
                             GAsyncReadyCallback  callback,
                             gpointer             data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, data);
  Picture *picture;

  if (self->comparison == NULL)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "%s", _("There are no two programs to compare."));
      return;
    }
  picture = g_new (Picture, 1);
  *picture = (Picture) { ls_comparison_ref (self->comparison), g_strdup (path), ls_theme_is_dark () };
  g_task_set_task_data (task, picture, picture_free);
  ls_task_run (task, write_picture);
}

gboolean
ls_compare_view_write_finish (GAsyncResult  *result,
                              GError       **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
