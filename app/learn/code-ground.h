/* LsCodeGround: a label with a grey ground behind what stands in it in typewriter letters. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LS_TYPE_CODE_GROUND (ls_code_ground_get_type ())
G_DECLARE_FINAL_TYPE (LsCodeGround, ls_code_ground, LS, CODE_GROUND, GtkWidget)

/* Takes the label. (transfer none, floating) */
GtkWidget *ls_code_ground_new       (GtkLabel     *label);
GtkLabel  *ls_code_ground_get_label (LsCodeGround *self);

/* Where the grounds lie, in the label: of graphene_rect_t, one for each stretch on each line. (transfer full) */
GArray    *ls_code_ground_places    (GtkLabel     *label);

G_END_DECLS
