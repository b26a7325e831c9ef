/* LsSession: shown state with signals; wishes go to the concrete class.
 *
 * The wishes are in session-wishes.c.  Views listen to notify::PROPERTY for single values and to the list models for
 * lists.  ::module-changed follows each new module, ::timing-changed each batch of
 * figures, ::pins-changed each change of what is pinned, ::results-changed each word on whether two programs give the same,
 * ::typed each text that was only kept.  ::settle goes the other way: who holds back what the user did hands it over.
 */
#include "views/models/session.h"

#include "views/models/list-store.h"

typedef struct {
  LsSessionState state;
  char          *title;
  char          *place;
  char          *message;
  char          *not_opened;
  char          *left_out;
  char          *conditions;
  char          *likely_words;
  char          *time_error;
  GListStore    *history;
  GListStore    *path;
  GListStore    *branches;
  GListStore    *loops;
  GListStore    *moves;
  GListStore    *ranking;
  LsStepItem    *current;
  LsScriptText  *script;
  LsScriptText  *before;
  LsScriptText  *draft;
  GListStore    *shown;         /* of `path` */
  guint          n_hidden;
  gboolean       all_steps;
  char          *draft_words;
  LsLoopItem    *selected;
  guint64        selection;
  double         flop;
  int            hover;
  guint          stand;
  gboolean       running;
  LsGraphModel  *graph;
  LsTuning      *tuning;
  LsPinRecord    pins[LS_PINS_MAX];
} LsSessionPrivate;

enum { PROP_0, PROP_STATE, PROP_TITLE, PROP_CURRENT, PROP_SELECTION, PROP_HOVER, PROP_STAND, PROP_RUNNING,
       PROP_CONDITIONS, PROP_ALL_STEPS, N_PROPS };
enum { MODULE_CHANGED, DRAFT_CHANGED, WHY_CHANGED, TIMING_CHANGED, RESULTS_CHANGED, PINS_CHANGED, TYPED, SETTLE, N_SIGNALS };

