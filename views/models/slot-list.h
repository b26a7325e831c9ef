/* LsSlotList: a list model whose rows stay while what stands in them changes.
 *
 * GTK 4.8 makes a new widget for each new item and drops that of the old one; where all items are new at once (the moves of
 * another loop) that costs more than anything else a step does.  A slot is an item that stays: a row binds to the slot,
 * shows what it holds, and follows its ::changed.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define LS_TYPE_SLOT (ls_slot_get_type ())
G_DECLARE_FINAL_TYPE (LsSlot, ls_slot, LS, SLOT, GObject)

/* What stands in it now; borrowed. */
gpointer    ls_slot_get       (LsSlot     *self);

#define LS_TYPE_SLOT_LIST (ls_slot_list_get_type ())
G_DECLARE_FINAL_TYPE (LsSlotList, ls_slot_list, LS, SLOT_LIST, GObject)

LsSlotList *ls_slot_list_new  (void);
/* Puts `items` (GObjects, borrowed; not NULL) into the slots in this order; slots come and go only at the end. */
void        ls_slot_list_fill (LsSlotList *self,
                               GPtrArray  *items);
/* What stands at a position, NULL beyond the end; borrowed. */
gpointer    ls_slot_list_at   (LsSlotList *self,
                               guint       position);

G_END_DECLS
