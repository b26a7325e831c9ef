/* worker/language: sentences in the language of the window that asks. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* From now on sentences of the engine are in the language of the catalogue (the bytes of a .mo file) that the request has, if it has one. */
void ls_worker_speak (GVariant *params);

G_END_DECLS
