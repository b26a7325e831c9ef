/* target: what code is made for, as a map of options. */
#pragma once

#include "engine/ir/ir.h"

G_BEGIN_DECLS

/* "llvm -num-cores=4" or "llvm -mcpu foo" as a map. (transfer full) */
LsMap *ls_target_from_text (const char *text);

/* The target with the keys of its kind, a tag (empty where there is none) and what a target of this kind has where nothing is said; its host
 * too, which may be a text. (transfer full) */
LsMap *ls_target_complete  (LsMap      *target);

/* What a target of a kind has where nothing is said, with the triple of this machine for "llvm"; empty for a kind that is not known.
 * (transfer full) */
LsMap *ls_target_defaults  (const char *kind);

G_END_DECLS
