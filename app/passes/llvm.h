/* passes/llvm: what LLVM's passes do, one sentence each; the names are those of a pipeline's text. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* In English, for gettext; "" for one that is not known. */
const char *ls_llvm_pass_summary (const char *name);

G_END_DECLS
