/* fuse-ops-by-pattern: FuseOpsByPattern for callers with functions of their own (Python's FusionPattern). */
#pragma once

#include "engine/relax/dpl/dpl.h"

G_BEGIN_DECLS

/* What a check is told of a match. Everything is borrowed. */
typedef struct {
  LsNode         *matched_expr;
  LsPatternMatch *match;
  LsArray        *annotation_names;     /* of String, with their patterns */
  LsArray        *annotation_patterns;
  GHashTable     *values;               /* variable -> value, of all bindings so far */
  GHashTable     *bound;                /* value -> variable */
  LsBindingBlock *block;                /* in which the match ends, or NULL outside of dataflow */
} LsFusionMatch;

typedef struct {
  const char *name;                     /* "dnnl.conv2d_relu" */
  LsPattern  *pattern;
  LsArray    *annotation_names;         /* or NULL */
  LsArray    *annotation_patterns;
  /* May the match become a function?  FALSE with an error: stop. NULL: always. */
  gboolean  (*check)  (const LsFusionMatch *match, gboolean *accepted, gpointer user_data, GError **error);
  /* More attributes for it (texts); NULL with an error: stop. NULL: none. (transfer full) */
  LsMap    *(*attrs)  (const LsFusionMatch *match, gpointer user_data, GError **error);
  gpointer    user_data;
  gboolean    refuses_cycles;           /* a match that would need itself through what stays outside is an error; else it stays as it is */
} LsFusionPattern;

/* `entries` (of String, or NULL): only these functions. (transfer full) */
LsModule *ls_relax_fuse_ops_by_pattern (LsModule              *module,
                                        const LsFusionPattern *patterns,
                                        guint                  n_patterns,
                                        gboolean               bind_constants,
                                        gboolean               annotate_codegen,
                                        LsArray               *entries,
                                        GError               **error);

G_END_DECLS
