/* pin: what the user has pinned, as the views show it.
 *
 * There are seven pins, A to G; each has a colour and its letter always stands with the colour.  A set of pins is a mask with one
 * bit for each: what a place in a text, a loop or a block has.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LS_PINS_MAX 7
#define LS_PIN_NEXT (-1)        /* instead of a number: the next pin that is free */
#define LS_PIN_BIT(slot) ((guint8) (1u << (slot)))

typedef enum {
  LS_PIN_LOOP,
  LS_PIN_BLOCK,
  LS_PIN_BUFFER,
  LS_PIN_VARIABLE,              /* an axis of a block, a parameter, a variable of Relax */
} LsPinKind;

/* One pin as it is shown. */
typedef struct {
  gboolean  used;
  LsPinKind kind;
  char     *name;               /* as it was called where it was pinned */
  gboolean  is_there;           /* something of it is in the program that is shown */
} LsPinRecord;

void        ls_pin_record_clear (LsPinRecord       *self);
/* "A". */
const char *ls_pin_letter       (guint              slot);
/* "loop j_0". (transfer full) */
char       *ls_pin_describe     (const LsPinRecord *self);
/* "pinned A", "pinned A, C"; NULL for none. (transfer full) */
char       *ls_pins_describe    (guint8             pins);
/* "uses what is pinned B": of a block that reads or writes it. (transfer full) */
char       *ls_pins_describe_uses (guint8           pins);
/* The letters alone: "A", "A, C". (transfer full) */
char       *ls_pins_letters     (guint8             pins);
guint       ls_pins_count       (guint8             pins);

G_END_DECLS
