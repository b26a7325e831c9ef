/* base/folder: folders that the program made for a while, and what they hold. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Removes what is in it, folders with all that is in them; links go, what they lead to stays.  What cannot be removed stays. */
void ls_folder_empty  (const char *path);
/* The same, and the folder. */
void ls_folder_remove (const char *path);

G_END_DECLS