static GParamSpec *props[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (LsSession, ls_session, G_TYPE_OBJECT)

#define PRIV(self) ((LsSessionPrivate *) ls_session_get_instance_private (self))

static void
ls_session_finalize (GObject *object)
{
  LsSessionPrivate *priv = PRIV (LS_SESSION (object));

  for (guint i = 0; i < LS_PINS_MAX; i++)
    ls_pin_record_clear (&priv->pins[i]);
  g_clear_object (&priv->graph);
  g_clear_object (&priv->tuning);
  g_free (priv->title);
  g_free (priv->place);
  g_free (priv->message);
  g_free (priv->not_opened);
  g_free (priv->left_out);
  g_free (priv->conditions);
  g_free (priv->likely_words);
  g_free (priv->time_error);
  g_clear_object (&priv->history);
  g_clear_object (&priv->path);
  g_clear_object (&priv->shown);
  g_clear_object (&priv->branches);
  g_clear_object (&priv->loops);
  g_clear_object (&priv->moves);
  g_clear_object (&priv->ranking);
  g_clear_object (&priv->current);
  g_clear_object (&priv->script);
  g_clear_object (&priv->draft);
  g_free (priv->draft_words);
  g_clear_object (&priv->before);
  g_clear_object (&priv->selected);
  G_OBJECT_CLASS (ls_session_parent_class)->finalize (object);
}

static void
ls_session_get_property (GObject    *object,
                         guint       id,
                         GValue     *value,
                         GParamSpec *pspec)
{
  LsSessionPrivate *priv = PRIV (LS_SESSION (object));

  switch (id)
    {
    case PROP_STATE:
      g_value_set_uint (value, priv->state);
      break;
    case PROP_TITLE:
      g_value_set_string (value, priv->title);
      break;
    case PROP_CURRENT:
      g_value_set_object (value, priv->current);
      break;
    case PROP_SELECTION:
      g_value_set_uint64 (value, priv->selection);
      break;
    case PROP_HOVER:
      g_value_set_int (value, priv->hover);
      break;
    case PROP_STAND:
      g_value_set_uint (value, priv->stand);
      break;
    case PROP_RUNNING:
      g_value_set_boolean (value, priv->running);
      break;
    case PROP_CONDITIONS:
      g_value_set_string (value, priv->conditions);
      break;
    case PROP_ALL_STEPS:
      g_value_set_boolean (value, priv->all_steps);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
ls_session_class_init (LsSessionClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  object_class->finalize = ls_session_finalize;
  object_class->get_property = ls_session_get_property;

  props[PROP_STATE] = g_param_spec_uint ("state", NULL, NULL, 0, LS_SESSION_BROKEN, 0, flags);
  props[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, flags);
  props[PROP_CURRENT] = g_param_spec_object ("current", NULL, NULL, LS_TYPE_STEP_ITEM, flags);
  props[PROP_SELECTION] = g_param_spec_uint64 ("selection", NULL, NULL, 0, G_MAXUINT64, 0, flags);
  props[PROP_HOVER] = g_param_spec_int ("hover", NULL, NULL, LS_NO_HOVER, G_MAXINT, LS_NO_HOVER,
                                        flags);
  props[PROP_STAND] = g_param_spec_uint ("stand", NULL, NULL, 0, G_MAXUINT, 0, flags);
  props[PROP_RUNNING] = g_param_spec_boolean ("running", NULL, NULL, FALSE, flags);
  props[PROP_ALL_STEPS] = g_param_spec_boolean ("all-steps", NULL, NULL, FALSE, flags);
  props[PROP_CONDITIONS] = g_param_spec_string ("conditions", NULL, NULL, NULL, flags);
  g_object_class_install_properties (object_class, N_PROPS, props);

  signals[DRAFT_CHANGED] = g_signal_new ("draft-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                         NULL, G_TYPE_NONE, 0);
  signals[TYPED] = g_signal_new ("typed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SETTLE] = g_signal_new ("settle", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[MODULE_CHANGED] = g_signal_new ("module-changed", G_TYPE_FROM_CLASS (klass),
                                          G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[PINS_CHANGED] = g_signal_new ("pins-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                        NULL, G_TYPE_NONE, 0);
  signals[RESULTS_CHANGED] = g_signal_new ("results-changed", G_TYPE_FROM_CLASS (klass),
                                           G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[WHY_CHANGED] = g_signal_new ("why-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[TIMING_CHANGED] = g_signal_new ("timing-changed", G_TYPE_FROM_CLASS (klass),
                                          G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ls_session_init (LsSession *self)
{
  LsSessionPrivate *priv = PRIV (self);

  priv->history = g_list_store_new (LS_TYPE_STEP_ITEM);
  priv->path = g_list_store_new (LS_TYPE_STEP_ITEM);
  priv->shown = g_list_store_new (LS_TYPE_STEP_ITEM);
  priv->branches = g_list_store_new (LS_TYPE_BRANCH_ITEM);
  priv->loops = g_list_store_new (LS_TYPE_LOOP_ITEM);
  priv->moves = g_list_store_new (LS_TYPE_MOVE_ITEM);
  priv->ranking = g_list_store_new (LS_TYPE_STEP_ITEM);
  priv->hover = LS_NO_HOVER;
}

void
ls_session_settle (LsSession *self)
{
  g_return_if_fail (LS_IS_SESSION (self));

  g_signal_emit (self, signals[SETTLE], 0);
}

void
ls_session_keep_typed (LsSession  *self,
                       const char *text)
{
  g_return_if_fail (LS_IS_SESSION (self));

  if (LS_SESSION_GET_CLASS (self)->keep_typed == NULL)
    return;
  LS_SESSION_GET_CLASS (self)->keep_typed (self, text);
  g_signal_emit (self, signals[TYPED], 0);
}

/* ---- state -------------------------------------------------------------- */

LsSessionState
ls_session_get_state (LsSession *self)
{
  return PRIV (self)->state;
}

const char *
ls_session_get_title (LsSession *self)
{
  return PRIV (self)->title;
}

const char *
ls_session_get_place (LsSession *self)
{
  return PRIV (self)->place;
}

const char *
ls_session_get_message (LsSession *self)
{
  return PRIV (self)->message;
}

const char *
ls_session_get_not_opened (LsSession *self)
{
  return PRIV (self)->not_opened;
}

const char *
ls_session_get_left_out (LsSession *self)
{
  return PRIV (self)->left_out;
}

GListModel *
ls_session_get_history (LsSession *self)
{
  return G_LIST_MODEL (PRIV (self)->history);
}

GListModel *
ls_session_get_path (LsSession *self)
{
  return G_LIST_MODEL (PRIV (self)->path);
}

GListModel *
ls_session_get_branches (LsSession *self)
{
  return G_LIST_MODEL (PRIV (self)->branches);
}

GListModel *
ls_session_get_loops (LsSession *self)
{
  return G_LIST_MODEL (PRIV (self)->loops);
}

GListModel *
ls_session_get_moves (LsSession *self)
{
  if (LS_SESSION_GET_CLASS (self)->flush != NULL)
    LS_SESSION_GET_CLASS (self)->flush (self);
  return G_LIST_MODEL (PRIV (self)->moves);
}

GListModel *
ls_session_watch_moves (LsSession *self)
{
  return G_LIST_MODEL (PRIV (self)->moves);
}

gboolean
ls_session_moves_are_due (LsSession *self)
{
  return LS_SESSION_GET_CLASS (self)->moves_are_due != NULL && LS_SESSION_GET_CLASS (self)->moves_are_due (self);
}

LsStepItem *
ls_session_get_current (LsSession *self)
{
  return PRIV (self)->current;
}

guint
ls_session_get_position (LsSession *self)
{
  LsSessionPrivate *priv = PRIV (self);
  guint position = 0;

  if (priv->current != NULL)
    g_list_store_find (priv->path, priv->current, &position);
  return position;
}

LsScriptText *
ls_session_get_draft (LsSession *self)
{
  return PRIV (self)->draft;
}

const char *
ls_session_get_draft_words (LsSession *self)
{
  return PRIV (self)->draft_words;
}

LsScriptText *
ls_session_get_script (LsSession *self)
{
  return PRIV (self)->script;
}

LsScriptText *
ls_session_get_before (LsSession *self)
{
  return PRIV (self)->before;
}

guint64
ls_session_get_selection (LsSession *self)
{
  return PRIV (self)->selection;
}

guint
ls_session_get_stand (LsSession *self)
{
  return PRIV (self)->stand;
}

guint64
ls_session_get_stand_row (LsSession *self)
{
  LsSessionPrivate *priv = PRIV (self);
  guint n = priv->script != NULL ? ls_script_text_n_lines (priv->script) : 0;

  for (guint i = MIN (priv->stand, n); i-- > 0;)
    if (ls_script_text_line (priv->script, i)->id != 0)
      return ls_script_text_line (priv->script, i)->id;
  return 0;
}

void
ls_session_set_stand (LsSession *self,
                      guint      line)
{
  if (PRIV (self)->stand == line)
    return;
  PRIV (self)->stand = line;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_STAND]);
}

LsLoopItem *
ls_session_get_selected (LsSession *self)
{
  return PRIV (self)->selected;
}

int
ls_session_get_hover (LsSession *self)
{
  return PRIV (self)->hover;
}

const char *
ls_session_get_likely_words (LsSession *self)
{
  return PRIV (self)->likely_words;
}

const char *
ls_session_get_conditions (LsSession *self)
{
  return PRIV (self)->conditions;
}

const char *
ls_session_get_time_error (LsSession *self)
{
  return PRIV (self)->time_error;
}

gboolean
ls_session_is_running (LsSession *self)
{
  return PRIV (self)->running;
}

double
ls_session_get_flop (LsSession *self)
{
  return PRIV (self)->flop;
}

gboolean
ls_session_can_undo (LsSession *self)
{
  return ls_session_get_position (self) > 0;
}

gboolean
ls_session_can_redo (LsSession *self)
{
  return ls_session_get_position (self) + 1 <
         g_list_model_get_n_items (ls_session_get_path (self));
}

GListModel *
ls_session_get_ranking (LsSession *self)
{
  return G_LIST_MODEL (PRIV (self)->ranking);
}

/* ---- setters ------------------------------------------------------------ */

/* The new text may be the old one. */
static void
take_string (char       **slot,
             const char  *text)
{
  char *copy = g_strdup (text);

  g_free (*slot);
  *slot = copy;
}

void
ls_session_set_opening (LsSession  *self,
                        const char *not_opened,
                        const char *left_out)
{
  take_string (&PRIV (self)->not_opened, not_opened);
  take_string (&PRIV (self)->left_out, left_out);
}

void
ls_session_set_state (LsSession      *self,
                      LsSessionState  state,
                      const char     *message)
{
  LsSessionPrivate *priv = PRIV (self);

  priv->state = state;
  take_string (&priv->message, message);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_STATE]);
}

void
ls_session_set_title (LsSession  *self,
                      const char *title,
                      const char *place)
{
  LsSessionPrivate *priv = PRIV (self);

  take_string (&priv->title, title);
  take_string (&priv->place, place);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_TITLE]);
}

static void
update_shown (LsSession *self)
{
  LsSessionPrivate *priv = PRIV (self);
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);

  priv->n_hidden = 0;
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (priv->path)); i++)
    {
      g_autoptr (LsStepItem) item = g_list_model_get_item (G_LIST_MODEL (priv->path), i);
      const LsStepRecord *record = ls_step_item_get (item);
      gboolean idle = record->no_effect && record->bookmark == 0 && item != priv->current;

      priv->n_hidden += idle;
      if (!idle || priv->all_steps)
        g_ptr_array_add (items, g_object_ref (item));
    }
  ls_list_store_replace (priv->shown, items);
}

