/* icons: what GTK 4.8 does wrong with the icons of images, made right. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* From now on no thread but this one takes an icon apart.  Once, by the main thread. */
void ls_icons_install (void);

G_END_DECLS
