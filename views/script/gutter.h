/* LsScriptGutter: line number, then 40 px for chips and step tags or for the mark
 * of a comparison. Private to the script pane. */
#pragma once

#include <gtksourceview/gtksource.h>

#include "views/script/shown.h"

G_BEGIN_DECLS

#define LS_TYPE_SCRIPT_GUTTER (ls_script_gutter_get_type ())
G_DECLARE_FINAL_TYPE (LsScriptGutter, ls_script_gutter, LS, SCRIPT_GUTTER,
                      GtkSourceGutterRenderer)

/* Borrows what the pane shows, which lives as long. */
GtkSourceGutterRenderer *ls_script_gutter_new (const LsScriptShown *shown);

G_END_DECLS