void
ls_session_set_all_steps (LsSession *self,
                          gboolean   all)
{
  LsSessionPrivate *priv = PRIV (self);

  if (priv->all_steps == all)
    return;
  priv->all_steps = all;
  update_shown (self);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_ALL_STEPS]);
}

gboolean
ls_session_get_all_steps (LsSession *self)
{
  return PRIV (self)->all_steps;
}

GListModel *
ls_session_get_shown (LsSession *self)
{
  return G_LIST_MODEL (PRIV (self)->shown);
}

guint
ls_session_get_n_hidden (LsSession *self)
{
  return PRIV (self)->n_hidden;
}

void
ls_session_set_history (LsSession  *self,
                        GPtrArray  *rows,
                        GPtrArray  *path,
                        LsStepItem *current)
{
  LsSessionPrivate *priv = PRIV (self);

  for (guint i = 0; rows != NULL && i < rows->len; i++)
    ls_step_item_set_current (g_ptr_array_index (rows, i),
                              g_ptr_array_index (rows, i) == current);
  ls_list_store_replace (priv->history, rows);
  ls_list_store_replace (priv->path, path);
  g_set_object (&priv->current, current);
  update_shown (self);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_CURRENT]);
}

void
ls_session_set_branches (LsSession *self,
                         GPtrArray *branches)
{
  ls_list_store_replace (PRIV (self)->branches, branches);
}

