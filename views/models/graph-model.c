/* LsGraphModel: the shown state and its signals. */
#include "views/models/graph-model.h"

typedef struct {
  LsGraphSeries *series;
  LsGraphLayout *layout;        /* of the series before it while `outdated` */
  LsGraphDetail *detail;
  LsGraphKind    kind;
  guint          kinds;
  guint          state;
  guint          n_passes;
  gint           selected;
  gboolean       outdated;
  gboolean       has_passes;
  gboolean       folded;
  gboolean       all;
  gboolean       unwatched;
  char          *message;
  char          *busy;
  char          *conditions;
  char         **styles;
  GPtrArray     *runs;          /* of LsGraphRun or NULL, by state; or NULL */
} LsGraphModelPrivate;

/* opened: another program.  changed: another series.  state: another state of it.  laid-out, told, numbers, selection, styles. */
enum { OPENED, CHANGED, STATE, LAID_OUT, TOLD, NUMBERS, SELECTION, STYLES, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (LsGraphModel, ls_graph_model, G_TYPE_OBJECT)

#define PRIV(self) ((LsGraphModelPrivate *) ls_graph_model_get_instance_private (self))

/* ---- detail ----------------------------------------------------------------------- */

static void
argument_free (gpointer data)
{
  LsGraphArgument *self = data;

  g_free (self->name);
  g_free (self->param);
  g_free (self->words);
  g_free (self);
}

LsGraphDetail *
ls_graph_detail_new (void)
{
  LsGraphDetail *self = g_new0 (LsGraphDetail, 1);

  self->arguments = g_ptr_array_new_with_free_func (argument_free);
  return self;
}

void
ls_graph_detail_free (LsGraphDetail *self)
{
  if (self == NULL)
    return;
  g_free (self->title);
  g_free (self->words);
  g_free (self->loops_words);
  g_ptr_array_unref (self->arguments);
  g_clear_object (&self->loops);
  g_clear_object (&self->text);
  g_free (self);
}

void
ls_graph_detail_add_argument (LsGraphDetail *self,
                              const char    *name,
                              const char    *param,
                              const char    *words)
{
  LsGraphArgument *argument = g_new0 (LsGraphArgument, 1);

  *argument = (LsGraphArgument) { g_strdup (name), g_strdup (param), g_strdup (words) };
  g_ptr_array_add (self->arguments, argument);
}

/* ---- runs ------------------------------------------------------------------------- */

LsGraphRun *
ls_graph_run_new (LsGraphTimeline *timeline,
                  LsGraph         *graph,
                  const gint      *nodes)
{
  LsGraphRun *self = g_new (LsGraphRun, 1);

  *self = (LsGraphRun) { ls_graph_timeline_ref (timeline), ls_graph_ref (graph), g_memdup2 (nodes, timeline->calls->len * sizeof (gint)) };
  return self;
}

void
ls_graph_run_free (LsGraphRun *self)
{
  if (self == NULL)
    return;
  ls_graph_timeline_free (self->timeline);
  ls_graph_unref (self->graph);
  g_free (self->nodes);
  g_free (self);
}

const LsGraphNode *
ls_graph_run_node (const LsGraphRun *self,
                   guint             call)
{
  return self->nodes[call] >= 0 ? ls_graph_node (self->graph, self->nodes[call]) : NULL;
}

/* ---- class ------------------------------------------------------------------------ */

static void
ls_graph_model_finalize (GObject *object)
{
  LsGraphModelPrivate *priv = PRIV (LS_GRAPH_MODEL (object));

  ls_graph_series_unref (priv->series);
  ls_graph_layout_free (priv->layout);
  ls_graph_detail_free (priv->detail);
  g_free (priv->message);
  g_free (priv->busy);
  g_strfreev (priv->styles);
  g_clear_pointer (&priv->runs, g_ptr_array_unref);
  g_free (priv->conditions);
  G_OBJECT_CLASS (ls_graph_model_parent_class)->finalize (object);
}

static guint
add_signal (const char *name)
{
  return g_signal_new (name, LS_TYPE_GRAPH_MODEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ls_graph_model_class_init (LsGraphModelClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ls_graph_model_finalize;
  signals[OPENED] = g_signal_new ("opened", LS_TYPE_GRAPH_MODEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
  signals[CHANGED] = add_signal ("changed");
  signals[STYLES] = add_signal ("styles");
  signals[STATE] = add_signal ("state");
  signals[LAID_OUT] = add_signal ("laid-out");
  signals[TOLD] = add_signal ("told");
  signals[NUMBERS] = add_signal ("numbers");
  signals[SELECTION] = add_signal ("selection");
}

static void
ls_graph_model_init (LsGraphModel *self)
{
  PRIV (self)->selected = -1;
}

/* ---- what the user wants -------------------------------------------------------------- */

#define CALL(method, ...) \
  if (LS_GRAPH_MODEL_GET_CLASS (self)->method != NULL) \
    LS_GRAPH_MODEL_GET_CLASS (self)->method (__VA_ARGS__)

void
ls_graph_model_set_kind (LsGraphModel *self,
                         LsGraphKind   kind)
{
  CALL (set_kind, self, kind);
}

void
ls_graph_model_set_folded (LsGraphModel *self,
                           gboolean      constants)
{
  if (PRIV (self)->folded == constants)
    return;
  PRIV (self)->folded = constants;
  CALL (set_folded, self, constants);
}

void
ls_graph_model_open_group (LsGraphModel *self,
                           const char   *key,
                           gboolean      open)
{
  CALL (open_group, self, key, open);
}

void
ls_graph_model_set_all (LsGraphModel *self,
                        gboolean      all)
{
  if (PRIV (self)->all == all)
    return;
  PRIV (self)->all = all;
  CALL (show_all, self);
}

gboolean
ls_graph_model_get_all (LsGraphModel *self)
{
  return PRIV (self)->all;
}

void
ls_graph_model_go_to (LsGraphModel *self,
                      guint         state)
{
  CALL (go_to, self, state);
}

void
ls_graph_model_add_pass (LsGraphModel *self,
                         const char   *text)
{
  CALL (add_pass, self, text);
}

void
ls_graph_model_drop_pass (LsGraphModel *self)
{
  CALL (drop_pass, self);
}

void
ls_graph_model_lay_out (LsGraphModel *self,
                        GVariant     *request)
{
  g_autoptr (GVariant) taken = g_variant_ref_sink (request);

  CALL (lay_out, self, taken);
}

void
ls_graph_model_measure (LsGraphModel *self)
{
  CALL (measure, self);
}

void
ls_graph_model_cancel (LsGraphModel *self)
{
  CALL (cancel, self);
}

void
ls_graph_model_select (LsGraphModel *self,
                       gint          place)
{
  CALL (select, self, place);
}

void
ls_graph_model_schedule (LsGraphModel *self)
{
  CALL (schedule, self);
}

void
ls_graph_model_set_styles (LsGraphModel      *self,
                           const char *const *patterns)
{
  LsGraphModelPrivate *priv = PRIV (self);
  LsGraphModelClass *klass = LS_GRAPH_MODEL_GET_CLASS (self);
  char **styles = patterns != NULL ? g_strdupv ((char **) patterns) : NULL;

  g_strfreev (priv->styles);
  priv->styles = styles;
  if (klass->styled != NULL)
    klass->styled (self);
  g_signal_emit (self, signals[STYLES], 0);
}

const char *const *
ls_graph_model_get_styles (LsGraphModel *self)
{
  return (const char *const *) PRIV (self)->styles;
}

LsGraphEditCheck *
ls_graph_model_check_edit (LsGraphModel      *self,
                           const char        *func,
                           const char *const *names)
{
  LsGraphModelClass *klass = LS_GRAPH_MODEL_GET_CLASS (self);

  return klass->check_edit != NULL ? klass->check_edit (self, func, names) : NULL;
}

char *
ls_graph_model_doubt (LsGraphModel *self,
                      const char   *by)
{
  LsGraphModelClass *klass = LS_GRAPH_MODEL_GET_CLASS (self);

  return klass->doubt != NULL ? klass->doubt (self, by) : NULL;
}

void
ls_graph_model_extract_async (LsGraphModel        *self,
                              const char          *func,
                              const char *const   *names,
                              GAsyncReadyCallback  callback,
                              gpointer             data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, data);

  LS_GRAPH_MODEL_GET_CLASS (self)->extract (self, func, names, task);
}

char *
ls_graph_model_extract_finish (LsGraphModel  *self,
                               GAsyncResult  *result,
                               GError       **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

void
ls_graph_model_set_watched (LsGraphModel *self,
                            gboolean      watched)
{
  LsGraphModelPrivate *priv = PRIV (self);

  if (priv->unwatched == !watched)
    return;
  priv->unwatched = !watched;
  if (watched)
    CALL (watched, self);
}

gboolean
ls_graph_model_get_watched (LsGraphModel *self)
{
  return !PRIV (self)->unwatched;
}

/* ---- what is shown ------------------------------------------------------------------------ */

guint
ls_graph_model_get_kinds (LsGraphModel *self)
{
  return PRIV (self)->kinds;
}

LsGraphKind
ls_graph_model_get_kind (LsGraphModel *self)
{
  return PRIV (self)->kind;
}

LsGraphSeries *
ls_graph_model_get_series (LsGraphModel *self)
{
  return PRIV (self)->series;
}

guint
ls_graph_model_get_state (LsGraphModel *self)
{
  return PRIV (self)->state;
}

LsGraphLayout *
ls_graph_model_get_layout (LsGraphModel *self)
{
  return PRIV (self)->outdated ? NULL : PRIV (self)->layout;
}

gint
ls_graph_model_get_selected (LsGraphModel *self)
{
  return PRIV (self)->selected;
}

LsGraphDetail *
ls_graph_model_get_detail (LsGraphModel *self)
{
  return PRIV (self)->detail;
}

const char *
ls_graph_model_get_message (LsGraphModel *self)
{
  return PRIV (self)->message;
}

const char *
ls_graph_model_get_busy (LsGraphModel *self)
{
  return PRIV (self)->busy;
}

const char *
ls_graph_model_get_conditions (LsGraphModel *self)
{
  return PRIV (self)->conditions;
}

const LsGraphRun *
ls_graph_model_get_run (LsGraphModel *self)
{
  LsGraphModelPrivate *priv = PRIV (self);

  return priv->series != NULL && priv->runs != NULL && priv->state < priv->runs->len ? priv->runs->pdata[priv->state] : NULL;
}

gboolean
ls_graph_model_has_passes (LsGraphModel *self)
{
  return PRIV (self)->has_passes;
}

guint
ls_graph_model_get_n_passes (LsGraphModel *self)
{
  return PRIV (self)->n_passes;
}

gboolean
ls_graph_model_get_folded (LsGraphModel *self)
{
  return PRIV (self)->folded;
}

/* ---- for concrete models -------------------------------------------------------------------- */

void
ls_graph_model_forget_all (LsGraphModel *self)
{
  PRIV (self)->all = FALSE;
}

void
ls_graph_model_opened (LsGraphModel *self,
                       gboolean      first)
{
  g_signal_emit (self, signals[OPENED], 0, first);
}

void
ls_graph_model_take_series (LsGraphModel  *self,
                            guint          kinds,
                            LsGraphKind    kind,
                            LsGraphSeries *series,
                            guint          state)
{
  LsGraphModelPrivate *priv = PRIV (self);

  ls_graph_series_unref (priv->series);
  priv->outdated = TRUE;
  g_clear_pointer (&priv->detail, ls_graph_detail_free);
  priv->series = series;
  priv->kinds = kinds;
  priv->kind = kind;
  priv->state = series != NULL ? MIN (state, series->states->len - 1) : 0;
  priv->selected = -1;
  g_signal_emit (self, signals[CHANGED], 0);
  if (priv->series == NULL && priv->outdated)
    g_clear_pointer (&priv->layout, ls_graph_layout_free);
}

void
ls_graph_model_take_runs (LsGraphModel *self,
                          GPtrArray    *runs)
{
  g_clear_pointer (&PRIV (self)->runs, g_ptr_array_unref);
  PRIV (self)->runs = runs;
}

void
ls_graph_model_set_passes (LsGraphModel *self,
                           gboolean      has_passes,
                           guint         n_passes)
{
  PRIV (self)->has_passes = has_passes;
  PRIV (self)->n_passes = n_passes;
}

void
ls_graph_model_set_state (LsGraphModel *self,
                          guint         state)
{
  LsGraphModelPrivate *priv = PRIV (self);

  if (priv->series == NULL || state >= priv->series->states->len || state == priv->state)
    return;
  priv->state = state;
  g_signal_emit (self, signals[STATE], 0);
}

void
ls_graph_model_take_layout (LsGraphModel  *self,
                            LsGraphLayout *layout)
{
  LsGraphModelPrivate *priv = PRIV (self);
  LsGraphLayout *old = priv->layout;

  priv->layout = layout;
  priv->outdated = FALSE;
  g_signal_emit (self, signals[LAID_OUT], 0);
  ls_graph_layout_free (old);
}

void
ls_graph_model_tell (LsGraphModel *self,
                     const char   *message,
                     const char   *busy)
{
  LsGraphModelPrivate *priv = PRIV (self);
  char *old_message = priv->message, *old_busy = priv->busy;

  priv->message = g_strdup (message);
  priv->busy = g_strdup (busy);
  g_free (old_message);
  g_free (old_busy);
  g_signal_emit (self, signals[TOLD], 0);
}

void
ls_graph_model_set_conditions (LsGraphModel *self,
                               const char   *conditions)
{
  LsGraphModelPrivate *priv = PRIV (self);

  g_free (priv->conditions);
  priv->conditions = g_strdup (conditions);
}

void
ls_graph_model_numbers_changed (LsGraphModel *self)
{
  g_signal_emit (self, signals[NUMBERS], 0);
}

void
ls_graph_model_take_detail (LsGraphModel  *self,
                            gint           selected,
                            LsGraphDetail *detail)
{
  LsGraphModelPrivate *priv = PRIV (self);

  ls_graph_detail_free (priv->detail);
  priv->detail = detail;
  priv->selected = selected;
  g_signal_emit (self, signals[SELECTION], 0);
}
