/* base/settings: what the user has chosen for the program: GSettings, schema org.loopscope.Loopscope (data/).
 *
 * The look, and whether moves are strict, follow the settings as long as the program runs, whoever changes them.  Where no desktop keeps settings (no dconf) they
 * are in a key file.  A program that is not installed finds the schema in its build folder.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Opens them, takes over what an earlier version kept in settings.ini, and puts the look in place from now on.  Once, after
 * ls_theme_install(). */
void       ls_settings_start     (void);
/* Borrowed; there from the first time that it is asked for. */
GSettings *ls_settings_get       (void);
/* Adds an action for each of `keys` (ends with NULL), named as the key, whose state is the setting: all windows show the same. */
void       ls_settings_add_actions (GActionMap        *map,
                                    const char *const *keys);
/* Adds "text-larger", "text-smaller" and "text-normal", which change the size of the letters. */
void       ls_settings_add_text_size (GActionMap      *map);

G_END_DECLS
