/* script/pass-text: a pass as people and Python write it, `FuseOps(fuse_opt_level=1)`. */
#pragma once

#include "engine/ir/ir.h"

G_BEGIN_DECLS

typedef struct {
  char    *name;                /* "FuseOps"; what stands before the last dot is left out */
  LsArray *positional;          /* arguments as nodes: IntImm, FloatImm, String, Array, Map, NULL for None */
  LsMap   *keywords;
} LsPassText;

/* Reads one call, or a name alone.  NULL with findings. (transfer full) */
LsPassText *ls_script_parse_pass (const char    *text,
                                  LsDiagnostics *diagnostics);
void        ls_pass_text_free    (LsPassText    *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsPassText, ls_pass_text_free)

G_END_DECLS
