/* tools: which windows there are beside the main one. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Registers them all; once is enough. */
void ls_tools_register (void);

G_END_DECLS
