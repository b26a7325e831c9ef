/* LsOutputBox: what a cell printed, showed and complained about, below the cell. */
#pragma once

#include <gtk/gtk.h>

#include "app/learn/play.h"

G_BEGIN_DECLS

#define LS_TYPE_OUTPUT_BOX (ls_output_box_get_type ())
G_DECLARE_FINAL_TYPE (LsOutputBox, ls_output_box, LS, OUTPUT_BOX, GtkBox)

GtkWidget *ls_output_box_new    (LsPlay      *play,
                                 guint        part);
/* Reads the part again. */
void       ls_output_box_update (LsOutputBox *self);

G_END_DECLS
