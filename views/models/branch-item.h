/* LsBranchItem: one branch of the history, for the list below the steps. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct {
  const char *name;
  guint       tip;              /* id of its last step */
  guint       n_steps;
  guint       n_failed;
  double      best;             /* best median in seconds; 0: not measured */
  gboolean    current;
} LsBranchRecord;

#define LS_TYPE_BRANCH_ITEM (ls_branch_item_get_type ())
G_DECLARE_FINAL_TYPE (LsBranchItem, ls_branch_item, LS, BRANCH_ITEM, GObject)

LsBranchItem         *ls_branch_item_new (const LsBranchRecord *record);
const LsBranchRecord *ls_branch_item_get (LsBranchItem         *self);

G_END_DECLS
