/* code-view: Python as the cells of a lesson have it. */
#pragma once

#include "views/parts/text-view.h"

G_BEGIN_DECLS

#define LS_TYPE_CODE_VIEW (ls_code_view_get_type ())
G_DECLARE_FINAL_TYPE (LsCodeView, ls_code_view, LS, CODE_VIEW, LsTextView)

/* A text that asks for the height of all its lines; `label` says to a screen reader what it is. (transfer none, floating) */
GtkWidget *ls_code_view_new (const char *text,
                             gboolean    editable,
                             const char *label);

G_END_DECLS
