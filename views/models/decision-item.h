/* LsDecisionItem: a row of the tree of decisions: a decision, or a value of one. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum {
  LS_DECISION_ITEM_DECISION,
  LS_DECISION_ITEM_VALUE,
  LS_DECISION_ITEM_NOTE,        /* why there is nothing below a value */
} LsDecisionItemKind;

typedef struct {
  LsDecisionItemKind kind;
  const char *name;             /* of the decision, or the value; unlike those of its siblings */
  double      share;            /* of the spread among the programs here, 0 to 1; of a decision */
  guint       n;                /* programs with a time */
  double      best, median;     /* seconds; of a value */
  guint       best_number;      /* the fastest program of a value, from 1 */
  gboolean    deeper;           /* something can be said below it */
} LsDecisionRecord;

#define LS_TYPE_DECISION_ITEM (ls_decision_item_get_type ())
G_DECLARE_FINAL_TYPE (LsDecisionItem, ls_decision_item, LS, DECISION_ITEM, GObject)

/* Copies the record; takes `place`, which says to who made it where it stands. (transfer full) */
LsDecisionItem         *ls_decision_item_new       (const LsDecisionRecord *record,
                                                    gpointer                place,
                                                    GDestroyNotify          free_place);
const LsDecisionRecord *ls_decision_item_get       (LsDecisionItem         *self);
gpointer                ls_decision_item_get_place (LsDecisionItem         *self);
/* Is it the same row, whatever its figures are? */
gboolean                ls_decision_item_is        (LsDecisionItem         *self,
                                                    LsDecisionItem         *other);
/* Takes over the figures of another one of the same row; emits ::changed where they differ. */
void                    ls_decision_item_follow    (LsDecisionItem         *self,
                                                    LsDecisionItem         *other);
/* "j: innermost factor explains 62 % of the spread, 96 programs": for a screen reader and for tips. (transfer full) */
char                   *ls_decision_item_describe  (LsDecisionItem         *self);

G_END_DECLS
