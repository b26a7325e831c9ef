/* LsLoopItem: one row of the loop nest, a loop or a block.
 *
 * An item stands for a place in the tree: another step puts what is there now into it (ls_loop_list_take), so that the rows
 * of a table stay.  `id` names the same loop through all steps that keep it; selection and folding go by it.  Children are
 * a GListModel, so that a GtkTreeListModel can be put on top.
 */
#pragma once

#include <gio/gio.h>

#include "views/models/family.h"
#include "views/models/pin.h"

G_BEGIN_DECLS

typedef enum {
  LS_LOOP_SERIAL,
  LS_LOOP_PARALLEL,
  LS_LOOP_VECTORIZED,
  LS_LOOP_UNROLLED,
  LS_LOOP_BOUND,
  LS_LOOP_BLOCK,                /* not a loop */
  LS_LOOP_FUNCTION,             /* the root row of a function */
} LsLoopKind;

typedef struct {
  guint64     id;
  LsLoopKind  kind;
  gboolean    reduction;
  const char *name;
  const char *origin;           /* "from j, by split"; for a block its statement */
  const char *origin_brief;     /* "from j", where that has no room; or NULL */
  const char *block;            /* name of the innermost single block, or NULL */
  const char *thread;           /* threadIdx.x, for bound loops */
  LsFamilies  families;
  guint       level;            /* from 1 */
  gint64      extent;           /* -1: see extent_text */
  const char *extent_text;      /* symbolic extent, or NULL */
  gint64      runs;             /* -1: unknown */
  gint64      touches;          /* bytes; -1: unknown */
  double      share;            /* 0 to 1 of all flop; below 0: unknown */
  guint       made_by;          /* number of the step that made it, 0: base */
} LsLoopRecord;

#define LS_TYPE_LOOP_ITEM (ls_loop_item_get_type ())
G_DECLARE_FINAL_TYPE (LsLoopItem, ls_loop_item, LS, LOOP_ITEM, GObject)

LsLoopItem         *ls_loop_item_new          (const LsLoopRecord *record);
const LsLoopRecord *ls_loop_item_get          (LsLoopItem         *self);

/* Borrows `child`. */
void                ls_loop_item_add          (LsLoopItem         *self,
                                               LsLoopItem         *child);
/* NULL for a leaf. (transfer none) */
GListModel         *ls_loop_item_get_children (LsLoopItem         *self);

/* Makes `store` show the tree of `items` (or NULL): an item that stands at the same place takes what the new one says
 * (emits ::changed when that differs) and loses its ghost; others come and go.  The items belong to
 * the store from then on: a caller makes new ones for the next time. */
void                ls_loop_list_take         (GListStore         *store,
                                               GPtrArray          *items);

/* Names that the hovered move would give, NULL for none; emits ::changed. */
void                ls_loop_item_set_ghost    (LsLoopItem         *self,
                                               const char *const  *ghost);
const char *const  *ls_loop_item_get_ghost    (LsLoopItem         *self);

/* The pins that the row has, and those that what its block reads or writes has; emits ::changed when they differ. */
void                ls_loop_item_set_pins     (LsLoopItem         *self,
                                               guint8              pins,
                                               guint8              uses);
guint8              ls_loop_item_get_pins     (LsLoopItem         *self);
guint8              ls_loop_item_get_uses     (LsLoopItem         *self);

/* What its machine code is: "8 lanes · 12.1 cycles", and a sentence; NULL: not known.  Emits ::changed when it differs. */
void                ls_loop_item_set_code     (LsLoopItem         *self,
                                               const char         *code,
                                               const char         *words);
const char         *ls_loop_item_get_code     (LsLoopItem         *self);
const char         *ls_loop_item_get_code_words (LsLoopItem       *self);

/* "k, reduction, extent 128, family c, level 3, 99.6 % of flop, touches
 * 2.5 KiB". (transfer full) */
char               *ls_loop_item_describe     (LsLoopItem         *self);
/* Letter of the kind badge, NULL when the loop is serial. */
const char         *ls_loop_kind_letter       (LsLoopKind          kind);
const char         *ls_loop_kind_word         (LsLoopKind          kind);

/* Depth-first search by id in a list of roots. (transfer none) (nullable) */
LsLoopItem         *ls_loop_list_find         (GListModel         *roots,
                                               guint64             id);

G_END_DECLS
