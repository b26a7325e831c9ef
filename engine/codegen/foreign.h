/* foreign: a module of LLVM that another compiler made: read, taken through passes one by one, and one of its functions called. */
#pragma once

#include "engine/codegen/codegen.h"

G_BEGIN_DECLS

typedef struct _LsForeign LsForeign;

/* What a parameter or a result is. */
typedef enum {
  LS_FOREIGN_NONE,              /* no result */
  LS_FOREIGN_I8, LS_FOREIGN_I16, LS_FOREIGN_I32, LS_FOREIGN_I64,       /* i1 is passed as i8 */
  LS_FOREIGN_F32, LS_FOREIGN_F64,
  LS_FOREIGN_PTR
} LsForeignType;

/* "i32", "f32", "ptr"; "void". */
const char   *ls_foreign_type_name  (LsForeignType type);

/* Reads and verifies the text of a module.  Errors: PROGRAM with LLVM's sentence (line and column), TARGET: it is made for another machine.
 * (transfer full) */
LsForeign    *ls_foreign_read       (const char  *text,
                                     GError     **error);
void          ls_foreign_free       (LsForeign   *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsForeign, ls_foreign_free)
/* An instruction, a block or the head of a function ("label"); values are numbers in the function, from 0. */
typedef struct {
  char   *name;                 /* "add" */
  char   *shape;                /* "% = add nsw i32 %, 1" */
  GArray *results, *operands;   /* of guint */
} LsForeignOperation;

void          ls_foreign_operation_free (LsForeignOperation *self);
/* "LLVM 19.1.7". (transfer full) */
char         *ls_foreign_llvm_version (void);
/* Only reads a text, unverified and for whatever machine, without its debug information.  Errors: PROGRAM with LLVM's sentence alone. (transfer full) */
LsForeign    *ls_foreign_parse      (const char  *text,
                                     GError     **error);
/* The head of a function, then for each of its blocks a label and the instructions.  Names of values are lost.  Errors: NOT_FOUND, LLVM.
 * (transfer full): of LsForeignOperation */
GPtrArray    *ls_foreign_operations (LsForeign   *self,
                                     const char  *function,
                                     GError     **error);
/* The types of the parameters of a function, then of its result (of guint).  Errors: NOT_FOUND (with the functions that there are), UNSUPPORTED: a
 * vector, a structure, a number of arguments that is not fixed. (transfer full) */
GArray       *ls_foreign_signature  (LsForeign   *self,
                                     const char  *entry,
                                     GError     **error);
/* Runs one pass, or a pipeline, in the notation of LLVM's opt.  Errors: LLVM. */
gboolean      ls_foreign_pass       (LsForeign   *self,
                                     const char  *pass,
                                     GError     **error);
/* The whole module. (transfer full) */
char         *ls_foreign_print      (LsForeign   *self);
/* Machine code without any further pass.  Its function "entry" takes, as the first of the four parameters of LsPackedFunc, an array of words of 8 bytes:
 * the arguments, each in the first bytes of its word, and room for the result behind them.  The module is used up. Errors: as
 * ls_foreign_signature(), LLVM. (transfer full) */
LsObject     *ls_foreign_compile    (LsForeign   *self,
                                     const char  *entry,
                                     GError     **error);
/* Runs a pipeline in the notation of opt ("default<O2>") and gives LLVM's own log of it: the whole module at the start and after each pass that changed it, a line for
 * those that did not, the report of their times.  Errors: LLVM, also where the log has more than `most` bytes.  Turns the process's standard error away
 * meanwhile; nothing else may run LLVM. (transfer full) */
char         *ls_foreign_log        (LsForeign   *self,
                                     const char  *pipeline,
                                     gsize        most,
                                     GError     **error);

G_END_DECLS
