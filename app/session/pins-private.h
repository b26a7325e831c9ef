/* What the files of pins share: pins.c (what is pinned, its lineage), pin-homes.c (where names belong),
 * pin-places.c (where pins are in texts and rows), pins-file.c. */
#pragma once

#include "app/session/pins.h"

G_BEGIN_DECLS

/* The program after node `node`. Borrowed. */
LsVersion  *ls_pin_version (LsHistory    *history,
                            guint         node);
/* Numbers of the entities of the program after node `node` that the pin's thing became; of a variable: of its block. (transfer full) */
GHashTable *ls_pin_follow  (const LsPin  *pin,
                            LsHistory    *history,
                            guint         node);

/* Where a name without a lineage of its own belongs. */
typedef struct {
  char  *name;
  char  *function;              /* NULL: outside of functions */
  char  *block;                 /* NULL: none */
  guint  id;                    /* lineage id of the block, or LS_PIN_NO_ID */
  guint  nth;                   /* of that name there, from 0 */
} LsPinHome;

/* Number of a thing of the text -> LsPinHome, for all that get their names in it. (transfer full) */
GHashTable *ls_pin_homes   (LsVersion    *version,
                            LsScriptText *text);

G_END_DECLS
