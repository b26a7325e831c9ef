#include "views/models/decision-item.h"

#include "views/models/format.h"

#include <glib/gi18n.h>

struct _LsDecisionItem
{
  GObject          parent_instance;
  LsDecisionRecord record;      /* its name is ours */
  gpointer         place;
  GDestroyNotify   free_place;
};

G_DEFINE_FINAL_TYPE (LsDecisionItem, ls_decision_item, G_TYPE_OBJECT)

static guint changed;

static void
forget_place (LsDecisionItem *self)
{
  if (self->free_place != NULL)
    self->free_place (self->place);
  self->place = NULL;
}

static void
ls_decision_item_finalize (GObject *object)
{
  LsDecisionItem *self = LS_DECISION_ITEM (object);

  forget_place (self);
  g_free ((char *) self->record.name);
  G_OBJECT_CLASS (ls_decision_item_parent_class)->finalize (object);
}

static void
ls_decision_item_class_init (LsDecisionItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ls_decision_item_finalize;
  changed = g_signal_new ("changed", LS_TYPE_DECISION_ITEM, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ls_decision_item_init (LsDecisionItem *self)
{
}

LsDecisionItem *
ls_decision_item_new (const LsDecisionRecord *record,
                      gpointer                place,
                      GDestroyNotify          free_place)
{
  LsDecisionItem *self = g_object_new (LS_TYPE_DECISION_ITEM, NULL);

  self->record = *record;
  self->record.name = g_strdup (record->name);
  self->place = place;
  self->free_place = free_place;
  return self;
}

const LsDecisionRecord *
ls_decision_item_get (LsDecisionItem *self)
{
  return &self->record;
}

gpointer
ls_decision_item_get_place (LsDecisionItem *self)
{
  return self->place;
}

gboolean
ls_decision_item_is (LsDecisionItem *self,
                     LsDecisionItem *other)
{
  /* One below which nothing can be said becomes another row when something can: a row of a tree learns only once whether it can be opened. */
  return self->record.kind == other->record.kind && self->record.deeper == other->record.deeper && g_strcmp0 (self->record.name, other->record.name) == 0;
}

void
ls_decision_item_follow (LsDecisionItem *self,
                         LsDecisionItem *other)
{
  const LsDecisionRecord *from = &other->record;
  LsDecisionRecord *to = &self->record;

  if (to->share == from->share && to->n == from->n && to->best == from->best && to->median == from->median && to->best_number == from->best_number)
    return;
  to->share = from->share;
  to->n = from->n;
  to->best = from->best;
  to->median = from->median;
  to->best_number = from->best_number;
  g_signal_emit (self, changed, 0);
}

char *
ls_decision_item_describe (LsDecisionItem *self)
{
  const LsDecisionRecord *record = &self->record;
  g_autofree char *programs = g_strdup_printf (ngettext ("%u program", "%u programs", record->n), record->n);
  g_autofree char *share = ls_format_share (record->share), *best = ls_format_time (record->best), *median = ls_format_time (record->median);

  switch (record->kind)
    {
    case LS_DECISION_ITEM_DECISION:
      return g_strdup_printf (_("%s explains %s of the spread of %s"), record->name, share, programs);
    case LS_DECISION_ITEM_VALUE:
      return g_strdup_printf (_("%s: best %s, median %s, %s"), record->name, best, median, programs);
    case LS_DECISION_ITEM_NOTE:
      break;
    }
  return g_strdup (record->name);
}
