/* arrays-window: two arrays that an exercise compared, side by side, at the first element that differs. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* `arrays` is what the kernel tells of a failed comparison (ls_play_find_arrays()).  One window for each `parent`: it shows the last ones asked for. */
void ls_arrays_window_show (GtkWindow *parent,
                            GVariant  *arrays);

G_END_DECLS
