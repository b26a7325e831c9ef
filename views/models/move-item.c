/* LsMoveItem: one primitive with its verdict. */
#include "views/models/move-item.h"

#include <glib/gi18n.h>

struct _LsMoveItem
{
  GObject      parent_instance;

  LsMoveRecord record;
  gboolean     header;
  guint        count;
};

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (LsMoveItem, ls_move_item, G_TYPE_OBJECT)

static void
record_copy (LsMoveRecord       *to,
             const LsMoveRecord *from)
{
  LsMoveParam *params = g_new0 (LsMoveParam, from->n_params);

  *to = *from;
  to->call = g_strdup (from->call);
  to->name = g_strdup (from->name);
  to->reason = g_strdup (from->reason);
  to->code = g_strdup (from->code);
  to->source = g_strdup (from->source);
  to->tag = g_strdup (from->tag);
  to->repair = g_strdup (from->repair);
  to->repair_note = g_strdup (from->repair_note);
  to->product = g_strdup (from->product);
  to->preview = g_strdup (from->preview);
  for (guint i = 0; i < from->n_params; i++)
    {
      params[i] = from->params[i];
      params[i].name = g_strdup (from->params[i].name);
      params[i].value = g_strdup (from->params[i].value);
      params[i].choices = (const char *const *) g_strdupv ((char **) from->params[i].choices);
    }
  to->params = params;
}

static void
record_clear (LsMoveRecord *record)
{
  g_free ((char *) record->call);
  g_free ((char *) record->name);
  g_free ((char *) record->reason);
  g_free ((char *) record->code);
  g_free ((char *) record->source);
  g_free ((char *) record->tag);
  g_free ((char *) record->repair);
  g_free ((char *) record->repair_note);
  g_free ((char *) record->product);
  g_free ((char *) record->preview);
  for (guint i = 0; i < record->n_params; i++)
    {
      g_free ((char *) record->params[i].name);
      g_free ((char *) record->params[i].value);
      g_strfreev ((char **) record->params[i].choices);
    }
  g_free ((LsMoveParam *) record->params);
}

static void
ls_move_item_finalize (GObject *object)
{
  LsMoveItem *self = LS_MOVE_ITEM (object);

  record_clear (&self->record);
  G_OBJECT_CLASS (ls_move_item_parent_class)->finalize (object);
}

static void
ls_move_item_class_init (LsMoveItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ls_move_item_finalize;

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST,
                                   0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ls_move_item_init (LsMoveItem *self)
{
}

LsMoveItem *
ls_move_item_new (const LsMoveRecord *record)
{
  LsMoveItem *self = g_object_new (LS_TYPE_MOVE_ITEM, NULL);

  record_copy (&self->record, record);
  return self;
}

LsMoveItem *
ls_move_item_new_header (LsMoveGroup group,
                         guint       count,
                         const char *words)
{
  LsMoveItem *self = g_object_new (LS_TYPE_MOVE_ITEM, NULL);

  self->record.group = group;
  self->record.reason = g_strdup (words);
  self->header = TRUE;
  self->count = count;
  return self;
}

gboolean
ls_move_item_is_header (LsMoveItem *self)
{
  return self->header;
}

guint
ls_move_item_get_count (LsMoveItem *self)
{
  return self->count;
}

void
ls_move_item_set (LsMoveItem         *self,
                  const LsMoveRecord *record)
{
  LsMoveRecord old = self->record;

  record_copy (&self->record, record);
  record_clear (&old);
  g_signal_emit (self, signals[CHANGED], 0);
}

const LsMoveRecord *
ls_move_item_get (LsMoveItem *self)
{
  return &self->record;
}

const char *
ls_move_group_title (LsMoveGroup group)
{
  switch (group)
    {
    case LS_MOVE_LIKELY:
      return _("Likely to help");
    case LS_MOVE_CAN:
      return _("Can be applied");
    case LS_MOVE_RISKY:
      return _("May change the result");
    case LS_MOVE_WITH_CHANGE:
      return _("Can, with a change");
    case LS_MOVE_CANNOT:
      return _("Cannot");
    }

  return NULL;
}

const char *
ls_move_group_icon (LsMoveGroup group)
{
  switch (group)
    {
    case LS_MOVE_LIKELY:
      return "starred-symbolic";
    case LS_MOVE_CAN:
      return "object-select-symbolic";
    case LS_MOVE_RISKY:
      return "dialog-warning-symbolic";
    case LS_MOVE_WITH_CHANGE:
      return "applications-engineering-symbolic";
    case LS_MOVE_CANNOT:
      return "action-unavailable-symbolic";
    }

  return NULL;
}

char *
ls_move_item_describe (LsMoveItem *self)
{
  if (self->header && self->record.reason != NULL)
    return g_strdup_printf ("%s, %u: %s", ls_move_group_title (self->record.group), self->count, self->record.reason);
  if (self->header)
    return g_strdup_printf ("%s, %u", ls_move_group_title (self->record.group), self->count);

  return g_strdup_printf ("%s, %s: %s", self->record.call,
                          ls_move_group_title (self->record.group),
                          self->record.reason != NULL ? self->record.reason : "");
}
