/* LsTuning: the shown state of a search and its words. */
#include "views/models/tuning.h"

#include "views/models/format.h"

#include <glib/gi18n.h>

typedef struct {
  LsTuningRecord record;
  GListStore    *items;
  LsTrialItem   *selected, *before;     /* looked at, and before that */
  GArray        *worth;
  guint          weighed;
  char          *message;
  char          *conditions;
  char          *queue;
  GArray        *machines;      /* or NULL */
  GArray        *kinds;         /* or NULL */
  GArray        *tasks;         /* or NULL */
  GArray        *totals;        /* or NULL */
  guint          task;          /* of the items, or LS_TUNING_NO_TASK */
  LsTuningRecord part;          /* its figures */
} LsTuningPrivate;

enum { CHANGED, SELECTED, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (LsTuning, ls_tuning, G_TYPE_OBJECT)

#define PRIV(self) ((LsTuningPrivate *) ls_tuning_get_instance_private (self))

static void
ls_tuning_finalize (GObject *object)
{
  LsTuningPrivate *priv = PRIV (LS_TUNING (object));

  g_object_unref (priv->items);
  g_clear_object (&priv->selected);
  g_clear_object (&priv->before);
  g_clear_pointer (&priv->worth, g_array_unref);
  g_free (priv->message);
  g_free (priv->conditions);
  g_free (priv->queue);
  g_clear_pointer (&priv->machines, g_array_unref);
  g_clear_pointer (&priv->kinds, g_array_unref);
  g_clear_pointer (&priv->tasks, g_array_unref);
  g_clear_pointer (&priv->totals, g_array_unref);
  G_OBJECT_CLASS (ls_tuning_parent_class)->finalize (object);
}

static void
ls_tuning_class_init (LsTuningClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ls_tuning_finalize;
  signals[CHANGED] = g_signal_new ("changed", LS_TYPE_TUNING, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SELECTED] = g_signal_new ("selected", LS_TYPE_TUNING, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ls_tuning_init (LsTuning *self)
{
  PRIV (self)->items = g_list_store_new (LS_TYPE_TRIAL_ITEM);
  PRIV (self)->record.seconds_left = -1.0;
  PRIV (self)->task = LS_TUNING_NO_TASK;
  PRIV (self)->queue = g_strdup ("");
}

#define CALL(method, ...) \
  if (LS_TUNING_GET_CLASS (self)->method != NULL) \
    LS_TUNING_GET_CLASS (self)->method (__VA_ARGS__)

void
ls_tuning_start (LsTuning *self,
                 gboolean  shown,
                 guint     trials,
                 guint     seconds)
{
  CALL (start, self, shown, trials, seconds);
}

void
ls_tuning_look (LsTuning *self)
{
  CALL (look, self);
}

void
ls_tuning_pause (LsTuning *self)
{
  CALL (pause, self);
}

void
ls_tuning_resume (LsTuning *self)
{
  CALL (resume, self);
}

void
ls_tuning_stop (LsTuning *self)
{
  CALL (stop, self);
}

void
ls_tuning_open (LsTuning    *self,
                LsTrialItem *item)
{
  CALL (open, self, item);
}

void
ls_tuning_show_task (LsTuning *self,
                     guint     task)
{
  CALL (show_task, self, task);
}

void
ls_tuning_keep_all (LsTuning *self)
{
  CALL (keep_all, self);
}

void
ls_tuning_set_queue (LsTuning   *self,
                     const char *queue)
{
  g_free (PRIV (self)->queue);
  PRIV (self)->queue = g_strstrip (g_strdup (queue));
}

void
ls_tuning_select (LsTuning    *self,
                  LsTrialItem *item)
{
  if (item != NULL && PRIV (self)->selected != NULL && item != PRIV (self)->selected)
    g_set_object (&PRIV (self)->before, PRIV (self)->selected);
  if (g_set_object (&PRIV (self)->selected, item))
    g_signal_emit (self, signals[SELECTED], 0);
}

const LsTuningRecord *
ls_tuning_get (LsTuning *self)
{
  return &PRIV (self)->record;
}

const LsTuningRecord *
ls_tuning_get_part (LsTuning *self)
{
  return PRIV (self)->task != LS_TUNING_NO_TASK ? &PRIV (self)->part : &PRIV (self)->record;
}

guint
ls_tuning_get_task (LsTuning *self)
{
  return PRIV (self)->task;
}

GArray *
ls_tuning_get_totals (LsTuning *self)
{
  return PRIV (self)->totals;
}

GListModel *
ls_tuning_get_items (LsTuning *self)
{
  return G_LIST_MODEL (PRIV (self)->items);
}

LsTrialItem *
ls_tuning_get_selected (LsTuning *self)
{
  return PRIV (self)->selected;
}

LsTrialItem *
ls_tuning_get_partner (LsTuning *self)
{
  LsTuningPrivate *priv = PRIV (self);
  guint best = ls_tuning_get_part (self)->best_number;
  g_autoptr (LsTrialItem) fastest = best > 0 ? g_list_model_get_item (G_LIST_MODEL (priv->items), best - 1) : NULL;

  if (priv->selected == NULL)
    return NULL;
  if (priv->before != NULL && priv->before != priv->selected)
    return priv->before;
  return fastest != priv->selected ? fastest : NULL;    /* the list holds it */
}

gboolean
ls_tuning_compare (LsTuning    *self,
                   LsTrialItem *left,
                   LsTrialItem *right,
                   guint        nodes[2])
{
  return LS_TUNING_GET_CLASS (self)->compare != NULL && LS_TUNING_GET_CLASS (self)->compare (self, left, right, nodes);
}

GArray *
ls_tuning_get_worth (LsTuning *self)
{
  return PRIV (self)->worth;
}

GPtrArray *
ls_tuning_get_branch (LsTuning       *self,
                      LsDecisionItem *above)
{
  GPtrArray *below = g_ptr_array_new_with_free_func (g_object_unref);

  CALL (branch, self, above, below);
  return below;
}

guint
ls_tuning_get_weighed (LsTuning *self)
{
  return PRIV (self)->weighed;
}

const char *
ls_tuning_get_queue (LsTuning *self)
{
  return PRIV (self)->queue;
}

GArray *
ls_tuning_get_machines (LsTuning *self)
{
  return PRIV (self)->machines;
}

GArray *
ls_tuning_get_tasks (LsTuning *self)
{
  return PRIV (self)->tasks;
}

double
ls_tuning_find_share (LsTuning   *self,
                      const char *name)
{
  GArray *worth = PRIV (self)->worth;

  for (guint i = 0; worth != NULL && i < worth->len; i++)
    if (g_strcmp0 (g_array_index (worth, LsTuningWorth, i).name, name) == 0)
      return g_array_index (worth, LsTuningWorth, i).share;
  return -1.0;
}

const char *
ls_tuning_get_refusal (LsTuning *self)
{
  return LS_TUNING_GET_CLASS (self)->get_refusal != NULL ? LS_TUNING_GET_CLASS (self)->get_refusal (self) : NULL;
}

const char *
ls_tuning_get_message (LsTuning *self)
{
  return PRIV (self)->message;
}

const char *
ls_tuning_get_conditions (LsTuning *self)
{
  return PRIV (self)->conditions;
}

/* ---- words ---------------------------------------------------------------------------- */

/* "about 3 min left"; NULL: not known. (transfer full) */
static char *
left_text (const LsTuningRecord *record)
{
  guint seconds;

  if (record->seconds_left < 0.0)
    return NULL;
  seconds = (guint) (record->seconds_left + 0.5);
  if (seconds < 100)
    return g_strdup_printf (ngettext ("about %u s left", "about %u s left", seconds), seconds);
  return g_strdup_printf (ngettext ("about %u min left", "about %u min left", (seconds + 30) / 60), (seconds + 30) / 60);
}

static const char *
state_text (LsTuningState state)
{
  switch (state)
    {
    case LS_TUNING_PAUSED:
      return _("paused");
    case LS_TUNING_STOPPING:
      return _("stopping");
    case LS_TUNING_ENDED:
      return _("ended");
    case LS_TUNING_NONE:
    case LS_TUNING_RUNNING:
      break;
    }
  return NULL;
}

char *
ls_tuning_describe (LsTuning *self)
{
  const LsTuningRecord *record = &PRIV (self)->record;
  GString *words = g_string_new (NULL);
  g_autofree char *left = record->state == LS_TUNING_RUNNING ? left_text (record) : NULL;

  if (record->trials > 0 && record->refused >= record->trials && record->measured + record->failed + record->remembered == 0)
    g_string_append_printf (words, ngettext ("%u trial, which gave no program", "%u trials, none of which gave a program", record->trials), record->trials);
  else
    g_string_append_printf (words, ngettext ("%u of %u trial", "%u of %u trials", record->planned), record->trials, record->planned);
  if (record->remembered > 0)
    {
      g_string_append (words, LS_PARTS);
      g_string_append_printf (words, ngettext ("%u from an earlier run", "%u from an earlier run", record->remembered), record->remembered);
    }
  if (record->best > 0.0)
    {
      g_autofree char *best = ls_format_time (record->best), *factor = ls_format_speedup (record->base / record->best);

      g_string_append (words, LS_PARTS);
      g_string_append_printf (words, _("best %s"), best);
      if (record->base > 0.0)
        g_string_append_printf (words, ", %s", factor);
    }
  if (record->failed > 0)
    {
      g_string_append (words, LS_PARTS);
      g_string_append_printf (words, ngettext ("%u without a time", "%u without a time", record->failed), record->failed);
    }
  if (left != NULL || state_text (record->state) != NULL)
    g_string_append_printf (words, "%s%s", LS_PARTS, left != NULL ? left : state_text (record->state));
  return g_string_free (words, FALSE);
}

GArray *
ls_tuning_get_kinds (LsTuning *self)
{
  return PRIV (self)->kinds;
}

char *
ls_tuning_describe_machines (LsTuning *self)
{
  GArray *machines = PRIV (self)->machines;
  GString *words = g_string_new (NULL);
  guint n = machines != NULL ? machines->len : 0;

  g_string_append_printf (words, ngettext ("%u machine measures for the queue", "%u machines measure for the queue", n), n);
  for (guint i = 0; i < n; i++)
    {
      const LsTuningMachine *machine = &g_array_index (machines, LsTuningMachine, i);

      g_string_append_printf (words, "\n%s%s%s%s%s%s", machine->name, LS_PARTS, machine->kind, LS_PARTS, machine->doing, LS_PARTS);
      g_string_append_printf (words, ngettext ("%u program measured", "%u programs measured", machine->measured), machine->measured);
      g_string_append (words, LS_PARTS);
      g_string_append_printf (words, _("load %.1f"), machine->load);
    }
  return g_string_free (words, FALSE);
}

/* ---- for the concrete one ----------------------------------------------------------------- */

static void
worth_clear (gpointer data)
{
  LsTuningWorth *self = data;

  g_free (self->name);
  g_free (self->best);
}

GArray *
ls_tuning_worth_new (void)
{
  GArray *self = g_array_new (FALSE, TRUE, sizeof (LsTuningWorth));

  g_array_set_clear_func (self, worth_clear);
  return self;
}

static void
machine_clear (gpointer data)
{
  LsTuningMachine *self = data;

  g_free (self->name);
  g_free (self->kind);
  g_free (self->doing);
}

GArray *
ls_tuning_machines_new (void)
{
  GArray *self = g_array_new (FALSE, TRUE, sizeof (LsTuningMachine));

  g_array_set_clear_func (self, machine_clear);
  return self;
}

void
ls_tuning_take_machines (LsTuning *self,
                         GArray   *machines)
{
  g_clear_pointer (&PRIV (self)->machines, g_array_unref);
  PRIV (self)->machines = machines;
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
tuning_kind_clear (gpointer data)
{
  g_free (((LsTuningKind *) data)->name);
}

GArray *
ls_tuning_kinds_new (void)
{
  GArray *self = g_array_new (FALSE, TRUE, sizeof (LsTuningKind));

  g_array_set_clear_func (self, tuning_kind_clear);
  return self;
}

void
ls_tuning_take_kinds (LsTuning *self,
                      GArray   *kinds)
{
  g_clear_pointer (&PRIV (self)->kinds, g_array_unref);
  PRIV (self)->kinds = kinds;
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
task_clear (gpointer data)
{
  LsTuningTask *self = data;

  g_free (self->name);
  g_free (self->problem);
}

GArray *
ls_tuning_tasks_new (void)
{
  GArray *self = g_array_new (FALSE, TRUE, sizeof (LsTuningTask));

  g_array_set_clear_func (self, task_clear);
  return self;
}

void
ls_tuning_take_tasks (LsTuning *self,
                      GArray   *tasks)
{
  g_clear_pointer (&PRIV (self)->tasks, g_array_unref);
  PRIV (self)->tasks = tasks;
  g_signal_emit (self, signals[CHANGED], 0);
}

void
ls_tuning_take_totals (LsTuning *self,
                       GArray   *totals)
{
  g_clear_pointer (&PRIV (self)->totals, g_array_unref);
  PRIV (self)->totals = totals;
}

void
ls_tuning_set_part (LsTuning             *self,
                    guint                 task,
                    const LsTuningRecord *record)
{
  PRIV (self)->task = task;
  PRIV (self)->part = *record;
  g_signal_emit (self, signals[CHANGED], 0);
}

void
ls_tuning_set (LsTuning             *self,
               const LsTuningRecord *record)
{
  PRIV (self)->record = *record;
  g_signal_emit (self, signals[CHANGED], 0);
}

void
ls_tuning_take_worth (LsTuning *self,
                      GArray   *worth)
{
  g_clear_pointer (&PRIV (self)->worth, g_array_unref);
  PRIV (self)->worth = worth;
  PRIV (self)->weighed++;
  g_signal_emit (self, signals[CHANGED], 0);
}

void
ls_tuning_tell (LsTuning   *self,
                const char *message)
{
  g_autofree char *before = PRIV (self)->message;

  PRIV (self)->message = g_strdup (message);
  g_signal_emit (self, signals[CHANGED], 0);
}

void
ls_tuning_set_conditions (LsTuning   *self,
                          const char *conditions)
{
  g_autofree char *before = PRIV (self)->conditions;

  PRIV (self)->conditions = g_strdup (conditions);
}

void
ls_tuning_add (LsTuning    *self,
               LsTrialItem *item)
{
  g_list_store_append (PRIV (self)->items, item);
}

void
ls_tuning_clear_items (LsTuning *self)
{
  ls_tuning_select (self, NULL);
  g_clear_object (&PRIV (self)->before);
  g_list_store_remove_all (PRIV (self)->items);
  g_clear_pointer (&PRIV (self)->worth, g_array_unref);
  PRIV (self)->weighed++;
}

void
ls_tuning_clear (LsTuning *self)
{
  ls_tuning_clear_items (self);
  g_clear_pointer (&PRIV (self)->tasks, g_array_unref);
  g_clear_pointer (&PRIV (self)->totals, g_array_unref);
  PRIV (self)->task = LS_TUNING_NO_TASK;
  g_clear_pointer (&PRIV (self)->message, g_free);
  g_clear_pointer (&PRIV (self)->conditions, g_free);
  ls_tuning_set (self, &(LsTuningRecord) { .seconds_left = -1.0 });
}
