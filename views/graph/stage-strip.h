/* LsStageStrip: a function as a row of stages, arguments at the left and results at the right. */
#pragma once

#include <gtk/gtk.h>

#include "views/models/stage-plan.h"

G_BEGIN_DECLS

#define LS_TYPE_STAGE_STRIP (ls_stage_strip_get_type ())
G_DECLARE_FINAL_TYPE (LsStageStrip, ls_stage_strip, LS, STAGE_STRIP, GtkWidget)

/* Emits ::chosen (name: string) when a stage is clicked.  Takes `plan`. */
GtkWidget *ls_stage_strip_new (LsStagePlan *plan);

G_END_DECLS
