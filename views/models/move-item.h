/* LsMoveItem: one primitive that could be applied to the selection, with the
 * verdict, its reason and its parameters.
 *
 * The session decides; a row only shows the record and hands edits back.  A
 * header row carries a group and a count and nothing else.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum {
  LS_MOVE_LIKELY,               /* can, and is likely to make the program faster: of the whole program, not of the selection */
  LS_MOVE_CAN,
  LS_MOVE_RISKY,                /* can, but may change the result */
  LS_MOVE_WITH_CHANGE,
  LS_MOVE_CANNOT,
} LsMoveGroup;

#define LS_MOVE_N_GROUPS 5
/* It can be applied as it is. */
#define LS_MOVE_GROUP_CAN(group) ((group) == LS_MOVE_LIKELY || (group) == LS_MOVE_CAN || (group) == LS_MOVE_RISKY)

typedef enum {
  LS_MOVE_PARAM_FACTOR,              /* one of several whose product is `product` */
  LS_MOVE_PARAM_CHOICE,
  LS_MOVE_PARAM_PLACE,          /* a choice of a loop or block: shown first */
  LS_MOVE_PARAM_TEXT,
  LS_MOVE_PARAM_FLAG,
} LsMoveParamKind;

typedef struct {
  LsMoveParamKind         kind;
  const char         *name;     /* outer, inner, loop, … */
  const char         *value;
  const char *const  *choices;  /* true divisors, or the names to choose from */
} LsMoveParam;

typedef struct {
  LsMoveGroup         group;
  const char         *call;     /* split(k, [32, 4]) */
  const char         *name;     /* split */
  const char         *reason;   /* what it does, or why it cannot be */
  const char         *code;     /* stable code of the violated condition */
  const char         *source;   /* "engine/schedule/legal/condition.c:447": the check that has the reason; NULL: there is none */
  const char         *tag;      /* "step 4: ×1.03": what history knows of it */
  const char         *repair;   /* words on the repair button, or NULL */
  const char         *repair_note;
  const char         *product;  /* "= 128, exact", beside the factors */
  const char         *preview;  /* "k → k_0, k_1" */
  gboolean            measurable; /* "Measure all" makes sense */
  const LsMoveParam  *params;
  guint               n_params;
} LsMoveRecord;

#define LS_TYPE_MOVE_ITEM (ls_move_item_get_type ())
G_DECLARE_FINAL_TYPE (LsMoveItem, ls_move_item, LS, MOVE_ITEM, GObject)

LsMoveItem         *ls_move_item_new          (const LsMoveRecord *record);
/* A header row.  `words` (or NULL) stand below it: why nothing else does. */
LsMoveItem         *ls_move_item_new_header   (LsMoveGroup         group,
                                               guint               count,
                                               const char         *words);
gboolean            ls_move_item_is_header    (LsMoveItem         *self);
guint               ls_move_item_get_count    (LsMoveItem         *self);
void                ls_move_item_set          (LsMoveItem         *self,
                                               const LsMoveRecord *record);
const LsMoveRecord *ls_move_item_get          (LsMoveItem         *self);
/* "parallel(k), can with a change: All 128 iterations …". (transfer full) */
char               *ls_move_item_describe     (LsMoveItem         *self);

const char         *ls_move_group_title       (LsMoveGroup         group);
const char         *ls_move_group_icon        (LsMoveGroup         group);

G_END_DECLS
