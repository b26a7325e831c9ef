/* What the files that make executables share. */
#pragma once

#include "engine/codegen/vm-build.h"

G_BEGIN_DECLS

typedef struct {
  gint64 kind;                  /* LsVMOperandKind */
  gint64 value;
} LsVMOperand;

#define LS_VM_NOWHERE (-1)

/* The function that is being written. */
typedef struct _LsVMWriter LsVMWriter;
struct _LsVMWriter {
  LsModule       *module;
  LsVMExecutable *executable;
  LsVMFunction   *function;
  LsVMWriter     *outer;        /* the function around it, or NULL */
  GHashTable     *vars;         /* LsRelaxVar -> LsVMOperand * */
  GHashTable     *slots;        /* LsVar -> 1 + slot */
  GHashTable     *functions;    /* name -> 1 + number; of the whole module */
  gint64          none;         /* a register that nothing writes, or -1 */
  const char     *place;        /* the variable that is being bound, for messages */
  GError         *error;        /* the first */
  gboolean        lowered;      /* checks of parameters are in the code already, where its author wants them */
};

void        ls_vm_writer_fail     (LsVMWriter   *self,
                                   int           code,
                                   const char   *format,
                                   ...) G_GNUC_PRINTF (3, 4);
gint64      ls_vm_writer_register (LsVMWriter   *self);
/* Appends an instruction. */
void        ls_vm_writer_put      (LsVMWriter   *self,
                                   LsVMOp        op,
                                   gint64        dst,
                                   gint64        target,
                                   GArray       *operands);     /* of LsVMOperand, or NULL */
LsVMOperand ls_vm_writer_text     (LsVMWriter   *self,
                                   const char   *text);

/* ---- vm-expr.c ---- */

/* An integer expression as an operand: a number, or a program over the slots.  Fails when it has a variable without a slot. */
LsVMOperand ls_vm_writer_extent   (LsVMWriter   *self,
                                   LsExpr       *expr);
/* Do all its variables have slots? */
gboolean    ls_vm_writer_knows    (LsVMWriter   *self,
                                   LsExpr       *expr);
/* The slot of a variable, a new one when it has none. */
gint64      ls_vm_writer_slot     (LsVMWriter   *self,
                                   LsVar        *var);

/* ---- vm-match.c ---- */

/* Checks a value against a struct info; plain variables of it get their values.  dst: where the value goes, or LS_VM_NOWHERE.
 * FALSE: there are extents that cannot be checked yet, because later parameters say what they are. */
gboolean    ls_vm_writer_match    (LsVMWriter   *self,
                                   LsVMOperand   value,
                                   LsStructInfo *info,
                                   const char   *what,
                                   gint64        dst);

/* ---- vm-call.c ---- */

/* The value of an expression, in register `dst` when it is >= 0 (else wherever it is already). */
LsVMOperand ls_vm_writer_value    (LsVMWriter   *self,
                                   LsNode       *expr,
                                   gint64        dst);
LsVMOperand ls_vm_writer_call     (LsVMWriter   *self,
                                   LsRelaxCall  *call,
                                   gint64        dst);
/* A function inside of a function: a closure over what it uses. */
LsVMOperand ls_vm_writer_lambda   (LsVMWriter   *self,
                                   LsFunction   *func,
                                   gint64        dst);

G_END_DECLS
