/* explain: the documentation page of a primitive, made from its row of the table of instructions.
 *
 * The picture is made by really applying the primitive to a small program; the conditions are those under which its
 * findings are reported.
 */
#pragma once

#include "engine/schedule/schedule.h"

G_BEGIN_DECLS

/* What is asked for, or (a warning) what TVM allows although it may change the result. */
typedef struct {
  const char *code;             /* last part of the finding's code */
  const char *sentence;
  gboolean    is_warning;
} LsCondition;

/* NULL when the primitive is always possible. */
const LsCondition *ls_instruction_conditions (const LsInstruction  *instruction,
                                              guint                *n);
/* "sch.split(loop, factors, preserve_unit_iters=True, ...) -> loops" (transfer full) */
char       *ls_instruction_signature   (const LsInstruction  *instruction);

/* A small program, what is done first, and the primitive. */
typedef struct {
  char *call;                   /* "sch.split(i, factors=[4, 2])" */
  char *before;                 /* body of the function, as text */
  char *after;                  /* the same after the call */
  char *changes;                /* both in one text: lines that go begin with "-", new ones with "+" */
  char *trace;                  /* the line of the trace, with its results */
} LsExample;
/* Applies it. NULL with findings when that is refused (a bug). (transfer full) */
LsExample  *ls_instruction_example     (const LsInstruction  *instruction,
                                        LsDiagnostics        *diagnostics);
void        ls_example_free            (LsExample            *self);
/* Program, preparing steps (or NULL), call and intrinsics (or NULL) of the example, or FALSE. */
gboolean    ls_instruction_example_source (const LsInstruction *instruction,
                                        const char          **program,
                                        const char          **prepare,
                                        const char          **call,
                                        const char          **intrin);
/* The whole page. (transfer full) */
char       *ls_instruction_explain     (const LsInstruction  *instruction);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsExample, ls_example_free)

G_END_DECLS
