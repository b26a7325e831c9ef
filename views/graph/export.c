/* graph/export: see the header. */
#include "views/graph/export.h"

#include "engine/base/task.h"
#include "engine/graph/layout-make.h"
#include "views/figures/graph.h"
#include "views/parts/theme.h"

#include <glib/gi18n.h>

/* What the thread has for itself: the canvas and the model go on meanwhile. */
typedef struct {
  char         *path;
  LsGraph      *graph;          /* .dot, .json; of a run */
  LsGraphTimeline *timeline;    /* a run, or NULL */
  gint         *nodes;          /* of its calls */
  LsGraphTimesFormat format;
  char         *text;           /* .py; of the others as soon as it is made */
  LsGraphScene  scene;          /* pictures; its parts are this export's */
  char         *title;
  gboolean      dark;
} Export;

static void
export_free (gpointer data)
{
  Export *self = data;

  g_free (self->path);
  g_clear_pointer (&self->graph, ls_graph_unref);
  ls_graph_timeline_free (self->timeline);
  g_free (self->nodes);
  g_free (self->text);
  g_clear_pointer (&self->scene.series, ls_graph_series_unref);
  ls_graph_layout_free ((LsGraphLayout *) self->scene.layout);
  g_clear_pointer (&self->scene.matches, g_ptr_array_unref);
  g_free ((guint8 *) self->scene.styles);
  g_clear_pointer (&self->scene.pins, g_hash_table_unref);
  g_free (self->title);
  g_free (self);
}

/* ---- what is there now -------------------------------------------------------------------- */

/* Keys and values are numbers. */
static GHashTable *
copy_table (GHashTable *table)
{
  GHashTable *copy = g_hash_table_new (NULL, NULL);
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, table);
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_hash_table_insert (copy, key, value);
  return copy;
}

static GPtrArray *
copy_matches (GPtrArray *matches)
{
  GPtrArray *copy = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);

  for (guint i = 0; i < matches->len; i++)
    g_ptr_array_add (copy, g_array_copy (matches->pdata[i]));
  return copy;
}

static void
take_scene (Export             *self,
            const LsGraphScene *shown)
{
  LsGraphState *state = ls_graph_series_state (shown->series, shown->state);

  self->dark = ls_theme_is_dark ();
  self->title = shown->series->states->len > 1 ? g_strdup (state->label) : NULL;
  self->scene = *shown;
  self->scene.series = ls_graph_series_ref (shown->series);
  self->scene.layout = ls_graph_layout_copy (shown->layout);
  self->scene.matches = shown->matches != NULL ? copy_matches (shown->matches) : NULL;
  self->scene.styles = shown->styles != NULL ? g_memdup2 (shown->styles, state->graph->nodes->len) : NULL;
  self->scene.pins = shown->pins != NULL ? copy_table (shown->pins) : NULL;
  self->scene.marked = NULL;
  self->scene.selected = self->scene.focused = self->scene.hovered = -1;
}

/* ---- in the thread ------------------------------------------------------------------------ */

static gboolean
write_picture (const Export  *self,
               GError       **error)
{
  const LsGraphScene *scene = &self->scene;
  LsFigureFormat format = g_str_has_suffix (self->path, ".png") ? LS_FIGURE_PNG : g_str_has_suffix (self->path, ".pdf") ? LS_FIGURE_PDF : LS_FIGURE_SVG;
  LsFigure figure;
  gboolean done;

  ls_figure_begin (&figure, self->dark);
  ls_figure_graph (&figure, scene, self->title, ls_graph_series_state (scene->series, scene->state)->graph->note);
  done = ls_figure_write (&figure, format, 2.0, self->path, error);
  ls_figure_clear (&figure);
  return done;
}

static gboolean
write_run (const Export  *self,
           GError       **error)
{
  g_autoptr (GBytes) bytes = ls_graph_timeline_write (self->timeline, self->graph, self->nodes, self->title, self->format);

  return g_file_set_contents (self->path, g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes), error);
}

