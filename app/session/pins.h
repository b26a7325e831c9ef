/* session/pins: what the user has pinned in a document, and where it is after any of its steps.
 *
 * A pin remembers the node of the history that it was set at and the thing there: a loop, a block or a buffer by its lineage id,
 * a name that has none (an axis, a parameter, a variable of Relax) by the block or function that it belongs to.  At another
 * node it is what became of that thing: back along the links of the lineage to the node that both come from, then forward.  So one
 * loop may be two after a split, and a loop that a step made is the one that it came from before that step.
 *
 * A document can become another one under its pins (the opened program is edited, a file was changed by hand): a pin whose id
 * leads to something else goes by its name.  Knows nothing of widgets.
 */
#pragma once

#include "app/session/history.h"
#include "views/models/pin.h"
#include "views/models/script-text.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

#define LS_PIN_NO_ID G_MAXUINT

typedef struct {
  gboolean  used;
  LsPinKind kind;
  guint     node;               /* of the history */
  guint     id;                 /* lineage id; of a variable: of the block that it belongs to, or LS_PIN_NO_ID */
  char     *name;
  char     *function;           /* that it is in */
  char     *block;              /* of a variable: the name of that block, or NULL */
  guint     nth;                /* of a variable: how many before it have its name there */
} LsPin;

typedef struct {
  LsPin of[LS_PINS_MAX];
} LsPins;

void     ls_pins_clear       (LsPins        *self);
/* `self` is empty before. */
void     ls_pins_copy        (LsPins        *self,
                              const LsPins  *from);
void     ls_pins_remove      (LsPins        *self,
                              guint          slot);
guint8   ls_pins_used        (const LsPins  *self);

/* What there is to pin; FALSE: nothing.  `pin` gets it, owned, without a slot yet.  By the id of a row, or at a character of the
 * text of node `node`. */
gboolean ls_pin_from_row     (LsPin         *pin,
                              LsHistory     *history,
                              guint          node,
                              guint64        row);
gboolean ls_pin_from_text    (LsPin         *pin,
                              LsHistory     *history,
                              guint          node,
                              LsScriptText  *text,
                              guint          offset);
void     ls_pin_clear        (LsPin         *pin);

/* Where all pins are in the program after node `node`: found out once for its rows and its text. */
typedef struct _LsPinPlaces LsPinPlaces;

LsPinPlaces *ls_pin_places_new  (const LsPins *pins,
                                 LsHistory    *history,
                                 guint         node);
void         ls_pin_places_free (LsPinPlaces  *self);
/* Puts the pins into the text of the node and gives the set of those that it has. */
guint8       ls_pin_places_mark_text (LsPinPlaces  *self,
                                      LsScriptText *text);
/* Those of a row, and those of what its block reads or writes; after the text was marked. */
void         ls_pin_places_of_row (LsPinPlaces *self,
                                   guint64      row,
                                   guint8      *pins,
                                   guint8      *uses);

/* pins-file.c: the member "pins" of a session file. */

void     ls_pins_write       (const LsPins  *self,
                              JsonBuilder   *out);
/* `ids`: the nodes that the `n` steps of the file became, LS_HISTORY_NONE where one was left out.  How many of its pins could not be
 * read; `list` that is no list counts as one. */
guint    ls_pins_read        (LsPins        *self,
                              JsonNode      *list,
                              LsHistory     *history,
                              const guint   *ids,
                              guint          n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsPinPlaces, ls_pin_places_free)

G_END_DECLS
