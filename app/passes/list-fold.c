/* list-fold: rows below what they ran on, which open and close. */
#include "app/passes/list-private.h"

void
ls_passes_list_set_folded (LsPassesList *self,
                           gboolean      folded)
{
  self->folded = folded;
  g_hash_table_remove_all (self->opened);
  if (self->passes != NULL)
    self->refill (self);
}

/* Opens what is folded at a position. FALSE: nothing is. */
static gboolean
unfold (LsPassesList *self,
        guint         position)
{
  const LsPassesPlace *place = ls_passes_rows_at (self->rows, position);

  if (place == NULL || !place->head || place->open)
    return FALSE;
  g_hash_table_add (self->opened, GUINT_TO_POINTER (place->nest + 1));
  self->refill (self);
  gtk_single_selection_set_selected (self->selection, position);        /* the head stays where it was */
  gtk_widget_activate_action (self->view, "list.scroll-to-item", "u", position);
  return TRUE;
}

/* Closes the head that the row at a position stands below, or is, and chooses it. */
static gboolean
fold (LsPassesList *self,
      guint         position)
{
  int head = ls_passes_rows_head (self->rows, position);

  if (head < 0)
    return FALSE;
  gtk_single_selection_set_selected (self->selection, (guint) head);
  g_hash_table_remove (self->opened, GUINT_TO_POINTER (ls_passes_rows_at (self->rows, (guint) head)->nest + 1));
  self->refill (self);
  return TRUE;
}

gboolean
ls_passes_list_key_pressed (GtkEventController *keys,
                            guint               key,
                            guint               code,
                            GdkModifierType     state,
                            LsPassesList       *self)
{
  guint at = gtk_single_selection_get_selected (self->selection);

  if (!self->folded || self->slowest || self->passes == NULL || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return FALSE;
  return key == GDK_KEY_Right ? unfold (self, at) : key == GDK_KEY_Left && fold (self, at);
}

void
ls_passes_list_row_activated (LsPassesList *self,
                              guint         position)
{
  const LsPassesPlace *place = ls_passes_rows_at (self->rows, position);

  if (place != NULL && place->head && !unfold (self, position))
    fold (self, position);
}
