/* trial-item: see the header. */
#include "views/models/trial-item.h"

#include "views/models/format.h"

#include <glib/gi18n.h>

struct _LsTrialItem
{
  GObject       parent_instance;
  LsTrialRecord record;         /* its text is ours */
  GArray       *decisions;
};

G_DEFINE_FINAL_TYPE (LsTrialItem, ls_trial_item, G_TYPE_OBJECT)

static guint item_changed;

static void
decision_clear (gpointer data)
{
  LsTrialDecision *self = data;

  g_free (self->name);
  g_free (self->value);
}

static void
free_texts (LsTrialRecord *record)
{
  g_free ((char *) record->problem);
  g_free ((char *) record->proposal);
}

static void
copy_texts (LsTrialRecord *record)
{
  record->problem = g_strdup (record->problem);
  record->proposal = g_strdup (record->proposal);
}

static void
ls_trial_item_finalize (GObject *object)
{
  LsTrialItem *self = LS_TRIAL_ITEM (object);

  free_texts (&self->record);
  g_array_unref (self->decisions);
  G_OBJECT_CLASS (ls_trial_item_parent_class)->finalize (object);
}

static void
ls_trial_item_class_init (LsTrialItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ls_trial_item_finalize;
  item_changed = g_signal_new ("changed", LS_TYPE_TRIAL_ITEM, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ls_trial_item_init (LsTrialItem *self)
{
  self->decisions = g_array_new (FALSE, TRUE, sizeof (LsTrialDecision));
  g_array_set_clear_func (self->decisions, decision_clear);
}

LsTrialItem *
ls_trial_item_new (const LsTrialRecord *record)
{
  LsTrialItem *self = g_object_new (LS_TYPE_TRIAL_ITEM, NULL);

  self->record = *record;
  copy_texts (&self->record);
  return self;
}

void
ls_trial_item_set (LsTrialItem         *self,
                   const LsTrialRecord *record)
{
  LsTrialRecord before = self->record;

  self->record = *record;
  copy_texts (&self->record);
  free_texts (&before);
  g_signal_emit (self, item_changed, 0);
}

const LsTrialRecord *
ls_trial_item_get (LsTrialItem *self)
{
  return &self->record;
}

void
ls_trial_item_add_decision (LsTrialItem *self,
                            char        *name,
                            char        *value)
{
  LsTrialDecision decision = { name, value };

  g_array_append_val (self->decisions, decision);
}

GArray *
ls_trial_item_get_decisions (LsTrialItem *self)
{
  return self->decisions;
}

char *
ls_trial_family_letter (guint family)
{
  static const char *const primes[] = { "", "′", "″", "‴" };
  guint round = family / 7;

  if (family == LS_TRIAL_NO_FAMILY)
    return g_strdup ("–");
  return round < G_N_ELEMENTS (primes) ? g_strdup_printf ("%c%s", 'a' + (int) (family % 7), primes[round]) : g_strdup_printf ("%c%u", 'a' + (int) (family % 7), round);
}

char *
ls_trial_item_describe (LsTrialItem *self)
{
  const LsTrialRecord *record = &self->record;
  g_autofree char *letter = ls_trial_family_letter (record->family);
  g_autofree char *time = ls_format_time (record->seconds), *predicted = ls_format_time (record->predicted);
  g_autofree char *factor = ls_format_speedup (record->speedup);
  GString *words = g_string_new (NULL);

  g_string_append_printf (words, _("candidate %u"), record->number);
  if (record->family != LS_TRIAL_NO_FAMILY)
    {
      g_string_append (words, ", ");
      g_string_append_printf (words, _("design %s"), letter);
    }
  g_string_append (words, ", ");
  if (record->state == LS_TRIAL_ITEM_FAILED)
    g_string_append_printf (words, _("no time: %s"), record->problem != NULL ? record->problem : "?");
  else if (record->state == LS_TRIAL_ITEM_MEASURED)
    g_string_append_printf (words, record->given_up ? _("%s, given up") : "%s", time);
  else
    g_string_append (words, record->state == LS_TRIAL_ITEM_RUNNING ? _("being measured") : _("waits"));
  if (record->predicted > 0.0)
    {
      g_string_append (words, ", ");
      g_string_append_printf (words, _("predicted %s"), predicted);
    }
  if (record->state == LS_TRIAL_ITEM_MEASURED && record->speedup > 0.0)
    g_string_append_printf (words, ", %s", factor);
  if (record->remembered)
    g_string_append_printf (words, ", %s", _("from an earlier run"));
  return g_string_free (words, FALSE);
}

static int
rank_of (const LsTrialRecord *record)
{
  return record->state == LS_TRIAL_ITEM_MEASURED ? 1 : record->state == LS_TRIAL_ITEM_FAILED ? 2 : 0;
}

int
ls_trial_item_compare (LsTrialItem *a,
                       LsTrialItem *b)
{
  const LsTrialRecord *x = &a->record, *y = &b->record;
  int rank = rank_of (x) - rank_of (y);

  if (rank != 0)
    return rank;
  if (rank_of (x) == 1 && x->seconds != y->seconds)
    return x->seconds < y->seconds ? -1 : 1;
  return (x->number > y->number) - (x->number < y->number);
}