void
ls_session_set_module (LsSession    *self,
                       GPtrArray    *loops,
                       double        flop,
                       LsScriptText *script,
                       LsScriptText *before)
{
  LsSessionPrivate *priv = PRIV (self);

  priv->flop = flop;
  g_set_object (&priv->script, script);
  g_set_object (&priv->before, before);
  ls_loop_list_take (priv->loops, loops);
  g_set_object (&priv->selected,
                ls_loop_list_find (G_LIST_MODEL (priv->loops), priv->selection));
  g_signal_emit (self, signals[MODULE_CHANGED], 0);
}

void
ls_session_set_draft (LsSession    *self,
                      LsScriptText *draft,
                      const char   *words)
{
  LsSessionPrivate *priv = PRIV (self);

  g_set_object (&priv->draft, draft);
  take_string (&priv->draft_words, words);
  g_signal_emit (self, signals[DRAFT_CHANGED], 0);
}

const LsPinRecord *
ls_session_get_pin (LsSession *self,
                    guint      slot)
{
  g_return_val_if_fail (slot < LS_PINS_MAX, NULL);

  return &PRIV (self)->pins[slot];
}

guint8
ls_session_get_pins (LsSession *self)
{
  guint8 pins = 0;

  for (guint i = 0; i < LS_PINS_MAX; i++)
    if (PRIV (self)->pins[i].used)
      pins |= LS_PIN_BIT (i);
  return pins;
}

