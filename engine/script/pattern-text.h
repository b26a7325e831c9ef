/* script/pattern-text: patterns of dataflow as Python writes them, `is_op ("relax.add")(wildcard (), wildcard ())`.
 *
 * Everything of tvm.relax.dpl that makes patterns: the functions is_* and has_*, wildcard, the classes, calls, `|`, `&`,
 * `~`, subscripts of tuples, and the methods has_attr, has_dtype, has_shape, has_struct_info, dup, used_by, only_used_by;
 * `>>` and `^`.  A bare name is a wildcard; the same name again means the same expression.
 */
#pragma once

#include "engine/relax/dpl/dpl.h"
#include "engine/script/calls.h"

G_BEGIN_DECLS

/* The pattern of a text; what is used by what goes into *context (or NULL; transfer full).  NULL with findings.
 * (transfer full) */
LsPattern *ls_script_parse_pattern (const char         *text,
                                    LsPatternContext  **context,
                                    LsDiagnostics      *diagnostics);
/* A value of a call as a node, with patterns wherever they stand; *node is NULL for None.  FALSE with findings. */
gboolean   ls_call_value_to_pattern_node (const LsCallValue *value,
                                    LsSource           *source,
                                    LsDiagnostics      *diagnostics,
                                    LsNode            **node);

G_END_DECLS
