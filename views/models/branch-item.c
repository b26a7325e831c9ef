/* LsBranchItem: one branch of the history. */
#include "views/models/branch-item.h"

struct _LsBranchItem
{
  GObject        parent_instance;

  LsBranchRecord record;
};

G_DEFINE_FINAL_TYPE (LsBranchItem, ls_branch_item, G_TYPE_OBJECT)

static void
ls_branch_item_finalize (GObject *object)
{
  g_free ((char *) LS_BRANCH_ITEM (object)->record.name);
  G_OBJECT_CLASS (ls_branch_item_parent_class)->finalize (object);
}

static void
ls_branch_item_class_init (LsBranchItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ls_branch_item_finalize;
}

static void
ls_branch_item_init (LsBranchItem *self)
{
}

LsBranchItem *
ls_branch_item_new (const LsBranchRecord *record)
{
  LsBranchItem *self = g_object_new (LS_TYPE_BRANCH_ITEM, NULL);

  self->record = *record;
  self->record.name = g_strdup (record->name);
  return self;
}

const LsBranchRecord *
ls_branch_item_get (LsBranchItem *self)
{
  return &self->record;
}