void
ls_session_set_pins (LsSession         *self,
                     const LsPinRecord *pins)
{
  LsSessionPrivate *priv = PRIV (self);

  for (guint i = 0; i < LS_PINS_MAX; i++)
    {
      ls_pin_record_clear (&priv->pins[i]);
      priv->pins[i] = pins[i];
      priv->pins[i].name = g_strdup (pins[i].name);
    }
  g_signal_emit (self, signals[PINS_CHANGED], 0);
}

void
ls_session_set_selection (LsSession *self,
                          guint64    id)
{
  LsSessionPrivate *priv = PRIV (self);

  LsLoopItem *found = NULL;

  if (id != 0)
    found = ls_loop_list_find (G_LIST_MODEL (priv->loops), id);
  priv->selection = id;
  g_set_object (&priv->selected, found);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_SELECTION]);
}

void
ls_session_set_moves (LsSession *self,
                      GPtrArray *moves)
{
  ls_list_store_replace (PRIV (self)->moves, moves);
}

void
ls_session_set_likely_words (LsSession  *self,
                             const char *words)
{
  take_string (&PRIV (self)->likely_words, words);
}

void
ls_session_set_ranking (LsSession *self,
                        GPtrArray *items)
{
  ls_list_store_replace (PRIV (self)->ranking, items);
}

void
ls_session_place_ranked (LsSession        *self,
                         LsStepItem       *item,
                         GCompareDataFunc  order)
{
  GListStore *ranking = PRIV (self)->ranking;
  guint at;

  if (!g_list_store_find (ranking, item, &at))
    return;
  g_object_ref (item);
  g_list_store_remove (ranking, at);
  g_list_store_insert_sorted (ranking, item, order, NULL);
  g_object_unref (item);
}

void
ls_session_set_running (LsSession *self,
                        gboolean   running)
{
  LsSessionPrivate *priv = PRIV (self);

  if (priv->running == running)
    return;
  priv->running = running;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_RUNNING]);
}

void
ls_session_set_conditions (LsSession  *self,
                           const char *conditions,
                           const char *time_error)
{
  LsSessionPrivate *priv = PRIV (self);

  take_string (&priv->conditions, conditions);
  take_string (&priv->time_error, time_error);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_CONDITIONS]);
}

void
ls_session_timing_changed (LsSession *self)
{
  g_signal_emit (self, signals[TIMING_CHANGED], 0);
}

void
ls_session_why_changed (LsSession *self)
{
  g_signal_emit (self, signals[WHY_CHANGED], 0);
}

void
ls_session_results_changed (LsSession *self)
{
  g_signal_emit (self, signals[RESULTS_CHANGED], 0);
}

LsGraphModel *
ls_session_get_graph (LsSession *self)
{
  return PRIV (self)->graph;
}

void
ls_session_set_graph (LsSession    *self,
                      LsGraphModel *graph)
{
  g_set_object (&PRIV (self)->graph, graph);
}

LsTuning *
ls_session_get_tuning (LsSession *self)
{
  return PRIV (self)->tuning;
}

void
ls_session_set_tuning (LsSession *self,
                       LsTuning  *tuning)
{
  g_set_object (&PRIV (self)->tuning, tuning);
}

void
ls_session_set_hover (LsSession *self,
                      int        family)
{
  LsSessionPrivate *priv = PRIV (self);

  if (priv->hover == family)
    return;
  priv->hover = family;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_HOVER]);
}