static void
write_it (GTask        *task,
          gpointer      source,
          gpointer      data,
          GCancellable *cancellable)
{
  Export *self = data;
  GError *error = NULL;
  gboolean done;

  if (self->text == NULL && self->graph != NULL && self->timeline == NULL)
    self->text = g_str_has_suffix (self->path, ".dot") ? ls_graph_to_dot (self->graph) : ls_graph_to_json (self->graph);
  done = self->timeline != NULL ? write_run (self, &error)
         : self->text != NULL ? g_file_set_contents (self->path, self->text, -1, &error) : write_picture (self, &error);
  if (done)
    g_task_return_pointer (task, g_steal_pointer (&self->path), g_free);
  else
    g_task_return_error (task, error);
}

/* `data`: the task that goes on with the text. */
static void
extracted (GObject      *model,
           GAsyncResult *result,
           gpointer      data)
{
  g_autoptr (GTask) task = data;
  Export *self = g_task_get_task_data (task);
  GError *error = NULL;

  self->text = ls_graph_model_extract_finish (LS_GRAPH_MODEL (model), result, &error);
  if (self->text != NULL)
    ls_task_run (task, write_it);
  else
    g_task_return_error (task, error);
}

/* ---- public ------------------------------------------------------------------------------- */

/* (transfer full) */
static GTask *
task_new (LsGraphModel         *model,
          const char           *path,
          GAsyncReadyCallback   callback,
          gpointer              data,
          Export              **self)
{
  GTask *task = g_task_new (model, NULL, callback, data);

  *self = g_new0 (Export, 1);
  (*self)->path = g_strdup (path);
  g_task_set_task_data (task, *self, export_free);
  return task;
}

void
ls_graph_export_calls_async (LsGraphModel        *model,
                             const char          *func,
                             const char *const   *names,
                             const char          *path,
                             GAsyncReadyCallback  callback,
                             gpointer             data)
{
  Export *self;
  GTask *task = task_new (model, path, callback, data, &self);

  ls_graph_model_extract_async (model, func, names, extracted, task);
}

void
ls_graph_export_async (LsGraphModel        *model,
                       const LsGraphScene  *scene,
                       const char          *path,
                       gboolean             whole,
                       GAsyncReadyCallback  callback,
                       gpointer             data)
{
  LsGraph *shown = ls_graph_series_state (ls_graph_model_get_series (model), ls_graph_model_get_state (model))->graph;
  Export *self;
  g_autoptr (GTask) task = NULL;

  if (g_str_has_suffix (path, ".py"))
    {
      ls_graph_export_calls_async (model, NULL, NULL, path, callback, data);
      return;
    }
  task = task_new (model, path, callback, data, &self);
  if (g_str_has_suffix (path, ".dot") || g_str_has_suffix (path, ".json"))
    self->graph = ls_graph_ref (whole ? ls_graph_get_whole (shown) : shown);
  else if (scene->layout != NULL)
    take_scene (self, scene);
  else
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_BUSY, "%s", _("The graph is not laid out yet."));
      return;
    }
  ls_task_run (task, write_it);
}

void
ls_graph_export_run_async (LsGraphModel        *model,
                           const char          *title,
                           const char          *path,
                           GAsyncReadyCallback  callback,
                           gpointer             data)
{
  const LsGraphRun *run = ls_graph_model_get_run (model);
  Export *self;
  g_autoptr (GTask) task = task_new (model, path, callback, data, &self);

  if (run == NULL)
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "%s", _("The times of this state are not measured yet."));
  else if (!ls_graph_timeline_format (path, &self->format))
    {
      g_autofree char *name = g_path_get_basename (path);

      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_INVALID_FILENAME, _("%s: a run has a name that ends in .pftrace, .json or .csv."), name);
    }
  else
    {
      self->timeline = ls_graph_timeline_ref (run->timeline);
      self->graph = ls_graph_ref (run->graph);
      self->nodes = g_memdup2 (run->nodes, run->timeline->calls->len * sizeof (gint));
      self->title = g_strdup (title);
      ls_task_run (task, write_it);
    }
}

char *
ls_graph_export_finish (LsGraphModel  *model,
                        GAsyncResult  *result,
                        GError       **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
