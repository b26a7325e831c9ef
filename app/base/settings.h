/* base/settings: what the user has chosen for the program, kept in a key file. */
#pragma once

#include "views/parts/theme.h"

G_BEGIN_DECLS

/* Reads loopscope/settings.ini in the user's configuration folder into the theme;
 * a missing or broken file leaves the defaults. */
void        ls_settings_load         (void);
/* Writes it back, atomically. */
void        ls_settings_save         (void);

LsScheme    ls_settings_parse_scheme (const char *name);
const char *ls_settings_scheme_name  (LsScheme    scheme);

/* The user's wish for less motion; the desktop's own wish holds as well. */
gboolean    ls_settings_get_reduced_motion (void);
void        ls_settings_set_reduced_motion (gboolean reduced);

/* Moves that change the order of reads and writes that depend on each other are refused (on unless switched off). */
gboolean    ls_settings_get_strict   (void);
void        ls_settings_set_strict   (gboolean strict);

/* What the loop nest shows beside the loops: "arrows" between blocks (on unless switched off), "rounds" of the selected loop. */
gboolean    ls_settings_get_switch   (const char *name);
void        ls_settings_set_switch   (const char *name,
                                      gboolean    on);

G_END_DECLS
