/* window/take: the program as a folder for a device of another machine. */
#pragma once

#include "app/window/window.h"

G_BEGIN_DECLS

/* Asks for target, architectures, steps and place, and has the folder written; the window says what became of it. */
void ls_window_take_to_device (LsWindow *self);

G_END_DECLS
